"""Building an index: documents a second beside tantivy alone; time, memory and room as collections grow."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import numpy as np

from benchmarks.measuring import MEGABYTE, in_fresh_process
from benchmarks.tables import MET, show
from stemmata.formats.collections import SourceDocument
from stemmata.reuse.index import Index, build
from stemmata.reuse.index.fingerprints import fingerprint

BESIDE = 100_000
QUICK_BESIDE = 20_000
SIZES = (10_000, 50_000, 200_000, 1_000_000)
QUICK_SIZES = (5_000, 10_000)
WORDS = 200
"""Words of a document, or a few more."""
TARGET_SHARE = 0.7
ROUNDS = 3
QUERIES = 50


class Cost(NamedTuple):
    """What a build took: seconds, megabytes of its own and with mapped files, megabytes on disk."""

    wall: float
    cpu: float
    own: float
    whole: float
    disk: float


class Made(NamedTuple):
    """A build, and questions put to what it made: segments, and milliseconds to look up and to search."""

    cost: Cost
    segments: int
    lookup: float
    search: float


def run(quick: bool) -> None:
    """Print both tables, on documents mixed from a hundred novels if these are at hand."""
    folder = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data") / "novels100"
    if not folder.is_dir():
        print("\nIndexing: set STEMMATA_DATA to the folder that holds novels100")
        return
    _show_beside(folder, QUICK_BESIDE if quick else BESIDE)
    _show_growth(folder, QUICK_SIZES if quick else SIZES)


def documents(folder: Path, count: int) -> Iterator[SourceDocument]:
    """Yield documents of random sentences, the same each time."""
    sentences: list[str] = []
    for path in sorted(folder.glob("*.txt")):
        novel = path.read_text("utf-8", errors="replace")
        found = re.split(r"(?<=[.!?])\s+", novel)
        sentences += [" ".join(one.split()) for one in found if 20 < len(one) < 400]
    words = np.array([one.count(" ") + 1 for one in sentences])
    usual = round(1.5 * WORDS / words.mean())
    random = np.random.default_rng(1)
    for number in range(count):
        chosen = random.integers(0, len(sentences), usual)
        enough = int(np.searchsorted(np.cumsum(words[chosen]), WORDS)) + 1
        yield SourceDocument(f"{number:07d}", " ".join([sentences[one] for one in chosen[:enough].tolist()]))


def _show_beside(folder: Path, count: int) -> None:
    """Build the same documents with tantivy alone and with all that we keep, in turn; the best of each."""
    raw, ours = [], []
    for _ in range(ROUNDS):
        raw.append(in_fresh_process(cost_of_tantivy, folder, count))
        ours.append(in_fresh_process(cost_of_index, folder, count))
    rows = []
    best = []
    for name, costs in (("tantivy alone", raw), ("stemmata index", ours)):
        wall, cpu = min(one.wall for one in costs), min(one.cpu for one in costs)
        best.append((count / wall, count / cpu))
        rates = (f"{count / wall:,.0f}", f"{count / cpu:,.0f}")
        rows.append((name, *rates, f"{costs[0].own:,.0f}", f"{costs[0].disk:,.0f}"))
    shares = [ours / raw for raw, ours in zip(*best, strict=True)]
    show(
        f"Indexing {count:,} documents of {WORDS} words",
        ("", "documents/s", "documents per CPU s", "peak MB", "MB on disk"),
        rows,
        f"Ours is at {shares[0]:.0%} of tantivy's documents/s, {shares[1]:.0%} by CPU time (target "
        f"{TARGET_SHARE:.0%}: {MET[shares[0] >= TARGET_SHARE]}); best of {ROUNDS} each, in turn. Tantivy "
        "keeps and indexes names and texts by its defaults; ours adds stems, runs, skips, near-duplicates. "
        "Both have the documents in memory.",
    )


def _show_growth(folder: Path, sizes: tuple[int, ...]) -> None:
    rows = []
    for size in sizes:
        made = in_fresh_process(growth_at, folder, size)
        cost = made.cost
        times = (f"{size / cost.wall:,.0f}", f"{1e6 * cost.cpu / size:.0f}")
        room = (f"{cost.own:,.0f}", f"{cost.whole:,.0f}", f"{cost.disk:,.0f}", str(made.segments))
        rows.append((f"{size:,}", *times, *room, f"{made.lookup:.1f}", f"{made.search:.1f}"))
    show(
        "Indexing as the collection grows",
        (
            *(
                "documents",
                "documents/s",
                "CPU µs each",
                "peak MB",
                "peak MB with mapped files",
                "MB on disk",
            ),
            *("segments", "ms to look up a document", "ms for 15 words by BM25"),
        ),
        rows,
        "Documents are made up as they are asked for, and the time that takes is taken off. Mapped files are "
        "read in place; the system takes their room back when it needs it.",
    )


def cost_of_tantivy(folder: Path, count: int) -> Cost:
    """Index name and text by tantivy's defaults."""
    import tantivy

    made = list(documents(folder, count))
    with tempfile.TemporaryDirectory() as room, _Scales() as scales:
        wall, cpu = time.perf_counter(), time.process_time()
        schema = (
            tantivy.SchemaBuilder().add_text_field("name", stored=True).add_text_field("text", stored=True)
        )
        writer = tantivy.Index(schema.build(), path=room).writer()
        for one in made:
            writer.add_document(tantivy.Document(name=one.name, text=one.text))
        writer.commit()
        writer.wait_merging_threads()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        return Cost(wall, cpu, *scales.peaks(), _size(Path(room)))


def cost_of_index(folder: Path, count: int) -> Cost:
    """Build an index of the same documents."""
    made = list(documents(folder, count))
    # The first batch loads what hashing needs.
    fingerprint([one.text for one in made[:100]])
    with tempfile.TemporaryDirectory() as room, _Scales() as scales:
        wall, cpu = time.perf_counter(), time.process_time()
        build(Path(room) / "index", made)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        return Cost(wall, cpu, *scales.peaks(), _size(Path(room)))


def growth_at(folder: Path, count: int) -> Made:
    """Build an index and put some questions to it; what it takes to make the documents up does not count."""
    wall, cpu = time.perf_counter(), time.process_time()
    sample = []
    for number, one in enumerate(documents(folder, count)):
        if number % (count // QUERIES) == 0:
            sample.append(one.text)
    spent_wall, spent_cpu = time.perf_counter() - wall, time.process_time() - cpu
    with tempfile.TemporaryDirectory() as room:
        path = Path(room) / "index"
        with _Scales() as scales:
            wall, cpu = time.perf_counter(), time.process_time()
            build(path, documents(folder, count))
            wall = time.perf_counter() - wall - spent_wall
            cpu = time.process_time() - cpu - spent_cpu
            peaks = scales.peaks()
        index = Index.open(path)
        lookup = _milliseconds(sample, lambda text: _look_up(index, text))
        search = _milliseconds(sample, lambda text: index.search("en", text.lower().split()[50:80:2], 30))
        return Made(Cost(wall, cpu, *peaks, _size(path)), index.info()["segments"], lookup, search)


def _look_up(index: Index, text: str) -> None:
    prints = fingerprint([text])
    index.lookup("runs", prints.runs, 50)
    index.lookup("skips", prints.skips, 50)


def _milliseconds(texts: list[str], ask: Callable[[str], object]) -> float:
    """Return the median time of a question."""
    times = []
    for text in texts:
        begin = time.perf_counter()
        ask(text)
        times.append(time.perf_counter() - begin)
    return 1000 * float(np.median(times))


def _size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / MEGABYTE


class _Scales:
    """Weighs this process now and then: what it holds itself, and together with mapped files."""

    def __init__(self) -> None:
        self._end = Event()
        self._before = _weights()
        self._most = (0.0, 0.0)
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> _Scales:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def peaks(self) -> tuple[float, float]:
        """Return the most megabytes so far, beyond what there was at the beginning."""
        return self._most[0] - self._before[0], self._most[1] - self._before[1]

    def _watch(self) -> None:
        while not self._end.wait(0.05):
            own, whole = _weights()
            self._most = (max(self._most[0], own), max(self._most[1], whole))


def _weights() -> tuple[float, float]:
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    own, whole = (int(lines[key].split()[0]) * 1024 / MEGABYTE for key in ("RssAnon", "VmRSS"))
    return own, whole
