"""Reading that distrusts and writing that never leaves half a file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from tempfile import mkdtemp

from stemmata.model import ErrorCode, Place, StemmataError

MAX_FILE_BYTES = 256 * 1024 * 1024
"""Files beyond this are refused; no annotation file or document of the field comes near it."""


def read_bytes(path: str | Path, limit: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a regular file no larger than the limit; a named pipe is not waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            status = os.fstat(descriptor)
            if not S_ISREG(status.st_mode):
                raise StemmataError(ErrorCode.UNREADABLE, path, reason="it is no regular file")
            if status.st_size > limit:
                raise StemmataError(ErrorCode.TOO_LARGE, path, size=status.st_size, limit=limit)
            return b"".join(iter(lambda: os.read(descriptor, status.st_size + 1), b""))
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _unreadable(path, error) from None


def is_folder(path: str | Path) -> bool:
    """Tell whether the path is a folder; that nothing can be found there is an error."""
    try:
        return S_ISDIR(os.stat(path).st_mode)  # noqa: PTH116
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: str | Path, error: OSError) -> StemmataError:
    if isinstance(error, FileNotFoundError):
        if not Path(path).is_symlink():
            return StemmataError(ErrorCode.NO_SUCH_PATH, path)
        return StemmataError(ErrorCode.UNREADABLE, path, reason="the link leads nowhere")
    return StemmataError(ErrorCode.UNREADABLE, path, reason=error.strerror or str(error))


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
def write_atomically(path: str | Path) -> Iterator[Path]:
    """Give a path to write to; it takes the place of the wanted one only when all went well."""
    target = Path(path)
    with _room_beside(target) as room:
        if target.exists() and not target.is_file():
            raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason="it is no regular file")
        part = room / target.name
        part.touch()
        yield part
        part.replace(target)


@contextmanager
def write_folder_atomically(path: str | Path) -> Iterator[Path]:
    """Give an empty folder to fill; it becomes the wanted one, replacing it, only when all went well."""
    target = Path(path).resolve()
    if Path.cwd().is_relative_to(target):
        raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason="it holds the current folder")
    with _room_beside(target) as room:
        part, before = room / "new", room / "before"
        part.mkdir()
        try:
            yield part
            if target.is_dir():
                target.replace(before)
            part.replace(target)
        finally:
            if before.exists() and not target.exists():
                before.replace(target)


@contextmanager
def _room_beside(target: Path) -> Iterator[Path]:
    """Give a hidden folder on the same disk as the target; it is gone afterwards, whatever happens."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        room = Path(mkdtemp(dir=target.parent, prefix=f".{target.name}."))
        try:
            yield room
        finally:
            shutil.rmtree(room, ignore_errors=True)
    except OSError as error:
        raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason=error.strerror or str(error)) from None
