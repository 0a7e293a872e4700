"""An attempt: one command on one hostile input, and how it ended."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

FOLDERS = ("in", "out", "outside", "home", "tmp", "cache")
"""What is in the room of an attempt.

`in` holds the input and is where the command runs; only `out`, `home`, `tmp` and `cache` may change.
"""


@dataclass(frozen=True)
class Attempt:
    """One command on one hostile input.

    Attributes
    ----------
    kind
        The kind of input, such as `PAN XML`.
    story
        What was done to the input, for people.
    arguments
        What follows `stemmata`; paths are relative to the folder `in`.
    environment
        Variables that are set, or unset where the value is None.
    closed
        Which of the standard streams the caller has closed; the command is then a program of its own.
    keeps
        Whether what is done on the way is kept when all is done, as if the command had been stopped.
    """

    kind: str
    story: str
    arguments: tuple[str, ...]
    environment: dict[str, str | None] = field(default_factory=dict)
    closed: tuple[int, ...] = ()
    keeps: bool = False

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Attempt:
        read = json.loads(text)
        return cls(**{**read, "arguments": tuple(read["arguments"]), "closed": tuple(read["closed"])})


@dataclass(frozen=True)
class Ending:
    """How a command ended.

    Attributes
    ----------
    status
        The exit status; the negative number of a signal that ended it.
    late
        Whether it was ended because it took too long.
    seconds
        Processor time of the command and of all processes it waited for.
    megabytes
        The most memory that one of them had.
    outside
        Paths outside its room that it opened to write, or changed.
    """

    status: int
    late: bool
    seconds: float
    megabytes: float
    outside: tuple[str, ...]


def make_room(room: Path) -> None:
    """Make the folders of a room, and files of others that nobody may touch."""
    for name in FOLDERS:
        (room / name).mkdir(parents=True)
    (room / "outside" / "thesis.txt").write_text("precious\n")
    (room / "outside" / "folder").mkdir()
    (room / "outside" / "folder" / "letters.xml").write_text("<letters>precious</letters>\n")
