"""Latent semantic analysis of character n-grams: Satyam, Anand, Dawn and Saha, 2014."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import answered
from stemmata.authorship.distances import cosine
from stemmata.authorship.families import Characters
from stemmata.model import Problem
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Satyam2014:
    """Texts in a latent space of character n-grams; same author if nearer than pairs of texts usually are.

    Satyam, Anand, Dawn and Saha, "Statistical analysis approach to author identification using latent
    semantic analysis", PAN at CLEF 2014. Counts are weighted by their logarithm, the matrix of n-grams and
    texts is cut to its largest singular values, and the unknown text's cosines to the known ones are set
    against the mean and spread of those of all problems.

    Attributes
    ----------
    size
        Length of n-grams.
    kept
        Commonest n-grams that are looked at.
    dimensions
        Singular values kept.
    spread
        How many standard deviations from the mean answers reach 0 and 1.
    """

    # What the abstract leaves open agrees best so with the original's answers on the training sets: six
    # characters, all dimensions, and no weight of a term over all texts. Where several texts are known, the
    # least cosine to them is divided by the least among them, and such problems have a mean of their own.
    size: int = tunable(6, 1, 8)
    kept: int = tunable(30_000, 500, 200_000)
    dimensions: int = tunable(1000, 2, 5000)
    spread: float = tunable(3.0, 1.0, 6.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return similarities against their mean over the batch."""
        batch = Batch.of(problems)
        alike = self.similarities(batch)
        several = np.array([len(places) > 1 for places in batch.known], bool)
        answers = np.full(len(batch), 0.5)
        for group in (several, ~several):
            if group.any():
                deviation = alike[group].std() or 1.0
                apart = (alike[group] - alike[group].mean()) / deviation
                answers[group] = 0.5 + apart / (2 * self.spread)
        return answered(batch, answers)

    def similarities(self, batch: Batch) -> Floats:
        """Return the cosine of each problem, relative to the known texts' own if there are several."""
        latent = self.latent(self.rows(batch))
        alike = np.zeros(len(batch))
        for number, places in enumerate(batch.known):
            if len(places):
                alike[number] = cosine(latent[batch.unknown[[number]]], latent[places]).min()
            if len(places) > 1:
                least = float(cosine(latent[places], latent[places]).min())
                alike[number] /= max(least, 1e-3)
        return alike

    def rows(self, batch: Batch) -> Floats:
        """Return the weighted counts of all texts."""
        return np.asarray(batch.counts(Characters(self.size)).first(self.kept).matrix.log1p().toarray())

    def latent(self, rows: Floats) -> Floats:
        """Return the texts in the latent space."""
        if len(rows) <= self.dimensions:
            return rows  # nothing is cut, and a turned space has the same angles
        left, values, _ = np.linalg.svd(rows @ rows.T, hermitian=True)
        return np.asarray(left[:, : self.dimensions] * np.sqrt(values[: self.dimensions]))
