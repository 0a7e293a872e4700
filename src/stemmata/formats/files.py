"""Reading that distrusts and writing that never leaves half a file."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import time
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL
from io import BufferedReader
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from tempfile import mkdtemp

from stemmata.model import ErrorCode, Place, StemmataError

_ROOM = ".stemmata"
"""How the name of a folder for unfinished files ends."""
_ABANDONED = 1.0
"""A folder may be so many seconds old before it has its lock."""
MAX_FILE_BYTES = 256 * 1024 * 1024
"""Files beyond this are refused; no annotation file or document of the field comes near it."""
MOST_RATIO = 200
"""What is packed is unpacked to no more than so many times its size; text comes to about five."""
FREE_BYTES = 16 * 1024 * 1024
"""Whatever the ratio, so much may be unpacked."""
MAX_LINE_BYTES = 64 * 1024 * 1024
"""A line beyond this is refused, however large the file may be."""


def open_file(path: str | Path, limit: int | None = None) -> BufferedReader:
    """Open a file to read; every file that comes from outside is opened here or by `read_bytes`.

    It must be a regular file, or a link to one: a named pipe is not waited for, and a device such as
    /dev/zero, which never ends, is refused.

    Raises
    ------
    StemmataError
        E101 or E102 if it cannot be read, E104 if it is larger than the limit.
    """
    return os.fdopen(_descriptor(path, limit)[0], "rb")


def _descriptor(path: str | Path, limit: int | None) -> tuple[int, int]:
    """Open a regular file; return its descriptor and its size."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    status = os.fstat(descriptor)
    if S_ISREG(status.st_mode) and (limit is None or status.st_size <= limit):
        return descriptor, status.st_size
    os.close(descriptor)
    if not S_ISREG(status.st_mode):
        raise StemmataError(ErrorCode.UNREADABLE, path, reason="it is a folder or a device")
    raise StemmataError(ErrorCode.TOO_LARGE, path, size=status.st_size, limit=limit)


@contextmanager
def opened(path: str | Path, limit: int | None = None) -> Iterator[BufferedReader]:
    """Give an open file to a block; what the system refuses while it is read is an error with its code."""
    with open_file(path, limit) as stream, system_errors(path):
        yield stream


def regular(path: Path) -> Path:
    """Return the path of a file of our own; where a device or a pipe took its place, nothing reads for ever.

    Raises
    ------
    OSError
        If there is no regular file.
    """
    if not S_ISREG(path.stat().st_mode):
        raise OSError(EINVAL, "it is no regular file", str(path))
    return path


@contextmanager
def system_errors(path: str | Path) -> Iterator[None]:
    """Turn what the system refuses in a block into an error about the path."""
    try:
        yield
    except OSError as error:
        raise _unreadable(path, error) from None


def read_bytes(path: str | Path, limit: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a regular file no larger than the limit."""
    descriptor, size = _descriptor(path, limit)
    pieces, length = [], 0
    try:
        with system_errors(path):
            while length <= limit and (piece := os.read(descriptor, size + 1)):
                pieces.append(piece)
                length += len(piece)
    finally:
        os.close(descriptor)
    if length > limit:
        raise StemmataError(ErrorCode.TOO_LARGE, path, size=length, limit=limit)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def read_lines(path: str | Path, limit: int = MAX_LINE_BYTES) -> Iterator[tuple[int, int, bytes]]:
    """Yield number, first byte and content of each line of a file, without a byte order mark.

    Only one line is held at a time; one that does not end within the limit is an error.
    """
    with opened(path) as stream:
        if stream.read(len(BOM_UTF8)) != BOM_UTF8:
            stream.seek(0)
        start, number = stream.tell(), 1
        while line := stream.readline(limit + 1):
            if len(line) > limit:
                place = Place(str(path), line=number)
                raise StemmataError(ErrorCode.TOO_LARGE, place, size=len(line), limit=limit)
            yield number, start, line
            start += len(line)
            number += 1


def is_folder(path: str | Path) -> bool:
    """Tell whether the path is a folder; that nothing can be found there is an error."""
    try:
        return S_ISDIR(os.stat(path).st_mode)  # noqa: PTH116
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: str | Path, error: OSError | ValueError) -> StemmataError:
    if isinstance(error, FileNotFoundError):
        if not Path(path).is_symlink():
            return StemmataError(ErrorCode.NO_SUCH_PATH, path)
        return StemmataError(ErrorCode.UNREADABLE, path, reason="the link leads nowhere")
    reason = getattr(error, "strerror", None) or str(error)
    return StemmataError(ErrorCode.UNREADABLE, path, reason=reason)


def read_text(path: str | Path, limit: int = MAX_FILE_BYTES) -> str:
    """Return the characters of a UTF-8 file, line ends untouched."""
    return decode(read_bytes(path, limit), path)


def decode(data: bytes, path: str | Path, line: int = 1, byte: int = 0) -> str:
    """Return UTF-8 bytes as text, or say which byte is wrong.

    `line` and `byte` say where in the file the bytes begin.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Place(str(path), line=line + data.count(b"\n", 0, error.start))
        raise StemmataError(ErrorCode.NOT_UTF8, place, byte=byte + error.start) from None


@contextmanager
def write_atomically(path: str | Path, durable: bool = True) -> Iterator[Path]:
    """Give a path to write to; it takes the place of the wanted one only when all went well.

    Parameters
    ----------
    durable
        Whether it must survive a power cut, which takes the disk a few milliseconds.
    """
    target = Path(path)
    with _room_beside(target) as room:
        if target.exists() and not target.is_file():
            raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason="it is a folder or a device")
        part = room / target.name
        part.touch()
        yield part
        if durable:
            _to_disk(part)
        part.replace(target)


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def write_folder_atomically(path: str | Path, replace: bool = False) -> Iterator[Path]:
    """Give an empty folder to fill; it becomes the wanted one only when all went well.

    Parameters
    ----------
    path
        The wanted folder: new or empty, unless it may be replaced.
    replace
        Whether what is there is known to be the program's own, see `stemmata.formats.outputs`.

    Raises
    ------
    StemmataError
        E107 if the folder holds something, or cannot be written.
    """
    target = Path(path).resolve()
    _refuse_full(target, replace)
    if Path.cwd().is_relative_to(target):
        raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason="it holds the current folder")
    with _room_beside(target) as room:
        part, before = room / "new", room / "before"
        part.mkdir()
        try:
            yield part
            _refuse_full(target, replace)
            if target.is_dir():
                target.replace(before)
            part.replace(target)
        finally:
            if before.exists() and not target.exists():
                before.replace(target)


def _refuse_full(folder: Path, replace: bool) -> None:
    if folder.is_dir() and not replace and any(folder.iterdir()):
        raise StemmataError(ErrorCode.CANNOT_WRITE, folder, reason="it holds something")


@contextmanager
def _room_beside(target: Path) -> Iterator[Path]:
    """Give a hidden folder on the same disk as the target; it is gone afterwards, whatever happens.

    It is locked, so that `clear_abandoned` can tell it from one that a killed program has left.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        room = Path(mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=_ROOM))
        lock = os.open(room, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield room
        finally:
            shutil.rmtree(room, ignore_errors=True)
            os.close(lock)
    except OSError as error:
        raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason=error.strerror or str(error)) from None


def clear_abandoned(target: Path) -> None:
    """Remove what killed programs have left of their attempts to write to a place."""
    # The eight characters are those of mkdtemp: a folder that somebody named is none of ours.
    is_room = re.compile(rf"\.{re.escape(target.name)}\.[a-z0-9_]{{8}}{re.escape(_ROOM)}").fullmatch
    rooms = list[str]()
    with suppress(OSError), os.scandir(target.parent) as beside:
        rooms = [one.path for one in beside if is_room(one.name)]
    for room in rooms:
        with suppress(OSError):
            descriptor = os.open(room, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if time.time() - os.fstat(descriptor).st_mtime > _ABANDONED:
                    shutil.rmtree(room, ignore_errors=True)
            finally:
                os.close(descriptor)
