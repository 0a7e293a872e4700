"""Texts to hide, with samples of their authors, as users have them; what cannot be read is set apart.

PAN's tasks of author masking keep a folder per problem, with ``original.txt`` and ``same-author01.txt`` …;
the problems of verification (``unknown.txt``, ``known01.txt`` …, or lines of JSON) are read as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stemmata.formats.documents import read_document
from stemmata.formats.files import is_folder, read_bytes
from stemmata.formats.folders import entries, folders_in
from stemmata.formats.rich_documents import (
    MAX_DOCUMENT_BYTES,
    SUFFIXES,
    decode_plain,
    format_of,
    is_document,
    read_rich_document,
)
from stemmata.formats.verification import PAIRS_FILE, read_problems
from stemmata.model import Document, ErrorCode, Problem, StemmataError

TEXTS = ("original.txt", "unknown.txt")
SAMPLES = ("same-author*.txt", "known*.txt")


@dataclass(frozen=True)
class MaskingSet:
    """Problems to mask.

    Attributes
    ----------
    name
        What the set is called: its folder or file.
    problems
        Those that can be read, sorted by id; a text may be empty, and samples may be missing.
    unreadable
        By id, why a problem cannot be masked.
    notes
        What else is to be said.
    """

    name: str
    problems: tuple[Problem, ...] = field(repr=False)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: str | Path) -> MaskingSet:
        """Read a folder of problems, a problem's folder alone, or lines of JSON.

        Raises
        ------
        StemmataError
            E875 if there is no problem at all; what the reader says if lines of JSON are none.
        """
        path = Path(path)
        if not is_folder(path) or (not folders_in(path) and (path / PAIRS_FILE).is_file()):
            return cls(path.resolve().name, tuple(read_problems(path)))
        folders = [path.resolve()] if is_masking_problem(path) else folders_in(path)
        problems: list[Problem] = []
        unreadable: dict[str, str] = {}
        notes: list[str] = []
        for folder in folders:
            if not is_masking_problem(folder):
                notes.append(f"{folder.name} holds no text to mask and was passed over")
                continue
            try:
                problems.append(_problem(folder))
            except StemmataError as error:
                unreadable[folder.name] = str(error)
        if not problems and not unreadable:
            raise StemmataError(ErrorCode.NOTHING_TO_MASK, path)
        if alone := sum(not one.known for one in problems):
            notes.append(f"{_counted(alone, 'problem')} without samples of the author")
        if empty := sum(not one.unknown.text.strip() for one in problems):
            notes.append(f"{_counted(empty, 'text')} empty, and left so")
        return cls(path.resolve().name, tuple(problems), unreadable, tuple(notes))

    @property
    def words(self) -> int:
        """How many words there are to mask."""
        return sum(len(one.unknown.text.split()) for one in self.problems)


def is_masking_problem(folder: Path) -> bool:
    """Tell whether a folder holds a text to mask."""
    return any((folder / name).is_file() for name in TEXTS)


def _problem(folder: Path) -> Problem:
    text = next(folder / name for name in TEXTS if (folder / name).is_file())
    samples = next((found for pattern in SAMPLES if (found := entries(folder, pattern))), [])
    problem = Problem(folder.name, tuple(map(_document, samples)), _document(text))
    return Problem(problem.id, tuple(one for one in problem.known if one.text.strip()), problem.unknown)


def _document(path: Path) -> Document:
    document = read_document(path)
    if "\0" in document.text:
        raise StemmataError(ErrorCode.BINARY_TEXT, path)
    return document


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


RICH = {".pdf", ".docx", ".odt", ".rtf", ".doc"}
"""Endings of documents whose text is taken out; all others are texts, and their markup stays in them."""


def read_writing(path: Path) -> Document:
    """Read a text of a user: plain text in whatever encoding, with its markup, or the text of a document.

    Raises
    ------
    StemmataError
        What the reader of documents says; E824 if it is no text.
    """
    if path.suffix.lower() in RICH:
        return Document(path.name, read_rich_document(path).text)
    data = read_bytes(path, MAX_DOCUMENT_BYTES)
    try:
        # By the content alone: a fragment of a page is a text, whatever its ending promises.
        format_of(data)
    except StemmataError:
        raise StemmataError(ErrorCode.UNKNOWN_DOCUMENT, path, known=", ".join(SUFFIXES)) from None
    text = decode_plain(data)
    if "\0" in text:
        raise StemmataError(ErrorCode.BINARY_TEXT, path)
    return Document(path.name, text)


def read_writings(paths: Sequence[Path]) -> list[tuple[Path, Document]]:
    """Read texts, and all of folders of texts, each different one once; empty ones are left out.

    A folder of problems stands for all their texts.
    """
    files: list[Path] = []
    for path in paths:
        if not is_folder(path):
            files.append(path)
            continue
        inside = [*entries(path), *(deep for one in folders_in(path) for deep in entries(one))]
        files += [one for one in inside if one.is_file() and is_document(one) and one.name != "truth.txt"]
    found: dict[str, tuple[Path, Document]] = {}
    for file in files:
        document = read_writing(file)
        if document.text.strip():
            found.setdefault(document.text, (file, document))
    return list(found.values())
