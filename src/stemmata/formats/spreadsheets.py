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

from stemmata.formats.files import read_bytes
from stemmata.formats.packed_xml import PackedXml, packed_xml
from stemmata.model import ErrorCode, StemmataError

MAX_WORKBOOK_BYTES = 32 * 1024 * 1024
MAX_COLUMNS = 256
MAX_CELLS = 1_000_000
MAX_SHEETS = 1_000

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
        sheet = _SheetCells(self.path)
        self.archive.tell(self._sheet(name), sheet)
        if sheet.shared:
            strings = _SharedStrings()
            self.archive.tell("xl/sharedStrings.xml", strings)
            for place in sheet.shared:
                number = sheet.found[place]
                if not number.isdecimal() or int(number) >= len(strings.found):
                    raise _bad(self.path, f"row {place[0]} refers to a string that is not there")
                sheet.found[place] = strings.found[int(number)]
        return sheet.found

    def _sheet(self, name: str | None) -> str:
        """Return the part of the archive that holds the sheet."""
        listed = _Listed(f"{_MAIN}sheet")
        self.archive.tell("xl/workbook.xml", listed)
        sheets = {sheet.get("name", ""): sheet.get(_LINK, "") for sheet in listed.found}
        wanted = _choose(sheets, name, self.path)
        links = _Listed(_TARGET)
        self.archive.tell("xl/_rels/workbook.xml.rels", links)
        targets = {link.get("Id", ""): link.get("Target", "") for link in links.found}
        return normpath(join("/xl", targets.get(sheets[wanted], ""))).lstrip("/")


class _Listed:
    """The attributes of all elements of one name."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.found: list[dict[str, str]] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == self.tag and len(self.found) < MAX_SHEETS:
            self.found.append(attributes)

    def end(self, tag: str) -> None:
        pass

    def data(self, text: str) -> None:
        pass


class _Strings:
    """Texts in elements ``t``; phonetic guides beside them are no text."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._in_text = self._in_guide = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._in_guide = self._in_guide or tag == f"{_MAIN}rPh"
        self._in_text = tag == f"{_MAIN}t" and not self._in_guide

    def end(self, tag: str) -> None:
        self._in_text = False
        if tag == f"{_MAIN}rPh":
            self._in_guide = False

    def data(self, text: str) -> None:
        if self._in_text:
            self.pieces.append(text)


class _SharedStrings(_Strings):
    """The strings that cells refer to by their number; runs of one may be formatted each in its way."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def end(self, tag: str) -> None:
        super().end(tag)
        if tag == f"{_MAIN}si":
            self.found.append("".join(self.pieces))
            self.pieces.clear()


class _SheetCells(_Strings):
    """The cells of a sheet; those in `shared` hold the number of a string."""

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self.found: Cells = {}
        self.shared: list[tuple[int, int]] = []
        self._path = path
        self._row = 0
        self._column = -1
        self._kind = ""
        self._in_value = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        super().start(tag, attributes)
        if tag == f"{_MAIN}row":
            self._row += 1
            self._column = -1
        elif tag == f"{_MAIN}c":
            place = _REFERENCE.fullmatch(attributes.get("r", ""))
            self._row, self._column = (
                (int(place[2]), _column(place[1])) if place else (self._row, self._column + 1)
            )
            self._kind = attributes.get("t", "n")
            self.pieces.clear()
        elif tag == f"{_MAIN}v":
            self._in_value = self._kind != "inlineStr"

    def end(self, tag: str) -> None:
        super().end(tag)
        if tag == f"{_MAIN}v":
            self._in_value = False
        elif tag == f"{_MAIN}c":
            text = "".join(self.pieces)
            self.found[self._row, self._column] = text.removesuffix(".0") if self._kind == "n" else text
            if self._kind == "s":
                self.shared.append((self._row, self._column))
            if len(self.found) > MAX_CELLS:
                raise _bad(self._path, f"it has more than {MAX_CELLS:,} cells")

    def data(self, text: str) -> None:
        if self._in_value or (self._kind == "inlineStr" and self._in_text):
            self.pieces.append(text)


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
