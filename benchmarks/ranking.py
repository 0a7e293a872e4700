"""The world ranking run anew on the training sets: order and shares beside the published ones, time, memory.

The recipes are ours, and so are the verifiers; the published ranking is on the test sets, of which the
training sets are the siblings. The real outputs of three of the systems, which PAN published for the training
texts, are ranked beside our recipes where they are at hand.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from scipy.stats import kendalltau

from benchmarks.measuring import MEGABYTE
from benchmarks.room import working_room
from benchmarks.tables import MET, show
from stemmata.experiments.cells import Cells
from stemmata.experiments.masking import choose_obfuscators
from stemmata.experiments.ranking import Plan, rank
from stemmata.experiments.ranking_corpora import GivenRun, RankedCorpus
from stemmata.experiments.ranking_summary import Summary, summary_data
from stemmata.experiments.verifying import choose
from stemmata.formats.verification import read_problems
from stemmata.masking import obfuscators
from stemmata.masking.origins import origins
from stemmata.model import Problem

CORPORA = ("pan13-train", "pan14ee-train", "pan14en-train", "pan15-train")
QUICK_CORPORA = ("pan13-train", "pan15-train")
QUICK = (
    *("jankowska14", "kocher15", "vandam13", "castro15", "castillojuarez14", "cosine-delta", "kiprov15"),
    *("petmanson13", "nissim15", "ghosh15", "halvani15", "cng-2022", "layton14", "ppm-2020", "singh14"),
)
"""Verifiers that take a second or two per hundred problems."""
RUNS = {"A": "mansoorizadeh-2016", "B": "keswani-2016", "C": "mihaylova-2016"}
"""The systems whose real outputs PAN16 published."""
TAU, MINUTES, AGAIN = 0.6, 60.0, 1.0
JOBS = 2


def run(quick: bool, names: Sequence[str] = ()) -> None:
    """Print shares of perfect beside the published ones, Kendall's tau of the orders, time and memory."""
    data = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")
    if not (data / "authorship-train").is_dir():
        print("\nRanking: set STEMMATA_DATA to the folder that holds authorship-train")
        return
    corpora = [
        RankedCorpus.read(data / "authorship-train" / one) for one in (QUICK_CORPORA if quick else CORPORA)
    ]
    seven = [name for name, one in origins().items() if one.share is not None and name in obfuscators]
    chosen = choose_obfuscators(names or seven)
    with working_room() as room:
        runs = _real_outputs(data / "pan16-masking", corpora, room / "outputs")
        plan = Plan(corpora, chosen, choose(QUICK if quick else ["all"], learning=True), runs)
        cells = Cells(room / "cells")
        first, summary = _timed(plan, cells)
        second, _ = _timed(plan, cells)
    made = summary_data(summary, plan, {}, ())
    published = {name: one.share for name, one in origins().items() if one.share is not None}
    published |= {f"real-{name}": published[name] for name in RUNS.values()}
    rows = []
    for name, one in made["obfuscators"].items():
        low, high = one["confidence"]
        corpus = " ".join(f"{c['obfuscators'][name]['share']:.3f}" for c in made["corpora"].values())
        beside = f"{published[name]:.3f}" if name in published else ""
        rows.append((name, f"{one['share']:.3f}", f"{low:.3f}–{high:.3f}", beside, corpus))
    hidden = sum(one["positives"] for one in made["corpora"].values())
    show(
        f"World ranking on {hidden} texts, {len(summary.world.verifiers)} verifiers",
        ("obfuscator", "share of perfect", "95%", "published", " ".join(one.name for one in corpora)),
        rows,
        _orders(summary, published) + " " + _costs(first, second, quick) + " " + _left_out(made),
    )


def _timed(plan: Plan, cells: Cells) -> tuple[float, Summary]:
    begin = time.monotonic()
    summary = Summary.of(rank(plan, jobs=JOBS, cells=cells))
    return (time.monotonic() - begin) / 60, summary


def _orders(summary: Summary, published: Mapping[str, float]) -> str:
    ours = {name: summary.world.share(name) for name in summary.world.obfuscators}
    seven = [name for name in ours if name in published and not name.startswith("real-")]
    said = []
    if len(seven) > 1:
        tau = float(kendalltau([ours[name] for name in seven], [published[name] for name in seven]).statistic)
        said.append(
            f"Kendall's tau of {len(seven)} recipes with the published order: {tau:.2f} "
            f"(bar {TAU}: {MET[tau >= TAU]})."
        )
    real = [name for name in ours if name.startswith("real-")]
    if real:
        ranked = sorted(real, key=lambda name: -published[name])
        kept = sorted(real, key=lambda name: -ours[name]) == ranked
        said.append(f"The real outputs come {'in' if kept else 'not in'} their published order.")
    return " ".join(said)


def _costs(first: float, second: float, quick: bool) -> str:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    memory = max(one.ru_maxrss for one in usages) * 1024 / MEGABYTE
    spent = sum(one.ru_utime + one.ru_stime for one in usages) / 60
    bars = "" if quick else f" (bars {MINUTES:g} and {AGAIN:g}: " + ", ".join(
        MET[value <= bar] for value, bar in ((first, MINUTES), (second, AGAIN))
    ) + ")"  # fmt: skip
    return (
        f"{JOBS} processes: {first:.1f} minutes, again {second:.2f}{bars}; {spent:.0f} minutes of CPU time, "
        f"{memory:,.0f} MB in the largest process."
    )


def _left_out(made: Mapping[str, Mapping[str, str]]) -> str:
    return " ".join(f"{name}: {reason}" for name, reason in {**made["failed"], **made["skipped"]}.items())


def _real_outputs(folder: Path, corpora: Sequence[RankedCorpus], room: Path) -> list[GivenRun]:
    """Put the outputs of PAN16 under the ids of the problems that have the same texts on both sides."""
    if not (folder / "runs").is_dir():
        return []
    places = {_texts(one): (corpus.name, one.id) for corpus in corpora for one in corpus.positives}
    for problem in read_problems(folder / "problems"):
        if place := places.get(_texts(problem)):
            for letter, name in RUNS.items():
                to = room / name / place[0] / place[1]
                to.mkdir(parents=True, exist_ok=True)
                (to / "obfuscation.json").write_bytes(
                    (folder / "runs" / letter / problem.id / "obfuscation.json").read_bytes()
                )
    return [GivenRun(f"real-{name}", room / name) for name in RUNS.values() if (room / name).is_dir()]


def _texts(problem: Problem) -> tuple[str, frozenset[str]]:
    return _bare(problem.unknown.text), frozenset(_bare(one.text) for one in problem.known)


def _bare(text: str) -> str:
    return "".join(text.replace("\ufeff", "").split())


if __name__ == "__main__":
    run("--quick" in sys.argv, [name for name in sys.argv[1:] if not name.startswith("-")])
