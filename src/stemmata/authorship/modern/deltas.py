"""The Delta family: distances of the commonest words' z-scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import logistic
from stemmata.authorship.distances import cosine, manhattan, z_scores
from stemmata.authorship.families import WordGrams
from stemmata.authorship.modern.shifting import ShiftedVerifier
from stemmata.authorship.modern.standing import standings
from stemmata.authorship.one_class import dense_rows
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class BurrowsDelta(ShiftedVerifier):
    """The mean difference of z-scores over the commonest words of the batch, compared with that of others.

    Burrows, "'Delta': a measure of stylistic difference and a guide to likely authorship", Literary and
    Linguistic Computing 17 (2002): Δ(A, B) = 1/n Σ |z_i(A) - z_i(B)|.

    Attributes
    ----------
    words
        Commonest words of the batch.
    others
        Texts of other problems that the distance is compared with.
    """

    # Delta ranks candidates and does not say when none is near enough; here a distance is standardised
    # against those to texts of other problems, and where answers turn is learned or the middle of the batch.
    words: int = tunable(200, 20, 5000)
    others: int = tunable(200, 10, 2000)

    def measure(self, batch: Batch) -> Floats:
        """Return the standing of the distance, squeezed between 0 and 1."""
        rows = z_scores(dense_rows(batch, WordGrams(1), self.words))
        return logistic(standings(batch, self.weighed(rows), self.alike, self.others))

    def weighed(self, rows: Floats) -> Floats:
        """Return z-scores, weighed by the ranks of their words."""
        return rows

    @staticmethod
    def alike(a: Floats, b: Floats) -> Floats:
        """Return the distance of rows with its sign turned."""
        return np.asarray(-manhattan(a, b) / max(1, a.shape[1]))


@dataclass(frozen=True)
class EderDelta(BurrowsDelta):
    """Burrows's Delta in which a commoner word counts more.

    Eder, as described by Eder, Rybicki and Kestemont, "Stylometry with R: a package for computational text
    analysis", The R Journal 8 (2016): 1/n Σ |z_i(A) - z_i(B)| (n - i + 1) / n, where i is a word's rank. It
    was made for highly inflected languages.
    """

    def weighed(self, rows: Floats) -> Floats:
        """Return z-scores that shrink with the ranks of their words."""
        size = rows.shape[1]
        return np.asarray(rows * (np.arange(size, 0, -1) / max(1, size)))


@dataclass(frozen=True)
class CosineDelta(BurrowsDelta):
    """The angle between z-scores of the commonest words.

    Smith and Aldridge, "Improving authorship attribution: optimizing Burrows' Delta method", Journal of
    Quantitative Linguistics 18 (2011); Evert and others, "Understanding and explaining Delta measures for
    authorship attribution", Digital Scholarship in the Humanities 32 (2017).
    """

    words: int = tunable(500, 20, 5000)

    @staticmethod
    def alike(a: Floats, b: Floats) -> Floats:
        """Return the cosine of rows."""
        return cosine(a, b)
