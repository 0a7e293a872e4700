"""Annotation files: how many are read per second of CPU time, beside the standard library's DOM."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.dom import minidom

import numpy as np

from benchmarks.folders import write_folder
from benchmarks.generate import ANNOTATIONS_PER_CASE, DENSE, make_sample
from benchmarks.measuring import cpu_seconds
from benchmarks.tables import MET, factors, show
from stemmata.formats import AnnotationFiles, read_cases, read_detections
from stemmata.formats.pan_xml import CASES, DETECTIONS
from stemmata.formats.tabular import write_jsonl, write_parquet
from stemmata.model import Annotations

FILES = 10_000
QUICK_FILES = 1_000
GROWTH = (1_000, 2_000, 5_000, 10_000, 20_000)
QUICK_GROWTH = (200, 500, 1_000)
ANNOTATIONS = 100_000
QUICK_ANNOTATIONS = 10_000
POSITION = ("this_offset", "this_length", "source_reference", "source_offset", "source_length")
TARGET = 10_000
"""Files per second of CPU time."""

Reader = Callable[[Path], AnnotationFiles]


def small_files(count: int, seed: int = 0) -> Annotations:
    """Return annotations of so many documents, none to three in each."""
    rng = np.random.default_rng(seed)
    three_each = make_sample(round(3 * count * ANNOTATIONS_PER_CASE), 3, seed).cases
    return three_each.take(rng.random(len(three_each)) < 0.5)


def read_with_minidom(folder: Path, tag: str) -> list[tuple[str, ...]]:
    """Read the same attributes through ``xml.dom.minidom``, as the historical scorers do."""
    rows: list[tuple[str, ...]] = []
    for path in sorted(folder.glob("*.xml")):
        document = minidom.parse(str(path))
        rows.extend(
            tuple(feature.getAttribute(name) for name in POSITION)
            for feature in document.getElementsByTagName("feature")
            if feature.getAttribute("name").endswith(tag)
        )
    return rows


def run(quick: bool) -> None:
    """Print files per second beside the peer, their growth, and annotations per second by format."""
    with TemporaryDirectory() as folder:
        _show_small_files(Path(folder), QUICK_FILES if quick else FILES)
    with TemporaryDirectory() as folder:
        _show_growth(Path(folder), QUICK_GROWTH if quick else GROWTH)
    with TemporaryDirectory() as folder:
        _show_formats(Path(folder), QUICK_ANNOTATIONS if quick else ANNOTATIONS)


def _show_small_files(folder: Path, count: int) -> None:
    cases = small_files(count)
    detections = replace(cases, attributes={})
    kinds: tuple[tuple[str, Annotations, str, Reader], ...] = (
        ("truth", cases, CASES, read_cases),
        ("run", detections, DETECTIONS, read_detections),
    )
    rows = []
    for kind, said, tag, read in kinds:
        write_folder(folder / kind, said, tag)
        ours = count / cpu_seconds(partial(read, folder / kind))
        peer = count / cpu_seconds(partial(read_with_minidom, folder / kind, tag))
        ratio = f"x{ours / peer:.1f}"
        rows.append((kind, f"{ours:,.0f}", f"{peer:,.0f}", ratio, f">= {TARGET:,}", MET[ours >= TARGET]))
    title = f"Reading {count:,} PAN XML files, none to three features in each"
    show(title, ("folder", "files/s CPU", "minidom", "ratio", "target", ""), rows)


def _show_growth(folder: Path, counts: tuple[int, ...]) -> None:
    seconds = []
    for count in counts:
        write_folder(folder / str(count), small_files(count), CASES)
        seconds.append(cpu_seconds(partial(read_cases, folder / str(count))))
    rows = [
        (f"{count:,}", f"{time:.3f}", f"{time / count * 1e6:.1f}", size_grew, time_grew)
        for count, time, size_grew, time_grew in zip(
            counts, seconds, factors(counts), factors(seconds), strict=True
        )
    ]
    show(
        "Reading, growth with the number of files",
        ("files", "CPU s", "µs each", "size grew", "time grew"),
        rows,
    )


def _show_formats(folder: Path, count: int) -> None:
    cases = make_sample(round(count * ANNOTATIONS_PER_CASE), DENSE).cases
    documents = len(cases.suspicious.values)
    write_folder(folder / "xml", cases, CASES)
    write_jsonl(folder / "cases.jsonl", cases)
    write_parquet(folder / "cases.parquet", cases)
    rows = []
    for what, path in (
        (f"PAN XML, {documents:,} files of {DENSE:,} features", folder / "xml"),
        ("JSONL", folder / "cases.jsonl"),
        ("Parquet", folder / "cases.parquet"),
    ):
        seconds = cpu_seconds(partial(read_cases, path))
        rows.append((what, f"{len(cases) / seconds:,.0f}", f"{seconds / len(cases) * 1e6:.1f}"))
    show(f"Reading {count:,} annotations", ("format", "annotations/s CPU", "µs each"), rows)
