"""Fuzzy clusters of lexical features: Modaresi and Gross, 2014."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import answered, sides
from stemmata.authorship.distances import z_scores
from stemmata.authorship.statistics import NAMES
from stemmata.model import Problem
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]

FEATURES = (
    *("sentence length", "sentence length spread", "word length", "types per token", "stop word share"),
    *(f"rate of {mark}" for mark in ".,;:!?'\""),
)
"""Basic lexical features; the paper names punctuation and sentence length."""


@dataclass(frozen=True)
class ModaresiGross2014:
    """All texts of a run fall into fuzzy clusters; same author if both sides belong to them alike.

    Modaresi and Gross, "A language independent author verifier using fuzzy C-means clustering", PAN at CLEF
    2014. Lexical features of all texts are clustered by fuzzy C-means (Bezdek 1981), and the memberships of
    the unknown text are compared with those of the known ones.

    Attributes
    ----------
    clusters, fuzziness
        How many clusters there are, and the exponent m of memberships.
    threshold, width
        The overlap of memberships that is no answer, and how far from it answers reach 0 and 1, twice.
    rounds
        Steps of the clustering.
    seed
        Where chance comes from.
    """

    # Not known: the features, the number of clusters, and how memberships are compared (here Σ min(p, q)).
    # With m = 2, usual in the field, all memberships become equal on essays. Answers agree with the
    # original's on novels (rank correlation 0.46), not on essays.
    clusters: int = tunable(3, 2, 50)
    fuzziness: float = tunable(1.5, 1.1, 4.0)
    threshold: float = tunable(0.85, 0.1, 1.0)
    width: float = tunable(1.0, 0.1, 2.0)
    rounds: int = tunable(100, 5, 500)
    seed: int = 1

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the overlap of memberships around the threshold."""
        batch = Batch.of(problems)
        if not len(batch):
            return []
        rows = batch.statistics[:, [NAMES.index(name) for name in FEATURES]]
        known, unknown = sides(batch, self.memberships(z_scores(rows)))
        overlap = np.minimum(known, unknown).sum(axis=1)
        return answered(batch, 0.5 + (overlap - self.threshold) / self.width)

    def memberships(self, rows: Floats) -> Floats:
        """Return to what degree each row belongs to each cluster."""
        rng = np.random.default_rng(self.seed)
        degree = rng.dirichlet(np.ones(self.clusters), len(rows))
        for _ in range(self.rounds):
            weights = degree**self.fuzziness
            centres = weights.T @ rows / np.maximum(weights.sum(axis=0), 1e-12)[:, None]
            apart = ((rows[:, None, :] - centres[None]) ** 2).sum(axis=2)
            inverse = np.maximum(apart, 1e-12) ** (-1.0 / (self.fuzziness - 1.0))
            degree = inverse / inverse.sum(axis=1, keepdims=True)
        return np.asarray(degree)
