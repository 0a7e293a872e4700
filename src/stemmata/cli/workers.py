"""Who does the work, and how much: options that commands share which spread it, and which bound it."""

from __future__ import annotations

import os
from typing import Annotated

import typer

PROCESSES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
"""As many as there are processors that we may use."""

MOST_JOBS = 256
"""Each process takes memory for what it loads, and files that a system gives out by the thousand."""
JobsOption = Annotated[
    int,
    typer.Option("--jobs", "-j", min=1, max=MOST_JOBS, help="Processes; the result does not depend on it."),
]
SparkOption = Annotated[
    str | None,
    typer.Option(
        "--spark",
        metavar="URL",
        help="Do the work on a Spark cluster, such as spark://host:7077, whose machines share what is read, "
        "what is written and the cache; see docs/spark.md.",
        show_default=False,
    ),
]
MostCharactersOption = Annotated[
    int, typer.Option("--most-characters", min=1, max=100_000_000, help="Cut longer texts here.")
]
MOST_CHARACTERS = 1_000_000
"""What verifiers are shown of a text."""
