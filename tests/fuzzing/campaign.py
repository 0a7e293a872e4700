"""Draws inputs from a seed, runs them one after the other, and keeps those on which a command fails."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from fuzzing import calls, columns, crafted, formats, kept, mistaken, rules, settings, texts
from fuzzing.attempt import Attempt, Ending, make_room
from fuzzing.kinds import KINDS, Draw
from fuzzing.material import ROOM
from fuzzing.worker import Worker

MODULES = (calls, columns, crafted, formats, kept, mistaken, settings, texts)
"""Where kinds are registered."""


@dataclass(frozen=True)
class Failure:
    """A command that has broken what it promises on an input that was kept."""

    number: int
    attempt: Attempt
    faults: tuple[str, ...]
    folder: Path

    def __str__(self) -> str:
        command = " ".join(one if len(one) < 80 else f"{one[:60]}…" for one in self.attempt.arguments)
        lines = (
            f"{self.attempt.kind}, input {self.number}: {'; '.join(self.faults)}",
            f"  {self.attempt.story[:200]}",
            f"  stemmata {command}",
            f"  again: PYTHONPATH=tests python -m fuzzing --again {self.folder}",
        )
        return "\n".join(lines)


@dataclass
class Tally:
    """What was tried, and how it ended."""

    endings: dict[str, Counter[int]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    slowest: float = 0.0
    largest: float = 0.0

    def add(self, attempt: Attempt, ending: Ending) -> None:
        """Count an ending."""
        self.endings.setdefault(attempt.kind, Counter())[ending.status] += 1
        self.slowest = max(self.slowest, ending.seconds)
        self.largest = max(self.largest, ending.megabytes)

    @property
    def inputs(self) -> int:
        """How many inputs were tried."""
        return sum(sum(counts.values()) for counts in self.endings.values())

    def __str__(self) -> str:
        lines = [f"{'kind':26}{'inputs':>8}{'done':>8}{'findings':>10}{'refused':>9}{'failed':>8}"]
        failed = Counter(one.attempt.kind for one in self.failures)
        for kind, counts in sorted(self.endings.items()):
            numbers = (sum(counts.values()), counts[0], counts[1], counts[2], failed[kind])
            lines.append(
                f"{kind:26}" + "".join(f"{n:>{w}}" for n, w in zip(numbers, (8, 8, 10, 9, 8), strict=True))
            )
        lines.append(
            f"{self.inputs} inputs, {len(self.failures)} failures; at most {self.slowest:.1f} s "
            f"of processor time and {self.largest:.0f} MB"
        )
        return "\n".join(lines)


def campaign(
    material: Path,
    keep: Path,
    worker: Worker,
    *,
    seed: int,
    seconds: float,
    only: str = "",
    first: int = 0,
    most: int | None = None,
    report: Callable[[Failure], None] = lambda failure: None,
    watch: Callable[[int, Attempt, Ending], None] = lambda number, attempt, ending: None,
) -> Tally:
    """Try inputs until the time is over; the same seed and number give the same input.

    Parameters
    ----------
    material
        Good files of all formats, as `write_material` writes them.
    keep
        Where the rooms of failures are kept.
    worker
        What runs the commands.
    seed
        Of all inputs.
    seconds
        On the clock; what has begun is finished.
    only
        Try only kinds whose name begins so.
    first
        The number of the first input.
    most
        No more inputs than these; by default as many as there is time for.
    report
        What is done at each failure.
    watch
        What is done at each input.
    """
    tally = Tally()
    end = time.monotonic() + seconds
    for number, name in _turns(seed, only, first):
        if time.monotonic() >= end or tally.inputs == most:
            return tally
        room = material.parent / ROOM
        attempt = draw(seed, number, name, material, room)
        ending, faults = run(worker, attempt, room)
        tally.add(attempt, ending)
        watch(number, attempt, ending)
        if faults:
            clear(room)
            attempt = draw(seed, number, name, material, room)
            folder = keep / f"{seed}-{number}"
            clear(folder)
            folder.parent.mkdir(parents=True, exist_ok=True)
            (room / "attempt.json").write_text(attempt.as_json())
            shutil.move(room, folder)
            failure = Failure(number, attempt, tuple(faults), folder)
            tally.failures.append(failure)
            report(failure)
        clear(room)
    raise ValueError(f"no kind begins with {only!r}")


def _turns(seed: int, only: str, first: int) -> Iterator[tuple[int, str]]:
    """Yield numbers and kinds without end: in each round every kind has its turns, in an order of its own."""
    number = 0
    kinds = [name for name, (turns, _) in sorted(KINDS.items()) for _ in range(turns)]
    for around in range(10**9) if any(name.startswith(only) for name in kinds) else ():
        order = kinds.copy()
        Random(f"{seed}/{around}").shuffle(order)
        for name in order:
            if name.startswith(only) and number >= first:
                yield number, name
            number += 1


def draw(seed: int, number: int, name: str, material: Path, room: Path) -> Attempt:
    """Fill a room with an input, and return what is to be done there."""
    clear(room)
    make_room(room)
    return KINDS[name][1](Draw(Random(f"{seed}/{number}/{name}"), material, room))


def run(worker: Worker, attempt: Attempt, room: Path) -> tuple[Ending, list[str]]:
    """Run an attempt in a room; return how it ended, and what it has broken."""
    before = rules.state(room)
    ending = worker.run(attempt, room)
    return ending, rules.broken(attempt, ending, room, before)


def again(folder: Path, workshop: Path, worker: Worker) -> tuple[Attempt, Ending, list[str], str]:
    """Run an attempt that was kept, in a copy of its room; return also what it printed."""
    attempt = Attempt.from_json((folder / "attempt.json").read_text())
    room = workshop / "room"
    subprocess.run(["cp", "-a", "--sparse=always", "--", folder, room], check=True)
    ending, faults = run(worker, attempt, room)
    printed = "".join((room / name).read_text(errors="replace") for name in ("stdout", "stderr"))
    clear(room)
    return attempt, ending, faults, printed


def clear(folder: Path) -> None:
    """Remove a folder, whatever may be in it."""
    if folder.exists():
        for one in (folder, *folder.rglob("*")):
            if one.is_dir() and not one.is_symlink():
                one.chmod(0o700)
        shutil.rmtree(folder)
