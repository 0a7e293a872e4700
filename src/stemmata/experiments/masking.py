"""Obfuscators run on problems: in parallel, each result kept, none in the way of the rest if it fails.

A piece of work is one text and one obfuscator. What comes of it is kept by the text, the samples and the
obfuscator alone, so that it is found again whatever the problem is called and in whatever company it comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stemmata.experiments.cells import Cell, Cells, Parts, cells_folder, digest
from stemmata.experiments.guarding import guarded
from stemmata.experiments.programs import made_by
from stemmata.formats.obfuscation import FILE, obfuscated_text, read_obfuscation, write_obfuscation
from stemmata.masking import obfuscators
from stemmata.masking.pieces import pieces_of
from stemmata.masking.recipe import Recipe
from stemmata.model import ErrorCode, Obfuscator, Piece, Problem, StemmataError
from stemmata.model.processes import Processes

ALL = "all"
PACKAGES = ("masking", "rewriting", "text")
"""What obfuscators are made of."""
_SKIPPED = {ErrorCode.MISSING_EXTRA, ErrorCode.MISSING_DATA, ErrorCode.NO_LANGUAGE_MODEL}

Advance = Callable[[int], None]


@dataclass(frozen=True)
class Masked:
    """What an obfuscator made of a text.

    Attributes
    ----------
    pieces
        The text as rewritten, piece by piece.
    counts
        How many edits of each kind were made; None where the obfuscator does not tell.
    seconds
        CPU time; that of the run which computed it.
    kept
        Whether it was found in a cell.
    """

    pieces: tuple[Piece, ...] = field(repr=False)
    counts: Mapping[str, int] | None = None
    seconds: float = 0.0
    kept: bool = False

    @property
    def original(self) -> str:
        """The text as it was, as far as the pieces hold it."""
        return "".join(piece.original for piece in self.pieces)

    @property
    def text(self) -> str:
        """The text as it is now."""
        return obfuscated_text(self.pieces)

    @property
    def changed(self) -> bool:
        """Whether anything was changed."""
        return any(piece.original != piece.obfuscation for piece in self.pieces)


@dataclass(frozen=True)
class ChosenObfuscators:
    """Obfuscators by name, and why others of ``all`` are left out: some cannot run here, some are broken."""

    obfuscators: Mapping[str, Obfuscator]
    skipped: Mapping[str, str] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)


def choose_obfuscators(names: Sequence[str], strength: float | None = None) -> ChosenObfuscators:
    """Return the obfuscators of these names; ``all`` stands for those that can run here.

    Parameters
    ----------
    names
        Who is wanted.
    strength
        How far those that are named may change a text; each must have such a setting.

    Raises
    ------
    StemmataError
        E501 for an unknown name, E888 for one without a strength; what one says if it cannot run here.
    """
    made = {name: _made(name, strength) for name in dict.fromkeys(names) if name != ALL}
    skipped: dict[str, str] = {}
    broken: dict[str, str] = {}
    for name in obfuscators if ALL in names else ():
        if name in made:
            continue
        try:
            made[name] = obfuscators[name]()
        except StemmataError as error:
            (skipped if error.finding.kind in _SKIPPED else broken)[name] = str(error)
    return ChosenObfuscators(dict(sorted(made.items())), skipped, broken)


def _made(name: str, strength: float | None) -> Obfuscator:
    made = obfuscators[name]()
    if strength is None:
        return made
    if not hasattr(made, "strength"):
        raise StemmataError(ErrorCode.NO_STRENGTH, name=name)
    stronger: Obfuscator = obfuscators[name](strength=strength)
    return stronger


Work = tuple[str, Problem]
"""The name of an obfuscator, and what it is to mask."""


def mask_all(
    work: Sequence[Work],
    chosen: Mapping[str, Obfuscator],
    *,
    jobs: int = 1,
    cells: Cells | None = None,
    advance: Advance = lambda _: None,
    done: Callable[[int, Masked | str], None] = lambda _, __: None,
) -> list[Masked | str]:
    """Mask texts; what was masked before is not masked again.

    Parameters
    ----------
    work, chosen
        What to mask by whom, and the obfuscators by name.
    jobs
        Number of processes; the result does not depend on it.
    cells
        Where results are kept; by default in the user's cache.
    advance
        Is told how many more texts are done.
    done
        Is given the number of a piece of work and what came of it, as soon as it is known.

    Returns
    -------
    What came of each piece of work, in its order; where an obfuscator failed, the reason.
    """
    bench = Bench(chosen, cells or Cells(cells_folder()))
    made: dict[int, Masked | str] = {}

    def finish(number: int, one: Masked | str) -> None:
        made[number] = one
        done(number, one)
        advance(1)

    left: list[int] = []
    for number, (name, problem) in enumerate(work):
        if found := bench.found(name, problem):
            finish(number, found)
        else:
            left.append(number)
    # The longest first, so that no process works long after the others are done.
    left.sort(key=lambda number: -len(work[number][1].unknown.text))
    try:
        with Processes(min(jobs, len(left)), _stand_at, (bench,)) as processes:
            for place, one in processes.completed(_mask, [work[number] for number in left]):
                finish(left[place], one)
    except StemmataError as error:
        # A process died; what was finished is kept, and nobody knows which of the rest killed it.
        for number in left:
            if number not in made:
                finish(number, str(error))
    finally:
        _stand_at(None)
    return [made[number] for number in range(len(work))]


@dataclass(frozen=True)
class Bench:
    """Where texts are masked: the obfuscators, and the cells."""

    chosen: Mapping[str, Obfuscator]
    cells: Cells

    def found(self, name: str, problem: Problem) -> Masked | None:
        """Return what became of a text if it was masked before."""
        cell = self.cells.get(self._key(name, problem), _is_masked)
        return _masked(cell, kept=True) if cell else None

    def mask(self, name: str, problem: Problem) -> Masked:
        """Return what becomes of a text, computed where it is not in a cell."""
        key = self._key(name, problem)
        return _masked(self.cells.get_or_make(key, lambda: self._made(name, problem), _is_masked))

    def _made(self, name: str, problem: Problem) -> dict[str, Any]:
        obfuscator = self.chosen[name]
        counts: dict[str, int] | None = None
        if isinstance(obfuscator, Recipe) and type(obfuscator).mask is Recipe.mask:
            rewriting = obfuscator.rewriting(problem)
            pieces, counts = pieces_of(rewriting), dict(sorted(rewriting.counts.items()))
        else:
            pieces = obfuscator.mask(problem)
        if fault := _fault(pieces):
            raise StemmataError(ErrorCode.BAD_OBFUSCATION, obfuscator=name, reason=fault)
        said = [[one.id, one.original, one.start, one.end, one.obfuscation] for one in pieces]
        return {"pieces": said, "counts": counts}

    def _key(self, name: str, problem: Problem) -> Parts:
        texts = digest([*(one.text for one in problem.known), problem.unknown.text])
        return {"what": "masked", **made_by("obfuscator", name, self.chosen[name], PACKAGES), "texts": texts}


_benches: list[Bench | None] = [None]
"""Where this process works."""


def _stand_at(bench: Bench | None) -> None:
    _benches[0] = bench


def _mask(name: str, problem: Problem) -> Masked | str:
    """Return what becomes of one text, or why nothing does."""
    bench = _benches[0]
    assert bench is not None  # noqa: S101 - every process has its bench first
    return guarded(
        lambda: bench.mask(name, problem),
        lambda reason: StemmataError(ErrorCode.OBFUSCATOR_FAILED, problem.id, obfuscator=name, reason=reason),
    )


def _fault(pieces: Any) -> str:
    """Return why something is no list of pieces, or nothing."""
    if not isinstance(pieces, list) or not all(isinstance(one, Piece) for one in pieces):
        return "it gives no list of pieces"
    if sorted(one.id for one in pieces) != list(range(1, len(pieces) + 1)):
        return "its pieces are not numbered from 1"
    if not all(isinstance(text, str) for one in pieces for text in (one.original, one.obfuscation)):
        return "a piece has no text"
    return ""


def _is_masked(value: Any) -> bool:
    counts = value["counts"]
    right = counts is None or all(isinstance(one, int) for one in counts.values())
    kinds = (int, str, int, int, str)
    return right and all(
        len(one) == len(kinds) and all(map(isinstance, one, kinds)) for one in value["pieces"]
    )


def _masked(cell: Cell, kept: bool = False) -> Masked:
    pieces = tuple(Piece(*one) for one in cell.value["pieces"])
    return Masked(pieces, cell.value["counts"], cell.seconds, kept)


def write_masked(folder: Path, problem: str, masked: Masked) -> bool:
    """Write the pieces of a problem, unless the same are there already; return whether they were written."""
    file = folder / problem / FILE
    with suppress(StemmataError):
        # What was damaged, or was made by another obfuscator, is written anew.
        if file.is_file() and tuple(read_obfuscation(file)) == masked.pieces:
            return False
    write_obfuscation(file, masked.pieces)
    return True


def kinds_of(masked: Sequence[Masked]) -> dict[str, int]:
    """Return how many edits of each kind were made in all, the most frequent first."""
    total: Counter[str] = Counter()
    for one in masked:
        total.update(one.counts or {})
    return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))
