"""Paths on the command line: where a command reads, the id of a registered corpus stands for its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

OverwriteOption = Annotated[
    bool,
    typer.Option(
        "--overwrite",
        help="Replace what the same command made there with other options. What something else made is "
        "never replaced.",
    ),
]


def path(text: str) -> Path:
    """Return the path a user means; the parser of every argument and option that is read from.

    What exists is a path. What does not may be the id of a known corpus, or an id and a path below it:
    ``pan/2013/text-alignment/train/susp``. Anything else is left to the command, which says what is missing.
    """
    given = Path(text)
    try:
        if given.exists() or given.is_symlink() or given.is_absolute():
            return given
    except (OSError, ValueError):
        return given
    from stemmata.corpora.registration import folder_of

    return folder_of(text) or _no_typing_error(given, text)


def _no_typing_error(given: Path, text: str) -> Path:
    """Return the path, unless the text is nearly the id of a corpus; the error then says which."""
    from difflib import get_close_matches

    from stemmata.corpora.manifest import known

    if get_close_matches(text, known(), n=1, cutoff=0.85):
        known()[text]
    return given
