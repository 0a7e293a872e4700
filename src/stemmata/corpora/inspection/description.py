"""Description: what is in a corpus, by the classes of Table 5 of the PAN-PC-10 paper.

Potthast, Stein, Barrón-Cedeño and Rosso, "An Evaluation Framework for Plagiarism Detection", COLING 2010.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.random import default_rng

from stemmata.corpora.building.plan import Band, Plan
from stemmata.corpora.building.topics import SAMPLE as TOPIC_SAMPLE
from stemmata.corpora.building.topics import topics_of
from stemmata.corpora.inspection.opening import SIDES, Corpus, Side
from stemmata.corpora.inspection.plan_record import PAN_PC_10, pan_pc_10
from stemmata.model import Document, Span, SpanSet
from stemmata.text.languages import language_of_words, languages
from stemmata.text.sentences import find_sentences
from stemmata.text.words import find_words

Advance = Callable[[int], None]
LANGUAGE_SAMPLE = 3000
"""Characters by which the language of a document is judged."""
FEWEST_STOP_WORDS = 0.15
"""Share of English stop words below which a text is not taken for English."""
BORDER = 0.1
"""What is so little outside a class, relative to its size, and in no other class belongs to it."""


TOLERANCE = 0.02
"""How far a share may be from the planned one."""


def tolerance(total: int) -> float:
    """Return how far a share of so many may be off: two points, or two where one is more than a point."""
    return max(TOLERANCE, 2 / max(total, 1))


@dataclass(frozen=True)
class Share:
    """A class: how many are in it, which share of all that is, and which was planned."""

    name: str
    count: int
    share: float
    planned: float | None = None

    @property
    def difference(self) -> float | None:
        """What there is more than planned, in percentage points."""
        return None if self.planned is None else 100 * (self.share - self.planned)

    def as_json(self) -> dict[str, Any]:
        """Return what JSON says of the class."""
        said: dict[str, Any] = {"count": self.count, "share": round(self.share, 6)}
        if self.planned is not None:
            said |= {"planned": round(self.planned, 6), "difference": round(self.difference or 0.0, 4)}
        return said


@dataclass(frozen=True)
class Section:
    """A paragraph of Table 5: its name, what is counted in it, and its classes."""

    name: str
    title: str
    of: str
    total: int
    shares: tuple[Share, ...]


@dataclass(frozen=True)
class Lengths:
    """Least, median, mean, greatest and sum of lengths."""

    least: int
    median: float
    mean: float
    greatest: int
    total: int

    @classmethod
    def of(cls, values: Sequence[int] | npt.NDArray[np.int64]) -> Lengths:
        """Measure; nothing at all measures 0."""
        if not len(values):
            return cls(0, 0.0, 0.0, 0, 0)
        numbers = np.asarray(values)
        return cls(
            int(numbers.min()),
            float(np.median(numbers)),
            float(numbers.mean()),
            int(numbers.max()),
            int(numbers.sum()),
        )

    def as_json(self) -> dict[str, float]:
        """Return what JSON says of lengths."""
        return {
            "least": self.least,
            "median": self.median,
            "mean": round(self.mean, 2),
            "greatest": self.greatest,
            "total": self.total,
        }


@dataclass(frozen=True)
class Description:
    """A corpus in numbers."""

    name: str
    layout: str
    suspicious: int
    sources: int
    pairs: int
    cases: int
    languages: Mapping[str, int]
    lengths: Mapping[str, Mapping[str, Lengths]]
    sections: tuple[Section, ...]
    planned: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return everything for programs."""
        return {
            "name": self.name,
            "layout": self.layout,
            "documents": self.suspicious + self.sources,
            "suspicious": self.suspicious,
            "sources": self.sources,
            "pairs": self.pairs,
            "cases": self.cases,
            "languages": dict(self.languages),
            "lengths": {
                what: {unit: one.as_json() for unit, one in units.items()}
                for what, units in self.lengths.items()
            },
            "planned": self.planned,
            "shares": {
                section.name: {one.name: one.as_json() for one in section.shares} for section in self.sections
            },
        }


def describe(
    corpus: Corpus, against: Plan | None = None, clusters: int = 0, advance: Advance = lambda _: None
) -> Description:
    """Describe a corpus, reading each document once.

    Parameters
    ----------
    against
        Proportions to put beside those found; without them those of the corpus's own plan.
    clusters
        Number of topics to sort documents into where the truth does not say which cases are of one topic.
    advance
        Is told how many more documents were read.
    """
    survey = Survey(corpus, against, clusters)
    for side, document in corpus.documents():
        survey.add(side, document)
        advance(1)
    return survey.description()


class Survey:
    """Counts what goes by, one document at a time.

    Classes are those of the plan it is given, of the corpus's own, or of PAN-PC-10.
    """

    def __init__(self, corpus: Corpus, against: Plan | None = None, clusters: int = 0) -> None:
        self.corpus = corpus
        self.planned = against or corpus.plan
        self.plan = self.planned or pan_pc_10()
        own = f"the plan of {corpus.plan.name}" if corpus.plan else None
        self.beside = PAN_PC_10 if against else own
        self.page = (corpus.plan or self.plan).page
        self.languages: Counter[str] = Counter()
        self.characters: dict[Side, array[int]] = {side: array("q") for side in SIDES}
        self.words: dict[Side, array[int]] = {side: array("q") for side in SIDES}
        self.plagiarised = array("d")
        self.case_words = np.zeros(len(corpus.cases), dtype=np.int64)
        self.case_sizes = np.zeros(len(corpus.cases), dtype=np.int64)
        # What a plan decides is how much is taken from the source; other corpora are measured as they are.
        self.by_source = corpus.plan is not None
        self.by_sentence = corpus.plan is not None and corpus.plan.replace
        self.clusters = clusters if "topic" not in corpus.cases.attributes else 0
        self._names: dict[Side, dict[str, int]] = {side: {} for side in SIDES}
        self._samples: list[str] = []

    def add(self, side: Side, document: Document) -> None:
        """Count a document and its cases."""
        text = document.text
        self.characters[side].append(len(text))
        self.words[side].append(len(text.split()))
        language = _language(text)
        self.languages[language] += 1
        if self.clusters:
            self._names[side][document.name] = len(self._samples)
            self._samples.append(text[:TOPIC_SAMPLE])
        rows = self.corpus.rows(side, document.name)
        cases = self.corpus.cases
        if side == "suspicious":
            self._add_suspicious(text, rows.tolist(), language)
        elif self.by_source:
            for row in rows.tolist():
                start = int(cases.source_offset[row])
                passage = text[start : start + int(cases.source_length[row])]
                self.case_sizes[row] = self._size(passage, language)

    def _add_suspicious(self, text: str, rows: list[int], language: str) -> None:
        cases = self.corpus.cases
        spans = []
        for row in rows:
            start = int(cases.offset[row])
            span = Span(min(start, len(text)), min(start + int(cases.length[row]), len(text)))
            passage = text[slice(*span)]
            self.case_words[row] = len(passage.split())
            if not self.case_sizes[row]:
                self.case_sizes[row] = (
                    self._size(passage, language) if self.by_sentence else self.case_words[row]
                )
            spans.append(span)
        if spans and self.by_sentence:
            starts, ends = find_sentences(text, language if language in languages else "en")
            middle = (starts + ends) / 2
            inside = sum(int(((middle >= one.start) & (middle < one.end)).sum()) for one in SpanSet(spans))
            self.plagiarised.append(inside / max(1, len(starts)))
        elif spans:
            covered = len(SpanSet(spans))
            self.plagiarised.append(covered / len(text) if text else 0.0)

    def _size(self, passage: str, language: str) -> int:
        if self.by_sentence:
            return len(find_sentences(passage, language if language in languages else "en")[0])
        return len(passage.split())

    def description(self) -> Description:
        """Return what was counted."""
        corpus = self.corpus
        counted: dict[str, dict[str, Any]] = {
            "documents": {
                "characters": [*self.characters["suspicious"], *self.characters["source"]],
                "words": [*self.words["suspicious"], *self.words["source"]],
            },
            "cases": {"characters": corpus.cases.length, "words": self.case_words},
        }
        return Description(
            corpus.name,
            corpus.layout,
            len(corpus.suspicious),
            len(corpus.sources),
            len(corpus.pairs),
            len(corpus.cases),
            dict(self.languages.most_common()),
            {
                what: {unit: Lengths.of(some) for unit, some in units.items()}
                for what, units in counted.items()
            },
            tuple(self.sections()),
            self.beside,
        )

    def sections(self) -> list[Section]:
        """Return the paragraphs of Table 5."""
        corpus, plan = self.corpus, self.plan
        with_cases = {corpus.cases.suspicious.values[i] for i in set(corpus.cases.suspicious.codes.tolist())}
        plagiarised = sum(name in with_cases for name in corpus.suspicious)
        purposes = {
            "source": len(corpus.sources),
            "plagiarised": plagiarised,
            "clean": len(corpus.suspicious) - plagiarised,
        }
        intrinsic = sum(name in corpus.intrinsic for name in corpus.suspicious)
        algorithms = {"external": len(corpus.suspicious) - intrinsic, "intrinsic": intrinsic}
        pages = [length / self.page for side in SIDES for length in self.characters[side]]
        kinds = Counter(kind for row in range(len(corpus.cases)) if (kind := corpus.kinds[row]) is not None)
        sizes = "sentences" if self.by_sentence else "words"
        sections = [
            self._section("purpose", "Document purpose", "documents", purposes, plan.purpose),
            self._section(
                "intended_algorithms",
                "Intended algorithms",
                "suspicious documents",
                algorithms,
                {"external": 1 - plan.intrinsic, "intrinsic": plan.intrinsic},
            ),
            self._section(
                "plagiarism_per_document",
                "Plagiarism per document (sentences)" if self.by_sentence else "Plagiarism per document",
                "plagiarised documents",
                *_classified(self.plagiarised, plan.plagiarism),
            ),
            self._section(
                "document_length", "Document length (pages)", "documents", *_classified(pages, plan.length)
            ),
            self._section(
                "topic_match",
                "Topic match",
                "cases",
                self._topics(),
                {"intra": plan.intra, "inter": 1 - plan.intra},
            ),
            self._section(
                "obfuscation",
                "Obfuscation",
                "cases",
                dict(kinds.most_common()),
                {one.name: one.share for one in plan.obfuscation if one.share},
            ),
            self._section(
                "case_length",
                f"Case length ({sizes})",
                "cases",
                *_classified(self.case_sizes, plan.case_length),
            ),
        ]
        return [section for section in sections if section.total]

    def _section(
        self, name: str, title: str, of: str, counts: Mapping[str, int], planned: Mapping[str, float]
    ) -> Section:
        total = sum(counts.values())
        # Classes in the order of the plan, then what nobody planned.
        order = [*planned, *(one for one in counts if one not in planned)]
        if self.planned is None:
            order = [one for one in order if one in counts]
        shares = [
            Share(
                one,
                counts.get(one, 0),
                counts.get(one, 0) / max(total, 1),
                None if self.planned is None else planned.get(one, 0.0),
            )
            for one in order
        ]
        return Section(name, title, of, total, tuple(shares))

    def _topics(self) -> dict[str, int]:
        """Return how many cases are between documents of one topic, and how many are not."""
        corpus = self.corpus
        told = corpus.cases.attributes.get("topic")
        if told is not None:
            counted = Counter(topic for row in range(len(told)) if (topic := told[row]) is not None)
            return {name: counted[name] for name in ("intra", "inter", *counted)}
        if not self.clusters:
            return {}
        language = next((name for name, _ in self.languages.most_common() if name in languages), "en")
        labels = topics_of(self._samples, self.clusters, default_rng(1), language)
        found = {"intra": 0, "inter": 0}
        for row in range(len(corpus.cases)):
            mine = self._names["suspicious"].get(corpus.cases.suspicious[row] or "")
            theirs = self._names["source"].get(corpus.cases.source[row] or "")
            if mine is not None and theirs is not None:
                found["intra" if labels[mine] == labels[theirs] else "inter"] += 1
        return found


def _language(text: str) -> str:
    """Return the language a text seems to be in, or ``other``."""
    forms = find_words(text[:LANGUAGE_SAMPLE]).forms
    language = language_of_words(forms)
    stop_words = languages[language].stop_words
    if language == "en" and sum(form in stop_words for form in forms) <= FEWEST_STOP_WORDS * len(forms):
        return "other"
    return language


def _classified(sizes: Iterable[float], bands: Sequence[Band]) -> tuple[dict[str, int], dict[str, float]]:
    """Count sizes by class; what lies in none is below, between or above them."""
    values = np.fromiter(sizes, dtype=np.float64)
    chosen = np.full(len(values), -1)
    for slack in (BORDER, 0.0):
        for number, band in enumerate(bands):
            low, high = band.low * (1 - slack), band.high * (1 + slack)
            inside = (values >= low) & (values <= high)
            # A border belongs to the larger class; what is near a class only if it is in none.
            chosen[inside & ((chosen < 0) | (slack == 0.0))] = number
    counts = {band.name: int((chosen == number).sum()) for number, band in enumerate(bands)}
    outside = values[chosen < 0]
    low, high = min(band.low for band in bands), max(band.high for band in bands)
    beside = {
        "below": int((outside < low).sum()),
        "between": int(((outside >= low) & (outside <= high)).sum()),
        "above": int((outside > high).sum()),
    }
    counts |= {name: count for name, count in beside.items() if count}
    if not len(values):
        counts = {}
    return counts, {band.name: band.share for band in bands}
