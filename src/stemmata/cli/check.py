"""``stemmata check``: where documents come from, and what they share with each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stemmata.cli.output import FormatOption, print_result, table_option
from stemmata.cli.paths import OverwriteOption, path
from stemmata.cli.progress import progress
from stemmata.cli.workers import PROCESSES, JobsOption, SparkOption
from stemmata.reports.tables import Format

REPORT = Path("report.html")


def check(
    documents: Annotated[
        list[Path],
        typer.Argument(
            metavar="DOC...",
            parser=path,
            help="What to check: files (text, HTML, PDF, docx, odt, rtf, doc), folders or archives of them.",
        ),
    ],
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            parser=path,
            metavar="INDEX_OR_FOLDER",
            help="Where to look for sources: an index or its shards (stemmata index build, batch index), or "
            "a folder, archive or file of documents.",
        ),
    ] = None,
    among: Annotated[
        bool, typer.Option("--among", help="Check the documents against each other, as those of a class.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            help="The report: .html to explore, .pdf for a committee, .json for programs. By default "
            "report.html; none with --format json.",
            show_default=False,
        ),
    ] = None,
    aligner: Annotated[
        str, typer.Option("--with", metavar="NAME", help="What finds passages; see: stemmata list detectors.")
    ] = "stemmata",
    parameters: Annotated[
        Path | None,
        typer.Option(parser=path, help="Parameter file for the detector, as stemmata tune writes it."),
    ] = None,
    retriever: Annotated[
        str, typer.Option("--retriever", help="What chooses sources from an index.")
    ] = "stemmata",
    most_sources: Annotated[
        int, typer.Option("--most-sources", min=1, max=10_000, help="Sources per document, at most.")
    ] = 20,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Leave the names of all documents out of the report.")
    ] = False,
    overwrite: OverwriteOption = False,
    jobs: JobsOption = PROCESSES,
    spark: SparkOption = None,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("documents", "failed")] = None,
) -> None:
    """Look for the sources of documents and write a report that shows both side by side.

    One document gives one page. Several give an overview and, in a folder beside it, a page for each. What
    cannot be read is reported at the end with its reason and does not stop the rest; the exit status is then
    1. With at most 50 documents in the collection, each is compared; from more, a retriever chooses.

    Example: stemmata check essays --against library --among -o report.html
    """
    from stemmata.model import ErrorCode, StemmataError
    from stemmata.model.executors import work_on_spark
    from stemmata.reports.check_page import summary_tables
    from stemmata.reports.check_report import report_check
    from stemmata.reuse.checking_examination import Settings
    from stemmata.reuse.parameters import ParameterFile

    if against is None and not among:
        raise StemmataError(ErrorCode.NOTHING_TO_CHECK_AGAINST)
    if out is None and format is Format.TABLE:
        out = REPORT
    tuned = ParameterFile.read(parameters) if parameters else None
    settings = Settings(aligner, tuned, retriever, most_sources)
    if spark:
        # Elsewhere another folder is the current one.
        documents = [one.resolve() for one in documents]
        against, out = against and against.resolve(), out and out.resolve()
    with work_on_spark(spark):
        result = report_check(documents, against, among, settings, out, anonymous, jobs, progress, overwrite)
    notes = [f"The report: {out}"] if out else []
    print_result(summary_tables(result, notes), result.as_json(), format, table)
    if result.failures:
        raise typer.Exit(1)
