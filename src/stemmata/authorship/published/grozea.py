"""Coincidences of runs of characters, ranked among other texts: Grozea and Popescu, 2013."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.families import Characters
from stemmata.authorship.one_class import answerable
from stemmata.authorship.string_kernels import intersection_kernel, normalised
from stemmata.model import Problem
from stemmata.model.parameters import tunable


@dataclass(frozen=True)
class GrozeaPopescu2013:
    """The share of other texts that share less with the unknown text than the known ones do.

    Grozea and Popescu, PAN at CLEF 2013, no notebook that we have seen; after their string kernels of 2012
    and ENCOPLOT: runs of characters that occur in both texts, each occurrence matched once.

    Attributes
    ----------
    size
        Length of runs.
    kept
        Commonest runs of the batch that count.
    """

    # ENCOPLOT's runs of 16 bytes hardly ever coincide by chance in texts of some hundred words; runs of 5 are
    # those of the authors' kernels. That ranks decide is a guess.
    size: int = tunable(5, 2, 16)
    kept: int = tunable(2000, 100, 50_000)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the share of other texts that the known ones beat, on average."""
        batch = Batch.of(problems)
        counts = batch.counts(Characters(self.size)).first(self.kept)
        rows = counts.matrix.toarray()
        told = answerable(batch)
        return [
            self._beaten(batch, rows, number) if told[number] else UNDECIDED for number in range(len(batch))
        ]

    def _beaten(self, batch: Batch, rows: Floats, number: int) -> float:
        others = batch.others(number)
        if not len(others):
            return UNDECIDED
        unknown = rows[batch.unknown[[number]]]
        known = rows[batch.known[number]]
        rivals = rows[others]
        own = normalised(intersection_kernel(unknown, known), unknown.sum(axis=1), known.sum(axis=1))[0]
        foreign = normalised(intersection_kernel(unknown, rivals), unknown.sum(axis=1), rivals.sum(axis=1))[0]
        return float(np.mean((foreign[None, :] < own[:, None]) + 0.5 * (foreign[None, :] == own[:, None])))
