"""The stopwatch and the scales: CPU seconds, and peak memory in a process of its own."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

MEGABYTE = 1_000_000


def timed(work: Callable[[], R]) -> tuple[float, R]:
    """Return the user and system time of some work, and what it returned."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def cpu_seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """Return the user and system time of the fastest of some runs."""
    return min(timed(work)[0] for _ in range(repeat))


def in_fresh_process(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function in a new interpreter, so that its peak memory is its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *args, **kwargs).result()


def forget_peak_memory() -> None:
    """Start the record of peak memory anew, where the system can: what made the data shall not count."""
    record = Path("/proc/self/clear_refs")
    if record.exists():
        record.write_text("5")


def peak_memory() -> int:
    """Return the most bytes this process has held.

    Linux hands a parent's ``ru_maxrss`` down to the processes it starts, but not ``VmHWM``.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
