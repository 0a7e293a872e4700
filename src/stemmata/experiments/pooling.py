"""Texts that many batches share: each is analysed, and each family counted in it, once per process.

The variants of a corpus differ in a few texts out of many. What a batch of pooled texts counts is the same,
to the last bit, as what a batch of its own would count.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress, islice

import numpy as np
import numpy.typing as npt
from scipy import sparse

from stemmata.authorship.batch import Batch, Counts, count_as_arrays
from stemmata.authorship.families import Family
from stemmata.authorship.terms import Terms, columns_at, falling
from stemmata.authorship.writings import Writing
from stemmata.experiments.verifying import Desk
from stemmata.model import Problem

MOST_TERMS = 4_000_000
"""Features of a family that are remembered; beyond, what was counted is forgotten."""
MOST_CELLS = 16_000_000
"""Cells and columns of all batches' counts that are remembered, of some 12 bytes each."""
SPARE = 1.1
"""By so much more features may be numbered than the texts that are kept have."""

Floats = npt.NDArray[np.float64]
Row = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]


@dataclass
class Tally:
    """What was counted of one family: by text, the numbers of features and how often each occurs."""

    numbers: dict[str, int] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)
    _names: list[str] = field(default_factory=list, repr=False)
    _by_name: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32), repr=False)

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

    def keep(self, texts: Collection[str]) -> None:
        """Forget all texts but these, and in time the features that they do not have."""
        self.rows = {text: row for text, row in self.rows.items() if text in texts}
        used = np.zeros(len(self.numbers), np.bool_)
        for places, _ in self.rows.values():
            used[places] = True
        left = int(used.sum())
        if len(self.numbers) <= SPARE * left:
            return
        by_name = self.by_name()
        place = np.cumsum(used, dtype=np.int32) - np.int32(1)
        self._by_name = place[by_name[used[by_name]]]
        self._names = list(compress(self._names, used.tolist()))
        self.numbers = dict(zip(self._names, range(left), strict=True))
        self.rows = {text: (place[places], values) for text, (places, values) in self.rows.items()}

    def names(self) -> list[str]:
        """Return the features in the order of their numbers."""
        self._names.extend(islice(self.numbers, len(self._names), None))
        return self._names

    def by_name(self) -> npt.NDArray[np.int32]:
        """Return the numbers of all features in the order of their names."""
        names, sorted_before = self.names(), len(self._by_name)
        if sorted_before < len(names):
            # What was sorted before is one run to Python's sort, which only merges the rest into it.
            order = [*self._by_name.tolist(), *range(sorted_before, len(names))]
            order.sort(key=names.__getitem__)
            self._by_name = np.array(order, np.int32)
        return self._by_name


@dataclass(frozen=True, eq=False)
class Numbered(Terms):
    """Features of a tally as what columns count: by name and by number, and the numbers of columns."""

    names: Sequence[str]
    numbers: Mapping[str, int]
    order: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.order)

    def named(self, columns: npt.NDArray[np.integer]) -> list[str]:
        """Return the features of some columns."""
        return [self.names[number] for number in self.order[columns].tolist()]

    def find(self, terms: Sequence[str]) -> npt.NDArray[np.integer]:
        """Return the columns of features, -1 for those that have none."""
        numbers = [self.numbers.get(term, -1) for term in terms]
        return columns_at(self.order, np.array(numbers, np.int64), len(self.numbers))


@dataclass
class Pool:
    """Texts that were analysed, and what was counted in them."""

    writings: dict[str, Writing] = field(default_factory=dict)
    tallies: dict[Family, Tally] = field(default_factory=dict)
    _counted: OrderedDict[tuple[Batch, Family, int], Counts] = field(default_factory=OrderedDict, repr=False)
    _cells: int = 0

    def keep(self, texts: Collection[str]) -> None:
        """Forget all texts but these, and what was counted of batches."""
        self._counted.clear()
        self._cells = 0
        self.writings = {text: one for text, one in self.writings.items() if text in texts}
        for family, tally in list(self.tallies.items()):
            tally.keep(texts)
            if len(tally.numbers) > MOST_TERMS:
                del self.tallies[family]

    def counts_in(self, batch: Batch, family: Family, least: int) -> Counts:
        """Return the counts of a family in a batch; the latest are remembered."""
        key = (batch, family, least)
        made = self._counted.get(key)
        if made is None:
            made = count_as_arrays(batch.writings, family, least)
            made = made if made is not None else self.counts(batch.writings, family, least)
            self._counted[key] = made
            self._cells += _cells_of(made)
            while self._cells > MOST_CELLS and len(self._counted) > 1:
                self._cells -= _cells_of(self._counted.popitem(last=False)[1])
        self._counted.move_to_end(key)
        return made

    def counts(self, writings: Sequence[Writing], family: Family, least: int) -> Counts:
        """Return the counts of a family, as `stemmata.authorship.batch.count_writings` does."""
        tally = self.tallies.setdefault(family, Tally())
        rows = [tally.row(writing, family) for writing in writings]
        sizes = np.array([len(places) for places, _ in rows], np.int64)
        places = np.concatenate([np.zeros(0, np.int32), *(one for one, _ in rows)])
        values = np.concatenate([np.zeros(0, np.int32), *(one for _, one in rows)]).astype(np.float64)
        terms = tally.names()
        sums = np.bincount(places, values, len(terms))
        kept = sums > 0
        if least > 1:
            most = np.zeros(len(terms))
            np.maximum.at(most, places, values)
            kept &= most >= least
        # By falling sums, and equals by name: in that order first, since the sort keeps it among equals.
        by_name = tally.by_name()
        named = by_name[kept[by_name]]
        order = named[falling(sums[named])]
        column = np.full(len(terms), -1, np.int64)
        column[order] = np.arange(len(order))
        columns = column[places]
        held = columns >= 0
        text = np.repeat(np.arange(len(rows)), sizes)[held]
        starts = np.concatenate([[0], np.cumsum(np.bincount(text, minlength=len(rows)))])
        matrix = sparse.csr_array((values[held], columns[held], starts), (len(rows), len(order)))
        matrix.sort_indices()
        return Counts(matrix, Numbered(terms, tally.numbers, order))

    def counts_of(self, writings: Sequence[Writing], family: Family, columns: Mapping[str, int]) -> Floats:
        """Return the counts of some features, as `stemmata.authorship.batch.Batch.counts_of` does."""
        tally = self.tallies.setdefault(family, Tally())
        rows = [tally.row(writing, family) for writing in writings]
        column = np.full(len(tally.numbers), -1, np.int64)
        for term, place in columns.items():
            number = tally.numbers.get(term)
            if number is not None:
                column[number] = place
        made = np.zeros((len(writings), len(columns)))
        for row, (places, values) in zip(made, rows, strict=True):
            found = column[places]
            held = found >= 0
            row[found[held]] = values[held]
        return made


def _cells_of(counts: Counts) -> int:
    return int(counts.matrix.nnz) + len(counts.terms)


class PooledBatch(Batch):
    """A batch whose texts may have been analysed for another one before."""

    def __init__(self, problems: Sequence[Problem], pool: Pool) -> None:
        super().__init__(problems)
        self.writings = [pool.writings.setdefault(one.text, one) for one in self.writings]
        self._pool = pool

    def counts(self, family: Family, least: int = 1) -> Counts:
        """Return the counts of a family in all texts."""
        return self._pool.counts_in(self, family, least)

    def counts_of(self, family: Family, columns: Mapping[str, int]) -> Floats:
        """Return how often some features of a family occur in all texts, dense."""
        return self._pool.counts_of(self.writings, family, columns)

    def beside(self, problems: Sequence[Problem]) -> Batch:
        """Return other problems as a batch, of which texts that are known here are not analysed again."""
        return PooledBatch(problems, self._pool)


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
