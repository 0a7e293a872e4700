"""What every way of rewriting offers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from numpy.random import Generator, default_rng

from stemmata.rewriting.edits import Rewriting


@dataclass(frozen=True)
class Scene:
    """Where and with what luck a passage is rewritten.

    Attributes
    ----------
    rng
        The source of all randomness: the same scene gives the same rewriting.
    language
        Language of the passage.
    host
        Words of the document that will receive the passage, for what is inserted.
    """

    rng: Generator = field(default_factory=lambda: default_rng(1), repr=False)
    language: str = "en"
    host: tuple[str, ...] = ()


@runtime_checkable
class Strategy(Protocol):
    """A way of rewriting a passage."""

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage as rewritten, with what was done where."""
        ...
