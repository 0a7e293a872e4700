"""Decisions: logistic regression over described findings, fitted elsewhere and read from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from stemmata.model.spans import Ints
from stemmata.reuse.statistical.evidence import Floats


@dataclass(frozen=True, repr=False)
class Decision:
    """The probability that a finding is right, and how probable it must be.

    Attributes
    ----------
    features
        Names of what is looked at, in the order of the columns.
    mean, scale
        Of each feature, to standardise it.
    weights, intercept
        Of the standardised features, and of their products of two, ``i <= j`` in order.
    threshold
        Findings of at least this probability are kept.
    """

    features: tuple[str, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float
    threshold: float

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Decision:
        """Make a decision from the form in which it is stored."""
        mean, scale, weights = (tuple(map(float, said[name])) for name in ("mean", "scale", "weights"))
        intercept, threshold = float(said["intercept"]), float(said["threshold"])
        return cls(tuple(said["features"]), mean, scale, weights, intercept, threshold)

    def fits(self, features: tuple[str, ...]) -> bool:
        """Tell whether this is a decision over these features, with all the numbers that it needs."""
        n = len(features)
        numbers = (*self.mean, *self.scale, *self.weights, self.intercept, self.threshold)
        sizes = (len(self.mean), len(self.scale), len(self.weights)) == (n, n, n + n * (n + 1) // 2)
        small = all(-MOST <= number <= MOST for number in numbers)
        return self.features == features and sizes and small and min(self.scale) >= 1 / MOST

    def as_json(self) -> dict[str, Any]:
        """Return the form in which the decision is stored."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def probability(self, described: Floats) -> Floats:
        """Return the probability of each finding, given one row of features for each."""
        if not len(described):
            return np.zeros(0)
        mean, scale, weights = self._arrays
        return _logistic(expand((described - mean) / scale) @ weights + self.intercept)

    @cached_property
    def _arrays(self) -> tuple[Floats, Floats, Floats]:
        return np.array(self.mean), np.array(self.scale), np.array(self.weights)


MOST = 1e9
"""No number of a decision is larger, and no scale smaller than its inverse: what is computed stays finite."""
FARTHEST = 4.0
"""Standard deviations from the mean at which a feature stops counting: products must not run away."""


def expand(standardised: Floats) -> Floats:
    """Return the features and all products of two of them, each feature kept within bounds."""
    kept = np.clip(standardised, -FARTHEST, FARTHEST)
    first, second = _two_of(kept.shape[1])
    return np.concatenate([kept, kept[:, first] * kept[:, second]], axis=1)


@cache
def _two_of(features: int) -> tuple[Ints, Ints]:
    return np.triu_indices(features)


def fit(
    features: tuple[str, ...], described: Floats, right: Floats, penalty: float, threshold: float = 0.5
) -> Decision:
    """Fit a decision by Newton's method to findings known to be right (1) or wrong (0).

    Parameters
    ----------
    penalty
        Of the squared weights; the intercept goes free.
    """
    if not len(described):
        # Nothing to learn from: whatever comes is as likely right as wrong.
        n = len(features)
        return Decision(features, (0.0,) * n, (1.0,) * n, (0.0,) * (n + n * (n + 1) // 2), 0.0, threshold)
    mean, scale = described.mean(axis=0), np.maximum(described.std(axis=0), 1e-9)
    terms = expand((described - mean) / scale)
    # Products of features are not standardised themselves; the penalty of each is set as if they were.
    spread = np.maximum(terms.std(axis=0), 1e-3)
    columns = np.concatenate([terms / spread, np.ones((len(terms), 1))], axis=1)
    penalties = np.append(np.full(terms.shape[1], penalty), 1e-9)
    weights = np.zeros(columns.shape[1])
    for _ in range(50):
        probability = _logistic(columns @ weights)
        gradient = columns.T @ (right - probability) - penalties * weights
        curvature = (columns * (probability * (1 - probability))[:, None]).T @ columns
        step = np.linalg.solve(curvature + np.diag(penalties + 1e-9), gradient)
        # A long step would leave the region in which the quadratic picture holds.
        weights += step / max(1.0, float(np.abs(step).max()) / 2)
        if np.abs(step).max() < 1e-6:
            break
    return Decision(
        features,
        tuple(_rounded(mean)),
        tuple(_rounded(scale)),
        tuple(_rounded(weights[:-1] / spread)),
        float(_rounded(weights[-1:])[0]),
        threshold,
    )


def _logistic(log_odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -500, 500))))


def _rounded(values: Floats) -> list[float]:
    """Return numbers short enough to store; the last digits differ between machines."""
    return [float(f"{value:.6g}") for value in values]
