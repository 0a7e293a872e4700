"""Verifiers of PAN 2015."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from made_up_authors import made_up_problems, problem_of
from stemmata.authorship import verifiers
from stemmata.authorship.batch import Batch
from stemmata.authorship.many_heads import ManyHeads
from stemmata.authorship.published.bagnall import ALPHABET, Bagnall2015, folded
from stemmata.authorship.published.castro import Castro2015
from stemmata.authorship.published.glad import Huerlimann2015
from stemmata.authorship.published.pacheco import Pacheco2015
from stemmata.authorship.published.syntax import SyntacticGrams, attached, path_to_root
from stemmata.authorship.writings import Writing
from stemmata.model import Document


@pytest.fixture(scope="module")
def batch() -> Batch:
    """Return problems analysed once for all."""
    return Batch.of(made_up_problems()[0])


def test_glad_describes_a_problem_by_the_figures_of_its_program() -> None:
    known, unknown = "The cat sat; the cat ran.\n\nIt was late.", "A cat ran. The end?\nNo, it sat."
    row = Huerlimann2015().describe(Batch.of([problem_of("1", [known], unknown)]), {})[0]

    def rates(text: str, size: int) -> dict[str, float]:
        text = " ".join(text.split())
        grams = [text[i : i + size] for i in range(len(text) - size + 1)]
        return {gram: count / len(grams) for gram, count in Counter(grams).items()}

    for size in range(1, 6):
        a, b = rates(known, size), rates(unknown, size)
        union = a.keys() | b.keys()
        distance = sum((2 * (a.get(g, 0) - b.get(g, 0)) / (a.get(g, 0) + b.get(g, 0))) ** 2 for g in union)
        assert row[size - 1] == pytest.approx(distance)
        assert row[4 + size] == len(a.keys() & b.keys())
    raw = [text.encode() for text in (known, unknown, known + unknown)]
    sizes = [len(zlib.compress(one)) / len(one) for one in raw]
    assert row[12] == pytest.approx((sizes[0] + sizes[1]) / sizes[2])
    marks = np.array([[text.count(m) / len(text) for m in "!?;:,.-'"] for text in (known, unknown)])
    assert row[13] == pytest.approx(marks[0] @ marks[1] / np.linalg.norm(marks[0]) / np.linalg.norm(marks[1]))
    lengths = [12 / 2, 12 / 3]
    assert row[18] == pytest.approx(abs(lengths[0] - lengths[1]))
    assert row[22:] == pytest.approx(lengths)


def test_pacheco_compares_the_distance_to_the_author_with_that_to_the_background() -> None:
    verifier = Pacheco2015(words=3)
    batch = Batch.of([problem_of("1", ["a a b c"], "a b b c"), problem_of("2", ["c c c b"], "a a a b")])
    fixed = verifier.fix(batch)
    terms = sum(len(fixed[name]) for name in verifier.families())
    place = len(verifier.describe(batch, fixed)[0]) - terms - len(verifier.families())
    word = place + fixed["words"].index("a")
    u, k, m = 1 / 4, 2 / 4, (2 / 4 + 0) / 2
    ratio = ((u - k) ** 2 + 1) / ((u - m) ** 2 + 1)
    assert verifier.describe(batch, fixed)[0, word] == pytest.approx((ratio - 1) * 1e6)


def test_castro_votes_for_a_text_that_is_as_like_the_group_as_its_texts_are() -> None:
    texts = [
        "one two three four. Five six!",
        "one two three four. Five seven!",
        "one two three four. Six five!",
    ]
    near = problem_of("1", texts[:2], texts[0])
    far = problem_of("2", texts[:2], "quite another thing; nothing is common here: zero")
    assert Castro2015().score([near, far]) == [1.0, 0.0]


def test_castro_answers_in_tenths(batch: Batch) -> None:
    votes = np.array(Castro2015().score(batch)) * 10
    assert votes == pytest.approx(np.round(votes))


def test_slopes_of_the_network_are_those_of_its_error() -> None:
    rng = np.random.default_rng(2)
    texts = rng.integers(0, 5, (3, 7))
    network = ManyHeads(5, 4, 3, rng)
    for name in network.weights:
        network.weights[name] += rng.normal(0, 0.3, network.weights[name].shape).astype(np.float32)
    moved: dict[str, np.ndarray] = {}
    network._move = lambda name, slope, size, part: moved.update({name: slope})  # type: ignore[method-assign]
    network.learn(texts, span=6, rate=1.0)

    def error() -> float:
        states = list(network.read(list(texts)))
        return sum(float(network.surprise(texts[n], states[n], np.array([n]))[0]) for n in range(3))

    for name, share in (("again", 3), ("input", 3), ("heads", 1), ("common", 3)):
        place = tuple(0 for _ in moved[name].shape) if name != "input" else (int(texts[0, 0]), 1)
        before = network.weights[name][place]
        network.weights[name][place] = before + 1e-2
        above = error()
        network.weights[name][place] = before - 1e-2
        below = error()
        network.weights[name][place] = before
        assert (above - below) / 2e-2 == pytest.approx(share * moved[name][place], abs=2e-3)


def test_texts_that_are_read_together_are_read_as_each_by_itself() -> None:
    rng = np.random.default_rng(3)
    network = ManyHeads(5, 4, 2, rng)
    texts = [rng.integers(0, 5, length) for length in (9, 2, 30)]
    for text, states in zip(texts, network.read(texts), strict=True):
        [alone] = network.read([text])
        assert states.shape == (len(text) - 1, 4)
        assert states == pytest.approx(alone, abs=1e-6)


def test_heads_that_learn_in_blocks_learn_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = np.random.default_rng(4).integers(0, 5, (7, 40))
    learned = []
    for together in (2, 100):
        monkeypatch.setattr("stemmata.authorship.many_heads._TOGETHER", together)
        network = ManyHeads(5, 4, 7, np.random.default_rng(5))
        network.learn(texts, span=10, rate=0.01)
        learned.append(network.weights)
    for name, weights in learned[0].items():
        assert weights == pytest.approx(learned[1][name], abs=1e-6), name


def test_texts_are_folded_with_a_mark_for_capitals() -> None:
    assert "".join(ALPHABET[place] for place in folded("Éa 12 Ab…\n“x”")) == '^~a 00 ^ab~ "x"'


def test_words_depend_on_nouns_and_verbs() -> None:
    heads = attached(["DET", "ADJ", "NOUN", "VERB", "ADP", "NOUN", "ADV"])
    assert heads == [2, 2, 3, -1, 5, 3, 3]
    assert path_to_root(heads, 0) == [0, 2, 3]
    assert attached(["X"]) == [-1]


def test_syntactic_grams_follow_heads_not_neighbours() -> None:
    counts = SyntacticGrams().count(Writing("The old dog slept."))
    assert counts["w the dog"] == 1
    assert counts["w the old"] == 0


def test_answers_of_two_systems_are_binary_as_the_originals(batch: Batch) -> None:
    assert set(verifiers["markov15"]().score(batch)) <= {0.0, 1.0}
    assert set(verifiers["posadasduran15"]().score(batch)) <= {0.2, 0.8}


def test_a_network_is_taught_once_for_the_same_known_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = made_up_problems()[0][:6]
    verifier = Bagnall2015(hidden=8, longest=500, epochs=1)
    first = verifier.score(problems)
    taught: list[int] = []
    learn = ManyHeads.learn
    monkeypatch.setattr(ManyHeads, "learn", lambda *given: taught.append(1) or learn(*given))
    changed = [replace(one, unknown=Document("u", one.unknown.text[::-1])) for one in problems]
    verifier.score(changed)
    assert verifier.score(problems) == first
    assert not taught
    Bagnall2015(hidden=8, longest=500, epochs=2).score(problems)
    verifier.score(problems[:5])
    assert len(taught) == 3
