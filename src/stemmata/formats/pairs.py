"""PAN's ``pairs`` files: a suspicious and a source document per line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from stemmata.formats.files import read_text
from stemmata.model import ErrorCode, Finding, Place, StemmataError

DocumentPair = tuple[str, str]


def read_pairs(path: str | Path, report: Callable[[Finding], None] | None = None) -> list[DocumentPair]:
    """Read the pairs in their order; a wrong line is an error, or goes to `report`."""
    pairs = []
    for number, line in enumerate(read_text(path).removeprefix("\ufeff").splitlines(), start=1):
        words = line.split()
        if len(words) == 2:
            pairs.append((words[0], words[1]))
        elif words:
            place = Place(str(path), line=number)
            if report is None:
                raise StemmataError(ErrorCode.BAD_PAIR, place, text=line.strip()[:80])
            report(Finding.of(ErrorCode.BAD_PAIR, place, text=line.strip()[:80]))
    return pairs
