"""Problems as rows of numbers: how much more alike the two texts are than either is to texts of others.

In each respect, the similarity of the unknown text and a known one is standardised twice: against those of
the unknown text and others' texts, and against those of the known text and others' texts. What all texts of a
kind share, such as genre, topic and length, drops out.

Where the texts of a batch recur in many problems, as in a grid of unknown and known texts, few authors wrote
them all. Two texts of one author are then like the same third texts: a similarity of the second order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from zlib import crc32

import numpy as np
import numpy.typing as npt
from scipy import sparse

from stemmata.authorship.batch import Batch
from stemmata.authorship.distances import cosine
from stemmata.authorship.families import Characters
from stemmata.authorship.statistical.spaces import ANGLE, FAMILIES, RESPECTS, Respect, Space
from stemmata.authorship.writings import texts_key
from stemmata.text.keeping import Latest

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
PAIRS = 1000
"""Pairs of others' texts that tell what two texts by two people get, at most."""
FOLDS, ENOUGH = 10, 10
"""Parts of a batch that is learned from to judge alone, and how many texts of others suffice for one."""
JUDGED = 10_000
"""Problems whose rows are remembered with the texts of others that they were compared with."""
FREELY = 4.0
"""By this the number of the second order is larger, so that its weight, one among many, is learned freely."""


@dataclass(frozen=True)
class References:
    """Texts of others, with the spaces they make.

    Attributes
    ----------
    batch
        A batch in which they are found.
    places
        Where they are found among its texts.
    spaces
        One for each of `FAMILIES`, then the one in which those most like a problem's texts are chosen.
    shares
        The rows of the batch's texts in each of them.
    judged
        Rows of problems that were judged alone beside these texts, by `texts_key` of their own.
    """

    batch: Batch = field(repr=False)
    places: Ints = field(repr=False)
    spaces: Sequence[Space] = field(repr=False)
    shares: Sequence[sparse.csr_array] = field(repr=False)
    judged: Latest[bytes, Floats] = field(default_factory=lambda: Latest(JUDGED), repr=False, compare=False)

    @classmethod
    def of(cls, batch: Batch, places: Ints | None = None) -> References:
        """Make the spaces of the texts of a batch: of all, or of those at some places."""
        chosen = np.arange(len(batch.writings)) if places is None else places
        families = (*FAMILIES, (NEARNESS, MOST_NEARNESS))
        spaces = [Space.of(batch.counts(family), family, most, places) for family, most in families]
        return cls(batch, chosen, spaces, [one.counted(batch.counts(one.family)) for one in spaces])

    def apart(self) -> References:
        """Return the same with nothing of its batch but the problems: what was counted may be forgotten."""
        return replace(self, batch=Batch(list(self.batch)))

    def rows(self, place: int) -> Floats:
        """Return the rows of the batch's texts in one of the spaces."""
        return np.asarray(self.shares[place].toarray(), np.float64)

    @cached_property
    def texts(self) -> frozenset[str]:
        """The texts themselves."""
        return frozenset(self.batch.writings[place].text for place in self.places)

    @cached_property
    def usual(self) -> Floats:
        """The mean numbers of a row for pairs of these texts, which two people wrote but for a few.

        It depends on their kind, and on how many there are to choose the most alike from.
        """
        made, texts = np.zeros(len(NAMES)), len(self.places)
        if texts < FEWEST + 2:
            return made
        pairs = np.column_stack(np.triu_indices(texts, 1))
        pairs = pairs[:: -(-len(pairs) // PAIRS)]
        paired, at = np.unique(pairs, return_inverse=True)
        first, second = at.reshape(pairs.shape).T
        near = self._similarities(paired, -1, ANGLE)
        likeness = near[first] + near[second]
        np.put_along_axis(likeness, pairs, -np.inf, axis=1)
        others = np.argsort(-likeness, axis=1, kind="stable")[:, : min(NEAREST, texts - 2)]
        for column, respect in enumerate(RESPECTS):
            alike = self._similarities(paired, respect.place, respect.measure)
            both = alike[first, pairs[:, 1]][:, None]
            sides = [standardised_rows(both, alike[one[:, None], others]) for one in (first, second)]
            made[column] = rooted(np.mean(sides, axis=0)).mean()
        return made

    def _similarities(self, some: Ints, place: int, measure: str) -> Floats:
        """Return how alike some of the texts are to all of them."""
        rows = self.rows(place)[self.places]
        return self.spaces[place].similarities(rows[some], rows, measure)


@dataclass(frozen=True)
class Surroundings:
    """The texts of others that each problem of a batch is compared with.

    Attributes
    ----------
    batch
        The problems.
    references
        Texts of others with their spaces; they may be those of the batch itself.
    together
        Whether problems are judged together: all texts of the batch say what is usual. Otherwise the others'
        and the problem's own do.
    sides
        For each problem the others that its unknown text is compared with, and those that known ones are.
    """

    batch: Batch = field(repr=False)
    references: References = field(repr=False)
    together: bool
    sides: Sequence[tuple[Ints, Ints]] = field(repr=False)

    @classmethod
    def of(
        cls,
        batch: Batch,
        references: References | None = None,
        roles: bool = True,
        only: Sequence[int] | None = None,
    ) -> Surroundings:
        """Choose others most like the texts of each problem; see `compare`."""
        together = references is None
        # In a grid each role has its own kind of text; elsewhere, texts more like the problem's serve better.
        roles = roles and together and recurrence(batch) > 0
        found = references or References.of(batch)
        space, theirs = found.spaces[-1], found.rows(-1)
        mine = theirs if found.batch is batch else space.rows(batch)
        alike = cosine(space.standard(mine), space.standard(theirs))
        near = NEAR if roles else NEAREST
        none = np.zeros(0, np.int64)
        sides = [(none, none)] * len(batch)
        for number in range(len(batch)) if only is None else only:
            candidates = (
                _candidates(batch, number, roles) if together else _candidates_among(found, batch, number)
            )
            sides[number] = _chosen(batch, number, alike, candidates, near)
        return cls(batch, found, together, sides)

    def rows(self, place: int) -> tuple[Floats, Floats]:
        """Return the rows of the batch's texts and of others' in one of the spaces."""
        theirs = self.references.rows(place)
        if self.references.batch is self.batch:
            return theirs, theirs
        return self.references.spaces[place].rows(self.batch), theirs

    def space(self, number: int, place: int, mine: Floats) -> Space:
        """Return one of the spaces as a problem sees it.

        Where problems are judged alone, the problem's own texts say what is usual as well as the others'.
        Otherwise two texts of a kind that the others are not would be alike for that alone, and more so than
        in the problems learned from.

        Parameters
        ----------
        number, place
            Which problem, and which space.
        mine
            The rows of the batch's texts.
        """
        space = self.references.spaces[place]
        if self.together:
            return space
        texts = _texts_of(self.batch, number)
        added = [one for one in texts if self.batch.writings[one].text not in self.references.texts]
        return space.joined(mine[added]) if added else space

    def answerable(self, number: int) -> bool:
        """Return whether a problem has known texts, and enough others to tell what is usual."""
        return bool(len(self.batch.known[number])) and min(map(len, self.sides[number])) >= FEWEST

    def numbers(self, alike: Floats) -> Floats:
        """Return for each problem how far above the usual its similarity lies, given those of all texts."""
        made = np.zeros(len(self.batch))
        for number, (others_known, others_unknown) in enumerate(self.sides):
            if self.answerable(number):
                known, unknown = self.batch.known[number], int(self.batch.unknown[number])
                made[number] = standardised(
                    alike[unknown, known], alike[unknown, others_known], alike[np.ix_(known, others_unknown)]
                )
        return made

    def numbers_alone(self, respect: Respect) -> Floats:
        """Return for each problem the same in a respect, where problems are judged alone."""
        mine, theirs = self.rows(respect.place)
        made = np.zeros(len(self.batch))
        for number, (others, _) in enumerate(self.sides):
            if self.answerable(number):
                space = self.space(number, respect.place, mine)
                own = mine[_texts_of(self.batch, number)]
                known = len(own) - 1
                alike = space.similarities(own, np.vstack([own[1:], theirs[others]]), respect.measure)
                made[number] = standardised(alike[0, :known], alike[0, known:], alike[1:, known:])
        return made


def compare(
    batch: Batch,
    references: References | None = None,
    roles: bool = True,
    only: Sequence[int] | None = None,
) -> Floats:
    """Return a row of numbers for each problem of a batch.

    Parameters
    ----------
    batch
        The problems.
    references
        Texts of others, with which each problem is judged alone; without them, those of the batch itself that
        share no problem.
    roles
        Whether use is made of the recurrence of texts in a batch, if they recur: the unknown text is compared
        with known ones of others, known ones with unknown ones of others, and there is a second order.
    only
        Problems that are compared; the rows of the rest are 0.
    """
    if references is not None:
        return _compare_alone(batch, references, range(len(batch)) if only is None else only)
    around = Surroundings.of(batch, references, roles, only)
    rows = np.zeros((len(batch), len(NAMES)))
    recurring = recurrence(batch) if roles else 0.0
    together = np.zeros((len(batch.writings),) * 2 if recurring else (0, 0))
    for column, respect in enumerate(RESPECTS):
        mine, _ = around.rows(respect.place)
        alike = around.references.spaces[respect.place].similarities(mine, mine, respect.measure)
        rows[:, column] = rooted(around.numbers(alike))
        if recurring and respect.measure == ANGLE:
            together += doubly_standardised(alike)
    if recurring:
        # Only what a text is like counts, not what it is unlike: the unlike are many and of all kinds.
        shared = np.maximum(together, 0.0)
        rows[:, -1] = FREELY * recurring * rooted(around.numbers(cosine(shared, shared)))
    return rows


def _compare_alone(batch: Batch, references: References, only: Sequence[int]) -> Floats:
    """Return rows of problems that are judged alone; those of texts that come again are not made again."""
    rows = np.zeros((len(batch), len(NAMES)))
    new = {}
    for number in only:
        key = _key_of(batch, number)
        kept = references.judged.get(key)
        if kept is None:
            new[number] = key
        else:
            rows[number] = kept
    if new:
        around = Surroundings.of(batch, references, only=list(new))
        made = np.column_stack([rooted(around.numbers_alone(respect)) for respect in RESPECTS])
        for number, key in new.items():
            rows[number, : len(RESPECTS)] = made[number]
            references.judged.put(key, rows[number].copy())
    return rows


def compare_apart(batch: Batch, among: Sequence[int] | None = None) -> Floats:
    """Return a row for each problem of a batch as if it were judged alone, to learn from.

    Others are the texts of problems that share none with it or with the tenth of them to which it belongs:
    who wrote a problem that is to be judged wrote nothing learned from. Where all problems share texts, they
    are compared together.

    Parameters
    ----------
    batch
        The problems.
    among
        Those that are learned from; the rest have no part in it, and their rows are 0.
    """
    rows = np.zeros((len(batch), len(NAMES)))
    texts = {
        number: set(_texts_of(batch, number)) for number in (range(len(batch)) if among is None else among)
    }
    fold: dict[int, list[int]] = {}
    for number in texts:
        start = batch[number].known[0].text if batch[number].known else ""
        fold.setdefault(crc32(start.encode("utf-8", "replace")) % FOLDS, []).append(number)
    for scored in fold.values():
        seen = set().union(*(texts[number] for number in scored))
        apart = set().union(*(mine for mine in texts.values() if seen.isdisjoint(mine)))
        references = References.of(batch, np.array(sorted(apart))) if len(apart) >= ENOUGH else None
        rows[scored] = compare(batch, references, roles=False, only=scored)[scored]
    return rows


def without_others(batch: Batch) -> int:
    """Return how many problems cannot be compared: the batch has too few texts of others for them."""
    roles = recurrence(batch) > 0
    sides = (_candidates(batch, number, roles) for number in range(len(batch)))
    return sum(min(map(len, side)) < FEWEST for side in sides)


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
    second = standardised_rows(alike[:, None], known_with_others)[:, 0]
    return float(np.mean((first + second) / 2))


def standardised_rows(alike: Floats, with_others: Floats) -> Floats:
    """Return how far above the usual similarities lie, given those with others in the same rows."""
    usual, spread = with_others.mean(axis=1, keepdims=True), with_others.std(axis=1, keepdims=True)
    return np.asarray((alike - usual) / np.where(spread > 0, spread, 1.0))


def spread_of(values: Floats) -> float:
    """Return the standard deviation, 1 if there is none."""
    spread = float(values.std())
    return spread if spread > 0 else 1.0


def _key_of(batch: Batch, number: int) -> bytes:
    """Return what tells a problem from others: its unknown text and its known ones."""
    return texts_key(batch.writings[place].text for place in _texts_of(batch, number))


def _texts_of(batch: Batch, number: int) -> list[int]:
    """Return the places of a problem's texts."""
    return [int(batch.unknown[number]), *batch.known[number].tolist()]


def _candidates(batch: Batch, number: int, roles: bool) -> tuple[Ints, Ints]:
    """Return all texts of others in a batch: to compare the unknown one with, and the known."""
    others = batch.others(number)
    if not roles:
        return others, others
    return others[np.isin(others, batch.all_known)], others[np.isin(others, batch.unknown)]


def _candidates_among(references: References, batch: Batch, number: int) -> tuple[Ints, Ints]:
    """Return all texts of others but the problem's own."""
    mine = {batch.writings[place].text for place in _texts_of(batch, number)}
    texts = references.batch.writings
    others = np.array([place for place in references.places if texts[place].text not in mine], np.int64)
    return others, others


def _chosen(
    batch: Batch, number: int, alike: Floats, candidates: tuple[Ints, Ints], near: int
) -> tuple[Ints, Ints]:
    """Return those most like the texts of a problem."""
    known = batch.known[number]
    likeness = alike[int(batch.unknown[number])] + (alike[known].mean(axis=0) if len(known) else 0.0)
    first, second = (side[np.argsort(-likeness[side], kind="stable")[:near]] for side in candidates)
    return first, second
