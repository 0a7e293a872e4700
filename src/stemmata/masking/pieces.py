"""A rewriting as the pieces that PAN asks for: whole sentences of up to fifty words, with exact offsets."""

from __future__ import annotations

from bisect import bisect_left

from stemmata.model import Piece, Span
from stemmata.rewriting import Rewriting
from stemmata.text.languages import language_of
from stemmata.text.sentences import find_sentences

MOST_WORDS = 50
"""PAN's tasks ask for pieces of less than about fifty words."""


def pieces_of(rewriting: Rewriting, most_words: int = MOST_WORDS) -> list[Piece]:
    """Return a rewritten text as pieces: joined, their originals and obfuscations are the two texts.

    A piece ends where a sentence does in the original, unless an edit reaches across that place or the blank
    there is gone; sentences are packed while the piece stays within `most_words`.

    Examples
    --------
    >>> from stemmata.rewriting import Edit
    >>> rewriting = Rewriting("It rains. We go.", (Edit(10, 12, "I", "pronoun"),))
    >>> [piece.obfuscation for piece in pieces_of(rewriting, most_words=3)]
    ['It rains. ', 'I go.']
    """
    text = rewriting.original
    if not text:
        return []
    pieces: list[Piece] = []
    start = words = 0
    ends = _ends(rewriting)
    for at, end in enumerate(ends):
        words += len(text[(ends[at - 1] if at else 0) : end].split())
        following = len(text[end : ends[at + 1]].split()) if at + 1 < len(ends) else most_words
        if words + following > most_words or at + 1 == len(ends):
            pieces.append(_piece(rewriting, len(pieces) + 1, start, end))
            start, words = end, 0
    return pieces


def _ends(rewriting: Rewriting) -> list[int]:
    """Return where a piece may end, the end of the text being the last."""
    text = rewriting.original
    starts, _ = find_sentences(text, language_of(text))
    edited_ends = [edit.end for edit in rewriting.edits]
    shift = [0]
    for edit in rewriting.edits:
        shift.append(shift[-1] + len(edit.replacement) - (edit.end - edit.start))
    ends = []
    for start in starts.tolist():
        # The first edit that ends at or behind the place: no piece may end inside or at the rim of one.
        number = bisect_left(edited_ends, start)
        touched = number < len(edited_ends) and rewriting.edits[number].start <= start
        now = start + shift[number]
        before, behind = rewriting.text[now - 1 : now], rewriting.text[now : now + 1]
        if 0 < start < len(text) and not touched and (before + behind) != (before + behind).strip():
            ends.append(start)
    return [*ends, len(text)]


def _piece(rewriting: Rewriting, number: int, start: int, end: int) -> Piece:
    now = rewriting.span_of(Span(start, end))
    return Piece(number, rewriting.original[start:end], start, end, rewriting.text[now.start : now.end])
