"""Documents in archives, one after the other, in memory; nothing is written to disk, nothing is trusted.

Names are checked although nothing is unpacked under them: a document keeps its name, and somebody may write
it to disk one day. What an archive may unpack to is limited by member, and by the size of the archive itself.
"""

from __future__ import annotations

import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISLNK
from typing import IO, BinaryIO, NamedTuple

from stemmata.formats.faults import Report
from stemmata.formats.files import FREE_BYTES, MOST_RATIO, open_file
from stemmata.formats.tar_members import TooMuchError, tar_members
from stemmata.model import ErrorCode, Finding, StemmataError

MOST_MEMBER_BYTES = 64 << 20
"""A document in an archive has no more, unpacked."""
MOST_DIRECTORY_BYTES = 48 << 20
"""The list of members of a .zip, which is held in memory: some 500,000."""
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
"""The endings of names that are taken for archives."""
_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    ArithmeticError,
    OSError,
)
"""What is raised for archives that are damaged, encrypted or packed in a way of their own."""


class Member(NamedTuple):
    """A file in an archive: its name, and its content, to be read at once or not at all."""

    name: str
    stream: IO[bytes]


class StopArchiveError(Exception):
    """The rest of an archive cannot be read; why has been reported."""


def is_archive(path: str | Path) -> bool:
    """Tell by its name whether a file is an archive."""
    return str(path).lower().endswith(ARCHIVES)


def read_members(path: Path, report: Report) -> Iterator[Member]:
    """Yield the files in an archive that have safe names and sizes; the others are reported.

    Reading a member raises `TooMuchError` where it unpacks to more than is allowed.
    """
    name = ""
    members = _zip_members if path.name.lower().endswith(".zip") else _tar_members
    try:
        for member in members(path, report):
            name = member.name
            yield member
    except TooMuchError as error:
        report(Finding.of(ErrorCode.ARCHIVE_TOO_MUCH, path, name=name, reason=str(error)))
    except StemmataError as error:
        report(error.finding)
    except _DAMAGE as error:
        report(Finding.of(ErrorCode.BAD_ARCHIVE, path, reason=str(error)[:80] or type(error).__name__))


def read_member(member: Member) -> bytes:
    """Return the content of a member; more than is allowed raises `TooMuchError`."""
    data = member.stream.read(MOST_MEMBER_BYTES + 1)
    if len(data) > MOST_MEMBER_BYTES:
        raise TooMuchError(f"it has more than {MOST_MEMBER_BYTES:,} bytes")
    return data


@contextmanager
def member_reported(path: Path, member: Member, report: Report) -> Iterator[None]:
    """Report what is wrong with a member, and go on.

    Raises
    ------
    StopArchiveError
        Where nothing behind the member can be read, as in a .tar that is damaged.
    """
    try:
        yield
    except StemmataError as error:
        report(error.finding)
    except (TooMuchError, *_DAMAGE) as error:
        too_much = isinstance(error, TooMuchError)
        kind = ErrorCode.ARCHIVE_TOO_MUCH if too_much else ErrorCode.DAMAGED_MEMBER
        reason = str(error)[:120] or type(error).__name__
        report(Finding.of(kind, path, name=member.name, reason=reason))
        if not isinstance(member.stream, zipfile.ZipExtFile):
            raise StopArchiveError from None


def unsafe_name(name: str) -> str:
    r"""Return why a name in an archive is refused; empty if it is not.

    Examples
    --------
    >>> unsafe_name("essays/a.txt"), unsafe_name("../a.txt"), unsafe_name("C:\\a.txt")
    ('', 'its name leads out of the archive', 'its name is absolute')
    """
    parts = name.replace("\\", "/").split("/")
    if ".." in parts:
        return "its name leads out of the archive"
    if parts[0] == "" or parts[0].endswith(":"):
        return "its name is absolute"
    return ""


def _plain_name(name: str) -> str:
    return "/".join(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


@contextmanager
def open_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a .zip; what is wrong with it is raised as one of many errors, or as ours if it is no file."""
    with open_file(path) as stream:
        if _directory_bytes(stream) > MOST_DIRECTORY_BYTES:
            raise ValueError("it has too many members")
        with zipfile.ZipFile(stream) as archive:
            yield archive


def _zip_members(path: Path, report: Report) -> Iterator[Member]:
    with open_zip(path) as archive:
        budget = _Budget(path)
        for info in archive.infolist():
            if info.is_dir():
                continue
            reason = unsafe_name(info.filename)
            if S_ISLNK(info.external_attr >> 16):
                reason = "it is a link"
            elif info.flag_bits & 1:
                reason = "it is protected by a password"
            if reason:
                report(Finding.of(ErrorCode.UNSAFE_MEMBER, path, name=info.filename[:200], reason=reason))
                continue
            name = _plain_name(info.filename)
            if not name or _is_hidden(name):
                continue
            excess = _excess(info.file_size, info.compress_size)
            if excess:
                report(Finding.of(ErrorCode.ARCHIVE_TOO_MUCH, path, name=name, reason=excess))
                continue
            budget.spend(info.file_size)
            try:
                with archive.open(info) as stream:
                    yield Member(name, stream)
            except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error) as error:
                reason = str(error)[:80] or type(error).__name__
                report(Finding.of(ErrorCode.DAMAGED_MEMBER, path, name=name, reason=reason))


def _excess(size: int, packed: int) -> str:
    if size > MOST_MEMBER_BYTES:
        return f"its {size:,} bytes are more than {MOST_MEMBER_BYTES:,}"
    if size > FREE_BYTES and size > MOST_RATIO * packed:
        return f"{packed:,} bytes would become {size:,}"
    return ""


class _Budget:
    """What may still be unpacked of an archive, all members together."""

    def __init__(self, path: Path) -> None:
        self.packed = path.stat().st_size
        self.left = MOST_RATIO * self.packed + FREE_BYTES

    def spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise TooMuchError(
                f"the archive of {self.packed:,} bytes unpacks to more than {MOST_RATIO} times as many; "
                "it was read up to here"
            )


def _directory_bytes(stream: BinaryIO) -> int:
    """Return how large a .zip says its list of members is."""
    start = max(0, stream.seek(0, 2) - (1 << 16) - 22)
    stream.seek(start)
    tail = stream.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or len(tail) < end + 22:
        raise ValueError("it has no list of members")
    (size,) = struct.unpack_from("<L", tail, end + 12)
    locator = tail[end - 20 : end] if end >= 20 else b""
    if size == 0xFFFFFFFF and locator.startswith(b"PK\x06\x07"):
        stream.seek(struct.unpack_from("<Q", locator, 8)[0])
        record = stream.read(56)
        (size,) = struct.unpack_from("<Q", record, 40)
    return int(size)


def _tar_members(path: Path, report: Report) -> Iterator[Member]:
    with open_file(path) as packed:
        most = MOST_RATIO * path.stat().st_size + FREE_BYTES
        for info in tar_members(packed, most):
            if info.kind == "folder":
                continue
            reason = unsafe_name(info.name)
            if info.kind != "file":
                reason = "it is a link" if info.kind == "link" else "it is no plain file"
            if reason:
                report(Finding.of(ErrorCode.UNSAFE_MEMBER, path, name=info.name[:200], reason=reason))
                continue
            name = _plain_name(info.name)
            if not name or _is_hidden(name):
                continue
            if info.size > MOST_MEMBER_BYTES:
                excess = _excess(info.size, info.size)
                # To pass over a member, all of it must be unpacked.
                excess += "; nothing behind it was read" if info.is_beyond else ""
                report(Finding.of(ErrorCode.ARCHIVE_TOO_MUCH, path, name=name, reason=excess))
                if info.is_beyond:
                    return
                continue
            yield Member(name, info.stream)
