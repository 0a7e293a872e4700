"""Weighted nearest neighbours: Ghaeini, 2013."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.distances import euclidean, z_scores
from stemmata.authorship.families import FunctionWords, PartsOfSpeech, Punctuation
from stemmata.authorship.one_class import answerable, dense_rows
from stemmata.model import Problem
from stemmata.model.parameters import tunable


@dataclass(frozen=True)
class Ghaeini2013:
    """The known texts' share of the weight of the unknown text's nearest neighbours.

    Ghaeini, "Intrinsic author identification using modified weighted kNN", PAN at CLEF 2013: lexical and
    syntactic features; a neighbour weighs the more the nearer it is.

    Attributes
    ----------
    neighbours
        Nearest texts of other problems that are set against the known texts.
    kept
        Commonest features of each family that count.
    power
        Weights are distances to minus this power.
    """

    # Families, neighbours and weights are guesses. The mean weight of the known texts is set against that of
    # the others, so that one known text may outweigh many.
    neighbours: int = tunable(5, 1, 50)
    kept: int = tunable(100, 10, 1000)
    power: float = tunable(4.0, 0.5, 20.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the share of weights that the known texts have."""
        batch = Batch.of(problems)
        if not len(batch):
            return []
        rows = batch.once(("ghaeini", self.kept), lambda: self._rows(batch))
        told = answerable(batch)
        return [
            self._share(batch, rows, number) if told[number] else UNDECIDED for number in range(len(batch))
        ]

    def _rows(self, batch: Batch) -> Floats:
        families = (FunctionWords(), PartsOfSpeech(), PartsOfSpeech(2), Punctuation())
        return np.hstack([z_scores(dense_rows(batch, family, self.kept)) for family in families])

    def _share(self, batch: Batch, rows: Floats, number: int) -> float:
        others = batch.others(number)
        if not len(others):
            return UNDECIDED
        unknown = rows[batch.unknown[[number]]]
        own = euclidean(unknown, rows[batch.known[number]])[0]
        foreign = np.sort(euclidean(unknown, rows[others])[0])[: self.neighbours]
        nearest = max(1e-9, float(min(own.min(), foreign.min())))
        mine = np.mean((np.maximum(own, 1e-9) / nearest) ** -self.power)
        theirs = np.mean((np.maximum(foreign, 1e-9) / nearest) ** -self.power)
        return float(mine / (mine + theirs))
