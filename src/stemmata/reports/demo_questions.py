"""The front page of the demonstration: three questions, what was found, and where the pages are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stemmata.corpora.demo import SUSPICIOUS_PER_KIND as CLEAN
from stemmata.reports.demo import OURS, DemoResult
from stemmata.reports.html import PassageView, RunRow
from stemmata.reports.side_by_side import Stretch


@dataclass(frozen=True)
class Reuse:
    """What our detector found: passages that were copied, and false alarms where nothing was."""

    cases: int
    precision: float
    recall: float
    clean: int
    false_alarms: int
    passage: PassageView
    page: str


@dataclass(frozen=True)
class Answer:
    """A problem, our answer, and what is true."""

    problem: str
    score: float
    same: bool

    @property
    def right(self) -> bool:
        """Whether the answer is right; one that leaves the problem open is not."""
        return (self.score > 0.5) if self.same else (self.score < 0.5)


@dataclass(frozen=True)
class Authorship:
    """What verifiers answered."""

    answers: Sequence[Answer]
    auc: Mapping[str, float | None]
    explained: str
    page: str
    explanation: str


@dataclass(frozen=True)
class Masking:
    """A text before and after, and who recognised its author."""

    before: Sequence[Stretch]
    after: Sequence[Stretch]
    words: int
    kept: float
    asked: int
    recognised: tuple[int, int]
    page: str


@dataclass(frozen=True)
class Missing:
    """A part of the demonstration that could not be made, and why."""

    reason: str


@dataclass(frozen=True)
class Front:
    """All that the front page shows; parts that cannot be made here say why."""

    reuse: Reuse
    authorship: Authorship | Missing
    masking: Masking | Missing
    runs: Sequence[RunRow]
    scores: str
    commands: Sequence[tuple[str, str]]


def reuse_of(result: DemoResult, clean: str = "01-no-plagiarism") -> Reuse:
    """Return what our own detector found in the corpus of the demonstration."""
    run = result.runs[OURS]
    part = (run.by or {})[clean]
    scores = run.scores
    return Reuse(
        scores.cases,
        scores.values["macro.precision"],
        scores.values["macro.recall"],
        CLEAN,
        part.detections,
        result.shown,
        result.evidence.name,
    )
