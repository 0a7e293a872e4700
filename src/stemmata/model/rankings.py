"""What a retriever answers: the sources a document may come from, best first, and what the answer cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Ranked(NamedTuple):
    """A source and how much speaks for it; scores compare within one ranking only."""

    source: str
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """The sources returned for a document, best first.

    Attributes
    ----------
    document
        Name of the document whose sources were sought.
    sources
        What was found, best first; no source stands here twice.
    queries
        How many queries were put to the index.
    downloads
        How many documents of the collection were read whole.
    """

    document: str
    sources: tuple[Ranked, ...]
    queries: int = 0
    downloads: int = 0

    @property
    def names(self) -> list[str]:
        """The names of the sources, best first."""
        return [ranked.source for ranked in self.sources]
