"""What can be wrong with an essay, how bad it is, and the bounds between right and wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from stemmata.corpora.essays.kinds import KindBounds


class Severity(StrEnum):
    """How bad a finding is: a fatal one blocks the essay, a serious one wants work, a medium one a look."""

    FATAL = "fatal"
    SERIOUS = "serious"
    MEDIUM = "medium"


@dataclass(frozen=True)
class EssayFinding:
    """One thing that is wrong with an essay.

    Attributes
    ----------
    severity
        How bad it is.
    code
        The rule that is broken, such as ``"kind-unfit"``; docs/essays.md lists all.
    row
        The row of the table, or None for the essay as a whole.
    message
        What is wrong.
    """

    severity: Severity
    code: str
    row: int | None
    message: str


@dataclass(frozen=True)
class EssayRules:
    """The bounds that an essay is checked by.

    All but the last three are the organisers' own; see docs/essays.md.

    Attributes
    ----------
    sources
        Least number of sources that sentences were taken from.
    source_share
        Least share of the fragments from each of them.
    sentences
        Least number of sentences.
    significant_words
        Least words of a fragment that are no stop words.
    sentence_words
        Least mean length of a sentence.
    own
        Share of the sentences that are the writer's own, from and to.
    heavy
        Share of the fragments that are rewritten heavily, from and to.
    copies
        Whether copies are allowed: they are in the first set of essays, not in later ones.
    kinds
        How much may be changed under each kind.
    missing
        Largest share of originals that may be missing from their sources.
    distance
        Least mean lexical distance between fragments and originals.
    originality
        Least share of the essay's runs of five words that no source has.
    """

    sources: int = 5
    source_share: float = 0.05
    sentences: int = 100
    significant_words: int = 5
    sentence_words: float = 9.0
    own: tuple[float, float] = (0.05, 0.1)
    heavy: tuple[float, float] = (0.2, 0.4)
    copies: bool = True
    kinds: KindBounds = field(default_factory=KindBounds)
    missing: float = 0.05
    distance: float = 0.1
    originality: float = 0.2
