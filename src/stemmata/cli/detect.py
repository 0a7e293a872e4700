"""``stemmata detect``: find reused passages in all pairs of a corpus."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from stemmata.cli.output import FormatOption, print_result
from stemmata.cli.paths import path
from stemmata.cli.progress import progress
from stemmata.reports.tables import Format, Table


def detect(
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS",
            parser=path,
            help="A folder with pairs, susp/ and src/, as PAN13 lays it out, or the id of such a corpus.",
        ),
    ],
    detector: Annotated[
        str, typer.Option("--with", help="Name of the detector; see: stemmata list detectors.")
    ] = "stemmata",
    parameters: Annotated[
        Path | None,
        typer.Option(parser=path, help="Parameter file for the detector, as stemmata tune writes it."),
    ] = None,
    out: Annotated[
        Path, typer.Option("-o", "--out", help="Folder for the run, one PAN XML file per pair.")
    ] = Path("run"),
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Processes; the result does not depend on it.")
    ] = (os.cpu_count() or 1),
    format: FormatOption = Format.TABLE,
) -> None:
    """Find reused passages in every pair of a corpus and write them as PAN XML.

    A run that was stopped goes on where it was. A pair that cannot be read is reported at the end with
    its reason and does not stop the rest; the exit status is then 1.

    Example: stemmata detect corpus --with pan-baseline -o my-run --jobs 2
    """
    from stemmata.reuse.detection import Corpus, settings_of
    from stemmata.reuse.detection import detect as run_detector
    from stemmata.reuse.parameters import ParameterFile, make_aligner

    tuned = ParameterFile.read(parameters) if parameters else None
    made = settings_of(make_aligner(detector, tuned))
    parts = Corpus.open(corpus)
    with progress("Aligning pairs", len(parts.pairs), "pairs") as advance:
        outcome = run_detector(parts, detector, out, jobs, advance, tuned)
    found, failed = len(outcome.detections), len(outcome.failures)
    facts = f"{len(parts.pairs):,} pairs, {found:,} detections by {made}, {failed:,} pairs failed"
    table = Table(
        ("Suspicious document", "Source document", "Reason"),
        [[*pair, reason] for pair, reason in outcome.failures],
        title=facts,
        notes=(f"The run: {out}",),
    )
    data = {
        "run": str(out),
        "detector": made,
        "pairs": len(parts.pairs),
        "detections": found,
        "failures": [{"pair": list(pair), "reason": reason} for pair, reason in outcome.failures],
    }
    print_result([table], data, format)
    if failed:
        raise typer.Exit(1)
