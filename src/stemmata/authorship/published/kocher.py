"""Distances of frequent tokens compared with those of other authors: Kocher and Savoy, 2015."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.families import TokenGrams
from stemmata.model import Problem
from stemmata.model.parameters import tunable


@dataclass(frozen=True)
class KocherSavoy2015:
    """SPATIUM-L1: the unknown text's tokens are nearer to the author than to others drawn at random.

    Kocher and Savoy, "UniNE at CLEF 2015: Author identification", PAN at CLEF 2015. The distance is the sum
    of differences of relative frequency over the commonest tokens of the unknown text. Several times, other
    problems' authors are drawn, and the ratio of their least distance to the author's is taken.

    Attributes
    ----------
    tokens
        Commonest tokens of the unknown text.
    rounds, drawn
        How often others are drawn, and how many.
    zone
        A ratio this close to 1 is no answer.
    seed
        Where chance comes from.
    """

    # The program splits at blanks; with punctuation split off the answers agree better with the original's.
    tokens: int = tunable(200, 20, 2000)
    rounds: int = tunable(5, 1, 50)
    drawn: int = tunable(3, 1, 20)
    zone: float = tunable(0.025, 0.0, 0.5)
    seed: int = 1

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return half of a mean ratio below 1, what is above it spread over the upper half, else 0.5."""
        batch = Batch.of(problems)
        rng = np.random.default_rng(self.seed)
        frequencies = [self._profile(batch, batch.known[number]) for number in range(len(batch))]
        ratios = np.array([self._ratio(batch, number, frequencies, rng) for number in range(len(batch))])
        top = ratios.max(initial=1.0)
        low, high = ratios < 1 - self.zone, ratios > 1 + self.zone
        above = 0.5 + 0.5 * (ratios - 1) / max(1e-9, (1 + self.zone) * top - 1)
        answers = np.where(low, ratios / 2, np.where(high, np.clip(above, 0, 1), UNDECIDED))
        return [float(one) for one in answers]

    def _profile(self, batch: Batch, places: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
        counts = batch.counts(TokenGrams(1)).matrix
        summed = np.asarray(counts[places].sum(axis=0), np.float64).ravel()
        return summed / max(1.0, float(summed.sum()))

    def _ratio(self, batch: Batch, number: int, profiles: list[Floats], rng: Generator) -> float:
        own = self._profile(batch, batch.unknown[[number]])
        used = np.flatnonzero(own)
        chosen = used[np.argsort(-own[used], kind="stable")[: self.tokens]]
        others = [
            other
            for other in range(len(batch))
            if other != number and not np.intersect1d(batch.known[other], batch.known[number]).size
        ]
        if not others or not len(chosen):
            return 1.0
        distance = np.abs(own[chosen] - profiles[number][chosen]).sum()
        ratios = []
        for _ in range(self.rounds):
            drawn = rng.choice(others, min(self.drawn, len(others)), replace=False)
            least = min(np.abs(own[chosen] - profiles[other][chosen]).sum() for other in drawn)
            ratio = least / distance if distance else 1.0
            ratios.append(1.0 if abs(ratio - 1) < self.zone else ratio)
        return float(np.mean(ratios))
