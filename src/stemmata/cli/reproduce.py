"""``stemmata reproduce``: compute a paper's tables and figures anew, beside what it prints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.cli.ending import tell
from stemmata.cli.output import FormatOption, print_result
from stemmata.cli.paths import OverwriteOption, path
from stemmata.reports.tables import Format

if TYPE_CHECKING:
    from stemmata.model.reproduction import Reproduction
    from stemmata.reports.reproduction import Page

    Experiment = Callable[[Path, int, Callable[[str], None]], Reproduction]


class Paper(StrEnum):
    """Papers that can be reproduced."""

    PAN18 = "pan18"
    COLING10 = "coling10"
    PLAGEVALRUS = "plagevalrus"


EXPERIMENTS: Mapping[str, str] = {
    Paper.PAN18: "stemmata.experiments.pan18:reproduce",
    Paper.COLING10: "stemmata.experiments.coling10:reproduce",
    Paper.PLAGEVALRUS: "stemmata.experiments.plagevalrus:reproduce",
}
PAGES: Mapping[str, str] = {
    Paper.PAN18: "stemmata.reports.pan18:pan18_page",
    Paper.COLING10: "stemmata.reports.coling10:coling10_page",
    Paper.PLAGEVALRUS: "stemmata.reports.plagevalrus:plagevalrus_page",
}
MET: Mapping[str, str] = {
    Paper.PAN18: "printed scores",
    Paper.COLING10: "shares and shapes",
    Paper.PLAGEVALRUS: "findings and rules",
}
"""What is to be met of each paper."""


def reproduce(
    paper: Annotated[Paper, typer.Argument(help="The paper to reproduce.")],
    data: Annotated[
        Path,
        typer.Option(
            "--data",
            metavar="DIR",
            parser=path,
            help="Its data; for pan18 the scores of its verifiers, for coling10 a folder of corpora, for "
            "plagevalrus texts and essays.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="OUT", help="Folder for the page, tables and figures.")
    ],
    seeds: Annotated[
        int, typer.Option("--seeds", min=2, max=10_000, help="How often random steps are repeated.")
    ] = 20,
    overwrite: OverwriteOption = False,
    format: FormatOption = Format.TABLE,
) -> None:
    """Compute the tables and figures of a paper anew and put each value beside the printed one.

    Writes one HTML page, the tables for LaTeX and spreadsheets, and the figures; prints the main table.
    The exit status is 1 if a value that is to be met is missed.

    Example: stemmata reproduce pan18 --data pan/2018/obfuscation/safety -o pan18
    """
    from stemmata.formats.outputs import OutputFolder
    from stemmata.formats.records import Making, names_of
    from stemmata.model.registry import Registry
    from stemmata.reports.figures import require_matplotlib
    from stemmata.reports.reproduction import as_table, write_reproduction

    def say(what: str) -> None:
        if sys.stderr.isatty():
            tell(f"{what} …")

    experiments: Registry[Experiment] = Registry("paper", dict(EXPERIMENTS), plugins=False)
    pages: Registry[Page] = Registry("page", dict(PAGES), plugins=False)
    require_matplotlib()
    making = Making(f"reproduction of {paper}", {"seeds": seeds}, {"data": names_of(data)})
    claimed = OutputFolder.claim(out, making, overwrite, [data])
    made = experiments[paper](data, seeds, say)
    say("Writing the page")
    page = write_reproduction(claimed, paper, made, pages[paper])
    table = as_table(made.tables[made.headline])
    print_result([table], _as_json(made, page), format)
    tell(f"\n{made.kept} of {made.promised} {MET[paper]} met.\nThe page: {page}\nOpen it in a browser.")
    if made.kept < made.promised:
        raise typer.Exit(1)


def _as_json(made: Reproduction, page: Path) -> dict[str, Any]:
    from stemmata.reports.reproduction import as_table

    return {
        "signature": made.signature,
        "report": str(page),
        "promised": made.promised,
        "kept": made.kept,
        "tables": {
            name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
            for name, table in ((name, as_table(one)) for name, one in made.tables.items())
        },
    }
