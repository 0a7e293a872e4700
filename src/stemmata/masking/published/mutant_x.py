"""Mahmood and others' Mutant-X: texts that mutate and mix, the fittest of which live on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from stemmata.masking.goals import Floats, StyleGoal
from stemmata.masking.recipe import Recipe
from stemmata.masking.search import genetic
from stemmata.model import Problem
from stemmata.rewriting import Edit, Rewriting, rewritten
from stemmata.rewriting.substitution import Substitution
from stemmata.rewriting.transformation import apart
from stemmata.text.stems import stems
from stemmata.text.words import find_words

State = frozenset[Edit]
_FAMILIES = {"characters-3", "words", "function-words", "punctuation", "word-lengths"}
"""In the manner of the static writeprints that the paper uses."""
_STEEP = 8
"""Probabilities of a classifier fall faster than a likeness does; with less, no change would pay."""


@dataclass(frozen=True)
class MutantX2019(Recipe):
    """Replaces words by neighbours in meaning, in generations of texts, and keeps the fittest.

    A. Mahmood, F. Ahmad, Z. Shafiq, P. Srinivasan and F. Zaffar. A girl has no name: automated authorship
    obfuscation using Mutant-X. In Proceedings on Privacy Enhancing Technologies 2019(4).

    Each text of a generation has several mutants, in each of which some words are replaced by neighbours; at
    times two texts exchange their halves. The fittest few live on: fitness is 1 / (α p + β (1 - m)), where p
    is how probable the author seems and m how much of the meaning is kept. It ends when the author is no
    longer the likeliest, or after so many generations.

    Attributes
    ----------
    generations, mutants, survivors
        How many generations there are at the most, mutants of each text, and texts that live on.
    changed
        Share of the words that a mutation replaces.
    alpha, beta
        What hiding and meaning are worth.
    crossing
        How likely a text is mixed with another in a generation.
    """

    generations: int = 25
    mutants: int = 5
    survivors: int = 5
    changed: float = 0.05
    alpha: float = 0.75
    beta: float = 0.25
    crossing: float = 0.1

    # Departures: the paper asks a classifier of several authors (writeprints and a random forest, or a
    # support vector machine) how probable the author is. Here one author's samples are given, so p is how
    # like them the text is in some families of features, from 1 for the original to 0 for anyone else's text.
    # Neighbours come from WordNet, inflected, in place of word vectors; meaning is the F-measure of the stems
    # that both texts share, in place of METEOR, of which it is the main part.

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the fittest text found."""
        text = problem.unknown.text
        choices = _choices(text)
        if not choices:
            return Rewriting(text)
        # Without samples, the text is to become unlike what it was.
        known = [one.text for one in problem.known] or [text]
        likeness = StyleGoal(known, cosines=dict.fromkeys(_FAMILIES, 1.0), overlaps={})
        own = _stems_of(text)
        first = float(likeness.values([text])[0])
        number = max(1, round(self.changed * len(find_words(text).forms)))

        def fitness(states: Sequence[State]) -> Floats:
            texts = [rewritten(text, state).text for state in states]
            # Values are below 0, which is as unlike as others are.
            seen = np.clip(likeness.values(texts) / min(first, -1e-9), 0.0, 1.0) ** _STEEP
            kept = np.array([_shared(own, _stems_of(one)) for one in texts])
            return np.asarray(1.0 / (self.alpha * seen + self.beta * (1.0 - kept)), np.float64)

        def mutate(state: State, rng: Generator) -> list[State]:
            return [self._mutant(state, choices, number, rng) for _ in range(self.mutants)]

        enough = 1.0 / (self.alpha * 0.5)
        fittest = genetic(
            [frozenset[Edit]()],
            mutate,
            lambda one, other, rng: _mixed(one, other, len(text), rng),
            fitness,
            rng,
            generations=self.generations,
            keep=self.survivors,
            crossing=self.crossing,
            enough=lambda state: float(fitness([state])[0]) >= enough,
        )
        return rewritten(text, fittest)

    def _mutant(self, state: State, choices: list[list[Edit]], number: int, rng: Generator) -> State:
        """Return a state with some words replaced that may have been replaced before."""
        places = rng.choice(len(choices), min(number, len(choices)), replace=False)
        new = {choices[place][int(rng.integers(len(choices[place])))] for place in places.tolist()}
        starts = {edit.start for edit in new}
        return frozenset(apart([*new, *(edit for edit in state if edit.start not in starts)]))


def _choices(text: str) -> list[list[Edit]]:
    """Return the neighbours of each word that has any, by word."""
    by_place: dict[int, list[Edit]] = {}
    for edit in Substitution(relations=("synonym", "similar", "hypernym"), most=5).proposals(text):
        by_place.setdefault(edit.start, []).append(edit)
    return list(by_place.values())


def _mixed(one: State, other: State, length: int, rng: Generator) -> list[State]:
    """Return two states that have exchanged what lies behind some place."""
    cut = int(rng.integers(length + 1))

    def part(state: State, low: int, high: int) -> list[Edit]:
        return [edit for edit in state if low <= edit.start and edit.end <= high]

    return [
        frozenset(apart([*part(left, 0, cut), *part(right, cut, length)]))
        for left, right in ((one, other), (other, one))
    ]


def _stems_of(text: str) -> Counter[str]:
    return Counter(stems(find_words(text).forms, "en"))


def _shared(one: Counter[str], other: Counter[str]) -> float:
    """Return the F-measure of the stems that two texts share."""
    return 2 * (one & other).total() / max(1, one.total() + other.total())
