"""Candidates: where windows of words in the two documents resemble each other more than chance allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stemmata.model import Span
from stemmata.model.spans import Ints
from stemmata.reuse.statistical.evidence import Evidence, Floats, Text

Matrix = npt.NDArray[np.float32]

CELLS_AT_ONCE = 4_000_000
"""Pairs of windows compared at once; long documents are compared in strips."""
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
    most
        Candidates kept, the most similar first.
    """

    step: int = 8
    steps: int = 4
    commonest: float = 0.004
    threshold: float = 0.2
    most: int = 30

    def candidates(self, evidence: Evidence) -> list[Candidate]:
        """Return blocks of neighbouring window pairs that resemble each other, the most similar first.

        The similarity of two windows is the weight of the word types they share over the geometric mean
        of the weights of all their words.
        """
        weights = evidence.weights(self.commonest)
        telling = np.flatnonzero(weights[: evidence.shared_types] > 0)
        if not len(telling):
            return []
        mine, mine_total = self._windows(evidence.suspicious, telling, weights)
        theirs, their_total = self._windows(evidence.source, telling, weights)
        mine *= (weights[telling]).astype(np.float32)
        mine /= np.sqrt(np.maximum(mine_total, LEAST_TOTAL)).astype(np.float32)[:, None]
        theirs /= np.sqrt(np.maximum(their_total, LEAST_TOTAL)).astype(np.float32)[:, None]
        rows, columns = self._promising(mine, theirs)
        row, column, similarity = self._similar(mine[rows], theirs[columns])
        row, column = rows[row], columns[column]
        lengths = (len(evidence.suspicious), len(evidence.source))
        found = [
            self._candidate(row[group], column[group], similarity[group], lengths)
            for group in connected_groups(row, column)
        ]
        return sorted(found, key=lambda one: (-one.similarity, one.block))[: self.most]

    def _windows(self, text: Text, telling: Ints, weights: Floats) -> tuple[Matrix, Floats]:
        """Return which telling types each window holds, and the weight of all its words."""
        steps = -(-len(text) // self.step)
        column = np.full(len(weights), -1)
        column[telling] = np.arange(len(telling))
        held = column[text.types]
        places = np.flatnonzero(held >= 0)
        presence = np.zeros((steps, len(telling)), np.float32)
        presence[places // self.step, held[places]] = 1
        padded = np.zeros(steps * self.step)
        padded[: len(text)] = weights[text.types]
        total = padded.reshape(steps, self.step).sum(axis=1)
        length = min(self.steps, steps)
        windows = steps - length + 1
        joined, joined_total = presence[:windows].copy(), total[:windows].copy()
        for shift in range(1, length):
            np.maximum(joined, presence[shift : shift + windows], out=joined)
            joined_total += total[shift : shift + windows]
        return joined, joined_total

    def _promising(self, mine: Matrix, theirs: Matrix) -> tuple[Ints, Ints]:
        """Return the windows that may have a similar one, judged by every second window alone.

        Neighbouring windows have most words in common, so their similarities cannot be far apart.
        """
        near = []
        hits = self._similar(mine[::2], theirs[::2], PROMISING * self.threshold)
        for hit, windows in ((hits[0], len(mine)), (hits[1], len(theirs))):
            promising = np.zeros(windows + 3, dtype=bool)
            for shift in range(3):
                promising[2 * np.unique(hit) + shift] = True
            near.append(np.flatnonzero(promising[1 : windows + 1]))
        return near[0], near[1]

    def _similar(
        self, mine: Matrix, theirs: Matrix, threshold: float | None = None
    ) -> tuple[Ints, Ints, Floats]:
        """Return rows, columns and values of similarities above the threshold, in row-major order."""
        least = self.threshold if threshold is None else threshold
        strip = max(1, CELLS_AT_ONCE // max(1, len(theirs)))
        found = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
        for first in range(0, len(mine), strip):
            similarity = _product(mine[first : first + strip], theirs)
            row, column = np.nonzero(similarity > least)
            found.append((row + first, column, similarity[row, column].astype(np.float64)))
        rows, columns, values = zip(*found, strict=True)
        return np.concatenate(rows), np.concatenate(columns), np.concatenate(values)

    def _candidate(self, row: Ints, column: Ints, similarity: Floats, lengths: tuple[int, int]) -> Candidate:
        """Return the block of a group: all of its best window pair, and the middles of the others."""
        best = int(similarity.argmax())
        spans = [
            self._range(windows, int(windows[best]), length)
            for windows, length in zip((row, column), lengths, strict=True)
        ]
        return Candidate(Block(spans[0], spans[1]), float(similarity[best]))

    def _range(self, windows: Ints, best: int, words: int) -> Span:
        steps = min(self.steps, -(-words // self.step))
        middle = steps * self.step // 2
        start = min(int(windows.min()) * self.step + middle - self.step, best * self.step)
        end = max(int(windows.max()) * self.step + middle + self.step, (best + steps) * self.step)
        return Span(max(0, start), min(words, end))


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


def connected_groups(row: Ints, column: Ints) -> Iterator[Ints]:
    """Yield the indices of cells that hang together, also over corners; cells come in row-major order.

    Examples
    --------
    >>> [group.tolist() for group in connected_groups(np.array([0, 0, 1, 5]), np.array([0, 7, 1, 1]))]
    [[0, 2], [1], [3]]
    """
    if not len(row):
        return
    # Cells beside each other in a row form a run; only runs need be joined.
    new_run = np.concatenate([[True], (np.diff(row) != 0) | (np.diff(column) != 1)])
    first = np.flatnonzero(new_run)
    last = np.append(first[1:], len(row)) - 1
    run_row, left, right = row[first].tolist(), column[first].tolist(), column[last].tolist()
    root = _join_runs(run_row, left, right)
    group_of_cell = np.array(root, dtype=np.int64)[np.cumsum(new_run) - 1]
    order = np.argsort(group_of_cell, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(group_of_cell[order])) + 1)


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
