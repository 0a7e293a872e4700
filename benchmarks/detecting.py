"""``stemmata detect`` on a corpus: wall clock and CPU with one process and with two, and what they hold."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import MEGABYTE, in_fresh_process, peak_memory
from benchmarks.tables import MET, show
from stemmata.corpora.demo import build_demo_corpus
from stemmata.reuse.detection import Corpus, detect

DETECTORS = ("pan-baseline", "stemmata")
JOBS = (1, 2)
TARGET = 1.8
QUICK_PAIRS = 320


@dataclass(frozen=True)
class Cost:
    """What a run took: seconds by the clock, CPU of this process and of those it started, and memory."""

    wall: float
    parent: float
    children: float
    megabytes: float
    children_megabytes: float

    @property
    def cpu(self) -> float:
        """All CPU seconds."""
        return self.parent + self.children


def run(quick: bool) -> None:
    """Print what detecting costs with one process and with two, on PAN13's training corpus if at hand."""
    folder = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")
    corpus = folder / "pan13-alignment-train"
    with tempfile.TemporaryDirectory() as made:
        if not corpus.is_dir():
            corpus = Path(made) / "corpus"
            build_demo_corpus(corpus)
        pairs = len(Corpus.open(corpus).pairs)
        pairs = min(pairs, QUICK_PAIRS) if quick else pairs
        for detector in DETECTORS:
            costs = [in_fresh_process(cost_of, corpus, detector, jobs, pairs, Path(made)) for jobs in JOBS]
            _show(detector, pairs, costs)


def cost_of(corpus: Path, detector: str, jobs: int, pairs: int, room: Path) -> Cost:
    """Detect in the first pairs of a corpus, from a fresh interpreter to the written run."""
    parts = Corpus.open(corpus)
    chosen = Corpus(parts.path, parts.suspicious, parts.source, parts.pairs[:pairs])
    wall, cpu = time.perf_counter(), time.process_time()
    detect(chosen, detector, room / f"{detector}-{jobs}", jobs)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    # The greatest of the children; Linux counts it in kilobytes.
    largest = children.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Cost(
        wall,
        cpu,
        children.ru_utime + children.ru_stime,
        peak_memory() / MEGABYTE,
        largest / MEGABYTE if jobs > 1 else 0.0,
    )


def _show(detector: str, pairs: int, costs: list[Cost]) -> None:
    rows = [
        (
            f"{jobs}",
            f"{cost.wall:.1f}",
            f"{cost.parent:.1f}",
            f"{cost.children:.1f}",
            f"{cost.megabytes:,.0f}",
            f"{cost.children_megabytes:,.0f}" if cost.children_megabytes else "",
        )
        for jobs, cost in zip(JOBS, costs, strict=True)
    ]
    one, two = costs
    ratio = one.wall / two.wall
    # What the parent does, it does alone; the rest is shared out.
    bound = one.cpu / (two.parent + two.children / JOBS[1])
    show(
        f"Detecting: {detector}",
        ("jobs", "wall s", "CPU s, parent", "CPU s, children", "peak MB, parent", "peak MB, largest child"),
        rows,
        f"{pairs:,} pairs. By the clock two processes are x{ratio:.2f} as fast as one "
        f"(target >= x{TARGET:g}: {MET[ratio >= TARGET]}); by CPU seconds they could be x{bound:.2f}.",
    )
