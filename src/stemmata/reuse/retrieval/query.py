"""A text whose sources are sought: its words as hashes, its sentences, its fingerprints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stemmata.model import Document
from stemmata.model.spans import Ints
from stemmata.reuse.index.fingerprints import fingerprint
from stemmata.reuse.index.word_hashes import Hashes, hash_words
from stemmata.text.sentences import find_sentences

LONGEST = 50
"""Sentences of more words are taken apart: a list without periods is no single thought."""


@dataclass(frozen=True)
class Query:
    """A text as retrievers see it.

    Attributes
    ----------
    text
        The text in lower case.
    language
        Its language.
    hashes
        The hashes of the stems of its words.
    start, end
        Where the words stand in the text.
    sentence
        For each word the number of its sentence; every sentence has words.
    """

    text: str
    language: str
    hashes: Hashes
    start: Ints
    end: Ints
    sentence: Ints

    @classmethod
    def of(cls, document: Document) -> Query:
        """Analyse a document."""
        words = hash_words([document.text])
        language = words.languages[0]
        lowered = document.text.lower()
        _, ends = find_sentences(lowered if len(lowered) != len(document.text) else document.text, language)
        sentence = np.searchsorted(ends, words.start, side="right")
        first = np.searchsorted(sentence, sentence)
        piece = (np.arange(len(sentence)) - first) // LONGEST
        # Numbered anew, so that no number is left out.
        steps = (np.diff(sentence, prepend=-1) != 0) | (np.diff(piece, prepend=0) != 0)
        return cls(lowered, language, words.hashes, words.start, words.end, np.cumsum(steps) - 1)

    def __len__(self) -> int:
        return len(self.hashes)

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return int(self.sentence[-1]) + 1 if len(self.sentence) else 0

    @cached_property
    def forms(self) -> list[str]:
        """The words."""
        return [self.text[i:j] for i, j in zip(self.start.tolist(), self.end.tolist(), strict=True)]

    @cached_property
    def fingerprints(self) -> dict[str, Hashes]:
        """The different fingerprints of each kind."""
        made = fingerprint([self.text])
        return {"runs": _different(made.runs), "skips": _different(made.skips)}


def _different(hashes: Hashes) -> Hashes:
    ordered = np.sort(hashes)
    return ordered[np.flatnonzero(np.diff(ordered, prepend=ordered[:1] + np.uint64(1)))]
