"""Compression by prediction: the baseline of PAN since 2020."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import abstaining
from stemmata.authorship.compression import as_bytes, cross_entropy
from stemmata.authorship.contrast import TermLearner
from stemmata.authorship.learning import scikit_learn
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PPM2020(TermLearner):
    """What each of two texts costs after the other: mean and difference, and a logistic regression on them.

    Baseline of Kestemont and others, "Overview of the cross-domain authorship verification task at PAN 2020",
    CLEF 2020, after Teahan and Harper, "Using compression-based language models for text categorization",
    2003.

    Attributes
    ----------
    order
        The longest context.
    longest
        Characters of a side that are looked at.
    zone
        A probability this close to 0.5 is no answer.
    """

    # The program predicts by variant C with a model that stands still once the first text is read; here it is
    # variant H, which goes on learning. There problems are pairs; here known texts are joined.
    # Both answers weigh the same in learning, whatever their numbers.
    order: int = tunable(5, 2, 12)
    longest: int = tunable(200_000, 1000, 500_000)
    zone: float = tunable(0.0, 0.0, 0.3)

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return mean and absolute difference of both cross-entropies."""
        return np.array([self._pair(batch, number) for number in range(len(batch))]).reshape(-1, 2)

    def _pair(self, batch: Batch, number: int) -> tuple[float, float]:
        joined = "\n".join(batch.writings[place].spaced for place in batch.known[number].tolist())
        known = as_bytes(joined[: self.longest])
        unknown = as_bytes(batch.writings[int(batch.unknown[number])].spaced[: self.longest])
        there = cross_entropy(known, unknown, self.order)
        back = cross_entropy(unknown, known, self.order)
        return (there + back) / 2, abs(there - back)

    def model(self) -> Any:
        """Return a logistic regression."""
        return scikit_learn("linear_model").LogisticRegression(max_iter=1000, class_weight="balanced")

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return probabilities, none near 0.5."""
        return abstaining(super().answers(fitted, rows), self.zone)
