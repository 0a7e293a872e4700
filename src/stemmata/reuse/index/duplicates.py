"""Near-duplicates: documents that share most of their runs of words, found by their sketches.

The smallest k of all runs are a random sample of them. The share of the smallest k of two documents together
that both have estimates the Jaccard coefficient of their runs (Broder, *On the resemblance and containment
of documents*, 1997). Documents are compared if any of their smallest few are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stemmata.model.spans import Ints
from stemmata.reuse.index.segments import LOCAL_BITS, MOST_DOCUMENTS, Segment
from stemmata.reuse.index.word_hashes import Hashes

LIKE = 0.8
"""Documents with this share of runs in common, or more, are near-duplicates."""
MEETING = 3
"""Of the smallest runs, so many bring documents together; of two just alike enough, one pair in a hundred is
missed."""
_NONE = np.iinfo(np.uint64).max
_SHIFT = np.uint64(LOCAL_BITS)
_LOCAL = np.uint64(MOST_DOCUMENTS - 1)
_AT_ONCE = 1 << 16


class Pairs(NamedTuple):
    """Pairs of near-duplicates: the later document, the earlier one, and how alike they are."""

    later: Ints
    earlier: Ints
    likeness: npt.NDArray[np.float64]


def meeting_keys(sketches: Hashes, first: int) -> Hashes:
    """Return the postings by which near-duplicates meet, unsorted.

    Parameters
    ----------
    sketches
        The smallest runs of documents, one row each.
    first
        The place of the first of these documents in its segment.
    """
    smallest = sketches[:, :MEETING]
    places = np.arange(first, first + len(sketches), dtype=np.uint64)
    keys: Hashes = (smallest << _SHIFT) | places[:, None]
    return np.asarray(keys[smallest != _NONE], np.uint64)


def find_duplicates(new: Segment, before: Sequence[Segment], removed: Ints) -> Pairs:
    """Return the near-duplicates among the documents of a segment, and between them and earlier ones.

    Of many that are alike, each is compared with the first and with the last before it, not with all.
    """
    keys = new.keys["likeness"]
    hashes, own = keys >> _SHIFT, (keys & _LOCAL).astype(np.int64) + new.first
    starts = np.diff(hashes, prepend=hashes[:1] + np.uint64(1)) != 0
    group = np.cumsum(starts) - 1
    rest = np.flatnonzero(~starts)
    pairs = [(own[rest], own[rest - 1]), (own[rest], own[np.flatnonzero(starts)][group[rest]])]
    for segment in before:
        bounds = segment.bounds("likeness", hashes)
        met = np.flatnonzero(bounds.high > bounds.low)
        there = segment.keys["likeness"]
        pairs += [
            (own[met], (there[rows] & _LOCAL).astype(np.int64) + segment.first)
            for rows in (bounds.low[met], bounds.high[met] - 1)
        ]
    later = np.concatenate([pair[0] for pair in pairs])
    earlier = np.concatenate([pair[1] for pair in pairs])
    if len(removed):
        live = ~np.isin(earlier, removed)
        later, earlier = later[live], earlier[live]
    later, earlier = _different(later, earlier)
    likeness = np.zeros(len(later))
    segments = [*before, new]
    for at in range(0, len(later), _AT_ONCE):
        part = slice(at, at + _AT_ONCE)
        likeness[part] = estimated_jaccard(
            _sketches(segments, later[part]), _sketches(segments, earlier[part])
        )
    alike = likeness >= LIKE
    return Pairs(later[alike], earlier[alike], likeness[alike])


def estimated_jaccard(one: Hashes, other: Hashes) -> npt.NDArray[np.float64]:
    """Estimate the Jaccard coefficients of the runs of documents from their sketches, row by row."""
    size = one.shape[1]
    both = np.sort(np.concatenate([one, other], axis=1), axis=1)
    filled = both != _NONE
    again = np.zeros(both.shape, np.bool_)
    again[:, 1:] = (both[:, 1:] == both[:, :-1]) & filled[:, 1:]
    rank = np.cumsum(~again & filled, axis=1)
    among = np.minimum(size, rank[:, -1])
    shared = (again & (rank <= among[:, None])).sum(axis=1)
    return np.asarray(shared / np.maximum(among, 1), np.float64)


def _different(later: Ints, earlier: Ints) -> tuple[Ints, Ints]:
    """Return each pair once, in rising order."""
    order = np.lexsort((earlier, later))
    later, earlier = later[order], earlier[order]
    new = np.ones(len(later), np.bool_)
    new[1:] = (np.diff(later) != 0) | (np.diff(earlier) != 0)
    return later[new], earlier[new]


def _sketches(segments: Sequence[Segment], numbers: Ints) -> Hashes:
    ends = np.array([segment.end for segment in segments])
    at = np.searchsorted(ends, numbers, side="right")
    rows = np.empty((len(numbers), segments[0].documents.sketches.shape[1]), np.uint64)
    for place in np.unique(at).tolist():
        here = at == place
        rows[here] = segments[place].documents.sketches[numbers[here] - segments[place].first]
    return rows
