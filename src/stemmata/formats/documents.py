"""Documents of a corpus: one UTF-8 text file each."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from stemmata.formats.files import is_folder, read_text
from stemmata.model import Document, ErrorCode, StemmataError


def read_document(path: str | Path) -> Document:
    """Read one document; its name is the file's name."""
    return Document(Path(path).name, read_text(path))


class DocumentFolder:
    """The documents below a folder, found by the names that annotations call them.

    PAN ships documents flat (``susp/``) or in parts one folder down (``suspicious-documents/part1/``).
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not is_folder(self.path):
            raise StemmataError(ErrorCode.UNREADABLE, self.path, reason="it is no folder")

    @cached_property
    def paths(self) -> dict[str, Path]:
        """Paths by document name, with and without ``.txt``."""
        found: dict[str, Path] = {}
        for pattern in ("*.txt", "*/*.txt"):
            for path in sorted(self.path.glob(pattern)):
                found.setdefault(path.name, path)
                found.setdefault(path.stem, path)
        return found

    def __contains__(self, name: str) -> bool:
        return name in self.paths

    def __getitem__(self, name: str) -> Document:
        path = self.paths.get(name)
        if path is None:
            raise StemmataError(
                ErrorCode.MISSING_DOCUMENT, side="named", document=name, folder=str(self.path)
            )
        return Document(name, read_text(path))

    def lengths(self, names: Iterable[str]) -> dict[str, int]:
        """Return the number of characters of each named document that is here."""
        return {name: len(read_text(self.paths[name])) for name in names if name in self.paths}
