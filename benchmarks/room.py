"""Where long benchmarks keep what they make."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def working_room() -> Iterator[Path]:
    """Give the folder ``STEMMATA_ROOM``, so that a run that was stopped goes on; else one that is removed."""
    if kept := os.environ.get("STEMMATA_ROOM"):
        yield Path(kept)
    else:
        with TemporaryDirectory() as room:
            yield Path(room)
