"""Drawing with replacement, in batches of bounded size, and intervals from what was drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.model import ErrorCode, StemmataError

Floats = npt.NDArray[np.float64]
CELLS_AT_ONCE = 8_000_000
"""Bound on resamples x items held in memory."""


@dataclass(frozen=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float


def require(name: str, value: float, holds: bool, rule: str) -> None:
    """Refuse a parameter that is out of range."""
    if not holds:
        raise StemmataError(ErrorCode.BAD_PARAMETER, name=name, value=value, rule=rule)


def batches(total: int, width: int) -> Iterator[int]:
    """Cut a number of resamples of some width into pieces that fit in memory."""
    most = max(1, CELLS_AT_ONCE // max(width, 1))
    for start in range(0, total, most):
        yield min(most, total - start)


def draw_units(units: Sequence[object], rng: np.random.Generator, resamples: int) -> Iterator[Floats]:
    """Yield how often each item counts when its unit is drawn, one row per resample.

    Items of one unit stand or fall together: `units` names for each item the unit it belongs to.
    """
    require("resamples", resamples, resamples >= 1, "at least 1 is needed")
    numbers: dict[object, int] = {}
    unit = np.array([numbers.setdefault(name, len(numbers)) for name in units], dtype=np.int64)
    n = len(numbers)
    for size in batches(resamples, len(unit)):
        weights = np.stack([np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(size)])
        yield weights[:, unit].astype(np.float64)


def percentile_interval(values: Floats, level: float) -> Interval:
    """Return the middle part of the drawn values; undefined ones are left out."""
    require("level", level, 0 < level < 1, "it must lie between 0 and 1")
    tail = (1 - level) / 2
    known = values[~np.isnan(values)]
    if not len(known):
        return Interval(float("nan"), float("nan"))
    low, high = np.quantile(known, [tail, 1 - tail])
    return Interval(float(low), float(high))
