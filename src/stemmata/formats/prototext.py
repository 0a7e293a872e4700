r"""TIRA's result files: measures and their values as protocol buffers in text form.

::

    measure {
      key: "plagdet"
      value: "0.884"
    }

Strings are in double quotes; ``\"``, ``\\``, ``\n``, ``\r``, ``\t``, octal and ``\x`` escapes are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from stemmata.formats.faults import Report, fault
from stemmata.formats.files import read_text, write_atomically
from stemmata.formats.json_text import encodable
from stemmata.model import ErrorCode, Place, StemmataError

_TOKEN = re.compile(
    r"""(?P<blank>[\s,;]+ | \#[^\n]*)
    | (?P<string>"(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*')
    | (?P<word>[\w.+-]+)
    | (?P<mark>[{}:])""",
    re.VERBOSE,
)
_ESCAPE = re.compile(rb"\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b'"': b'"', b"'": b"'", b"\\": b"\\"}
_TO_ESCAPE = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t"})


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def read_prototext(path: str | Path, report: Report | None = None) -> dict[str, str]:
    """Read the values of all measures by name, in the order of the file.

    `report` receives repeated names; anything else that is wrong ends the reading.
    """
    tokens = _tokens(read_text(path).removeprefix("\ufeff"), str(path))
    measures: dict[str, str] = {}
    for token in tokens:
        if token.text != "measure":
            raise _wrong(path, token, "a measure is expected")
        name, value, line = _measure(path, tokens)
        if name in measures:
            place = Place(str(path), line=line)
            fault(report, ErrorCode.REPEATED_MEASURE, place, name=name[:80])
        else:
            measures[name] = value
    return measures


def _measure(path: str | Path, tokens: Iterator[_Token]) -> tuple[str, str, int]:
    """Read what follows the word ``measure``; return key, value, and the line where it begins."""
    said: dict[str, str] = {}
    begin = token = _next(path, tokens)
    if token.text == ":":  # allowed before a brace
        begin = token = _next(path, tokens)
    if token.text != "{":
        raise _wrong(path, token, "a brace is expected")
    while (token := _next(path, tokens)).text != "}":
        if token.text not in ("key", "value"):
            raise _wrong(path, token, "key or value is expected")
        if token.text in said:
            raise _wrong(path, token, f"the measure has two {token.text}s")
        if (colon := _next(path, tokens)).text != ":":
            raise _wrong(path, colon, "a colon is expected")
        said[token.text] = _scalar(path, _next(path, tokens))
    if len(said) < 2:
        raise _wrong(path, token, "the measure lacks its key or its value")
    return said["key"], said["value"], begin.line


def _scalar(path: str | Path, token: _Token) -> str:
    if token.kind == "word":  # numbers may stand without quotes
        return token.text
    if token.kind != "string":
        raise _wrong(path, token, "a string is expected")
    try:
        return _ESCAPE.sub(_unescaped, token.text[1:-1].encode()).decode()
    except (UnicodeDecodeError, KeyError, ValueError):
        raise _wrong(path, token, "an escape in the string is wrong") from None


def _unescaped(escape: re.Match[bytes]) -> bytes:
    hexadecimal, octal, letter = escape.groups()
    if hexadecimal:
        return bytes([int(hexadecimal, 16)])
    return bytes([int(octal, 8)]) if octal else _ESCAPED[letter]


def _tokens(text: str, path: str) -> Iterator[_Token]:
    at, line = 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _wrong(path, _Token("", text[at : at + 20], line), "this belongs to no measure")
        if match.lastgroup and match.lastgroup != "blank":
            yield _Token(match.lastgroup, match.group(), line)
        line += match.group().count("\n")
        at = match.end()


def _next(path: str | Path, tokens: Iterator[_Token]) -> _Token:
    token = next(tokens, None)
    if token is None:
        raise StemmataError(ErrorCode.BAD_PROTOTEXT, path, reason="it ends within a measure")
    return token


def _wrong(path: str | Path, token: _Token, reason: str) -> StemmataError:
    said = f"{reason}, not {token.text[:40]!r}" if token.text else reason
    return StemmataError(ErrorCode.BAD_PROTOTEXT, Place(str(path), line=token.line), reason=said)


def write_prototext(path: str | Path, measures: Mapping[str, object]) -> None:
    """Write measures in the given order, whole or not at all; values are written as they print."""
    blocks = [
        f'measure {{\n  key: "{_escaped(path, name)}"\n  value: "{_escaped(path, str(value))}"\n}}\n'
        for name, value in measures.items()
    ]
    with write_atomically(path) as part:
        part.write_text("".join(blocks), encoding="utf-8", newline="\n")


def _escaped(path: str | Path, text: str) -> str:
    if not encodable(text):
        raise StemmataError(ErrorCode.UNWRITABLE_ID, path, value=text[:80])
    return text.translate(_TO_ESCAPE)
