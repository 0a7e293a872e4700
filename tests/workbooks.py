"""Workbooks written by hand, as small as the format allows, to test the reader with."""

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def cell(reference: str, text: str) -> str:
    return f'<c r="{reference}" t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'


def sheet_of(rows: Sequence[Sequence[str]]) -> str:
    """Rows as the XML of a sheet; empty cells are left out, as programs do."""
    lines = []
    for number, row in enumerate(rows, start=1):
        cells = (cell(f"{chr(65 + i)}{number}", text) for i, text in enumerate(row) if text)
        lines.append(f'<row r="{number}">{"".join(cells)}</row>')
    return f'<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def write_workbook(path: Path, sheets: Mapping[str, str], **parts: str) -> Path:
    """Write sheets, given as XML; `parts` are other files of the archive, without folder and ending."""
    names = {name: f"sheet{number}" for number, name in enumerate(sheets, start=1)}
    listed = "".join(f'<sheet name="{name}" r:id="{part}"/>' for name, part in names.items())
    links = "".join(f'<Relationship Id="{part}" Target="worksheets/{part}.xml"/>' for part in names.values())
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{PACKAGE}">{links}</Relationships>'
        )
        for name, xml in sheets.items():
            archive.writestr(f"xl/worksheets/{names[name]}.xml", xml)
        for part, xml in parts.items():
            archive.writestr(f"xl/{part}.xml", xml)
    return path
