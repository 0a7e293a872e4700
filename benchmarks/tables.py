"""The one way a benchmark shows its figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from rich import box
from rich.console import Console
from rich.table import Table

MET = {True: "met", False: "missed"}


def show(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], note: str = "") -> None:
    """Print a table: framed on a terminal, as Markdown in a pipe. The first column holds words."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=1_000)
    table = Table(box=box.ROUNDED if console.is_terminal else box.MARKDOWN)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    for row in rows:
        table.add_row(*row)
    console.print(f"\n[bold]{title}[/bold]")
    if not console.is_terminal:
        console.print()
    console.print(table)
    if note:
        console.print(f"[dim]{note}[/dim]" if console.is_terminal else f"\n{note}", highlight=False)


def factors(values: Sequence[float]) -> list[str]:
    """Return how many times each value is its predecessor; nothing for the first."""
    return ["", *(f"x{value / former:.1f}" for former, value in pairwise(values))]
