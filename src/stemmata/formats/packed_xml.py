"""Parts of archives of XML, as workbooks and text documents are: read in memory, up to a limit, distrusted.

Only parts that are asked for by name are unpacked, and never to disk, so names in the archive lead nowhere.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from stemmata.formats.allowance import AllowanceError
from stemmata.formats.xml_events import BadXmlError, DoctypeError, Events, xml_events
from stemmata.model import ErrorCode, StemmataError

MAX_PART_BYTES = 128 * 1024 * 1024
"""Unpacked."""
MAX_PARTS = 20_000
MAX_DEPTH = 1_000
"""Elements within elements; no program nests them a tenth as deep."""

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    RuntimeError,
    ValueError,
    ArithmeticError,
    OSError,
)
"""What zipfile raises for archives that are damaged, encrypted or packed in a way of their own."""

Bad = Callable[[str | Path, str], StemmataError]
"""Makes the error of a format from the path and the reason."""


class PackedXml:
    """An open archive of XML."""

    def __init__(self, archive: zipfile.ZipFile, path: str | Path, bad: Bad) -> None:
        self.archive = archive
        self.path = path
        self.bad = bad

    def __contains__(self, name: str) -> bool:
        return name in self.archive.NameToInfo

    def read(self, name: str) -> bytes:
        """Return a part as it was before it was packed."""
        try:
            found = self.archive.getinfo(name)
        except KeyError:
            raise self.bad(self.path, f"it has no part {name}") from None
        if found.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self.bad(self.path, f"{name} is packed in an unusual way")
        with self.archive.open(found) as stream:
            data = stream.read(MAX_PART_BYTES + 1)
        if len(data) > MAX_PART_BYTES:
            raise StemmataError(ErrorCode.TOO_LARGE, self.path, size=len(data), limit=MAX_PART_BYTES)
        return data

    def tell(self, name: str, events: Events) -> None:
        """Give the elements and the text of a part to `events`, one after the other."""
        data = self.read(name)
        # NUL bytes would stand for UTF-16.
        if b"\0" in data:
            raise self.bad(self.path, f"{name} is not UTF-8")
        try:
            xml_events(data, _Guarded(events))
        except DoctypeError:
            raise self.bad(self.path, f"{name} has a document type") from None
        except BadXmlError as error:
            raise self.bad(self.path, f"{name}: {error}, line {error.line}") from None
        except _TooDeepError:
            raise self.bad(self.path, f"{name} nests elements more than {MAX_DEPTH:,} deep") from None


@contextmanager
def packed_xml(data: bytes, path: str | Path, bad: Bad) -> Iterator[PackedXml]:
    """Open an archive of XML; whatever is wrong with it becomes the error that `bad` makes."""
    if _has_too_many(data):
        raise bad(path, f"it has more than {MAX_PARTS:,} parts")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            yield PackedXml(archive, path, bad)
    except AllowanceError as error:
        raise StemmataError(ErrorCode.DOCUMENT_TOO_MUCH, path, reason=str(error)) from None
    except _DAMAGE as error:
        raise bad(path, str(error)[:80] or type(error).__name__) from None


def has_part(data: bytes, name: str) -> bool:
    """Tell whether this is an archive with such a part."""
    if not data.startswith(b"PK\x03\x04") or _has_too_many(data):
        return False
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return name in archive.NameToInfo
    except _DAMAGE:
        return False


def _has_too_many(data: bytes) -> bool:
    """Tell whether opening the archive would make more records of parts than are wanted in memory."""
    return data.count(b"PK\x01\x02") > MAX_PARTS


class _TooDeepError(Exception):
    pass


class _Guarded:
    """Passes events on while elements do not nest too deep."""

    def __init__(self, events: Events) -> None:
        self.depth = 0
        self.events = events
        self.data = events.data

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _TooDeepError
        self.events.start(tag, attributes)

    def end(self, tag: str) -> None:
        self.depth -= 1
        self.events.end(tag)
