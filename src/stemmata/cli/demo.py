"""``stemmata demo``: from nothing to a ranked, scored and readable result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    folder: Annotated[Path, typer.Argument(help="Where to put the corpus, the runs and the report.")] = Path(
        "stemmata-demo"
    ),
    seed: Annotated[int, typer.Option("--seed", help="Another seed makes another corpus.")] = 7,
) -> None:
    """Build a small corpus, detect reuse in it three ways, score and rank them, and write a report."""
