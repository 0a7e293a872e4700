"""The folder of a world ranking.

Scores are laid out as PAN18 did, so that ``stemmata score safety`` reads them: ``CORPUS/``,
``CORPUS-obfuscationX/`` with a file per verifier, and ``CORPUS-truth.txt``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from stemmata.experiments.masking import write_masked
from stemmata.experiments.ranking import CorpusResult, Plan, Ranked
from stemmata.experiments.ranking_corpora import (
    ADVERSARY,
    FILE,
    PAGE,
    PROBLEMS,
    TEXTS,
    TRUTH,
    variant_name,
)
from stemmata.experiments.ranking_looks import ORIGINAL
from stemmata.formats.folders import problem_folder
from stemmata.formats.outputs import OutputFolder
from stemmata.formats.records import Making, digest_of
from stemmata.formats.verification import write_answers
from stemmata.model import Problem


def claim_ranking(
    folder: Path, plan: Plan, settings: Mapping[str, Any], given: Iterable[Path], overwrite: bool = False
) -> OutputFolder:
    """Take the place of a ranking, before the work begins.

    Parameters
    ----------
    folder
        Where the ranking is to go.
    plan, settings
        What takes part, and what else decides the result.
    given
        What is read, and must not be replaced.
    overwrite
        Whether another ranking is replaced.
    """
    parameters = {
        "verifiers": sorted({*plan.verifiers.verifiers, *plan.answers}),
        "obfuscators": sorted({*plan.obfuscators.obfuscators, *(run.name for run in plan.runs)}),
        **settings,
    }
    inputs = {corpus.name: digest_of(corpus.content) for corpus in plan.corpora}
    return OutputFolder.claim(folder, Making("ranking", parameters, inputs), overwrite, given)


def write_ranking(
    out: OutputFolder, ranked: Ranked, data: Mapping[str, Any], page: str, problems: bool = False
) -> None:
    """Write scores, obfuscated texts, figures and the page, whole or not at all.

    Parameters
    ----------
    out
        Where it goes.
    ranked, data, page
        The ranking, as it was found, in figures, and as a page.
    problems
        Whether whole problems are written as well, for verifiers that run elsewhere.
    """
    with out.filled() as room:
        _fill(room, ranked, problems)
        _write(room / PAGE, page)
        made = sorted({FILE, *(one.relative_to(room).as_posix() for one in room.rglob("*") if one.is_file())})
        text = json.dumps({**data, "files": made}, ensure_ascii=False, indent=1, allow_nan=False)
        _write(room / FILE, text + "\n")


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _fill(room: Path, ranked: Ranked, problems: bool) -> None:
    for name, result in ranked.corpora.items():
        _write_scores(room, name, result, result.answers)
        for obfuscator, (before, after) in result.adversary.items():
            answers = {ORIGINAL: before, obfuscator: after}
            _write_scores(room / ADVERSARY / obfuscator, name, result, answers)
        for obfuscator, by in result.masked.items():
            for problem, masked in by.items():
                write_masked(room / TEXTS / obfuscator / name, problem, masked)
        if problems:
            _write_problems(room / PROBLEMS, name, result)


def _write_scores(
    folder: Path, name: str, result: CorpusResult, answers: Mapping[str, Mapping[str, Mapping[str, float]]]
) -> None:
    for variant, run in answers.items():
        for verifier, scores in run.items():
            write_answers(folder / variant_name(name, variant) / f"{verifier}.txt", scores)
    lines = (f"{problem} {'NY'[same]}\n" for problem, same in result.corpus.said.items())
    (folder / f"{name}{TRUTH}").write_text("".join(lines), encoding="utf-8", newline="\n")


def _write_problems(folder: Path, name: str, result: CorpusResult) -> None:
    """Write every variant of a corpus as problems that any verifier can read."""
    for variant in (ORIGINAL, *result.masked):
        texts = {one: made.text for one, made in result.masked.get(variant, {}).items()}
        for problem in result.corpus.problems:
            place = problem_folder(folder / variant_name(name, variant), problem.id)
            _write_problem(place, problem, texts.get(problem.id, problem.unknown.text))


def _write_problem(place: Path, problem: Problem, text: str) -> None:
    place.mkdir(parents=True)
    for number, one in enumerate(problem.known, start=1):
        (place / f"known{number:02d}.txt").write_text(one.text, encoding="utf-8", newline="")
    (place / "unknown.txt").write_text(text, encoding="utf-8", newline="")
