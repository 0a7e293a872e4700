"""Words that stand beside the same word in both documents: surer evidence than words alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stemmata.model import Span
from stemmata.model.annotations import Mask
from stemmata.model.spans import Ints, expand_ranges
from stemmata.reuse.statistical.evidence import Evidence

MOST_PLACES = 20
"""A pair of words that the source has more often than this is a turn of phrase, not evidence."""
MOST_PAIRS = 4_000_000
"""Pairs of equal places looked at, of the rarest words; texts that repeat themselves have more.

Those that have the most are left out then, but none that has one alone.
"""
_TABLE = 1 << 16


@dataclass(frozen=True, eq=False)
class Context:
    """Places of words with a common neighbour: word ``mine[i]`` answers to word ``theirs[i]``."""

    mine: Ints
    theirs: Ints

    def swapped(self) -> Context:
        """Return the same seen from the other document."""
        order = np.argsort(self.theirs, kind="stable")
        return Context(self.theirs[order], self.mine[order])

    def flags(self, own: Span, other: Span) -> Mask:
        """Tell which words of one's own range have a common neighbour in the other's range."""
        first, last = self.mine.searchsorted(own.start), self.mine.searchsorted(own.end)
        answer = self.theirs[first:last]
        answered = answer >= other.start
        answered &= answer < other.end
        flagged = np.zeros(own.length, dtype=bool)
        flagged[self.mine[first:last][answered] - own.start] = True
        return flagged


def find_context(evidence: Evidence, distance: int = 3, rare: float = 0.001) -> Context:
    """Find two words, in either order, that stand close together in both documents.

    Parameters
    ----------
    distance
        How far apart the two words may be.
    rare
        One of the two must have at most this tempered share of the documents.
    """
    rarity = np.append((evidence.share < rare)[: evidence.shared_types], False)
    telling = np.append(evidence.telling[: evidence.shared_types] > 0, False)
    keys, low, high = _close_words(evidence.suspicious.shared, rarity, telling, distance)
    other_keys, other_low, other_high = _close_words(evidence.source.shared, rarity, telling, distance)
    # Most have no equal, and need not be sorted.
    likely = in_table(keys, other_keys)
    keys, low, high = keys[likely], low[likely], high[likely]
    likely = in_table(other_keys, keys)
    other_keys, other_low, other_high = other_keys[likely], other_low[likely], other_high[likely]
    order = np.argsort(other_keys, kind="stable")
    other_keys, other_low, other_high = other_keys[order], other_low[order], other_high[order]
    first = other_keys.searchsorted(keys, "left")
    count = other_keys.searchsorted(keys, "right") - first
    few = rarest(count)
    here, there = expand_ranges(first[few], count[few])
    mine = np.concatenate([low[few][here], high[few][here]])
    theirs = np.concatenate([other_low[there], other_high[there]])
    order = np.argsort(mine, kind="stable")
    return Context(mine[order], theirs[order])


def in_table(keys: Ints, others: Ints) -> Ints:
    """Return which keys may be among others: all that are, and few that are not."""
    table = np.zeros(_TABLE, dtype=bool)
    table[others & (_TABLE - 1)] = True
    return np.asarray(table[keys & (_TABLE - 1)].nonzero()[0])


def rarest(count: Ints) -> Ints:
    """Return which words have equal places, but not many, neither alone nor together; given the numbers.

    Examples
    --------
    >>> rarest(np.array([1, 0, 2, MOST_PLACES + 1])).tolist()
    [0, 2]
    """
    of_each = np.bincount(count, minlength=MOST_PLACES + 1)[: MOST_PLACES + 1]
    pairs = np.cumsum(of_each * np.arange(MOST_PLACES + 1))
    most = max(1, int(pairs.searchsorted(MOST_PAIRS, "right")) - 1)
    return np.asarray(((count > 0) & (count <= most)).nonzero()[0])


def _close_words(types: Ints, rare: Mask, telling: Mask, distance: int) -> tuple[Ints, Ints, Ints]:
    """Return a key for each two close words, and where the one with the lower and the higher number is."""
    keys, low, high = [], [], []
    is_telling, is_rare = telling[types], rare[types]
    for apart in range(1, distance + 1):
        one, two = types[:-apart], types[apart:]
        good = is_telling[:-apart] & is_telling[apart:] & (is_rare[:-apart] | is_rare[apart:]) & (one != two)
        place = good.nonzero()[0]
        one, two = one[place], two[place]
        keys.append(np.minimum(one, two) * len(rare) + np.maximum(one, two))
        swapped = one > two
        low.append(np.where(swapped, place + apart, place))
        high.append(np.where(swapped, place, place + apart))
    return np.concatenate(keys), np.concatenate(low), np.concatenate(high)
