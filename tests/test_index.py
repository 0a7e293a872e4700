"""An index: what is found in it, what it keeps, and that additions, removals and merges leave no trace."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index_documents import changed, documents, names, text
from stemmata.formats.collections import SourceDocument
from stemmata.model import StemmataError
from stemmata.reuse.index import Index, add, build, remove, segment_files, writing
from stemmata.reuse.index.duplicates import estimated_jaccard
from stemmata.reuse.index.fingerprints import FREQUENCY_BITS, fingerprint
from stemmata.reuse.index.manifest import SegmentRecord
from stemmata.reuse.index.segment_files import FAN_IN, different_keys, due, sorted_keys
from stemmata.reuse.index.texts import code_stems, code_words
from stemmata.reuse.index.word_hashes import hash_words

pytest.importorskip("tantivy")


@pytest.fixture
def small_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commit after every few documents, so that small collections have many segments."""
    monkeypatch.setattr(writing, "BATCH_DOCUMENTS", 5)
    monkeypatch.setattr(writing, "COMMIT_DOCUMENTS", 10)


def postings(index: Index, kind: str, hashes: np.ndarray, most: int | None = None) -> list[set[str]]:
    """Give the names of the documents of each fingerprint."""
    found = index.lookup(kind, hashes, most)
    answer: list[set[str]] = [set() for _ in hashes]
    for place, name in zip(found.places.tolist(), index.names(found.numbers), strict=True):
        answer[place].add(name)
    return answer


def brute_force(made: list[SourceDocument], kind: str, hashes: np.ndarray) -> list[set[str]]:
    have = {one.name: set(getattr(fingerprint([one.text]), kind).tolist()) for one in made}
    return [{name for name in have if number in have[name]} for number in hashes.tolist()]


def queries(made: list[SourceDocument], kind: str) -> np.ndarray:
    some = np.concatenate([getattr(fingerprint([one.text]), kind) for one in made[:3]])
    return np.concatenate([some, np.array([0, 1, (1 << 44) - 1], np.uint64), some[:2]])


def assert_same(one: Index, other: Index, made: list[SourceDocument]) -> None:
    """Check that two indexes answer alike."""
    assert len(one) == len(other) == len(made)
    assert one.words == other.words
    assert one.languages == other.languages
    places = np.arange(1 << FREQUENCY_BITS)
    assert np.array_equal(one.frequencies(places), other.frequencies(places))
    assert sorted(one.names(one.numbers())) == sorted(other.names(other.numbers())) == sorted(names(made))
    for kind in ("runs", "skips"):
        hashes = queries(made, kind)
        for most in (None, 1, 3):
            assert postings(one, kind, hashes, most) == postings(other, kind, hashes, most)
        assert one.lookup(kind, hashes).dfs.tolist() == other.lookup(kind, hashes).dfs.tolist()
    for document in made[:5]:
        words = document.text.lower().replace(".", "").split()[:8]
        for ask in ("search", "phrase"):
            found = [getattr(index, ask)("en", words, 1000).numbers for index in (one, other)]
            assert set(one.names(found[0])) == set(other.names(found[1])) >= {document.name}


class TestReading:
    def test_a_document_is_kept_with_all_that_is_known_of_it(self, tmp_path: Path):
        made = SourceDocument(
            "Über/a b.txt",
            "Одна мысль.\f\nZwei – und 𝔡rei.",
            title="T",
            author="A",
            url="http://x.org/",
            date="1999",
            pages=(0, 12),
            format="pdf",
            extra={"id_2": [1, {"x": None}]},
        )
        build(tmp_path / "index", [made])
        found = Index.open(tmp_path / "index").document(0)
        assert (found.number, found.name, found.text, found.pages) == (0, made.name, made.text, (0, 12))
        known = {"title": "T", "author": "A", "url": "http://x.org/", "date": "1999", "format": "pdf"}
        assert found.metadata == known | {"id_2": [1, {"x": None}]}

    def test_names_and_numbers_lead_to_each_other(self, tmp_path: Path, small_commits: None):
        made = documents(37)
        build(tmp_path / "index", made)
        index = Index.open(tmp_path / "index")
        assert index.names(range(37)) == names(made)
        assert [index.number_of(name) for name in names(made)] == list(range(37))
        assert index.number_of("doc9999.txt") is None
        assert [index.document(number).text for number in (0, 9, 10, 36)] == [
            made[number].text for number in (0, 9, 10, 36)
        ]

    def test_an_index_travels_to_other_processes(self, tmp_path: Path):
        build(tmp_path / "index", documents(3))
        index = Index.open(tmp_path / "index")
        function, arguments = index.__reduce__()
        assert function(*arguments).names([2]) == index.names([2])

    def test_there_is_no_document_of_a_number_not_given(self, tmp_path: Path):
        build(tmp_path / "index", documents(2))
        for number in (-1, 2):
            with pytest.raises(IndexError):
                Index.open(tmp_path / "index").document(number)

    def test_words_and_languages_are_counted(self, tmp_path: Path):
        made = [
            SourceDocument("en", "This is what we have and that is all there is to it."),
            SourceDocument("ru", "Это всё, что у нас есть, и больше ничего нет."),
            SourceDocument("de", "Das ist alles, was wir haben, und mehr ist es nicht."),
            SourceDocument("none", ""),
        ]
        build(tmp_path / "index", made)
        index = Index.open(tmp_path / "index")
        assert index.languages == {"en": 2, "ru": 1, "de": 1}
        assert index.words == 13 + 10 + 11
        assert index.word_counts([3, 1, 0]).tolist() == [0, 10, 13]
        assert index.document(2).language == "de"

    def test_frequencies_are_those_of_all_texts(self, tmp_path: Path, small_commits: None):
        made = documents(23)
        build(tmp_path / "index", made)
        expected = fingerprint([one.text for one in made]).frequencies
        found = Index.open(tmp_path / "index").frequencies(np.arange(1 << FREQUENCY_BITS))
        assert np.array_equal(found, expected)

    @settings(max_examples=10)
    @given(st.lists(st.lists(st.integers(0, 9), max_size=30), min_size=1, max_size=40), st.data())
    def test_lookup_finds_what_comparing_all_documents_finds(self, tmp_path_factory, lists, data):
        made = [
            SourceDocument(f"d{number}", " ".join(text(seed, 9) for seed in seeds))
            for number, seeds in enumerate(lists)
        ]
        path = tmp_path_factory.mktemp("lookup") / "index"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(writing, "BATCH_DOCUMENTS", data.draw(st.integers(1, 5)))
            patch.setattr(writing, "COMMIT_DOCUMENTS", data.draw(st.integers(1, 12)))
            build(path, made)
        index = Index.open(path)
        for kind in ("runs", "skips"):
            hashes = queries(made, kind)
            expected = brute_force(made, kind, hashes)
            assert postings(index, kind, hashes) == expected
            assert index.lookup(kind, hashes).dfs.tolist() == [len(found) for found in expected]
            most = data.draw(st.integers(0, 4))
            few = [found if len(found) <= most else set() for found in expected]
            assert postings(index, kind, hashes, most) == few

    def test_postings_come_in_rising_order(self, tmp_path: Path, small_commits: None):
        made = [SourceDocument(f"d{number}", text(number % 3)) for number in range(30)]
        build(tmp_path / "index", made)
        found = Index.open(tmp_path / "index").lookup("runs", fingerprint([made[1].text]).runs)
        order = np.lexsort((found.numbers, found.places))
        assert order.tolist() == list(range(len(order)))

    def test_search_ranks_by_shared_stems_whatever_their_forms(self, tmp_path: Path):
        made = [
            SourceDocument("cats", "The cats were sleeping under a wooden table."),
            SourceDocument("cat", "A cat sleeps. Nothing else happened that day in the house of the mayor."),
            SourceDocument("dog", "The dog was barking at the mayor."),
        ]
        build(tmp_path / "index", made)
        index = Index.open(tmp_path / "index")
        found = index.search("en", ["the", "cat", "sleep", "tables"], 10)
        assert index.names(found.numbers) == ["cats", "cat"]
        assert found.scores[0] > found.scores[1] > 0
        assert index.search("en", ["the", "of"], 10).numbers.tolist() == []
        assert len(index.search("en", ["mayor"], 1).numbers) == 1

    def test_russian_words_are_found_by_their_russian_stems(self, tmp_path: Path):
        build(tmp_path / "index", [SourceDocument("a", "Книги лежали на столах, и никого не было в доме.")])
        index = Index.open(tmp_path / "index")
        assert index.search("ru", ["книга", "столом"], 5).numbers.tolist() == [0]
        assert index.search("ru", ["газета"], 5).numbers.tolist() == []

    def test_a_phrase_needs_its_words_in_their_order(self, tmp_path: Path):
        made = [
            SourceDocument("a", "He saw the old wooden table."),
            SourceDocument("b", "A table, old and wooden."),
        ]
        build(tmp_path / "index", made)
        index = Index.open(tmp_path / "index")
        assert index.names(index.phrase("en", ["old", "wooden", "tables"], 5).numbers) == ["a"]
        assert index.names(index.phrase("en", ["table"], 5).numbers) != []

    def test_equals_come_by_number(self, tmp_path: Path, small_commits: None):
        build(tmp_path / "index", [SourceDocument(f"d{number}", "wooden table") for number in range(40)])
        found = Index.open(tmp_path / "index").search("en", ["table"], 12)
        assert found.numbers.tolist() == list(range(12))

    def test_codes_of_words_asked_for_are_those_of_words_indexed(self):
        words = ["houses", "наука", "the", "zweiundzwanzig", "naïve"]
        openings = {
            "en": "this is what it was and ",
            "de": "das ist nicht was wir und ",
            "ru": "и это было не то, что у нас есть ",
        }
        for language, opening in openings.items():
            hashed = hash_words([opening + " ".join(words)], language)
            assert hashed.languages == [language]
            codes = code_stems(hashed.hashes, hashed.counts)[0].split()
            asked = code_words(words, language)
            assert codes[-len(asked) :] == asked

    def test_a_word_that_is_none_can_be_asked_for(self):
        assert code_words(["houses\nhorses", "houses"], "en")[1:] == code_words(["houses"], "en")

    @pytest.mark.parametrize("word", ["ship", "naïveté", "œuvres", "корабль", "ships\ud800", "x" * 5000])
    def test_a_word_has_one_hash_wherever_it_stands_and_whatever_stands_beside_it(self, word: str):
        alone = hash_words([word]).hashes[0]
        texts = [
            f"{word}",
            f"— {word} “{word}”",
            f"Ärger, œuf, {word.upper() if word.isascii() else word}",
            "",
        ]
        hashed = hash_words(texts)
        assert hashed.counts.tolist() == [1, 2, 3, 0]
        assert set(hashed.hashes[[0, 1, 2, 5]].tolist()) == {int(alone)}
        assert hashed.start.tolist()[:3] == [0, 2, len(word) + 4]


class TestChanges:
    def test_additions_removals_and_merges_are_as_if_built_afresh(self, tmp_path: Path, small_commits: None):
        made = documents(150)
        build(tmp_path / "index", made[:70])
        add(tmp_path / "index", made[70:130])
        remove(tmp_path / "index", names(made[5:12]) + names(made[60:101]))
        add(tmp_path / "index", made[130:])
        new = [SourceDocument(one.name, text(900 + number)) for number, one in enumerate(made[20:30])]
        assert add(tmp_path / "index", new).replaced == 10
        left = made[:5] + made[12:20] + new + made[30:60] + made[101:]
        build(tmp_path / "fresh", left)
        one, other = Index.open(tmp_path / "index"), Index.open(tmp_path / "fresh")
        assert_same(one, other, left)
        texts = {document.name: document.text for document in one}
        assert texts == {document.name: document.text for document in left}

    def test_an_index_has_few_segments_however_many_commits(self, tmp_path: Path, small_commits: None):
        build(tmp_path / "index", documents(200, words=20))
        index = Index.open(tmp_path / "index")
        assert len(index) == 200
        assert index.info()["segments"] <= FAN_IN + 2

    def test_segments_are_merged_when_enough_are_of_a_size(self):
        def records(*sizes: int) -> list[SegmentRecord]:
            return [SegmentRecord("", 0, 1, {"runs": size}) for size in sizes]

        assert due(records(*[100] * 7)) == 7
        assert due(records(*[100] * 8)) == 0
        assert due(records(10**6, *[100] * 8)) == 1
        assert due(records(10**6, *[100] * 7)) == 8
        assert due(records(*[5000] * 7, *[100] * 8)) == 7
        full = [SegmentRecord("", 0, 1 << 18, {"runs": 100})] * 9
        assert due(full) == 9

    def test_postings_of_removed_documents_go_with_the_next_merge(self, tmp_path: Path):
        made = documents(40)
        build(tmp_path / "index", made)
        before = Index.open(tmp_path / "index").info()["postings"]["runs"]
        remove(tmp_path / "index", names(made[:2]))
        assert Index.open(tmp_path / "index").info()["postings"]["runs"] == before
        remove(tmp_path / "index", names(made[2:30]))
        assert Index.open(tmp_path / "index").info()["postings"]["runs"] < before / 2

    def test_a_document_that_has_not_changed_is_not_taken_again(self, tmp_path: Path):
        made = documents(10)
        build(tmp_path / "index", made)
        outcome = add(tmp_path / "index", made)
        assert (outcome.added, outcome.unchanged, outcome.replaced) == (0, 10, 0)
        retitled = SourceDocument(made[0].name, made[0].text, title="new")
        outcome = add(tmp_path / "index", [retitled])
        assert (outcome.added, outcome.replaced, outcome.replaced_names) == (1, 1, [made[0].name])
        index = Index.open(tmp_path / "index")
        number = index.number_of(made[0].name)
        assert number == 10
        assert index.document(number).metadata == {"title": "new"}

    def test_the_second_of_a_name_in_one_input_is_told_of(self, tmp_path: Path, small_commits: None):
        made = documents(30)
        again = SourceDocument(made[1].name, "Other words.")
        outcome = build(tmp_path / "index", [*made[:3], again, *made[3:], again])
        assert [finding.kind.code for finding in outcome.findings] == ["E777", "E777"]
        index = Index.open(tmp_path / "index")
        assert len(index) == 30
        assert index.document(1).text == made[1].text

    @pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\0b", "\ud800", "x" * 5000])
    def test_a_name_that_cannot_be_shown_is_told_of(self, tmp_path: Path, name: str):
        outcome = build(tmp_path / "index", [SourceDocument(name, "Some words."), *documents(1)])
        assert [finding.kind.code for finding in outcome.findings] == ["E784"]
        assert len(Index.open(tmp_path / "index")) == 1

    @pytest.mark.parametrize("name", ["../../etc/passwd", "/etc", "<b>", "'; --", "語 .txt"])
    def test_a_name_is_only_a_name(self, tmp_path: Path, name: str):
        build(tmp_path / "index", [SourceDocument(name, "Some words.")])
        index = Index.open(tmp_path / "index")
        assert (index.name(0), index.number_of(name)) == (name, 0)
        assert {path.name for path in tmp_path.iterdir()} == {"index"}
        remove(tmp_path / "index", [name])
        assert len(Index.open(tmp_path / "index")) == 0

    def test_a_text_may_be_empty_or_odd(self, tmp_path: Path):
        odd = ["", " \n", "word", "\ud800 half", "\0", "a" * 100_000, "the the the", "İSTANBUL ǅ ﬁ"]
        build(tmp_path / "index", [SourceDocument(str(number), one) for number, one in enumerate(odd)])
        index = Index.open(tmp_path / "index")
        assert [document.text for document in index] == odd

    def test_a_text_that_no_aligner_could_take_is_told_of(self, tmp_path: Path, monkeypatch):
        monkeypatch.setattr(writing, "MAX_ALIGNED_BYTES", 1000)
        outcome = build(tmp_path / "index", [SourceDocument("long", "word " * 201), *documents(1)])
        assert [finding.kind.code for finding in outcome.findings] == ["E104"]
        assert len(Index.open(tmp_path / "index")) == 1

    def test_removing_what_is_not_there_removes_nothing(self, tmp_path: Path):
        made = documents(3)
        build(tmp_path / "index", made)
        with pytest.raises(StemmataError, match=r"E776 .*'absent'"):
            remove(tmp_path / "index", [made[0].name, "absent"])
        assert len(Index.open(tmp_path / "index")) == 3

    def test_the_text_of_a_removed_document_cannot_be_read_any_more(self, tmp_path: Path):
        made = [SourceDocument("secret", "zanzibarquux " * 50), *documents(3)]
        build(tmp_path / "index", made)
        remove(tmp_path / "index", ["secret"])
        index = Index.open(tmp_path / "index")
        assert index.search("en", ["zanzibarquux"], 5).numbers.tolist() == []
        assert index._texts.fetch(0) is None

    def test_an_index_of_nothing_answers(self, tmp_path: Path):
        build(tmp_path / "index", [])
        index = Index.open(tmp_path / "index")
        assert (len(index), index.words, index.languages) == (0, 0, {})
        assert index.lookup("runs", np.array([5], np.uint64)).dfs.tolist() == [0]
        assert index.search("en", ["word"], 3).numbers.tolist() == []
        assert index.info()["documents"] == 0
        add(tmp_path / "index", documents(1))
        assert len(Index.open(tmp_path / "index")) == 1


class TestNearDuplicates:
    def test_they_are_found_within_a_build_and_against_what_is_there(self, tmp_path: Path):
        made = documents(12, words=200)
        first = build(tmp_path / "index", [*made, changed(made[3], 0.05)])
        assert first.duplicates == 1
        second = add(tmp_path / "index", [changed(made[5], 0.02, seed=1), *documents(3, first=50)])
        assert second.duplicates == 1
        index = Index.open(tmp_path / "index")
        assert [(pair.document, pair.like) for pair in index.duplicates()] == [
            ("copy-of-doc0003.txt", "doc0003.txt"),
            ("copy-of-doc0005.txt", "doc0005.txt"),
        ]
        assert all(pair.likeness >= 0.8 for pair in index.duplicates())
        assert len(index) == 17

    def test_documents_that_share_half_are_none(self, tmp_path: Path):
        made = documents(10, words=200)
        copies = [changed(one, 0.5, seed) for seed, one in enumerate(made)]
        assert build(tmp_path / "index", made + copies).duplicates == 0

    def test_of_many_that_are_alike_each_is_noted(self, tmp_path: Path, small_commits: None):
        made = [SourceDocument(f"d{number}", text(1)) for number in range(50)]
        outcome = build(tmp_path / "index", made)
        assert outcome.duplicates == 49
        assert len(list(Index.open(tmp_path / "index").duplicates())) <= 49 * 8

    @given(st.sets(st.integers(0, 60), max_size=40), st.sets(st.integers(0, 60), max_size=40))
    def test_the_estimate_is_exact_for_documents_smaller_than_their_sketches(self, one, other):
        def sketch(runs: set[int], size: int) -> np.ndarray:
            row = np.full((1, size), np.iinfo(np.uint64).max, np.uint64)
            smallest = sorted(runs)[:size]
            row[0, : len(smallest)] = smallest
            return row

        exact = len(one & other) / max(1, len(one | other))
        assert estimated_jaccard(sketch(one, 100), sketch(other, 100))[0] == pytest.approx(exact)
        union = sorted(one | other)[:16]
        sampled = sum(run in one and run in other for run in union) / max(1, len(union))
        assert estimated_jaccard(sketch(one, 16), sketch(other, 16))[0] == pytest.approx(sampled)


@given(st.lists(st.lists(st.integers(0, 50), max_size=30), max_size=5))
def test_keys_are_sorted_and_different(parts):
    arrays = [np.array(part, np.uint64) for part in parts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segment_files, "BLOCK_KEYS", 7)
        found = [number for block in different_keys(sorted_keys(arrays)) for number in block.tolist()]
    assert found == sorted({number for part in parts for number in part})
