"""No obfuscation: the passage as it is."""

from __future__ import annotations

from dataclasses import dataclass

from stemmata.rewriting.edits import Rewriting
from stemmata.rewriting.strategy import Scene


@dataclass(frozen=True)
class Unchanged:
    """Copy the passage."""

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage without an edit."""
        return Rewriting(text)
