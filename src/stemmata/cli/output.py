"""What all commands share: the ``--format`` option, printing for a terminal or a pipe."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.reports.tables import Format, Table, render

if TYPE_CHECKING:
    from stemmata.model import Finding

FormatOption = Annotated[
    Format,
    typer.Option(
        "--format", "-f", help="How to print: a table for people, or a form for programs and papers."
    ),
]
ConfidenceOption = Annotated[
    float | None, typer.Option("--confidence", help="Add bootstrap intervals of this level, such as 0.95.")
]
ResamplesOption = Annotated[int, typer.Option("--resamples", help="Number of bootstrap resamples.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of the resampling.")]


def warn(findings: Iterable[Finding]) -> None:
    """Print what does not stop a command, but may well be why its result is not what was hoped for."""
    for finding in findings:
        print(f"stemmata: warning: {' '.join(str(finding).split())}", file=sys.stderr)


def warnings_json(findings: Iterable[Finding]) -> dict[str, list[dict[str, str]]]:
    """Return what ``--format json`` adds to a result that there are warnings about."""
    found = [finding.as_json() for finding in findings]
    return {"warnings": found} if found else {}


def print_result(tables: Iterable[Table], data: Any, format: Format) -> None:
    """Print tables, or with ``--format json`` the data behind them."""
    if format is Format.JSON:
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    sys.stdout.write("\n".join(render(table, format, terminal, width) for table in tables))
