"""The Extended Brennan-Greenstadt corpus: texts of authors who then tried to hide.

Brennan, Afroz and Greenstadt, "Adversarial stylometry: circumventing authorship recognition to preserve
privacy and anonymity", ACM Transactions on Information and System Security 15(3), 2012. Each author gave
writing of their own, described their neighbourhood in a way that should hide who wrote it (obfuscation), and
told of their day in the style of Cormac McCarthy (imitation). All texts have about 500 words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from stemmata.formats.files import is_folder, read_text
from stemmata.formats.folders import entries, folders_in
from stemmata.model import Document, ErrorCode, StemmataError

_OWN = re.compile(r"_(\d{1,4})((?:_\d{1,4})+)\.txt")
_OBFUSCATION = re.compile(r"_obfuscation\.txt")
_IMITATION = re.compile(r"_imitation_(\d{1,4})\.txt")
_MAX_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Piece:
    """A text of about 500 words, and the numbers of the documents that it was cut from."""

    text: Document
    documents: frozenset[int]


@dataclass(frozen=True)
class HidingAuthor:
    """An author.

    Attributes
    ----------
    name
        The folder's.
    own
        Pieces of their usual writing, in order.
    obfuscated, imitating
        Texts in which they tried to hide, and to write like Cormac McCarthy.
    """

    name: str
    own: tuple[Piece, ...]
    obfuscated: tuple[Document, ...]
    imitating: tuple[Document, ...]


def read_hiding_authors(folder: str | Path) -> list[HidingAuthor]:
    """Read authors, sorted by name; files of other names, such as demographics, are passed over.

    Raises
    ------
    StemmataError
        E840 if no folder here holds an author's own, obfuscated and imitating texts.
    """
    if not is_folder(folder):
        raise StemmataError(ErrorCode.NO_SUCH_PATH, folder)
    authors = [_author(one) for one in folders_in(folder)]
    found = [one for one in authors if one.own and one.obfuscated and one.imitating]
    if not found:
        raise StemmataError(ErrorCode.NO_HIDING_AUTHORS, folder)
    return found


def _author(folder: Path) -> HidingAuthor:
    own: list[tuple[int, Piece]] = []
    obfuscated: list[Document] = []
    imitating: list[Document] = []
    for path in entries(folder):
        rest = path.name.removeprefix(folder.name)
        if match := _OWN.fullmatch(rest):
            documents = frozenset(int(number) for number in match[2].split("_")[1:])
            own.append((int(match[1]), Piece(_read(path), documents)))
        elif _OBFUSCATION.fullmatch(rest):
            obfuscated.append(_read(path))
        elif _IMITATION.fullmatch(rest):
            imitating.append(_read(path))
    own.sort(key=lambda one: one[0])
    return HidingAuthor(folder.name, tuple(piece for _, piece in own), tuple(obfuscated), tuple(imitating))


def _read(path: Path) -> Document:
    return Document(path.name, read_text(path, _MAX_BYTES))
