"""Curves and maps of verifiers: ROC curves, and which verifiers err on the same problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.measures.safety import TAU, Safety
from stemmata.measures.verification import UNANSWERED, Answers, auc

Floats = npt.NDArray[np.float64]

SIZE = 300
"""Side of the square a curve is drawn in."""
SET_OFF = 6
"""Curves that are drawn in colours of their own; more could not be told apart."""


@dataclass(frozen=True)
class Curve:
    """A ROC curve: the share of true "same author" over the share of false ones, by falling threshold.

    Attributes
    ----------
    style
        Which colour and dash it has, from 0; -1 for those that are in the background.
    path
        What to draw, as SVG says it.
    """

    name: str
    auc: float
    style: int
    path: str


def roc(scores: Floats, truth: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return false and true positive rates for each threshold, from (0, 0) to (1, 1); ties are one step.

    Examples
    --------
    >>> x, y = roc(np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, False]))
    >>> x.tolist(), y.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0])
    """
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    hits = np.cumsum(truth[order])[ends]
    alarms = np.cumsum(~truth[order])[ends]
    return np.append(0.0, alarms / max(1, alarms[-1])), np.append(0.0, hits / max(1, hits[-1]))


def roc_curves(answers: Mapping[str, Answers]) -> list[Curve]:
    """Return the curves of verifiers, the best ones last, so that they lie on top."""
    areas = {name: float(auc(one)) for name, one in answers.items()}
    ranked = sorted(areas, key=lambda name: (-areas[name], name))
    curves = []
    for place, name in enumerate(ranked):
        x, y = roc(answers[name].scores, answers[name].truth)
        points = " ".join(f"{SIZE * a:.1f} {SIZE * (1 - b):.1f}" for a, b in zip(x, y, strict=True))
        curves.append(Curve(name, areas[name], place if place < SET_OFF else -1, f"M{points}"))
    return curves[::-1]


@dataclass(frozen=True)
class Likeness:
    """How alike verifiers are, like ones side by side.

    Attributes
    ----------
    names
        The verifiers in the order of the map.
    correlation
        Of their correctness, or without truth of their scores.
    effectiveness, coverage
        What the world ranking makes of them (`stemmata.measures.safety`); empty without truth.
    tau
        Correlation from which two share their coverage.
    """

    names: Sequence[str]
    correlation: Sequence[Sequence[float]]
    effectiveness: Sequence[float]
    coverage: Sequence[float]
    tau: float = TAU


def likeness(
    problems: Sequence[str], scores: Mapping[str, Mapping[str, float]], truth: Mapping[str, bool]
) -> Likeness | None:
    """Return how alike verifiers are; None for a single one, or too few problems to tell."""
    names = sorted(scores)
    known = [problem for problem in problems if not truth or problem in truth]
    if len(names) < 2 or len(known) < 2:
        return None
    rows = {name: np.array([scores[name].get(one, UNANSWERED) for one in known]) for name in names}
    if truth and any(truth.values()):
        safety = Safety(known, np.array([truth[one] for one in known]), rows, {})
        rho, effective, covering = safety.correlation, safety.effectiveness, safety.coverage
    else:
        rho, effective, covering = _pearson(np.stack([rows[name] for name in names])), None, None
    order = _side_by_side(rho)
    return Likeness(
        [names[i] for i in order],
        [[round(float(rho[i, j]), 2) for j in order] for i in order],
        [] if effective is None else [float(effective[i]) for i in order],
        [] if covering is None else [float(covering[i]) for i in order],
    )


def _pearson(rows: Floats) -> Floats:
    """Return correlations of rows; 0 where undefined, 1 with itself."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    norms = np.sqrt((centred**2).sum(axis=1))
    below = np.outer(norms, norms)
    rho: Floats = np.divide(centred @ centred.T, below, out=np.zeros_like(below), where=below > 0)
    np.fill_diagonal(rho, 1.0)
    return rho


def _side_by_side(rho: Floats) -> list[int]:
    """Return an order in which like verifiers are neighbours: leaves of a tree of nearest groups."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    distance = np.clip(1.0 - (rho + rho.T) / 2, 0.0, 2.0)
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), "average", optimal_ordering=True)
    return [int(one) for one in leaves_list(tree)]
