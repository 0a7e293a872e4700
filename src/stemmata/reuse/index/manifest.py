"""What of an index is in force: one small file, whose replacement is the commit.

Everything else in the folder is written beside what is there and only then named here, so that a build that
is killed, or a disk that is full, leaves the last commit as it was.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from stemmata.formats.files import regular
from stemmata.formats.sealed import sealed, unsealed
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.parameters import shown

FORMAT = 3
"""The version of the layout and of the hashes in it; an index of another is not read."""
MANIFEST = "index.json"
LOCK = "lock"
TEXTS = "text"
POSTINGS = "postings"
DUPLICATES = "duplicates.jsonl"
FREQUENCIES = "frequencies"
REMOVED = "removed"
_MOST_BYTES = 16 << 20
_MOST_NUMBER = 1 << 63


@dataclass(frozen=True)
class SegmentRecord:
    """A part of the postings.

    Attributes
    ----------
    folder
        Its folder below ``postings``.
    first, count
        The numbers of its documents: so many from the first on.
    keys
        How many postings of each kind it has.
    checks
        Checksums of its columns, by name.
    purged
        How many removed documents have no postings here any more.
    """

    folder: str
    first: int
    count: int
    keys: dict[str, int]
    checks: dict[str, int] = field(default_factory=dict)
    purged: int = 0

    @property
    def size(self) -> int:
        """All postings together."""
        return sum(self.keys.values())


@dataclass(frozen=True)
class Manifest:
    """What is in force.

    Attributes
    ----------
    generation
        Rises with each commit.
    next
        The number that the next document will have; documents from here on do not count.
    documents, words, languages
        How many documents and words there are, and documents by language; removed ones do not count.
    segments
        The postings, by rising numbers of documents.
    frequencies
        File with the number of occurrences of stems; empty if there are none.
    removed, swept
        File with the numbers of removed documents, in the order of removal (empty if there are none), and how
        many of these are gone from the texts, too.
    duplicates
        Bytes of the file of near-duplicates that are in force.
    checks
        Checksums of the files of frequencies, of removed documents and of near-duplicates.
    start
        The number of the first document of a build that is not finished, or None.
    inputs
        What that build was made from.
    """

    generation: int = 0
    next: int = 0
    documents: int = 0
    words: int = 0
    languages: dict[str, int] = field(default_factory=dict)
    segments: tuple[SegmentRecord, ...] = ()
    frequencies: str = ""
    removed: str = ""
    swept: int = 0
    duplicates: int = 0
    checks: dict[str, int] = field(default_factory=dict)
    start: int | None = None
    inputs: str = ""
    format: int = FORMAT

    def changed(self, **changes: Any) -> Manifest:
        """Return the manifest of the next commit."""
        return replace(self, generation=self.generation + 1, **changes)

    def write(self, index: Path) -> None:
        """Put this manifest in force."""
        part = index / f".{MANIFEST}"
        with part.open("w", encoding="utf-8") as stream:
            stream.write(sealed(json.dumps(asdict(self), indent=1)))
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(index / MANIFEST)
        synchronise_folder(index)


def read_manifest(index: str | Path) -> Manifest:
    """Read what is in force.

    Raises
    ------
    StemmataError
        E770 if there is no index, E771 if it is damaged, E772 if it is of another version.
    """
    path = Path(index) / MANIFEST
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise damaged(index, f"{MANIFEST} is too large")
        data = regular(path).read_bytes()
        said = json.loads(data)
    except (FileNotFoundError, NotADirectoryError):
        raise StemmataError(ErrorCode.NO_INDEX, index) from None
    except OSError as error:
        raise StemmataError(ErrorCode.UNREADABLE, path, reason=error.strerror or str(error)) from None
    except (ValueError, RecursionError):
        raise damaged(index, f"{MANIFEST} is not JSON") from None
    # Other formats may be sealed otherwise, or not at all.
    if isinstance(said, dict) and isinstance(said.get("format"), int) and said["format"] != FORMAT:
        raise StemmataError(ErrorCode.OTHER_INDEX_FORMAT, index, found=shown(said["format"]), ours=FORMAT)
    try:
        said = unsealed(data)
    except ValueError:
        raise damaged(index, f"{MANIFEST} is not as it was written") from None
    try:
        segments = tuple(SegmentRecord(**record) for record in said.pop("segments"))
        manifest = Manifest(**said, segments=segments)
    except (TypeError, KeyError, AttributeError):
        raise damaged(index, f"{MANIFEST} has other fields than it should") from None
    if not _holds(manifest):
        raise damaged(index, f"{MANIFEST} has values that cannot be")
    return manifest


def _holds(manifest: Manifest) -> bool:
    """Tell whether a manifest could be one of ours; names of files must not lead elsewhere."""
    tables = [manifest.languages, manifest.checks]
    for record in manifest.segments:
        tables += [record.keys, record.checks]
    if not all(isinstance(one, dict) for one in tables):
        return False
    names = [manifest.frequencies, manifest.removed, *(record.folder for record in manifest.segments)]
    counts = [manifest.generation, manifest.next, manifest.documents, manifest.words, manifest.swept]
    counts += [manifest.duplicates, 0 if manifest.start is None else manifest.start]
    for record in manifest.segments:
        counts += [record.first, record.count, record.purged]
    for table in tables:
        counts += table.values()
    if not all(map(_is_name, names)) or not all(map(_is_count, counts)):
        return False
    at = 0
    for record in manifest.segments:
        if record.first != at or not record.count or record.purged > record.count:
            return False
        at += record.count
    return at == manifest.next


def _is_name(said: object) -> bool:
    return isinstance(said, str) and "/" not in said and said not in (".", "..")


def _is_count(said: object) -> bool:
    return isinstance(said, int) and not isinstance(said, bool) and 0 <= said < _MOST_NUMBER


def damaged(index: str | Path, reason: str) -> StemmataError:
    """Return the error for an index that is not as it was written."""
    return StemmataError(ErrorCode.BAD_INDEX, index, reason=reason)


@contextmanager
def lock(index: Path) -> Iterator[None]:
    """Keep other writers out; readers are not concerned, and the lock ends with the process."""
    with (index / LOCK).open("a") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StemmataError(ErrorCode.INDEX_IN_USE, index) from None
        yield


def synchronise_folder(folder: Path) -> None:
    """Have the names in a folder written to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
