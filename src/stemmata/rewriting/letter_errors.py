"""Letter errors: common words as many people misspell them, and such misspellings put right. English.

The table lists words that guides to spelling warn of. No misspelling in it is a word of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from stemmata.model import ErrorCode, StemmataError
from stemmata.rewriting.edits import Edit
from stemmata.rewriting.lookup import PhraseIndex
from stemmata.rewriting.reading import cased_like
from stemmata.rewriting.transformation import in_order

Direction = Literal["wrong", "right"]


@dataclass(frozen=True)
class LetterErrors:
    """Propose common misspellings, or to mend them.

    Parameters
    ----------
    direction
        What to write: words ``"wrong"`` or ``"right"``.

    Examples
    --------
    >>> [edit.replacement for edit in LetterErrors().proposals("Friends believe it.")]
    ['Freinds', 'beleive']
    >>> [edit.replacement for edit in LetterErrors("right").proposals("Friends beleive it.")]
    ['believe']
    """

    direction: Direction = "wrong"

    def __post_init__(self) -> None:
        if self.direction not in ("wrong", "right"):
            rule = "it is wrong or right"
            raise StemmataError(ErrorCode.BAD_PARAMETER, name="direction", value=self.direction, rule=rule)

    def proposals(self, text: str) -> list[Edit]:
        """Return edits of the kind ``misspelling`` or ``correction``."""
        kind = "misspelling" if self.direction == "wrong" else "correction"
        table, index = _table(self.direction)
        edits = []
        for start, end, word in index.find(text):
            edits.append(Edit(start, end, cased_like(text[start:end], table[word]), kind))
        return in_order(edits, text)


@cache
def _table(direction: Direction) -> tuple[dict[str, str], PhraseIndex]:
    lines = (files("stemmata.rewriting") / "data" / "misspellings.txt").read_text("utf-8").splitlines()
    pairs = [line.split() for line in lines]
    table = {(one[0] if direction == "wrong" else one[1]): one[direction == "wrong"] for one in pairs}
    return table, PhraseIndex(table)
