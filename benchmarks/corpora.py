"""Building corpora: seconds and memory as they grow, and whether detectors behave on ours as on PAN13's."""

from __future__ import annotations

import os
import resource
import tempfile
import time
from pathlib import Path

from benchmarks.measuring import MEGABYTE, in_fresh_process, peak_memory
from benchmarks.tables import MET, show
from stemmata.corpora.building.build import build
from stemmata.corpora.building.plan import Band, Obfuscation, Plan
from stemmata.formats import read_cases, read_detections
from stemmata.measures.evaluation import score_alignment
from stemmata.reuse.detection import Corpus, detect

SIZES = (250, 500, 1000, 2000)
QUICK_SIZES = (50, 100)
WHOLE = 27_073
"""Documents of PAN-PC-10."""
TARGET_SECONDS = 300
DETECTORS = ("pan-baseline", "sanchez-perez-2014", "stemmata")
PAN13 = {
    "none": (0.9329, 0.8919, 0.9893),
    "random": (0.0702, 0.8827, 0.9658),
    "translation": (0.1040, 0.8821, 0.9710),
    "summary": (0.0498, 0.5733, 0.9657),
}
"""Macro plagdet of the three on the training corpus of PAN13, by kind."""


def run(quick: bool) -> None:
    """Print both tables, on a hundred novels if at hand."""
    folder = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data") / "novels100"
    if not folder.is_dir():
        print("\nBuilding corpora: set STEMMATA_DATA to the folder that holds novels100")
        return
    _show_growth(folder, QUICK_SIZES if quick else SIZES)
    _show_order(folder, 60 if quick else 600)


def _show_growth(base: Path, sizes: tuple[int, ...]) -> None:
    rows = []
    per_document = 0.0
    for size in sizes:
        wall, cpu, parent, child, cases = in_fresh_process(cost_of, base, size)
        per_document = cpu / size
        seconds = (f"{wall:.0f}", f"{cpu:.0f}", f"{1000 * per_document:.0f}")
        rows.append((f"{size:,}", f"{cases:,}", *seconds, f"{parent:,.0f}", f"{child:,.0f}"))
        last = wall
    hours = per_document * WHOLE / 3600
    show(
        "Building in PAN-PC-10's proportions",
        ("documents", "cases", "wall s", "CPU s", "CPU ms per document", "peak MB", "peak MB, largest child"),
        rows,
        f"Two processes. {sizes[-1]:,} documents in {last:.0f} s (target for 2,000: {TARGET_SECONDS} s: "
        f"{MET[last * 2000 / sizes[-1] <= TARGET_SECONDS]}). "
        f"{WHOLE:,} documents would take {hours:.1f} CPU hours.",
    )


def cost_of(base: Path, documents: int) -> tuple[float, float, float, float, int]:
    """Build a corpus with two processes; return wall, CPU, memory of this one and of the largest other."""
    with tempfile.TemporaryDirectory() as room:
        wall, cpu = time.perf_counter(), time.process_time()
        # Fewer documents are longer where the base allows it; pages of the same size keep them alike.
        built = build(Plan(base=base, documents=documents, length=SHORT_LONG), Path(room) / "corpus", 2)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu += children.ru_utime + children.ru_stime
    return wall, cpu, peak_memory() / MEGABYTE, children.ru_maxrss * 1024 / MEGABYTE, built.cases


SHORT_LONG = (Band("short", 0.5, 1, 10), Band("medium", 0.35, 10, 100), Band("long", 0.15, 100, 140))
"""PAN-PC-10's lengths, but for the longest, which only the small of the corpora here could have."""


def _show_order(base: Path, documents: int) -> None:
    plan = Plan(
        base=base,
        documents=documents,
        layout="pan13",
        intrinsic=0.0,
        one_kind=True,
        seed=3,
        length=(Band("all", 1.0, 5, 8),),
        plagiarism=(Band("some", 1.0, 0.1, 0.6),),
        case_length=(Band("passage", 0.75, 80, 300), Band("chapter", 0.25, 1000, 1400)),
        obfuscation=(
            Obfuscation("none", 0.25, "none", (), ("passage",)),
            Obfuscation("random", 0.25, "random-operations", (("degree", "high"),), ("passage",)),
            Obfuscation("translation", 0.25, "translation", (("route", "en-es-en"),), ("passage",)),
            Obfuscation("summary", 0.25, "simulated", (("condensed.share", 0.15),), ("chapter",)),
        ),
    )
    with tempfile.TemporaryDirectory() as made:
        corpus = Path(made) / "corpus"
        build(plan, corpus, 2)
        truth = read_cases(corpus)
        groups = {folder: pairs for folder, pairs in truth.pairs.items() if folder}
        scores = {}
        for name in DETECTORS:
            detect(Corpus.open(corpus), name, Path(made) / name, 2)
            found = read_detections(Path(made) / name).annotations
            scores[name] = (
                score_alignment(truth.annotations, found, by="folder", folder_pairs=groups).by or {}
            )
    rows = []
    for kind, theirs in PAN13.items():
        folder = next((one for one in groups if one.endswith(kind)), None)
        ours = [scores[name][folder].values["macro.plagdet"] if folder else 0.0 for name in DETECTORS]
        same = _order(ours) == _order(theirs)
        rows.append((kind, *(f"{one:.3f}" for one in ours), *(f"{one:.3f}" for one in theirs), MET[same]))
    show(
        "Detectors on our corpus and on PAN13's",
        ("kind", *DETECTORS, *(f"{name}, PAN13" for name in DETECTORS), "same order"),
        rows,
        f"Macro plagdet by kind; ours has {documents} documents cut from novels.",
    )


def _order(scores: list[float] | tuple[float, ...]) -> list[int]:
    return sorted(range(len(scores)), key=lambda i: scores[i])
