"""Who hid it: obfuscators, which rewrite a text so that its author cannot be told."""

from __future__ import annotations

from collections.abc import Callable

from stemmata.model import Obfuscator, Registry

obfuscators: Registry[Callable[..., Obfuscator]] = Registry(
    "obfuscator",
    {},
)
"""Obfuscators by name; calling one makes it ready to `mask`."""

__all__ = ["obfuscators"]
