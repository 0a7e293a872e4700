"""Plain layout: blanks, line ends and marks of emphasis as print has them, whatever a typist's habits were.

How a text is indented, wrapped and spaced tells its typist and means nothing. Lines of verse stay lines, and
what begins with the mark of a list, a table or a heading stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stemmata.rewriting.edits import Edit
from stemmata.rewriting.transformation import in_order

LAYOUT, EMPHASIS = "layout", "emphasis"
_GAP = re.compile(r"\A\s+|[^\S\n]*\n\s*|[^\S\n]{2,}|\t")
_EMPHASIS = re.compile(r"(?<!\w)_(?=[^\W_])([^_\n]{0,80}[^\s_])_(?!\w)")
_BLOCK = re.compile(r"\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")
_LISTED = re.compile(r"[-*#|>+•]|\d{1,3}[.)]|\(?[a-z]\)")
_WRAPPED = 0.3
"""Where this share of lines begins with a small letter, lines end where the paper did."""
_SHORTEST = 25
"""Characters of a line that is wrapped, on average; what is shorter may be verse."""
_PARAGRAPH = 90
"""Characters of a line that is a paragraph, on average."""


@dataclass(frozen=True)
class PlainLayout:
    r"""Propose one blank between words, one empty line between paragraphs, nothing indented, no line wrapped.

    Underscores around words, which stand for italics, are left out.

    Examples
    --------
    >>> text = "    It was _very_ late, but all of us  were on the way\nto where we lived.\n\n\n\tIt rained."
    >>> [(edit.start, edit.replacement) for edit in PlainLayout().proposals(text)]
    [(0, ''), (11, 'very'), (37, ' '), (54, ' '), (73, '\n\n')]
    """

    def proposals(self, text: str) -> list[Edit]:
        """Return edits of gaps and of marks of emphasis."""
        return in_order([*_gaps(text), *_emphasis(text)], text)


def _gaps(text: str) -> Iterator[Edit]:
    joints = _joints(text)
    for found in _GAP.finditer(text):
        start, end = found.span()
        if end == len(text):
            new = "\n" if "\n" in found[0] else ""
        elif not start:
            new = ""
        elif "\n" not in found[0]:
            new = " "
        elif _LISTED.match(text, end):
            # The next line may hang on how deep it is indented.
            new = found[0]
        elif found[0].count("\n") > 1:
            new = "\n\n"
        else:
            new = "\n" if text[start - 1] == "-" else joints.get(start, "\n")
        yield Edit(start, end, new, LAYOUT)


def _joints(text: str) -> dict[int, str]:
    """Return by where a line ends inside a block what should stand there instead of the line's end."""
    joints: dict[int, str] = {}
    for block in _BLOCK.finditer(text):
        lines = [line.strip() for line in block[0].split("\n")]
        if len(lines) < 2:
            continue
        small = sum(line[0].islower() for line in lines[1:]) / len(lines[1:])
        length = sum(map(len, lines)) / len(lines)
        new = " " if small >= _WRAPPED and length >= _SHORTEST else "\n\n" if length >= _PARAGRAPH else "\n"
        for found in _GAP.finditer(block[0]):
            joints[block.start() + found.start()] = new
    return joints


def _emphasis(text: str) -> Iterator[Edit]:
    for found in _EMPHASIS.finditer(text):
        yield Edit(*found.span(), found[1], EMPHASIS)
