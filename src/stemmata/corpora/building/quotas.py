"""Quotas: proportions that are met as well as can be, by taking next what is rarest against the plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.random import Generator

from stemmata.corpora.building.plan import Band


def apportion(number: int, shares: Sequence[float]) -> list[int]:
    """Return how many of a number fall to each share, by largest remainder.

    Examples
    --------
    >>> apportion(10, [0.5, 0.35, 0.15])
    [5, 4, 1]
    """
    exact = np.array(shares) * number / sum(shares)
    whole = np.floor(exact).astype(int)
    for i in np.argsort(-(exact - whole), kind="stable")[: number - whole.sum()]:
        whole[i] += 1
    return [int(one) for one in whole]


def dealt(bands: Sequence[Band], number: int, rng: Generator) -> list[Band]:
    """Return classes for a number of things, exactly in their proportions, in random order."""
    counts = apportion(number, [band.share for band in bands])
    cards = [band for band, count in zip(bands, counts, strict=True) for _ in range(count)]
    return [cards[i] for i in rng.permutation(len(cards))]


class Quota:
    """Chooses among kinds such that their shares are met as well as can be."""

    def __init__(self, shares: Mapping[str, float]) -> None:
        self.shares = shares
        self.taken: Counter[str] = Counter()

    def next(self, possible: Iterable[str]) -> str:
        """Return the kind that lacks most, of those that are possible, and count it."""
        chosen = self.wanted(possible)[0]
        self.taken[chosen] += 1
        return chosen

    def wanted(self, possible: Iterable[str]) -> list[str]:
        """Return the possible kinds, that which lacks most first."""
        total = sum(self.taken.values()) + 1
        return sorted(possible, key=lambda kind: self.taken[kind] - self.shares[kind] * total)

    @property
    def distance(self) -> float:
        """How far the shares are off at the most."""
        total = max(1, sum(self.taken.values()))
        return max(abs(self.taken[kind] / total - share) for kind, share in self.shares.items())

    def differences(self, what: str, tolerance: float = 0.015) -> list[str]:
        """Tell which shares were missed by more than a tolerance, and by more than one thing."""
        total = sum(self.taken.values())
        if not total:
            return []
        tolerance = max(tolerance, 1.5 / total)
        return [
            f"{what} {kind}: {self.taken[kind] / total:.0%} in place of {share:.0%}"
            for kind, share in self.shares.items()
            if abs(self.taken[kind] / total - share) > tolerance
        ]
