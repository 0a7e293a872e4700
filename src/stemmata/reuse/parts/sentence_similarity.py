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
from stemmata.reuse.parts.sentence_terms import SentenceTerms

Floats = npt.NDArray[np.float64]
Sparse = TypeVar("Sparse", csr_array, csc_array)
MOST_CELLS = 4_000_000
"""Cells of a dense matrix made at a time, which bounds the memory that long documents take."""


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

    def sum(self, span: Span, dimensions: int) -> Floats:
        """Return the sum of some sentences' vectors, in the dimensions given and more if they have more."""
        entries = slice(self.sentences.border[span.start], self.sentences.border[span.end])
        total = np.bincount(self.place[entries], weights=self.weight[entries], minlength=dimensions)
        return total.astype(np.float64, copy=False)


class SentencePair:
    """The sentences of both documents, weighted by tf · ln(N / df) over the sentences of both.

    N is the number of all sentences and df of those that have the term (Sanchez-Perez, Sidorov and
    Gelbukh, "A Winning Approach to Text Alignment for Text Reuse Detection at PAN 2014").
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
        best = np.zeros(rows.length)
        step = max(1, MOST_CELLS // max(1, rows.length, self.dimensions))
        for first in range(columns.start, columns.end, step):
            block = Span(first, min(first + step, columns.end))
            np.maximum(best, self.cosine(rows, block).max(axis=1), out=best)
        return best

    def fragment_cosine(self, rows: Span, columns: Span) -> float:
        """Return the cosine of two fragments, each the sum of its sentences' vectors."""
        ours, theirs = self.suspicious.sum(rows, self.dimensions), self.source.sum(columns, self.dimensions)
        norms = np.sqrt((ours @ ours) * (theirs @ theirs))
        return float(ours[: self.dimensions] @ theirs[: self.dimensions] / norms) if norms else 0.0

    def seeds(self, cosine: float, dice: float) -> Ints:
        """Return the sentence pairs whose cosine and Dice both exceed a threshold, one per row.

        The Dice coefficient of two sentences is 2 |S ∩ R| / (|S| + |R|), over their sets of terms.
        """
        n, m = len(self.suspicious.norm), len(self.source.norm)
        size, source_size = np.diff(self.suspicious.sentences.border), np.diff(self.source.sentences.border)
        # Sparse by dense is several times as fast here as sparse by sparse, and unlike dense by dense
        # it starts no threads, which would cost more than they save.
        step = max(1, MOST_CELLS // max(1, n, self.dimensions))
        found = [np.zeros((0, 2), np.int64)]
        for first in range(0, m, step):
            block = slice(first, min(first + step, m))
            products = self._rows @ _dense(self._columns, block)
            alike = self._normalized(products, Span(0, n), Span(block.start, block.stop)) > cosine
            if alike.any():
                common = _ones(self._rows) @ _dense(_ones(self._columns), block)
                alike &= 2 * common > dice * (size[:, None] + source_size[block])
            i, j = np.nonzero(alike)
            found.append(np.stack([i, j + first], axis=1))
        return np.concatenate(found)

    def _normalized(self, products: Floats, rows: Span, columns: Span) -> Floats:
        norms = self.suspicious.norm[slice(*rows), None] * self.source.norm[slice(*columns)]
        # A sentence of terms that stand in every sentence has no direction, and is like nothing.
        return np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)


def _ones(matrix: Sparse) -> Sparse:
    """Return ones where the matrix has entries, even of weight 0: the sets of terms."""
    return type(matrix)((np.ones_like(matrix.data), matrix.indices, matrix.indptr), matrix.shape)


def _dense(matrix: csc_array, columns: slice) -> Floats:
    # Most documents are one block, and slicing takes longer than all the rest.
    whole = columns == slice(0, matrix.shape[1])
    dense: Floats = (matrix if whole else matrix[:, columns]).toarray()
    return dense
