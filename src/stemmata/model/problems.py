"""Authorship verification problems: whether the unknown text is by whoever wrote the known ones."""

from __future__ import annotations

from dataclasses import dataclass

from stemmata.model.documents import Document


@dataclass(frozen=True, slots=True)
class Problem:
    """Known texts of one author and a text that may be theirs."""

    id: str
    known: tuple[Document, ...]
    unknown: Document
