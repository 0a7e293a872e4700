"""The same annotations as tables: JSONL, one object per line, and Parquet, one column per attribute.

Columns bear the names PAN's XML uses: ``reference``, ``this_offset``, ``this_length``,
``source_reference``, ``source_offset``, ``source_length``, and any attribute of a case beside them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import NoneType
from typing import Any

from stemmata.formats.columns import AnnotationColumns
from stemmata.formats.files import decode, read_lines, write_atomically
from stemmata.formats.json_text import load_json
from stemmata.formats.parquet_rows import BadRow, Row, parquet_rows
from stemmata.model import Annotation, Annotations, ErrorCode, Place, StemmataError

_NUMBER = (int, float, str)
"""What a whole number may be stored as; whether it is one is asked of its digits, as in XML."""
_KINDS: dict[str, tuple[type, ...]] = {
    "reference": (str,),
    "this_offset": _NUMBER,
    "this_length": _NUMBER,
    "source_reference": (str, NoneType),
    "source_offset": (*_NUMBER, NoneType),
    "source_length": (*_NUMBER, NoneType),
}
_RESERVED = {"name", *_KINDS}


def _record(one: Annotation) -> dict[str, Any]:
    record: dict[str, Any] = {
        "reference": one.suspicious.document,
        "this_offset": one.suspicious.offset,
        "this_length": one.suspicious.length,
    }
    if one.source is not None:
        record |= {
            "source_reference": one.source.document,
            "source_offset": one.source.offset,
            "source_length": one.source.length,
        }
    return record | {key: one.attributes[key] for key in sorted(one.attributes) if key not in _RESERVED}


def write_jsonl(path: str | Path, annotations: Iterable[Annotation]) -> None:
    """Write one JSON object per annotation, in the given order."""
    with write_atomically(path) as part, part.open("w", encoding="utf-8", newline="\n") as stream:
        for one in annotations:
            stream.write(json.dumps(_record(one), ensure_ascii=False) + "\n")


def read_jsonl(path: str | Path, columns: AnnotationColumns | None = None) -> Annotations:
    """Read annotations line by line, into given columns or such that keep all attributes."""
    return _collect(path, _json_lines(path), columns)


def _json_lines(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, start, line in read_lines(path):
        if not line.strip():
            continue
        try:
            record = load_json(decode(line, path, number, start))
        except ValueError as error:
            raise _bad_line(path, number, str(error)[:80]) from None
        if not isinstance(record, dict):
            raise _bad_line(path, number, "it is no object")
        yield number, record


def _bad_line(path: str | Path, number: int, reason: str) -> StemmataError:
    return StemmataError(ErrorCode.BAD_JSON, Place(str(path), line=number), reason=reason)


def write_parquet(path: str | Path, annotations: Iterable[Annotation]) -> None:
    """Write a Parquet table with one row per annotation."""
    pyarrow, parquet = _pyarrow()
    records = [_record(one) for one in annotations]
    names = {name for record in records for name in record}
    whole = {"this_offset", "this_length", "source_offset", "source_length"}
    schema = pyarrow.schema(
        [
            (name, pyarrow.int64() if name in whole else pyarrow.string())
            for name in [*_KINDS, *sorted(names.difference(_KINDS))]
        ]
    )
    with write_atomically(path) as part:
        parquet.write_table(pyarrow.Table.from_pylist(records, schema=schema), part)


def read_parquet(path: str | Path, columns: AnnotationColumns | None = None) -> Annotations:
    """Read a Parquet table row by row, into given columns or such that keep all attributes."""
    with parquet_rows(path, *(column for column, kinds in _KINDS.items() if NoneType not in kinds)) as rows:
        return _collect(path, enumerate(_good(path, rows), start=1), columns)


def _good(path: str | Path, rows: Iterable[Row | BadRow]) -> Iterator[Row]:
    for number, row in enumerate(rows, start=1):
        if isinstance(row, BadRow):
            raise StemmataError(ErrorCode.UNREADABLE, Place(str(path), line=number), reason=row.reason)
        yield row


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise StemmataError(
            ErrorCode.MISSING_EXTRA, what="Parquet", package="pyarrow", extra="parquet"
        ) from None
    return pyarrow, parquet


def _collect(
    path: str | Path, records: Iterable[tuple[int, dict[str, Any]]], columns: AnnotationColumns | None
) -> Annotations:
    """Gather records; the number of a line or row stands where XML has the number of a feature."""
    columns = columns or AnnotationColumns(keep_attributes=True)
    columns.open(str(path))
    for number, record in records:
        bad = [column for column, kinds in _KINDS.items() if not isinstance(record.get(column), kinds)]
        for column in bad:
            columns.wrong(ErrorCode.BAD_COLUMN, number, column=column)
        if bad:
            continue
        said = {name: str(value) for name, value in record.items() if value is not None}
        columns.add(said.pop("reference"), said, number)
    return columns.finish()
