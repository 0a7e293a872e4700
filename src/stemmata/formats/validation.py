"""Everything that is wrong with a corpus, a truth or a run, found in one go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

import numpy as np

from stemmata.formats import pan_xml
from stemmata.formats.annotations import Progress, pairs_files
from stemmata.formats.columns import AnnotationColumns
from stemmata.formats.documents import DocumentFolder
from stemmata.formats.faults import reported
from stemmata.formats.files import is_folder, read_text
from stemmata.formats.pairs import DocumentPair, read_pairs
from stemmata.formats.tabular import read_jsonl, read_parquet
from stemmata.formats.truth_and_run import looks_detected, other_features, pairs_without_file
from stemmata.model import Annotations, ErrorCode, Finding, Place, StemmataError
from stemmata.model.annotations import NONE
from stemmata.model.spans import Ints

SUSPICIOUS_FOLDERS = ("susp", "suspicious-documents", "suspicious-document")
SOURCE_FOLDERS = ("src", "source-documents", "source-document")

Report = Callable[[Finding], None]


@dataclass
class Validation:
    """What was looked at, and what was found.

    Attributes
    ----------
    kind
        What it was taken for.
    counted
        How many there are of what it holds, such as ``{"files": 2, "annotations": 17}``.
    findings
        All that is wrong with it.
    """

    kind: str = "PAN XML"
    counted: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def found(self, kind: ErrorCode, place: Place | Path | None = None, **details: object) -> None:
        """Add a finding."""
        self.findings.append(Finding.of(kind, place, **details))


def validate_annotations(
    path: str | Path,
    suspicious: str | Path | None = None,
    source: str | Path | None = None,
    progress: Progress = iter,
) -> Validation:
    """Check annotations in PAN XML and, where their folders are known, the documents they speak of.

    A corpus folder brings its documents along (``susp`` and ``src``, or PAN-PC-10's names). Overlaps
    and duplicates are looked for within one folder, since corpora repeat their sub-corpora in others.
    """
    path = Path(path)
    whole = is_folder(path)
    folder = path if whole else path.parent
    files = pan_xml.xml_files(path) if whole else [str(path)]
    if not files:
        raise StemmataError(ErrorCode.NO_XML, path)
    result = Validation()
    cases, detections, about = _read(files, progress, result)
    result.counted = {"files": len(files), "annotations": len(cases) + len(detections), "documents": 0}
    result.counted |= {"cases": len(cases), "detections": len(detections)}
    found = {
        "suspicious": _folder(suspicious, folder, SUSPICIOUS_FOLDERS),
        "source": _folder(source, folder, SOURCE_FOLDERS),
    }
    pairs = {
        name: read_pairs(file, result.findings.append)
        for name, file in (pairs_files(folder) if whole else {}).items()
    }
    if listed := {pair for each in pairs.values() for pair in each}:
        side = "run" if len(detections) > len(cases) else "truth"
        names = {PurePath(file).name for file in files}
        result.findings += pairs_without_file(listed, names, about, side, path)
    lengths = _check_documents(found, (cases, detections), pairs, result)
    for table in (cases, detections):
        _check_lengths(table, lengths, result)
        _check_duplicates(table, result)
        _check_pairs(table, pairs, result)
    _check_overlaps(cases, result)
    return result


def validate_table(
    path: str | Path, suspicious: str | Path | None = None, source: str | Path | None = None
) -> Validation:
    """Check annotations in JSON lines or Parquet, and their documents if the folders are given."""
    result = Validation("annotation table", {"files": 1, "annotations": 0, "documents": 0})
    columns = AnnotationColumns(keep_attributes=False, report=result.findings.append)
    with reported(result.findings.append):
        (read_parquet if Path(path).suffix == ".parquet" else read_jsonl)(path, columns)
    table = columns.finish()
    result.counted["annotations"] = len(table)
    folders = {
        "suspicious": None if suspicious is None else DocumentFolder(suspicious),
        "source": None if source is None else DocumentFolder(source),
    }
    _check_lengths(table, _check_documents(folders, (table,), {}, result), result)
    _check_duplicates(table, result)
    return result


def _read(
    files: list[str], progress: Progress, result: Validation
) -> tuple[Annotations, Annotations, set[str]]:
    """Read what can be read, and what documents the files are about; a detection is not a case."""
    report = result.findings.append
    cases = AnnotationColumns(keep_attributes=False, report=report)
    detections = AnnotationColumns(keep_attributes=False, report=report)
    others: dict[str, tuple[Place, Counter[str]]] = {}
    about: set[str] = set()
    for file in progress(files):
        for columns in (cases, detections):
            columns.open(file)
        try:
            root = pan_xml.parse(file)
        except StemmataError as error:
            report(error.finding)
            continue
        document = root.reference
        if document is None:
            cases.note(ErrorCode.NO_REFERENCE, 0)
            continue
        about.add(document)
        for number, said in pan_xml.features(root):
            name = said.get("name", "")
            detected = looks_detected(name)
            tag = pan_xml.DETECTIONS if detected else pan_xml.CASES
            if name.endswith(tag):
                (detections if detected else cases).add(document, said, number)
            elif "this_offset" in said:
                others.setdefault(tag, (Place(file, feature=number), Counter()))[1][name] += 1
    for tag, (place, names) in others.items():
        report(other_features(names, tag, "truth" if tag == pan_xml.CASES else "run", place))
    return cases.finish(), detections.finish(), about


def _folder(given: str | Path | None, corpus: Path, names: Iterable[str]) -> DocumentFolder | None:
    if given is not None:
        return DocumentFolder(given)
    return next((DocumentFolder(corpus / name) for name in names if (corpus / name).is_dir()), None)


def _check_documents(
    folders: Mapping[str, DocumentFolder | None],
    tables: Iterable[Annotations],
    pairs: Mapping[str, list[DocumentPair]],
    result: Validation,
) -> dict[str, dict[str, int]]:
    """Read every document that is named; return their lengths by side and name."""
    lengths: dict[str, dict[str, int]] = {"suspicious": {}, "source": {}}
    for position, (side, folder) in enumerate(folders.items()):
        if folder is None:
            continue
        named = {name for table in tables for name in getattr(table, side).values}
        named |= {pair[position] for listed in pairs.values() for pair in listed}
        for name in sorted(named):
            if name not in folder:
                result.found(ErrorCode.MISSING_DOCUMENT, side=side, document=name, folder=str(folder.path))
                continue
            try:
                lengths[side][name] = size = len(read_text(folder.paths[name]))
            except StemmataError as error:
                result.findings.append(error.finding)
                continue
            if not size:
                result.found(ErrorCode.EMPTY_DOCUMENT, folder.paths[name])
        result.counted["documents"] += len(lengths[side])
    return lengths


def _check_lengths(table: Annotations, lengths: Mapping[str, Mapping[str, int]], result: Validation) -> None:
    for row in np.flatnonzero(
        (table.length == 0) | ((table.source.codes != NONE) & (table.source_length == 0))
    ):
        result.found(ErrorCode.EMPTY_ANNOTATION, table.place(int(row)))
    sides = (
        ("suspicious", table.suspicious, table.offset, table.length),
        ("source", table.source, table.source_offset, table.source_length),
    )
    for side, names, offset, length in sides:
        known = [lengths[side].get(name, np.iinfo(np.int64).max) for name in names.values]
        sizes = np.array([*known, np.iinfo(np.int64).max], dtype=np.int64)[names.codes]
        for row in np.flatnonzero(offset + length > sizes):
            result.found(
                ErrorCode.BEYOND_DOCUMENT,
                table.place(int(row)),
                side=side,
                offset=offset[row],
                length=length[row],
                size=sizes[row],
                document=names[int(row)],
            )


def _folder_codes(table: Annotations) -> Ints:
    """Return for each row a number of the folder it was read from."""
    names: dict[str, int] = {}
    of_file = [names.setdefault(str(PurePath(file).parent), len(names)) for file in table.file.values]
    return np.array([*of_file, NONE], dtype=np.int64)[table.file.codes]


def _check_duplicates(table: Annotations, result: Validation) -> None:
    columns: tuple[Ints, ...] = (
        table.source_length,
        table.source_offset,
        table.source.codes.astype(np.int64),
        table.length,
        table.offset,
        table.suspicious.codes.astype(np.int64),
        _folder_codes(table),
    )
    order = np.lexsort(columns)
    same = np.all([column[order][1:] == column[order][:-1] for column in columns], axis=0)
    for i in np.flatnonzero(same):
        first, again = sorted((int(order[i]), int(order[i + 1])))
        result.found(ErrorCode.DUPLICATE, table.place(again), first=str(table.place(first)))


def _check_overlaps(cases: Annotations, result: Validation) -> None:
    """Report each case that begins before the one before it in the document has ended."""
    folder, end = _folder_codes(cases), cases.offset + cases.length
    order = np.lexsort((end, cases.offset, cases.suspicious.codes, folder))
    document = cases.suspicious.codes
    last = -1
    for row in (int(row) for row in order):
        here = last >= 0 and folder[last] == folder[row] and document[last] == document[row]
        if here and cases.offset[row] < end[last] and not _same(cases, last, row):
            result.found(
                ErrorCode.OVERLAPPING_CASES,
                cases.place(row),
                first=str(cases.place(last)),
                document=cases.suspicious[row],
            )
        if not here or end[row] > end[last]:
            last = row


def _same(table: Annotations, one: int, other: int) -> bool:
    return table[one] == table[other]


def _check_pairs(table: Annotations, pairs: Mapping[str, list[DocumentPair]], result: Validation) -> None:
    listed = {pair for each in pairs.values() for pair in each}
    if not listed:
        return
    seen: set[DocumentPair] = set()
    for row in range(len(table)):
        source = table.source[row]
        pair = (table.suspicious[row] or "", source or "")
        if source is not None and pair not in listed and pair not in seen:
            seen.add(pair)
            result.found(ErrorCode.UNLISTED_PAIR, table.place(row), suspicious=pair[0], source=pair[1])
