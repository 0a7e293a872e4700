"""``stemmata corpus``: build a corpus by a plan; describe, validate and compare corpora of any layout."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.cli.ending import tell
from stemmata.cli.essays import import_essay
from stemmata.cli.help import group
from stemmata.cli.output import MOST_SEED, FormatOption, ShowOption, print_result, table_option
from stemmata.cli.paths import OverwriteOption, path
from stemmata.cli.progress import progress
from stemmata.cli.workers import MOST_JOBS
from stemmata.reports.tables import Cell, Format, Table

if TYPE_CHECKING:
    from stemmata.corpora.inspection.validation import CorpusValidation
    from stemmata.model import Finding

app = group("Build corpora of text reuse by a plan; describe, validate and compare those of any layout.")

Folder = Annotated[
    Path,
    typer.Argument(
        metavar="DIR", parser=path, help="A corpus as PAN-PC-10, PAN13, PlagEvalRus or Clough09 lay it out."
    ),
]


class Proportions(StrEnum):
    """Published proportions to put beside those of a corpus."""

    PAN_PC_10 = "pan-pc-10"


class By(StrEnum):
    """What is told apart in a comparison."""

    KIND = "kind"
    CORPUS = "corpus"


@app.command()
def build(
    plan: Annotated[
        Path, typer.Argument(metavar="PLAN", parser=path, help="A plan in TOML; see docs/corpora.md.")
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="DIR", help="Folder for the corpus; it must be new.")
    ],
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, max=MOST_JOBS, help="Processes that make documents.")
    ] = 1,
    format: FormatOption = Format.TABLE,
) -> None:
    """Build a corpus of text reuse by a plan, whose defaults are the proportions of PAN-PC-10.

    The same plan and texts give the same bytes, with any number of jobs. A build that was stopped goes
    on where it was.

    Example: stemmata corpus build plan.toml -o corpus --jobs 2
    """
    from stemmata.corpora.building.build import build as build_corpus
    from stemmata.corpora.building.plan import read_plan
    from stemmata.model.errors import located

    wanted = read_plan(plan)
    with located(plan), progress("Building", wanted.documents, "documents") as advance:
        built = build_corpus(wanted, out, jobs, advance)
    counts = {"sources": built.sources, "suspicious": built.suspicious, "cases": built.cases}
    data = {"folder": str(built.folder), **counts, "unmet": list(built.unmet)}
    notes = [f"The corpus: {built.folder}"]
    notes += [f"Not met: {one}" for one in built.unmet] or ["The plan was met."]
    rows: list[list[Cell]] = [[what, count] for what, count in counts.items()]
    print_result([Table(("Built", "Number"), rows, notes=notes)], data, format)


@app.command()
def describe(
    corpus: Folder,
    against: Annotated[
        Proportions | None,
        typer.Option("--against", help="Put published proportions beside; else those of its plan.json."),
    ] = None,
    clusters: Annotated[
        int,
        typer.Option(
            "--clusters",
            min=0,
            max=10_000,
            help="Sort documents into so many topics, where the truth tells none.",
        ),
    ] = 0,
    format: FormatOption = Format.TABLE,
    table: Annotated[str | None, table_option("classes", "lengths")] = None,
) -> None:
    """Say what is in a corpus: documents, cases, lengths, obfuscation, each class with its share.

    The classes are those of Table 5 of the PAN-PC-10 paper, or of the plan the corpus was built by.

    Example: stemmata corpus describe corpus --against pan-pc-10
    """
    from stemmata.corpora.inspection.description import describe as describe_corpus
    from stemmata.corpora.inspection.opening import open_corpus
    from stemmata.corpora.inspection.plan_record import pan_pc_10
    from stemmata.reports.corpora import description_tables

    opened = open_corpus(corpus)
    documents = len(opened.suspicious) + len(opened.sources)
    with progress("Reading", documents, "documents") as advance:
        described = describe_corpus(opened, pan_pc_10() if against else None, clusters, advance)
    print_result(description_tables(described), described.as_json(), format, table)


@app.command()
def validate(
    corpus: Folder,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against", metavar="DIR", parser=path, help="Another corpus that should share no text with it."
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Count warnings as findings.")] = False,
    show: ShowOption = 20,
    format: FormatOption = Format.TABLE,
) -> None:
    """Check a corpus: offsets, texts, overlaps, pairs, proportions, duplicates, leaks, encodings.

    Passages that are not obfuscated must be those of their sources; proportions must be within two points
    of the plan. Warnings (E729, E730, E739) tell of what is odd but may be meant.
    The exit status is 1 if anything was found.

    Example: stemmata corpus validate corpus --against other-corpus
    """
    from stemmata.corpora.inspection.validation import validate_corpus

    with progress("Reading", _documents(corpus, against), "documents") as advance:
        result = validate_corpus(corpus, against, advance)
    _print_findings(result, show, format)
    if result.findings or (strict and result.warnings):
        raise typer.Exit(1)


@app.command()
def compare(
    corpora: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", parser=path, help="Corpora of any layout, or sub-corpora of PAN13."),
    ],
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="HTML", help="Page with the figure, which also lies beside it."),
    ] = None,
    by: Annotated[By, typer.Option("--by", help="Compare kinds of obfuscation, or only corpora.")] = By.KIND,
    sample: Annotated[
        int, typer.Option("--sample", min=1, max=1_000_000, help="Cases of each kind, at most.")
    ] = 100,
    seed: Annotated[int, typer.Option("--seed", min=0, max=MOST_SEED, help="Seed of the sampling.")] = 1,
    overwrite: OverwriteOption = False,
    format: FormatOption = Format.TABLE,
) -> None:
    """Compare how much of their sources the cases of corpora keep, under word 1- to 10-gram models.

    Prints the medians; the page shows them as box plots, after Figure 1 of the PAN-PC-10 paper.

    Example: stemmata corpus compare pan13 clough09 corpus -o compared.html
    """
    from stemmata.corpora.inspection.opening import open_corpus
    from stemmata.corpora.inspection.similarity import compare_corpora
    from stemmata.formats.outputs import OutputFile
    from stemmata.formats.records import Making, names_of
    from stemmata.reports.corpora import Comparison, boxes_table, similarity_table, write_comparison
    from stemmata.reports.figures import require_matplotlib

    if out is not None:
        require_matplotlib()
        making = Making(
            "comparison of corpora",
            {"by": by, "sample": sample, "seed": seed},
            {"corpora": names_of(*corpora)},
        )
        page = OutputFile.claim(out, making, (".html",), overwrite, corpora)
        drawing = OutputFile.claim(out.with_suffix(".svg"), making, (".svg",), overwrite, corpora)
    opened = [open_corpus(one) for one in corpora]
    most = sum(len(one.cases) for one in opened)
    with progress("Comparing", most, "cases") as advance:
        groups = compare_corpora(opened, by is By.KIND, sample, seed, advance)
    data: dict[str, Any] = {"sample": sample, "seed": seed, "groups": [group.as_json() for group in groups]}
    if out is not None:
        command = ["stemmata", "corpus", "compare", *(one.name for one in opened), "-o", out.name]
        command += ["--by", by.value] if by is not By.KIND else []
        command += ["--sample", str(sample)] if sample != 100 else []
        command += ["--seed", str(seed)] if seed != 1 else []
        write_comparison(page, drawing, Comparison(groups, sample, seed, shlex.join(command)))
        data |= {"page": str(out), "figure": str(drawing.path)}
    table = boxes_table(groups) if format is Format.CSV else similarity_table(groups)
    print_result([table], data, format)
    if out is not None:
        tell(f"\nThe page: {out}\nThe figure: {data['figure']}")


def _documents(corpus: Path, against: Path | None) -> int:
    """Return how many documents will be read, for a terminal that shows it."""
    if not sys.stderr.isatty():
        return 0
    from stemmata.corpora.inspection.opening import open_corpus

    opened = [open_corpus(one, lambda _: None) for one in (corpus, against) if one is not None]
    return sum(len(one.suspicious) + len(one.sources) for one in opened)


def _print_findings(result: CorpusValidation, show: int, format: Format) -> None:
    from stemmata.model.wording import tally

    rows: list[list[str]] = []
    for weight, findings in (("finding", result.findings), ("warning", result.warnings)):
        seen: Counter[str] = Counter()
        for one in findings:
            seen[one.kind.code] += 1
            if not show or seen[one.kind.code] <= show:
                rows.append([one.kind.code, weight, str(one.place or ""), one.message, one.remedy])
    found, odd = len(result.findings), len(result.warnings)
    holds = ", ".join(tally(count, what) for what, count in result.counted.items())
    title = f"{result.kind}: {holds}: {tally(found, 'findings')}, {tally(odd, 'warnings')}"
    hidden = found + odd - len(rows)
    notes = [f"{hidden:,} more; --show 0 shows all"] if hidden else []
    table = Table(("Code", "Weight", "Place", "Finding", "Remedy"), rows, title=title, notes=notes)
    data = {
        "kind": result.kind,
        **result.counted,
        "counts": _counts([*result.findings, *result.warnings]),
        "findings": [_as_json(one) for one in result.findings],
        "warnings": [_as_json(one) for one in result.warnings],
    }
    print_result([table], data, format)


def _counts(findings: list[Finding]) -> dict[str, int]:
    return dict(sorted(Counter(one.kind.code for one in findings).items()))


def _as_json(one: Finding) -> dict[str, str]:
    return {
        "code": one.kind.code,
        "place": str(one.place or ""),
        "message": one.message,
        "remedy": one.remedy,
    }


app.command("import")(import_essay)
