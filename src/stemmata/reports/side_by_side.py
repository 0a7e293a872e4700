"""Two versions of a text side by side, word by word: what is gone on the left, what came on the right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from stemmata.model import Piece

_parts = re.compile(r"\s+|\w+(?:['’]\w+)*|[^\w\s]").findall
MOST_PARTS = 4000
"""Words and marks of a piece that are compared one by one; a longer piece is shown as changed throughout."""


@dataclass(frozen=True)
class Stretch:
    """A stretch of one version that the other has too, or has not."""

    text: str
    changed: bool = False


@dataclass(frozen=True)
class Row:
    """A piece of a text, before and after.

    Attributes
    ----------
    same
        How many pieces in a row were left as they are; 0 for one that was changed.
    """

    before: tuple[Stretch, ...]
    after: tuple[Stretch, ...]
    same: int = 0


def compared(before: str, after: str) -> tuple[tuple[Stretch, ...], tuple[Stretch, ...]]:
    """Return two versions of a text, each in stretches that are common or not.

    Examples
    --------
    >>> [one.text for one in compared("a big dog", "a large dog")[1] if one.changed]
    ['large']
    """
    old, new = _parts(before), _parts(after)
    if len(old) + len(new) > MOST_PARTS:
        return (Stretch(before, True),), (Stretch(after, True),)
    left: list[tuple[str, bool]] = []
    right: list[tuple[str, bool]] = []
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        left.append(("".join(old[i:j]), kind != "equal"))
        right.append(("".join(new[k:m]), kind != "equal"))
    return _stretches(left), _stretches(right)


def _stretches(parts: Iterable[tuple[str, bool]]) -> tuple[Stretch, ...]:
    return tuple(Stretch(text, changed) for text, changed in parts if text)


def rows_of(pieces: Sequence[Piece], most: int) -> list[Row]:
    """Return pieces as rows; those that were left as they are stand together. At most so many are shown."""
    rows: list[Row] = []
    for piece in pieces:
        if len(rows) >= most:
            break
        if piece.original != piece.obfuscation:
            rows.append(Row(*compared(piece.original, piece.obfuscation)))
        elif rows and rows[-1].same:
            text = rows[-1].before[0].text + piece.original
            rows[-1] = Row((Stretch(text),), (Stretch(text),), rows[-1].same + 1)
        else:
            rows.append(Row((Stretch(piece.original),), (Stretch(piece.original),), 1))
    return rows
