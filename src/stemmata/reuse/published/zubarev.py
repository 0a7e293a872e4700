"""Paraphrase by sentences that share rare words: a system of PlagEvalRus, 2017."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Literal

import numpy as np

from stemmata.model import Detection, Document, ErrorCode, Pair, StemmataError
from stemmata.model.parameters import tunable
from stemmata.model.spans import Ints, expand_ranges
from stemmata.reuse.parts.long_documents import ALIKE, Budget, blocks_of
from stemmata.reuse.parts.sentence_fragments import detection, extend, fragment_of, shorter_side
from stemmata.reuse.parts.sentence_similarity import Floats, SentencePair, Weighted
from stemmata.reuse.parts.sentence_terms import SentenceTerms, join_short, numbered
from stemmata.text.analysis import analyse
from stemmata.text.keeping import kept_per_document
from stemmata.text.lemmas import lemmas
from stemmata.text.stems import stems

Terms = Literal["lemmas", "stems"]


@dataclass(frozen=True)
class Zubarev2017:
    """Sentence pairs alike in their rare terms, merged where they lie close together.

    Zubarev and Sochenkov, "Paraphrased Plagiarism Detection Using Sentence Similarity", Dialogue 2017.
    The similarity of a suspicious sentence S and a source sentence R is the weighted sum of

    - the overlap of idf: Σ idf(t) over the terms of both, and
    - the same with Σ idf(t) · exp(-|tf_S(t) - tf_R(t)|), which a term used more often in one loses,

    both divided by Σ idf(t) of the sentence that has more of it.

    Attributes
    ----------
    overlap, frequency
        Weights of the two.
    threshold
        A sentence pair whose similarity exceeds this is a seed.
    gap
        Sentences without a seed that a passage may span.
    commonest
        Terms that a greater share of all sentences has are not in the index.
    core
        A passage needs a seed whose similarity exceeds this.
    min_length
        Passages of fewer characters, in either document, are dropped.
    terms
        What a word counts as: its lemma or its stem. Where no lemmatizer of the language is installed, its
        stem does.
    language
        Language of the documents; without one it is guessed from the suspicious document.
    """

    # The paper adds matches of syntactic and semantic relations between words. They need a parser of the
    # language, which is at hand for neither English nor Russian; so the two overlaps share the whole. The
    # paper tuned its weights and threshold on PlagEvalRus; these were chosen on the training corpus of PAN13.
    # The paper asks for no core. Where idf comes from two documents alone, it tells reuse from two texts that
    # report the same facts.
    overlap: float = tunable(0.5, 0.0, 1.0)
    frequency: float = tunable(0.5, 0.0, 1.0)
    threshold: float = tunable(0.25, 0.05, 0.6)
    gap: int = tunable(2, 0, 20)
    commonest: float = tunable(0.4, 0.02, 1.0)
    core: float = tunable(0.35, 0.0, 0.8)
    min_length: int = tunable(150, 20, 400)
    terms: Terms = "lemmas"
    language: str | None = None

    def align(self, pair: Pair) -> list[Detection]:
        """Return the detections in the order of the suspicious document."""
        language = self.language or analyse(pair.suspicious).language
        suspicious = sentence_terms(pair.suspicious, language, self.terms)
        source = sentence_terms(pair.source, language, self.terms)
        # The paper takes idf from a large collection; here the two documents are all there is.
        seeds, similarity = self._similar(SentencePair(suspicious, source))
        strong = set(map(tuple, seeds[similarity > self.core].tolist()))
        fragments = sorted(
            fragment_of(cluster)
            for cluster in extend(seeds, self.gap)
            if not strong.isdisjoint(map(tuple, cluster.tolist()))
        )
        found = (detection(pair, suspicious, source, fragment) for fragment in fragments)
        return [one for one in found if shorter_side(one) >= self.min_length]

    def seeds(self, pair: SentencePair) -> Ints:
        """Return the sentence pairs that are similar enough, one per row."""
        return self._similar(pair)[0]

    def _similar(self, pair: SentencePair) -> tuple[Ints, Floats]:
        """Return the seeds and how similar each is."""
        ours, theirs = self._indexed(pair.suspicious, pair), self._indexed(pair.source, pair)
        # The index: for each term, where its entries in the source lie.
        order = theirs[np.argsort(pair.source.place[theirs], kind="stable")]
        terms = pair.source.place[order]
        first = np.searchsorted(terms, pair.suspicious.place[ours], side="left")
        count = np.searchsorted(terms, pair.suspicious.place[ours], side="right") - first
        rows = pair.suspicious.sentences.row[ours]
        steps = np.bincount(rows, weights=count, minlength=len(pair.suspicious.norm))
        Budget().spend(int(steps.sum()), ALIKE)
        totals = _totals(pair.suspicious), _totals(pair.source)
        found = []
        # Sentences whose steps fit together into memory at a time.
        for begin, end in blocks_of(steps):
            some = slice(*np.searchsorted(rows, [begin, end]))
            mine, at = expand_ranges(first[some], count[some])
            found.append(self._alike(pair, ours[some][mine], order[at], totals))
        seeds, similarity = zip(*found, strict=True)
        return np.concatenate(seeds), np.concatenate(similarity)

    def _alike(
        self, pair: SentencePair, i: Ints, j: Ints, totals: tuple[Floats, Floats]
    ) -> tuple[Ints, Floats]:
        """Return the seeds among sentences that have equal terms, given the entries of these in both."""
        apart = np.abs(pair.suspicious.sentences.count[i] - pair.source.sentences.count[j])
        credit = _idf(pair.suspicious)[i] * (self.overlap + self.frequency * np.exp(-apart))
        width = max(1, len(pair.source.norm))
        cells, cell = np.unique(
            pair.suspicious.sentences.row[i] * width + pair.source.sentences.row[j], return_inverse=True
        )
        row, column = cells // width, cells % width
        most = np.maximum(totals[0][row], totals[1][column])
        shared = np.bincount(cell, weights=credit, minlength=len(cells))
        # Terms that stand in every sentence have no weight at all.
        similarity = np.divide(shared, most, out=np.zeros(len(cells)), where=most > 0)
        alike = similarity > self.threshold
        return np.stack([row[alike], column[alike]], axis=1), similarity[alike]

    def _indexed(self, document: Weighted, pair: SentencePair) -> Ints:
        """Return the entries of terms that both documents have and that are rare enough to tell something."""
        sentences = len(pair.suspicious.norm) + len(pair.source.norm)
        # In a short document one copied sentence makes its terms frequent.
        most = max(self.commonest * sentences, 4)
        rare = _idf(document) >= np.log(max(1, sentences) / most)
        return np.flatnonzero(rare & (document.place < pair.dimensions))


def _idf(document: Weighted) -> Floats:
    idf: Floats = document.weight / document.sentences.count
    return idf


def _totals(document: Weighted) -> Floats:
    """Return the idf of all terms of each sentence together."""
    rows = document.sentences.row
    totals = np.bincount(rows, weights=_idf(document), minlength=len(document.norm))
    return totals.astype(np.float64, copy=False)


@kept_per_document
def sentence_terms(document: Document, language: str, terms: Terms) -> SentenceTerms:
    """Split a document into sentences of at least three words, and count their lemmas or stems."""
    analysis = analyse(document, language)
    tokens, sentence = analysis.tokens, analysis.token_sentence
    long = tokens.end - tokens.start > 1
    sentence, forms = sentence[long], list(compress(tokens.forms, long.tolist()))
    start, end = analysis.sentences
    joined = join_short(np.bincount(sentence, minlength=len(start)), fewest=3)
    first = np.flatnonzero(np.diff(joined, prepend=-1))
    last = np.append(first[1:], len(start))[: len(first)] - 1
    codes, distinct = numbered(forms)
    base = _base_forms(list(distinct), language, terms)
    return SentenceTerms.of(
        start[first], end[last], joined[sentence], [base[code] for code in codes.tolist()]
    )


def _base_forms(forms: Sequence[str], language: str, terms: Terms) -> list[str]:
    if terms == "lemmas":
        try:
            return lemmas(forms, language)
        except StemmataError as error:
            if error.finding.kind is not ErrorCode.MISSING_EXTRA:
                raise
    return stems(forms, language)
