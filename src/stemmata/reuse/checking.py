"""Checking documents: where they come from, and what they share with each other.

For each document likely sources are retrieved and aligned with it. What is done for one document does not
depend on the others, so that several processes may do it, in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from stemmata.formats.collections import SourceDocument
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.processes import Processes
from stemmata.reuse.checking_among import Cohort, Common, Stage, compare_all
from stemmata.reuse.checking_documents import Failure, Shelf, digest, presentable, working_room
from stemmata.reuse.checking_examination import Examination, FoundSource, Settings, examine
from stemmata.reuse.checking_sources import (
    IndexedSources,
    ShelvedSources,
    Sources,
    forget_indexes,
    keep_sources,
    open_sources,
)
from stemmata.reuse.index import open_index

T = TypeVar("T")
Tell = Callable[[Failure], None]


class Readable(Protocol):
    """Documents that can be read one by one; see `stemmata.reuse.checking_documents.Documents`."""

    def __len__(self) -> int:
        """Return how many there are, about."""
        ...

    def read(self, tell: Tell) -> Iterable[SourceDocument]:
        """Give the documents; what cannot be read is told and left out."""
        ...


@dataclass(frozen=True)
class Checked(Generic[T]):
    """What came of checking documents: what was made of each, in their order, and what could not be done.

    `collection` is the number of documents among which sources were looked for; None if there were none.
    """

    results: tuple[T, ...]
    failures: tuple[Failure, ...]
    collection: int | None = None


@dataclass(frozen=True)
class _Task:
    """All that examining a document needs, whichever process does it."""

    settings: Settings
    shelf: Shelf
    sources: Sources | None
    known: frozenset[str]
    """Texts of documents that are checked against each other; in the collection they are not looked for."""


@dataclass
class _Kept:
    """The documents that are checked."""

    shelf: Shelf
    lengths: list[int] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)


def no_stage(what: str, total: int, unit: str) -> AbstractContextManager[Callable[[int], None]]:
    """Show nothing."""
    return nullcontext(lambda _: None)


def _as_it_is(examination: Examination) -> Examination:
    return examination


def check(
    documents: Readable,
    against: Path | Readable | None = None,
    among: bool = False,
    settings: Settings | None = None,
    jobs: int = 1,
    stage: Stage = no_stage,
    finish: Callable[[Examination], T] = _as_it_is,  # type: ignore[assignment]
) -> Checked[T]:
    """Check documents against a collection, against each other, or both.

    Parameters
    ----------
    documents
        The documents.
    against
        An index, or what reads the documents of a collection.
    among
        Whether the documents are to be checked against each other.
    jobs
        Number of processes; the result does not depend on it.
    stage
        Shows progress.
    finish
        Makes of an examination what is wanted of it, in the process that made the examination; it must be
        such that it can travel there.

    Raises
    ------
    StemmataError
        E783 if there is no document, E790 if there is only one and nothing to check it against, E791 if the
        collection is empty.
    """
    settings = settings or Settings()
    settings.require_names()
    failures: list[Failure] = []
    try:
        if isinstance(against, Path):
            # That it cannot be opened is better told before documents are read.
            open_index(against)
        with working_room() as room:
            with stage("Reading documents", len(documents), "documents") as advance:
                kept = _keep(documents.read(failures.append), room, advance, failures.append)
            _require_documents(len(kept.lengths) + len(failures), among and against is None)
            sources = _sources(against, room, settings, failures.append, stage)
            known = frozenset(kept.digests) if among else frozenset[str]()
            task = _Task(settings, kept.shelf, sources, known)
            shared: dict[int, list[Common]] = {}
            if among:
                together = Cohort(settings, kept.shelf, kept.lengths)
                shared = compare_all(together, room / "among", jobs, stage, failures.append)
            work = [(task, number, shared.get(number, []), finish) for number in range(len(kept.lengths))]
            made: dict[int, tuple[T, tuple[Failure, ...]]] = {}
            with (
                stage("Checking documents", len(work), "documents") as advance,
                Processes(min(jobs, len(work))) as processes,
            ):
                for number, result in processes.completed(
                    _examine, work, lambda _, number, *__: kept.shelf.take(number).name
                ):
                    made[number] = result
                    advance(1)
            failures += [failure for number in sorted(made) for failure in made[number][1]]
            size = None if sources is None else len(sources)
            return Checked(tuple(made[number][0] for number in sorted(made)), tuple(failures), size)
    finally:
        forget_indexes()


def _require_documents(count: int, among: bool) -> None:
    if not count:
        raise StemmataError(ErrorCode.NO_DOCUMENTS)
    if among and count == 1:
        raise StemmataError(ErrorCode.ONE_ALONE)


def _keep(
    documents: Iterable[SourceDocument],
    room: Path,
    advance: Callable[[int], None],
    tell: Tell,
) -> _Kept:
    """Put the documents that are checked on a shelf."""
    kept = _Kept(Shelf(room / "documents"))
    for document in documents:
        advance(1)
        try:
            good = presentable(document)
        except StemmataError as error:
            tell(Failure.of(document.name, error))
            continue
        kept.shelf.put(len(kept.lengths), good)
        kept.lengths.append(len(good.text))
        kept.digests.append(digest(good))
    return kept


def _sources(
    against: Path | Readable | None, room: Path, settings: Settings, tell: Tell, stage: Stage
) -> ShelvedSources | IndexedSources | None:
    """Open what documents are checked against."""
    # One more than is told of, because a document may find itself.
    most = settings.most_sources + 1
    if against is None:
        return None
    if isinstance(against, Path):
        found = open_sources(against, room / "collection", settings.retriever, most)
    else:
        with stage("Reading the collection", len(against), "documents") as advance:
            reading = _told(against.read(tell), advance)
            found = keep_sources(reading, room / "collection", settings.retriever, most)
    if not len(found):
        raise StemmataError(ErrorCode.NOTHING_TO_CHECK_AGAINST)
    return found


def _told(documents: Iterable[SourceDocument], advance: Callable[[int], None]) -> Iterator[SourceDocument]:
    for document in documents:
        advance(1)
        yield document


def _examine(
    task: _Task, number: int, common: list[Common], finish: Callable[[Examination], T]
) -> tuple[T, tuple[Failure, ...]]:
    """Check one document and make of it what is wanted."""
    shared = [
        FoundSource(task.shelf.take(one.other), one.detections, None, one.other, one.likeness)
        for one in common
    ]
    examination = examine(task.settings, number, task.shelf.take(number), task.sources, shared, task.known)
    return finish(examination), examination.failures
