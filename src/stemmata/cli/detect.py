"""``stemmata detect``: find reused passages in all pairs of a corpus, or in documents alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stemmata.cli.output import FormatOption, print_result
from stemmata.cli.paths import OverwriteOption, path
from stemmata.cli.progress import progress
from stemmata.cli.workers import PROCESSES, JobsOption, SparkOption
from stemmata.reports.tables import Format, Table


def detect(
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS",
            parser=path,
            help="A folder with pairs, susp/ and src/, as PAN13 lays it out, or the id of such a corpus; "
            "with --intrinsic, susp/, suspicious-documents/ or .txt files will do.",
        ),
    ],
    detector: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="NAME",
            help="Name of the detector; see: stemmata list detectors. By default stemmata, or "
            "stemmata-intrinsic.",
            show_default=False,
        ),
    ] = None,
    intrinsic: Annotated[
        bool,
        typer.Option(
            "--intrinsic", help="Look for changes of style in each document alone, without sources."
        ),
    ] = False,
    parameters: Annotated[
        Path | None,
        typer.Option(parser=path, help="Parameter file for the detector, as stemmata tune writes it."),
    ] = None,
    out: Annotated[
        Path, typer.Option("-o", "--out", help="Folder for the run, one PAN XML file per pair or document.")
    ] = Path("run"),
    overwrite: OverwriteOption = False,
    jobs: JobsOption = PROCESSES,
    spark: SparkOption = None,
    format: FormatOption = Format.TABLE,
) -> None:
    """Find reused passages in every pair of a corpus and write them as PAN XML.

    A run that was stopped goes on where it was. A pair that cannot be read is reported at the end with
    its reason and does not stop the rest; the exit status is then 1.

    Example: stemmata detect corpus --with pan-baseline -o my-run --jobs 2
    """
    from stemmata.model import ErrorCode, StemmataError
    from stemmata.model.executors import work_on_spark
    from stemmata.model.parameters import described
    from stemmata.model.wording import tally
    from stemmata.reuse import detectors, intrinsic_detectors
    from stemmata.reuse.detection import Corpus, Documents
    from stemmata.reuse.detection import detect as run_detector
    from stemmata.reuse.parameters import ParameterFile, make_aligner, make_intrinsic_detector

    tuned = ParameterFile.read(parameters) if parameters else None
    name = detector or ("stemmata-intrinsic" if intrinsic else "stemmata")
    if name in (detectors if intrinsic else intrinsic_detectors):
        raise StemmataError(ErrorCode.NEEDS_SOURCES if intrinsic else ErrorCode.EXAMINES_ALONE, name=name)
    made = described(name, (make_intrinsic_detector if intrinsic else make_aligner)(name, tuned))
    if spark:
        # Elsewhere another folder is the current one.
        corpus, out = corpus.resolve(), out.resolve()
    parts = Documents.open(corpus) if intrinsic else Corpus.open(corpus)
    unit = "documents" if intrinsic else "pairs"
    what = "Examining documents" if intrinsic else "Aligning pairs"
    with work_on_spark(spark), progress(what, len(parts.pairs), unit) as advance:
        outcome = run_detector(parts, name, out, jobs, advance, tuned, overwrite)
    found, failed = len(outcome.detections), len(outcome.failures)
    facts = f"{tally(len(parts.pairs), unit)}, {tally(found, 'detections')} by {made}"
    facts += f", {tally(failed, unit)} failed"
    columns = ("Suspicious document", "Source document")[: 1 if intrinsic else 2]
    table = Table(
        (*columns, "Reason"),
        [[*pair[: len(columns)], reason] for pair, reason in outcome.failures],
        title=facts,
        notes=(f"The run: {out}",),
    )
    data = {
        "run": str(out),
        "detector": made,
        unit: len(parts.pairs),
        "detections": found,
        "failures": [
            {"document": pair[0], "reason": reason} if intrinsic else {"pair": list(pair), "reason": reason}
            for pair, reason in outcome.failures
        ],
    }
    print_result([table], data, format)
    if failed:
        raise typer.Exit(1)
