"""The evidence of a run: documents, pairs and passages as the report shows them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from stemmata.formats import AnnotationFiles, DocumentFolder, read_pairs
from stemmata.formats.truth_and_run import require_common_document
from stemmata.measures.definition import signature
from stemmata.measures.statistics import Alignment, Lengths
from stemmata.model import (
    Annotations,
    Detection,
    ErrorCode,
    Passage,
    Span,
    SpanSet,
    StemmataError,
    document_key,
)
from stemmata.reports.evidence_kinds import LIGHT, SUMMARY, VERBATIM, Judgement, judge
from stemmata.reports.evidence_words import Change, Comparison, compare_words, split_words
from stemmata.reports.exclusions import bibliography, quotations
from stemmata.reports.manipulation import Manipulation, find_manipulation
from stemmata.reports.overlay import Overlay, Tally, overlays, tally

Say = Callable[[str], None]


@dataclass(frozen=True)
class EvidenceDocument:
    """A document and what can be told from its text alone; without text, it is only listed.

    Attributes
    ----------
    pages
        The offsets where pages start; empty if there are no pages.
    about
        What else is known of it: title, author, url, date.
    alias
        What it is called where names must not be shown; by default its number.
    """

    name: str
    length: int
    digest: str
    quotations: SpanSet = field(default_factory=SpanSet)
    bibliography: Span | None = None
    manipulations: Sequence[Manipulation] = ()
    text: str | None = None
    pages: Sequence[int] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    alias: str = ""

    @property
    def excluded(self) -> SpanSet:
        """What a reader may want to leave out of the share: quotations and references."""
        return self.quotations | SpanSet([self.bibliography] if self.bibliography else [])


@dataclass(frozen=True)
class EvidencePassage:
    """A detection: where it lies on both sides, how many words it has, what kind of reuse it is and why."""

    suspicious: Span
    source: Span | None
    words: int
    judgement: Judgement
    comparison: Comparison | None

    @property
    def kept(self) -> int:
        """How many of its words stand in the source as they are, in the same order."""
        return self.comparison.suspicious.count(Change.EQUAL) if self.comparison else 0


@dataclass(frozen=True)
class EvidencePair:
    """A suspicious document, one of its sources (None where the run names none), and the passages.

    `remark` says what else there is to say of the two, such as that one is a copy of the other.
    """

    suspicious: str
    source: str | None
    passages: Sequence[EvidencePassage] = ()
    overlay: Overlay | None = None
    remark: str = ""

    @cached_property
    def reused(self) -> SpanSet:
        """The characters of the suspicious document that lie in a passage."""
        return SpanSet(passage.suspicious for passage in self.passages)

    @property
    def weight(self) -> int:
        """Characters by which pairs are ordered: claimed ones and, where the truth is known, true ones."""
        true = self.overlay.suspicious.true if self.overlay else SpanSet()
        return len(self.reused | true)


@dataclass(frozen=True)
class Evidence:
    """All that the report shows.

    Attributes
    ----------
    suspicious, sources
        Documents by name; those of pairs beyond the limit have no text.
    tally
        True, found and claimed characters of the whole run, where the truth is known.
    shown
        How many pairs, the first ones, have their texts in the report.
    notes
        What a reader must know beside.
    """

    suspicious: dict[str, EvidenceDocument]
    sources: dict[str, EvidenceDocument]
    pairs: Sequence[EvidencePair]
    tally: Tally | None
    shown: int
    signature: str
    notes: Sequence[str] = ()

    def share(self, name: str) -> float:
        """Return the share of a document's characters that lie in any passage."""
        spans = (span for pair in self.pairs if pair.suspicious == name for span in pair.reused)
        return len(SpanSet(spans)) / max(self.suspicious[name].length, 1)

    def word_for_word(self, name: str) -> float:
        """Return the share of the words in a document's passages that were kept as they are, in their order.

        `share` says how much of a document is reused, this how closely; a document without passages has 0.
        """
        passages = [one for pair in self.pairs if pair.suspicious == name for one in pair.passages]
        return sum(one.kept for one in passages) / max(sum(one.words for one in passages), 1)


def gather_evidence(
    corpus: Path,
    run: AnnotationFiles,
    truth: AnnotationFiles | None = None,
    limit: int = 100,
    say: Say = lambda _: None,
) -> Evidence:
    """Read the documents a run speaks of and compare their passages.

    Parameters
    ----------
    corpus
        A folder with ``susp/`` and ``src/``; documents that ``pairs`` lists are shown also if the run
        says nothing about them.
    limit
        Texts of at most this many pairs are shown, those with most reuse first; the others are listed.
    """
    library = _Library(corpus)
    if truth is not None and len(run.annotations):
        require_common_document(truth.documents, run.documents)
    sides = [run, *([truth] if truth else [])]
    alignment = _aligned(library, run, truth)
    names = {document_key(name) for side in sides for name in side.documents}
    names |= {document_key(name) for side in sides for name in side.annotations.suspicious.values}
    names |= {document_key(name) for name, _ in library.listed}
    say("Comparing passages")
    by_pair = overlays(alignment)
    grouped = _detections_by_pair(alignment)
    pairs = sorted(
        (
            EvidencePair(
                *key,
                [library.passage(one) for one in grouped.get(key, ())],
                overlay if truth else None,
            )
            for key, overlay in by_pair.items()
        ),
        key=lambda pair: (-pair.weight, pair.suspicious, pair.source or ""),
    )
    say("Reading the documents")
    open_names = {pair.suspicious for pair in pairs[:limit]}
    open_sources = {pair.source for pair in pairs[:limit]}
    suspicious = {name: library.suspicious(name, name in open_names) for name in sorted(names)}
    sources = {
        name: library.source(name, name in open_sources)
        for name in sorted({p.source for p in pairs if p.source})
    }
    made = signature(
        "evidence",
        texts=digest_of(one.digest for side in (suspicious, sources) for one in side.values()),
        run=digest_of(_rows(run.annotations)),
        truth=digest_of(_rows(truth.annotations)) if truth else "none",
        verbatim=VERBATIM,
        light=LIGHT,
        summary=SUMMARY,
    )
    total = tally(alignment) if truth else None
    return Evidence(suspicious, sources, pairs, total, min(limit, len(pairs)), made)


def compare_passage(found: Detection, text: str, origin: str) -> EvidencePassage:
    """Compare the text of a detection with that of its source; without a source, only count its words."""
    if found.source is None:
        words = len(split_words(text)[0])
        return EvidencePassage(found.suspicious.span, None, words, judge(None), None)
    compared = compare_words(text, origin, found.suspicious.offset, found.source.offset)
    words = len(compared.suspicious)
    return EvidencePassage(found.suspicious.span, found.source.span, words, judge(compared), compared)


class _Library:
    """The documents of a corpus, each read once, when first asked for."""

    def __init__(self, corpus: Path) -> None:
        for part in (corpus, corpus / "susp", corpus / "src"):
            if not part.exists():
                raise StemmataError(ErrorCode.NO_SUCH_PATH, part)
        self._folders = (DocumentFolder(corpus / "susp"), DocumentFolder(corpus / "src"))
        self._texts: tuple[dict[str, str], dict[str, str]] = ({}, {})
        pairs = corpus / "pairs"
        self.listed = read_pairs(pairs) if pairs.is_file() else []

    def lengths(self, sides: Iterable[Annotations]) -> Lengths:
        """Return the lengths of all documents that annotations name and that are here."""
        sides = list(sides)
        names = (
            {name for side in sides for name in side.suspicious.values},
            {name for side in sides for name in side.source.values},
        )
        made = [
            {name: len(self._text(side, name)) for name in names[side] if name in self._folders[side]}
            for side in (0, 1)
        ]
        return Lengths(*made)

    def passage(self, found: Detection) -> EvidencePassage:
        """Compare a detection with its source."""
        return compare_passage(
            found, self._cut(0, found.suspicious), self._cut(1, found.source) if found.source else ""
        )

    def suspicious(self, name: str, shown: bool) -> EvidenceDocument:
        """Describe a suspicious document; one that was manipulated is shown in any case."""
        text = self._text(0, name)
        odd = find_manipulation(text)
        return EvidenceDocument(
            name,
            len(text),
            text_digest(text),
            quotations(text),
            bibliography(text),
            odd,
            text if shown or odd else None,
        )

    def source(self, name: str, shown: bool) -> EvidenceDocument:
        """Describe a source."""
        text = self._text(1, name)
        return EvidenceDocument(
            name,
            len(text),
            text_digest(text),
            manipulations=find_manipulation(text) if shown else (),
            text=text if shown else None,
        )

    def _cut(self, side: int, passage: Passage) -> str:
        return self._text(side, passage.document)[passage.offset : passage.end]

    def _text(self, side: int, name: str) -> str:
        texts = self._texts[side]
        key = document_key(name)
        if key not in texts:
            texts[key] = self._folders[side][name].text
        return texts[key]


def _aligned(library: _Library, run: AnnotationFiles, truth: AnnotationFiles | None) -> Alignment:
    """Match run and truth; annotations beyond their document, or of no document here, are refused."""
    cases = truth.annotations if truth else Annotations.of([])
    return Alignment(cases, run.annotations, library.lengths([cases, run.annotations]))


def _detections_by_pair(alignment: Alignment) -> dict[tuple[str, str | None], list[Detection]]:
    """Return the distinct detections of each pair, in the order of the text."""
    grouped: dict[tuple[str, str | None], list[Detection]] = {}
    for row in alignment.detections.row.tolist():
        found = alignment.detection_rows.view(row, Detection)
        source = document_key(found.source.document) if found.source else None
        grouped.setdefault((document_key(found.suspicious.document), source), []).append(found)
    return grouped


def _rows(annotations: Annotations) -> Iterator[str]:
    rows = (f"{one.suspicious}{one.source}" for one in annotations)
    return iter(sorted(rows))


def text_digest(text: str) -> str:
    """Return what tells one text from another."""
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of(parts: Iterable[str]) -> str:
    """Return a few characters that tell one sequence of strings from another."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() + b"\n")
    return digest.hexdigest()[:12]
