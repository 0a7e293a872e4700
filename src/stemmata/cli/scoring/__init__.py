"""``stemmata score``: one command per task, each measured exactly as its shared task does."""

from __future__ import annotations

import typer

from stemmata.cli.scoring import alignment

app = typer.Typer(no_args_is_help=True, help="Measure how well a system did, exactly as PAN does.")
app.command("alignment")(alignment.alignment)


@app.callback()
def _score() -> None:
    """Measure how well a system did, exactly as PAN does."""
