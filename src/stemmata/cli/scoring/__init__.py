"""``stemmata score``: one command per task, each measured exactly as its shared task does."""

from __future__ import annotations

from stemmata.cli.help import group
from stemmata.cli.scoring import alignment, quality, retrieval, safety, verification

app = group("Measure how well a system did, exactly as PAN does.")
app.command("alignment")(alignment.alignment)
app.command("verification")(verification.verification)
app.command("safety")(safety.safety)
app.command("retrieval")(retrieval.retrieval)
app.command("quality")(quality.quality)


@app.callback()
def _score() -> None:
    """Measure how well a system did, exactly as PAN does."""
