"""The cells of a spreadsheet as text: ``.xlsx`` (ISO/IEC 29500) and, with the extra, the older ``.xls``.

Workbooks are archives of XML. Only the parts that are needed are unpacked, in memory and up to a limit;
cells are kept where they stand, so that one far away costs no more than one nearby.
"""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path
from posixpath import join, normpath
from typing import NamedTuple
from xml.etree.ElementTree import Element

from stemmata.formats.files import read_bytes
from stemmata.formats.packed_xml import PackedXml, packed_xml
from stemmata.model import ErrorCode, StemmataError

MAX_WORKBOOK_BYTES = 32 * 1024 * 1024
MAX_COLUMNS = 256
MAX_CELLS = 4_000_000

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_TARGET = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class Row(NamedTuple):
    """A row that has cells: its number as spreadsheets show it, and the text of each cell up to the last."""

    number: int
    cells: tuple[str, ...]


def read_sheet(path: str | Path, name: str | None = None) -> list[Row]:
    """Read a sheet of a workbook, by its name or the first; rows without text are left out.

    Numbers are written as spreadsheets show them, 3 and not 3.0. Formulas are what they last came to.
    """
    data = read_bytes(path, MAX_WORKBOOK_BYTES)
    cells = _old_cells(data, path, name) if data.startswith(_COMPOUND_FILE) else _cells(data, path, name)
    rows: dict[int, dict[int, str]] = {}
    for (row, column), text in cells.items():
        if column >= MAX_COLUMNS:
            raise _bad(path, f"a cell stands beyond column {MAX_COLUMNS}")
        if text.strip():
            rows.setdefault(row, {})[column] = text
    return [
        Row(number, tuple(found.get(column, "") for column in range(max(found) + 1)))
        for number, found in sorted(rows.items())
    ]


Cells = dict[tuple[int, int], str]


def _cells(data: bytes, path: str | Path, name: str | None) -> Cells:
    with packed_xml(data, path, _bad) as archive:
        return _Workbook(archive, path).cells(name)


class _Workbook:
    def __init__(self, archive: PackedXml, path: str | Path) -> None:
        self.archive = archive
        self.path = path

    def cells(self, name: str | None) -> Cells:
        """Return the text of each cell by row, counted from 1, and column, counted from 0."""
        sheet = self.archive.tree(self._sheet(name))
        shared = self._shared_strings() if sheet.find(f".//{_MAIN}c[@t='s']") is not None else []
        found: Cells = {}
        row = 0
        for line in sheet.iterfind(f"{_MAIN}sheetData/{_MAIN}row"):
            row += 1
            column = -1
            for cell in line.iterfind(f"{_MAIN}c"):
                place = _REFERENCE.fullmatch(cell.get("r", ""))
                row, column = (int(place[2]), _column(place[1])) if place else (row, column + 1)
                found[row, column] = _text(cell, shared, self.path)
                if len(found) > MAX_CELLS:
                    raise _bad(self.path, f"it has more than {MAX_CELLS:,} cells")
        return found

    def _sheet(self, name: str | None) -> str:
        """Return the part of the archive that holds the sheet."""
        sheets = {
            sheet.get("name", ""): sheet.get(_LINK, "")
            for sheet in self.archive.tree("xl/workbook.xml").iterfind(f"{_MAIN}sheets/{_MAIN}sheet")
        }
        wanted = _choose(sheets, name, self.path)
        links = self.archive.tree("xl/_rels/workbook.xml.rels")
        targets = {link.get("Id", ""): link.get("Target", "") for link in links.iterfind(_TARGET)}
        return normpath(join("/xl", targets.get(sheets[wanted], ""))).lstrip("/")

    def _shared_strings(self) -> list[str]:
        return [
            # Runs of one string may be formatted each in its way; phonetic guides beside them are no text.
            "".join(t.text or "" for t in (*one.iterfind(f"{_MAIN}t"), *one.iterfind(f"{_MAIN}r/{_MAIN}t")))
            for one in self.archive.tree("xl/sharedStrings.xml").iterfind(f"{_MAIN}si")
        ]


def _choose(sheets: dict[str, str] | dict[str, int], name: str | None, path: str | Path) -> str:
    if not sheets:
        raise _bad(path, "it has no sheet")
    wanted = next(iter(sheets)) if name is None else name
    if wanted not in sheets:
        raise StemmataError(ErrorCode.NO_SHEET, path, name=wanted, known=", ".join(sheets))
    return wanted


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _text(cell: Element, shared: list[str], path: str | Path) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return "".join(t.text or "" for t in cell.iterfind(f"{_MAIN}is//{_MAIN}t"))
    value = cell.findtext(f"{_MAIN}v") or ""
    if kind == "s":
        if not value.isdecimal() or int(value) >= len(shared):
            raise _bad(path, f"cell {cell.get('r')} refers to a string that is not there")
        return shared[int(value)]
    return value.removesuffix(".0") if kind == "n" else value


def _old_cells(data: bytes, path: str | Path, name: str | None) -> Cells:
    try:
        import xlrd
    except ImportError:
        raise StemmataError(
            ErrorCode.MISSING_EXTRA, path, what="reading .xls", package="xlrd", extra="spreadsheets"
        ) from None
    try:
        book = xlrd.open_workbook(file_contents=data, logfile=StringIO(), on_demand=True, ragged_rows=True)
        names = {str(sheet): number for number, sheet in enumerate(book.sheet_names())}
        wanted = _choose(names, name, path)
        sheet = book.sheet_by_index(names[wanted])
        return {
            (row + 1, column): _old_text(cell)
            for row in range(sheet.nrows)
            for column, cell in enumerate(sheet.row_values(row))
        }
    except StemmataError:
        raise
    # The reader follows offsets in the file wherever they lead, and fails there in its own way.
    except Exception as error:
        raise _bad(path, str(error)[:80] or type(error).__name__) from None


def _old_text(value: object) -> str:
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _bad(path: str | Path, reason: str) -> StemmataError:
    return StemmataError(ErrorCode.BAD_SPREADSHEET, path, reason=reason)
