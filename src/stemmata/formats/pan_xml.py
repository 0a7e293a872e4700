"""PAN's XML: one file per suspicious document or per pair, a ``<feature>`` per annotation.

A truth file names its features ``plagiarism`` or something that ends so; a run names them
``detected-plagiarism``. Both are read by that ending, as PAN's own scorers do.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import count, groupby
from pathlib import Path
from xml.etree.ElementTree import ParseError, XMLParser
from xml.sax.saxutils import quoteattr

from stemmata.formats.allowance import AllowanceError
from stemmata.formats.columns import KNOWN, SOURCE, AnnotationColumns
from stemmata.formats.files import decode, read_bytes, write_folder_atomically
from stemmata.formats.pairs import DocumentPair
from stemmata.formats.xml_events import BadXmlError, DoctypeError, xml_events
from stemmata.model import Annotation, ErrorCode, Place, StemmataError
from stemmata.model.errors import located

CASES = "plagiarism"
DETECTIONS = "detected-plagiarism"

MAX_XML_BYTES = 64 * 1024 * 1024
"""Of one file, which is about one document: some 400,000 cases."""
_MAX_NAME_BYTES = 200
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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


class PanXml:
    """A file of PAN XML: the document it is about, and the attributes of the features right under its root.

    Nothing else of a file is kept, so that elements of other kinds, however many, take no memory.
    """

    def __init__(self) -> None:
        self.reference: str | None = None
        self.features: list[dict[str, str]] = []
        self._depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take an element that begins."""
        if self._depth == 0:
            self.reference = attributes.get("reference")
        elif self._depth == 1 and tag == "feature":
            self.features.append(attributes)
        self._depth += 1

    def end(self, tag: str) -> None:
        """Take an element that ends."""
        self._depth -= 1

    def data(self, text: str) -> None:
        """Pass over text."""


def parse(path: str | Path, limit: int = MAX_XML_BYTES) -> PanXml:
    """Return the content of an XML file: UTF-8, well-formed, without document type."""
    data = read_bytes(path, limit)
    if not data.isascii():
        decode(data, path)
    if b"\0" in data:  # the parser would take it for UTF-16, in which a document type looks different
        place = Place(str(path), line=1 + data.count(b"\n", 0, data.index(b"\0")))
        raise StemmataError(ErrorCode.NOT_XML, place, reason="it holds NUL bytes, as UTF-16 does")
    found = PanXml()
    try:
        xml_events(data, found, with_text=False)
    except DoctypeError:
        raise StemmataError(ErrorCode.HAS_DOCTYPE, path) from None
    except AllowanceError as error:
        raise StemmataError(ErrorCode.NOT_XML, path, reason=str(error)) from None
    except BadXmlError as error:
        raise StemmataError(
            ErrorCode.NOT_XML, Place(str(path), line=error.line), reason=error.reason
        ) from None
    return found


def read_file(path: str, tag: str, columns: AnnotationColumns) -> str | None:
    """Add the annotations of one file; return the suspicious document it is about."""
    columns.open(path)
    root = parse(path)
    document = root.reference
    if document is None:
        columns.note(ErrorCode.NO_REFERENCE, 0)
        return None
    for number, said in features(root):
        name = said.get("name", "")
        if name.endswith(tag):
            columns.names[name] += 1
            columns.add(document, said, number)
        elif "this_offset" in said:
            columns.other_names[name] += 1
    return document


def features(root: PanXml, tag: str = "") -> Iterator[tuple[int, dict[str, str]]]:
    """Yield number and attributes of the features whose name ends with the tag, right under the root."""
    for number, said in enumerate(root.features, start=1):
        if said.get("name", "").endswith(tag):
            yield number, said


def write_pan_xml(
    folder: str | Path,
    annotations: Iterable[Annotation],
    name: str = DETECTIONS,
    pairs: Iterable[DocumentPair] = (),
    names: Mapping[DocumentPair, str] | None = None,
    replace: bool = False,
) -> None:
    """Write a new or empty folder of PAN XML, one file per pair of documents, whole or not at all.

    The same annotations give the same bytes, in whatever order they come.

    Parameters
    ----------
    pairs
        Pairs that get a file even if nothing was found in them.
    names
        How the files of all pairs are called; by default as `file_names` has it.
    replace
        Whether the folder is replaced if it holds something.
    """
    rows = sorted(annotations, key=_row_key)
    grouped = {pair: list(group) for pair, group in groupby(rows, key=_pair_of)}
    with located(folder), write_folder_atomically(folder, replace) as part:
        if names is None:
            names = file_names({*pairs, *grouped})
        for pair, file in names.items():
            lines = _lines(pair[0], grouped.get(pair, []), name)
            (part / file).write_text("".join(lines), encoding="utf-8", newline="\n")


def file_names(pairs: Iterable[DocumentPair]) -> dict[DocumentPair, str]:
    """Return a file name of its own for each pair, which never leads out of a folder nor is hidden.

    Files are called after the two documents; where several pairs would be called the same, all but the
    first of them bear a number.
    """
    names: dict[DocumentPair, str] = {}
    taken: set[str] = set()
    numbers: defaultdict[str, count[int]] = defaultdict(lambda: count(2))
    for pair in sorted(pairs):
        full = "-".join(filter(None, map(_file_stem, pair))).lstrip(".") or "document"
        name = stem = full.encode()[:_MAX_NAME_BYTES].decode(errors="ignore")
        while name in taken:
            name = f"{stem}.{next(numbers[stem])}"
        taken.add(name)
        names[pair] = f"{name}.xml"
    return names


@lru_cache(maxsize=1 << 14)
def _file_stem(document: str) -> str:
    """Return what a file is called after a document: its name, without folders and ending."""
    return Path(_carried(document)).name.removesuffix(".txt")


def _pair_of(annotation: Annotation) -> DocumentPair:
    return annotation.suspicious.document, annotation.source.document if annotation.source else ""


def _row_key(annotation: Annotation) -> tuple[object, ...]:
    source = () if annotation.source is None else annotation.source
    return _pair_of(annotation), annotation.suspicious, source, sorted(annotation.attributes.items())


def document_xml(document: str, annotations: Iterable[Annotation], name: str = DETECTIONS) -> str:
    """Return the XML of one document with all that is annotated in it, in order."""
    rows = sorted(annotations, key=lambda one: (one.suspicious, _row_key(one)))
    return "".join(_lines(document, rows, name))


def _lines(document: str, annotations: list[Annotation], name: str) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<document reference={_quoted(document)}>\n'
    for one in annotations:
        said: dict[str, object] = {"name": name}
        said |= {"this_offset": one.suspicious.offset, "this_length": one.suspicious.length}
        if one.source is not None:
            said |= dict(zip(SOURCE, one.source, strict=True))
        said |= {_attribute(key): one.attributes[key] for key in sorted(one.attributes) if key not in KNOWN}
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
