"""Results that are kept: a piece of work that is done is not done again.

Each result is a file of its own, named by all that decides it, in a folder beside what is being made. So a
batch that was stopped, on one machine or on many, goes on where it was.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import numpy as np
import numpy.typing as npt

from stemmata import __version__
from stemmata.formats.arrays import NOT_ARRAYS
from stemmata.formats.files import regular, write_atomically
from stemmata.formats.sealed import read_sealed
from stemmata.model import ErrorCode, StemmataError
from stemmata.model.processes import Processes

Advance = Callable[[int], None]
Stage = Callable[[str, int, str], AbstractContextManager[Advance]]
"""Told what begins, how much of it there is and in which unit; gives who is told how much more is done."""
Arrays = dict[str, npt.NDArray[Any]]


MOST_FAULTS = 100
"""Of documents that cannot be read so many are told of in each shard."""


@contextmanager
def unseen(what: str, size: int, unit: str) -> Iterator[Advance]:
    """Tell nobody of progress."""
    yield lambda more: None


class Piece(NamedTuple):
    """A piece of work: what decides its result, the arguments of the function, and how much it is."""

    key: Sequence[object]
    arguments: tuple[Any, ...]
    size: int = 1


@dataclass(frozen=True)
class Kept:
    """A folder of results, on storage that all machines share.

    Attributes
    ----------
    folder
        Where results are.
    jobs
        Processes, where no other executor is in charge.
    """

    folder: Path
    jobs: int = 1

    @cached_property
    def _is_there(self) -> bool:
        self.folder.mkdir(parents=True, exist_ok=True)
        return True

    def path(self, ending: str, *key: object) -> Path:
        """Return where the result is, or will be, that all this decides."""
        said = json.dumps([__version__, *key], default=str)
        return self.folder / f"{sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}{ending}"

    def run(
        self,
        function: Callable[..., None],
        pieces: Sequence[Piece],
        ending: str = ".npz",
        prepare: Callable[..., None] | None = None,
        arguments: tuple[Any, ...] = (),
        advance: Advance = lambda _: None,
        holds: Callable[[Path], bool] | None = None,
    ) -> list[Path]:
        """Do what is not done yet, and return where all results are, in the order of the pieces.

        A result that is not as it was written is thrown away and made anew.

        Parameters
        ----------
        function
            Called with the path to write to, whole or not at all, and the arguments of a piece.
        pieces
            The work.
        ending
            Of the files' names.
        prepare, arguments
            As in `Processes`.
        advance
            Told the size of each piece that is done.
        holds
            Tells whether a result is as it was written; by default `is_whole`.
        """
        try:
            self._is_there  # noqa: B018
        except OSError as error:
            reason = error.strerror or str(error)
            raise StemmataError(ErrorCode.CANNOT_WRITE, self.folder, reason=reason) from None
        name = f"{function.__module__}.{function.__qualname__}"
        paths = [self.path(ending, name, piece.key) for piece in pieces]
        left = [number for number, path in enumerate(paths) if not _is_kept(path, holds or is_whole)]
        advance(sum(piece.size for piece in pieces) - sum(pieces[number].size for number in left))
        work = [(paths[number], *pieces[number].arguments) for number in left]
        if work:
            with Processes(min(self.jobs, len(work)), prepare, arguments) as processes:
                for number, _ in processes.completed(function, work):
                    advance(pieces[left[number]].size)
        return paths


def _is_kept(path: Path, holds: Callable[[Path], bool]) -> bool:
    if not path.exists():
        return False
    if holds(path):
        return True
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
    return False


def is_whole(path: Path) -> bool:
    """Tell whether arrays or sealed JSON are there as they were written."""
    if path.suffix == ".json":
        return read_sealed(path) is not None
    try:
        with ZipFile(regular(path)) as found:
            return found.testzip() is None
    except NOT_ARRAYS:
        return False


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write arrays by name, whole or not at all."""
    with write_atomically(path) as part, part.open("wb") as stream:
        np.savez(stream, allow_pickle=False, **arrays)


def read_arrays(path: Path) -> Arrays:
    """Read arrays by name."""
    try:
        with np.load(regular(path), allow_pickle=False) as found:
            return {name: found[name] for name in found.files}
    except NOT_ARRAYS as error:
        raise StemmataError(ErrorCode.UNREADABLE, path, reason=str(error)[:80]) from None


def pack_names(names: Sequence[str]) -> Arrays:
    """Return names as arrays."""
    data = [name.encode("utf-8") for name in names]
    return {
        "names": np.frombuffer(b"".join(data), np.uint8),
        "name_ends": np.cumsum([len(one) for one in data], dtype=np.int64),
    }


def unpack_names(arrays: Arrays) -> list[str]:
    """Return names that were packed."""
    data, ends = arrays["names"].tobytes(), arrays["name_ends"].tolist()
    return [data[start:end].decode("utf-8") for start, end in zip([0, *ends], ends, strict=False)]


def pack_faults(faults: Sequence[str]) -> Arrays:
    """Return what is to be told of documents that cannot be read, as arrays."""
    told = pack_names(faults[:MOST_FAULTS])
    return {
        "faults": np.array(len(faults)),
        "fault_names": told["names"],
        "fault_ends": told["name_ends"],
    }


def unpack_faults(parts: Iterable[Arrays]) -> list[str]:
    """Return what is to be told of documents of all parts."""
    told = []
    for arrays in parts:
        said = unpack_names({"names": arrays["fault_names"], "name_ends": arrays["fault_ends"]})
        more = int(arrays["faults"]) - len(said)
        told += [*said, f"… and {more:,} more"] if more else said
    return told
