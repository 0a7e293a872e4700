"""Sentences as rows of numbers, and back again: the words the network knows, and the rest copied."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

_TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_CLOSING = frozenset(".,;:!?)]}%…”")
_OPENING = frozenset("([{$£#“")
PADDING, BEGIN, END, UNKNOWN, HIDDEN = range(5)
SPECIAL = ("", "<s>", "</s>", "<?>", "<_>")


def tokens_of(sentence: str) -> list[str]:
    """Return the words and marks of a sentence as they are written.

    Examples
    --------
    >>> tokens_of("It's late, he said.")
    ["It's", 'late', ',', 'he', 'said', '.']
    """
    return _TOKEN.findall(sentence)


def joined(tokens: Iterable[str]) -> str:
    """Return tokens as a sentence, with blanks where a typist leaves them.

    Straight quotation marks are taken to open and close by turns, and a hyphen to join two words.

    Examples
    --------
    >>> joined(["He", "said", ",", '"', "No", '"', "."])
    'He said, "No".'
    """
    text, quoted, glue = "", False, True
    for one in tokens:
        closes = one in _CLOSING or one == "-" or (one == '"' and quoted)
        text += one if glue or closes else " " + one
        glue = one in _OPENING or one == "-" or (one == '"' and not quoted)
        quoted ^= one == '"'
    return text


@dataclass(frozen=True)
class Vocabulary:
    """The words that the network knows, the commonest first.

    Attributes
    ----------
    words
        In lower case; the first five are marks of its own.
    """

    words: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], size: int) -> Vocabulary:
        """Return the commonest words of sentences; among equals the first in the alphabet."""
        counts = Counter(token.lower() for sentence in sentences for token in sentence)
        common = sorted(counts, key=lambda word: (-counts[word], word))
        return cls((*SPECIAL, *common[: size - len(SPECIAL)]))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def numbers(self, tokens: Iterable[str]) -> list[int]:
        """Return the numbers of words; those not known have all the same."""
        return [self._numbers.get(token.lower(), UNKNOWN) for token in tokens]

    def written(self, numbers: Sequence[int], source: Sequence[str], looks: Sequence[int]) -> list[str]:
        """Return numbers as words, in the letters of the source where they stand there.

        Parameters
        ----------
        numbers
            What the network wrote.
        source
            The tokens it read.
        looks
            For each number, which token of the source it looked at: what is not known is copied from there.
        """
        return list(self._written(numbers, source, looks))

    def _written(self, numbers: Sequence[int], source: Sequence[str], looks: Sequence[int]) -> Iterator[str]:
        # A word that the source has in both cases is no name.
        cased = {one.lower(): one for one in sorted(source[1:], reverse=True)}
        cased.update((one, one) for one in source if one.islower())
        begins = True
        for number, look in zip(numbers, looks, strict=True):
            word = source[look] if number == UNKNOWN else self.words[number]
            word = "I" if word == "i" else cased.get(word.lower(), word)
            if begins and source[0][:1].isupper():
                word = word[:1].upper() + word[1:]
            begins &= not word[:1].isalnum()
            yield word
