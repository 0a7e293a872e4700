"""The world ranking of author obfuscators: all scores of PAN 2018, drawn, and as published if at hand."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from benchmarks.measuring import cpu_seconds
from benchmarks.tables import MET, show
from stemmata.formats.safety import read_safety
from stemmata.measures.safety import Safety

CORPORA = {"PAN13": (30, 36), "PAN14 EE": (200, 34), "PAN14 EN": (200, 37), "PAN15": (500, 39)}
"""Problems and verifiers of the paper's corpora; half of the problems, or nearly, are by one author."""
OBFUSCATORS = 7
TARGET = 1.0
"""CPU seconds for all world ranking scores."""

Scores = dict[str, np.ndarray]


def run(quick: bool) -> None:
    """Print CPU seconds for drawn scores of PAN18's sizes and, where they are, for the published ones."""
    repeat = 1 if quick else 3
    drawn = [_draw(problems, verifiers) for problems, verifiers in CORPORA.values()]
    rows = [
        _row(
            "drawn scores, all 28 world scores", cpu_seconds(lambda: [_scores(*one) for one in drawn], repeat)
        )
    ]
    folder = (
        Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data") / "pan18-safety"
    )
    note = ""
    if folder.is_dir():
        corpora = read_safety(folder)
        files = sum(len(run) for one in corpora for run in (one.original, *one.obfuscated.values()))
        read = [(one.problems, one.truth, one.original, one.obfuscated) for one in corpora]
        scoring = cpu_seconds(lambda: [_scores(*one) for one in read], repeat)
        reading = cpu_seconds(lambda: read_safety(folder), repeat)
        rows += [
            _row("published scores, all 28 world scores", scoring),
            (f"published scores, reading {files:,} files", f"{reading:.2f}", "", ""),
        ]
    else:
        note = (
            "The published scores are not at hand; set STEMMATA_DATA to the folder that holds pan18-safety."
        )
    show("World ranking", ("work", "CPU s", "target", ""), rows, note)


def _row(work: str, seconds: float) -> tuple[str, str, str, str]:
    return work, f"{seconds:.2f}", f"<= {TARGET:g}", MET[seconds <= TARGET]


def _draw(problems: int, verifiers: int) -> tuple[list[str], np.ndarray, Scores, dict[str, Scores]]:
    """Draw verifiers that know something, and obfuscators that hide some of it."""
    rng = np.random.default_rng(problems)
    truth = np.arange(problems) % 2 == 0

    def scores(hidden: float) -> Scores:
        return {
            f"v{i:02d}": np.clip(
                0.5 + 0.2 * (truth - 0.5 - hidden * truth) + 0.2 * rng.normal(size=problems), 0, 1
            )
            for i in range(verifiers)
        }

    obfuscated = {chr(ord("A") + i): scores(i / OBFUSCATORS) for i in range(OBFUSCATORS)}
    return [f"{i:03d}" for i in range(problems)], truth, scores(0.0), obfuscated


def _scores(
    problems: list[str], truth: np.ndarray, original: Scores, obfuscated: dict[str, Scores]
) -> list[float]:
    safety = Safety(problems, truth, original, obfuscated)
    return [safety.score(name) for name in obfuscated]
