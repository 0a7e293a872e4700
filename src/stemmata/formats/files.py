"""Reading that distrusts and writing that never leaves half a file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile, mkdtemp

from stemmata.model import ErrorCode, Place, StemmataError

MAX_FILE_BYTES = 256 * 1024 * 1024
"""Files beyond this are refused; no annotation file or document of the field comes near it."""


def read_bytes(path: str | Path, limit: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a file no larger than the limit."""
    try:
        with open(path, "rb", buffering=0) as stream:  # noqa: PTH123 (twice as fast as Path for small files)
            size = os.fstat(stream.fileno()).st_size
            if size > limit:
                raise StemmataError(ErrorCode.TOO_LARGE, path, size=size, limit=limit)
            return stream.readall()
    except FileNotFoundError:
        missing = ErrorCode.UNREADABLE if Path(path).is_symlink() else ErrorCode.NO_SUCH_PATH
        raise StemmataError(missing, path, reason="the link leads nowhere") from None
    except OSError as error:
        raise StemmataError(ErrorCode.UNREADABLE, path, reason=error.strerror or str(error)) from None


def read_text(path: str | Path, limit: int = MAX_FILE_BYTES) -> str:
    """Return the characters of a UTF-8 file, line ends untouched."""
    return decode(read_bytes(path, limit), path)


def decode(data: bytes, path: str | Path) -> str:
    """Return UTF-8 bytes as text, or say which byte is wrong."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise StemmataError(ErrorCode.NOT_UTF8, Place(str(path), line=line), byte=error.start) from None


@contextmanager
def write_atomically(path: str | Path) -> Iterator[Path]:
    """Give a path to write to; it takes the place of the wanted one only when all went well."""
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as stream:
            part = Path(stream.name)
        umask = os.umask(0)
        os.umask(umask)
        part.chmod(0o666 & ~umask)
    except OSError as error:
        raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason=error.strerror) from None
    try:
        yield part
        part.replace(target)
    except OSError as error:
        raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason=error.strerror) from None
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def write_folder_atomically(path: str | Path) -> Iterator[Path]:
    """Give an empty folder to fill; it becomes the wanted one, replacing it, only when all went well."""
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = Path(mkdtemp(dir=target.parent, prefix=f".{target.name}."))
        part.chmod(0o755)
    except OSError as error:
        raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason=error.strerror) from None
    try:
        yield part
        if target.exists():
            shutil.rmtree(target)
        part.replace(target)
    except OSError as error:
        raise StemmataError(ErrorCode.CANNOT_WRITE, target, reason=error.strerror) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
