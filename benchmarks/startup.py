"""How long a user waits for ``stemmata --help``."""

from __future__ import annotations

import resource
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
    """Print the median times, or say that the command is missing."""
    times = [_clock_and_cpu() for _ in range(REPEAT)]
    rows, note = [], ""
    if None in times:
        note = "Skipped: there is no command stemmata that answers --help."
    else:
        clock, cpu = (median(column) for column in zip(*filter(None, times), strict=True))
        rows.append(("stemmata --help", f"{clock:.2f}", f"{cpu:.2f}", f"<= {TARGET:g}", MET[clock <= TARGET]))
    show("Start of the command", ("command", "s on the clock", "CPU s", "target", ""), rows, note)


def _clock_and_cpu() -> tuple[float, float] | None:
    command = Path(sys.executable).with_name("stemmata")
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    try:
        subprocess.run([command, "--help"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    clock, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
