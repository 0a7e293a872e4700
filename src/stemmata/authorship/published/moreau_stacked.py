"""Strategies tuned by a genetic algorithm, and stacked: Moreau and colleagues, 2014 and 2015."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import logistic
from stemmata.authorship.character_counts import codes_of
from stemmata.authorship.contrast import TermLearner, commonest
from stemmata.authorship.distances import Measure, cosine, jaccard, min_max
from stemmata.authorship.evolution import Genetic, area
from stemmata.authorship.families import (
    Characters,
    Family,
    FunctionWords,
    PartsOfSpeech,
    Shapes,
    TokenGrams,
    WordGrams,
)
from stemmata.authorship.impostors import Impostors
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]

MEASURES: tuple[Measure, ...] = (cosine, min_max, jaccard)
_BLOCKS = 12
_TRIGRAMS = 400
_SIGHT = 500_000


@dataclass(frozen=True)
class Moreau2014(TermLearner):
    """Many n-gram families and measures are compared, and a genetic algorithm chooses which to trust.

    Moreau, Jayapal and Vogel, "Author verification: exploring a large set of parameters using a genetic
    algorithm", PAN at CLEF 2014. By each family and measure a problem is described by how like the unknown
    text is to the known ones (divergence), and by how like those are to one another (consistency); the
    algorithm looks for the configuration with the best AUC times c@1 in cross-validation.

    Attributes
    ----------
    kept
        Commonest features of a family.
    seed
        Where chance comes from.
    """

    # The paper's space has dozens of parameters, from thresholds to kinds of learners; here a configuration
    # is a set of columns for a ridge regression, and the six best answer together: its "robust" strategy.
    kept: int = tunable(1000, 50, 10_000)
    seed: int = 1

    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return the families."""
        found: dict[str, Family] = {
            **{f"characters {size}": Characters(size) for size in (3, 4, 5)},
            **{f"words {size}": WordGrams(size) for size in (1, 2)},
            **{f"tags {size}": PartsOfSpeech(size) for size in (2, 3)},
            **{"tokens": TokenGrams(1), "function words": FunctionWords(1), "shapes": Shapes(2)},
        }
        return {name: (family, self.kept) for name, family in found.items()}

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return divergence, and divergence less consistency, by family and measure."""
        return np.column_stack(
            [
                column
                for rows in self.profiles(batch, fixed).values()
                for measure in MEASURES
                for column in _compared(batch, measure, rows)
            ]
        )

    def model(self) -> Any:
        """Return the search."""
        return Genetic(seed=self.seed)


def _compared(batch: Batch, measure: Measure, rows: Floats) -> tuple[Floats, Floats]:
    near, less = np.zeros(len(batch)), np.zeros(len(batch))
    for number, places in enumerate(batch.known):
        if len(places):
            near[number] = measure(rows[batch.unknown[[number]]], rows[places]).mean()
        if len(places) > 1:
            among = measure(rows[places], rows[places])
            less[number] = near[number] - among[~np.eye(len(places), dtype=bool)].mean()
    return near, less


@dataclass(frozen=True)
class Moreau2015(Moreau2014):
    """Similarity, fine-grained, impostors and universum strategies, whose answers are stacked.

    Moreau, Jayapal, Lynch and Vogel, "Author verification: basic stacked generalization applied to
    predictions from a set of heterogeneous learners", PAN at CLEF 2015. Universum: a third of one side mixed
    with a third of the other should be as like the rest of both as the sides are to themselves, if one author
    wrote both.

    Attributes
    ----------
    rounds
        Rounds of impostors and of mixtures.
    """

    # Impostors are texts of other problems, not of the web. Each strategy's columns are searched as in 2014.
    # Strategies weigh by their AUC above one half on problems held back: with a hundred problems a learner on
    # top, as the paper has it, may turn a strategy's answers round.
    rounds: int = tunable(10, 1, 100)

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the columns of 2014, then those of impostors and of universum."""
        rng = np.random.default_rng(self.seed)
        found = self.profiles(batch, fixed)
        games = []
        for name in ("words 1", "characters 4"):
            for measure, credit in ((min_max, "win"), (min_max, "ratio"), (cosine, "win")):
                game = Impostors(self.rounds, 0.5, 10, 0, credit, measure)  # type: ignore[arg-type]
                games.append(game.scores(batch, found[name][:, :500], rng))
        mixed = np.array([self._universum(batch, number) for number in range(len(batch))]).reshape(
            len(batch), -1
        )
        return np.column_stack([super().describe(batch, fixed), np.array(games).T, mixed])

    def _universum(self, batch: Batch, number: int) -> Floats:
        """Return the mean similarities AA, BB, AB, AM, BM and MM."""
        places = batch.known[number]
        if not len(places):
            return np.zeros(6)
        terms = batch.once("universum", lambda: commonest(batch, Characters(3), _TRIGRAMS))
        a, b = (_blocks(batch, int(place), terms) for place in (places[0], batch.unknown[number]))
        return np.asarray(
            _mixtures(a, b, self.rounds, np.random.default_rng([self.seed, number])).mean(axis=0)
        )

    def model(self) -> Any:
        """Return a search for each strategy, and their weighted mean."""
        width = 2 * len(MEASURES) * len(self.families())
        return _Stacked([0, width, width + 6, width + 12], self.seed)


def _blocks(batch: Batch, place: int, terms: list[str]) -> Floats:
    """Return how often the blocks of a text have each of some runs of three characters."""

    def make() -> Floats:
        keys, column = batch.once("universum keys", lambda: _ordered(_trigrams("".join(terms))[::3]))
        text = batch.writings[place].spaced[:_SIGHT]
        cuts = np.linspace(0, len(text), _BLOCKS + 1).astype(int).tolist()
        made = np.zeros((_BLOCKS, len(terms)))
        if not len(keys):
            return made
        runs = _trigrams(text)
        found = np.minimum(np.searchsorted(keys, runs), len(keys) - 1)
        columns = np.where(keys[found] == runs, column[found], len(terms))
        for row, (start, end) in zip(made, pairwise(cuts), strict=True):
            inside = columns[start : max(start, end - 2)]
            row[:] = np.bincount(inside, minlength=len(terms) + 1)[: len(terms)]
        return made

    return batch.once(("universum", place, len(terms)), make)


def _trigrams(text: str) -> npt.NDArray[np.int64]:
    """Return a number for each run of three characters, which no other run has."""
    codes = codes_of(text).astype(np.int64)
    return np.asarray((codes[:-2] << 42) | (codes[1:-1] << 21) | codes[2:])


def _ordered(values: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    order = np.argsort(values)
    return values[order], order


def _mixtures(a: Floats, b: Floats, rounds: int, rng: Generator) -> Floats:
    """Return by round how like thirds of two sides, and mixtures of their thirds, are to one another."""
    drawn = np.array([[rng.permutation(_BLOCKS) for _ in range(2)] for _ in range(rounds)])
    (a1, a2, a3), (b1, b2, b3) = (
        side[drawn[:, number]].reshape(rounds, 3, _BLOCKS // 3, -1).sum(axis=2).transpose(1, 0, 2)
        for number, side in enumerate((a, b))
    )
    mixed = a3 + b3
    pairs = ((a1, a2), (b1, b2), (a1, b1), (a1 + a2, mixed), (b1 + b2, mixed), (a2 + b2, mixed))
    return np.column_stack([_cosines(one, other) for one, other in pairs])


def _cosines(a: Floats, b: Floats) -> Floats:
    """Return the cosine of each row and the other in its place; 0 if one of them is all 0."""
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return np.asarray((a * b).sum(axis=1) / np.where(lengths > 0, lengths, 1.0))


class _Stacked:
    """A search for each block of columns; each has a say as it tells unseen problems apart."""

    def __init__(self, cuts: list[int], seed: int) -> None:
        self._parts = [slice(start, end) for start, end in pairwise(cuts)]
        self._seed = seed

    def fit(self, rows: Floats, truth: npt.NDArray[np.bool_]) -> _Stacked:
        folds = np.random.default_rng(self._seed).permutation(len(rows)) % max(2, min(3, len(rows) // 4))
        told = np.zeros((len(rows), len(self._parts)))
        for fold in np.unique(folds):
            held = folds == fold
            for column, part in enumerate(self._parts):
                learner = self._search().fit(rows[~held][:, part], truth[~held])
                told[held, column] = learner.decision_function(rows[held][:, part])
        self._learners = [self._search().fit(rows[:, part], truth) for part in self._parts]
        gains = np.array([max(0.0, area(column, truth) - 0.5) for column in told.T])
        self._shares = (gains + 1e-3) / (gains + 1e-3).sum()
        return self

    def _search(self) -> Genetic:
        return Genetic(12, 6, 4, penalty=20.0, seed=self._seed)

    def predict_proba(self, rows: Floats) -> Floats:
        told = [
            learner.decision_function(rows[:, part])
            for learner, part in zip(self._learners, self._parts, strict=True)
        ]
        same = logistic(self._shares @ np.array(told), 2.0)
        return np.column_stack([1 - same, same])
