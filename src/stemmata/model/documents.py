"""Documents whose offsets count the characters of the raw file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stemmata.model.annotations import Passage


def document_key(name: str) -> str:
    """Return the name under which a document is matched: PAN names it with and without ``.txt``."""
    return name.removesuffix(".txt") or name


@dataclass(frozen=True, slots=True)
class Document:
    """A named text. Line ends are those of the file: one character is one character."""

    name: str
    text: str

    def __len__(self) -> int:
        return len(self.text)

    def __getitem__(self, passage: Passage) -> str:
        return self.text[passage.offset : passage.end]


@dataclass(frozen=True, slots=True)
class Pair:
    """A suspicious document and one source document it may have copied from."""

    suspicious: Document
    source: Document
