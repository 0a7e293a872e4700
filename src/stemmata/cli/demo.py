"""``stemmata demo``: from nothing to three questions answered, and how good the answers are."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import join, quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.cli.compare import ranking, tests
from stemmata.cli.ending import tell
from stemmata.cli.output import MOST_SEED, FormatOption, print_result, table_option
from stemmata.cli.paths import OverwriteOption
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.reports.demo_questions import Front

SHOWN = ("macro.plagdet", "macro.precision", "macro.recall", "granularity", "normalized.macro.plagdet")


def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="Where to put the texts, the runs and the pages.")
    ] = Path("stemmata-demo"),
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=MOST_SEED, help="Another seed makes another corpus.")
    ] = 7,
    overwrite: OverwriteOption = False,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("ranking", "tests", "questions")] = None,
) -> None:
    """Answer three questions on texts made for it: who copied it, who wrote it, who hid it.

    Builds a small corpus, detects reuse in it, scores and ranks four runs; verifies six problems; masks a
    text. Everything stays in one folder: report.html leads to a page for each question, with the commands to
    repeat each step. A part whose packages or data are missing says so, and the rest goes on.

    Example: stemmata demo my-first-try
    """
    from stemmata.cli.demonstration import run_demo

    def say(what: str) -> None:
        if sys.stderr.isatty():
            tell(f"{what} …")

    made = run_demo(folder, seed, say, _commands(folder, seed), overwrite)
    result = made.reuse
    scores = {name: run.scores for name, run in result.runs.items()}
    data: dict[str, Any] = {
        "report": str(made.page),
        "questions": _questions(folder, made.front),
        "runs": {name: run.as_json() for name, run in result.runs.items()},
        "comparisons": [vars(c) for c in result.comparisons],
    }
    answers = Table(
        ("Question", "Answer", "Page"),
        [[one["question"], one["answer"], one["page"] or "–"] for one in data["questions"].values()],
        name="questions",
    )
    tables = [ranking(scores, SHOWN), tests(result.comparisons, result.comparison_signature), answers]
    print_result(tables, data, format, table)
    tell(f"\nThe report: {made.page}\nOpen it in a browser.")


def _commands(folder: Path, seed: int) -> list[tuple[str, str]]:
    """Return what to type in the folder of the demonstration to repeat each step.

    Results go beside the folder, so that the next demonstration finds nothing in it but its own.
    """
    from stemmata.cli.demonstration import EXPLAINED, VERIFIERS
    from stemmata.corpora.demo_writings import LETTER, OTHERS, SAMPLES

    mask = f"mask masking/{LETTER} --samples masking/{SAMPLES} --others masking/{OTHERS} -o ../masked-again"
    problems = "authorship/problems"
    return [
        (
            "everything",
            f"{join(['stemmata', 'demo', str(folder), '--seed', str(seed)])}\ncd {quote(str(folder))}",
        ),
        (
            "who copied it",
            "stemmata detect corpus -o ../run-again\n"
            "stemmata report alignment corpus ../run-again --truth corpus -o ../evidence-again.html",
        ),
        (
            "who wrote it",
            f"stemmata verify {problems} --with {','.join(VERIFIERS)} --explain {EXPLAINED} "
            "-o ../answers-again --report ../verifiers-again.html",
        ),
        ("who hid it", f"stemmata {mask}"),
    ]


def _questions(folder: Path, front: Front) -> dict[str, dict[str, Any]]:
    """Return the three questions with their answers in a line each, and their pages."""
    from stemmata.reports.demo_questions import Missing

    reuse, authorship, masking = front.reuse, front.authorship, front.masking
    found = f"{reuse.recall:.0%} of the text of {reuse.cases} passages found, precision {reuse.precision:.0%}"
    told = {"reuse": ("Who copied it?", f"{found}; {reuse.false_alarms} false alarms", reuse.page)}
    if isinstance(authorship, Missing):
        told["authorship"] = ("Who wrote it?", authorship.reason, "")
    else:
        right = sum(one.right for one in authorship.answers)
        line = f"{right} of {len(authorship.answers)} problems answered right"
        told["authorship"] = ("Who wrote it?", line, authorship.page)
    if isinstance(masking, Missing):
        told["masking"] = ("Who hid it?", masking.reason, "")
    else:
        before, after = masking.recognised
        line = f"recognised by {before} of {masking.asked} verifiers before, by {after} now"
        told["masking"] = ("Who hid it?", line, masking.page)
    return {
        name: {"question": question, "answer": answer, "page": str(folder / page) if page else None}
        for name, (question, answer, page) in told.items()
    }
