"""Nearest known texts in categories of features: Halvani and colleagues, 2013 to 2015."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED, around, logistic
from stemmata.authorship.distances import manhattan
from stemmata.authorship.families import (
    Affixes,
    Characters,
    Family,
    FunctionWords,
    Punctuation,
    WordGrams,
)
from stemmata.authorship.learning import Learner
from stemmata.authorship.one_class import answerable, author_rows, compared, dense_rows, halved
from stemmata.model import Problem
from stemmata.model.parameters import tunable

CATEGORIES: tuple[Family, ...] = (
    *(Characters(2), Characters(3), Characters(4), Affixes(3), Affixes(3, last=True)),
    *(FunctionWords(), FunctionWords(2), Punctuation(), Punctuation(2), WordGrams()),
)
"""Letters, prefixes, suffixes, stop words, punctuation and words: nothing that needs linguistic tools."""


@dataclass(frozen=True)
class Halvani2013:
    """In most categories the unknown text is as near to its nearest known text as this is to its own nearest.

    Halvani, Steinebach and Zimmermann, "Authorship verification via k-nearest neighbor estimation", PAN at
    CLEF 2013. A single known text is cut in two.

    Attributes
    ----------
    kept
        Commonest features of each category that count.
    threshold
        Ratios of the two distances up to this are accepted.
    """

    # Categories and threshold are guesses; no scores of the original are public.
    kept: int = tunable(500, 10, 5000)
    threshold: float = tunable(1.0, 0.5, 2.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the share of categories that accept."""
        batch = Batch.of(problems)
        ratios = category_ratios(batch, self.kept)
        accepted = np.where(np.isnan(ratios), UNDECIDED, ratios <= self.threshold).mean(axis=1)
        return [float(one) for one in np.where(answerable(batch), accepted, UNDECIDED)]


def category_ratios(batch: Batch, kept: int) -> Floats:
    """Return for each problem and category how much farther the unknown text is; NaN if not known."""
    cut = halved(batch)
    ratios = np.full((len(batch), len(CATEGORIES)), np.nan)
    for column, family in enumerate(CATEGORIES):
        for number, one in enumerate(compared(cut, dense_rows(cut, family, kept), manhattan)):
            if len(one.unknown) < 2:
                continue
            nearest = int(np.argmin(one.unknown))
            within = float(np.delete(one.among[nearest], nearest).min())
            if within > 0:
                ratios[number, column] = one.unknown[nearest] / within
    return ratios


@dataclass(frozen=True)
class Halvani2014:
    """VEBAV: the unknown text's distance to its nearest known text against those among the known texts.

    Halvani and Steinebach, "VEBAV - A simple, scalable and fast authorship verification scheme", PAN at CLEF
    2014: one class, a simple distance, categories of features, no linguistic tools; a modification of 2013.

    Attributes
    ----------
    kept
        Commonest features of each category that count.
    threshold
        The mean ratio of the distances that is no answer.
    width
        How far from the threshold answers reach 0 and 1, twice.
    """

    # Which categories and distance were chosen for which corpus is not known to us: all categories,
    # Manhattan.
    kept: int = tunable(500, 10, 5000)
    threshold: float = tunable(1.1, 0.5, 2.0)
    width: float = tunable(1.0, 0.05, 5.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return answers around the threshold."""
        batch = Batch.of(problems)
        ratios = np.nan_to_num(category_ratios(batch, self.kept), nan=self.threshold).mean(axis=1)
        answers = around(-ratios, -self.threshold, self.width)
        return [float(one) for one in np.where(answerable(batch), answers, UNDECIDED)]


@dataclass(frozen=True)
class Halvani2015(Learner):
    """Distances of letters in several categories, each with the threshold of equal errors in training.

    Halvani and Winter, "A generic authorship verification scheme based on equal error rates", PAN at CLEF
    2015: a category accepts a distance below the threshold at which as many of the same author are rejected
    as others are accepted; answers are a sigmoid of how far the distances are from the thresholds.

    Attributes
    ----------
    kept
        Commonest features of each category that count.
    slope
        How fast answers leave 0.5.
    """

    # Features are those of the problem's own batch; the categories are a guess.
    kept: int = tunable(1000, 10, 5000)
    slope: float = tunable(8.0, 0.1, 100.0)

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the distance of both sides in each category, as a share of the largest possible."""
        made = np.zeros((len(batch), len(CATEGORIES)))
        for column, family in enumerate(CATEGORIES):
            rows = dense_rows(batch, family, self.kept)
            known, unknown = author_rows(batch, rows), rows[batch.unknown]
            made[:, column] = np.abs(known - unknown).sum(axis=1) / 2
        made[~answerable(batch)] = 0.0
        return made

    def model(self) -> Any:
        """Return thresholds of equal errors, not found yet."""
        return EqualErrors(self.slope)

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return the sigmoid of the mean relative distance to the thresholds; 0.5 for empty texts."""
        told = rows.any(axis=1)
        return np.where(told, fitted.predict_proba(rows)[:, 1], UNDECIDED)


class EqualErrors:
    """Thresholds, one for each column, that reject as many of one class as they accept of the other."""

    def __init__(self, slope: float) -> None:
        self.slope = slope
        self.thresholds: Floats = np.zeros(0)

    def fit(self, rows: Floats, truth: npt.NDArray[np.bool_]) -> EqualErrors:
        """Find the thresholds, of distances."""
        found = []
        for column in rows.T:
            levels = np.unique(column)
            rejected = np.array([np.mean(column[truth] > level) for level in levels])
            accepted = np.array([np.mean(column[~truth] <= level) for level in levels])
            found.append(levels[int(np.argmin(np.abs(rejected - accepted)))])
        self.thresholds = np.array(found)
        return self

    def predict_proba(self, rows: Floats) -> Floats:
        """Return the probabilities of both classes."""
        limit = np.where(self.thresholds > 0, self.thresholds, 1.0)
        same = logistic(((self.thresholds - rows) / limit).mean(axis=1), self.slope)
        return np.column_stack([1 - same, same])
