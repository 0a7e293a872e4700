"""Correlations of the frequencies of many features: Petmanson, 2013."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED, logistic
from stemmata.authorship.distances import correlation
from stemmata.authorship.families import (
    Family,
    FunctionWords,
    PartsOfSpeech,
    Punctuation,
    SentenceLengths,
    TokenGrams,
    WordGrams,
    WordLengths,
)
from stemmata.authorship.learning import Learner
from stemmata.authorship.one_class import answerable, dense_rows
from stemmata.model.parameters import tunable

FAMILIES: tuple[Family, ...] = (
    *(PartsOfSpeech(1), PartsOfSpeech(2), PartsOfSpeech(3), Punctuation(1), Punctuation(2)),
    *(FunctionWords(1), WordGrams(1), TokenGrams(2), WordLengths(), SentenceLengths()),
)


@dataclass(frozen=True)
class Petmanson2013(Learner):
    """Correlation coefficients of the frequencies of features in both texts, against a learned threshold.

    Petmanson, "Authorship identification using correlations of frequent features", PAN at CLEF 2013. The
    threshold is the one with the largest Matthews correlation coefficient in training.

    Attributes
    ----------
    kept
        Commonest features of each family, which are those that are correlated.
    slope
        How fast answers leave 0.5.
    """

    # Families are guesses. The original projects features by a principal component analysis first; with so
    # few texts in a problem we correlate what differs from the mean of the batch, which takes off the first
    # one.
    kept: int = tunable(100, 10, 2000)
    slope: float = tunable(10.0, 0.1, 100.0)

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the mean correlation of the unknown text with the known ones, in each family."""
        made = np.zeros((len(batch), len(FAMILIES)))
        for column, family in enumerate(FAMILIES):
            rows = dense_rows(batch, family, self.kept)
            if not rows.size:
                continue
            centred = rows - rows.mean(axis=0)
            for number, known in enumerate(batch.known):
                if len(known):
                    made[number, column] = correlation(
                        centred[batch.unknown[[number]]], centred[known]
                    ).mean()
        made[~answerable(batch)] = 0.0
        return made

    def model(self) -> Any:
        """Return the threshold of the best Matthews correlation, not found yet."""
        return Matthews(self.slope)

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return a sigmoid around the threshold; 0.5 where nothing could be correlated."""
        return np.where(rows.any(axis=1), fitted.predict_proba(rows)[:, 1], UNDECIDED)


class Matthews:
    """A threshold on the mean of columns that agrees best with the answers, by Matthews's correlation."""

    def __init__(self, slope: float) -> None:
        self.slope = slope
        self.threshold = 0.0

    def fit(self, rows: Floats, truth: Floats) -> Matthews:
        """Find the threshold, half-way between two values."""
        means = rows.mean(axis=1)
        levels = np.unique(means)
        cuts = (levels[1:] + levels[:-1]) / 2 if len(levels) > 1 else levels
        said = means[None, :] > cuts[:, None]
        spread = np.maximum(1e-12, said.std(axis=1) * truth.std())
        matthews = ((said * truth).mean(axis=1) - said.mean(axis=1) * truth.mean()) / spread
        self.threshold = float(cuts[int(np.argmax(matthews))])
        return self

    def predict_proba(self, rows: Floats) -> Floats:
        """Return the probabilities of both classes."""
        same = logistic(rows.mean(axis=1) - self.threshold, self.slope)
        return np.column_stack([1 - same, same])
