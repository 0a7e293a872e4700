"""What the evidence report says: words, kinds of reuse, exclusions, manipulation, truth."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from stemmata.cli import app, status_of
from stemmata.formats import read_cases, read_detections
from stemmata.formats.annotations import AnnotationFiles
from stemmata.measures.statistics import Alignment
from stemmata.model import Annotations, Case, Detection, Passage, Span, SpanSet, StemmataError
from stemmata.reports.evidence import Evidence, gather_evidence
from stemmata.reports.evidence_kinds import Kind, judge
from stemmata.reports.evidence_page import evidence_page, page_data
from stemmata.reports.evidence_words import Change, align, compare_words
from stemmata.reports.overlay import overlays, tally

words = st.lists(st.sampled_from("abcde"), max_size=60)


def signs(mine: str, theirs: str) -> tuple[str, str]:
    made = compare_words(mine, theirs)
    letters = {
        Change.EQUAL: "=",
        Change.CHANGED: "c",
        Change.ADDED: "+",
        Change.MOVED: "m",
        Change.DELETED: "-",
    }
    return tuple("".join(letters[c] for c in side.changes) for side in (made.suspicious, made.source))


# --- Words ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("the cat sat", "the cat sat", ("===", "===")),
        ("The CAT, sat!", "the cat sat", ("===", "===")),
        ("the dog sat", "the cat sat", ("=c=", "=c=")),
        ("the old cat sat", "the cat sat", ("=+==", "===")),
        ("the cat sat", "the fat cat sat", ("===", "=-==")),
        ("sat on the mat the cat", "the cat sat on the mat", ("====mm", "mm====")),
        ("", "the cat", ("", "--")),
    ],
)
def test_words_are_equal_changed_added_deleted_or_moved(mine, theirs, expected):
    assert signs(mine, theirs) == expected


def test_short_words_alone_do_not_move():
    assert signs("of winter came", "winter came of") == ("+==", "==-")


@given(words, words)
def test_kept_words_are_equal_and_in_order(a, b):
    kept = align(a, b)
    assert all(a[i] == b[j] for i, j in kept)
    assert kept == sorted(set(kept))
    assert [j for _, j in kept] == sorted({j for _, j in kept})


@given(words, words)
def test_what_is_moved_or_equal_is_so_on_both_sides(a, b):
    made = compare_words(" ".join(a), " ".join(b))
    for change in (Change.EQUAL, Change.MOVED):
        assert made.suspicious.count(change) == made.source.count(change)
    assert not made.suspicious.count(Change.DELETED)
    assert not made.source.count(Change.ADDED)


def test_long_passages_are_compared_in_little_time():
    same = "word " * 50_000
    assert compare_words(same, same).suspicious.count(Change.EQUAL) == 50_000
    repeated = compare_words("a b " * 20_000 + "end", "b a a " * 15_000)
    assert repeated.suspicious.count(Change.EQUAL) > 20_000


def test_offsets_are_those_of_the_document():
    made = compare_words("a new word", "a word", start=100, source_start=7)
    assert list(made.suspicious.runs()) == [(Change.ADDED, Span(102, 105))]
    assert made.source.spans[1] == Span(9, 13)


def test_words_are_compared_as_a_reader_sees_them():
    assert signs("the p\u0430p\u200ber", "the paper") == ("==", "==")


# --- Kinds ---------------------------------------------------------------------------------------------

TEN = "one two three four five six seven eight nine ten"


@pytest.mark.parametrize(
    ("mine", "theirs", "kind"),
    [
        (TEN, TEN, Kind.VERBATIM),
        (TEN.replace("six", "6"), TEN, Kind.VERBATIM),
        (TEN.replace("six", "6").replace("two", "2"), TEN, Kind.LIGHT),
        ("one two three four five", TEN, Kind.SUMMARY),
        ("ten nine eight seven six five four three", TEN, Kind.PARAPHRASE),
        ("nothing at all is shared by these two sentences here", TEN, Kind.PARAPHRASE),
        ("…", TEN, Kind.PARAPHRASE),
    ],
)
def test_the_kind_follows_from_the_words(mine, theirs, kind):
    assert judge(compare_words(mine, theirs)).kind is kind


def test_the_reason_gives_the_share_and_never_rounds_up_to_a_threshold():
    mine = " ".join(f"w{i}" for i in range(1000))
    theirs = mine.replace("w1", "v1", 101)
    judged = judge(compare_words(mine, theirs))
    assert (judged.kind, judged.reason) == (Kind.LIGHT, "89% of the words are the same in the same order")


def test_a_passage_without_source_says_so():
    assert judge(None).kind is Kind.UNKNOWN


# --- The whole -----------------------------------------------------------------------------------------

spot = st.tuples(st.integers(0, 40), st.integers(1, 30))
rows = st.lists(st.tuples(st.sampled_from("ab"), spot, st.sampled_from("xy"), spot), max_size=6)


@given(rows, rows)
def test_true_missed_and_false_characters_are_those_of_the_measures(true, found):
    cases, detections = (
        [kind(Passage(s, *at), Passage(o, *origin)) for s, at, o, origin in side]
        for kind, side in ((Case, true), (Detection, found))
    )
    whole = Alignment(Annotations.of(cases), Annotations.of(detections))
    assert tally(whole).found + tally(whole).missed == whole.statistic("case_characters").sum()
    assert tally(whole).found + tally(whole).false == whole.statistic("detection_characters").sum()
    for (suspicious, source), overlay in overlays(whole).items():
        names = (suspicious, source)
        mine = Alignment(
            Annotations.of(c for c in cases if (c.suspicious.document, c.source.document) == names),
            Annotations.of(d for d in detections if (d.suspicious.document, d.source.document) == names),
        )
        counted = [int(mine.statistic(f"{what}_characters").sum()) for what in ("true", "case", "detection")]
        assert [overlay.tally.found, overlay.tally.true, overlay.tally.claimed] == counted
        assert overlay.tally == tally(mine)


def features(name: str, *positions: tuple[int, ...]) -> str:
    """Write PAN XML for s1 and o1: offset and length, and of the source unless it is not named."""
    rows = ""
    for mine, size, *source in positions:
        rows += f'<feature name="{name}" this_offset="{mine}" this_length="{size}"'
        if source:
            rows += f' source_reference="o1.txt" source_offset="{source[0]}" source_length="{source[1]}"'
        rows += "/>"
    return f'<document reference="s1.txt">{rows}</document>'


@pytest.fixture
def corpus(write, tmp_path) -> Path:
    write("susp/s1.txt", "Copied words stand here. My own words. 𝔘nicode and copied again.")
    write("susp/s2.txt", "Nothing to see.")
    write("src/o1.txt", "Copied words stand here. Other things. 𝔘nicode and copied again.")
    write("pairs", "s1.txt o1.txt\ns2.txt o1.txt\n")
    write("run/s1-o1.xml", features("detected-plagiarism", (0, 24, 0, 24)))
    write("truth/s1-o1.xml", features("plagiarism", (0, 30, 0, 28)))
    return tmp_path


def gathered(corpus: Path, **options: int) -> Evidence:
    return gather_evidence(corpus, read_detections(corpus / "run"), read_cases(corpus / "truth"), **options)


def test_all_documents_are_listed_and_shares_are_of_characters(corpus):
    made = gathered(corpus)
    assert list(made.suspicious) == ["s1", "s2"]
    assert made.share("s1") == 24 / 64
    assert made.share("s2") == 0
    assert (made.tally.found, made.tally.missed, made.tally.false) == (48, 10, 0)


def test_word_for_word_is_what_passages_keep_in_order(corpus, write):
    # "Copied words stand here" is kept; of "My own words", in the place of "Other things", nothing is.
    write("run/s1-o1.xml", features("detected-plagiarism", (0, 24, 0, 24), (25, 13, 25, 13)))
    made = gathered(corpus)
    assert made.word_for_word("s1") == 4 / 7
    assert made.word_for_word("s2") == 0


def test_overlapping_passages_count_once(corpus, write):
    write("run/more.xml", features("detected-plagiarism", (10, 30)))
    made = gathered(corpus)
    assert made.share("s1") == 40 / 64
    assert {pair.source for pair in made.pairs} == {"o1", None}


def test_texts_beyond_the_limit_are_left_out_unless_manipulated(corpus, write):
    write("susp/s3.txt", "a p\u0430per")
    write("susp/s4.txt", "honest")
    write("run/s3.xml", '<document reference="s3.txt"></document>')
    write("run/s4.xml", '<document reference="s4.txt"></document>')
    made = gathered(corpus)
    assert {name for name, one in made.suspicious.items() if one.text is not None} == {"s1", "s3"}


def test_the_same_input_has_the_same_signature_and_other_texts_another(corpus, write):
    first = gathered(corpus)
    assert gathered(corpus).signature == first.signature
    write("susp/s2.txt", "Changed.")
    assert gathered(corpus).signature != first.signature


def test_nothing_in_a_text_can_leave_its_script_element(corpus, write):
    hostile = "</script><script>alert(1)</script><!-- ]]> \u2028 & "
    write("susp/s1.txt", hostile * 3)
    page = evidence_page(gathered(corpus))
    assert page.count("</script>") == page.count("<script") == 4
    assert "<!--" not in page
    held = re.search(r'id="text-0">(.*?)</script>', page, re.DOTALL)
    assert held is not None
    assert json.loads(held[1]) == hostile * 3


def test_an_anonymous_report_holds_no_name(corpus):
    data, _ = page_data(gathered(corpus), anonymous=True)
    assert {one["name"] for one in data["documents"]} == {""}
    assert "s1" not in re.sub(
        r"<script>.*", "", evidence_page(gathered(corpus), anonymous=True), flags=re.DOTALL
    )


def test_annotations_that_do_not_fit_the_corpus_are_refused(corpus):
    for passage, code in ((Passage("s1", 60, 10), "E208"), (Passage("s9", 0, 1), "E209")):
        bad = Annotations.of([Detection(passage, Passage("o1", 0, 1))])
        run = AnnotationFiles(corpus, bad, frozenset({passage.document}))
        with pytest.raises(StemmataError, match=code):
            gather_evidence(corpus, run)


def test_shares_are_unions(corpus):
    pair = gathered(corpus).pairs[0]
    assert pair.reused == SpanSet([(0, 24)])
    assert pair.passages[0].judgement.kind is Kind.VERBATIM


# --- The command ---------------------------------------------------------------------------------------


def test_the_command_writes_one_file(corpus, tmp_path):
    out = tmp_path / "out" / "report.html"
    arguments = ["report", "alignment", str(corpus), str(corpus / "run"), "--truth", str(corpus / "truth")]
    assert CliRunner().invoke(app, [*arguments, "-o", str(out)]).exit_code == 0
    assert [path.name for path in out.parent.iterdir()] == ["report.html"]
    page = out.read_text(encoding="utf-8")
    assert "http://" not in page
    assert "https://" not in page


@pytest.mark.parametrize(
    ("remove", "options", "code"),
    [("src", (), "E101"), (None, ("--format", "pdf"), "E670"), ("run", (), "E101")],
)
def test_what_cannot_be_done_is_one_line_and_no_file(
    corpus, tmp_path, monkeypatch, capsys, remove, options, code
):
    monkeypatch.setenv("STEMMATA_BROWSER", str(tmp_path / "no-browser"))
    if remove:
        (corpus / remove).rename(corpus / "gone")
    out = tmp_path / "out" / f"report.{options[-1] if options else 'html'}"
    status = status_of(["report", "alignment", str(corpus), str(corpus / "run"), "-o", str(out), *options])
    said = capsys.readouterr().err
    assert (status, said[:14], said.count("\n")) == (2, f"stemmata: {code}", 1)
    assert not out.exists()


def test_a_browser_that_fails_is_told_and_leaves_no_file(corpus, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("STEMMATA_BROWSER", "/bin/false")
    out = tmp_path / "report.pdf"
    assert status_of(["report", "alignment", str(corpus), str(corpus / "run"), "-o", str(out)]) == 2
    assert "E671" in capsys.readouterr().err
    assert not out.exists()
