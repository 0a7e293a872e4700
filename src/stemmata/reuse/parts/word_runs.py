"""Runs of words that two documents have in common, whatever their case, spacing and punctuation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.model import Detection, Document, Pair, Passage, Span
from stemmata.model.spans import Ints, expand_ranges
from stemmata.text.keeping import kept_per_document
from stemmata.text.words import Words, find_words

SHORTEST_RUN = 8
"""Words of the shortest run that is looked for."""
MOST_OCCURRENCES = 8
"""Words in a row that one document has more often than this start no run, which bounds the work."""

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
    found = [
        Detection(
            _passage(pair.suspicious.name, mine.words, Span(i, i + length)),
            _passage(pair.source.name, theirs.words, Span(j, j + length)),
        )
        for i, j, length in maximal_runs(mine, theirs)
    ]
    kept: list[Detection] = []
    for run in sorted(found, key=lambda one: -one.suspicious.length):
        if not any(run.suspicious.span.overlaps(other.suspicious.span) for other in kept):
            kept.append(run)
    return sorted(kept, key=lambda one: one.suspicious)


def maximal_runs(one: WordGrams, other: WordGrams) -> list[tuple[int, int, int]]:
    """Return ``(i, j, length)`` of each stretch of n or more words that both have."""
    ordered = other.hashes[other.order]
    first = np.searchsorted(ordered, one.hashes, side="left")
    count = np.searchsorted(ordered, one.hashes, side="right") - first
    count[one.hashes == 0] = 0
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
