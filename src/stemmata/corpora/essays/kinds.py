"""The kinds of change a writer claims, and whether the words bear the claim out.

The kinds and their bounds are those of PlagEvalRus (Smirnov et al., Dialogue 2017, section 3): words deleted
or added, about 20%; light paraphrase, about 30%; order changed; sentences joined or split; synonyms; heavy
rewriting that combines several of these; copies; and sentences of the writer's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from stemmata.corpora.essays.change import Change


class Kind(StrEnum):
    """A kind of change, by the code that tables use."""

    DELETED = "DEL"
    ADDED = "ADD"
    LIGHT = "LPR"
    SHUFFLED = "SHF"
    JOINED = "CCT"
    SPLIT = "SEP"
    SYNONYMS = "SYN"
    HEAVY = "HPR"
    COPIED = "CPY"
    OWN = "ORIG"


_ALIASES = {"SST": Kind.SPLIT}
"""Other codes that writers were given."""


def kind_of(code: str) -> Kind | None:
    """Return the kind that a code stands for, or None.

    Examples
    --------
    >>> kind_of("hpr"), kind_of("SST"), kind_of("XYZ")
    (<Kind.HEAVY: 'HPR'>, <Kind.SPLIT: 'SEP'>, None)
    """
    plain = code.strip().upper()
    if plain in _ALIASES:
        return _ALIASES[plain]
    return Kind(plain) if plain in set(Kind) else None


@dataclass(frozen=True)
class KindBounds:
    """How much may be changed; shares of the original's words.

    Attributes
    ----------
    few_words
        Most that a writer deletes, or adds.
    light
        Most of a light paraphrase, and least of a heavy one.
    copied
        Most of a copy.
    unclaimed
        Most that is changed in ways that the claimed kinds do not speak of.
    gross
        How many times a bound must be passed for the claim to be false rather than generous.
    """

    few_words: float = 0.2
    light: float = 0.3
    copied: float = 0.05
    unclaimed: float = 0.2
    gross: float = 2.0


@dataclass(frozen=True)
class Misfit:
    """A claim that the words do not bear out: what is wrong, and whether the claim is plainly false."""

    what: str
    false: bool
    beyond: bool = False
    unclaimed: bool = False


_CHANGES = ("reformed", "moved", "replaced", "deleted", "added")
_SPEAKS_OF = {
    Kind.DELETED: {"deleted"},
    Kind.ADDED: {"added"},
    Kind.LIGHT: set(_CHANGES),
    Kind.SHUFFLED: {"moved"},
    # Conjunctions come and go where sentences are joined and split.
    Kind.JOINED: {"added", "deleted"},
    Kind.SPLIT: {"added", "deleted"},
    # An abbreviation is fewer words than it stands for.
    Kind.SYNONYMS: {"replaced", "added", "deleted"},
    Kind.HEAVY: set(_CHANGES),
    Kind.COPIED: set[str](),
    Kind.OWN: set[str](),
}


def misfits(kinds: set[Kind], change: Change, bounds: KindBounds) -> Iterator[Misfit]:
    """Give what speaks against the claim that these kinds of change were made."""
    changed = change.share(*_CHANGES)
    yield from _unseen(kinds, change, changed, bounds)
    if Kind.HEAVY in kinds:
        return
    if Kind.DELETED in kinds and not kinds & {Kind.LIGHT, Kind.SPLIT}:
        yield from _beyond("DEL", "words are deleted", change.deleted, bounds.few_words, change, bounds)
    if Kind.ADDED in kinds and not kinds & {Kind.LIGHT, Kind.JOINED}:
        yield from _beyond("ADD", "words are added", change.added, bounds.few_words, change, bounds)
    if Kind.LIGHT in kinds:
        count = round(changed * change.before)
        yield from _beyond("LPR", "words are changed", count, bounds.light, change, bounds)
    spoken_of = set().union(*(_SPEAKS_OF[kind] for kind in kinds))
    others = [name for name in _CHANGES if name not in spoken_of]
    rest = change.share(*others)
    if Kind.COPIED not in kinds and rest > bounds.unclaimed:
        told = ", ".join(f"{getattr(change, name)} {name}" for name in others if getattr(change, name))
        what = f"{'+'.join(sorted(kinds))}, but {rest:.0%} of the words are changed otherwise ({told})"
        yield Misfit(what, false=False, unclaimed=True)


def _unseen(kinds: set[Kind], change: Change, changed: float, bounds: KindBounds) -> Iterator[Misfit]:
    """Give the kinds of which nothing is to be seen."""
    before, after = change.sentences
    seen = {
        Kind.DELETED: (change.deleted, "no word is deleted"),
        Kind.ADDED: (change.added, "no word is added"),
        Kind.LIGHT: (changed, "nothing is changed"),
        Kind.SHUFFLED: (change.moved, "no word has moved"),
        Kind.JOINED: (after < before, f"{before} sentences of the original are still {after}"),
        Kind.SPLIT: (after > before, f"{before} sentences of the original are still {after}"),
        Kind.SYNONYMS: (change.replaced, "no word is replaced"),
        Kind.HEAVY: (changed >= bounds.light, f"only {changed:.0%} of the words are changed"),
        Kind.COPIED: (changed <= bounds.copied, f"{changed:.0%} of the words are changed"),
    }
    for kind in sorted(kinds & seen.keys()):
        sign, what = seen[kind]
        if not sign:
            yield Misfit(f"{kind}, but {what}", false=True)


def _beyond(
    code: str, what: str, count: int, bound: float, change: Change, bounds: KindBounds
) -> Iterator[Misfit]:
    # Of four words one cannot delete less than a quarter.
    if count > max(1, bound * change.before):
        share = count / max(change.before, 1)
        gross = share > bounds.gross * bound
        yield Misfit(f"{code}, but {share:.0%} of {change.before} {what}", false=gross, beyond=True)
