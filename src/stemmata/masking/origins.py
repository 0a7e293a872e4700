"""Where obfuscators come from: who made them, how sure the recipe is, and what the originals reached."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Certainty = Literal["program", "paper", "survey", "conjecture"]


@dataclass(frozen=True)
class Origin:
    """Where an obfuscator comes from.

    Attributes
    ----------
    year, authors
        When it was made public, and by whom.
    certainty
        What the recipe is read from: the program, the paper, a survey; ``conjecture`` for less.
    share
        What the original reached of a perfect score in the world ranking of PAN 2018; None if not in it.
    """

    year: int
    authors: str
    certainty: Certainty
    share: float | None = None


@cache
def origins() -> Mapping[str, Origin]:
    """Return the origins of obfuscators by their names.

    Examples
    --------
    >>> origins()["kocher-savoy-2018"].share
    0.099
    """
    said = tomllib.loads((files("stemmata.masking") / "data" / "origins.toml").read_text("utf-8"))
    return {
        name: Origin(one["year"], one["authors"], one["certainty"], one.get("share"))
        for name, one in said.items()
    }
