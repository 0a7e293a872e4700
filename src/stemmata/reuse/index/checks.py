"""Checksums of an index: whether its files are as they were written.

Opening an index checks its small files, the smallest first, up to some bytes in all, so that it takes
milliseconds however large the collection; what is read of a large file is checked for what cannot be, and
`index info --check` reads every byte.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stemmata.formats.files import regular
from stemmata.reuse.index.manifest import damaged

AT_OPENING = 16 << 20
"""Bytes that are checked when an index is opened."""
_BLOCK = 1 << 22
_TANTIVY_META = "meta.json"
_FOOTER = struct.Struct("<II")
_MAGIC = 1337
"""The last bytes of tantivy's files: the length of a footer that has the checksum, and this number."""
_MOST_FOOTER = 4096


class Check(NamedTuple):
    """A file: its name, its bytes, and what tells whether it is as it was written."""

    name: str
    size: int
    holds: Callable[[], bool]


def checksum(array: npt.NDArray[np.generic], before: int = 0) -> int:
    """Return the checksum of the numbers of an array, or of several, one after the other."""
    return zlib.crc32(np.ascontiguousarray(array).view(np.uint8).reshape(-1).data, before)


def array_check(name: str, array: npt.NDArray[np.generic], expected: object) -> Check:
    """Return the check of an array against the checksum that the manifest has."""
    return Check(name, array.nbytes, lambda: checksum(array) == expected)


def check(index: Path, checks: Iterable[Check], most: int | None = None) -> None:
    """Check files, the smallest first, up to so many bytes in all.

    Raises
    ------
    StemmataError
        E771 at the first that is not as it was written.
    """
    left = most
    for one in sorted(checks, key=lambda one: (one.size, one.name)):
        if left is not None:
            left -= one.size
            if left < 0:
                return
        if not one.holds():
            raise damaged(index, f"{one.name} is not as it was written")


def text_checks(folder: Path) -> Iterator[Check]:
    """Yield the checks of tantivy's files that are in force; each has a footer with its checksum."""
    try:
        said = json.loads(regular(folder / _TANTIVY_META).read_bytes())
        segments = {
            one["segment_id"].replace("-", ""): (one["deletes"] or {}).get("opstamp")
            for one in said["segments"]
        }
        found = sorted(folder.iterdir())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        # That it cannot be read is told by tantivy, in its own words.
        return
    for path in found:
        segment, _, ending = path.name.partition(".")
        # Deletions of another commit than this may be half-written.
        if segment in segments and ending in {*_ENDINGS, f"{segments[segment]}.del"}:
            try:
                size = path.stat().st_size
            except OSError:
                continue  # merged with others meanwhile
            yield Check(path.name, size, lambda path=path: _has_footer(path))  # type: ignore[misc]


_ENDINGS = ("fast", "fieldnorm", "idx", "pos", "store", "term")


def _has_footer(path: Path) -> bool:
    try:
        size = path.stat().st_size
        with regular(path).open("rb") as stream:
            stream.seek(max(0, size - _FOOTER.size))
            length, magic = _FOOTER.unpack(stream.read())
            end = size - _FOOTER.size - length
            if magic != _MAGIC or length > _MOST_FOOTER or end < 0:
                return False
            stream.seek(end)
            expected = json.loads(stream.read(length))["crc"]
            stream.seek(0)
            found = 0
            while end > 0 and (block := stream.read(min(end, _BLOCK))):
                found = zlib.crc32(block, found)
                end -= len(block)
            return bool(found == expected)
    except FileNotFoundError:
        return True  # merged with others meanwhile
    except (OSError, ValueError, KeyError, TypeError, struct.error):
        return False
