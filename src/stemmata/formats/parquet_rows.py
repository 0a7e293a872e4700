"""The rows of a Parquet file from anyone, one after the other, in bounded memory.

A file of some kilobytes can unpack to gigabytes: a value that stands in it once is referred to by thousands
of rows, or each value repeats the one before. So texts stay references until they are wanted, and what is
taken out at once is measured in bytes, not in rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from stemmata.formats.files import FREE_BYTES, MAX_LINE_BYTES, MOST_RATIO, open_file
from stemmata.model import ErrorCode, StemmataError

MOST_BYTES = 32 << 20
"""What rows may come to that are taken out at once."""
MOST_ROWS = 1 << 16
_VALUE_BYTES = 8
"""What a number takes; thousands of equal ones can take a byte in the file."""
_REPEATING = "DELTA_BYTE_ARRAY"
"""The encoding in which a value repeats the one before; Arrow cannot keep such as references."""
_BUFFER = 1 << 20

Row = dict[str, Any]


class BadRow(NamedTuple):
    """What stands for a row that cannot be read."""

    reason: str


@contextmanager
def parquet_rows(path: str | Path, *needed: str) -> Iterator[ParquetRows]:
    """Open a Parquet file; what is wrong with it, then or later, is an error about the file.

    Raises
    ------
    StemmataError
        E216 if a needed column is missing, E502 without the extra ``parquet``, E101 or E102.
    """
    try:
        import pyarrow
        import pyarrow.compute
        from pyarrow import parquet
    except ImportError:
        raise StemmataError(
            ErrorCode.MISSING_EXTRA, what="Parquet", package="pyarrow", extra="parquet"
        ) from None
    with open_file(path) as stream:
        try:
            rows = ParquetRows(pyarrow, parquet, stream)
            absent = [name for name in needed if name not in rows.columns]
            if absent:
                raise StemmataError(ErrorCode.BAD_COLUMN, path, column=absent[0])
            yield rows
        except (pyarrow.ArrowException, OSError, ValueError, KeyError, MemoryError) as error:
            reason = str(error).partition("\n")[0][:80] or type(error).__name__
            raise StemmataError(ErrorCode.UNREADABLE, path, reason=reason) from None


class ParquetRows:
    """An open Parquet file.

    Attributes
    ----------
    columns
        The names of its columns.
    group_rows, group_bytes
        The rows of each group, and the bytes they come to.
    """

    def __init__(self, pyarrow: Any, parquet: Any, stream: IO[bytes]) -> None:
        self._arrow = pyarrow
        with parquet.ParquetFile(stream) as file:
            metadata, schema = file.metadata, file.schema
            self.columns = tuple(file.schema_arrow.names)
        self._leaves = [schema.column(number) for number in range(len(schema))]
        self._groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        self.group_rows = [group.num_rows for group in self._groups]
        self.group_bytes = [group.total_byte_size for group in self._groups]
        texts = [
            leaf.path
            for number, leaf in enumerate(self._leaves)
            if leaf.physical_type == "BYTE_ARRAY" and not self._is_repeating(number)
        ]
        self._left = MOST_RATIO * stream.seek(0, 2) + FREE_BYTES
        stream.seek(0)
        self._file = parquet.ParquetFile(stream, read_dictionary=texts, buffer_size=_BUFFER)

    def __iter__(self) -> Iterator[Row | BadRow]:
        """Yield all rows in their order."""
        for group in range(len(self._groups)):
            yield from self.group(group)

    def group(self, number: int, wanted: Sequence[int] | None = None) -> Iterator[Row | BadRow]:
        """Yield the rows of a group, or those at the wanted places, which rise."""
        first = 0
        for batch in self._file.iter_batches(self._at_once(number), row_groups=[number]):
            end = first + batch.num_rows
            if wanted is None:
                yield from self._rows(batch)
            elif places := [place - first for place in wanted if first <= place < end]:
                yield from self._rows(batch.take(self._arrow.array(places)))
            first = end

    def _is_repeating(self, leaf: int) -> bool:
        return any(_REPEATING in group.column(leaf).encodings for group in self._groups)

    def _at_once(self, number: int) -> int:
        """Return how many rows of a group may be decoded at once."""
        group, held, most = self._groups[number], 0, MOST_ROWS
        for place, leaf in enumerate(self._leaves):
            chunk = group.column(place)
            size, packed = int(chunk.total_uncompressed_size), int(chunk.total_compressed_size)
            if leaf.max_repetition_level:
                size = max(size, _VALUE_BYTES * chunk.num_values)
            if leaf.physical_type == "FIXED_LEN_BYTE_ARRAY":
                size = max(size, leaf.length * chunk.num_values)
            if size > FREE_BYTES + MOST_RATIO * packed:
                raise ValueError(f"{packed:,} bytes of column {leaf.path} would become {size:,}")
            held += size
            if self._is_repeating(place):
                most = min(most, MOST_BYTES // max(1, size))
        return max(1, min(most, MOST_BYTES * int(group.num_rows) // max(1, held)))

    def _rows(self, batch: Any) -> Iterator[Row | BadRow]:
        """Yield rows; where there is too much in them, or a fault, they are taken out by halves."""
        size = sum(map(self._bytes, batch.columns))
        single = batch.num_rows == 1
        reason = f"it has {size:,} bytes, the limit is {MAX_LINE_BYTES:,}"
        if size <= (MAX_LINE_BYTES if single else MOST_BYTES):
            try:
                columns = [column.cast(self._readable(column.type)) for column in batch.columns]
                found = self._arrow.RecordBatch.from_arrays(columns, batch.schema.names).to_pylist()
            except (ValueError, OverflowError, self._arrow.ArrowException) as error:
                reason = str(error).partition("\n")[0][:80]
            else:
                self._left -= size
                if self._left < 0:
                    raise ValueError(f"it unpacks to more than {MOST_RATIO} times its size")
                yield from found
                return
        if single:
            yield BadRow(reason)
            return
        half = batch.num_rows // 2
        yield from self._rows(batch.slice(0, half))
        yield from self._rows(batch.slice(half))

    def _bytes(self, column: Any) -> int:
        """Return what the values of a column come to without references."""
        types, compute = self._arrow.types, self._arrow.compute
        if types.is_dictionary(column.type):
            lengths = compute.binary_length(column.dictionary)
            return int(compute.sum(compute.take(lengths, column.indices)).as_py() or 0)
        if types.is_map(column.type):
            return self._bytes(column.keys) + self._bytes(column.items)
        if types.is_list(column.type) or types.is_large_list(column.type):
            return self._bytes(column.flatten())
        if types.is_struct(column.type):
            return sum(map(self._bytes, column.flatten()), 0)
        return int(column.nbytes)

    def _readable(self, kind: Any) -> Any:
        """Return the type without references; times become text, since Python's do not reach as far."""
        types = self._arrow.types
        if types.is_dictionary(kind):
            return kind.value_type
        if types.is_temporal(kind):
            return self._arrow.string()
        if types.is_map(kind):
            return self._arrow.map_(self._readable(kind.key_type), self._readable(kind.item_type))
        if types.is_list(kind) or types.is_large_list(kind):
            return self._arrow.large_list(kind.value_field.with_type(self._readable(kind.value_type)))
        if types.is_struct(kind):
            return self._arrow.struct([one.with_type(self._readable(one.type)) for one in kind])
        return kind
