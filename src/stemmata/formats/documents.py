"""Documents of a corpus: one UTF-8 text file each."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from stemmata.formats.files import MAX_FILE_BYTES, is_folder, read_text
from stemmata.model import Document, ErrorCode, StemmataError

MAX_ALIGNED_BYTES = 10_000_000
"""Documents of more are not aligned unless asked for: no book is as long; detectors take 1 GB for it."""
LIMIT_VARIABLE = "STEMMATA_MAX_DOCUMENT_BYTES"


def alignment_limit() -> int:
    """Return how many bytes a document may have to be aligned; the environment can say otherwise."""
    said = os.environ.get(LIMIT_VARIABLE, "")
    if not said:
        return MAX_ALIGNED_BYTES
    if not (re.fullmatch("[0-9]{1,12}", said) and 0 < int(said) <= MAX_FILE_BYTES):
        rule = f"it must be a number of bytes from 1 to {MAX_FILE_BYTES:,}"
        raise StemmataError(ErrorCode.BAD_PARAMETER, name=LIMIT_VARIABLE, value=said[:80], rule=rule)
    return int(said)


def read_document(path: str | Path) -> Document:
    """Read one document; its name is the file's name."""
    return Document(Path(path).name, read_text(path))


def _text_files(folder: Path) -> Iterator[str]:
    """Yield the text files right in a folder and then those one folder down, sorted."""
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise StemmataError(ErrorCode.UNREADABLE, folder, reason=error.strerror or str(error)) from None
    yield from (entry.path for entry in listed if entry.name.endswith(".txt"))
    for entry in listed:
        if entry.is_dir():
            with suppress(PermissionError), os.scandir(entry.path) as below:
                yield from sorted(one.path for one in below if one.name.endswith(".txt"))


class DocumentFolder:
    """The documents below a folder, found by the names that annotations call them.

    PAN ships documents flat (``susp/``) or in parts one folder down (``suspicious-documents/part1/``).

    Parameters
    ----------
    path
        The folder.
    most_bytes
        Documents of more are refused; `alignment_limit` says how much a detector can take.
    """

    def __init__(self, path: str | Path, most_bytes: int = MAX_FILE_BYTES) -> None:
        self.path = Path(path)
        self.most_bytes = most_bytes
        if not is_folder(self.path):
            raise StemmataError(ErrorCode.UNREADABLE, self.path, reason="it is no folder")

    @cached_property
    def paths(self) -> dict[str, Path]:
        """Paths by document name, with and without ``.txt``."""
        found: dict[str, Path] = {}
        for path in _text_files(self.path):
            name = os.path.basename(path)  # noqa: PTH119 (a third of the time of a path's)
            found.setdefault(name, Path(path))
            found.setdefault(name.removesuffix(".txt") or name, found[name])
        return found

    def __contains__(self, name: str) -> bool:
        return name in self.paths

    def __getitem__(self, name: str) -> Document:
        path = self.paths.get(name)
        if path is None:
            raise StemmataError(
                ErrorCode.MISSING_DOCUMENT, side="named", document=name, folder=str(self.path)
            )
        self._require_size(path)
        return Document(name, read_text(path))

    def _require_size(self, path: Path) -> None:
        if self.most_bytes < MAX_FILE_BYTES and path.is_file() and path.stat().st_size > self.most_bytes:
            raise StemmataError(
                ErrorCode.DOCUMENT_TOO_LONG,
                path,
                size=path.stat().st_size,
                limit=self.most_bytes,
                variable=LIMIT_VARIABLE,
            )

    def lengths(self, names: Iterable[str]) -> dict[str, int]:
        """Return the number of characters of each named document that is here."""
        return {name: len(read_text(self.paths[name])) for name in names if name in self.paths}
