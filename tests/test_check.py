"""Checking documents: what counts as reused, from which source, and never twice."""

from dataclasses import replace
from pathlib import Path

import pytest

from class_of_essays import paragraphs, write
from stemmata.formats.source_documents import SourceDocument
from stemmata.model import StemmataError
from stemmata.reports.check import Summary, gather_check, merge_evidence, page_at, page_name
from stemmata.reports.check_graph import LABELS_LEVEL, MOST_NODES, draw_graph
from stemmata.reports.check_page import shared_pairs
from stemmata.reuse import checking_among, checking_examination, checking_sources
from stemmata.reuse.checking import check
from stemmata.reuse.checking_documents import Documents, Shelf, working_room
from stemmata.reuse.checking_examination import Examination, Likeness, Settings
from stemmata.reuse.index import build

FAST = Settings(aligner="shingles")


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder / "stemmata"


class Texts:
    """Documents in memory."""

    def __init__(self, **texts):
        self.documents = [SourceDocument(name, text) for name, text in texts.items()]

    def __len__(self):
        return len(self.documents)

    def read(self, tell):
        return iter(self.documents)


def text_of(*parts):
    return "\n\n".join(parts) + "\n"


BOOK, OTHER, MINE, YOURS = (paragraphs(seed) for seed in (501, 502, 503, 504))
LIBRARY = Texts(book=text_of(*BOOK), other=text_of(*OTHER), third=text_of(*paragraphs(505)))


def only(checked):
    assert checked.failures == ()
    (result,) = checked.results
    return result


def names(examination):
    return [source.document.name for source in examination.sources]


# --- Sources and shares --------------------------------------------------------------------------------


def test_a_document_that_copies_from_two_sources_is_told_of_both():
    text = text_of(MINE[0], BOOK[1], BOOK[2], MINE[1], OTHER[3], MINE[2])
    found = only(check(Texts(mine=text), LIBRARY))
    assert names(found) == ["book", "other"]
    copied = len(BOOK[1]) + len(BOOK[2]) + 2, len(OTHER[3])
    assert [len(source.reused) for source in found.sources] == pytest.approx(copied, abs=25)
    for source in found.sources:
        for one in source.detections:
            mine = text[one.suspicious.offset : one.suspicious.end]
            theirs = source.document.text[one.source.offset : one.source.end]
            assert mine.split()[:8] == theirs.split()[:8]


def test_a_character_counts_once_however_many_sources_have_it():
    text = text_of(MINE[0], BOOK[1], BOOK[2], MINE[1])
    twice = Texts(first=text_of(*BOOK), second=text_of(OTHER[0], BOOK[1], OTHER[1]), third=text_of(*OTHER))
    result = only(check(Texts(mine=text), twice, settings=FAST, finish=Summary("")))
    assert [source.name for source in result.sources] == ["first", "second"]
    assert result.share == result.sources[0].share
    assert result.sources[1].share > 0.15
    assert [source.adds for source in result.sources] == [result.share, 0]


def test_without_quotations_what_is_quoted_does_not_count():
    text = text_of(MINE[0], f"As is said: “{BOOK[1]}” Thus.", MINE[1], OTHER[2], MINE[2])
    result = only(check(Texts(mine=text), LIBRARY, settings=FAST, finish=Summary("")))
    book, other = result.sources
    assert {book.name, other.name} == {"book", "other"}
    assert result.share == pytest.approx(book.share + other.share)
    quoted = next(source for source in result.sources if source.name == "book")
    assert result.share_without_quotations == pytest.approx(result.share - quoted.share, abs=0.01)


def test_the_list_of_references_does_not_count_either():
    lines = [f"{one} (1999)." for one in text_of(*MINE[2:]).split(". ")]
    listed = "\n".join(["References", *lines])
    library = Texts(book=text_of(BOOK[0], listed))
    result = only(check(Texts(mine=text_of(*YOURS[:3], listed)), library, settings=FAST, finish=Summary("")))
    assert result.share > 0.1
    assert result.share_without_quotations == 0


def test_an_empty_document_has_no_sources():
    result = only(check(Texts(mine=" \n"), LIBRARY, finish=Summary("")))
    assert (result.length, result.share, result.share_without_quotations, result.sources) == (2, 0, 0, [])


def test_only_so_many_sources_are_told_of_as_wanted():
    text = text_of(BOOK[1], OTHER[2], OTHER[3])
    found = only(check(Texts(mine=text), LIBRARY, settings=replace(FAST, most_sources=1)))
    assert names(found) == ["other"]


def test_an_unknown_aligner_is_refused_before_anything_is_read():
    class Untouched(Texts):
        def read(self, tell):
            raise AssertionError

    with pytest.raises(StemmataError, match="E501"):
        check(Untouched(), LIBRARY, settings=Settings(aligner="nobody"))


# --- Itself and copies ---------------------------------------------------------------------------------


def with_a_word_changed(text):
    return text.replace(" the ", " this ", 1)


@pytest.mark.parametrize("name", ["mine", "folder/mine.txt"])
def test_a_document_is_never_its_own_source(name):
    text = text_of(*MINE[:3], BOOK[1])
    library = Texts(**{name: text}, book=text_of(*BOOK))
    found = only(check(Texts(mine=text), library))
    assert names(found) == ["book"]
    assert found.itself == (name,)
    (note,) = gather_check(found).notes
    assert "this very document" in note


def test_an_earlier_version_of_the_same_name_is_no_source():
    text = text_of(*MINE)
    found = only(check(Texts(mine=text), Texts(mine=with_a_word_changed(text))))
    assert (found.sources, found.itself) == ((), ("mine",))


def test_another_document_of_the_same_name_is_a_source():
    found = only(check(Texts(essay=text_of(*MINE[:4], BOOK[1])), Texts(essay=text_of(*BOOK)), settings=FAST))
    assert names(found) == ["essay"]


@pytest.mark.parametrize(("change", "likeness"), [(str, Likeness.SAME), (with_a_word_changed, Likeness.COPY)])
def test_copies_under_other_names_are_told_as_such(change, likeness):
    text = text_of(*MINE)
    found = only(check(Texts(mine=text), Texts(theirs=change(text), book=text_of(*BOOK))))
    (source,) = found.sources
    assert (source.document.name, source.likeness) == ("theirs", likeness)
    assert len(found.reused) > 0.95 * len(text)
    assert gather_check(found).pairs[0].remark == likeness.value


# --- Among each other ----------------------------------------------------------------------------------


def three_essays():
    shared = OTHER[2]
    return Texts(
        anna=text_of(*MINE[:3], shared), bert=text_of(YOURS[0], shared, *YOURS[1:]), cleo=text_of(*BOOK)
    )


def test_essays_are_checked_against_each_other_each_pair_once(monkeypatch):
    aligned = []
    real = checking_among.align_documents

    def counted(name, aligner, document, other):
        aligned.append(frozenset((document.name, other.name)))
        return real(name, aligner, document, other)

    monkeypatch.setattr(checking_among, "align_documents", counted)
    anna, bert, cleo = check(three_essays(), among=True).results
    assert sorted(map(sorted, aligned)) == [["anna", "bert"], ["anna", "cleo"], ["bert", "cleo"]]
    assert (names(anna), names(bert), names(cleo)) == (["bert"], ["anna"], [])
    assert (anna.sources[0].among, bert.sources[0].among) == (1, 0)
    turned = [(one.source, one.suspicious) for one in bert.sources[0].detections]
    assert [(one.suspicious, one.source) for one in anna.sources[0].detections] == turned


def test_two_who_handed_in_the_same_text_are_told_of():
    essays = Texts(anna=text_of(*MINE), bert=text_of(*MINE))
    anna, bert = check(essays, among=True, finish=Summary("")).results
    assert (anna.share, bert.share) == (1, 1)
    (pair,) = shared_pairs([anna, bert])
    assert (pair.remark, pair.characters) == ("the same text", len(text_of(*MINE)))


def test_what_both_have_from_a_source_is_told_apart_from_what_they_have_from_each_other():
    essays = Texts(
        anna=text_of(*MINE[:2], BOOK[1]),
        bert=text_of(*YOURS[:2], BOOK[1]),
        cleo=text_of(*OTHER[:3], MINE[0]),
    )
    library = Texts(book=text_of(*BOOK))
    documents = check(essays, library, among=True, settings=FAST, finish=Summary("")).results
    pairs = {(pair.first.name, pair.second.name): pair.common for pair in shared_pairs(documents)}
    assert pairs == {("anna", "bert"): True, ("anna", "cleo"): False}


def test_essays_that_are_also_in_the_collection_are_not_found_twice():
    essays = three_essays()
    library = Texts(**{f"archive/{one.name}-2.txt": one.text for one in essays.documents})
    anna, bert, _ = check(essays, library, among=True, settings=FAST).results
    assert (names(anna), names(bert)) == (
        ["archive/anna-2.txt", "bert"],
        ["archive/bert-2.txt", "anna"],
    )


def test_one_essay_alone_is_refused():
    with pytest.raises(StemmataError, match="E790"):
        check(Texts(mine="text"), among=True)


def test_an_empty_collection_is_refused():
    with pytest.raises(StemmataError, match="E791"):
        check(Texts(mine="text"), Texts())


# --- Index ---------------------------------------------------------------------------------------------


def comparable(checked):
    return [
        (one.document.name, [(s.document.name, s.detections, s.likeness) for s in one.sources])
        for one in checked.results
    ]


FILLER = [SourceDocument(f"filler-{n}", text_of(*paragraphs(600 + n, 2))) for n in range(60)]
"""Enough other documents that a retriever is asked at all."""


def test_a_larger_class_is_compared_by_what_its_essays_share(monkeypatch):
    monkeypatch.setattr(checking_among, "EVERY_PAIR", 0)
    essays = Texts()
    essays.documents = [*FILLER, SourceDocument("empty", ""), *three_essays().documents]
    found = check(essays, among=True, settings=FAST).results
    assert {one.document.name: names(one) for one in found if one.sources} == {
        "anna": ["bert"],
        "bert": ["anna"],
    }


def test_a_larger_collection_goes_through_an_index_and_gives_the_same(monkeypatch, tmp_path):
    essays = Texts(anna=text_of(*MINE[:3], BOOK[1], BOOK[2]), bert=text_of(*YOURS[:3], OTHER[0]))
    library = Texts()
    library.documents = [*FILLER, *LIBRARY.documents]
    monkeypatch.setattr(checking_sources, "EVERY_ONE", 100)
    every_one = check(essays, library, settings=FAST)
    build(tmp_path / "index", library.read(None))
    assert comparable(check(essays, tmp_path / "index", settings=FAST)) == comparable(every_one)
    monkeypatch.setattr(checking_sources, "EVERY_ONE", 50)
    indexed = check(essays, library, settings=FAST)
    assert comparable(indexed) == comparable(every_one)
    assert comparable(check(essays, tmp_path / "index", settings=FAST)) == comparable(every_one)
    assert indexed.collection == 63
    assert every_one.results[0].sources[0].score is None
    assert indexed.results[0].sources[0].score > 0


@pytest.mark.parametrize("change", [str, with_a_word_changed])
@pytest.mark.parametrize("retriever", ["stemmata", "bm25-chunks", "fingerprint", "zubarev-2014"])
def test_a_copy_in_the_index_does_not_hide_other_sources(tmp_path, change, retriever):
    text = text_of(*MINE[:3], BOOK[1], BOOK[2])
    copies = [SourceDocument(f"copy-{n}", change(text)) for n in range(2)]
    build(tmp_path / "index", [*copies, *FILLER, *LIBRARY.documents])
    found = only(check(Texts(mine=text), tmp_path / "index", settings=replace(FAST, retriever=retriever)))
    assert names(found) == ["copy-0", "copy-1", "book"]
    assert [source.likeness != "" for source in found.sources] == [True, True, False]


@pytest.mark.parametrize("more", [[], FILLER])
def test_what_is_known_of_a_source_is_kept_by_the_index(tmp_path, more):
    book = replace(
        LIBRARY.documents[0], title="The Book", author="A. Author", url="https://x.org", pages=(0, 400)
    )
    build(tmp_path / "index", [book, *more, *LIBRARY.documents[1:]])
    result = only(
        check(Texts(mine=text_of(*MINE, BOOK[3])), tmp_path / "index", settings=FAST, finish=Summary(""))
    )
    said = result.sources[0].as_json()
    assert (said["title"], said["author"], said["url"]) == ("The Book", "A. Author", "https://x.org")
    assert said["detections"][0]["source_page"] == 2


# --- Processes, failures, room -------------------------------------------------------------------------


def test_the_result_does_not_depend_on_the_number_of_processes():
    essays = Texts(**{f"essay-{n}": text_of(*paragraphs(700 + n)[:3], BOOK[n]) for n in range(4)})
    one, two = (check(essays, LIBRARY, among=True, settings=FAST, jobs=jobs) for jobs in (1, 2))
    assert comparable(one) == comparable(two)
    assert one.failures == two.failures


def test_a_document_that_is_too_long_is_told_and_the_rest_goes_on(monkeypatch):
    monkeypatch.setenv("STEMMATA_MAX_DOCUMENT_BYTES", "2500")
    library = Texts(book=text_of(*BOOK), long=text_of(*OTHER) * 3)
    essays = Texts(anna=text_of(MINE[0], BOOK[1]), bert=text_of(*YOURS) * 2)
    checked = check(essays, library, settings=FAST)
    assert [one.document.name for one in checked.results] == ["anna"]
    assert names(checked.results[0]) == ["book"]
    assert [one.name for one in checked.failures] == ["bert", "anna and long"]
    assert all("2,500" in one.message for one in checked.failures)


def test_an_aligner_that_runs_out_of_memory_fails_for_its_pair_alone(monkeypatch):
    real = checking_examination.align_documents

    def short_of_memory(name, aligner, document, other):
        if other.name == "other":
            raise MemoryError
        return real(name, aligner, document, other)

    monkeypatch.setattr(checking_examination, "align_documents", short_of_memory)
    checked = check(Texts(mine=text_of(*MINE, BOOK[1])), LIBRARY, settings=FAST)
    assert names(checked.results[0]) == ["book"]
    assert [failure.name for failure in checked.failures] == ["mine and other"]


def test_nothing_is_left_in_the_cache(cache):
    check(three_essays(), LIBRARY, among=True, settings=FAST)
    assert list(cache.iterdir()) == []


def test_what_a_killed_check_left_is_cleared_away_but_not_what_is_in_use(cache):
    left = cache / "check-killed"
    left.mkdir(parents=True)
    (left / "in-use").touch()
    with working_room() as first, working_room() as second:
        assert not left.exists()
        assert first.exists()
        assert second.exists()


def test_documents_on_a_shelf_come_back_as_they_were(tmp_path):
    document = SourceDocument("ä\n", "x\r\n𝔘\x00", "t", "a", "u", "d", (0, 2), "pdf")
    Shelf(tmp_path / "shelf").put(3, document)
    assert Shelf(tmp_path / "shelf").take(3) == document


# --- Names ---------------------------------------------------------------------------------------------


def read_names(*paths):
    told = []
    return [document.name for document in Documents(paths).read(told.append)], told


def test_documents_of_several_folders_have_names_of_their_own(tmp_path):
    for place in ("a/essay.txt", "b/essay.txt", "b/c/essay.txt"):
        write(tmp_path / place, ["text"])
    assert read_names(tmp_path / "a/essay.txt")[0] == ["essay.txt"]
    both = read_names(tmp_path / "a/essay.txt", tmp_path / "b/essay.txt")[0]
    assert both == ["a/essay.txt", "b/essay.txt"]
    assert read_names(tmp_path / "a", tmp_path / "b")[0] == ["a/essay.txt", "b/c/essay.txt", "b/essay.txt"]
    assert read_names(tmp_path / "a/essay.txt", tmp_path / "a/essay.txt")[0] == ["essay.txt"]


def test_a_path_that_does_not_exist_is_an_error_and_a_broken_file_is_told(tmp_path):
    with pytest.raises(StemmataError, match="E101"):
        read_names(tmp_path / "nowhere")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4")
    found, told = read_names(tmp_path / "broken.pdf")
    assert (found, [failure.name for failure in told]) == ([], ["broken.pdf"])
    assert str(tmp_path) not in told[0].message


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("Essay 1.docx", "001-essay-1-docx.html"),
        ("../../etc/passwd", "001-etc-passwd.html"),
        ("<script>", "001-script.html"),
        ("эссе", "001.html"),
        ("x" * 300, f"001-{'x' * 40}.html"),
    ],
)
def test_pages_have_harmless_names(name, page):
    assert page_name(Examination(0, SourceDocument(name, ""))) == page
    assert page_name(Examination(0, SourceDocument(name, "")), anonymous=True) == "001.html"


def test_pages_are_counted_from_one():
    assert [page_at((0, 10), at) for at in (0, 9, 10, 99)] == [1, 1, 2, 2]
    assert page_at((), 5) is None


def test_the_evidence_of_several_documents_keeps_sources_of_one_name_apart():
    text = text_of(*MINE[:3], BOOK[1])
    parts = [
        gather_check(only(check(Texts(**{name: text}), Texts(book=source), settings=FAST)))
        for name, source in (("anna", text_of(*BOOK)), ("bert", text_of(*BOOK[:3])))
    ]
    merged = merge_evidence(parts, "made")
    assert sorted(merged.sources) == ["book", "book (2)"]
    assert [(pair.suspicious, pair.source) for pair in merged.pairs] == [
        ("anna", "book"),
        ("bert", "book (2)"),
    ]


# --- Graph ---------------------------------------------------------------------------------------------


def test_the_graph_joins_those_who_share_and_lists_the_others():
    graph = draw_graph({n: f"d{n}" for n in range(5)}, {(0, 3): 1000, (3, 4): 100, (1, 2): 0})
    assert sorted(node.number for node in graph.nodes) == [0, 3, 4]
    assert list(graph.alone) == [1, 2]
    wide, narrow = graph.edges
    assert (wide.first, wide.second, narrow.first, narrow.second) == (0, 3, 3, 4)
    assert wide.width > 4 * narrow.width > 0


def test_groups_stand_together_on_the_circle():
    links = {
        (a, b): 500 for group in ((0, 7, 3), (1, 5, 9), (2, 4, 8)) for a in group for b in group if a < b
    }
    order = [node.number for node in draw_graph({n: str(n) for n in range(10)}, links).nodes]
    places = sorted(
        tuple(sorted(order.index(n) for n in group)) for group in ((0, 7, 3), (1, 5, 9), (2, 4, 8))
    )
    turned = [tuple(sorted((place + shift) % 9 for place in group)) for shift in range(3) for group in places]
    assert {(0, 1, 2), (3, 4, 5), (6, 7, 8)} <= set(turned)


@pytest.mark.parametrize("count", [2, LABELS_LEVEL, 30, MOST_NODES + 20])
def test_names_on_the_graph_never_meet_and_stay_inside(count):
    numbers = range(count)
    graph = draw_graph(dict.fromkeys(numbers, "x" * 80), {(n, n + 1): n + 1 for n in numbers[:-1]})
    assert graph == draw_graph(dict.fromkeys(numbers, "x" * 80), {(n, n + 1): n + 1 for n in numbers[:-1]})
    assert len(graph.nodes) + graph.left_out == count
    assert len(graph.nodes) <= MOST_NODES
    assert all(0 < node.x < graph.width and 0 < node.y < graph.height for node in graph.nodes)
    near = [
        abs(complex(a.x, a.y) - complex(b.x, b.y))
        for a in graph.nodes
        for b in graph.nodes
        if a.number < b.number
    ]
    assert min(near) > 14


def test_nobody_who_shares_gives_an_empty_graph():
    graph = draw_graph({0: "a", 1: "b"}, {})
    assert (graph.nodes, graph.edges, list(graph.alone)) == ([], [], [0, 1])


def test_half_a_character_does_not_stop_the_report(tmp_path):
    broken = Texts(mine=text_of(*MINE[:3], "half \ud800 of it", BOOK[1]))
    result = only(check(broken, LIBRARY, settings=FAST, finish=Summary("", folder=tmp_path)))
    assert [source.name for source in result.sources] == ["book"]
    assert "half \ufffd of it" in (tmp_path / result.page).read_text("utf-8")


def test_paths_may_be_folders(tmp_path: Path):
    write(tmp_path / "essays" / "a.txt", [*MINE[:3], BOOK[1]])
    write(tmp_path / "library" / "b.html", BOOK, "The Book", "A. Author")
    checked = check(Documents((tmp_path / "essays",)), Documents((tmp_path / "library",)), settings=FAST)
    (source,) = only(checked).sources
    assert (source.document.title, source.document.author) == ("The Book", "A. Author")
