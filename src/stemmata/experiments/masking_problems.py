"""Texts to hide, with samples of their authors, as users have them; what cannot be read is set apart.

PAN's tasks of author masking keep a folder per problem, with ``original.txt`` and ``same-author01.txt`` …;
the problems of verification (``unknown.txt``, ``known01.txt`` …, or lines of JSON) are read as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stemmata.experiments.problem_sets import content_of
from stemmata.formats.documents import read_document
from stemmata.formats.files import is_folder, read_bytes
from stemmata.formats.folders import entries, folders_in
from stemmata.formats.originals import TEXTS
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
from stemmata.model.wording import counted

SAMPLES = ("same-author*.txt", "known*.txt")
MOST_NAMED = 10
"""Texts of which a note tells the names."""
MOST_CHARACTERS = 5_000_000
"""Longer texts are not masked: this is a long novel five times over."""
MASKED = "-masked"
"""What masked texts and the pages about them are called, after the text: essay-masked.txt."""
PAGE = f"{MASKED}.report.html"


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
        unreadable: dict[str, str] = {}
        if not is_folder(path) or (not folders_in(path) and (path / PAIRS_FILE).is_file()):
            lines = []
            for problem in read_problems(path):
                try:
                    check_size(problem.unknown.text, problem.id)
                    lines.append(problem)
                except StemmataError as error:
                    unreadable[problem.id] = str(error)
            return cls(path.resolve().name, tuple(lines), unreadable, tuple(_missing(lines)))
        folders = [path.resolve()] if is_masking_problem(path) else folders_in(path)
        problems: list[Problem] = []
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
        return cls(path.resolve().name, tuple(problems), unreadable, (*notes, *_missing(problems)))

    @property
    def content(self) -> list[str]:
        """All that makes the problems: ids and texts."""
        return [*self.unreadable, *(text for one in self.problems for text in content_of(one))]

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
    check_size(problem.unknown.text, text)
    return Problem(problem.id, tuple(one for one in problem.known if one.text.strip()), problem.unknown)


def _document(path: Path) -> Document:
    document = read_document(path)
    if "\0" in document.text:
        raise StemmataError(ErrorCode.BINARY_TEXT, path)
    return document


def _missing(problems: Sequence[Problem]) -> Iterator[str]:
    """Say what problems lack."""
    if alone := sum(not one.known for one in problems):
        yield f"{counted(alone, 'problem')} without samples of the author"
    if empty := [one.id for one in problems if not one.unknown.text.strip()]:
        yield f"{counted(len(empty), 'text')} empty, and left so: {_listed(empty)}"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


RICH = {".pdf", ".docx", ".docm", ".odt", ".rtf", ".doc"}
"""Endings of documents whose text is taken out; all others are texts, and their markup stays in them."""


def read_writing(path: Path) -> Document:
    """Read a text of a user: plain text in whatever encoding, with its markup, or the text of a document.

    Raises
    ------
    StemmataError
        What the reader of documents says; E824 if a text has null bytes, E752 if it may be anything.
    """
    if path.suffix.lower() in RICH:
        return Document(path.name, read_rich_document(path).text)
    return writing_of(path, read_bytes(path, MAX_DOCUMENT_BYTES))


def writing_of(path: Path, data: bytes) -> Document:
    """Return the text that bytes hold, as `read_writing` does; the path names them."""
    try:
        # By the content alone: a fragment of a page is a text, whatever its ending promises.
        format_of(data)
    except StemmataError:
        if is_document(path):
            raise StemmataError(ErrorCode.BINARY_TEXT, path) from None
        raise StemmataError(ErrorCode.UNKNOWN_DOCUMENT, path, known=", ".join(SUFFIXES)) from None
    text = decode_plain(data)
    if "\0" in text:
        raise StemmataError(ErrorCode.BINARY_TEXT, path)
    return Document(path.name, text)


def check_size(text: str, place: str | Path) -> None:
    """Refuse a text that is too long to be masked.

    Raises
    ------
    StemmataError
        E895.
    """
    if len(text) > MOST_CHARACTERS:
        details = {"size": len(text), "limit": MOST_CHARACTERS}
        raise StemmataError(ErrorCode.LONG_TO_MASK, place, **details)


@dataclass(frozen=True)
class Writings:
    """Texts that a user gave beside the one to mask, as files or in folders.

    Attributes
    ----------
    texts
        Those with words, each once.
    notes
        What was left out, and why.
    """

    texts: tuple[Document, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def read(
        cls, paths: Sequence[Path], option: str, masked: Path, besides: Sequence[Document] = ()
    ) -> Writings:
        """Read texts, and all of folders of texts; a folder of problems stands for all their texts.

        What is named is read, whatever it is; of a folder, only what can be. The text to mask, and what
        masking it writes, are never taken from a folder, so that the same folder gives the same texts before
        and after. Nor is what masking another text wrote.

        Parameters
        ----------
        paths, option
            What was given, and how.
        masked
            The text to mask.
        besides
            Texts that do not count, here or elsewhere: they are known already.

        Raises
        ------
        StemmataError
            What `read_writing` says of a text that was named itself.
        """
        left_out = _LeftOut()
        found: dict[str, Document] = {}
        known = {_words(one) for one in besides}
        named = {path.resolve() for path in paths if not is_folder(path)}
        seen: set[Path] = set()
        for path in paths:
            files = _files_in(path, masked, left_out) if is_folder(path) else [path]
            if not files:
                left_out.bare.append(str(path))
            for file in files:
                if file.resolve() in seen:
                    left_out.twice.append(_below(file, path))
                    continue
                seen.add(file.resolve())
                try:
                    document = read_writing(file)
                except StemmataError as error:
                    if file.resolve() in named:
                        raise
                    left_out.unreadable.append(str(error))
                    continue
                words = _words(document)
                if words and words not in known and words not in found:
                    found[words] = document
                else:
                    (left_out.twice if words else left_out.empty).append(_below(file, path))
        return cls(tuple(found.values()), tuple(left_out.notes(option)))


def _below(file: Path, given: Path) -> str:
    """Return what a file is called in a note: by its place in the folder that was given."""
    return str(file) if file == given else file.relative_to(given).as_posix()


def _words(document: Document) -> str:
    """Return what makes a text the same as another, however its lines are broken."""
    return " ".join(document.text.split())


@dataclass
class _LeftOut:
    """What is not among the texts that were given, by the reason."""

    bare: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    def notes(self, option: str) -> Iterator[str]:
        if self.bare:
            yield f"no text for {option} in {_listed(self.bare)}"
        for names, why in (
            (self.made, "masked texts, or pages about them"),
            (self.empty, "empty"),
            (self.twice, "the same as a text that counts already"),
        ):
            if names:
                yield f"left out of {option}, being {why}: {_listed(names)}"
        yield from (f"left out of {option}: {reason}" for reason in self.unreadable[:MOST_NAMED])
        if (more := len(self.unreadable) - MOST_NAMED) > 0:
            yield f"left out of {option}: {counted(more, 'more file')} that cannot be read"


def _files_in(folder: Path, masked: Path, left_out: _LeftOut) -> list[Path]:
    """Return the texts in a folder and in its folders, less the one to mask and what masking wrote."""
    inside = entries(folder)
    for deeper in folders_in(folder):
        try:
            inside += entries(deeper)
        except StemmataError as error:
            left_out.unreadable.append(str(error))
    pages = {one for one in inside if one.name.endswith(PAGE)}
    own = f"{masked.stem}{MASKED}."
    files = []
    for file in inside:
        if not is_document(file) or file.name == "truth.txt" or not file.is_file():
            continue
        # A link to what is written now leads nowhere the first time.
        there = file.resolve()
        if there == masked.resolve() or file.name.startswith(own) or there.name.startswith(own):
            continue
        if file in pages or (
            file.stem.endswith(MASKED) and file.with_name(f"{file.stem}.report.html") in pages
        ):
            left_out.made.append(_below(file, folder))
        else:
            files.append(file)
    return files
