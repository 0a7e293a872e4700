"""The published algorithm taken at its word, run beside ours on the same data.

Every case is compared with every detection of its document, and characters are marked one by one in
boolean arrays. It needs no idea beyond the definitions, so it also checks our values.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from math import log2
from typing import NamedTuple

import numpy as np

from benchmarks.generate import DENSE, make_sample
from benchmarks.measuring import cpu_seconds
from benchmarks.scoring import score_all
from benchmarks.tables import show
from stemmata.measures.statistics import Lengths
from stemmata.model import Annotations
from stemmata.model.annotations import Mask

CASES = 5_000
QUICK_CASES = 1_000
TOLERANCE = 1e-9
EPSILON = 1e-16
NOTE = (
    "The public scorer took 82 s for 50,000 cases against 65,000 detections at 1,000 cases per document, "
    "without normalised measures, and more than 250 s with them."
)


class Passage(NamedTuple):
    """Characters of one document."""

    document: str
    start: int
    end: int

    @property
    def length(self) -> int:
        """Number of characters."""
        return self.end - self.start

    def overlap(self, other: Passage) -> tuple[int, int]:
        """Return first and last border of what both share; an empty range where they share nothing."""
        return max(self.start, other.start), min(self.end, other.end)

    def meets(self, other: Passage) -> bool:
        """Tell whether both share a character."""
        return self.document == other.document and self.start < other.end and other.start < self.end


class Reuse(NamedTuple):
    """A case or a detection: where it stands and where it came from."""

    suspicious: Passage
    source: Passage

    @property
    def length(self) -> int:
        """Number of characters on both sides."""
        return self.suspicious.length + self.source.length


Found = list[tuple[Reuse, list[Reuse]]]
"""Each annotation of one set with those of the other set that meet it on both sides."""
Share = Callable[[Reuse, list[Reuse]], float]


def reuses(annotations: Annotations) -> list[Reuse]:
    """Return the distinct annotations, one by one."""
    rows = []
    for one in annotations:
        if one.source is not None:
            rows.append(Reuse(*(Passage(p.document, p.offset, p.end) for p in (one.suspicious, one.source))))
    return list(dict.fromkeys(rows))


def compare_each_with_each(subjects: list[Reuse], objects: list[Reuse]) -> Found:
    """Return every subject with the objects of its document that overlap it on both sides."""
    in_document = defaultdict(list)
    for one in objects:
        in_document[one.suspicious.document].append(one)
    return [
        (
            subject,
            [
                other
                for other in in_document[subject.suspicious.document]
                if subject.suspicious.meets(other.suspicious) and subject.source.meets(other.source)
            ],
        )
        for subject in subjects
    ]


def share(subject: Reuse, others: list[Reuse]) -> float:
    """Return the part of the subject's characters that the others cover: recall, or precision."""
    marked = 0
    for side in range(2):
        characters = np.zeros(subject[side].length, dtype=bool)
        for other in others:
            start, end = subject[side].overlap(other[side])
            characters[start - subject[side].start : end - subject[side].start] = True
        marked += int(np.count_nonzero(characters))
    return marked / subject.length


def normalized_share(lengths: Lengths) -> Share:
    """Return the normalised share for documents of these lengths."""

    def of(subject: Reuse, others: list[Reuse]) -> float:
        above = below = 0.0
        everything = True
        for side, sizes in enumerate((lengths.suspicious, lengths.source)):
            mine, size = subject[side], sizes[subject[side].document]
            characters = np.zeros(size, dtype=bool)
            for other in others:
                characters[other[side].start : other[side].end] = True
            reach = int(np.count_nonzero(characters))
            shared = int(np.count_nonzero(characters[mine.start : mine.end]))
            least, most = max(0, reach + mine.length - size), min(reach, mine.length)
            weight = (most - least + EPSILON) / size
            above += (shared - least) * weight
            below += (mine.length - least) * weight
            everything &= reach == size
        return 1.0 if everything else above / below

    return of


def characters_of(passages: Iterable[Passage], lengths: Mapping[str, int]) -> int:
    """Return the number of characters that the passages cover together."""
    documents: dict[str, Mask] = {}
    for document, start, end in passages:
        if document not in documents:
            documents[document] = np.zeros(lengths[document], dtype=bool)
        documents[document][start:end] = True
    return sum(int(np.count_nonzero(characters)) for characters in documents.values())


def covered(rows: Iterable[Reuse], lengths: Lengths) -> int:
    """Return the number of characters covered in suspicious and in source documents."""
    both = list(rows)
    return characters_of((row.suspicious for row in both), lengths.suspicious) + characters_of(
        (row.source for row in both), lengths.source
    )


def agreement(found: Found) -> Iterable[Reuse]:
    """Yield what each subject shares with each object that meets it."""
    for subject, others in found:
        for other in others:
            yield Reuse(
                *(Passage(mine.document, *mine.overlap(theirs)) for mine, theirs in zip(subject, other, strict=True))
            )


def plagdet(precision: float, recall: float, granularity: float) -> float:
    """Return the harmonic mean of precision and recall, less the more the pieces."""
    return 2 * precision * recall / (precision + recall) / log2(1 + granularity)


def score_plainly(
    cases: list[Reuse], detections: list[Reuse], lengths: Lengths, normalized: bool
) -> dict[str, float]:
    """Return the measures under the names `score_all` gives them."""
    found = compare_each_with_each(cases, detections)
    right = compare_each_with_each(detections, cases)
    hits = [len(others) for _, others in found if others]
    values = {"granularity": sum(hits) / len(hits)}

    def add(name: str, precision: float, recall: float, plagdet_name: str) -> None:
        values[name.format("precision")] = precision
        values[name.format("recall")] = recall
        values[plagdet_name] = plagdet(precision, recall, values["granularity"])

    add("{}_macro", _mean(right, share), _mean(found, share), "plagdet_macro")
    true = covered(agreement(found), lengths)
    add("{}_micro", true / covered(detections, lengths), true / covered(cases, lengths), "plagdet_micro")
    if normalized:
        nshare = normalized_share(lengths)
        add("normalized_{}_macro", _mean(right, nshare), _mean(found, nshare), "normplagdet_macro")
    return values


def _mean(found: Found, share_of: Share) -> float:
    return sum(share_of(subject, others) for subject, others in found) / len(found)


def run(quick: bool) -> None:
    """Score one dense sample both ways, check that the values agree, and print the ratio."""
    count = QUICK_CASES if quick else CASES
    sample = make_sample(round(count * ANNOTATIONS_PER_CASE), DENSE)
    cases, detections = reuses(sample.cases), reuses(sample.detections)
    rows = []
    for what, lengths in (("without", None), ("with", sample.lengths)):
        ours = score_all(sample.cases, sample.detections, lengths)
        theirs: dict[str, float] = {}

        def plainly(kept: dict[str, float] = theirs, normalized: bool = lengths is not None) -> None:
            kept |= score_plainly(cases, detections, sample.lengths, normalized)

        peer_seconds = cpu_seconds(plainly, repeat=1)
        _check_equal(ours, theirs)
        seconds = cpu_seconds(partial(score_all, sample.cases, sample.detections, lengths), repeat=10)
        ratio = f"x{peer_seconds / seconds:,.0f}"
        rows.append((f"{what} normalised measures", f"{peer_seconds:.2f}", f"{seconds:.4f}", ratio, str(len(theirs))))
    title = f"Scoring beside a plain peer: {len(cases):,} cases, {len(detections):,} detections, dense"
    show(title, ("", "peer CPU s", "ours CPU s", "ratio", "equal values"), rows, NOTE)


def _check_equal(ours: Mapping[str, float], theirs: Mapping[str, float]) -> None:
    for name, value in theirs.items():
        if abs(ours[name] - value) > TOLERANCE:
            raise SystemExit(f"{name} is {ours[name]} by ours and {value} by the peer")
