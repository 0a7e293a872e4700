"""The runs of obfuscators: where their ``obfuscation.json`` lie, and of which system and text each is."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from stemmata.formats.obfuscation import FILE, read_obfuscation
from stemmata.model import StemmataError

MOST_DEPTH = 4
"""Folders below the given one that are looked into."""
RANKING, RANKED_TEXTS = "ranking.json", "texts"
"""What `stemmata rank` writes: its results, and ``texts/OBFUSCATOR/CORPUS/PROBLEM`` beside them."""
_OPENING = 60
"""So many characters tell texts apart."""


class RunText(NamedTuple):
    """A text that a system obfuscated."""

    system: str
    text: str
    file: Path


def obfuscation_files(folder: Path) -> Iterator[Path]:
    """Yield every ``obfuscation.json`` in a folder or up to four folders below; hidden ones do not count."""
    for place, folders, files in os.walk(folder):
        if len(Path(place).relative_to(folder).parts) >= MOST_DEPTH:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if FILE in files:
            yield Path(place) / FILE


def find_runs(path: Path) -> list[RunText]:
    """Return all obfuscations of a folder, each with its system and its text.

    The folder around a file is the text, such as ``problem-001``; the one around that is the system. A file
    in the given folder itself, or given itself, is a text of a system called as the folder. Two layouts have
    a corpus between system and text, which is then ``CORPUS/TEXT``: the texts of a ranking, and folders
    three deep whose outer ones are systems by what is in them, see `_outer_systems`.
    """
    files = list(obfuscation_files(path)) if path.is_dir() else [path]
    whole = path.resolve() if path.is_dir() else path.resolve().parent
    ranking = _ranked_texts(whole)
    outer = _outer_systems(path, files)
    found = []
    for file in files:
        inside = file.relative_to(path).parts[:-1] if file != path else ()
        place = whole.joinpath(*inside)
        if ranking and place.is_relative_to(ranking) and len(place.relative_to(ranking).parts) == 3:
            system, *text = place.relative_to(ranking).parts
        elif outer and len(inside) > 2:
            system, *text = inside[-3:]
        elif len(inside) > 1:
            system, *text = inside[-2:]
        else:
            system, text = whole.name, [*inside] or [whole.name]
        found.append(RunText(system, "/".join(text), file))
    return found


def _ranked_texts(folder: Path) -> Path | None:
    """Return the folder with the texts of a ranking that a folder is, belongs to or holds."""
    for place in (folder, *folder.parents[:MOST_DEPTH]):
        if (place / RANKING).is_file():
            return place / RANKED_TEXTS
    return None


def _outer_systems(folder: Path, files: Sequence[Path]) -> bool:
    """Tell whether files lie in ``SYSTEM/CORPUS/TEXT`` rather than in ``GROUP/SYSTEM/TEXT``.

    A system obfuscates a text once, or a few times where problems share it. So the level whose folders hold
    fewer texts twice is that of the systems; where both do alike, it is the one next to the texts.
    """
    seen: tuple[Counter[tuple[str, str]], ...] = (Counter(), Counter())
    for file in files:
        inside = file.relative_to(folder).parts[:-1] if file != folder else ()
        if len(inside) > 2 and (opening := _opening(file)):
            for names, system in zip(seen, inside[-3:-1], strict=True):
                names[system, opening] += 1
    outer, inner = (names.total() - len(names) for names in seen)
    return outer < inner


def _opening(file: Path) -> str:
    """Return how the original begins, white space aside, which some systems squeeze."""
    opening = ""
    with suppress(StemmataError):
        for piece in read_obfuscation(file, lambda _: None):
            opening += "".join(piece.original.split())
            if len(opening) >= _OPENING:
                break
    return opening[:_OPENING]
