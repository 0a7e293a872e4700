"""The page about verifiers' answers: how good they are, how alike, and what each says of each problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite, nan
from pathlib import Path

import numpy as np

from stemmata.authorship.origins import Origin, origins
from stemmata.formats.folders import folders_in
from stemmata.formats.verification import answer_file, match_ids, other_ids, read_answers
from stemmata.measures.definition import signature
from stemmata.measures.verification import UNANSWERED, Answers, auc, c_at_1
from stemmata.model import ErrorCode, Finding, Problem, StemmataError
from stemmata.reports.evidence_page import as_script, join_program, script_digest
from stemmata.reports.html import render_page
from stemmata.reports.verification_figures import Curve, Likeness, likeness, roc_curves

MOST_PROBLEMS = 2000
"""Problems of a set that the page lists; all are measured."""
_DIGITS = 4


@dataclass(frozen=True)
class Question:
    """A problem as the page shows it: how many known texts it has, and how many words the unknown one."""

    id: str
    known: int
    words: int


@dataclass(frozen=True)
class VerifiedSet:
    """A set of problems with the answers of verifiers and, if it is known, the truth.

    Attributes
    ----------
    questions
        The problems; ids that only answers have are among them.
    scores
        By verifier and problem.
    truth
        By problem; problems that it does not know are not measured.
    findings
        What the truth holds beside them.
    """

    name: str
    questions: tuple[Question, ...] = field(repr=False)
    scores: Mapping[str, Mapping[str, float]] = field(repr=False)
    truth: Mapping[str, bool] = field(default_factory=dict, repr=False)
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        scores: Mapping[str, Mapping[str, float]],
        truth: Mapping[str, bool] | None,
        problems: Sequence[Problem],
    ) -> VerifiedSet:
        """Put answers beside problems and truth; ids match as in `match_ids`."""
        seen = {one.id: Question(one.id, len(one.known), len(one.unknown.text.split())) for one in problems}
        for answers in scores.values():
            for problem in answers:
                seen.setdefault(problem, Question(problem, 0, 0))
        renamed = match_ids(truth, list(seen)) if truth else {}
        told = {one: truth[renamed[one]] for one in seen if one in renamed} if truth else {}
        others = other_ids(truth, set(renamed.values())) if truth else []
        questions = tuple(sorted(seen.values(), key=lambda one: one.id))
        return cls(name, questions, scores, told, tuple(others))

    @cached_property
    def answers(self) -> Mapping[str, Answers]:
        """The answers of each verifier beside the truth; nothing without one."""
        if not self.truth:
            return {}
        return {name: Answers.of(self.truth, given) for name, given in self.scores.items()}


def read_verified(
    name: str, folder: Path, truth: Mapping[str, bool] | None, problems: Sequence[Problem]
) -> VerifiedSet:
    """Read a folder with a folder of answers per verifier, as `stemmata verify` writes it."""
    scores = {one.name: read_answers(one) for one in folders_in(folder) if answer_file(one)}
    if not scores:
        raise StemmataError(ErrorCode.NO_VERIFIER_ANSWERS, folder)
    return VerifiedSet.of(name, scores, truth, problems)


def measured(one: VerifiedSet) -> dict[str, dict[str, float | None]]:
    """Return AUC and c@1 of each verifier; None for what is undefined, nothing where no truth is known."""
    return {
        name: {"auc": _defined(float(auc(answers))), "c@1": _defined(float(c_at_1(answers)))}
        for name, answers in one.answers.items()
    }


def _defined(value: float) -> float | None:
    return value if isfinite(value) else None


@dataclass(frozen=True)
class Figures:
    """A verifier on a set: AUC and c@1, or without truth the share answered "same author" and left open."""

    first: float
    second: float
    best: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class VerifierRow:
    """A verifier: where it comes from, its figures on each set, and their means."""

    name: str
    origin: Origin | None
    cells: tuple[Figures | None, ...]
    mean: Figures


@dataclass(frozen=True)
class SetView:
    """A set as the page shows it."""

    name: str
    truth: bool
    same: int
    problems: int
    curves: Sequence[Curve]
    likeness: Likeness | None


@dataclass(frozen=True)
class QuestionRow:
    """A problem in the list.

    Attributes
    ----------
    number
        Where its scores are among the data of the page.
    right, wrong
        Places, from 0 to 100, of scores on either side of the truth; without truth all are in the first.
    correct, answered
        Verifiers that are right, and those that answer.
    """

    number: int
    part: str
    question: Question
    same: bool | None
    right: Sequence[float]
    wrong: Sequence[float]
    correct: int
    answered: int
    mean: float


def verification_page(sets: Sequence[VerifiedSet], notes: Sequence[str] = ()) -> str:
    """Return the page: verifiers by sets, ROC curves, how alike verifiers are, and every problem."""
    program = join_program("verification", ("answers.js",))
    names = sorted({name for one in sets for name in one.scores})
    questions: list[QuestionRow] = []
    for one in sets:
        questions += _questions(one, len(questions))
    scores = [
        [_shown(one.scores.get(name, {}).get(question.id)) for name in names]
        for one in sets
        for question in one.questions[:MOST_PROBLEMS]
    ]
    return render_page(
        "verification.html.j2",
        program=program,
        digest=script_digest(program),
        data=as_script({"verifiers": names, "scores": scores}),
        names=names,
        sets=[_view(one) for one in sets],
        rows=_rows(names, sets),
        with_truth=all(one.truth for one in sets),
        questions=questions,
        left_out=sum(max(0, len(one.questions) - MOST_PROBLEMS) for one in sets),
        notes=notes,
        signature=signature("verification", sets=len(sets), verifiers=len(names)),
    )


def _shown(score: float | None) -> float | None:
    return None if score is None else round(score, _DIGITS)


def _view(one: VerifiedSet) -> SetView:
    truth = list(one.truth.values())
    return SetView(
        one.name,
        bool(truth),
        sum(truth),
        len(one.questions),
        roc_curves(one.answers) if len(set(truth)) == 2 else (),
        likeness([question.id for question in one.questions], one.scores, one.truth),
    )


def _rows(names: Sequence[str], sets: Sequence[VerifiedSet]) -> list[VerifierRow]:
    """Return verifiers with their figures, best mean first."""
    with_truth = all(one.truth for one in sets)
    known = origins()
    rows = []
    for name in names:
        cells = [_figures(one, name, with_truth) if name in one.scores else None for one in sets]
        means = [
            float(np.mean(values)) if (values := [v for v in column if isfinite(v)]) else nan
            for column in ([c.first for c in cells if c], [c.second for c in cells if c])
        ]
        rows.append(VerifierRow(name, known.get(name), tuple(cells), Figures(means[0], means[1])))
    if with_truth:
        rows = _best_set_off(rows)
        rows.sort(key=lambda row: (-row.mean.first if isfinite(row.mean.first) else 1.0, row.name))
    return rows


def _figures(one: VerifiedSet, name: str, with_truth: bool) -> Figures:
    if with_truth:
        return Figures(float(auc(one.answers[name])), float(c_at_1(one.answers[name])))
    scores = np.array([one.scores[name].get(question.id, UNANSWERED) for question in one.questions])
    return Figures(float((scores > UNANSWERED).mean()), float((scores == UNANSWERED).mean()))


def _best_set_off(rows: Sequence[VerifierRow]) -> list[VerifierRow]:
    def best(column: Sequence[Figures | None], which: str) -> float:
        return max((getattr(c, which) for c in column if c and isfinite(getattr(c, which))), default=nan)

    def marked(cell: Figures, column: Sequence[Figures | None]) -> Figures:
        first, second = best(column, "first"), best(column, "second")
        return Figures(cell.first, cell.second, (cell.first == first, cell.second == second))

    columns = list(zip(*(row.cells for row in rows), strict=True))
    means = [row.mean for row in rows]
    return [
        VerifierRow(
            row.name,
            row.origin,
            tuple(marked(c, columns[i]) if c else None for i, c in enumerate(row.cells)),
            marked(row.mean, means),
        )
        for row in rows
    ]


def _questions(one: VerifiedSet, first: int) -> list[QuestionRow]:
    rows = []
    for number, question in enumerate(one.questions[:MOST_PROBLEMS], first):
        given = [answers[question.id] for answers in one.scores.values() if question.id in answers]
        same = one.truth.get(question.id)
        decided = [score for score in given if score != UNANSWERED]
        correct = [score for score in decided if same is None or (score > UNANSWERED) == same]
        wrong = [score for score in decided if same is not None and (score > UNANSWERED) != same]
        mean = float(np.mean(given)) if given else UNANSWERED
        places = _places(correct), _places(wrong)
        rows.append(QuestionRow(number, one.name, question, same, *places, len(correct), len(decided), mean))
    return rows


def _places(scores: Sequence[float]) -> list[float]:
    return sorted({round(100 * score, 1) for score in scores})
