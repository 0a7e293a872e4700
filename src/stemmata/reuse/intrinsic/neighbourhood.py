"""How often what stands here stands elsewhere: counts and surprise that leave a neighbourhood out.

A passage by another hand is badly foretold by the rest of its document and well by itself. So each
character is foretold twice, from all that lies farther than `reach` and from what lies within it; no
borders of passages need to be known for that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.model.spans import Ints
from stemmata.text.words import character_codes

Floats = npt.NDArray[np.float64]
ORDER = 5
"""Characters of the longest n-gram."""
WEIGHT = 3.0
"""Occurrences that a shorter context is worth."""

_SPACE, _DIGIT, _QUOTE, _APOSTROPHE, _DASH = map(ord, " 0\"'-")
_FOLDED = {
    **dict.fromkeys(map(ord, '"“”„«»'), _QUOTE),
    **dict.fromkeys(map(ord, "'‘’‚`´"), _APOSTROPHE),
    **dict.fromkeys(map(ord, "-–—―_"), _DASH),
}


@dataclass(frozen=True)
class Occurrences:
    """Where each of some kinds occurs in a sequence.

    Attributes
    ----------
    kinds
        The kind of each member of the sequence, numbered from 0.
    order
        Members sorted by kind, then by place.
    first, last
        For each member in `order`, the range of its kind there.
    """

    kinds: Ints
    order: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, values: Ints) -> Occurrences:
        """Sort a sequence of numbers by value."""
        order = np.argsort(values, kind="stable")
        ranked = values[order]
        new = np.ones(len(values), np.bool_)
        new[1:] = ranked[1:] != ranked[:-1]
        starts = np.flatnonzero(new)
        group = np.cumsum(new) - 1
        kinds = np.empty(len(values), np.int64)
        kinds[order] = group
        return cls(kinds, order, starts[group], np.append(starts[1:], len(values))[group])

    def apart(self, reach: int) -> tuple[Ints, Ints]:
        """Return how often the kind of each member occurs outside its neighbourhood, and inside, without it.

        Examples
        --------
        >>> far, near = Occurrences.of(np.array([7, 5, 7, 7, 5])).apart(1)
        >>> far.tolist(), near.tolist()
        ([1, 1, 1, 1, 1], [1, 0, 1, 1, 0])
        """
        size = len(self.order)
        near = np.zeros(size, np.int64)
        several = np.flatnonzero(self.last - self.first > 1)
        at = self.order[several]
        begin, end = neighbourhoods(at, reach, size)
        base = self.kinds[at] * size
        key = base + at
        within = np.searchsorted(key, base + end, "left") - np.searchsorted(key, base + begin, "left")
        near[at] = within - 1
        far = np.empty(size, np.int64)
        far[self.order] = self.last - self.first
        far -= near + 1
        return far, near


def neighbourhoods(at: Ints, reach: int, size: int) -> tuple[Ints, Ints]:
    """Return the first member of the neighbourhood of each place, and the first behind it.

    All are of one length, or what is far would be less in the middle than at the ends of a text: where
    one side is cut short by an end of the sequence, the other is the longer.
    """
    begin = np.clip(at - reach, 0, max(0, size - 2 * reach - 1))
    return begin, np.minimum(begin + 2 * reach + 1, size)


@dataclass(frozen=True)
class Surprise:
    """The surprise of each character in nats from afar, and what a mixture with near takes off it."""

    far: Floats
    gain: Floats


def fold(text: str) -> tuple[Ints, Ints]:
    """Return the characters that style is read from, as numbers, and their offsets in the text.

    Case, digits, space, and the forms of quotation marks and dashes are a printer's, not an author's:
    they are folded, and runs of space or dashes are one.
    """
    symbols, codes = np.unique(character_codes(text), return_inverse=True)
    folded = np.array([_folded(int(symbol)) for symbol in symbols], np.int64)
    read = folded[codes]
    kept = np.ones(len(read), np.bool_)
    runs = (read[1:] == _SPACE) | (read[1:] == _DASH)
    kept[1:] = ~(runs & (read[1:] == read[:-1]))
    at = np.flatnonzero(kept)
    return np.unique(read[at], return_inverse=True)[1].astype(np.int64), at


def _folded(symbol: int) -> int:
    character = chr(symbol)
    if character.isspace():
        return _SPACE
    if character.isdigit():
        return _DIGIT
    low = character.lower()
    return _FOLDED.get(symbol, ord(low) if len(low) == 1 else symbol)


def surprises(characters: Ints, reaches: tuple[int, ...]) -> list[Surprise]:
    r"""Return the surprise of each character by character n-grams, once for each reach.

    With n(g) the count of an n-gram outside (or inside) the neighbourhood,

    .. math:: p_k(c \mid h) = \frac{n(hc) + w p_{k-1}(c \mid h')}{n(h) + w}

    for contexts h of k - 1 characters, down to a uniform distribution.
    """
    size = len(characters)
    symbols = int(characters.max()) + 1 if size else 1
    models = []
    for reach in reaches:
        around = np.full(size, min(2 * reach, size - 1))
        models.append([_Model(size, symbols, size - 1 - around), _Model(size, symbols, around)])
    found = Occurrences.of(characters)
    for length in range(1, ORDER + 1):
        if length > 1:
            grams = np.full(size, -1, np.int64)
            grams[1:] = found.kinds[:-1] * symbols + characters[1:]
            found = Occurrences.of(grams)
        for reach, sides in zip(reaches, models, strict=True):
            for model, counts in zip(sides, found.apart(reach), strict=True):
                model.lengthen(counts)
    return [
        Surprise(-np.log(far.chance), np.log((near.chance + far.chance) / 2) - np.log(far.chance))
        for far, near in models
    ]


class _Model:
    """Chances of characters, from ever longer contexts."""

    def __init__(self, size: int, symbols: int, contexts: Ints) -> None:
        self.chance = np.full(size, 1 / symbols)
        self.contexts = contexts

    def lengthen(self, counts: Ints) -> None:
        """Take in the counts of n-grams that are longer by one."""
        self.chance = (counts + WEIGHT * self.chance) / (np.maximum(self.contexts, counts) + WEIGHT)
        self.contexts = np.concatenate((np.zeros(1, np.int64), counts[:-1]))
