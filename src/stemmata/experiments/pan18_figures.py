"""Appendix A of the PAN 2018 overview: how verifiers and problems differ, and what attacks do to both."""

from __future__ import annotations

import numpy as np

from stemmata.experiments.attacks import Attack, guessing, variation
from stemmata.experiments.pan18_published import CoverageFacts, Published
from stemmata.measures.safety import Floats, Safety
from stemmata.model.reproduction import Callout, Cell, ComparedTable, Figure, Panel, Series

SEED = 0
"""Of the draws that Figure 2 shows, the first of those in the tables."""
TWINS = "jankowska"
"""Two systems of one team, the second an improvement of the first (section 2.3)."""
_ROUNDING = 1e-9


def before_obfuscation(safety: Safety) -> Safety:
    """Return the corpus with all verifiers that ran on it, whether or not they ran on every obfuscation."""
    return Safety(safety.problems, safety.truth, safety.original, {}, safety.tau)


def coverage_table(corpus: str, safety: Safety, paper: Published) -> ComparedTable:
    """Return what appendix A.1 says of the verifiers of one corpus, and whether it holds."""
    whole, said = before_obfuscation(safety), paper.appendix_a
    printed = said if said.corpus == corpus else None
    full = int((whole.coverage > 1 - _ROUNDING).sum())
    rows: list[list[Cell]] = [
        _counted("verifiers that ran", len(whole.verifiers), printed.verifiers if printed else None),
        _counted("verifiers of coverage 1", full, printed.full_coverage if printed else None),
    ]
    if printed:
        rows += _named(whole, printed)
    columns = ("Fact", "Ours", "In the paper", "Holds")
    return ComparedTable("coverage", f"Verifiers of {corpus} before obfuscation", columns, rows)


def _counted(fact: str, ours: int, printed: int | None) -> list[Cell]:
    if printed is None:
        return [fact, str(ours), "–", "–"]
    return [fact, str(ours), str(printed), _holds(ours == printed)]


def _named(whole: Safety, printed: CoverageFacts) -> list[list[Cell]]:
    """Return the facts about verifiers the paper names or describes."""
    coverage = dict(zip(whole.verifiers, whole.coverage.tolist(), strict=True))
    rows: list[list[Cell]] = []
    for twin in (twin for twin in printed.twins if twin in coverage):
        agrees = abs(coverage[twin] - printed.twin_coverage) <= 0.005
        rows.append(
            [f"coverage of {twin}", f"{coverage[twin]:.3f}", f"{printed.twin_coverage}", _holds(agrees)]
        )
    # The paper counts as constant whoever answers nearly the same throughout, and gives bounds only.
    constant = whole.coverage <= printed.constant_coverage[1]
    if constant.any():
        for what, values, bounds in (
            ("coverage", whole.coverage[constant], printed.constant_coverage),
            ("accuracy", whole.accuracy[constant], printed.constant_accuracy),
        ):
            low, high = float(values.min()), float(values.max())
            inside = bounds[0] - _ROUNDING <= low and high <= bounds[1] + _ROUNDING
            fact = f"{what} of the {int(constant.sum())} that nearly always answer the same"
            rows.append(
                [fact, f"{low:.3f} to {high:.3f}", f"within {bounds[0]} to {bounds[1]}", _holds(inside)]
            )
    return rows


def _holds(holds: bool) -> str:
    return "yes" if holds else "no"


def figures(corpus: str, safety: Safety) -> list[Figure]:
    """Return Figures 1 and 2 for one corpus."""
    whole = before_obfuscation(safety)
    left, right = (_attacked(whole, attack) for attack in (guessing, variation))
    return [
        Figure(
            "figure-1",
            f"Left: accuracy and coverage of the {len(whole.verifiers)} verifiers that ran on {corpus}. "
            f"Right: unambiguity of its {int(whole.truth.sum())} positive problems.",
            [[_verifiers(whole), _problems(whole)]],
        ),
        Figure(
            "figure-2",
            f"Effectiveness, coverage and unambiguity on {corpus} before and after "
            f"{len(left[0].series[1].y)} mock verifiers were added, which guess (left) or vary existing "
            "verifiers (right).",
            list(zip(left, right, strict=True)),
        ),
    ]


def _verifiers(whole: Safety) -> Panel:
    points = list(zip(whole.accuracy.tolist(), whole.coverage.tolist(), strict=True))
    twins = [point for point, name in zip(points, whole.verifiers, strict=True) if name.startswith(TWINS)]
    constant = [point for point, cut in zip(points, whole.thresholds, strict=True) if not np.isfinite(cut)]
    callouts = []
    if twins:
        middle, lowest = (twins[0][0] + twins[-1][0]) / 2, min(coverage for _, coverage in twins)
        callouts.append(Callout("Jankowska et al.", (middle, lowest - 0.06), twins))
    if constant:
        accuracy, coverage = constant[0]
        callouts.append(Callout("always one answer", (accuracy + 0.05, coverage - 0.06), constant[:1]))
    series = [Series("verifier", "circle", whole.accuracy, whole.coverage)]
    return Panel("Verifiers", "accuracy", "coverage", series, callouts)


def _problems(whole: Safety) -> Panel:
    series = [Series("problem", "circle", _numbers(whole.unambiguity), whole.unambiguity)]
    return Panel("Positive problems", "problem", "unambiguity", series)


def _attacked(whole: Safety, attack: Attack) -> list[Panel]:
    """Return the three panels of one attack: before, after, and the mock verifiers."""
    attacked = attack(whole, np.random.default_rng(SEED))
    place = {name: i for i, name in enumerate(whole.verifiers)}
    old = np.array([name in place for name in attacked.verifiers])
    # A variant stands above the verifier it varies; one that guesses has nobody to stand above.
    varied = [place.get(name.split("-", 2)[-1]) for name in attacked.verifiers if name not in place]
    mocks = np.array([len(place) + i if of is None else of for i, of in enumerate(varied)], dtype=np.float64)
    verifiers, problems = _numbers(whole.accuracy), _numbers(whole.unambiguity)
    added = f"after adding {len(mocks)}"

    def panel(title: str, measure: str) -> Panel:
        before, after = getattr(whole, measure), getattr(attacked, measure)
        series = [
            Series("before", "circle", verifiers, before),
            Series(added, "cross", verifiers, after[old]),
            Series("mock verifier", "diamond", mocks, after[~old]),
        ]
        if measure == "effectiveness":  # adding verifiers leaves it as it was
            del series[1]
        return Panel(title, "verifier", measure, series)

    title = f"{attack.__name__.capitalize()} attack"
    moved = [
        Series("before", "circle", problems, whole.unambiguity),
        Series(added, "cross", problems, attacked.unambiguity),
    ]
    return [
        panel(title, "effectiveness"),
        panel("", "coverage"),
        Panel("", "positive problem", "unambiguity", moved),
    ]


def _numbers(values: Floats) -> Floats:
    return np.arange(len(values), dtype=np.float64)
