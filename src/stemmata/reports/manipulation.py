"""Characters that hide copying: look-alike letters, invisible ones, overrides of the direction of writing.

A detector that compares characters does not see that ``pаper`` with a Cyrillic ``а`` is ``paper``; a
reader does not see that anything is odd. The report shows a reader what is there, and compares words as a
reader would see them.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from stemmata.model import Span

_LATIN = "AaBCcEeHIiJjKMOoPpSsTXxYyVvdhqwl"
_CYRILLIC = "АаВСсЕеНІіЈјКМОоРрЅѕТХхУуѴѵԁһԛԝӏ"
_GREEK = {"A": "Α", "B": "Β", "E": "Ε", "Z": "Ζ", "H": "Η", "I": "Ι", "K": "Κ", "M": "Μ", "N": "Ν"}
_GREEK |= {"O": "Ο", "P": "Ρ", "T": "Τ", "X": "Χ", "Y": "Υ", "o": "ο", "v": "ν", "u": "υ"}

LOOK_ALIKES: dict[str, dict[str, str]] = {
    "Cyrillic": dict(zip(_CYRILLIC, _LATIN, strict=True)),
    "Greek": {greek: latin for latin, greek in _GREEK.items()},
}
"""Letters of each script that a reader takes for Latin ones (a strict choice from Unicode's confusables)."""
_TO_CYRILLIC = {latin: other for other, latin in LOOK_ALIKES["Cyrillic"].items()}

INVISIBLE = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2064\ufeff"
"""As a character class: characters without width, soft hyphens and marks of direction among them."""
DIRECTION = "\u202a-\u202e\u2066-\u2069"
"""As a character class: embeddings, overrides and isolates of the direction of writing."""

_LETTER = r"[^\W\d_]"
_WORD = re.compile(rf"{_LETTER}(?:{_LETTER}|[{INVISIBLE}])*")
_INVISIBLE = re.compile(f"[{INVISIBLE}]+")
_DIRECTION = re.compile(f"[{DIRECTION}]")
_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u052f]")
_JOINED_SCRIPTS = re.compile("[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff]")
"""Scripts in whose words joiners and marks of direction are ordinary spelling."""

SAME_SCRIPT = 0.9
"""Share of a text's letters from which its script is clear, so that a word in another one is odd."""


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
        Manipulation(Trick.LOOK_ALIKE, tuple(_look_alikes(text))),
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
    scripts = _scripts(word)
    if len(scripts) > 1:
        cyrillic_first = scripts["Cyrillic"] > scripts["Latin"]
        tables = [_TO_CYRILLIC] if cyrillic_first else list(LOOK_ALIKES.values())
        word = "".join(next((table[c] for table in tables if c in table), c) for c in word)
    return word.casefold()


def _look_alikes(text: str) -> list[Span]:
    """Return words that mix scripts by look-alikes, and whole words of look-alikes in the other script."""
    if not _FOREIGN.search(text):
        return []
    words = [(match, _scripts(match.group())) for match in _WORD.finditer(text)]
    total: Counter[str] = Counter()
    for _, scripts in words:
        total += scripts
    main = next((script for script, n in total.items() if n >= SAME_SCRIPT * total.total()), None)
    return [Span(*match.span()) for match, scripts in words if _looks_other(match.group(), scripts, main)]


def _looks_other(word: str, scripts: Counter[str], main: str | None) -> bool:
    if len(scripts) > 1:
        return any(
            all(c in alike for c in word if _script(c) == script)
            or all(c in alike.values() for c in word if _script(c) == "Latin")
            for script, alike in LOOK_ALIKES.items()
            if script in scripts
        )
    # Single Greek letters are formulas, not disguise.
    alone = next(iter(scripts), None)
    if main != "Latin" or alone not in LOOK_ALIKES or (alone == "Greek" and len(word) < 2):
        return False
    return all(c in LOOK_ALIKES[alone] for c in word)


def _scripts(word: str) -> Counter[str]:
    return Counter(script for c in word if (script := _script(c)))


def _script(c: str) -> str | None:
    if c < "\u0370":
        return "Latin" if c.isalpha() else None
    if c < "\u0400":
        return "Greek"
    return "Cyrillic" if c < "\u0530" else None


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
