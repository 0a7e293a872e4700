"""Detectors: CPU per pair of documents, their analysis included, and what each part of it costs."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from benchmarks.available import available_detectors
from benchmarks.measuring import timed
from benchmarks.tables import MET, show
from stemmata.corpora.demo import build_demo_corpus
from stemmata.formats import DocumentFolder, read_pairs
from stemmata.model import Document, Pair
from stemmata.text.analysis import Analysis

TARGETS = {"pan-baseline": 5.0, "sanchez-perez-2014": 6.0, "sanchez-perez-2015": 6.0, "stemmata": 8.0}
"""CPU milliseconds per pair."""
BLOCK = 20
PARTS = ("words", "stems", "sentences", "tokens")


def run(quick: bool) -> None:
    """Print CPU per pair for every detector, on PAN13's training corpus if it is at hand."""
    folder = Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")
    corpus = folder / "pan13-alignment-train"
    with tempfile.TemporaryDirectory() as made:
        step = 100 if quick else 20
        note = f"every {step}th block of {BLOCK} pairs of PAN13's training corpus"
        if not corpus.is_dir():
            corpus, step = Path(made) / "corpus", 1
            build_demo_corpus(corpus)
            note = (
                "the demonstration corpus; set STEMMATA_DATA to the folder that holds pan13-alignment-train"
            )
        pairs = _read(corpus, step)
    _show_detectors(pairs, note)
    _show_analysis(pairs, note)


def _read(corpus: Path, step: int) -> list[tuple[Document, Document]]:
    suspicious, source = DocumentFolder(corpus / "susp"), DocumentFolder(corpus / "src")
    listed = read_pairs(corpus / "pairs")
    # Pairs of one document stand together in the list; a sample in blocks shares documents as the whole does.
    chosen = [pair for i, pair in enumerate(listed) if (i // BLOCK) % step == 0]
    return [(suspicious[mine], source[theirs]) for mine, theirs in chosen]


def _show_detectors(pairs: list[tuple[Document, Document]], note: str) -> None:
    rows = []
    for name, aligner in available_detectors().items():
        # Renamed documents are new ones to every cache, so that each detector pays for its own analysis.
        fresh = [Pair(*(Document(f"{name}/{d.name}", d.text) for d in pair)) for pair in pairs]
        aligner.align(fresh[0])
        seconds, found = timed(lambda: sum(len(aligner.align(pair)) for pair in fresh))  # noqa: B023
        milliseconds = 1000 * seconds / len(fresh)
        target = TARGETS.get(name)
        rows.append(
            (
                name,
                f"{found:,}",
                f"{milliseconds:.1f}",
                f"<= {target:g}" if target else "",
                MET[milliseconds <= target] if target else "",
            )
        )
    show(
        "Aligning",
        ("detector", "detections", "CPU ms per pair", "target", ""),
        rows,
        f"{len(pairs):,} pairs: {note}",
    )


def _show_analysis(pairs: list[tuple[Document, Document]], note: str) -> None:
    documents = [document for pair in pairs for document in pair]
    analyses = [Analysis(document) for document in documents]
    rows = []
    for part in PARTS:
        seconds, _ = timed(lambda: [getattr(one, part) for one in analyses])  # noqa: B023
        rows.append((part, f"{len(documents) / max(seconds, 1e-9):,.0f}"))
    show(
        "Analysing documents",
        ("part", "documents per CPU second"),
        rows,
        f"{len(documents):,} documents: {note}",
    )
