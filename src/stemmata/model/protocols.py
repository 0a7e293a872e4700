"""What a system must offer to be scored, compared and run: one method per task."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from stemmata.model.annotations import Detection
from stemmata.model.documents import Document, Pair
from stemmata.model.rankings import Ranking


@runtime_checkable
class Aligner(Protocol):
    """Finds the passages of a suspicious document that come from a given source document."""

    def align(self, pair: Pair) -> list[Detection]:
        """Return the detections in this pair, in no particular order."""
        ...


@runtime_checkable
class IntrinsicDetector(Protocol):
    """Finds the passages of a document that another hand than its author's seems to have written."""

    def find(self, document: Document) -> list[Detection]:
        """Return the detections in this document, without sources, in no particular order."""
        ...


@runtime_checkable
class Retriever(Protocol):
    """Finds the documents of a collection that a document may come from."""

    def retrieve(self, document: Document) -> Ranking:
        """Return the likely sources of a document, best first."""
        ...
