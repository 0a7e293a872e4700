"""Where a user's own files are kept: below the home folder, if there is one."""

from __future__ import annotations

from pathlib import Path


def home_folder() -> Path:
    """Return the user's home folder; one that is not there for a user without, as in a container.

    So what is kept between runs is not kept, and what was to be stored is refused where it is written.
    """
    try:
        return Path.home()
    except RuntimeError:
        return Path("/nonexistent")
