"""Families of features: what is counted in a text.

A family is a small value that says what it counts; equal families share their counts in a run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from stemmata.authorship.writings import Writing

_PUNCTUATION = re.compile(r"[^\w\s]").findall
_DIGITS = re.compile(r"\d")
_NOT_LETTERS = re.compile(r"[^a-z ]+")


class Family(Protocol):
    """Something that can be counted in every text."""

    def count(self, writing: Writing) -> Counter[str]:
        """Return how often each feature of the family occurs."""
        ...


def grams(items: Sequence[str], size: int, joined: str = " ") -> Iterable[str]:
    """Return runs of so many items, joined."""
    if size == 1:
        return items
    return map(joined.join, zip(*(items[first:] for first in range(size)), strict=False))


@dataclass(frozen=True)
class Characters:
    """Runs of characters, gaps being one blank.

    Attributes
    ----------
    size, most
        The shortest and the longest run; without the second, all are as long as the first.
    lower
        Whether capitals count as small letters.
    folded
        Whether punctuation is dropped and a digit is any digit.
    """

    size: int
    most: int = 0
    lower: bool = False
    folded: bool = False

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        text = self.read(writing)
        counts: Counter[str] = Counter()
        for size in range(self.size, max(self.size, self.most) + 1):
            counts.update([text[i : i + size] for i in range(len(text) - size + 1)])
        return counts

    def read(self, writing: Writing) -> str:
        """Return the text as it is counted."""
        text = writing.spaced.lower() if self.lower or self.folded else writing.spaced
        if self.folded:
            text = " ".join(_NOT_LETTERS.sub("", _DIGITS.sub("d", text)).split())
        return text


@dataclass(frozen=True)
class WordGrams:
    """Runs of words in lower case; with ``stop=False``, stop words are left out first."""

    size: int = 1
    stop: bool = True

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        words: Sequence[str] = writing.words
        if not self.stop:
            words = [word for word in words if word not in writing.pack.stop_words]
        return Counter(grams(words, self.size))


@dataclass(frozen=True)
class TokenGrams:
    """Runs of words and punctuation."""

    size: int = 1
    lower: bool = True

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        tokens: Sequence[str] = writing.tokens
        return Counter(grams([token.lower() for token in tokens] if self.lower else tokens, self.size))


@dataclass(frozen=True)
class FunctionWords:
    """Words of the closed classes; runs of them skip what stands between."""

    size: int = 1

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        kept = writing.pack.function_words
        return Counter(grams([word for word in writing.words if word in kept], self.size))


@dataclass(frozen=True)
class PartsOfSpeech:
    """Runs of parts of speech."""

    size: int = 1

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        return Counter(grams(writing.tags, self.size))


@dataclass(frozen=True)
class Punctuation:
    """Punctuation marks; runs of them skip the words between."""

    size: int = 1

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        return Counter(grams(_PUNCTUATION(writing.text), self.size))


@dataclass(frozen=True)
class Affixes:
    """First or last letters of words that are longer."""

    size: int = 3
    last: bool = False

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        words = (word for word in writing.words if len(word) > self.size)
        return Counter(word[-self.size :] if self.last else word[: self.size] for word in words)


@dataclass(frozen=True)
class Shapes:
    """Runs of function words, and of other words by their case and last two letters."""

    size: int = 2

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        kept = writing.pack.function_words
        return Counter(grams([_shape(token, kept) for token in writing.tokens], self.size))


def _shape(token: str, kept: frozenset[str]) -> str:
    low = token.lower()
    if low in kept or not token[0].isalpha():
        return low if token[0].isalpha() else token[0]
    case = "A" if token.isupper() else "a" if token.islower() else "Aa"
    return f"{case}-{low[-2:]}"


@dataclass(frozen=True)
class Distorted:
    """Runs of characters of a text in which every word of content is stars.

    Stamatatos, "Authorship attribution using text distortion", EACL 2017: what is left says how, not of what.
    With ``lengths``, a word has as many stars as letters; otherwise one.
    """

    size: int = 4
    lengths: bool = False

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        text = writing.distorted_by_letter if self.lengths else writing.distorted
        return Counter([text[i : i + self.size] for i in range(len(text) - self.size + 1)])


@dataclass(frozen=True)
class WordLengths:
    """Lengths of words."""

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        return Counter(str(min(len(word), 20)) for word in writing.words)


@dataclass(frozen=True)
class SentenceLengths:
    """Lengths of sentences in words, in steps of five; runs of them are rhythms."""

    size: int = 1

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        lengths = [str(min(len(sentence.split()) // 5, 12)) for sentence in writing.sentences]
        return Counter(grams(lengths, self.size))
