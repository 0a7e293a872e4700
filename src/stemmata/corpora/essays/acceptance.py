"""From an essay that was accepted to a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stemmata.corpora.essays.checks import check_essay
from stemmata.corpora.essays.findings import EssayFinding, Severity
from stemmata.formats.essays import Essay, write_essay
from stemmata.model import ErrorCode, StemmataError


def essay_as_corpus(
    essay: Essay,
    folder: str | Path,
    findings: Sequence[EssayFinding] | None = None,
    force: bool = False,
) -> None:
    """Write an essay as a corpus in the layout of PAN13, if nothing fatal was found.

    Parameters
    ----------
    essay
        The essay.
    folder
        Where to write, new or empty.
    findings
        What was found; by default the essay is checked here.
    force
        Write it whatever was found. Rows that could not be placed are no cases all the same.
    """
    found = check_essay(essay) if findings is None else findings
    fatal = [one for one in found if one.severity is Severity.FATAL]
    if fatal and not force:
        raise StemmataError(
            ErrorCode.ESSAY_REFUSED, essay.document.name, count=len(fatal), first=fatal[0].message
        )
    write_essay(folder, essay)
