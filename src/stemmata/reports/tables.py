"""Tables: for a terminal, a pipe, a paper, a wiki or a spreadsheet, from one description."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

Cell = str | int | float | None


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    LATEX = "latex"
    MARKDOWN = "markdown"


@dataclass(frozen=True)
class Table:
    """A heading, columns and rows; fractions are shown with `digits` decimals."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    notes: Sequence[str] = field(default_factory=tuple)
    digits: int = 4
    best: frozenset[tuple[int, int]] = frozenset()
    """Cells (row, column) to set off, such as the best value of a column."""

    decimals: Mapping[str, int] = field(default_factory=dict)
    """Decimals of columns that differ from the rest."""

    def text(self, row: int, column: int) -> str:
        """Return a cell as shown to people."""
        cell = self.rows[row][column]
        if cell is None:
            return ""
        digits = self.decimals.get(self.columns[column], self.digits)
        # z: what rounds to nothing has no sign, for -0.00 is confusing.
        return f"{cell:z.{digits}f}" if isinstance(cell, float) else str(cell)

    def numeric(self, column: int) -> bool:
        """Tell whether a column holds numbers, and so is set flush right."""
        return any(isinstance(row[column], int | float) for row in self.rows)


def render(table: Table, format: Format, terminal: bool = False, width: int | None = None) -> str:  # noqa: A002
    """Return the table in a format; JSON is not a table and is written by whoever has the data."""
    if format is Format.CSV:
        return _csv(table)
    if format is Format.MARKDOWN:
        return _markdown(table)
    if format is Format.LATEX:
        return _latex(table)
    return _rich(table, width) if terminal else _plain(table)


def _csv(table: Table) -> str:
    """Return comma-separated values with full precision, without title or notes."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([["" if cell is None else cell for cell in row] for row in table.rows])
    return stream.getvalue()


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rule = ["---:" if table.numeric(i) else "---" for i in range(len(table.columns))]
    body = [
        line([_set_off(table, r, c, "**{}**") for c in range(len(table.columns))])
        for r in range(len(table.rows))
    ]
    title = [f"**{table.title}**", ""] if table.title else []
    notes = ["", *table.notes] if table.notes else []
    return "\n".join([*title, line(table.columns), line(rule), *body, *notes]) + "\n"


_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "Δ": r"$\Delta$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def _tex(text: str) -> str:
    return "".join(_TEX.get(character, character) for character in text)


def _latex(table: Table) -> str:
    """Return a tabular in the style of the booktabs package."""
    columns = "".join("r" if table.numeric(i) else "l" for i in range(len(table.columns)))

    def line(cells: Sequence[str]) -> str:
        return "  " + " & ".join(cells) + r" \\"

    body = [
        line(
            [
                (r"\textbf{%s}" if (r, c) in table.best else "%s") % _tex(table.text(r, c))
                for c in range(len(table.columns))
            ]
        )
        for r in range(len(table.rows))
    ]
    head = line([_tex(column) for column in table.columns])
    notes = [f"% {note}" for note in table.notes]
    return "\n".join(
        [
            f"% {table.title}" if table.title else "% needs \\usepackage{booktabs}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"  \toprule",
            head,
            r"  \midrule",
            *body,
            r"  \bottomrule",
            r"\end{tabular}",
            *notes,
            "",
        ]
    )


def _set_off(table: Table, row: int, column: int, how: str) -> str:
    text = table.text(row, column)
    return how.format(text) if (row, column) in table.best and text else text


def _plain(table: Table) -> str:
    """Return aligned columns of plain characters, for pipes and logs."""
    cells = ([table.text(r, c) for c in range(len(table.columns))] for r in range(len(table.rows)))
    shown = [list(table.columns), *cells]
    widths = [max(len(row[i]) for row in shown) for i in range(len(table.columns))]
    lines = [
        "  ".join(
            cell.rjust(width) if table.numeric(i) else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in shown
    ]
    title = [table.title] if table.title else []
    # A title over no rows has said it all.
    body = lines if table.rows or not title else []
    return "\n".join([*title, *body, *table.notes]) + "\n"


def _rich(table: Table, width: int | None) -> str:
    """Return the table drawn for a terminal, in colour."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=box.SIMPLE_HEAD, title_justify="left", title_style="bold", pad_edge=False)
    drawn.title = Text(table.title) if table.title else None
    for i, column in enumerate(table.columns):
        drawn.add_column(
            Text(column), justify="right" if table.numeric(i) else "left", header_style="bold cyan"
        )
    for r in range(len(table.rows)):
        cells = [
            Text(table.text(r, c), style="bold green" if (r, c) in table.best else "")
            for c in range(len(table.columns))
        ]
        drawn.add_row(*cells)
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=width, highlight=False)
    console.print(drawn if table.rows or not table.title else Text(table.title, style="bold"))
    for note in table.notes:
        console.print(Text(note, style="dim"))
    return stream.getvalue()
