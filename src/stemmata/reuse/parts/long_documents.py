"""Alike sentences of long documents, found without comparing each with each.

Two sentences whose cosine exceeds a threshold share a term that is rare enough. So the commonest terms of
each suspicious sentence, as many as could not reach the threshold by themselves, need not be looked up
(Bayardo, Ma and Srikant, "Scaling Up All Pairs Similarity Search", WWW 2007; the bound by lengths is that of
Anastasiu and Karypis, "L2AP: Fast Cosine Similarity Search With Prefix L-2 Norm Bounds", ICDE 2014).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array, csr_array

from stemmata.model import ErrorCode, StemmataError
from stemmata.model.spans import Ints

Floats = npt.NDArray[np.float64]

MOST_SEEDS = 64
"""Seeds kept of each suspicious sentence: those nearest the diagonal.

Sentences of the training corpus of PAN13 have at most seven; only texts that repeat themselves have more.
"""
MOST_CANDIDATES = 256
"""Pairs looked at in full for each suspicious sentence: those whose rare terms are the most alike."""
MOST_STEPS = 600_000_000
"""Elementary steps that one pair may take, each a product of two weights looked up: some ten seconds."""
BLOCK_STEPS = 8_000_000
"""Products made at a time, which bounds the memory."""
STEPS_PER_PAIR = 16
"""What a pair of sentences that may be alike costs, in steps: it is put in order among others."""
PAIRS_AT_ONCE = 100_000
ALIKE = "finding sentences that are alike"
SKIPPED = 0.6
"""Share of the threshold that the terms which are not looked up may reach."""
_SLACK = 1e-9


class Budget:
    """The steps that a pair of documents has left; texts that are alike everywhere use them up."""

    def __init__(self, limit: int = MOST_STEPS) -> None:
        self.limit = limit
        self.spent = 0

    def spend(self, steps: int, what: str) -> None:
        """Take some steps, or refuse if they are not left."""
        self.spent += steps
        if self.spent > self.limit:
            raise StemmataError(ErrorCode.TOO_MUCH_ALIKE, what=what, steps=self.spent, limit=self.limit)


def alike_sentences(
    rows: csr_array,
    columns: csc_array,
    sizes: tuple[Ints, Ints],
    thresholds: tuple[float, float],
    budget: Budget,
) -> Ints:
    """Return the pairs of sentences whose cosine and Dice coefficient both exceed a threshold.

    Parameters
    ----------
    rows, columns
        The sentences of the two documents, in the terms that both have, each divided by its whole length.
    sizes
        Distinct terms of each sentence of the two, those that the other document lacks included.
    thresholds
        Of the cosine and of the Dice coefficient.
    """
    cosine = thresholds[0]
    index = columns.tocsr()
    frequency = np.diff(index.indptr)
    telling, skipped = _telling(rows, frequency, SKIPPED * cosine)
    steps = np.bincount(_rows_of(telling), weights=frequency[telling.indices], minlength=rows.shape[0])
    budget.spend(int(steps.sum()), ALIKE)
    found = [np.zeros((0, 2), np.int64)]
    for first, last in blocks_of(steps):
        partial = (telling[first:last] @ index).tocoo()
        likely = partial.data > cosine - skipped[first:last][partial.row] - _SLACK
        budget.spend(STEPS_PER_PAIR * int(np.count_nonzero(likely)), ALIKE)
        i, j = partial.row[likely].astype(np.int64) + first, partial.col[likely].astype(np.int64)
        apart = np.abs(j - i * (columns.shape[1] / rows.shape[0]))
        # Equal sentences are equally alike, whatever the last digits say.
        best = _first_of_each(i, (apart, -partial.data[likely].round(6)), MOST_CANDIDATES)
        i, j, apart = i[best], j[best], apart[best]
        seeds = _exceeding(i, j, rows, columns, sizes, thresholds)
        seeds = seeds[_first_of_each(i[seeds], (apart[seeds],), MOST_SEEDS)]
        found.append(np.stack([i[seeds], j[seeds]], axis=1))
    return np.concatenate(found)


def _telling(rows: csr_array, frequency: Ints, most: float) -> tuple[csr_array, Floats]:
    """Return the sentences without their commonest terms, and the length of what is left out of each.

    No sentence loses more than `most` of its length, which is 1.
    """
    row = _rows_of(rows)
    order = np.lexsort((-frequency[rows.indices], row))
    square = np.square(rows.data[order])
    before = np.concatenate([[0.0], np.cumsum(square)])
    within = before[1:] - before[rows.indptr[:-1]][row]
    kept = np.ones(len(order), dtype=bool)
    kept[order] = within > most * most
    skipped = np.sqrt(
        np.bincount(row, weights=np.where(kept, 0, np.square(rows.data)), minlength=rows.shape[0])
    )
    border = np.concatenate([[0], np.cumsum(kept)])[rows.indptr]
    return csr_array((rows.data[kept], rows.indices[kept], border), rows.shape), skipped


def _rows_of(matrix: csr_array) -> Ints:
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def blocks_of(steps: npt.NDArray[Any]) -> Iterator[tuple[int, int]]:
    """Part the rows so that each part takes about as many steps as may be taken at a time."""
    number = np.cumsum(steps) // BLOCK_STEPS
    borders = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(steps)]
    yield from pairwise(borders)


def _exceeding(
    i: Ints,
    j: Ints,
    rows: csr_array,
    columns: csc_array,
    sizes: tuple[Ints, Ints],
    thresholds: tuple[float, float],
) -> Ints:
    """Return which pairs have a cosine and a Dice that exceed the thresholds, computed in full."""
    source = csr_array((columns.data, columns.indices, columns.indptr), columns.shape[::-1])
    close = np.flatnonzero(_sums_of_products(rows, source, i, j) > thresholds[0])
    i, j = i[close], j[close]
    common = _sums_of_products(_ones(rows), _ones(source), i, j)
    alike = 2 * common > thresholds[1] * (sizes[0][i] + sizes[1][j])
    return close[alike]


def _sums_of_products(one: csr_array, other: csr_array, i: Ints, j: Ints) -> Floats:
    """Return the product of row ``i[k]`` of the one and row ``j[k]`` of the other, for each k."""
    sums = [np.zeros(0)]
    for first in range(0, len(i), PAIRS_AT_ONCE):
        chosen = slice(first, first + PAIRS_AT_ONCE)
        sums.append(one[i[chosen]].multiply(other[j[chosen]]).sum(axis=1))
    return np.concatenate(sums)


def _ones(matrix: csr_array) -> csr_array:
    return csr_array((np.ones_like(matrix.data), matrix.indices, matrix.indptr), matrix.shape)


def _first_of_each(group: Ints, keys: tuple[Floats, ...], most: int) -> Ints:
    """Return the places of the first `most` of each group, in the order of the keys, the last key first."""
    order = np.lexsort((*keys, group))
    ordered = group[order]
    return order[np.arange(len(order)) - np.searchsorted(ordered, ordered) < most]
