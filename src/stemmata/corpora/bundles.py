"""What a user brings a corpus in: a folder, or an archive that is not trusted.

An archive may hold plain files and folders under relative names, nothing else: no links, no devices, no way
out of the folder it is unpacked in, no name twice, and no more bytes than its own size makes likely.
"""

from __future__ import annotations

import lzma
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from stemmata.corpora.fingerprints import Readable, plain_path
from stemmata.formats.archives import open_zip
from stemmata.formats.files import is_folder, open_file, opened
from stemmata.formats.tar_members import TarMember, TooMuchError, tar_members
from stemmata.model import ErrorCode, StemmataError

MAX_FILES = 500_000
"""Members of an archive; larger corpora are unpacked by their user and added as a folder."""
MAX_BYTES = 64 * 1024**3
MIN_BYTES = 256 * 1024**2
"""An archive of any size may unpack to this much."""
MAX_RATIO = 200
"""Beyond that, to so many times its own size: text shrinks to a quarter, repetitive markup to a hundredth."""

_BROKEN = (
    *(tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError),
    *(OSError, RuntimeError, ValueError, NotImplementedError),
)


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
    with opened(path) as file:
        return ZipArchive(path) if file.read(2) == b"PK" else TarArchive(path)


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
            with open_file(self._real[name]) as file:
                yield name, file


class ZipArchive:
    """A ``.zip`` file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._members: dict[str, zipfile.ZipInfo] = {}

    def sizes(self) -> dict[str, int]:
        """Return the size of every member, as the archive tells it."""
        members = _Members(self.path)
        with _told_as_errors(self.path), open_zip(self.path) as archive:
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
        with _told_as_errors(self.path), open_zip(self.path) as archive:
            for name in sorted(wanted):
                with archive.open(self._members[name]) as stream:
                    yield name, _Bounded(stream, self._members[name].file_size, self.path)


class TarArchive:
    """A ``.tar`` file, plain or packed by gzip, bzip2, xz or, from Python 3.14 on, Zstandard."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def sizes(self) -> dict[str, int]:
        """Return the size of every member, reading the archive once."""
        members = _Members(self.path)
        for one in self._walk():
            members.take(one.name, one.size, one.kind == "file", one.kind == "folder")
        return members.sizes

    def contents(self, wanted: Collection[str]) -> Iterator[tuple[str, Readable]]:
        """Unpack the wanted members into streams, in the order of the archive."""
        for one in self._walk():
            name = plain_path(_stripped(one.name))
            if one.kind == "file" and name in wanted:
                yield name, _Bounded(one.stream, one.size, self.path)

    def _walk(self) -> Iterator[TarMember]:
        with _told_as_errors(self.path), open_file(self.path) as packed:
            yield from tar_members(packed, _limit(self.path) + 1024 * MAX_FILES)


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


class _Bounded:
    """A stream that gives no more than it should; what is broken is a coded error."""

    def __init__(self, inner: Any, limit: int, path: Path) -> None:
        self._inner, self._left, self._path = inner, limit, path

    def read(self, size: int, /) -> bytes:
        """Return the next bytes."""
        with _told_as_errors(self._path):
            data: bytes = self._inner.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise _too_large(self._path, "a member of more bytes than it says")
        return data


def _limit(path: Path) -> int:
    return min(MAX_BYTES, max(MIN_BYTES, MAX_RATIO * path.stat().st_size))


def _too_large(path: Path, what: str) -> StemmataError:
    return StemmataError(ErrorCode.ARCHIVE_TOO_LARGE, path, what=what)


@contextmanager
def _told_as_errors(path: Path) -> Iterator[None]:
    """Turn what the standard library says of a broken archive into a coded error."""
    try:
        yield
    except TooMuchError as error:
        raise _too_large(path, str(error)) from None
    except _BROKEN as error:
        reason = str(error) or type(error).__name__
        raise StemmataError(ErrorCode.NOT_AN_ARCHIVE, path, reason=reason[:200]) from None
