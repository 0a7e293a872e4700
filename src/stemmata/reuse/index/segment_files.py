"""Writing segments of postings, and merging several into one, in memory that does not grow with them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from io import BufferedWriter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stemmata.model.spans import Ints
from stemmata.reuse.index.checks import check, checksum
from stemmata.reuse.index.manifest import SegmentRecord, synchronise_folder
from stemmata.reuse.index.segments import COLUMNS, KINDS, MOST_DOCUMENTS, DocumentColumns, Segment
from stemmata.reuse.index.word_hashes import Hashes

Array = npt.NDArray[np.generic]

BLOCK_KEYS = 1 << 21
"""Postings that are merged at once."""
FAN_IN = 8
"""So many segments of about the same size become one."""
BLOCK_ROWS = 1 << 16
THREADS = 2
SYNCHRONISING = 4
"""So many files are put on the disk at the same time."""
_LOCAL = np.uint64(MOST_DOCUMENTS - 1)


def write_segment(
    folder: Path, first: int, parts: dict[str, list[Hashes]], documents: DocumentColumns
) -> SegmentRecord:
    """Write a segment.

    Parameters
    ----------
    folder
        Where to; it is made.
    first
        The number of the first document.
    parts
        Postings by kind, in any order, some more than once; the lists are emptied on the way.
    documents
        What is known of the documents.
    """
    folder.mkdir(parents=True)
    with ThreadPoolExecutor(THREADS) as threads, _Disk() as disk:
        ordered = {kind: threads.submit(sorted_keys, parts[kind]) for kind in KINDS}
        made = {
            kind: disk.write(folder / f"{kind}.npy", different_keys(ordered.pop(kind).result()), np.uint64)
            for kind in KINDS
        }
        for name, (dtype, row) in COLUMNS.items():
            made[name] = disk.write(folder / f"{name}.npy", [getattr(documents, name)], dtype, row)
    synchronise_folder(folder)
    return _record_of(folder, first, len(documents.words), made)


def _record_of(
    folder: Path, first: int, count: int, made: dict[str, Written], purged: int = 0
) -> SegmentRecord:
    keys = {kind: made[kind].rows for kind in KINDS}
    checks = {name: one.checksum for name, one in made.items()}
    return SegmentRecord(folder.name, first, count, keys, checks, purged)


def sorted_keys(parts: list[Hashes]) -> Hashes:
    """Return the numbers of several arrays in rising order; the list is emptied."""
    keys = np.concatenate(parts) if parts else np.zeros(0, np.uint64)
    parts.clear()
    keys.sort()
    return keys


def different_keys(keys: Hashes) -> Iterator[Hashes]:
    """Yield ordered numbers without those that repeat the one before, in blocks."""
    # `np.unique` hashes such numbers, which takes several times as long.
    for at in range(0, len(keys), BLOCK_KEYS):
        block = keys[at : at + BLOCK_KEYS]
        new = np.empty(len(block), np.bool_)
        new[0] = at == 0 or keys[at - 1] != keys[at]
        np.not_equal(block[1:], block[:-1], out=new[1:])
        yield block[new]


class Written(NamedTuple):
    """What was written of an array: how many rows, and their checksum."""

    rows: int
    checksum: int


def write_array(
    path: Path, blocks: Iterable[Array], dtype: npt.DTypeLike, row: tuple[int, ...] = ()
) -> Written:
    """Write blocks of rows one after the other as one ``.npy`` file."""
    with _Disk() as disk:
        return disk.write(path, blocks, dtype, row)


class _Disk:
    """Writes files, and goes on with the next while the disk takes them; at the end all are on it."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(SYNCHRONISING)
        self._taken: list[Future[None]] = []

    def __enter__(self) -> _Disk:
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        self._threads.shutdown()
        # What failed must not be kept alive by what it failed in, with all the files that are open there.
        while self._taken and failure is None:
            self._taken.pop(0).result()
        self._taken.clear()

    def write(
        self, path: Path, blocks: Iterable[Array], dtype: npt.DTypeLike, row: tuple[int, ...] = ()
    ) -> Written:
        """Write an array as `write_array` does."""
        with ExitStack() as stack:
            stream = stack.enter_context(path.open("wb"))
            written = _write_rows(stream, blocks, dtype, row)
            stack.pop_all()
        self._taken.append(self._threads.submit(_synchronise, stream))
        return written


def _write_rows(
    stream: BufferedWriter, blocks: Iterable[Array], dtype: npt.DTypeLike, row: tuple[int, ...]
) -> Written:
    count = found = 0
    _write_header(stream, dtype, (0, *row))
    start = stream.tell()
    for block in blocks:
        rows = np.ascontiguousarray(block, dtype)
        stream.write(rows.data)
        found = checksum(rows, found)
        count += len(block)
    # Headers have room for a larger number of rows.
    stream.seek(0)
    _write_header(stream, dtype, (count, *row))
    if stream.tell() != start:
        raise ValueError(f"the header of {stream.name} has grown")
    return Written(count, found)


def _synchronise(stream: BufferedWriter) -> None:
    with stream:
        stream.flush()
        os.fsync(stream.fileno())


def _write_header(stream: BufferedWriter, dtype: npt.DTypeLike, shape: tuple[int, ...]) -> None:
    described = np.lib.format.dtype_to_descr(np.dtype(dtype))
    np.lib.format.write_array_header_1_0(stream, {"descr": described, "fortran_order": False, "shape": shape})


def due(records: Sequence[SegmentRecord]) -> int:
    """Return the place from which on segments should be merged into one, their number if none should.

    Sizes are told apart by powers of `FAN_IN`, and the last segments are merged once there are as many of
    one power. So a posting is written about once for each power, and the number of segments grows
    with the logarithm of the collection (O'Neil and others, *The log-structured merge-tree*, Acta
    Informatica 1996).
    """
    levels = [_level(record) for record in records]
    for level in sorted(set(levels)):
        start, documents = len(records), 0
        while start and levels[start - 1] <= level:
            documents += records[start - 1].count
            if documents > MOST_DOCUMENTS:
                break
            start -= 1
        if levels[start:].count(level) >= FAN_IN:
            return start
    return len(records)


def _level(record: SegmentRecord) -> int:
    level, size = 0, record.size
    while size >= FAN_IN:
        size //= FAN_IN
        level += 1
    return level


def merge_segments(segments: Sequence[Segment], folder: Path, removed: Ints) -> SegmentRecord:
    """Merge segments that follow one another; postings of removed documents are left out.

    Parameters
    ----------
    segments
        The segments, in rising order.
    folder
        Where to write the new one.
    removed
        The numbers of all removed documents, in rising order.
    """
    for segment in segments:
        # What is damaged must not be written anew with a checksum that holds.
        check(segment.index, segment.checks())
    first, end = segments[0].first, segments[-1].end
    gone = np.zeros(end - first, np.bool_)
    low, high = np.searchsorted(removed, (first, end))
    gone[removed[low:high] - first] = True
    folder.mkdir(parents=True)
    made = {}
    with ThreadPoolExecutor(THREADS) as threads, _Disk() as disk:
        for kind in KINDS:
            blocks = _in_order(threads, _merged_blocks(segments, kind, gone if gone.any() else None))
            made[kind] = disk.write(folder / f"{kind}.npy", blocks, np.uint64)
        made |= _merge_columns([segment.documents for segment in segments], folder, disk)
    synchronise_folder(folder)
    return _record_of(folder, first, end - first, made, int(gone.sum()))


def _merged_blocks(
    segments: Sequence[Segment], kind: str, gone: npt.NDArray[np.bool_] | None
) -> Iterator[Callable[[], Hashes]]:
    """Yield what makes the blocks of a merge; hashes are spread evenly, so even cuts make even blocks."""
    total = sum(len(segment.keys[kind]) for segment in segments)
    count = max(1, -(-total // BLOCK_KEYS))
    cuts = [min((1 << 64) - 1, -(-(number << 64) // count)) for number in range(count + 1)]
    places = [np.searchsorted(segment.keys[kind], np.array(cuts, np.uint64)).tolist() for segment in segments]
    for of, segment in zip(places, segments, strict=True):
        # The largest number that there can be stands before no cut.
        of[-1] = len(segment.keys[kind])
    for number in range(count):
        yield partial(_merged_block, segments, kind, places, number, gone)


def _merged_block(
    segments: Sequence[Segment],
    kind: str,
    places: list[list[int]],
    number: int,
    gone: npt.NDArray[np.bool_] | None,
) -> Hashes:
    first = segments[0].first
    parts = [
        segment.keys[kind][of[number] : of[number + 1]] + np.uint64(segment.first - first)
        for segment, of in zip(segments, places, strict=True)
    ]
    keys = np.concatenate(parts)
    keys.sort()
    return keys if gone is None else keys[~gone[(keys & _LOCAL).astype(np.int64)]]


def _in_order(threads: ThreadPoolExecutor, work: Iterator[Callable[[], Hashes]]) -> Iterator[Hashes]:
    """Run pieces of work in threads, a few ahead, and yield their results in order."""
    ahead: deque[Future[Hashes]] = deque()
    for piece in work:
        ahead.append(threads.submit(piece))
        if len(ahead) > THREADS:
            yield ahead.popleft().result()
    while ahead:
        yield ahead.popleft().result()


def _merge_columns(parts: Sequence[DocumentColumns], folder: Path, disk: _Disk) -> dict[str, Written]:
    rows = np.cumsum([0, *(len(part.words) for part in parts)]).tolist()
    ends = np.cumsum([0, *(len(part.names) for part in parts)]).tolist()
    hashes = np.concatenate([part.name_hashes for part in parts])
    order = np.argsort(hashes, kind="stable")
    places = np.concatenate(
        [part.name_places + np.uint32(before) for part, before in zip(parts, rows, strict=False)]
    )
    blocks: dict[str, Iterable[Array]] = {
        name: [getattr(part, name) for part in parts] for name in ("words", "languages", "contents", "names")
    }
    blocks["sketches"] = (
        part.sketches[at : at + BLOCK_ROWS]
        for part in parts
        for at in range(0, len(part.sketches), BLOCK_ROWS)
    )
    blocks["name_ends"] = (part.name_ends + before for part, before in zip(parts, ends, strict=False))
    blocks["name_hashes"] = [hashes[order]]
    blocks["name_places"] = [places[order]]
    return {
        name: disk.write(folder / f"{name}.npy", blocks[name], dtype, row)
        for name, (dtype, row) in COLUMNS.items()
    }
