"""What came of checking documents, counted: how much of each is reused, and how much from which source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unicodedata import normalize

from stemmata.measures.definition import signature
from stemmata.model import SpanSet
from stemmata.reports.evidence import (
    Evidence,
    EvidenceDocument,
    EvidencePair,
    compare_passage,
    digest_of,
    text_digest,
)
from stemmata.reports.evidence_page import Frame, evidence_page
from stemmata.reports.exclusions import bibliography, quotations
from stemmata.reports.manipulation import find_manipulation
from stemmata.reuse.checking import Checked
from stemmata.reuse.checking_documents import Failure
from stemmata.reuse.checking_examination import Examination, FoundSource

MOST_SOURCE_CHARACTERS = 5_000_000
"""Texts of sources beyond this are not in the page of a document: it must open at once."""
_FACTS = ("title", "author", "url", "date")
_LONGEST_SLUG = 40
_SOURCE = "Source "


@dataclass(frozen=True)
class SourceResult:
    """A source of a document.

    Attributes
    ----------
    name
        How it is called in reports.
    share
        The share of the document's characters that lie in passages from this source.
    adds
        The share that no source before it accounts for; these add up to the share of the document.
    characters, source_characters
        How many characters lie in passages, in the document and in the source.
    among
        The number of the source, if it is one of the documents that are checked.
    elsewhere
        The share of what comes from it that is also in a source of the collection: both may have that
        source in common.
    """

    name: str
    share: float
    adds: float
    characters: int
    source_characters: int
    score: float | None
    among: int | None
    elsewhere: float
    remark: str
    about: Mapping[str, str]
    detections: Sequence[Mapping[str, Any]]

    def as_json(self) -> dict[str, Any]:
        """Return what programs read."""
        said = {"name": self.name, "share": self.share, "adds": self.adds, "score": self.score}
        return {
            **said,
            "checked": self.among is not None,
            "elsewhere": self.elsewhere,
            "remark": self.remark,
            **{fact: self.about.get(fact, "") for fact in _FACTS},
            "detections": list(self.detections),
        }


@dataclass(frozen=True)
class DocumentResult:
    """A checked document.

    Attributes
    ----------
    share, share_without_quotations
        The share of its characters that lie in any passage; and of those that are neither quoted nor in the
        list of references. Both of the whole document, so that the second is never the larger one.
    itself
        Whether the collection holds this very document.
    page
        What the file of its page is called, if there is one.
    odd
        Whether it may have been manipulated.
    evidence
        All of the evidence, where it is still needed.
    """

    number: int
    name: str
    length: int
    share: float
    share_without_quotations: float
    sources: Sequence[SourceResult]
    itself: bool
    odd: bool
    digest: str
    page: str
    evidence: Evidence | None = None

    def as_json(self) -> dict[str, Any]:
        """Return what programs read."""
        return {
            "name": self.name,
            "length": self.length,
            "share": self.share,
            "share_without_quotations": self.share_without_quotations,
            "in_collection": self.itself,
            "manipulated": self.odd,
            "sources": [source.as_json() for source in self.sources],
        }


@dataclass(frozen=True)
class CheckResult:
    """All that the overview shows, and what programs get."""

    documents: Sequence[DocumentResult]
    failures: Sequence[Failure]
    collection: int | None
    among: bool
    signature: str
    anonymous: bool = False

    @property
    def share(self) -> float:
        """The share of all text that is reused."""
        length = sum(one.length for one in self.documents)
        return sum(one.share * one.length for one in self.documents) / length if length else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return what programs read."""
        return {
            "documents": [one.as_json() for one in self.documents],
            "collection": self.collection,
            "among": self.among,
            "signature": self.signature,
            "failures": [
                {"name": "" if self.anonymous else one.name, "reason": self.reason(one)}
                for one in self.failures
            ],
        }

    def reason(self, failure: Failure) -> str:
        """Return why something failed; where names must not be shown, without the place."""
        return failure.message if self.anonymous else failure.reason


@dataclass(frozen=True)
class Summary:
    """Makes of an examination what is shown of it; it writes its page, if there is a folder for it.

    Attributes
    ----------
    settings
        How documents are checked, for the signature.
    anonymous
        Whether the names of documents are left out.
    folder
        Where the page goes.
    home
        The overview, as seen from the page.
    keep
        Whether the evidence is needed further.
    """

    settings: str
    anonymous: bool = False
    folder: Path | None = None
    home: str = ""
    keep: bool = False

    def __call__(self, examination: Examination) -> DocumentResult:
        """Count, compare and write."""
        evidence = gather_check(examination, self.settings)
        result = self._result(examination, evidence)
        if self.folder:
            page = evidence_page(evidence, self.anonymous, Frame(home=self.home))
            (self.folder / result.page).write_text(page, encoding="utf-8", newline="\n")
        return replace(result, evidence=evidence) if self.keep else result

    def _result(self, examination: Examination, evidence: Evidence) -> DocumentResult:
        (document,) = evidence.suspicious.values()
        length = max(document.length, 1)
        reused = examination.reused
        names = _shown(evidence, self.anonymous)
        sources, before = [], SpanSet()
        collected = SpanSet(span for one in examination.sources if one.among is None for span in one.reused)
        for found, pair in zip(examination.sources, evidence.pairs, strict=True):
            after = before | found.reused
            described = evidence.sources[pair.source or ""]
            sources.append(
                SourceResult(
                    names[described.name],
                    len(found.reused) / length,
                    (len(after) - len(before)) / length,
                    len(found.reused),
                    len(SpanSet(one.source.span for one in found.detections if one.source)),
                    found.score,
                    found.among,
                    len(found.reused & collected) / max(len(found.reused), 1)
                    if found.among is not None
                    else 0.0,
                    pair.remark,
                    {} if self.anonymous else described.about,
                    _detections(examination, found, pair),
                )
            )
            before = after
        return DocumentResult(
            examination.number,
            document.alias if self.anonymous else document.name,
            document.length,
            len(reused) / length,
            (len(reused) - len(reused & document.excluded)) / length,
            sources,
            bool(examination.itself),
            bool(document.manipulations),
            document.digest,
            page_name(examination, self.anonymous),
        )


def check_result(
    checked: Checked[DocumentResult], among: bool, settings: str, anonymous: bool = False
) -> CheckResult:
    """Return the results of all documents together."""
    made = signature(
        "check",
        texts=digest_of(one.digest for one in checked.results),
        collection="none" if checked.collection is None else checked.collection,
        among="yes" if among else "no",
        settings=settings,
    )
    return CheckResult(checked.results, checked.failures, checked.collection, among, made, anonymous)


def gather_check(examination: Examination, settings: str = "") -> Evidence:
    """Return the evidence of one document, its sources in the order of their importance."""
    mine = examination.document
    suspicious = EvidenceDocument(
        mine.name,
        len(mine.text),
        text_digest(mine.text),
        quotations(mine.text),
        bibliography(mine.text),
        find_manipulation(mine.text),
        mine.text,
        mine.pages,
        _about(mine.title, mine.author, mine.url, mine.date),
        f"Document {examination.number + 1}",
    )
    sources: dict[str, EvidenceDocument] = {}
    pairs: list[EvidencePair] = []
    room = MOST_SOURCE_CHARACTERS
    for number, found in enumerate(examination.sources, start=1):
        theirs = found.document
        key = _unlike(theirs.name, sources)
        room -= len(theirs.text)
        shown = room >= 0 or number == 1
        sources[key] = EvidenceDocument(
            key,
            len(theirs.text),
            text_digest(theirs.text),
            manipulations=find_manipulation(theirs.text) if shown else (),
            text=theirs.text if shown else None,
            pages=theirs.pages,
            about=_about(theirs.title, theirs.author, theirs.url, theirs.date),
            alias=f"{_SOURCE}{number}" if found.among is None else f"Document {found.among + 1}",
        )
        passages = [
            compare_passage(
                one,
                mine.text[one.suspicious.offset : one.suspicious.end],
                theirs.text[one.source.offset : one.source.end] if one.source else "",
            )
            for one in found.detections
        ]
        pairs.append(EvidencePair(mine.name, key, passages, remark=found.likeness.value))
    made = signature(
        "check",
        text=suspicious.digest[:12],
        sources=digest_of(one.digest for one in sources.values()),
        settings=settings or "none",
    )
    notes = (
        ["The collection holds this very document; it is not counted as its own source."]
        if examination.itself
        else []
    )
    return Evidence({mine.name: suspicious}, sources, pairs, None, len(pairs), made, notes)


def merge_evidence(parts: Sequence[Evidence], made: str) -> Evidence:
    """Return the evidence of several documents as that of one run, for a report in one piece."""
    sources: dict[str, EvidenceDocument] = {}
    names: dict[tuple[str, str], str] = {}
    pairs: list[EvidencePair] = []
    for part in parts:
        for pair in part.pairs:
            one = part.sources[pair.source or ""]
            identity = (one.name, one.digest)
            if identity not in names:
                name = names[identity] = _unlike(one.name, sources)
                # Numbers of sources that hold for one document do not hold for all.
                alias = "" if one.alias.startswith(_SOURCE) else one.alias
                sources[name] = replace(one, name=name, alias=alias)
            pairs.append(replace(pair, source=names[identity]))
    pairs.sort(key=lambda pair: (-pair.weight, pair.suspicious, pair.source or ""))
    suspicious = {name: one for part in parts for name, one in part.suspicious.items()}
    return Evidence(suspicious, sources, pairs, None, len(pairs), made)


def page_name(examination: Examination, anonymous: bool = False) -> str:
    """Return the name of the file for the page of a document: its number and what is safe of its name.

    Examples
    --------
    >>> from stemmata.formats.source_documents import SourceDocument
    >>> page_name(Examination(6, SourceDocument("Müller/Essay 2.docx", "")))
    '007-muller-essay-2-docx.html'
    """
    plain = normalize("NFKD", examination.document.name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST_SLUG].strip("-")
    return f"{examination.number + 1:03}{f'-{slug}' if slug and not anonymous else ''}.html"


def _about(*facts: str) -> dict[str, str]:
    return {name: fact for name, fact in zip(_FACTS, facts, strict=True) if fact.strip()}


def _unlike(name: str, others: Mapping[str, object]) -> str:
    """Return the name, with a number if another source has it: one checked along, one of the collection."""
    if name not in others:
        return name
    return next(made for n in range(2, len(others) + 3) if (made := f"{name} ({n})") not in others)


def _shown(evidence: Evidence, anonymous: bool) -> dict[str, str]:
    return {name: one.alias if anonymous else name for name, one in evidence.sources.items()}


def _detections(examination: Examination, found: FoundSource, pair: EvidencePair) -> list[Mapping[str, Any]]:
    made: list[Mapping[str, Any]] = []
    for one, passage in zip(found.detections, pair.passages, strict=True):
        origin = one.source or one.suspicious
        made.append(
            {
                "offset": one.suspicious.offset,
                "length": one.suspicious.length,
                "source_offset": origin.offset,
                "source_length": origin.length,
                "page": page_at(examination.document.pages, one.suspicious.offset),
                "source_page": page_at(found.document.pages, origin.offset),
                "words": passage.words,
                "kind": passage.judgement.kind.value,
            }
        )
    return made


def page_at(pages: Sequence[int], offset: int) -> int | None:
    """Return the number of the page on which a character stands; None where pages are not known."""
    return sum(start <= offset for start in pages) or None
