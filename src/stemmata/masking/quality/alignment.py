"""Which sentences of an obfuscated text stand for which of the original, where nobody has kept the pieces."""

from __future__ import annotations

from stemmata.model import Piece
from stemmata.text.languages import languages
from stemmata.text.sentences import find_sentences
from stemmata.text.words import find_words

_BAND = 8
"""Sentences that the two texts may be apart, beyond what their lengths explain."""
_MOVES = ((1, 1), (1, 2), (2, 1), (1, 0), (0, 1), (2, 2))
"""Sentences of the original and of the obfuscated text that a piece may take."""
_JOINING = 1.5
"""What each sentence beyond one of each text costs, in words, so that no more are joined than need be."""

Counts = dict[str, int]


def aligned_pieces(original: str, obfuscated: str) -> list[Piece]:
    """Return pieces of one or two sentences, in the order of both texts, by the words they share.

    Examples
    --------
    >>> pieces = aligned_pieces("It rained all day. We stayed.", "All day it was raining. We stayed inside.")
    >>> [piece.obfuscation for piece in pieces]
    ['All day it was raining.', 'We stayed inside.']
    """
    old, new = _sentences(original), _sentences(obfuscated)
    rows, columns = len(old), len(new)
    slope = columns / max(rows, 1)
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    for row in range(rows + 1):
        middle = round(row * slope)
        reach = _BAND + round(slope) + 1
        for column in range(max(0, middle - reach), min(columns, middle + reach) + 1):
            options = [
                (best[row - a, column - b][0] + _gain(old[row - a : row], new[column - b : column]), (a, b))
                for a, b in _MOVES
                if (row - a, column - b) in best
            ]
            if options and (row, column) != (0, 0):
                best[row, column] = max(options)
    pieces: list[Piece] = []
    row, column = rows, columns
    while (row, column) != (0, 0):
        a, b = best[row, column][1]
        start, end = _stretch(old[row - a : row], _end(old, row - a))
        first, last = _stretch(new[column - b : column], 0)
        pieces.append(Piece(0, original[start:end], start, end, obfuscated[first:last]))
        row, column = row - a, column - b
    return [
        Piece(number, piece.original, piece.start, piece.end, piece.obfuscation)
        for number, piece in enumerate(reversed(pieces), start=1)
    ]


_Sentence = tuple[int, int, Counts]


def _sentences(text: str) -> list[_Sentence]:
    starts, ends = find_sentences(text, "en")
    return [
        (start, end, _counted(text[start:end]))
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]


def _counted(text: str) -> Counts:
    """Count words, those with a meaning threefold."""
    counts: Counts = {}
    for form in find_words(text).forms:
        counts[form] = counts.get(form, 0) + (1 if form in languages["en"].stop_words else 3)
    return counts


def _gain(old: list[_Sentence], new: list[_Sentence]) -> float:
    """Return how many words two stretches have in common, less what it costs to join sentences."""
    if not old or not new:
        return 0.0
    one, other = _together(old), _together(new)
    shared = sum(min(count, other.get(word, 0)) for word, count in one.items())
    return shared - _JOINING * (len(old) + len(new) - 2)


def _together(sentences: list[_Sentence]) -> Counts:
    if len(sentences) == 1:
        return sentences[0][2]
    made: Counts = {}
    for _, _, counts in sentences:
        for word, count in counts.items():
            made[word] = made.get(word, 0) + count
    return made


def _end(sentences: list[_Sentence], at: int) -> int:
    return sentences[at - 1][1] if at else 0


def _stretch(sentences: list[_Sentence], otherwise: int) -> tuple[int, int]:
    return (sentences[0][0], sentences[-1][1]) if sentences else (otherwise, otherwise)
