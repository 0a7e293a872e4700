"""Problems as rows of numbers: how much more alike the two texts are than either is to texts of others.

In each respect, the similarity of the unknown text and a known one is standardised twice: against those of
the unknown text and others' texts, and against those of the known text and others' texts. What all texts of a
kind share, such as genre, topic and length, drops out.

Where the texts of a batch recur in many problems, as in a grid of unknown and known texts, few authors wrote
them all. Two texts of one author are then like the same third texts: a similarity of the second order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.distances import cosine
from stemmata.authorship.families import Characters
from stemmata.authorship.statistical.spaces import ANGLE, FAMILIES, RESPECTS, Space

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SECOND_ORDER = "second order"
NAMES = (*(f"{respect.family}, {respect.measure}" for respect in RESPECTS), SECOND_ORDER)
"""What the numbers of a row are."""
NEAR, NEAREST = 100, 50
"""Texts of others that a problem is compared with, those most like its own: in their roles, or of any."""
NEARNESS, MOST_NEARNESS = Characters(3), 2000
"""By what texts most like a problem's are chosen."""
FEWEST = 3
"""With fewer texts of others, nothing is usual."""
FREELY = 4.0
"""By this the number of the second order is larger, so that its weight, one among many, is learned freely."""


@dataclass(frozen=True)
class References:
    """Texts of others, with the spaces they make.

    Attributes
    ----------
    batch
        The texts, as those of a batch.
    spaces
        One for each of `FAMILIES`, then the one in which those most like a problem's texts are chosen.
    """

    batch: Batch = field(repr=False)
    spaces: Sequence[Space] = field(repr=False)

    @classmethod
    def of(cls, batch: Batch) -> References:
        """Make the spaces of the texts of a batch."""
        families = (*FAMILIES, (NEARNESS, MOST_NEARNESS))
        return cls(batch, [Space.of(batch.counts(family), family, most) for family, most in families])

    def rows(self, place: int) -> Floats:
        """Return the rows of the texts in one of the spaces."""
        space = self.spaces[place]
        kept = self.batch.counts(space.family).first(len(space.columns))
        return np.asarray(kept.frequencies.toarray(), np.float64)


@dataclass(frozen=True)
class Surroundings:
    """The texts of others that each problem of a batch is compared with.

    Attributes
    ----------
    batch
        The problems.
    references
        Texts of others with their spaces; they may be those of the batch itself.
    own
        Whether they are.
    sides
        For each problem the others that its unknown text is compared with, and those that known ones are.
    """

    batch: Batch = field(repr=False)
    references: References = field(repr=False)
    own: bool
    sides: Sequence[tuple[Ints, Ints]] = field(repr=False)

    @classmethod
    def of(cls, batch: Batch, references: References | None = None, roles: bool = True) -> Surroundings:
        """Choose others most like the texts of each problem; see `compare`."""
        own = references is None
        # In a grid each role has its own kind of text; elsewhere, texts more like the problem's serve better.
        roles = roles and own and recurrence(batch) > 0
        found = references or References.of(batch)
        space, theirs = found.spaces[-1], found.rows(-1)
        mine = theirs if own else space.rows(batch.writings)
        alike = cosine(space.standard(mine), space.standard(theirs))
        near = NEAR if roles else NEAREST
        sides = [
            _chosen(batch, number, alike, _candidates(batch, number, found, own, roles), near)
            for number in range(len(batch))
        ]
        return cls(batch, found, own, sides)

    def rows(self, place: int) -> tuple[Floats, Floats]:
        """Return the rows of the batch's texts and of others' in one of the spaces."""
        theirs = self.references.rows(place)
        return theirs if self.own else self.references.spaces[place].rows(self.batch.writings), theirs

    def answerable(self, number: int) -> bool:
        """Return whether a problem has known texts, and enough others to tell what is usual."""
        return bool(len(self.batch.known[number])) and min(map(len, self.sides[number])) >= FEWEST

    def numbers(self, within: Floats, across: Floats) -> Floats:
        """Return for each problem how far above the usual its similarity lies.

        Parameters
        ----------
        within, across
            How alike the texts of the batch are to each other, and to others' texts.
        """
        made = np.zeros(len(self.batch))
        for number, (others_known, others_unknown) in enumerate(self.sides):
            if self.answerable(number):
                known, unknown = self.batch.known[number], int(self.batch.unknown[number])
                made[number] = standardised(
                    within[unknown, known],
                    across[unknown, others_known],
                    across[np.ix_(known, others_unknown)],
                )
        return made


def compare(batch: Batch, references: References | None = None, roles: bool = True) -> Floats:
    """Return a row of numbers for each problem of a batch.

    Parameters
    ----------
    batch
        The problems.
    references
        Texts of others; without them, those of the batch itself that share no problem.
    roles
        Whether use is made of the recurrence of texts in a batch, if they recur: the unknown text is compared
        with known ones of others, known ones with unknown ones of others, and there is a second order.
    """
    around = Surroundings.of(batch, references, roles)
    rows = np.zeros((len(batch), len(NAMES)))
    recurring = recurrence(batch) if around.own and roles else 0.0
    together = np.zeros((len(batch.writings),) * 2 if recurring else (0, 0))
    for column, respect in enumerate(RESPECTS):
        space = around.references.spaces[respect.place]
        mine, theirs = around.rows(respect.place)
        within = space.similarities(mine, mine, respect.measure)
        across = within if around.own else space.similarities(mine, theirs, respect.measure)
        rows[:, column] = rooted(around.numbers(within, across))
        if recurring and respect.measure == ANGLE:
            together += doubly_standardised(within)
    if recurring:
        # Only what a text is like counts, not what it is unlike: the unlike are many and of all kinds.
        shared = np.maximum(together, 0.0)
        likeness = cosine(shared, shared)
        rows[:, -1] = FREELY * recurring * rooted(around.numbers(likeness, likeness))
    return rows


def rooted(values: Floats) -> Floats:
    """Return signed roots: what lies far above the usual is not as much more telling as it is farther."""
    return np.asarray(np.sign(values) * np.sqrt(np.abs(values)))


def recurrence(batch: Batch) -> float:
    """Return how far texts recur: 0 if nearly each comes in one problem only, 1 if most come in several."""
    texts = sum(len(set(known.tolist())) + 1 for known in batch.known)
    return float(np.clip(2 * (texts / max(1, len(batch.writings)) - 1.25), 0.0, 1.0))


def doubly_standardised(similar: Floats) -> Floats:
    """Return similarities of texts, standardised among those of either text; 0 of a text and itself."""
    if len(similar) < 2:
        return np.zeros_like(similar)
    apart = ~np.eye(len(similar), dtype=np.bool_)
    usual = similar.mean(axis=1, where=apart, keepdims=True)
    spread = similar.std(axis=1, where=apart, keepdims=True)
    first = (similar - usual) / np.where(spread > 0, spread, 1.0)
    return np.asarray(np.where(apart, (first + first.T) / 2, 0.0))


def standardised(alike: Floats, unknown_with_others: Floats, known_with_others: Floats) -> float:
    """Return the mean over known texts of how far above the usual their similarity lies, on both sides."""
    first = (alike - unknown_with_others.mean()) / spread_of(unknown_with_others)
    usual, spread = known_with_others.mean(axis=1), known_with_others.std(axis=1)
    return float(np.mean((first + (alike - usual) / np.where(spread > 0, spread, 1.0)) / 2))


def spread_of(values: Floats) -> float:
    """Return the standard deviation, 1 if there is none."""
    spread = float(values.std())
    return spread if spread > 0 else 1.0


def _candidates(
    batch: Batch, number: int, references: References, own: bool, roles: bool
) -> tuple[Ints, Ints]:
    """Return all texts of others: to compare the unknown one with, and the known."""
    if not own:
        places = [int(batch.unknown[number]), *batch.known[number].tolist()]
        mine = {batch.writings[place].text for place in places}
        texts = references.batch.writings
        others = np.array([place for place, one in enumerate(texts) if one.text not in mine], np.int64)
        return others, others
    others = batch.others(number)
    if not roles:
        return others, others
    return others[np.isin(others, batch.all_known)], others[np.isin(others, batch.unknown)]


def _chosen(
    batch: Batch, number: int, alike: Floats, candidates: tuple[Ints, Ints], near: int
) -> tuple[Ints, Ints]:
    """Return those most like the texts of a problem."""
    known = batch.known[number]
    likeness = alike[int(batch.unknown[number])] + (alike[known].mean(axis=0) if len(known) else 0.0)
    first, second = (side[np.argsort(-likeness[side], kind="stable")[:near]] for side in candidates)
    return first, second
