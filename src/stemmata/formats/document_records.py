"""Documents as records: JSONL, one object per line, and Parquet, one row each.

A record has a ``text``, and an ``id`` or ``name``; ``title``, ``author``, ``url`` and ``date`` are known, and
whatever else it says of the document is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from stemmata.formats.faults import Report, reported
from stemmata.formats.files import MAX_LINE_BYTES, decode, opened
from stemmata.formats.json_text import load_json
from stemmata.formats.parquet_rows import BadRow, parquet_rows
from stemmata.formats.source_documents import SourceDocument
from stemmata.model import ErrorCode, Finding, Place, StemmataError

RECORDS = (".jsonl", ".ndjson", ".parquet")
"""The endings of names that are taken for files of records."""
_KNOWN = ("title", "author", "url", "date")
_HALF = re.compile("[\ud800-\udfff]")


def is_records(path: str | Path) -> bool:
    """Tell by its name whether a file holds documents as records."""
    return str(path).lower().endswith(RECORDS)


def read_records(path: Path, report: Report) -> Iterator[SourceDocument]:
    """Yield the documents of a file of records; a bad one is reported, and the rest goes on."""
    if path.name.lower().endswith(".parquet"):
        yield from _read_parquet(path, report)
        return
    with reported(report), opened(path) as stream:
        yield from read_json_lines(stream, path, report)


def read_json_lines(stream: IO[bytes], path: Path, report: Report) -> Iterator[SourceDocument]:
    """Yield the documents of lines of JSON."""
    number, byte = 0, 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        place = Place(str(path), line=number)
        if len(line) > MAX_LINE_BYTES:
            reason = f"the line is longer than {MAX_LINE_BYTES:,} bytes; the file was read up to here"
            report(Finding.of(ErrorCode.BAD_DOCUMENT_RECORD, place, reason=reason))
            return
        if line.strip():
            with reported(report):
                text = decode(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, path, number, byte)
                yield _document(_parsed(text, place), f"{path.name}:{number}", place, "jsonl")
        byte += len(line)


def _parsed(text: str, place: Place) -> Any:
    try:
        return load_json(text, lenient=True)
    except ValueError as error:
        raise StemmataError(ErrorCode.BAD_DOCUMENT_RECORD, place, reason=str(error)[:80]) from None


def _document(record: Any, fallback: str, place: Place, kind: str) -> SourceDocument:
    if not isinstance(record, dict):
        raise StemmataError(ErrorCode.BAD_DOCUMENT_RECORD, place, reason="it is no object")
    left = {key: value for key, value in record.items() if value is not None}
    text = left.pop("text", None)
    if not isinstance(text, str):
        raise StemmataError(ErrorCode.BAD_DOCUMENT_RECORD, place, reason="it has no text")
    name = left.pop("id" if "id" in left else "name", fallback)
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise StemmataError(
            ErrorCode.BAD_DOCUMENT_RECORD, place, reason="its id is neither a string nor a number"
        )
    if _HALF.search(text):
        raise StemmataError(ErrorCode.BAD_DOCUMENT_RECORD, place, reason="its text has half a surrogate pair")
    title, author, url, date = (
        str(left.pop(key)) if isinstance(left.get(key), str | int | float) else "" for key in _KNOWN
    )
    left.pop("pages", None)
    left.pop("format", None)
    return SourceDocument(str(name), text, title, author, url, date, format=kind, extra=_plain(left))


def _plain(record: dict[Any, Any]) -> dict[str, Any]:
    """Return what JSON can carry; dates and such as strings."""
    made: dict[str, Any] = json.loads(json.dumps(record, default=str))
    return made


def _read_parquet(path: Path, report: Report) -> Iterator[SourceDocument]:
    with reported(report), parquet_rows(path, "text") as rows:
        for number, row in enumerate(rows, start=1):
            place = Place(str(path), line=number)
            if isinstance(row, BadRow):
                report(Finding.of(ErrorCode.BAD_DOCUMENT_RECORD, place, reason=row.reason))
                continue
            with reported(report):
                yield _document(row, f"{path.name}:{number}", place, "parquet")
