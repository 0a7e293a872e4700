"""The cache as its owner sees it: what lies there, how to clear it, and runs that leave nothing in it.

Only what the program wrote is counted or removed: cells by their names and first words, and the folders of
runs that keep nothing, unless such a run is still going on. Links are neither followed nor removed.
"""

from __future__ import annotations

import fcntl
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from stemmata.experiments.cells import Cells, cells_folder
from stemmata.formats.places import cache_folder

PRIVATE = "private-"
"""What the folders of runs are called that keep nothing."""
_LOCK = "in-use"
_SHELF = re.compile(r"[0-9a-f]{2}")
_CELL = re.compile(r"[0-9a-f]{64}\.json")
_HALF_WRITTEN = re.compile(r"\.[0-9a-f]{64}\.json\.\w+")
_BEGINNING = re.compile(rb'\{"key": \{"what": "([a-z ]{1,40})"')
_DAY = 24 * 60 * 60


@contextmanager
def cells_of_run(kept: bool = True) -> Iterator[Cells]:
    """Give the user's cells, or cells for one run alone, which are gone afterwards.

    Those lie in a folder that only the user can read, where all processes and machines of a run find them.
    """
    if kept:
        yield Cells(cells_folder())
        return
    root = cache_folder()
    try:
        root.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=root, prefix=PRIVATE))
    except OSError:
        # A cache that cannot be written to is no reason not to answer.
        folder = Path(tempfile.mkdtemp(prefix="stemmata-"))
    try:
        with (folder / _LOCK).open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield Cells(folder / "cells")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Contents:
    """What lies in the cache.

    Attributes
    ----------
    place
        The folder of the cells.
    files, bytes
        By kind of result.
    """

    place: Path
    files: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)

    def count(self, kind: str, size: int) -> None:
        """Count a file."""
        self.files[kind] += 1
        self.bytes[kind] += size


def cache_contents() -> Contents:
    """Return what lies in the cache."""
    found = Contents(cells_folder())
    for file, kind in _kept():
        with suppress(OSError):
            found.count(kind, file.lstat().st_size)
    return found


def clear_cache(older_than: float = 0.0) -> Contents:
    """Remove from the cache what was made so many days ago or earlier; return what was removed."""
    removed = Contents(cells_folder())
    latest = time.time() - older_than * _DAY if older_than else float("inf")
    for file, kind in _kept():
        with suppress(OSError):
            status = file.lstat()
            if status.st_mtime > latest:
                continue
            file.unlink()
            removed.count(kind, status.st_size)
    for folder in (*_folders(cells_folder(), _SHELF), cells_folder()):
        with suppress(OSError):
            for left in _folders(folder, _HALF_WRITTEN):
                left.rmdir()
            folder.rmdir()
    for folder in _abandoned():
        shutil.rmtree(folder, ignore_errors=True)
    return removed


def _kept() -> Iterator[tuple[Path, str]]:
    """Yield the files that the program keeps, and what each is."""
    for shelf in _folders(cells_folder(), _SHELF):
        for file in _files(shelf):
            yield file, _kind(file)
        for half in _folders(shelf, _HALF_WRITTEN):
            for file in _files(half, empty=True):
                yield file, "half written"
    for folder in _abandoned():
        for file in folder.rglob("*.json"):
            if file.is_file() and not file.is_symlink():
                yield file, "of runs that were killed"


def _folders(place: Path, named: re.Pattern[str]) -> list[Path]:
    """Return folders of certain names, none of them links."""
    with suppress(OSError):
        return sorted(
            one
            for one in place.iterdir()
            if named.fullmatch(one.name) and one.is_dir() and not one.is_symlink()
        )
    return []


def _files(folder: Path, empty: bool = False) -> list[Path]:
    """Return the cells in a folder: by name and by how they begin; one half written may be empty."""
    with suppress(OSError):
        return sorted(
            one
            for one in folder.iterdir()
            if _CELL.fullmatch(one.name) and not one.is_symlink() and one.is_file() and (empty or _kind(one))
        )
    return []


def _kind(file: Path) -> str:
    """Return what a cell holds, in the words of its key; nothing for what is no cell."""
    try:
        with file.open("rb") as opened:
            found = _BEGINNING.match(opened.read(100))
    except OSError:
        return ""
    return found[1].decode() if found else ""


def _abandoned() -> list[Path]:
    """Return folders of runs that are no longer: the lock of a process goes with it."""
    found = []
    for folder in _folders(cache_folder(), re.compile(rf"{PRIVATE}\w+")):
        with suppress(OSError), (folder / _LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            found.append(folder)
    return found
