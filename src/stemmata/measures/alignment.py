"""Text alignment: precision, recall, granularity and plagdet, from characters to cases to documents.

Every measure is a formula over sums: of cases, of characters, of case recalls. `Alignment` holds those
summands per suspicious document; the formulas below take their totals. Totals of resampled documents
give confidence intervals, totals of exchanged ones give tests, by the very same formulas.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from stemmata.measures.citations import ACL_18, PAN_15, PAN_PC_10
from stemmata.measures.definition import Measure, Parameter
from stemmata.measures.statistics import Alignment, Options


class Sums(Protocol):
    """Totals of the summands, as attributes; numbers, or arrays with one entry per resample."""

    options: Options

    def __getattr__(self, name: str) -> Any: ...


class Totals:
    """The totals over all suspicious documents."""

    def __init__(self, alignment: Alignment) -> None:
        self.alignment = alignment
        self.options = alignment.options

    def __getattr__(self, name: str) -> Any:
        return self.alignment.statistic(name).sum()


def _share(part: Any, whole: Any, cases: Any, detections: Any) -> Any:
    """Return part / whole under the rule for empty sets: both empty 1, one of them empty 0."""
    nothing = (cases == 0) & (detections == 0)
    something = (cases > 0) & (detections > 0) & (whole > 0)
    return np.where(something, part / np.where(whole > 0, whole, 1), np.where(nothing, 1.0, 0.0))


def f_measure(precision: Any, recall: Any, alpha: float = 1.0) -> Any:
    """Return F_alpha, the weighted harmonic mean of precision and recall; 0 where both are 0."""
    weight = alpha * alpha
    below = weight * precision + recall
    return np.where(below > 0, (1 + weight) * precision * recall / np.where(below > 0, below, 1), 0.0)


def recall_macro(t: Sums) -> Any:
    """Mean over cases s of ``|union of (s & r)| / |s|`` over the r that detect s (PAN-PC-10, eq. 4)."""
    return _share(t.recall, t.cases, t.cases, t.detections)


def precision_macro(t: Sums) -> Any:
    """Mean over detections r of ``|union of (s & r)| / |r|`` over the s that r detects (eq. 3)."""
    return _share(t.precision, t.detections, t.cases, t.detections)


def recall_micro(t: Sums) -> Any:
    """Characters of all true overlaps over the characters of all cases (eq. 2)."""
    return _share(t.true_characters, t.case_characters, t.cases, t.detections)


def precision_micro(t: Sums) -> Any:
    """Characters of all true overlaps over the characters of all detections (eq. 1)."""
    return _share(t.true_characters, t.detection_characters, t.cases, t.detections)


def granularity(t: Sums) -> Any:
    """Mean number of detections of a detected case, 1 where none is detected (eq. 5)."""
    return np.where(t.detected > 0, t.hits / np.where(t.detected > 0, t.detected, 1), 1.0)


def combine(t: Sums, precision: Any, recall: Any) -> Any:
    """Combine given precision and recall with the granularity of the totals."""
    return f_measure(precision, recall, t.options.alpha) / np.log2(1 + granularity(t))


def plagdet_macro(t: Sums) -> Any:
    """``F_alpha / log2(1 + granularity)`` of the macro values (eq. 6); what PAN's tables show."""
    return combine(t, precision_macro(t), recall_macro(t))


def plagdet_micro(t: Sums) -> Any:
    """``F_alpha / log2(1 + granularity)`` of the micro values (eq. 6)."""
    return combine(t, precision_micro(t), recall_micro(t))


def normalized_recall_macro(t: Sums) -> Any:
    """Mean over cases of normalised recall (ACL 2018 slides, nrec)."""
    return _share(t.normalized_recall, t.cases, t.cases, t.detections)


def normalized_precision_macro(t: Sums) -> Any:
    """Mean over detections of normalised precision (nprec)."""
    return _share(t.normalized_precision, t.detections, t.cases, t.detections)


def normplagdet_macro(t: Sums) -> Any:
    """``F_alpha(nprec, nrec) / log2(1 + granularity)``."""
    return combine(t, normalized_precision_macro(t), normalized_recall_macro(t))


def normalized_recall_micro(t: Sums) -> Any:
    """Mean over cases of normalised recall, each weighted by its characters; missed cases count as 0.

    The authors' program sums ``(x - a) w`` over documents instead, where a document without any
    detection has weight 0 and so never counts as missed. See docs/decisions.md.
    """
    return _share(t.normalized_case_size, t.case_size, t.cases, t.detections)


def normalized_precision_micro(t: Sums) -> Any:
    """Mean over detections of normalised precision, each weighted by its characters."""
    return _share(t.normalized_detection_size, t.detection_size, t.cases, t.detections)


def normplagdet_micro(t: Sums) -> Any:
    """``F_alpha / log2(1 + granularity)`` of the micro normalised values."""
    return combine(t, normalized_precision_micro(t), normalized_recall_micro(t))


def case_recall(t: Sums) -> Any:
    """Share of cases found (PAN15 case level)."""
    return _share(t.found, t.cases, t.cases, t.detections)


def case_precision(t: Sums) -> Any:
    """Share of detections that are right (PAN15 case level)."""
    return _share(t.right, t.detections, t.cases, t.detections)


def case_f1(t: Sums) -> Any:
    """F1 of the case level."""
    return f_measure(case_precision(t), case_recall(t))


def document_recall(t: Sums) -> Any:
    """Share of document pairs with a case where one was found (PAN15 document level)."""
    return _share(t.found_pairs, t.case_pairs, t.cases, t.detections)


def document_precision(t: Sums) -> Any:
    """Share of document pairs with a detection where one was right (PAN15 document level)."""
    return _share(t.right_pairs, t.detection_pairs, t.cases, t.detections)


def document_f1(t: Sums) -> Any:
    """F1 of the document level."""
    return f_measure(document_precision(t), document_recall(t))


_ALPHA = Parameter("alpha", float, 1.0, "weight of recall in F_alpha")
_TAU = (
    Parameter("tau_recall", float, 0.5, "share of a case that must be covered"),
    Parameter("tau_precision", float, 0.5, "share of a detection that must be right"),
)
_COMPAT = Parameter("compat", str, "none", "'reference' averages micro as the authors' program does")

_DECLARED = (
    ("granularity", "Granularity", granularity, PAN_PC_10, ()),
    ("macro.precision", "Precision", precision_macro, PAN_PC_10, ()),
    ("macro.recall", "Recall", recall_macro, PAN_PC_10, ()),
    ("macro.plagdet", "Plagdet", plagdet_macro, PAN_PC_10, (_ALPHA,)),
    ("micro.precision", "Precision (micro)", precision_micro, PAN_PC_10, ()),
    ("micro.recall", "Recall (micro)", recall_micro, PAN_PC_10, ()),
    ("micro.plagdet", "Plagdet (micro)", plagdet_micro, PAN_PC_10, (_ALPHA,)),
    ("normalized.macro.precision", "Norm. precision", normalized_precision_macro, ACL_18, ()),
    ("normalized.macro.recall", "Norm. recall", normalized_recall_macro, ACL_18, ()),
    ("normalized.macro.plagdet", "Normplagdet", normplagdet_macro, ACL_18, (_ALPHA,)),
    (
        "normalized.micro.precision",
        "Norm. precision (micro)",
        normalized_precision_micro,
        ACL_18,
        (_COMPAT,),
    ),
    ("normalized.micro.recall", "Norm. recall (micro)", normalized_recall_micro, ACL_18, (_COMPAT,)),
    ("normalized.micro.plagdet", "Normplagdet (micro)", normplagdet_micro, ACL_18, (_ALPHA, _COMPAT)),
    ("case_level.precision", "Precision (cases)", case_precision, PAN_15, _TAU),
    ("case_level.recall", "Recall (cases)", case_recall, PAN_15, _TAU),
    ("case_level.f1", "F1 (cases)", case_f1, PAN_15, _TAU),
    ("document_level.precision", "Precision (documents)", document_precision, PAN_15, _TAU),
    ("document_level.recall", "Recall (documents)", document_recall, PAN_15, _TAU),
    ("document_level.f1", "F1 (documents)", document_f1, PAN_15, _TAU),
)

MEASURES = tuple(
    Measure(key, title, "alignment", formula, citation, parameters, key == "granularity")
    for key, title, formula, citation, parameters in _DECLARED
)
