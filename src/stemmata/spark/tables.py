"""Tables in Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from stemmata.formats.files import write_atomically
from stemmata.model import ErrorCode, StemmataError


def parquet_module() -> tuple[Any, Any]:
    """Return the modules that read and write Parquet."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise StemmataError(
            ErrorCode.MISSING_EXTRA, what="Parquet", package="pyarrow", extra="parquet"
        ) from None
    return pyarrow, parquet


def write_table(path: Path, columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[object]]) -> None:
    """Write a Parquet table.

    Parameters
    ----------
    columns
        Name and type of each: ``"string"``, ``"int64"`` or ``"float64"``.
    """
    pyarrow, parquet = parquet_module()
    schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in columns])
    names = [name for name, _ in columns]
    records = [dict(zip(names, row, strict=True)) for row in rows]
    with write_atomically(path) as part:
        parquet.write_table(pyarrow.Table.from_pylist(records, schema=schema), part)
