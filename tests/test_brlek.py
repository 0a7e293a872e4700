"""The system of Brlek, Franjić and Uzelac: similarity by hand, and what it finds."""

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from stemmata.formats import DocumentFolder, read_cases, read_pairs
from stemmata.measures.evaluation import score_alignment
from stemmata.measures.statistics import Lengths
from stemmata.model import Annotations, Document, ErrorCode, Pair, Span, StemmataError
from stemmata.reuse import detectors
from stemmata.reuse.parts.long_documents import Budget
from stemmata.reuse.parts.sentence_fragments import Fragment, overlap_quality
from stemmata.reuse.parts.sentence_terms import SentenceTerms
from stemmata.reuse.published import brlek
from stemmata.reuse.published.brlek import Brlek2016, VectorPair, content_words
from stemmata.text.vectors import WordVectors, english_vectors

pytest.importorskip("lemminflect")

ANGLES = {"hot": 0, "warm": 20, "tepid": 50, "cold": 90, "wet": 140}
ORIGINAL = [
    "A physician bought the automobile in the ancient village near the river.",
    "Enormous stones blocked the road, and the frightened horses refused to move.",
    "The merchants quarrelled about the price of salt for several hours.",
]
SYNONYMS = [
    "A doctor purchased the car in the old village near the stream.",
    "Huge rocks obstructed the road, and the scared horses declined to move.",
    "The traders argued over the cost of salt for several hours.",
]
FILLERS = [
    "Seven committees discussed the budget of the orchestra on Monday.",
    "Software updates were installed overnight by the university network.",
    "Children painted yellow submarines on the kitchen wallpaper.",
    "Quarterly profits of the airline doubled after the merger.",
]
SUMMARIES = (0.819, 0.898)
"""Plagdet and normalised plagdet on every 24th summary from the sixth on; on all they are .681 and .806."""


def directions(*words: str) -> WordVectors:
    angles = np.radians([ANGLES[word] for word in words])
    return WordVectors(words, np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32))


def sentences(*texts: str) -> SentenceTerms:
    words = [(number, word) for number, text in enumerate(texts) for word in text.split()]
    start = np.arange(len(texts)) * 10
    numbers = np.array([number for number, _ in words], dtype=np.int64)
    return SentenceTerms.of(start, start + 9, numbers, [word for _, word in words])


def cosine(one: str, other: str) -> float:
    return 1.0 if one == other else float(np.cos(np.radians(ANGLES[one] - ANGLES[other])))


def by_hand(suspicious: str, source: str) -> float:
    best = [max(cosine(one, other) for other in source.split()) for one in suspicious.split()]
    return sum(best) / len(best)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the vectors by ones that know the synonyms above, and nothing else."""
    groups = [
        ("physician", "doctor"), ("buy", "purchase"), ("automobile", "car"), ("ancient", "old"),
        ("river", "stream"), ("enormous", "huge"), ("stone", "rock"), ("block", "obstruct"),
        ("frightened", "scared"), ("frighten", "scare"), ("refuse", "decline"), ("merchant", "trader"),
        ("quarrel", "argue"), ("price", "cost"),
    ]  # fmt: skip
    words = [word for group in groups for word in group]
    table = np.repeat(np.eye(len(groups), dtype=np.float32), 2, axis=0)
    monkeypatch.setattr(brlek, "english_vectors", lambda: WordVectors(words, table))


@pytest.fixture
def english() -> WordVectors:
    try:
        return english_vectors()
    except StemmataError as error:
        pytest.skip(str(error))


def passages(copied: list[str], **parameters: float) -> list[tuple[str, str]]:
    suspicious, source = [*FILLERS[:2], *copied], [*ORIGINAL, *FILLERS[2:]]
    pair = Pair(Document("a", " ".join(suspicious)), Document("b", " ".join(source)))
    found = Brlek2016(**parameters).align(pair)
    return [(pair.suspicious[one.suspicious], pair.source[one.source]) for one in found if one.source]


def test_similarity_is_the_mean_of_the_greatest_cosines() -> None:
    ours, theirs = ["hot hot cold", "warm"], ["warm tepid", "wet", "hot wet"]
    pair = VectorPair(sentences(*ours), sentences(*theirs), directions(*ANGLES))
    for (i, one), (j, other) in itertools.product(enumerate(ours), enumerate(theirs)):
        rows, columns = Span(i, i + 1), Span(j, j + 1)
        assert pair.similarity(rows, columns) == pytest.approx(by_hand(one, other), abs=1e-6)
    assert pair.similarity(Span(0, 2), Span(0, 2)) == pytest.approx(
        by_hand("hot hot cold warm", "warm tepid wet"), abs=1e-6
    )
    assert pair.best_similarity(Span(0, 2), Span(0, 3)).tolist() == pytest.approx(
        [max(by_hand(one, other) for other in theirs) for one in ours], abs=1e-6
    )


def test_seeds_are_the_pairs_over_the_threshold() -> None:
    ours, theirs = ["hot cold", "wet", "tepid"], ["warm", "cold hot", "wet tepid"]
    pair = VectorPair(sentences(*ours), sentences(*theirs), directions(*ANGLES))
    for threshold in (0.3, 0.6, 0.9):
        expected = [
            [i, j]
            for i, one in enumerate(ours)
            for j, other in enumerate(theirs)
            if by_hand(one, other) > threshold
        ]
        assert sorted(pair.seeds(threshold).tolist()) == expected


def test_a_word_without_a_vector_is_like_itself_alone() -> None:
    pair = VectorPair(sentences("xyzzy hot"), sentences("cold", "xyzzy"), directions("hot", "cold"))
    best = [pair.similarity(Span(0, 1), Span(j, j + 1)) for j in range(2)]
    assert best == pytest.approx([0, 0.5], abs=1e-6)


def test_quality_weighs_the_overlap_first() -> None:
    pair = VectorPair(sentences("hot", "warm"), sentences("hot"), directions(*ANGLES))
    fragment = Fragment(Span(0, 2), Span(0, 1))
    rest = cosine("hot", "warm")
    quality = overlap_quality(pair.best_similarity)
    assert quality(fragment, Span(0, 2)) == pytest.approx((1 + rest) / 2, abs=1e-6)
    assert quality(fragment, Span(1, 2)) == pytest.approx(rest + (1 - rest), abs=1e-6)


@pytest.mark.parametrize("limits", [(1, 0), (7, 0), (7, 10_000), (10_000, 0)])
def test_blocks_of_any_size_give_the_same(monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    words = [f"w{number}" for number in range(40)]
    vectors = WordVectors(words, rng.normal(size=(40, 8)).astype(np.float32))
    texts = [" ".join(rng.choice(words, size=rng.integers(1, 9))) for _ in range(30)]
    ours, theirs = sentences(*texts[:12]), sentences(*texts[12:])
    whole = VectorPair(ours, theirs, vectors)
    monkeypatch.setattr(brlek, "MOST_CELLS", limits[0])
    monkeypatch.setattr(brlek, "MOST_KEPT", limits[1])
    parts = VectorPair(ours, theirs, vectors)
    assert sorted(parts.seeds(0.5).tolist()) == sorted(whole.seeds(0.5).tolist())
    ranges = Span(2, 9), Span(3, 17)
    assert parts.similarity(*ranges) == pytest.approx(whole.similarity(*ranges), abs=1e-6)
    assert np.allclose(parts.best_similarity(*ranges), whole.best_similarity(*ranges), atol=1e-6)


def test_content_words_are_lemmas_and_short_sentences_join_the_next() -> None:
    text = "Mice ran. Then the old lamps were lit in the houses. The end."
    found = content_words(Document("a", text), 3)
    spans = zip(found.start.tolist(), found.end.tolist(), strict=True)
    assert [text[start:end] for start, end in spans] == [
        "Mice ran. Then the old lamps were lit in the houses.",
        "The end.",
    ]
    assert list(found.terms) == ["mouse", "run", "old", "lamp", "light", "house", "end"]


@pytest.mark.usefixtures("known")
def test_synonyms_are_found_where_the_vectors_know_them() -> None:
    assert passages(SYNONYMS) == [(" ".join(SYNONYMS), " ".join(ORIGINAL))]


def test_synonyms_are_missed_where_the_vectors_know_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brlek, "english_vectors", lambda: WordVectors(["a"], np.ones((1, 2), np.float32)))
    assert passages(SYNONYMS) == []
    assert passages(ORIGINAL) == [(" ".join(ORIGINAL), " ".join(ORIGINAL))]


def test_synonyms_are_nearer_to_the_original_than_other_sentences(english: WordVectors) -> None:
    ours = content_words(Document("a", " ".join(SYNONYMS)), 3)
    theirs = content_words(Document("b", " ".join([*ORIGINAL, *FILLERS])), 3)
    pair = VectorPair(ours, theirs, english)
    for i in range(len(SYNONYMS)):
        alike = [pair.similarity(Span(i, i + 1), Span(j, j + 1)) for j in range(len(theirs))]
        assert int(np.argmax(alike)) == i
        assert alike[i] > 0.6 > max(alike[len(ORIGINAL) :])


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("suspicious", "source"), [("", ""), ("", "A lamp."), ("The of.", "The of."), ("A", "")]
)
def test_texts_without_sentences_or_words_have_nothing_in_common(suspicious: str, source: str) -> None:
    pair = Pair(Document("a", suspicious), Document("b", source))
    assert Brlek2016(min_length=0).align(pair) == []


def test_a_negative_parameter_is_refused() -> None:
    with pytest.raises(StemmataError, match="validation"):
        Brlek2016(validation=-0.1)


def test_a_missing_extra_is_told_before_the_first_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> WordVectors:
        raise StemmataError(ErrorCode.MISSING_EXTRA, what="it", package="p", extra="vectors")

    monkeypatch.setattr(brlek, "english_vectors", missing)
    with pytest.raises(StemmataError, match="E502"):
        Brlek2016()


def test_it_is_registered() -> None:
    assert detectors["brlek-2016"] is Brlek2016


@pytest.mark.corpus
def test_summaries_of_pan13_score_as_documented(corpus: Callable[[str], Path], english: WordVectors) -> None:
    folder = corpus("pan13-alignment-train")
    suspicious, source = DocumentFolder(folder / "susp"), DocumentFolder(folder / "src")
    pairs = read_pairs(folder / "05-summary-obfuscation" / "pairs")[5::24]
    chosen = set(pairs)
    cases = [
        case
        for case in read_cases(folder).annotations.cases
        if case.source and (case.suspicious.document, case.source.document) in chosen
    ]
    found = [
        one for mine, theirs in pairs for one in Brlek2016().align(Pair(suspicious[mine], source[theirs]))
    ]
    lengths = Lengths(
        suspicious.lengths(mine for mine, _ in pairs), source.lengths(theirs for _, theirs in pairs)
    )
    scores = score_alignment(Annotations.of(cases), Annotations.of(found), lengths=lengths).scores.values
    measured = scores["macro.plagdet"], scores["normalized.macro.plagdet"]
    assert measured == pytest.approx(SUMMARIES, abs=0.01)


def test_texts_that_are_alike_everywhere_use_up_their_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brlek, "Budget", lambda: Budget(1_000))
    pair = VectorPair(sentences(*["hot cold"] * 8), sentences(*["hot cold"] * 8), directions(*ANGLES))
    with pytest.raises(StemmataError, match="E673 the two documents have too much alike"):
        pair.seeds(0.6)
