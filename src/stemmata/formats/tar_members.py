"""The members of a .tar, plain or packed, read once from front to back and never trusted.

Python's own reader takes a damaged header for the end, so that what follows is lost without a word, and its
reading of extended headers takes, in versions before 3.11.10, time with the square of their digits
(CVE-2024-6232). Here an archive is whole only if it ends with the mark of its end.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BufferedReader, RawIOBase
from typing import IO, Any, NamedTuple

MOST_HEADER_BYTES = 1 << 20
"""An extended header, which holds a name or two, has no more."""
_BLOCK = 512
_SPARSE = "GNU.sparse."
_PACKED: dict[bytes, Any] = {b"\xfd7zXZ\0": lzma.open, b"\x1f\x8b": gzip.open, b"BZh": bz2.open}
_ZSTANDARD = b"\x28\xb5\x2f\xfd"


class TooMuchError(Exception):
    """More would have to be unpacked than is allowed."""


class TarMember(NamedTuple):
    """A member of an archive.

    Attributes
    ----------
    name, size
        As the archive has them.
    kind
        ``"file"``, ``"folder"``, ``"link"`` or ``"other"``.
    stream
        Its bytes, which are there until the next member is asked for.
    is_beyond
        Whether it does not end within what may be unpacked.
    """

    name: str
    size: int
    kind: str
    stream: IO[bytes]
    is_beyond: bool


def tar_members(packed: BufferedReader, most: int) -> Iterator[TarMember]:
    """Yield the members of a .tar; how it is packed is seen from its first bytes.

    Parameters
    ----------
    packed
        The file.
    most
        How many bytes may be unpacked in all.

    Raises
    ------
    TooMuchError
        If it has more bytes, or a header that is too large.
    Exception
        What `tarfile.TarError` and the modules that unpack stand for, if it is damaged or cut off.
    """
    with _unpacked(packed) as stream:
        bounded = _Bounded(stream, most)
        everywhere: dict[str, str] = {}
        here: dict[str, str] = {}
        while (block := bounded.exactly(_BLOCK)).strip(b"\0"):
            info = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
            if info.size < 0:
                raise tarfile.ReadError("a member has a negative size")
            if info.type in (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE):
                here |= _extended(bounded.header(info.size))
            elif info.type == tarfile.XGLTYPE:
                everywhere |= _extended(bounded.header(info.size))
            elif info.type == tarfile.GNUTYPE_LONGNAME:
                here["path"] = _text(bounded.header(info.size).partition(b"\0")[0])
            elif info.type == tarfile.GNUTYPE_LONGLINK:
                bounded.header(info.size)
            else:
                yield from _member(bounded, info, block, {**everywhere, **here})
                here = {}
        if stream is not packed:
            # The checksum stands at the end.
            while bounded.read(1 << 20):
                pass


def _member(
    bounded: _Bounded, info: tarfile.TarInfo, block: bytes, said: dict[str, str]
) -> Iterator[TarMember]:
    has_bytes = info.isreg() or info.type not in tarfile.SUPPORTED_TYPES
    size = (int(said["size"]) if "size" in said else info.size) if has_bytes else 0
    if size < 0:
        raise tarfile.ReadError("a member has a negative size")
    sparse = info.type == tarfile.GNUTYPE_SPARSE or any(key.startswith(_SPARSE) for key in said)
    more = block[482] if info.type == tarfile.GNUTYPE_SPARSE else 0
    while more:
        more = bounded.exactly(_BLOCK)[504]
    kind = "folder" if info.isdir() else "file" if info.isreg() and not sparse else "other"
    if info.issym() or info.islnk():
        kind = "link"
    piece = _Piece(bounded, size)
    is_beyond = size > bounded.left
    yield TarMember(said.get("path", info.name), size, kind, BufferedReader(piece), is_beyond)
    bounded.skip(piece.left + -size % _BLOCK)


def _extended(header: bytes) -> dict[str, str]:
    """Return what an extended header holds: records of a length, a blank, a key, ``=`` and a value."""
    found: dict[str, str] = {}
    at = 0
    while at < len(header) and header[at]:
        length, blank, _ = header[at : at + 20].partition(b" ")
        end = at + int(length) if length.isdigit() else at
        key, equals, value = header[at + len(length) + 1 : end - 1].partition(b"=")
        if not blank or not equals or end > len(header) or header[end - 1 : end] != b"\n":
            raise tarfile.HeaderError("an extended header is damaged")
        found[_text(key)] = _text(value)
        at = end
    return found


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


@contextmanager
def _unpacked(packed: BufferedReader) -> Iterator[Any]:
    opening = packed.peek(8)[:8]
    opener = next((opener for magic, opener in _PACKED.items() if opening.startswith(magic)), None)
    if opening.startswith(_ZSTANDARD):
        try:
            opener = import_module("compression.zstd").open
        except ImportError:
            raise NotImplementedError("Zstandard needs Python 3.14 or later") from None
    if opener is None:
        yield packed
        return
    with opener(packed, "rb") as stream:
        yield stream


class _Bounded:
    """The unpacked bytes of an archive, as far as they may be unpacked."""

    def __init__(self, stream: Any, most: int) -> None:
        self._stream, self._most = stream, most
        self.left = most

    def _go(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise TooMuchError(f"it unpacks to more than {self._most:,} bytes; it was read up to here")

    def read(self, size: int) -> bytes:
        data: bytes = self._stream.read(size)
        self._go(len(data))
        return data

    def exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = self.read(size - len(data))
            if not piece:
                raise tarfile.ReadError("it ends before the mark of its end")
            data += piece
        return data

    def header(self, size: int) -> bytes:
        """Return an extended header, and pass over what fills its last block."""
        if size > MOST_HEADER_BYTES:
            raise TooMuchError(f"a header has {size:,} bytes")
        return self.exactly(size + -size % _BLOCK)[:size]

    def skip(self, size: int) -> None:
        if size:
            self._go(size)
            self._stream.seek(size, 1)


class _Piece(RawIOBase):
    """The bytes of one member."""

    def __init__(self, bounded: _Bounded, size: int) -> None:
        super().__init__()
        self._bounded = bounded
        self.left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        wanted = min(len(buffer), self.left)
        data = self._bounded.read(wanted) if wanted else b""
        if wanted and not data:
            raise tarfile.ReadError("it is cut off within a member")
        buffer[: len(data)] = data
        self.left -= len(data)
        return len(data)
