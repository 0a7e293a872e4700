"""The baseline of PAN's text alignment, 2012 to 2014: verbatim runs, whatever their spacing.

The published program slides a window of 50 characters over the source and extends each hit character
by character. Here windows are compared by rolling hashes over whole documents at once; the detections
are the same.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from stemmata.model import Detection, Document, Pair, Passage
from stemmata.model.spans import Ints

Codes = npt.NDArray[np.uint32]
Hashes = npt.NDArray[np.uint64]

_DELETED = np.array(sorted(map(ord, string.punctuation + string.whitespace)), dtype=np.uint32)
_BASE = np.uint64(0x9E3779B97F4A7C15)
"""Odd, so that its powers have inverses modulo 2^64."""
_INVERSE = np.uint64(pow(int(_BASE), -1, 2**64))


MOST_OCCURRENCES = 128
"""Places of a window that are followed; the published program follows all, which texts that repeat themselves
make endless. No window of the training corpus of PAN13 has more than 51."""


@dataclass(frozen=True)
class PanBaseline:
    """Runs of at least `window` letters and digits that stand in both documents (PAN 2012 to 2014).

    Punctuation and white space do not count. A window matches whatever its case; from there a run goes
    on while characters are equal in case too. Nothing is merged and nothing is filtered.
    """

    window: int = 50

    def align(self, pair: Pair) -> list[Detection]:
        """Return the detections of the published program, in the order of the source."""
        suspicious = _prepare(pair.suspicious, self.window)
        source = _prepare(pair.source, self.window)
        first, last = suspicious.find(source.hashes)
        hits = np.flatnonzero(last > first)
        found = []
        resume = 0
        for k in hits.tolist():
            if k < resume:
                continue
            # Windows of equal hash are in the order of the text.
            candidates = suspicious.order[first[k] : min(last[k], first[k] + MOST_OCCURRENCES)].tolist()
            starts = [i for i in candidates if _same(suspicious, i, source, k, self.window)]
            if not starts:
                continue
            passages, skip_to = self._extend(suspicious, starts, source, k)
            (offset, end), (source_offset, source_end) = passages
            found.append(
                Detection(
                    Passage(pair.suspicious.name, offset, end - offset),
                    Passage(pair.source.name, source_offset, source_end - source_offset),
                )
            )
            resume = int(np.searchsorted(source.position, skip_to))
        return found

    def _extend(
        self, suspicious: _Prepared, starts: list[int], source: _Prepared, k: int
    ) -> tuple[tuple[tuple[int, int], tuple[int, int]], int]:
        """Follow every occurrence of the window and keep the one that reaches farthest in the source."""
        begin, end = source.at(k), source.at(k + self.window - 1)
        i = starts[0]
        mine = (suspicious.at(i), suspicious.at(i + self.window - 1))
        for i in starts:
            most = min(len(suspicious.exact) - i, len(source.exact) - k)
            if source.at(k + most) - 1 <= end:
                break  # this one ends too soon to reach farther, and those behind it do all the more
            run = _common_run(suspicious.exact[i:], source.exact[k:])
            reached = source.at(k + run)
            if run and reached - 1 - begin > end - begin:
                end, mine = reached, (suspicious.at(i), suspicious.at(i + run))
        return (mine, (begin, end)), end


@dataclass(frozen=True)
class _Prepared:
    """A document without punctuation and space: where its characters stand, and all its windows."""

    position: Ints
    exact: Codes
    folded: Ints
    hashes: Hashes
    order: Ints
    length: int

    def at(self, i: int) -> int:
        """Return the offset of the i-th kept character; behind the last one, the end of the text."""
        return int(self.position[i]) if i < len(self.position) else self.length

    def find(self, hashes: Hashes) -> tuple[Ints, Ints]:
        """Return for each hash the range of our windows, in hash order, that have it."""
        ours = self.hashes[self.order]
        return np.searchsorted(ours, hashes, side="left"), np.searchsorted(ours, hashes, side="right")


@lru_cache(maxsize=256)
def _prepare(document: Document, window: int) -> _Prepared:
    codes = np.frombuffer(document.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    position = np.flatnonzero(~np.isin(codes, _DELETED))
    exact = codes[position]
    distinct, inverse = np.unique(exact, return_inverse=True)
    folded = np.array([hash_of(chr(code).lower()) for code in distinct.tolist()], dtype=np.int64)[inverse]
    hashes = _window_hashes(folded, window)
    return _Prepared(position, exact, folded, hashes, np.argsort(hashes, kind="stable"), len(codes))


def hash_of(lowered: str) -> int:
    """Return a number for a lower-cased character, which may be of more than one character."""
    number = 0
    for character in lowered:
        number = number * 0x110000 + ord(character)
    return number % (2**61 - 1)


def _window_hashes(values: Ints, window: int) -> Hashes:
    """Return a polynomial hash of every window, by differences of prefix sums modulo 2^64."""
    n = len(values) - window + 1
    if n <= 0:
        return np.zeros(0, np.uint64)
    powers = np.cumprod(np.full(len(values), _BASE, dtype=np.uint64))
    prefix = np.zeros(len(values) + 1, dtype=np.uint64)
    np.cumsum((values.astype(np.uint64) + np.uint64(1)) * powers, out=prefix[1:])
    # Divide by the power a window starts with, so that equal windows have equal hashes anywhere.
    inverse = np.cumprod(np.full(n, _INVERSE, dtype=np.uint64))
    return np.multiply(np.subtract(prefix[window:], prefix[:-window]), inverse, dtype=np.uint64)


def _same(one: _Prepared, i: int, other: _Prepared, k: int, window: int) -> bool:
    """Tell whether two windows are really equal, not only their hashes."""
    return bool(np.array_equal(one.folded[i : i + window], other.folded[k : k + window]))


def _common_run(one: Codes, other: Codes) -> int:
    """Return how many characters the two have in common from their start."""
    most = min(len(one), len(other))
    start, step = 0, 64
    while start < most:
        stop = min(start + step, most)
        different = one[start:stop] != other[start:stop]
        if different.any():
            return start + int(different.argmax())
        start, step = stop, step * 4
    return most
