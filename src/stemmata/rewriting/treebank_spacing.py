"""Treebank spacing: a blank between every two tokens, as programs write that join tokens they once split.

Marks stand by themselves, clitics leave their hosts, and straight double quotes become the grave accents and
apostrophes of the Penn Treebank (*It 's `` so ''.*). English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stemmata.rewriting.edits import Edit
from stemmata.rewriting.reading import read

# Some words are no tokens of a reading, such as those in single quotes; they stay whole.
_MARK = re.compile(r"\s+|\.{2,}|--+|(?:\b|(?<=\S))['’](?:s|m|d|ll|re|ve)\b|\w+|.", re.IGNORECASE | re.DOTALL)
_OPENS = re.compile(r"(?:\A|[\s(\[{<])\Z")


@dataclass(frozen=True)
class TreebankSpacing:
    """Propose a blank wherever two tokens of a sentence meet, and the treebank's quotes.

    Parameters
    ----------
    quotes
        Write double quotes as the treebank does.

    Examples
    --------
    >>> from stemmata.rewriting import rewritten
    >>> text = "So: it isn't (quite) so."
    >>> rewritten(text, TreebankSpacing().proposals(text)).text
    "So : it is n't ( quite ) so ."
    """

    quotes: bool = True

    def proposals(self, text: str) -> list[Edit]:
        """Return edits of the kind ``spacing``; all are meant to be made together."""
        reading = read(text)
        passage = reading.passage
        edits: list[Edit] = []
        for start, end in reading.sentences:
            first, behind = reading.word_from(start), reading.word_from(end)
            # Each token with its replacement; a gap between words may hold several.
            tokens: list[tuple[int, int, str]] = []
            at = start
            for number in range(first, behind):
                tokens += self._marks(text, at, passage.start[number])
                tokens.append((passage.start[number], passage.end[number], passage.words[number]))
                at = passage.end[number]
            tokens += self._marks(text, at, end)
            edits += _joined(text, tokens)
        return edits

    def _marks(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Yield the tokens between two words."""
        for found in _MARK.finditer(text, start, end):
            mark = found[0]
            if mark.isspace():
                continue
            if self.quotes and mark == '"':
                mark = "``" if _OPENS.search(text, max(0, found.start() - 1), found.start()) else "''"
            yield (*found.span(), mark)


def _joined(text: str, tokens: list[tuple[int, int, str]]) -> Iterator[Edit]:
    for number, (start, end, new) in enumerate(tokens):
        if number:
            before = tokens[number - 1][1]
            if text[before:start] != " ":
                yield Edit(before, start, " ", "spacing")
        if text[start:end] != new:
            yield Edit(start, end, new, "spacing")
