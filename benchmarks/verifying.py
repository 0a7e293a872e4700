"""All verifiers on problems cut from novels: CPU of each, and wall time and memory of all on two cores."""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.measuring import MEGABYTE, in_fresh_process, peak_memory
from benchmarks.tables import MET, show
from stemmata.experiments.cells import Cells
from stemmata.experiments.problem_sets import ProblemSet, TrainingSet
from stemmata.experiments.verifying import Outcome, choose, verify
from stemmata.model import Document, Problem

PROBLEMS, QUICK_PROBLEMS, LESSONS = 500, 20, 100
WORDS = 500
SEED = 1
JOBS = 2
TARGET_MINUTES, TARGET_MEMORY = 10, 4_000
PROFILED = 5


def run(quick: bool) -> None:
    """Print the cost of each verifier and of all, on novels if at hand."""
    folder = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data") / "novels100"
    if not folder.is_dir():
        print("\nVerifying: set STEMMATA_DATA to the folder that holds novels100")
        return
    problems = QUICK_PROBLEMS if quick else PROBLEMS
    wall, memory, outcome = in_fresh_process(cost_of, folder, problems)
    costs = {name: one.seconds for name, one in outcome.answered.items()}
    ranked = sorted(costs, key=lambda name: -costs[name])
    rows = [(name, f"{costs[name]:.1f}", f"{1000 * costs[name] / problems:.0f}") for name in ranked]
    minutes = wall / 60
    met = MET[minutes <= TARGET_MINUTES and memory <= TARGET_MEMORY] if problems == PROBLEMS else "not tried"
    show(
        f"{len(costs)} verifiers on {problems} problems of {WORDS} words",
        ("verifier", "CPU s", "CPU ms per problem"),
        rows,
        f"{sum(costs.values()):,.0f} s of CPU time. "
        f"{JOBS} processes: {minutes:.1f} minutes in all, {memory:,.0f} MB at most (target for {PROBLEMS} "
        f"problems: {TARGET_MINUTES} minutes, {TARGET_MEMORY:,} MB: {met}). The slowest: "
        f"{', '.join(ranked[:PROFILED])}. What a verifier is the first in its process to ask for is its "
        "own cost. "
        + " ".join(f"{name} failed: {reason}" for name, reason in (outcome.failed | outcome.skipped).items()),
    )


def cost_of(folder: Path, problems: int) -> tuple[float, float, Outcome]:
    """Return wall seconds, megabytes and answers of all verifiers; learning is part of it."""
    asked, _ = cut_problems(folder, problems, SEED)
    training = TrainingSet(*cut_problems(folder, min(LESSONS, problems), SEED + 1))
    chosen = choose(["all"], learning=True)
    with tempfile.TemporaryDirectory() as cells:
        begin = time.perf_counter()
        outcome = verify(ProblemSet("novels", asked), chosen, training, jobs=JOBS, cells=Cells(Path(cells)))
        wall = time.perf_counter() - begin
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    # The largest child stands for each of them; there is no record of them all together.
    return wall, (peak_memory() + JOBS * children) / MEGABYTE, outcome


def cut_problems(folder: Path, count: int, seed: int) -> tuple[tuple[Problem, ...], tuple[bool, ...]]:
    """Cut problems from novels, half of them of one author, and return them with their truth.

    The first part of a file's name is its author.
    """
    rng = np.random.default_rng(seed)
    by_author: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.glob("*.txt")):
        by_author[path.name.partition("_")[0]].append(path)
    authors = sorted(by_author)
    problems, truth = [], []
    for number in range(count):
        same = number % 2 == 0
        first, second = rng.choice(len(authors), 2, replace=False).tolist()
        known = _passage(by_author[authors[first]], rng)
        unknown = _passage(by_author[authors[first if same else second]], rng)
        texts = (Document("known01.txt", known),), Document("unknown.txt", unknown)
        problems.append(Problem(f"EN{number:04d}", *texts))
        truth.append(same)
    return tuple(problems), tuple(truth)


def _passage(paths: Sequence[Path], rng: np.random.Generator) -> str:
    words = paths[int(rng.integers(len(paths)))].read_text("utf-8", errors="replace").split(" ")
    start = int(rng.integers(max(1, len(words) - WORDS)))
    return " ".join(words[start : start + WORDS])
