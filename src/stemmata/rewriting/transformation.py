"""Transformations: changes that could be made to a text, each good by itself, for others to choose from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from stemmata.rewriting.edits import Edit


class Transformation(Protocol):
    """Proposes edits of a text."""

    def proposals(self, text: str) -> list[Edit]:
        """Return edits in order, each of which changes something and is good without the others.

        Alternatives may overlap.
        """
        ...


def apart(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits that keep apart from one another; of two that touch, the one that comes first.

    Examples
    --------
    >>> apart([Edit(0, 2, "x", "a"), Edit(1, 3, "y", "b"), Edit(2, 3, "z", "c"), Edit(4, 5, "", "d")])
    [Edit(start=0, end=2, replacement='x', kind='a'), Edit(start=4, end=5, replacement='', kind='d')]
    """
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit[:2]):
        if not kept or edit.start > kept[-1].end:
            kept.append(edit)
    return kept


def in_order(edits: Iterable[Edit], text: str) -> list[Edit]:
    """Return edits in order and once, without those that change nothing."""
    real = {edit: None for edit in edits if text[edit.start : edit.end] != edit.replacement}
    return sorted(real, key=lambda edit: edit[:2])
