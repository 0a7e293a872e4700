"""Where a passage may begin and end: the gaps between words, and the characters that belong to a word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from stemmata.model.annotations import Mask
from stemmata.model.spans import Ints
from stemmata.text.words import character_codes

Marks = npt.NDArray[np.uint8]

_SENTENCE_ENDS = ".!?…。！？"
_SPACE, _STOP, _OPENER, _LINE = 1, 2, 4, 8
_SENTENCE = _STOP | _SPACE
_OPENING = "\"'([{“‘«„$"


@dataclass(frozen=True, eq=False)
class Boundaries:
    """What lies between the words of a text.

    Gap ``k`` lies before word ``k``; the last gap lies behind the last word.

    Attributes
    ----------
    sentence
        Gaps that hold a full stop, question or exclamation mark and white space; first and last too.
    line
        Gaps that hold a line feed; first and last too.
    begin
        Of each word, where a passage starts that starts with it: an opening quote or bracket belongs to it.
    end
        Of each word, where a passage ends that ends with it: closing marks up to white space belong to it.
    """

    sentence: Mask
    line: Mask
    begin: Ints
    end: Ints

    @cached_property
    def sentence_gaps(self) -> Ints:
        """The numbers of the gaps at sentences."""
        return np.asarray(self.sentence.nonzero()[0])


def find_boundaries(text: str, start: Ints, end: Ints) -> Boundaries:
    """Look at the characters around each word, given where words start and end."""
    marks = np.zeros(len(text) + 1, np.uint8)
    marks[:-1] = _MARKS[np.minimum(character_codes(text), len(_MARKS) - 1)]
    gap_start = np.concatenate([[0], end])
    gap_end = np.concatenate([start, [len(text)]])
    held = _held(marks, gap_start, gap_end)
    line = (held & _LINE) > 0
    sentence = (held & _SENTENCE) == _SENTENCE
    for outer in (0, -1):
        line[outer] = sentence[outer] = True
    return Boundaries(sentence, line, _begin(marks, start, end), _end(marks, end, gap_end[1:]))


def _mark_characters() -> Marks:
    """Return for each character what it may be; the last entry stands for all characters from there on."""
    marks = np.zeros(0x10000, np.uint8)
    spaces = filter(str.isspace, map(chr, range(len(marks))))
    kinds = ((_SPACE, spaces), (_STOP, _SENTENCE_ENDS), (_OPENER, _OPENING), (_LINE, "\n"))
    for bit, characters in kinds:
        marks[list(map(ord, characters))] |= bit
    return marks


_MARKS = _mark_characters()


def _held(marks: Marks, start: Ints, end: Ints) -> Marks:
    """Return all marks that each of the ranges holds."""
    both = np.stack([start, end], axis=1).ravel()
    held = np.bitwise_or.reduceat(marks, both)[::2]
    # Of an empty range the first character behind it is given.
    return np.asarray(np.where(start < end, held, 0), dtype=np.uint8)


def _begin(marks: Marks, start: Ints, end: Ints) -> Ints:
    begin = start.copy()
    # Few words have an opener before them.
    opened = ((marks[start - 1] & _OPENER) * (start > 0)).nonzero()[0]
    if not (marks[start[opened] - 2] & _OPENER).any():
        begin[opened] -= 1
        return begin
    other = np.flatnonzero((marks & _OPENER) == 0)
    last_other = np.concatenate([[-1], other])[np.searchsorted(other, start[opened])]
    previous_end = np.concatenate([[0], end])[opened]
    begin[opened] = np.maximum(last_other + 1, previous_end)
    return begin


def _end(marks: Marks, end: Ints, limit: Ints) -> Ints:
    closed = end.copy()
    # Most words have white space right behind them.
    marked = ((marks[end] & _SPACE) == 0).nonzero()[0]
    behind, limit, length = end[marked], limit[marked], len(marks) - 1
    places = np.append((marks & _SPACE).nonzero()[0], length)
    closing = places[np.searchsorted(places, behind)]
    # Without white space before the next word the marks between them belong to neither.
    closed[marked] = np.where((closing < limit) | (limit == length), closing, behind)
    return closed
