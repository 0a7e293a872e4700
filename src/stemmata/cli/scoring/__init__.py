"""``stemmata score``: one command per task, each measured exactly as its shared task does."""

from __future__ import annotations

import typer

from stemmata.cli.output import HELP
from stemmata.cli.scoring import alignment, quality, retrieval, safety, verification

app = typer.Typer(
    no_args_is_help=True,
    help="Measure how well a system did, exactly as PAN does.",
    rich_markup_mode=HELP,
)
app.command("alignment")(alignment.alignment)
app.command("verification")(verification.verification)
app.command("safety")(safety.safety)
app.command("retrieval")(retrieval.retrieval)
app.command("quality")(quality.quality)


@app.callback()
def _score() -> None:
    """Measure how well a system did, exactly as PAN does."""
