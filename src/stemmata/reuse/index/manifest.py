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

from stemmata.model import ErrorCode, StemmataError

FORMAT = 2
"""The version of the layout and of the hashes in it; an index of another is not read."""
MANIFEST = "index.json"
LOCK = "lock"
TEXTS = "text"
POSTINGS = "postings"
DUPLICATES = "duplicates.jsonl"
_MOST_BYTES = 16 << 20


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
    purged
        How many removed documents have no postings here any more.
    """

    folder: str
    first: int
    count: int
    keys: dict[str, int]
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
            json.dump(asdict(self), stream, indent=1)
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
        said = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise StemmataError(ErrorCode.NO_INDEX, index) from None
    except OSError as error:
        raise StemmataError(ErrorCode.UNREADABLE, path, reason=error.strerror or str(error)) from None
    except (ValueError, RecursionError):
        raise damaged(index, f"{MANIFEST} is not JSON") from None
    if isinstance(said, dict) and isinstance(said.get("format"), int) and said["format"] != FORMAT:
        raise StemmataError(ErrorCode.OTHER_INDEX_FORMAT, index, found=said["format"], ours=FORMAT)
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
    names = [manifest.frequencies, manifest.removed]
    counts = [manifest.generation, manifest.next, manifest.documents, manifest.words, manifest.swept]
    counts += [manifest.duplicates, 0 if manifest.start is None else manifest.start]
    at = 0
    if not hasattr(manifest.languages, "values"):
        return False
    counts += manifest.languages.values()
    for record in manifest.segments:
        names.append(record.folder)
        if not hasattr(record.keys, "values") or record.first != at or record.count == 0:
            return False
        counts += [record.count, record.purged, *record.keys.values()]
        at += record.count if isinstance(record.count, int) else 0
    return (
        all(isinstance(name, str) and "/" not in name and name not in (".", "..") for name in names)
        and all(isinstance(count, int) and count >= 0 for count in counts)
        and at == manifest.next
    )


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
