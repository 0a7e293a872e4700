"""Text documents that are archives of XML: ``.docx`` (ISO/IEC 29500) and ``.odt`` (ISO/IEC 26300)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from stemmata.formats.packed_xml import PackedXml, packed_xml
from stemmata.formats.rich_documents import PagedText, RichDocument, bad_document
from stemmata.model import ErrorCode, StemmataError

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_CORE = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"
_MAX_SPACES = 1_000
_MAX_SAID = 1_000


def read_docx(data: bytes, path: str | Path) -> RichDocument:
    """Read what Word has written since 2007.

    Pages are those that the program last showed or, where it did not note them, the breaks its writer set.
    """
    with packed_xml(data, path, partial(_bad, "docx")) as archive:
        text = _DocxText()
        archive.tell("word/document.xml", text)
        for notes in ("word/footnotes.xml", "word/endnotes.xml"):
            if notes in archive:
                archive.tell(notes, text)
        said = _said(archive, "docProps/core.xml")
    text.out.pages = text.shown if len(text.shown) > 1 else text.set
    return text.out.document("docx", **said)


_MARKS = {f"{_WORD}tab": "\t", f"{_WORD}noBreakHyphen": "-", f"{_WORD}cr": "\n"}


class _DocxText:
    def __init__(self) -> None:
        self.out = PagedText()
        self.shown = [0]
        self.set = [0]
        self._in_text = False
        self._dropping = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        # A text box is there twice, for new programs and for old ones.
        if self._dropping or tag == _FALLBACK:
            self._dropping += 1
        elif tag == f"{_WORD}t":
            self._in_text = True
        elif tag == f"{_WORD}lastRenderedPageBreak":
            self.shown.append(self.out.length)
        elif tag == f"{_WORD}br":
            self.out.line()
            if attributes.get(f"{_WORD}type") == "page":
                self.set.append(self.out.length)
        elif tag in _MARKS:
            self.out.add(_MARKS[tag])

    def end(self, tag: str) -> None:
        if self._dropping:
            self._dropping -= 1
        elif tag == f"{_WORD}t":
            self._in_text = False
        elif tag == f"{_WORD}p":
            self.out.line()

    def data(self, text: str) -> None:
        if self._in_text and not self._dropping:
            self.out.add(text)


def read_odt(data: bytes, path: str | Path) -> RichDocument:
    """Read what LibreOffice and others write; pages are those that the program last showed."""
    with packed_xml(data, path, partial(_bad, "odt")) as archive:
        manifest = "META-INF/manifest.xml"
        if manifest in archive and b"encryption-data" in archive.read(manifest):
            raise StemmataError(ErrorCode.ENCRYPTED_DOCUMENT, path)
        text = _OdtText()
        archive.tell("content.xml", text)
        said = _said(archive, "meta.xml")
    text.out.line()
    for note in text.notes:
        text.out.add("".join(note))
        text.out.line()
    return text.out.document("odt", **said)


class _OdtText:
    _LINES = (f"{_TEXT}p", f"{_TEXT}h")
    _DROPPED = (
        f"{_TEXT}tracked-changes", f"{_TEXT}note-citation", f"{_OFFICE}annotation", f"{_OFFICE}forms",
        f"{_OFFICE}scripts", f"{_OFFICE}styles", f"{_OFFICE}automatic-styles",
    )  # fmt: skip

    def __init__(self) -> None:
        self.out = PagedText()
        self.notes: list[list[str]] = []
        self._lines = 0
        self._noted = 0
        self._dropping = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._dropping or tag in self._DROPPED:
            self._dropping += 1
        elif tag == f"{_TEXT}note-body":
            self._noted += 1
            self.notes.append([])
        elif tag in self._LINES:
            self._lines += 1
        elif tag == f"{_TEXT}soft-page-break" and not self._noted:
            self.out.page()
        elif tag == f"{_TEXT}s":
            count = attributes.get(f"{_TEXT}c", "1")
            self._add(" " * min(int(count) if count.isascii() and count.isdecimal() else 1, _MAX_SPACES))
        elif tag == f"{_TEXT}tab":
            self._add("\t")
        elif tag == f"{_TEXT}line-break":
            self._add("\n")

    def end(self, tag: str) -> None:
        if self._dropping:
            self._dropping -= 1
        elif tag == f"{_TEXT}note-body":
            self._noted -= 1
        elif tag in self._LINES:
            self._lines -= 1
            if self._noted:
                self._add(" ")
            else:
                self.out.line()

    def data(self, text: str) -> None:
        # Between paragraphs stand only the line ends of the XML.
        if self._lines and not self._dropping:
            self._add(text.replace("\n", " "))

    def _add(self, text: str) -> None:
        if self._noted:
            self.notes[-1].append(self.out.allowance.text(text))
        else:
            self.out.add(text)


def _said(archive: PackedXml, part: str) -> dict[str, str]:
    """Return what the document says of itself; that it says nothing, or says it badly, is no error."""
    if part not in archive:
        return {}
    properties = _Properties()
    try:
        archive.tell(part, properties)
    except StemmataError:
        return {}
    return {
        "title": properties.first(f"{_CORE}title"),
        "author": properties.first(f"{_META}initial-creator", f"{_CORE}creator"),
        "date": properties.first(f"{_TERMS}created", f"{_META}creation-date", f"{_CORE}date"),
    }


class _Properties:
    def __init__(self) -> None:
        self._open = ""
        self._found: dict[str, str] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._open = tag

    def end(self, tag: str) -> None:
        self._open = ""

    def data(self, text: str) -> None:
        self._found[self._open] = (self._found.get(self._open, "") + text)[:_MAX_SAID]

    def first(self, *tags: str) -> str:
        said = (" ".join(self._found.get(tag, "").split()) for tag in tags)
        return next(filter(None, said), "")


def _bad(kind: str, path: str | Path, reason: str) -> StemmataError:
    return bad_document(path, kind, reason)
