"""Comparing the documents that are checked with each other, as those of a class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from stemmata.model import Detection, StemmataError
from stemmata.model.processes import Processes
from stemmata.reuse.checking_documents import Failure, Shelf
from stemmata.reuse.checking_examination import FoundSource, Likeness, Settings, align_documents
from stemmata.reuse.checking_sources import IndexedSources
from stemmata.reuse.index import build

Stage = Callable[[str, int, str], AbstractContextManager[Callable[[int], None]]]
"""Shows how far a stage of the work is: what it is, of how many things, and what these are called."""

EVERY_PAIR = 100_000_000
"""All pairs are aligned if they have no more characters than this in sum: a minute's work, about."""
PAIR = 1000
"""A pair takes as long as so many characters, however short its documents are."""


@dataclass(frozen=True)
class Common:
    """What a checked document shares with another one, given by its number."""

    other: int
    detections: tuple[Detection, ...]
    likeness: Likeness


@dataclass(frozen=True)
class Cohort:
    """Documents to compare with each other: how, where they are kept, and how long they are."""

    settings: Settings
    shelf: Shelf
    lengths: Sequence[int]


def compare_all(
    documents: Cohort, room: Path, jobs: int, stage: Stage, tell: Callable[[Failure], None]
) -> dict[int, list[Common]]:
    """Align documents with each other, each pair once, and give what is found to both.

    Parameters
    ----------
    room
        A folder for what is needed meanwhile.
    tell
        Is told of pairs that could not be aligned.
    """
    lengths = documents.lengths
    work: list[tuple[Settings, Shelf, int, int]] = []
    for pair in _pairs(documents, room, jobs, stage):
        # The shorter one is taken for the one that copied: a summary is shorter than its source.
        first, second = sorted(pair, key=lambda n: (lengths[n], n))
        work.append((documents.settings, documents.shelf, first, second))
    results: dict[int, FoundSource | Failure] = {}
    with (
        stage("Comparing documents with each other", len(work), "pairs") as advance,
        Processes(min(jobs, len(work))) as processes,
    ):
        for place, result in processes.completed(_align_checked, work, _told):
            results[place] = result
            advance(1)
    shared: dict[int, list[Common]] = {}
    for place in sorted(results):
        made = results[place]
        if isinstance(made, Failure):
            tell(made)
        elif made.detections:
            *_, first, second = work[place]
            turned = [Detection(one.source, one.suspicious) for one in made.detections if one.source]
            turned.sort(key=lambda one: one.suspicious)
            shared.setdefault(first, []).append(Common(second, made.detections, made.likeness))
            shared.setdefault(second, []).append(Common(first, tuple(turned), made.likeness))
    return shared


def _told(settings: Settings, shelf: Shelf, first: int, second: int) -> str:
    return f"{shelf.take(first).name} with {shelf.take(second).name}"


def _align_checked(settings: Settings, shelf: Shelf, first: int, second: int) -> FoundSource | Failure:
    """Align two documents that are checked; the text of the second stays behind."""
    one, two = shelf.take(first), shelf.take(second)
    try:
        found = align_documents(settings.aligner, settings.made(), one, two)
    except (StemmataError, MemoryError) as error:
        return Failure.of(f"{one.name} and {two.name}", error)
    return replace(found, document=replace(two, text="", pages=()))


def _pairs(documents: Cohort, room: Path, jobs: int, stage: Stage) -> list[tuple[int, int]]:
    """Return the pairs that are worth aligning: all of a few documents, likely ones of more."""
    numbers = range(len(documents.lengths))
    if (len(numbers) - 1) * (sum(documents.lengths) + PAIR * len(numbers)) <= EVERY_PAIR:
        return list(combinations(numbers, 2))
    build(room, (replace(documents.shelf.take(number), name=str(number)) for number in numbers))
    made = IndexedSources(room, documents.settings.retriever, documents.settings.most_sources + 1)
    pairs = set()
    with (
        stage("Looking for documents that resemble each other", len(numbers), "documents") as advance,
        Processes(min(jobs, len(numbers))) as processes,
    ):
        work = [(documents.shelf, number, made) for number in numbers]
        for number, others in processes.completed(_resembling, work):
            pairs |= {(min(number, other), max(number, other)) for other in others if other != number}
            advance(1)
    return sorted(pairs)


def _resembling(shelf: Shelf, number: int, sources: IndexedSources) -> list[int]:
    """Return the documents that a retriever finds, and those that share runs of words.

    A retriever may name only one of several documents that have a passage; here all of them count.
    """
    document = shelf.take(number)
    if not document.text.strip():
        return []
    asked = (sources, replace(sources, retriever="fingerprint"))
    return [int(one.document.name) for each in asked for one in each.candidates(document)]
