"""Cells: results that are made once, kept by what they were made from, and found again from then on.

A cell is one small JSON file in the user's cache, named after the hash of its key: everything that decides
the result, texts as their digests. It is written beside and renamed, so that a run that was killed keeps the
cells it finished and never half of one. Whatever cannot be read as the cell of its key, as it was written, is
made anew. Masked texts are among them, so that nobody but the user can enter the folder.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from stemmata import __version__
from stemmata.formats.places import cache_folder, make_private
from stemmata.formats.sealed import read_sealed, write_sealed
from stemmata.model import StemmataError

MAX_CELL_BYTES = 256 * 1024 * 1024

Parts = Mapping[str, Any]
"""What a cell is made from, as JSON can say it."""


def cells_folder() -> Path:
    """Return the folder for cells, below that of the cache."""
    return cache_folder() / "cells"


def digest(texts: Iterable[str]) -> str:
    """Return a hash of texts in their order; no two lists of texts run together into one.

    Examples
    --------
    >>> digest(["ab", "c"]) == digest(["a", "bc"])
    False
    """
    made = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        made.update(b"%d:" % len(data))
        made.update(data)
    return made.hexdigest()


@dataclass(frozen=True)
class Cell:
    """A result and where it comes from.

    Attributes
    ----------
    value
        The result, as JSON can say it.
    seconds
        CPU time it took to make.
    made
        When that was.
    """

    value: Any
    seconds: float
    made: str


@dataclass(frozen=True)
class Cells:
    """The cells of a folder.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     cells = Cells(Path(folder))
    ...     first = cells.get_or_make({"of": "six"}, lambda: 2 * 3)
    ...     again = cells.get_or_make({"of": "six"}, lambda: 1 / 0)
    >>> first.value, again.value
    (6, 6)
    """

    folder: Path

    def path(self, parts: Parts) -> Path:
        """Return the file of the cell with this key."""
        name = hashlib.sha256(_canonical(parts).encode()).hexdigest()
        return self.folder / name[:2] / f"{name}.json"

    def get(self, parts: Parts, fits: Callable[[Any], bool] = lambda _: True) -> Cell | None:
        """Return the cell with this key, if it was made and its value fits."""
        try:
            kept = read_sealed(self.path(parts), MAX_CELL_BYTES)
            if kept is None:
                return None
            cell = Cell(kept["value"], float(kept["seconds"]), str(kept["made"]))
            if _canonical(kept["key"]) == _canonical(parts) and fits(cell.value):
                return cell
        except (ValueError, TypeError, KeyError, RecursionError):
            # What can be made anew need not be repaired.
            pass
        return None

    def get_or_make(
        self, parts: Parts, make: Callable[[], Any], fits: Callable[[Any], bool] = lambda _: True
    ) -> Cell:
        """Return the cell with this key; if there is none, make its value and keep it.

        Parameters
        ----------
        parts
            All that the value is made from; texts by their `digest`. Other parts make another cell.
        make
            Makes the value. What it raises is not kept.
        fits
            Tells whether a value that was kept is one, since files can be changed.
        """
        if found := self.get(parts, fits):
            return found
        begin = time.process_time()
        # A value that went through JSON is the same as one that is found later.
        written = json.dumps(make())
        value = json.loads(written)
        cell = Cell(
            value, round(time.process_time() - begin, 3), datetime.now(UTC).isoformat(timespec="seconds")
        )
        record = {"key": parts, "seconds": cell.seconds, "made": cell.made, "version": __version__}
        # A cache that cannot be written to is no reason not to answer.
        with suppress(StemmataError, OSError):
            make_private(self.folder)
            # A large value is put into words once.
            said = f'{json.dumps(record)[:-1]}, "value": {written}}}'
            write_sealed(self.path(parts), said, mode=0o600)
        return cell


def _canonical(parts: Parts) -> str:
    return json.dumps(parts, sort_keys=True)
