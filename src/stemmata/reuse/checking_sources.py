"""Where the sources of a checked document are looked for: in an index, or in a few documents one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Protocol

import numpy as np

from stemmata.formats.collections import SourceDocument
from stemmata.model.spans import Ints
from stemmata.reuse import retrievers
from stemmata.reuse.asking import retrieve
from stemmata.reuse.checking_documents import Shelf, as_document
from stemmata.reuse.index import Hits, Index, IndexedDocument, IndexShards, Postings, build, open_index
from stemmata.reuse.index.word_hashes import Hashes

EVERY_ONE = 50
EVERY_CHARACTER = 2_000_000
"""Collections of at most so many documents and characters need no index: each document is aligned."""
MOST_ROUNDS = 4
"""How often a retriever is asked again because a copy of the document stood before all else."""
ALIKE = 0.8
"""Texts that have so many of their runs of three words in common are copies."""


@dataclass(frozen=True)
class Candidate:
    """A document that may be a source, and how much spoke for it; None if nobody was asked."""

    document: SourceDocument
    score: float | None = None


class Sources(Protocol):
    """Documents among which sources are looked for; it can be sent to another process."""

    def __len__(self) -> int: ...

    def candidates(self, document: SourceDocument) -> Iterator[Candidate]:
        """Give the documents that a document is to be aligned with, likeliest first."""
        ...


@dataclass(frozen=True)
class ShelvedSources:
    """A few documents, each of which is a candidate."""

    shelf: Shelf
    count: int

    def __len__(self) -> int:
        return self.count

    def candidates(self, document: SourceDocument) -> Iterator[Candidate]:
        """Give every document."""
        return (Candidate(self.shelf.take(number)) for number in range(self.count))


@dataclass(frozen=True)
class IndexedSources:
    """Documents of an index, of which a retriever chooses.

    Attributes
    ----------
    path
        The index.
    retriever
        The name of the retriever.
    most
        How many documents are taken at most.
    """

    path: Path
    retriever: str
    most: int

    def __len__(self) -> int:
        return len(_opened(self.path))

    def candidates(self, document: SourceDocument) -> Iterator[Candidate]:
        """Give what the retriever finds.

        A copy of the document would leave nothing to other sources, since none explains the text better. So
        where there is one, the retriever is asked again for what else there is.
        """
        index = _opened(self.path)
        given: set[int] = set()
        copies: set[int] = set()
        for _ in range(MOST_ROUNDS):
            seen = len(copies)
            others = Others(index, np.array(sorted(copies), np.int64)) if copies else index
            ranking = retrieve(self.retriever, retrievers.make(self.retriever, others), as_document(document))
            for ranked in ranking.sources[: self.most]:
                number = index.number_of(ranked.source)
                if number is None or number in given:
                    continue
                given.add(number)
                found = _source(index.document(number))
                if are_copies(document.text, found.text):
                    copies.add(number)
                yield Candidate(found, ranked.score)
            if len(copies) == seen:
                return


def _source(found: IndexedDocument) -> SourceDocument:
    said = {key: str(value) for key, value in found.metadata.items() if isinstance(value, str | int)}
    return SourceDocument(
        found.name,
        found.text,
        title=said.get("title", ""),
        author=said.get("author", ""),
        url=said.get("url", ""),
        date=said.get("date", ""),
        pages=found.pages,
        format=said.get("format", ""),
    )


def are_copies(one: str, two: str) -> bool:
    """Tell whether two texts are nearly the same, by the runs of three words that both have.

    Examples
    --------
    >>> are_copies("a b c d e f g h", "a b c d e f g h i"), are_copies("a b c d", "a b x d")
    (True, False)
    """
    if not 0.5 < (len(one) + 1) / (len(two) + 1) < 2:
        return False
    runs = [set(zip(words, words[1:], words[2:], strict=False)) for words in (one.split(), two.split())]
    return len(runs[0] & runs[1]) >= ALIKE * max(map(len, runs))


@dataclass(frozen=True)
class Others:
    """An index without some of its documents, as retrievers see it."""

    index: Index | IndexShards
    hidden: Ints

    def __len__(self) -> int:
        return len(self.index) - len(self.hidden)

    @property
    def words(self) -> int:
        """How many words the collection has."""
        return self.index.words

    def lookup(self, kind: str, hashes: Hashes, most: int | None = None) -> Postings:
        """Return the postings of fingerprints, but for those of the hidden documents."""
        found = self.index.lookup(kind, hashes, most)
        gone = np.isin(found.numbers, self.hidden)
        dfs = found.dfs - np.bincount(found.places[gone], minlength=len(found.dfs))
        return Postings(found.places[~gone], found.numbers[~gone], dfs)

    def frequencies(self, places: Ints) -> Ints:
        """Return how often stems occur, by the places of their hashes."""
        return self.index.frequencies(places)

    def search(self, language: str, terms: Sequence[str], limit: int) -> Hits:
        """Return the documents that some words describe best."""
        return self._shown(self.index.search(language, terms, limit + len(self.hidden)), limit)

    def phrase(self, language: str, words: Sequence[str], limit: int) -> Hits:
        """Return documents that have some words in a row."""
        return self._shown(self.index.phrase(language, words, limit + len(self.hidden)), limit)

    def _shown(self, hits: Hits, limit: int) -> Hits:
        kept = np.flatnonzero(~np.isin(hits.numbers, self.hidden))[:limit]
        return Hits(hits.numbers[kept], hits.scores[kept])

    def document(self, number: int) -> IndexedDocument:
        """Return a document."""
        return self.index.document(number)

    def names(self, numbers: Ints) -> list[str]:
        """Return the names of documents."""
        return self.index.names(numbers)


def open_sources(path: Path, room: Path, retriever: str, most: int) -> ShelvedSources | IndexedSources:
    """Open an index; the documents of a small one are taken as they are, since a retriever adds nothing."""
    index = open_index(path)
    # A word and the blank after it have six characters, about.
    if len(index) <= EVERY_ONE and index.words * 6 <= EVERY_CHARACTER:
        return keep_sources(map(_source, index), room, retriever, most)
    return IndexedSources(path, retriever, most)


def keep_sources(
    documents: Iterable[SourceDocument], room: Path, retriever: str, most: int
) -> ShelvedSources | IndexedSources:
    """Keep documents so that sources can be looked for among them: a few as they are, more in an index."""
    shelf = Shelf(room / "shelf")
    left = iter(documents)
    count = characters = 0
    for document in left:
        shelf.put(count, document)
        count += 1
        characters += len(document.text)
        if count > EVERY_ONE or characters > EVERY_CHARACTER:
            break
    else:
        return ShelvedSources(shelf, count)
    build(room / "index", chain(map(shelf.take, range(count)), left))
    return IndexedSources(room / "index", retriever, most)


def forget_indexes() -> None:
    """Close the indexes that were opened: what was asked once may have changed since."""
    _opened.cache_clear()


@lru_cache(maxsize=4)
def _opened(path: Path) -> Index | IndexShards:
    return open_index(path)
