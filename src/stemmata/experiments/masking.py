"""Obfuscators run on problems: in parallel, each result kept, none in the way of the rest if it fails.

A piece of work is one text and one obfuscator. What comes of it is kept by the text, the samples and the
obfuscator alone, so that it is found again whatever the problem is called and in whatever company it comes.
A long text falls into parts where its obfuscator allows it: they are done side by side, and kept as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from stemmata.experiments.cells import Cell, Cells, Parts, cells_folder, digest
from stemmata.experiments.programs import made_by
from stemmata.formats.folders import problem_folder
from stemmata.formats.json_text import encodable
from stemmata.formats.obfuscation import FILE, obfuscated_text, read_obfuscation, write_obfuscation
from stemmata.masking import obfuscators, require_packages
from stemmata.masking.pieces import pieces_of
from stemmata.masking.recipe import Recipe, RecipeInParts
from stemmata.model import ErrorCode, Obfuscator, Piece, Problem, StemmataError
from stemmata.model.guarding import guarded
from stemmata.model.processes import Processes
from stemmata.rewriting import Edit, Rewriting

ALL = "all"
PACKAGES = ("masking", "rewriting", "text")
"""What obfuscators are made of."""
_NAMES = {"en": "English", "de": "German", "es": "Spanish", "ru": "Russian"}
_SKIPPED = {
    ErrorCode.MISSING_EXTRA,
    ErrorCode.MISSING_DATA,
    ErrorCode.NO_LANGUAGE_MODEL,
    ErrorCode.NOT_INSTALLED,
}

T = TypeVar("T")
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


def choose_obfuscators(
    names: Sequence[str], strength: float | None = None, *, each: bool = False
) -> ChosenObfuscators:
    """Return the obfuscators of these names; ``all`` stands for those that can run here.

    Parameters
    ----------
    names
        Who is wanted.
    strength
        How far those that are named may change a text, from 0 to 1; each must have such a setting.
    each
        Whether each is named by itself, so that ``all`` is a name like any other.

    Raises
    ------
    StemmataError
        E501 for an unknown name, E852 for a strength that is none, E888 for an obfuscator without one; what
        one says if it cannot run here.
    """
    if strength is not None and not 0 <= strength <= 1:
        raise StemmataError(ErrorCode.BAD_STRENGTH, strength=strength)
    everyone = ALL in names and not each
    made = {name: _made(name, strength) for name in dict.fromkeys(names) if each or name != ALL}
    skipped: dict[str, str] = {}
    broken: dict[str, str] = {}
    for name in obfuscators if everyone else ():
        if name in made:
            continue
        try:
            made[name] = _made(name, None)
        except StemmataError as error:
            (skipped if error.finding.kind in _SKIPPED else broken)[name] = str(error)
    return ChosenObfuscators(dict(sorted(made.items())), skipped, broken)


def _made(name: str, strength: float | None) -> Obfuscator:
    require_packages(name)
    made: Obfuscator = obfuscators.make(name)
    if strength is None:
        return made
    if not hasattr(made, "strength"):
        raise StemmataError(ErrorCode.NO_STRENGTH, name=name)
    stronger: Obfuscator = obfuscators.make(name, strength=strength)
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
        Is told how many more words are done, of those that `words_in` counts.
    done
        Is given the number of a piece of work and what came of it, as soon as it is known.

    Returns
    -------
    What came of each piece of work, in its order; where an obfuscator failed, the reason.
    """
    bench = Bench(chosen, cells or Cells(cells_folder()))
    tally = _Tally(work, bench, advance, done)
    left: list[_Task] = []
    for number, (name, problem) in enumerate(work):
        if found := bench.found(name, problem):
            tally.finish(number, found)
        else:
            left += _tasks(bench, number, name, problem)
    groups = _groups(left)
    try:
        with Processes(min(jobs, len(groups)), _stand_at, (bench,)) as processes:
            for place, made in processes.completed(_do_all, [(group,) for group in groups], _told):
                for task, one in zip(groups[place], made, strict=True):
                    tally.receive(task, one)
    except StemmataError as error:
        # A process died; what was finished is kept, and nobody knows which of the rest killed it.
        for task in left:
            if task.number not in tally.made:
                tally.finish(task.number, str(error))
    finally:
        _stand_at(None)
    return [tally.made[number] for number in range(len(work))]


def check_language(name: str, obfuscator: Obfuscator, text: str, place: str | Path) -> None:
    """Refuse a text in a language that an obfuscator does not know, as far as it says what it knows.

    Raises
    ------
    StemmataError
        E896.
    """
    if isinstance(obfuscator, Recipe) and not obfuscator.takes(text):
        known = " and ".join(_NAMES.get(code, code) for code in obfuscator.languages)
        raise StemmataError(ErrorCode.NOT_IN_ITS_LANGUAGE, place, name=name, languages=known)


def words_in(problem: Problem) -> int:
    """Return how many words there are to mask."""
    return len(problem.unknown.text.split())


@dataclass(frozen=True)
class Part:
    """What an obfuscator made of a part of a text, and the CPU time of the run which computed it."""

    rewriting: Rewriting = field(repr=False)
    seconds: float = 0.0


class _Task(NamedTuple):
    """A text to mask, or a part of one: the number of the piece of work, and which part of how many."""

    number: int
    name: str
    problem: Problem
    part: int = 0
    of: int = 1


def _tasks(bench: Bench, number: int, name: str, problem: Problem) -> list[_Task]:
    parts = _safely(lambda: bench.parts(name, problem), name, problem)
    if isinstance(parts, str) or len(parts) < 2:
        # What is wrong with it will be seen again where it is masked.
        return [_Task(number, name, problem)]
    return [_Task(number, name, part, place, len(parts)) for place, part in enumerate(parts)]


def _groups(tasks: Sequence[_Task]) -> list[list[_Task]]:
    """Return tasks in groups, each for one process: who masks a text again knows much of it already.

    The longest come first, so that no process works long after the others are done.
    """
    found: dict[tuple[str, str], list[_Task]] = {}
    for task in tasks:
        found.setdefault((task.name, task.problem.unknown.text), []).append(task)
    return sorted(found.values(), key=lambda group: -len(group) * len(group[0].problem.unknown.text))


@dataclass
class _Tally:
    """What has been done so far: texts, and parts of texts that are not done yet."""

    work: Sequence[Work]
    bench: Bench
    advance: Advance
    done: Callable[[int, Masked | str], None]
    made: dict[int, Masked | str] = field(default_factory=dict)
    parts: dict[int, dict[int, Part | str]] = field(default_factory=dict)
    told: Counter[int] = field(default_factory=Counter)

    def finish(self, number: int, one: Masked | str) -> None:
        """Note what came of a piece of work."""
        self.made[number] = one
        self.done(number, one)
        self._tell(number, words_in(self.work[number][1]))

    def receive(self, task: _Task, one: Masked | Part | str) -> None:
        """Note what came of a task; a text all of whose parts are there is put together."""
        if isinstance(one, Masked) or (isinstance(one, str) and task.of == 1):
            self.finish(task.number, one)
            return
        parts = self.parts.setdefault(task.number, {})
        parts[task.part] = one
        self._tell(task.number, words_in(task.problem))
        if len(parts) == task.of:
            self.finish(task.number, self._together(task.number, self.parts.pop(task.number)))

    def _together(self, number: int, parts: Mapping[int, Part | str]) -> Masked | str:
        name, problem = self.work[number]
        done = [parts[place] for place in sorted(parts)]
        if failed := next((one for one in done if isinstance(one, str)), None):
            return failed
        whole = [one for one in done if isinstance(one, Part)]
        return _safely(lambda: self.bench.mask(name, problem, whole), name, problem)

    def _tell(self, number: int, words: int) -> None:
        """Tell of more words, but never of more than the text has; a part may have some that it has not."""
        more = min(words, words_in(self.work[number][1]) - self.told[number])
        self.told[number] += more
        self.advance(more)


@dataclass(frozen=True)
class Bench:
    """Where texts are masked: the obfuscators, and the cells."""

    chosen: Mapping[str, Obfuscator]
    cells: Cells

    def found(self, name: str, problem: Problem) -> Masked | None:
        """Return what became of a text if it was masked before."""
        cell = self.cells.get(self._key(name, problem), _is_masked)
        return _masked(cell, kept=True) if cell else None

    def mask(self, name: str, problem: Problem, parts: Sequence[Part] = ()) -> Masked:
        """Return what becomes of a text, computed where it is not in a cell; from its parts, where given."""
        key = self._key(name, problem)
        return _masked(self.cells.get_or_make(key, lambda: self._made(name, problem, parts), _is_masked))

    def parts(self, name: str, problem: Problem) -> list[Problem]:
        """Return the parts in which a text can be masked; none where it is masked as a whole."""
        recipe = _in_parts(self.chosen[name])
        return recipe.parts(problem) if recipe and recipe.takes(problem.unknown.text) else []

    def part(self, name: str, part: Problem) -> Part:
        """Return what becomes of a part, computed where it is not in a cell."""
        recipe = _in_parts(self.chosen[name])
        assert recipe is not None  # noqa: S101 - or there would be no part

        def made() -> list[Edit]:
            return list(recipe.rewrite_part(part).edits)

        key = {**self._key(name, part), "what": "masked part"}
        cell = self.cells.get_or_make(key, made, _are_edits)
        edits = tuple(Edit(*one) for one in cell.value)
        return Part(Rewriting(part.unknown.text, edits), cell.seconds)

    def _made(self, name: str, problem: Problem, parts: Sequence[Part]) -> dict[str, Any]:
        obfuscator = self.chosen[name]
        counts: dict[str, int] | None = None
        if isinstance(obfuscator, Recipe) and type(obfuscator).mask is Recipe.mask:
            recipe = _in_parts(obfuscator) if parts else None
            rewriting = (
                recipe.rewriting_from(problem, [part.rewriting for part in parts])
                if recipe
                else obfuscator.rewriting(problem)
            )
            pieces, counts = pieces_of(rewriting), dict(sorted(rewriting.counts.items()))
        else:
            pieces = obfuscator.mask(problem)
        if fault := _fault(pieces, problem.unknown.text):
            raise StemmataError(ErrorCode.BAD_OBFUSCATION, problem.id, obfuscator=name, reason=fault)
        said = [[one.id, one.original, one.start, one.end, one.obfuscation] for one in pieces]
        return {"pieces": said, "counts": counts, "parts_seconds": sum(part.seconds for part in parts)}

    def _key(self, name: str, problem: Problem) -> Parts:
        texts = digest([*(one.text for one in problem.known), problem.unknown.text])
        return {"what": "masked", **made_by("obfuscator", name, self.chosen[name], PACKAGES), "texts": texts}


_benches: list[Bench | None] = [None]
"""Where this process works."""


def _stand_at(bench: Bench | None) -> None:
    _benches[0] = bench


def _told(tasks: Sequence[_Task]) -> str:
    return f"{tasks[0].name} on {tasks[0].problem.id}"


def _do_all(tasks: Sequence[_Task]) -> list[Masked | Part | str]:
    return [_do(task) for task in tasks]


def _do(task: _Task) -> Masked | Part | str:
    """Return what becomes of a text or a part of one, or why nothing does."""
    bench = _benches[0]
    assert bench is not None  # noqa: S101 - every process has its bench first
    work = bench.part if task.of > 1 else bench.mask
    return _safely(lambda: work(task.name, task.problem), task.name, task.problem)


def _safely(work: Callable[[], T], name: str, problem: Problem) -> T | str:
    return guarded(
        work,
        lambda reason: StemmataError(ErrorCode.OBFUSCATOR_FAILED, problem.id, obfuscator=name, reason=reason),
    )


def _in_parts(obfuscator: Obfuscator) -> RecipeInParts | None:
    """Return an obfuscator if it works in parts, and makes its pieces as all recipes do."""
    if isinstance(obfuscator, RecipeInParts) and type(obfuscator).mask is Recipe.mask:
        return obfuscator
    return None


def _fault(pieces: Any, text: str) -> str:
    """Return why something is no list of pieces of a text, or nothing."""
    if not isinstance(pieces, list) or not all(isinstance(one, Piece) for one in pieces):
        return "it gives no list of pieces"
    return next((fault for one in pieces if (fault := _fault_of(one, text))), "") or _gap(pieces, text)


def _fault_of(piece: Piece, text: str) -> str:
    """Return what is wrong with a piece of a text, or nothing."""
    if not all(type(value) is int for value in (piece.id, piece.start, piece.end)):
        return "a piece has a number or a place that is none"
    if not all(isinstance(said, str) for said in (piece.original, piece.obfuscation)):
        return "a piece has no text"
    if not encodable(piece.obfuscation):
        return "a piece holds half a surrogate pair"
    there = 0 <= piece.start <= piece.end and text[piece.start : piece.end] == piece.original
    return "" if there else "a piece is not what stands in its place in the text"


def _gap(pieces: Sequence[Piece], text: str) -> str:
    """Return why pieces are not the whole of a text, or nothing."""
    if sorted(one.id for one in pieces) != list(range(1, len(pieces) + 1)):
        return "its pieces are not numbered from 1"
    places = [(one.start, one.end) for one in sorted(pieces, key=attrgetter("id"))]
    if places != sorted(places):
        return "its pieces are not numbered in their order"
    if any(end > start for (_, end), (start, _) in pairwise(places)):
        return "its pieces overlap"
    bounds = [0, *(bound for place in places for bound in place), len(text)]
    left_out = any(text[one:other].strip() for one, other in zip(bounds[::2], bounds[1::2], strict=True))
    return "its pieces leave out words of the text" if left_out else ""


def _is_masked(value: Any) -> bool:
    counts = value["counts"]
    right = counts is None or all(isinstance(one, int) for one in counts.values())
    right = right and isinstance(value["parts_seconds"], int | float)
    kinds = (int, str, int, int, str)
    return right and all(
        len(one) == len(kinds) and all(map(isinstance, one, kinds)) for one in value["pieces"]
    )


def _are_edits(value: Any) -> bool:
    kinds = (int, int, str, str)
    return all(len(one) == len(kinds) and all(map(isinstance, one, kinds)) for one in value)


def _masked(cell: Cell, kept: bool = False) -> Masked:
    pieces = tuple(Piece(*one) for one in cell.value["pieces"])
    return Masked(pieces, cell.value["counts"], cell.seconds + cell.value["parts_seconds"], kept)


def write_masked(folder: Path, problem: str, masked: Masked) -> bool:
    """Write the pieces of a problem, unless the same are there already; return whether they were written.

    Raises
    ------
    StemmataError
        E787 if the id of the problem would lead out of the folder, E107 if nothing can be written there.
    """
    file = problem_folder(folder, problem) / FILE
    with suppress(StemmataError):
        # What was damaged, or was made by another obfuscator, is written anew.
        if file.is_file() and tuple(read_obfuscation(file)) == masked.pieces:
            return False
    write_obfuscation(file, masked.pieces)
    return True
