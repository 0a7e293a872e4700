"""What a folder holds of which PlagEvalRus could be made: plain texts and essays, found by themselves."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stemmata.corpora.essays import EssayFigures, EssayRules
from stemmata.corpora.essays.kinds import Kind, kind_of
from stemmata.formats.essays import Essay, read_essay
from stemmata.formats.files import read_text
from stemmata.model import ErrorCode, StemmataError
from stemmata.text.languages import RUSSIAN, language_of, languages
from stemmata.text.sentences import find_sentences

MOST_TEXTS = 300
"""Texts that are read; of more, some at even distances in the order of their paths."""
MOST_ESSAYS = 200
MOST_BYTES = 20_000_000
MOST_CHARACTERS = 200_000
"""What is taken of one text, so that no book outweighs all others."""
DOCUMENT_SENTENCES = 40
"""Sentences of a text for each host or source to be cut from it, of which a host has more than 30."""
FEWEST_DOCUMENTS = 4
"""Two hosts and two sources."""
WORKBOOKS = frozenset({".xlsx", ".xls"})


@dataclass(frozen=True)
class Text:
    """A text to build from: where it was written, its sentences, and its length in characters."""

    path: Path
    sentences: int
    length: int

    @property
    def documents(self) -> int:
        """How many hosts or sources can be cut from it."""
        return self.sentences // DOCUMENT_SENTENCES


@dataclass(frozen=True)
class Material:
    """What was found.

    Attributes
    ----------
    room
        The folder where the texts in `language` lie, and nothing else.
    texts
        Those texts.
    essays
        Those of both sets.
    remarks
        What was left out or is missing, in sentences.
    """

    language: str
    room: Path
    texts: tuple[Text, ...]
    essays: tuple[Essay, ...]
    remarks: tuple[str, ...]

    @property
    def documents(self) -> int:
        """How many hosts and sources can be cut from the texts."""
        return sum(one.documents for one in self.texts)

    @property
    def is_enough(self) -> bool:
        """Whether there are hosts, and sources for them from other texts."""
        return _enough(self.texts)


def _enough(texts: Sequence[Text]) -> bool:
    several = sum(one.documents > 0 for one in texts) > 1
    return several and sum(one.documents for one in texts) >= FEWEST_DOCUMENTS


def is_first_set(essay: Essay) -> bool:
    """Tell whether an essay is like those of the first set: with copies, or little of it rewritten heavily.

    Tables do not name their set. Copies were allowed in the first one only, and of later essays a fifth or
    more was to be rewritten heavily.
    """
    copied = any(kind_of(code) is Kind.COPIED for row in essay.rows for code in row.kinds)
    return copied or EssayFigures(essay).heavy_share < EssayRules().heavy[0]


def find_material(folder: Path, room: Path) -> Material:
    """Find essays and texts below a folder; the texts to build from are written into a room for them."""
    if not folder.is_dir():
        raise StemmataError(ErrorCode.NO_SUCH_PATH, folder)
    files = sorted(path for path in folder.rglob("*") if not _hidden(path, folder))
    # A workbook makes an essay of its folder, and its texts are none to build from.
    folders = sorted({path.parent for path in files if path.suffix.lower() in WORKBOOKS and path.is_file()})
    essays, remarks = _essays(folders)
    paths = [
        path
        for path in files
        if path.suffix.lower() == ".txt" and path.is_file() and not any(map(path.is_relative_to, folders))
    ]
    language, texts, about_texts = _texts(paths, room)
    if not essays and not _enough(texts):
        raise StemmataError(
            ErrorCode.NO_MATERIAL, folder, documents=FEWEST_DOCUMENTS, least=DOCUMENT_SENTENCES
        )
    return Material(language, room, tuple(texts), tuple(essays), (*about_texts, *remarks))


def _hidden(path: Path, folder: Path) -> bool:
    # Programs that have a workbook open leave a lock beside it.
    return any(part.startswith((".", "~$")) for part in path.relative_to(folder).parts)


def _essays(folders: Sequence[Path]) -> tuple[list[Essay], list[str]]:
    essays, remarks = [], []
    for folder in folders[:MOST_ESSAYS]:
        try:
            essay = read_essay(folder)
        except StemmataError as error:
            if error.finding.kind is ErrorCode.MISSING_EXTRA:
                raise
            remarks.append(f"{folder.name} is left out, as no essay could be read there ({error.code}).")
            continue
        if lost := len(essay.not_found):
            remarks.append(
                f"Of the essay {folder.name}, {lost} of {len(essay.rows)} sentences could not be placed."
            )
        if essay.cases:
            essays.append(essay)
    if len(folders) > MOST_ESSAYS:
        remarks.append(f"Of {len(folders):,} folders with workbooks the first {MOST_ESSAYS} were read.")
    if not essays:
        remarks.append("There is no essay: nothing can be said of manual paraphrase.")
        return essays, remarks
    for is_first, name in ((True, "first set (with copies, or moderate)"), (False, "second set (heavy)")):
        if not any(is_first_set(essay) is is_first for essay in essays):
            remarks.append(f"There is no essay of the {name}.")
    return essays, remarks


def _texts(paths: Sequence[Path], room: Path) -> tuple[str, list[Text], list[str]]:
    """Return the language to build in, the texts in it, and what is to be said of all of them."""
    remarks = []
    if len(paths) > MOST_TEXTS:
        remarks.append(f"Of {len(paths):,} texts {MOST_TEXTS} were read.")
        paths = [paths[int(at)] for at in np.linspace(0, len(paths) - 1, MOST_TEXTS)]
    unread = doubled = 0
    known: set[bytes] = set()
    by_language: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, path in enumerate(paths):
        try:
            text = read_text(path, MOST_BYTES).removeprefix("\ufeff")[:MOST_CHARACTERS]
        except StemmataError:
            unread += 1
            continue
        # The workshop removed evident duplicates too.
        print_of = hashlib.sha256(re.sub(r"[\W_]+", "", text).casefold().encode()).digest()
        if print_of in known:
            doubled += 1
            continue
        known.add(print_of)
        by_language[language_of(text)].append((number, text))
    if unread:
        remarks.append(f"{unread} of the texts could not be read as UTF-8, or are too large.")
    if doubled:
        remarks.append(f"{doubled} of the texts are duplicates and were left out.")
    sizes = Counter({code: sum(len(text) for _, text in texts) for code, texts in by_language.items()})
    order = sorted(sizes, key=lambda code: (code != RUSSIAN.code, -sizes[code]))
    for code in order:
        found = [
            Text(room / f"{number:05}.txt", len(find_sentences(text, code)[0]), len(text))
            for number, text in by_language[code]
        ]
        if _enough(found):
            for one, (_, text) in zip(found, by_language[code], strict=True):
                one.path.write_text(text, encoding="utf-8", newline="")
            others = sum(len(texts) for other, texts in by_language.items() if other != code)
            if code != RUSSIAN.code:
                remarks.insert(0, _not_russian(code))
            if others:
                remarks.append(f"{others} texts in other languages were left out.")
            return code, found, remarks
    remarks.append(
        f"The texts do not make {FEWEST_DOCUMENTS} documents of {DOCUMENT_SENTENCES} sentences: nothing can "
        "be said of generated plagiarism."
    )
    return RUSSIAN.code, [], remarks


def _not_russian(code: str) -> str:
    name = languages[code].name
    return (
        f"The texts are not in Russian but, it seems, in {name}. So are the corpora made of them; the "
        "workshop’s figures are of Russian."
    )
