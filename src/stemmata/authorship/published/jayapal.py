"""Cosine and overlap of n-grams against fixed limits: Jayapal and Goswami, 2013."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.distances import cosine
from stemmata.authorship.families import Characters
from stemmata.authorship.one_class import answerable, author_rows, dense_rows
from stemmata.model import Problem
from stemmata.model.parameters import tunable


@dataclass(frozen=True)
class JayapalGoswami2013:
    """Same author if the n-grams of both sides have a small enough angle, or share enough.

    Jayapal and Goswami, "Vector space model and overlap metric for author identification", PAN at CLEF 2013.

    Attributes
    ----------
    size, kept
        Length of character n-grams, and the commonest of the batch that count.
    angle, overlap
        The least cosine, and the least share of the shorter side's n-grams that the other has; either will
        do.
    """

    # Only the title is known to us; n-grams and limits are guesses.
    size: int = tunable(3, 1, 8)
    kept: int = tunable(2000, 100, 20_000)
    angle: float = tunable(0.93, 0.0, 1.0)
    overlap: float = tunable(0.9, 0.0, 1.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return 1 for the same author and 0 for another."""
        batch = Batch.of(problems)
        rows = dense_rows(batch, Characters(self.size, lower=True), self.kept)
        known, unknown = author_rows(batch, rows), rows[batch.unknown]
        near = [self._near(one, other) for one, other in zip(known, unknown, strict=True)]
        return [float(one) for one in np.where(answerable(batch), near, UNDECIDED)]

    def _near(self, known: Floats, unknown: Floats) -> bool:
        both = float(np.sum((known > 0) & (unknown > 0)))
        least = max(1.0, float(min((known > 0).sum(), (unknown > 0).sum())))
        angle = float(cosine(known[None], unknown[None])[0, 0])
        return angle >= self.angle or both / least >= self.overlap
