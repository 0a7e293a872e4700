"""``stemmata score retrieval``: measure retrieved source documents against the truth."""

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
    table_option,
)
from stemmata.cli.paths import path
from stemmata.reports.tables import Cell, Estimate, Format, Table

if TYPE_CHECKING:
    from stemmata.measures.retrieval import RetrievalResult


def retrieval(
    truth: Annotated[
        Path,
        typer.Argument(
            metavar="TRUTH", parser=path, help="The true sources: a folder of JSON files, or TREC qrels."
        ),
    ],
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN",
            parser=path,
            help="The retrieved documents in ranked order: a folder of JSON, or a TREC run.",
        ),
    ],
    map: Annotated[
        str,
        typer.Option(
            "--map", help="'script' divides average precision by all true sources, 'paper' by those found."
        ),
    ] = "script",
    log: Annotated[
        Path | None,
        typer.Option(
            "--log",
            parser=path,
            help="PAN's log of queries and downloads, file or folder; adds the workload.",
        ),
    ] = None,
    confidence: ConfidenceOption = None,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 1,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("averages", "workload")] = None,
) -> None:
    """Score retrieved source documents: MAP, precision, recall, F1, F2 and R-precision.

    Means are over the documents of the truth; one without an answer counts 0. Retrieving the suspicious
    document itself is not wrong, but finds no source. With --log also the work until a source was found.

    Example: stemmata score retrieval truth.qrels rankings --confidence 0.95
    """
    from stemmata.formats.retrieval import read_rankings, read_sources
    from stemmata.formats.search_log import read_search_log
    from stemmata.formats.truth_and_run import require_common_document, unknown_to_truth
    from stemmata.measures.evaluation import Confidence
    from stemmata.measures.retrieval import RetrievalOptions, score_retrieval

    options = RetrievalOptions(map)
    true, made = read_sources(truth), read_rankings(run)
    require_common_document(frozenset(true), frozenset(made))
    sources, returned = ({one for listed in side.values() for one in listed} for side in (true, made))
    warnings = unknown_to_truth((true, sources), (made, returned), run)
    result = score_retrieval(
        true,
        made,
        events=None if log is None else read_search_log(log),
        options=options,
        confidence=None if confidence is None else Confidence(confidence, resamples, seed),
    )
    tables = [overview(result), *([] if log is None else [workload(result)])]
    print_result(tables, result.as_json(), format, table, warnings)


def overview(result: RetrievalResult) -> Table:
    """Return the table of one run, macro and micro."""
    from stemmata.model.wording import counted

    names = ("map", "precision", "recall", "f1", "f2", "r_precision")
    rows: list[list[Cell]] = [
        ["macro", *(_cell(result, name) for name in names)],
        ["micro", *(_cell(result, f"micro.{name}") for name in names)],
    ]
    facts = (
        ("documents without sources, left out of MAP, recall and R-precision", result.without_sources),
        ("documents without an answer, counted as 0", result.unanswered),
        ("documents of the run that the truth does not know, ignored", result.ignored),
    )
    notes = [f"{what}: {number:,}" for what, number in facts if number]
    columns = ("Average", "MAP", "Precision", "Recall", "F1", "F2", "R-precision")
    title = counted(result.documents, "document")
    return Table(columns, rows, title=title, notes=(*notes, result.signature), name="averages")


def workload(result: RetrievalResult) -> Table:
    """Return the table of what it cost to find the sources."""
    from stemmata.measures.retrieval import WORKLOAD

    cells = [_cell(result, measure.key) for measure in WORKLOAD]
    notes = ["means over documents; to first detection, over those where there was one"]
    return Table(
        [measure.title for measure in WORKLOAD],
        [cells],
        title="Workload",
        notes=notes,
        digits=1,
        name="workload",
    )


def _cell(result: RetrievalResult, key: str) -> Cell:
    """Return a value with its interval; what is only defined per document has no micro average."""
    value, interval = result.values.get(key), result.intervals.get(key)
    if value is None or math.isnan(value):
        return None
    return value if interval is None else Estimate(value, interval.low, interval.high)
