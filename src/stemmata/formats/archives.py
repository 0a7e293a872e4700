"""Documents in archives, one after the other, in memory; nothing is written to disk, nothing is trusted.

Names are checked although nothing is unpacked under them: a document keeps its name, and somebody may write
it to disk one day. What an archive may unpack to is limited by member, and by the size of the archive itself.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISLNK
from typing import IO, Any, BinaryIO, Literal, NamedTuple, cast

from stemmata.formats.faults import Report
from stemmata.formats.files import FREE_BYTES, MOST_RATIO
from stemmata.model import ErrorCode, Finding, StemmataError

MOST_MEMBER_BYTES = 64 << 20
"""A document in an archive has no more, unpacked."""
MOST_DIRECTORY_BYTES = 64 << 20
"""The list of members of a .zip, which is held in memory: some 500,000."""
_TAR_OPENERS: dict[str, Callable[[Path, Literal["rb"]], Any]] = {
    ".tar": open,
    ".tar.gz": gzip.open,
    ".tgz": gzip.open,
    ".tar.bz2": bz2.open,
    ".tbz2": bz2.open,
    ".tar.xz": lzma.open,
    ".txz": lzma.open,
}
ARCHIVES = (".zip", *_TAR_OPENERS)
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


class TooMuchError(Exception):
    """More would have to be unpacked than is allowed."""


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
    try:
        members = _zip_members if path.name.lower().endswith(".zip") else _tar_members
        for member in members(path, report):
            name = member.name
            yield member
    except TooMuchError as error:
        report(Finding.of(ErrorCode.ARCHIVE_TOO_MUCH, path, name=name, reason=str(error)))
    except FileNotFoundError:
        report(Finding.of(ErrorCode.NO_SUCH_PATH, path))
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


def _zip_members(path: Path, report: Report) -> Iterator[Member]:
    if _directory_bytes(path) > MOST_DIRECTORY_BYTES:
        raise ValueError("it has too many members")
    budget = _Budget(path)
    with zipfile.ZipFile(path) as archive:
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


def _directory_bytes(path: Path) -> int:
    """Return how large a .zip says its list of members is."""
    with path.open("rb") as stream:
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
    ending = next(ending for ending in _TAR_OPENERS if path.name.lower().endswith(ending))
    with cast(BinaryIO, _TAR_OPENERS[ending](path, "rb")) as unpacked:
        guarded = _Guarded(unpacked, path)
        with tarfile.TarFile(fileobj=cast(IO[bytes], guarded), mode="r") as archive:
            while (info := archive.next()) is not None:
                # The list of all members so far is of no use here.
                archive.members = []  # type: ignore[attr-defined]
                if info.isdir():
                    continue
                reason = unsafe_name(info.name)
                if not info.isreg():
                    reason = "it is a link" if info.issym() or info.islnk() else "it is no plain file"
                if reason:
                    report(Finding.of(ErrorCode.UNSAFE_MEMBER, path, name=info.name[:200], reason=reason))
                    continue
                name = _plain_name(info.name)
                if not name or _is_hidden(name):
                    continue
                if info.size > MOST_MEMBER_BYTES:
                    excess = _excess(info.size, info.size)
                    # To pass over a member, all of it must be unpacked.
                    end = info.offset_data + info.size > guarded.most
                    excess += "; nothing behind it was read" if end else ""
                    report(Finding.of(ErrorCode.ARCHIVE_TOO_MUCH, path, name=name, reason=excess))
                    if end:
                        return
                    continue
                stream = archive.extractfile(info)
                if stream is not None:
                    yield Member(name, stream)


class _Guarded:
    """The unpacked bytes of a .tar, as far as they may be unpacked; no piece is read that is too large."""

    def __init__(self, stream: BinaryIO, path: Path) -> None:
        self._stream = stream
        self.most = MOST_RATIO * path.stat().st_size + FREE_BYTES
        self.name = str(path)

    def tell(self) -> int:
        return self._stream.tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence != 0 or offset > self.most:
            raise TooMuchError(f"it unpacks to more than {MOST_RATIO} times its size; it was read up to here")
        return self._stream.seek(offset)

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > MOST_MEMBER_BYTES:
            raise TooMuchError(f"more than {MOST_MEMBER_BYTES:,} bytes in one piece")
        if self._stream.tell() + size > self.most:
            raise TooMuchError(f"it unpacks to more than {MOST_RATIO} times its size; it was read up to here")
        return self._stream.read(size)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True
