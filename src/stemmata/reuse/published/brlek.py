"""Sentences whose words have near relations in the source: word vectors in place of term weights, 2016."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import compress, pairwise, repeat

import numpy as np
from scipy.sparse import csr_array

from stemmata.model import Detection, Document, Pair, Span
from stemmata.model.parameters import refuse_negative, tunable
from stemmata.model.spans import Ints
from stemmata.reuse.parts.long_documents import ALIKE, Budget
from stemmata.reuse.parts.sentence_fragments import (
    Fragment,
    detection,
    extend_validated,
    overlap_quality,
    resolve_overlaps,
    shorter_side,
)
from stemmata.reuse.parts.sentence_similarity import DENSE_STEPS
from stemmata.reuse.parts.sentence_terms import SentenceTerms, join_short, numbered
from stemmata.reuse.published.sanchez_perez import is_summary
from stemmata.text.keeping import kept_per_document
from stemmata.text.languages import languages
from stemmata.text.lemmas import lemmas
from stemmata.text.sentences import find_sentences
from stemmata.text.vectors import Matrix, WordVectors, english_vectors
from stemmata.text.words import find_words

MOST_CELLS = 4_000_000
"""Cells of a dense matrix made at a time, which bounds the memory that long documents take."""
MOST_KEPT = 4 * MOST_CELLS
"""Cells of the matrix of suspicious words and source sentences, if it is kept; else it is made as needed."""
STEPS_PER_SEED = 64
"""What a seed costs, in steps of a pair's budget: it is kept, and put in order several times."""


@dataclass(frozen=True)
class Brlek2016:
    """Seeds of sentences similar by word vectors, extended, validated, freed of overlaps.

    Brlek, Franjić and Uzelac, "Plagiarism Detection Using Word2vec Model", TakeLab, 2016. The steps are
    those of Sanchez-Perez, Sidorov and Gelbukh (2014); only the similarity of two passages is another: see
    `VectorPair`. For English documents.

    Attributes
    ----------
    seed
        A sentence pair whose similarity exceeds this is a seed.
    validation
        A fragment is kept if the similarity of its two sides exceeds this.
    gap, least_gap
        Sentences without a seed that a fragment may span, at first and at the last attempt to validate it.
    summary_gap
        The gap with which summaries are looked for.
    summary_ratio
        Found with the summary gap, source passages this many times as long as the suspicious are a summary.
    min_length
        Passages of fewer characters, in either document, are dropped.
    fewest_words
        A sentence with fewer words, stop words left out, is joined with the next one.
    """

    # The paper takes the vectors of word2vec. Ours are those of `stemmata.text.vectors`; the thresholds of
    # the paper suit them, and are kept. What follows the thresholds is as in 2014.
    seed: float = tunable(0.6, 0.2, 0.9)
    validation: float = tunable(0.7, 0.2, 0.9)
    gap: int = tunable(4, 0, 12)
    least_gap: int = tunable(2, 0, 8)
    summary_gap: int = tunable(24, 8, 60)
    summary_ratio: float = tunable(3.0, 1.0, 6.0)
    min_length: int = tunable(150, 50, 400)
    fewest_words: int = 3

    def __post_init__(self) -> None:
        refuse_negative(self)
        # A missing extra is told now, once, and not for each of many pairs.
        english_vectors()
        lemmas([], "en")

    def align(self, pair: Pair) -> list[Detection]:
        """Return the detections in the order of the suspicious document."""
        suspicious = content_words(pair.suspicious, self.fewest_words)
        source = content_words(pair.source, self.fewest_words)
        sentences = VectorPair(suspicious, source, english_vectors())
        seeds = sentences.seeds(self.seed)

        def valid(fragment: Fragment) -> bool:
            return sentences.similarity(*fragment) > self.validation

        def found(gap: int) -> list[Detection]:
            fragments = extend_validated(seeds, gap, min(gap, self.least_gap), valid)
            kept = resolve_overlaps(fragments, overlap_quality(sentences.best_similarity))
            made = (detection(pair, suspicious, source, fragment) for fragment in kept)
            return [one for one in made if shorter_side(one) >= self.min_length]

        summary = found(self.summary_gap)
        return summary if is_summary(summary, self.summary_ratio) else found(self.gap)


class VectorPair:
    """The sentences of two documents, compared word by word, as far as the budget of a pair goes.

    The similarity of a suspicious passage S and a source passage R is the mean over the words of S of the
    greatest cosine with a word of R. It is not symmetric: what else R has does not count.
    """

    def __init__(self, suspicious: SentenceTerms, source: SentenceTerms, vectors: WordVectors) -> None:
        self._suspicious, self._source = suspicious, source
        self._ours, self._theirs = vectors.rows(list(suspicious.terms)), vectors.rows(list(source.terms))
        known = suspicious.terms.get
        # For each word of the source, its number in the suspicious document, or -1.
        self._same = np.fromiter(map(known, source.terms, repeat(-1)), np.int64, len(source.terms))
        self._budget = Budget()
        self._kept: Matrix | None = None
        if 0 < len(source) * len(suspicious.terms) <= MOST_KEPT:
            everything = np.arange(len(suspicious.terms)), Span(0, len(source))
            self._kept = np.concatenate(list(self._best(*everything)))

    def seeds(self, threshold: float) -> Ints:
        """Return the sentence pairs whose similarity exceeds a threshold, one per row."""
        words, means = self._means(Span(0, len(self._suspicious)))
        found = [np.zeros((0, 2), np.int64)]
        first = 0
        for best in self._best(words, Span(0, len(self._source))):
            i, j = np.nonzero(means @ best.T > threshold)
            self._budget.spend(STEPS_PER_SEED * len(i), ALIKE)
            found.append(np.stack([i, j + first], axis=1))
            first += len(best)
        return np.concatenate(found)

    def similarity(self, rows: Span, columns: Span) -> float:
        """Return the similarity of some suspicious sentences, taken together, with some of the source."""
        entries = self._entries(rows)
        words, place = np.unique(self._suspicious.column[entries], return_inverse=True)
        if not len(words):
            return 0.0
        self._spend(words, columns, "validating passages")
        best = np.max([block.max(axis=0) for block in self._best(words, columns)], axis=0)
        return float(np.average(best[place], weights=self._suspicious.count[entries]))

    def best_similarity(self, rows: Span, columns: Span) -> Matrix:
        """Return the greatest similarity of each suspicious sentence in a range with one of the source."""
        words, means = self._means(rows)
        self._spend(words, columns, "comparing passages that overlap")
        best: Matrix = np.max([(means @ block.T).max(axis=1) for block in self._best(words, columns)], axis=0)
        return best

    def _spend(self, words: Ints, columns: Span, what: str) -> None:
        border = self._source.border
        self._budget.spend(len(words) * int(border[columns.end] - border[columns.start]) // DENSE_STEPS, what)

    def _entries(self, rows: Span) -> slice:
        return slice(self._suspicious.border[rows.start], self._suspicious.border[rows.end])

    def _means(self, rows: Span) -> tuple[Ints, csr_array]:
        """Return the words of some suspicious sentences, and the matrix that takes the sentences' means."""
        entries = self._entries(rows)
        words, place = np.unique(self._suspicious.column[entries], return_inverse=True)
        row, count = self._suspicious.row[entries] - rows.start, self._suspicious.count[entries]
        share = count / np.bincount(row, weights=count, minlength=rows.length)[row]
        border = self._suspicious.border[rows.start : rows.end + 1] - entries.start
        return words, csr_array((share.astype(np.float32), place, border), (rows.length, len(words)))

    def _best(self, words: Ints, columns: Span) -> Iterator[Matrix]:
        """Yield the greatest cosine of each of some suspicious words with a word of each source sentence.

        One row per source sentence, and at a time as many rows as memory allows.
        """
        border = self._source.border
        most = max(1, MOST_CELLS // max(1, len(words), len(self._suspicious)))
        first = columns.start
        while first < columns.end:
            end = int(np.searchsorted(border, border[first] + most, side="right")) - 1
            end = min(max(end, first + 1), columns.end)
            if self._kept is not None:
                yield self._kept[first:end, words]
            elif border[end] - border[first] > most:
                # One sentence too long for memory, such as a text without periods.
                parts = (
                    slice(at, min(at + most, border[end])) for at in range(border[first], border[end], most)
                )
                yield reduce(np.maximum, (self._cosine(words, part)[0].max(axis=0) for part in parts))[None]
            else:
                cosine, place = self._cosine(words, slice(border[first], border[end]))
                yield _maxima(cosine[place], border[first : end + 1] - border[first])
            first = end

    def _cosine(self, words: Ints, entries: slice) -> tuple[Matrix, Ints]:
        """Return the cosine of each source word of some entries with some suspicious words, and its row."""
        theirs, place = np.unique(self._source.column[entries], return_inverse=True)
        cosine: Matrix = self._theirs[theirs] @ self._ours[words].T
        # A word is like itself even if it has no vector. The last place is that of words we do not have.
        at = np.full(len(self._ours) + 1, -1)
        at[words] = np.arange(len(words))
        column = at[self._same[theirs]]
        row = np.flatnonzero(column >= 0)
        cosine[row, column[row]] = 1.0
        return cosine, place


def _maxima(rows: Matrix, border: Ints) -> Matrix:
    """Return the greatest of the rows between one border and the next; of none, zeros."""
    maxima = np.zeros((len(border) - 1, rows.shape[1]), dtype=np.float32)
    # Several times as fast as `np.maximum.reduceat`, which goes down the columns.
    for number, (first, end) in enumerate(pairwise(border.tolist())):
        if end > first:
            np.maximum.reduce(rows[first:end], axis=0, out=maxima[number])
    return maxima


@kept_per_document
def content_words(document: Document, fewest: int) -> SentenceTerms:
    """Split a document into sentences and these into lemmas, without stop words."""
    start, end = find_sentences(document.text, "en")
    words = find_words(document.text)
    stop_words = languages["en"].stop_words
    kept = [form not in stop_words for form in words.forms]
    sentence = (np.searchsorted(start, words.start, side="right") - 1)[np.array(kept, dtype=bool)]
    codes, distinct = numbered(list(compress(words.forms, kept)))
    # The paper takes the lemmas of WordNet; ours are those of the package.
    of_form = lemmas(list(distinct), "en")
    joined = join_short(np.bincount(sentence, minlength=len(start)), fewest)
    first = np.flatnonzero(np.diff(joined, prepend=-1))
    last = np.append(first[1:], len(joined)) - 1 if len(first) else first
    forms = [of_form[code] for code in codes.tolist()]
    return SentenceTerms.of(start[first], end[last], joined[sentence], forms)
