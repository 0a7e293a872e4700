"""Our retriever: candidates by fingerprints and search, then each sentence given to its likeliest source."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from stemmata.model import Document, Ranking
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints
from stemmata.reuse.index.word_hashes import hash_words
from stemmata.reuse.retrieval.assignment import NONE, assign_sentences
from stemmata.reuse.retrieval.candidates import by_chunks, by_fingerprints
from stemmata.reuse.retrieval.collection import Collection
from stemmata.reuse.retrieval.evidence import Candidates, Floats, SentenceEvidence
from stemmata.reuse.retrieval.query import Query
from stemmata.reuse.retrieval.searching import ranking


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
        Candidates of each kind.
    chunk, terms, depth
        Words of a piece of the text that is searched for, its rarest words, and how many answers count.
    evidence
        How sentences speak for candidates.
    entry
        The price, as a log-likelihood ratio, of naming a source.
    least
        The least evidence for a source that is returned.
    """

    collection: Collection = field(repr=False)
    most: int = tunable(50, 5, 1000)
    top: int = tunable(30, 5, 200)
    chunk: int = tunable(30, 10, 200)
    terms: int = tunable(15, 3, 30)
    depth: int = tunable(10, 1, 50)
    evidence: SentenceEvidence = field(default_factory=SentenceEvidence)
    entry: float = tunable(13.0, 2.0, 40.0)
    least: float = tunable(13.0, 0.0, 60.0)

    def retrieve(self, document: Document) -> Ranking:
        """Return the sources of a document, those with the most evidence first."""
        query = Query.of(document)
        numbers, queries = self.candidates(query)
        scores = self.weigh(query, numbers)
        order = np.argsort(-scores, kind="stable")
        order = order[scores[order] >= self.least]
        return ranking(document, self.collection, numbers[order], scores[order], queries, len(numbers))

    def candidates(self, query: Query) -> tuple[Ints, int]:
        """Return documents worth reading, in the order of their numbers, and how many queries it took."""
        found = [
            by_fingerprints(self.collection, query, kind, self.most, self.top)[0]
            for kind in ("runs", "skips")
        ]
        queries = len(found)
        if self.chunk:
            searched, _, put = by_chunks(self.collection, query, self.chunk, self.terms, self.depth, self.top)
            found.append(searched)
            queries += put
        return np.unique(np.concatenate(found)), queries

    def weigh(self, query: Query, numbers: Ints) -> Floats:
        """Return for each candidate the evidence of the sentences that are given to it."""
        texts = [self.collection.document(number).text for number in numbers.tolist()]
        words = hash_words(texts, query.language)
        matrix = self.evidence.between(query, Candidates(words.hashes, words.counts), self.collection)
        chosen = assign_sentences(matrix, self.entry)
        given = np.flatnonzero(chosen != NONE)
        sums = np.bincount(chosen[given], matrix[given, chosen[given]], minlength=len(numbers))
        return sums.astype(np.float64)
