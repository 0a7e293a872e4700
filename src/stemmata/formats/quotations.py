"""Where a quoted sentence stands in a text that may differ from it a little."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cached_property

import numpy as np
import numpy.typing as npt

from stemmata.model import Document, Passage

LONGEST = 1_000
"""Words of a quotation that is looked for although it differs; longer ones must agree."""
LEAST_COMMON = 0.6
"""Share of a quotation's words that must stand in the passage in their order."""
_NEAREST = 8
"""Places that are looked at closely."""

_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"[.!?…,;:]*+[»”\"')\]]{0,2}")


class Quotations:
    """Finds quotations in a document.

    Case, punctuation, white space, and ё for е do not count. Where that does not find one, the passage that
    has most of its words, rare ones first, is taken if enough of them are in their order.

    Examples
    --------
    >>> text = Document("cook.txt", "Captain Cook sailed in 1768 [1] from Plymouth.  He never returned.")
    >>> text[Quotations(text).find("he NEVER returned")], Quotations(text).find("nothing like it at all")
    ('He never returned.', None)
    >>> text[Quotations(text).find("Cook sailed in 1768 from Plymouth.")]
    'Cook sailed in 1768 [1] from Plymouth.'
    """

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return [found.span() for found in _WORD.finditer(self.document.text)]

    @cached_property
    def _words(self) -> list[str]:
        return [_form(self.document.text[start:end]) for start, end in self._spans]

    @cached_property
    def _letters(self) -> tuple[str, npt.NDArray[np.int64]]:
        """All words without anything between, and where in that each starts."""
        lengths = np.cumsum([0, *map(len, self._words)])
        return "".join(self._words), lengths

    @cached_property
    def _weight(self) -> dict[str, float]:
        words, counts = np.unique(np.array(self._words or [""], dtype=object), return_counts=True)
        weights = np.log1p(len(self._words) / counts)
        return dict(zip(words.tolist(), weights.tolist(), strict=True))

    def find(self, quotation: str) -> Passage | None:
        """Return the passage that a quotation was taken from, or None if no passage is like it."""
        words = [_form(found[0]) for found in _WORD.finditer(quotation)]
        if not words:
            return None
        return self._verbatim(words) or (self._alike(words) if len(words) <= LONGEST else None)

    def _verbatim(self, words: list[str]) -> Passage | None:
        letters, starts = self._letters
        wanted = "".join(words)
        at = letters.find(wanted)
        if at < 0:
            return None
        # Words may be parted otherwise, so that the quotation can start inside one.
        first = int(np.searchsorted(starts, at, side="right")) - 1
        last = int(np.searchsorted(starts, at + len(wanted), side="left")) - 1
        return self._passage(first, last)

    def _alike(self, words: list[str]) -> Passage | None:
        wanted = set(words)
        weight = self._weight
        credit = np.array([weight[word] if word in wanted else 0.0 for word in self._words])
        size = min(len(words), len(credit))
        if not size:
            return None
        total = np.concatenate([[0.0], np.cumsum(credit)])
        density = total[size:] - total[:-size]
        best: tuple[int, int, int] | None = None
        for _ in range(_NEAREST):
            at = int(np.argmax(density))
            if density[at] <= 0:
                break
            density[max(0, at - size // 2) : at + size // 2 + 1] = 0
            found = self._matched(words, max(0, at - size), at + 2 * size)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
        if best is None or best[0] < LEAST_COMMON * len(words):
            return None
        return self._passage(best[1], best[2])

    def _matched(self, words: list[str], start: int, end: int) -> tuple[int, int, int] | None:
        """Return how many words some window has in their order, and the first and last of them."""
        window = self._words[start:end]
        blocks = SequenceMatcher(None, window, words, autojunk=False).get_matching_blocks()[:-1]
        # A lone word far from the others is one that happens to stand there.
        blocks = [one for one in blocks if one.size > 1] or blocks
        if not blocks:
            return None
        last = blocks[-1]
        return sum(one.size for one in blocks), start + blocks[0].a, start + last.a + last.size - 1

    def _passage(self, first: int, last: int) -> Passage:
        text = self.document.text
        start, end = self._spans[first][0], self._spans[last][1]
        ending = _ENDING.match(text, end)
        return Passage(self.document.name, start, (ending.end() if ending else end) - start)


def _form(word: str) -> str:
    return word.casefold().replace("ё", "е")
