"""Probability distributions of which the two most telling are chosen: Zamani and colleagues, 2014."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import ranks
from stemmata.authorship.contrast import answered, commonest, frequencies
from stemmata.authorship.families import (
    Family,
    FunctionWords,
    PartsOfSpeech,
    Punctuation,
    SentenceLengths,
    WordLengths,
)
from stemmata.model import Problem
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

DISTRIBUTIONS: tuple[Family, ...] = (
    FunctionWords(1),
    Punctuation(1),
    WordLengths(),
    SentenceLengths(),
    PartsOfSpeech(1),
    PartsOfSpeech(2),
)


@dataclass(frozen=True)
class Zamani2014:
    """The features that best set the author apart from others decide whether the unknown text is near.

    Zamani, Esfahani, Babaie, Abnar, Dehghani and Shakery, "Authorship identification using dynamic selection
    of features from probabilistic feature set", CLEF 2014. A text is a set of probability distributions;
    their divergence is the distance. For each problem the features are chosen in which other authors' texts
    are farthest from the author's; the answer is how many of the others are farther from the unknown text
    than the author is, ranked over the batch.

    Attributes
    ----------
    chosen
        Features chosen for a problem.
    kept
        Commonest terms of a distribution.
    """

    # The originals' answers are spread evenly with their median at 0.5: hence ranks over the batch. With one
    # known text only the others' distances choose features. The divergence is Hellinger's, which is finite.
    # On PAN14 novels the AUC is above the original's by 0.12 while ranks agree (0.8); the cause is not known.
    chosen: int = tunable(2, 1, 10)
    kept: int = tunable(1000, 50, 10_000)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the ranks of the problems."""
        batch = Batch.of(problems)
        if not len(batch):
            return []
        apart = [self._distances(batch, family) for family in DISTRIBUTIONS]
        told = np.array([self._problem(batch, number, apart) for number in range(len(batch))])
        return answered(batch, ranks(told))

    def _distances(self, batch: Batch, family: Family) -> Floats:
        def make() -> Floats:
            rows = frequencies(batch, family, commonest(batch, family, self.kept))
            roots = np.sqrt(rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-12))
            return np.asarray(np.sqrt(np.maximum(1.0 - roots @ roots.T, 0.0)))

        return batch.once(("zamani", family, self.kept), make)

    def _problem(self, batch: Batch, number: int, apart: list[Floats]) -> float:
        known, unknown, others = batch.known[number], int(batch.unknown[number]), batch.others(number)
        if not len(known) or not len(others):
            return 0.5
        telling = [self._separation(matrix, known, others) for matrix in apart]
        best = np.argsort(-np.array(telling), kind="stable")[: self.chosen]
        votes = []
        for place in best:
            own, rivals = apart[place][unknown, known].mean(), apart[place][unknown, others]
            votes.append(np.mean(rivals > own) + 0.5 * np.mean(rivals == own))
        return float(np.mean(votes))

    def _separation(self, apart: Floats, known: Ints, others: Ints) -> float:
        """Return how much farther others are from the author's texts than these from one another."""
        among = apart[np.ix_(known, known)]
        within = among[~np.eye(len(known), dtype=bool)]
        between = apart[np.ix_(known, others)]
        usual = float(between.std()) or 1.0
        return float((between.mean() - (within.mean() if len(within) else 0.0)) / usual)
