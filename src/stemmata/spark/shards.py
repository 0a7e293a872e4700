"""Collections cut into shards: parts that are read on their own, wherever that is.

A collection is JSON Lines or Parquet, one file or a folder of them, or a folder of plain texts. A document is
known by its shard and by its position there: the byte where its line starts, the number of its row, or the
number of its file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from stemmata.formats.collections import SourceDocument, name_fault
from stemmata.formats.document_records import is_records, read_json_lines
from stemmata.formats.faults import Report, reported
from stemmata.formats.files import MAX_LINE_BYTES, opened
from stemmata.formats.parquet_rows import BadRow, Row, parquet_rows
from stemmata.formats.rich_documents import read_rich_document
from stemmata.model import Document, ErrorCode, Finding, StemmataError

SHARD_BYTES = 32 << 20
"""About so much of a collection is read at once."""
SHARD_FILES = 2000
PLAIN = (".txt", ".md")
_ROWS = 256
_PIECE = 1 << 20


class Placed(NamedTuple):
    """A document and its position in its shard."""

    position: int
    document: SourceDocument


class _Record(NamedTuple):
    """A document that is not read yet."""

    position: int
    read: Callable[[Report], SourceDocument | None]


@dataclass(frozen=True)
class Shard:
    """A part of a collection.

    Attributes
    ----------
    kind
        ``"jsonl"``, ``"parquet"`` or ``"text"``.
    path
        The file, or the folder of text files.
    start, end
        The bytes among which its lines start, or its rows, or its files.
    files
        For text: the paths of its files below the folder, which are their names as well.
    state
        What changes when what it is read from does.
    """

    kind: str
    path: Path
    start: int
    end: int
    files: tuple[str, ...] = field(default=(), repr=False)
    state: str = ""

    @property
    def key(self) -> str:
        """A name made of all that decides what is read."""
        said = [self.kind, str(self.path), self.start, self.end, self.files, self.state]
        return sha256(json.dumps(said).encode()).hexdigest()[:24]

    def documents(self, report: Report) -> Iterator[Placed]:
        """Read all documents; what cannot be read is reported, and the rest goes on."""
        with reported(report):
            for position, read in self._records():
                with reported(report):
                    document = read(report)
                    if document is None:
                        continue
                    if reason := name_fault(document.name):
                        details = {"name": document.name[:200], "reason": reason}
                        raise StemmataError(ErrorCode.BAD_DOCUMENT_NAME, self.path, **details)
                    yield Placed(position, document)

    def fetch(self, positions: Sequence[int]) -> dict[int, Document]:
        """Read some documents again, by their positions."""
        found = {}
        for position, read in self._records_at(sorted(set(positions))):
            document = read(lambda _: None)
            if document is None:
                reason = "it has changed since it was read first"
                raise StemmataError(ErrorCode.BAD_RECORD, self.path, position=position, reason=reason)
            found[position] = Document(document.name, document.text)
        return found

    def _records(self) -> Iterator[_Record]:
        if self.kind == "jsonl":
            return self._lines()
        if self.kind == "parquet":
            return self._rows()
        return self._records_at(range(len(self.files)))

    def _records_at(self, positions: Sequence[int]) -> Iterator[_Record]:
        if self.kind == "jsonl":
            with opened(self.path) as stream:
                for position in positions:
                    stream.seek(position)
                    line = stream.readline(MAX_LINE_BYTES)
                    yield _Record(position, partial(self._line, position, line))
        elif self.kind == "parquet":
            yield from self._rows(positions)
        else:
            for position in positions:
                yield _Record(position, partial(_text_file, self.path, self.files[position]))

    def _lines(self) -> Iterator[_Record]:
        """Yield the lines that start in this part."""
        with opened(self.path) as stream:
            at = self.start
            if at:
                # The line that runs over from before is not ours, unless it ends just before.
                stream.seek(at - 1)
                while (piece := stream.readline(_PIECE)) and not piece.endswith(b"\n"):
                    pass
                at = stream.tell()
            while at < self.end and (line := stream.readline(MAX_LINE_BYTES + 1)):
                yield _Record(at, partial(self._line, at, line))
                at += len(line)
                if len(line) > MAX_LINE_BYTES:
                    return

    def _line(self, position: int, line: bytes, report: Report) -> SourceDocument | None:
        told: list[Finding] = []
        for document in read_json_lines(BytesIO(line), self.path, told.append):
            # Lines are not counted, so what has no name is called after its place.
            unnamed = document.name == f"{self.path.name}:1"
            return replace(document, name=f"{self.path.name}@{position}") if unnamed else document
        for finding in told:
            report(Finding.of(ErrorCode.BAD_RECORD, self.path, position=position, reason=finding.message))
        return None

    def _rows(self, positions: Sequence[int] | None = None) -> Iterator[_Record]:
        """Yield all rows, or some in rising order; groups that have none of them are not read."""
        with parquet_rows(self.path, "text") as file:
            end = 0
            for group, size in enumerate(file.group_rows):
                first, end = end, end + size
                if not self.start <= first < self.end:
                    continue
                if positions is None:
                    yield from self._records_of(range(first, end), file.group(group))
                elif wanted := [position for position in positions if first <= position < end]:
                    rows = file.group(group, [position - first for position in wanted])
                    yield from self._records_of(wanted, rows)

    def _records_of(self, positions: Iterable[int], rows: Iterable[Row | BadRow]) -> Iterator[_Record]:
        for position, row in zip(positions, rows, strict=True):
            if isinstance(row, BadRow):
                yield _Record(position, partial(self._bad_row, position, row.reason))
                continue
            line = json.dumps(row, default=str).encode()
            yield _Record(position, partial(self._line, position, line))

    def _bad_row(self, position: int, reason: str, report: Report) -> None:
        report(Finding.of(ErrorCode.BAD_RECORD, self.path, position=position, reason=reason))


@dataclass(frozen=True)
class Shards:
    """A collection as its shards, in an order that is always the same."""

    path: Path
    parts: tuple[Shard, ...] = field(repr=False)

    @classmethod
    def open(cls, path: str | Path, size: int = SHARD_BYTES, files: int = SHARD_FILES) -> Shards:
        """Cut a collection into shards.

        Parameters
        ----------
        path
            A file, or a folder.
        size
            About how many bytes a shard has; a row group of Parquet is not cut.
        files
            How many text files, at the most, a shard has.

        Raises
        ------
        StemmataError
            E101 if there is nothing, E804 if what is there is no collection.
        """
        top = Path(os.path.realpath(path))
        if not top.exists():
            raise StemmataError(ErrorCode.NO_SUCH_PATH, path)
        found = [top] if top.is_file() else _files_below(top)
        parts: list[Shard] = []
        texts: list[Path] = []
        for file in found:
            if not is_records(file):
                texts.append(file)
                continue
            parts += _text_shards(top, texts, size, files)
            parts += _record_shards(file, size)
            texts = []
        parts += _text_shards(top if top.is_dir() else top.parent, texts, size, files)
        if not parts or (top.is_file() and not is_records(top)):
            raise StemmataError(ErrorCode.NOT_A_COLLECTION, path)
        return cls(top, tuple(parts))

    def __len__(self) -> int:
        return len(self.parts)


def _files_below(top: Path) -> list[Path]:
    """Return files of records and of plain text, in the order in which an index takes them."""
    return sorted(
        file
        for file in top.rglob("*")
        if (is_records(file) or file.name.lower().endswith(PLAIN))
        and file.is_file()
        and not any(part.startswith(".") for part in file.relative_to(top).parts)
    )


def _record_shards(path: Path, size: int) -> Iterator[Shard]:
    bytes_, kind = path.stat().st_size, "parquet" if path.name.lower().endswith(".parquet") else "jsonl"
    if kind == "parquet":
        cuts = _row_cuts(path, size)
    else:
        count = max(1, -(-bytes_ // size))
        cuts = [bytes_ * number // count for number in range(count + 1)]
    for start, end in pairwise(cuts):
        yield Shard(kind, path, start, end, state=_state([path]))


def _row_cuts(path: Path, size: int) -> list[int]:
    """Return the numbers of rows where shards start, and the number of all rows."""
    with parquet_rows(path, "text") as file:
        cuts, rows, held = [0], 0, 0
        for more, bytes_ in zip(file.group_rows, file.group_bytes, strict=True):
            rows += more
            held += bytes_
            if held >= size:
                cuts.append(rows)
                held = 0
    return cuts if cuts[-1] == rows else [*cuts, rows]


def _text_shards(top: Path, paths: list[Path], size: int, most: int) -> Iterator[Shard]:
    part: list[Path] = []
    held = 0
    for path in paths:
        part.append(path)
        held += path.stat().st_size
        if held >= size or len(part) >= most:
            yield _text_shard(top, part)
            part, held = [], 0
    if part:
        yield _text_shard(top, part)


def _text_shard(top: Path, paths: list[Path]) -> Shard:
    names = tuple(path.relative_to(top).as_posix() for path in paths)
    return Shard("text", top, 0, len(names), names, _state(paths))


def _state(paths: Iterable[Path]) -> str:
    states = [(status.st_size, status.st_mtime_ns) for status in map(Path.stat, paths)]
    return sha256(json.dumps(states).encode()).hexdigest()[:24]


def _text_file(top: Path, name: str, _: Report) -> SourceDocument:
    return SourceDocument(name, read_rich_document(top / name).text)
