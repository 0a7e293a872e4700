"""Intrinsic detectors on documents by several hands that none of them was tuned on, and their speed.

Two corpora, each in halves: task A of PAN16's author diarization, of which the problems with odd numbers
served for development, and novels with passages of other authors, for which every other author did.
``python -m benchmarks.intrinsic FOLDER`` writes the halves for development, to be trained on.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.hands import make_documents
from benchmarks.tables import show
from stemmata.formats.diarization import read_diarizations
from stemmata.formats.files import write_folder_atomically
from stemmata.formats.pan_corpus import TRUTH
from stemmata.formats.pan_xml import CASES, write_pan_xml
from stemmata.measures.evaluation import score_alignment
from stemmata.model import Annotations, Case, Detection, Document, IntrinsicDetector, Passage
from stemmata.reuse import intrinsic_detectors

DEVELOPMENT, REPORT = 0, 1
SEEDS = {DEVELOPMENT: 11, REPORT: 12}
DOCUMENTS = 120

Corpus = tuple[list[Document], list[Case]]


class WholeDocument:
    """Finds every document to be plagiarised from end to end: what no detector should score below."""

    def find(self, document: Document) -> list[Detection]:
        """Return one detection of everything."""
        return [Detection(Passage(document.name, 0, len(document)))]


def data_folder() -> Path:
    """Return where corpora are kept."""
    return Path(os.environ.get("STEMMATA_DATA") or Path.home() / ".cache" / "stemmata-data")


def pan16(folder: Path, part: int, number: int = DOCUMENTS) -> Corpus:
    """Return half of the problems of PAN16's task A."""
    [task] = sorted((folder / "pan16-diarization").glob("**/*problem-a-*"))
    problems = read_diarizations(task)[part::2][:number]
    return [one.document for one in problems], [case for one in problems for case in one.cases]


def novels(folder: Path, part: int, number: int = DOCUMENTS) -> Corpus:
    """Return documents made from the novels of half of the authors."""
    made = list(make_documents(folder / "novels100", part, SEEDS[part], number))
    return [document for document, _ in made], [case for _, cases in made for case in cases]


CORPORA: dict[str, tuple[str, Callable[[Path, int, int], Corpus]]] = {
    "PAN16 author diarization, task A": ("pan16-diarization", pan16),
    "novels with passages of other authors": ("novels100", novels),
}


def run(quick: bool) -> None:
    """Print plagdet, precision, recall and granularity of all intrinsic detectors, and their speed."""
    folder = data_folder()
    detectors: dict[str, IntrinsicDetector] = {
        **{name: intrinsic_detectors[name]() for name in intrinsic_detectors},
        "(the whole document)": WholeDocument(),
    }
    for title, (needed, read) in CORPORA.items():
        if not (folder / needed).is_dir():
            print(f"There is no {needed}; set STEMMATA_DATA to the folder that holds it.")
            continue
        documents, cases = read(folder, REPORT, 12 if quick else DOCUMENTS)
        rows = [[name, *_row(detector, documents, cases)] for name, detector in detectors.items()]
        size = sum(map(len, documents))
        show(
            f"{title}: {len(documents)} documents of {size / 1e6:.1f} million characters, {len(cases)} cases",
            ("detector", "micro plagdet", "P", "R", "macro plagdet", "P", "R", "granularity", "kB/s"),
            rows,
            "Held out: no parameter was chosen on these documents.",
        )


def _row(detector: IntrinsicDetector, documents: Sequence[Document], cases: Sequence[Case]) -> list[str]:
    began = time.process_time()
    found = [one for document in documents for one in detector.find(document)]
    seconds = max(time.process_time() - began, 1e-9)
    values = score_alignment(Annotations.of(cases), Annotations.of(found)).scores.values
    keys = [f"{kind}.{name}" for kind in ("micro", "macro") for name in ("plagdet", "precision", "recall")]
    speed = "" if isinstance(detector, WholeDocument) else f"{sum(map(len, documents)) / seconds / 1e3:,.0f}"
    return [*(f"{values[key]:.3f}" for key in (*keys, "granularity")), speed]


def write_development(folder: Path) -> None:
    """Write the halves for development as corpora, ``susp/`` and ``truth/``."""
    for needed, read in CORPORA.values():
        documents, cases = read(data_folder(), DEVELOPMENT, DOCUMENTS)
        with write_folder_atomically(folder / needed, replace=True) as part:
            (part / "susp").mkdir()
            for document in documents:
                (part / "susp" / document.name).write_text(document.text, encoding="utf-8", newline="")
            write_pan_xml(part / TRUTH, cases, CASES, [(document.name, "") for document in documents])


if __name__ == "__main__":
    write_development(Path(sys.argv[1]))
