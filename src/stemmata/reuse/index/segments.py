"""Postings on disk: which documents have a fingerprint, as sorted numbers that are looked at in place.

A posting is one number: the 44 bits of the fingerprint, then 20 bits for the document, counted from the first
of its segment. Sorted, all documents of a fingerprint stand together, and two searches by halves find them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stemmata.formats.arrays import NOT_ARRAYS
from stemmata.formats.files import regular
from stemmata.model.spans import Ints
from stemmata.reuse.index.checks import Check, array_check
from stemmata.reuse.index.fingerprints import SKETCH
from stemmata.reuse.index.manifest import SegmentRecord, damaged
from stemmata.reuse.index.word_hashes import Hashes, text_hashes

KINDS = ("runs", "skips", "likeness")
"""Kinds of postings; those of likeness are the smallest runs of documents, by which near-duplicates meet."""
LOCAL_BITS = 20
MOST_DOCUMENTS = 1 << LOCAL_BITS
"""Documents in a segment."""
_LOCAL = np.uint64(MOST_DOCUMENTS - 1)
_SHIFT = np.uint64(LOCAL_BITS)


class Bounds(NamedTuple):
    """Where the postings of some fingerprints begin and end."""

    low: Ints
    high: Ints


@dataclass(frozen=True)
class DocumentColumns:
    """What is known of the documents of a segment, one row each.

    Attributes
    ----------
    words, languages
        The number of words, and the place of the language in `stemmata.reuse.index.texts.LANGUAGES`.
    contents
        Hashes of text and metadata, by which a document that has not changed is known.
    sketches
        The smallest runs.
    names, name_ends
        All names in UTF-8, and where each ends.
    name_hashes, name_places
        Hashes of names in rising order, and the rows they belong to.
    """

    words: npt.NDArray[np.int32]
    languages: npt.NDArray[np.uint8]
    contents: Hashes
    sketches: Hashes
    names: npt.NDArray[np.uint8]
    name_ends: Ints
    name_hashes: Hashes
    name_places: npt.NDArray[np.uint32]

    def name(self, place: int) -> str:
        """Return the name of a document."""
        start = int(self.name_ends[place - 1]) if place else 0
        return self.names[start : int(self.name_ends[place])].tobytes().decode("utf-8", "surrogatepass")


COLUMNS = {
    "words": (np.int32, ()),
    "languages": (np.uint8, ()),
    "contents": (np.uint64, ()),
    "sketches": (np.uint64, (SKETCH,)),
    "names": (np.uint8, ()),
    "name_ends": (np.int64, ()),
    "name_hashes": (np.uint64, ()),
    "name_places": (np.uint32, ()),
}
"""Type and shape of a row of each column."""


@dataclass(frozen=True)
class Segment:
    """A part of the postings, open for reading."""

    record: SegmentRecord
    keys: dict[str, Hashes]
    documents: DocumentColumns
    index: Path = Path()

    @classmethod
    def open(cls, index: Path, folder: Path, record: SegmentRecord) -> Segment:
        """Map the files of a segment into memory.

        Raises
        ------
        FileNotFoundError
            If the segment is gone, as it may be when it has been merged with others meanwhile.
        StemmataError
            E771 if it is not as it was written.
        """
        keys = {}
        for kind in KINDS:
            keys[kind] = _mapped(index, folder / f"{kind}.npy", np.uint64, ())
            if len(keys[kind]) != record.keys.get(kind):
                raise damaged(index, f"{folder.name}/{kind}.npy has not the size it should")
        columns = {
            name: _mapped(index, folder / f"{name}.npy", dtype, row) for name, (dtype, row) in COLUMNS.items()
        }
        documents = DocumentColumns(**columns)
        rows = {len(columns[one.name]) for one in fields(documents) if one.name != "names"}
        if rows != {record.count}:
            raise damaged(index, f"{folder.name} has not the documents it should")
        return cls(record, keys, documents, index)

    def checks(self) -> Iterator[Check]:
        """Yield the checks of its files."""
        columns = self.keys | {one.name: getattr(self.documents, one.name) for one in fields(DocumentColumns)}
        for name, column in columns.items():
            yield array_check(f"{self.record.folder}/{name}.npy", column, self.record.checks.get(name))

    @property
    def first(self) -> int:
        """The number of the first document."""
        return self.record.first

    @property
    def end(self) -> int:
        """The number after that of the last document."""
        return self.record.first + self.record.count

    def bounds(self, kind: str, hashes: Hashes) -> Bounds:
        """Return where the postings of fingerprints, best in rising order, begin and end."""
        keys = self.keys[kind]
        low = hashes << _SHIFT
        return Bounds(np.searchsorted(keys, low), np.searchsorted(keys, low | _LOCAL, side="right"))

    def numbers(self, kind: str, bounds: Bounds) -> Ints:
        """Return the numbers of the documents between all the bounds, one after the other."""
        counts = bounds.high - bounds.low
        before = np.cumsum(counts) - counts
        rows = np.repeat(bounds.low - before, counts) + np.arange(int(counts.sum()))
        local = (self.keys[kind][rows] & _LOCAL).astype(np.int64)
        if len(local) and int(local.max()) >= self.record.count:
            raise damaged(self.index, f"{self.record.folder}/{kind}.npy names documents that are not there")
        return local + self.first

    def names(self, rows: Sequence[int]) -> list[str]:
        """Return the names of documents; each must have the hash that was kept of it."""
        columns = self.documents
        try:
            names = [columns.name(row) for row in rows]
        except (ValueError, IndexError):
            names = []
        bounds = self.named(text_hashes(names))
        for row, low, high in zip(rows, bounds.low.tolist(), bounds.high.tolist(), strict=False):
            if row not in columns.name_places[low:high]:
                names = []
        if len(names) != len(rows):
            raise damaged(self.index, f"{self.record.folder}/names.npy is not as it was written")
        return names

    def named(self, hashes: Hashes) -> Bounds:
        """Return where documents whose names have these hashes stand in ``name_places``."""
        found = self.documents.name_hashes
        return Bounds(np.searchsorted(found, hashes), np.searchsorted(found, hashes, side="right"))


def find_names(segments: Sequence[Segment], names: Sequence[str]) -> Ints:
    """Return the number of the latest document of each name, -1 where there is none."""
    hashes = text_hashes(names)
    found = np.full(len(names), -1, np.int64)
    for segment in segments:
        bounds = segment.named(hashes)
        for place in np.flatnonzero(bounds.high > bounds.low).tolist():
            rows = segment.documents.name_places[bounds.low[place] : bounds.high[place]]
            named = zip(rows.tolist(), segment.names(rows.tolist()), strict=True)
            same = [row for row, name in named if name == names[place]]
            if same:
                found[place] = segment.first + max(same)
    return found


def _mapped(index: Path, path: Path, dtype: npt.DTypeLike, row: tuple[int, ...]) -> Any:
    try:
        try:
            array = np.load(regular(path), mmap_mode="r", allow_pickle=False)
        except ValueError:
            # An array of nothing cannot be mapped.
            array = np.load(path, allow_pickle=False)
    except FileNotFoundError:
        raise
    except NOT_ARRAYS:
        raise damaged(index, f"{path.parent.name}/{path.name} cannot be read") from None
    sound = isinstance(array, np.ndarray) and array.flags.c_contiguous
    if not sound or array.dtype != dtype or array.shape[1:] != row or array.ndim != len(row) + 1:
        raise damaged(index, f"{path.parent.name}/{path.name} is no such column")
    return np.asarray(array)
