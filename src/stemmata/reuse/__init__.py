"""Who copied it: detectors that align a suspicious document with its sources."""

from __future__ import annotations

from collections.abc import Callable

from stemmata.model import Aligner, Registry

detectors: Registry[Callable[..., Aligner]] = Registry(
    "detector",
    {
        "pan-baseline": "stemmata.reuse.pan_baseline:PanBaseline",
        "shingles": "stemmata.reuse.shingles:Shingles",
    },
)
"""Aligners by name; calling one with its parameters makes it ready to `align`."""
