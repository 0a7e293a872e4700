"""``stemmata batch``: whole collections at once, on this machine or on a Spark cluster."""

from __future__ import annotations

from collections.abc import Sized
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from stemmata.cli.help import group
from stemmata.cli.output import FormatOption, print_result, table_option
from stemmata.cli.paths import OverwriteOption, path
from stemmata.cli.progress import progress
from stemmata.cli.workers import PROCESSES, JobsOption, SparkOption
from stemmata.reports.tables import Format, Table

app = group("Whole collections at once, on this machine or on a Spark cluster: scan, pair, index.")


class RunFormat(StrEnum):
    """How rankings are written."""

    JSON = "json"
    TREC = "trec"


CollectionArgument = Annotated[
    Path,
    typer.Argument(
        metavar="COLLECTION",
        parser=path,
        help="A .jsonl or .parquet file of documents (id, text), or a folder of these or of .txt files.",
    ),
]
DetectorOption = Annotated[
    str, typer.Option("--with", metavar="NAME", help="Name of the detector; see: stemmata list detectors.")
]
ParametersOption = Annotated[
    Path | None,
    typer.Option(parser=path, help="Parameter file for the detector, as stemmata tune writes it."),
]
ShardOption = Annotated[
    int, typer.Option("--shard-megabytes", min=1, max=1_000_000, help="About how much is read in one piece.")
]
TableOption = Annotated[str | None, table_option("failures", "unread")]
_MEGABYTE = 1 << 20


@app.command("reuse")
def reuse(
    collection: CollectionArgument,
    suspicious: Annotated[
        Path,
        typer.Argument(metavar="SUSP", parser=path, help="Texts whose sources are sought, likewise."),
    ],
    retriever: Annotated[
        str, typer.Option("--retriever", help="Name of the retriever: stemmata or fingerprint.")
    ] = "stemmata",
    detector: DetectorOption = "stemmata",
    parameters: ParametersOption = None,
    run: Annotated[RunFormat, typer.Option("--run", help="How rankings are written.")] = RunFormat.JSON,
    out: Annotated[
        Path, typer.Option("-o", "--out", help="Folder for rankings and detections, Parquet beside.")
    ] = Path("reuse"),
    overwrite: OverwriteOption = False,
    shard: ShardOption = 32,
    jobs: JobsOption = PROCESSES,
    spark: SparkOption = None,
    format: FormatOption = Format.TABLE,
    table: TableOption = None,
) -> None:
    """Find the sources of many texts in a collection by one scan of it, and the passages.

    No index is needed. A batch that was stopped goes on where it was.

    Example: stemmata batch reuse pages.jsonl essays/ -o found --spark spark://host:7077
    """
    from stemmata.model.executors import work_on_spark

    with work_on_spark(spark):
        results, faults = _pipelines()["reuse"](
            collection,
            suspicious,
            out,
            retriever,
            detector,
            _tuned(parameters),
            run.value,
            shard * _MEGABYTE,
            jobs,
            progress,
            overwrite,
        )
    ranked = sum(len(ranking.sources) for ranking in results.rankings)
    facts = (
        f"{_tally(results.rankings, 'texts')}, {ranked:,} sources, "
        f"{_tally(results.detections, 'detections')}, "
        f"{_tally(results.failures, 'failures')}, {_tally(faults, 'documents')} not read"
    )
    data = {"texts": len(results.rankings), "sources": ranked}
    _show(facts, data, out, results, faults, format, table)


@app.command("pairs")
def pairs(
    collection: CollectionArgument,
    detector: DetectorOption = "stemmata",
    parameters: ParametersOption = None,
    most: Annotated[
        int, typer.Option(min=2, max=1_000_000, help="Fingerprints that more documents have do not count.")
    ] = 50,
    least: Annotated[
        float,
        typer.Option(min=0, max=1_000_000, help="The least evidence of a pair, as a sum of log(N / df)."),
    ] = 40.0,
    out: Annotated[
        Path, typer.Option("-o", "--out", help="Folder for pairs and detections, Parquet beside.")
    ] = Path("pairs"),
    overwrite: OverwriteOption = False,
    shard: ShardOption = 32,
    jobs: JobsOption = PROCESSES,
    spark: SparkOption = None,
    format: FormatOption = Format.TABLE,
    table: TableOption = None,
) -> None:
    """Find all pairs of documents of a collection that share text, and the passages.

    Of a pair, the document that comes first in the collection counts as the source. A batch that was stopped
    goes on where it was.

    Example: stemmata batch pairs pages.jsonl -o shared --spark spark://host:7077
    """
    from stemmata.model.executors import work_on_spark

    with work_on_spark(spark):
        results, faults = _pipelines()["pairs"](
            collection,
            out,
            detector,
            _tuned(parameters),
            most,
            least,
            shard * _MEGABYTE,
            jobs,
            progress,
            overwrite,
        )
    facts = (
        f"{_tally(results.pairs, 'pairs')}, {_tally(results.detections, 'detections')}, "
        f"{_tally(results.failures, 'failures')}, {_tally(faults, 'documents')} not read"
    )
    _show(facts, {"pairs": len(results.pairs)}, out, results, faults, format, table)


@app.command("index")
def index(
    collection: CollectionArgument,
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder for the indexes, shard-00001 and on.")],
    shard: ShardOption = 1024,
    jobs: JobsOption = PROCESSES,
    spark: SparkOption = None,
    format: FormatOption = Format.TABLE,
) -> None:
    """Index a collection in shards, each an index of its own.

    Shards that are finished are kept, so a build that was stopped goes on where it was.

    Example: stemmata batch index pages.jsonl -o indexes --spark spark://host:7077
    """
    from stemmata.model.executors import work_on_spark
    from stemmata.model.wording import tally

    with work_on_spark(spark):
        made = _pipelines()["index"](collection, out, shard * _MEGABYTE, jobs, progress)
    facts = (
        f"{tally(made.documents, 'documents')} in {tally(len(made.shards), 'indexes')}, "
        f"{len(made.faults):,} not read"
    )
    table = Table(("Not read",), [[reason] for reason in made.faults], title=facts, notes=(f"In {out}",))
    data = {
        "out": str(out),
        "documents": made.documents,
        "shards": [shard.name for shard in made.shards],
        "unread": made.faults,
    }
    print_result([table], data, format)
    if made.faults:
        raise typer.Exit(1)


def _pipelines() -> Any:
    """Return what runs in batches, by name: this package does not import that one, its neighbour."""
    from stemmata.model import Registry

    return Registry[Any](
        "pipeline",
        {
            "reuse": "stemmata.spark.reuse:find_reuse",
            "pairs": "stemmata.spark.pairs:find_pairs",
            "index": "stemmata.spark.indexing:build_shards",
        },
    )


def _tally(things: Sized, many: str) -> str:
    from stemmata.model.wording import tally

    return tally(len(things), many)


def _tuned(parameters: Path | None) -> Any:
    from stemmata.reuse.parameters import ParameterFile

    return ParameterFile.read(parameters) if parameters else None


def _show(
    facts: str,
    data: dict[str, Any],
    out: Path,
    results: Any,
    faults: list[str],
    format: Format,
    table: str | None,
) -> None:
    failed = Table(
        ("Text", "Source", "Reason"),
        [[*failure] for failure in results.failures],
        title=facts,
        notes=(f"The result: {out}",),
        name="failures",
    )
    unread = Table(("Not read",), [[reason] for reason in faults], name="unread")
    data = {
        "out": str(out),
        **data,
        "detections": len(results.detections),
        "failures": [list(failure) for failure in results.failures],
        "unread": faults,
    }
    print_result([failed, unread], data, format, table)
    if results.failures or faults:
        raise typer.Exit(1)
