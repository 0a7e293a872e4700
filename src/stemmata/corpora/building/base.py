"""Base texts: what a corpus is cut from."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from stemmata.formats.files import is_folder, read_text
from stemmata.model import ErrorCode, Span, StemmataError
from stemmata.model.spans import Ints

FRAME = 50_000
"""Characters at either end of a text among which a header or footer is looked for."""
SAMPLE = 100_000
"""Characters of each text by which words are measured."""
_GUTENBERG_START = re.compile(
    r"^\s*\*\*\*\s*START OF (?:THE|THIS) PROJECT GUTENBERG.*$|^.*\*END\*?THE SMALL PRINT.*$",
    re.MULTILINE | re.IGNORECASE,
)
_GUTENBERG_END = re.compile(
    r"^\s*\*\*\*\s*END OF (?:THE|THIS) PROJECT GUTENBERG.*$|^\s*End of (?:the )?Project Gutenberg.*$",
    re.MULTILINE | re.IGNORECASE,
)
_CUT = re.compile(r"(?<=[.!?…])[\"'”’»)]*\s+(?=[^\Wa-z\d_]|[\"“‘«])|\n[ \t\r]*\n\s*")
_BLANK = " \t\r\n\f\v\ufeff"
_LINE = re.compile(r"\n+\s*|(?<=\S)\s(?=\S)")


@dataclass(frozen=True)
class BaseText:
    """One text: its file, the part of it that is text, and where it may be cut.

    Attributes
    ----------
    start, end
        Offsets of the text proper, without what Project Gutenberg puts around it.
    cuts
        Offsets at which a sentence or paragraph seems to start.
    words
        Number of words, estimated.
    digest
        Of the whole text, to see later that it has not changed.
    """

    name: str
    path: Path
    start: int
    end: int
    cuts: Ints
    words: int
    digest: str = ""

    def __len__(self) -> int:
        return self.end - self.start

    def cut_after(self, offset: int) -> int:
        """Return the first place at or after an offset where the text may be cut."""
        at = int(np.searchsorted(self.cuts, offset))
        return int(self.cuts[at]) if at < len(self.cuts) else self.end


@dataclass(frozen=True)
class Slice:
    """A stretch of a base text that makes a document, or the host of one."""

    path: Path
    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    @property
    def text(self) -> str:
        """The characters of the stretch."""
        return _text(self.path)[self.start : self.end]


@lru_cache(maxsize=8)
def _text(path: Path) -> str:
    return read_text(path)


def text_proper(text: str) -> Span:
    r"""Return where the text proper lies: between Project Gutenberg's header and footer, if it has them.

    Examples
    --------
    >>> text = "Title\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\nCall me.\nEnd of Project Gutenberg's X"
    >>> text[slice(*text_proper(text))]
    'Call me.'
    """
    start, end = 0, len(text)
    for header in _GUTENBERG_START.finditer(text, 0, FRAME):
        start = header.end()
    if footer := _GUTENBERG_END.search(text, max(start, len(text) - FRAME)):
        end = footer.start()
    start += len(text[start:end]) - len(text[start:end].lstrip(_BLANK))
    return Span(start, max(start, start + len(text[start:end].rstrip())))


def read_base(folder: Path) -> list[BaseText]:
    """Look at all text files below a folder, in the order of their paths; of duplicates, at the first.

    Texts that differ in case and white space alone are duplicates.
    """
    if not is_folder(folder):
        raise StemmataError(ErrorCode.UNREADABLE, folder, reason="it is no folder")
    known: set[bytes] = set()
    paths = sorted(folder.rglob("*.txt"))
    texts = [one for path in paths if (one := _look_at(path, folder, known)) is not None]
    if not texts:
        raise StemmataError(ErrorCode.NO_BASE_TEXT, folder)
    return texts


def _look_at(path: Path, folder: Path, known: set[bytes]) -> BaseText | None:
    text = read_text(path)
    start, end = text_proper(text)
    if end <= start:
        return None
    bare = "".join(text[start:end].casefold().split())
    digest = hashlib.sha256(bare.encode("utf-8", "surrogatepass")).digest()
    if digest in known:
        return None
    known.add(digest)
    cuts = np.array([match.end() for match in _CUT.finditer(text, start, end)], dtype=np.int64)
    if len(cuts) < (end - start) / 2_000:
        # Hardly any sentences: every line or word may end a document.
        cuts = np.array([match.end() for match in _LINE.finditer(text, start, end)], dtype=np.int64)
    sample = text[start : min(end, start + SAMPLE)]
    words = round(len(sample.split()) * (end - start) / len(sample))
    whole = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return BaseText(path.relative_to(folder).as_posix(), path, start, end, cuts, max(1, words), whole)
