"""Problems as rows of numbers: how much more alike the two texts are than either is to texts of others.

For each family and measure, the similarity of the unknown text and a known one is standardised twice: against
those of the unknown text and others' texts, and against those of the known text and others' texts. What all
texts of a kind share, such as genre, topic and length, drops out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.compression import as_bytes, cross_entropy
from stemmata.authorship.distances import cosine
from stemmata.authorship.families import Characters
from stemmata.authorship.statistical.spaces import FAMILIES, MEASURES, Space
from stemmata.authorship.writings import Writing

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NAMES = (*(f"{family}, {measure}" for family, _ in FAMILIES for measure in MEASURES), "compression")
"""What the numbers of a row are."""
NEAR = 100
"""Texts of others that a problem is compared with: those most like its own."""
LONGEST = 20_000
"""Characters of a text that are compressed."""
COMPRESSED = 12
"""Texts of others whose compression is tried, which takes longest."""
NEARNESS, MOST_NEARNESS = Characters(4), 2000
"""By what texts most like a problem's are chosen."""
FEWEST = 3
"""With fewer texts of others, nothing is usual."""


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


def compare(batch: Batch, references: References | None = None, roles: bool = True) -> Floats:
    """Return a row of numbers for each problem of a batch.

    Parameters
    ----------
    batch
        The problems.
    references
        Texts of others; without them, those of the batch itself that share no problem.
    roles
        Whether, within a batch, the unknown text is compared with known ones of others, and known ones with
        unknown ones of others; otherwise with all, as texts without problems must be.
    """
    own = references is None
    found = references or References.of(batch)
    alike = _nearness(batch, found, own)
    chosen = [_chosen(batch, number, alike, found, own, roles) for number in range(len(batch))]
    rows = np.zeros((len(batch), len(NAMES)))
    for place, space in enumerate(found.spaces[:-1]):
        others = found.rows(place)
        mine = others if own else space.rows(batch.writings)
        for number, (known, unknown) in enumerate(chosen):
            rows[number, 2 * place : 2 * place + 2] = _family(
                batch, number, space, mine, others[known], others[unknown]
            )
    for number, sides in enumerate(chosen):
        few = ([found.batch.writings[one] for one in _spread_out(side)] for side in sides)
        rows[number, -1] = _compression(batch, number, *few)
    # What lies far above the usual is not as much more telling as it is farther.
    return np.sign(rows) * np.sqrt(np.abs(rows))


def _spread_out(places: Ints) -> list[int]:
    """Return a few of many, from the first to the last."""
    step = max(1, len(places) // COMPRESSED)
    return [int(place) for place in places[::step][:COMPRESSED]]


def _nearness(batch: Batch, references: References, own: bool) -> Floats:
    """Return how alike the texts of a batch and those of others are at first sight."""
    space = references.spaces[-1]
    theirs = references.rows(-1)
    mine = theirs if own else space.rows(batch.writings)
    return cosine(space.standard(mine), space.standard(theirs))


def _chosen(
    batch: Batch, number: int, alike: Floats, references: References, own: bool, roles: bool
) -> tuple[Ints, Ints]:
    """Return texts of others most like those of a problem: to compare the unknown one with, and the known."""
    pair = np.array([int(batch.unknown[number]), *batch.known[number].tolist()])
    if own:
        others = batch.others(number)
        parts = (batch.all_known, batch.unknown) if roles else (others, others)
        sides = [others[np.isin(others, part)] for part in parts]
    else:
        mine = {batch.writings[place].text for place in pair.tolist()}
        texts = references.batch.writings
        others = np.array([place for place, one in enumerate(texts) if one.text not in mine], np.int64)
        sides = [others, others]
    likeness = alike[pair[0]] + (alike[pair[1:]].mean(axis=0) if len(pair) > 1 else 0.0)
    known, unknown = (side[np.argsort(-likeness[side], kind="stable")[:NEAR]] for side in sides)
    return known, unknown


def _family(
    batch: Batch, number: int, space: Space, mine: Floats, others_known: Floats, others_unknown: Floats
) -> Floats:
    """Return the two numbers of a family for a problem."""
    known = mine[batch.known[number]]
    if not len(known) or min(len(others_known), len(others_unknown)) < FEWEST:
        return np.zeros(len(MEASURES))
    unknown = mine[[int(batch.unknown[number])]]
    of_unknown = space.similarities(unknown, np.vstack([known, others_known]))
    of_known = space.similarities(known, others_unknown)
    return np.array(
        [
            _standardised(both[0, : len(known)], both[0, len(known) :], theirs)
            for both, theirs in zip(of_unknown, of_known, strict=True)
        ]
    )


def _standardised(alike: Floats, unknown_with_others: Floats, known_with_others: Floats) -> float:
    """Return the mean over known texts of how far above the usual their similarity lies, on both sides."""
    first = (alike - unknown_with_others.mean()) / _spread(unknown_with_others)
    usual, spread = known_with_others.mean(axis=1), np.array([_spread(row) for row in known_with_others])
    return float(np.mean((first + (alike - usual) / spread) / 2))


def _spread(values: Floats) -> float:
    spread = float(values.std())
    return spread if spread > 0 else 1.0


def _compression(
    batch: Batch, number: int, others_known: Sequence[Writing], others_unknown: Sequence[Writing]
) -> float:
    """Return the same for how well texts compress each other."""
    known = [batch.writings[place] for place in batch.known[number].tolist()]
    if not known or min(len(others_known), len(others_unknown)) < FEWEST:
        return 0.0
    unknown = _bytes(batch.writings[int(batch.unknown[number])])
    before = [_bytes(one) for one in known]
    alike = np.array([-cross_entropy(one, unknown) for one in before])
    mine = np.array([-cross_entropy(_bytes(other), unknown) for other in others_known])
    theirs = np.array([[-cross_entropy(one, _bytes(other)) for other in others_unknown] for one in before])
    return _standardised(alike, mine, theirs)


def _bytes(writing: Writing) -> bytes:
    return as_bytes(writing.spaced[:LONGEST])
