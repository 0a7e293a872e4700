"""Documents while they are checked: read once, kept on the disk, at hand for every process."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from stemmata.formats.collections import SourceDocument, count_documents, read_collection
from stemmata.formats.documents import LIMIT_VARIABLE, alignment_limit
from stemmata.formats.files import read_bytes
from stemmata.formats.places import cache_folder
from stemmata.model import Document, ErrorCode, Finding, StemmataError, document_key

_ROOM = "check-"
_LOCK = "in-use"
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Failure:
    """Something that could not be checked.

    Attributes
    ----------
    name
        The document, or the source, or the file.
    reason
        Why, with the code, the place and the remedy.
    message
        Why, without a place: it names no document.
    """

    name: str
    reason: str
    message: str

    @classmethod
    def of(cls, name: str, error: Finding | StemmataError | MemoryError) -> Failure:
        """Tell of an error."""
        if isinstance(error, MemoryError):
            error = StemmataError(ErrorCode.OUT_OF_MEMORY)
        told = error.finding if isinstance(error, StemmataError) else error
        return cls(name, str(told), f"{told.kind.code} {told.message}")


@dataclass(frozen=True)
class Shelf:
    """Documents by number, each in a file of its own, so that none needs to stay in memory."""

    folder: Path

    def put(self, number: int, document: SourceDocument) -> None:
        """Keep a document."""
        said = asdict(document) | {"extra": {}}
        self.folder.mkdir(parents=True, exist_ok=True)
        self._path(number).write_text(json.dumps(said), encoding="ascii")

    def take(self, number: int) -> SourceDocument:
        """Return a document that was kept."""
        said = json.loads(read_bytes(self._path(number), limit=1 << 40))
        return SourceDocument(**said | {"pages": tuple(said["pages"])})

    def _path(self, number: int) -> Path:
        return self.folder / f"{number}.json"


@dataclass(frozen=True)
class Documents:
    """Documents on the disk, of any format, alone, in folders or in archives.

    Attributes
    ----------
    paths
        Where they are; that one does not exist is an error, E101.
    jobs
        How many processes read them.
    """

    paths: tuple[Path, ...]
    jobs: int = 1

    def __post_init__(self) -> None:
        for path in self.paths:
            if not path.exists():
                raise StemmataError(ErrorCode.NO_SUCH_PATH, path)

    def __len__(self) -> int:
        return count_documents(self.paths)

    def read(self, tell: Callable[[Failure], None]) -> Iterator[SourceDocument]:
        """Give the documents, each with a name of its own; tell of what cannot be read."""

        def report(finding: Finding) -> None:
            tell(Failure.of(Path(finding.place.path).name if finding.place else "", finding))

        seen: dict[str, int] = {}
        for prefix, paths in _prefixes(self.paths):
            for document in read_collection(paths, report, self.jobs):
                name = prefix + document.name
                seen[name] = seen.get(name, 0) + 1
                yield replace(document, name=name if seen[name] == 1 else f"{name} ({seen[name]})")


def _prefixes(paths: tuple[Path, ...]) -> list[tuple[str, list[Path]]]:
    """Return what must stand before the names of documents so that those of several paths differ."""
    distinct = {os.path.realpath(path): path for path in reversed(paths)}
    given = [path for path in paths if distinct.pop(os.path.realpath(path), None) is not None]
    plain = not any(path.is_dir() for path in given)
    if len(given) == 1 or (plain and len({path.name for path in given}) == len(given)):
        return [("", given)]
    # Of a link to itself nothing can be resolved; that it cannot be read is reported when it is.
    folders = [Path(os.path.realpath(path if path.is_dir() else path.parent)) for path in given]
    above = Path(os.path.commonpath([Path(os.path.realpath(path)).parent for path in given]))
    return [
        ("" if folder == above else f"{folder.relative_to(above).as_posix()}/", [path])
        for folder, path in zip(folders, given, strict=True)
    ]


def presentable(document: SourceDocument) -> SourceDocument:
    """Return a document that can be written down: halves of characters, which no encoding has, replaced.

    Raises
    ------
    StemmataError
        If it is too long to be aligned.
    """
    require_length(document)

    def whole(text: str) -> str:
        return _HALF_CHARACTER.sub("\ufffd", text)

    return replace(
        document,
        name=whole(document.name),
        text=whole(document.text),
        title=whole(document.title),
        author=whole(document.author),
        url=whole(document.url),
        date=whole(document.date),
        extra={},
    )


def require_length(document: SourceDocument) -> None:
    """Refuse a document that is too long to be aligned."""
    limit = alignment_limit()
    # No character takes more than four bytes, so that most need not be encoded to be counted.
    if len(document.text) * 4 > limit and (size := len(document.text.encode(errors="replace"))) > limit:
        raise StemmataError(
            ErrorCode.DOCUMENT_TOO_LONG, document.name, size=size, limit=limit, variable=LIMIT_VARIABLE
        )


def as_document(source: SourceDocument) -> Document:
    """Return a document as detectors take it."""
    return Document(source.name, source.text)


def digest(document: SourceDocument) -> str:
    """Return what tells one text from another; how lines and words are set apart does not count."""
    return sha256(" ".join(document.text.split()).encode(errors="replace")).hexdigest()


def last_name(document: SourceDocument) -> str:
    """Return the name without folders and ending, by which a file is known wherever it lies."""
    return document_key(document.name.replace("\\", "/").rsplit("/", 1)[-1])


@contextmanager
def working_room() -> Iterator[Path]:
    """Give a folder for what is needed only while checking; it is gone afterwards.

    It lies in the user's cache, because it may be large. What a killed check left there is cleared away.
    """
    with _opened_room() as (room, lock):
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield room
        finally:
            shutil.rmtree(room, ignore_errors=True)


@contextmanager
def _opened_room() -> Iterator[tuple[Path, BinaryIO]]:
    cache = cache_folder()
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        _clear_away(cache)
        room = Path(tempfile.mkdtemp(dir=cache, prefix=_ROOM))
    except OSError:
        # A home that cannot be written to is no reason not to check.
        room = Path(tempfile.mkdtemp(prefix="stemmata-"))
    with (room / _LOCK).open("wb") as lock:
        yield room, lock


def _clear_away(cache: Path) -> None:
    """Remove the rooms of checks that are no longer: the lock of a process goes with it."""
    for room in cache.glob(f"{_ROOM}*"):
        with suppress(OSError), (room / _LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(room, ignore_errors=True)
