"""Translation by a real engine: Apertium, which works by dictionaries and rules and so always answers alike.

Forcada et al., "Apertium: a free/open-source platform for rule-based machine translation", Machine
Translation 25 (2011). A language pair is a row of programs, each reading what the one before writes. Starting
them takes longer than translating a page, so a row once started is kept, and texts go through it one after
another, each ended by a null character, at which every program writes out all it has.
"""

from __future__ import annotations

import atexit
import os
import re
import selectors
import shlex
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from shutil import which
from threading import Lock
from time import monotonic
from typing import IO, Protocol, runtime_checkable

from stemmata.model import ErrorCode, StemmataError

FOLDER = Path(os.environ.get("APERTIUM_DATADIR") or "/usr/share/apertium")
"""Where Apertium keeps its language pairs."""
BATCH = 1 << 16
"""Texts go through the programs in batches of about this many characters."""
MOST_OPEN = 8
"""Rows of programs kept running; a pair of languages is two of them, some ten processes."""

_TWO_LETTERS = {
    "eng": "en", "spa": "es", "cat": "ca", "epo": "eo", "rus": "ru", "ukr": "uk", "fra": "fr", "deu": "de",
    "ita": "it", "por": "pt", "glg": "gl", "eus": "eu", "bel": "be", "pol": "pl", "swe": "sv", "dan": "da",
    "ron": "ro", "nld": "nl",
}  # fmt: skip
_PACKAGES = {frozenset(("en", "eo")): "apertium-eo-en", frozenset(("en", "ca")): "apertium-en-ca"}
"""Debian packages whose name is not made of the three-letter codes in order."""
_MODE = re.compile(r"([a-z]{2,3})-([a-z]{2,3})")
_SPECIAL = re.compile(r"[\[\]{}$@/<>]")
_FORMAT = re.compile(r"\\(.)|[\[\]]", re.DOTALL)
_END = b"[]\0"
"""What ends a text: without the empty format mark the last word is held back or lost."""
_UNREADABLE = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad~^\\\\\ud800-\udfff\ufffe\uffff"
"""Controls, halves of characters, and marks that the programs swallow or stumble over."""
_GAP = re.compile(f"([\\s{_UNREADABLE}]+)")
_HARD = re.compile(f"[{_UNREADABLE}]|\n[^\\S\n]*\n")


@runtime_checkable
class Translator(Protocol):
    """What translates texts."""

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Return each text in the target language; languages are codes such as ``"es"``."""
        ...


@dataclass(frozen=True)
class Apertium:
    """The translator Apertium, with whatever language pairs are installed.

    Paragraphs stay apart and are translated on their own, as are the parts before and behind a control
    character; a single line break counts as a space. A word that is not in the dictionaries stays as it is.

    Attributes
    ----------
    folder
        Where Apertium keeps its language pairs.
    seconds
        How long a batch of texts may take.

    Examples
    --------
    >>> Apertium().translate(["Los gatos duermen."], "es", "en")  # doctest: +SKIP
    ['The cats sleep.']
    """

    folder: Path = FOLDER
    seconds: float = 60.0

    @cached_property
    def pairs(self) -> dict[tuple[str, str], Path]:
        """The file that describes each installed pair of languages, by their codes."""
        found = {}
        for path in sorted(self.folder.glob("modes/*.mode")):
            if mode := _MODE.fullmatch(path.stem):
                source, target = (_TWO_LETTERS.get(code, code) for code in mode.groups())
                found[source, target] = path
        return found

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Return each text in the target language."""
        mode = self.pairs.get((source, target))
        commands = _commands(mode) if mode else ()
        if mode is None or not all(which(command[0], path=_PATH) for command in commands):
            raise self._missing(source, target)
        split = [_parts(text) for text in texts]
        parts = [part for one in split for part in one[::2] if part]
        translated = iter(self._run(mode, commands, parts))
        for one in split:
            one[::2] = [next(translated) if part else "" for part in one[::2]]
        return ["".join(one) for one in split]

    def _run(self, mode: Path, commands: _Commands, parts: list[str]) -> list[str]:
        made: list[str] = []
        for batch in _batches(parts):
            sent = b"".join(_SPECIAL.sub(r"\\\g<0>", part).encode() + _END for part in batch)
            received = self._through(mode, commands, sent, len(batch))
            texts = received.decode("utf-8", "replace").split("\0")[: len(batch)]
            made += [_FORMAT.sub(r"\1", text) for text in texts]
        return made

    def _through(self, mode: Path, commands: _Commands, sent: bytes, count: int) -> bytes:
        """Send a batch through the programs; if they fail, once more through fresh ones."""
        reason = ""
        for _ in range(2):
            with _LOCK:
                try:
                    return _sent_through(commands, sent, count, monotonic() + self.seconds)
                except (OSError, subprocess.SubprocessError) as error:
                    reason = str(error)
        raise StemmataError(ErrorCode.TRANSLATOR_FAILED, pair=mode.stem, reason=reason)

    def _missing(self, source: str, target: str) -> StemmataError:
        three = {two: code for code, two in _TWO_LETTERS.items()}
        first, second = sorted(three.get(code, code) for code in (source, target))
        package = _PACKAGES.get(frozenset((source, target)), f"apertium-{first}-{second}")
        installed = ", ".join(f"{one}-{other}" for one, other in sorted(self.pairs)) or "none"
        return StemmataError(
            ErrorCode.NO_TRANSLATOR, pair=f"{source}-{target}", installed=installed, package=package
        )


_Commands = tuple[tuple[str, ...], ...]
_TAGGER = "apertium-tagger"
_PATH = os.environ.get("APERTIUM_PATH") or "/usr/local/bin:/usr/bin:/bin"
_ENVIRONMENT = {"PATH": _PATH, "LC_ALL": "C.UTF-8"}


def _commands(mode: Path) -> _Commands:
    """Read the row of programs that a pair consists of; all are told to answer at each null character."""
    commands: list[list[str]] = [[]]
    for word in shlex.split(mode.read_text("utf-8")):
        if word == "|":
            commands.append([])
        elif word == "$1":
            # Words without a translation bear no mark.
            commands[-1].append("-n")
        elif word != "$2":
            commands[-1].append(word)
    return tuple((program, "-z", *options) for program, *options in filter(None, commands))


def _parts(text: str) -> list[str]:
    """Split a text into parts to translate and, between each two, what stays as it is."""
    words = _GAP.split(text)
    parts, open_part = [], [words[0]]
    for gap, word in zip(words[1::2], words[2::2], strict=True):
        if open_part[-1] and word and not _HARD.search(gap):
            open_part.append(word)
        else:
            parts += [" ".join(open_part), gap]
            open_part = [word]
    return [*parts, " ".join(open_part)]


def _batches(parts: list[str]) -> list[list[str]]:
    batches: list[list[str]] = []
    size = BATCH
    for part in parts:
        if size + len(part) > BATCH:
            batches.append([])
            size = 0
        batches[-1].append(part)
        size += len(part) + 1
    return batches


def _sent_through(commands: _Commands, sent: bytes, count: int, deadline: float) -> bytes:
    """Send texts through all programs in turn.

    A tagger remembers what it has seen, and its answers change with it. So each batch has a fresh one, and
    the programs before and behind it are kept.
    """
    stages = [tuple(group) for _, group in groupby(commands, key=lambda command: command[0] == _TAGGER)]
    try:
        for stage in stages:
            if stage[0][0] != _TAGGER:
                sent = _running(stage).through(sent, count, deadline)
                continue
            for command in stage:
                left = max(0.0, deadline - monotonic())
                done = subprocess.run(  # noqa: S603  # a program of an installed language pair
                    command, input=sent, capture_output=True, env=_ENVIRONMENT, timeout=left, check=True
                )
                sent = b"".join(text + b"\0" for text in done.stdout.split(b"\0")[:count])
    except BaseException:
        # What is still under way must not be taken for the answer to the next batch.
        for stage in stages:
            _close(stage)
        raise
    return sent


class _Row:
    """Programs that run side by side, each reading what the one before writes."""

    def __init__(self, commands: _Commands) -> None:
        self._processes: list[subprocess.Popen[bytes]] = []
        source: IO[bytes] | int | None = subprocess.PIPE
        try:
            for command in commands:
                process = subprocess.Popen(  # noqa: S603  # the programs of an installed language pair
                    command,
                    stdin=source,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=_ENVIRONMENT,
                    bufsize=0,
                )
                # Only the next program may hold this end, or it would not notice when one ends.
                if self._processes and self._processes[-1].stdout:
                    self._processes[-1].stdout.close()
                self._processes.append(process)
                source = process.stdout
        except BaseException:
            self.close()
            raise
        first, last = self._processes[0].stdin, self._processes[-1].stdout
        self._input = first.fileno() if first else -1
        self._output = last.fileno() if last else -1
        os.set_blocking(self._input, False)

    def through(self, sent: bytes, count: int, deadline: float) -> bytes:
        """Return what comes out for what goes in, up to so many null characters."""
        rest = memoryview(sent)
        received = bytearray()
        missing = count
        with selectors.DefaultSelector() as ready:
            ready.register(self._input, selectors.EVENT_WRITE)
            ready.register(self._output, selectors.EVENT_READ)
            while missing > 0:
                events = ready.select(max(0.0, deadline - monotonic()))
                if not events:
                    raise TimeoutError("no answer within the time limit")
                for key, _ in events:
                    if key.fd == self._input:
                        rest = rest[os.write(self._input, rest) :]
                        if not rest:
                            ready.unregister(self._input)
                    elif piece := os.read(self._output, 1 << 16):
                        received += piece
                        missing -= piece.count(0)
                    else:
                        raise OSError("one of its programs ended")
        if rest or missing or received[-1]:
            raise OSError("more came out than went in")
        return bytes(received)

    def close(self) -> None:
        """End the programs."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            for end in (process.stdin, process.stdout):
                if end:
                    with suppress(OSError):
                        end.close()
            process.wait()


_LOCK = Lock()
_rows: dict[tuple[int, _Commands], _Row] = {}
"""The rows at work, by the process that started them and their programs, the latest used last."""


def _running(commands: _Commands) -> _Row:
    row = _rows.pop((os.getpid(), commands), None) or _Row(commands)
    own = [commands for process, commands in _rows if process == os.getpid()]
    for old in own[: max(0, len(own) + 1 - MOST_OPEN)]:
        _close(old)
    _rows[os.getpid(), commands] = row
    return row


def _close(commands: _Commands) -> None:
    if row := _rows.pop((os.getpid(), commands), None):
        row.close()


@atexit.register
def close_translators() -> None:
    """End all programs that this process started for translation."""
    with _LOCK:
        for process, commands in list(_rows):
            if process == os.getpid():
                _close(commands)
