"""Where a passage may begin and end: the gaps between words, and the characters that belong to a word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.model.annotations import Mask
from stemmata.model.spans import Ints
from stemmata.text.words import character_codes

_SENTENCE_ENDS = ".!?…。！？"
_SPACE, _STOP, _OPENER = 1, 2, 4
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


def find_boundaries(text: str, start: Ints, end: Ints) -> Boundaries:
    """Look at the characters around each word, given where words start and end."""
    characters = character_codes(text)
    marks = _MARKS[np.minimum(characters, len(_MARKS) - 1)]
    space = (marks & _SPACE) > 0
    gap_start = np.concatenate([[0], end])
    gap_end = np.concatenate([start, [len(text)]])
    line = _holds(characters == ord("\n"), gap_start, gap_end)
    sentence = _holds((marks & _STOP) > 0, gap_start, gap_end) & _holds(space, gap_start, gap_end)
    for outer in (0, -1):
        line[outer] = sentence[outer] = True
    return Boundaries(
        sentence, line, _begin((marks & _OPENER) > 0, start, end), _end(space, end, gap_end[1:])
    )


def _mark_characters() -> npt.NDArray[np.uint8]:
    """Return for each character what it may be; the last entry stands for all characters from there on."""
    marks = np.zeros(0x10000, np.uint8)
    spaces = filter(str.isspace, map(chr, range(len(marks))))
    for bit, characters in ((_SPACE, spaces), (_STOP, _SENTENCE_ENDS), (_OPENER, _OPENING)):
        marks[list(map(ord, characters))] |= bit
    return marks


_MARKS = _mark_characters()


def _holds(mark: Mask, start: Ints, end: Ints) -> Mask:
    """Tell which of the ranges hold a marked character."""
    before = np.concatenate([[0], np.cumsum(mark)])
    return np.asarray(before[end] > before[start])


def _begin(opener: Mask, start: Ints, end: Ints) -> Ints:
    other = np.flatnonzero(~opener)
    last_other = np.concatenate([[-1], other])[np.searchsorted(other, start)]
    previous_end = np.concatenate([[0], end[:-1]])
    return np.asarray(np.maximum(last_other + 1, previous_end), dtype=np.int64)


def _end(space: Mask, end: Ints, limit: Ints) -> Ints:
    places = np.append(np.flatnonzero(space), len(space))
    closing = places[np.searchsorted(places, end)]
    # Without white space before the next word the marks between them belong to neither.
    return np.asarray(np.where((closing < limit) | (limit == len(space)), closing, end), dtype=np.int64)
