"""The adversarial models of ACL 2018: they claim a whole source on the strength of one sentence."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stemmata.formats import DocumentFolder, read_pairs
from stemmata.formats.annotations import read_cases
from stemmata.measures.evaluation import keep_pairs, score_alignment
from stemmata.measures.statistics import Lengths
from stemmata.model import Annotations, Detection, Document, Pair
from stemmata.reuse import detectors
from stemmata.reuse.published.adversarial import AdversarialM1, AdversarialM2, singular

SOURCE = "Old farmers planted carrots. Young women sold fresh bread every morning. Nobody bought candles."
OTHER = "Distant galaxies emit radio waves constantly."
HALF = "Young women sold parked cars quietly."
KNOWN = "Farmer planted carrot bread."
LIKEWISE = "A woman bought candles every morning."


def claims(found: list[Detection], pair: Pair) -> list[str]:
    return [pair.suspicious[detection.suspicious] for detection in found]


def pair_of(*sentences: str) -> Pair:
    return Pair(Document("suspicious", " ".join(sentences)), Document("source", SOURCE))


def test_m1_claims_the_first_of_the_best_covered_sentences() -> None:
    pair = pair_of(OTHER, HALF, KNOWN, LIKEWISE)
    found = AdversarialM1().align(pair)
    assert claims(found, pair) == [KNOWN]
    assert found[0].source == ("source", 0, len(SOURCE))


def test_m2_claims_everything_else() -> None:
    pair = pair_of(OTHER, HALF, KNOWN, LIKEWISE)
    found = AdversarialM2().align(pair)
    assert claims(found, pair) == [f"{OTHER} {HALF} ", f" {LIKEWISE}"]
    assert {detection.source for detection in found} == {("source", 0, len(SOURCE))}


def test_m2_claims_nothing_before_a_first_sentence() -> None:
    pair = pair_of(KNOWN, LIKEWISE)
    assert claims(AdversarialM2().align(pair), pair) == [f" {LIKEWISE}"]


@pytest.mark.parametrize("recipe", [AdversarialM1(), AdversarialM2()])
def test_one_covered_sentence_is_not_enough(recipe: AdversarialM1) -> None:
    assert recipe.align(pair_of(OTHER, HALF, KNOWN)) == []


def test_a_short_sentence_is_joined_with_the_next() -> None:
    pair = pair_of("Bread!", KNOWN, LIKEWISE)
    assert claims(AdversarialM1().align(pair), pair) == [f"Bread! {KNOWN}"]


def test_stop_words_do_not_count() -> None:
    # Of the nine words only four are content; all nine, mostly unknown to the source, would be too few.
    pair = pair_of("Those were the very farmers with their carrots, bread, candles.", LIKEWISE)
    assert len(AdversarialM1().align(pair)) == 1


@pytest.mark.parametrize(
    ("plural", "expected"),
    [("cases", "case"), ("copies", "copy"), ("churches", "church"), ("women", "woman"), ("classes", "class"),
     ("glass", "glass"), ("virus", "virus"), ("s", "s"), ("", "")],
)  # fmt: skip
def test_nouns_are_compared_in_the_singular(plural: str, expected: str) -> None:
    assert singular(plural) == expected


@pytest.mark.parametrize("name", ["adversarial-m1", "adversarial-m2"])
@pytest.mark.parametrize("text", ["", " \n", "...", "word", "no end in sight " * 30, "İstanbul. İzmir."])
def test_odd_documents_do_no_harm(name: str, text: str) -> None:
    odd, plain = Document("odd", text), Document("plain", SOURCE)
    for pair in (Pair(odd, plain), Pair(plain, odd)):
        assert detectors[name]().align(pair) == []
    for found in detectors[name]().align(Pair(odd, odd)):
        assert 0 <= found.suspicious.offset < found.suspicious.end <= len(odd)


@pytest.mark.corpus
def test_plagdet_is_far_above_normalised_plagdet_on_summaries(corpus: Callable[[str], Path]) -> None:
    folder = corpus("pan13-alignment-train")
    pairs = list(read_pairs(folder / "05-summary-obfuscation" / "pairs"))[::8]
    suspicious, source = DocumentFolder(folder / "susp"), DocumentFolder(folder / "src")
    documents = [Pair(suspicious[mine], source[theirs]) for mine, theirs in pairs]
    lengths = Lengths(
        {pair.suspicious.name: len(pair.suspicious) for pair in documents},
        {pair.source.name: len(pair.source) for pair in documents},
    )
    cases = keep_pairs(read_cases(folder).annotations, pairs)
    found = [detection for pair in documents for detection in AdversarialM1().align(pair)]
    values = score_alignment(cases, Annotations.of(found), lengths=lengths).scores.values
    assert values["macro.plagdet"] == pytest.approx(0.923, abs=0.01)
    assert values["normalized.macro.plagdet"] == pytest.approx(0.29, abs=0.04)
