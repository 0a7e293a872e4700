"""What all commands share: the ``--format`` option, printing, progress on a terminal, silence in a pipe."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import typer

from stemmata.reports.tables import Format, Table, render

HELP: Literal["rich"] | None = "rich" if sys.stdout.isatty() else None
"""How help is drawn: in colour on a terminal, plain and twice as fast in a pipe."""

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


def print_result(tables: Iterable[Table], data: Any, format: Format) -> None:
    """Print tables, or with ``--format json`` the data behind them."""
    if format is Format.JSON:
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    sys.stdout.write("\n".join(render(table, format, terminal, width) for table in tables))


def progress(what: str) -> Any:
    """Return a wrapper that shows how far a long list has been read, on a terminal only."""

    def wrap(items: Iterable[str]) -> Iterator[str]:
        items = list(items)
        if not sys.stderr.isatty() or len(items) < 2000:
            yield from items
            return
        from rich.console import Console
        from rich.progress import track

        yield from track(items, description=what, console=Console(stderr=True), transient=True)

    return wrap
