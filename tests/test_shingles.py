"""The aligner by shared word n-grams."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.model import Aligner, Detection, Document, Pair, StemmataError
from stemmata.reuse import detectors
from stemmata.reuse.published.shingles import Shingles

COPIED = "the keeper polished the lens before dawn while the fog refused to lift"


def pair(suspicious: str, source: str) -> Pair:
    return Pair(Document("susp.txt", suspicious), Document("src.txt", source))


def texts(found: list[Detection], documents: Pair) -> list[tuple[str, str]]:
    return [
        (documents.suspicious[one.suspicious], documents.source[one.source]) for one in found if one.source
    ]


def test_it_is_registered_and_is_an_aligner():
    assert "shingles" in detectors
    assert isinstance(detectors["shingles"](n=4), Aligner)


def test_a_copied_passage_is_found_with_exact_offsets_whatever_case_and_punctuation():
    documents = pair(f"Ice — {COPIED}; so they say.", f"“{COPIED.title()}!” he wrote.")
    found = Shingles(n=3, unordered=False, gap=20, min_length=30).align(documents)
    assert texts(found, documents) == [(COPIED, COPIED.title())]


def test_documents_without_a_common_word_have_no_detection():
    assert Shingles(n=1, min_length=1).align(pair("one two three", "uno dos tres")) == []


@pytest.mark.parametrize("text", ["", "word", "two words"])
def test_documents_shorter_than_an_n_gram_have_no_detection(text: str):
    assert Shingles(n=3, min_length=1).align(pair(text, text)) == []


def test_only_unordered_n_grams_survive_a_small_shuffle():
    documents = pair("lens the polished keeper", "keeper polished the lens")
    assert Shingles(n=4, unordered=False, min_length=10).align(documents) == []
    assert len(Shingles(n=4, unordered=True, min_length=10).align(documents)) == 1


def test_seeds_further_apart_than_the_gap_in_the_source_alone_are_two_passages():
    first, second = "the keeper polished the lens", "gulls had broken the panes"
    documents = pair(f"{first} {second}", f"{first} {'x ' * 60}{second}")
    settings = {"n": 3, "unordered": False, "min_length": 10}
    assert texts(Shingles(gap=30, **settings).align(documents), documents) == [
        (first, first),
        (second, second),
    ]
    assert len(Shingles(gap=500, **settings).align(documents)) == 1


def test_a_cut_in_the_source_can_open_a_gap_in_the_suspicious_document():
    bridge, passage = "one two three", "the keeper polished the lens"
    # Only the bridge, which lies far away in the source, joins the two copies in the suspicious document.
    documents = pair(f"{passage} {bridge} {passage}", f"{passage} {'x ' * 80}{bridge}")
    found = Shingles(n=3, unordered=False, gap=10, min_length=20).align(documents)
    assert texts(found, documents) == [(passage, passage)] * 2


def test_passages_shorter_than_the_minimum_on_either_side_are_dropped():
    documents = pair(COPIED, COPIED)
    assert len(Shingles(n=3, min_length=len(COPIED)).align(documents)) == 1
    assert Shingles(n=3, min_length=len(COPIED) + 1).align(documents) == []


def test_a_commonplace_costs_no_quadratic_time():
    documents = pair("again and " * 20_000, "again and " * 20_000)
    start = process_time()
    assert Shingles(n=2, min_length=1).align(documents) == []
    assert process_time() - start < 2


@pytest.mark.parametrize("wrong", [{"n": 0}, {"gap": -1}, {"min_length": 0}])
def test_impossible_parameters_are_refused(wrong: dict[str, int]):
    with pytest.raises(StemmataError, match="E405"):
        Shingles(**wrong)


words = st.lists(st.sampled_from(["a", "bee", "comb", "honey", "wax"]), max_size=40).map(" ".join)


@given(words, words, st.integers(1, 3), st.booleans(), st.integers(0, 30))
def test_detections_lie_within_their_documents_and_are_long_enough(
    suspicious: str, source: str, n: int, unordered: bool, gap: int
):
    for one in Shingles(n, unordered, gap, min_length=5).align(pair(suspicious, source)):
        assert one.source is not None
        assert one.suspicious.end <= len(suspicious)
        assert one.source.end <= len(source)
        assert min(one.suspicious.length, one.source.length) >= 5
