"""A reproduced paper in files: its tables for LaTeX and spreadsheets, its figures, and a page about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite, nan
from pathlib import Path

from stemmata.formats.outputs import OutputFolder
from stemmata.model.reproduction import Cell, Compared, ComparedTable, Reproduction
from stemmata.reports.figures import draw
from stemmata.reports.tables import Cell as Shown
from stemmata.reports.tables import Format, Table, render

PAGE = "report.html"
ENDINGS = {Format.LATEX: "tex", Format.CSV: "csv"}

Page = Callable[[Reproduction, Mapping[str, Mapping[str, bytes]]], str]
"""Makes a page of a reproduction and of its figures' pictures, by figure and file ending."""


def as_table(compared: ComparedTable) -> Table:
    """Return the table with a column each for ours, the paper's and the difference."""
    columns: list[str] = []
    decimals: dict[str, int] = {}
    cells: list[list[Shown]] = [[] for _ in compared.rows]
    for place, column in enumerate(compared.columns):
        values = [row[place] for row in compared.rows]
        for title, shown in _columns(column, values).items():
            columns.append(title)
            decimals[title] = max((one.digits for one in values if isinstance(one, Compared)), default=4)
            for row, cell in zip(cells, shown, strict=True):
                row.append(cell)
    deviating = {
        (r, columns.index(f"{compared.columns[c]}, difference"))
        for r, row in enumerate(compared.rows)
        for c, cell in enumerate(row)
        if isinstance(cell, Compared) and cell.deviates
    }
    notes = [note.text for note in compared.notes]
    return Table(columns, cells, compared.title, notes, best=frozenset(deviating), decimals=decimals)


def _columns(column: str, values: list[Cell]) -> dict[str, list[Shown]]:
    compared = [one if isinstance(one, Compared) else Compared(nan) for one in values]
    shown: dict[str, list[Shown]] = {
        column: [_number(one.ours, one) if isinstance(one, Compared) else one for one in values]
    }
    if any(one.spread is not None for one in compared):
        shown[f"{column}, deviation"] = [_number(one.spread, one) for one in compared]
    if any(one.published is not None for one in compared):
        shown[f"{column}, paper"] = [_number(one.published, one) for one in compared]
        shown[f"{column}, difference"] = [_number(one.difference, one) for one in compared]
    return shown


def _number(value: float | None, cell: Compared) -> Shown:
    if value is None or not isfinite(value):
        return None
    return value if cell.digits else round(value)


def notice(paper: str) -> str:
    """Return what the folder of a reproduction says of itself."""
    return (
        f"Made by: stemmata reproduce {paper}\n\n"
        f"{PAGE} shows everything in a browser; tables/ and figures/ hold its parts for papers and "
        "spreadsheets.\nRunning the command again replaces this folder.\n"
    )


def write_reproduction(out: OutputFolder, paper: str, made: Reproduction, page: Page) -> Path:
    """Write the page, all tables and all figures; return where the page lies."""
    pictures = {name: draw(figure) for name, figure in made.figures.items()}
    text = page(made, pictures)
    with out.filled() as part:
        _write(part / "README.txt", notice(paper))
        _write(part / PAGE, text)
        (part / "tables").mkdir()
        for name, table in made.tables.items():
            for form, ending in ENDINGS.items():
                _write(part / "tables" / f"{name}.{ending}", render(as_table(table), form))
        (part / "figures").mkdir()
        for name, files in pictures.items():
            for ending, content in files.items():
                (part / "figures" / f"{name}{ending}").write_bytes(content)
    return out.path / PAGE


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
