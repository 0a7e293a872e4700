"""Verifiers run on a set of problems: in parallel, each result kept, none in the way of the rest if it fails.

Work is divided by verifier. A process analyses the texts when the first verifier that it runs asks for them,
and the verifiers after it find the analysis made.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from stemmata import __version__
from stemmata.authorship import verifiers
from stemmata.authorship.batch import Batch
from stemmata.authorship.small_matrices import small_matrices
from stemmata.experiments.cells import Cell, Cells, Parts, cells_folder, digest
from stemmata.experiments.problem_sets import ProblemSet, TrainingSet
from stemmata.experiments.programs import made_by, settings_of
from stemmata.formats.files import read_text, write_atomically
from stemmata.formats.json_text import parse_json
from stemmata.formats.verification import write_answers
from stemmata.model import ErrorCode, LearningVerifier, Problem, StemmataError, Verifier
from stemmata.model.guarding import guarded
from stemmata.model.processes import Processes

ALL = "all"
MODEL_FILE = "model.json"
WRITTEN = ("answers.txt", "answers.jsonl", MODEL_FILE)
"""What may be written about each verifier."""
UNANSWERED = 0.5
DIGITS = 9
"""Decimals of an answer: the order in which a processor adds up must not show in it."""
PACKAGES = ("authorship", "measures", "text")
"""What verifiers are made of."""
SLOW = (
    *("stemmata-alone", "khonji14", "moreau15", "mezaruiz15", "stemmata", "pacheco15", "mezaruiz14"),
    *("bartoli15", "bagnall15", "feng13", "posadasduran15", "bobicev13", "nissim15", "seidman13"),
)
"""The longest first, so that no process works long after the others are done; only the time depends on it."""
_SKIPPED = {ErrorCode.NOTHING_LEARNED, ErrorCode.MISSING_EXTRA, ErrorCode.MISSING_DATA}

Advance = Callable[[int], None]


def slowest_first(name: str) -> int:
    """Return where in the order of work a verifier stands."""
    return SLOW.index(name) if name in SLOW else len(SLOW)


@dataclass(frozen=True)
class Answered:
    """What a verifier answered.

    Attributes
    ----------
    scores
        By the id of the problem; 0.5 for one that cannot be answered.
    undefined
        How many of its scores were no numbers; they count as 0.5.
    seconds
        CPU time, learning included; that of the run which computed it.
    kept
        Whether everything was found in cells.
    learned
        What the verifier has learned, if it learns.
    """

    scores: Mapping[str, float] = field(repr=False)
    undefined: int = 0
    seconds: float = 0.0
    kept: bool = False
    learned: Mapping[str, Any] | None = field(default=None, repr=False)


@dataclass
class Outcome:
    """What came of a run: answers by verifier, and why there are none of others."""

    answered: dict[str, Answered] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Chosen:
    """Verifiers to run by name, and why others of ``all`` are not: some cannot run here, some are broken."""

    verifiers: Mapping[str, Verifier]
    skipped: Mapping[str, str] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)


def choose(names: Sequence[str], learning: bool = False) -> Chosen:
    """Return the verifiers of these names; ``all`` stands for those that can run here.

    Parameters
    ----------
    names
        Names of verifiers; each is run once.
    learning
        Whether there is something to learn from.

    Raises
    ------
    StemmataError
        E501 for an unknown name, E821 for a named verifier that would have to learn first.
    """
    made: dict[str, Verifier] = {}
    skipped: dict[str, str] = {}
    broken: dict[str, str] = {}
    for name in dict.fromkeys(names):
        if name != ALL:
            made[name] = _ready(name, learning)
    for name in verifiers if ALL in names else ():
        try:
            made.setdefault(name, _ready(name, learning))
        except StemmataError as error:
            (skipped if error.finding.kind in _SKIPPED else broken)[name] = str(error)
    return Chosen(dict(sorted(made.items())), skipped, broken)


@runtime_checkable
class SaysWhyOpen(Protocol):
    """A verifier that leaves problems open for a reason which lies in their number, not in their texts."""

    def why_open(self, problems: Sequence[Problem]) -> str:
        """Return why problems of a batch are left open whatever their texts are, or nothing if none is."""
        ...


def why_open(chosen: Chosen, outcome: Outcome, problems: Sequence[Problem], alone: bool) -> list[str]:
    """Return for each verifier that answered why it cannot but leave problems open.

    Parameters
    ----------
    alone
        Whether each problem was shown by itself.
    """
    shown = list(problems)[:1] if alone else problems
    verifiers = {name: one for name, one in chosen.verifiers.items() if name in outcome.answered and shown}
    reasons = {name: one.why_open(shown) for name, one in verifiers.items() if isinstance(one, SaysWhyOpen)}
    return [f"{name}: {reason}" for name, reason in reasons.items() if reason]


def _ready(name: str, learning: bool) -> Verifier:
    verifier: Verifier = verifiers.make(name)
    if not learning and isinstance(verifier, LearningVerifier) and not _has_learned(verifier):
        raise StemmataError(ErrorCode.NOTHING_LEARNED, verifier=name)
    return verifier


def _has_learned(verifier: LearningVerifier) -> bool:
    try:
        verifier.learned()
    except StemmataError:
        return False
    return True


@dataclass(frozen=True)
class Desk:
    """Where verifiers work: the problems, what can be learned from, and the cells."""

    problems: ProblemSet
    training: TrainingSet | None
    cells: Cells
    alone: bool = False

    @cached_property
    def batch(self) -> Batch:
        """The problems, analysed once for all verifiers."""
        return Batch.of(self.problems.problems)

    @cached_property
    def lessons(self) -> Batch:
        """The problems to learn from, analysed once."""
        return Batch.of(self.training.problems if self.training else ())

    def found(self, name: str, verifier: Verifier, model: Mapping[str, Any] | None) -> Answered | None:
        """Return the answers of a verifier if they were computed before."""
        learned: Mapping[str, Any] | None = model
        seconds = 0.0
        if self._learns(verifier, model):
            lesson = self.cells.get(self._lesson_key(name, verifier), _is_learned)
            if lesson is None:
                return None
            learned, seconds = lesson.value, lesson.seconds
        cell = self.cells.get(self._key(name, verifier, learned), self._are_scores)
        return self._answered(cell, seconds, learned, kept=True) if cell else None

    def answer(self, name: str, verifier: Verifier, model: Mapping[str, Any] | None) -> Answered:
        """Return the answers of a verifier, computed where they are not in a cell."""
        learned: Mapping[str, Any] | None = model
        seconds = 0.0
        if self._learns(verifier, model):
            lesson = self.lesson(name, verifier)
            learned, seconds = lesson.value, lesson.seconds
        cell = self.cells.get_or_make(
            self._key(name, verifier, learned),
            lambda: self._score(name, _recalled(name, verifier, learned)),
            self._are_scores,
        )
        return self._answered(cell, seconds, learned)

    def lesson(self, name: str, verifier: Verifier) -> Cell:
        """Return what a verifier that learns has learned, computed where it is not in a cell."""
        return self.cells.get_or_make(
            self._lesson_key(name, verifier), lambda: self._learn(verifier), _is_learned
        )

    def _learns(self, verifier: Verifier, model: Mapping[str, Any] | None) -> bool:
        return model is None and self.training is not None and isinstance(verifier, LearningVerifier)

    def _learn(self, verifier: Any) -> Mapping[str, Any]:
        truth = self.training.truth if self.training else ()
        with small_matrices():
            learned: Mapping[str, Any] = verifier.learn(self.lessons, truth).learned()
        return learned

    def _score(self, name: str, verifier: Verifier) -> dict[str, Any]:
        problems = self.problems.problems
        with small_matrices():
            if self.alone:
                scores = [score for one in problems for score in _checked(name, verifier, [one])]
            else:
                scores = _checked(name, verifier, self.batch) if problems else []
        known = [UNANSWERED if math.isnan(one) else round(one, DIGITS) for one in scores]
        return {"scores": known, "undefined": sum(map(math.isnan, scores))}

    def _are_scores(self, value: Any) -> bool:
        scores, undefined = value["scores"], value["undefined"]
        return (
            isinstance(scores, list)
            and isinstance(undefined, int)
            and len(scores) == len(self.problems.problems)
            and all(isinstance(one, int | float) and 0 <= one <= 1 for one in scores)
        )

    def _answered(
        self, cell: Cell, seconds: float, learned: Mapping[str, Any] | None, kept: bool = False
    ) -> Answered:
        given = dict.fromkeys(self.problems.ids, UNANSWERED)
        for problem, score in zip(self.problems.problems, cell.value["scores"], strict=True):
            given[problem.id] = float(score)
        return Answered(given, cell.value["undefined"], round(seconds + cell.seconds, 3), kept, learned)

    def _key(self, name: str, verifier: Verifier, learned: Mapping[str, Any] | None) -> Parts:
        return {
            "what": "answers",
            **_made_by(name, verifier),
            "problems": self.problems.digest,
            "alone": self.alone,
            "learned": learned and digest([json.dumps(learned, sort_keys=True)]),
        }

    def _lesson_key(self, name: str, verifier: Verifier) -> Parts:
        training = self.training.digest if self.training else ""
        return {"what": "learned", **_made_by(name, verifier), "training": training}


def verify(
    problems: ProblemSet,
    chosen: Chosen,
    training: TrainingSet | None = None,
    models: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    alone: bool = False,
    jobs: int = 1,
    cells: Cells | None = None,
    advance: Advance = lambda _: None,
) -> Outcome:
    """Let verifiers answer problems; what was computed before is not computed again.

    Parameters
    ----------
    problems, chosen
        The problems, and who answers.
    training
        What learning verifiers learn from.
    models
        By verifier, what it has learned before; it then does not learn anew.
    alone
        Show a verifier each problem by itself, rather than all as a batch.
    jobs
        Number of processes; the result does not depend on it.
    cells
        Where results are kept; by default in the user's cache.
    advance
        Is told how many more verifiers are done.
    """
    desk = Desk(problems, training, cells or Cells(cells_folder()), alone)
    outcome = Outcome(skipped=dict(chosen.skipped))
    answered: dict[str, Answered | str] = dict(chosen.broken)
    work = []
    for name, verifier in chosen.verifiers.items():
        model = (models or {}).get(name)
        if found := desk.found(name, verifier, model):
            answered[name] = found
            advance(1)
        else:
            work.append((name, verifier, model))
    work.sort(key=lambda one: slowest_first(one[0]))
    try:
        with Processes(min(jobs, len(work)), _sit_down, (desk,)) as processes:
            for number, made in processes.completed(_work, work, lambda name, *_: str(name)):
                answered[work[number][0]] = made
                advance(1)
    except StemmataError as error:
        # A process died; what was finished is kept, and nobody knows which of the rest killed it.
        answered |= {name: str(error) for name, _, _ in work if name not in answered}
    finally:
        _sit_down(None)
    for name in sorted(answered):
        one = answered[name]
        if isinstance(one, Answered):
            outcome.answered[name] = one
        else:
            outcome.failed[name] = one
    return outcome


_desks: list[Desk | None] = [None]
"""Where this process works; texts travel to it once, not with every verifier."""


def _sit_down(desk: Desk | None) -> None:
    _desks[0] = desk


def _work(name: str, verifier: Verifier, model: Mapping[str, Any] | None) -> Answered | str:
    """Return the answers of one verifier, or why there are none."""
    desk = _desks[0]
    assert desk is not None  # noqa: S101 - every process sits down first
    return guarded(
        lambda: desk.answer(name, verifier, model),
        lambda reason: StemmataError(ErrorCode.VERIFIER_FAILED, verifier=name, reason=reason),
    )


def _checked(name: str, verifier: Verifier, problems: Sequence[Problem]) -> list[float]:
    """Return a verifier's scores, NaN for those that are no numbers; refuse what cannot be answers."""
    scores = [float(one) for one in verifier.score(problems)]
    reason = ""
    if len(scores) != len(problems):
        reason = f"{len(scores):,} scores for {len(problems):,} problems"
    elif outside := [one for one in scores if not math.isnan(one) and not 0 <= one <= 1]:
        reason = f"the score {outside[0]} lies outside [0, 1]"
    if reason:
        raise StemmataError(ErrorCode.BAD_VERIFIER_SCORES, verifier=name, reason=reason)
    return scores


def _is_learned(value: Any) -> bool:
    return isinstance(value, dict)


def _recalled(name: str, verifier: Verifier, learned: Mapping[str, Any] | None) -> Verifier:
    """Return the verifier as it learned; always from what was kept, so that it answers the same each time."""
    if learned is None or not isinstance(verifier, LearningVerifier):
        return verifier
    try:
        return verifier.recall(learned)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"[:200]
        raise StemmataError(ErrorCode.BAD_MODEL, verifier=name, reason=reason) from None


def _made_by(name: str, verifier: Verifier) -> Parts:
    """Return what tells one verifier from another: its name, parameters and program."""
    return made_by("verifier", name, verifier, PACKAGES)


def write_outcome(folder: Path, problems: ProblemSet, outcome: Outcome, chosen: Chosen) -> list[str]:
    """Write the answers of each verifier into a folder of its name; return what could not be written so.

    Answers to lines of JSON are written as such too: their ids may have blanks, which text cannot hold.
    """
    notes = set()
    for name, one in outcome.answered.items():
        room = folder / name
        if problems.lines:
            write_answers(room / "answers.jsonl", one.scores, "jsonl")
        try:
            write_answers(room / "answers.txt", one.scores)
        except StemmataError as error:
            if not problems.lines or error.finding.kind is not ErrorCode.UNWRITABLE_ID:
                raise
            notes.add("ids with blanks: the answers are in answers.jsonl alone")
        if one.learned is not None:
            _write_model(room / MODEL_FILE, name, chosen.verifiers[name], one.learned)
    return sorted(notes)


def _write_model(path: Path, name: str, verifier: Verifier, learned: Mapping[str, Any]) -> None:
    record = {"verifier": name, "settings": settings_of(verifier), "version": __version__, "learned": learned}
    with write_atomically(path) as part:
        part.write_text(json.dumps(record) + "\n", encoding="utf-8")


def read_models(folder: Path, chosen: Mapping[str, Verifier]) -> dict[str, Mapping[str, Any]]:
    """Read what learning verifiers have learned in an earlier run.

    Raises
    ------
    StemmataError
        E101 if a verifier's model is not there, E826 if it is another's, or none.
    """
    models: dict[str, Mapping[str, Any]] = {}
    for name, verifier in chosen.items():
        if not isinstance(verifier, LearningVerifier):
            continue
        path = folder / name / MODEL_FILE
        said = parse_json(read_text(path), path)
        reason = ""
        if not isinstance(said, dict) or not isinstance(said.get("learned"), dict):
            reason = "it is no record of a model"
        elif said.get("verifier") != name:
            reason = f"it is of {str(said.get('verifier'))[:40]!r}"
        elif said.get("settings") != settings_of(verifier):
            reason = "the verifier had other parameters"
        if reason:
            raise StemmataError(ErrorCode.BAD_MODEL, path, verifier=name, reason=reason)
        models[name] = said["learned"]
    return models
