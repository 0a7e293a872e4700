"""Hard checks of meaning: numbers, names and negations that were lost or added, each with its place.

A sentence may keep nearly all its words and yet say another thing, if a number or a "not" is gone. Similarity
hardly sees that, so it is counted apart, and needs no model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SPELLED = {
    "zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14",
    "fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20",
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80",
    "ninety": "90", "hundred": "100", "thousand": "1000", "million": "1000000", "billion": "1000000000",
}  # fmt: skip
"""Numbers in words, but "one", which mostly is none."""

# A capital inside a sentence: behind a word, a comma or a semicolon, and no title in capitals throughout.
_INSIDE = re.compile(r"(?<=[\w,;'’\")] )[A-Z][^\W_]*(?:['’-][^\W\d_]+)*")
_NO_NAMES = frozenset({"I", "A", "O"})
_POSSESSIVE = re.compile(r"['’](?:s|m|d|re|ve|ll|t)?$|['’](?=[A-Z])", re.IGNORECASE)

_NEGATIONS = frozenset(
    {"not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "nowhere", "without", "cannot"}
    | {"cant", "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "hasnt", "havent", "hadnt"}
    | {"wont", "wouldnt", "couldnt", "shouldnt", "mustnt", "neednt", "aint"}
)
_NEGATIVE_PREFIX = re.compile(r"^(?:un|in|im|ir|il|dis|non)(?=\w{4})")


class Finding(NamedTuple):
    """What was lost or added.

    Attributes
    ----------
    change
        ``"lost"`` or ``"added"``.
    text
        The number, name or negation as written.
    start, end
        Where it stands: what was lost in the original, what was added in the obfuscated text.
    """

    change: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Checks:
    """What is not as it was; where all are empty, everything is kept."""

    numbers: tuple[Finding, ...] = ()
    names: tuple[Finding, ...] = ()
    negations: tuple[Finding, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.numbers or self.names or self.negations)

    def as_json(self) -> dict[str, list[dict[str, object]]]:
        """Return the findings of each kind."""
        return {
            "numbers": [one._asdict() for one in self.numbers],
            "names": [one._asdict() for one in self.names],
            "negations": [one._asdict() for one in self.negations],
        }


class _Mark(NamedTuple):
    key: str
    text: str
    start: int
    end: int


def checks_of(original: str, obfuscated: str) -> Checks:
    """Compare numbers, names and negations of an English text and what became of it.

    Numbers may be spelled out; ``12`` is kept as ``twelve``. A name is a word with a capital inside a
    sentence; it is kept wherever and in whatever case it occurs. Negations are counted: ``not`` may become
    ``never``, and ``not happy`` may become ``unhappy``.

    Examples
    --------
    >>> found = checks_of("In 1916 Ann did not go.", "In 1961 Ann did go.")
    >>> [(one.change, one.text, one.start) for one in (*found.numbers, *found.negations)]
    [('lost', '1916', 3), ('added', '1961', 3), ('lost', 'not', 16)]
    """
    old_words, new_words = _words(original), _words(obfuscated)
    return Checks(
        _differences(_numbers(original), _numbers(obfuscated)),
        _name_differences(original, obfuscated, old_words, new_words),
        _negation_differences(old_words, new_words),
    )


def _words(text: str) -> list[_Mark]:
    return [
        _Mark(found[0].lower().replace("’", "'"), found[0], *found.span()) for found in _WORD.finditer(text)
    ]


def _numbers(text: str) -> list[_Mark]:
    digits = [
        _Mark(re.sub(r",(?=\d{3}(?!\d))", "", found[0]), found[0], *found.span())
        for found in _NUMBER.finditer(text)
    ]
    spelled = [one._replace(key=_SPELLED[one.key]) for one in _words(text) if one.key in _SPELLED]
    return sorted(digits + spelled, key=lambda one: one.start)


def _differences(old: list[_Mark], new: list[_Mark]) -> tuple[Finding, ...]:
    """Return what the one has more often than the other."""
    lost, added = _beyond(old, new), _beyond(new, old)
    return (*_findings("lost", lost), *_findings("added", added))


def _beyond(marks: list[_Mark], others: list[_Mark]) -> list[_Mark]:
    left: dict[str, int] = {}
    for one in others:
        left[one.key] = left.get(one.key, 0) + 1
    found = []
    for one in marks:
        left[one.key] = left.get(one.key, 0) - 1
        if left[one.key] < 0:
            found.append(one)
    return found


def _findings(change: str, marks: Iterable[_Mark]) -> list[Finding]:
    return [Finding(change, one.text, one.start, one.end) for one in marks]


def _name_differences(
    original: str, obfuscated: str, old_words: list[_Mark], new_words: list[_Mark]
) -> tuple[Finding, ...]:
    found = []
    pairs = (("lost", original, new_words), ("added", obfuscated, old_words))
    for change, text, other_words in pairs:
        there = {_POSSESSIVE.sub("", one.key) for one in other_words}
        there |= {part for key in there for part in key.split("'")}
        seen: set[str] = set()
        for name in _names(text):
            if name.key not in there and name.key not in seen:
                seen.add(name.key)
                found.append(Finding(change, name.text, name.start, name.end))
    return tuple(found)


def _names(text: str) -> list[_Mark]:
    words = _WORD.findall(text)
    shouted = sum(word.isupper() for word in words) * 2 > len(words) > 1
    titled = sum(word[0].isupper() for word in words) * 4 > 3 * len(words) > 9
    if shouted or titled:
        return []
    found = []
    for match in _INSIDE.finditer(text):
        bare = _POSSESSIVE.sub("", match[0])
        if bare and bare not in _NO_NAMES:
            found += [
                _Mark(part.lower(), bare, match.start(), match.start() + len(bare))
                for part in re.split(r"['’-]", bare)[:1]
            ]
    return found


def _negation_differences(old: list[_Mark], new: list[_Mark]) -> tuple[Finding, ...]:
    lost, added = _negations(old, new), _negations(new, old)
    surplus = len(lost) - len(added)
    if surplus == 0:
        return ()
    change, more, fewer = ("lost", lost, added) if surplus > 0 else ("added", added, lost)
    # Those without a counterpart of the same word first; which of several alike is gone nobody can tell.
    return tuple(_findings(change, (_beyond(more, fewer) or more)[: abs(surplus)]))


def _negations(words: list[_Mark], others: list[_Mark]) -> list[_Mark]:
    """Return the negations among words; a prefix is one if the word without it is in the other text."""
    there = {one.key for one in others}
    found = []
    for one in words:
        bare = _NEGATIVE_PREFIX.sub("", one.key)
        by_prefix = bare != one.key and bare in there and one.key not in there
        if one.key in _NEGATIONS or one.key.endswith("n't") or by_prefix:
            found.append(one._replace(key="not" if one.key.endswith("n't") or by_prefix else one.key))
    return found
