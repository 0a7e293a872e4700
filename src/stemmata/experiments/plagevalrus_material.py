"""What a folder holds of which PlagEvalRus could be made: plain texts and essays, found by themselves."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np

from stemmata.corpora.essays import EssayFigures, EssayRules
from stemmata.corpora.essays.kinds import Kind, kind_of
from stemmata.formats.essays import Essay, read_essay
from stemmata.formats.files import read_text
from stemmata.model import ErrorCode, StemmataError
from stemmata.text.languages import RUSSIAN, language_of, languages
from stemmata.text.sentences import find_sentences
from stemmata.text.words import find_words

MOST_TEXTS = 300
"""Texts that are read; of more, some at even distances in the order of their paths."""
MOST_ESSAYS = 200
MOST_BYTES = 20_000_000
MOST_CHARACTERS = 200_000
"""What is taken of one text, so that no book outweighs all others."""
MOST_SENTENCES = 80
"""Sentences of a stretch, about those of an article; what is longer is cut into several."""
FEWEST_TOKENS = 5
"""A fragment of the workshop has at least so many tokens that are no stop words."""
HOST_SENTENCES = 30
"""A host has more sentences than this."""
SOURCE_SENTENCES = 10
"""A source has at least the sentences of the longest fragment."""
SOURCE_CHARACTERS = 2_000
WORKBOOKS = frozenset({".xlsx", ".xls"})


@dataclass(frozen=True)
class Stretch:
    """A text, or a part of a long one, every sentence of which is long enough to be a fragment.

    Attributes
    ----------
    path
        Where it was written.
    origin
        The number of the file it comes from.
    starts
        Where its sentences start.
    length
        In characters.
    """

    path: Path
    origin: int
    starts: tuple[int, ...]
    length: int

    @property
    def is_host(self) -> bool:
        """Whether it is long enough to take fragments."""
        return len(self.starts) > HOST_SENTENCES

    @property
    def is_source(self) -> bool:
        """Whether it is long enough to give any fragment."""
        return len(self.starts) >= SOURCE_SENTENCES and self.length >= SOURCE_CHARACTERS


@dataclass(frozen=True)
class Material:
    """What was found.

    Attributes
    ----------
    stretches
        Of the texts in `language`.
    essays
        Those of both sets.
    remarks
        What was left out or is missing, in sentences.
    """

    language: str
    stretches: tuple[Stretch, ...]
    essays: tuple[Essay, ...]
    remarks: tuple[str, ...]

    @property
    def hosts(self) -> list[Stretch]:
        """Stretches that can take fragments."""
        return [one for one in self.stretches if one.is_host]

    @property
    def is_enough(self) -> bool:
        """Whether there is a host, and a source for it from another file."""
        return _enough(self.stretches)


def _enough(stretches: Sequence[Stretch]) -> bool:
    hosts = {one.origin for one in stretches if one.is_host}
    sources = {one.origin for one in stretches if one.is_source}
    return bool(hosts) and bool(sources) and len(hosts | sources) > 1


def is_first_set(essay: Essay) -> bool:
    """Tell whether an essay is like those of the first set: with copies, or little of it rewritten heavily.

    Tables do not name their set. Copies were allowed in the first one only, and of later essays a fifth or
    more was to be rewritten heavily.
    """
    copied = any(kind_of(code) is Kind.COPIED for row in essay.rows for code in row.kinds)
    return copied or EssayFigures(essay).heavy_share < EssayRules().heavy[0]


def find_material(folder: Path, room: Path) -> Material:
    """Find essays and texts below a folder; stretches of the texts are written into a room for them."""
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
    language, stretches, about_texts = _texts(paths, room)
    if not essays and not _enough(stretches):
        raise StemmataError(ErrorCode.NO_MATERIAL, folder, least=HOST_SENTENCES)
    return Material(language, tuple(stretches), tuple(essays), (*about_texts, *remarks))


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


def _texts(paths: Sequence[Path], room: Path) -> tuple[str, list[Stretch], list[str]]:
    """Return the language to build in, stretches in it, and what is to be said of the texts."""
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
        stretches = [
            one for number, text in by_language[code] for one in _stretches(text, number, code, room)
        ]
        if _enough(stretches):
            others = sum(len(texts) for other, texts in by_language.items() if other != code)
            if code != RUSSIAN.code:
                remarks.insert(0, _not_russian(code))
            if others:
                remarks.append(f"{others} texts in other languages were left out.")
            return code, stretches, remarks
    remarks.append(
        f"There are no two texts, one of them with more than {HOST_SENTENCES} sentences: nothing can be "
        "said of generated plagiarism."
    )
    return RUSSIAN.code, [], remarks


def _not_russian(code: str) -> str:
    name = languages[code].name
    return (
        f"The texts are not in Russian but, it seems, in {name}. So are the corpora made of them; the "
        "workshop’s figures are of Russian."
    )


def _stretches(text: str, number: int, language: str, room: Path) -> Iterator[Stretch]:
    """Write a text, without what is too short to be a fragment, as stretches of like length."""
    stop_words = languages[language].stop_words
    pieces: list[str] = []
    before = 0
    for start, end in zip(*(ends.tolist() for ends in find_sentences(text, language)), strict=True):
        if significant(text[start:end], stop_words) >= FEWEST_TOKENS:
            pieces += ["\n" if "\n" in text[before:start] else " ", text[start:end]]
        before = end
    count = len(pieces) // 2
    parts = max(1, ceil(count / MOST_SENTENCES))
    for part in range(parts):
        first, last = part * count // parts, (part + 1) * count // parts
        written = "".join(pieces[2 * first : 2 * last]).strip()
        if not written:
            continue
        path = room / f"{number:05}-{part:03}.txt"
        path.write_text(written, encoding="utf-8", newline="")
        starts, _ = find_sentences(written, language)
        yield Stretch(path, number, tuple(starts.tolist()), len(written))


def significant(text: str, stop_words: frozenset[str]) -> int:
    """Return how many words of a text are no stop words.

    Examples
    --------
    >>> significant("The fox and the dog", frozenset({"the", "and"}))
    2
    """
    return sum(form not in stop_words for form in find_words(text).forms)
