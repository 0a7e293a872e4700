"""Our retriever: candidates by fingerprints and search, then each sentence given to its likeliest source."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from stemmata.model import Document, Ranking
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints
from stemmata.reuse.index.word_hashes import hash_words
from stemmata.reuse.retrieval.assignment import NONE, assign_sentences
from stemmata.reuse.retrieval.candidates import by_chunks, by_fingerprints, usual_weight
from stemmata.reuse.retrieval.collection import Collection
from stemmata.reuse.retrieval.evidence import Candidates, Floats, SentenceEvidence
from stemmata.reuse.retrieval.query import Query
from stemmata.reuse.retrieval.searching import ranking

_CHARACTERS = 4_000_000
"""Characters of candidates that are hashed at once."""
_MOST_CANDIDATES = 1000
"""Candidates by each kind of fingerprints even for a text of a million words, which would not fit into memory
with all its sentences by all its candidates."""


@dataclass(frozen=True)
class StemmataRetriever:
    """Ranks sources by the evidence that sentences were borrowed from them.

    Attributes
    ----------
    collection
        Where to look.
    most
        Fingerprints that more documents have are left out.
    top
        Candidates by each kind of fingerprints for a thousand words, and at least so many; at most 1,000.
    fill
        If there are fewer candidates, as for a text changed beyond its fingerprints, search adds so many.
    chunk, terms, depth
        Words of a piece of the text that is searched for, its rarest words, and how many answers count.
    evidence
        How sentences speak for candidates.
    entry
        The price, as a log-likelihood ratio, of naming a source.
    run, skip
        What shared fingerprints take off the price: so much for one of each kind that half as many documents
        have as may.
    discount
        The most that is taken off.
    """

    collection: Collection = field(repr=False)
    most: int = tunable(50, 5, 1000)
    top: int = tunable(30, 5, 200)
    fill: int = tunable(10, 0, 200)
    chunk: int = tunable(30, 10, 200)
    terms: int = tunable(15, 3, 30)
    depth: int = tunable(10, 1, 50)
    evidence: SentenceEvidence = field(default_factory=SentenceEvidence)
    entry: float = tunable(19.0, 2.0, 60.0)
    run: float = tunable(2.5, 0.0, 10.0)
    skip: float = tunable(1.0, 0.0, 10.0)
    discount: float = tunable(11.0, 0.0, 60.0)

    def retrieve(self, document: Document) -> Ranking:
        """Return the sources of a document, those with the most evidence first."""
        query = Query.of(document)
        numbers, prices, queries = self.candidates(query)
        gains = self.weigh(query, numbers, prices)
        order = np.argsort(-gains, kind="stable")
        order = order[gains[order] > 0]
        return ranking(document, self.collection, numbers[order], gains[order], queries, len(numbers))

    def candidates(self, query: Query) -> tuple[Ints, Floats, int]:
        """Return documents worth reading, the price of naming each, and how many queries it took."""
        top = min(max(self.top, self.top * len(query) // 1000), _MOST_CANDIDATES)
        usual = usual_weight(len(self.collection), self.most)
        numbers, off, queries = np.zeros(0, np.int64), np.zeros(0), 0
        for kind, worth in (("runs", self.run), ("skips", self.skip)):
            found, scores = by_fingerprints(self.collection, query, kind, self.most, top)
            numbers, off, queries = *_joined(numbers, off, found, worth * scores / usual), queries + 1
        if len(numbers) < self.fill:
            found, _, put = by_chunks(self.collection, query, self.chunk, self.terms, self.depth, self.fill)
            numbers, off, queries = *_joined(numbers, off, found, np.zeros(len(found))), queries + put
        return numbers, self.entry - np.minimum(off, self.discount), queries

    def weigh(self, query: Query, numbers: Ints, prices: Floats) -> Floats:
        """Return for each candidate the evidence of the sentences that are given to it, less its price."""
        matrix = self.evidence.between(query, self._read(numbers, query.language), self.collection)
        chosen = assign_sentences(matrix, prices)
        given = np.flatnonzero(chosen != NONE)
        sums = np.bincount(chosen[given], matrix[given, chosen[given]], minlength=len(numbers))
        named = np.bincount(chosen[given], minlength=len(numbers)) > 0
        return np.where(named, sums - prices + self.entry, 0.0)

    def _read(self, numbers: Ints, language: str) -> Candidates:
        """Return the words of documents; texts are not held longer than it takes to hash them."""
        hashes, counts = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
        texts: list[str] = []
        held = 0
        for left, number in zip(range(len(numbers) - 1, -1, -1), numbers.tolist(), strict=True):
            texts.append(self.collection.document(number).text)
            held += len(texts[-1])
            if held > _CHARACTERS or not left:
                words = hash_words(texts, language)
                hashes.append(words.hashes)
                counts.append(words.counts)
                texts, held = [], 0
        return Candidates(np.concatenate(hashes), np.concatenate(counts))


def _joined(numbers: Ints, sums: Floats, others: Ints, more: Floats) -> tuple[Ints, Floats]:
    """Join two lists of documents; what is said of a document in both is added up."""
    different, back = np.unique(np.concatenate([numbers, others]), return_inverse=True)
    added = np.bincount(back, np.concatenate([sums, more]), minlength=len(different))
    return different, added.astype(np.float64)
