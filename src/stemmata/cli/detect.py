"""``stemmata detect``: find reused passages in all pairs of a corpus."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from stemmata.cli.output import FormatOption, print_result
from stemmata.reports.tables import Format, Table


def detect(
    corpus: Annotated[
        Path,
        typer.Argument(metavar="CORPUS", help="A folder with pairs, susp/ and src/, as PAN13 lays it out."),
    ],
    detector: Annotated[
        str, typer.Option("--with", help="Name of the detector; see: stemmata list detectors.")
    ] = "stemmata",
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
    from stemmata.reuse import detectors
    from stemmata.reuse.detection import Corpus, settings_of
    from stemmata.reuse.detection import detect as run_detector

    made = settings_of(detectors[detector]())
    parts = Corpus.open(corpus)
    with _progress(len(parts.pairs)) as advance:
        outcome = run_detector(parts, detector, out, jobs, advance)
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


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """Show pairs done, rate and time left on a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        *(TextColumn("Aligning pairs"), BarColumn(), MofNCompleteColumn()),
        *(TextColumn("{task.fields[rate]}"), TimeRemainingColumn()),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, rate="")

        def advance(n: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, advance=n, rate=f"{speed:.0f} pairs/s" if speed else "")

        yield advance
