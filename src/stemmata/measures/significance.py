"""How sure a score is, and whether two systems really differ.

The unit is the suspicious document: cases in one document are not independent, documents are. All
measures are formulas over per-document sums, so a resample is a matrix product and nothing is
matched again. Whatever can be summed up per document, `Summable`, gets its intervals and tests here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from stemmata.measures.definition import Measure
from stemmata.measures.matching import Floats
from stemmata.measures.resampling import Interval, batches, draw_units, percentile_interval, require
from stemmata.model import ErrorCode, StemmataError

__all__ = ["Comparison", "Interval", "Summable", "bootstrap", "compare_runs", "holm", "value_of"]


class Summable(Protocol):
    """Results of a system as summands per document; the sums are what its measures are formulas of."""

    @property
    def documents(self) -> Sequence[str]:
        """The documents, in the order of the statistics."""
        ...

    @property
    def options(self) -> Any:
        """What a user chose about the measures; formulas see it beside the sums."""
        ...

    def statistic(self, name: str) -> Floats:
        """Return one summand: a number, or a row of numbers, per document."""
        ...


class _Weighted:
    """Totals of documents that count as often as their weights say, one row per resample."""

    def __init__(self, run: Summable, weights: Floats) -> None:
        self._run, self._weights = run, weights
        self._sums: dict[str, Floats] = {}
        self.options = run.options

    def __getattr__(self, name: str) -> Any:
        if name not in self._sums:
            self._sums[name] = self._weights @ self._run.statistic(name)
        return self._sums[name]


def value_of(measure: Measure, run: Summable) -> float:
    """Return a measure's value; NaN where it is undefined."""
    return float(measure.formula(_Weighted(run, np.ones(len(run.documents)))))


def bootstrap(
    run: Summable,
    measures: Sequence[Measure],
    rng: np.random.Generator,
    level: float = 0.95,
    resamples: int = 1000,
) -> dict[str, Interval]:
    """Return percentile intervals by drawing documents with replacement (Efron 1979).

    Resamples in which a measure is undefined (NaN) say nothing about it; without any other, it has no
    interval.
    """
    require("level", level, 0 < level < 1, "it must lie between 0 and 1")
    drawn: dict[str, list[Floats]] = {measure.key: [] for measure in measures}
    for weights in draw_units(range(len(run.documents)), rng, resamples):
        sums = _Weighted(run, weights)
        for measure in measures:
            drawn[measure.key].append(measure.formula(sums))
    intervals = {key: percentile_interval(np.concatenate(parts), level) for key, parts in drawn.items()}
    return {key: interval for key, interval in intervals.items() if not np.isnan(interval.low)}


@dataclass(frozen=True)
class Comparison:
    """Two runs under one measure: the difference, and how often chance alone gives one as large."""

    measure: str
    first: str
    second: str
    difference: float
    p: float
    p_holm: float


def compare_runs(
    runs: Mapping[str, Summable],
    measures: Sequence[Measure],
    rng: np.random.Generator,
    permutations: int = 10_000,
) -> list[Comparison]:
    """Test every pair of runs by paired permutation, corrected for their number.

    Under the null hypothesis a document's results could as well come from the other run; so results
    are exchanged document by document, at random or, where there are few documents, in every possible
    way. Two-sided; p-values of one measure are corrected over all pairs of runs by Holm's method.
    """
    if len(runs) < 2:
        raise StemmataError(ErrorCode.NEEDS_TWO_RUNS)
    require("permutations", permutations, permutations >= 1, "at least 1 is needed")
    found: dict[str, list[tuple[str, str, float, float]]] = {measure.key: [] for measure in measures}
    for first, second in combinations(runs, 2):
        results = _permutation_test(runs[first], runs[second], measures, rng, permutations)
        for key, (difference, p) in results.items():
            found[key].append((first, second, difference, p))
    comparisons = []
    for key, rows in found.items():
        corrected = holm([p for *_, p in rows])
        comparisons += [
            Comparison(key, *row, adjusted) for row, adjusted in zip(rows, corrected, strict=True)
        ]
    return comparisons


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number by Holm's step-down method (Holm 1979).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        corrected[i] = largest
    return corrected


class _Exchanged:
    """Totals of one run after exchanging the chosen documents with another run."""

    def __init__(self, options: Any, mine: _Documents, theirs: _Documents, chosen: Floats) -> None:
        self._mine, self._theirs, self._chosen = mine, theirs, chosen
        self.options = options

    def __getattr__(self, name: str) -> Any:
        mine, theirs = self._mine[name], self._theirs[name]
        return mine.sum() + self._chosen @ (theirs - mine)


class _Documents:
    """The statistics of a run over a given list of documents; 0 where it has nothing."""

    def __init__(self, run: Summable, documents: Sequence[str]) -> None:
        self._run = run
        number = {name: n for n, name in enumerate(run.documents)}
        self._of = np.array([number.get(name, -1) for name in documents], dtype=int)
        self._kept: dict[str, Floats] = {}

    def __getitem__(self, name: str) -> Floats:
        if name not in self._kept:
            self._kept[name] = np.append(self._run.statistic(name), 0.0)[self._of]
        return self._kept[name]


def _permutation_test(
    first: Summable,
    second: Summable,
    measures: Sequence[Measure],
    rng: np.random.Generator,
    permutations: int,
) -> dict[str, tuple[float, float]]:
    documents = sorted({*first.documents, *second.documents})
    a, b = _Documents(first, documents), _Documents(second, documents)

    def difference(measure: Measure, chosen: Floats) -> Floats:
        mine = measure.formula(_Exchanged(first.options, a, b, chosen))
        return np.asarray(mine - measure.formula(_Exchanged(first.options, b, a, chosen)))

    observed = {m.key: float(difference(m, np.zeros((1, len(documents))))[0]) for m in measures}
    as_large = dict.fromkeys(observed, 0)
    total = 0
    exact = 2 ** len(documents) <= permutations
    for chosen in _exchanges(len(documents), permutations, exact, rng):
        total += len(chosen)
        for measure in measures:
            reached = np.abs(difference(measure, chosen)) >= abs(observed[measure.key]) - 1e-12
            as_large[measure.key] += int(reached.sum())
    # Drawn at random, the observed arrangement counts as one more draw, so that p is never 0.
    extra = 0 if exact else 1
    return {key: (observed[key], (as_large[key] + extra) / (total + extra)) for key in observed}


def _exchanges(n: int, permutations: int, exact: bool, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield choices of documents to exchange: every subset if exact, else random ones."""
    if exact:
        subsets = np.arange(2**n)[:, None]
        yield ((subsets >> np.arange(n)) & 1).astype(np.float64)
        return
    for size in batches(permutations, n):
        yield rng.integers(0, 2, (size, n)).astype(np.float64)
