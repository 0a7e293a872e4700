"""What a system must offer to be scored, compared and run: one method per task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self, runtime_checkable

from stemmata.model.annotations import Detection
from stemmata.model.documents import Document, Pair
from stemmata.model.problems import Piece, Problem
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


@runtime_checkable
class Verifier(Protocol):
    """Tells whether unknown texts are by the authors of known ones."""

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return an answer for each problem: above 0.5 the same author, 0.5 no answer, below another.

        The problems are a batch: a verifier may compare each with the others.
        """
        ...


@runtime_checkable
class LearningVerifier(Verifier, Protocol):
    """A verifier that must learn from problems whose answers are known before it can score."""

    def learn(self, problems: Sequence[Problem], truth: Sequence[bool]) -> Self:
        """Return a verifier that has learned."""
        ...

    def learned(self) -> Mapping[str, Any]:
        """Return what was learned, as JSON can say it."""
        ...

    def recall(self, learned: Mapping[str, Any]) -> Self:
        """Return a verifier that has learned what `learned` returned."""
        ...


@runtime_checkable
class Obfuscator(Protocol):
    """Rewrites a text so that its author is not recognised, knowing other texts of that author."""

    def mask(self, problem: Problem) -> list[Piece]:
        """Return the unknown text of a problem, rewritten piece by piece."""
        ...
