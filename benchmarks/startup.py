"""How long a user waits for ``stemmata --help``."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks.tables import MET, show

REPEAT = 7
TARGET = 0.3
"""Seconds on the clock."""


def run(quick: bool) -> None:
    """Print the median time on the clock, or say that the command is missing."""
    times = [_seconds() for _ in range(REPEAT)]
    rows, note = [], ""
    if None in times:
        note = "Skipped: there is no command stemmata that answers --help."
    else:
        seconds = median(one for one in times if one is not None)
        rows.append(("stemmata --help", f"{seconds:.2f}", f"<= {TARGET:g}", MET[seconds <= TARGET]))
    show("Start of the command", ("command", "median s on the clock", "target", ""), rows, note)


def _seconds() -> float | None:
    command = Path(sys.executable).with_name("stemmata")
    begin = time.perf_counter()
    try:
        subprocess.run([command, "--help"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return time.perf_counter() - begin
