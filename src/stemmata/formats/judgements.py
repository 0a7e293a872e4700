"""Judgements of quality: CSV or JSONL with one judgement per row, and the folders of PAN16.

Columns are ``item``, ``system``, ``assessor``, ``sensibleness`` and ``soundness``; either of the last two
may be empty or left out, and any other column is passed over.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from stemmata.formats.files import is_folder, read_text
from stemmata.formats.json_text import json_lines, read_json
from stemmata.model import ErrorCode, Place, StemmataError
from stemmata.model.judgements import SCHEMES, Judgement, Judgements, Scheme
from stemmata.model.registry import did_you_mean

_NAMES = ("item", "system", "assessor")
_GRADES = ("sensibleness", "soundness")
_DEFAULT = "pan18"
_PAN16 = "pan16"

Records = Iterator[tuple[Place, Mapping[str, Any]]]


def read_judgements(path: str | Path, scale: str | None = None) -> Judgements:
    """Read a file of judgements, or all of a folder.

    Parameters
    ----------
    scale
        ``"pan18"``, the default: school grades and words. ``"pan16"``: 0 to 2 and 0 to 5. A folder laid
        out as PAN16's data, with ``sensibleness/`` or ``soundness/`` in it, is always the latter.
    """
    if scale is not None and scale not in SCHEMES:
        known, guess = ", ".join(SCHEMES), did_you_mean(scale, SCHEMES)
        raise StemmataError(ErrorCode.UNKNOWN_SCALE, name=scale, known=known, guess=guess)
    path = Path(path)
    if is_folder(path) and any((path / name).is_dir() for name in _GRADES):
        if scale not in (None, _PAN16):
            rule = f"{path} is laid out as PAN16's data, which has its own"
            raise StemmataError(ErrorCode.BAD_PARAMETER, name="scale", value=scale, rule=rule)
        scheme = SCHEMES[_PAN16]
        return Judgements(scheme, _collect(_pan16_records(path), scheme, path))
    scheme = SCHEMES[scale or _DEFAULT]
    files = _files(path)
    records = (record for file in files for record in _records_of(file))
    return Judgements(scheme, _collect(records, scheme, path))


def _files(path: Path) -> list[Path]:
    inside = sorted(path.iterdir()) if is_folder(path) else [path]
    files = [file for file in inside if file.suffix in (".csv", ".jsonl") and not file.name.startswith(".")]
    if not files:
        raise StemmataError(ErrorCode.NO_JUDGEMENTS, path)
    return files


def _records_of(path: Path) -> Records:
    """Yield the rows of one file by column; a file without any is an error."""
    records = json_lines(path) if path.suffix == ".jsonl" else _csv_records(path)
    empty = True
    for place, record in records:
        for column in _NAMES:
            if column not in record:
                raise StemmataError(ErrorCode.NO_JUDGEMENT_COLUMN, place, column=column)
        if not any(column in record for column in _GRADES):
            raise StemmataError(ErrorCode.NO_JUDGEMENT_COLUMN, place, column=" or ".join(_GRADES))
        empty = False
        yield place, record
    if empty:
        raise StemmataError(ErrorCode.EMPTY_JUDGEMENTS, path)


def _csv_records(path: Path) -> Records:
    rows = csv.reader(io.StringIO(read_text(path).removeprefix("\ufeff"), newline=""), strict=True)
    columns: list[str] = []
    try:
        for row in rows:
            place = Place(str(path), line=rows.line_num)
            if not any(cell.strip() for cell in row):
                continue
            if not columns:
                columns = [cell.strip().lower() for cell in row]
                _check_columns(columns, place)
            elif len(row) > len(columns):
                reason = f"it has {len(row)} cells, the first line {len(columns)}"
                raise StemmataError(ErrorCode.BAD_JUDGEMENT, place, reason=reason)
            else:
                yield place, dict(zip(columns, row + [""] * (len(columns) - len(row)), strict=True))
    except csv.Error as error:
        place = Place(str(path), line=rows.line_num)
        raise StemmataError(ErrorCode.BAD_JUDGEMENT, place, reason=str(error)) from None


def _check_columns(columns: list[str], place: Place) -> None:
    """Refuse a first line that names no columns, even where no row follows."""
    for column in _NAMES:
        if column not in columns:
            raise StemmataError(ErrorCode.NO_JUDGEMENT_COLUMN, place, column=column)
    for column in (*_NAMES, *_GRADES):
        if columns.count(column) > 1:
            reason = f"two columns are called {column}"
            raise StemmataError(ErrorCode.BAD_JUDGEMENT, place, reason=reason)


# --- PAN16: a list of texts with the labels of three raters, and a score per line ------------------------

_LABELS = re.compile(r"sensibleness_team_[a-z0-9]+\.json")
_SCORES = re.compile(r"(?P<assessor>.+)\.pairs(?P<system>[A-Za-z0-9]+)\.txt")


def _pan16_records(folder: Path) -> Records:
    for file in sorted((folder / "sensibleness").glob("*.json")):
        # The files of single raters lie beside those that hold all three.
        if _LABELS.fullmatch(file.name):
            yield from _labels(file)
    for file in sorted((folder / "soundness").glob("*.txt")):
        if named := _SCORES.fullmatch(file.name):
            yield from _scores(file, named["assessor"], named["system"])


def _labels(path: Path) -> Records:
    texts = read_json(path)
    for number, one in enumerate(texts if isinstance(texts, list) else [texts], start=1):
        place = Place(str(path), piece=number)
        if not isinstance(one, dict) or not isinstance(one.get("sensibleness"), dict):
            reason = "it is no object with the labels of all raters under sensibleness"
            raise StemmataError(ErrorCode.BAD_JUDGEMENT, place, reason=reason)
        said = {"problem", "obfuscation-id", "submission"}
        if missing := sorted(said - one.keys()):
            raise StemmataError(ErrorCode.NO_JUDGEMENT_COLUMN, place, column=missing[0])
        for assessor, label in one["sensibleness"].items():
            yield (
                place,
                {
                    "item": f"{one['problem']}/{one['obfuscation-id']}",
                    "system": str(one["submission"]).removeprefix("participant"),
                    "assessor": assessor,
                    "sensibleness": label,
                },
            )


def _scores(path: Path, assessor: str, system: str) -> Records:
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.strip():
            place = Place(str(path), line=number)
            yield (
                place,
                {"item": f"pair {number}", "system": system, "assessor": assessor, "soundness": line},
            )


# --- From records to judgements --------------------------------------------------------------------------


def _collect(
    records: Iterable[tuple[Place, Mapping[str, Any]]], scheme: Scheme, path: Path
) -> list[Judgement]:
    """Turn records into judgements; nobody may grade the same thing twice."""
    judgements = []
    seen: dict[tuple[str, str, str, str], Place] = {}
    scales = {"sensibleness": scheme.sensibleness, "soundness": scheme.soundness}
    for place, record in records:
        item, system, assessor = (_name(record, column, place) for column in _NAMES)
        grades: dict[str, float | None] = dict.fromkeys(_GRADES)
        for column in _GRADES:
            said = _text(record.get(column), column, place)
            if not said:
                continue
            grades[column] = scales[column].grade(said, place)
            # Grades of the two kinds may stand in rows of their own: they are given one after the other.
            first = seen.setdefault((item, system, assessor, column), place)
            if first is not place:
                details = {"assessor": assessor[:80], "item": item[:80], "system": system[:80]}
                raise StemmataError(ErrorCode.REPEATED_JUDGEMENT, place, **details, first=first)
        if any(grade is not None for grade in grades.values()):
            judgements.append(Judgement(item, system, assessor, **grades))
    if not judgements:
        raise StemmataError(ErrorCode.EMPTY_JUDGEMENTS, path)
    return judgements


def _name(record: Mapping[str, Any], column: str, place: Place) -> str:
    said = _text(record[column], column, place)
    if not said:
        raise StemmataError(ErrorCode.BAD_JUDGEMENT, place, reason=f"{column} is empty")
    return said


def _text(value: object, column: str, place: Place) -> str:
    """Return a cell as text; JSON may have numbers there."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        reason = f"{column} is neither text nor a number"
        raise StemmataError(ErrorCode.BAD_JUDGEMENT, place, reason=reason)
    return str(value).strip()
