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
from stemmata.rewriting.sentence_joints import FINITE

ASIDE = "aside"
_ASIDE = (2, 15)
"""How many words may be set off by dashes or brackets."""
_INTERRUPTING = ("PRP", "PRF", "VVG", "VVN", "VHG", "VBG", "AT0", "DPS", "CJS", "AJ0")
"""Beginnings of the tag with which something begins that interrupts a clause …"""
_QUALIFIED = ("PRP", "VVG", "VVN", "AJ0")
"""… and so it does with an adverb or *half* before one of these."""
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
        if inner in PUT_IN | _LINKING or _TORN.search(inner) or _is_item(stretch, number, other):
            continue
        # "Things from beyond and, may I say, from below".
        if words[-1] in ("and", "or", "but", "that"):
            continue
        # "My wife" may be called.
        fits = _ends_in_name(reading, one) and words[0] not in ("my", "so")
        fits &= words[0] in _RELATIVE or _interrupts(reading, one)
        if fits and stretch.verb_behind(other):
            yield Edit(one, other + 2, f"{dash}{inner}{dash}", ASIDE)
            yield Edit(one, other + 1, f" ({inner})", ASIDE)


def _ends_in_name(reading: Reading, at: int) -> bool:
    """Return whether a noun, a name or a pronoun stands before an offset."""
    number = reading.word_from(at) - 1
    if number < 0 or reading.tags[number].tag.startswith(("NN", "NP", "PN")):
        return number >= 0
    # "Secondly, the most of them, as we know, are": a capital tells nothing where a sentence begins.
    return reading.passage.words[number][0].isupper() and not reading.begins_sentence(
        reading.passage.start[number]
    )


def _interrupts(reading: Reading, at: int) -> bool:
    """Return whether something begins at an offset that may interrupt a clause."""
    first = reading.word_from(at)
    tags = [one.tag for one in reading.tags[first : first + 2]]
    qualified = tags[0] == "AV0" or reading.passage.words[first] == "half"
    return tags[0].startswith(_INTERRUPTING) or (qualified and tags[-1].startswith(_QUALIFIED))


def _is_item(stretch: Stretch, number: int, other: int) -> bool:
    """Return whether what stands between commas is an item of a list, or ends a clause that opens another."""
    reading, one = stretch.reading, stretch.commas[number]
    begin = stretch.commas[number - 1] if number else stretch.start
    first = reading.tags[reading.word_from(one)].tag
    if first in ("VVN", "AJ0") and reading.text.startswith((" and ", " or "), other + 1):
        return True
    if number and first in ("AT0", "DPS") and not stretch.has_verb(begin, one):
        return reading.tag_before(begin).startswith(("NN", "NP"))
    opening = [word in SUBORDINATE for word in stretch.words(begin, one)][:2]
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
    done = first == "VVN" and words[:2] != ["used", "to"]
    acting |= done and words[1] in _DONE_TO and not _ITEMS.search(inner)
    named = _is_named(stretch, at)
    if not relative and not acting and not named and stretch.has_verb(at, stretch.end):
        return
    asked = words[0] == "which" and reading.tag_from(at + 8).startswith(("NN", "AJ"))
    if len(stretch.words(stretch.before(number), at)) < _LEAST or asked:
        return
    if words[0] in _ADDING or acting or named:
        yield Edit(at, at + 2, dash_of(text), ASIDE)
        if relative:
            yield Edit(at, stretch.end - 1, f" ({inner})", ASIDE)


_CLAUSES = {"that", "which", "who", "whom", "whose", "where", "when", "as", "if"}
"""Words with which a clause begins that belongs to a noun before it."""
_OTHERS = re.compile(r"\b(?:and|or|nor) (?:the|an?|his|her|its|my|our|your|their|some|no)\b|, ")


def _is_named(stretch: Stretch, at: int) -> bool:
    """Return whether a comma is followed by what something is, *a great surprise to us*, or is like."""
    reading = stretch.reading
    first, end = reading.word_from(at), reading.word_from(stretch.end)
    tags = [one.tag for one in reading.tags[first:end]]
    words = [word.lower() for word in reading.passage.words[first:end]]
    # "He had a hat, a coat and a stick"; "It was a long, dark night".
    if _OTHERS.search(reading.text, at + 1, stretch.end) or words[0] in ("no", "such"):
        return False
    verb = next((place for place, tag in enumerate(tags) if tag in FINITE), len(tags))
    if verb < len(tags) and _CLAUSES.isdisjoint(words[2:verb]):
        return False
    what = tags[0] == "AT0" and words[0] in ("a", "an", "the") and any(one.startswith("NN") for one in tags)
    return what or (tags[0] == "AJ0" and tags[1] in ("PRP", "PRF", "TO0"))


# What accompanies it.

_OWN = {
    "arm", "arms", "back", "body", "breath", "cheeks", "chest", "chin", "coat", "ears", "elbows", "eye",
    "eyes", "eyebrows", "face", "feet", "finger", "fingers", "fists", "forehead", "gaze", "hair", "hand",
    "hands", "hat", "head", "heart", "jaw", "knees", "leg", "legs", "lips", "mind", "mouth", "palms",
    "shoulders", "skin", "tail", "teeth", "voice", "wings",
}  # fmt: skip
"""What somebody has about him: *he stood there, his arms folded*."""
_STATES = ("VVG", "VVN", "AJ0", "AV0", "AVP")
_FEW = 3
"""Of what somebody has about him more words than these must be told."""
_STATED_BY = {"in", "on", "at", "to", "against", "over", "above", "under", "beside", "full", "behind"}
_AROUND = {
    "air", "clouds", "crowd", "door", "fire", "lamp", "light", "moon", "night", "others", "rain", "rest",
    "sea", "sky", "smoke", "snow", "stars", "sun", "trees", "water", "waves", "wind",
}  # fmt: skip
"""What may be about: *they went on, the wind howling around them*."""
_WORN = re.compile(
    r" an? (?:[\w-]+ ){1,4}(?:on|in|at|over|under|across|around) (?:his|her|its|my|our|your|their) "
    r"(?P<own>\w+)[.,]"
)
"""What is seen of somebody: *he looked up, a smile on his face*."""


def _accompanying(stretch: Stretch) -> Iterator[Edit]:
    """Yield *with* for the comma of *he stood there, his arms folded*."""
    text = stretch.reading.text
    for number, at in enumerate(stretch.commas):
        behind = stretch.behind(number)
        closed = number + 1 < len(stretch.commas) or text[behind - 1] == "."
        if not closed or text[at + 1] != " " or not text[at - 1].isalpha() or stretch.has_verb(at, behind):
            continue
        worn = _WORN.match(text, at + 1, behind + 1)
        about = worn["own"] in _OWN if worn else _is_about(stretch, at, behind)
        if about and stretch.ends_main_clause(number):
            yield Edit(at, at + 1, " with", ASIDE)


def _is_about(stretch: Stretch, at: int, behind: int) -> bool:
    """Return whether a comma is followed by how something is that somebody has, or that is around him."""
    reading = stretch.reading
    first, end = reading.word_from(at), reading.word_from(behind)
    words, tags = stretch.words(at, behind), [one.tag for one in reading.tags[first:end]]
    noun = 2 if tags[1:2] == ["AJ0"] else 1
    if len(words) <= noun + 1:
        return False
    if words[0] in _OWN:
        return tags[1] in ("VVG", "VVN")
    doing = tags[noun + 1] == "VVG" or (tags[noun + 1] == "VVN" and len(words) > noun + 2)
    if words[0] == "the":
        return words[noun] in _AROUND and doing
    stated = tags[noun + 1].startswith(_STATES) or words[noun + 1] in _STATED_BY
    own = words[noun] in _OWN and stated and len(words) > _FEW
    return tags[0] == "DPS" and tags[noun].startswith("NN") and (doing or own)
