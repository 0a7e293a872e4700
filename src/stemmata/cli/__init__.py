"""The command line: one file per command, and one place that turns errors into a line and a status.

Commands import what they need when they run, so that ``stemmata --help`` answers at once.
"""

from __future__ import annotations

import errno
import io
import os
import sys

import typer

from stemmata import __version__
from stemmata.cli import (
    batch,
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
from stemmata.cli.output import HELP

app = typer.Typer(
    name="stemmata",
    help="Who copied it, who wrote it, who hid it: detect text reuse and authorship, and measure detectors.",
    epilog="Start with: stemmata demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=HELP,
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
app.command("list")(listing.list_names)


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
STOPPED = 130
"""The exit status of a command that was interrupted from the keyboard."""


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
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name that the terminal cannot show must not cost the result.
        sys.stdout.reconfigure(errors="replace")
    try:
        status = typer.main.get_command(app)(arguments, prog_name="stemmata", standalone_mode=False)
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        status = STOPPED
    except BrokenPipeError:
        # Whoever read our output has had enough, as `| head` does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get("STEMMATA_DEBUG"):
            raise
        if line := explain(error):
            print("stemmata: " + " ".join(line.split()), file=sys.stderr)
        return 2
    if status == STOPPED:
        print("stemmata: stopped; nothing was left half-written", file=sys.stderr)
    return status if isinstance(status, int) else 0


def explain(error: Exception) -> str:
    """Return the line a user sees: code, place, what is wrong, remedy."""
    from typer.exceptions import TyperException

    from stemmata.model import ErrorCode, StemmataError

    if isinstance(error, StemmataError):
        return str(error)
    if isinstance(error, TyperException):
        # A command without its arguments has shown its help already and has nothing to add.
        said = error.format_message().strip()
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "stemmata"
        return f"E001 {said} (see: {command} --help)" if said else ""
    if isinstance(error, MemoryError):
        return "E002 out of memory (work in parts, or on a larger machine)"
    if isinstance(error, OSError) and error.errno in _FULL:
        place = str(error.filename or "output")
        return str(StemmataError(ErrorCode.CANNOT_WRITE, place, reason=error.strerror))
    what = f"{type(error).__name__}: {error}"[:200]
    return f"E003 internal error, {what} (please report it; STEMMATA_DEBUG=1 shows more)"
