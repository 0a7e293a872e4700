"""Similarities against the mean of all problems: Castillo Juárez and colleagues, 2014."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import answered, commonest, frequencies, sides
from stemmata.authorship.distances import cosine
from stemmata.authorship.families import Characters, Family, Punctuation, WordGrams
from stemmata.model import Problem
from stemmata.model.parameters import tunable

FEATURES: tuple[Family, ...] = (WordGrams(1), Characters(3), Punctuation(1))


@dataclass(frozen=True)
class Castillo2014:
    """Words, characters and punctuation vote whether the unknown text is nearer than is usual in the batch.

    Castillo, Cervantes, Vilariño, Pinto and León, "Unsupervised method for the authorship identification
    task", PAN at CLEF 2014. The cosine of the unknown text with the author's mean vector is compared with a
    threshold estimated from all problems.

    Attributes
    ----------
    kept
        Commonest terms of a kind of feature.
    """

    # A conjecture from the title and the overview of PAN 2014. The public answers have three or four levels,
    # as the votes of three kinds of features would.
    kept: int = tunable(500, 20, 10_000)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the share of votes."""
        batch = Batch.of(problems)
        if not len(batch):
            return []
        votes = np.zeros(len(batch))
        for family in FEATURES:
            known, unknown = sides(batch, frequencies(batch, family, commonest(batch, family, self.kept)))
            alike = np.array([cosine(known[[n]], unknown[[n]])[0, 0] for n in range(len(batch))])
            votes += alike > alike.mean()
        return answered(batch, votes / len(FEATURES))
