"""Documents of any common format as plain text, with the pages that the format tells of.

What a file is, is told by its first bytes and only then by its name: a ``.doc`` is often RTF or a web page.
Files come from anyone. Each format has its own bounded reader; none writes to disk or follows a link.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import unescape
from io import StringIO
from pathlib import Path

from stemmata.formats.allowance import Allowance, AllowanceError
from stemmata.formats.files import read_bytes
from stemmata.formats.packed_xml import has_part
from stemmata.formats.web_pages import decode_page, page_text
from stemmata.model import ErrorCode, Registry, StemmataError

MAX_DOCUMENT_BYTES = 64 * 1024 * 1024

SUFFIXES = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".docm": "docx",
    ".odt": "odt",
    ".rtf": "rtf",
    ".doc": "doc",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".txt": "text",
    ".md": "text",
}
"""The formats by the endings of names that are taken for documents in a folder."""


@dataclass(frozen=True)
class RichDocument:
    """The text of a document.

    Attributes
    ----------
    text
        All that a reader sees of the running text, a line per paragraph or, in PDF, per line. Notes follow
        the text; headers, footers, comments and deleted text are left out where the format marks them.
    format
        The name of the format, such as ``"pdf"``.
    pages
        The offsets where pages start, the first 0; empty if the format or the document tells of no pages.
    title, author, date
        What the document says of itself; empty if nothing.
    unread
        Numbers of pages that could not be read, counted from 1; their text is empty.
    """

    text: str
    format: str
    pages: tuple[int, ...] = ()
    title: str = ""
    author: str = ""
    date: str = ""
    unread: tuple[int, ...] = ()

    def page_at(self, offset: int) -> int | None:
        r"""Return the number of the page, counted from 1, on which a character stands.

        Examples
        --------
        >>> RichDocument("one\ntwo\n", "pdf", pages=(0, 4)).page_at(5)
        2
        """
        return bisect_right(self.pages, offset) if self.pages else None


Reader = Callable[[bytes, str | Path], RichDocument]
"""Reads the content of a file; the path is for errors only."""

document_readers: Registry[Reader] = Registry(
    "document format",
    {
        "pdf": "stemmata.formats.pdf_documents:read_pdf",
        "docx": "stemmata.formats.office_documents:read_docx",
        "odt": "stemmata.formats.office_documents:read_odt",
        "rtf": "stemmata.formats.rtf_documents:read_rtf",
        "doc": "stemmata.formats.word_documents:read_doc",
        "html": "stemmata.formats.rich_documents:read_html",
        "text": "stemmata.formats.rich_documents:read_plain",
    },
    plugins=False,
)
"""Readers by the name of the format."""


def read_rich_document(path: str | Path) -> RichDocument:
    """Read a document as plain text, whatever its format.

    Raises
    ------
    StemmataError
        E750 if it is damaged, E751 if a password protects it, E752 if its format is not known, E753 if
        reading takes too long or too much room, E754 if it holds no text, E502 if its format needs
        the extra ``documents``.
    """
    return rich_document(read_bytes(path, MAX_DOCUMENT_BYTES), path)


def rich_document(data: bytes, path: str | Path) -> RichDocument:
    """Return the content of a file as a document; errors are those of `read_rich_document`.

    Documents come from anyone, so whatever a reader meets that it does not know is a fault of this one
    document, and no reason to end the work on others.
    """
    name = format_of(data, path)
    try:
        document = document_readers[name](data, path)
    except StemmataError:
        raise
    except AllowanceError as error:
        raise StemmataError(ErrorCode.DOCUMENT_TOO_MUCH, path, reason=str(error)) from None
    except MemoryError:
        raise StemmataError(ErrorCode.DOCUMENT_TOO_MUCH, path, reason="it took too much memory") from None
    except Exception as error:
        raise bad_document(path, name, str(error)[:80] or type(error).__name__) from None
    if data.strip() and not document.text.strip():
        raise StemmataError(ErrorCode.NO_TEXT_IN_DOCUMENT, path)
    return document


def is_document(path: str | Path) -> bool:
    """Tell by its name whether a file is a document that can be read."""
    return Path(path).suffix.lower() in SUFFIXES


def format_of(data: bytes, path: str | Path = "") -> str:
    r"""Return the name of the format of a file, by its first bytes and then by its name.

    Examples
    --------
    >>> format_of(b"{\\rtf1 Cook}", "cook.doc"), format_of(b"Cook", "cook.txt")
    ('rtf', 'text')
    """
    for name, recognises in _MAGIC.items():
        if recognises(data):
            return name
    named = SUFFIXES.get(Path(path).suffix.lower(), "")
    if named not in ("html", "text", ""):
        raise bad_document(path, named, "it does not start as such a file")
    # Other binary files have NUL bytes near their start; no text has, but for UTF-16 with its mark.
    if b"\0" in data[:8192] and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise StemmataError(ErrorCode.UNKNOWN_DOCUMENT, path, known=", ".join(SUFFIXES))
    return named or "text"


def bad_document(path: str | Path, name: str, reason: str) -> StemmataError:
    """Return the error for a document that is not what a file of the named format should be."""
    return StemmataError(ErrorCode.BAD_DOCUMENT, path, format=name, reason=reason)


class PagedText:
    """Puts a text together line by line, and remembers where pages start."""

    def __init__(self) -> None:
        self.pages = [0]
        self.length = 0
        self.allowance = Allowance()
        # A list of pieces would take fifty bytes for each character where they are short.
        self._text = StringIO()
        self._open = False

    def add(self, text: str) -> None:
        """Go on with the line."""
        if text:
            self._text.write(self.allowance.text(text))
            self.length += len(text)
            self._open = True

    def line(self) -> None:
        """End the line; empty ones do not count."""
        if self._open:
            self.add("\n")
            self._open = False

    def page(self) -> None:
        """Begin a page here."""
        self.pages.append(self.length)

    def document(self, name: str, title: str = "", author: str = "", date: str = "") -> RichDocument:
        """Return what was put together; without a second page, pages are not known."""
        self.line()
        pages = tuple(self.pages) if len(self.pages) > 1 else ()
        return RichDocument(self._text.getvalue(), name, pages, title, author, date)


_HTML = re.compile(
    rb"\s*+(?:<\?xml[^>]*+>\s*+)?+(?:<!--(?:[^-]|-(?!->))*+-->\s*+)*+<(?:!doctype\s++html|html|head|body)\b",
    re.I,
)
_MAGIC: dict[str, Callable[[bytes], bool]] = {
    "pdf": lambda data: b"%PDF-" in data[:1024],
    "docx": partial(has_part, name="word/document.xml"),
    "odt": partial(has_part, name="content.xml"),
    "rtf": lambda data: data[:64].lstrip().startswith(b"{\\rtf"),
    "doc": lambda data: data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    "html": lambda data: bool(_HTML.match(data.removeprefix(codecs.BOM_UTF8), 0, 8192)),
}


_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{0,1000})", re.IGNORECASE)
_AUTHOR = re.compile(
    r"""<meta\s[^>]{0,200}?name=["']?author["']?\s[^>]{0,200}?content=(?:"([^"]{0,500})|'([^']{0,500}))""",
    re.IGNORECASE,
)
_HEAD = 65_536


def read_html(data: bytes, path: str | Path) -> RichDocument:
    """Read a web page; see `stemmata.formats.web_pages`."""
    page = decode_page(data)
    title, author = _TITLE.search(page, 0, _HEAD), _AUTHOR.search(page, 0, _HEAD)
    return RichDocument(
        page_text(page),
        "html",
        title=_said(title[1]) if title else "",
        author=_said(author[1] or author[2] or "") if author else "",
    )


def read_plain(data: bytes, path: str | Path) -> RichDocument:
    """Read a text file; form feeds start pages, as in texts that were made for printers."""
    text = decode_plain(data)
    starts = [found.end() for found in re.finditer("\f", text)]
    return RichDocument(text, "text", (0, *starts) if starts else ())


_CYRILLIC_RUN = re.compile(rb"[\x80-\xff]{3,}")
_KOI8_SMALL = re.compile(rb"[\xc0-\xdf]")
_HIGH = re.compile(rb"[\x80-\xff]")


def decode_plain(data: bytes) -> str:
    """Return the characters of a text file: UTF-8, UTF-16 with its mark, else an old encoding.

    Where many bytes of the upper half stand together they are Cyrillic: KOI8-R if most are what small
    letters are there, else windows-1251. Single ones are the accents of windows-1252.

    Examples
    --------
    >>> decode_plain("Кук умер".encode("koi8-r")), decode_plain("Müller, café".encode("cp1252"))
    ('Кук умер', 'Müller, café')
    """
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        high = len(_HIGH.findall(data))
        if sum(map(len, _CYRILLIC_RUN.findall(data))) * 2 < high:
            return data.decode("cp1252", errors="replace")
        koi8 = len(_KOI8_SMALL.findall(data)) * 2 > high
        return data.decode("koi8-r" if koi8 else "cp1251", errors="replace")


def _said(text: str) -> str:
    return " ".join(unescape(text).split())
