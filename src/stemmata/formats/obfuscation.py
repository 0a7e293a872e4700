"""``obfuscation.json``: what an obfuscator made of a text, piece by piece.

PAN16–18 ask for a list of pieces; the obfuscated text is their `obfuscation`, in the order of their ids::

    [{"original": "Call me Ishmael.", "original-start-charpos": 0, "original-end-charpos": 16,
      "obfuscation": "My name is Ishmael.", "obfuscation-id": 1}, …]

PAN did not say whether the end is the last character or the one behind it, and systems differ. Of the
three of PAN16, one counts up to the last character and copies the text exactly; one does so, and one
counts up to the character behind, but both in a text of their own whose white space is squeezed, so that
their positions drift away. We write the character behind, read either, and find the rest by the words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stemmata.formats.faults import Report, fault
from stemmata.formats.files import is_folder, write_atomically
from stemmata.formats.json_text import encodable, read_json
from stemmata.model import ErrorCode, Piece, Place, Span, StemmataError
from stemmata.model.spans import Ints

FILE = "obfuscation.json"
_WHITE_SPACE = np.array([code for code in range(0x3001) if chr(code).isspace()], dtype=np.uint32)
_WORDS = {"original", "obfuscation"}
_NUMBERS = {"original-start-charpos", "original-end-charpos", "obfuscation-id"}


def read_obfuscation(path: str | Path, report: Report | None = None, *, numbered: bool = True) -> list[Piece]:
    """Read the pieces of a text, by id; a folder stands for its ``obfuscation.json``.

    Positions are not checked here, since few systems have them right; see `place_pieces`. Nor are ids where
    pieces need not be ``numbered`` from 1: those of some historical systems are not.
    """
    file = Path(path) / FILE if is_folder(path) else Path(path)
    value = read_json(file)
    if not isinstance(value, list):
        raise StemmataError(ErrorCode.BAD_PIECE, file, reason="it is no list")
    pieces = []
    for number, one in enumerate(value, start=1):
        if reason := _what_is_wrong(one):
            place = Place(str(file), piece=number)
            fault(report, ErrorCode.BAD_PIECE, place, reason=reason)
        else:
            pieces.append(
                Piece(
                    one["obfuscation-id"],
                    one["original"],
                    one["original-start-charpos"],
                    one["original-end-charpos"],
                    one["obfuscation"],
                )
            )
    pieces.sort(key=lambda piece: piece.id)
    for number, piece in enumerate(pieces, start=1):
        if numbered and piece.id != number and len(pieces) == len(value):
            reason = f"{piece.id} stands for {number}"
            fault(report, ErrorCode.PIECE_NUMBERS, file, count=len(pieces), reason=reason)
            break
    return pieces


def _what_is_wrong(one: Any) -> str:
    if not isinstance(one, dict):
        return "it is no object"
    for key in sorted(_WORDS | _NUMBERS):
        value = one.get(key)
        right = isinstance(value, str) if key in _WORDS else type(value) is int
        if not right:
            return f"{key} is missing or of the wrong type"
    return ""


def write_obfuscation(path: str | Path, pieces: Iterable[Piece]) -> None:
    """Write pieces in the order of their ids, whole or not at all."""
    said = [
        {
            "original": piece.original,
            "original-start-charpos": piece.start,
            "original-end-charpos": piece.end,
            "obfuscation": piece.obfuscation,
            "obfuscation-id": piece.id,
        }
        for piece in sorted(pieces, key=lambda piece: piece.id)
    ]
    text = json.dumps(said, ensure_ascii=False, indent=2) + "\n"
    if not encodable(text):
        raise StemmataError(ErrorCode.BAD_PIECE, path, reason="it holds half a surrogate pair")
    with write_atomically(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def obfuscated_text(pieces: Iterable[Piece]) -> str:
    """Return the text the pieces make: their obfuscations by id, a blank between where none is."""
    text = ""
    for piece in sorted(pieces, key=lambda piece: piece.id):
        joint = " " if text and not text[-1].isspace() and not piece.obfuscation[:1].isspace() else ""
        text += joint + piece.obfuscation if piece.obfuscation else ""
    return text


def place_pieces(pieces: Sequence[Piece], text: str) -> list[Span | None]:
    """Return where each piece's original stands in the text, None where it cannot be found.

    A piece is where it says, the end being the last character or the one behind. If the text there
    is another, it is the next place behind the piece before, or else the first of all, that has the
    same characters when white space is left out.
    """
    bare_text, offsets = "".join(text.split()), _black_characters(text)
    found: list[Span | None] = []
    behind = 0
    for piece in pieces:
        span = _as_said(piece, text)
        if span is None:
            bare = "".join(piece.original.split())
            at = bare_text.find(bare, int(np.searchsorted(offsets, behind))) if bare else -1
            at = bare_text.find(bare) if bare and at < 0 else at
            span = Span(int(offsets[at]), int(offsets[at + len(bare) - 1]) + 1) if at >= 0 else None
        behind = span.end if span else behind
        found.append(span)
    return found


def _as_said(piece: Piece, text: str) -> Span | None:
    for end in (piece.end, piece.end + 1):
        if 0 <= piece.start <= end <= len(text) and text[piece.start : end] == piece.original:
            return Span(piece.start, end)
    return None


def _black_characters(text: str) -> Ints:
    """Return where the characters stand that are no white space."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.flatnonzero(~np.isin(codes, _WHITE_SPACE))


def check_pieces(pieces: Sequence[Piece], text: str, place: str | Path, report: Report | None = None) -> None:
    """Report each piece that is not where it says it is."""
    for piece, span in zip(pieces, place_pieces(pieces, text), strict=True):
        said = {"piece": piece.id, "start": piece.start, "end": piece.end}
        if piece.start < 0 or piece.end > len(text) or piece.start > piece.end + 1:
            fault(report, ErrorCode.PIECE_OUTSIDE, place, size=len(text), **said)
        elif span is None:
            fault(report, ErrorCode.PIECE_ABSENT, place, piece=piece.id)
        elif span != _as_said(piece, text):
            fault(report, ErrorCode.PIECE_ELSEWHERE, place, found=f"{span.start}–{span.end}", **said)
