"""Runs of characters counted in all texts at once, as arrays rather than one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from stemmata.authorship.terms import Terms, columns_at, falling

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint32]

_ROOM = 2**62
"""Numbers that keys may take."""
_CODE = np.dtype("<u4")


class Spelling:
    """Runs of characters of one length as keys: numbers that are in the order of the runs.

    A key is the number that the ranks of its characters spell. Where it would grow too large, its rank among
    those that occur stands for what was spelled so far.

    Parameters
    ----------
    alphabet
        The codes of characters that occur, in order.
    size
        The length of runs.
    shortened
        By length, the keys of beginnings for which their ranks stand.

    Examples
    --------
    >>> spelling, keys = Spelling.read(codes_of("abab"), 2)
    >>> keys.tolist(), spelling.runs(np.array([1, 2])), spelling.find(["ba", "bc"]).tolist()
    ([1, 2, 1, 2], ['ab', 'ba'], [2, -1])
    """

    def __init__(self, alphabet: Ints, size: int, shortened: Mapping[int, Ints]) -> None:
        self._alphabet, self._size, self._shortened = alphabet, size, shortened
        self._base = max(2, len(alphabet))

    @classmethod
    def read(cls, codes: Codes, size: int) -> tuple[Spelling, Ints]:
        """Return how runs of characters are spelled, and for each place the key of the run that begins there.

        What runs over an end is not meant.
        """
        occurs = np.zeros(int(codes.max(initial=0)) + 1, np.bool_)
        occurs[codes] = True
        ranks = (np.cumsum(occurs) - 1)[codes]
        made = cls(np.flatnonzero(occurs), size, shortened := {})
        keys, bound = np.zeros(len(codes), np.int64), 1
        for step in range(size):
            if bound * made._base >= _ROOM:
                shortened[step], keys = np.unique(keys, return_inverse=True)
                bound = len(shortened[step])
            keys *= made._base
            keys[: max(0, len(codes) - step)] += ranks[step:]
            bound *= made._base
        return made, keys

    def runs(self, keys: Ints) -> list[str]:
        """Return the runs that some keys stand for."""
        codes = np.empty((len(keys), self._size), _CODE)
        for step in range(self._size - 1, -1, -1):
            keys, rank = np.divmod(keys, self._base)
            codes[:, step] = self._alphabet[rank]
            if step in self._shortened:
                keys = self._shortened[step][keys]
        made: list[str] = codes.view(np.dtype(f"<U{self._size}")).ravel().tolist()
        return made

    def find(self, runs: Sequence[str]) -> Ints:
        """Return the keys of runs, -1 for those that cannot occur."""
        fitting = [run if len(run) == self._size else "\0" * self._size for run in runs]
        codes = codes_of("".join(fitting)).reshape(len(runs), self._size)
        keys, occur = np.zeros(len(runs), np.int64), np.ones(len(runs), np.bool_)
        for step in range(self._size):
            if step in self._shortened:
                keys, found = _ranks(self._shortened[step], keys)
                occur &= found
            rank, found = _ranks(self._alphabet, codes[:, step])
            occur &= found
            keys = keys * self._base + rank
        return np.where(occur, keys, -1)


def codes_of(text: str) -> Codes:
    """Return the numbers of a text's characters."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), _CODE)


def _ranks(ordered: Ints, values: npt.NDArray[np.integer]) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return the places of values among ordered ones, and which are there at all."""
    if not len(ordered):
        return np.zeros(len(values), np.int64), np.zeros(len(values), np.bool_)
    places = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    return places, ordered[places] == values


class Runs(Terms):
    """Runs of characters as what columns count.

    Parameters
    ----------
    spelling
        How runs are keys.
    keys
        The keys that occur, in order.
    order
        For each column, the place of its key among these.
    """

    def __init__(self, spelling: Spelling, keys: Ints, order: Ints) -> None:
        self._spelling, self._keys, self._order = spelling, keys, order.astype(np.int32)

    def __len__(self) -> int:
        return len(self._order)

    def named(self, columns: npt.NDArray[np.integer]) -> list[str]:
        """Return the runs of some columns."""
        return self._spelling.runs(self._keys[self._order[columns]])

    def find(self, terms: Sequence[str]) -> npt.NDArray[np.integer]:
        """Return the columns of runs, -1 for those that have none."""
        places, found = _ranks(self._keys, self._spelling.find(terms))
        return columns_at(self._order, np.where(found, places, -1), len(self._keys))


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
    codes = [codes_of(text) for text in texts]
    spelling, whole = Spelling.read(np.concatenate([np.zeros(0, _CODE), *codes]), size)
    starts = np.concatenate([[0], np.cumsum([len(one) for one in codes])]).astype(np.int64)
    runs, counts, rows = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [0]
    for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        mine, often = _counted(whole[start : max(start, end - size + 1)])
        runs.append(mine)
        counts.append(often)
        rows.append(rows[-1] + len(mine))
    values = np.concatenate(counts).astype(np.float64)
    found = np.concatenate(runs)
    keys, _ = _counted(found)
    column, width = np.searchsorted(keys, found), len(keys)
    kept = np.arange(width)
    if least > 1:
        most = np.zeros(width)
        np.maximum.at(most, column, values)
        kept = np.flatnonzero(most >= least)
    # Keys are in the order of the names, which a stable sort leaves to equals.
    order = kept[falling(np.bincount(column, values, width)[kept])]
    matrix = placed(values, column, np.array(rows, np.int64), order, width)
    return matrix, Runs(spelling, keys, order)


def _counted(keys: Ints) -> tuple[Ints, Ints]:
    """Return different keys in order, and how often each occurs."""
    ordered = np.sort(keys)
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[starts], np.diff(starts, append=len(ordered))


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
