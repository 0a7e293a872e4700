"""Candidates: where windows of words in the two documents resemble each other more than chance allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stemmata.model import Span
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints
from stemmata.reuse.parts.long_documents import Budget
from stemmata.reuse.statistical.evidence import Evidence, Floats, Text

Matrix = npt.NDArray[np.float32]

CELLS_AT_ONCE = 4_000_000
"""Pairs of windows compared at once; long documents are compared in strips."""
DENSE = 1_000_000
"""Pairs of windows up to which matrices are full; those of longer documents are sparse."""
MOST_SIMILAR = 500_000
"""Similar pairs of windows kept, the best of each strip; texts that only repeat themselves have more."""
MOST_PRODUCTS = 1_500_000_000
"""Products of weights taken to compare the windows of long documents: some ten seconds.

The commonest words, which take most of them and weigh least, are left out beyond that: of two novels of 10 MB
those that take nine products of ten, and have a fifth of the weight.
"""
LEAST_KEPT = 0.5
"""Share of the weight of the windows that must be left; in texts of few distinct words it is not."""
SINGLE_THREADED = 250_000
"""Multiplications up to which BLAS works on a single thread."""
PROMISING = 0.7
"""Share of the threshold at which a window's neighbours are looked at too."""
LEAST_TOTAL = 8.0
"""Weight a window is taken to have at least; windows of nothing but common words resemble nothing."""


class Block(NamedTuple):
    """A range of words in the suspicious document and one in the source."""

    suspicious: Span
    source: Span


class Candidate(NamedTuple):
    """A block that may hold a reused passage, and the greatest similarity of two windows in it."""

    block: Block
    similarity: float


@dataclass(frozen=True)
class WindowGrid:
    """How windows are laid and compared.

    Attributes
    ----------
    step, steps
        Windows are this many words apart, and this many steps long.
    commonest
        Words whose tempered share of the documents is above this say nothing.
    threshold
        Similarity above which two windows are a candidate.
    most, every
        Candidates kept for so many words of the suspicious document, the most similar first.
    """

    step: int = 8
    steps: int = 4
    commonest: float = tunable(0.004, 0.001, 0.02)
    threshold: float = tunable(0.2, 0.1, 0.4)
    most: int = 30
    every: int = 10_000

    def candidates(self, evidence: Evidence) -> list[Candidate]:
        """Return blocks of neighbouring window pairs that resemble each other, the most similar first.

        The similarity of two windows is the weight of the word types they share over the geometric mean
        of the weights of all their words.
        """
        weights = evidence.weights(self.commonest)
        telling = np.flatnonzero(weights[: evidence.shared_types] > 0)
        if not len(telling):
            return []
        full = len(evidence.suspicious) * len(evidence.source) <= DENSE * self.step**2
        make = self._windows if full else self._sparse_windows
        mine = make(evidence.suspicious, telling, weights, weights[telling])
        theirs = make(evidence.source, telling, weights, np.ones(len(telling)))
        rows, columns = self._promising(mine, theirs)
        row, column, similarity = self._similar(mine[rows], theirs[columns])
        row, column = rows[row], columns[column]
        lengths = (len(evidence.suspicious), len(evidence.source))
        most = self.most * max(1, len(evidence.suspicious) // self.every)
        return sorted(
            self._candidates(row, column, similarity, lengths), key=lambda one: (-one.similarity, one.block)
        )[:most]

    def _windows(self, text: Text, telling: Ints, weights: Floats, scale: Floats) -> Matrix:
        """Return which telling types each window holds, over the root of the weight of all its words.

        Parameters
        ----------
        scale
            Of each telling type, a factor for the windows that hold it.
        """
        steps = -(-len(text) // self.step)
        column = np.full(len(weights), -1)
        column[telling] = np.arange(len(telling))
        held = column[text.types]
        places = (held >= 0).nonzero()[0]
        presence = np.zeros((steps, len(telling)), np.float32)
        presence[places // self.step, held[places]] = 1
        length = min(self.steps, steps)
        windows = steps - length + 1
        joined = presence[:windows].copy()
        for shift in range(1, length):
            np.maximum(joined, presence[shift : shift + windows], out=joined)
        joined *= scale.astype(np.float32)
        joined /= self._roots(text, weights)[:, None]
        return joined

    def _sparse_windows(self, text: Text, telling: Ints, weights: Floats, scale: Floats) -> Any:
        """Return the same as a sparse matrix."""
        from scipy.sparse import csr_array

        column = np.full(len(weights), -1)
        column[telling] = np.arange(len(telling))
        held = column[text.types]
        places = np.flatnonzero(held >= 0)
        roots = self._roots(text, weights)
        window = (places // self.step)[:, None] - np.arange(self.steps)
        inside = (window >= 0) & (window < len(roots))
        cells = np.unique((window * len(telling) + held[places][:, None])[inside])
        row, kind = np.divmod(cells, len(telling))
        values = scale.astype(np.float32)[kind] / roots[row]
        return csr_array((values, (row, kind)), shape=(len(roots), len(telling)))

    def _roots(self, text: Text, weights: Floats) -> Matrix:
        """Return the root of the weight of all words of each window."""
        steps = -(-len(text) // self.step)
        padded = np.zeros(steps * self.step)
        padded[: len(text)] = weights[text.types]
        total = padded.reshape(steps, self.step).sum(axis=1)
        length = min(self.steps, steps)
        windows = steps - length + 1
        joined = total[:windows].copy()
        for shift in range(1, length):
            joined += total[shift : shift + windows]
        return np.asarray(np.sqrt(np.maximum(joined, LEAST_TOTAL)), dtype=np.float32)

    def _promising(self, mine: Any, theirs: Any) -> tuple[Ints, Ints]:
        """Return the windows that may have a similar one, judged by every second window alone.

        Neighbouring windows have most words in common, so their similarities cannot be far apart.
        """
        near = []
        hits = self._similar(mine[::2], theirs[::2], PROMISING * self.threshold)
        for hit, windows in ((hits[0], mine.shape[0]), (hits[1], theirs.shape[0])):
            promising = np.zeros(windows + 3, dtype=bool)
            for shift in range(3):
                promising[2 * hit + shift] = True
            near.append(promising[1 : windows + 1].nonzero()[0])
        return near[0], near[1]

    def _similar(self, mine: Any, theirs: Any, threshold: float | None = None) -> tuple[Ints, Ints, Floats]:
        """Return rows, columns and values of similarities above the threshold, in row-major order."""
        least = self.threshold if threshold is None else threshold
        strip = max(1, CELLS_AT_ONCE // max(1, theirs.shape[0]))
        if not isinstance(mine, np.ndarray):
            # Turned once, and not for each of many strips.
            mine, theirs = _without_commonest(mine, theirs), theirs.T.tocsr()
        most = max(1, MOST_SIMILAR * strip // max(strip, mine.shape[0]))
        found = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
        for first in range(0, mine.shape[0], strip):
            row, column, value = _products_above(mine[first : first + strip], theirs, least)
            if len(value) > most:
                best = np.sort(np.argpartition(-value, most)[:most])
                row, column, value = row[best], column[best], value[best]
            found.append((row + first, column, value.astype(np.float64)))
        rows, columns, values = zip(*found, strict=True)
        return np.concatenate(rows), np.concatenate(columns), np.concatenate(values)

    def _candidates(
        self, row: Ints, column: Ints, similarity: Floats, lengths: tuple[int, int]
    ) -> Iterator[Candidate]:
        """Yield the block of each group: all of its best window pair, and the middles of the others."""
        order, first = connected_groups(row, column)
        if not len(first):
            return
        similarity = similarity[order]
        greatest = np.maximum.reduceat(similarity, first)
        is_best = (similarity == np.repeat(greatest, np.diff(first, append=len(order)))).nonzero()[0]
        best = is_best[is_best.searchsorted(first)]
        sides = [
            self._ranges(windows[order], first, best, length)
            for windows, length in zip((row, column), lengths, strict=True)
        ]
        for mine, theirs, value in zip(*sides, greatest.tolist(), strict=True):
            yield Candidate(Block(mine, theirs), value)

    def _ranges(self, windows: Ints, first: Ints, best: Ints, words: int) -> Iterator[Span]:
        steps = min(self.steps, -(-words // self.step))
        middle = steps * self.step // 2
        best = windows[best] * self.step
        start = np.minimum(np.minimum.reduceat(windows, first) * self.step + (middle - self.step), best)
        end = np.maximum(
            np.maximum.reduceat(windows, first) * self.step + (middle + self.step), best + steps * self.step
        )
        return map(Span, np.maximum(start, 0).tolist(), np.minimum(end, words).tolist())


def _without_commonest(mine: Any, theirs: Any) -> Any:
    """Return the windows of one document with the words that can be compared with the other's in time."""
    from scipy.sparse import csr_array

    held = [np.bincount(side.indices, minlength=side.shape[1]) for side in (mine, theirs)]
    products = held[0] * held[1]
    if (total := int(products.sum())) <= MOST_PRODUCTS:
        return mine
    order = products.argsort(kind="stable")
    left = np.zeros(len(products), dtype=bool)
    left[order[products[order].cumsum() <= MOST_PRODUCTS]] = True
    kept = left[mine.indices]
    if mine.data[kept].sum(dtype=np.float64) < LEAST_KEPT * mine.data.sum(dtype=np.float64):
        Budget(MOST_PRODUCTS).spend(total, "comparing windows of words")
    border = np.concatenate([[0], kept.cumsum()])[mine.indptr]
    return csr_array((mine.data[kept], mine.indices[kept], border), mine.shape)


def _products_above(one: Any, two: Any, least: float) -> tuple[Ints, Ints, Matrix]:
    """Return rows, columns and values of ``one @ two.T`` above a threshold, in row-major order.

    Of two sparse matrices the second comes turned.
    """
    if isinstance(one, np.ndarray):
        product = _product(one, two)
        row, column = np.nonzero(product > least)
        return row, column, product[row, column]
    sparse = one @ two
    sparse.data[sparse.data <= least] = 0
    sparse.eliminate_zeros()
    sparse.sort_indices()
    cells = sparse.tocoo()
    return cells.row.astype(np.int64), cells.col.astype(np.int64), cells.data


def _product(one: Matrix, two: Matrix) -> Matrix:
    """Return ``one @ two.T``, in tiles too small for threads, which would cost more than they bring."""
    tile = max(4, int((SINGLE_THREADED / max(1, one.shape[1])) ** 0.5))
    tiled = np.matmul(_tiles(one, tile)[:, None], _tiles(two, tile)[None].swapaxes(2, 3))
    rows, columns = tiled.shape[0] * tile, tiled.shape[1] * tile
    return np.asarray(tiled.swapaxes(1, 2).reshape(rows, columns)[: len(one), : len(two)])


def _tiles(matrix: Matrix, tile: int) -> Matrix:
    count = -(-len(matrix) // tile)
    padded = np.zeros((count * tile, matrix.shape[1]), np.float32)
    padded[: len(matrix)] = matrix
    return padded.reshape(count, tile, matrix.shape[1])


def connected_groups(row: Ints, column: Ints) -> tuple[Ints, Ints]:
    """Return the indices of cells group by group, and where each group of cells that hang together starts.

    Cells hang together over corners, too. They come in row-major order.

    Examples
    --------
    >>> order, first = connected_groups(np.array([0, 0, 1, 5]), np.array([0, 7, 1, 1]))
    >>> order.tolist(), first.tolist()
    ([0, 2, 1, 3], [0, 2, 3])
    """
    if not len(row):
        return row, row
    # Cells beside each other in a row form a run; only runs need be joined.
    new_run = np.concatenate([[True], (np.diff(row) != 0) | (np.diff(column) != 1)])
    first = np.flatnonzero(new_run)
    last = np.append(first[1:], len(row)) - 1
    run_row, left, right = row[first].tolist(), column[first].tolist(), column[last].tolist()
    root = _join_runs(run_row, left, right)
    group_of_cell = np.array(root, dtype=np.int64)[np.cumsum(new_run) - 1]
    order = np.argsort(group_of_cell, kind="stable")
    return order, np.flatnonzero(np.diff(group_of_cell[order], prepend=-1))


def _join_runs(row: list[int], left: list[int], right: list[int]) -> list[int]:
    """Return for each run the number of the first run it hangs together with."""
    parent = list(range(len(row)))

    def find(run: int) -> int:
        while parent[run] != run:
            parent[run] = parent[parent[run]]
            run = parent[run]
        return run

    above = 0
    for run in range(len(row)):
        while row[above] < row[run] - 1 or (row[above] == row[run] - 1 and right[above] < left[run] - 1):
            above += 1
        other = above
        while row[other] == row[run] - 1 and left[other] <= right[run] + 1:
            one, two = find(run), find(other)
            parent[max(one, two)] = min(one, two)
            other += 1
    return [find(run) for run in range(len(row))]
