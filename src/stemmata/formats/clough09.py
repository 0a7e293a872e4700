"""The corpus of short answers: 95 answers to five questions that reuse an article to four degrees.

Clough and Stevenson, "Developing a corpus of plagiarised short answers", Language Resources and Evaluation
45, 2011. Each answer was written from the article in Wikipedia (near copy, light or heavy revision) or
without it (non-plagiarism); the names of files say the group, the person and the task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stemmata.formats.files import is_folder, read_bytes
from stemmata.formats.pan_corpus import write_pan_corpus
from stemmata.formats.spreadsheets import Row, read_sheet
from stemmata.model import Document, ErrorCode, Pair, StemmataError

LEVELS = {"non": 0, "heavy": 1, "light": 2, "cut": 3}
"""The four degrees of reuse, least first."""
SHEET = "File list"

_ANSWER = re.compile(r"g\d{1,3}p[A-Z]_task([a-z])\.txt")
_ORIGINAL = "orig_task{}.txt"
_MAX_BYTES = 1024 * 1024


@dataclass(frozen=True)
class ShortAnswer:
    """An answer, the article it may have come from, and how much it took: a key of `LEVELS`."""

    pair: Pair
    task: str
    category: str

    @property
    def level(self) -> int:
        """The degree of reuse as a number, 0 for none."""
        return LEVELS[self.category]


def read_clough09(folder: str | Path) -> list[ShortAnswer]:
    """Read the answers in the order of the list of files.

    Parameters
    ----------
    folder
        The folder of the list, ``corpus-final09.xls``, with the texts beside it or in a folder there; or
        the folder above.
    """
    listed = _only(folder, [path for pattern in ("*.xls", "*.xlsx") for path in _two_deep(folder, pattern)])
    texts = _only(folder, _two_deep(listed.parent, _ORIGINAL.format("a"))).parent
    head, *rows = read_sheet(listed, SHEET) or [Row(1, ())]
    columns = [cell.strip().casefold() for cell in head.cells]
    if not {"file", "category"} <= set(columns):
        raise _bad(listed, "the list has no columns File and Category")
    name_at, category_at = columns.index("file"), columns.index("category")
    answers = []
    originals: dict[str, Document] = {}
    for row in rows:
        name, category = (
            row.cells[at].strip() if at < len(row.cells) else "" for at in (name_at, category_at)
        )
        # The pattern also keeps names from leading out of the folder.
        named = _ANSWER.fullmatch(name)
        if named is None or category not in LEVELS:
            raise _bad(listed, f"row {row.number} says {name[:40]!r}, {category[:40]!r}")
        task = named[1]
        if task not in originals:
            originals[task] = _document(texts / _ORIGINAL.format(task))
        answers.append(ShortAnswer(Pair(_document(texts / name), originals[task]), task, category))
    if not answers:
        raise _bad(listed, "the list is empty")
    return answers


def write_clough09(folder: str | Path, answers: list[ShortAnswer]) -> None:
    """Write the answers in the layout of PAN13, to be aligned; they come without cases."""
    sources = {one.pair.source.name: one.pair.source for one in answers}
    write_pan_corpus(
        folder,
        [one.pair.suspicious for one in answers],
        list(sources.values()),
        [(one.pair.suspicious.name, one.pair.source.name) for one in answers],
    )


def _document(path: Path) -> Document:
    data = read_bytes(path, _MAX_BYTES)
    try:
        return Document(path.name, data.decode("utf-8"))
    except UnicodeDecodeError:
        # Answers were typed into Windows programs, and kept as they came.
        return Document(path.name, data.decode("windows-1252", errors="replace"))


def _two_deep(folder: str | Path, pattern: str) -> Iterator[Path]:
    if not is_folder(folder):
        raise _bad(folder, "it is no folder")
    for below in ("", "*/"):
        yield from sorted(Path(folder).glob(below + pattern))


def _only(folder: str | Path, found: Iterator[Path] | list[Path]) -> Path:
    first = next(iter(found), None)
    if first is None:
        raise _bad(folder, "the list of files or the texts are missing")
    return first


def _bad(path: str | Path, reason: str) -> StemmataError:
    return StemmataError(ErrorCode.BAD_SHORT_ANSWERS, path, reason=reason)
