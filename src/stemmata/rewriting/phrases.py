"""Phrases and function words that can stand for one another, such as *but* and *yet*. English.

Each pair of the table says in which frame it holds: what stands before and behind, of what part of speech.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from stemmata.rewriting.agreement import article_before
from stemmata.rewriting.edits import Edit
from stemmata.rewriting.lookup import Found, PhraseIndex
from stemmata.rewriting.passage import capitalised
from stemmata.rewriting.reading import Reading, read
from stemmata.rewriting.sentence_joints import begins_clause
from stemmata.rewriting.transformation import in_order

_WINDOW = 100
"""How far a frame may look, in characters."""
_FORMS = re.compile(r"\[([^\]]+)\]")
_ARTICLE = re.compile(r"\b(?:an?|An?) \Z")


@dataclass(frozen=True)
class Frame:
    """A phrase, what can stand for it, and where.

    Attributes
    ----------
    phrase, other
        As they are written inside a sentence, with commas at their ends that belong to them.
    start
        Whether the phrase must begin a sentence, or must not; None: all the same.
    before, after, unless_before, unless_after
        What must stand there or must not, in the same sentence or beyond.
    tags, tags_before
        Beginnings of tags, of which the word behind or before must have one.
    clause
        Whether a subject with its verb must follow.
    """

    phrase: str
    other: str
    start: bool | None = None
    before: re.Pattern[str] | None = None
    after: re.Pattern[str] | None = None
    unless_before: re.Pattern[str] | None = None
    unless_after: re.Pattern[str] | None = None
    tags: tuple[str, ...] = ()
    tags_before: tuple[str, ...] = ()
    clause: bool = False

    def edit(self, reading: Reading, found: Found) -> Edit | None:
        """Return the edit that puts the other phrase where this one was found, if the frame allows it."""
        text = reading.text
        start, end = self._whole(text, found)
        if start < 0 or not self._fits(reading, start, end):
            return None
        return _fitting(reading, start, end, self)

    def _whole(self, text: str, found: Found) -> tuple[int, int]:
        """Return the place of the phrase with its commas; the start is negative where they are missing."""
        start, end = found.start, found.end
        if self.phrase.startswith(","):
            start = start - 2 if text[max(start - 2, 0) : start] == ", " else -1
        if self.phrase.endswith(","):
            start, end = (start, end + 1) if text[end : end + 1] == "," else (-1, end)
        return start, end

    def _fits(self, reading: Reading, start: int, end: int) -> bool:
        if self.start is not None and reading.begins_sentence(start) != self.start:
            return False
        # A line break is not a blank: what stands on other lines is not seen.
        before = reading.text[max(start - _WINDOW, 0) : start].rstrip(" ")
        after = reading.text[end : end + _WINDOW]
        return (
            (self.before is None or self.before.search(before) is not None)
            and (self.after is None or self.after.match(after) is not None)
            and (self.unless_before is None or self.unless_before.search(before) is None)
            and (self.unless_after is None or self.unless_after.match(after) is None)
            and (not self.tags or reading.ahead(end, skipped=())[0].startswith(self.tags))
            and (not self.tags_before or reading.tag_before(start).startswith(self.tags_before))
            and (not self.clause or begins_clause(reading, end, reading.sentence_at(start)[1]))
        )


@dataclass(frozen=True)
class Phrases:
    """Propose other phrases and function words where their frames allow them.

    Examples
    --------
    >>> text = "However, we tried to leave in order to sleep."
    >>> [(text[edit.start : edit.end], edit.replacement) for edit in Phrases().proposals(text)]
    [('However,', 'But'), ('tried to', 'attempted to'), ('in order to', 'to'), ('in order to', 'so as to')]
    """

    def proposals(self, text: str) -> list[Edit]:
        """Return edits of the kind ``phrase``."""
        table, index = _table()
        edits: list[Edit] = []
        reading: Reading | None = None
        for found in index.find(text):
            reading = reading or read(text)
            made = (frame.edit(reading, found) for frame in table[found.phrase])
            edits += [edit for edit in made if edit is not None]
        return in_order(edits, text)


def _fitting(reading: Reading, start: int, end: int, frame: Frame) -> Edit:
    """Return an edit with the blanks, capitals and article that the new phrase asks for."""
    text, new = reading.text, frame.other
    old = text[start:end]
    if frame.phrase.startswith(",") and new:
        new = f" {new}"
    written = frame.phrase.lstrip(", ")
    shouted = old.isupper() and not written.isupper() and len(written) > 1
    capital = old[:1].isupper() and (not written[:1].isupper() or reading.begins_sentence(start))
    if not new:
        # One of the blanks around goes, too.
        if text[end : end + 1] == " ":
            end += 1
        elif text[start - 1 : start] == " ":
            start -= 1
        if capital and reading.begins_sentence(start):
            new, end = capitalised(text[end : end + 1]), end + 1
    else:
        new = new.upper() if shouted else capitalised(new) if capital else new
    article = _ARTICLE.search(text, max(start - 4, 0), start)
    if article:
        following = new if new else text[end : end + 20]
        fitting = article_before(following.strip(" "))
        if fitting != article[0].strip().lower():
            start = article.start()
            first = capitalised(fitting) if article[0][0].isupper() else fitting
            new = f"{first} {new}"
    return Edit(start, end, new, "phrase")


@cache
def _table() -> tuple[dict[str, list[Frame]], PhraseIndex]:
    """Return the frames by their phrases, as these are looked up."""
    said = tomllib.loads((files("stemmata.rewriting") / "data" / "phrases.toml").read_text("utf-8"))
    table: dict[str, list[Frame]] = {}
    for rows in said["rows"].values():
        for one, way, other, conditions in rows:
            frame = _conditions(conditions, said["words"], said["tags"])
            for phrase, new in _forms(one, other):
                pairs = [(phrase, new)] if way == ">" else [(phrase, new), (new, phrase)]
                for first, second in pairs:
                    table.setdefault(first.strip(", ").lower(), []).append(Frame(first, second, **frame))
    return table, PhraseIndex(table)


def _conditions(said: Mapping[str, Any], words: Mapping[str, str], tags: Mapping[str, str]) -> dict[str, Any]:
    """Return the conditions of a row as a frame takes them, names of words and tags being replaced."""
    made: dict[str, Any] = {}
    for name, value in said.items():
        if name in ("start", "clause"):
            made[name] = value
        elif name in ("tag", "tag_before"):
            expanded = [one for part in value.split() for one in tags.get(part, part).split()]
            made[name.replace("tag", "tags")] = tuple(expanded)
        else:
            pattern = value
            for _ in range(2):
                for word, meaning in words.items():
                    pattern = pattern.replace("{" + word + "}", meaning)
            # Personal pronouns are told apart by their capitals, all else is not.
            closed = f"(?:{pattern})\\Z" if name.endswith("before") else f"(?:{pattern})"
            made[name] = re.compile(closed, re.IGNORECASE)
    return made


def _forms(one: str, other: str) -> Iterator[tuple[str, str]]:
    """Yield two phrases in all their forms, the first with the first.

    Examples
    --------
    >>> list(_forms("[is|are] so", "[was|were] so"))
    [('is so', 'was so'), ('are so', 'were so')]
    """
    found = [_FORMS.search(phrase) for phrase in (one, other)]
    lists = [match[1].split("|") if match else [] for match in found]
    for number in range(max(map(len, lists), default=0) or 1):
        made = [
            phrase if match is None else phrase.replace(match[0], forms[min(number, len(forms) - 1)])
            for phrase, match, forms in zip((one, other), found, lists, strict=True)
        ]
        yield made[0].strip(" "), made[1].strip(" ")
