"""``stemmata demo``: from nothing to a ranked, scored and readable result."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from stemmata.cli.compare import ranking, tests
from stemmata.cli.ending import tell
from stemmata.cli.output import FormatOption, print_result, table_option
from stemmata.cli.paths import OverwriteOption
from stemmata.reports.tables import Format

SHOWN = ("macro.plagdet", "macro.precision", "macro.recall", "granularity", "normalized.macro.plagdet")


def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="Where to put the corpus, the runs and the report.")
    ] = Path("stemmata-demo"),
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed makes another corpus.")] = 7,
    overwrite: OverwriteOption = False,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("ranking", "tests")] = None,
) -> None:
    """Build a small corpus, detect reuse in it three ways, score and rank them, and write a report.

    Everything stays in one folder, with the commands to repeat each step in the report.

    Example: stemmata demo my-first-try
    """
    from stemmata.reports.demo import run_demo

    def say(what: str) -> None:
        if sys.stderr.isatty():
            print(f"{what} …", file=sys.stderr)

    result = run_demo(folder, seed, say, overwrite)
    scores = {name: run.scores for name, run in result.runs.items()}
    data = {
        "report": str(result.report),
        "runs": {name: run.as_json() for name, run in result.runs.items()},
        "comparisons": [vars(c) for c in result.comparisons],
    }
    tables = [ranking(scores, SHOWN), tests(result.comparisons, result.comparison_signature)]
    print_result(tables, data, format, table)
    tell(f"\nThe report: {result.report}\nOpen it in a browser.")
