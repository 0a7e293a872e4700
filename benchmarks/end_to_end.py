"""The whole way: folders of PAN XML read and scored with all measures, in a process of their own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.folders import write_folder
from benchmarks.generate import DENSE, make_sample
from benchmarks.measuring import MEGABYTE, in_fresh_process, peak_memory, timed
from benchmarks.scoring import LARGE_MEGABYTES, LARGE_SECONDS, score_all
from benchmarks.tables import MET, show
from stemmata.formats import read_cases, read_detections
from stemmata.formats.pan_xml import CASES, DETECTIONS
from stemmata.measures.statistics import Lengths

SIZE = 5_000_000
QUICK_SIZE = 100_000


@dataclass(frozen=True)
class Cost:
    """What the way took."""

    reading: float
    scoring: float
    megabytes: float


def cost_of(truth: Path, detected: Path, lengths: Lengths) -> Cost:
    """Read a truth and a run, and score."""
    reading, (cases, detections) = timed(lambda: (read_cases(truth), read_detections(detected)))
    scoring, _ = timed(lambda: score_all(cases.annotations, detections.annotations, lengths))
    return Cost(reading, scoring, peak_memory() / MEGABYTE)


def run(quick: bool) -> None:
    """Print what reading and scoring a large dense corpus takes."""
    with TemporaryDirectory() as name:
        truth, detected = Path(name, "truth"), Path(name, "run")
        lengths, count = in_fresh_process(_write, truth, detected, QUICK_SIZE if quick else SIZE)
        cost = in_fresh_process(cost_of, truth, detected, lengths)
    total = cost.reading + cost.scoring
    rows = (
        ("read, CPU s", f"{cost.reading:,.2f}", "", ""),
        ("score with all measures, CPU s", f"{cost.scoring:,.2f}", "", ""),
        ("together, CPU s", f"{total:,.2f}", f"<= {LARGE_SECONDS:,g}", MET[total <= LARGE_SECONDS]),
        (
            "peak MB",
            f"{cost.megabytes:,.0f}",
            f"<= {LARGE_MEGABYTES:,}",
            MET[cost.megabytes <= LARGE_MEGABYTES],
        ),
    )
    show(f"End to end: {count:,} annotations in dense PAN XML", ("", "measured", "target", ""), rows)


def _write(truth: Path, detected: Path, size: int) -> tuple[Lengths, int]:
    sample = make_sample(size, DENSE)
    write_folder(truth, sample.cases, CASES)
    write_folder(detected, sample.detections, DETECTIONS)
    return sample.lengths, len(sample)
