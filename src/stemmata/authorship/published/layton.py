"""Local n-grams: profiles of characters, compared in several ways that vote: Layton, 2013 and 2014."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.distances import cosine, relative_difference
from stemmata.authorship.families import Characters
from stemmata.authorship.one_class import Compared, answerable, compared, dense_rows
from stemmata.authorship.profiles import gram_rows, profiles
from stemmata.model import Problem
from stemmata.model.parameters import tunable

WAYS = ("CNG", "SCAP", "RLP")


def common_n_grams(a: Floats, b: Floats) -> Floats:
    """Kešelj's distance, divided by its largest value: 4 for each n-gram of either."""
    made = np.empty((len(a), len(b)))
    for row in range(len(a)):
        used = ((a[row] > 0) | (b > 0)).sum(axis=1)
        made[row] = relative_difference(a[[row]], b)[0] / np.maximum(4.0 * used, 1.0)
    return made


def profile_intersection(a: Floats, b: Floats) -> Floats:
    """1 less the share of n-grams that both profiles have: SCAP, Frantzeskou et al., 2006."""
    one, other = (a > 0).astype(np.float64), (b > 0).astype(np.float64)
    longest = np.maximum(one.sum(axis=1)[:, None], other.sum(axis=1)[None, :])
    return np.asarray(1.0 - (one @ other.T) / np.maximum(longest, 1.0))


def recentred(a: Floats, b: Floats) -> Floats:
    """1 less the cosine of profiles from which the language's own was taken off: RLP, Layton et al., 2012."""
    return 1.0 - cosine(a, b)


def local_rows(batch: Batch, way: str, size: int, kept: int) -> Floats:
    """Return the profiles of all texts for one way of comparing."""
    rows = dense_rows(batch, Characters(size), 6 * kept)
    if way == "RLP":
        rows = rows - rows.mean(axis=0)
        least = -np.sort(-np.abs(rows), axis=1)[:, min(kept, rows.shape[1]) - 1 : kept]
        return np.where(np.abs(rows) >= least, rows, 0.0) if rows.shape[1] else rows
    return profiles(rows, kept)


def local_distances(batch: Batch, way: str, size: int, kept: int) -> Iterator[Compared]:
    """Yield the distances in each problem by one way of comparing."""
    measure = {"CNG": common_n_grams, "SCAP": profile_intersection, "RLP": recentred}[way]
    return compared(batch, local_rows(batch, way, size, kept), measure)


@dataclass(frozen=True)
class Layton2013:
    """The unknown text is within the spread of the known ones, by most of three distances of local n-grams.

    Layton, Watters and Dazeley, "Local n-grams for author identification", PAN at CLEF 2013.

    Attributes
    ----------
    size, kept
        Length of character n-grams, and how many make a profile.
    spread
        Standard deviations above the mean distance of known texts that are still the same author.
    """

    # The original says "same" of every author with a single known text, whose spread cannot be known, and
    # counts the known texts that agree otherwise; so do we.
    size: int = tunable(4, 1, 8)
    kept: int = tunable(1000, 100, 10_000)
    spread: float = tunable(2.0, 0.0, 5.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the share of votes of known texts and distances for the same author."""
        batch = Batch.of(problems)
        if not len(batch):
            return []
        votes = np.zeros((len(batch), len(WAYS)))
        for column, way in enumerate(WAYS):
            for number, one in enumerate(local_distances(batch, way, self.size, self.kept)):
                votes[number, column] = self._vote(one)
        return [float(one) for one in np.where(answerable(batch), votes.mean(axis=1), UNDECIDED)]

    def _vote(self, found: Compared) -> float:
        if len(found.unknown) < 2:
            return 1.0
        pairs = found.pairs
        limit = pairs.mean() + self.spread * pairs.std()
        return float(np.mean(found.unknown <= limit))


@dataclass(frozen=True)
class Layton2014:
    """Two profiles of local n-grams vote, each for an unknown text that is near enough to every known one.

    Layton, "A simple local n-gram ensemble for authorship verification", PAN at CLEF 2014: a voting ensemble
    whose parameters were found by grid search. The distances are the mean of Kešelj's over the n-grams of
    either profile, and the share of a profile's n-grams that the other has not.

    Attributes
    ----------
    size
        Length of character n-grams.
    common, common_kept
        The largest distance of common n-grams that is a vote, and how many make a profile.
    missing, missing_kept
        The largest share of n-grams that may be missing, and how many make a profile.
    weight
        Of the first vote; the second has the rest.
    """

    # The weights are read from the original's answers, which take the four values that they make. What won
    # the grid search was found from these answers too: it explains 91 % of the votes in the training sets.
    size: int = tunable(5, 1, 8)
    common: float = tunable(0.894, 0.0, 1.0)
    common_kept: int = tunable(5000, 100, 20_000)
    missing: float = tunable(0.745, 0.0, 1.0)
    missing_kept: int = tunable(500, 100, 20_000)
    weight: float = tunable(0.7057, 0.0, 1.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the sum of the weights of votes for the same author."""
        batch = Batch.of(problems)
        told = answerable(batch)
        return [
            batch.once_of(number, self, partial(self._votes, batch, number)) if told[number] else UNDECIDED
            for number in range(len(batch))
        ]

    def _votes(self, batch: Batch, number: int) -> float:
        places = [int(batch.unknown[number]), *batch.known[number].tolist()]
        counts = gram_rows([batch.writings[place].spaced for place in places], self.size)
        rows = profiles(counts, self.common_kept)
        common = common_n_grams(rows[:1], rows[1:]).max()
        rows = profiles(counts, self.missing_kept)
        shared = ((rows[:1] > 0) & (rows[1:] > 0)).sum(axis=1).min()
        near = common <= self.common, 1 - shared / self.missing_kept <= self.missing
        return float(self.weight * near[0] + (1 - self.weight) * near[1])
