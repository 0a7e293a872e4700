"""What ``stemmata demo`` does, part by part: one that cannot be made here says why, and the rest is made."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from stemmata.authorship.statistical.verifier import StemmataVerifier
from stemmata.corpora.demo_writings import LETTER, OTHERS, SAMPLES, write_problems, write_text_to_mask
from stemmata.experiments.problem_sets import ProblemSet
from stemmata.experiments.verifying import choose, verify, write_outcome
from stemmata.formats.files import read_text
from stemmata.formats.outputs import OutputFolder
from stemmata.formats.records import Making
from stemmata.formats.verification import read_truth
from stemmata.model import StemmataError
from stemmata.reports.demo import OURS, DemoResult, demonstrate_reuse, run_rows
from stemmata.reports.demo_questions import Answer, Authorship, Front, Masking, Missing, reuse_of
from stemmata.reports.explanation import write_explanation
from stemmata.reports.html import render_page
from stemmata.reports.side_by_side import compared
from stemmata.reports.verification import VerifiedSet, measured, verification_page

FRONT_PAGE = "report.html"
AUTHORSHIP, MASKING = "authorship", "masking"
"""Folders of the demonstration."""
VERIFIERS = ("stemmata", "kocher15", "vandam13", "jankowska13")
"""Ours, and three of PAN that need neither training nor packages."""
EXPLAINED = "EN003"
MASKED = "masked"
SECONDS = 300
"""A mask that takes longer is given up; on an idle machine it takes some fifteen."""


@dataclass(frozen=True)
class Demonstration:
    """All that the demonstration made."""

    page: Path
    front: Front
    reuse: DemoResult


def run_demo(
    folder: Path,
    seed: int,
    progress: Callable[[str], None],
    commands: Sequence[tuple[str, str]] = (),
    overwrite: bool = False,
) -> Demonstration:
    """Answer the three questions on texts made for it, and write a page for each and one that leads there.

    Parameters
    ----------
    folder
        Receives all of it, when all is done; an earlier demonstration is replaced.
    seed
        Of the corpus.
    progress
        Is told what happens next, in a few words.
    commands
        What to type to repeat each step, by what it does.
    overwrite
        Whether a demonstration of another seed is replaced.
    """
    out = OutputFolder.claim(folder, Making("demonstration", {"seed": seed}), overwrite)
    with out.filled() as part:
        reuse = demonstrate_reuse(part, out.path.name, seed, progress)
        progress("Asking who wrote it")
        authorship: Authorship | Missing
        try:
            authorship = verify_problems(part)
        except StemmataError as error:
            authorship = Missing(str(error))
        progress("Masking a text")
        front = Front(
            reuse_of(reuse), authorship, mask_text(part), run_rows(reuse), reuse.report.name, commands
        )
        _write(part / FRONT_PAGE, render_page("demo_front.html.j2", front=front))
    reuse = replace(reuse, report=folder / reuse.report.name, evidence=folder / reuse.evidence.name)
    return Demonstration(folder / FRONT_PAGE, front, reuse)


def _write(path: Path, page: str) -> None:
    path.write_text(page, encoding="utf-8", newline="\n")


def verify_problems(folder: Path) -> Authorship | Missing:
    """Write six problems into a folder, let verifiers answer them, and write two pages about the answers."""
    place = folder / AUTHORSHIP
    write_problems(place / "problems")
    given = ProblemSet.read(place / "problems")
    truth = read_truth(place / "problems" / "truth.txt")
    chosen = choose(VERIFIERS, learning=False)
    outcome = verify(given, chosen)
    write_outcome(place / "answers", given, outcome, chosen)
    scores = {name: one.scores for name, one in outcome.answered.items()}
    if OURS in outcome.failed:
        return Missing(outcome.failed[OURS])
    made = VerifiedSet.of(given.name, scores, truth, given.problems)
    _write(place / "who-wrote-it.html", verification_page([made], list(outcome.failed.values())))
    problem = next(one for one in given.problems if one.id == EXPLAINED)
    write_explanation(place / "explanation.html", problem, given.problems, StemmataVerifier())
    return Authorship(
        [Answer(name, scores[OURS][name], truth[name]) for name in sorted(truth)],
        {name: figures["auc"] for name, figures in measured(made).items()},
        EXPLAINED,
        f"{AUTHORSHIP}/who-wrote-it.html",
        f"{AUTHORSHIP}/explanation.html",
    )


def mask_text(folder: Path) -> Masking | Missing:
    """Mask a text by the command that a user would type; where it cannot be, return what it says."""
    place = folder / MASKING
    write_text_to_mask(place)
    command = ["mask", LETTER, "--samples", SAMPLES, "--others", OTHERS, "-o", MASKED]
    try:
        done = subprocess.run(  # noqa: S603 (this very program)
            [sys.executable, "-m", "stemmata", *command, "--format", "json"],
            cwd=place,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Missing(f"masking took longer than {SECONDS} seconds")
    made = _parsed(done.stdout)
    if made is None or not made["recognised"]:
        lines = done.stderr.strip().splitlines() or ["nobody could be asked who wrote the text"]
        return Missing(lines[-1].removeprefix("stemmata: "))
    before, after = compared(read_text(place / LETTER), read_text(place / made["masked"]))
    recognised = made["recognised"]
    return Masking(
        before,
        after,
        made["words"],
        made["words_kept"],
        len(recognised["verifiers"]),
        (recognised["before"], recognised["after"]),
        f"{MASKING}/{made['page']}",
    )


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        made = json.loads(text)
    except ValueError:
        return None
    return made if isinstance(made, dict) else None
