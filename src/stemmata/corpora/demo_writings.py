"""The writings of ``stemmata demo``: problems of verification, and a text to mask, by made-up authors."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

LETTER, SAMPLES, OTHERS = "letter.txt", "samples", "others"
"""The text to mask, the folder with others by its author, and the folder with texts by others."""


@cache
def _writings() -> dict[str, Any]:
    source = files("stemmata.corpora").joinpath("demo_writings.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _text(name: str) -> str:
    """Return a writing as a file holds it: one line."""
    return " ".join(str(_writings()["texts"][name]).split()) + "\n"


def write_problems(folder: Path) -> None:
    """Write six problems as PAN lays them out, with their truth."""
    truth = ""
    for name, problem in _writings()["problems"].items():
        _write(folder / name / "known01.txt", _text(problem["known"]))
        _write(folder / name / "unknown.txt", _text(problem["unknown"]))
        truth += f"{name} {'Y' if problem['same'] else 'N'}\n"
    _write(folder / "truth.txt", truth)


def write_text_to_mask(folder: Path) -> None:
    """Write a text, with others by its author and texts by others to compare it with."""
    task = _writings()["masking"]
    _write(folder / LETTER, _text(task["text"]))
    author = str(task["text"]).partition(" ")[0]
    for name in _writings()["texts"]:
        place = SAMPLES if name in task["samples"] else "" if name.startswith(author) else OTHERS
        if place:
            _write(folder / place / f"{name.replace(' ', '-')}.txt", _text(name))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
