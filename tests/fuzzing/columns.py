"""Parquet made to do harm: dictionaries that expand, types and times of other programs, absurd lengths."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from fuzzing.formats import SUBJECTS
from fuzzing.kinds import Draw, chosen, kind

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError:
    pa = None


def _odd_columns(rng: Random) -> dict[str, Callable[[], Any]]:
    """Return columns of one row in types that readers may not expect."""
    far = 2**62 if rng.random() < 0.5 else -(2**62)
    return {
        "nanoseconds": lambda: pa.array([1234567891], pa.timestamp("ns")),
        "a far time": lambda: pa.array([far], pa.timestamp("us")),
        "a far time in a zone": lambda: pa.array([far], pa.timestamp("ms", tz="Mars/Olympus")),
        "a far day": lambda: pa.array([far >> 32], pa.date32()),
        "a duration": lambda: pa.array([far], pa.duration("us")),
        "a time of day": lambda: pa.array([86_399_999_999_999], pa.time64("ns")),
        "a decimal": lambda: pa.array([None], pa.decimal128(38, 10)),
        "bytes": lambda: pa.array([b"\xff\xfe"], pa.binary()),
        "a structure": lambda: pa.array([{"a": {"b": [1, None]}}]),
        "a map": lambda: pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())),
        "nothing": lambda: pa.nulls(1),
        "a number that is none": lambda: pa.array([rng.choice((float("nan"), float("inf"), -1e308))]),
        "a large number": lambda: pa.array([2**64 - 1], pa.uint64()),
        "a list of nothing": lambda: pa.array([[None] * 1000]),
        "half precision": lambda: pa.array([1.5], pa.float16()) if hasattr(pa, "float16") else pa.nulls(1),
    }


def _bomb(rows: int, megabytes: int) -> Any:
    big = "a " * (megabytes * 500_000)
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([big]))


if pa is not None:

    @kind("crafted Parquet", turns=3)
    def _parquet(draw: Draw) -> tuple[str, ...]:
        rng = draw.rng
        draw.take("alignment", "documents", "made")
        document = rng.random() < 0.5
        rows = 1500 if rng.random() < 0.2 else 1
        columns: dict[str, Any] = (
            {"id": [f"r{at}" for at in range(rows)], "text": ["some words"] * rows}
            if document
            else {
                "reference": ["s0.txt"] * rows,
                "this_offset": list(range(rows)),
                "this_length": [5] * rows,
                "source_reference": ["o0.txt"] * rows,
                "source_offset": [0] * rows,
                "source_length": [5] * rows,
            }
        )
        name = rng.choice(("extra", *columns))
        if rows > 1:
            story, columns[name] = "a bomb", _bomb(rows, 4)
        else:
            odd = _odd_columns(rng)
            story = rng.choice(list(odd))
            columns[name] = odd[story]()
        file = "documents/good/x.parquet" if document else "alignment/x.parquet"
        parquet.write_table(pa.table(columns), draw.room / "in" / file, compression="zstd")
        subject = SUBJECTS["documents as Parquet" if document else "annotations as Parquet"]
        return f"{name}: {story}", *chosen(rng, subject.commands, file)
