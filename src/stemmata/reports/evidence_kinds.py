"""The kind of reuse of a passage, from the shares of words that were kept, moved and left out.

The thresholds are for reading, not for scoring: a passage close to one of them may be called either
name, so the report always gives the shares as the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from stemmata.reports.evidence_words import Change, Comparison

VERBATIM = 0.9
"""Share of words kept in their order, on both sides, from which a passage is verbatim."""
LIGHT = 0.6
"""The same share from which changes are light."""
SUMMARY = 0.5
"""Length in words, as a share of the source passage's, up to which a passage is a summary."""
ALIKE = 0.2
"""Share of words found in the source below which shared wording alone says little."""


class Kind(StrEnum):
    """How a passage relates to its source."""

    VERBATIM = "verbatim"
    LIGHT = "light change"
    PARAPHRASE = "paraphrase"
    SUMMARY = "summary"
    UNKNOWN = "no source"


@dataclass(frozen=True)
class Judgement:
    """A kind of reuse and why it was chosen."""

    kind: Kind
    reason: str


def judge(compared: Comparison | None) -> Judgement:
    """Name the kind of reuse of a passage.

    In this order: *verbatim* where at least 90% of the words of both passages are the same in the same
    order; *summary* where the passage has at most half the words of its source; *light change* from
    60% of the words of both passages; *paraphrase* otherwise.

    Examples
    --------
    >>> from stemmata.reports.evidence_words import compare_words
    >>> judge(compare_words("one two three", "one two three")).kind.value
    'verbatim'
    """
    if compared is None:
        return Judgement(Kind.UNKNOWN, "the run names no source for it")
    mine, theirs = compared.suspicious, compared.source
    if not len(mine) or not len(theirs):
        return Judgement(Kind.PARAPHRASE, "one of the two passages has no words to compare")
    equal = mine.count(Change.EQUAL)
    kept = equal / max(len(mine), len(theirs))
    found = (equal + mine.count(Change.MOVED)) / len(mine)
    length = len(mine) / len(theirs)
    if kept >= VERBATIM:
        same = "all words" if kept == 1 else f"{_percent(kept)} of the words"
        return Judgement(Kind.VERBATIM, f"{same} are the same in the same order")
    if length <= SUMMARY:
        return Judgement(
            Kind.SUMMARY,
            f"it has {_percent(length)} of the length of its source, "
            f"and {_percent(found)} of its words are found there",
        )
    if kept >= LIGHT:
        return Judgement(Kind.LIGHT, f"{_percent(kept)} of the words are the same in the same order")
    moved = mine.count(Change.MOVED) / len(mine)
    elsewhere = f", {_percent(moved)} elsewhere in it" if moved else ""
    reason = f"{_percent(equal / len(mine))} of its words stand in the source in the same order{elsewhere}"
    if found < ALIKE:
        reason += "; so few may be chance, or a translation: read both"
    return Judgement(Kind.PARAPHRASE, reason)


def _percent(share: float) -> str:
    """Round down: 89.9% must not read as the 90% that it does not reach."""
    return f"{int(100 * share + 1e-9)}%"
