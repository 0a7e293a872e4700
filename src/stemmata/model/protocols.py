"""What a system must offer to be scored, compared and run: one method per task."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from stemmata.model.annotations import Detection
from stemmata.model.documents import Pair


@runtime_checkable
class Aligner(Protocol):
    """Finds the passages of a suspicious document that come from a given source document."""

    def align(self, pair: Pair) -> list[Detection]:
        """Return the detections in this pair, in no particular order."""
        ...
