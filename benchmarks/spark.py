"""Batches on Spark and in processes: what a document costs as the collection grows.

``STEMMATA_SPARK`` names a cluster; without it, Spark runs in two threads of this machine.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.retrieval_collection import cut_up, texts_of
from benchmarks.tables import factors, show
from stemmata.model.executors import Executor, work_on
from stemmata.model.processes import Processes
from stemmata.spark.executor import SparkExecutor
from stemmata.spark.pairs import find_pairs, take_fingerprints
from stemmata.spark.reuse import compare_texts, find_reuse
from stemmata.spark.scanning import scan_shard

SIZES = (10_000, 50_000, 200_000)
QUICK_SIZES = (2_000, 10_000)
TEXTS = 100
SHARD_BYTES = 2 << 20
JOBS = 2
MEGABYTE = 1_000_000


@dataclass
class Timed:
    """Does work as another executor does, or in processes, and sums up the CPU time of each kind of piece."""

    executor: Executor | None
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @property
    def session(self) -> Any:
        """The session of Spark, where there is one."""
        return getattr(self.executor, "session", None)

    def completed(
        self,
        function: Callable[..., Any],
        work: Sequence[tuple[Any, ...]],
        prepare: Callable[..., None] | None = None,
        arguments: tuple[Any, ...] = (),
    ) -> Iterator[tuple[int, Any]]:
        """Yield number and result of each piece."""
        timed = [(function, *piece) for piece in work]
        if self.executor is not None:
            answers = self.executor.completed(_timed, timed, prepare, arguments)
        else:
            answers = _in_processes(timed, prepare, arguments)
        for number, (seconds, result) in answers:
            self.seconds[function.__name__] += seconds
            yield number, result


def _in_processes(
    work: Sequence[tuple[Any, ...]], prepare: Callable[..., None] | None, arguments: tuple[Any, ...]
) -> Iterator[tuple[int, Any]]:
    with work_on(None):
        processes = Processes(JOBS, prepare, arguments)
    with processes:
        yield from processes.completed(_timed, work)


def _timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    begin = time.process_time()
    result = function(*arguments)
    return time.process_time() - begin, result


def run(quick: bool) -> None:
    """Print what a document and a text cost, for collections that grow."""
    data = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")
    if not (data / "novels100").is_dir():
        print("\nThe benchmark of Spark is left out: it needs novels100; see docs/data.md")
        return
    sizes = QUICK_SIZES if quick else SIZES
    # Processes of executors import this very module.
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[1])
    with tempfile.TemporaryDirectory() as room:
        made = _collections(Path(room), data, sizes)
        url = os.environ.get("STEMMATA_SPARK") or f"local[{JOBS}]"
        for name, started in (
            (f"{JOBS} processes", nullcontext(None)),
            (f"Spark, {url}", SparkExecutor(url)),
        ):
            with started as executor:
                _show(name, [_measure(executor, Path(room), *one) for one in made])


def _collections(room: Path, data: Path, sizes: Sequence[int]) -> list[tuple[Path, Path, int]]:
    """Write collections of growing size, the smaller a part of the larger, and texts that borrow from all."""
    rng = np.random.default_rng(1)
    base, hosts = texts_of(data)
    documents = (part for _, text in base for part, _ in cut_up(text, "en", rng))
    texts = list(islice(documents, min(sizes)))
    host = [part for _, text in hosts[:2] for part, _ in cut_up(text, "en", rng)]
    rows = []
    for number in range(TEXTS):
        own = [host[place] for place in rng.integers(len(host), size=12).tolist()]
        own[4:4] = [texts[place] for place in rng.integers(len(texts), size=3).tolist()]
        rows.append({"id": f"text-{number}", "text": " ".join(own)})
    _write(room / "texts.jsonl", rows)
    made = []
    for size in sizes:
        texts += islice(documents, size - len(texts))
        path = room / f"{size}.jsonl"
        _write(path, [{"id": f"doc-{number}", "text": text} for number, text in enumerate(texts)])
        made.append((path, room / "texts.jsonl", len(texts)))
    return made


def _write(path: Path, rows: Sequence[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@dataclass(frozen=True)
class Cost:
    """What a batch over a collection took: wall seconds of the two batches, CPU seconds of their pieces."""

    documents: int
    megabytes: float
    scan: float
    compare: float
    prints: float
    reuse_wall: float
    pairs_wall: float
    pairs: int


def _measure(executor: Executor | None, room: Path, path: Path, texts: Path, documents: int) -> Cost:
    timed = Timed(executor)
    with work_on(timed):
        begin = time.perf_counter()
        find_reuse(path, texts, room / "reuse", shard_bytes=SHARD_BYTES)
        middle = time.perf_counter()
        found, _ = find_pairs(path, room / "pairs", "shingles", shard_bytes=SHARD_BYTES)
    walls = middle - begin, time.perf_counter() - middle
    seconds = [timed.seconds[one.__name__] for one in (scan_shard, compare_texts, take_fingerprints)]
    return Cost(documents, path.stat().st_size / MEGABYTE, *seconds, *walls, len(found.pairs))


def _show(name: str, costs: list[Cost]) -> None:
    micro = 1_000_000
    scans = [cost.scan / cost.documents * micro for cost in costs]
    growth = factors(scans)
    rows = [
        (
            f"{cost.documents:,}",
            f"{cost.megabytes:.1f}",
            f"{scan:.0f}",
            more,
            f"{cost.compare / TEXTS * 1000:.0f}",
            f"{cost.prints / cost.documents * micro:.0f}",
            f"{cost.reuse_wall / cost.documents * micro:.0f}",
            f"{cost.pairs_wall / cost.documents * micro:.0f}",
            f"{cost.pairs:,}",
        )
        for cost, scan, more in zip(costs, scans, growth, strict=True)
    ]
    columns = (
        *("documents", "MB", "scan, CPU µs per document", "growth", "retrieve and align, CPU ms per text"),
        *("fingerprints for pairs, CPU µs per document", "reuse, wall µs per document"),
        *("pairs, wall µs per document", "pairs found"),
    )
    note = f"{TEXTS} texts of about 900 words, each with three documents of the collection in it."
    show(f"Batches: {name}", columns, rows, note)
