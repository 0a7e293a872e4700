"""Essays of PlagEvalRus: sentences taken from web pages and rewritten, with the originals in a table.

Smirnov et al., "Evaluation Tracks on Plagiarism Detection Algorithms for the Russian Language", Dialogue
2017. Writers handed in a folder with a workbook, a row per sentence of the essay in its order (the sentence;
the original; the page it comes from; the kinds of change), and the pages as HTML. A sentence without
original is the writer's own. A case is one sentence, as in the corpus that was made of them (section 4.3.3).
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from pathlib import Path

from stemmata.formats.files import is_folder, read_text
from stemmata.formats.pan_corpus import document_name, write_pan_corpus
from stemmata.formats.quotations import Quotations
from stemmata.formats.spreadsheets import Row, read_sheet
from stemmata.formats.web_pages import read_page
from stemmata.model import Case, Document, ErrorCode, Finding, Passage, Place, StemmataError

MAX_SOURCES = 1_000
_HEADING = "оригинальн"
"""Begins the heading of the second column, where there is one."""
_PAGES = (".html", ".htm", ".xhtml")


@dataclass(frozen=True)
class Essay:
    """An essay, the pages it draws on, and which sentence comes from where.

    Attributes
    ----------
    document
        The essay.
    sources
        The pages as readable text.
    cases
        A case per sentence that was found on its page; the kinds of change are its ``obfuscation``, such as
        ``DEL`` or ``LPR HPR``, and ``row`` is its row in the table.
    not_found
        Rows whose sentence or original is not where the table says.
    """

    document: Document
    sources: tuple[Document, ...]
    cases: tuple[Case, ...]
    not_found: tuple[Finding, ...]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The essay with each of its sources."""
        return [(self.document.name, source.name) for source in self.sources]


@dataclass(frozen=True)
class _Sentence:
    row: int
    text: str
    original: str
    page: str
    kinds: tuple[str, ...]

    @classmethod
    def of(cls, row: Row) -> _Sentence:
        text, original, page, *kinds = row.cells + ("",) * (3 - len(row.cells))
        return cls(
            row.number, text, original.strip(), page.strip(), tuple(filter(None, map(str.strip, kinds)))
        )


def read_essay(folder: str | Path, name: str | None = None) -> Essay:
    """Read an essay with its sources, and find its sentences in them.

    Parameters
    ----------
    folder
        Holds the workbook and, here or in folders below, the pages. A ``.txt`` beside the workbook is the
        essay; without one, the essay is the sentences of the table.
    name
        Of the essay's document; by default that of the folder.
    """
    if not is_folder(folder):
        raise _bad(folder, "it is no folder")
    table = _one(folder, "*.xlsx", "*.xls")
    sentences = _sentences(table)
    sources = _sources(Path(folder))
    document = Document(name or document_name(_same(Path(folder).resolve().name) + "."), "")
    text = next(iter(sorted(Path(folder).glob("*.txt"))), None)
    if text is not None:
        document = replace(document, text=read_text(text).removeprefix("\ufeff"))
        passages = [Quotations(document).find(one.text) for one in sentences]
    else:
        document, passages = _compose(document.name, sentences)
    cases, not_found = _cases(document, list(zip(sentences, passages, strict=True)), sources, table)
    return Essay(document, tuple(sources.values()), tuple(cases), tuple(not_found))


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


def _sentences(table: Path) -> list[_Sentence]:
    sentences = [_Sentence.of(row) for row in read_sheet(table)]
    if sentences and sentences[0].original.casefold().startswith(_HEADING):
        del sentences[0]
    sentences = [one for one in sentences if one.text.strip()]
    if not any(one.original for one in sentences):
        raise _bad(table, "no row has a sentence and its original")
    return sentences


def _sources(folder: Path) -> dict[str, Document]:
    """Return the pages by the names that the table may call them."""
    pages = {
        _same(path.name): path
        for pattern in ("*", "*/*")
        for path in sorted(folder.glob(pattern))
        if path.suffix.lower() in _PAGES
    }
    if not pages:
        raise _bad(folder, "it has no HTML page")
    if len(pages) > MAX_SOURCES:
        raise _bad(folder, f"it has more than {MAX_SOURCES:,} pages")
    return {name: Document(document_name(name), read_page(path)) for name, path in pages.items()}


def _same(name: str) -> str:
    """Return a name as it compares: file systems write й as one character or as two."""
    return unicodedata.normalize("NFC", name).strip()


def _compose(name: str, sentences: list[_Sentence]) -> tuple[Document, list[Passage | None]]:
    """Put the sentences together; line ends around them in the table are those of paragraphs."""
    pieces: list[str] = []
    passages: list[Passage | None] = []
    length = 0
    paragraph = True
    for one in sentences:
        text = one.text.strip()
        starts = one.text[: len(one.text) - len(one.text.lstrip())]
        if pieces:
            pieces.append("\n" if paragraph or "\n" in starts else " ")
            length += 1
        passages.append(Passage(name, length, len(text)))
        pieces.append(text)
        length += len(text)
        paragraph = "\n" in one.text[len(one.text.rstrip()) :]
    return Document(name, "".join(pieces) + "\n"), passages


def _cases(
    document: Document,
    sentences: list[tuple[_Sentence, Passage | None]],
    sources: dict[str, Document],
    table: Path,
) -> tuple[list[Case], list[Finding]]:
    cases: list[Case] = []
    not_found: list[Finding] = []
    quotations = {name: Quotations(source) for name, source in sources.items()}
    for one, passage in sentences:
        if not one.original and not one.page:
            continue
        where = quotations.get(_same(one.page))
        origin = where.find(one.original) if where else None
        if passage is None or origin is None:
            text, place = (one.text, document.name) if passage is None else (one.original, one.page)
            not_found.append(
                Finding.of(
                    ErrorCode.SENTENCE_NOT_FOUND,
                    Place(str(table), line=one.row),
                    text=text.strip()[:60],
                    document=place[:120],
                )
            )
            continue
        attributes = {"obfuscation": " ".join(one.kinds) or "unknown", "row": str(one.row)}
        cases.append(Case(passage, origin, attributes))
    return cases, not_found


def _bad(path: str | Path, reason: str) -> StemmataError:
    return StemmataError(ErrorCode.BAD_ESSAY, path, reason=reason)
