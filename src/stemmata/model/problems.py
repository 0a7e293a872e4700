"""Authorship: problems of verification and of masking, and the pieces a masked text is made of."""

from __future__ import annotations

from dataclasses import dataclass

from stemmata.model.documents import Document


@dataclass(frozen=True, slots=True)
class Problem:
    """Known texts of one author and a text that may be theirs.

    To a verifier, whether it is theirs is the question. To an obfuscator, it is theirs, and is to be
    rewritten so that it is not recognised.
    """

    id: str
    known: tuple[Document, ...]
    unknown: Document


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of an original text and what became of it; positions are as its writer counted them."""

    id: int
    original: str
    start: int
    end: int
    obfuscation: str
