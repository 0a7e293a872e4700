"""What all commands share: the ``--format`` option, printing for a terminal or a pipe."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.cli.ending import print_line
from stemmata.reports.tables import Format, Table, render, render_csv

if TYPE_CHECKING:
    from stemmata.model import Finding

FormatOption = Annotated[
    Format,
    typer.Option(
        "--format", "-f", help="How to print: a table for people, or a form for programs and papers."
    ),
]
ConfidenceOption = Annotated[
    float | None,
    typer.Option("--confidence", min=0, max=1, help="Add bootstrap intervals of this level, such as 0.95."),
]
ResamplesOption = Annotated[
    int, typer.Option("--resamples", min=1, max=1_000_000, help="Number of bootstrap resamples.")
]
MOST_SEED = 2**32 - 1
"""The greatest seed that all libraries take."""
SeedOption = Annotated[int, typer.Option("--seed", min=0, max=MOST_SEED, help="Seed of the resampling.")]
ShowOption = Annotated[
    int, typer.Option("--show", min=0, max=1_000_000, help="Findings to show of each kind; 0 shows all.")
]


def warn(findings: Iterable[Finding]) -> None:
    """Print what does not stop a command, but may well be why its result is not what was hoped for."""
    for finding in findings:
        print_line(f"warning: {finding}")


def table_option(*names: str) -> Any:
    """Return the option that chooses one of a command's tables; CSV has the first of them otherwise."""

    def check(name: str | None) -> str | None:
        if name is not None and name not in names:
            raise typer.BadParameter(f"there is no table {name!r}; there are: {', '.join(names)}")
        return name

    told = f"{', '.join(names[:-1])} or {names[-1]}"
    about = f"Print only one table: {told}. With --format csv by default the first of them."
    return typer.Option("--table", metavar="NAME", callback=check, help=about)


def skipped_notes(skipped: Mapping[str, str]) -> list[str]:
    """Return a note for each reason why something was left out, with all names that it is true of."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for name, reason in skipped.items():
        names[reason.replace(f"{name} ", "", 1)].append(name)
    return [f"skipped: {', '.join(those)}: {reason}" for reason, those in names.items()]


def print_result(
    tables: Sequence[Table],
    data: Any,
    format: Format,
    table: str | None = None,
    warnings: Sequence[Finding] = (),
) -> None:
    """Print tables, or with ``--format json`` the data behind them; CSV is always a single table.

    Warnings go to standard error when all else is done, so that an error is one line; JSON has them too.
    """
    if format is Format.JSON:
        if warnings:
            warn(warnings)
            data = {**data, "warnings": [finding.as_json() for finding in warnings]}
        # Programs read control characters as well from what a terminal does not obey.
        sys.stdout.write(_CONTROLS.sub(_escaped, json.dumps(data, ensure_ascii=False, indent=2)) + "\n")
        return
    names = list(dict.fromkeys(one.name for one in tables))
    if table is not None and table not in names:
        from stemmata.model import ErrorCode, StemmataError

        rule = f"this result has only: {', '.join(names)}"
        raise StemmataError(ErrorCode.BAD_PARAMETER, name="table", value=table, rule=rule)
    warn(warnings)
    if table is not None or format is Format.CSV:
        tables = [one for one in tables if one.name == (table or names[0])]
    if format is Format.CSV:
        sys.stdout.write(render_csv(tables))
        return
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    shown = [one for one in tables if one.rows or one.title or one.notes] or tables[:1]
    sys.stdout.write("\n".join(render(one, format, terminal, width) for one in shown))


_CONTROLS = re.compile(r"[\x7f-\x9f]")


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"
