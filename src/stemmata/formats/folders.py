"""What lies in a folder, and what may be put there."""

from __future__ import annotations

import os
import re
from pathlib import Path

from stemmata.formats.records import is_record
from stemmata.model import ErrorCode, StemmataError

MOST_NAME_CHARACTERS = 200
MOST_NAME_BYTES = 255
"""More no common file system takes."""
_SHOWN = 80
_unseen = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]").search


def entries(folder: str | Path, pattern: str = "*") -> list[Path]:
    """Return what lies right in a folder and fits the pattern, sorted.

    Hidden files do not count, nor does the record of how a command made the folder.
    """
    try:
        found = [path for path in Path(folder).iterdir() if not path.name.startswith(".")]
    except OSError as error:
        raise StemmataError(ErrorCode.UNREADABLE, folder, reason=error.strerror or str(error)) from None
    return sorted(path for path in found if path.match(pattern) and not is_record(path))


def folders_in(folder: str | Path) -> list[Path]:
    """Return the folders right in a folder, sorted; hidden ones do not count."""
    return [path for path in entries(folder) if path.is_dir()]


def check_writable(folder: str | Path) -> None:
    """Refuse a folder that nothing can be written into; it need not be there yet.

    Raises
    ------
    StemmataError
        E107.
    """
    place = Path(folder)
    there = next(one for one in (place, *place.parents) if os.path.lexists(one))
    if not there.is_dir():
        raise StemmataError(ErrorCode.CANNOT_WRITE, folder, reason=f"{there} is no folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise StemmataError(ErrorCode.CANNOT_WRITE, folder, reason="no permission to write there")


def folder_name_fault(name: str) -> str:
    """Return why a text from outside cannot be the name of one folder inside another; empty if it can.

    Examples
    --------
    >>> folder_name_fault("EN001"), folder_name_fault("../EN001")
    ('', 'it has a path separator')
    """
    faults = {
        "it is empty": not name,
        "it stands for another folder": name in (".", ".."),
        "it has a path separator": "/" in name or "\\" in name,
        "it has a control character": _unseen(name),
        "it begins or ends with white space": name != name.strip(),
        "it begins with a dot, so that its folder would be hidden": name.startswith("."),
        f"it is longer than {MOST_NAME_CHARACTERS} characters": len(name) > MOST_NAME_CHARACTERS,
        f"it is longer than {MOST_NAME_BYTES} bytes": len(name.encode(errors="replace")) > MOST_NAME_BYTES,
    }
    return next((reason for reason, applies in faults.items() if applies), "")


def problem_folder(folder: str | Path, problem: str) -> Path:
    """Return the folder of a problem right in another, to write to; nothing leads out of that one.

    Raises
    ------
    StemmataError
        E787 if the id is no name of one folder, E107 if it is a link.
    """
    if reason := folder_name_fault(problem):
        raise StemmataError(ErrorCode.BAD_PROBLEM_ID, folder, name=problem[:_SHOWN], reason=reason)
    inside = Path(folder) / problem
    if inside.is_symlink():
        raise StemmataError(ErrorCode.CANNOT_WRITE, inside, reason="it is a link, which may lead anywhere")
    return inside
