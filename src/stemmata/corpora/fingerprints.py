"""The content of a corpus in a few bytes per file, so that a damaged copy is known and its damage named.

A fingerprint is the SHA-256 over one line ``sha256 size path`` per file, sorted by path. That digest alone
can say that a copy differs, but not where; so a table of the same lines, with each file's digest cut to
its first 16 digits, is kept beside it. A copy is accepted by the whole digest only; the table is for words.

Paths are relative, with ``/``, in Unicode's form NFC, because some systems write names decomposed.
Hidden files and what unpackers leave behind are no part of a corpus.
"""

from __future__ import annotations

import hashlib
import lzma
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Protocol

SHOWN_DIGITS = 16
"""Digits of a file's digest in a table: enough to tell any two files of a corpus apart."""
MAX_DEPTH = 4
"""How many folders may lie around a corpus in what a user names."""
_CHUNK = 1024 * 1024
_LEFT_BEHIND = {"__MACOSX", "Thumbs.db", "desktop.ini"}

Advance = Callable[[int], None]


class Readable(Protocol):
    """What bytes can be read from, piece by piece."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most `size`; none at the end."""


class Writable(Protocol):
    """What bytes can be written to."""

    def write(self, data: bytes, /) -> int:
        """Write the bytes behind what was written before."""


class Content(NamedTuple):
    """The size of a file and the digest of its bytes; in a table, the beginning of the digest."""

    size: int
    digest: str


Table = Mapping[str, Content]
"""The files of a corpus by their path, sorted."""


def plain_path(path: str) -> str:
    """Return a relative path as fingerprints write it."""
    return unicodedata.normalize("NFC", path)


def belongs(path: str) -> bool:
    """Tell whether a file may be part of a corpus: neither it nor a folder above is hidden or left over."""
    return not any(part.startswith(".") or part in _LEFT_BEHIND for part in path.split("/"))


def below(path: str, folders: Iterable[str]) -> bool:
    """Tell whether a path lies in one of the folders."""
    return any(path.startswith(folder + "/") for folder in folders)


def read_content(source: Readable, target: Writable | None = None) -> Content:
    """Read a file once, in pieces, for its size and digest, and write what is read to the target."""
    made, size = hashlib.sha256(), 0
    while piece := source.read(_CHUNK):
        made.update(piece)
        size += len(piece)
        if target is not None:
            target.write(piece)
    return Content(size, made.hexdigest())


def digest(files: Table) -> str:
    """Return the fingerprint of a corpus.

    Examples
    --------
    >>> whole = digest({"a.txt": Content(0, "e3b0"), "b.txt": Content(1, "ca97")})
    >>> whole == digest({"b.txt": Content(1, "ca97"), "a.txt": Content(0, "e3b0")})
    True
    """
    made = hashlib.sha256()
    for path, content in sorted(files.items()):
        made.update(f"{content.digest} {content.size} {path}\n".encode())
    return made.hexdigest()


def pack_table(files: Table) -> bytes:
    """Return a table as it is kept: lines of text, packed as ``.xz``."""
    lines = (f"{one.digest[:SHOWN_DIGITS]} {one.size} {path}\n" for path, one in sorted(files.items()))
    return lzma.compress("".join(lines).encode(), preset=6 | lzma.PRESET_EXTREME)


def unpack_table(packed: bytes) -> Table:
    """Return a table that was kept. It is part of the package, so its form is not doubted."""
    rows = (line.split(" ", 2) for line in lzma.decompress(packed).decode().splitlines())
    return {path: Content(int(size), start) for start, size, path in rows}


def find_root(sizes: Mapping[str, int], table: Table, by_size: bool = True) -> tuple[str, int]:
    """Find the folder in a listing that looks most like a corpus.

    Parameters
    ----------
    sizes
        The size of each file by its path, in what a user named.
    table
        The corpus to look for.
    by_size
        Whether a file must have the right size, not only the right name.

    Returns
    -------
    tuple
        The folder, ``""`` for the whole or a path that ends with ``/``, and how many of the right files it
        holds. The more the better; of two alike, the upper one.
    """
    found: Counter[str] = Counter()
    for path, size in sizes.items():
        start = 0
        for _ in range(MAX_DEPTH + 1):
            content = table.get(path[start:])
            if content is not None and (content.size == size or not by_size):
                found[path[:start]] += 1
            start = path.find("/", start) + 1
            if not start:
                break
    if not found:
        return "", 0
    return min(found.items(), key=lambda item: (-item[1], item[0].count("/"), item[0]))


def differences(expected: Table, sizes: Mapping[str, int], contents: Table | None = None) -> list[str]:
    """Say for each file, in the order of paths, how a copy differs from the original.

    Without `contents` only names and sizes are compared, which needs no file to be read.
    """
    said = []
    for path in sorted({*expected, *sizes}):
        if path not in sizes:
            said.append(f"{path} is missing")
        elif path not in expected:
            said.append(f"{path} is not part of it")
        elif sizes[path] != expected[path].size:
            said.append(f"{path} has {sizes[path]:,} bytes instead of {expected[path].size:,}")
        elif contents is not None and not contents[path].digest.startswith(expected[path].digest):
            said.append(f"{path} has other content")
    return said


def first_of(said: list[str]) -> str:
    """Return the first difference, and how many files differ if it is not alone."""
    return said[0] if len(said) == 1 else f"{said[0]}, and {len(said):,} files differ in all"
