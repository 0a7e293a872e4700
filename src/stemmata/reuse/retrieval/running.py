"""Retrieval for many documents, in several processes; the result does not depend on how many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stemmata.model import Document, Finding, Ranking, Retriever, StemmataError
from stemmata.model.processes import Processes
from stemmata.reuse import retrievers
from stemmata.reuse.asking import retrieve

_DOCUMENTS_AT_ONCE = 8
"""Documents that go to a process together."""

_ready: list[tuple[str, Retriever]] = []


def open_retriever(index: str | Path, name: str, parameters: Mapping[str, Any] | None = None) -> Retriever:
    """Make a retriever ready to answer from an index.

    Raises
    ------
    StemmataError
        E501 if there is no retriever of that name, E770 to E772 if there is no index that can be used.
    """
    from stemmata.reuse.index import open_index

    retrievers[name]
    made: Retriever = retrievers.make(name, open_index(index), **(parameters or {}))
    return made


def retrieve_all(
    index: str | Path,
    documents: Sequence[Document],
    name: str = "stemmata",
    jobs: int = 1,
    advance: Callable[[int], None] | None = None,
    parameters: Mapping[str, Any] | None = None,
    failed: Callable[[Finding], None] | None = None,
) -> list[Ranking]:
    """Find the sources of documents in an index.

    Parameters
    ----------
    index
        The folder of the index.
    documents
        Documents whose sources are sought.
    name, parameters
        The retriever, and its parameters if not the usual ones.
    jobs
        Processes.
    advance
        Told how many more documents are done.
    failed
        Told of each document to which the retriever gave no answer; by default that is an error.

    Returns
    -------
    list of Ranking
        In the order of the documents, without those to which there is no answer.
    """
    parts = [
        list(documents[first : first + _DOCUMENTS_AT_ONCE])
        for first in range(0, len(documents), _DOCUMENTS_AT_ONCE)
    ]
    found: list[list[Ranking | Finding]] = [[] for _ in parts]
    arguments = (str(index), name, dict(parameters or {}))
    with Processes(min(jobs, max(1, len(parts))), _prepare, arguments) as processes:
        for number, rankings in processes.completed(_retrieve, [(part,) for part in parts]):
            found[number] = rankings
            if advance:
                advance(len(rankings))
    answers = [answer for part in found for answer in part]
    for answer in answers:
        if isinstance(answer, Finding):
            if failed is None:
                raise StemmataError.of(answer)
            failed(answer)
    return [answer for answer in answers if isinstance(answer, Ranking)]


def _prepare(index: str, name: str, parameters: dict[str, Any]) -> None:
    _ready[:] = [(name, open_retriever(index, name, parameters))]


def _retrieve(documents: list[Document]) -> list[Ranking | Finding]:
    name, retriever = _ready[0]
    return [_ranking_or_why_none(name, retriever, document) for document in documents]


def _ranking_or_why_none(name: str, retriever: Retriever, document: Document) -> Ranking | Finding:
    try:
        return retrieve(name, retriever, document)
    except StemmataError as error:
        return error.finding
