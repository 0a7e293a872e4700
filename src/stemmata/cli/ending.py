"""How a command ends: one line and a status, whatever happened, and never a traceback."""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import Any

from typer.exceptions import TyperException

from stemmata.reports.terminal import harmless

INTERRUPTED = 128 + signal.SIGINT
"""The exit status of a command that was interrupted from the keyboard."""

STOPPED = {
    INTERRUPTED,
    *(128 + number for number in (signal.SIGTERM, getattr(signal, "SIGHUP", 0)) if number),
}
"""The exit statuses of commands that were stopped, and have cleared up behind them."""

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_WRITING = {*_NO_ROOM, errno.EROFS, errno.EEXIST, errno.ENOTEMPTY, errno.ETXTBSY}
"""What a system only says to those who write."""

_NO_MEMORY = "E002 out of memory (work in parts, or on a larger machine)"
_LONGEST_LINE = 2000
_LONGEST_PATH = 300
_LOOP = "Symlink loop from "

_PLAIN_WORDS = (
    (re.compile(r"Value error, "), ""),
    (re.compile(r"Input should be greater than or equal to (\S+)"), r"it must be at least \1"),
    (re.compile(r"Input should be less than or equal to (\S+)"), r"it must be at most \1"),
    (re.compile(r"Input should be greater than (\S+)"), r"it must be more than \1"),
    (re.compile(r"Input should be less than (\S+)"), r"it must be less than \1"),
    (re.compile(r"Input should be a valid integer.*"), "it must be a whole number"),
    (re.compile(r"Unable to parse input string as an integer.*"), "it must be a whole number"),
    (re.compile(r"Input should be a valid number.*"), "it must be a number"),
    (re.compile(r"Input should be a finite number"), "it must be a finite number"),
    (re.compile(r"Input should be "), "it must be "),
)
"""The words of the library that reads arguments, and ours."""


def open_streams() -> None:
    """Open what a caller has closed: what goes there is lost, and no file takes its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        # A name that the terminal cannot show must not cost the result.
        sys.stdout.reconfigure(errors="replace")


@contextmanager
def stoppable() -> Iterator[None]:
    """Let what is begun be cleared away when another program ends this one, as when a user does."""
    before = {}
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # What was started to outlast its terminal, as by nohup, ignores the signal, and still does.
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            with suppress(ValueError):  # only the main thread can
                before[number] = signal.signal(number, _stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, frame: object) -> None:
    # What clears up is not to be interrupted by more of the same.
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)


def close_output() -> None:
    """Send what is left to be printed nowhere: whoever read it has gone, as `| head` does."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(nowhere, stream.fileno())
                stream.flush()
    os.close(nowhere)


def print_line(line: str) -> None:
    """Print a line of a bounded length on standard error, if anybody can still read it."""
    words = harmless(" ".join(line.split()))
    with suppress(OSError, ValueError):
        print(f"stemmata: {_shortened(words)}", file=sys.stderr, flush=True)


def _shortened(line: str) -> str:
    # What is needed where memory has run out is at hand.
    half = _LONGEST_LINE // 2
    return line if len(line) <= _LONGEST_LINE else f"{line[:half]} … {line[-half:]}"


def tell(text: str) -> None:
    """Print on standard error what is not part of the result, such as where a page was written."""
    with suppress(OSError, ValueError):
        print(harmless(text), file=sys.stderr, flush=True)


def explain(error: BaseException) -> str:
    """Return the line a user sees: code, place, what is wrong, remedy."""
    # Where memory has run out, nothing can be imported; what can be raised has been.
    catalogue = sys.modules.get("stemmata.model.errors")
    try:
        if isinstance(error, MemoryError):
            return _NO_MEMORY
        if catalogue is not None and isinstance(error, catalogue.StemmataError):
            return _bounded(error.finding)
        if isinstance(error, TyperException):
            context = getattr(error, "ctx", None)
            command = context.command_path if context else "stemmata"
            return f"E001 {_in_plain_words(error.format_message())} (see: {command} --help)"
        if refused := _refused(error):
            return refused
        what = f"{type(error).__name__}: {error}"[:200]
    except MemoryError:
        return _NO_MEMORY
    return f"E003 internal error, {what} (please report it; STEMMATA_DEBUG=1 shows more)"


def _bounded(finding: Any) -> str:
    """Return a finding with a long path shortened in the middle."""
    from dataclasses import replace

    from stemmata.model.errors import shortened

    place = finding.place
    return str(replace(finding, place=place and replace(place, path=shortened(place.path, _LONGEST_PATH))))


def _in_plain_words(message: str) -> str:
    for pattern, words in _PLAIN_WORDS:
        message = pattern.sub(words, message)
    return message.strip().removesuffix(".")


def _refused(error: BaseException) -> str:
    """Return the line for what the system refuses: to read a file, or to write one."""
    if isinstance(error, RuntimeError) and str(error).startswith(_LOOP):
        place = str(error).removeprefix(_LOOP).strip("'\"")
        return _coded("UNREADABLE", place, "the link leads to itself")
    if not isinstance(error, OSError):
        return ""
    if error.errno == errno.ENOMEM:
        return _NO_MEMORY
    reason = error.strerror or type(error).__name__
    if error.filename is None:
        return _coded("CANNOT_WRITE", "output", reason) if error.errno in _NO_ROOM else ""
    place = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else str(error.filename)
    missing = "NO_SUCH_PATH" if error.errno == errno.ENOENT else "UNREADABLE"
    return _coded("CANNOT_WRITE" if _was_written(place, error.errno) else missing, place, reason)


def _was_written(place: str, number: int | None) -> bool:
    """Tell whether the system refused to write there: it had to be that if one can read, or look, there."""
    if number in _WRITING:
        return True
    if number not in (errno.EACCES, errno.EPERM):
        return False
    folder = os.path.isdir(place)  # noqa: PTH112  # raises nothing
    if os.path.lexists(place):
        return os.access(place, os.R_OK | os.X_OK if folder else os.R_OK)
    return os.access(os.path.dirname(place) or ".", os.X_OK)  # noqa: PTH120


def _coded(kind: str, place: str, reason: str = "") -> str:
    from stemmata.model.errors import ErrorCode, Finding

    return _bounded(Finding.of(ErrorCode[kind], place, reason=reason))
