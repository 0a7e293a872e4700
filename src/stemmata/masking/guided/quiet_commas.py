"""Commas that no rule says may go, and that a language model does not miss.

A comma here is neither one of two around what is put in, nor of a list, nor does it part two sentences or
tell who is called; beyond that nothing is known of it. It is quiet where the sentence is as likely without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stemmata.masking.guided.commas import tells
from stemmata.masking.guided.stretches import JOINING, PLACES, SUBORDINATE, Stretch, is_told, stretches
from stemmata.rewriting import Edit
from stemmata.rewriting.reading import Reading
from stemmata.rewriting.sentence_joints import FINITE

QUIET_COMMA = "quiet-comma"
_RELATIVE = {"that", "what", "where", "which", "who", "whom", "whose"}
"""Words behind a comma with which it may tell which one is meant."""
_SET_APART = {"ah", "however", "no", "oh", "well", "why", "yes"}
"""Words that are calls, or mean something else, if no comma follows them."""
_CLOSED = {*SUBORDINATE, *PLACES, *_RELATIVE, "and", "like", "not", "or"}
"""Words with which something is put in that a comma closes again."""
_SUBJECTS = ("AT0", "CRD", "DPS", "DT0", "EX0", "NN", "PNI", "PNP")
_LEAST = 3
"""The fewest words behind a comma: what is shorter is a call or an afterthought."""
_OPENING = 3
"""Among so many words at its beginning a clause that depends on another says so."""


def quiet_commas(reading: Reading, every: bool = False) -> Iterator[Edit]:
    """Yield commas left out, for a language model to say which are missed.

    Parameters
    ----------
    reading
        The text.
    every
        Whether all are wanted that stand between words, whatever they are there for.

    Examples
    --------
    >>> from stemmata.rewriting.reading import read
    >>> text = "We boarded on time, but our plane was late. Paul, the youngest, slept. He rose, she sat down."
    >>> [edit.start for edit in quiet_commas(read(text))]
    [18]
    """
    for start, end in reading.sentences:
        for stretch in stretches(reading, start, end):
            for number, at in enumerate(stretch.commas):
                if stretch.is_needed(number) or not stretch.is_lone(number):
                    continue
                if every or _may_be_quiet(stretch, number):
                    yield Edit(at, at + 1, "", QUIET_COMMA)


def _may_be_quiet(stretch: Stretch, number: int) -> bool:
    """Return whether no rule says what a comma is there for."""
    at = stretch.commas[number]
    before = stretch.words(stretch.before(number), at)
    behind = stretch.words(at, stretch.behind(number))
    if not before or len(behind) < _LEAST or is_told(before) or is_told(behind):
        return False
    kept = behind[0] in _RELATIVE or before[-1] in _SET_APART
    # "He did not go, because it rained".
    kept |= behind[0] in SUBORDINATE and tells(stretch, stretch.start, at, stretch.behind(number), behind[0])
    # "He rose and, as it was late, left".
    kept |= len(before) > 1 and before[-1] in {*JOINING, "that"}
    if kept or not stretch.has_verb(stretch.start, stretch.end):
        return False
    return not (
        _names(stretch, number)
        or _opens_pair(stretch, number)
        or _closes_pair(stretch, number, before)
        or _parts(stretch, number)
    )


def _names(stretch: Stretch, number: int) -> bool:
    """Return whether a comma is followed by a name, *Paul, the youngest*, or another thing of a list."""
    reading, at = stretch.reading, stretch.commas[number]
    first, end = reading.word_from(at), reading.word_from(stretch.behind(number))
    word, tag = reading.passage.words[first], reading.tags[first].tag
    called = reading.tag_before(at).startswith("NP") and not stretch.has_verb(stretch.start, at)
    if called or tag.startswith("NP") or (word[0].isupper() and word != "I"):
        return True
    verb = next((place for place in range(first, end) if reading.tags[place].tag in FINITE), end)
    # "When I read a newspaper, a magazine or a book I stop".
    listed = not {"and", "or"}.isdisjoint(reading.passage.words[first + 1 : verb])
    return tag.startswith((*_SUBJECTS, "AJ0", "ORD")) and (verb == end or listed)


def _opens_pair(stretch: Stretch, number: int) -> bool:
    """Return whether a comma may be the first of two, or of a list."""
    if number + 1 == len(stretch.commas):
        return False
    at, other = stretch.commas[number : number + 2]
    return stretch.verb_behind(other) or not stretch.has_verb(at, other)


def _closes_pair(stretch: Stretch, number: int, before: Sequence[str]) -> bool:
    """Return whether a comma may be the second of two, or a later one of a list."""
    if number == 0:
        return False
    begin, at = stretch.before(number), stretch.commas[number]
    if stretch.verb_behind(at) or not stretch.has_verb(begin, at) or before[0] in _CLOSED:
        return True
    return stretch.reading.tag_from(begin).startswith("VV")


def _parts(stretch: Stretch, number: int) -> bool:
    """Return whether a comma stands between two sentences, of which none depends on the other."""
    at, reading = stretch.commas[number], stretch.reading
    begin, end = stretch.before(number), stretch.behind(number)
    if not stretch.has_verb(begin, at) or not reading.tag_from(at).startswith((*_SUBJECTS, "PRP", "AV0")):
        return False
    opening = {*stretch.words(begin, at)[:_OPENING]}
    return stretch.has_verb(at, end) and opening.isdisjoint({*SUBORDINATE, "what", "whatever", "whether"})
