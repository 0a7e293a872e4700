"""PAN's XML: one file per suspicious document or per pair, a ``<feature>`` per annotation.

A truth file names its features ``plagiarism`` or something that ends so; a run names them
``detected-plagiarism``. Both are read by that ending, as PAN's own scorers do.
"""

from __future__ import annotations

import os
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import count, groupby
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, XMLParser
from xml.sax.saxutils import quoteattr

import numpy as np

from stemmata.formats.files import MAX_FILE_BYTES, decode, read_bytes, write_folder_atomically
from stemmata.formats.pairs import DocumentPair
from stemmata.model import Annotation, Annotations, Coded, ErrorCode, Finding, Place, StemmataError
from stemmata.model.annotations import NONE

CASES = "plagiarism"
DETECTIONS = "detected-plagiarism"
MAX_CHARACTERS = 2**30
"""Offsets beyond this many characters are taken for a mistake or an attack."""

_POSITION = ("this_offset", "this_length", "source_offset", "source_length")
_SOURCE = ("source_reference", "source_offset", "source_length")
_KNOWN = {"name", "this_offset", "this_length", *_SOURCE}
_MAX_NAME_BYTES = 200
_MAX_DIGITS = 20
_FOUR_NUMBERS = re.compile(";".join([rf"\s*[0-9]{{1,{_MAX_DIGITS}}}\s*"] * 4), re.ASCII).fullmatch
_WHOLE_NUMBER = re.compile(r"\s*-?[0-9]+\s*", re.ASCII).fullmatch
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Report = Callable[[Finding], None]


class AnnotationColumns:
    """Collects annotations row by row into compact columns.

    `report` receives what is wrong; without it the first wrong thing is raised.
    """

    def __init__(self, keep_attributes: bool, report: Report | None = None) -> None:
        self._numbers = array("q")
        self._codes = array("i")
        self._documents: dict[str, int] = {}
        self._sources: dict[str, int] = {}
        self._files: list[str] = []
        self._attributes: dict[str, dict[int, str]] = {}
        self._keep_attributes = keep_attributes
        self._report = report
        self._rows = 0

    def open(self, path: str) -> None:
        """Say from which file the next rows come."""
        self._files.append(path)

    def wrong(self, kind: ErrorCode, feature: int, **details: object) -> None:
        """Raise or report something wrong with a feature of the current file."""
        place = Place(self._files[-1], feature=feature or None)
        if self._report is None:
            raise StemmataError(kind, place, **details)
        self._report(Finding.of(kind, place, **details))

    def note(self, kind: ErrorCode, feature: int, **details: object) -> None:
        """Report something odd that scoring passes over, as PAN's scorers do."""
        if self._report is not None:
            self.wrong(kind, feature, **details)

    def add(self, document: str, said: dict[str, str], feature: int) -> None:
        """Add the annotation that the attributes of a feature describe."""
        offset, length = said.get("this_offset"), said.get("this_length")
        if offset is None or length is None:
            if any(name in said for name in ("this_offset", "this_length", *_SOURCE)):
                missing = "this_offset" if offset is None else "this_length"
                self.wrong(ErrorCode.MISSING_ATTRIBUTE, feature, attribute=missing)
            else:
                self.note(ErrorCode.NO_POSITION, feature, name=said["name"])
            return
        source = said.get("source_reference")
        source_offset, source_length = said.get("source_offset", "0"), said.get("source_length", "0")
        if source is None or "source_offset" not in said or "source_length" not in said:
            absent = [name for name in _SOURCE if name not in said]
            if len(absent) < len(_SOURCE):
                self.note(ErrorCode.PARTIAL_SOURCE, feature, attribute=absent[0])
            source, source_offset, source_length = None, "0", "0"
        written = (offset, length, source_offset, source_length)
        numbers = tuple(map(int, written)) if _FOUR_NUMBERS(";".join(written)) else ()
        if not numbers or max(numbers) > MAX_CHARACTERS:
            self._wrong_number(written, feature)
            return
        self._numbers.extend(numbers)
        self._codes.extend(
            (
                self._documents.setdefault(document, len(self._documents)),
                NONE if source is None else self._sources.setdefault(source, len(self._sources)),
                len(self._files) - 1,
                feature,
            )
        )
        if self._keep_attributes:
            for name, value in said.items():
                if name not in _KNOWN:
                    self._attributes.setdefault(name, {})[self._rows] = value
        self._rows += 1

    def _wrong_number(self, written: Sequence[str], feature: int) -> None:
        for attribute, text in zip(_POSITION, written, strict=True):
            value = text.strip()
            if not _WHOLE_NUMBER(text):
                return self.wrong(ErrorCode.NOT_A_NUMBER, feature, attribute=attribute, value=text[:40])
            if value.startswith("-"):
                return self.wrong(ErrorCode.NEGATIVE, feature, attribute=attribute, value=value[:40])
            if len(value) > _MAX_DIGITS or int(value) > MAX_CHARACTERS:
                details = {"attribute": attribute, "value": value[:40], "limit": MAX_CHARACTERS}
                return self.wrong(ErrorCode.OFFSET_TOO_LARGE, feature, **details)
        return None

    def finish(self) -> Annotations:
        """Return all rows as columns."""
        numbers = np.array(self._numbers, dtype=np.int64).reshape(-1, 4)
        codes = np.array(self._codes, dtype=np.int32).reshape(-1, 4)
        columns = [np.ascontiguousarray(column) for column in numbers.T]
        suspicious, source, file, feature = (np.ascontiguousarray(column) for column in codes.T)
        return Annotations(
            Coded(tuple(self._documents), suspicious),
            columns[0],
            columns[1],
            Coded(tuple(self._sources), source),
            columns[2],
            columns[3],
            {name: self._column(values) for name, values in sorted(self._attributes.items())},
            Coded(tuple(self._files), file),
            feature,
        )

    def _column(self, values: dict[int, str]) -> Coded:
        present = Coded.of(values.values())
        codes = np.full(self._rows, NONE, dtype=np.int32)
        codes[np.fromiter(values, dtype=np.int64)] = present.codes
        return Coded(present.values, codes)


def xml_files(folder: str | Path) -> list[str]:
    """Return the XML files in a folder and exactly one folder down, sorted; hidden ones do not count."""
    found: list[str] = []
    try:
        with os.scandir(folder) as entries:
            names = sorted(entries, key=lambda entry: entry.name)
        for entry in names:
            if _is_xml(entry):
                found.append(entry.path)
            elif not entry.name.startswith(".") and entry.is_dir():
                with os.scandir(entry.path) as below:
                    found += sorted(one.path for one in below if _is_xml(one))
    except OSError as error:
        raise StemmataError(ErrorCode.UNREADABLE, folder, reason=error.strerror or str(error)) from None
    return found


def _is_xml(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(".xml") and not entry.name.startswith(".")


def parse(path: str | Path, limit: int = MAX_FILE_BYTES) -> Element:
    """Return the root element of an XML file: UTF-8, well-formed, without document type.

    Without a document type no entity can be declared, so nothing expands and nothing is fetched.
    """
    data = read_bytes(path, limit)
    if not data.isascii():
        decode(data, path)
    if b"\0" in data:  # the parser would take it for UTF-16, in which a document type looks different
        place = Place(str(path), line=1 + data.count(b"\n", 0, data.index(b"\0")))
        raise StemmataError(ErrorCode.NOT_XML, place, reason="it holds NUL bytes, as UTF-16 does")
    if b"<!DOCTYPE" in data:
        raise StemmataError(ErrorCode.HAS_DOCTYPE, path)
    parser = XMLParser(encoding="utf-8")  # noqa: S314 (no document type, no entities)
    try:
        parser.feed(data)
        return parser.close()
    except ParseError as error:
        place = Place(str(path), line=error.position[0])
        raise StemmataError(ErrorCode.NOT_XML, place, reason=str(error).partition(":")[0]) from None


def read_file(path: str, tag: str, columns: AnnotationColumns) -> str | None:
    """Add the annotations of one file; return the suspicious document it is about."""
    columns.open(path)
    root = parse(path)
    document = root.get("reference")
    if document is None:
        columns.note(ErrorCode.NO_REFERENCE, 0)
        return None
    for number, said in features(root, tag):
        columns.add(document, said, number)
    return document


def features(root: Element, tag: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield number and attributes of the features whose name ends with the tag, right under the root."""
    for number, feature in enumerate(root.findall("feature"), start=1):
        said = feature.attrib
        if said.get("name", "").endswith(tag):
            yield number, said


def write_pan_xml(
    folder: str | Path,
    annotations: Iterable[Annotation],
    name: str = DETECTIONS,
    pairs: Iterable[DocumentPair] = (),
) -> None:
    """Write a folder of PAN XML, one file per pair of documents, whole or not at all.

    `pairs` names pairs that get a file even if nothing was found in them. The same annotations give
    the same bytes, in whatever order they come. Files are called after the two documents; where
    several pairs would be called the same, all but the first of them bear a number.
    """
    rows = sorted(annotations, key=_row_key)
    grouped = {pair: list(group) for pair, group in groupby(rows, key=_pair_of)}
    with write_folder_atomically(folder) as part:
        for pair, file in _file_names({*pairs, *grouped}):
            lines = _lines(pair[0], grouped.get(pair, []), name)
            (part / file).write_text("".join(lines), encoding="utf-8", newline="\n")


def _file_names(pairs: Iterable[DocumentPair]) -> Iterator[tuple[DocumentPair, str]]:
    """Yield each pair with a file name of its own, which never leads out of the folder nor is hidden."""
    taken: set[str] = set()
    numbers: defaultdict[str, count[int]] = defaultdict(lambda: count(2))
    for pair in sorted(pairs):
        documents = (Path(_carried(document)).name.removesuffix(".txt") for document in pair)
        full = "-".join(filter(None, documents)).lstrip(".") or "document"
        name = stem = full.encode()[:_MAX_NAME_BYTES].decode(errors="ignore")
        while name in taken:
            name = f"{stem}.{next(numbers[stem])}"
        taken.add(name)
        yield pair, f"{name}.xml"


def _pair_of(annotation: Annotation) -> DocumentPair:
    return annotation.suspicious.document, annotation.source.document if annotation.source else ""


def _row_key(annotation: Annotation) -> tuple[object, ...]:
    source = () if annotation.source is None else annotation.source
    return _pair_of(annotation), annotation.suspicious, source, sorted(annotation.attributes.items())


def _lines(document: str, annotations: list[Annotation], name: str) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<document reference={_quoted(document)}>\n'
    for one in annotations:
        said: dict[str, object] = {"name": name}
        said |= {"this_offset": one.suspicious.offset, "this_length": one.suspicious.length}
        if one.source is not None:
            said |= dict(zip(_SOURCE, one.source, strict=True))
        said |= {_attribute(key): one.attributes[key] for key in sorted(one.attributes) if key not in _KNOWN}
        yield f"<feature {' '.join(f'{key}={_quoted(str(value))}' for key, value in said.items())} />\n"
    yield "</document>\n"


def _quoted(value: str) -> str:
    return quoteattr(_carried(value))


def _carried(value: str) -> str:
    if _NOT_XML.search(value):
        raise StemmataError(ErrorCode.BAD_NAME, value=value[:80])
    return value


@cache
def _attribute(name: str) -> str:
    """Return the name of an attribute if XML carries it, which is to say, if it comes back as it was."""
    parser = XMLParser(encoding="utf-8")  # noqa: S314 (inside a tag no document type can begin)
    try:
        parser.feed(f"<feature {_carried(name)}=''/>")
        if parser.close().attrib == {name: ""}:
            return name
    except ParseError:
        pass
    raise StemmataError(ErrorCode.BAD_NAME, value=name[:80])
