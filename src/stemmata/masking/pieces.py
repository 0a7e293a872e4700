"""A rewriting as the pieces that PAN asks for: whole sentences of up to fifty words, with exact offsets."""

from __future__ import annotations

from stemmata.model import Piece, Span
from stemmata.rewriting import Rewriting
from stemmata.text.languages import language_of
from stemmata.text.sentences import find_sentences

MOST_WORDS = 50
"""PAN's tasks ask for pieces of less than about fifty words."""


def pieces_of(rewriting: Rewriting, most_words: int = MOST_WORDS) -> list[Piece]:
    """Return a rewritten text as pieces: joined, their originals and obfuscations are the two texts.

    A piece ends where a sentence does in the original, unless an edit reaches across that place, something is
    inserted there, or the blank is gone; sentences are packed while the piece stays within `most_words`.

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
    edits = rewriting.edits
    ends = []
    # Edits that lie before the place, and by how much they shift it.
    number = shift = 0
    for start in starts.tolist():
        while number < len(edits) and edits[number].end <= start and edits[number].start < start:
            shift += len(edits[number].replacement) - (edits[number].end - edits[number].start)
            number += 1
        across = number < len(edits) and (edits[number].start < start or edits[number].end <= start)
        joint = rewriting.text[max(start + shift - 1, 0) : start + shift + 1]
        if 0 < start < len(text) and not across and joint != joint.strip():
            ends.append(start)
    return [*ends, len(text)]


def _piece(rewriting: Rewriting, number: int, start: int, end: int) -> Piece:
    now = rewriting.span_of(Span(start, end))
    return Piece(number, rewriting.original[start:end], start, end, rewriting.text[now.start : now.end])
