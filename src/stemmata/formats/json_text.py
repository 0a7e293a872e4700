"""JSON from strangers: one value per file, or one object per line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stemmata.formats.faults import Report, reported
from stemmata.formats.files import decode, read_lines, read_text
from stemmata.model import ErrorCode, Place, StemmataError

MAX_JSON_DEPTH = 100
"""Values within values."""
MAX_JSON_BYTES = 512 * 1024 * 1024
"""What the values of one text may take in memory, as its brackets and commas let expect."""
_BRACKET_BYTES, _ITEM_BYTES = 256, 128
_TOO_DEEP = "it is nested too deeply"


def load_json(text: str, lenient: bool = False) -> Any:
    """Return the value of a JSON text.

    Parameters
    ----------
    lenient
        Whether ``NaN`` and such become strings, and halves of surrogate pairs, which are no text, pass.

    Raises
    ------
    ValueError
        With the reason, where it is no JSON that can be used: also where it nests deeper than anything that
        is written on purpose, or would take much memory.
    """
    brackets = text.count("[") + text.count("{")
    if brackets * _BRACKET_BYTES + text.count(",") * _ITEM_BYTES > MAX_JSON_BYTES:
        raise ValueError("it has too many values")
    try:
        value = json.loads(text, parse_constant=str if lenient else None, object_pairs_hook=unique_keys)
        if brackets > MAX_JSON_DEPTH and _is_too_deep(value):
            raise ValueError(_TOO_DEEP)
        if "\\u" in text and not lenient:
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError:
        raise ValueError("it holds half a surrogate pair") from None
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_JSON_DEPTH):
        inner = (one.values() if isinstance(one, dict) else one for one in level)
        level = [each for some in inner for each in some if isinstance(each, dict | list)]
        if not level:
            return False
    return True


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
        return load_json(text)
    except json.JSONDecodeError as error:
        in_line = isinstance(place, Place) and place.line
        where = place if in_line else Place(str(place), line=error.lineno)
        raise StemmataError(ErrorCode.NOT_JSON, where, reason=error.msg) from None
    except ValueError as error:
        raise StemmataError(ErrorCode.NOT_JSON, place, reason=str(error)[:80]) from None


def read_json(path: str | Path) -> Any:
    """Return the value of a JSON file; a byte order mark is passed over."""
    return parse_json(read_text(path).removeprefix("\ufeff"), str(path))


def json_lines(path: str | Path, report: Report | None = None) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield the objects of a file with one per line, each with its place; blank lines are passed over.

    The file is never held as a whole, for collections of texts can be larger than memory.
    """
    for number, start, line in read_lines(path):
        with reported(report):
            text = decode(line, path, number, start)
            yield from json_objects(text, path, report, number)


def is_blank(path: str | Path) -> bool:
    """Tell whether a file has no line with text."""
    return not any(line.strip() for _, _, line in read_lines(path))


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


def encodable(text: str) -> bool:
    """Tell whether a text can be written as UTF-8; half a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
