"""The plainest aligner that works: shared word n-grams, joined where they lie close together.

It follows the three steps of most text alignment systems of PAN: seeds, extension, filter.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stemmata.model import Detection, ErrorCode, Pair, Passage, Span, StemmataError
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints

MOST_OCCURRENCES = 8
"""An n-gram that one document has more often than this is a commonplace, not a seed.

It also bounds the seeds, by this number squared times the distinct n-grams.
"""

_WORD = re.compile(r"\w+")
_SUSPICIOUS, _SOURCE = slice(0, 2), slice(2, 4)

Shingle = tuple[str, ...]


@dataclass(frozen=True)
class Shingles:
    """Aligns two documents by the word n-grams they share; the defaults suit the texts of PAN13.

    Attributes
    ----------
    n
        Words in an n-gram; longer ones are surer and rarer.
    unordered
        Whether the same words in another order are the same n-gram, which small shuffles survive.
    gap
        Seeds at most this many characters apart in both documents belong to one passage.
    min_length
        Passages of fewer characters, in either document, are dropped.

    Examples
    --------
    >>> from stemmata.model import Document
    >>> pair = Pair(Document("a", "He said: the old lamp went out."), Document("b", "The old lamp!"))
    >>> [found] = Shingles(n=3, gap=10, min_length=10).align(pair)
    >>> pair.suspicious[found.suspicious], pair.source[found.source]
    ('the old lamp', 'The old lamp')
    """

    n: int = tunable(3, 1, 8)
    unordered: bool = True
    gap: int = tunable(150, 0, 600)
    min_length: int = tunable(200, 20, 600)

    def __post_init__(self) -> None:
        for name, least in (("n", 1), ("gap", 0), ("min_length", 1)):
            value = getattr(self, name)
            if value < least:
                raise StemmataError(
                    ErrorCode.BAD_PARAMETER, name=name, value=value, rule=f"it must be at least {least}"
                )

    def align(self, pair: Pair) -> list[Detection]:
        """Return the passages that the two documents share, in the order of the suspicious one."""
        clusters = _clusters(self._seeds(pair), self.gap)
        boxes = sorted(_box(cluster) for cluster in clusters)
        return [
            Detection(
                Passage(pair.suspicious.name, mine.start, mine.length),
                Passage(pair.source.name, theirs.start, theirs.length),
            )
            for mine, theirs in boxes
            if min(mine.length, theirs.length) >= self.min_length
        ]

    def _seeds(self, pair: Pair) -> Ints:
        """Return one row per shared n-gram: start and end in the suspicious, start and end in the source."""
        mine, theirs = self._shingles(pair.suspicious.text), self._shingles(pair.source.text)
        rows = [
            (*here, *there)
            for shingle, places in mine.items()
            if len(places) <= MOST_OCCURRENCES and len(theirs.get(shingle, ())) <= MOST_OCCURRENCES
            for here in places
            for there in theirs.get(shingle, ())
        ]
        return np.array(rows, dtype=np.int64).reshape(-1, 4)

    def _shingles(self, text: str) -> dict[Shingle, list[tuple[int, int]]]:
        """Return where each n-gram of the text stands, in characters."""
        matches = list(_WORD.finditer(text))
        words = [match[0].lower() for match in matches]
        shingles = zip(*(words[i:] for i in range(self.n)), strict=False)
        places: dict[Shingle, list[tuple[int, int]]] = defaultdict(list)
        for shingle, first, last in zip(shingles, matches, matches[self.n - 1 :], strict=False):
            key = tuple(sorted(shingle)) if self.unordered else shingle
            places[key].append((first.start(), last.end()))
        return places


def _clusters(seeds: Ints, gap: int) -> Iterator[Ints]:
    """Part the seeds where they are further apart than the gap, in one document and then the other.

    A cut in one document can open a gap in the other, so the two take turns until neither cuts.
    """
    pending = [(seeds, _SUSPICIOUS, False)] if len(seeds) else []
    while pending:
        cluster, side, uncut = pending.pop()
        parts = _cut(cluster, side, gap)
        if len(parts) == 1 and uncut:
            yield cluster
            continue
        other = _SOURCE if side == _SUSPICIOUS else _SUSPICIOUS
        pending += [(part, other, len(parts) == 1) for part in parts]


def _cut(seeds: Ints, side: slice, gap: int) -> list[Ints]:
    seeds = seeds[np.argsort(seeds[:, side][:, 0], kind="stable")]
    start, end = seeds[:, side].T
    reach = np.maximum.accumulate(end)
    return np.split(seeds, np.flatnonzero(start[1:] - reach[:-1] > gap) + 1)


def _box(cluster: Ints) -> tuple[Span, Span]:
    """Return the smallest passages that hold all seeds."""
    low, high = cluster.min(axis=0), cluster.max(axis=0)
    return Span(int(low[0]), int(high[1])), Span(int(low[2]), int(high[3]))
