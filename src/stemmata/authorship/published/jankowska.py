"""One-class classification by the distance of common n-grams: Jankowska, Kešelj and Milios, 2013 and 2014."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import around
from stemmata.authorship.writings import Writing
from stemmata.model import Problem
from stemmata.model.parameters import tunable

Profile = dict[str, float]


def profile(grams: Sequence[str], kept: int) -> Profile:
    """Return the relative frequencies of the commonest n-grams; equals by name."""
    counts = Counter(grams)
    best = sorted(counts, key=lambda one: (-counts[one], one))[:kept]
    return {one: counts[one] / len(grams) for one in best}


def cng(a: Profile, b: Profile) -> float:
    """Return Kešelj's dissimilarity: the sum of (2 (f - g) / (f + g))² over all n-grams of both profiles."""
    return sum(
        (2 * (a.get(g, 0) - b.get(g, 0)) / (a.get(g, 0) + b.get(g, 0))) ** 2 for g in a.keys() | b.keys()
    )


@dataclass(frozen=True)
class Jankowska2013:
    """The unknown text is the author's if it is as near to each known text as the farthest known one.

    Jankowska, Kešelj and Milios, "Proximity based one-class classification with Common N-Gram dissimilarity
    for authorship verification task", PAN at CLEF 2013. For each known text the distance of the unknown one
    is divided by the largest distance to another known text; the mean is compared with a threshold.

    Attributes
    ----------
    size, kept
        Length of character n-grams, and how many of the commonest make a profile.
    threshold
        Means up to this are the same author.
    width
        How far from the threshold answers reach 0 and 1, twice.
    """

    # All texts of a problem are cut to the length of the shortest; a single known text is cut in two halves.
    size: int = tunable(6, 1, 10)
    kept: int = tunable(2000, 100, 10_000)
    threshold: float = tunable(1.02, 0.8, 1.3)
    width: float = tunable(0.5, 0.05, 2.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return answers around the threshold."""
        batch = Batch.of(problems)
        means = [self.mean_ratio(self._texts(batch, number)) for number in range(len(batch))]
        values = np.array([self.threshold if one is None else one for one in means])
        return [float(one) for one in around(-values, -self.threshold, self.width)]

    def _texts(self, batch: Batch, number: int) -> list[str]:
        """Return the unknown text and the known ones, all of one length."""
        writings: list[Writing] = [batch.writings[int(batch.unknown[number])]]
        writings += [batch.writings[int(place)] for place in batch.known[number]]
        texts = [writing.spaced for writing in writings]
        if len(texts) == 2:
            half = len(texts[1]) // 2
            texts[1:] = [texts[1][:half], texts[1][half:]]
        length = min(map(len, texts))
        return [text[:length] for text in texts]

    def mean_ratio(self, texts: Sequence[str]) -> float | None:
        """Return the mean ratio of a problem; None if texts are too short to tell."""
        if len(texts) < 3 or min(map(len, texts)) < self.size:
            return None
        unknown, *known = [
            profile([text[i : i + self.size] for i in range(len(text) - self.size + 1)], self.kept)
            for text in texts
        ]
        ratios = []
        for place, one in enumerate(known):
            farthest = max(cng(one, other) for number, other in enumerate(known) if number != place)
            if farthest:
                ratios.append(cng(one, unknown) / farthest)
        return float(np.mean(ratios)) if ratios else None
