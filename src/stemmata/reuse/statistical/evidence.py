"""The words of two documents side by side: which they share, and how much a shared word says.

Nothing is known of the language but what the two documents show: a word that is frequent in them says
little, whatever it is, and no list of stop words or corpus of frequencies is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from stemmata.model import Document, Pair, Passage, Span
from stemmata.model.annotations import Mask
from stemmata.model.spans import Ints
from stemmata.reuse.parts.sentence_terms import numbered
from stemmata.reuse.statistical.boundaries import Boundaries, find_boundaries
from stemmata.text.analysis import Analysis
from stemmata.text.keeping import kept_per_document
from stemmata.text.stems import stems

Floats = npt.NDArray[np.float64]

RAREST = 2e-5
"""No word is held to be rarer than this; two short documents cannot tell."""
TEMPERED = 0.3
"""A word's share of the two documents counts for this much: a reused passage makes its own words frequent."""


@dataclass(frozen=True, eq=False)
class WordSequence:
    """The words of one document, as numbers of its distinct stems, which come in the order of these."""

    numbers: Mapping[str, int]
    types: Ints
    telling: Mask
    boundaries: Boundaries

    def __len__(self) -> int:
        return len(self.types)

    @cached_property
    def letters(self) -> Mask:
        """Of each stem, whether it is all letters."""
        return np.fromiter(map(str.isalpha, self.numbers), dtype=bool, count=len(self.numbers))


def analyse(document: Document) -> Analysis:
    """Return the analysis of a document, which is not kept: that would take as much again as its words."""
    return Analysis(document)


@kept_per_document
def words_of(document: Document) -> WordSequence:
    """Return the stemmed words of a document; those of recent documents are kept."""
    analysis = analyse(document)
    words = analysis.words
    # Words recur, so each form is stemmed once.
    form_of, forms = numbered(words.forms)
    stem_of, numbers = numbered(stems(list(forms), analysis.language))
    telling = np.fromiter(map(len, numbers), np.int64, len(numbers)) > 1
    boundaries = find_boundaries(document.text, words.start, words.end)
    return WordSequence(numbers, stem_of[form_of], telling, boundaries)


@dataclass(frozen=True, eq=False)
class Text:
    """One document of a pair, in the numbers of the words of both.

    Attributes
    ----------
    types
        Of each word, the number of its type. Types that both documents have come first.
    shared
        The same with one number for all words that the other document does not have.
    count
        Of each shared type, its occurrences here; 0 for the number of all others.
    boundaries
        Where passages may begin and end.
    words
        The document without the other.
    """

    types: Ints
    shared: Ints
    count: Floats
    boundaries: Boundaries
    words: WordSequence

    def __len__(self) -> int:
        return len(self.types)

    def occurrences(self, words: Span) -> Ints:
        """Return how often a range of words holds each shared type, and 0 for the number of all others."""
        held = np.bincount(self.shared[words.start : words.end], minlength=len(self.count))
        held[-1] = 0
        return held

    def passage(self, name: str, words: Span) -> Passage:
        """Return a range of words as characters of the document."""
        start = int(self.boundaries.begin[words.start])
        return Passage(name, start, int(self.boundaries.end[words.end - 1]) - start)


@dataclass(frozen=True, eq=False)
class Evidence:
    """A pair of documents as word numbers.

    Attributes
    ----------
    count
        Of each type, its occurrences in both documents.
    share
        Of each type, its tempered share of the words of both documents.
    telling
        Of each type, 0 for single characters, whose agreement means nothing, and 1 otherwise.
    shared_types
        Number of types that both documents have; they are numbered first.
    """

    suspicious: Text
    source: Text
    count: Floats
    share: Floats
    telling: Floats
    shared_types: int

    @classmethod
    def of(cls, pair: Pair) -> Evidence:
        """Give the words of both documents common numbers."""
        mine, theirs = words_of(pair.suspicious), words_of(pair.source)
        numbers, shared = _number_together(mine.numbers, theirs.numbers)
        types = [numbers[0][mine.types], numbers[1][theirs.types]]
        size = len(mine.numbers) + len(theirs.numbers) - shared
        counts = [np.bincount(side, minlength=size).astype(np.float64) for side in types]
        count = counts[0] + counts[1]
        share = TEMPERED * count / max(1, len(mine) + len(theirs))
        telling = np.ones(size)
        for words, number in zip((mine, theirs), numbers, strict=True):
            telling[number] = words.telling
        sides = [
            Text(side, np.minimum(side, shared), np.append(own[:shared], 0.0), words.boundaries, words)
            for side, own, words in zip(types, counts, (mine, theirs), strict=True)
        ]
        return cls(sides[0], sides[1], count, np.maximum(RAREST, share), telling, shared)

    def weights(self, commonest: float) -> Floats:
        """Return ln(commonest / share) for each type, and 0 for those more common than that."""
        return np.asarray(self.telling * np.maximum(0.0, np.log(commonest / self.share)))


def _number_together(mine: Mapping[str, int], theirs: Mapping[str, int]) -> tuple[tuple[Ints, Ints], int]:
    """Give new numbers to the words of two numberings: to common ones first, then to the rest of each."""
    common = mine.keys() & theirs.keys()
    shared = len(common)
    own, other = (np.fromiter(map(words.__getitem__, common), np.int64, shared) for words in (mine, theirs))
    order = own.argsort()
    numbers = []
    next_free = shared
    for words, places in ((mine, own[order]), (theirs, other[order])):
        number = np.full(len(words), -1, dtype=np.int64)
        number[places] = np.arange(shared)
        rest = np.flatnonzero(number < 0)
        number[rest] = np.arange(next_free, next_free + len(rest))
        next_free += len(rest)
        numbers.append(number)
    return (numbers[0], numbers[1]), shared
