"""What a user brings a corpus in: a folder, or an archive that is not trusted.

An archive may hold plain files and folders under relative names, nothing else: no links, no devices, no way
out of the folder it is unpacked in, no name twice, and no more bytes than its own size makes likely.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from stemmata.corpora.fingerprints import Readable, plain_path
from stemmata.formats.files import is_folder
from stemmata.model import ErrorCode, StemmataError

MAX_FILES = 500_000
"""Members of an archive; larger corpora are unpacked by their user and added as a folder."""
MAX_BYTES = 64 * 1024**3
MIN_BYTES = 256 * 1024**2
"""An archive of any size may unpack to this much."""
MAX_RATIO = 200
"""Beyond that, to so many times its own size: text shrinks to a quarter, repetitive markup to a hundredth."""
_MAX_READ = 16 * 1024**2

_BROKEN = (
    *(tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError),
    *(OSError, RuntimeError, ValueError, NotImplementedError),
)
_ZIP, _XZ, _GZIP, _BZIP2, _ZSTD = b"PK", b"\xfd7zXZ\0", b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd"


class Bundle(Protocol):
    """Files by relative path, wherever they are kept."""

    def sizes(self) -> dict[str, int]:
        """Return the size of every file by its path."""

    def contents(self, wanted: Collection[str]) -> Iterator[tuple[str, Readable]]:
        """Give the wanted files, each to be read before the next is asked for."""


def open_bundle(path: Path) -> Bundle:
    """Open a folder or an archive; which kind of archive is told by its first bytes, not by its name."""
    if is_folder(path):
        return Folder(path)
    try:
        with path.open("rb") as file:
            opening = file.read(8)
    except OSError as error:
        raise StemmataError(ErrorCode.UNREADABLE, path, reason=error.strerror or str(error)) from None
    return ZipArchive(path) if opening.startswith(_ZIP) else TarArchive(path, _decompressor(path, opening))


class Folder:
    """A folder as it lies on the disk. Links in it are followed, for it is the user's own, but no circle."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._real: dict[str, str] = {}

    def sizes(self) -> dict[str, int]:
        """Return the size of every regular file."""
        found = {}
        walked = set()
        top = len(os.path.join(self.path, ""))  # noqa: PTH118
        for folder, folders, names in os.walk(self.path, followlinks=True):
            here = os.stat(folder)  # noqa: PTH116
            if (here.st_dev, here.st_ino) in walked:
                folders.clear()
                continue
            walked.add((here.st_dev, here.st_ino))
            # What is hidden is no part of a corpus, and may be large.
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in names:
                real = os.path.join(folder, name)  # noqa: PTH118
                try:
                    status = os.stat(real)  # noqa: PTH116
                except OSError:
                    continue
                if stat.S_ISREG(status.st_mode):
                    plain = plain_path(real[top:].replace(os.sep, "/"))
                    found[plain], self._real[plain] = status.st_size, real
        return found

    def place_of(self, root: str, paths: Collection[str]) -> Path:
        """Return the folder, as the disk spells it, that holds these paths below `root`."""
        inside = min(paths)
        return Path(self._real[root + inside]).parents[inside.count("/")]

    def contents(self, wanted: Collection[str]) -> Iterator[tuple[str, Readable]]:
        """Open the wanted files one after the other."""
        for name in sorted(wanted):
            real = Path(self._real[name])
            try:
                file = real.open("rb")
            except OSError as error:
                raise StemmataError(ErrorCode.UNREADABLE, real, reason=error.strerror or str(error)) from None
            with file:
                yield name, file


class ZipArchive:
    """A ``.zip`` file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._members: dict[str, zipfile.ZipInfo] = {}

    def sizes(self) -> dict[str, int]:
        """Return the size of every member, as the archive tells it."""
        members = _Members(self.path)
        with _told_as_errors(self.path), zipfile.ZipFile(self.path) as archive:
            for info in archive.infolist():
                mode = info.external_attr >> 16
                kind = stat.S_IFMT(mode) if info.create_system == 3 else 0
                if info.flag_bits & 1:
                    raise members.refused(info.filename, "it is encrypted")
                plain = not kind or stat.S_ISREG(mode)
                if name := members.take(info.filename, info.file_size, plain, info.is_dir()):
                    self._members[name] = info
        return members.sizes

    def contents(self, wanted: Collection[str]) -> Iterator[tuple[str, Readable]]:
        """Unpack the wanted members into streams; the checksum inside the archive is checked on the way."""
        with _told_as_errors(self.path), zipfile.ZipFile(self.path) as archive:
            for name in sorted(wanted):
                with archive.open(self._members[name]) as stream:
                    yield name, _Bounded(stream, self._members[name].file_size, self.path)


class TarArchive:
    """A ``.tar`` file, plain or packed by gzip, bzip2, xz or, from Python 3.14 on, Zstandard."""

    def __init__(self, path: Path, decompress: Callable[[Path], BinaryIO]) -> None:
        self.path = path
        self._decompress = decompress

    def sizes(self) -> dict[str, int]:
        """Return the size of every member, reading the archive once."""
        members = _Members(self.path)
        for info, _ in self._walk():
            members.take(info.name, info.size, info.isreg() and not info.issparse(), info.isdir())
        return members.sizes

    def contents(self, wanted: Collection[str]) -> Iterator[tuple[str, Readable]]:
        """Unpack the wanted members into streams, in the order of the archive."""
        for info, archive in self._walk():
            name = plain_path(_stripped(info.name))
            if info.isreg() and name in wanted and (stream := archive.extractfile(info)):
                yield name, _Bounded(stream, info.size, self.path)

    def _walk(self) -> Iterator[tuple[tarfile.TarInfo, tarfile.TarFile]]:
        with _told_as_errors(self.path), self._decompress(self.path) as inner:
            guarded = _Bounded(inner, _limit(self.path) + 1024 * MAX_FILES, self.path)
            with tarfile.open(fileobj=guarded, mode="r:") as archive:
                # Members are forgotten at once, or an archive of many would fill the memory.
                while info := archive.next():
                    archive.members = []  # type: ignore[attr-defined]
                    yield info, archive


class _Members:
    """The members of an archive, each looked at before anything is unpacked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sizes: dict[str, int] = {}
        self._total = self._seen = 0
        self._limit = _limit(path)

    def take(self, name: str, size: int, is_file: bool, is_folder: bool) -> str:
        """Accept a member and return its path; a folder has none. What is refused is an error."""
        self._seen += 1
        if self._seen > MAX_FILES:
            raise _too_large(self.path, f"more than {MAX_FILES:,} members")
        if reason := _unsafe(name, is_file, is_folder):
            raise self.refused(name, reason)
        if is_folder:
            return ""
        plain = plain_path(_stripped(name))
        if plain in self.sizes:
            raise self.refused(name, "it stands there twice")
        self._total += size
        if self._total > self._limit:
            raise _too_large(self.path, f"more than {self._limit:,} bytes when unpacked")
        self.sizes[plain] = size
        return plain

    def refused(self, name: str, reason: str) -> StemmataError:
        """Return the error for a member."""
        return StemmataError(ErrorCode.HOSTILE_ARCHIVE, self.path, member=name[:100], reason=reason)


def _unsafe(name: str, is_file: bool, is_folder: bool) -> str:
    """Return why a member is refused, or nothing."""
    if not is_file and not is_folder:
        return "it is a link or a device, not a file"
    if not name or "\0" in name or "\\" in name or not name.isprintable():
        return "it has no proper name"
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "its path is absolute"
    if ".." in name.split("/"):
        return "its path leads out of the folder"
    return ""


def _stripped(name: str) -> str:
    return "/".join(part for part in name.split("/") if part not in ("", "."))


class _Bounded(io.BufferedIOBase):
    """A stream that gives no more than it should, in all and at once; what is broken is a coded error."""

    def __init__(self, inner: Any, limit: int, path: Path) -> None:
        self._inner, self._limit, self._path = inner, limit, path

    def read(self, size: int | None = -1, /) -> bytes:
        """Read no more than `size` bytes; a header that asks for very many is a trap."""
        wanted = _MAX_READ if size is None or size < 0 else size
        if wanted > _MAX_READ:
            raise _too_large(self._path, f"a header of {wanted:,} bytes")
        with _told_as_errors(self._path):
            data: bytes = self._inner.read(wanted)
            position = self._inner.tell()
        self._check(position)
        return data

    def seek(self, position: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to a place that is not beyond the limit."""
        self._check(position)
        with _told_as_errors(self._path):
            return int(self._inner.seek(position, whence))

    def tell(self) -> int:
        """Return the place in the stream."""
        return int(self._inner.tell())

    def _check(self, position: int) -> None:
        if position > self._limit:
            raise _too_large(self._path, f"more than {self._limit:,} bytes when unpacked")


def _limit(path: Path) -> int:
    return min(MAX_BYTES, max(MIN_BYTES, MAX_RATIO * path.stat().st_size))


def _too_large(path: Path, what: str) -> StemmataError:
    return StemmataError(ErrorCode.ARCHIVE_TOO_LARGE, path, what=what)


def _decompressor(path: Path, opening: bytes) -> Callable[[Path], BinaryIO]:
    openers: dict[bytes, Any] = {_XZ: lzma.open, _GZIP: gzip.open, _BZIP2: bz2.open}
    if opening.startswith(_ZSTD):
        try:
            openers[_ZSTD] = import_module("compression.zstd").open
        except ImportError:
            reason = "Zstandard needs Python 3.14 or later"
            raise StemmataError(ErrorCode.NOT_AN_ARCHIVE, path, reason=reason) from None
    return next((opener for magic, opener in openers.items() if opening.startswith(magic)), _open_plain)


def _open_plain(path: Path) -> BinaryIO:
    return path.open("rb")


@contextmanager
def _told_as_errors(path: Path) -> Iterator[None]:
    """Turn what the standard library says of a broken archive into a coded error."""
    try:
        yield
    except _BROKEN as error:
        reason = str(error) or type(error).__name__
        raise StemmataError(ErrorCode.NOT_AN_ARCHIVE, path, reason=reason[:200]) from None
