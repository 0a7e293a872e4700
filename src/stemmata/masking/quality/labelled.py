"""The grades that quality was learned from: PAN16's obfuscations, with their originals.

Sensibleness was graded by three people, 60 pieces of each of three systems. Soundness comes from a program,
for most pieces of all 205 problems.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stemmata.formats.files import read_text
from stemmata.formats.json_text import read_json
from stemmata.formats.obfuscation import read_obfuscation

SYSTEMS = ("A", "B", "C")


class Labelled(NamedTuple):
    """A piece, what became of it, and its grade."""

    system: str
    problem: str
    original: str
    obfuscated: str
    grade: float


def sensibleness_labels(folder: Path) -> list[Labelled]:
    """Return the pieces that people graded from 0 to 2, with the mean of their grades."""
    found = []
    for system in SYSTEMS:
        for one in read_json(folder / "sensibleness" / f"sensibleness_team_{system.lower()}.json"):
            pieces = read_obfuscation(folder / "runs" / system / one["problem"])
            piece = next(piece for piece in pieces if piece.id == one["obfuscation-id"])
            grade = float(np.mean([float(label) for label in one["sensibleness"].values()]))
            found.append(Labelled(system, one["problem"], piece.original, one["obfuscation"], grade))
    return found


def soundness_labels(folder: Path, most: int, seed: int = 1) -> list[Labelled]:
    """Return a sample of the pieces graded from 0 to 5 by similarity, as many of each system."""
    rng = np.random.default_rng(seed)
    found = []
    for system in SYSTEMS:
        problems = _problems(folder / "runs" / system)
        pairs = read_text(folder / "soundness" / f"pairs{system}.csv").removeprefix("\ufeff").splitlines()
        file = next((folder / "soundness").glob(f"*.pairs{system}.txt"))
        grades = read_text(file).split()
        for number in rng.permutation(len(pairs))[:most].tolist():
            obfuscated, _, original = pairs[number].partition("\t")
            problem = problems.get(_key(obfuscated, original), f"{system} {number}")
            found.append(Labelled(system, problem, original, obfuscated, float(grades[number])))
    return found


def _problems(run: Path) -> dict[str, str]:
    """Return the problem of each piece by its text."""
    return {
        _key(piece.obfuscation, piece.original): folder.name
        for folder in sorted(run.iterdir())
        for piece in read_obfuscation(folder)
    }


def _key(*texts: str) -> str:
    return "|".join("".join(text.split()) for text in texts)


def unedited(labels: Iterable[Labelled]) -> list[Labelled]:
    """Return the originals as if nothing had been done to them; nobody graded them, so that they count 2."""
    originals = {(one.problem, one.original) for one in labels}
    return [Labelled("unedited", problem, text, text, 2.0) for problem, text in sorted(originals)]


def shuffled(labels: Sequence[Labelled], seed: int = 1) -> list[Labelled]:
    """Return the originals with their words in random order, if there are five or more; they count 0."""
    rng = np.random.default_rng(seed)
    found = []
    for one in unedited(labels):
        words = one.original.split()
        if len(words) >= 5:
            text = " ".join(words[place] for place in rng.permutation(len(words)))
            found.append(Labelled("shuffled", one.problem, one.original, text, 0.0))
    return found


def unrelated(labels: Sequence[Labelled]) -> list[Labelled]:
    """Return every tenth piece beside a piece of another problem, which keeps nothing of it and counts 0."""
    found = []
    for place, one in enumerate(labels):
        other = next((two for two in labels[place:] if two.problem != one.problem), None)
        if place % 10 == 0 and other is not None:
            found.append(Labelled("unrelated", one.problem, one.original, other.original, 0.0))
    return found
