"""What comes of comparing texts: rankings, detections and failures, on their way to files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stemmata.formats.documents import LIMIT_VARIABLE, alignment_limit
from stemmata.formats.pan_xml import write_pan_xml
from stemmata.formats.sealed import read_sealed, write_sealed
from stemmata.formats.tabular import write_parquet
from stemmata.model import (
    Aligner,
    Detection,
    Document,
    ErrorCode,
    Pair,
    Passage,
    Ranked,
    Ranking,
    StemmataError,
)
from stemmata.reuse.asking import align

Failure = tuple[str, str, str]
"""A suspicious document, a source or nothing, and why nothing could be found."""


@dataclass
class Results:
    """What came of some texts.

    Attributes
    ----------
    rankings
        The sources of each text, where sources were sought.
    pairs
        Pairs of documents that were aligned, with the evidence that they share something.
    detections
        What was found in these pairs.
    failures
        What could not be aligned.
    """

    rankings: list[Ranking] = field(default_factory=list)
    pairs: list[tuple[str, str, float]] = field(default_factory=list)
    detections: list[Detection] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def add(
        self, detector: str, aligner: Aligner, suspicious: Document, source: Document, evidence: float
    ) -> None:
        """Align two documents; if that cannot be, take note why."""
        self.pairs.append((suspicious.name, source.name, evidence))
        try:
            for document in (suspicious, source):
                _require_size(document)
            self.detections += align(detector, aligner, Pair(suspicious, source))
        except StemmataError as error:
            self.failures.append((suspicious.name, source.name, str(error)))
        except MemoryError:
            reason = str(StemmataError(ErrorCode.OUT_OF_MEMORY))
            self.failures.append((suspicious.name, source.name, reason))

    def write(self, path: Path) -> None:
        """Write all of it, whole or not at all."""
        said = {
            "rankings": [[one.document, one.sources, one.queries, one.downloads] for one in self.rankings],
            "pairs": self.pairs,
            "detections": [
                [*one.suspicious, *(one.source or ("", 0, 0)), dict(one.attributes)]
                for one in self.detections
            ],
            "failures": self.failures,
        }
        write_sealed(path, json.dumps(said))

    @classmethod
    def read(cls, paths: Iterable[Path]) -> Results:
        """Read what several pieces of work have written, in their order."""
        whole = cls()
        for path in paths:
            said = read_sealed(path)
            if said is None:
                raise StemmataError(ErrorCode.UNREADABLE, path, reason="it was changed meanwhile")
            whole.rankings += [
                Ranking(name, tuple(Ranked(*one) for one in sources), queries, downloads)
                for name, sources, queries, downloads in said["rankings"]
            ]
            whole.pairs += [(susp, source, evidence) for susp, source, evidence in said["pairs"]]
            whole.detections += [_detection(row) for row in said["detections"]]
            whole.failures += [(susp, source, reason) for susp, source, reason in said["failures"]]
        return whole


def _require_size(document: Document) -> None:
    size, limit = len(document.text.encode("utf-8", "surrogatepass")), alignment_limit()
    if size > limit:
        details = {"size": size, "limit": limit, "variable": LIMIT_VARIABLE}
        raise StemmataError(ErrorCode.DOCUMENT_TOO_LONG, document.name, **details)


def _detection(row: Sequence[Any]) -> Detection:
    return Detection(Passage(*row[:3]), Passage(*row[3:6]) if row[3] else None, row[6])


def write_detections(room: Path, results: Results) -> None:
    """Write the passages that were found as PAN XML and as Parquet."""
    failed = {(suspicious, source) for suspicious, source, _ in results.failures}
    pairs = {(suspicious, source) for suspicious, source, _ in results.pairs}
    write_pan_xml(room / "detections", results.detections, pairs=pairs - failed)
    write_parquet(room / "detections.parquet", results.detections)
