"""Who does the work: options that all commands share which spread it over processes or a cluster."""

from __future__ import annotations

import os
from typing import Annotated

import typer

PROCESSES = os.cpu_count() or 1
"""As many as there are processors."""

JobsOption = Annotated[
    int, typer.Option("--jobs", "-j", min=1, help="Processes; the result does not depend on it.")
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
