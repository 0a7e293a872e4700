"""Spaces in which texts are compared: the features of a family, weighed by what is usual in some texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Counts
from stemmata.authorship.distances import cosine, min_max
from stemmata.authorship.families import (
    Affixes,
    Characters,
    Distorted,
    Family,
    FunctionWords,
    Punctuation,
    Shapes,
    WordGrams,
    WordLengths,
)
from stemmata.authorship.writings import Writing

Floats = npt.NDArray[np.float64]

FAMILIES: tuple[tuple[Family, int], ...] = (
    (Distorted(4), 2500),
    (Distorted(6), 2500),
    (Shapes(2), 1500),
    (Shapes(3), 2000),
    (WordGrams(1), 200),
    (WordGrams(2), 1500),
    (Affixes(3, last=True), 800),
    (Affixes(3), 800),
    (Punctuation(1), 40),
    (Punctuation(2), 200),
    (Characters(3), 2500),
    (Characters(4), 3000),
    (Characters(6), 3000),
    (FunctionWords(1), 300),
    (WordLengths(), 20),
)
"""What is compared, and how many of the most frequent features of each."""
MEASURES = ("cosine of z-scores", "min-max of tf-idf")


@dataclass(frozen=True)
class Space:
    """The features of a family, with what is usual among the texts it was made from.

    Attributes
    ----------
    family
        What is counted.
    columns
        The place of each feature.
    mean, spread
        Of relative frequencies.
    rarity
        Inverse document frequencies.
    """

    family: Family
    columns: dict[str, int]
    mean: Floats
    spread: Floats
    rarity: Floats

    @classmethod
    def of(cls, counts: Counts, family: Family, most: int) -> Space:
        """Make a space of what was counted in some texts."""
        kept = counts.first(most)
        rows = kept.frequencies.toarray()
        spread = rows.std(axis=0)
        return cls(
            family,
            {term: place for place, term in enumerate(kept.terms)},
            rows.mean(axis=0),
            np.where(spread > 0, spread, 1.0),
            np.log((1 + len(rows)) / (1 + np.count_nonzero(rows, axis=0))) + 1,
        )

    def rows(self, writings: Sequence[Writing]) -> Floats:
        """Return the relative frequencies of texts, a row each."""
        made = np.zeros((len(writings), len(self.columns)))
        for row, writing in enumerate(writings):
            counted = self.family.count(writing)
            kept = [(self.columns[term], count) for term, count in counted.items() if term in self.columns]
            if kept:
                places, values = zip(*kept, strict=True)
                made[row, list(places)] = values
                made[row] /= made[row].sum()
        return made

    def standard(self, rows: Floats) -> Floats:
        """Return rows as z-scores."""
        return np.asarray((rows - self.mean) / self.spread)

    def similarities(self, rows: Floats, others: Floats) -> tuple[Floats, Floats]:
        """Return how alike rows are by both measures."""
        scores = cosine(self.standard(rows), self.standard(others))
        return scores, min_max(rows * self.rarity, others * self.rarity)
