"""The angle between frequent character 4-grams: the baseline of PAN from 2020 to 2023."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import sides
from stemmata.authorship.families import Characters
from stemmata.authorship.modern.shifting import ShiftedVerifier
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CharacterGrams2022(ShiftedVerifier):
    """The cosine of tf-idf weighed character 4-grams, with turning points learned.

    Baseline of Stamatatos and others, "Overview of the authorship verification task at PAN 2022", CLEF 2022
    (the same as in 2020 and 2021): the commonest 3,000 n-grams, and two thresholds between which there is no
    answer.

    Attributes
    ----------
    size, kept
        Length of the n-grams, and how many.
    """

    # There, n-grams and their weights are those of the texts learned from; here, of the batch, which need not
    # have learned. There, thresholds are sought in steps of .01 for the best mean of all measures.
    size: int = tunable(4, 1, 8)
    kept: int = tunable(3000, 100, 20_000)

    @property
    def usual(self) -> float:
        """Where answers turn in texts of a few hundred words."""
        return 0.6

    def measure(self, batch: Batch) -> Floats:
        """Return the cosine between the unknown text and the mean of the known ones."""
        counts = batch.counts(Characters(self.size, lower=True)).first(self.kept).matrix
        heard = np.asarray((counts > 0).sum(axis=0)).ravel()
        weighed = counts.toarray() * (np.log((1 + counts.shape[0]) / (1 + heard)) + 1)
        known, unknown = sides(batch, _unit(weighed))
        return np.asarray((_unit(known) * unknown).sum(axis=1), np.float64)


def _unit(rows: Floats) -> Floats:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length > 0, length, 1.0))
