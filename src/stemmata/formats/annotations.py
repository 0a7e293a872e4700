"""Annotations from wherever they are kept: a folder of PAN XML, one XML file, JSONL or Parquet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from stemmata.formats import pan_xml, tabular
from stemmata.formats.columns import AnnotationColumns
from stemmata.formats.files import is_folder
from stemmata.formats.pairs import DocumentPair, read_pairs
from stemmata.model import Annotations, ErrorCode, Finding, StemmataError

Progress = Callable[[Iterable[str]], Iterable[str]]


@dataclass(frozen=True)
class AnnotationFiles:
    """Annotations as read, with what else the place they came from tells.

    Attributes
    ----------
    path
        What was read.
    annotations
        In the order of the files; repeated ones are still there.
    documents
        Suspicious documents the files are about, whether or not anything is annotated in them.
    pairs
        The ``pairs`` files beside the annotations, by folder name ("" for the top).
    files
        Number of files read.
    tag
        How the names of the features end that were read.
    names, other_names
        How often features with a position had each name: those that were read, and those that were not.
    file_names
        What the files are called, where there is one per document or per pair of documents.
    passed_over
        What was wrong, and passed over as PAN's scorers do.
    """

    path: Path
    annotations: Annotations
    documents: frozenset[str]
    pairs: dict[str, list[DocumentPair]] = field(default_factory=dict)
    files: int = 1
    tag: str = ""
    names: Mapping[str, int] = field(default_factory=dict)
    other_names: Mapping[str, int] = field(default_factory=dict)
    file_names: frozenset[str] = frozenset()
    passed_over: tuple[Finding, ...] = ()

    @property
    def all_pairs(self) -> frozenset[DocumentPair] | None:
        """All pairs listed at the top or, without a list there, below; None where nothing is listed."""
        lists = [self.pairs[""]] if "" in self.pairs else list(self.pairs.values())
        return frozenset(pair for one in lists for pair in one) if lists else None


def read_cases(path: str | Path, progress: Progress = iter, tag: str | None = None) -> AnnotationFiles:
    """Read a truth, with all attributes of its cases; their features have names that end with the tag."""
    return _read(Path(path), tag or pan_xml.CASES, True, progress)


def read_detections(path: str | Path, progress: Progress = iter, tag: str | None = None) -> AnnotationFiles:
    """Read a run; its features have names that end with the tag."""
    return _read(Path(path), tag or pan_xml.DETECTIONS, False, progress)


def _read(path: Path, tag: str, keep_attributes: bool, progress: Progress) -> AnnotationFiles:
    readers = {".jsonl": tabular.read_jsonl, ".parquet": tabular.read_parquet}
    whole = is_folder(path)
    if not whole and path.suffix in readers:
        columns = AnnotationColumns(keep_attributes)
        annotations = readers[path.suffix](path, columns)
        named, passed_over = frozenset(annotations.suspicious.values), tuple(columns.passed_over)
        return AnnotationFiles(path, annotations, named, tag=tag, passed_over=passed_over)
    if not whole and path.suffix != ".xml":
        raise StemmataError(ErrorCode.UNKNOWN_FORMAT, path)
    files = pan_xml.xml_files(path) if whole else [str(path)]
    if not files:
        raise StemmataError(ErrorCode.NO_XML, path)
    columns = AnnotationColumns(keep_attributes)
    documents = {pan_xml.read_file(file, tag, columns) for file in progress(files)}
    return AnnotationFiles(
        path,
        columns.finish(),
        frozenset(name for name in documents if name is not None),
        {folder: read_pairs(file) for folder, file in pairs_files(path).items()} if whole else {},
        len(files),
        tag,
        columns.names,
        columns.other_names,
        frozenset(map(os.path.basename, files)) if whole else frozenset(),
        tuple(columns.passed_over),
    )


def pairs_files(folder: Path) -> dict[str, Path]:
    """Return the ``pairs`` files of a corpus folder: its own as "", those of sub-corpora by their name."""
    found = {"": folder / "pairs"} if (folder / "pairs").is_file() else {}
    return found | {path.parent.name: path for path in sorted(folder.glob("*/pairs")) if path.is_file()}
