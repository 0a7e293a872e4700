"""``stemmata cache``: what commands keep of texts and results, how much that is, and how to clear it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemmata.cli.help import group
from stemmata.cli.output import FormatOption, print_result
from stemmata.reports.tables import Format, Table

if TYPE_CHECKING:
    from stemmata.experiments.cache import Contents

app = group("What verify, mask and rank keep so as not to compute it again; masked texts are among it.")

CacheOption = Annotated[
    bool,
    typer.Option(
        "--no-cache",
        help="Keep nothing of this run in the cache, and use nothing of earlier ones; see: stemmata cache.",
    ),
]


@app.command()
def info(format: FormatOption = Format.TABLE) -> None:
    """Show where the cache lies, and how many files of each kind it holds.

    Example: stemmata cache info
    """
    from stemmata.experiments.cache import cache_contents

    found = cache_contents()
    _print(found, "in the cache", {"place": str(found.place), **_data(found)}, format)


@app.command()
def clear(
    older_than: Annotated[
        float,
        typer.Option("--older-than", min=0, max=36_500, metavar="DAYS", help="Leave what was made since."),
    ] = 0.0,
    format: FormatOption = Format.TABLE,
) -> None:
    """Remove from the cache what the program wrote there, without asking; nothing else is touched.

    What is needed again is computed again. Texts and pages that commands wrote elsewhere stay.

    Example: stemmata cache clear --older-than 30
    """
    from stemmata.experiments.cache import clear_cache

    removed = clear_cache(older_than)
    _print(removed, "removed", {"place": str(removed.place), "removed": _data(removed)}, format)


def _data(found: Contents) -> dict[str, Any]:
    return {
        "files": found.files.total(),
        "bytes": found.bytes.total(),
        "kinds": {
            kind: {"files": found.files[kind], "bytes": found.bytes[kind]} for kind in sorted(found.files)
        },
    }


def _print(found: Contents, what: str, data: dict[str, Any], format: Format) -> None:
    from stemmata.model.wording import counted

    files = found.files.total()
    rows: list[list[Any]] = [[kind, found.files[kind], found.bytes[kind]] for kind in sorted(found.files)]
    title = f"{counted(files, 'file')} {what}, {found.bytes.total():,} bytes"
    notes = (f"The cache: {found.place}",)
    print_result([Table(("Kind", "Files", "Bytes"), rows, title, notes, name="kinds")], data, format)
