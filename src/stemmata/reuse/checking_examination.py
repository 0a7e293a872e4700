"""Examining one document: it is aligned with its likely sources, and what it shares with each is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from stemmata.formats.collections import SourceDocument
from stemmata.model import Aligner, Detection, Pair, Passage, SpanSet, StemmataError
from stemmata.model.parameters import described
from stemmata.reuse import retrievers
from stemmata.reuse.asking import align
from stemmata.reuse.checking_documents import Failure, as_document, digest, last_name, require_length
from stemmata.reuse.checking_sources import Sources
from stemmata.reuse.parameters import ParameterFile, make_aligner

T = TypeVar("T")
COPY = 0.9
"""Two documents are copies of each other if so much of both lies in passages that they share."""


class Likeness(StrEnum):
    """How two documents relate as wholes."""

    DIFFERENT = ""
    COPY = "near-identical copy"
    SAME = "the same text"


@dataclass(frozen=True)
class Settings:
    """How documents are checked.

    Attributes
    ----------
    aligner, parameters
        What finds reused passages in a pair of documents, and what it was tuned to.
    retriever
        What chooses likely sources from an index.
    most_sources
        So many sources of a document are aligned and told of at most.
    """

    aligner: str = "stemmata"
    parameters: ParameterFile | None = None
    retriever: str = "stemmata"
    most_sources: int = 20

    def made(self) -> Aligner:
        """Make the aligner ready."""
        return make_aligner(self.aligner, self.parameters)

    def require_names(self) -> None:
        """Refuse names that nobody knows, before any work is done."""
        self.made()
        retrievers[self.retriever]

    def __str__(self) -> str:
        """Name what decides the result."""
        return f"{described(self.aligner, self.made())}/{self.retriever}/{self.most_sources}"


@dataclass(frozen=True)
class FoundSource:
    """A document with which a checked one shares text.

    Attributes
    ----------
    detections
        The passages, in the order of the checked document.
    score
        How much spoke for it when it was retrieved; None if it was aligned without being asked for.
    among
        Its number, if it is itself one of the documents that are checked.
    """

    document: SourceDocument
    detections: tuple[Detection, ...]
    score: float | None = None
    among: int | None = None
    likeness: Likeness = Likeness.DIFFERENT

    @property
    def reused(self) -> SpanSet:
        """The characters of the checked document that lie in a passage of this source."""
        return SpanSet(one.suspicious.span for one in self.detections)


@dataclass(frozen=True)
class Examination:
    """What came of checking a document.

    Attributes
    ----------
    number
        Its place among the documents that are checked.
    sources
        Those that share most with it first.
    itself
        Names of documents in the collection that are this very document, and so no sources.
    failures
        Sources that could not be aligned.
    """

    number: int
    document: SourceDocument
    sources: tuple[FoundSource, ...] = ()
    itself: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()

    @property
    def reused(self) -> SpanSet:
        """The characters that lie in any passage."""
        return SpanSet(span for source in self.sources for span in source.reused)


def examine(
    settings: Settings,
    number: int,
    document: SourceDocument,
    sources: Sources | None,
    shared: Sequence[FoundSource] = (),
    known: frozenset[str] = frozenset(),
) -> Examination:
    """Align a document with its likely sources.

    Parameters
    ----------
    shared
        What it shares with others that are checked along with it.
    known
        Digests of texts that are not looked for in the collection.
    """
    aligner = settings.made()
    own = digest(document)
    found = list(shared)
    itself: list[str] = []
    failures: list[Failure] = []
    candidates = sources.candidates(document) if sources and document.text.strip() else iter(())
    for candidate in _without_failing(candidates, document.name, failures):
        other = candidate.document
        theirs = digest(other)
        if theirs == own and last_name(other) == last_name(document):
            itself.append(other.name)
        elif theirs == own or theirs not in known:
            try:
                require_length(other)
                aligned = align_documents(settings.aligner, aligner, document, other)
            except (StemmataError, MemoryError) as error:
                failures.append(Failure.of(f"{document.name} and {other.name}", error))
                continue
            if aligned.likeness and other.name == document.name:
                itself.append(other.name)
            elif aligned.detections:
                found.append(replace(aligned, score=candidate.score))
    # Of two that share as much, one of the collection is the likelier source than another that is checked.
    found.sort(key=lambda one: (-len(one.reused), one.among is not None, one.document.name))
    return Examination(
        number, document, tuple(found[: settings.most_sources]), tuple(itself), tuple(failures)
    )


def _without_failing(candidates: Iterator[T], name: str, failures: list[Failure]) -> Iterator[T]:
    """Give candidates as long as they come; that no more can be had does not undo those before."""
    try:
        yield from candidates
    except (StemmataError, MemoryError) as error:
        failures.append(Failure.of(name, error))


def align_documents(
    name: str, aligner: Aligner, document: SourceDocument, other: SourceDocument
) -> FoundSource:
    """Align two documents; those with the same text are one passage."""
    same = document.text == other.text
    if not document.text.strip() or not other.text.strip():
        return FoundSource(other, ())
    if same:
        whole = len(document.text)
        found = [Detection(Passage(document.name, 0, whole), Passage(other.name, 0, whole))]
        return FoundSource(other, tuple(found), likeness=Likeness.SAME)
    found = align(name, aligner, Pair(as_document(document), as_document(other)))
    found.sort(key=lambda one: (one.suspicious, one.source or one.suspicious))
    made = FoundSource(other, tuple(found))
    theirs = SpanSet(one.source.span for one in found if one.source)
    share = min(len(made.reused) / len(document.text), len(theirs) / len(other.text))
    return replace(made, likeness=Likeness.COPY) if share >= COPY else made
