"""A process that has imported everything once, and forks for each command it is asked to run."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import SimpleNamespace

import stemmata
from fuzzing import limits
from fuzzing.attempt import Attempt, Ending

SOURCE = Path(__file__).parents[2] / "src"
TESTS = Path(__file__).parents[1]
_LIBRARIES = ("nupunkt", "pyarrow.compute", "pyarrow.parquet", "pydantic", "scipy.sparse", "tantivy")
"""What commands import when they run, besides our own; here all of it is imported once."""


class Worker:
    """A program that runs commands for the one that starts it."""

    def __init__(self) -> None:
        paths = os.pathsep.join(map(str, (SOURCE, TESTS)))
        plain = {name: value for name, value in os.environ.items() if not name.startswith("STEMMATA_")}
        self._program = subprocess.Popen(
            [sys.executable, "-m", "fuzzing.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=plain | {"PYTHONPATH": paths, "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},
            text=True,
        )

    def run(self, attempt: Attempt, room: Path) -> Ending:
        """Run a command in a room; what it prints goes to the files `stdout` and `stderr` there."""
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        print(json.dumps([attempt.as_json(), str(room)]), file=self._program.stdin, flush=True)
        answer = self._program.stdout.readline()
        if not answer:
            raise RuntimeError("the worker has ended")
        read = json.loads(answer)
        return Ending(**{**read, "outside": tuple(read["outside"])})

    def close(self) -> None:
        """End the program."""
        self._program.communicate()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def serve() -> None:
    """Answer requests from standard input until it ends."""
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    ours = (one.name for one in walk_packages(stemmata.__path__, "stemmata."))
    for name in (*_LIBRARIES, *ours):
        if not name.endswith("__main__"):
            with suppress(ImportError):
                import_module(name)
    for request in requests:
        attempt, room = json.loads(request)
        ending = _run(Attempt.from_json(attempt), Path(room))
        print(json.dumps(asdict(ending)), file=answers, flush=True)


def _run(attempt: Attempt, room: Path) -> Ending:
    note = os.memfd_create("outside")
    child = os.fork()
    if child == 0:
        try:
            _become(attempt, room, note)
        finally:
            os._exit(99)
    late = not _ended(child)
    for number in (signal.SIGKILL,) if late else ():
        os.killpg(child, number)
    _, status, used = os.wait4(child, 0)
    with suppress(ProcessLookupError):  # what it has left behind
        os.killpg(child, signal.SIGKILL)
    outside = os.pread(note, 100_000, 0).decode(errors="replace").splitlines()
    os.close(note)
    return Ending(
        status=os.waitstatus_to_exitcode(status),
        late=late,
        seconds=used.ru_utime + used.ru_stime,
        megabytes=used.ru_maxrss / 1024,
        outside=tuple(dict.fromkeys(outside)),
    )


def _ended(child: int) -> bool:
    """Wait for a process as long as anybody would."""
    handle = os.pidfd_open(child)
    try:
        waiting = select.poll()
        waiting.register(handle, select.POLLIN)
        return bool(waiting.poll(limits.PATIENCE * 1000))
    finally:
        os.close(handle)


def _become(attempt: Attempt, room: Path, note: int) -> None:
    """Turn this process into the command, and end with its status."""
    os.setsid()
    os.chdir(room / "in")
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(room / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
    for name, value in _environment(room, attempt).items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    limits.limit_process()
    if attempt.closed:
        for number in attempt.closed:
            os.close(number)
        os.execv(sys.executable, [sys.executable, "-m", "stemmata", *attempt.arguments])
    time.tzset()
    tempfile.tempdir = None
    from stemmata.cli import status_of
    from stemmata.formats import outputs

    if attempt.keeps:
        outputs.shutil = SimpleNamespace(rmtree=lambda *_, **__: None)
    limits.watch(room, note)
    try:
        status = status_of(list(attempt.arguments))
        sys.stdout.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
        status = 98
    sys.stderr.flush()
    os._exit(status)


def _environment(room: Path, attempt: Attempt) -> dict[str, str | None]:
    own = {
        "HOME": str(room / "home"),
        "TMPDIR": str(room / "tmp"),
        "STEMMATA_CACHE": str(room / "cache"),
        "STEMMATA_DATA": str(room / "home" / "data"),
        "XDG_CACHE_HOME": str(room / "home" / ".cache"),
        "MPLCONFIGDIR": str(room / "home"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return own | attempt.environment


if __name__ == "__main__":
    serve()
