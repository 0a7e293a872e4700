"""Discourse markers, such as *however* and *in fact*: left out, or exchanged for their like. English."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from stemmata.rewriting.edits import Edit
from stemmata.rewriting.lookup import Found, PhraseIndex
from stemmata.rewriting.passage import capitalised
from stemmata.rewriting.reading import Reading, cased_like, read
from stemmata.rewriting.transformation import in_order

_BEHIND = re.compile(r", ?(?=[^\W\d_])")
_PUT_IN = re.compile(
    r"(?:in|with|by|for|at|on|as|from|to|after|before|despite|without|like|of|if|when)\b[^,.;:!?()\n]{1,60}, "
)
_FINITE = ("VVD", "VVZ", "VBD", "VBZ", "VBB", "VHD", "VHZ", "VHB", "VDD", "VDZ", "VM0")
_REST_OF_VERB = ("VVI", "VVB", "VVN", "VVG", "VBI", "VBN", "VBG", "VHI", "VHN", "VDI", "VDN")
_WHAT_IT_IS = ("AT0", "AJ", "DPS")
_BEFORE = re.compile(r"(?:(?P<comma>,)|[;:—–(])(?P<gap> ?)\Z")
_BARE_SUBJECTS = ("PNP", "AT0", "DPS", "DT0", "NP0", "EX0", "NN2")
"""Tags of what may follow a marker without a comma, so that a subject begins there."""
_ORDINALS = {"first", "second", "third", "fourth", "then", "next", "finally", "and", "or"}


class Marker(NamedTuple):
    """A discourse marker.

    Attributes
    ----------
    relation
        What it tells.
    dispensable
        Whether the sentence says the same without.
    bare
        Whether it may begin a sentence without a comma behind it.
    inner
        Whether it may stand between commas.
    """

    relation: str
    dispensable: bool
    bare: bool
    inner: bool


@dataclass(frozen=True)
class DiscourseMarkers:
    """Propose to leave discourse markers out, or to put others of the same relation in their place.

    A marker stands at the beginning of a sentence with a comma behind it, or between two commas.

    Parameters
    ----------
    remove, exchange
        What to propose.

    Examples
    --------
    >>> text = "However, we stayed. It was, of course, late."
    >>> [(text[edit.start : edit.end], edit.replacement) for edit in DiscourseMarkers().proposals(text)][-3:]
    [('However, w', 'W'), (', of course, ', ' '), ('of course', 'naturally')]
    """

    remove: bool = True
    exchange: bool = True

    def proposals(self, text: str) -> list[Edit]:
        """Return edits of the kinds ``marker-removal`` and ``marker-exchange``."""
        table, index = _table()
        reading: Reading | None = None
        edits: list[Edit] = []
        for found in index.find(text):
            reading = reading or read(text)
            for marker in table[found.phrase]:
                edits += self._at(reading, found, marker)
        return in_order(edits, text)

    def _at(self, reading: Reading, found: Found, marker: Marker) -> Iterator[Edit]:
        text = reading.text
        behind = _BEHIND.match(text, found.end)
        first = reading.begins_sentence(found.start)
        before = None if first else _BEFORE.search(text, max(found.start - 2, 0), found.start)
        if not behind:
            if first and marker.bare and text[found.end : found.end + 1] == " ":
                yield from self._bare(reading, found, marker)
            return
        inner = before is not None and marker.inner
        # "First, second and third" is a list.
        listed = re.compile(r"\w+").match(text, behind.end())
        if not (first or inner) or (listed and listed[0].lower() in _ORDINALS):
            return
        if self.remove and marker.dispensable:
            yield _removal(reading, found, behind.end(), before)
        if self.exchange:
            yield from _exchanged(text, found, marker, inner)

    def _bare(self, reading: Reading, found: Found, marker: Marker) -> Iterator[Edit]:
        if self.exchange and reading.tag_from(found.end) in _BARE_SUBJECTS:
            yield from _exchanged(reading.text, found, marker, inner=False)


def _removal(reading: Reading, found: Found, behind: int, before: re.Match[str] | None) -> Edit:
    """Return the edit that leaves a marker out, with the commas and the capital it had."""
    text = reading.text
    if before is None:
        first = text[behind]
        new = capitalised(first) if text[found.start].isupper() else first
        return Edit(found.start, behind + 1, new, "marker-removal")
    start = before.start() if before["comma"] else found.start
    kept = ", " if _is_put_in(reading, start, behind) else " "
    return Edit(start, behind, kept if before["comma"] else "", "marker-removal")


def _is_put_in(reading: Reading, start: int, behind: int) -> bool:
    """Return whether the commas of a marker are also of a phrase behind it, after which the clause goes on.

    "It would, however, in my opinion, be" is such a one, "He was, however, in London, and she" is not.
    """
    phrase = _PUT_IN.match(reading.text, behind)
    if phrase is None:
        return False
    said, goes_on = reading.tag_before(start), reading.tag_from(phrase.end())
    if said.startswith(("NN", "NP", "PN")):
        return goes_on in _FINITE
    return (said.startswith(("VM", "VB", "VH", "VD")) and goes_on in _REST_OF_VERB) or (
        said.startswith("VB") and goes_on.startswith(_WHAT_IT_IS)
    )


def _exchanged(text: str, found: Found, marker: Marker, inner: bool) -> Iterator[Edit]:
    old = text[found.start : found.end]
    for other, its in _relations()[marker.relation]:
        if other != found.phrase and (its.inner or not inner):
            yield Edit(found.start, found.end, cased_like(old, other), "marker-exchange")


@cache
def markers() -> tuple[str, ...]:
    """Return all markers that can be left out."""
    return tuple(word for word, found in _table()[0].items() if any(one.dispensable for one in found))


@cache
def _table() -> tuple[dict[str, list[Marker]], PhraseIndex]:
    said = tomllib.loads((files("stemmata.rewriting") / "data" / "discourse_markers.toml").read_text("utf-8"))
    table: dict[str, list[Marker]] = {}
    for relation, row in said.items():
        for word in row["markers"].split("|"):
            marker = Marker(relation, row["dispensable"], row.get("bare", False), word.endswith("*"))
            table.setdefault(word.strip("*").lower(), []).append(marker)
    return table, PhraseIndex(table)


@cache
def _relations() -> dict[str, list[tuple[str, Marker]]]:
    relations: dict[str, list[tuple[str, Marker]]] = {}
    for word, found in _table()[0].items():
        for marker in found:
            # "As I see it" is found in lower case.
            written = re.sub(r"\bi\b", "I", word)
            relations.setdefault(marker.relation, []).append((written, marker))
    return relations
