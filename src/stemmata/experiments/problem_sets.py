"""Sets of verification problems as users have them: what cannot be answered is set apart, and said.

A verifier sees only problems with text on both sides. The others are answered by 0.5, no answer, whatever the
verifier; they count in no mean over the set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from stemmata.experiments.cells import digest
from stemmata.formats.files import is_folder
from stemmata.formats.folders import folders_in
from stemmata.formats.verification import is_problem, read_problems, read_truth, truth_file
from stemmata.model import Document, ErrorCode, Finding, Problem, StemmataError

MOST_CHARACTERS = 1_000_000
"""Texts are read so far, which is a long novel; further on, no verifier learns more of a style."""
_NAMED = 3

_INCOMPLETE = {ErrorCode.NO_KNOWN_TEXT, ErrorCode.NO_UNKNOWN_TEXT}
_UNREADABLE = {ErrorCode.NOT_UTF8, ErrorCode.UNREADABLE, ErrorCode.TOO_LARGE, ErrorCode.NO_SUCH_PATH}


@dataclass(frozen=True)
class ProblemSet:
    """Problems to answer.

    Attributes
    ----------
    name
        What the set is called: its folder or file.
    problems
        Those that can be answered, sorted by id.
    unanswerable
        By id, why a problem is answered by 0.5: a side has no text.
    unreadable
        By id, why the texts of a problem cannot be read; it is answered by 0.5 too.
    notes
        What else was done to the texts.
    lines
        Whether the problems are lines of JSON rather than folders.
    """

    name: str
    problems: tuple[Problem, ...] = field(repr=False)
    unanswerable: Mapping[str, str] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    lines: bool = False

    @classmethod
    def read(cls, path: str | Path, most_characters: int = MOST_CHARACTERS) -> ProblemSet:
        """Read problems, and set apart those that cannot be answered.

        Raises
        ------
        StemmataError
            E601 if there is no problem at all; what the reader says if lines of JSON are none.
        """
        path = Path(path)
        lines = not is_folder(path) or not (is_problem(path) or folders_in(path))
        found: list[Finding] = []
        problems = read_problems(path, found.append)
        unanswerable, unreadable, notes = {}, {}, []
        for finding in found:
            place = Path(finding.place.path if finding.place else "")
            if not lines and finding.kind in _INCOMPLETE:
                if is_problem(place):
                    unanswerable[place.name] = str(finding)
                else:
                    notes.append(f"{place} holds no problem and was passed over")
            elif not lines and finding.kind in _UNREADABLE and place.suffix == ".txt":
                unreadable[place.parent.name] = str(finding)
            else:
                # The reader alone knows how to say it; without a listener it raises the first fault.
                read_problems(path)
        kept = []
        cut: list[str] = []
        for problem in problems:
            one, reason = _answerable(problem, notes)
            if reason:
                (unreadable if reason.startswith(ErrorCode.BINARY_TEXT.code) else unanswerable)[
                    problem.id
                ] = reason
            else:
                kept.append(_shortened(one, most_characters, cut))
        if cut:
            notes.append(f"cut at {most_characters:,} characters: {_listed(cut)}")
        if not kept and not unanswerable and not unreadable:
            raise StemmataError(ErrorCode.NO_PROBLEMS, path)
        return cls(path.resolve().name, tuple(kept), unanswerable, unreadable, tuple(notes), lines)

    @property
    def content(self) -> list[str]:
        """All that makes the problems: ids and texts."""
        apart = [*self.unanswerable, *self.unreadable]
        return [*apart, *(text for one in self.problems for text in content_of(one))]

    @property
    def ids(self) -> list[str]:
        """All problems, those that cannot be answered too, sorted."""
        return sorted([*(one.id for one in self.problems), *self.unanswerable, *self.unreadable])

    @cached_property
    def digest(self) -> str:
        """A hash of the problems that verifiers see, in their order: ids and texts."""
        return digest(text for problem in self.problems for text in content_of(problem))


@dataclass(frozen=True)
class TrainingSet:
    """Problems with their answers, from one or more folders, to learn from."""

    problems: tuple[Problem, ...] = field(repr=False)
    truth: tuple[bool, ...] = field(repr=False)
    notes: tuple[str, ...] = ()

    @classmethod
    def read(cls, paths: Sequence[str | Path], most_characters: int = MOST_CHARACTERS) -> TrainingSet:
        """Read problems and their truth; what has no text on both sides, or no truth, is left out.

        Raises
        ------
        StemmataError
            E825 if no problem is left, and E820 if all have the same answer.
        """
        problems: list[Problem] = []
        truth: list[bool] = []
        notes: list[str] = []
        for number, path in enumerate(paths):
            here = ProblemSet.read(path, most_characters)
            file = truth_of(Path(path))
            answers = read_truth(file) if file else {}
            # Problems of two sets may have the same id.
            named = [(one, f"{number}/{one.id}" if number else one.id) for one in here.problems]
            told = [(replace(one, id=name), answers[one.id]) for one, name in named if one.id in answers]
            problems += [one for one, _ in told]
            truth += [same for _, same in told]
            notes += here.notes
            if left := len(here.ids) - len(told):
                notes.append(
                    f"{left:,} problem{'s' if left > 1 else ''} of {path} left out, without text or truth"
                )
        if not problems:
            raise StemmataError(ErrorCode.NOTHING_TO_LEARN_FROM, paths[0] if paths else None)
        if len(set(truth)) < 2:
            what = {"verifier": "a verifier", "problems": len(problems)}
            raise StemmataError(ErrorCode.ONE_CLASS, paths[0], **what)
        return cls(tuple(problems), tuple(truth), tuple(notes))

    @cached_property
    def digest(self) -> str:
        """A hash of the problems and their truth."""
        content = [text for problem in self.problems for text in content_of(problem)]
        return digest([*content, "".join("NY"[same] for same in self.truth)])

    def shared_with(self, problems: Sequence[Problem]) -> int:
        """Return how many problems have a text that is learned from: their answers say little."""
        seen = {text for one in self.problems for text in _texts(one)}
        return sum(not seen.isdisjoint(_texts(one)) for one in problems)


def truth_of(path: Path) -> Path | None:
    """Return the file with the truth of problems: in their folder, or beside their file."""
    if is_folder(path):
        return truth_file(path)
    beside = path.with_name(f"{path.stem}-truth.jsonl")
    return beside if beside.is_file() else truth_file(path.parent)


def _answerable(problem: Problem, notes: list[str]) -> tuple[Problem, str]:
    """Return the problem without empty known texts, and why it cannot be answered."""
    for one in (*problem.known, problem.unknown):
        if "\0" in one.text:
            place = f"{problem.id}/{one.name}"
            return problem, str(Finding.of(ErrorCode.BINARY_TEXT, place))
    known = tuple(one for one in problem.known if one.text.strip())
    if not known:
        return problem, "the known texts are empty"
    if not problem.unknown.text.strip():
        return problem, "the unknown text is empty"
    if len(known) < len(problem.known):
        notes.append(f"{problem.id}: {len(problem.known) - len(known)} empty known text left out")
    return replace(problem, known=known), ""


def _shortened(problem: Problem, most: int, cut: list[str]) -> Problem:
    def short(one: Document) -> Document:
        if len(one.text) <= most:
            return one
        cut.append(f"{problem.id}/{one.name}")
        return Document(one.name, one.text[:most])

    return Problem(problem.id, tuple(map(short, problem.known)), short(problem.unknown))


def content_of(problem: Problem) -> list[str]:
    """Return what an answer may rest on."""
    return [problem.id, str(len(problem.known)), *_texts(problem)]


def _texts(problem: Problem) -> list[str]:
    return [*(one.text for one in problem.known), problem.unknown.text]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
