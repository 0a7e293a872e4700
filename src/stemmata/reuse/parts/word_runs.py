"""Runs of words that two documents have in common, whatever their case, spacing and punctuation."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.model import Detection, Document, Pair, Passage, Span
from stemmata.model.spans import Ints, expand_ranges
from stemmata.reuse.parts.long_documents import Budget
from stemmata.text.keeping import kept_per_document
from stemmata.text.words import Words, find_words

SHORTEST_RUN = 8
"""Words of the shortest run that is looked for."""
MOST_OCCURRENCES = 8
"""Words in a row that one document has more often than this start no run, which bounds the work."""
STEPS_PER_MATCH = 64
"""What a place where such words stand in both documents costs, in steps of a pair's budget."""

Hashes = npt.NDArray[np.uint64]
_BASE = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class WordGrams:
    """The words of a document and a hash of each n of them in a row.

    Attributes
    ----------
    n
        Words in a row.
    hashes
        One for each place where n words start; 0 stands where they are too frequent to start a run.
    order
        The places in the order of their hashes.
    """

    words: Words
    n: int
    hashes: Hashes
    order: Ints

    @classmethod
    def of(cls, words: Words, n: int = SHORTEST_RUN) -> WordGrams:
        """Hash all n-grams of a document's words."""
        values = np.fromiter(map(hash, words.forms), np.int64, len(words)).astype(np.uint64)
        places = max(0, len(words) - n + 1)
        hashes = np.zeros(places, np.uint64)
        for k in range(n):
            hashes = hashes * _BASE + values[k : k + places]
        _, gram, occurrences = np.unique(hashes, return_inverse=True, return_counts=True)
        hashes[occurrences[gram] > MOST_OCCURRENCES] = 0
        return cls(words, n, hashes, np.argsort(hashes, kind="stable"))


def common_runs(pair: Pair) -> list[Detection]:
    """Return the longest runs of equal words that do not overlap in the suspicious document.

    Each run is maximal: the words before it differ, and so do those behind it.
    """
    mine, theirs = _grams(pair.suspicious), _grams(pair.source)
    found = maximal_runs(mine, theirs)
    i, _, words = np.array(found, np.int64).reshape(-1, 3).T
    length = mine.words.end[i + words - 1] - mine.words.start[i]
    # What is kept, by start and end and in this order, in which only neighbours can overlap.
    kept: list[tuple[int, int, int]] = []
    for place in np.argsort(-length, kind="stable").tolist():
        start, source_start, count = found[place]
        end = start + count
        at = bisect(kept, (start, end))
        if (at == 0 or kept[at - 1][1] <= start) and (at == len(kept) or end <= kept[at][0]):
            kept.insert(at, (start, end, source_start))
    return [
        Detection(
            _passage(pair.suspicious.name, mine.words, Span(i, end)),
            _passage(pair.source.name, theirs.words, Span(j, j + end - i)),
        )
        for i, end, j in kept
    ]


def maximal_runs(one: WordGrams, other: WordGrams) -> list[tuple[int, int, int]]:
    """Return ``(i, j, length)`` of each stretch of n or more words that both have."""
    ordered = other.hashes[other.order]
    first = np.searchsorted(ordered, one.hashes, side="left")
    count = np.searchsorted(ordered, one.hashes, side="right") - first
    count[one.hashes == 0] = 0
    Budget().spend(STEPS_PER_MATCH * int(count.sum()), "finding runs of common words")
    i, at = expand_ranges(first, count)
    j = other.order[at]
    # Successive matches of one diagonal are one run.
    along = np.lexsort((i, i - j))
    i, j = i[along], j[along]
    opens = np.ones(len(i), dtype=bool)
    opens[1:] = (np.diff(i) != 1) | (np.diff(j) != 1)
    heads = np.flatnonzero(opens)
    length = np.diff(heads, append=len(i)) + one.n - 1
    runs = zip(i[heads].tolist(), j[heads].tolist(), length.tolist(), strict=True)
    # Equal hashes are all but equal words; a run is not taken on trust.
    return [(i, j, n) for i, j, n in runs if one.words.forms[i : i + n] == other.words.forms[j : j + n]]


@kept_per_document
def _grams(document: Document) -> WordGrams:
    return WordGrams.of(find_words(document.text))


def _passage(name: str, words: Words, span: Span) -> Passage:
    offset = int(words.start[span.start])
    return Passage(name, offset, int(words.end[span.end - 1]) - offset)
