"""Sentences of stretches, and the words in them that tell something: what passages are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from stemmata.corpora.building.base import Slice
from stemmata.model.spans import Ints
from stemmata.text.languages import languages
from stemmata.text.sentences import find_sentences
from stemmata.text.words import find_words


@dataclass(frozen=True)
class Sentences:
    """Where the sentences of a text start and end, and how many words of each are no stop words."""

    start: Ints
    end: Ints
    words: Ints

    def __len__(self) -> int:
        return len(self.start)

    @classmethod
    def of(cls, text: str, language: str) -> Sentences:
        """Find the sentences of a text.

        Examples
        --------
        >>> Sentences.of("The fox and the dog ran. It rained.", "en").words
        array([3, 1])
        """
        start, end = find_sentences(text, language)
        found = find_words(text)
        stop_words = languages[language].stop_words
        telling = np.array([form not in stop_words for form in found.forms], dtype=np.int64)
        total = np.concatenate([np.zeros(1, np.int64), np.cumsum(telling)])
        words = total[np.searchsorted(found.start, end)] - total[np.searchsorted(found.start, start)]
        return cls(start, end, words)


def significant_words(text: str, language: str) -> int:
    """Return how many words of a text are no stop words.

    Examples
    --------
    >>> significant_words("The fox and the dog ran", "en")
    3
    """
    stop_words = languages[language].stop_words
    return sum(form not in stop_words for form in find_words(text).forms)


@lru_cache(maxsize=256)
def sentences_of(stretch: Slice, language: str) -> Sentences:
    """Find the sentences of a stretch; those of the last ones are kept."""
    return Sentences.of(stretch.text, language)
