"""Hard checks of meaning: numbers, names and negations that were lost or added, each with its place.

A sentence may keep nearly all its words and yet say another thing, if a number or a "not" is gone. Similarity
hardly sees that, so it is counted apart, and needs no model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_UNITS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
}  # fmt: skip
_TEENS = {
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9,
}  # fmt: skip
"""Only behind tens, as in *twenty-first*; alone they mostly count nothing."""
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_NUMERALS = frozenset({"zero", *_UNITS, *_TEENS, *_TENS, *_ORDINALS, "hundred", *_SCALES})
_ONE = "one"
"""A number only as a part of another, as it mostly is none; yet *1* is kept as *one*."""
_FIGURE = re.compile(r"\d{1,15}(?:\.\d{1,9})?\Z")
_JOINED = re.compile(r"[^\S\n]*\n?[^\S\n]*(?<=\s)|[-‐‑]")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_COMMA = re.compile(r",\s+")

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

    Numbers may be spelled out; ``12`` is kept as ``twelve``, and ``205`` as ``two hundred and five``. A name
    is a word with a capital inside a sentence; it is kept wherever and in whatever case it occurs. Negations
    are counted: ``not`` may become ``never``, and ``not happy`` may become ``unhappy``.

    Examples
    --------
    >>> found = checks_of("In 1916 Ann did not go.", "In 1961 Ann did go.")
    >>> [(one.change, one.text, one.start) for one in (*found.numbers, *found.negations)]
    [('lost', '1916', 3), ('added', '1961', 3), ('lost', 'not', 16)]
    """
    old_words, new_words = _words(original), _words(obfuscated)
    return Checks(
        _number_differences(_numbers(original, old_words), _numbers(obfuscated, new_words)),
        _name_differences(original, obfuscated, old_words, new_words),
        _negation_differences(old_words, new_words),
    )


def _words(text: str) -> list[_Mark]:
    return [
        _Mark(found[0].lower().replace("’", "'"), found[0], *found.span()) for found in _WORD.finditer(text)
    ]


def _numbers(text: str, words: list[_Mark]) -> list[_Mark]:
    """Return the numbers of a text, in figures, in words, or in both, as *2 million*."""
    parts = [
        _Mark(re.sub(r",(?=\d{3}(?!\d))", "", found[0]), found[0], *found.span())
        for found in _NUMBER.finditer(text)
    ]
    parts += [one for one in words if one.key in _NUMERALS]
    numerals = _Numerals(text, sorted(parts, key=lambda one: one.start))
    found, at = [], 0
    while at < len(parts):
        key, after = numerals.number(at)
        if key:
            start, end = numerals.parts[at].start, numerals.parts[after - 1].end
            found.append(_Mark(key, text[start:end], start, end))
        at = max(after, at + 1)
    return found


class _Term(NamedTuple):
    """A number up to the next scale, as *two hundred thousand*; `after` is the part that follows it."""

    value: Decimal
    scale: int
    after: int


@dataclass(frozen=True)
class _Numerals:
    """Numerals of a text, of which several can be one number."""

    text: str
    parts: list[_Mark]

    def number(self, at: int) -> tuple[str, int]:
        """Return the number that begins with a part, and the part behind it; empty where there is none."""
        first = self._term(at)
        if first is None:
            key = self.parts[at].key
            return ("0" if key == "zero" else "" if key in _ORDINALS else key), at + 1
        value, scale, after = first
        while scale and (term := self._next(after, scale)):
            value, scale, after = value + term.value, term.scale, term.after
        if after == at + 1 and self.parts[at].key == _ONE:
            return _ONE, after
        return (f"{value:f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))), after

    def _next(self, at: int, scale: int) -> _Term | None:
        """Return the lower term that belongs to the number before it."""
        term = self._term(at) if at < len(self.parts) and not self.parts[at].key[0].isdigit() else None
        if term is None or term.value >= scale:
            return None
        alone = self._joined(at, _AND) and term.value < 100
        return term if alone or self._joined(at) or self._joined(at, _COMMA) else None

    def _term(self, at: int) -> _Term | None:
        key = self.parts[at].key
        if _FIGURE.match(key):
            value, after = Decimal(key), at + 1
            if not self._is(after, "hundred", *_SCALES):
                # As it is written: "007" and "1.50".
                return None
            if self._is(after, "hundred"):
                value, after = value * 100, after + 1
        elif key in _SCALES:
            value, after = Decimal(1), at
        else:
            below, after = self._hundreds(at)
            if not below:
                return None
            value = Decimal(below)
        if after == at or self._is(after, *_SCALES):
            scale = _SCALES[self.parts[after].key]
            return _Term(value * scale, scale, after + 1)
        return _Term(value, 0, after)

    def _hundreds(self, at: int) -> tuple[int, int]:
        """Return a number of hundreds, tens and units, 0 where none begins."""
        value, after = (1, at) if self.parts[at].key == "hundred" else self._tens(at)
        if not value or not (after == at or self._is(after, "hundred")):
            return value, after
        value, after = value * 100, after + 1
        if self._joined(after) or self._joined(after, _AND):
            below, behind = self._tens(after)
            # "Between one hundred and two hundred" are two numbers.
            if below and not self._is(behind, "hundred"):
                return value + below, behind
        return value, after

    def _tens(self, at: int) -> tuple[int, int]:
        key = self.parts[at].key
        if key in _TENS:
            unit = self.parts[at + 1].key if self._joined(at + 1) else ""
            more = _UNITS.get(unit) or _ORDINALS.get(unit) or 0
            return _TENS[key] + more, at + 1 + bool(more)
        value = _UNITS.get(key) or _TEENS.get(key) or 0
        return value, at + bool(value)

    def _is(self, at: int, *keys: str) -> bool:
        """Return whether a part is one of some, and belongs to the part before."""
        return self._joined(at) and self.parts[at].key in keys

    def _joined(self, at: int, by: re.Pattern[str] = _JOINED) -> bool:
        """Return whether a part is joined to the part before it."""
        if not 0 < at < len(self.parts):
            return False
        return by.fullmatch(self.text, self.parts[at - 1].end, self.parts[at].start) is not None


def _number_differences(old: list[_Mark], new: list[_Mark]) -> tuple[Finding, ...]:
    """Return the numbers that the one has more often than the other."""
    found: list[Finding] = []
    for change, marks, others in (("lost", old, new), ("added", new, old)):
        counted = [one for one in marks if one.key != _ONE]
        there = [one._replace(key="1") if one.key == _ONE else one for one in others]
        found += _findings(change, _beyond(counted, there))
    return tuple(found)


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
