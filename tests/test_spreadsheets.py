"""Workbooks: what their cells say, and what hostile ones must not do."""

import sys
import tracemalloc
from pathlib import Path

import pytest

from stemmata.formats import packed_xml, spreadsheets
from stemmata.formats.spreadsheets import Row, read_sheet
from stemmata.model import StemmataError
from workbooks import MAIN, cell, sheet_of, write_workbook

OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def sheet(*rows: str) -> str:
    return f'<worksheet xmlns="{MAIN}"><sheetData>{"".join(rows)}</sheetData></worksheet>'


def test_cells_are_read_where_they_stand(tmp_path: Path) -> None:
    path = write_workbook(tmp_path / "a.xlsx", {"one": sheet_of([["File", "", "x"], [], ["", "y & z"]])})
    assert read_sheet(path) == [Row(1, ("File", "", "x")), Row(3, ("", "y & z"))]


def test_sheets_are_found_by_name(tmp_path: Path) -> None:
    path = write_workbook(tmp_path / "a.xlsx", {"one": sheet_of([["1"]]), "two": sheet_of([["2"]])})
    assert read_sheet(path, "two") == [Row(1, ("2",))]
    with pytest.raises(StemmataError, match=r"E635.*'three'.*one, two"):
        read_sheet(path, "three")


def test_strings_may_be_shared_and_numbers_are_as_shown(tmp_path: Path) -> None:
    strings = (
        f'<sst xmlns="{MAIN}"><si><t>plain</t></si>'
        "<si><r><t>two </t></r><r><t>runs</t></r><rPh><t>guide</t></rPh></si></sst>"
    )
    cells = '<row><c t="s"><v>1</v></c><c t="s"><v>0</v></c><c><v>3.0</v></c><c t="str"><v>sum</v></c></row>'
    path = write_workbook(tmp_path / "a.xlsx", {"one": sheet(cells)}, sharedStrings=strings)
    assert read_sheet(path) == [Row(1, ("two runs", "plain", "3", "sum"))]


def test_a_cell_in_the_far_corner_costs_nothing(tmp_path: Path) -> None:
    far = sheet(f'<row r="1">{cell("A1", "near")}</row><row r="1048576">{cell("B1048576", "far")}</row>')
    path = write_workbook(tmp_path / "a.xlsx", {"one": far})
    assert read_sheet(path) == [Row(1, ("near",)), Row(1048576, ("", "far"))]
    wide = write_workbook(tmp_path / "b.xlsx", {"one": sheet(f'<row r="1">{cell("XFD1", "far")}</row>')})
    with pytest.raises(StemmataError, match=r"E634.*beyond column"):
        read_sheet(wide)


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_xml, "MAX_PART_BYTES", 100_000)
    path = write_workbook(tmp_path / "a.xlsx", {"one": sheet(" " * 10_000_000)})
    assert path.stat().st_size < 20_000
    with pytest.raises(StemmataError, match="E104"):
        read_sheet(path)


@pytest.mark.parametrize(
    "xml",
    [
        '<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>',
        sheet('<row><c t="s"><v>7</v></c></row>'),
        "<worksheet",
        "\0",
    ],
    ids=["document type", "string that is not there", "cut off", "NUL"],
)
def test_bad_parts_are_refused(xml: str, tmp_path: Path) -> None:
    strings = f'<sst xmlns="{MAIN}"/>'
    path = write_workbook(tmp_path / "a.xlsx", {"one": xml}, sharedStrings=strings)
    with pytest.raises(StemmataError, match="E634"):
        read_sheet(path)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no archive", b"<html>", OLD, OLD + b"\xff" * 4096])
def test_other_files_are_refused(data: bytes, tmp_path: Path) -> None:
    pytest.importorskip("xlrd")
    path = tmp_path / "a.xls"
    path.write_bytes(data)
    with pytest.raises(StemmataError, match="E634"):
        read_sheet(path)


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    path = write_workbook(tmp_path / "a.xlsx", {"one": sheet_of([["text"] * 9] * 99)})
    whole = path.read_bytes()
    for cut in range(0, len(whole), 97):
        path.write_bytes(whole[:cut] + b"\xff\xff\xff" + whole[cut + 3 :])
        try:
            read_sheet(path)
        except StemmataError as error:
            assert error.code in {"E634", "E104"}  # noqa: PT017 (undamaged where the bytes do not matter)


def test_the_old_format_names_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xlrd", None)
    path = tmp_path / "a.xls"
    path.write_bytes(OLD)
    with pytest.raises(StemmataError, match=r"E502.*stemmata\[spreadsheets\]"):
        read_sheet(path)


def test_cells_are_counted_while_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheets, "MAX_CELLS", 10)
    path = write_workbook(tmp_path / "a.xlsx", {"one": sheet("<row>" + "<c/>" * 100_000 + "</row>")})
    tracemalloc.start()
    with pytest.raises(StemmataError, match=r"E634.*more than 10 cells"):
        read_sheet(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 5_000_000  # a tree of these elements takes twice as much
