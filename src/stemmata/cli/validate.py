"""``stemmata validate``: find everything that is wrong with a corpus, a truth or a run, at once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from stemmata.cli.output import FormatOption, ShowOption, print_result
from stemmata.cli.paths import path
from stemmata.cli.progress import reading
from stemmata.reports.tables import Format, Table


def validate(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", parser=path, help="A corpus, a truth or a run: a file or folder of any format."
        ),
    ],
    susp: Annotated[
        Path | None,
        typer.Option("--susp", parser=path, help="Suspicious documents; found by itself in a corpus folder."),
    ] = None,
    src: Annotated[
        Path | None,
        typer.Option("--src", parser=path, help="Source documents; found by itself in a corpus folder."),
    ] = None,
    problems: Annotated[
        Path | None,
        typer.Option(
            "--problems",
            parser=path,
            help="For obfuscations: the problems they were made of, in any format that mask reads.",
        ),
    ] = None,
    show: ShowOption = 20,
    format: FormatOption = Format.TABLE,
) -> None:
    """Check a corpus, a truth or a run and report all findings together.

    Recognises PAN XML, verification problems, truths and answers, PAN18's safety scores, retrieval in
    JSON or TREC's lines, search logs, obfuscation.json and prototext. In a corpus of PAN XML it looks
    for unreadable files, missing or wrong numbers, passages outside their document, documents that
    are missing, empty or not UTF-8, overlapping cases, duplicates, and pairs that do not fit.
    The exit status is 1 if anything was found.

    Example: stemmata validate corpus --susp corpus/susp --src corpus/src
    """
    from stemmata.formats.validate_any import validate as validate_any
    from stemmata.model.wording import tally

    report = validate_any(path, susp, src, problems, reading("Reading"))
    counts = Counter(finding.kind.code for finding in report.findings)
    seen: Counter[str] = Counter()
    rows = []
    for finding in report.findings:
        seen[finding.kind.code] += 1
        if not show or seen[finding.kind.code] <= show:
            rows.append([finding.kind.code, str(finding.place or ""), finding.message, finding.remedy])
    hidden = len(report.findings) - len(rows)
    holds = ", ".join(tally(count, what.replace("_", " ")) for what, count in report.counted.items())
    facts = f"{report.kind}: {holds}: {tally(len(report.findings), 'findings')}"
    data = {
        "kind": report.kind,
        **report.counted,
        "counts": dict(sorted(counts.items())),
        "findings": [finding.as_json() for finding in report.findings],
    }
    notes = [f"{hidden:,} more findings; --show 0 shows all"] if hidden else []
    table = Table(("Code", "Place", "Finding", "Remedy"), rows, title=facts, notes=notes)
    print_result([table], data, format)
    if report.findings:
        raise typer.Exit(1)
