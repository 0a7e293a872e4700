"""Compound files ([MS-CFB]): the small file system in which Office kept its documents until 2007.

Chains of sectors are followed no further than the file has sectors, so one that runs in a circle ends.
"""

from __future__ import annotations

import struct
from functools import cached_property

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_END = 0xFFFFFFFA
"""Sector numbers from here on are marks: the end of a chain, or a sector that is free or special."""
_CUTOFF = 4096
"""Streams below this size stand in small sectors; the header has the number too, and no other is allowed."""
_ENTRY = 128
_IN_HEADER = 109


class CompoundFileError(ValueError):
    """The file does not hold together."""


class CompoundFile:
    """The streams of a compound file by name; those in folders count as well, the first of a name wins."""

    def __init__(self, data: bytes) -> None:
        if len(data) < 512 or not data.startswith(MAGIC):
            raise CompoundFileError("it has no header")
        self._data = data
        shift, mini_shift = struct.unpack_from("<HH", data, 30)
        if shift not in (9, 12) or mini_shift != 6:
            raise CompoundFileError("its sectors are of an unknown size")
        self._size = 1 << shift
        fields = struct.unpack_from("<8I", data, 44)
        self._fat_count, self._first_entry, _, _, self._first_mini, _, self._first_more, _ = fields

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """Return the content of a stream."""
        if name not in self._entries:
            raise CompoundFileError(f"it has no stream {name}")
        start, size = self._entries[name]
        if size >= _CUTOFF:
            return self._chain(start, size)
        pieces, left = [], size
        while start < _END and left > 0:
            pieces.append(self._mini_stream[start * 64 : start * 64 + min(64, left)])
            left -= 64
            start = _next(self._mini_fat, start)
        return b"".join(pieces)

    def _sector(self, number: int) -> bytes:
        at = (number + 1) * self._size
        if at >= len(self._data):
            raise CompoundFileError("a sector lies beyond its end")
        return self._data[at : at + self._size]

    def _chain(self, start: int, size: int | None = None) -> bytes:
        """Return the content of a chain of sectors, whole or up to a size."""
        most = len(self._data) // self._size + 1
        pieces: list[bytes] = []
        while start < _END and (size is None or len(pieces) * self._size < size):
            if len(pieces) > most:
                raise CompoundFileError("a chain of sectors runs in a circle")
            pieces.append(self._sector(start))
            start = _next(self._fat, start)
        return b"".join(pieces)[:size]

    @cached_property
    def _fat(self) -> tuple[int, ...]:
        numbers = list(struct.unpack_from(f"<{_IN_HEADER}I", self._data, 76))
        more, seen = self._first_more, 0
        per_sector = self._size // 4
        while more < _END:
            seen += 1
            if seen > len(self._data) // self._size + 1:
                raise CompoundFileError("the list of its tables runs in a circle")
            *here, more = struct.unpack(f"<{per_sector}I", self._sector(more).ljust(self._size, b"\xff"))
            numbers += here
        used = [number for number in numbers if number < _END][: self._fat_count]
        if len(used) > len(self._data) // self._size:
            raise CompoundFileError("it has more tables than sectors")
        table = b"".join(self._sector(number).ljust(self._size, b"\xff") for number in used)
        return struct.unpack(f"<{len(table) // 4}I", table)

    @cached_property
    def _mini_fat(self) -> tuple[int, ...]:
        table = self._chain(self._first_mini) if self._first_mini < _END else b""
        return struct.unpack(f"<{len(table) // 4}I", table[: len(table) // 4 * 4])

    @cached_property
    def _mini_stream(self) -> bytes:
        start, size = self._entries[""]
        return self._chain(start, size)

    @cached_property
    def _entries(self) -> dict[str, tuple[int, int]]:
        """Where streams start and how long they are; the root is the one without a name."""
        found: dict[str, tuple[int, int]] = {"": (_END, 0)}
        listed = self._chain(self._first_entry)
        for at in range(0, len(listed) - _ENTRY + 1, _ENTRY):
            length, kind = struct.unpack_from("<HB", listed, at + 64)
            start, size = struct.unpack_from("<II", listed, at + 116)
            name = listed[at : at + max(0, min(length, 64) - 2)].decode("utf-16-le", errors="replace")
            if kind == 5:
                found[""] = (start, size)
            elif kind == 2:
                found.setdefault(name, (start, size))
        return found


def _next(table: tuple[int, ...], number: int) -> int:
    if number >= len(table):
        raise CompoundFileError("a chain leads beyond its table")
    return table[number]
