"""The page of the reproduced world ranking of author obfuscators (PAN 2018)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from shlex import quote

from stemmata.model.reproduction import Cell, Compared, ComparedTable, Reproduction
from stemmata.reports.html import render_page

PAPER = "pan18"


@dataclass(frozen=True)
class CellView:
    """A cell of a column and the numbers of the notes about it alone."""

    column: str
    content: Cell
    notes: tuple[int, ...] = ()

    @property
    def compared(self) -> bool:
        """Whether it holds a value of ours."""
        return isinstance(self.content, Compared)


@dataclass(frozen=True)
class GroupView:
    """Rows that belong together, under a heading if there is one."""

    heading: Sequence[CellView]
    rows: Sequence[Sequence[CellView]]


@dataclass(frozen=True)
class TableView:
    """A table as the page shows it.

    Attributes
    ----------
    columns
        Headings, each with the numbers of the notes about the whole column.
    remarks, notes
        What is said of the whole table, and the numbered notes.
    printed, agreeing
        How many values the paper prints, and how many of ours are the same.
    """

    name: str
    title: str
    columns: Sequence[tuple[str, tuple[int, ...]]]
    groups: Sequence[GroupView]
    remarks: Sequence[str]
    notes: Sequence[str]
    printed: int
    agreeing: int


def view(table: ComparedTable) -> TableView:
    """Put notes on columns where they hold throughout, and gather rows that belong together."""
    numbered = [note for note in table.notes if note.cells]
    on_columns: dict[int, tuple[int, ...]] = {}
    on_cells: dict[tuple[int, int], tuple[int, ...]] = {}
    for number, note in enumerate(numbered, 1):
        whole = {c for _, c in note.cells if all((r, c) in note.cells for r in range(len(table.rows)))}
        for c in whole:
            on_columns[c] = (*on_columns.get(c, ()), number)
        for cell in note.cells:
            if cell[1] not in whole:
                on_cells[cell] = (*on_cells.get(cell, ()), number)
    rows = [
        [CellView(table.columns[c], cell, on_cells.get((r, c), ())) for c, cell in enumerate(row)]
        for r, row in enumerate(table.rows)
    ]
    first = table.groups
    groups = [
        GroupView(heading, [row[first:] for row in some])
        for heading, some in groupby(rows, key=lambda row: row[:first])
    ]
    shown = [cell for group in groups for row in (group.heading, *group.rows) for cell in row]
    printed = [
        one.content
        for one in shown
        if isinstance(one.content, Compared) and one.content.published is not None
    ]
    return TableView(
        table.name,
        table.title,
        [(column, on_columns.get(c, ())) for c, column in enumerate(table.columns)][first:],
        groups,
        [note.text for note in table.notes if not note.cells],
        [note.text for note in numbered],
        len(printed),
        sum(not cell.deviates for cell in printed),
    )


def pan18_page(made: Reproduction, pictures: Mapping[str, Mapping[str, bytes]]) -> str:
    """Return the page: the ranking, all tables and figures, how it holds under attack, how to repeat it."""
    return render_page(
        "pan18.html.j2",
        report=made,
        facts=made.facts,
        tables={name: view(table) for name, table in made.tables.items()},
        pictures={
            name: {ending: _inline(files[f"{ending}.svg"]) for ending in ("", "-dark")}
            for name, files in pictures.items()
        },
        command=f"stemmata reproduce {PAPER} --data {quote(made.source)} -o {PAPER} "
        f"--seeds {made.facts['seeds']:g}",
        scoring=f"stemmata score safety {quote(made.source)}",
    )


def _inline(svg: bytes) -> str:
    return "data:image/svg+xml;base64," + b64encode(svg).decode("ascii")
