"""The world ranking run anew on the training sets: order and shares beside the published ones, time, memory.

The recipes are ours, and so are the verifiers; the published ranking is on the test sets, of which the
training sets are the siblings. The real outputs of three of the systems, which PAN published for the training
texts, are ranked beside our recipes where they are at hand. ``python -m benchmarks.ranking [--quick]
[NAME …]`` runs ``stemmata rank`` as a user does, twice, with grades and page: with everyone who is
registered, or with the obfuscators that are named; ``--trained`` also trains verifiers on their texts.
``--elsewhere`` takes texts that no figure of PAN is of: those people wrote for Brennan and Greenstadt's
corpus without hiding anything, in three sets of authors.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scipy.stats import kendalltau

from benchmarks.measuring import MEGABYTE
from benchmarks.room import working_room
from benchmarks.tables import MET, show
from stemmata.experiments.brennan_greenstadt import Kind, rounds_of
from stemmata.experiments.cells import VARIABLE
from stemmata.experiments.ranking_corpora import RankedCorpus
from stemmata.formats.adversarial import read_hiding_authors
from stemmata.formats.verification import read_problems
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


def run(quick: bool, names: Sequence[str] = (), trained: bool = False, elsewhere: bool = False) -> None:
    """Print shares of perfect beside the published ones, Kendall's tau of the orders, time and memory."""
    data = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")
    needed = "brennan-greenstadt" if elsewhere else "authorship-train"
    if not (data / needed).is_dir():
        print(f"\nRanking: set STEMMATA_DATA to the folder that holds {needed}")
        return
    with working_room() as room:
        given: dict[str, Path] = {}
        if elsewhere:
            _write_problems(data / needed, room / "problems")
        else:
            for name in QUICK_CORPORA if quick else CORPORA:
                shutil.copytree(data / needed / name, room / "problems" / name, dirs_exist_ok=True)
            given = _real_outputs(data / "pan16-masking", room / "problems", room / "outputs")
        command = [str(room / "problems"), "-o", str(room / "ranking"), "--format", "json"]
        command += ["--verifiers", ",".join(QUICK) if quick else "all"]
        command += ["--obfuscators", ",".join(names) or "all"]
        command += [part for name, folder in given.items() for part in ("--runs", f"{name}={folder}")]
        command += ["--adversary", "trained"] if trained else []
        environment = {**os.environ, VARIABLE: str(room / "cache")}
        times = [
            _minutes([sys.executable, "-m", "stemmata", "rank", *command], environment) for _ in range(2)
        ]
        made = json.loads((room / "ranking" / "ranking.json").read_text(encoding="utf-8"))
    published = {name: one.share for name, one in origins().items() if one.share is not None}
    published |= {f"real-{name}": published[name] for name in RUNS.values()}
    rows = [
        (
            name,
            f"{one['share']:.3f}",
            "–".join(f"{bound:.3f}" for bound in one["confidence"]),
            f"{published[name]:.3f}" if name in published else "",
            " ".join(f"{corpus['obfuscators'][name]['share']:.3f}" for corpus in made["corpora"].values()),
            f"{one['adversary']['share']:.3f}" if "adversary" in one else "",
            f"{one['quality']['sensibleness']:.2f}" if one["quality"] else "",
        )
        for name, one in made["obfuscators"].items()
    ]
    hidden = sum(one["positives"] for one in made["corpora"].values())
    verifiers = {name for one in made["corpora"].values() for name in one["verifiers"]}
    show(
        f"World ranking on {hidden} texts, {len(verifiers)} verifiers",
        ("obfuscator", "share of perfect", "95%", "published", " ".join(made["corpora"]), "trained", "reads"),
        rows,
        " ".join([*_orders(made, published), _costs(*times, quick), _left_out(made)]),
    )


def _write_problems(corpus: Path, to: Path) -> None:
    """Write a set of problems for each round of the corpus: what its authors wrote without hiding."""
    for number, one in enumerate(rounds_of(read_hiding_authors(corpus)), start=1):
        truth = []
        for problem, kind in zip(one.problems, one.kinds, strict=True):
            if kind in (Kind.OWN, Kind.OTHER):
                place = to / f"authors-{number}" / problem.id
                place.mkdir(parents=True)
                texts = {f"known{at:02}.txt": text for at, text in enumerate(problem.known, start=1)}
                for file, text in {**texts, "unknown.txt": problem.unknown}.items():
                    (place / file).write_text(text.text, encoding="utf-8")
                truth.append(f"{problem.id} {'NY'[kind == Kind.OWN]}\n")
        (to / f"authors-{number}" / "truth.txt").write_text("".join(truth), encoding="utf-8")


def _minutes(command: Sequence[str], environment: Mapping[str, str]) -> float:
    begin = time.monotonic()
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.returncode)
    return (time.monotonic() - begin) / 60


def _orders(made: Mapping[str, Any], published: Mapping[str, float]) -> list[str]:
    ours = {name: one["share"] for name, one in made["obfuscators"].items()}
    recipes = [name for name in ours if name in published and not name.startswith("real-")]
    said = []
    if len(recipes) > 1:
        tau = float(
            kendalltau([ours[name] for name in recipes], [published[name] for name in recipes]).statistic
        )
        said.append(
            f"Kendall's tau of {len(recipes)} recipes with the published order: {tau:.2f} "
            f"(bar {TAU}: {MET[tau >= TAU]})."
        )
    real = [name for name in ours if name.startswith("real-")]
    if real:
        ranked = sorted(real, key=lambda name: -published[name])
        kept = sorted(real, key=lambda name: -ours[name]) == ranked
        said.append(f"The real outputs come {'in' if kept else 'not in'} their published order.")
    return said


def _costs(first: float, second: float, quick: bool) -> str:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    memory, spent = usage.ru_maxrss * 1024 / MEGABYTE, (usage.ru_utime + usage.ru_stime) / 60
    bars = "" if quick else f" (bars {MINUTES:g} and {AGAIN:g}: " + ", ".join(
        MET[value <= bar] for value, bar in ((first, MINUTES), (second, AGAIN))
    ) + ")"  # fmt: skip
    return (
        f"With grades and page {first:.1f} minutes, again {second:.2f}{bars}; {spent:.0f} minutes of "
        f"CPU time, {memory:,.0f} MB in the largest process."
    )


def _left_out(made: Mapping[str, Mapping[str, str]]) -> str:
    return " ".join(f"{name}: {reason}" for name, reason in {**made["failed"], **made["skipped"]}.items())


def _real_outputs(folder: Path, problems: Path, room: Path) -> dict[str, Path]:
    """Put the outputs of PAN16 under the ids of the problems that have the same texts on both sides."""
    if not (folder / "runs").is_dir():
        return {}
    corpora = [RankedCorpus.read(one) for one in sorted(problems.iterdir())]
    places = {_texts(one): (corpus.name, one.id) for corpus in corpora for one in corpus.positives}
    for problem in read_problems(folder / "problems"):
        if place := places.get(_texts(problem)):
            for letter, name in RUNS.items():
                to = room / name / place[0] / place[1]
                to.mkdir(parents=True, exist_ok=True)
                (to / "obfuscation.json").write_bytes(
                    (folder / "runs" / letter / problem.id / "obfuscation.json").read_bytes()
                )
    return {f"real-{name}": room / name for name in RUNS.values() if (room / name).is_dir()}


def _texts(problem: Problem) -> tuple[str, frozenset[str]]:
    return _bare(problem.unknown.text), frozenset(_bare(one.text) for one in problem.known)


def _bare(text: str) -> str:
    return "".join(text.replace("\ufeff", "").split())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ranking")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="two sets and the quick verifiers")
    parser.add_argument("--trained", action="store_true", help="also train verifiers on the masked texts")
    parser.add_argument("--elsewhere", action="store_true", help="other texts than those of PAN")
    given = parser.parse_args()
    run(given.quick, given.names, given.trained, given.elsewhere)
