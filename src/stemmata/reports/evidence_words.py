"""The words of a passage beside those of its source: equal, changed, added, deleted, moved.

Words that occur once on both sides anchor the alignment, as in patience diff; between anchors the parts
are small enough for the exact matcher of the standard library. Work therefore grows with the length of
the passage, not with its square.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum
from itertools import pairwise

from stemmata.model import Span
from stemmata.reports.manipulation import as_seen
from stemmata.text.look_alikes import INVISIBLE

EXACT = 10_000
"""Parts of at most this many pairs of words are matched exactly."""
MONOTONOUS = 900
"""The same for parts in which every word is repeated; there exact matching is slow and says little."""
MOVED_LETTERS = 4
"""A single word counts as moved from this length on; shorter ones stand everywhere."""
PLACES = 16
"""Places of a word that are tried when looking for where it moved."""

_WORD = re.compile(rf"[\u3040-\u30ff\u3400-\u9fff]|\w(?:[\w\u0300-\u036f{INVISIBLE}]|['’](?=\w))*")


class Change(IntEnum):
    """What became of a word; the numbers are those of the report's data."""

    EQUAL = 0
    CHANGED = 1
    ADDED = 2
    MOVED = 3
    DELETED = 4


@dataclass(frozen=True)
class Words:
    """One side of a comparison: where each word lies in the document, and what became of it."""

    spans: Sequence[Span]
    changes: Sequence[Change]

    def __len__(self) -> int:
        return len(self.spans)

    def count(self, change: Change) -> int:
        """Return how many words were changed in one way."""
        return sum(one is change for one in self.changes)

    def runs(self) -> Iterator[tuple[Change, Span]]:
        """Yield stretches of adjacent words that are not equal, each of one kind."""
        start = 0
        for place in range(1, len(self) + 1):
            if place < len(self) and self.changes[place] is self.changes[start]:
                continue
            if self.changes[start] is not Change.EQUAL:
                yield self.changes[start], Span(self.spans[start].start, self.spans[place - 1].end)
            start = place


@dataclass(frozen=True)
class Comparison:
    """A passage and its source, word by word."""

    suspicious: Words
    source: Words


def compare_words(suspicious: str, source: str, start: int = 0, source_start: int = 0) -> Comparison:
    """Compare two passages that start at the given offsets of their documents.

    Examples
    --------
    >>> made = compare_words("the old cat sat", "the black cat sat")
    >>> [change.name for change in made.suspicious.changes]
    ['EQUAL', 'CHANGED', 'EQUAL', 'EQUAL']
    """
    (mine, my_spans), (theirs, their_spans) = (
        split_words(suspicious, start),
        split_words(source, source_start),
    )
    kept = align(mine, theirs)
    my_changes, their_changes = [Change.ADDED] * len(mine), [Change.DELETED] * len(theirs)
    for i, j in kept:
        my_changes[i] = their_changes[j] = Change.EQUAL
    _mark_moved(mine, theirs, my_changes, their_changes)
    _mark_changed(kept, my_changes, their_changes)
    return Comparison(Words(my_spans, my_changes), Words(their_spans, their_changes))


def split_words(text: str, start: int = 0) -> tuple[list[str], list[Span]]:
    """Return the words of a text as a reader sees them, and where they lie."""
    found = list(_WORD.finditer(text))
    return (
        [as_seen(match.group()) for match in found],
        [Span(start + match.start(), start + match.end()) for match in found],
    )


def align(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs (i, j) with ``a[i] == b[j]``, both rising: the words kept in their order."""
    kept: list[tuple[int, int]] = []
    parts = [(Span(0, len(a)), Span(0, len(b)))]
    while parts:
        mine, theirs = _trim(a, b, *parts.pop(), kept)
        if not mine.length or not theirs.length:
            continue
        if mine.length * theirs.length <= EXACT:
            matcher = SequenceMatcher(None, a[slice(*mine)], b[slice(*theirs)], autojunk=False)
            for i, j, size in matcher.get_matching_blocks():
                kept += ((mine.start + i + n, theirs.start + j + n) for n in range(size))
        else:
            parts += _split(a, b, mine, theirs, kept)
    return sorted(kept)


def _trim(
    a: Sequence[str], b: Sequence[str], mine: Span, theirs: Span, kept: list[tuple[int, int]]
) -> tuple[Span, Span]:
    """Keep what both parts begin and end with; return the rest."""
    (low, high), (other_low, other_high) = mine, theirs
    while low < high and other_low < other_high and a[low] == b[other_low]:
        kept.append((low, other_low))
        low, other_low = low + 1, other_low + 1
    while low < high and other_low < other_high and a[high - 1] == b[other_high - 1]:
        high, other_high = high - 1, other_high - 1
        kept.append((high, other_high))
    return Span(low, high), Span(other_low, other_high)


def _split(
    a: Sequence[str], b: Sequence[str], mine: Span, theirs: Span, kept: list[tuple[int, int]]
) -> list[tuple[Span, Span]]:
    """Cut two long parts at words that occur once in each; where there are none, in proportion."""
    once, other_once = _single(a, mine), _single(b, theirs)
    anchors = _rising([(i, other_once[word]) for word, i in once.items() if word in other_once])
    if not anchors:
        pieces = int((mine.length * theirs.length / MONOTONOUS) ** 0.5) + 1
        cuts = [
            (mine.start + mine.length * n // pieces, theirs.start + theirs.length * n // pieces)
            for n in range(pieces + 1)
        ]
        return [(Span(i, k), Span(j, m)) for (i, j), (k, m) in pairwise(cuts)]
    kept += anchors
    borders = [(mine.start - 1, theirs.start - 1), *anchors, (mine.end, theirs.end)]
    return [(Span(i + 1, k), Span(j + 1, m)) for (i, j), (k, m) in pairwise(borders)]


def _single(words: Sequence[str], part: Span) -> dict[str, int]:
    """Return the words that occur once in a part, in their order, with their places."""
    counts = Counter(words[slice(*part)])
    return {words[i]: i for i in range(*part) if counts[words[i]] == 1}


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a longest chain of pairs that rises on both sides; the first sides rise already."""
    tops: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for place, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        before.append(at[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(j)
            at.append(place)
        else:
            tops[pile], at[pile] = j, place
    chain = []
    place = at[-1] if at else -1
    while place >= 0:
        chain.append(pairs[place])
        place = before[place]
    return chain[::-1]


def _mark_moved(
    mine: Sequence[str], theirs: Sequence[str], my_changes: list[Change], their_changes: list[Change]
) -> None:
    """Find runs of left-over words elsewhere among the left-over words of the source, longest first."""
    places: dict[str, list[int]] = {}
    for j, word in enumerate(theirs):
        if their_changes[j] is Change.DELETED:
            places.setdefault(word, []).append(j)

    def run(i: int, j: int) -> int:
        size = 0
        while (
            i + size < len(mine)
            and j + size < len(theirs)
            and my_changes[i + size] is Change.ADDED
            and their_changes[j + size] is Change.DELETED
            and mine[i + size] == theirs[j + size]
        ):
            size += 1
        return size

    for i, word in enumerate(mine):
        if my_changes[i] is not Change.ADDED:
            continue
        free = [j for j in places.get(word, ())[:PLACES] if their_changes[j] is Change.DELETED]
        size, j = max(((run(i, j), j) for j in free), default=(0, 0))
        if size > 1 or (size == 1 and len(word) >= MOVED_LETTERS):
            my_changes[i : i + size] = [Change.MOVED] * size
            their_changes[j : j + size] = [Change.MOVED] * size


def _mark_changed(
    kept: Sequence[tuple[int, int]], my_changes: list[Change], their_changes: list[Change]
) -> None:
    """Between kept words, what is new on one side and gone on the other was changed."""
    for (i, j), (k, m) in pairwise([(-1, -1), *kept, (len(my_changes), len(their_changes))]):
        new = [n for n in range(i + 1, k) if my_changes[n] is Change.ADDED]
        gone = [n for n in range(j + 1, m) if their_changes[n] is Change.DELETED]
        if new and gone:
            for n in new:
                my_changes[n] = Change.CHANGED
            for n in gone:
                their_changes[n] = Change.CHANGED
