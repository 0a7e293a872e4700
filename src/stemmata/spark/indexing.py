"""Indexing a collection in shards: an index of its own for each part, all built at the same time.

A shard is an ordinary index and can be asked alone. One that is finished is kept; one that was interrupted is
finished from its last commit.
"""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from stemmata.formats.faults import Report
from stemmata.formats.outputs import OutputFolder
from stemmata.formats.records import Making, names_of
from stemmata.formats.sealed import read_sealed, write_sealed
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.processes import Processes
from stemmata.reuse.index.manifest import MANIFEST, lock, read_manifest
from stemmata.reuse.index.writing import build
from stemmata.spark.keeping import MOST_FAULTS, Stage, unseen
from stemmata.spark.shards import Shard, Shards

SHARD_BYTES = 1 << 30
"""About so much of a collection makes an index."""
WAIT_SECONDS = 30.0
"""So long a process that was lost may hold its index."""


@dataclass(frozen=True)
class Indexed:
    """What came of building some indexes.

    Attributes
    ----------
    shards
        The folders of the indexes.
    documents
        How many documents there are in all of them.
    faults
        What could not be read.
    """

    shards: list[Path]
    documents: int
    faults: list[str]


def build_shards(
    collection: Path,
    out: Path,
    shard_bytes: int = SHARD_BYTES,
    jobs: int = 1,
    stage: Stage = unseen,
) -> Indexed:
    """Build an index for each shard of a collection, ``shard-00001`` and so on below a folder.

    Parameters
    ----------
    collection
        A file or folder, as `Shards` reads it.
    out
        The folder, on storage that all machines share. Indexes that are there and finished are kept if
        they are of the same shards.
    shard_bytes
        About how much of the collection makes a shard.
    jobs
        Processes, where no other executor is in charge.
    stage
        Told what begins.

    Raises
    ------
    StemmataError
        E773 if there are indexes of something else. An index whose record is damaged is built anew.
    """
    shards = Shards.open(collection, shard_bytes, files=1 << 20)
    names = [f"shard-{number:05}" for number in range(1, len(shards) + 1)]
    making = Making(
        "set of indexes", {"shard_bytes": shard_bytes}, {"collection": names_of(collection)}, False
    )
    files = [file for name in names for file in (name, f"{name}.key")]
    claimed = OutputFolder.claim(out, making, given=[collection], files=files)
    documents, faults = 0, list[str]()
    with (
        claimed.growing() as top,
        stage("Building indexes", len(names), "shards") as advance,
        Processes(min(jobs, len(names))) as processes,
    ):
        folders = [top / name for name in names]
        work = list(zip(folders, shards.parts, strict=True))
        for _, (count, told) in processes.completed(build_shard, work):
            documents += count
            faults += told
            advance(1)
    return Indexed(folders, documents, sorted(faults))


def build_shard(folder: Path, shard: Shard) -> tuple[int, list[str]]:
    """Build the index of a shard, unless it is there; return how many documents it has, and faults."""
    record = folder.with_suffix(".key")
    if (folder / MANIFEST).exists():
        manifest = read_manifest(folder)
        kept = read_sealed(record)
        if kept is None and record.is_file():
            # Of what the index is, nobody knows any more.
            with lock(folder):
                shutil.rmtree(folder)
        elif kept != {"shard": shard.key}:
            raise StemmataError(ErrorCode.INDEX_EXISTS, folder, documents=manifest.documents)
        elif manifest.start is None:
            return manifest.documents, []
    write_sealed(record, json.dumps({"shard": shard.key}))
    faults: list[str] = []
    report: Report = lambda finding: faults.append(str(finding))  # noqa: E731
    until = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            documents = (placed.document for placed in shard.documents(report))
            outcome = build(folder, documents, shard.key)
            break
        except StemmataError as error:
            if error.code != ErrorCode.INDEX_IN_USE.code or time.monotonic() > until:
                raise
            # Whoever did this piece before on a machine that was lost is about to end.
            faults.clear()
            time.sleep(0.5)
    faults += map(str, outcome.findings)
    return read_manifest(folder).documents, faults[:MOST_FAULTS]
