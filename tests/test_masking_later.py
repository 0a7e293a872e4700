"""Obfuscators with a network or a search: Bakhteev 2017, Bevendorff 2019 and Mutant-X 2019."""

from collections import Counter

import numpy as np
import pytest

from stemmata.formats.obfuscation import obfuscated_text
from stemmata.masking import obfuscators
from stemmata.masking.encoder_decoder.network import Network, network
from stemmata.masking.encoder_decoder.vocabulary import (
    HIDDEN,
    UNKNOWN,
    Vocabulary,
    joined,
    tokens_of,
)
from stemmata.masking.published.bakhteev import Bakhteev2017
from stemmata.masking.published.bevendorff import Bevendorff2019, _Trigrams
from stemmata.masking.published.mutant_x import MutantX2019
from stemmata.masking.style import counted
from stemmata.model import Document, Problem
from stemmata.rewriting import Edit, rewritten

TEXT = (
    "The old man walked slowly through the town, and the children ran behind him. He had a big house near "
    "the river. Nobody knew where he came from, but everyone liked his stories. In the evening he sat by the "
    "fire and talked about the war. The people listened, and the night was quiet. They would not leave. "
)
OWN = (
    "The old woman walked quickly through the village, and the dogs ran behind her. She had a small house by "
    "the road. Nobody knew where she went, but everyone liked her songs. In the morning she sat outside."
)
NAMES = ("bakhteev-2017", "bevendorff-2019", "mutant-x-2019")


def problem(text: str, *known: str) -> Problem:
    samples = tuple(Document(f"known{number}", one) for number, one in enumerate(known))
    return Problem("one", samples, Document("unknown", text))


@pytest.mark.parametrize("name", NAMES)
def test_the_same_text_is_masked_alike_and_pieces_join(name: str) -> None:
    once, again = (obfuscators[name]().mask(problem(TEXT, OWN)) for _ in range(2))
    assert once == again
    assert "".join(piece.original for piece in once) == TEXT
    assert obfuscated_text(once) != TEXT


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text", ["", "Yes", "\x00\x01 \x7f", "日本語の文章です。", "!!! ??? ...", "a" * 3000]
)
def test_odd_text_is_survived(name: str, text: str) -> None:
    pieces = obfuscators[name]().mask(problem(text))
    assert "".join(piece.original for piece in pieces) == text


@pytest.mark.parametrize("name", NAMES)
def test_an_author_without_samples_is_no_obstacle(name: str) -> None:
    assert obfuscated_text(obfuscators[name]().mask(problem(TEXT)))


def test_sentences_are_taken_apart_and_put_together() -> None:
    sentence = 'He said, "It\'s a half-open door" (I think).'
    assert joined(tokens_of(sentence)) == sentence


def test_unknown_words_are_copied_from_where_the_network_looked() -> None:
    vocabulary = Vocabulary.of([["the", "king", "slept", "."]], 9)
    source = ["The", "wizard", "slept", "."]
    numbers = vocabulary.numbers(source)
    assert numbers[1] == UNKNOWN
    assert vocabulary.written(numbers, source, [0, 1, 2, 3]) == source


def test_the_network_copies_what_it_sees_and_fills_in_what_it_does_not() -> None:
    net = network()
    tokens = tokens_of("He went to the window and looked out into the street.")
    numbers = net.vocabulary.numbers(tokens)
    hidden = [HIDDEN if at == 4 else number for at, number in enumerate(numbers)]
    seen, filled = net.write([numbers, hidden], 20)
    assert seen.numbers == numbers
    assert len(filled.numbers) >= 10
    assert HIDDEN not in filled.numbers


def test_likelihood_prefers_english_to_its_words_in_disorder() -> None:
    net = network()
    tokens = tokens_of("He went to the window and looked out into the street.")
    ordered, shuffled = net.likelihoods(
        [net.vocabulary.numbers(tokens), net.vocabulary.numbers(sorted(tokens))]
    )
    assert ordered > shuffled + 1


def test_a_sentence_is_written_alike_in_any_company() -> None:
    net = network()
    some = [net.vocabulary.numbers(tokens_of(one)) for one in (TEXT[:77], "He slept.", TEXT[78:109])]
    assert [net.write([one], 30)[0].numbers for one in some] == [one.numbers for one in net.write(some, 30)]
    assert net.likelihoods(some) == pytest.approx(
        [float(net.likelihoods([one])[0]) for one in some], abs=1e-4
    )


def test_a_packed_network_is_the_same_network() -> None:
    rng = np.random.default_rng(1)
    weights = {"words": rng.normal(size=(9, 4)).astype(np.float32), "bias": np.ones(9, np.float32)}
    vocabulary = Vocabulary.of([["a", "b", "c", "d"]], 9)
    read = Network.unpacked(Network(vocabulary, weights).packed())
    assert read.vocabulary == vocabulary
    assert np.abs(read.weights["words"] - weights["words"]).max() < np.abs(weights["words"]).max() / 127
    assert read.weights["bias"].tolist() == [1.0] * 9


def test_bakhteev_leaves_no_sentence_as_it_is() -> None:
    rewriting = Bakhteev2017().rewriting(problem(TEXT, OWN))
    assert len(rewriting.edits) + rewriting.counts["merge"] >= 5
    assert set(rewriting.counts) <= {"encoder-decoder", "synonyms", "split", "merge", "beginning", "ending"}


def literal_distance(text: str, known: str) -> float:
    one, other = (Counter(counted(each, ["characters-3"])["characters-3"]) for each in (text, known))
    total = 0.0
    for term in one | other:
        p, q = one[term] / one.total(), other[term] / other.total()
        m = (p + q) / 2
        total += (p * np.log2(p / m) if p else 0) / 2 + (q * np.log2(q / m) if q else 0) / 2
    return float(np.sqrt(2 * total))


def test_bevendorff_counts_edits_as_if_it_counted_the_text_anew() -> None:
    trigrams = _Trigrams(TEXT, OWN, 5)
    assert trigrams.distance(frozenset()) == pytest.approx(literal_distance(TEXT, OWN))
    state: frozenset[Edit] = frozenset()
    for _ in range(6):
        state = max(trigrams.onwards(state), key=lambda way: trigrams.distance(way[0]))[0]
    text = rewritten(TEXT, state).text
    assert len(state) == 6
    assert trigrams.distance(state) == pytest.approx(literal_distance(text, OWN))


def test_bevendorff_stops_where_the_goal_is() -> None:
    reached = Bevendorff2019(slope=0.0, constant=0.0).rewriting(problem(TEXT, OWN))
    assert not reached.edits
    near = Bevendorff2019(slope=0.0, constant=literal_distance(TEXT, OWN) + 0.01)
    far = Bevendorff2019(slope=0.0, constant=literal_distance(TEXT, OWN) + 0.05)
    few, many = (recipe.rewriting(problem(TEXT, OWN)) for recipe in (near, far))
    assert literal_distance(few.text, OWN) >= literal_distance(TEXT, OWN) + 0.01
    assert literal_distance(many.text, OWN) >= literal_distance(TEXT, OWN) + 0.05
    assert 0 < len(few.edits) < len(many.edits)


def test_mutants_replace_words_alone_and_more_hiding_costs_more_words() -> None:
    meek = MutantX2019(generations=6, alpha=0.05, beta=0.95).rewriting(problem(TEXT, OWN))
    bold = MutantX2019(generations=6, alpha=1.0, beta=0.0).rewriting(problem(TEXT, OWN))
    assert len(meek.edits) < len(bold.edits)
    assert len(bold.text.split()) == len(TEXT.split())
