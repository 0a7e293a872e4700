"""Where verifiers come from: who made them, how sure the recipe is, and what the originals scored."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Literal

Certainty = Literal["program", "paper", "survey", "conjecture"]
CORPORA = ("pan13", "pan14-ee", "pan14-en", "pan15")
"""The test sets for which scores of the originals are public."""


@dataclass(frozen=True)
class Origin:
    """Where a verifier comes from.

    Attributes
    ----------
    year, authors
        When it was made public, and by whom.
    certainty
        What the recipe is read from: the program, the paper or slides, a survey; ``conjecture`` means that
        only a title or less is known and the recipe is the most plausible of that description.
    published
        By corpus, what the original scored on the test set: AUC, c@1, and accuracy at the best threshold.
    """

    year: int
    authors: str
    certainty: Certainty
    published: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)


@cache
def origins() -> Mapping[str, Origin]:
    """Return the origins of all verifiers but ours by their ids.

    Examples
    --------
    >>> origins()["vandam13"].certainty
    'program'
    """
    said = tomllib.loads((files("stemmata.authorship") / "data" / "origins.toml").read_text("utf-8"))
    return {
        name: Origin(
            one["year"],
            one["authors"],
            one["certainty"],
            {corpus: tuple(one[corpus]) for corpus in CORPORA if corpus in one},
        )
        for name, one in said.items()
    }
