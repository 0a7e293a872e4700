"""All alignment measures: how time and memory grow with the number of annotations."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.generate import DENSE, SPREAD, make_sample
from benchmarks.measuring import MEGABYTE, cpu_seconds, forget_peak_memory, in_fresh_process, peak_memory
from benchmarks.tables import MET, factors, show
from stemmata.measures import alignment as measures
from stemmata.measures.statistics import Alignment, Lengths
from stemmata.model import Annotations

PLAIN = (
    measures.recall_macro,
    measures.precision_macro,
    measures.recall_micro,
    measures.precision_micro,
    measures.granularity,
    measures.plagdet_macro,
    measures.plagdet_micro,
    measures.case_recall,
    measures.case_precision,
    measures.case_f1,
    measures.document_recall,
    measures.document_precision,
    measures.document_f1,
)
NORMALIZED = (
    measures.normalized_recall_macro,
    measures.normalized_precision_macro,
    measures.normplagdet_macro,
    measures.normalized_recall_micro,
    measures.normalized_precision_micro,
    measures.normplagdet_micro,
)

LAYOUTS = {"spread": SPREAD, "dense": DENSE}
SIZES = (1_000, 10_000, 100_000, 1_000_000, 5_000_000)
QUICK_SIZES = SIZES[:3]
TARGET_SIZE = 115_000
TARGET_SECONDS = 1.0
LARGE_SECONDS = 120.0
LARGE_MEGABYTES = 3_000


@dataclass(frozen=True)
class Cost:
    """What scoring a sample took."""

    cases: int
    detections: int
    seconds: float
    megabytes: float

    @property
    def annotations(self) -> int:
        """Cases and detections together."""
        return self.cases + self.detections


def score_all(cases: Annotations, detections: Annotations, lengths: Lengths | None) -> dict[str, float]:
    """Return the value of every measure, by the name of its formula; without lengths the plain ones."""
    alignment = Alignment(cases, detections, lengths)
    totals = measures.Totals(alignment)
    if lengths is None:
        return {formula.__name__: float(formula(totals)) for formula in PLAIN}
    values = {formula.__name__: float(formula(totals)) for formula in PLAIN + NORMALIZED}
    precision, recall = alignment.reference_micro()
    return values | {"reference_precision_micro": precision, "reference_recall_micro": recall}


def cost_of_scoring(annotations: int, cases_per_document: int) -> Cost:
    """Make a sample and score it; making it counts neither as time nor as memory."""
    sample = make_sample(annotations, cases_per_document)
    forget_peak_memory()
    seconds = cpu_seconds(lambda: score_all(sample.cases, sample.detections, sample.lengths))
    return Cost(len(sample.cases), len(sample.detections), seconds, peak_memory() / MEGABYTE)


def run(quick: bool) -> None:
    """Print the growth of time and memory, then the targets."""
    largest = {}
    for layout, per_document in LAYOUTS.items():
        sizes = QUICK_SIZES if quick else SIZES
        costs = [in_fresh_process(cost_of_scoring, size, per_document) for size in sizes]
        largest[layout] = costs[-1]
        _show_growth(f"Scoring with all measures, {layout}: {per_document:,} cases per document", costs)
    _show_targets(in_fresh_process(cost_of_scoring, TARGET_SIZE, DENSE), {} if quick else largest)


def _show_growth(title: str, costs: list[Cost]) -> None:
    sizes = factors([cost.annotations for cost in costs])
    times = factors([cost.seconds for cost in costs])
    rows = [
        (
            f"{cost.annotations:,}",
            f"{cost.seconds:.3f}",
            f"{cost.seconds / cost.annotations * 1e6:.2f}",
            size,
            time,
            f"{cost.megabytes:,.0f}",
        )
        for cost, size, time in zip(costs, sizes, times, strict=True)
    ]
    show(title, ("annotations", "CPU s", "µs each", "size grew", "time grew", "peak MB"), rows)


def _show_targets(small: Cost, largest: dict[str, Cost]) -> None:
    work = f"{small.cases:,} cases, {small.detections:,} detections, dense"
    rows = [_target(f"{work}: CPU s", small.seconds, TARGET_SECONDS)]
    for layout, cost in largest.items():
        work = f"{cost.annotations:,} annotations, {layout}"
        rows.append(_target(f"{work}: CPU s", cost.seconds, LARGE_SECONDS))
        rows.append(_target(f"{work}: peak MB", cost.megabytes, LARGE_MEGABYTES))
    show("Scoring with all measures, against the targets", ("work", "measured", "target", ""), rows)


def _target(work: str, measured: float, target: float) -> tuple[str, str, str, str]:
    return work, f"{measured:,.2f}", f"<= {target:,g}", MET[measured <= target]
