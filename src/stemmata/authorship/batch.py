"""A run's problems with their different texts, analysed once for all verifiers."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import compress
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt
from scipy import sparse

from stemmata.authorship.character_counts import count_characters, placed
from stemmata.authorship.families import Characters, Family
from stemmata.authorship.statistics import statistics_of
from stemmata.authorship.terms import falling
from stemmata.authorship.writings import Writing
from stemmata.model import Problem

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
T = TypeVar("T")


@dataclass(frozen=True)
class Counts:
    """How often features occur: a row per text, a column per feature.

    Attributes
    ----------
    matrix
        Counts as a sparse matrix.
    terms
        What the columns count, in the order of their sums over all texts, largest first; equals by name.
    """

    matrix: sparse.csr_array
    terms: Sequence[str]

    def first(self, columns: int) -> Counts:
        """Return the most frequent features alone."""
        return Counts(self.matrix[:, :columns], self.terms[:columns])

    @cached_property
    def totals(self) -> Floats:
        """The sum of each row, at least 1."""
        return np.maximum(np.asarray(self.matrix.sum(axis=1), np.float64).ravel(), 1.0)

    @cached_property
    def frequencies(self) -> sparse.csr_array:
        """Counts divided by those of all features of the text."""
        return sparse.csr_array(self.matrix.multiply(1.0 / self.totals[:, None]))


class Batch(Sequence[Problem]):
    """Problems that are scored together.

    Verifiers may look at all of them: at other problems' texts as impostors, at means over the batch. Texts
    that are equal are one text.

    Attributes
    ----------
    writings
        The different texts, in the order in which they come.
    known, unknown
        For each problem the places of its texts among them.

    Examples
    --------
    >>> from stemmata.model import Document
    >>> one = Problem("A", (Document("k", "Mine it is."),), Document("u", "Is it mine?"))
    >>> two = Problem("B", (Document("k", "Is it mine?"),), Document("u", "No."))
    >>> batch = Batch.of([one, two])
    >>> len(batch.writings), batch.known, batch.unknown.tolist()
    (3, [array([0]), array([1])], [1, 2])
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self._problems = list(problems)
        places: dict[str, int] = {}
        self.known: list[Ints] = []
        unknown = []
        for problem in self._problems:
            texts = [places.setdefault(one.text, len(places)) for one in problem.known]
            self.known.append(np.array(texts, np.int64))
            unknown.append(places.setdefault(problem.unknown.text, len(places)))
        self.unknown: Ints = np.array(unknown, np.int64)
        self.writings = [Writing(text) for text in places]
        self._made: dict[Any, Any] = {}

    @classmethod
    def of(cls, problems: Sequence[Problem]) -> Batch:
        """Return problems as a batch, the same if they are one."""
        return problems if isinstance(problems, Batch) else cls(problems)

    @overload
    def __getitem__(self, place: int) -> Problem: ...

    @overload
    def __getitem__(self, place: slice) -> list[Problem]: ...

    def __getitem__(self, place: int | slice) -> Problem | list[Problem]:
        return self._problems[place]

    def __len__(self) -> int:
        return len(self._problems)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._problems)

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """Return what was made under a key, made when first asked for."""
        if key not in self._made:
            self._made[key] = make()
        value: T = self._made[key]
        return value

    def once_of(self, problem: int, key: Any, make: Callable[[], T]) -> T:
        """Return what was made of the texts of one problem alone, made when first asked for.

        It is kept with the unknown text, so that other batches which share it find it, too.
        """
        known = tuple(self.writings[place].text for place in self.known[problem].tolist())
        return self.writings[int(self.unknown[problem])].once((key, known), make)

    def counts(self, family: Family, least: int = 1) -> Counts:
        """Return the counts of a family in all texts.

        Parameters
        ----------
        family
            What to count.
        least
            Features that no text has so often are left out.
        """
        return self.once((family, least), lambda: self._count(family, least))

    def _count(self, family: Family, least: int) -> Counts:
        return count_writings(self.writings, family, least)

    def counts_of(self, family: Family, columns: Mapping[str, int]) -> Floats:
        """Return how often some features of a family occur in all texts, dense.

        Parameters
        ----------
        family
            What to count.
        columns
            The column of each feature; others are not counted.
        """
        made = np.zeros((len(self.writings), len(columns)))
        for row, writing in zip(made, self.writings, strict=True):
            counted = family.count(writing)
            kept = [(columns[term], count) for term, count in counted.items() if term in columns]
            if kept:
                places, values = zip(*kept, strict=True)
                row[list(places)] = values
        return made

    def beside(self, problems: Sequence[Problem]) -> Batch:
        """Return other problems as a batch, of which texts that are known here are not analysed again."""
        return Batch(problems)

    @cached_property
    def statistics(self) -> Floats:
        """The figures of all texts, a row each; see `stemmata.authorship.statistics`."""
        made = [writing.once("statistics", partial(statistics_of, writing)) for writing in self.writings]
        return np.array(made).reshape(len(self.writings), -1)

    @cached_property
    def all_known(self) -> Ints:
        """The places of all known texts."""
        return np.unique(np.concatenate([np.zeros(0, np.int64), *self.known]))

    def others(self, problem: int) -> Ints:
        """Return the texts of problems that share none with this one: its impostors."""
        return self.once(("others", problem), lambda: self._others(problem))

    def _others(self, problem: int) -> Ints:
        own = {*self.known[problem].tolist(), int(self.unknown[problem])}
        shared = [
            number
            for number in range(len(self))
            if own.isdisjoint([*self.known[number].tolist(), int(self.unknown[number])])
        ]
        found = {
            place for number in shared for place in [*self.known[number].tolist(), int(self.unknown[number])]
        }
        return np.array(sorted(found), np.int64)


def count_writings(writings: Sequence[Writing], family: Family, least: int = 1) -> Counts:
    """Count a family in texts."""
    counted = count_as_arrays(writings, family, least)
    return counted if counted is not None else _terms(writings, family, least)


def count_as_arrays(writings: Sequence[Writing], family: Family, least: int) -> Counts | None:
    """Count runs of characters of one length as arrays; None for other families."""
    if not isinstance(family, Characters) or family.most > family.size:
        return None
    texts = [family.read(writing) for writing in writings]
    if any("\0" in text for text in texts):
        return None
    return Counts(*count_characters(texts, family.size, least))


def _terms(writings: Sequence[Writing], family: Family, least: int) -> Counts:
    columns: defaultdict[str, int] = defaultdict()
    columns.default_factory = columns.__len__
    data, indices = array("q"), array("q")
    starts = [0]
    for writing in writings:
        counted = family.count(writing)
        indices.extend(map(columns.__getitem__, counted))
        data.extend(counted.values())
        starts.append(len(data))
    column, values = np.array(indices, np.int64), np.array(data, np.float64)
    del indices, data
    # By falling sums, and equals by name: sorted by name first, since the second sort keeps their order.
    terms = sorted(columns)
    named = np.fromiter(map(columns.__getitem__, terms), np.int64, len(terms))
    if least > 1:
        most = np.zeros(len(terms))
        np.maximum.at(most, column, values)
        kept = most[named] >= least
        named, terms = named[kept], list(compress(terms, kept.tolist()))
    order = falling(np.bincount(column, values, len(columns))[named])
    matrix = placed(values, column, np.array(starts, np.int64), named[order], len(columns))
    return Counts(matrix, [terms[place] for place in order.tolist()])
