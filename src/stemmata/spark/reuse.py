"""Many texts against a collection: one scan, then the sources of each text, then the passages.

Retrievers and aligners are those that work on one machine, asked the same questions; a scanned collection
gives the answers that an index of it would give.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from stemmata.formats.outputs import OutputFolder
from stemmata.formats.records import Making, names_of
from stemmata.formats.retrieval import RetrievalFormat, write_rankings
from stemmata.model import Document, ErrorCode, Ranked, StemmataError
from stemmata.reuse import retrievers
from stemmata.reuse.asking import retrieve
from stemmata.reuse.detection import settings_of
from stemmata.reuse.parameters import ParameterFile, make_aligner
from stemmata.reuse.retrieval.collection import Collection
from stemmata.reuse.retrieval.query import Query
from stemmata.spark.keeping import Kept, Piece, Stage, unseen
from stemmata.spark.results import Results, write_detections
from stemmata.spark.scanning import ScannedCollection, Wanted, scan
from stemmata.spark.shards import SHARD_BYTES, Shards
from stemmata.spark.tables import write_table

SCANNING: dict[str, dict[str, int]] = {"stemmata": {"fill": 0}, "fingerprint": {}}
"""Retrievers that need no search by words, and what makes them do without."""
TEXTS_PER_PIECE = 8
SUSPICIOUS_BYTES = 4 << 20


@dataclass(frozen=True)
class Comparison:
    """What to do with each text: everything that decides the result."""

    collection: Shards
    suspicious: Shards
    scan: Path
    retriever: str
    detector: str
    parameters: ParameterFile | None = None

    @property
    def key(self) -> list[object]:
        """What decides the result of a piece, beside its texts."""
        made = make_aligner(self.detector, self.parameters)
        asked = retriever_over(self.retriever, None)
        return [self.scan.name, self.retriever, settings_of(asked), self.detector, settings_of(made)]


def retriever_over(name: str, collection: Collection | None) -> Any:
    """Return a retriever for a collection that has fingerprints but no search by words.

    Raises
    ------
    StemmataError
        E501 if there is no such retriever, E806 if it needs search by words.
    """
    retrievers[name]
    if name not in SCANNING:
        raise StemmataError(ErrorCode.NO_SEARCH, name=name, known=", ".join(SCANNING))
    return retrievers.make(name, collection, **SCANNING[name])


def find_reuse(
    collection: Path,
    suspicious: Path,
    out: Path,
    retriever: str = "stemmata",
    detector: str = "stemmata",
    parameters: ParameterFile | None = None,
    run_format: RetrievalFormat = "json",
    shard_bytes: int = SHARD_BYTES,
    jobs: int = 1,
    stage: Stage = unseen,
    overwrite: bool = False,
) -> tuple[Results, list[str]]:
    """Find where texts come from in a collection, and write rankings and passages.

    Parameters
    ----------
    collection, suspicious
        Files or folders, as `Shards` reads them.
    out
        Folder for ``rankings`` (a folder of JSON, or ``rankings.trec``), ``rankings.parquet``, ``detections``
        (PAN XML, a file for each pair that was aligned) and ``detections.parquet``. It appears when
        everything is done.
    retriever
        Its name; one that searches by words cannot be had.
    detector, parameters
        The aligner, by name, and what it was tuned to.
    run_format
        How rankings are written, beside Parquet.
    shard_bytes
        About how much of the collection is scanned in one piece.
    jobs
        Processes, where no other executor is in charge.
    stage
        Told what begins.
    overwrite
        Whether what was found for other texts, or in another way, is replaced.

    Returns
    -------
    results, faults
        All that was found, and what of the collection could not be read.
    """
    most = retriever_over(retriever, None).most
    chosen = {
        "retriever": retriever,
        "detector": detector,
        "settings": settings_of(make_aligner(detector, parameters)),
        "rankings": run_format,
    }
    inputs = {"collection": names_of(collection), "texts": names_of(suspicious)}
    making = Making("batch of reuse", chosen, inputs)
    claimed = OutputFolder.claim(out, making, overwrite, [collection, suspicious])
    shards, texts = Shards.open(collection, shard_bytes), Shards.open(suspicious, SUSPICIOUS_BYTES)
    faults: list[str] = []
    places: list[tuple[int, int]] = []

    def queries() -> Iterator[Query]:
        for number, shard in enumerate(texts.parts):
            for position, document in shard.documents(lambda finding: faults.append(str(finding))):
                places.append((number, position))
                yield Query.of(Document(document.name, document.text))

    with claimed.unfinished() as keep:
        kept = Kept(keep, jobs)
        wanted = Wanted.of(queries())
        with stage("Scanning the collection", len(shards), "shards") as advance:
            scanned, unread = scan(kept, shards, wanted, most, advance)
        comparison = Comparison(shards, texts, scanned, retriever, detector, parameters)
        parts = [places[at : at + TEXTS_PER_PIECE] for at in range(0, len(places), TEXTS_PER_PIECE)]
        states = [shard.key for shard in texts.parts]
        pieces = [Piece((comparison.key, states, part), (part,), len(part)) for part in parts]
        with stage("Comparing texts", len(places), "texts") as advance:
            done = kept.run(compare_texts, pieces, ".json", _begin, (comparison,), advance)
        results = Results.read(done)
        with claimed.filled() as room:
            _write_rankings(room, results, run_format)
            write_detections(room, results)
    return results, faults + unread


_comparison: list[Comparison] = []
"""In a process that compares: what to do."""


def _begin(comparison: Comparison) -> None:
    _comparison[:] = [comparison]


@lru_cache(maxsize=1)
def _scanned(path: Path) -> ScannedCollection:
    return ScannedCollection(_comparison[0].collection, path)


def compare_texts(path: Path, places: Sequence[tuple[int, int]]) -> None:
    """Find the sources of some texts and what is from them, and write it."""
    comparison = _comparison[0]
    collection = _scanned(comparison.scan)
    retriever = retriever_over(comparison.retriever, collection)
    aligner = make_aligner(comparison.detector, comparison.parameters)
    results = Results()
    for shard, position in places:
        document = comparison.suspicious.parts[shard].fetch([position])[position]
        try:
            ranking = retrieve(comparison.retriever, retriever, document)
        except StemmataError as error:
            results.failures.append((document.name, "", str(error)))
            continue
        results.rankings.append(ranking)
        for name, score in ranking.sources:
            results.add(comparison.detector, aligner, document, collection.named(name), score)
    results.write(path)


def _write_rankings(room: Path, results: Results, run_format: RetrievalFormat) -> None:
    named: dict[str, list[Ranked]] = {}
    for one in results.rankings:
        first: dict[str, Ranked] = {}
        for ranked in one.sources:
            first.setdefault(ranked.source, ranked)
        named[one.document] = list(first.values())
    write_rankings(room / ("rankings" if run_format == "json" else "rankings.trec"), named, run_format)
    rows = [
        (one.document, source, rank, score)
        for one in results.rankings
        for rank, (source, score) in enumerate(one.sources, start=1)
    ]
    columns = [("document", "string"), ("source", "string"), ("rank", "int64"), ("score", "float64")]
    write_table(room / "rankings.parquet", columns, rows)
