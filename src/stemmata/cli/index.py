"""``stemmata index``: make a collection searchable for the sources of texts, add to it, remove from it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stemmata.cli.help import group
from stemmata.cli.output import FormatOption, print_result, table_option
from stemmata.cli.paths import path
from stemmata.cli.progress import progress
from stemmata.cli.workers import MOST_JOBS, PROCESSES
from stemmata.reports.tables import Cell, Format, Table

if TYPE_CHECKING:
    from stemmata.formats.collections import SourceDocument
    from stemmata.reuse.index import Findings, Outcome

app = group(
    "Make an index of a collection, in which the sources of texts are found; add and remove documents."
)

Folder = Annotated[Path, typer.Argument(metavar="INDEX", help="The folder of the index.")]
Documents = Annotated[
    list[Path],
    typer.Argument(
        metavar="DOCS",
        parser=path,
        help="Folders, .zip and .tar archives, .jsonl or .parquet files, or single documents: text, pdf, "
        "docx, odt, rtf, doc, html.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        max=MOST_JOBS,
        help="Processes that read pdf, docx and the like; text needs none.",
    ),
]
_TOLD = 20
"""Near-duplicates and replaced documents that are told by name."""


@app.command()
def build(
    index: Folder,
    documents: Documents,
    jobs: Jobs = PROCESSES,
    format: FormatOption = Format.TABLE,
) -> None:
    """Make an index of documents.

    A build that was stopped goes on where it was if the same command is given again. A document that cannot
    be read is reported at the end with its reason and does not stop the rest; the exit status is then 1.

    Example: stemmata index build my-index essays/ theses.zip articles.jsonl
    """
    from stemmata.reuse import index as indexes

    inputs = "; ".join(os.path.realpath(one) for one in documents)

    def write(read: Iterable[SourceDocument], advance: Callable[[int], None]) -> Outcome:
        return indexes.build(index, read, inputs, advance)

    _write(index, documents, jobs, format, write)


@app.command()
def add(
    index: Folder,
    documents: Documents,
    jobs: Jobs = PROCESSES,
    format: FormatOption = Format.TABLE,
) -> None:
    """Add documents to an index.

    One whose name is in the index already takes the place of the earlier one, unless nothing has changed.

    Example: stemmata index add my-index essays-of-this-year/
    """
    from stemmata.reuse import index as indexes
    from stemmata.reuse.index.manifest import read_manifest

    read_manifest(index)

    def write(read: Iterable[SourceDocument], advance: Callable[[int], None]) -> Outcome:
        return indexes.add(index, read, advance)

    _write(index, documents, jobs, format, write)


@app.command()
def remove(
    index: Folder,
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Names of documents in the index.")],
    format: FormatOption = Format.TABLE,
) -> None:
    """Remove documents from an index; if one is not there, none is removed.

    Example: stemmata index remove my-index anna.txt
    """
    from stemmata.reuse.index import Index
    from stemmata.reuse.index import remove as remove_documents

    removed = remove_documents(index, names).removed
    left = len(Index.open(index))
    table = Table(("Documents", "Number"), [["removed", removed], ["in the index", left]])
    print_result([table], {"index": str(index), "removed": removed, "documents": left}, format)


@app.command()
def info(
    index: Folder,
    names: Annotated[bool, typer.Option("--names", help="List the names of all documents.")] = False,
    duplicates: Annotated[bool, typer.Option("--duplicates", help="List near-duplicates.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Read every byte, and see that it is as it was written.")
    ] = False,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("facts", "names", "duplicates")] = None,
) -> None:
    """Tell what is in an index, or in the shards of one.

    Example: stemmata index info my-index --check
    """
    from stemmata.reuse.index import open_index

    opened = open_index(index)
    if check:
        opened.check()
    data = opened.info()
    by_language = ", ".join(f"{language} {count:,}" for language, count in sorted(data["languages"].items()))
    facts: list[tuple[str, int | str]] = [
        *([("shards", data["shards"])] if "shards" in data else []),
        ("documents", data["documents"]),
        ("words", data["words"]),
        ("languages", by_language),
        ("near-duplicates", data["duplicates"]),
        ("removed", data["removed"]),
        ("postings of runs", data["postings"]["runs"]),
        ("postings of skips", data["postings"]["skips"]),
        ("parts", data["segments"]),
        ("bytes on disk", data["bytes"]),
    ]
    rows: list[list[Cell]] = [list(fact) for fact in facts]
    notes = [] if data["finished"] else ["The build of this index was stopped; give the same command again."]
    notes += ["Every file is as it was written."] if check else []
    tables = [Table(("Fact", "Value"), rows, title=str(index), notes=notes, name="facts")]
    if names or table == "names":
        data["names"] = opened.names(opened.numbers())
        tables.append(Table(("Name",), [[name] for name in data["names"]], name="names"))
    if duplicates or table == "duplicates":
        pairs = list(opened.duplicates())
        data["duplicate_pairs"] = [list(pair) for pair in pairs]
        listed: list[list[Cell]] = [list(pair) for pair in pairs]
        columns, decimals = ("Document", "Like", "Likeness"), {"Likeness": 2}
        tables.append(Table(columns, listed, decimals=decimals, name="duplicates"))
    print_result(tables, data, format, table)


def _write(
    index: Path,
    paths: list[Path],
    jobs: int,
    format: Format,
    write: Callable[[Iterable[SourceDocument], Callable[[int], None]], Outcome],
) -> None:
    """Read a collection, write it to the index, and tell what came of it."""
    from stemmata.formats.collections import count_documents, read_collection
    from stemmata.formats.files import is_folder
    from stemmata.model import ErrorCode, StemmataError
    from stemmata.reuse.index import Findings, Index

    for given in paths:
        is_folder(given)  # a slip of the pen is told before hours are spent on the rest
    findings = Findings()
    read = _not_empty(read_collection(paths, findings.append, jobs))
    if read is None:
        if not findings:
            raise StemmataError(ErrorCode.NO_DOCUMENTS, paths[0])
        _print(index, None, findings, format)
        raise typer.Exit(1)
    total = count_documents(paths) if sys.stderr.isatty() else 0
    with progress("Indexing", total, "documents") as advance:
        outcome = write(read, advance)
    findings.extend(outcome.findings)
    _print(index, outcome, findings, format, len(Index.open(index)))
    if findings:
        raise typer.Exit(1)


def _not_empty(documents: Iterator[SourceDocument]) -> Iterator[SourceDocument] | None:
    """Return the documents if there are any, so that nothing is begun without."""
    first = next(documents, None)
    return None if first is None else chain([first], documents)


def _print(
    index: Path, outcome: Outcome | None, findings: Findings, format: Format, documents: int = 0
) -> None:
    """Tell what came of it; without an outcome, nothing was written."""
    from stemmata.reuse.index import Outcome

    came = outcome or Outcome()
    counts = {
        "added": came.added,
        "unchanged": came.unchanged,
        "replaced": came.replaced,
        "duplicates": came.duplicates,
        "failed": len(findings),
        "documents": documents,
    }
    rows: list[list[Cell]] = [[what, number] for what, number in counts.items()]
    rows[-1][0] = "in the index"
    notes = [f"Replaced: {name}" for name in came.replaced_names[:_TOLD]]
    notes += [
        f"Near-duplicate: {pair.document} of {pair.like} ({pair.likeness:.2f})"
        for pair in came.duplicate_pairs[:_TOLD]
    ]
    tables = [Table(("Documents", "Number"), rows, notes=notes, name="counts")] if outcome else []
    if findings:
        told = [f"and {findings.untold:,} more"] if findings.untold else []
        told += [] if outcome else ["No document could be read; nothing was written."]
        tables.append(
            Table(
                ("Code", "Where", "Reason"),
                [[one.kind.code, str(one.place or ""), one.message] for one in findings],
                title="Left out",
                notes=told,
                name="left-out",
            )
        )
    data = {
        "index": str(index) if outcome else None,
        **counts,
        "replaced_names": came.replaced_names,
        "duplicate_pairs": [list(pair) for pair in came.duplicate_pairs],
        "failures": [
            {"code": one.kind.code, "place": str(one.place or ""), "reason": one.message} for one in findings
        ],
    }
    print_result(tables, data, format)
