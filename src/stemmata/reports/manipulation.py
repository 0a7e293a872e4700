"""Characters that hide copying: look-alike letters, invisible ones, overrides of the direction of writing.

A detector that compares characters does not see that ``pаper`` with a Cyrillic ``а`` is ``paper``; a
reader does not see that anything is odd. The report shows a reader what is there, and compares words as a
reader would see them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from stemmata.model import Span
from stemmata.text.look_alikes import INVISIBLE, LOOK_ALIKES, TO_CYRILLIC, find_look_alikes, scripts_of

DIRECTION = "\u202a-\u202e\u2066-\u2069"
"""As a character class: embeddings, overrides and isolates of the direction of writing."""

_INVISIBLE = re.compile(f"[{INVISIBLE}]+")
_DIRECTION = re.compile(f"[{DIRECTION}]")
_JOINED_SCRIPTS = re.compile("[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff]")
"""Scripts in whose words joiners and marks of direction are ordinary spelling."""


class Trick(StrEnum):
    """What was found in a text."""

    LOOK_ALIKE = "look-alike letters"
    INVISIBLE = "invisible characters"
    DIRECTION = "changed direction of writing"


@dataclass(frozen=True)
class Manipulation:
    """One kind of odd character in a document, and where."""

    trick: Trick
    spans: tuple[Span, ...]


def find_manipulation(text: str) -> list[Manipulation]:
    r"""Return what in a text looks other than it is; each kind once, with all its places.

    Examples
    --------
    >>> [(m.trick.value, m.spans) for m in find_manipulation("a p\u0430per")]
    [('look-alike letters', (Span(start=2, end=7),))]
    """
    if text.isascii():
        return []
    found = (
        Manipulation(Trick.LOOK_ALIKE, tuple(find_look_alikes(text))),
        Manipulation(Trick.INVISIBLE, tuple(_invisible(text))),
        Manipulation(Trick.DIRECTION, tuple(Span(*m.span()) for m in _DIRECTION.finditer(text))),
    )
    return [one for one in found if one.spans]


def as_seen(word: str) -> str:
    r"""Return a word as a reader takes it: small letters, nothing invisible, one script.

    Examples
    --------
    >>> as_seen("P\u0430p\u200ber")
    'paper'
    """
    if word.isascii():
        return word.lower()
    word = _INVISIBLE.sub("", word)
    scripts = scripts_of(word)
    if len(scripts) > 1:
        cyrillic_first = scripts["Cyrillic"] > scripts["Latin"]
        tables = [TO_CYRILLIC] if cyrillic_first else list(LOOK_ALIKES.values())
        word = "".join(next((table[c] for table in tables if c in table), c) for c in word)
    return word.casefold()


def _invisible(text: str) -> list[Span]:
    """Return invisible characters, except where spelling needs them and at the very start of a file."""
    ordinary = bool(_JOINED_SCRIPTS.search(text))
    spans = []
    for match in _INVISIBLE.finditer(text):
        start, end = match.span()
        before, after = text[start - 1 : start], text[end : end + 1]
        if (start == 0 and match.group() == "\ufeff") or ordinary:
            continue
        # Joiners between symbols make emoji.
        if before.isalnum() or after.isalnum():
            spans.append(Span(start, end))
    return spans
