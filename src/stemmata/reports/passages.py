"""A pair of documents with truth and detections marked: what was found, missed and claimed falsely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

import numpy as np

from stemmata.model import Case, Detection, Document, Pair, Passage, Span, SpanSet

CONTEXT = 170
"""Characters of unmarked text kept beside a marked passage when the rest is folded away."""


class Mark(StrEnum):
    """What a stretch of text is."""

    PLAIN = "plain"
    FOLDED = "folded"
    HIT = "hit"
    MISSED = "missed"
    FALSE = "false"


@dataclass(frozen=True)
class Segment:
    """A stretch of a document that is one thing throughout; `label` numbers a case that starts here."""

    text: str
    mark: Mark
    label: str = ""


@dataclass(frozen=True)
class Pane:
    """One document, as segments that together are its whole text."""

    name: str
    segments: tuple[Segment, ...]

    def characters(self, mark: Mark) -> int:
        """Return how many characters bear a mark."""
        return sum(len(segment.text) for segment in self.segments if segment.mark is mark)


def mark_pair(pair: Pair, cases: Sequence[Case], detections: Sequence[Detection]) -> tuple[Pane, Pane]:
    """Mark cases and detections in both documents of a pair; those of other pairs are passed over.

    A character is found where a case overlaps with a detection that detects it, in both documents. A
    detection that names the wrong part of the source is therefore false, also inside a case.
    """
    names = (pair.suspicious.name, pair.source.name)
    cases = [case for case in cases if _names(case) == names]
    cases.sort(key=lambda case: case.suspicious)
    detections = [detection for detection in detections if _names(detection) == names]
    matches = [(case, found) for case in cases for found in detections if found.detects(case)]
    return (
        _pane(
            pair.suspicious,
            [case.suspicious.span for case in cases],
            [found.suspicious.span for found in detections],
            [case.suspicious.span.clip(found.suspicious.span) for case, found in matches],
        ),
        _pane(
            pair.source,
            [_source(case).span for case in cases],
            [_source(found).span for found in detections],
            [_source(case).span.clip(_source(found).span) for case, found in matches],
        ),
    )


def _names(one: Case | Detection) -> tuple[str, str]:
    return one.suspicious.document, one.source.document if one.source else ""


def _source(one: Case | Detection) -> Passage:
    return one.source or Passage("", 0, 0)


def _pane(document: Document, cases: list[Span], detected: list[Span], hits: list[Span]) -> Pane:
    whole = Span(0, len(document))
    true, claimed, hit = (SpanSet(spans).clip(whole) for spans in (cases, detected, hits))
    labels: dict[int, list[str]] = {}
    for number, case in enumerate(cases, start=1):
        labels.setdefault(case.start, []).append(str(number))
    borders = {*whole, *(labels.keys() & range(len(document)))}
    borders |= {border for spans in (true, claimed, hit) for span in spans for border in span}

    def mark(at: int) -> Mark:
        kinds = ((hit, Mark.HIT), (claimed, Mark.FALSE), (true, Mark.MISSED))
        return next((kind for spans, kind in kinds if _holds(spans, at)), Mark.PLAIN)

    segments = (
        Segment(document.text[start:end], mark(start), ", ".join(labels.get(start, [])))
        for start, end in pairwise(sorted(borders))
    )
    return Pane(document.name, tuple(segments))


def _holds(spans: SpanSet, at: int) -> bool:
    place = int(np.searchsorted(spans.starts, at, side="right")) - 1
    return place >= 0 and at < spans.ends[place]


def fold(pane: Pane, context: int = CONTEXT) -> Pane:
    """Fold long unmarked stretches, except for the first line and some words beside what is marked."""
    last = len(pane.segments) - 1
    folded: list[Segment] = []
    for place, segment in enumerate(pane.segments):
        text = segment.text
        head = text.rfind(" ", 0, context) + 1 if place else max(text.find("\n", 0, context), 0)
        tail = len(text) if place == last else text.find(" ", max(len(text) - context, 0)) + 1
        if segment.mark is not Mark.PLAIN or tail - head < context:
            folded.append(segment)
            continue
        parts = ((text[:head], Mark.PLAIN), (text[head:tail], Mark.FOLDED), (text[tail:], Mark.PLAIN))
        folded += [Segment(part, mark) for part, mark in parts if part]
    return replace(pane, segments=tuple(folded))
