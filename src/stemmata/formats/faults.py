"""One reader for two uses: it stops at the first fault, or reports each fault and goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from stemmata.model import ErrorCode, Finding, Place, StemmataError

Report = Callable[[Finding], None]


def fault(report: Report | None, kind: ErrorCode, place: Place | Path | str, **details: object) -> None:
    """Hand a fault to `report`; where nobody listens, raise it."""
    if report is None:
        raise StemmataError(kind, place, **details)
    report(Finding.of(kind, place, **details))


@contextmanager
def reported(report: Report | None) -> Iterator[None]:
    """Hand an error of the block to `report`, if somebody listens; what follows the block goes on."""
    try:
        yield
    except StemmataError as error:
        if report is None:
            raise
        report(error.finding)
