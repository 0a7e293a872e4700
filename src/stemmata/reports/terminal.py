"""What reaches a terminal: tables that fit it, and nothing that it would obey but our own colours."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table as RichTable

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters except tab and line feed, and those that turn the direction of writing."""


def harmless(text: str) -> str:
    r"""Return a text with a replacement character for each that a terminal would obey.

    Names of files and what stands in them come from strangers: an escape sequence could clear the screen,
    change the title of the window, or show another name than the file has.

    Examples
    --------
    >>> harmless("\x1b[2Jname")
    '�[2Jname'
    """
    return _CONTROLS.sub("\ufffd", text)


@dataclass(frozen=True)
class Cells:
    """A table as it is to be drawn: everything in it is text."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    numeric: Sequence[bool]
    best: frozenset[tuple[int, int]]
    notes: Sequence[str]


def drawn(table: Cells, width: int | None) -> str:
    """Return the table for a terminal, in colour.

    Where it is too wide, prose goes on in the next line of its cell; where that does not suffice, each row
    becomes a block with a line per column. So a figure, a name or a path is never cut.
    """
    from rich.console import Console
    from rich.text import Text

    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=width, highlight=False)
    if table.title:
        console.print(Text(table.title, style="bold"), overflow="fold")
    if table.rows or not table.title:
        widths = _widths(table, console.width)
        if widths is None:
            for number in range(len(table.rows)):
                console.print(_turned(table, number))
        else:
            console.print(_side_by_side(table, widths))
    for note in table.notes:
        console.print(Text(note, style="dim"), overflow="fold")
    return stream.getvalue()


_BETWEEN = 2
"""Columns of characters between two columns of a table."""


def _widths(table: Cells, most: int) -> list[int] | None:
    """Return how wide each column is drawn, or None if they cannot stand side by side."""
    from rich.cells import cell_len

    shown = [*zip(table.columns, *table.rows, strict=True)]
    whole = [max(map(cell_len, cells)) for cells in shown]
    least = [max((cell_len(word) for cell in cells for word in cell.split()), default=0) for cells in shown]
    left = most - _BETWEEN * (len(shown) - 1) - sum(least)
    if left < 0:
        return None
    widths = list(least)
    # Columns that lack least come first, so that as many as possible stay on one line.
    for column in sorted(range(len(shown)), key=lambda at: whole[at] - least[at]):
        more = min(left, whole[column] - least[column])
        widths[column] += more
        left -= more
    return [max(one, 1) for one in widths]


def _side_by_side(table: Cells, widths: Sequence[int]) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column, numeric, width in zip(table.columns, table.numeric, widths, strict=True):
        made.add_column(
            Text(column),
            justify="right" if numeric else "left",
            header_style="bold cyan",
            width=width,
            overflow="fold",
        )
    for r, row in enumerate(table.rows):
        made.add_row(
            *(Text(cell, style="bold green" if (r, c) in table.best else "") for c, cell in enumerate(row))
        )
    return made


def _turned(table: Cells, number: int) -> RichTable:
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable.grid(padding=(0, _BETWEEN, 0, 0))
    made.add_column(style="bold cyan", no_wrap=True)
    made.add_column(overflow="fold")
    for c, (column, cell) in enumerate(zip(table.columns, table.rows[number], strict=True)):
        if cell:
            made.add_row(Text(column), Text(cell, style="bold green" if (number, c) in table.best else ""))
    made.add_row("", "")
    return made
