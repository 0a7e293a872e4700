"""The impostors method: the author's own text must be closer than those of others, again and again.

Koppel and Winter, "Determining if two documents are written by the same author", JASIST 65 (2014). In every
round a random part of the features is looked at and some random impostors are called.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from stemmata.authorship.batch import Batch
from stemmata.authorship.distances import Measure, min_max

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Impostors:
    """How rounds are played.

    Attributes
    ----------
    rounds
        How many there are for each known text.
    share
        The share of features looked at in a round.
    called
        Impostors called in a round.
    pool
        Impostors among which they are drawn: those most like the two texts; 0 takes all.
    credit
        What a round counts: 1 if it is won (``"win"``), or how clearly (``"ratio"``, as Khonji and Iraqi do).
    measure
        Similarity of rows.
    """

    rounds: int = 100
    share: float = 0.5
    called: int = 30
    pool: int = 250
    credit: Literal["win", "ratio"] = "win"
    measure: Measure = min_max

    def scores(self, batch: Batch, rows: Floats, rng: Generator) -> Floats:
        """Return for each problem the mean credit over known texts and rounds; 0.5 without impostors.

        Parameters
        ----------
        batch
            The problems; impostors are texts of other problems.
        rows
            The features of all texts of the batch, dense.
        rng
            Where chance comes from.
        """
        return np.array([self._score(batch, rows, number, rng) for number in range(len(batch))])

    def _score(self, batch: Batch, rows: Floats, number: int, rng: Generator) -> float:
        others = batch.others(number)
        known, unknown = batch.known[number], int(batch.unknown[number])
        if not len(others) or not len(known):
            return 0.5
        return float(np.mean([self._against(rows, int(one), unknown, others, rng) for one in known]))

    def _against(self, rows: Floats, known: int, unknown: int, others: Ints, rng: Generator) -> float:
        if self.pool and len(others) > self.pool:
            alike = self.measure(rows[[known, unknown]], rows[others]).sum(axis=0)
            others = others[np.argsort(-alike, kind="stable")[: self.pool]]
        earned = []
        # Words that neither of the two has cannot tell them apart from an impostor by what they share.
        columns = np.flatnonzero((rows[known] > 0) | (rows[unknown] > 0))
        size = max(1, round(self.share * len(columns)))
        for _ in range(self.rounds):
            seen = rng.choice(columns, size, replace=False) if len(columns) else columns
            called = rng.choice(others, min(self.called, len(others)), replace=False)
            shown = rows[np.concatenate([[known, unknown], called])].take(seen, axis=1)
            similar = self.measure(shown[:2], shown[1:])
            alike = float(similar[0, 0])
            best = similar[:, 1:].max(axis=1)
            rival = float(best[0] * best[1])
            earned.append(self._credit(alike * alike, rival))
        return float(np.mean(earned))

    def _credit(self, own: float, rival: float) -> float:
        if self.credit == "win":
            return float(own > rival) if own != rival else 0.5
        return own / rival if rival > 0 else 1.0
