"""``stemmata verify``: are unknown texts by the authors of known ones? Verifiers by name, or all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.cli.cache import CacheOption
from stemmata.cli.output import FormatOption, print_result, skipped_notes, table_option
from stemmata.cli.paths import OverwriteOption, path
from stemmata.cli.progress import progress
from stemmata.cli.workers import MOST_CHARACTERS, PROCESSES, JobsOption, MostCharactersOption, SparkOption
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.experiments.problem_sets import ProblemSet, TrainingSet
    from stemmata.experiments.verifying import Outcome
    from stemmata.formats.outputs import OutputFile, OutputFolder
    from stemmata.formats.records import Making

EXPLANATION = "explanation.html"
"""What the page that explains an answer is called."""


def verify(
    problems: Annotated[
        Path,
        typer.Argument(
            metavar="PROBLEMS",
            parser=path,
            help="A folder with a folder per problem (known01.txt …, unknown.txt), or a .jsonl file.",
        ),
    ],
    names: Annotated[
        str,
        typer.Option(
            "--with",
            metavar="NAME[,NAME…]",
            help="Verifiers, or all of them; see: stemmata list verifiers.",
        ),
    ] = "all",
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="ANSWERS", help="Folder for the answers, one per verifier.")
    ] = Path("answers"),
    train: Annotated[
        list[Path] | None,
        typer.Option(
            "--train",
            parser=path,
            metavar="PROBLEMS",
            help="Problems with their truth, for verifiers that learn. May be given more than once.",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            parser=path,
            metavar="ANSWERS",
            help="Answers of an earlier run: verifiers know what they learned there, instead of --train.",
        ),
    ] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="Show each problem by itself, rather than all as a batch.")
    ] = False,
    truth: Annotated[
        Path | None,
        typer.Option(
            "--truth", parser=path, help="What is true; by default truth.txt among the problems, if there."
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write a page about the answers (HTML).")
    ] = None,
    explained: Annotated[
        str | None,
        typer.Option(
            "--explain",
            metavar="ID",
            help="Explain the answer of stemmata to this problem on a page among the answers.",
        ),
    ] = None,
    most_characters: MostCharactersOption = MOST_CHARACTERS,
    overwrite: OverwriteOption = False,
    jobs: JobsOption = PROCESSES,
    spark: SparkOption = None,
    no_cache: CacheOption = False,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("verifiers", "failed")] = None,
) -> None:
    """Let verifiers answer whether unknown texts are by the authors of known ones.

    Writes ANSWERS/NAME/answers.txt: above 0.5 the same author, below another, 0.5 no answer. What was
    computed before, by the same verifier from the same texts, is not computed again. A verifier that fails is
    reported at the end and does not stop the rest; the exit status is then 1.

    Example: stemmata verify problems --with jankowska13,vandam13 -o answers
    """
    from stemmata.experiments.cache import cells_of_run
    from stemmata.experiments.problem_sets import TrainingSet, truth_of
    from stemmata.experiments.verifying import choose, read_models, why_open, write_outcome
    from stemmata.experiments.verifying import verify as run_verifiers
    from stemmata.formats.records import Making, digest_of, names_of
    from stemmata.formats.verification import read_truth
    from stemmata.model import ErrorCode, StemmataError
    from stemmata.model.executors import work_on_spark
    from stemmata.model.registry import did_you_mean
    from stemmata.model.wording import counted
    from stemmata.reports.verification import VerifiedSet, measured, verification_page

    asked = [name.strip() for name in names.split(",") if name.strip()]
    chosen = choose(asked, learning=bool(train) or model is not None)
    models = read_models(model, chosen.verifiers) if model else None
    given = _problems(problems, most_characters)
    training = TrainingSet.read(train, most_characters) if train and not model else None
    told = truth or truth_of(problems)
    true = read_truth(told) if told else None
    if explained is not None and explained not in {one.id for one in given.problems}:
        guess = did_you_mean(explained, [one.id for one in given.problems])
        raise StemmataError(ErrorCode.NO_SUCH_PROBLEM, problems, name=explained[:80], guess=guess)
    settings = {
        "alone": alone,
        "most_characters": most_characters,
        "train": training.digest if training else names_of(model),
    }
    making = Making("verification answers", settings, {"problems": digest_of(given.content)})
    read = [problems, *(train or ()), *([told] if told else [])]
    claimed, page = _claim(out, report, making, sorted(chosen.verifiers), overwrite, read)
    with (
        work_on_spark(spark),
        cells_of_run(not no_cache) as cells,
        progress("Verifying", len(chosen.verifiers), "verifiers") as advance,
    ):
        outcome = run_verifiers(
            given, chosen, training, models, alone=alone, jobs=jobs, cells=cells, advance=advance
        )
    notes = [*given.notes, *(training.notes if training else ()), *_unanswered(given)]
    if training and (shared := training.shared_with(given.problems)):
        notes.append(
            f"{shared:,} of the problems have a text that was learned from: their answers say little"
        )
    notes += why_open(chosen, outcome, given.problems, alone)
    with claimed.growing() as folder:
        notes += write_outcome(folder, given, outcome, chosen)
        page_of_one = _explain(explained, given, training, folder) if explained else None
    scores = {name: one.scores for name, one in outcome.answered.items()}
    made = VerifiedSet.of(given.name, scores, true, given.problems)
    figures = measured(made)
    notes += [finding.message for finding in made.findings]
    if page:
        page.write_text(verification_page([made], notes))
    notes += [
        f"{name}: {counted(one.undefined, 'score')} that are no numbers count as 0.5"
        for name, one in outcome.answered.items()
        if one.undefined
    ]
    notes += skipped_notes(outcome.skipped)
    if page_of_one:
        notes.append(f"The explanation: {out / page_of_one.name}")
    notes.append(f"The answers: {out}" + (f"; the report: {report}" if report else ""))
    data = {
        "answers": str(out),
        "problems": len(given.ids),
        "verifiers": _summary(outcome, figures),
        "failed": outcome.failed,
        "skipped": outcome.skipped,
        "unanswerable": dict(given.unanswerable),
        "unreadable": dict(given.unreadable),
        "notes": notes,
    }
    print_result(_tables(given, data, bool(figures), notes), data, format, table, made.findings)
    if outcome.failed or given.unreadable:
        raise typer.Exit(1)


def _problems(path: Path, most_characters: int) -> ProblemSet:
    """Read problems whose ids answers can hold."""
    from stemmata.experiments.problem_sets import ProblemSet
    from stemmata.formats.verification import check_line_ids

    given = ProblemSet.read(path, most_characters)
    if not given.lines:
        check_line_ids(given.ids, path)
    return given


def _claim(
    out: Path, report: Path | None, making: Making, verifiers: list[str], overwrite: bool, read: list[Path]
) -> tuple[OutputFolder, OutputFile | None]:
    """Take the places of the answers and of the page about them."""
    from stemmata.experiments.verifying import WRITTEN
    from stemmata.formats.outputs import OutputFile, OutputFolder
    from stemmata.formats.records import Making

    files = [f"{name}/{file}" for name in verifiers for file in WRITTEN]
    folder = OutputFolder.claim(out, making, overwrite, read, [*files, EXPLANATION])
    if report is None:
        return folder, None
    shown = Making("verification report", {"verifiers": verifiers, **making.parameters}, making.inputs)
    return folder, OutputFile.claim(report, shown, (".html",), overwrite, read)


def _explain(name: str, given: ProblemSet, training: TrainingSet | None, out: Path) -> Path:
    """Write why our verifier answers a problem as it does."""
    from stemmata.authorship.statistical.verifier import StemmataVerifier
    from stemmata.reports.explanation import write_explanation

    verifier = StemmataVerifier()
    if training:
        verifier = verifier.learn(training.problems, training.truth)
    page = out / EXPLANATION
    problem = next(one for one in given.problems if one.id == name)
    write_explanation(page, problem, given.problems, verifier)
    return page


def _unanswered(given: ProblemSet) -> list[str]:
    apart = {**given.unanswerable, **given.unreadable}
    return [f"{name} is answered by 0.5: {apart[name]}" for name in sorted(apart)]


def _summary(outcome: Outcome, figures: dict[str, dict[str, float | None]]) -> dict[str, dict[str, Any]]:
    return {
        name: {
            "same": sum(score > 0.5 for score in one.scores.values()),
            "other": sum(score < 0.5 for score in one.scores.values()),
            "open": sum(score == 0.5 for score in one.scores.values()),
            **figures.get(name, {}),
            "seconds": one.seconds,
            "kept": one.kept,
        }
        for name, one in outcome.answered.items()
    }


def _tables(given: ProblemSet, data: dict[str, Any], scored: bool, notes: list[str]) -> list[Table]:
    columns = ["Verifier", "Same author", "Another", "Open", *(["AUC", "c@1"] if scored else [])]
    rows = [
        [name, one["same"], one["other"], one["open"], *([one["auc"], one["c@1"]] if scored else [])]
        for name, one in data["verifiers"].items()
    ]
    from stemmata.model.wording import counted

    title = f"{counted(len(given.ids), 'problem')} answered by {counted(len(rows), 'verifier')}"
    failed = [[name, reason] for name, reason in data["failed"].items()]
    return [
        Table(columns, rows, title, () if failed else notes, digits=3, name="verifiers"),
        Table(("Failed", "Reason"), failed, notes=notes if failed else (), name="failed"),
    ]
