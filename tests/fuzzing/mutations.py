"""Ways to damage the content of a file; each is given a generator of random numbers and the bytes."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

Mutation = Callable[[Random, bytes], bytes]

MANY_DIGITS = "9" * 5000
NUMBERS = (
    *("0", "-1", "1e308", "-1e308", "1e999", "NaN", "Infinity", "-Infinity", "inf", "nan", "0.5", "1_000"),
    *("2147483648", "9223372036854775808", "1" + "0" * 30, "9" * 400, MANY_DIGITS, "0x10", "٣", "½", ""),
)
STRINGS = (
    *(
        "",
        " ",
        "\0",
        "a\0b",
        "\n",
        "\r\n\r\n",
        "\x1b]0;pwned\x07\x1b[2J",
        "\ufeff",
        "\u202e",
        "\udc80",
        "\U0010ffff",
    ),
    *(
        "..",
        "/",
        "../../outside/thesis.txt",
        "/etc/passwd",
        "C:\\x",
        ".hidden",
        "-o",
        "--help",
        "a/b",
        "~",
        "$HOME",
    ),
    *('=HYPERLINK("http://evil.test")', "<script>alert(1)</script>", "a$\\frac{$b", "%s%n{0}", "{x", "NaN"),
    *(
        "x" * 300,
        "ä" * 200,
        "é" * 5000,
        "İ",
        "ß" * 40,
        "👩‍👩‍👧‍👦",
        "e" + "\u0301" * 500,
        "words of text " * 2000,
    ),
)
VALUES = (None, True, False, 0, -1, 1e308, 10**30, [], {}, [[]], [None] * 3, {"": ""}, {"a": {"b": []}})


def flip_bits(rng: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 8, 64))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut(rng: Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def cut_front(rng: Random, data: bytes) -> bytes:
    return data[rng.randrange(len(data) + 1) :]


def delete_piece(rng: Random, data: bytes) -> bytes:
    begin, end = _piece(rng, data)
    return data[:begin] + data[end:]


def double_piece(rng: Random, data: bytes) -> bytes:
    begin, end = _piece(rng, data)
    return data[:end] + data[begin:end] * rng.choice((1, 1, 2, 50)) + data[end:]


def move_piece(rng: Random, data: bytes) -> bytes:
    begin, end = _piece(rng, data)
    rest = data[:begin] + data[end:]
    place = rng.randrange(len(rest) + 1)
    return rest[:place] + data[begin:end] + rest[place:]


def put_bytes(rng: Random, data: bytes) -> bytes:
    place = rng.randrange(len(data) + 1)
    odd = (
        b"\0",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"\xf8\x88\x80\x80\x80",
        b"\xc0\xaf",
        b"\r",
        b"\x1b[2J",
        b"\x85",
    )
    return data[:place] + rng.choice(odd) * rng.choice((1, 1, 100)) + data[place:]


def change_number(rng: Random, data: bytes) -> bytes:
    return _replaced(rng, data, rb"[+-]?\d+(?:\.\d+)?", rng.choice(NUMBERS))


def change_string(rng: Random, data: bytes) -> bytes:
    return _replaced(rng, data, rb"(?<=\")[^\"\n]*(?=\")|[^\W\d]+", rng.choice(STRINGS))


def repeat_line(rng: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True) or [b"\n"]
    place = rng.randrange(len(lines))
    most = max(1, 300_000 // max(1, len(lines[place])))
    times = rng.choice((1, min(2, most), min(1000, most), most))
    return b"".join([*lines[:place], lines[place] * (times + 1), *lines[place + 1 :]])


def shuffle_lines(rng: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    rng.shuffle(lines)
    return b"".join(lines)


def endless_line(rng: Random, data: bytes) -> bytes:
    place = rng.randrange(len(data) + 1)
    return (
        data[:place]
        + rng.choice((b"a", b" ", b"1", b"<", b"\\", b"{", b"ab ", b'"')) * 2_000_000
        + data[place:]
    )


def nest(rng: Random, data: bytes) -> bytes:
    depth = rng.choice((200, 980, 5000, 100_000))
    opening, closing = rng.choice(
        ((b"[", b"]"), (b'{"a":', b"}"), (b"<a>", b"</a>"), (b"(", b")"), (b"{", b"}"))
    )
    match = _found(rng, data, rb"\"[^\"\n]*\"|\d+|>")
    place = match.end() if match else len(data)
    whole = rng.random() < 0.3
    nested = opening * depth + b"1" + closing * (depth if rng.random() < 0.7 else 0)
    return nested if whole else data[:place] + nested + data[place:]


def other_encoding(rng: Random, data: bytes) -> bytes:
    encoding = rng.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-7", "cp1251", "latin-1"))
    return data.decode(errors="replace").encode(encoding, "replace")


def other_line_ends(rng: Random, data: bytes) -> bytes:
    return data.replace(
        b"\n", rng.choice((b"\r", b"\r\n", b"\x85", b"\0", b"\x0b", b"\xe2\x80\xa8", b" ", b""))
    )


def empty(rng: Random, data: bytes) -> bytes:
    return rng.choice((b"", b"\xef\xbb\xbf", b"\n", b"\0" * 1000, b"{}", b"[]", b"null", b"<a/>", b"0"))


def change_json(rng: Random, data: bytes) -> bytes:
    """Replace, remove or double one value of JSON, or of one line of it."""
    lines = data.splitlines()
    number = rng.randrange(len(lines)) if lines else 0
    try:
        whole = json.loads(data)
        lines, number = [data], 0
    except (ValueError, RecursionError):
        try:
            whole = json.loads(lines[number])
        except (ValueError, IndexError, RecursionError):
            return change_string(rng, data)
    lines[number] = json.dumps(_changed(rng, whole)).encode()
    return b"\n".join(lines) + b"\n"


def _changed(rng: Random, value: Any) -> Any:
    """Return a JSON value with one part changed, the whole being a part too."""
    children = (
        list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    )
    if not children or rng.random() < 0.15:
        return rng.choice((*VALUES, rng.choice(STRINGS), float(rng.choice(("inf", "nan", "-1e-320")))))
    key = rng.choice(children)
    changed: Any = value.copy()
    act = rng.randrange(8)
    if act == 0:
        del changed[key]
    elif act == 1 and isinstance(value, dict):
        changed[rng.choice(STRINGS)] = changed.pop(key)
    elif act == 1:
        changed.insert(0, value[key])
    else:
        changed[key] = _changed(rng, value[key])
    return changed


def change_packed(rng: Random, data: bytes) -> bytes:
    """Damage a member of a zip archive, as documents of office programs are."""
    out = io.BytesIO()
    try:
        with (
            zipfile.ZipFile(io.BytesIO(data)) as packed,
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made,
        ):
            names = packed.namelist()
            chosen = rng.choice(names)
            for name in names:
                content = packed.read(name)
                made.writestr(name, rng.choice(CONTENT)(rng, content) if name == chosen else content)
    except Exception:  # it was damaged before, in whatever way
        return flip_bits(rng, data)
    return out.getvalue()


CONTENT: tuple[Mutation, ...] = (
    *(flip_bits, flip_bits, cut, cut_front, delete_piece, double_piece, move_piece, put_bytes),
    *(change_number, change_number, change_string, change_string, repeat_line, shuffle_lines, endless_line),
    *(nest, other_encoding, other_line_ends, empty),
)
JSON = (*CONTENT, *(change_json,) * 8)
PACKED = (*CONTENT, *(change_packed,) * 12)


def damaged(rng: Random, data: bytes, ways: tuple[Mutation, ...] = CONTENT) -> tuple[bytes, str]:
    """Damage content in one way or some; return it, and what was done."""
    chosen = [rng.choice(ways) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    for way in chosen:
        data = way(rng, data)
    return data, ", ".join(way.__name__.replace("_", " ") for way in chosen)


def _piece(rng: Random, data: bytes) -> tuple[int, int]:
    begin = rng.randrange(len(data) + 1)
    return begin, min(len(data), begin + rng.choice((1, 4, 16, 256)))


def _found(rng: Random, data: bytes, pattern: bytes) -> re.Match[bytes] | None:
    found = list(re.finditer(pattern, data[:200_000]))
    return rng.choice(found) if found else None


def _replaced(rng: Random, data: bytes, pattern: bytes, text: str) -> bytes:
    match = _found(rng, data, pattern)
    new = text.encode(errors="surrogatepass")
    return data[: match.start()] + new + data[match.end() :] if match else data + new
