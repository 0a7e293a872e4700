"""Shingles: hashed word 8-grams of many documents, few enough to be kept, to find what two of them share.

Broder, "Identifying and Filtering Near-Duplicate Documents", CPM 2000. A shingle is kept if its hash is a
multiple of a power of two, so that the same shingles are kept of every document.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from stemmata.model.spans import Ints
from stemmata.text.words import character_codes, find_words

Hashes = npt.NDArray[np.uint64]
SIZE = 8
"""Words of a shingle."""
MOST_KEPT = 1 << 21
"""Shingles that are kept of a corpus, roughly."""
COMMONEST = 8
"""Shingles of more documents are formulas, and tell nothing."""

_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_FACTORS = np.array([pow(0xC2B2AE3D27D4EB4F, k, 1 << 64) for k in range(SIZE)], dtype=np.uint64)


@dataclass(frozen=True)
class HashedWords:
    """The words of a text: where each stands, and a hash of its lower-cased form."""

    start: Ints
    end: Ints
    hashes: Hashes

    @property
    def digest(self) -> bytes:
        """A digest of all words in their order: equal for texts that differ in marks and white space."""
        return hashlib.blake2b(self.hashes.tobytes(), digest_size=16).digest()

    def between(self, start: int, end: int, least: int = 1) -> Hashes:
        """Return the distinct hashes, sorted, of words in a stretch of the text with so many letters."""
        first, last = np.searchsorted(self.start, (start, end))
        long_enough = self.end[first:last] - self.start[first:last] >= least
        return np.unique(self.hashes[first:last][long_enough])

    @property
    def shingles(self) -> Hashes:
        """The hashes of all runs of eight words."""
        number = max(0, len(self.hashes) - SIZE + 1)
        total = np.zeros(number, dtype=np.uint64)
        for k, factor in enumerate(_FACTORS):
            total += self.hashes[k : k + number] * factor
        return _mixed(total)


def hashed_words(text: str) -> HashedWords:
    """Hash the words of a text; the same word has the same hash in every text and on every machine."""
    lowered = text.lower()
    words = find_words(lowered)
    codes = character_codes(lowered).astype(np.uint64)
    # A polynomial in the codes, whose value for any stretch is the difference of two sums.
    sums = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum(codes * _powers(_BASE, len(codes)), out=sums[1:])
    values = (sums[words.end] - sums[words.start]) * _powers(_INVERSE, len(codes))[words.start]
    same = len(lowered) == len(text)
    start, end = (words.start, words.end) if same else _offsets(text, len(values))
    return HashedWords(start, end, _mixed(values))


def _offsets(text: str, number: int) -> tuple[Ints, Ints]:
    """Return offsets in the text itself, where lower case is not as long as the text."""
    words = find_words(text)
    if len(words) == number:
        return words.start, words.end
    return np.minimum(np.arange(number), len(text)), np.minimum(np.arange(number), len(text))


def _powers(base: int, number: int) -> Hashes:
    powers = np.full(number, base, dtype=np.uint64)
    if number:
        powers[0] = 1
    return np.cumprod(powers, dtype=np.uint64)


def _mixed(values: Hashes) -> Hashes:
    """Spread what differs over all bits (the finaliser of SplitMix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def sampling(size: int) -> int:
    """Return of how many shingles one is kept in a corpus of so many bytes: a power of two.

    Examples
    --------
    >>> sampling(1_000_000), sampling(100_000_000)
    (1, 8)
    """
    every = 1
    while size / 6 / every > MOST_KEPT:
        every *= 2
    return every


@dataclass(frozen=True)
class Shared:
    """Two documents by their numbers, the kept shingles they share, and how many each has."""

    first: int
    second: int
    common: int
    sizes: tuple[int, int]

    @property
    def resemblance(self) -> float:
        """The share of their shingles that they have in common (Jaccard)."""
        return self.common / max(1, sum(self.sizes) - self.common)


@dataclass
class ShingleIndex:
    """The kept shingles of documents, by number."""

    every: int = 1
    names: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    _kept: list[Hashes] = field(default_factory=list, repr=False)

    def add(self, name: str, words: HashedWords) -> None:
        """Keep some shingles of a document."""
        found = words.shingles
        if self.every > 1:
            found = found[(found & np.uint64(self.every - 1)) == 0]
        found = np.unique(found)
        self.names.append(name)
        self.sizes.append(len(found))
        self._kept.append(found)

    def shared(self, parts: int | None = None) -> list[Shared]:
        """Return the documents that share shingles, in the order of their numbers.

        Parameters
        ----------
        parts
            With a number, only what documents before that number share with those from it on.
        """
        if not self.names:
            return []
        hashes = np.concatenate(self._kept)
        owners = np.repeat(np.arange(len(self.names)), self.sizes)
        order = np.argsort(hashes, kind="stable")
        hashes, owners = hashes[order], owners[order]
        starts = np.flatnonzero(np.concatenate([[True], hashes[1:] != hashes[:-1]]))
        rare = np.repeat(
            np.diff(starts, append=len(hashes)) <= COMMONEST, np.diff(starts, append=len(hashes))
        )
        hashes, owners = hashes[rare], owners[rare]
        codes = []
        for lag in range(1, COMMONEST):
            same = np.flatnonzero(hashes[lag:] == hashes[:-lag])
            # The order is stable, so the first of two has the lower number.
            one, other = owners[same], owners[same + lag]
            if parts is not None:
                across = (one < parts) & (other >= parts)
                one, other = one[across], other[across]
            codes.append(one * len(self.names) + other)
        pairs, counts = np.unique(np.concatenate(codes), return_counts=True)
        found = []
        for code, common in zip(pairs.tolist(), counts.tolist(), strict=True):
            first, second = divmod(code, len(self.names))
            found.append(Shared(first, second, common, (self.sizes[first], self.sizes[second])))
        return found
