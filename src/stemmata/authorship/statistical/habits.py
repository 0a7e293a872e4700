"""Families of habits that only our verifier counts: openings of sentences, layout, outlines, frames."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from stemmata.authorship.families import grams
from stemmata.authorship.writings import Writing
from stemmata.model import Span

LETTERS = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(r"\d+")
TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")

Placed = list[tuple[str, Span]]


@dataclass(frozen=True)
class Openings:
    """The first token of each sentence: a function word, a mark, or any other word as a star."""

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        return Counter(term for term, _ in self.placed(writing))

    def placed(self, writing: Writing) -> Placed:
        """Return them with their places."""
        kept = writing.pack.function_words
        found, done = [], 0
        for sentence in writing.sentences:
            start = writing.text.index(sentence, done)
            done = start + len(sentence)
            if first := TOKEN.search(sentence):
                low = first.group().lower()
                term = low if low in kept or not low[0].isalpha() else "*"
                found.append((term, Span(start + first.start(), start + first.end())))
        return found


@dataclass(frozen=True)
class Layout:
    """Runs of characters with a line's end, a tab or two blanks in them, every word being one letter."""

    size: int = 3

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        text, size = NUMBER.sub("0", LETTERS.sub("a", writing.text)), self.size
        runs = (text[place : place + size] for place in range(len(text) - size + 1))
        return Counter(run for run in runs if is_laid_out(run))


def is_laid_out(run: str) -> bool:
    """Return whether a run of characters says something about layout."""
    return "\n" in run or "  " in run or "\t" in run


@dataclass(frozen=True)
class Outlines:
    """Runs of characters of a text in which a word is one letter, or two if it begins with a capital.

    What is left are punctuation, capitals and the blanks between: ``"A"`` is a word in capitals, ``"Aa"`` one
    that begins with one, ``"a"`` any other, ``"0"`` a number.
    """

    size: int = 4

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        text, size = NUMBER.sub("0", LETTERS.sub(outlined, writing.spaced)), self.size
        return Counter(text[place : place + size] for place in range(len(text) - size + 1))


def outlined(found: re.Match[str]) -> str:
    """Return the outline of a word."""
    word = found.group()
    if not word[0].isupper():
        return "a"
    return "A" if len(word) > 1 and word.isupper() else "Aa"


@dataclass(frozen=True)
class Frames:
    """Runs of tokens in which words other than function words are their parts of speech."""

    size: int = 3

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        return Counter(grams(framed(writing), self.size))


def framed(writing: Writing) -> list[str]:
    """Return the tokens of a text, words other than function words as parts of speech."""
    kept = writing.pack.function_words
    both = zip(writing.tokens, writing.tags, strict=True)
    return [low if (low := token.lower()) in kept or not token[0].isalpha() else tag for token, tag in both]
