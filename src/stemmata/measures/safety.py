"""Safety of author obfuscation: the world ranking of Potthast et al. (PAN 2018, section 2).

Verifiers answer problems before and after a text was obfuscated. Each correct "same author" that the
obfuscation turns into "different" earns points, each wrong one it repairs costs as many:

    points(v, d) = importance(v) * unambiguity(d)
    importance(v) = effectiveness(v) * coverage(v)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from stemmata.measures.citations import PAN_18
from stemmata.measures.definition import Measure, Parameter
from stemmata.measures.resampling import Interval, draw_units, percentile_interval
from stemmata.measures.verification import UNANSWERED, Answers, auc, c_at_1
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.annotations import Mask

Floats = npt.NDArray[np.float64]
TAU = 0.5
"""Correlation from which two verifiers count as similar."""


def accuracy_threshold(scores: Floats, truth: Mask) -> float:
    """Return the threshold above which "same author" is most often right.

    Candidates are the midpoints between neighbouring scores, minus and plus infinity; equal scores are
    never torn apart, and the lowest of equally good thresholds wins. A missing score counts as 0.

    Examples
    --------
    >>> accuracy_threshold(np.array([0.2, 0.4, 0.8]), np.array([False, True, True]))
    0.30000000000000004
    """
    known = np.where(np.isnan(scores), 0.0, scores)
    values, group = np.unique(known, return_inverse=True)
    below_same = np.cumsum(np.bincount(group, truth, len(values)))
    below_other = np.cumsum(np.bincount(group, ~truth, len(values)))
    right = np.concatenate([[truth.sum()], below_other + truth.sum() - below_same])
    cuts = np.concatenate([[-np.inf], (values[1:] + values[:-1]) / 2, [np.inf]])
    return float(cuts[np.argmax(right)])


def decide(scores: Floats, threshold: Floats | float) -> Mask:
    """Return "same author" decisions; a missing score decides for "different"."""
    return np.where(np.isnan(scores), -np.inf, scores) > threshold


@dataclass(frozen=True)
class Impact:
    """How an obfuscator changes the usual measures, averaged over verifiers (sections 2.3 and B).

    Differences are after minus before; `average_impact` is the mean of the change in recall,
    normalised to [-1, 1] so that 1 means that no correct "same author" is left.
    """

    verifiers: int
    delta_auc: float
    delta_c_at_1: float
    delta_final: float
    delta_acc: float
    delta_rec: float
    average_impact: float


@dataclass(frozen=True)
class PerformanceMatrix:
    """Table 1 of the paper: what becomes of each verifier's decision on each positive problem."""

    verifiers: tuple[str, ...]
    problems: tuple[str, ...]
    before: Mask
    after: Mask
    missing: Mask

    def __getitem__(self, cell: tuple[int, int]) -> str:
        if self.missing[cell]:
            return ""
        return f"{'FT'[int(self.before[cell])]}→{'FT'[int(self.after[cell])]}"

    def counts(self) -> dict[str, int]:
        """Return how often each kind of change occurs."""
        kinds = {"T→T": (True, True), "T→F": (True, False), "F→T": (False, True), "F→F": (False, False)}
        known = ~self.missing
        return {
            name: int(((self.before == before) & (self.after == after) & known).sum())
            for name, (before, after) in kinds.items()
        }

    def __str__(self) -> str:
        width = max(map(len, self.problems), default=0)
        head = " " * width + "  " + "  ".join(self.verifiers)
        rows = (
            "  ".join(
                [
                    problem.ljust(width),
                    *(self[v, d].center(len(name)) for v, name in enumerate(self.verifiers)),
                ]
            )
            for d, problem in enumerate(self.problems)
        )
        return "\n".join([head, *rows])


class Safety:
    """One corpus: problems, verifiers, and obfuscators ranked against them.

    Parameters
    ----------
    problems, truth
        Problems and whether the author is the same.
    original
        Scores of each verifier on the problems as they were, NaN where missing.
    obfuscated
        The same for each obfuscator, by name. Only verifiers that ran on the original and on every
        obfuscation take part (the published table did so).
    tau
        Correlation from which verifiers share their coverage.
    """

    def __init__(
        self,
        problems: Sequence[str],
        truth: Mask,
        original: Mapping[str, Floats],
        obfuscated: Mapping[str, Mapping[str, Floats]],
        tau: float = TAU,
    ) -> None:
        self.problems, self.truth = tuple(problems), np.asarray(truth, dtype=bool)
        self.original, self.obfuscated, self.tau = original, obfuscated, tau
        self.verifiers = tuple(
            sorted(name for name in original if all(name in run for run in obfuscated.values()))
        )
        if not self.verifiers:
            raise StemmataError(ErrorCode.NO_COMMON_VERIFIER)
        if not self.truth.any():
            raise StemmataError(ErrorCode.NO_POSITIVE_PROBLEM)

    @cached_property
    def scores(self) -> Floats:
        """Original scores, verifiers x problems."""
        return np.stack([self.original[name] for name in self.verifiers])

    @cached_property
    def thresholds(self) -> Floats:
        """The accuracy-optimal threshold of each verifier on the original problems."""
        return np.array([accuracy_threshold(row, self.truth) for row in self.scores])

    @cached_property
    def correct(self) -> Mask:
        """c(v, d): whether a verifier decides a problem correctly."""
        return np.asarray(decide(self.scores, self.thresholds[:, None]) == self.truth)

    @cached_property
    def accuracy(self) -> Floats:
        """Share of problems decided correctly."""
        return np.asarray(self.correct.mean(axis=1))

    @cached_property
    def effectiveness(self) -> Floats:
        """``max(0, 2 accuracy - 1)``: 0 is guessing, 1 is always right."""
        return np.maximum(0.0, 2 * self.accuracy - 1)

    @cached_property
    def correlation(self) -> Floats:
        """Pearson correlation of the verifiers' correctness; 0 where undefined, 1 with itself."""
        centred = self.correct - self.accuracy[:, None]
        norms = np.sqrt((centred**2).sum(axis=1))
        below = np.outer(norms, norms)
        rho = np.divide(centred @ centred.T, below, out=np.zeros_like(below), where=below > 0)
        np.fill_diagonal(rho, 1.0)
        return rho

    @cached_property
    def coverage(self) -> Floats:
        """One over the summed correlations of at least tau: k copies share what one alone would have."""
        similar = np.where(self.correlation >= self.tau - 1e-12, self.correlation, 0.0)
        return np.asarray(1.0 / similar.sum(axis=1))

    @cached_property
    def importance(self) -> Floats:
        """Effectiveness times coverage."""
        return self.effectiveness * self.coverage

    @cached_property
    def unambiguity(self) -> Floats:
        """Share of verifiers that decide a positive problem correctly, weighted by importance."""
        total = self.importance.sum()
        if total == 0:
            return np.zeros(int(self.truth.sum()))
        weighted: Floats = self.importance @ self.correct[:, self.truth] / total
        return weighted

    @cached_property
    def points(self) -> Floats:
        """Points for each verifier (row) that is fooled on each positive problem (column)."""
        return np.outer(self.importance, self.unambiguity)

    @cached_property
    def perfect(self) -> float:
        """The score of an obfuscator that turns every correct "same author"."""
        return float((self.points * self.correct[:, self.truth]).sum())

    def matrix(self, obfuscator: str) -> PerformanceMatrix:
        """Return Table 1 for one obfuscator; cells missing before or after are left out."""
        after = np.stack([self.obfuscated[obfuscator][name] for name in self.verifiers])[:, self.truth]
        before = self.scores[:, self.truth]
        decisions = decide(after, self.thresholds[:, None])
        positives = tuple(name for name, same in zip(self.problems, self.truth, strict=True) if same)
        missing = np.isnan(before) | np.isnan(after)
        return PerformanceMatrix(self.verifiers, positives, self.correct[:, self.truth], decisions, missing)

    def points_by_problem(self, obfuscator: str) -> Floats:
        """Return the points an obfuscator makes on each positive problem."""
        matrix = self.matrix(obfuscator)
        change = matrix.before.astype(float) - matrix.after
        earned: Floats = (np.where(matrix.missing, 0.0, change) * self.points).sum(axis=0)
        return earned

    def score(self, obfuscator: str) -> float:
        """World ranking score: ``sum over d and v of (c(v, d) - c(v, o(d))) points(v, d)``."""
        return float(self.points_by_problem(obfuscator).sum())

    def interval(
        self,
        obfuscator: str,
        units: Mapping[str, object],
        rng: np.random.Generator,
        level: float = 0.95,
        resamples: int = 1000,
    ) -> Interval:
        """Return an interval of the score by drawing texts with replacement.

        Verifiers and the importance of each stay as they are: it is the problems that could have been
        others. `units` names the unknown text of a problem, since problems share texts.
        """
        earned = self.points_by_problem(obfuscator)
        positives = [name for name, same in zip(self.problems, self.truth, strict=True) if same]
        drawn = draw_units([units.get(name, name) for name in positives], rng, resamples)
        return percentile_interval(np.concatenate([weights @ earned for weights in drawn]), level)

    def impact(self, obfuscator: str) -> Impact:
        """Return the legacy measures over all verifiers that ran before and after.

        As in the paper's Table 5, verifiers without a finite threshold, which always answer the same,
        are left out. AUC and c@1 take missing answers as unanswered; decisions take them as "different".
        """
        rows = []
        for name, after in self.obfuscated[obfuscator].items():
            before = self.original.get(name)
            if before is None:
                continue
            threshold = accuracy_threshold(before, self.truth)
            if np.isfinite(threshold):
                rows.append(self._changes(before, after, threshold))
        if not rows:
            return Impact(0, *([float("nan")] * 6))
        return Impact(len(rows), *(float(value) for value in np.mean(rows, axis=0)))

    def _changes(self, before: Floats, after: Floats, threshold: float) -> list[float]:
        first, second = (
            Answers(self.truth, np.where(np.isnan(run), UNANSWERED, run)) for run in (before, after)
        )
        aucs, cs = [float(auc(a)) for a in (first, second)], [float(c_at_1(a)) for a in (first, second)]
        decisions = [decide(run, threshold) for run in (before, after)]
        accuracies = [float((decision == self.truth).mean()) for decision in decisions]
        recalls = [float(decision[self.truth].mean()) for decision in decisions]
        change = recalls[1] - recalls[0]
        room = recalls[0] if change < 0 else 1 - recalls[0]
        return [
            aucs[1] - aucs[0],
            cs[1] - cs[0],
            aucs[1] * cs[1] - aucs[0] * cs[0],
            accuracies[1] - accuracies[0],
            change,
            -change / room if room > 0 else 0.0,
        ]


def world_score(safety: Safety, obfuscator: str) -> float:
    """World ranking score: points for fooled verifiers less points for helped ones (section 2.1)."""
    return safety.score(obfuscator)


def share_of_perfect(safety: Safety, obfuscator: str) -> float:
    """World ranking score over that of an obfuscator that fools every verifier that can be fooled."""
    return safety.score(obfuscator) / safety.perfect if safety.perfect else 0.0


def average_impact(safety: Safety, obfuscator: str) -> float:
    """Mean over verifiers of the change in recall, normalised to [-1, 1] (section 2.3)."""
    return safety.impact(obfuscator).average_impact


def delta_rec(safety: Safety, obfuscator: str) -> float:
    """Mean over verifiers of recall after minus recall before (section 2.3)."""
    return safety.impact(obfuscator).delta_rec


def delta_acc(safety: Safety, obfuscator: str) -> float:
    """Mean over verifiers of accuracy after minus accuracy before (section 2.3)."""
    return safety.impact(obfuscator).delta_acc


def delta_auc(safety: Safety, obfuscator: str) -> float:
    """Mean over verifiers of AUC after minus AUC before (Table 5)."""
    return safety.impact(obfuscator).delta_auc


def delta_c_at_1(safety: Safety, obfuscator: str) -> float:
    """Mean over verifiers of c@1 after minus c@1 before (Table 5)."""
    return safety.impact(obfuscator).delta_c_at_1


def delta_final(safety: Safety, obfuscator: str) -> float:
    """Mean over verifiers of AUC times c@1 after minus the same before (Table 5)."""
    return safety.impact(obfuscator).delta_final


_TAU = Parameter("tau", float, TAU, "correlation from which two verifiers share their coverage")

MEASURES = (
    Measure("score", "World score", "safety", world_score, PAN_18, (_TAU,)),
    Measure("share", "Share of perfect", "safety", share_of_perfect, PAN_18, (_TAU,)),
    Measure("average_impact", "Average impact", "safety", average_impact, PAN_18),
    Measure("delta_rec", "Δrec", "safety", delta_rec, PAN_18),
    Measure("delta_acc", "Δacc", "safety", delta_acc, PAN_18),
    Measure("delta_auc", "ΔAUC", "safety", delta_auc, PAN_18),
    Measure("delta_c@1", "Δc@1", "safety", delta_c_at_1, PAN_18),
    Measure("delta_final", "Δfinal", "safety", delta_final, PAN_18),
)
