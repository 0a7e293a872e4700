"""Annotations from wherever they are kept: a folder of PAN XML, one XML file, JSONL or Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from stemmata.formats import pan_xml, tabular
from stemmata.formats.columns import AnnotationColumns
from stemmata.formats.files import is_folder
from stemmata.formats.pairs import DocumentPair, read_pairs
from stemmata.model import Annotations, ErrorCode, StemmataError

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
    """

    path: Path
    annotations: Annotations
    documents: frozenset[str]
    pairs: dict[str, list[DocumentPair]] = field(default_factory=dict)
    files: int = 1

    @property
    def all_pairs(self) -> frozenset[DocumentPair] | None:
        """All pairs listed at the top or, without a list there, below; None where nothing is listed."""
        lists = [self.pairs[""]] if "" in self.pairs else list(self.pairs.values())
        return frozenset(pair for one in lists for pair in one) if lists else None


def read_cases(path: str | Path, progress: Progress = iter) -> AnnotationFiles:
    """Read a truth, with all attributes of its cases."""
    return _read(Path(path), pan_xml.CASES, True, progress)


def read_detections(path: str | Path, progress: Progress = iter) -> AnnotationFiles:
    """Read a run."""
    return _read(Path(path), pan_xml.DETECTIONS, False, progress)


def _read(path: Path, tag: str, keep_attributes: bool, progress: Progress) -> AnnotationFiles:
    if is_folder(path):
        return _read_folder(path, tag, keep_attributes, progress)
    if path.suffix == ".xml":
        columns = AnnotationColumns(keep_attributes)
        document = pan_xml.read_file(str(path), tag, columns)
        return AnnotationFiles(path, columns.finish(), frozenset({document} if document else ()))
    readers = {".jsonl": tabular.read_jsonl, ".parquet": tabular.read_parquet}
    if path.suffix not in readers:
        raise StemmataError(ErrorCode.UNKNOWN_FORMAT, path)
    annotations = readers[path.suffix](path)
    return AnnotationFiles(path, annotations, frozenset(annotations.suspicious.values))


def _read_folder(path: Path, tag: str, keep_attributes: bool, progress: Progress) -> AnnotationFiles:
    files = pan_xml.xml_files(path)
    if not files:
        raise StemmataError(ErrorCode.NO_XML, path)
    columns = AnnotationColumns(keep_attributes)
    documents = {pan_xml.read_file(file, tag, columns) for file in progress(files)}
    return AnnotationFiles(
        path,
        columns.finish(),
        frozenset(name for name in documents if name is not None),
        {folder: read_pairs(file) for folder, file in pairs_files(path).items()},
        len(files),
    )


def pairs_files(folder: Path) -> dict[str, Path]:
    """Return the ``pairs`` files of a corpus folder: its own as "", those of sub-corpora by their name."""
    found = {"": folder / "pairs"} if (folder / "pairs").is_file() else {}
    return found | {path.parent.name: path for path in sorted(folder.glob("*/pairs")) if path.is_file()}
