"""Tables: for a terminal, a pipe, a paper, a wiki or a spreadsheet, from one description."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from stemmata.reports.terminal import Cells, drawn, harmless


class Estimate(NamedTuple):
    """A value with its interval: together for people, in columns of their own for programs."""

    value: float
    low: float
    high: float


Cell = str | int | float | Estimate | None


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    LATEX = "latex"
    MARKDOWN = "markdown"


@dataclass(frozen=True)
class Table:
    """A heading, columns and rows; fractions are shown with `digits` decimals.

    Programs get all tables of one `name` as one, in which `keys` tell the rows of each apart.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    notes: Sequence[str] = field(default_factory=tuple)
    digits: int = 4
    best: frozenset[tuple[int, int]] = frozenset()
    """Cells (row, column) to set off, such as the best value of a column."""

    decimals: Mapping[str, int] = field(default_factory=dict)
    """Decimals of columns that differ from the rest."""

    name: str = "table"
    """What ``--table`` calls it."""

    keys: Mapping[str, Cell] = field(default_factory=dict)
    """What all rows have in common, and people read in the title."""

    def text(self, row: int, column: int) -> str:
        """Return a cell as shown to people."""
        cell = self.rows[row][column]
        digits = self.decimals.get(self.columns[column], self.digits)
        if cell is None:
            return ""
        if isinstance(cell, Estimate):
            return f"{cell.value:z.{digits}f} [{cell.low:z.{digits}f}, {cell.high:z.{digits}f}]"
        # z: what rounds to nothing has no sign, for -0.00 is confusing.
        return f"{cell:z.{digits}f}" if isinstance(cell, float) else harmless(str(cell))

    def numeric(self, column: int) -> bool:
        """Tell whether a column holds numbers, and so is set flush right."""
        return any(isinstance(row[column], int | float | Estimate) for row in self.rows)


def render(table: Table, format: Format, terminal: bool = False, width: int | None = None) -> str:  # noqa: A002
    """Return the table in a format; JSON is not a table and is written by whoever has the data."""
    if format is Format.CSV:
        return render_csv([table])
    if format is Format.MARKDOWN:
        return _markdown(table)
    if format is Format.LATEX:
        return _latex(table)
    return drawn(_cells(table), width) if terminal else _plain(table)


def render_csv(tables: Sequence[Table]) -> str:
    """Return tables of one kind as one of comma-separated values, with full precision and without notes.

    Headings are in small letters without blanks; an interval has two columns beside its value, called
    after it with ``_low`` and ``_high``. A text that a spreadsheet would take for a formula, since it begins
    with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return and is no number, has an apostrophe before it.
    """
    columns = list(dict.fromkeys(name for one in tables for name in (*one.keys, *one.columns)))
    rows = [
        {**table.keys, **dict(zip(table.columns, row, strict=True))} for table in tables for row in table.rows
    ]
    bounded = {name for row in rows for name, cell in row.items() if isinstance(cell, Estimate)}
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [[title, *([f"{title} low", f"{title} high"] if title in bounded else [])] for title in columns]
    writer.writerow(_headings([title for group in names for title in group]))
    for row in rows:
        writer.writerow([cell for title in columns for cell in _values(row.get(title), title in bounded)])
    return stream.getvalue()


def _headings(titles: Sequence[str]) -> list[str]:
    plain = [title.replace("Δ", "delta ").replace("%", "percent").lower() for title in titles]
    headings = [re.sub(r"[^\w.@]+", "_", title).strip("_") or "value" for title in plain]
    seen: Counter[str] = Counter()
    for at, heading in enumerate(headings):
        seen[heading] += 1
        if seen[heading] > 1:
            headings[at] = f"{heading}_{seen[heading]}"
    return headings


def _values(cell: Cell, bounded: bool) -> list[str | int | float]:
    if isinstance(cell, Estimate):
        return list(cell)
    value = "" if cell is None else no_formula(cell) if isinstance(cell, str) else cell
    return [value, "", ""] if bounded else [value]


_NUMBER = re.compile(r"[-+]?(\d[\d,]*\.?\d*|\.\d+)([eE][-+]?\d+)?%?")


def no_formula(text: str) -> str:
    """Return a text as a spreadsheet shows it rather than computes it.

    Examples
    --------
    >>> no_formula("=1+1"), no_formula("-1.5"), no_formula("-x")
    ("'=1+1", '-1.5', "'-x")
    """
    suspect = text.startswith(("=", "+", "-", "@", "\t", "\r")) and not _NUMBER.fullmatch(text)
    return "'" * suspect + harmless(text)


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        plain = [cell.replace("|", "\\|").replace("\n", "<br>") for cell in cells]
        return "| " + " | ".join(plain) + " |"

    rule = ["---:" if table.numeric(i) else "---" for i in range(len(table.columns))]
    body = [
        line([_set_off(table, r, c, "**{}**") for c in range(len(table.columns))])
        for r in range(len(table.rows))
    ]
    title = [f"**{harmless(table.title)}**", ""] if table.title else []
    notes = ["", *map(harmless, table.notes)] if table.notes else []
    return (
        "\n".join([*title, line([harmless(column) for column in table.columns]), line(rule), *body, *notes])
        + "\n"
    )


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
    head = line([_tex(harmless(column)) for column in table.columns])
    notes = [f"% {_one_line(harmless(note))}" for note in table.notes]
    return "\n".join(
        [
            f"% {_one_line(harmless(table.title))}" if table.title else "% needs \\usepackage{booktabs}",
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
    cells = ([_one_line(table.text(r, c)) for c in range(len(table.columns))] for r in range(len(table.rows)))
    shown = [[_one_line(harmless(column)) for column in table.columns], *cells]
    widths = [max(len(row[i]) for row in shown) for i in range(len(table.columns))]
    lines = [
        "  ".join(
            cell.rjust(width) if table.numeric(i) else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in shown
    ]
    title = [harmless(table.title)] if table.title else []
    # A title over no rows has said it all.
    body = lines if table.rows or not title else []
    return "\n".join([*title, *body, *map(harmless, table.notes)]) + "\n"


def _one_line(text: str) -> str:
    return text.replace("\n", " ").replace("\t", " ")


def _cells(table: Table) -> Cells:
    columns = range(len(table.columns))
    return Cells(
        title=harmless(table.title),
        columns=[_one_line(harmless(column)) for column in table.columns],
        rows=[[_one_line(table.text(r, c)) for c in columns] for r in range(len(table.rows))],
        numeric=[table.numeric(c) for c in columns],
        best=table.best,
        notes=[harmless(note) for note in table.notes],
    )
