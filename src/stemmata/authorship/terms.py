"""What columns count, named when asked for: of millions of features, most never are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.integer]

_TOGETHER = 10_000
"""Features that are named at once."""
_LARGE = np.uint16(65_535)
"""The largest number of 16 bits."""


class Terms(Sequence[str]):
    """The features of columns, in their order."""

    @abstractmethod
    def named(self, columns: Ints) -> list[str]:
        """Return the features of some columns."""

    @abstractmethod
    def find(self, terms: Sequence[str]) -> Ints:
        """Return the columns of features, -1 for those that have none."""

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        columns = np.arange(len(self))
        return self.named(columns[place]) if isinstance(place, slice) else self.named(columns[[place]])[0]

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _TOGETHER):
            yield from self[first : first + _TOGETHER]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def columns_at(order: Ints, places: Ints, bound: int) -> Ints:
    """Return the columns that some places have, -1 for none, given the places of columns, all below a bound.

    Examples
    --------
    >>> columns_at(np.array([4, 0, 2]), np.array([2, 4, 1, -1]), 5).tolist()
    [2, 0, -1, -1]
    """
    # One more, at the end, for what has no place.
    columns = np.full(bound + 1, -1, np.int64)
    columns[order] = np.arange(len(order))
    return columns[places]


def falling(sums: npt.NDArray[np.number]) -> npt.NDArray[np.int64]:
    """Return the places of whole numbers from 0, the largest first and equals in their order.

    Most features are rare: numbers of 16 bits are sorted by their digits, and only larger ones by comparing.

    Examples
    --------
    >>> falling(np.array([2.0, 1e6, 3.0, 2.0, 1e9])).tolist()
    [4, 1, 2, 0, 3]
    """
    order = np.argsort(_LARGE - np.minimum(sums, _LARGE).astype(np.uint16), kind="stable")
    large = order[: np.count_nonzero(sums >= _LARGE)]
    large[:] = large[np.argsort(-sums[large], kind="stable")]
    return order


def named(terms: Sequence[str], columns: Ints) -> list[str]:
    """Return the features of some columns."""
    if isinstance(terms, Terms):
        return terms.named(columns)
    return [terms[column] for column in columns.tolist()]


def find(terms: Sequence[str], wanted: Sequence[str]) -> Ints:
    """Return the columns of features, -1 for those that have none.

    Examples
    --------
    >>> find(["the", "of", "and"], ["and", "or"]).tolist()
    [2, -1]
    """
    if isinstance(terms, Terms):
        return terms.find(wanted)
    left = set(wanted)
    columns: dict[str, int] = {}
    for column, term in enumerate(terms):
        if term in left:
            columns[term] = column
            # The commonest come first, so that most searches end early.
            if len(columns) == len(left):
                break
    return np.array([columns.get(term, -1) for term in wanted], np.int64)
