"""The page about one masked text: both versions, how recognisable each is, what changed, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from stemmata.masking.quality.scales import school_grade_label, soundness_word
from stemmata.model import Piece
from stemmata.reports.html import render_page
from stemmata.reports.side_by_side import rows_of

MOST_ROWS = 1500
"""Pieces that are shown; of a longer text, the rest is in the file."""


@dataclass(frozen=True)
class Witness:
    """What a verifier says of the text before and after: its scores, and whether it recognises each.

    Attributes
    ----------
    own
        Mean score of the author's other texts; None if there is but one.
    others
        Scores of texts by others.
    nearer
        How many of these look as much like the author's as the text did, and as it does now.
    doubt
        Why its answers are not safe to judge by; nothing if they are.
    """

    name: str
    before: float
    after: float
    threshold: float
    was: bool
    still: bool
    own: float | None = None
    others: tuple[float, ...] = ()
    nearer: tuple[int, int] = (0, 0)
    doubt: str = ""


@dataclass(frozen=True)
class Cost:
    """What masking cost: predicted grades if they could be had, and what was lost or added.

    Attributes
    ----------
    soundness, sensibleness
        From 0 to 5, and from 0 to 2; None where they are not predicted.
    ungraded
        Why they are not.
    lost
        By kind (numbers, names, negations), what is no longer there, and what was not there before.
    """

    soundness: float | None = None
    sensibleness: float | None = None
    lost: Mapping[str, tuple[Sequence[str], Sequence[str]]] = field(default_factory=dict)
    ungraded: str = ""

    @property
    def soundness_word(self) -> str | None:
        """Correct, passable or incorrect."""
        return None if self.soundness is None else soundness_word(self.soundness)

    @property
    def school_grade(self) -> str | None:
        """What sensibleness is at school: 1 is excellent, 5 a fail."""
        return None if self.sensibleness is None else school_grade_label(self.sensibleness)


@dataclass(frozen=True)
class MaskedText:
    """All that the page shows.

    Attributes
    ----------
    samples, others
        How many other texts of the author there were, and of others.
    parted
        Whether there were enough of others to tell where a verifier's scores part.
    counts
        Edits by kind; None where the obfuscator does not tell.
    kept_words, length
        Share of words kept, and words after over words before.
    phrases
        Runs of words that the masked text shares with the samples.
    named
        Names, dates and places that stand in it, by kind.
    kept
        Whether the cache holds the texts, too.
    """

    name: str
    obfuscator: str
    pieces: Sequence[Piece] = field(repr=False)
    words: int
    kept_words: float
    length: float
    samples: int
    others: int
    witnesses: Sequence[Witness]
    counts: Mapping[str, int] | None
    cost: Cost
    command: str
    notes: Sequence[str] = ()
    parted: bool = False
    phrases: Sequence[str] = ()
    named: Mapping[str, Sequence[str]] = field(default_factory=dict)
    kept: bool = True

    @property
    def recognised(self) -> tuple[int, int]:
        """How many verifiers recognised the text, and how many still do."""
        return sum(one.was for one in self.judges), sum(one.still for one in self.judges)

    @property
    def judges(self) -> list[Witness]:
        """Verifiers that are safe to judge by."""
        return [one for one in self.witnesses if not one.doubt]


def masked_page(text: MaskedText) -> str:
    """Return the page."""
    rows = rows_of(text.pieces, MOST_ROWS)
    shown = sum(row.same or 1 for row in rows)
    return render_page(
        "masking.html.j2", text=text, rows=rows, left_out=max(0, len(text.pieces) - shown), kinds=text.counts
    )
