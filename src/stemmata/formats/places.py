"""Where the program keeps what is its own on this machine: the user's cache, and the user's data."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from stemmata.model import ErrorCode, StemmataError

CACHE_VARIABLE = "STEMMATA_CACHE"
DATA_VARIABLE = "STEMMATA_DATA"


def cache_folder() -> Path:
    """Return the folder of the cache: ``$STEMMATA_CACHE``, or stemmata's in the user's cache.

    Who has no home, as in many a container, has a cache that lasts as long as the program.
    """
    if named := os.environ.get(CACHE_VARIABLE):
        return Path(named).absolute()
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "stemmata"
    home = _home()
    return home / ".cache" / "stemmata" if home else _passing_folder()


def data_folder() -> Path:
    """Return the folder for copies of corpora: ``$STEMMATA_DATA``, or where the system keeps data.

    Raises
    ------
    StemmataError
        E107 if there is no home to keep them in.
    """
    if named := os.environ.get(DATA_VARIABLE):
        return Path(named).absolute()
    if sys.platform == "linux" and (base := os.environ.get("XDG_DATA_HOME")):
        return Path(base) / "stemmata"
    home = _home()
    if home is None:
        reason = f"there is no home folder; {DATA_VARIABLE} can name a place"
        raise StemmataError(ErrorCode.CANNOT_WRITE, "the data folder", reason=reason)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "stemmata"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "stemmata"
    return home / ".local" / "share" / "stemmata"


def make_private(folder: Path) -> None:
    """Make a folder of the cache that its owner alone can enter: texts of people lie there."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Of a folder that several users share, on a cluster for instance, another is the owner.
    with suppress(OSError):
        if folder.stat().st_mode & 0o077:
            folder.chmod(0o700)


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None


@cache
def _passing_folder() -> Path:
    room = Path(tempfile.mkdtemp(prefix="stemmata-"))
    atexit.register(shutil.rmtree, room, ignore_errors=True)
    return room
