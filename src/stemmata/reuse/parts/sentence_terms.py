"""A document as sentences of terms: what every aligner that compares sentence with sentence starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from stemmata.model import Document
from stemmata.model.spans import Ints
from stemmata.text.keeping import kept_per_document
from stemmata.text.sentences import find_sentences
from stemmata.text.stems import stems
from stemmata.text.words import find_tokens


@dataclass(frozen=True)
class Preparation:
    """How a document becomes sentences of terms.

    Attributes
    ----------
    algorithm
        Snowball stemmer that turns tokens into terms; without one, that of the language.
    shortest_token
        Tokens of fewer characters are no terms.
    fewest_tokens
        A sentence of fewer terms is joined with the next one.
    language
        Language of the documents.
    """

    algorithm: str | None = "porter"
    shortest_token: int = 1
    fewest_tokens: int = 3
    language: str = "en"


@dataclass(frozen=True)
class SentenceTerms:
    """The sentences of a document, and how often each has each term.

    Attributes
    ----------
    start, end
        Offsets of the sentences in characters.
    terms
        Number of each distinct term.
    row, column, count
        The matrix of sentences and terms, entry by entry in the order of the sentences.
    border
        Where the entries of each sentence begin, and at last their number.
    frequency
        In how many sentences each term stands.
    """

    start: Ints
    end: Ints
    terms: dict[str, int]
    row: Ints
    column: Ints
    count: Ints
    border: Ints
    frequency: Ints

    def __len__(self) -> int:
        return len(self.start)

    @classmethod
    def of(cls, start: Ints, end: Ints, sentence: Ints, terms: Sequence[str]) -> SentenceTerms:
        """Count the terms, given the sentence in which each stands."""
        codes, distinct = numbered(terms)
        return cls._count(start, end, sentence, codes, distinct)

    @classmethod
    def stemmed(
        cls, start: Ints, end: Ints, sentence: Ints, forms: Sequence[str], preparation: Preparation
    ) -> SentenceTerms:
        """Count the stems of forms, stemming each distinct form once."""
        codes, distinct = numbered(forms)
        stem_of, terms = numbered(stems(list(distinct), preparation.language, preparation.algorithm))
        return cls._count(start, end, sentence, stem_of[codes], terms)

    @classmethod
    def _count(
        cls, start: Ints, end: Ints, sentence: Ints, codes: Ints, terms: dict[str, int]
    ) -> SentenceTerms:
        width = max(1, len(terms))
        entries, count = np.unique(sentence * width + codes, return_counts=True)
        row, column = entries // width, entries % width
        border = np.searchsorted(row, np.arange(len(start) + 1))
        frequency = np.bincount(column, minlength=len(terms))
        return cls(start, end, terms, row, column, count, border, frequency)


def numbered(strings: Sequence[str]) -> tuple[Ints, dict[str, int]]:
    """Return the number of each string, and the numbering: distinct strings are numbered as they come.

    Examples
    --------
    >>> numbered(["b", "a", "b"])
    (array([0, 1, 0]), {'b': 0, 'a': 1})
    """
    numbers = {string: number for number, string in enumerate(dict.fromkeys(strings))}
    return np.fromiter(map(numbers.__getitem__, strings), np.int64, len(strings)), numbers


@kept_per_document
def sentence_terms(document: Document, preparation: Preparation) -> SentenceTerms:
    """Split a document into sentences and these into terms.

    Tokens start with a letter or digit; stop words are kept.
    """
    start, end = find_sentences(document.text, preparation.language)
    tokens = find_tokens(document.text, (start, end))
    sentence = np.searchsorted(start, tokens.start, side="right") - 1
    forms: Sequence[str] = tokens.forms
    if preparation.shortest_token > 1:
        long = tokens.end - tokens.start >= preparation.shortest_token
        sentence, forms = sentence[long], list(compress(forms, long.tolist()))
    joined = join_short(np.bincount(sentence, minlength=len(start)), preparation.fewest_tokens)
    start, end = _joined_offsets(start, end, joined)
    return SentenceTerms.stemmed(start, end, joined[sentence], forms, preparation)


def join_short(sizes: Ints, fewest: int) -> Ints:
    """Return the new number of each sentence when short ones join the next, until it is long enough.

    A short sentence at the end has no next one and stays.

    Examples
    --------
    >>> join_short(np.array([5, 1, 1, 4, 2]), fewest=3)
    array([0, 1, 1, 1, 2])
    """
    numbers = []
    number = size = 0
    for own in sizes.tolist():
        numbers.append(number)
        size += own
        if size >= fewest:
            number, size = number + 1, 0
    return np.array(numbers, dtype=np.int64)


def _joined_offsets(start: Ints, end: Ints, joined: Ints) -> tuple[Ints, Ints]:
    """Return the offsets of joined sentences.

    The published program adds up their lengths and forgets the space between, so that its passages end a
    little early; its scores depend on it, so it is kept.
    """
    if not len(start):
        return start, end
    first = np.flatnonzero(np.diff(joined, prepend=-1))
    return start[first], start[first] + np.add.reduceat(end - start, first)
