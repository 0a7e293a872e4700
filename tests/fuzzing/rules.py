"""What every command promises, whatever it is given."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path
from stat import S_ISLNK, S_ISREG

from fuzzing.attempt import Attempt, Ending
from fuzzing.limits import Cost, allowed

_NEVER = {
    "a traceback": re.compile(r"Traceback \(most recent call last\)|^  File \"", re.MULTILINE),
    "a panic of a library": re.compile(r"panicked at|PanicException"),
    "a warning with source code": re.compile(r"\w+\.py:\d+: |(Runtime|Deprecation|User|Syntax)Warning"),
    "an internal error": re.compile(r"\bE003\b"),
    "a complaint that memory ran out": re.compile(r"\bE002\b"),
    "a control character": re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]"),
}
_REFUSAL = re.compile(r"stemmata: E\d{3} ")
_LONGEST_LINE = 2100
_PLACES = ("in", "outside")
_WHOLE = 4 * 1024 * 1024


def broken(attempt: Attempt, ending: Ending, room: Path, before: dict[str, str]) -> list[str]:
    """Return what a command has broken of its promises, in words."""
    printed = (room / "stdout").read_bytes().decode(errors="replace")
    errors = (room / "stderr").read_bytes().decode(errors="replace")
    faults = [
        *_of_cost(ending, allowed(attempt.arguments)),
        *_of_words(errors, printed),
        *_of_files(ending, room, before),
    ]
    if not ending.late and ending.status not in (0, 1, 2):
        faults.append(f"exit status {ending.status}")
    if ending.status == 2 and 2 not in attempt.closed:
        faults += _of_refusal(errors, printed)
    return faults


def _of_cost(ending: Ending, most: Cost) -> list[str]:
    faults = []
    if ending.late:
        faults.append("it did not end")
    elif ending.seconds > most.seconds:
        faults.append(f"{ending.seconds:.0f} seconds of processor time")
    if ending.megabytes > most.megabytes:
        faults.append(f"{ending.megabytes:.0f} MB of memory")
    return faults


def _of_words(errors: str, printed: str) -> list[str]:
    faults = [f"{name} on standard error" for name, sign in _NEVER.items() if sign.search(errors)]
    return faults + [
        f"{name} on standard output"
        for name, sign in _NEVER.items()
        if sign.search(printed) and name != "a warning with source code"
    ]


def _of_refusal(errors: str, printed: str) -> list[str]:
    faults = []
    lines = errors.splitlines()
    if len(lines) != 1:
        faults.append(f"{len(lines)} lines on standard error")
    elif not _REFUSAL.match(lines[0]):
        faults.append("a refusal without a code")
    if any(len(line) > _LONGEST_LINE for line in lines):
        faults.append("an endless line")
    if printed.strip():
        faults.append("a refusal after output")
    return faults


def _of_files(ending: Ending, room: Path, before: dict[str, str]) -> list[str]:
    after = state(room)
    # Without -o, what is new goes to the folder where the command runs.
    changed = sorted(name for name, mark in before.items() if after.get(name) != mark)
    changed += sorted(name for name in after.keys() - before.keys() if name.startswith(f"{room}/outside/"))
    faults = [f"{name!r} changed" for name in changed[:3]]
    faults += [f"it wrote to {path}" for path in ending.outside[:3]]
    left = sorted(one.name for one in (room / "tmp").iterdir()) if (room / "tmp").is_dir() else []
    return faults + [f"{name} left in the folder for temporary files" for name in left[:3]]


def state(room: Path) -> dict[str, str]:
    """Return a mark for every file that must stay as it is, by its name."""
    return {str(path): _mark(path) for place in _PLACES for path in sorted((room / place).rglob("*"))}


def _mark(path: Path) -> str:
    status = path.lstat()
    if S_ISLNK(status.st_mode):
        return f"link to {path.readlink()}"
    mark = f"{status.st_mode:o} {status.st_size if S_ISREG(status.st_mode) else 0}"
    if S_ISREG(status.st_mode) and status.st_size < _WHOLE:
        mark += blake2b(path.read_bytes(), digest_size=8).hexdigest()
    return mark
