"""The detectors that can run here; one whose packages are not installed is left out, and said so."""

from __future__ import annotations

from stemmata.model import Aligner, StemmataError
from stemmata.reuse import detectors


def available_detectors() -> dict[str, Aligner]:
    """Return the detectors by name, ready to align."""
    ready: dict[str, Aligner] = {}
    for name in detectors:
        try:
            ready[name] = detectors[name]()
        except StemmataError as error:
            print(f"\n{name} is left out: {error}")
    return ready
