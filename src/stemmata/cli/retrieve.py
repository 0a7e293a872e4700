"""``stemmata retrieve``: which documents of an index a text may come from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stemmata.cli.output import FormatOption, print_result
from stemmata.cli.paths import OverwriteOption, path
from stemmata.cli.progress import progress
from stemmata.cli.workers import PROCESSES, JobsOption, SparkOption
from stemmata.reports.tables import Format, Table


def retrieve(
    index: Annotated[
        Path, typer.Argument(metavar="INDEX", parser=path, help="An index, or a folder of shards.")
    ],
    suspicious: Annotated[
        list[Path],
        typer.Argument(
            metavar="SUSP",
            parser=path,
            help="Folders, archives or single documents whose sources are sought.",
        ),
    ],
    retriever: Annotated[
        str,
        typer.Option("--with", metavar="NAME", help="Name of the retriever; see: stemmata list retrievers."),
    ] = "stemmata",
    out: Annotated[
        Path,
        typer.Option(
            "-o",
            "--out",
            help="The run: a folder of PlagEvalRus JSON, or with --trec one file of a TREC run.",
        ),
    ] = Path("run"),
    overwrite: OverwriteOption = False,
    trec: Annotated[bool, typer.Option("--trec", help="Write a TREC run.")] = False,
    jobs: JobsOption = PROCESSES,
    spark: SparkOption = None,
    format: FormatOption = Format.TABLE,
) -> None:
    """Find the sources of texts in an index and write them, best first.

    A document that cannot be read, or has the name of one before it, is reported with its reason and does not
    stop the rest; the exit status is then 1. Score the run with: stemmata score retrieval TRUTH RUN

    Example: stemmata retrieve my-index essays/ -o rankings
    """
    from stemmata.formats.collections import read_collection
    from stemmata.formats.outputs import OutputFile, OutputFolder
    from stemmata.formats.records import Making, names_of
    from stemmata.formats.retrieval import write_rankings
    from stemmata.model import Document, ErrorCode, Finding, StemmataError, document_key
    from stemmata.model.executors import work_on_spark
    from stemmata.model.wording import tally
    from stemmata.reuse.retrieval.running import open_retriever, retrieve_all

    open_retriever(index, retriever)  # what is wrong with the index is told before anything is read
    inputs = {"index": names_of(index), "texts": names_of(*suspicious)}
    making = Making("retrieval run", {"retriever": retriever}, inputs)
    claim = OutputFile.claim if trec else OutputFolder.claim
    claimed = claim(out, making, overwrite=overwrite, given=[index, *suspicious])
    failures: list[Finding] = []
    documents: dict[str, Document] = {}
    for one in read_collection(suspicious, failures.append, jobs):
        key = document_key(one.name)
        if key in documents:
            first = documents[key].name
            failures.append(Finding.of(ErrorCode.REPEATED_DOCUMENT, document=one.name, first=first))
        else:
            documents[key] = Document(one.name, one.text)
    if not documents and not failures:
        raise StemmataError(ErrorCode.NO_DOCUMENTS, suspicious[0])
    with work_on_spark(spark), progress("Seeking sources", len(documents), "documents") as advance:
        # Elsewhere another folder is the current one.
        asked = list(documents.values())
        rankings = retrieve_all(index.resolve(), asked, retriever, jobs, advance, failed=failures.append)
    if rankings:
        named = {ranking.document: ranking.sources for ranking in rankings}
        with claimed.filled() as part:
            write_rankings(part, named, "trec" if trec else "json", retriever)
    count = max(1, len(rankings))
    queries, downloads = (sum(one.queries for one in rankings), sum(one.downloads for one in rankings))
    table = Table(
        ("Document", "Sources", "Best source", "Score", "Queries", "Documents read"),
        [
            [
                one.document,
                len(one.sources),
                one.sources[0].source if one.sources else None,
                one.sources[0].score if one.sources else None,
                one.queries,
                one.downloads,
            ]
            for one in rankings
        ],
        title=f"Sources of {tally(len(rankings), 'documents')} by {retriever}",
        notes=(
            *([f"The run: {out}"] if rankings else []),
            f"On average {queries / count:.1f} queries and {downloads / count:.1f} documents read",
            *(f"Not read: {failure}" for failure in failures),
        ),
    )
    data = {
        "run": str(out) if rankings else None,
        "retriever": retriever,
        "documents": [
            {
                "name": one.document,
                "sources": [{"name": source, "score": score} for source, score in one.sources],
                "queries": one.queries,
                "downloads": one.downloads,
            }
            for one in rankings
        ],
        "failures": [str(failure) for failure in failures],
    }
    print_result([table], data, format)
    if failures:
        raise typer.Exit(1)
