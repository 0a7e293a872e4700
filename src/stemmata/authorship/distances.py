"""How far apart two texts are, or how alike, by their features.

Each function takes two matrices of rows, dense and of equal width, and returns a matrix: the rows of the
first by those of the second. Similarities are 1 for equal rows; distances are 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Measure = Callable[[Floats, Floats], Floats]

_BLOCK = 4_000_000
"""Numbers that are kept in memory at once."""


def _by_rows(a: Floats, b: Floats, pair: Callable[[Floats, Floats], Floats]) -> Floats:
    """Apply to each row of the first and all rows of the second, some rows at a time."""
    made = np.empty((len(a), len(b)))
    step = max(1, _BLOCK // max(1, a.shape[1] if a.ndim > 1 else 1))
    for row in range(len(a)):
        for first in range(0, len(b), step):
            made[row, first : first + step] = pair(a[row], b[first : first + step])
    return made


def _ratio(above: Floats, below: Floats, empty: float) -> Floats:
    """Divide; where the divisor is 0, give what stands for empty texts."""
    return np.where(below > 0, above / np.where(below > 0, below, 1.0), empty)


def min_max(a: Floats, b: Floats) -> Floats:
    """Ruzicka's similarity: Σ min(x, y) / Σ max(x, y)."""
    least = np.empty((len(a), len(b)))
    step = max(1, _BLOCK // max(1, b.size))
    for first in range(0, len(a), step):
        some = slice(first, first + step)
        least[some] = np.minimum(a[some, None], b).sum(axis=2)
    return _ratio(least, a.sum(axis=1)[:, None] + b.sum(axis=1) - least, 1.0)


def cosine(a: Floats, b: Floats) -> Floats:
    """Cosine of the angle; 0 if one of the rows is all 0."""
    lengths = np.linalg.norm(a, axis=1)[:, None] * np.linalg.norm(b, axis=1)[None, :]
    return _ratio(a @ b.T, lengths, 0.0)


def dice(a: Floats, b: Floats) -> Floats:
    """Dice's similarity of what occurs: 2 |X ∩ Y| / (|X| + |Y|)."""
    x, y = (a > 0).astype(np.float64), (b > 0).astype(np.float64)
    return _ratio(2 * (x @ y.T), x.sum(axis=1)[:, None] + y.sum(axis=1)[None, :], 1.0)


def jaccard(a: Floats, b: Floats) -> Floats:
    """Jaccard's similarity of what occurs: |X ∩ Y| / |X ∪ Y|."""
    x, y = (a > 0).astype(np.float64), (b > 0).astype(np.float64)
    both = x @ y.T
    return _ratio(both, x.sum(axis=1)[:, None] + y.sum(axis=1)[None, :] - both, 1.0)


def manhattan(a: Floats, b: Floats) -> Floats:
    """Σ |x - y|; on z-scores, divided by the number of features, this is Burrows's Delta."""
    return _by_rows(a, b, lambda x, y: np.abs(x - y).sum(axis=1))


def euclidean(a: Floats, b: Floats) -> Floats:
    """Euclid's distance, the root of Σ (x - y)²."""
    return _by_rows(a, b, lambda x, y: np.sqrt(((x - y) ** 2).sum(axis=1)))


def canberra(a: Floats, b: Floats) -> Floats:
    """Σ |x - y| / (|x| + |y|)."""

    def pair(x: Floats, y: Floats) -> Floats:
        return np.asarray(_ratio(np.abs(x - y), np.abs(x) + np.abs(y), 0.0).sum(axis=1))

    return _by_rows(a, b, pair)


def relative_difference(a: Floats, b: Floats) -> Floats:
    """Kešelj's common n-grams: Σ (2 (x - y) / (x + y))² over what occurs in either."""

    def pair(x: Floats, y: Floats) -> Floats:
        return np.asarray((_ratio(2 * (x - y), x + y, 0.0) ** 2).sum(axis=1))

    return _by_rows(a, b, pair)


def jensen_shannon(a: Floats, b: Floats) -> Floats:
    """Distance by Jensen and Shannon: the root of the divergence, in bits, of rows made to sum to 1."""
    x, y = (_ratio(m, m.sum(axis=1, keepdims=True), 0.0) for m in (a, b))

    def entropy(p: Floats) -> Floats:
        return -np.asarray((p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=-1))

    def pair(p: Floats, q: Floats) -> Floats:
        divergence = entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2
        return np.sqrt(np.maximum(divergence, 0.0))

    return _by_rows(x, y, pair)


def correlation(a: Floats, b: Floats) -> Floats:
    """Pearson's correlation of rows."""
    return cosine(a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True))


def z_scores(rows: Floats, of: Floats | None = None) -> Floats:
    """Return rows with the mean of each column taken off and divided by its spread, as in other rows."""
    of = rows if of is None else of
    spread = of.std(axis=0)
    return np.asarray((rows - of.mean(axis=0)) / np.where(spread > 0, spread, 1.0))
