"""JSON from strangers: one value per file, or one object per line."""

from __future__ import annotations

import json
import os
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG
from typing import Any

from stemmata.formats.faults import Report, reported
from stemmata.formats.files import MAX_FILE_BYTES, decode, is_folder, read_text
from stemmata.model import ErrorCode, Place, StemmataError


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of some keys and values, for readers of JSON, if it has each key once.

    Which of two values of one key counts, programs do not agree on.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"an object has the key {key[:40]!r} twice")
    return made


def parse_json(text: str, place: Place | Path | str) -> Any:
    """Return the value of a JSON text, or say why it is none."""
    try:
        value = json.loads(text, object_pairs_hook=unique_keys)
        if "\\u" in text:  # half a surrogate pair is JSON, but no text
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except json.JSONDecodeError as error:
        if isinstance(place, Place) and place.line:
            where, reason = place, error.msg
        else:
            where, reason = Place(str(place), line=error.lineno), error.msg
    except UnicodeEncodeError:
        where, reason = _place(place), "it holds half a surrogate pair"
    except RecursionError:
        where, reason = _place(place), "it is nested too deeply"
    except ValueError as error:
        where, reason = _place(place), str(error)[:80]
    raise StemmataError(ErrorCode.NOT_JSON, where, reason=reason)


def _place(place: Place | Path | str) -> Place:
    return place if isinstance(place, Place) else Place(str(place))


def read_json(path: str | Path) -> Any:
    """Return the value of a JSON file; a byte order mark is passed over."""
    return parse_json(read_text(path).removeprefix("\ufeff"), str(path))


def json_lines(path: str | Path, report: Report | None = None) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield the objects of a file with one per line, each with its place; blank lines are passed over.

    The file is never held as a whole, for collections of texts can be larger than memory.
    """
    for number, start, line in _lines(path):
        with reported(report):
            text = decode(line, path, number, start)
            yield from json_objects(text, path, report, number)


def is_blank(path: str | Path) -> bool:
    """Tell whether a file has no line with text."""
    return not any(line.strip() for _, _, line in _lines(path))


def json_objects(
    text: str, path: str | Path, report: Report | None = None, first_line: int = 1
) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield the objects of a text with one per line, as `json_lines` does for a file."""
    for number, line in enumerate(text.split("\n"), start=first_line):
        value = None
        with reported(report):
            if line.strip():
                value = _object(line, Place(str(path), line=number))
        if value is not None:
            yield Place(str(path), line=number), value


def _object(text: str, place: Place) -> dict[str, Any]:
    value = parse_json(text, place)
    if not isinstance(value, dict):
        raise StemmataError(ErrorCode.NOT_JSON, place, reason="it is no object")
    return value


def _lines(path: str | Path) -> Iterator[tuple[int, int, bytes]]:
    """Yield number, first byte and content of each line, without a byte order mark."""
    if is_folder(path) or not S_ISREG(os.stat(path).st_mode):  # noqa: PTH116
        raise StemmataError(ErrorCode.UNREADABLE, path, reason="it is no regular file")
    try:
        with Path(path).open("rb") as stream:
            if stream.read(len(BOM_UTF8)) != BOM_UTF8:
                stream.seek(0)
            start = stream.tell()
            number = 1
            while line := stream.readline(MAX_FILE_BYTES + 1):
                if len(line) > MAX_FILE_BYTES:
                    place = Place(str(path), line=number)
                    raise StemmataError(ErrorCode.TOO_LARGE, place, size=len(line), limit=MAX_FILE_BYTES)
                yield number, start, line
                start += len(line)
                number += 1
    except OSError as error:
        raise StemmataError(ErrorCode.UNREADABLE, path, reason=error.strerror or str(error)) from None


def encodable(text: str) -> bool:
    """Tell whether a text can be written as UTF-8; half a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
