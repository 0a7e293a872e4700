"""Authorship verification: whether it is the same author, and how sure the answer is.

A score above 0.5 says "same author", below it "different", exactly 0.5 leaves the problem unanswered.
Every formula takes weights, so that a resample of problems is scored by the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from stemmata.measures.citations import BEVENDORFF_19, BRIER_50, PAN_20, PENAS_11
from stemmata.measures.definition import Measure, Parameter
from stemmata.measures.resampling import Interval, draw_units, percentile_interval
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.annotations import Mask

Floats = npt.NDArray[np.float64]
Convention = Literal["answered", "all"]
UNANSWERED = 0.5


@dataclass(frozen=True)
class Answers:
    """The answers of one system beside the truth.

    Attributes
    ----------
    truth, scores
        Per problem: whether it is the same author, and the score; 0.5 where nothing was answered.
    weights
        How often each problem counts; more than one row makes every formula give one value per row.
    f1
        ``"answered"`` leaves unanswered problems out of F1 (PAN 2020 to 2023), ``"all"`` takes them
        for "different author" (2024 and 2025).
    """

    truth: Mask
    scores: Floats
    weights: Floats = field(default_factory=lambda: np.ones(1))
    f1: Convention = "answered"

    @classmethod
    def of(
        cls, truth: Mapping[str, bool], answers: Mapping[str, float], f1: Convention = "answered"
    ) -> Answers:
        """Put answers beside the truth; a problem without one is unanswered."""
        if not truth:
            raise StemmataError(ErrorCode.EMPTY_TRUTH)
        return cls(
            np.array(list(truth.values()), dtype=bool),
            np.array([answers.get(problem, UNANSWERED) for problem in truth], dtype=np.float64),
            f1=f1,
        )

    def count(self, of: Mask) -> Any:
        """Return how many problems have a property, by weight."""
        return np.where(of, self.weights, 0.0).sum(axis=-1)

    @cached_property
    def total(self) -> Any:
        """Number of problems."""
        return self.count(np.ones(len(self.truth), dtype=bool))

    @cached_property
    def unanswered(self) -> Mask:
        """Problems left open."""
        return np.equal(self.scores, UNANSWERED)

    @cached_property
    def yes(self) -> Mask:
        """Problems answered by "same author"."""
        return np.greater(self.scores, UNANSWERED)

    @cached_property
    def right(self) -> Mask:
        """Problems answered correctly."""
        return np.equal(self.yes, self.truth) & ~self.unanswered


def _ratio(above: Any, below: Any, empty: float = 0.0) -> Any:
    return np.where(below > 0, above / np.where(below > 0, below, 1), empty)


def auc(a: Answers) -> Any:
    """Probability that a pair by one author scores above a pair by two, ties counting half.

    Undefined (NaN) where all problems have the same truth.
    """
    order = np.argsort(a.scores, kind="stable")
    scores = a.scores[order]
    starts = np.flatnonzero(np.concatenate([[True], scores[1:] != scores[:-1]]))
    same = np.add.reduceat(np.where(a.truth, a.weights, 0.0)[..., order], starts, axis=-1)
    other = np.add.reduceat(np.where(a.truth, 0.0, a.weights)[..., order], starts, axis=-1)
    below = np.cumsum(other, axis=-1) - other
    wins = (same * (below + other / 2)).sum(axis=-1)
    return _ratio(wins, same.sum(axis=-1) * other.sum(axis=-1), empty=np.nan)


def c_at_1(a: Answers) -> Any:
    """Accuracy with unanswered problems credited at the rate of the answered ones.

    ``(nc + nu nc / n) / n`` with nc right and nu unanswered of n problems (Peñas and Rodrigo 2011).
    """
    right = a.count(a.right)
    return _ratio(right + a.count(a.unanswered) * right / np.where(a.total > 0, a.total, 1), a.total)


def f05u(a: Answers) -> Any:
    """F0.5 of "same author" in which every unanswered problem counts as missed.

    ``1.25 TP / (1.25 TP + 0.25 (FN + U) + FP)`` (Bevendorff et al. 2019).
    """
    hit = a.count(a.yes & a.truth)
    missed = a.count(~a.yes & a.truth & ~a.unanswered) + a.count(a.unanswered)
    wrong = a.count(a.yes & ~a.truth)
    return _ratio(1.25 * hit, 1.25 * hit + 0.25 * missed + wrong)


def f1(a: Answers) -> Any:
    """F1 of "same author", over answered problems or over all."""
    counted = ~a.unanswered if a.f1 == "answered" else np.ones(len(a.truth), dtype=bool)
    hit = a.count(a.yes & a.truth)
    errors = a.count((a.yes != a.truth) & counted)
    return _ratio(2 * hit, 2 * hit + errors)


def brier(a: Answers) -> Any:
    """One minus the mean squared distance of the score from the truth (0 or 1)."""
    distance = (a.scores - a.truth) ** 2
    return 1 - _ratio((distance * a.weights).sum(axis=-1), a.total)


def overall(a: Answers) -> Any:
    """Mean of AUC, c@1, F0.5u, F1 and Brier, none of them rounded (PAN 2021 and later)."""
    return (auc(a) + c_at_1(a) + f05u(a) + f1(a) + brier(a)) / 5


def final_score(a: Answers) -> Any:
    """AUC times c@1, the final score of PAN 2014 and 2015."""
    return auc(a) * c_at_1(a)


_F1 = Parameter("f1", str, "answered", "'answered' as PAN 2020 to 2023, 'all' as 2024 and 2025")

_DECLARED: tuple[tuple[str, str, Callable[[Answers], Any], Any, tuple[Parameter, ...]], ...] = (
    ("auc", "AUC", auc, PAN_20, ()),
    ("c@1", "c@1", c_at_1, PENAS_11, ()),
    ("f0.5u", "F0.5u", f05u, BEVENDORFF_19, ()),
    ("f1", "F1", f1, PAN_20, (_F1,)),
    ("brier", "Brier", brier, BRIER_50, ()),
    ("overall", "Overall", overall, PAN_20, (_F1,)),
    ("auc*c@1", "AUC * c@1", final_score, PAN_20, ()),
)

MEASURES = tuple(
    Measure(key, title, "verification", formula, citation, parameters)
    for key, title, formula, citation, parameters in _DECLARED
)


def score_verification(answers: Answers) -> dict[str, float]:
    """Return all measures by key; those that rest on an undefined AUC are NaN."""
    return {measure.key: float(np.squeeze(measure.formula(answers))) for measure in MEASURES}


def bootstrap_verification(
    answers: Answers,
    units: Sequence[object],
    rng: np.random.Generator,
    level: float = 0.95,
    resamples: int = 1000,
) -> dict[str, Interval]:
    """Return percentile intervals by drawing units with replacement.

    Problems that share a text are not independent, so a unit is a text, not a problem: `units` names
    for each problem the unknown text it is about.
    """
    drawn: dict[str, list[Floats]] = {measure.key: [] for measure in MEASURES}
    for weights in draw_units(units, rng, resamples):
        resampled = replace(answers, weights=weights)
        for measure in MEASURES:
            drawn[measure.key].append(measure.formula(resampled))
    return {key: percentile_interval(np.concatenate(values), level) for key, values in drawn.items()}
