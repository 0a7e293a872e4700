"""Where words and phrases of a table stand in a text, in time that does not grow with the table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_JOINED = frozenset("-‐‑/@_\\&#")
"""Marks by which a word is part of another, or of an address or a path."""
_TEXTS = 4


class Found(NamedTuple):
    """A phrase of a table and where it stands."""

    start: int
    end: int
    phrase: str


class _Words(NamedTuple):
    start: list[int]
    end: list[int]
    form: list[str]


class PhraseIndex:
    """Phrases by their first words.

    Parameters
    ----------
    phrases
        Words in lower case with plain apostrophes, one blank between them.

    Examples
    --------
    >>> [found[:2] for found in PhraseIndex(["no", "no one"]).find("No one, no 1-no-trump.")]
    [(0, 2), (0, 6), (8, 10)]
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_first: dict[str, list[list[str]]] = {}
        for words in sorted({phrase: phrase.lower().split(" ") for phrase in phrases}.values()):
            self._by_first.setdefault(words[0], []).append(words)

    def find(self, text: str) -> Iterator[Found]:
        """Yield where the phrases stand, in order; they may overlap.

        Capitals and the kind of apostrophe do not count; between two words there are blanks of one line.
        """
        start, end, form = _words(text)
        for number, first in enumerate(form):
            if first not in self._by_first or _joined(text, start[number] - 1):
                continue
            for words in self._by_first[first]:
                last = number + len(words) - 1
                if form[number : last + 1] != words or _joined(text, end[last]):
                    continue
                if all(not text[end[n] : start[n + 1]].strip(" ") for n in range(number, last)):
                    yield Found(start[number], end[last], " ".join(words))


def _joined(text: str, at: int) -> bool:
    """Return whether the mark at an offset makes one word of its neighbours."""
    return 0 <= at < len(text) and text[at] in _JOINED


@lru_cache(_TEXTS)
def _words(text: str) -> _Words:
    found = list(_WORD.finditer(text))
    return _Words(
        [one.start() for one in found],
        [one.end() for one in found],
        [one[0].lower().replace("’", "'") for one in found],
    )
