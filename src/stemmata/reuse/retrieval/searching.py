"""Retrievers that rank what an index answers, without a second look."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from stemmata.model import Document, Ranked, Ranking
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints
from stemmata.reuse.retrieval.candidates import Floats, by_chunks, by_fingerprints, usual_weight
from stemmata.reuse.retrieval.collection import Collection
from stemmata.reuse.retrieval.query import Query


def ranking(
    document: Document,
    collection: Collection,
    numbers: Ints,
    scores: Floats,
    queries: int,
    downloads: int = 0,
) -> Ranking:
    """Return documents of a collection, already in order, as a ranking."""
    names = collection.names(numbers)
    ranked = (Ranked(name, round(score, 3)) for name, score in zip(names, scores.tolist(), strict=True))
    return Ranking(document.name, tuple(ranked), queries, downloads)


@dataclass(frozen=True)
class Bm25Chunks:
    """Pieces of the text as queries of their rarest words, ranked by BM25.

    Attributes
    ----------
    collection
        Where to look.
    chunk, terms, depth
        Words of a piece, its rarest words, and how many answers count.
    top
        How many documents are returned at most.
    least
        The least score of what is returned, as a share of the best.
    """

    collection: Collection = field(repr=False)
    chunk: int = tunable(30, 10, 200)
    terms: int = tunable(15, 3, 30)
    depth: int = tunable(10, 1, 50)
    top: int = tunable(10, 1, 200)
    least: float = tunable(0.1, 0.0, 1.0)

    def retrieve(self, document: Document) -> Ranking:
        """Return the documents that answer to pieces of this one, those far above all others first."""
        query = Query.of(document)
        numbers, scores, queries = by_chunks(
            self.collection, query, self.chunk, self.terms, self.depth, self.top
        )
        kept = np.flatnonzero(scores >= self.least * scores.max(initial=0.0))
        return ranking(document, self.collection, numbers[kept], scores[kept], queries)


@dataclass(frozen=True)
class Fingerprint:
    """Runs of four words that both have, thinned out by winnowing.

    Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003.

    Attributes
    ----------
    collection
        Where to look.
    most
        Fingerprints that more documents have are left out.
    shared
        How many fingerprints a source shares at least; of rare ones, fewer do.
    top
        How many documents are returned at most.
    """

    collection: Collection = field(repr=False)
    most: int = tunable(50, 1, 1000)
    shared: float = tunable(3.0, 1.0, 20.0)
    top: int = tunable(50, 1, 500)

    def retrieve(self, document: Document) -> Ranking:
        """Return the documents that share fingerprints with this one, rare ones counting more."""
        query = Query.of(document)
        numbers, scores = by_fingerprints(self.collection, query, "runs", self.most, self.top)
        kept = np.flatnonzero(scores >= self.shared * usual_weight(len(self.collection), self.most))
        return ranking(document, self.collection, numbers[kept], scores[kept], 1)
