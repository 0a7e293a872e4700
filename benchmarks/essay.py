"""Reuse in Russian: an essay whose sentences were taken from web pages and rewritten by hand."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from benchmarks.available import available_detectors
from benchmarks.measuring import timed
from benchmarks.tables import MET, show
from stemmata.formats import read_cases
from stemmata.formats.essays import Essay, read_essay, write_essay
from stemmata.formats.pan_corpus import TRUTH
from stemmata.measures.evaluation import score_alignment
from stemmata.model import Annotations
from stemmata.reuse.detection import Corpus, detect

BASELINE = "pan-baseline"
MUST_BEAT_IT = ("stemmata", "zubarev-2017")
BY = 0.1
"""Macro plagdet by which they must."""


def run(quick: bool) -> None:
    """Print the scores of every detector."""
    folder = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")
    tables = sorted((folder / "plagevalrus-essay").rglob("*.xlsx"))
    if not tables:
        print("\nRussian essays: set STEMMATA_DATA to the folder that holds plagevalrus-essay")
        return
    for table in tables:
        _show_scores(read_essay(table.parent))


def _show_scores(essay: Essay) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as made:
        corpus = Path(made) / "corpus"
        write_essay(corpus, essay)
        truth = read_cases(corpus / TRUTH).annotations
        names = [BASELINE, *(name for name in available_detectors() if name != BASELINE)]
        bar = 0.0
        for name in names:
            seconds, outcome = timed(lambda: detect(Corpus.open(corpus), name, Path(made) / name))  # noqa: B023
            values = score_alignment(truth, Annotations.of(outcome.detections)).scores.values
            plagdet = values["macro.plagdet"]
            bar = bar or plagdet + BY
            asked = name in MUST_BEAT_IT
            rows.append(
                (
                    name,
                    f"{len(outcome.detections)}",
                    *(f"{values[f'macro.{part}']:.3f}" for part in ("precision", "recall")),
                    f"{values['granularity']:.3f}",
                    f"{plagdet:.3f}",
                    f"{values['micro.plagdet']:.3f}",
                    f"{1000 * seconds / len(essay.pairs):.0f}",
                    f">= {bar:.3f}" if asked else "",
                    MET[plagdet >= bar] if asked else "",
                )
            )
    show(
        "A Russian essay",
        (
            "detector",
            "detections",
            "precision",
            "recall",
            "granularity",
            "plagdet",
            "micro plagdet",
            "CPU ms per pair",
            "target",
            "",
        ),
        rows,
        f"{len(essay.cases)} rewritten sentences from {len(essay.sources)} web pages; macro averages. "
        f"{len(essay.not_found)} more are not on the page that the writer names.",
    )
