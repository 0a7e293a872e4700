"""The command line: one file per command, and one place that turns errors into a line and a status.

Commands import what they need when they run, so that ``stemmata --help`` answers at once.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import typer

from stemmata import __version__
from stemmata.cli import (
    batch,
    cache,
    check,
    compare,
    corpus,
    data,
    demo,
    detect,
    index,
    listing,
    mask,
    rank,
    report,
    reproduce,
    retrieve,
    scoring,
    tune,
    validate,
    verify,
)
from stemmata.cli.ending import (
    INTERRUPTED,
    STOPPED,
    close_output,
    explain,
    open_streams,
    print_line,
    stoppable,
)
from stemmata.cli.help import group, plain_help

app = group(
    "Who copied it, who wrote it, who hid it: detect text reuse and authorship, and measure detectors.",
    name="stemmata",
    epilog="Start with: stemmata demo",
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.add_typer(scoring.app, name="score")
app.command("compare")(compare.compare)
app.command("detect")(detect.detect)
app.add_typer(report.app, name="report")
app.command("check")(check.check)
app.command("retrieve")(retrieve.retrieve)
app.command("verify")(verify.verify)
app.command("mask")(mask.mask)
app.command("rank")(rank.rank)
app.command("tune")(tune.tune)
app.command("validate")(validate.validate)
app.command("reproduce")(reproduce.reproduce)
app.add_typer(index.app, name="index")
app.add_typer(batch.app, name="batch")
app.add_typer(corpus.app, name="corpus")
app.add_typer(data.app, name="data")
app.add_typer(cache.app, name="cache")
app.command("list")(listing.list_names)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"stemmata {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(
        False, "--version", is_eager=True, callback=_show_version, help="Show the version."
    ),
) -> None:
    """Take the options that stand before a command."""


def run() -> None:
    """Run the command line: 0 done, 1 a finding, 2 bad input or usage with one line on stderr."""
    sys.exit(status_of(sys.argv[1:]))


def status_of(arguments: list[str]) -> int:
    """Run one command and return its exit status; nobody ever sees a traceback."""
    open_streams()
    status: object = 0
    try:
        with stoppable():
            status = command()(arguments, prog_name="stemmata", standalone_mode=False)
            sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except SystemExit as end:
        # The library that reads arguments ends so where nobody reads the output any more.
        status = end.code
        if isinstance(end.__context__, BrokenPipeError):
            status = 0
            close_output()
    except BrokenPipeError:
        close_output()
    except BaseException as error:
        if os.environ.get("STEMMATA_DEBUG"):
            raise
        # What the work has kept in memory is let go before the line is made.
        print_line(explain(error.with_traceback(None)))
        status = 2
    if status in STOPPED:
        print_line("stopped; nothing was left half-written")
    return status if isinstance(status, int) else 0


def command() -> Any:
    """Return the command of all commands, its help in plain words."""
    made = typer.main.get_command(app)
    plain_help(made)
    return made
