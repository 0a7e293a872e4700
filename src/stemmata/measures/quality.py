"""Quality of obfuscation as people grade it, and how far they agree: Krippendorff's alpha.

A unit is a text that was graded, by one or several assessors. Mean grade and alpha are formulas over sums
of units, so that drawing units gives their confidence intervals by the same code as everywhere else.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from stemmata.measures.citations import KRIPPENDORFF_11, PAN_18
from stemmata.measures.definition import Measure, Parameter, signature
from stemmata.measures.evaluation import Confidence
from stemmata.measures.matching import Floats
from stemmata.measures.significance import Interval, bootstrap, value_of
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.judgements import Judgements, Scale

METRICS = ("nominal", "ordinal", "interval", "ratio")
MOST_GRADES = 64
MOST_CELLS = 20_000_000
"""Bounds on different grades, and on units x pairs of grades, where pairs of grades are counted."""


@dataclass(frozen=True)
class QualityOptions:
    """How far apart two grades are.

    Attributes
    ----------
    metric
        ``nominal``: equal or not. ``ordinal``: by the number of grades given between them.
        ``interval``: by their difference. ``ratio``: by their difference relative to their sum.
    grades
        The different grades, in order; set by `Ratings`.
    """

    metric: str = "ordinal"
    grades: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            rule = f"it is one of {', '.join(METRICS)}"
            raise StemmataError(ErrorCode.BAD_PARAMETER, name="metric", value=self.metric, rule=rule)


class Ratings:
    """Grades of units by assessors, one entry per judgement; not every assessor need grade every unit.

    Examples
    --------
    >>> ratings = Ratings(["a", "a", "b", "b", "c"], ["x", "y", "x", "y", "x"], [1, 1, 3, 2, 2])
    >>> ratings.documents, ratings.statistic("judgements")
    (['a', 'b', 'c'], array([2., 2., 1.]))
    """

    def __init__(
        self,
        units: Sequence[Hashable],
        assessors: Sequence[Hashable],
        grades: Sequence[float],
        metric: str = "ordinal",
    ) -> None:
        numbers: dict[Hashable, int] = {}
        self._unit = np.array([numbers.setdefault(one, len(numbers)) for one in units], dtype=np.int64)
        self.grades: Floats = np.array(grades, dtype=np.float64)
        self.documents = [str(unit) for unit in numbers]
        self.assessors = len(set(assessors))
        judged = self._per_unit(np.ones(len(self._unit)))
        self._pairable = judged[self._unit] >= 2
        distinct = np.unique(self.grades[self._pairable])
        self.options = QualityOptions(metric, tuple(distinct.tolist()))
        self._statistics = {"judgements": judged, "grades": self._per_unit(self.grades)}

    def statistic(self, name: str) -> Floats:
        """Return one summand per unit: a number, or for ``coincidences`` a row of them."""
        if name == "coincidences" and name not in self._statistics:
            self._statistics[name] = self._coincidences()
        elif name not in self._statistics:
            self._statistics |= self._moments()
        return self._statistics[name]

    def _per_unit(self, values: Floats) -> Floats:
        return np.bincount(self._unit, values, minlength=len(self.documents)).astype(np.float64)

    def _coincidences(self) -> Floats:
        """Count the ordered pairs of grades within each unit, each unit by ``1 / (m - 1)``.

        m is the number of its judgements, so that each judgement counts once; a unit with a single one
        has no pair. Krippendorff 2011, section C, step 2.
        """
        units, grades = len(self.documents), len(self.options.grades)
        if grades > MOST_GRADES or units * grades**2 > MOST_CELLS:
            metric = self.options.metric
            raise StemmataError(ErrorCode.TOO_MANY_GRADES, grades=grades, units=units, metric=metric)
        code = np.searchsorted(self.options.grades, self.grades[self._pairable])
        cells = self._unit[self._pairable] * grades + code
        count = np.bincount(cells, minlength=units * grades).reshape(units, grades).astype(np.float64)
        pairs = count[:, :, None] * count[:, None, :] - count[:, :, None] * np.eye(grades)
        below = np.maximum(count.sum(axis=1) - 1, 1)
        coincidences: Floats = (pairs / below[:, None, None]).reshape(units, grades**2)
        return coincidences

    def _moments(self) -> dict[str, Floats]:
        """Sum grades and squares of units judged twice or more; with them differences need no pairs."""
        grades = np.where(self._pairable, self.grades, 0.0)
        m = self._per_unit(self._pairable.astype(np.float64))
        total, squares = self._per_unit(grades), self._per_unit(grades**2)
        within = (m * squares - total**2) / np.maximum(m - 1, 1)
        return {"pairable": m, "total": total, "squares": squares, "within": within}


class Sums(Protocol):
    """Totals of the summands, as attributes; numbers, or arrays with one entry per resample."""

    options: QualityOptions

    def __getattr__(self, name: str) -> Any: ...


def mean_grade(t: Sums) -> Any:
    """Mean grade over all judgements (PAN18, section 4.2)."""
    return t.grades / np.where(t.judgements > 0, t.judgements, np.nan)


def median_grade(ratings: Ratings) -> Any:
    """Middle grade of all judgements, halfway between the two middle ones of an even number."""
    return np.median(ratings.grades) if len(ratings.grades) else np.nan


def alpha(t: Sums) -> Any:
    """Krippendorff's alpha, ``1 - D_o / D_e``: 1 full agreement, 0 as by chance, below 0 worse.

    ``D_o`` is the mean squared distance of two grades of the same unit, ``D_e`` of any two grades; only
    units with two judgements or more take part. With o_ck the coincidences of the grades c and k, n_c
    their sums and n the number of judgements (Krippendorff 2011, section C):

    ``alpha = 1 - (n - 1) * sum of o_ck d_ck / sum of n_c n_k d_ck``

    Undefined (NaN) where no unit has two judgements, and where all grades are the same: without any
    variation nothing shows that the assessors can tell texts apart.
    """
    if t.options.metric == "interval":
        n, squares = t.pairable, t.pairable * t.squares
        observed, expected = (n - 1) * t.within, squares - t.total**2
        # Sums of equal grades may differ in their last digits.
        varied = expected > 1e-12 * squares
    else:
        grades = len(t.options.grades)
        coincidences = np.reshape(t.coincidences, (*np.shape(t.coincidences)[:-1], grades, grades))
        each = coincidences.sum(axis=-1)
        distance = _squared_distance(t.options, each)
        n = each.sum(axis=-1)
        observed = (n - 1) * (coincidences * distance).sum(axis=(-2, -1))
        expected = (each[..., :, None] * each[..., None, :] * distance).sum(axis=(-2, -1))
        varied = expected > 0
    return np.where(varied, 1 - observed / np.where(varied, expected, 1), np.nan)


def _squared_distance(options: QualityOptions, each: Any) -> Any:
    """Return d_ck for all pairs of grades; for the ordinal metric it depends on how often each was given."""
    grades = np.array(options.grades)
    if options.metric == "nominal":
        return 1 - np.eye(len(grades))
    if options.metric == "ratio":
        both = grades[:, None] + grades
        return ((grades[:, None] - grades) / np.where(both == 0, 1, both)) ** 2
    # The grades from c to k, with half of c and half of k, is the difference of their middle ranks.
    rank = np.cumsum(each, axis=-1) - each / 2
    return (rank[..., :, None] - rank[..., None, :]) ** 2


_METRIC = Parameter("metric", str, "ordinal", "how far apart grades are: " + ", ".join(METRICS))

MEAN = Measure("mean", "Mean", "quality", mean_grade, PAN_18)
MEDIAN = Measure("median", "Median", "quality", median_grade, PAN_18)
ALPHA = Measure("alpha", "Alpha", "quality", alpha, KRIPPENDORFF_11, (_METRIC,))
MEASURES = (MEAN, MEDIAN, ALPHA)


# --- Scoring ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Summary:
    """The grades of one system, or of all."""

    values: Mapping[str, float]
    counts: Mapping[str, int]
    judgements: int
    items: int
    assessors: int
    intervals: Mapping[str, Interval] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``--format json`` prints; what is undefined is null."""
        made: dict[str, Any] = {
            **{key: None if np.isnan(value) else value for key, value in self.values.items()},
            "counts": dict(self.counts),
            "judgements": self.judgements,
            "items": self.items,
            "assessors": self.assessors,
        }
        if self.intervals:
            made["confidence"] = {key: [one.low, one.high] for key, one in self.intervals.items()}
        return made


@dataclass(frozen=True)
class Graded:
    """One kind of grade: all systems together, and each, the best mean first."""

    scale: Scale
    pooled: Summary
    systems: Mapping[str, Summary]

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``--format json`` prints."""
        systems = {name: one.as_json() for name, one in self.systems.items()}
        return {"scale": self.scale.name, "pooled": self.pooled.as_json(), "systems": systems}


@dataclass(frozen=True)
class QualityResult:
    """What ``stemmata score quality`` knows; a kind of grade that nobody gave is left out."""

    signature: str
    graded: Mapping[str, Graded]

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``--format json`` prints."""
        return {"signature": self.signature, **{name: one.as_json() for name, one in self.graded.items()}}


def score_quality(
    judgements: Judgements, *, metric: str = "ordinal", confidence: Confidence | None = None
) -> QualityResult:
    """Sum up the judgements of every system, with the agreement of the assessors.

    Agreement over all systems together is mostly agreement on which system is the better one; that
    within a system says whether assessors tell its good texts from its bad ones.
    """
    graded = {}
    scheme = judgements.scheme
    for kind, scale in (("sensibleness", scheme.sensibleness), ("soundness", scheme.soundness)):
        rows = [
            (one.system, one.item, one.assessor, getattr(one, kind))
            for one in judgements.rows
            if getattr(one, kind) is not None
        ]
        if not rows:
            continue
        by_system: dict[str, list[tuple[str, str, str, float]]] = {}
        for row in rows:
            by_system.setdefault(row[0], []).append(row)
        systems = {name: _summarise(part, scale, metric, confidence) for name, part in by_system.items()}
        sign = 1 if scale.lower_is_better else -1
        order = sorted(systems, key=lambda name: (sign * systems[name].values["mean"], name))
        pooled = _summarise(rows, scale, metric, confidence)
        graded[kind] = Graded(scale, pooled, {name: systems[name] for name in order})
    signed = signature(
        "quality",
        scale=scheme.name,
        metric=QualityOptions(metric).metric,
        confidence="none"
        if confidence is None
        else f"{confidence.level:g}/bootstrap-{confidence.resamples}/seed-{confidence.seed}",
    )
    return QualityResult(signed, graded)


def _summarise(
    rows: Sequence[tuple[str, str, str, float]], scale: Scale, metric: str, confidence: Confidence | None
) -> Summary:
    systems, items, assessors, grades = zip(*rows, strict=True)
    ratings = Ratings(list(zip(systems, items, strict=True)), assessors, grades, metric)
    values = {
        MEAN.key: value_of(MEAN, ratings),
        MEDIAN.key: float(median_grade(ratings)),
        ALPHA.key: value_of(ALPHA, ratings),
    }
    counts = np.bincount([scale.category(grade) for grade in grades], minlength=len(scale.categories))
    intervals: dict[str, Interval] = {}
    if confidence is not None:
        rng = np.random.default_rng(confidence.seed)
        intervals = bootstrap(ratings, (MEAN, ALPHA), rng, confidence.level, confidence.resamples)
    return Summary(
        values,
        dict(zip(scale.categories, counts.tolist(), strict=True)),
        judgements=len(rows),
        items=len(ratings.documents),
        assessors=ratings.assessors,
        intervals=intervals,
    )
