"""Commas of which no rule says whether they are needed: a language model says it, and strictly.

They stand behind an opening or before an addition. Names, what is called out, lists and pairs keep their
commas whatever the model says, and so does what a comma tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stemmata.masking.guided.commas import stays_behind, tells
from stemmata.masking.guided.stretches import JOINING, PLACES, SUBORDINATE, Stretch, is_told, stretches
from stemmata.rewriting import Edit
from stemmata.rewriting.reading import Reading
from stemmata.rewriting.sentence_joints import has_clause

LOOSE_COMMA = "loose-comma"
_LOOSELY = {
    "and", "as", "because", "but", "although", "even", "in", "like", "on", "only", "or", "since",
    "so", "though", "unless", "until", "when", "while", "with", "without", "yet",
}  # fmt: skip
"""Words before which a lone comma may be left out, if it reads well without."""

_CLOSING = {
    "and", "as", "like", "not", "or", "that", "when", "where", "which", "who", "whom", "whose", "with",
}  # fmt: skip
"""Words with which something is put in that a comma closes again."""


def loose_commas(reading: Reading) -> Iterator[Edit]:
    """Yield commas left out behind openings and before additions, in order.

    Examples
    --------
    >>> from stemmata.rewriting.reading import read
    >>> text = "Looking around, she sat down. Well, sir, you may be right."
    >>> [(text[edit.start : edit.end], edit.start) for edit in loose_commas(read(text))]
    [(',', 14)]
    """
    for start, end in reading.sentences:
        for stretch in stretches(reading, start, end):
            yield from _loose(stretch)


def _loose(stretch: Stretch) -> Iterator[Edit]:
    reading, text = stretch.reading, stretch.reading.text
    for number, at in enumerate(stretch.commas):
        begin, end = stretch.before(number), stretch.behind(number)
        before, behind = stretch.words(begin, at), stretch.words(at, end)
        if not before or not behind or not text[at - 1].isalpha() or text[at + 1] != " " or is_told(before):
            continue
        # "Well, you know": a name, or what is called out, keeps its comma.
        opened = number == 0 and len(before) > 1 and reading.tag_from(at) != "NP0"
        opened = opened and stretch.clause_at(at + 2) and _is_opening(stretch, before, at)
        if opened or _is_loose(stretch, number, before, behind):
            yield Edit(at, at + 1, "", LOOSE_COMMA)


def _is_loose(stretch: Stretch, number: int, before: Sequence[str], behind: Sequence[str]) -> bool:
    """Return whether a comma stands before an addition, and is neither one of a pair nor of a list."""
    begin, at, end = stretch.before(number), stretch.commas[number], stretch.behind(number)
    if behind[0] not in _LOOSELY or not stretch.has_verb(begin, at) or not stays_behind(stretch, number):
        return False
    if number and (before[0] in _CLOSING or stretch.reading.tag_from(begin).startswith(("VVG", "VVN"))):
        return False
    verb = stretch.has_verb(at, end)
    # "People sit in chairs, in the hall there is a cage": two sentences.
    if verb and behind[0] in PLACES - SUBORDINATE:
        return False
    alone = len(stretch.commas) == 1 or behind[0] not in ("and", "or") or verb
    return alone and not tells(stretch, begin, at, end, behind[0])


def _is_opening(stretch: Stretch, words: Sequence[str], at: int) -> bool:
    """Return whether words before a comma lead up to a clause, and are none that could stand alone."""
    first = stretch.reading.tag_from(stretch.start)
    if words[0] in SUBORDINATE or (words[0] in JOINING and words[1] in SUBORDINATE):
        return True
    leads = words[0] in PLACES | {*JOINING} or first in ("VVG", "AV0")
    told = stretch.has_verb(stretch.start, at) or has_clause(stretch.reading, stretch.start, at)
    return leads and not told
