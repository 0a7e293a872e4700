"""The one way a benchmark shows its figures."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rich import box
from rich.console import Console
from rich.table import Table

_WIDE = 1_000
MET = {True: "met", False: "missed"}


def show(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], note: str = "") -> None:
    """Print a table: framed on a terminal, as Markdown in a pipe. All columns but the first hold numbers."""
    on_terminal = sys.stdout.isatty()
    console = Console(highlight=False) if on_terminal else Console(highlight=False, width=_WIDE)
    table = Table(box=box.ROUNDED if on_terminal else box.MARKDOWN)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    for row in rows:
        table.add_row(*row)
    with console.capture() as drawn:
        console.print(table)
    console.print(f"\n[bold]{title}[/bold]\n")
    # Rich puts empty lines around Markdown.
    console.out("\n".join(line for line in drawn.get().splitlines() if line.strip()), highlight=False)
    if note:
        console.print(f"\n{note}")


def factors(values: Sequence[float]) -> list[str]:
    """Return how many times each value is its predecessor; nothing for the first."""
    return ["", *(f"x{value / former:.1f}" for former, value in pairwise(values))]
