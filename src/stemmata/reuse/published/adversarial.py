"""Two models that detect next to nothing and score high: why plagdet needs to be normalised.

Belyy, Dubova and Nekrasov, "Improved Evaluation Framework for Complex Plagiarism Detection", ACL 2018.
In a corpus of summaries the source of a case is a whole document, far longer than the suspicious passage.
Who claims all of the source and guesses one sentence has most characters right, since plagdet counts those
of both sides together; normalised plagdet weighs the sides alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from stemmata.model import Detection, Document, Pair, Passage, Span
from stemmata.model.spans import Ints
from stemmata.reuse.parts.sentence_terms import join_short
from stemmata.text.languages import languages
from stemmata.text.sentences import find_sentences
from stemmata.text.words import find_words

_DETACHED = (
    ("sses", "ss"), ("xes", "x"), ("zzes", "zz"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
    ("ies", "y"), ("ss", "ss"), ("us", "us"), ("is", "is"), ("s", ""),
)  # fmt: skip
"""Endings of English plurals and what stands there in the singular; the first that fits counts."""


@dataclass(frozen=True)
class AdversarialM1:
    """The one sentence most covered by the source, against the whole source.

    Attributes
    ----------
    coverage
        A sentence is covered if more than this share of its words stands somewhere in the source.
    fewest_covered
        With fewer covered sentences nothing is detected.
    fewest_words
        A sentence with fewer words, stop words left out, is joined with the next one.
    """

    coverage: float = 0.75
    fewest_covered: int = 2
    fewest_words: int = 4

    def align(self, pair: Pair) -> list[Detection]:
        """Return at most one claim on the source, in one piece or more."""
        best = self._best_sentence(pair)
        if best is None:
            return []
        source = Passage(pair.source.name, 0, len(pair.source))
        return [
            Detection(Passage(pair.suspicious.name, span.start, span.length), source)
            for span in self._claimed(best, len(pair.suspicious))
            if span.length
        ]

    def _claimed(self, best: Span, length: int) -> list[Span]:
        return [best]

    def _best_sentence(self, pair: Pair) -> Span | None:
        """Return the first of the sentences with the greatest share of words known to the source."""
        suspicious, source = _lemmas(pair.suspicious), set(_lemmas(pair.source).forms)
        joined = join_short(suspicious.sizes(), self.fewest_words)
        if not len(joined):
            return None
        sentence = joined[suspicious.sentence]
        known = np.array([form in source for form in suspicious.forms], dtype=np.float64)
        total = np.bincount(sentence, minlength=joined[-1] + 1)
        share = np.bincount(sentence, weights=known, minlength=len(total)) / np.maximum(total, 1)
        if np.count_nonzero(share > self.coverage) < self.fewest_covered:
            return None
        members = np.flatnonzero(joined == np.argmax(share))
        return Span(int(suspicious.start[members[0]]), int(suspicious.end[members[-1]]))


@dataclass(frozen=True)
class AdversarialM2(AdversarialM1):
    """Everything but the sentence most covered by the source, against the whole source."""

    def _claimed(self, best: Span, length: int) -> list[Span]:
        return [Span(0, best.start), Span(best.end, length)]


@dataclass(frozen=True)
class _Lemmas:
    """The content words of a document as lemmas, and the sentences they stand in."""

    start: Ints
    end: Ints
    sentence: Ints
    forms: tuple[str, ...]

    def sizes(self) -> Ints:
        return np.bincount(self.sentence, minlength=len(self.start)).astype(np.int64)


@lru_cache(maxsize=256)
def _lemmas(document: Document) -> _Lemmas:
    # The paper lowers the text before it looks for sentences. Lower case can be longer than upper case;
    # such a text is left as it is, since offsets must hold.
    lowered = document.text.lower()
    start, end = find_sentences(lowered if len(lowered) == len(document) else document.text, "en")
    words = find_words(document.text)
    stop_words = languages["en"].stop_words
    content = np.array([form not in stop_words for form in words.forms], dtype=bool)
    sentence = np.searchsorted(start, words.start[content], side="right") - 1
    forms = (singular(form) for form, keep in zip(words.forms, content.tolist(), strict=True) if keep)
    return _Lemmas(start, end, sentence, tuple(forms))


@lru_cache(maxsize=1 << 16)
def singular(noun: str) -> str:
    """Return the singular of an English noun in lower case.

    The paper takes WordNet's lemmas of nouns. Both documents are treated alike and words are only looked up,
    so the rules WordNet starts from serve without its dictionary and its list of exceptions.

    Examples
    --------
    >>> [singular(word) for word in ("cases", "boxes", "women", "copies", "glass", "text")]
    ['case', 'box', 'woman', 'copy', 'glass', 'text']
    """
    for ending, single in _DETACHED:
        if noun.endswith(ending) and len(noun) > len(ending):
            return noun.removesuffix(ending) + single
    return noun
