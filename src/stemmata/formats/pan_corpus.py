"""A corpus as PAN13 lays it out: ``susp/``, ``src/``, ``pairs``, and a folder of truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from stemmata.formats.files import write_folder_atomically
from stemmata.formats.pairs import DocumentPair
from stemmata.formats.pan_xml import CASES, write_pan_xml
from stemmata.model import Case, Document, ErrorCode, StemmataError

TRUTH = "truth"
"""The folder of PAN XML in a corpus that was written here."""


def write_pan_corpus(
    folder: str | Path,
    suspicious: Sequence[Document],
    sources: Sequence[Document],
    pairs: Iterable[DocumentPair],
    cases: Iterable[Case] = (),
) -> None:
    """Write a corpus that `stemmata detect` and `stemmata score alignment` take to a new or empty folder.

    Names of documents must be such that a list of pairs can hold them: without blanks, and no paths.
    """
    listed = list(pairs)
    with write_folder_atomically(folder) as part:
        for name, documents in (("susp", suspicious), ("src", sources)):
            (part / name).mkdir()
            for document in documents:
                path = part / name / _file_name(document.name)
                path.write_text(document.text, encoding="utf-8", newline="")
        lines = (f"{mine} {theirs}\n" for mine, theirs in listed)
        (part / "pairs").write_text("".join(lines), encoding="utf-8", newline="\n")
        write_pan_xml(part / TRUTH, cases, CASES, listed)


def document_name(name: str) -> str:
    """Return the name of a text file made from a file of this name: ``.txt``, and without blanks.

    Examples
    --------
    >>> document_name("James Cook.html")
    'James_Cook.txt'
    """
    stem = name.rpartition(".")[0] or name
    return "_".join(stem.split()).lstrip(".") + ".txt"


def _file_name(name: str) -> str:
    if name.split() != [name] or "/" in name or "\0" in name or name.startswith("."):
        raise StemmataError(ErrorCode.UNWRITABLE_ID, value=name)
    return name
