"""Rewriting: transformations of text that keep track of every offset, shared by corpora and masking."""

from __future__ import annotations

from collections.abc import Callable

from stemmata.model import Registry
from stemmata.rewriting.edits import Edit, Rewriting, in_turn, rewritten
from stemmata.rewriting.strategy import Scene, Strategy

strategies: Registry[Callable[..., Strategy]] = Registry("strategy", {}, families="strategies")
"""Strategies by name; calling one with its parameters makes it ready to `rewrite`."""

__all__ = ["Edit", "Rewriting", "Scene", "Strategy", "in_turn", "rewritten", "strategies"]
