"""The kinds of hostile input: each draws one from random numbers and puts it into a room."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fuzzing.attempt import Attempt


@dataclass(frozen=True)
class Draw:
    """What a kind draws from: random numbers, the material, and the room it fills."""

    rng: Random
    material: Path
    room: Path

    def take(self, *groups: str) -> Path:
        """Copy groups of files from the material into the folder of the input."""
        for group in groups:
            if not (self.room / "in" / group).exists():
                shutil.copytree(self.material / group, self.room / "in" / group)
        return self.room / "in"


Kind = Callable[[Draw], Attempt]
KINDS: dict[str, tuple[int, Kind]] = {}
"""All kinds by name, each with how often its turn comes."""


def kind(name: str, turns: int = 1) -> Callable[[Callable[[Draw], tuple[str, ...]]], Kind]:
    """Register a kind: a function that fills a room and returns what was done and the arguments."""

    def register(fill: Callable[[Draw], tuple[str, ...]]) -> Kind:
        def made(draw: Draw) -> Attempt:
            story, *arguments = fill(draw)
            return Attempt(name, story, tuple(arguments))

        KINDS[name] = turns, made
        return made

    return register


def attempt_kind(name: str, turns: int = 1) -> Callable[[Kind], Kind]:
    """Register a kind whose function makes the whole attempt."""

    def register(make: Kind) -> Kind:
        KINDS[name] = turns, make
        return make

    return register


def chosen(rng: Random, commands: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Choose one of the commands, in which braces stand for a path."""
    return tuple(part.replace("{}", path) for part in rng.choice(commands).split())
