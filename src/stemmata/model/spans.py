"""Spans of characters, and the one sweep that all unions of spans are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


class Span(NamedTuple):
    """The characters ``start <= i < end`` of one document."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """Number of characters."""
        return max(0, self.end - self.start)

    def overlaps(self, other: Span) -> bool:
        """Tell whether the two share more than a border; an empty span inside another overlaps it."""
        return self.end > other.start and self.start < other.end

    def clip(self, other: Span) -> Span:
        """Return the part of this span that lies inside the other."""
        start = max(self.start, other.start)
        return Span(start, max(start, min(self.end, other.end)))


def new_characters(group: Ints, start: Ints, end: Ints) -> Ints:
    """Return for each span the characters that no earlier span of its group covers.

    "Earlier" is by start. Summed over a group this is the length of the union of its spans; summed
    over a subset it says how much of the union the subset accounts for. One sort and one running
    maximum serve all groups at once.

    Parameters
    ----------
    group, start, end
        Aligned arrays; groups are numbered from 0.

    Examples
    --------
    >>> new_characters(np.array([0, 0, 1]), np.array([5, 0, 0]), np.array([9, 7, 4]))
    array([2, 7, 4])
    """
    if not len(start):
        return np.zeros(0, np.int64)
    width = int(end.max()) + 1
    base = group.astype(np.int64) * width
    key = base + start
    # Spans often come in order already; asking is far cheaper than sorting.
    order = None if bool(np.all(key[1:] >= key[:-1])) else np.argsort(key, kind="stable")
    reach = base + end
    if order is not None:
        key, reach, base = key[order], reach[order], base[order]
    np.maximum.accumulate(reach, out=reach)
    covered = np.empty_like(reach)
    covered[0] = base[0]
    # A group's first span starts anew: what earlier groups reached lies below its base.
    np.maximum(reach[:-1], base[1:], out=covered[1:])
    fresh: Ints = np.maximum(reach - np.maximum(key, covered), 0)
    if order is None:
        return fresh
    result: Ints = np.empty_like(fresh)
    result[order] = fresh
    return result


def union_lengths(group: Ints, start: Ints, end: Ints, groups: int) -> Ints:
    """Return the number of characters that the spans of each group cover together."""
    fresh = new_characters(group, start, end)
    return np.bincount(group, weights=fresh, minlength=groups).astype(np.int64)


class SpanSet:
    """A set of characters of one document, kept as sorted, disjoint, non-touching spans.

    Examples
    --------
    >>> a = SpanSet([(0, 4), (3, 8)]); a
    SpanSet([(0, 8)])
    >>> a & SpanSet([(6, 20)]), len(a | SpanSet([(10, 12)]))
    (SpanSet([(6, 8)]), 10)
    """

    __slots__ = ("ends", "starts")

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        pairs = np.array([(s, e) for s, e in spans if e > s], dtype=np.int64).reshape(-1, 2)
        self.starts, self.ends = _merged(pairs[:, 0], pairs[:, 1])

    @classmethod
    def _of(cls, starts: Ints, ends: Ints) -> SpanSet:
        made = cls.__new__(cls)
        made.starts, made.ends = starts, ends
        return made

    def __len__(self) -> int:
        """Return the number of characters in the set."""
        return int((self.ends - self.starts).sum())

    def __iter__(self) -> Iterator[Span]:
        return (Span(int(s), int(e)) for s, e in zip(self.starts, self.ends, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpanSet) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"SpanSet({[tuple(span) for span in self]})"

    def __or__(self, other: SpanSet) -> SpanSet:
        starts = np.concatenate([self.starts, other.starts])
        return SpanSet._of(*_merged(starts, np.concatenate([self.ends, other.ends])))

    def __and__(self, other: SpanSet) -> SpanSet:
        # Every span of ours meets a contiguous run of theirs, because both are sorted and disjoint.
        first = np.searchsorted(other.ends, self.starts, side="right")
        count = np.maximum(np.searchsorted(other.starts, self.ends, side="left") - first, 0)
        mine, theirs = expand_ranges(first, count)
        starts = np.maximum(self.starts[mine], other.starts[theirs])
        return SpanSet._of(starts, np.minimum(self.ends[mine], other.ends[theirs]))

    def clip(self, span: Span) -> SpanSet:
        """Return the part of the set that lies inside the span."""
        return self & SpanSet([span])


def expand_ranges(first: Ints, count: Ints) -> tuple[Ints, Ints]:
    """Return all ``(i, j)`` with ``first[i] <= j < first[i] + count[i]``, as two arrays.

    Examples
    --------
    >>> expand_ranges(np.array([7, 0]), np.array([2, 1]))
    (array([0, 0, 1]), array([7, 8, 0]))
    """
    i = np.repeat(np.arange(len(first)), count)
    run_start = np.cumsum(count) - count
    return i, np.arange(len(i)) + np.repeat(first - run_start, count)


def merge_spans(group: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Sort the spans of each group and join those that overlap or touch."""
    if not len(start):
        return group, start, end
    width = int(end.max()) + 1
    base = group.astype(np.int64) * width
    key = base + start
    order = np.argsort(key, kind="stable")
    key, group, base = key[order], group[order], base[order]
    reach = np.maximum.accumulate(base + end[order])
    opens = np.concatenate([[True], (key[1:] > reach[:-1]) | (group[1:] != group[:-1])])
    closes = np.concatenate([opens[1:], [True]])
    return group[opens], (key - base)[opens], (reach - base)[closes]


def outside(spans: tuple[Ints, Ints, Ints], merged: tuple[Ints, Ints, Ints]) -> tuple[Ints, Ints, Ints]:
    """Return what is left of spans outside others: the number of the span, and start and end in its group.

    Both are aligned arrays of group, start and end; the others come from `merge_spans`.

    Examples
    --------
    >>> zero = np.array([0])
    >>> outside((zero, np.array([2]), np.array([9])), (zero, np.array([4]), np.array([6])))
    (array([0, 0]), array([2, 6]), array([4, 9]))
    """
    group, start, end = spans
    width = max(int(end.max(initial=0)), int(merged[2].max(initial=0))) + 1
    base = group * width
    start, end = base + start, base + end
    covered, open_again = (merged[0] * width + bound for bound in merged[1:])
    # Between two of the others lies a gap; every span meets a contiguous run of gaps.
    gap_start = np.concatenate([[0], open_again])
    gap_end = np.concatenate([covered, [np.iinfo(np.int64).max]])
    first = np.searchsorted(open_again, start, side="right")
    row, gap = expand_ranges(first, np.maximum(np.searchsorted(covered, end, side="left") - first + 1, 0))
    start, end = np.maximum(start[row], gap_start[gap]), np.minimum(end[row], gap_end[gap])
    left = end > start
    row = row[left]
    return row, start[left] - base[row], end[left] - base[row]


def _merged(starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    return merge_spans(np.zeros(len(starts), np.int64), starts, ends)[1:]
