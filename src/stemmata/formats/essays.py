"""Essays of PlagEvalRus: sentences taken from documents and rewritten, with the originals in a table.

Smirnov et al., "Evaluation Tracks on Plagiarism Detection Algorithms for the Russian Language", Dialogue
2017. Writers handed in a folder with a workbook, a row per sentence of the essay in its order (the sentence;
the original; the file it comes from; the kinds of change), and the files, mostly pages. A sentence without
original is the writer's own. A case is one sentence, as in the corpus that was made of them (section 4.3.3).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from stemmata.formats.files import is_folder, read_text
from stemmata.formats.pan_corpus import document_name, write_pan_corpus
from stemmata.formats.quotations import Quotations
from stemmata.formats.rich_documents import is_document, read_rich_document
from stemmata.formats.spreadsheets import Row, read_sheet
from stemmata.model import Case, Document, ErrorCode, Finding, Passage, Place, StemmataError

MAX_SOURCES = 1_000
MAX_ROWS = 10_000
_HEADING = "оригинальн"
"""Begins the heading of the second column, where there is one."""
_NAME_BYTES = 90
"""Of a document's name; truth is in files that are called after a pair."""
_ASSETS = "_files"
"""Ends the name of the folder in which browsers put what belongs to a page that was saved."""


@dataclass(frozen=True)
class EssayRow:
    """A row of the table: a sentence of the essay, or several, and what it was made of.

    Attributes
    ----------
    number
        Of the row in the table.
    text, original, source, kinds
        What the row says: the sentence in the essay, the original, the file it is in, the kinds of change.
    document
        The name of the source's document, or nothing if there is no such file.
    passage, origin
        Where the sentence and the original stand; None where they do not.
    """

    number: int
    text: str
    original: str = ""
    source: str = ""
    kinds: tuple[str, ...] = ()
    document: str = ""
    passage: Passage | None = None
    origin: Passage | None = None

    @classmethod
    def of(cls, row: Row) -> EssayRow:
        """Take a row as it stands in the table."""
        text, original, source, *kinds = row.cells + ("",) * (3 - len(row.cells))
        said = tuple(filter(None, map(str.strip, kinds)))
        return cls(row.number, text, original.strip(), source.strip(), said)

    @property
    def is_own(self) -> bool:
        """Whether the writer claims nothing to have been borrowed."""
        return not self.original and not self.source


@dataclass(frozen=True)
class Essay:
    """An essay, the documents it draws on, and which sentence comes from where.

    Attributes
    ----------
    document
        The essay.
    sources
        The documents as readable text.
    cases
        A case per sentence that was found in its source; the kinds of change are its ``obfuscation``, such as
        ``DEL`` or ``LPR HPR``, and ``row`` is its row in the table.
    not_found
        Rows whose sentence or original is not where the table says.
    rows
        All rows of the table that hold a sentence.
    unread
        Why sources could not be read.
    """

    document: Document
    sources: tuple[Document, ...]
    cases: tuple[Case, ...]
    not_found: tuple[Finding, ...]
    rows: tuple[EssayRow, ...] = ()
    unread: tuple[Finding, ...] = ()

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The essay with each of its sources."""
        return [(self.document.name, source.name) for source in self.sources]


def read_essay(folder: str | Path, name: str | None = None) -> Essay:
    """Read an essay with its sources, and find its sentences in them.

    Parameters
    ----------
    folder
        Holds the workbook and, here or in folders below, the sources in any format that
        `stemmata.formats.rich_documents` reads. A ``.txt`` beside the workbook that the table does not
        name as a source is the essay; without one, the essay is the sentences of the table.
    name
        Of the essay's document; by default that of the folder.
    """
    if not is_folder(folder):
        raise _bad(folder, "it is no folder")
    table = _one(folder, "*.xlsx", "*.xls")
    rows = _rows(table)
    named = {_same(row.source) for row in rows}
    text = next((one for one in sorted(Path(folder).glob("*.txt")) if _same(one.name) not in named), None)
    sources, unread = _sources(Path(folder), text)
    document = Document(name or _short(document_name(_same(Path(folder).resolve().name) + ".")), "")
    if text is not None:
        document = replace(document, text=read_text(text).removeprefix("\ufeff"))
        quotations = Quotations(document)
        rows = [replace(row, passage=quotations.find(row.text)) for row in rows]
    else:
        document, rows = _compose(document.name, rows)
    rows = list(_placed(rows, sources))
    cases, not_found = _cases(document, rows, table)
    return Essay(
        document, tuple(sources.values()), tuple(cases), tuple(not_found), tuple(rows), tuple(unread)
    )


def write_essay(folder: str | Path, *essays: Essay) -> None:
    """Write essays as a corpus in the layout of PAN13, with the truth as PAN XML in ``truth/``."""
    write_pan_corpus(
        folder,
        [essay.document for essay in essays],
        [source for essay in essays for source in essay.sources],
        [pair for essay in essays for pair in essay.pairs],
        [case for essay in essays for case in essay.cases],
    )


def _one(folder: str | Path, *patterns: str) -> Path:
    found = [path for pattern in patterns for path in sorted(Path(folder).glob(pattern))]
    # Programs that have a workbook open leave a lock beside it.
    found = [path for path in found if not path.name.startswith(("~$", "."))]
    if len(found) != 1:
        raise _bad(folder, f"it has {len(found)} workbooks" if found else "it has no workbook")
    return found[0]


def _rows(table: Path) -> list[EssayRow]:
    rows = [EssayRow.of(row) for row in read_sheet(table)]
    if rows and rows[0].original.casefold().startswith(_HEADING):
        del rows[0]
    rows = [row for row in rows if row.text.strip()]
    if not any(row.original for row in rows):
        raise _bad(table, "no row has a sentence and its original")
    if len(rows) > MAX_ROWS:
        raise _bad(table, f"it has more than {MAX_ROWS:,} rows")
    return rows


def _sources(folder: Path, essay: Path | None) -> tuple[dict[str, Document], list[Finding]]:
    """Return the sources by the names of their files, and why others could not be read."""
    files = {
        _same(path.name): path
        for pattern in ("*", "*/*")
        for path in sorted(folder.glob(pattern))
        if is_document(path) and path != essay and path.is_file()
        if not path.name.startswith(("~$", ".")) and not path.parent.name.endswith(_ASSETS)
    }
    if not files:
        raise _bad(folder, "it has no HTML page or other source")
    if len(files) > MAX_SOURCES:
        raise _bad(folder, f"it has more than {MAX_SOURCES:,} sources")
    sources: dict[str, Document] = {}
    unread: list[Finding] = []
    taken: set[str] = set()
    for name, path in files.items():
        own = _short(document_name(name))
        if own in taken:
            own = next(other for n in count(2) if (other := f"{own[:-4]}-{n}.txt") not in taken)
        taken.add(own)
        try:
            sources[name] = Document(own, read_rich_document(path).text)
        except StemmataError as error:
            if error.finding.kind is ErrorCode.MISSING_EXTRA:
                raise
            unread.append(error.finding)
    return sources, unread


def _same(name: str) -> str:
    """Return a name as it compares: file systems write й as one character or as two."""
    return unicodedata.normalize("NFC", name).strip()


def _short(name: str) -> str:
    """Return a document's name such that a file can be called after two of them."""
    return name.removesuffix(".txt").encode()[:_NAME_BYTES].decode(errors="ignore") + ".txt"


def _compose(name: str, rows: list[EssayRow]) -> tuple[Document, list[EssayRow]]:
    """Put the sentences together; line ends around them in the table are those of paragraphs."""
    pieces: list[str] = []
    placed: list[EssayRow] = []
    length = 0
    paragraph = True
    for row in rows:
        text = row.text.strip()
        starts = row.text[: len(row.text) - len(row.text.lstrip())]
        if pieces:
            pieces.append("\n" if paragraph or "\n" in starts else " ")
            length += 1
        placed.append(replace(row, passage=Passage(name, length, len(text))))
        pieces.append(text)
        length += len(text)
        paragraph = "\n" in row.text[len(row.text.rstrip()) :]
    return Document(name, "".join(pieces) + "\n"), placed


def _placed(rows: list[EssayRow], sources: dict[str, Document]) -> Iterator[EssayRow]:
    """Give the rows with the place of the original in its source."""
    quotations = {name: Quotations(source) for name, source in sources.items()}
    for row in rows:
        where = quotations.get(_same(row.source))
        if where is None:
            yield row
        else:
            yield replace(row, document=where.document.name, origin=where.find(row.original))


def _cases(document: Document, rows: list[EssayRow], table: Path) -> tuple[list[Case], list[Finding]]:
    cases: list[Case] = []
    not_found: list[Finding] = []
    for row in rows:
        if row.is_own:
            continue
        if row.passage is None or row.origin is None:
            text, place = (row.text, document.name) if row.passage is None else (row.original, row.source)
            not_found.append(
                Finding.of(
                    ErrorCode.SENTENCE_NOT_FOUND,
                    Place(str(table), line=row.number),
                    text=text.strip()[:60],
                    document=place[:120],
                )
            )
            continue
        attributes = {"obfuscation": " ".join(row.kinds) or "unknown", "row": str(row.number)}
        cases.append(Case(row.passage, row.origin, attributes))
    return cases, not_found


def _bad(path: str | Path, reason: str) -> StemmataError:
    return StemmataError(ErrorCode.BAD_ESSAY, path, reason=reason)
