"""How alike the sentences of two documents are: terms weighted within the pair, cosine and Dice."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array, csr_array

from stemmata.model import Span
from stemmata.model.spans import Ints
from stemmata.reuse.parts.long_documents import Budget, alike_sentences
from stemmata.reuse.parts.sentence_terms import SentenceTerms

Floats = npt.NDArray[np.float64]
Sparse = TypeVar("Sparse", csr_array, csc_array)
MOST_CELLS = 4_000_000
"""Cells of a dense matrix made at a time; documents with more are long, and compared by their rare terms."""
MOST_DIMENSIONS = 8_000
"""Terms of a document up to which sums of sentences are dense; beyond, BLAS would start threads for them."""
DENSE_STEPS = 16
"""Products by a dense matrix that take as long as one step of a pair's budget, which looks things up."""
STEPS_PER_FRAGMENT = 3_000
"""What a fragment costs however short it is, in steps of a pair's budget."""


@dataclass(frozen=True)
class Weighted:
    """One document's sentences as vectors of weights.

    Attributes
    ----------
    sentences
        The counts behind the weights, entry by entry.
    weight
        Weight of each entry.
    place
        Dimension of each entry: the terms that both documents have come first, in the same order in both.
    norm
        Length of each sentence's vector.
    """

    sentences: SentenceTerms
    weight: Floats
    place: Ints
    norm: Floats

    @classmethod
    def of(cls, sentences: SentenceTerms, idf: Floats, shared: Ints) -> Weighted:
        """Weight the terms of each sentence by tf · idf; `shared` are the terms to come first."""
        weight = sentences.count * idf[sentences.column]
        norm = np.sqrt(np.bincount(sentences.row, weights=weight * weight, minlength=len(sentences)))
        own = np.ones(len(idf), dtype=bool)
        own[shared] = False
        place = np.empty(len(idf), dtype=np.int64)
        place[shared] = np.arange(len(shared))
        place[own] = np.arange(len(shared), len(idf))
        return cls(sentences, weight, place[sentences.column], norm)

    def common(self, dimensions: int) -> tuple[Floats, Ints, Ints]:
        """Return weights, dimensions and borders of the entries in the first dimensions alone."""
        kept = self.place < dimensions
        before = np.concatenate([[0], np.cumsum(kept)])
        return self.weight[kept], self.place[kept], before[self.sentences.border]

    def size(self, span: Span) -> int:
        """Return how many entries some sentences have."""
        return int(self.sentences.border[span.end] - self.sentences.border[span.start])

    def entries(self, span: Span) -> tuple[Ints, Floats]:
        """Return dimensions and weights of some sentences, entry by entry."""
        entries = slice(self.sentences.border[span.start], self.sentences.border[span.end])
        return self.place[entries], self.weight[entries]

    def sum(self, span: Span, dimensions: int) -> Floats:
        """Return the sum of some sentences' vectors, in the dimensions given and more if they have more."""
        place, weight = self.entries(span)
        total = np.bincount(place, weights=weight, minlength=dimensions)
        return total.astype(np.float64, copy=False)


class SentencePair:
    """The sentences of both documents, weighted by tf · ln(N / df) over the sentences of both.

    N is the number of all sentences and df of those that have the term (Sanchez-Perez, Sidorov and
    Gelbukh, "A Winning Approach to Text Alignment for Text Reuse Detection at PAN 2014"). Texts that are
    alike everywhere are refused when they have used up the budget of a pair.
    """

    def __init__(self, suspicious: SentenceTerms, source: SentenceTerms) -> None:
        # For each term of the source, its number in the suspicious document, or -1.
        known = suspicious.terms.get
        numbers = np.fromiter(map(known, source.terms, repeat(-1)), np.int64, len(source.terms))
        shared = np.flatnonzero(numbers >= 0)
        mine = numbers[shared]
        frequency, source_frequency = suspicious.frequency.copy(), source.frequency.copy()
        frequency[mine] += source.frequency[shared]
        source_frequency[shared] = frequency[mine]
        total = len(suspicious) + len(source)
        self.dimensions = len(shared)
        self._budget = Budget()
        self.suspicious = Weighted.of(suspicious, np.log(total / frequency), mine)
        self.source = Weighted.of(source, np.log(total / source_frequency), shared)
        # A term that one document lacks adds nothing to a product, so products leave it out.
        ours, theirs = self.suspicious.common(self.dimensions), self.source.common(self.dimensions)
        self._rows = csr_array(ours, (len(suspicious), self.dimensions))
        self._columns = csc_array(theirs, (self.dimensions, len(source)))

    def cosine(self, rows: Span, columns: Span) -> Floats:
        """Return the cosine of each suspicious sentence in a range with each source sentence in another."""
        products = self._rows[slice(*rows)] @ self._columns[:, slice(*columns)].toarray()
        return self._normalized(products, rows, columns)

    def best_cosine(self, rows: Span, columns: Span) -> Floats:
        """Return for each suspicious sentence in a range the greatest cosine with one of the source range."""
        steps = (self.suspicious.size(rows) + rows.length) * columns.length
        self._budget.spend(steps // DENSE_STEPS, "comparing passages that overlap")
        best = np.zeros(rows.length)
        step = max(1, MOST_CELLS // max(1, rows.length, self.dimensions))
        for first in range(columns.start, columns.end, step):
            block = Span(first, min(first + step, columns.end))
            np.maximum(best, self.cosine(rows, block).max(axis=1), out=best)
        return best

    def fragment_cosine(self, rows: Span, columns: Span) -> float:
        """Return the cosine of two fragments, each the sum of its sentences' vectors."""
        self._budget.spend(
            self.suspicious.size(rows) + self.source.size(columns) + STEPS_PER_FRAGMENT, "validating passages"
        )
        if max(len(self.suspicious.sentences.terms), len(self.source.sentences.terms)) > MOST_DIMENSIONS:
            return _sparse_cosine(
                self.suspicious.entries(rows), self.source.entries(columns), self.dimensions
            )
        ours, theirs = self.suspicious.sum(rows, self.dimensions), self.source.sum(columns, self.dimensions)
        norms = np.sqrt((ours @ ours) * (theirs @ theirs))
        return float(ours[: self.dimensions] @ theirs[: self.dimensions] / norms) if norms else 0.0

    def seeds(self, cosine: float, dice: float) -> Ints:
        """Return the sentence pairs whose cosine and Dice both exceed a threshold, one per row.

        The Dice coefficient of two sentences is 2 |S ∩ R| / (|S| + |R|), over their sets of terms. Of long
        documents, which repeat themselves if they do it on purpose, each suspicious sentence has no more
        than the `MOST_SEEDS` nearest the diagonal.
        """
        n, m = len(self.suspicious.norm), len(self.source.norm)
        size, source_size = np.diff(self.suspicious.sentences.border), np.diff(self.source.sentences.border)
        if n * m > MOST_CELLS:
            rows = _divided(self._rows, self.suspicious.norm)
            columns = _divided(self._columns, self.source.norm)
            return alike_sentences(rows, columns, (size, source_size), (cosine, dice), self._budget)
        # Sparse by dense is several times as fast here as sparse by sparse, and unlike dense by dense
        # it starts no threads, which would cost more than they save.
        alike = self._normalized(self._rows @ self._columns.toarray(), Span(0, n), Span(0, m)) > cosine
        if alike.any():
            common = _ones(self._rows) @ _ones(self._columns).toarray()
            alike &= 2 * common > dice * (size[:, None] + source_size)
        return np.argwhere(alike)

    def _normalized(self, products: Floats, rows: Span, columns: Span) -> Floats:
        norms = self.suspicious.norm[slice(*rows), None] * self.source.norm[slice(*columns)]
        # A sentence of terms that stand in every sentence has no direction, and is like nothing.
        return np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)


def _ones(matrix: Sparse) -> Sparse:
    """Return ones where the matrix has entries, even of weight 0: the sets of terms."""
    return type(matrix)((np.ones_like(matrix.data), matrix.indices, matrix.indptr), matrix.shape)


def _sparse_cosine(one: tuple[Ints, Floats], other: tuple[Ints, Floats], dimensions: int) -> float:
    """Return the cosine of two sums of vectors, given entry by entry; dimensions beyond are not common."""
    (place, sums), (source_place, source_sums) = _summed(*one), _summed(*other)
    _, ours, theirs = np.intersect1d(
        place[place < dimensions], source_place[source_place < dimensions], True, return_indices=True
    )
    square = np.square(sums).sum() * np.square(source_sums).sum()
    return float((sums[ours] * source_sums[theirs]).sum() / np.sqrt(square)) if square else 0.0


def _summed(place: Ints, weight: Floats) -> tuple[Ints, Floats]:
    distinct, entry = np.unique(place, return_inverse=True)
    sums = np.bincount(entry, weights=weight, minlength=len(distinct))
    return distinct, sums.astype(np.float64, copy=False)


def _divided(matrix: Sparse, norm: Floats) -> Sparse:
    """Return the sentences, each divided by its length; one without a direction has none."""
    of_each = np.repeat(norm, np.diff(matrix.indptr))
    data = np.divide(matrix.data, of_each, out=np.zeros_like(matrix.data), where=of_each > 0)
    return type(matrix)((data, matrix.indices, matrix.indptr), matrix.shape)
