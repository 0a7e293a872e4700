"""All pairs of documents of a collection that share text: a join of fingerprints, then the aligners.

Two documents are a pair if the rare fingerprints they share say enough: each counts log(N / df), and those
that more than some documents have do not count. Of a pair, the document that comes first in the collection
counts as the source.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stemmata.formats.files import write_folder_atomically
from stemmata.formats.outputs import OutputFolder
from stemmata.formats.records import Making, names_of
from stemmata.formats.sealed import file_checksum
from stemmata.model import StemmataError
from stemmata.model.executors import current_executor
from stemmata.model.spans import Ints
from stemmata.reuse.detection import settings_of
from stemmata.reuse.index.fingerprints import HASH_BITS, fingerprint
from stemmata.reuse.parameters import ParameterFile, make_aligner
from stemmata.spark.keeping import (
    Kept,
    Piece,
    Stage,
    is_whole,
    pack_faults,
    read_arrays,
    unpack_faults,
    unseen,
    write_arrays,
)
from stemmata.spark.results import Results, write_detections
from stemmata.spark.scanning import KINDS, ROW_BITS, batches
from stemmata.spark.shards import SHARD_BYTES, Shard, Shards
from stemmata.spark.tables import parquet_module, write_table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOST = 50
"""Fingerprints that more documents have do not count."""
LEAST = 40.0
"""The least evidence of a pair that is aligned: in a large collection, some four rare fingerprints."""
PAIRS_PER_PIECE = 32
UNIT = 1_000_000
"""Evidence is summed in millionths, as whole numbers: the sum does not depend on the order."""
FINGERPRINTS = "fingerprints.parquet"
DOCUMENTS = "documents.npz"


class SharedEvidence(NamedTuple):
    """Pairs of documents, and how much speaks for each, in millionths.

    Documents are numbered by their shard and row; the earlier of two is the source. Pairs are in rising order
    of the later document, then of the source.
    """

    later: Ints
    source: Ints
    evidence: Ints


def find_pairs(
    collection: Path,
    out: Path,
    detector: str = "stemmata",
    parameters: ParameterFile | None = None,
    most: int = MOST,
    least: float = LEAST,
    shard_bytes: int = SHARD_BYTES,
    jobs: int = 1,
    stage: Stage = unseen,
    overwrite: bool = False,
) -> tuple[Results, list[str]]:
    """Find all pairs of documents that share text, and the passages.

    Parameters
    ----------
    collection
        A file or folder, as `Shards` reads it.
    out
        Folder for ``pairs.parquet``, ``detections`` (PAN XML) and ``detections.parquet``. It appears
        when everything is done.
    detector, parameters
        The aligner, by name, and what it was tuned to.
    most
        Fingerprints that more documents have do not count.
    least
        The least evidence of a pair, in natural logarithms.
    shard_bytes
        About how much of the collection is read in one piece.
    jobs
        Processes, where no other executor is in charge.
    stage
        Told what begins.
    overwrite
        Whether the pairs of another collection, or found in another way, are replaced.

    Returns
    -------
    results, faults
        All that was found, and what of the collection could not be read.
    """
    made = settings_of(make_aligner(detector, parameters))
    chosen = {"detector": detector, "settings": made, "most": most, "least": least}
    making = Making("batch of pairs", chosen, {"collection": names_of(collection)})
    claimed = OutputFolder.claim(out, making, overwrite, [collection])
    with claimed.unfinished() as keep:
        kept, shards = Kept(keep, jobs), Shards.open(collection, shard_bytes)
        pieces = [Piece((shard.key, number), (shard, number)) for number, shard in enumerate(shards.parts)]
        with stage("Taking fingerprints", len(pieces), "shards") as advance:
            tables = kept.run(take_fingerprints, pieces, "", advance=advance, holds=_has_fingerprints)
        known = [read_arrays(table / DOCUMENTS) for table in tables]
        key = ("joined", [piece.key for piece in pieces], most, least)
        joined = kept.path(".npz", *key)
        if not is_whole(joined):
            count = sum(len(arrays["positions"]) for arrays in known)
            with stage("Joining fingerprints", 1, "join") as advance:
                found = _join(tables, kept.path(".parquet", *key), _weights(count, most), round(least * UNIT))
                write_arrays(joined, found._asdict())
                advance(1)
        rows = _rows(SharedEvidence(**read_arrays(joined)), [arrays["positions"] for arrays in known])
        parts = [rows[at : at + PAIRS_PER_PIECE] for at in range(0, len(rows), PAIRS_PER_PIECE)]
        states = [shard.key for shard in shards.parts]
        work = [Piece((states, made, part), (part,), len(part)) for part in parts]
        with stage("Aligning pairs", len(rows), "pairs") as advance:
            done = kept.run(
                align_pairs, work, ".json", _begin, (_Task(shards, detector, parameters),), advance
            )
        results = Results.read(done)
        with claimed.filled() as room:
            columns = [("document", "string"), ("source", "string"), ("evidence", "float64")]
            write_table(room / "pairs.parquet", columns, results.pairs)
            write_detections(room, results)
    return results, unpack_faults(known)


def take_fingerprints(path: Path, shard: Shard, number: int) -> None:
    """Write the fingerprints of a shard as a table of hashes and documents, and where the documents are."""
    pyarrow, parquet = parquet_module()
    schema = pyarrow.schema([("hash", pyarrow.int64()), ("document", pyarrow.int64())])
    faults: list[str] = []
    positions: list[int] = []
    guess = "en"
    with write_folder_atomically(path, replace=True) as room:
        with parquet.ParquetWriter(room / FINGERPRINTS, schema) as writer:
            for batch in batches(shard.documents(lambda finding: faults.append(str(finding)))):
                made = fingerprint([placed.document.text for placed in batch], guess)
                guess = max(set(made.languages), key=made.languages.count)
                first = (number << ROW_BITS) + len(positions)
                for mark, kind in enumerate(KINDS):
                    hashes = getattr(made, kind).astype(np.int64) | (mark << HASH_BITS)
                    rows = np.stack([hashes, getattr(made, f"{kind[:-1]}_documents") + first])
                    writer.write_table(pyarrow.table(list(_different(rows)), schema=schema))
                positions += [placed.position for placed in batch]
        found = np.array(file_checksum(room / FINGERPRINTS))
        columns = {"positions": np.array(positions, np.int64), "fingerprints": found}
        write_arrays(room / DOCUMENTS, {**columns, **pack_faults(faults)})


def _has_fingerprints(table: Path) -> bool:
    """Tell whether the fingerprints of a shard are as they were written."""
    try:
        expected = int(read_arrays(table / DOCUMENTS)["fingerprints"])
        return file_checksum(table / FINGERPRINTS) == expected
    except (StemmataError, KeyError, TypeError, ValueError):
        return False


def _different(rows: Ints) -> Ints:
    """Return different columns, in rising order."""
    rows = rows[:, np.lexsort((rows[1], rows[0]))]
    new = np.ones(rows.shape[1], np.bool_)
    new[1:] = (np.diff(rows[0]) != 0) | (np.diff(rows[1]) != 0)
    return rows[:, new]


def _weights(count: int, most: int) -> list[int]:
    """Return what a fingerprint counts that 2, 3, … up to `most` documents have, of so many in all."""
    return [round(math.log((count + 1) / df) * UNIT) for df in range(2, most + 1)]


def _join(tables: Sequence[Path], room: Path, weights: list[int], least: int) -> SharedEvidence:
    """Join fingerprints on the cluster that is in charge, or else here."""
    session: SparkSession | None = getattr(current_executor(), "session", None)
    if session is not None:
        return join_on_spark(session, tables, room, weights, least)
    _, parquet = parquet_module()
    parts = [parquet.read_table(table / FINGERPRINTS) for table in tables]
    hashes, documents = (
        np.concatenate([part[name].to_numpy() for part in parts]) for name in ("hash", "document")
    )
    return shared_evidence(hashes, documents, weights, least)


def shared_evidence(hashes: Ints, documents: Ints, weights: list[int], least: int) -> SharedEvidence:
    """Return the pairs of documents that share enough.

    Parameters
    ----------
    hashes, documents
        Fingerprints and the documents that have them, each pair once.
    weights
        What a fingerprint counts that two documents have, three, and so on; others do not count.
    least
        What the fingerprints of a pair must count together.

    Examples
    --------
    >>> found = shared_evidence(np.array([7, 7, 8, 8, 9]), np.array([1, 2, 1, 2, 2]), [10], 20)
    >>> found.later.tolist(), found.source.tolist(), found.evidence.tolist()
    ([2], [1], [20])
    """
    order = np.lexsort((documents, hashes))
    hashes, documents = hashes[order], documents[order]
    starts = np.flatnonzero(np.diff(hashes, prepend=-1))
    dfs = np.diff(starts, append=len(hashes))
    later, source, counts = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for df, weight in enumerate(weights, start=2):
        groups = documents[starts[dfs == df][:, None] + np.arange(df)]
        low, high = np.triu_indices(df, 1)
        source.append(groups[:, low].ravel())
        later.append(groups[:, high].ravel())
        counts.append(np.full(len(source[-1]), weight))
    rows = np.stack([np.concatenate(later), np.concatenate(source), np.concatenate(counts)])
    rows = rows[:, np.lexsort((rows[1], rows[0]))]
    firsts = np.flatnonzero((np.diff(rows[0], prepend=-1) != 0) | (np.diff(rows[1], prepend=-1) != 0))
    sums = np.add.reduceat(rows[2], firsts) if len(firsts) else np.zeros(0, np.int64)
    enough = sums >= least
    return SharedEvidence(rows[0, firsts][enough], rows[1, firsts][enough], sums[enough])


def join_on_spark(
    session: SparkSession, tables: Sequence[Path], room: Path, weights: list[int], least: int
) -> SharedEvidence:
    """Return the same as `shared_evidence`, by a join on a cluster.

    Fingerprints are counted first, which takes little memory however frequent one is; only rare ones are
    joined with themselves. The pairs are written to `room` on the way.
    """
    from pyspark.sql import functions

    column = functions.col
    table = session.read.parquet(*(f"file://{path / FINGERPRINTS}" for path in tables))
    counted = table.groupBy("hash").count()
    rare = counted.where(column("count").between(2, len(weights) + 1)).select(
        "hash",
        functions.element_at(functions.lit(weights), (column("count") - 1).cast("int")).alias("weight"),
    )
    kept = table.join(rare, "hash")
    later = kept.select("hash", column("document").alias("later"), "weight")
    source = kept.select("hash", column("document").alias("source"))
    pairs = (
        later.join(source, "hash")
        .where(column("source") < column("later"))
        .groupBy("later", "source")
        .agg(functions.sum("weight").alias("evidence"))
        .where(column("evidence") >= least)
    )
    pairs.write.mode("overwrite").parquet(f"file://{room}")
    _, parquet = parquet_module()
    parts = [parquet.read_table(path) for path in sorted(room.glob("*.parquet"))]
    rows = np.stack(
        [
            np.concatenate([np.zeros(0, np.int64), *(part[name].to_numpy() for part in parts)])
            for name in SharedEvidence._fields
        ]
    )
    return SharedEvidence(*rows[:, np.lexsort((rows[1], rows[0]))])


Row = tuple[tuple[int, int], tuple[int, int], float]
"""Shard and position of the later document and of the source, and the evidence."""


def _rows(found: SharedEvidence, positions: Sequence[Ints]) -> list[Row]:
    def place(number: int) -> tuple[int, int]:
        shard, row = number >> ROW_BITS, number & ((1 << ROW_BITS) - 1)
        return shard, int(positions[shard][row])

    return [
        (place(later), place(source), evidence / UNIT)
        for later, source, evidence in zip(*(side.tolist() for side in found), strict=True)
    ]


@dataclass(frozen=True)
class _Task:
    """What to do with pairs."""

    shards: Shards
    detector: str
    parameters: ParameterFile | None


_task: list[_Task] = []
"""In a process that aligns: what to do."""


def _begin(task: _Task) -> None:
    _task[:] = [task]


def align_pairs(path: Path, rows: Sequence[Row]) -> None:
    """Align some pairs and write what is found."""
    task = _task[0]
    aligner = make_aligner(task.detector, task.parameters)
    wanted: dict[int, list[int]] = {}
    for later, source, _ in rows:
        for shard, position in (later, source):
            wanted.setdefault(shard, []).append(position)
    read = {shard: task.shards.parts[shard].fetch(positions) for shard, positions in wanted.items()}
    results = Results()
    for later, source, evidence in rows:
        results.add(task.detector, aligner, read[later[0]][later[1]], read[source[0]][source[1]], evidence)
    results.write(path)
