"""The winner of PAN 2014, part by part on data in sight, and its scores on real pairs."""

from collections.abc import Callable
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

from stemmata.formats import DocumentFolder, read_pairs
from stemmata.formats.annotations import read_cases
from stemmata.measures.evaluation import keep_pairs, score_alignment
from stemmata.model import Annotations, Document, Pair, Span, StemmataError
from stemmata.reuse import detectors
from stemmata.reuse.parts import sentence_similarity as similarity
from stemmata.reuse.parts import word_runs
from stemmata.reuse.parts.long_documents import Budget
from stemmata.reuse.parts.sentence_fragments import (
    Fragment,
    extend,
    extend_validated,
    fragment_of,
    overlap_quality,
    resolve_overlaps,
)
from stemmata.reuse.parts.sentence_similarity import SentencePair
from stemmata.reuse.parts.sentence_terms import Preparation, SentenceTerms, join_short, sentence_terms
from stemmata.reuse.parts.word_runs import WordGrams, common_runs, maximal_runs
from stemmata.reuse.published.sanchez_perez import SanchezPerez2014, SanchezPerez2015
from stemmata.text.words import find_words

BOTH = pytest.mark.parametrize("name", ["sanchez-perez-2014", "sanchez-perez-2015"])
FOX = "The quick brown fox jumped over the lazy dog while seven wise owls watched from an old oak tree. "
COOK = "A master baker from northern Brittany kneads sourdough every morning before sunrise with cold water. "
SHIP = "Captain Morgan sailed three battered frigates around Cape Horn during the winter storms last year. "
PAPER = "Our committee rejected both proposals because neither budget mentioned travel costs or overheads. "


def sentences(*texts: str) -> SentenceTerms:
    """Make sentences of given terms, ten characters each."""
    words = [(number, word) for number, text in enumerate(texts) for word in text.split()]
    start = np.arange(len(texts)) * 10
    numbers = np.array([number for number, _ in words], dtype=np.int64)
    return SentenceTerms.of(start, start + 9, numbers, [word for _, word in words])


def seeds(*pairs: tuple[int, int]) -> np.ndarray:
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def clusters(*pairs: tuple[int, int], gap: int) -> list[list[list[int]]]:
    return sorted(sorted(cluster.tolist()) for cluster in extend(seeds(*pairs), gap))


# Sentences and terms


def test_short_sentences_join_the_next_until_they_are_long_enough() -> None:
    assert join_short(np.array([1, 1, 5, 3, 2, 2, 1]), fewest=3).tolist() == [0, 0, 0, 1, 2, 2, 3]


def test_a_joined_sentence_starts_at_the_first_and_is_as_long_as_both() -> None:
    text = "Yes!  He left the house. She stayed in bed."
    prepared = sentence_terms(Document("a", text), Preparation())
    assert prepared.start.tolist() == [0, 25]
    # "Yes!" has 4 characters and "He left the house." 18; the two spaces between are not counted.
    assert prepared.end.tolist() == [22, 43]


def test_terms_are_stems_of_lower_cased_tokens_that_start_with_a_letter_or_digit() -> None:
    prepared = sentence_terms(Document("a", "Running DOGS -- don't run, 42 times!"), Preparation())
    assert list(prepared.terms) == ["run", "dog", "do", "n't", "42", "time"]
    assert prepared.count.tolist() == [2, 1, 1, 1, 1, 1]


def test_short_tokens_are_left_out_where_a_recipe_says_so() -> None:
    prepared = sentence_terms(Document("a", "He saw two of us at sea."), Preparation(None, shortest_token=3))
    assert list(prepared.terms) == ["saw", "two", "sea"]


# Seeds


def test_cosine_weighs_terms_by_frequency_and_rarity_in_the_pair() -> None:
    pair = SentencePair(sentences("a a b", "c"), sentences("a b d"))
    # Three sentences; a and b stand in two of them, d in one.
    common, rare = log(3 / 2), log(3)
    expected = (2 * common**2 + common**2) / (sqrt(5) * common * sqrt(2 * common**2 + rare**2))
    assert pair.cosine(Span(0, 2), Span(0, 1)).ravel() == pytest.approx([expected, 0])


def test_seeds_exceed_both_thresholds() -> None:
    pair = SentencePair(sentences("a b c d", "a p q r"), sentences("a b c e", "x y z w"))
    # The first two sentences share 3 of 4 terms: a Dice coefficient of .75.
    assert pair.seeds(cosine=0.33, dice=0.74).tolist() == [[0, 0]]
    assert pair.seeds(cosine=0.33, dice=0.75).tolist() == []
    assert pair.seeds(cosine=0.99, dice=0.33).tolist() == []


def test_long_documents_are_compared_in_blocks_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    one, other = (
        sentences(*(" ".join(f"t{t}" for t in rng.integers(0, 12, 5)) for _ in range(30))) for _ in range(2)
    )
    pair = SentencePair(one, other)
    whole = pair.seeds(0.3, 0.3)
    monkeypatch.setattr(similarity, "MOST_CELLS", 100)
    assert len(whole)
    assert sorted(pair.seeds(0.3, 0.3).tolist()) == sorted(whole.tolist())


# Extension


def test_seeds_are_parted_where_more_sentences_than_the_gap_lie_between() -> None:
    assert clusters((0, 0), (5, 5), gap=4) == [[[0, 0], [5, 5]]]
    assert clusters((0, 0), (6, 5), gap=4) == [[[0, 0]], [[6, 5]]]
    assert clusters((0, 0), (1, 6), gap=4) == [[[0, 0]], [[1, 6]]]


def test_a_cut_in_the_source_can_open_a_gap_in_the_suspicious_document() -> None:
    # Sentence 4 bridges 0 and 8 until the source sends it elsewhere.
    found = clusters((0, 0), (4, 90), (8, 1), gap=4)
    assert found == [[[0, 0]], [[4, 90]], [[8, 1]]]


def test_no_seeds_give_no_clusters() -> None:
    assert clusters(gap=4) == []


def test_a_fragment_spans_all_its_seeds() -> None:
    assert fragment_of(seeds((3, 9), (5, 7))) == Fragment(Span(3, 6), Span(7, 10))


# Validation


def test_an_invalid_fragment_is_parted_with_smaller_gaps_until_its_parts_are_valid() -> None:
    ends = seeds((0, 0), (1, 1), (5, 5))

    def short(fragment: Fragment) -> bool:
        return fragment.suspicious.length <= 2

    parts = [Fragment(Span(0, 2), Span(0, 2)), Fragment(Span(5, 6), Span(5, 6))]
    assert list(extend_validated(ends, 4, 2, short)) == parts
    assert list(extend_validated(ends, 4, 3, short)) == []


def test_a_fragment_is_compared_by_the_sum_of_all_its_sentences_seed_or_not() -> None:
    pair = SentencePair(sentences("a b", "x", "c d"), sentences("a b", "c d"))
    shared, own = log(5 / 2), log(5)
    expected = 4 * shared**2 / (sqrt(4 * shared**2 + own**2) * sqrt(4 * shared**2))
    assert pair.fragment_cosine(Span(0, 3), Span(0, 2)) == pytest.approx(expected)


# Overlaps


def test_of_two_overlapping_fragments_the_better_one_is_kept_whole() -> None:
    early, late = Fragment(Span(0, 4), Span(0, 4)), Fragment(Span(3, 6), Span(9, 12))
    apart = Fragment(Span(6, 8), Span(0, 2))
    better_late = {early: 0.2, late: 0.8, apart: 0.1}
    assert resolve_overlaps([apart, late, early], lambda one, _: better_late[one]) == [late, apart]
    assert resolve_overlaps([early, late], lambda one, _: -better_late[one]) == [early]


def test_overlap_in_the_source_alone_is_none() -> None:
    one, other = Fragment(Span(0, 2), Span(0, 4)), Fragment(Span(2, 4), Span(0, 4))
    assert resolve_overlaps([one, other], lambda *_: 0.0) == [one, other]


def test_quality_counts_the_overlap_first_and_then_the_rest() -> None:
    pair = SentencePair(sentences("a b", "c d"), sentences("a b", "x y"))
    quality = overlap_quality(pair.best_cosine)
    fragment = Fragment(Span(0, 2), Span(0, 2))
    # Sentence 0 has its like in the source, sentence 1 has nothing.
    assert quality(fragment, Span(0, 1)) == pytest.approx(1)
    assert quality(fragment, Span(1, 2)) == pytest.approx(1)
    assert quality(fragment, Span(0, 2)) == pytest.approx(0.5)


# Verbatim runs


def test_maximal_runs_end_where_the_words_differ() -> None:
    one, other = (WordGrams.of(find_words(text), n=3) for text in ("z a b c d y", "a b c d x b c d"))
    assert sorted(maximal_runs(one, other)) == [(1, 0, 4), (2, 5, 3)]


def test_words_that_come_back_too_often_start_no_run() -> None:
    one, other = (WordGrams.of(find_words(text), n=3) for text in ("to be or not", "to be or. " * 9))
    assert maximal_runs(one, other) == []


def test_the_longest_common_runs_are_kept_that_do_not_overlap() -> None:
    rng = np.random.default_rng(4)
    one, other = (" ".join(rng.choice(["ab", "cdef", "g"], 2000)) for _ in range(2))
    pair = Pair(Document("a", one), Document("b", other))
    found = [run.suspicious for run in common_runs(pair)]
    grams = [WordGrams.of(find_words(text)) for text in (one, other)]
    words = grams[0].words
    ends = [(int(words.start[i]), int(words.end[i + n - 1])) for i, _, n in maximal_runs(*grams)]
    expected: list[tuple[int, int]] = []
    for start, end in sorted(ends, key=lambda run: run[0] - run[1]):
        if all(end <= first or last <= start for first, last in expected):
            expected.append((start, end))
    assert len(expected) > 3
    assert [(one.offset, one.offset + one.length) for one in found] == sorted(expected)


def test_pairs_with_common_runs_everywhere_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_runs, "Budget", lambda: Budget(10_000))
    text = " ".join(f"w{number}" for number in range(400))
    with pytest.raises(StemmataError, match=r"E673 .* finding runs of common words"):
        common_runs(Pair(Document("a", text), Document("b", text)))


def test_common_runs_ignore_case_space_and_punctuation() -> None:
    pair = Pair(Document("a", "So: " + FOX), Document("b", FOX.upper().replace(" ", " , ")))
    [run] = common_runs(pair)
    assert pair.suspicious[run.suspicious] == FOX.strip(" .")
    assert run.source is not None
    assert pair.source[run.source].startswith("THE , QUICK")


def test_a_pair_with_verbatim_runs_has_nothing_else() -> None:
    copied = FOX + COOK + SHIP
    reworded = "Both of the proposals were rejected, because neither mentioned costs of travel or overheads. "
    pair = Pair(Document("a", copied + reworded * 2), Document("b", copied + PAPER * 2))
    [found] = SanchezPerez2015().align(pair)
    assert pair.suspicious[found.suspicious] == copied.rstrip(" .")


# Whole recipes


@BOTH
def test_a_copied_passage_is_found_where_it_stands(name: str) -> None:
    filler = "Meanwhile nothing whatsoever happened here, apart from rain number {}. "
    others = "Elsewhere people waited, patiently enough, until bus {} came along. "
    before = "".join(filler.format(n) for n in range(8))
    after = "".join(others.format(n) for n in range(8))
    pair = Pair(Document("a", before + FOX + COOK), Document("b", FOX + COOK + after))
    [found] = detectors[name]().align(pair)
    assert found.source is not None
    assert pair.suspicious[found.suspicious] == pair.source[found.source] == (FOX + COOK).strip()


@BOTH
@pytest.mark.parametrize("text", ["", " \n", "...", "word", "no end in sight " * 30, "\x00\x13 \xa0"])
def test_odd_documents_do_no_harm(name: str, text: str) -> None:
    aligner = detectors[name]()
    odd, plain = Document("odd", text), Document("plain", FOX + COOK)
    for pair in (Pair(odd, plain), Pair(plain, odd)):
        assert aligner.align(pair) == []
    for found in aligner.align(Pair(odd, odd)):
        assert 0 <= found.suspicious.offset < found.suspicious.end <= len(odd)


@BOTH
def test_identical_documents_are_one_detection_of_everything(name: str) -> None:
    text = (FOX + COOK + SHIP + PAPER).strip()
    [found] = detectors[name]().align(Pair(Document("a", text), Document("b", text)))
    assert found.source is not None
    assert found.suspicious[1:] == found.source[1:]
    assert found.suspicious.length >= len(text) - 1


def test_passages_of_too_few_characters_are_dropped() -> None:
    unlike = Document("a", FOX + PAPER), Document("b", FOX + COOK)
    assert SanchezPerez2014().align(Pair(*unlike)) == []
    [found] = SanchezPerez2014(min_length=90).align(Pair(*unlike))
    assert found.suspicious.length == len(FOX.strip())


def test_a_negative_parameter_is_refused() -> None:
    with pytest.raises(StemmataError, match="E405 gap=-1"):
        SanchezPerez2014(gap=-1)


@pytest.mark.corpus
def test_scores_on_a_sample_of_the_training_corpus(corpus: Callable[[str], Path]) -> None:
    folder = corpus("pan13-alignment-train")
    pairs = list(read_pairs(folder / "pairs"))[::35]
    suspicious, source = DocumentFolder(folder / "susp"), DocumentFolder(folder / "src")
    cases = keep_pairs(read_cases(folder).annotations, pairs)
    documents = [Pair(suspicious[mine], source[theirs]) for mine, theirs in pairs]
    plagdet = {}
    for year, recipe in ((2014, SanchezPerez2014()), (2015, SanchezPerez2015())):
        found = [detection for pair in documents for detection in recipe.align(pair)]
        scores = score_alignment(cases, Annotations.of(found)).scores
        plagdet[year] = round(scores.values["macro.plagdet"], 3)
    assert plagdet == {2014: pytest.approx(0.852, abs=0.004), 2015: pytest.approx(0.881, abs=0.004)}
