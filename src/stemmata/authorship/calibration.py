"""From what a verifier measures to an answer between 0 and 1, with 0.5 for no answer."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

UNDECIDED = 0.5


def around(values: Floats, threshold: float | Floats, width: float) -> Floats:
    """Map values to answers: the threshold to 0.5, half a width above it to 1, below it to 0."""
    return np.clip(UNDECIDED + (values - threshold) / width, 0.0, 1.0)


def logistic(values: Floats, slope: float = 1.0) -> Floats:
    """Map values to answers: 0 to 0.5, large ones towards 1."""
    return 1.0 / (1.0 + np.exp(-np.clip(slope * values, -60.0, 60.0)))


def ranks(values: Floats) -> Floats:
    """Map values to answers by their ranks: the median to 0.5, equal values to equal answers."""
    if not len(values):
        return values
    order = np.sort(values)
    low, high = np.searchsorted(order, values, "left"), np.searchsorted(order, values, "right")
    return (low + high) / (2.0 * len(values))


def abstaining(answers: Floats, zone: float) -> Floats:
    """Give no answer within so much of 0.5."""
    return np.where(np.abs(answers - UNDECIDED) <= zone, UNDECIDED, answers)


def best_threshold(values: Floats, truth: npt.NDArray[np.bool_]) -> float:
    """Return the threshold above which "same author" is right most often, between two values.

    Of equally good ones it is the lowest; it lies half-way between neighbours, or a little beyond the ends.
    """
    if not len(values):
        return 0.0
    levels = np.unique(values)
    cuts = np.concatenate(([levels[0] - 1e-9], (levels[1:] + levels[:-1]) / 2, [levels[-1] + 1e-9]))
    right = [(np.sum((values > cut) == truth)) for cut in cuts]
    return float(cuts[int(np.argmax(right))])
