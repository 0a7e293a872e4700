"""``stemmata score quality``: sum up what people said of obfuscated texts, and how far they agree."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stemmata.cli.output import (
    ConfidenceOption,
    FormatOption,
    ResamplesOption,
    SeedOption,
    print_result,
)
from stemmata.cli.paths import path
from stemmata.reports.tables import Cell, Format, Table

if TYPE_CHECKING:
    from stemmata.measures.quality import Graded, Summary


def quality(
    judgements: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            parser=path,
            help="Judgements: a .csv or .jsonl file, a folder of them, or PAN16's folder.",
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
    confidence: ConfidenceOption = None,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 1,
    format: FormatOption = Format.TABLE,
) -> None:
    """Sum up judgements of sensibleness and soundness per system, with Krippendorff's alpha.

    A file has one judgement per row, in the columns item, system, assessor, sensibleness, soundness;
    either of the last two may be empty.

    Example: stemmata score quality judgements.csv --confidence 0.95
    """
    from stemmata.formats.judgements import read_judgements
    from stemmata.measures.evaluation import Confidence
    from stemmata.measures.quality import QualityOptions, score_quality

    chosen = QualityOptions(metric)
    given = read_judgements(judgements, scale)
    result = score_quality(
        given,
        metric=chosen.metric,
        confidence=None if confidence is None else Confidence(confidence, resamples, seed),
    )
    tables = [overview(kind, graded) for kind, graded in result.graded.items()]
    tables[-1] = signed(tables[-1], result.signature)
    print_result(tables, result.as_json(), format)


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
    return Table(columns, rows, title=title, notes=notes, digits=3)


def signed(table: Table, signature: str) -> Table:
    """Return the table with the signature below it."""
    from dataclasses import replace

    return replace(table, notes=(*table.notes, signature))


def _cell(one: Summary, key: str) -> Cell:
    value, interval = one.values[key], one.intervals.get(key)
    if math.isnan(value):
        return None
    return value if interval is None else f"{value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"
