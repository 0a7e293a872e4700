"""Forests for groups of differences, and their mean: Bartoli and colleagues, 2015."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import TermLearner, sides
from stemmata.authorship.families import (
    Characters,
    Family,
    PartsOfSpeech,
    Punctuation,
    SentenceLengths,
    WordGrams,
    WordLengths,
    grams,
)
from stemmata.authorship.learning import scikit_learn, trees_mean
from stemmata.authorship.statistics import NAMES
from stemmata.authorship.writings import Writing
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]

RICHNESS = ("types per token", "hapax share", "dis legomena share", "Yule's K", "Honoré's R", "Simpson's D")


@dataclass(frozen=True)
class _TextShapes:
    """Runs of kinds of characters: a word's letters are one ``l``, digits ``n``, punctuation itself."""

    size: int = 3

    def count(self, writing: Writing) -> Counter[str]:
        kinds = ["n" if t[0].isdigit() else "l" if t[0].isalpha() else t for t in writing.tokens]
        return Counter(grams(kinds, self.size))


@dataclass(frozen=True)
class Bartoli2015(TermLearner):
    """For each group of like features a forest learns from |u - k|; the answer is the mean of the forests.

    Bartoli, Dagri, De Lorenzo, Medvet and Tarlao, "An author verification approach based on differential
    features", PAN at CLEF 2015. Groups: n-grams of words, characters, parts of speech, sentence lengths,
    punctuation and text shape; word and sentence lengths; richness of vocabulary.

    Attributes
    ----------
    kept
        Commonest features of a group.
    trees
        Trees of each forest.
    seed
        Where chance comes from.
    """

    # The paper selects features on the training problems; here the commonest stand for those selected, with
    # the sum of their differences.
    kept: int = tunable(200, 10, 2000)
    trees: int = tunable(100, 10, 1000)
    seed: int = 1

    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return the groups that are counted."""
        return {
            "words": (WordGrams(1), self.kept),
            "characters": (Characters(3), self.kept),
            "parts": (PartsOfSpeech(2), self.kept),
            "word lengths": (WordLengths(), 20),
            "sentence lengths": (SentenceLengths(1), 13),
            "rhythm": (SentenceLengths(2), 60),
            "punctuation": (Punctuation(2), 60),
            "shape": (_TextShapes(3), self.kept),
        }

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return differences, each group as many columns as it may have."""
        groups = [batch.statistics[:, [NAMES.index(name) for name in RICHNESS]]]
        for name, found in self.profiles(batch, fixed).items():
            groups.append(np.pad(found, ((0, 0), (0, self.families()[name][1] - found.shape[1]))))
        apart = [np.abs(np.subtract(*sides(batch, rows))) for rows in groups]
        return np.hstack([np.column_stack([one, one.sum(axis=1)]) for one in apart])

    def model(self) -> Any:
        """Return a forest for each group."""
        widths = [len(RICHNESS) + 1, *(kept + 1 for _, kept in self.families().values())]
        return _Forests(widths, self.trees, self.seed)

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return the mean of the forests."""
        return np.asarray(fitted.predict(rows), np.float64)


class _Forests:
    """A regressor for each block of columns."""

    def __init__(self, widths: list[int], trees: int, seed: int) -> None:
        ends = np.cumsum(widths)
        self._parts = [slice(int(end - width), int(end)) for width, end in zip(widths, ends, strict=True)]
        forest = scikit_learn("ensemble").RandomForestRegressor
        self._forests = [forest(trees, max_features=0.33, random_state=seed) for _ in widths]

    def fit(self, rows: Floats, truth: npt.NDArray[np.bool_]) -> _Forests:
        weights = np.where(truth, 1 / truth.sum(), 1 / (~truth).sum()) * len(truth)
        for part, forest in zip(self._parts, self._forests, strict=True):
            forest.fit(rows[:, part], truth.astype(np.float64), weights)
        return self

    def predict(self, rows: Floats) -> Floats:
        found = [
            trees_mean(forest, rows[:, part])[:, 0]
            for part, forest in zip(self._parts, self._forests, strict=True)
        ]
        return np.asarray(np.mean(found, axis=0))
