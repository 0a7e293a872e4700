"""What a command may cost, and what is forbidden to it: limits of its process, as of any user's."""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PATIENCE = 180
"""Seconds on the clock, on a machine that has other work too."""


class Cost(NamedTuple):
    """What one input may cost: seconds of processor time, and megabytes of memory of each process."""

    seconds: float
    megabytes: float


USUAL = Cost(20, 1024)
WITH_MODELS = Cost(60, 1536)
"""The language model has 135 million numbers, 540 MB; any short text takes 8 s and 1,030 MB."""
_MODELS = ({"mask"}, {"score", "quality"}, {"rank"})


def allowed(arguments: Sequence[str]) -> Cost:
    """Return what a command may cost."""
    return WITH_MODELS if any(words <= {*arguments[:2]} for words in _MODELS) else USUAL


_ADDRESSES = 6 * 1024**3
_FILE_BYTES = 2 * 1024**3
_CAPABILITIES = 0x20080522  # version 3 of the kernel's interface
_OVERRIDES = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH

_CHANGES = {
    "os.chmod": 1,
    "os.link": 2,
    "os.mkdir": 1,
    "os.remove": 1,
    "os.rename": 2,
    "os.rmdir": 1,
    "os.symlink": 2,
    "os.truncate": 1,
    "os.utime": 1,
    "shutil.rmtree": 1,
}
"""Events of the interpreter that change files, and how many of their arguments are paths."""
_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def limit_process() -> None:
    """Hold this process to the limits; files that their owner may not read are not read by root either."""
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    most = int(2 * WITH_MODELS.seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES, _FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, AttributeError):  # a system without them
        _give_up_overrides()


def _give_up_overrides() -> None:
    library = ctypes.CDLL(None, use_errno=True)
    head = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then the same of higher numbers
    if library.capget(head, sets) == 0:
        for place in range(3):
            sets[place] &= ~_OVERRIDES
        library.capset(head, sets)


def watch(room: Path, note: int) -> None:
    """Write to a descriptor every path that this process changes, or opens to write, outside a room."""
    inside = f"{os.path.realpath(room)}/"
    allowed = (inside, "/dev/", "/proc/self/")

    def look(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            mode, flags = arguments[1], arguments[2]
            written = (isinstance(flags, int) and flags & _TO_WRITE) or (
                isinstance(mode, str) and mode[:1] != "r"
            )
            paths = arguments[:1] if written else ()
        else:
            paths = arguments[: _CHANGES.get(event, 0)]
            if event == "os.symlink":
                paths = arguments[1:2]  # where a link leads is not touched
        for path in paths:
            if isinstance(path, str | bytes | os.PathLike):
                name = Path(os.fsdecode(path)).absolute()
                place = os.path.normpath(os.path.realpath(name.parent) + f"/{name.name}")
                if not f"{place}/".startswith(allowed):
                    os.write(note, f"{place}\n".encode(errors="replace"))

    sys.addaudithook(look)
