"""Runs of characters counted in all texts at once, as arrays rather than one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt
from scipy import sparse

Ints = npt.NDArray[np.int64]

_ROOM = 2**62
"""Numbers that keys may take."""
_TOGETHER = 10_000
"""Runs that are spelled at once."""


class Runs(Sequence[str]):
    """Runs of characters, spelled when they are asked for: of millions, most never are.

    Parameters
    ----------
    codes
        The codes of all texts' characters.
    places, size
        Where each run begins, and how long all are.

    Examples
    --------
    >>> runs = Runs(np.array([97, 98, 99], np.uint32), np.array([1, 0]), 2)
    >>> list(runs), runs[0], runs[:1]
    (['bc', 'ab'], 'bc', ['bc'])
    """

    def __init__(self, codes: npt.NDArray[np.uint32], places: Ints, size: int) -> None:
        self._codes, self._places, self._size = codes, places, size

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return self._spelled(self._places[place])
        return self._spelled(self._places[[place]])[0]

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _TOGETHER):
            yield from self[first : first + _TOGETHER]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def _spelled(self, places: Ints) -> list[str]:
        spelled = np.ascontiguousarray(self._codes[places[:, None] + np.arange(self._size)], np.dtype("<u4"))
        made: list[str] = spelled.view(np.dtype(f"<U{self._size}")).ravel().tolist()
        return made


def count_characters(texts: Sequence[str], size: int, least: int = 1) -> tuple[sparse.csr_array, Runs]:
    """Return how often runs of so many characters occur: a row per text, a column per run, and the runs.

    Columns are in the order of their sums, largest first; equals by name. Texts must not hold the character
    with the code 0.

    Parameters
    ----------
    texts, size
        What is counted.
    least
        Runs that no text has so often are left out.

    Examples
    --------
    >>> matrix, terms = count_characters(["abab", "ab", ""], 2)
    >>> list(terms), matrix.toarray().tolist()
    (['ab', 'ba'], [[2.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    """
    codes = [np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4")) for text in texts]
    whole = np.concatenate([np.zeros(0, np.dtype("<u4")), *codes])
    keys = _keys(whole, size)
    starts = np.concatenate([[0], np.cumsum([len(one) for one in codes])]).astype(np.int64)
    runs, places, counts, rows = (
        [np.zeros(0, np.int64)],
        [np.zeros(0, np.int64)],
        [np.zeros(0, np.int64)],
        [0],
    )
    for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        mine, first, often = np.unique(
            keys[start : max(start, end - size + 1)], return_index=True, return_counts=True
        )
        runs.append(mine)
        places.append(start + first)
        counts.append(often)
        rows.append(rows[-1] + len(mine))
    values = np.concatenate(counts).astype(np.float64)
    _, first, column = np.unique(np.concatenate(runs), return_index=True, return_inverse=True)
    width = len(first)
    kept = np.arange(width)
    if least > 1:
        most = np.zeros(width)
        np.maximum.at(most, column, values)
        kept = np.flatnonzero(most >= least)
    # Keys are in the order of the names, which a stable sort leaves to equals.
    order = kept[np.argsort(-np.bincount(column, values, width)[kept], kind="stable")]
    matrix = placed(values, column, np.array(rows, np.int64), order, width)
    return matrix, Runs(whole, np.concatenate(places)[first[order]], size)


def placed(
    values: npt.NDArray[np.float64], column: Ints, starts: Ints, order: Ints, width: int
) -> sparse.csr_array:
    """Return values as a sparse matrix whose columns are those named, in that order; others are dropped."""
    place = np.full(width, -1, np.int64)
    place[order] = np.arange(len(order))
    columns = place[column]
    held = columns >= 0
    if not held.all():
        starts = np.concatenate([[0], np.cumsum(held)])[starts]
        values, columns = values[held], columns[held]
    small = np.int32 if max(len(columns), len(order)) < 2**31 else np.int64
    parts = (values, columns.astype(small), starts.astype(small))
    matrix = sparse.csr_array(parts, (len(starts) - 1, len(order)))
    matrix.sort_indices()
    return matrix


def _keys(codes: npt.NDArray[np.uint32], size: int) -> Ints:
    """Return for each place the key of the run that begins there; keys are in the order of the runs.

    A key is the number that the ranks of its characters spell, and where it would grow too large, its rank
    among those that occur. What runs over an end is not meant.
    """
    alphabet, ranks = np.unique(codes, return_inverse=True)
    base = max(2, len(alphabet))
    keys, bound = np.zeros(len(codes), np.int64), 1
    for step in range(size):
        if bound * base >= _ROOM:
            distinct, keys = np.unique(keys, return_inverse=True)
            bound = len(distinct)
        later = np.zeros(len(codes), np.int64)
        later[: max(0, len(codes) - step)] = ranks[step:]
        keys = keys * base + later
        bound *= base
    return keys
