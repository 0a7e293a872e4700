"""Profiles of character 4-grams against the mean of the batch: van Dam, 2013."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.authorship.batch import Batch
from stemmata.authorship.families import Characters
from stemmata.model import Problem
from stemmata.model.parameters import tunable


@dataclass(frozen=True)
class VanDam2013:
    """A profile of the known texts' commonest 4-grams; same author if closer than the batch's mean.

    Van Dam, "A basic character n-gram approach to authorship verification", PAN at CLEF 2013. Known texts are
    taken together and their most frequent n-grams kept; the distance is Stamatatos's of 2007, the mean over
    the n-grams of the unknown text of (2 (f_U - f_K) / (f_U + f_K))² / 4.

    Attributes
    ----------
    size
        Length of n-grams; punctuation is dropped and all digits are one.
    kept
        N-grams of the known texts that are kept.
    """

    # The unknown text's profile is not cut: only so do the answers agree with the original's.
    size: int = tunable(4, 2, 8)
    kept: int = tunable(2300, 100, 10_000)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return 1 for problems whose distance is below the mean of all, and 0 for the others."""
        batch = Batch.of(problems)
        if not len(batch):
            return []
        distances = self.distances(batch)
        return [float(one) for one in distances < distances.mean()]

    def distances(self, batch: Batch) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return the distance of each problem's unknown text from the profile of the known ones."""
        counts = batch.counts(Characters(self.size, folded=True)).matrix
        found = np.ones(len(batch))
        for number in range(len(batch)):
            known = np.asarray(counts[batch.known[number]].sum(axis=0), np.float64).ravel()
            unknown = counts[[int(batch.unknown[number])]].toarray().ravel()
            if not known.any() or not unknown.any():
                continue
            kept = np.argsort(-known, kind="stable")[: self.kept]
            profile = np.zeros_like(known)
            profile[kept] = known[kept] / known.sum()
            here = np.flatnonzero(unknown)
            own = unknown[here] / unknown.sum()
            ratio = 2 * (own - profile[here]) / (own + profile[here])
            found[number] = np.mean(ratio**2) / 4
        return found
