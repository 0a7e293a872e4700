"""Thesauri: words of a like meaning, read from the files that word processors use.

The files are those of the MyThes library, version 2, as Debian's packages mythes-ru, mythes-de and mythes-es
install them. A sorted index (``.idx``) tells where in the data (``.dat``) an entry stands; both are mapped
into memory, and a word is found by bisecting the index.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from mmap import mmap
from pathlib import Path
from typing import NamedTuple

from stemmata.model import ErrorCode, StemmataError
from stemmata.text.extras import no_tool
from stemmata.text.mapped import map_file

VARIABLE = "STEMMATA_THESAURUS"
"""The environment variable that names another folder of thesauri."""
_USUAL = Path("/usr/share/mythes")
_NAMES = {"ru": "ru_RU", "de": "de_DE", "es": "es_ES"}
"""Languages with a thesaurus, and the names of the files of each."""
_KEPT = 1 << 16
_LONGEST = 256
"""No headword is longer, in bytes."""
_LONGEST_LINE = 1 << 16
_MOST = 256
"""No entry has more meanings, and no word more entries."""
_TEXT_ENCODING = re.compile(r"(?:utf-?8|iso-?8859-?\d+|microsoft-cp125\d|cp125\d|koi8-[ru])\Z", re.IGNORECASE)
_BOM = codecs.BOM_UTF8
_REMARK = re.compile(r"\s*\([^()|]{0,80}\)")


class Meaning(NamedTuple):
    """Some words that are related to the one looked up in one of its meanings.

    Attributes
    ----------
    label
        What the thesaurus says of them, such as ``"синоним"``, or nothing.
    words
        Words and phrases, without remarks in parentheses.
    """

    label: str
    words: tuple[str, ...]


class Thesaurus:
    """The thesaurus of a language.

    Parameters
    ----------
    language
        ``"ru"``, ``"de"`` or ``"es"``.
    folder
        Where the files are; without it that of Debian, or the one named by ``STEMMATA_THESAURUS``.
        See `thesaurus` for one that is kept.
    """

    def __init__(self, language: str, folder: Path | None = None) -> None:
        if language not in _NAMES:
            raise no_tool("thesaurus", language, _NAMES)
        stem = f"th_{_NAMES[language]}_v2"
        self._paths = tuple((folder or thesaurus_folder()) / f"{stem}.{end}" for end in ("idx", "dat"))
        for path in self._paths:
            if not path.is_file():
                what, package = f"the thesaurus of {language!r}", f"mythes-{language}"
                raise StemmataError(
                    ErrorCode.MISSING_DATA, path, what=what, package=package, variable=VARIABLE
                )
        self._found = lru_cache(_KEPT)(self._look_up)

    def meanings(self, word: str) -> tuple[Meaning, ...]:
        """Return the meanings of a word as a dictionary lists it; none for one that is not listed."""
        return self._found(word)

    def _look_up(self, word: str) -> tuple[Meaning, ...]:
        try:
            key = word.lower().encode(self._encoding)
        except UnicodeError:
            return ()
        if not 0 < len(key) <= _LONGEST or not word.isprintable() or "|" in word:
            return ()
        return tuple(meaning for offset in self._offsets(key) for meaning in self._entry(offset, key))

    def _offsets(self, key: bytes) -> Iterator[int]:
        """Yield where the entries of a headword stand."""
        index = self._index
        low, high = self._first, len(index)
        while low < high:
            start = index.rfind(b"\n", low, (low + high) // 2) + 1 or low
            if self._line(index, start).rpartition(b"|")[0] < key:
                low = self._next(index, start)
            else:
                high = start
        for _ in range(_MOST):
            head, _, offset = self._line(index, low).rpartition(b"|")
            if head != key:
                return
            if not offset.strip().isdigit() or len(offset) > 12:
                raise self._bad(0, f"bad entry of {key.decode(self._encoding)!r}")
            yield int(offset)
            low = self._next(index, low)

    def _entry(self, offset: int, key: bytes) -> Iterator[Meaning]:
        """Yield the meanings of an entry: a line of the headword and their number, then one line for each."""
        data = self._data
        head, _, number = self._line(data, offset).rpartition(b"|")
        # The headword is checked, as only that tells an entry from the midst of another.
        if head.removeprefix(_BOM) != key or not number.strip().isdigit() or len(number) > 6:
            raise self._bad(1, f"no entry of {key.decode(self._encoding)!r} at {offset}")
        for _ in range(min(int(number), _MOST)):
            offset = self._next(data, offset)
            label, *words = self._line(data, offset).decode(self._encoding, "replace").split("|")
            shown = (_REMARK.sub("", word).strip() for word in words)
            yield Meaning(label.strip(" ()-"), tuple(word for word in shown if word))

    @staticmethod
    def _line(file: mmap | bytes, start: int) -> bytes:
        end = file.find(b"\n", start, start + _LONGEST_LINE)
        return file[start : end if end >= 0 else start + _LONGEST_LINE].rstrip(b"\r")

    @staticmethod
    def _next(file: mmap | bytes, start: int) -> int:
        return file.find(b"\n", start) + 1 or len(file)

    @cached_property
    def _encoding(self) -> str:
        name = self._line(self._index, 0).removeprefix(_BOM).strip().decode("ascii", "replace")
        if not _TEXT_ENCODING.match(name):
            raise self._bad(0, "it does not begin with a known encoding")
        return codecs.lookup(name.lower().removeprefix("microsoft-")).name

    @cached_property
    def _first(self) -> int:
        """Where the index begins, behind the encoding and the number of entries."""
        return self._next(self._index, self._next(self._index, 0))

    @cached_property
    def _index(self) -> mmap | bytes:
        return map_file(self._paths[0])

    @cached_property
    def _data(self) -> mmap | bytes:
        return map_file(self._paths[1])

    def _bad(self, file: int, reason: str) -> StemmataError:
        return StemmataError(ErrorCode.BAD_THESAURUS, self._paths[file], reason=reason, variable=VARIABLE)


def thesaurus_folder() -> Path:
    """Return where it is looked for."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else _USUAL


@cache
def _kept(language: str, folder: Path) -> Thesaurus:
    return Thesaurus(language, folder)


def thesaurus(language: str) -> Thesaurus:
    """Return the installed thesaurus of a language, the same one each time.

    Raises
    ------
    StemmataError
        E504 where it is not installed.

    Examples
    --------
    >>> thesaurus("ru").meanings("абзац")  # doctest: +SKIP
    (Meaning(label='синоним', words=('отступ',)),)
    """
    return _kept(language, thesaurus_folder())
