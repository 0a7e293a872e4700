"""Large read-only files, looked at in place instead of read as a whole."""

from __future__ import annotations

from mmap import ACCESS_READ, mmap
from pathlib import Path

from stemmata.model import ErrorCode, StemmataError

LARGEST = 256 << 20
"""Bytes beyond which a dictionary is refused; none comes near it."""


def map_file(path: Path) -> mmap | bytes:
    """Return the bytes of a file without reading them yet."""
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise StemmataError(ErrorCode.TOO_LARGE, path, size=size, limit=LARGEST)
        if not size:
            return b""
        with path.open("rb") as file:
            return mmap(file.fileno(), 0, access=ACCESS_READ)
    except OSError as error:
        raise StemmataError(ErrorCode.UNREADABLE, path, reason=error.strerror) from None
