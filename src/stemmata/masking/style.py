"""Style as counts: what is counted in a text, family by family, in stretches as well as in whole texts.

An edit changes what is counted in its neighbourhood alone: what it changes is the count of its neighbourhood
after it less the count before.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from stemmata.rewriting import Edit
from stemmata.text.languages import ENGLISH
from stemmata.text.pos import tag_words

NEIGHBOURS = 12
"""Tokens on each side that belong to the neighbourhood of an edit: enough for all runs of words and letters.

Where two marks in a row lie further apart, a change of the pair may be missed; it only guides the choice.
"""
_WIDE = 400
"""Characters on each side in which sentences are looked for."""
_TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_WORDS = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_DIGIT = re.compile(r"\d")
_MARK = re.compile(r"[^\w\s]")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+")


class Stretch:
    """A text or part of one, as families see it.

    Examples
    --------
    >>> Stretch("It was, he said,  late.").distorted
    'It was, he *, *.'
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def spaced(self) -> str:
        """The text with every gap made one blank."""
        return " ".join(self.text.split())

    @cached_property
    def tokens(self) -> list[str]:
        """Words and punctuation marks."""
        return _TOKEN.findall(self.text)

    @cached_property
    def words(self) -> list[str]:
        """Runs of letters and digits in lower case."""
        return _WORDS.findall(self.text.lower())

    @cached_property
    def distorted(self) -> str:
        """The text with a star for every word of content, and a hash for every digit."""
        kept = ENGLISH.function_words
        starred = _LETTERS.sub(lambda found: found[0] if found[0].lower() in kept else "*", self.spaced)
        return _DIGIT.sub("#", starred)

    @cached_property
    def shapes(self) -> list[str]:
        """Function words, and other tokens by their case and last letters."""
        return [_shape(token) for token in self.tokens]

    @cached_property
    def parts(self) -> list[str]:
        """The part of speech of each token by itself; a mark is its own."""
        return [part_of(token) for token in self.tokens]


def _shape(token: str) -> str:
    low = token.lower()
    if not token[0].isalpha():
        return token[0]
    if low in ENGLISH.function_words:
        return low
    return ("A-" if token.isupper() else "a-" if token.islower() else "Aa-") + low[-2:]


@lru_cache(maxsize=1 << 16)
def part_of(token: str) -> str:
    """Return the part of speech of a token by itself."""
    return tag_words([token])[0].part if token[0].isalnum() else token


def _runs(items: Sequence[str], size: int) -> Iterable[str]:
    return map(" ".join, zip(*(items[first:] for first in range(size)), strict=False))


def _characters(text: str, size: int) -> Iterable[str]:
    return map("".join, zip(*(text[first:] for first in range(size)), strict=False))


def _sentence_lengths(stretch: Stretch) -> Iterable[str]:
    return (str(min(len(one.split()) // 4, 12)) for one in _SENTENCE_END.split(stretch.text))


Count = Callable[[Stretch], Iterable[str]]

FAMILIES: Mapping[str, Count] = {
    "characters-3": lambda one: _characters(one.spaced, 3),
    "characters-4": lambda one: _characters(one.spaced, 4),
    "characters-6": lambda one: _characters(one.spaced, 6),
    "distorted-4": lambda one: _characters(one.distorted, 4),
    "distorted-6": lambda one: _characters(one.distorted, 6),
    "words": lambda one: one.words,
    "word-pairs": lambda one: _runs(one.words, 2),
    "function-words": lambda one: [word for word in one.words if word in ENGLISH.function_words],
    "function-word-pairs": lambda one: _runs(
        [word for word in one.words if word in ENGLISH.function_words], 2
    ),
    "suffixes": lambda one: (word[-3:] for word in one.words if len(word) > 3),
    "prefixes": lambda one: (word[:3] for word in one.words if len(word) > 3),
    "punctuation": lambda one: _MARK.findall(one.text),
    "punctuation-pairs": lambda one: _runs(_MARK.findall(one.text), 2),
    "marks-and-words": lambda one: (
        token if _MARK.match(token) else "capital" if token[0].isupper() else "word" for token in one.tokens
    ),
    "shapes-2": lambda one: _runs(one.shapes, 2),
    "shapes-3": lambda one: _runs(one.shapes, 3),
    "parts-2": lambda one: _runs(one.parts, 2),
    "parts-3": lambda one: _runs(one.parts, 3),
    "word-lengths": lambda one: (str(min(len(word), 20)) for word in one.words),
    "sentence-lengths": _sentence_lengths,
}
"""What is counted, by name."""


def counted(text: str, families: Iterable[str] = FAMILIES) -> dict[str, Counter[str]]:
    """Count families in a text.

    Examples
    --------
    >>> counted("It is, it is.", ["words", "punctuation-pairs"])
    {'words': Counter({'it': 2, 'is': 2}), 'punctuation-pairs': Counter({', .': 1})}
    """
    stretch = Stretch(text)
    return {name: Counter(FAMILIES[name](stretch)) for name in families}


class Neighbourhoods:
    """What edits would change in the counts of a text.

    Parameters
    ----------
    text
        The text.
    families
        What is counted.

    Examples
    --------
    >>> around = Neighbourhoods("We did not go.", ["words", "punctuation"])
    >>> around.changes(Edit(3, 10, "didn't", "contract"))
    {'words': {'didn': 1, 't': 1, 'did': -1, 'not': -1}, 'punctuation': {"'": 1}}
    """

    def __init__(self, text: str, families: Iterable[str] = FAMILIES) -> None:
        self.text = text
        self.families = list(families)
        found = [one.span() for one in _TOKEN.finditer(text)]
        self._starts = [start for start, _ in found]
        self._ends = [end for _, end in found]

    def changes(self, edit: Edit) -> dict[str, dict[str, int]]:
        """Return by family how many more there are of each feature after an edit."""
        narrow = self._stretches(edit, *self._around(edit.start, edit.end))
        changes = {}
        for name in self.families:
            old, new = narrow
            if name == "sentence-lengths":
                if _ends(self.text[edit.start : edit.end]) == _ends(edit.replacement):
                    continue
                old, new = self._stretches(edit, max(0, edit.start - _WIDE), edit.end + _WIDE)
            count = Counter(FAMILIES[name](new))
            count.subtract(FAMILIES[name](old))
            if found := {term: value for term, value in count.items() if value}:
                changes[name] = found
        return changes

    def _stretches(self, edit: Edit, start: int, end: int) -> tuple[Stretch, Stretch]:
        left, right = self.text[start : edit.start], self.text[edit.end : end]
        old = left + self.text[edit.start : edit.end] + right
        return Stretch(old), Stretch(left + edit.replacement + right)

    def _around(self, start: int, end: int) -> tuple[int, int]:
        first = bisect_right(self._ends, start) - NEIGHBOURS
        last = bisect_left(self._starts, end) + NEIGHBOURS
        return (
            self._starts[first] if first > 0 else 0,
            self._ends[last - 1] if 0 < last <= len(self._ends) else len(self.text),
        )


def _ends(text: str) -> int:
    return sum(map(text.count, ".!?"))
