"""Asides: what interrupts a clause, or is added to it, between dashes or in brackets instead of commas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from stemmata.masking.guided.commas import PUT_IN
from stemmata.masking.guided.stretches import SUBORDINATE, Stretch, stretches
from stemmata.rewriting import Edit
from stemmata.rewriting.punctuation_habits import SET_OFF, dash_of
from stemmata.rewriting.reading import Reading

ASIDE = "aside"
_ASIDE = (2, 12)
"""How many words may be set off by dashes or brackets."""
_INTERRUPTING = ("PRP", "VVG", "VVN", "AT0", "DPS", "CJS")
"""Beginnings of the tag with which something begins that interrupts a clause."""
_LINKING = {
    "as a result", "by contrast", "for example", "for instance", "in addition", "in particular", "in short",
    "on the contrary", "on the other hand", "on the whole",
}  # fmt: skip
"""What links a sentence to others, and is not set off by more than commas."""
_TORN = re.compile(r"(?<!\w)['‘’]|['’](?!\w)|[.?!] |\s\Z")


def asides(reading: Reading) -> Iterator[Edit]:
    """Yield asides set off by other marks, in no order.

    Examples
    --------
    >>> from stemmata.rewriting.reading import read
    >>> text = "He went home at once, leaving her alone."
    >>> [(text[edit.start : edit.end], edit.replacement) for edit in asides(read(text))]
    [(', ', ' – ')]
    """
    for start, end in reading.sentences:
        if SET_OFF.search(reading.text, start, end):
            continue
        parts = list(stretches(reading, start, end))
        for stretch in parts:
            yield from _interrupting(stretch)
            yield from _accompanying(stretch)
        yield from _added(parts[-1])


def _interrupting(stretch: Stretch) -> Iterator[Edit]:
    """Yield what interrupts a clause between dashes or in brackets instead of between commas.

    It stands between a subject and its verb, or between two verbs of one subject.
    """
    reading, text = stretch.reading, stretch.reading.text
    dash = dash_of(text)
    for number, (one, other) in enumerate(pairwise(stretch.commas)):
        inner = text[one + 2 : other]
        words = stretch.words(one, other)
        if not _ASIDE[0] <= len(words) <= _ASIDE[1] or not inner[:1].islower() or "\n" in inner:
            continue
        first = reading.tags[reading.word_from(one)].tag
        noun = reading.tag_before(one).startswith(("NN", "NP", "PN"))
        # "My wife" may be called.
        if inner in PUT_IN | _LINKING or _TORN.search(inner) or _is_item(stretch, number, other):
            continue
        begins = first.startswith(_INTERRUPTING) or words[0] in _RELATIVE
        fits = noun and words[0] not in ("my", "so") and begins
        if fits and stretch.verb_behind(other):
            yield Edit(one, other + 2, f"{dash}{inner}{dash}", ASIDE)
            yield Edit(one, other + 1, f" ({inner})", ASIDE)


def _is_item(stretch: Stretch, number: int, other: int) -> bool:
    """Return whether what stands between commas is an item of a list, or ends a clause that opens another."""
    reading, one = stretch.reading, stretch.commas[number]
    begin = stretch.commas[number - 1] if number else stretch.start
    first = reading.tags[reading.word_from(one)].tag
    if first == "VVN" and reading.text.startswith((" and ", " or "), other + 1):
        return True
    if number and first in ("AT0", "DPS") and not stretch.has_verb(begin, one):
        return reading.tag_before(begin).startswith(("NN", "NP"))
    opening = [word in SUBORDINATE for word in stretch.words(begin, one)][:3]
    return any(opening) and stretch.has_verb(begin, one)


_ADDED = (3, 18)
"""How many words may be added behind a dash."""
_ADDING = {
    "all", "especially", "even", "including", "mainly", "mostly", "not", "only", "particularly", "some",
    "usually", "which", "who", "whose", "with", "without",
}  # fmt: skip
"""Words with which something is added at the end of a sentence, and so it is with participles."""
_RELATIVE = {"which", "who", "whose"}
_LEAST = 4
"""Words that must have gone before."""
_DONE_TO = {"by", "with", "in", "on", "from", "to", "into", "as", "at", "against"}
"""Words behind a participle that tells what was done: *covered with dust*."""
_ITEMS = re.compile(r", |\b(?:and|or|nor)\b")
_DOING = re.compile(r"\b(?:and|or|nor) \w+ing\b")
_PREPOSITIONS = {"according", "beginning", "concerning", "depending", "during", "owing", "regarding"}
"""What only looks like a participle."""


def _added(stretch: Stretch) -> Iterator[Edit]:
    """Yield what a comma adds at the end of a sentence behind a dash, or in brackets if it is a clause."""
    reading, text = stretch.reading, stretch.reading.text
    if not stretch.commas or text[stretch.end - 1] != ".":
        return
    at, number = stretch.commas[-1], len(stretch.commas) - 1
    inner = text[at + 2 : stretch.end - 1]
    words = stretch.words(at, stretch.end)
    if not _ADDED[0] <= len(words) <= _ADDED[1] or not inner[:1].islower() or _TORN.search(f"{inner}."):
        return
    if "\n" in inner or not text[at - 1].isalpha() or not stretch.ends_main_clause(number):
        return
    relative = words[0] in _RELATIVE
    first = reading.tag_from(at)
    # "He sat there, smoking and reading": a list. "How it is seen, which way it goes": asked.
    acting = first == "VVG" and words[0] not in _PREPOSITIONS and not _DOING.search(inner)
    acting |= first == "VVN" and words[1] in _DONE_TO and not _ITEMS.search(inner)
    if not relative and not acting and stretch.has_verb(at, stretch.end):
        return
    asked = words[0] == "which" and reading.tag_from(at + 8).startswith(("NN", "AJ"))
    if len(stretch.words(stretch.before(number), at)) < _LEAST or asked:
        return
    if words[0] in _ADDING or acting:
        yield Edit(at, at + 2, dash_of(text), ASIDE)
        if relative:
            yield Edit(at, stretch.end - 1, f" ({inner})", ASIDE)


_OWN = {
    "arm", "arms", "back", "body", "breath", "cheeks", "chest", "chin", "coat", "ears", "elbows", "eye",
    "eyes", "eyebrows", "face", "feet", "finger", "fingers", "fists", "forehead", "gaze", "hair", "hand",
    "hands", "hat", "head", "heart", "jaw", "knees", "leg", "legs", "lips", "mind", "mouth", "palms",
    "shoulders", "skin", "tail", "teeth", "voice", "wings",
}  # fmt: skip
"""What somebody has about him: *he stood there, his arms folded*."""
_STATES = ("VVG", "VVN", "AJ0", "AV0", "AVP")
_STATED_BY = {"in", "on", "at", "to", "against", "over", "above", "under", "beside", "full", "behind"}


def _accompanying(stretch: Stretch) -> Iterator[Edit]:
    """Yield *with* for the comma of *he stood there, his arms folded*."""
    reading, text = stretch.reading, stretch.reading.text
    for number, at in enumerate(stretch.commas):
        behind = stretch.behind(number)
        first = reading.word_from(at)
        words, tags = stretch.words(at, behind), [one.tag for one in reading.tags[first : first + 4]]
        if min(len(words), len(tags)) < 4 or text[at + 1] != " " or not text[at - 1].isalpha():
            continue
        noun = 2 if tags[1] == "AJ0" else 1
        if tags[0] != "DPS" or words[noun] not in _OWN or stretch.has_verb(at, behind):
            continue
        stated = tags[noun + 1].startswith(_STATES) or words[noun + 1] in _STATED_BY
        closed = number + 1 < len(stretch.commas) or text[behind - 1] == "."
        if stated and closed and stretch.ends_main_clause(number):
            yield Edit(at, at + 1, " with", ASIDE)
