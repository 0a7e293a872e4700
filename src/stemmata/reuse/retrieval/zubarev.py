"""Queries made of sentences, and answers kept if they hold a similar one: a system of PAN, 2014."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from stemmata.model import Document, Ranking
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints
from stemmata.reuse.index.fingerprints import frequency_places
from stemmata.reuse.index.word_hashes import Hashes, is_stop_word
from stemmata.reuse.retrieval.candidates import Floats, rarest
from stemmata.reuse.retrieval.collection import Collection
from stemmata.reuse.retrieval.query import Query
from stemmata.reuse.retrieval.searching import ranking


@dataclass(frozen=True)
class Zubarev2014:
    """Phrases and keywords of the weightiest sentences, until every sentence is explained.

    Zubarev and Sochenkov, "Using Sentence Similarity Measure for Plagiarism Source Retrieval", PAN at CLEF
    2014. The text is cut into segments; the sentences of each that say most are asked for, by a phrase and by
    keywords. An answer is downloaded and kept if one of its sentences is similar enough to one of the text,
    and sentences that it explains are not asked for any more.

    Attributes
    ----------
    collection
        Where to look.
    segment
        Sentences of a segment.
    asked
        Sentences of each segment that are asked for.
    phrase, keywords
        Words of a phrase, and of a query by keywords.
    answers
        How many answers of a query are downloaded.
    similarity
        How similar a sentence of a source is at least.
    words
        Sentences of fewer words are not asked for.
    """

    # The paper forms phrases from a parser's noun phrases and weighs by its own collection. Here phrases are
    # the weightiest words of content in a row, and weights come from the index. The similarity is the
    # overlap of idf, which is that of the authors' later system without relations of syntax.
    collection: Collection = field(repr=False)
    segment: int = tunable(5, 1, 50)
    asked: int = tunable(3, 1, 10)
    phrase: int = tunable(3, 2, 6)
    keywords: int = tunable(6, 2, 15)
    answers: int = tunable(5, 1, 30)
    similarity: float = tunable(0.6, 0.1, 0.95)
    words: int = tunable(5, 1, 20)

    def retrieve(self, document: Document) -> Ranking:
        """Return the documents that explain sentences of this one, those that explain most first."""
        search = _Search(self, Query.of(document))
        numbers, scores = search.run()
        return ranking(document, self.collection, numbers, scores, search.queries, len(search.seen))


class _Search:
    """The search for the sources of one text."""

    def __init__(self, settings: Zubarev2014, query: Query) -> None:
        self.settings = settings
        self.query = query
        self.weights = self._idf(query.hashes)
        self.terms = _SentenceTerms.of(query, self.weights)
        self.explained = np.zeros(query.sentences, np.bool_)
        self.seen: dict[int, float] = {}
        self.queries = 0

    def run(self) -> tuple[Ints, Floats]:
        """Ask for every sentence worth it; return sources and how much they explain, best first."""
        lengths = np.bincount(self.query.sentence, minlength=self.query.sentences)
        for first in range(0, self.query.sentences, self.settings.segment):
            part = np.arange(first, min(first + self.settings.segment, self.query.sentences))
            part = part[lengths[part] >= self.settings.words]
            order = part[np.argsort(-self.terms.totals[part], kind="stable")][: self.settings.asked]
            for sentence in order.tolist():
                if not self.explained[sentence]:
                    self._ask(sentence)
        found = [(number, score) for number, score in self.seen.items() if score > 0]
        found.sort(key=lambda one: (-one[1], one[0]))
        return np.array([n for n, _ in found], np.int64), np.array([s for _, s in found], np.float64)

    def _ask(self, sentence: int) -> None:
        first, last = np.searchsorted(self.query.sentence, [sentence, sentence + 1]).tolist()
        words = rarest(self.query, self.weights, first, last, self.settings.keywords)
        answers = [*self._phrase(first, last)]
        if words:
            self.queries += 1
            answers += self.settings.collection.search(self.query.language, words, self.settings.answers)[
                0
            ].tolist()
        for number in answers:
            if number not in self.seen:
                self.seen[number] = self._explains(number)

    def _phrase(self, first: int, last: int) -> list[int]:
        """Ask for the weightiest words of content that follow each other."""
        content = first + np.flatnonzero(np.isfinite(self.weights[first:last]))
        size = self.settings.phrase
        if len(content) < size:
            return []
        sums = np.convolve(self.weights[content], np.ones(size), "valid")
        start = int(np.argmax(sums))
        self.queries += 1
        words = [self.query.forms[place] for place in content[start : start + size].tolist()]
        found = self.settings.collection.phrase(self.query.language, words, self.settings.answers)[0]
        return [int(number) for number in found]

    def _explains(self, number: int) -> float:
        """Return how much a document explains, and note which sentences."""
        text = self.settings.collection.document(number).text
        source = Query.of(Document("", text))
        terms = _SentenceTerms.of(source, self._idf(source.hashes))
        alike = self.terms.similarity(terms)
        good = alike >= self.settings.similarity
        self.explained |= good
        return float(alike[good] @ self.terms.totals[good])

    def _idf(self, hashes: Hashes) -> Floats:
        """Return log(words of the collection / occurrences) of each word; none for stop words."""
        collection = self.settings.collection
        counts = collection.frequencies(frequency_places(hashes))
        weights = np.log((collection.words + 1) / np.maximum(counts, 1)).astype(np.float64)
        weights[is_stop_word(hashes)] = -np.inf
        return weights


@dataclass(frozen=True)
class _SentenceTerms:
    """The different stems of each sentence, with their weights, and the sums of these."""

    row: Ints
    stems: Hashes
    weights: Floats
    totals: Floats

    @classmethod
    def of(cls, query: Query, weights: Floats) -> _SentenceTerms:
        content = np.flatnonzero(np.isfinite(weights))
        order = content[np.lexsort((query.hashes[content], query.sentence[content]))]
        row, stems = query.sentence[order], query.hashes[order]
        first = np.flatnonzero(np.append(True, (np.diff(row) != 0) | (np.diff(stems) != 0)))[: len(row)]
        row, stems, kept = row[first], stems[first], weights[order][first]
        totals = np.bincount(row, kept, minlength=query.sentences).astype(np.float64)
        return cls(row, stems, kept, totals)

    def similarity(self, other: _SentenceTerms) -> Floats:
        """Return how similar the most similar sentence of another text is to each."""
        if not len(self.row) or not len(other.row):
            return np.zeros(len(self.totals))
        both, place = np.unique(np.concatenate([self.stems, other.stems]), return_inverse=True)
        mine, theirs = place[: len(self.stems)], place[len(self.stems) :]
        ours = sparse.csr_array((self.weights, (self.row, mine)), (len(self.totals), len(both)))
        ones = sparse.csr_array((np.ones(len(theirs)), (other.row, theirs)), (len(other.totals), len(both)))
        shared = (ours @ ones.T).tocoo()
        larger = np.maximum(self.totals[shared.row], other.totals[shared.col])
        best = np.zeros(len(self.totals))
        np.maximum.at(best, shared.row, shared.data / larger)
        return best
