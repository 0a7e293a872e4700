"""One-class classification by the distance of common n-grams: Jankowska, Kešelj and Milios, 2013 and 2014."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import around
from stemmata.authorship.distances import relative_difference
from stemmata.authorship.profiles import LONGEST, cut_to_one_length, gram_rows, halves, profiles
from stemmata.model import Problem
from stemmata.model.parameters import tunable

Items = Literal["characters", "words"]


def compared_texts(batch: Batch, number: int, items: Items = "characters") -> list[Sequence[str]]:
    """Return the unknown text of a problem and the known ones, all of one length; a single one is halved."""
    places = [int(batch.unknown[number]), *batch.known[number].tolist()]
    writings = [batch.writings[place] for place in places]
    texts: list[Sequence[str]] = [
        writing.spaced[:LONGEST] if items == "characters" else writing.words[:LONGEST] for writing in writings
    ]
    if len(texts) == 2:
        texts[1:] = halves(texts[1])
    return cut_to_one_length(texts)


def mean_ratio(texts: Sequence[Sequence[str]], size: int, kept: int) -> float | None:
    """Return how much farther the first text is from each other one than the farthest of those, on average.

    None if there are too few texts, or they are too short, or all alike.
    """
    if len(texts) < 3 or min(map(len, texts)) < size:
        return None
    rows = profiles(gram_rows(texts, size), kept)
    distances = relative_difference(rows, rows)
    farthest = distances[1:, 1:].max(axis=1)
    apart = farthest > 0
    return float((distances[1:, 0][apart] / farthest[apart]).mean()) if apart.any() else None


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
    # Where halves have some 900 letters (PAN15), nearly all n-grams occur once, and our answers are less like
    # the original's (rank correlation .59; .92 for longer texts): how it cuts texts is not known exactly.
    size: int = tunable(6, 1, 10)
    kept: int = tunable(2000, 100, 10_000)
    threshold: float = tunable(1.02, 0.8, 1.3)
    width: float = tunable(0.5, 0.05, 2.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return answers around the threshold."""
        batch = Batch.of(problems)
        values = np.array([batch.once_of(n, self, partial(self._mean, batch, n)) for n in range(len(batch))])
        return [float(one) for one in around(-values, -self.threshold, self.width)]

    def _mean(self, batch: Batch, number: int) -> float:
        found = mean_ratio(compared_texts(batch, number), self.size, self.kept)
        return self.threshold if found is None else found


@dataclass(frozen=True)
class Jankowska2014:
    """An ensemble of such classifiers over n-grams of characters and of words.

    Jankowska, Kešelj and Milios, "Ensembles of proximity-based one-class classifiers for author
    verification", PAN at CLEF 2014; the members are of the kinds of their "Author verification using common
    n-gram profiles of text documents", COLING 2014. The mean ratios of all members are averaged.

    Attributes
    ----------
    members
        For each, what n-grams are made of, their length, and how many make a profile.
    threshold
        Averages up to this are the same author.
    width
        How far from the threshold answers reach 0 and 1, twice.
    """

    # Which members were chosen for which language is not known to us; these span the space of the papers.
    members: tuple[tuple[Items, int, int], ...] = (
        ("characters", 3, 500),
        ("characters", 4, 1000),
        ("characters", 6, 2000),
        ("words", 1, 500),
        ("words", 2, 500),
    )
    threshold: float = tunable(1.02, 0.8, 1.3)
    width: float = tunable(1.0, 0.05, 2.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return answers around the threshold."""
        batch = Batch.of(problems)
        values = np.array(
            [batch.once_of(n, self, partial(self._average, batch, n)) for n in range(len(batch))]
        )
        return [float(one) for one in around(-values, -self.threshold, self.width)]

    def _average(self, batch: Batch, number: int) -> float:
        texts = {kind: compared_texts(batch, number, kind) for kind in {one[0] for one in self.members}}
        ratios = [mean_ratio(texts[kind], size, kept) for kind, size, kept in self.members]
        told = [one for one in ratios if one is not None]
        return float(np.mean(told)) if told else self.threshold
