"""Scoring a run of text alignment: all measures at once, in groups, with intervals, signed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stemmata.measures.alignment import MEASURES as ALIGNMENT
from stemmata.measures.alignment import Totals, combine
from stemmata.measures.breakdown import Pairs, break_down
from stemmata.measures.definition import Measure, nest, signature
from stemmata.measures.significance import Interval, bootstrap
from stemmata.measures.statistics import Alignment, Lengths, Options
from stemmata.model import Annotations, document_key


@dataclass(frozen=True)
class Confidence:
    """How intervals are made; drawing starts from `seed` for every group anew."""

    level: float = 0.95
    resamples: int = 1000
    seed: int = 1


@dataclass(frozen=True)
class Scores:
    """The values of all measures for one set of cases and detections."""

    cases: int
    detections: int
    values: Mapping[str, float]
    intervals: Mapping[str, Interval] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the nested form that ``--format json`` prints."""
        made = {"cases": self.cases, "detections": self.detections, **nest(dict(self.values))}
        if self.intervals:
            made["confidence"] = nest({key: [i.low, i.high] for key, i in self.intervals.items()})
        return made


@dataclass(frozen=True)
class AlignmentResult:
    """What ``stemmata score alignment`` knows of a run."""

    signature: str
    scores: Scores
    by: Mapping[str, Scores] | None = None
    unassigned: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``--format json`` prints; its keys are fixed in DESIGN.md."""
        made = {"signature": self.signature, **self.scores.as_json()}
        if self.by is not None:
            made["by"] = {value: scores.as_json() for value, scores in self.by.items()}
            made["unassigned"] = self.unassigned
        return made


def applicable(alignment: Alignment) -> list[Measure]:
    """Return the measures that can be computed: without document lengths, not the normalised ones."""
    return [m for m in ALIGNMENT if alignment.normalizable or not m.key.startswith("normalized.")]


def score(alignment: Alignment, confidence: Confidence | None = None) -> Scores:
    """Compute all applicable measures, with intervals if asked for."""
    measures = applicable(alignment)
    totals = Totals(alignment)
    values = {measure.key: float(measure.formula(totals)) for measure in measures}
    if alignment.normalizable and alignment.options.compat == "reference":
        precision, recall = alignment.reference_micro()
        plagdet = float(combine(totals, precision, recall))
        micro = {"precision": precision, "recall": recall, "plagdet": plagdet}
        values |= {f"normalized.micro.{name}": value for name, value in micro.items()}
        # The reference's sums run over source documents too, which resampling would tear apart.
        measures = [m for m in measures if not m.key.startswith("normalized.micro.")]
    intervals = {}
    if confidence is not None:
        rng = np.random.default_rng(confidence.seed)
        intervals = bootstrap(alignment, measures, rng, confidence.level, confidence.resamples)
    return Scores(len(alignment.cases), len(alignment.detections), values, intervals)


def score_alignment(
    cases: Annotations,
    detections: Annotations,
    *,
    lengths: Lengths | None = None,
    pairs: Pairs | None = None,
    by: str | None = None,
    folder_pairs: Mapping[str, Pairs] | None = None,
    confidence: Confidence | None = None,
    options: Options | None = None,
    only_pairs: bool = False,
) -> AlignmentResult:
    """Score a run against a truth.

    Parameters
    ----------
    lengths
        Characters of the documents; with them the normalised measures are computed too.
    pairs
        The corpus's pairs of documents, which the document level counts.
    only_pairs
        Drop detections outside `pairs` beforehand, as PAN's evaluators of 2013 to 2015 do.
    by, folder_pairs
        Attribute to break the scores down by, and for ``folder`` the pairs of each folder.
    """
    options = options or Options()
    listed = None if pairs is None else frozenset(pairs)
    if only_pairs and listed is not None:
        detections = keep_pairs(detections, listed)
    chosen = {
        "alpha": options.alpha,
        "tau": f"{options.tau_recall:g}/{options.tau_precision:g}",
        "norm": ("none" if lengths is None else "corrected" if options.compat == "none" else "reference"),
        "pairs": "listed" if only_pairs else "all",
        "by": by or "none",
        "confidence": "none"
        if confidence is None
        else f"{confidence.level:g}/bootstrap-{confidence.resamples}/seed-{confidence.seed}",
    }
    whole = Alignment(cases, detections, lengths, listed, options)
    scores = score(whole, confidence)
    if by is None:
        return AlignmentResult(signature("alignment", **chosen), scores)
    parts = break_down(cases, detections, by, folder_pairs)
    groups = {
        group.value: score(Alignment(group.cases, group.detections, lengths, listed, options), confidence)
        for group in parts.groups
    }
    return AlignmentResult(signature("alignment", **chosen), scores, groups, parts.unassigned)


def keep_pairs(detections: Annotations, pairs: Pairs) -> Annotations:
    """Return the detections whose pair of documents is listed; intrinsic ones never are."""
    listed = {(document_key(suspicious), document_key(source)) for suspicious, source in pairs}
    suspicious = [document_key(name) for name in detections.suspicious.values]
    source = [document_key(name) for name in detections.source.values]
    width = len(source) + 1
    codes = detections.suspicious.codes.astype(np.int64) * width + detections.source.codes
    good = [
        code
        for code in np.unique(codes[detections.source.codes >= 0])
        if (suspicious[code // width], source[code % width]) in listed
    ]
    return detections.take(np.isin(codes, good) & (detections.source.codes >= 0))
