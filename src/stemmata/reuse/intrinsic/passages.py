"""Windows that stand out, joined to passages."""

from __future__ import annotations

from stemmata.model import Detection, Document, Passage, SpanSet
from stemmata.model.spans import Ints


def passages(document: Document, starts: Ints, ends: Ints) -> list[Detection]:
    """Return detections of what the windows cover together; those that overlap or touch are one."""
    return [
        Detection(Passage(document.name, span.start, span.length))
        for span in SpanSet(zip(starts.tolist(), ends.tolist(), strict=True))
    ]
