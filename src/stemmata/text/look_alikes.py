"""Letters of one script that a reader takes for letters of another, as a Cyrillic ``а`` for a Latin ``a``."""

from __future__ import annotations

import re
from collections import Counter

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
TO_CYRILLIC = {latin: other for other, latin in LOOK_ALIKES["Cyrillic"].items()}
"""Latin letters that a reader takes for Cyrillic ones."""

INVISIBLE = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2064\ufeff"
"""As a character class: characters without width, soft hyphens and marks of direction among them."""
_LETTER = r"[^\W\d_]"
_WORD = re.compile(rf"{_LETTER}(?:{_LETTER}|[{INVISIBLE}])*")
_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u052f]")

SAME_SCRIPT = 0.9
"""Share of a text's letters from which its script is clear, so that a word in another one is odd."""


def find_look_alikes(text: str) -> list[Span]:
    r"""Return words that mix scripts by look-alikes, and whole words of look-alikes in the other script.

    Examples
    --------
    >>> find_look_alikes("C\u044b\u043d, a p\u0430per")
    [Span(start=0, end=3), Span(start=7, end=12)]
    """
    if not _FOREIGN.search(text):
        return []
    words = [(match, scripts_of(match.group())) for match in _WORD.finditer(text)]
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


def scripts_of(word: str) -> Counter[str]:
    """Return how many letters of a word are of each script."""
    return Counter(script for c in word if (script := _script(c)))


def _script(c: str) -> str | None:
    if c < "\u0370":
        return "Latin" if c.isalpha() else None
    if c < "\u0400":
        return "Greek"
    return "Cyrillic" if c < "\u0530" else None
