"""``stemmata score quality``: what people say of obfuscated texts, how far they agree, what models say."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.cli.output import (
    ConfidenceOption,
    FormatOption,
    ResamplesOption,
    SeedOption,
    print_result,
    table_option,
)
from stemmata.cli.paths import path
from stemmata.reports.tables import Cell, Estimate, Format, Table

if TYPE_CHECKING:
    from stemmata.formats.obfuscation_runs import RunText
    from stemmata.masking.quality.runs import AutomaticResult
    from stemmata.measures.evaluation import Confidence
    from stemmata.measures.quality import Graded, QualityResult, Summary


def quality(
    judgements: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            parser=path,
            help="Judgements: a .csv or .jsonl file, a folder of them, or PAN16's folder. "
            "Or obfuscated texts: obfuscation.json, or a folder with it inside or below.",
        ),
    ],
    scale: Annotated[
        str | None,
        typer.Option(
            "--scale",
            help="'pan18': school grades 1 to 5; correct, passable, incorrect. 'pan16': 0 to 2; 0 to 5.",
        ),
    ] = None,
    metric: Annotated[
        str,
        typer.Option(
            "--metric", help="How alpha takes two grades to differ: nominal, ordinal, interval or ratio."
        ),
    ] = "ordinal",
    automatic: Annotated[
        bool,
        typer.Option(
            "--automatic/--no-automatic", help="Grade obfuscated texts by models, if there are any."
        ),
    ] = True,
    pieces: Annotated[
        int,
        typer.Option(
            "--pieces",
            min=1,
            max=1_000_000,
            help="How many pieces of each system are graded; about 5 take a second.",
        ),
    ] = 300,
    confidence: ConfidenceOption = None,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 1,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("sensibleness", "soundness", "automatic", "checks")] = None,
) -> None:
    """Sum up judgements of sensibleness and soundness per system, with Krippendorff's alpha.

    A file has one judgement per row, in the columns item, system, assessor, sensibleness, soundness;
    either of the last two may be empty. Obfuscated texts, SYSTEM/TEXT/obfuscation.json or those of a
    ranking, are graded by models, and checked for numbers, names and negations that were lost or added.

    Example: stemmata score quality judgements.csv --confidence 0.95
    """
    from stemmata.formats.obfuscation import FILE
    from stemmata.formats.obfuscation_runs import find_runs
    from stemmata.measures.evaluation import Confidence
    from stemmata.measures.quality import QualityOptions
    from stemmata.model import ErrorCode, StemmataError

    chosen = QualityOptions(metric)
    level = None if confidence is None else Confidence(confidence, resamples, seed)
    obfuscated = judgements.is_dir() or judgements.name == FILE
    texts = find_runs(judgements) if automatic and obfuscated else []
    result = _by_people(judgements, scale, chosen.metric, level, optional=bool(texts))
    tables: list[Table] = []
    data: dict[str, Any] = {}
    if result is not None:
        tables += [overview(kind, graded) for kind, graded in result.graded.items()]
        tables[-1] = signed(tables[-1], result.signature)
        data |= result.as_json()
    if texts:
        try:
            judged = _by_models(texts, pieces, level, seed)
        except StemmataError as error:
            if result is None or error.finding.kind is ErrorCode.NOTHING_TO_JUDGE:
                raise
            # What people said is worth printing without.
            tables[-1] = signed(tables[-1], f"no automatic grades: {error}")
            data["automatic"] = {"note": str(error)}
        else:
            tables += automatic_tables(judged)
            data["automatic"] = judged.as_json()
    print_result(tables, data, format, table)


def _by_people(
    path: Path, scale: str | None, metric: str, confidence: Confidence | None, *, optional: bool
) -> QualityResult | None:
    from stemmata.formats.judgements import read_judgements
    from stemmata.measures.quality import score_quality
    from stemmata.model import ErrorCode, StemmataError

    try:
        return score_quality(read_judgements(path, scale), metric=metric, confidence=confidence)
    except StemmataError as error:
        if optional and error.finding.kind is ErrorCode.NO_JUDGEMENTS:
            return None
        raise


def _by_models(
    texts: list[RunText], pieces: int, confidence: Confidence | None, seed: int
) -> AutomaticResult:
    from stemmata.masking.quality import Quality
    from stemmata.masking.quality.runs import judge_runs

    return judge_runs(texts, Quality(), most=pieces, confidence=confidence, seed=seed)


def overview(kind: str, graded: Graded) -> Table:
    """Return the table of one kind of grade: the systems, the best first, and all together."""
    names = graded.scale.categories
    summaries = {**graded.systems, "(all)": graded.pooled}
    rows: list[list[Cell]] = [
        [
            name,
            _cell(one, "mean"),
            graded.scale.label(one.values["median"]) if graded.scale.step else one.values["median"],
            _cell(one, "alpha"),
            *(one.counts[category] for category in names),
            one.judgements,
            one.items,
            one.assessors,
        ]
        for name, one in summaries.items()
    ]
    title = f"{kind.capitalize()}: {graded.scale.name}"
    columns = ("System", "Mean", "Median", "Alpha", *names, "Judgements", "Items", "Assessors")
    undefined = any(math.isnan(one.values["alpha"]) for one in summaries.values())
    notes = ["no alpha where no text has two judgements, or all are the same"] if undefined else []
    return Table(columns, rows, title=title, notes=notes, digits=3, name=kind)


def automatic_tables(result: AutomaticResult) -> list[Table]:
    """Return the table of automatic grades, and that of what was checked."""
    from stemmata.masking.quality.runs import scales_of

    graded = {} if result.grades is None else result.grades.graded
    order = [*graded["sensibleness"].systems] if graded else []
    order += [name for name in result.systems if name not in order]
    grades: list[list[Cell]] = []
    checks: list[list[Cell]] = []
    for name in order:
        means = [
            _cell(kind.systems[name], "mean") if name in kind.systems else None for kind in graded.values()
        ] or [None, None]
        said = result.systems[name].as_json()
        grades.append([name, *means, *scales_of(result, name), said["texts"], said["graded"], said["pieces"]])
        counts = [said["checks"][kind][change] for kind in said["checks"] for change in ("lost", "added")]
        checks.append([name, *counts, said["faults"], said["set_apart"]])
    columns = ("System", "Sensibleness (0–2)", "Soundness (0–5)", "School grade", "Soundness (PAN18)")
    notes = [f"{name}: {note}" for name in order for note in result.systems[name].notes]
    changes = [
        f"{kind} {change}" for kind in ("Numbers", "Names", "Negations") for change in ("lost", "added")
    ]
    return [
        Table(
            (*columns, "Texts", "Graded", "Pieces"),
            grades,
            title="Automatic grades",
            notes=notes,
            digits=3,
            name="automatic",
        ),
        Table(
            ("System", *changes, "New faults", "Set apart"),
            checks,
            title="Checks of all pieces",
            notes=[result.signature] if result.signature else [],
            name="checks",
        ),
    ]


def signed(table: Table, signature: str) -> Table:
    """Return the table with the signature below it."""
    from dataclasses import replace

    return replace(table, notes=(*table.notes, signature))


def _cell(one: Summary, key: str) -> Cell:
    value, interval = one.values[key], one.intervals.get(key)
    if math.isnan(value):
        return None
    return value if interval is None else Estimate(value, interval.low, interval.high)
