"""Texts that many batches share: each is analysed, and each family counted in it, once per process.

The variants of a corpus differ in a few texts out of many. What a batch of pooled texts counts is the same,
to the last bit, as what a batch of its own would count.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from stemmata.authorship.batch import Batch, Counts
from stemmata.authorship.families import Family
from stemmata.authorship.writings import Writing
from stemmata.experiments.verifying import Desk
from stemmata.model import Problem

MOST_TERMS = 4_000_000
"""Features of a family that are remembered; beyond, what was counted is forgotten."""

Row = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]


@dataclass
class Tally:
    """What was counted of one family: by text, the numbers of features and how often each occurs."""

    numbers: dict[str, int] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)

    def row(self, writing: Writing, family: Family) -> Row:
        """Return the counts of a text, made when first asked for."""
        if writing.text not in self.rows:
            counted = family.count(writing)
            numbers = self.numbers
            places = [numbers.setdefault(term, len(numbers)) for term in counted]
            self.rows[writing.text] = (
                np.array(places, np.int32),
                np.fromiter(counted.values(), np.int32, len(counted)),
            )
        return self.rows[writing.text]


@dataclass
class Pool:
    """Texts that were analysed, and what was counted in them."""

    writings: dict[str, Writing] = field(default_factory=dict)
    tallies: dict[Family, Tally] = field(default_factory=dict)

    def keep(self, texts: Collection[str]) -> None:
        """Forget all texts but these."""
        self.writings = {text: one for text, one in self.writings.items() if text in texts}
        for family, tally in list(self.tallies.items()):
            if len(tally.numbers) > MOST_TERMS:
                del self.tallies[family]
            else:
                tally.rows = {text: row for text, row in tally.rows.items() if text in texts}

    def counts(self, writings: Sequence[Writing], family: Family, least: int) -> Counts:
        """Return the counts of a family, as `stemmata.authorship.batch.count_writings` does."""
        tally = self.tallies.setdefault(family, Tally())
        rows = [tally.row(writing, family) for writing in writings]
        sizes = np.array([len(places) for places, _ in rows], np.int64)
        places = np.concatenate([np.zeros(0, np.int32), *(one for one, _ in rows)])
        values = np.concatenate([np.zeros(0, np.int32), *(one for _, one in rows)]).astype(np.float64)
        terms = list(tally.numbers)
        sums = np.bincount(places, values, len(terms))
        kept = np.flatnonzero(sums > 0)
        if least > 1:
            most = np.zeros(len(terms))
            np.maximum.at(most, places, values)
            kept = kept[most[kept] >= least]
        # By falling sums, and equals by name: sorted by name first, since the second sort keeps their order.
        named = np.array(sorted(kept.tolist(), key=terms.__getitem__), np.int64)
        order = named[np.argsort(-sums[named], kind="stable")]
        column = np.full(len(terms), -1, np.int64)
        column[order] = np.arange(len(order))
        columns = column[places]
        held = columns >= 0
        text = np.repeat(np.arange(len(rows)), sizes)[held]
        starts = np.concatenate([[0], np.cumsum(np.bincount(text, minlength=len(rows)))])
        matrix = sparse.csr_array((values[held], columns[held], starts), (len(rows), len(order)))
        matrix.sort_indices()
        return Counts(matrix, [terms[number] for number in order.tolist()])


class PooledBatch(Batch):
    """A batch whose texts may have been analysed for another one before."""

    def __init__(self, problems: Sequence[Problem], pool: Pool) -> None:
        super().__init__(problems)
        self.writings = [pool.writings.setdefault(one.text, one) for one in self.writings]
        self._pool = pool

    def _count(self, family: Family, least: int) -> Counts:
        return self._pool.counts(self.writings, family, least)


@dataclass(frozen=True)
class SharedDesk(Desk):
    """A desk at which texts are analysed that other desks look at, too."""

    pool: Pool = field(default_factory=Pool, repr=False, compare=False)

    @cached_property
    def batch(self) -> Batch:
        """The problems, analysed once for all verifiers."""
        return PooledBatch(self.problems.problems, self.pool)

    @cached_property
    def lessons(self) -> Batch:
        """The problems to learn from, analysed once."""
        return PooledBatch(self.training.problems if self.training else (), self.pool)
