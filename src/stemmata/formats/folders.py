"""What lies in a folder."""

from __future__ import annotations

from pathlib import Path

from stemmata.model import ErrorCode, StemmataError


def entries(folder: str | Path, pattern: str = "*") -> list[Path]:
    """Return what lies right in a folder and fits the pattern, sorted; hidden files do not count."""
    try:
        found = [path for path in Path(folder).iterdir() if not path.name.startswith(".")]
    except OSError as error:
        raise StemmataError(ErrorCode.UNREADABLE, folder, reason=error.strerror or str(error)) from None
    return sorted(path for path in found if path.match(pattern))


def folders_in(folder: str | Path) -> list[Path]:
    """Return the folders right in a folder, sorted; hidden ones do not count."""
    return [path for path in entries(folder) if path.is_dir()]
