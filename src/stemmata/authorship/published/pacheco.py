"""Distances relative to the background, and a random forest: Pacheco, Fernandes and Porco, 2015."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import TermLearner, sides
from stemmata.authorship.families import Characters, Family, Punctuation, WordGrams
from stemmata.authorship.learning import scikit_learn, trees_mean
from stemmata.authorship.writings import Writing
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]

_MARKS = ".,;?!\"'"
_CONTENT = frozenset({"NOUN", "ADJ", "VERB", "ADV"})


@dataclass(frozen=True)
class Pacheco2015(TermLearner):
    """Is the unknown text nearer to the author than to the mean of all authors? A forest weighs the features.

    Pacheco, Fernandes and Porco, "Random forest with increased generalization: a universal background
    approach for authorship verification", PAN at CLEF 2015. With k the author's value of a feature, u the
    unknown text's and m the mean of all authors learned from, the feature becomes ((u - k)² + 1) / ((u - m)²
    + 1).

    Attributes
    ----------
    words
        Words whose frequencies are features, besides the characters, pairs of punctuation and style.
    trees
        Trees of the forest.
    seed
        Where chance comes from.
    """

    # Left out: the program's topics (LDA of 10 topics over words and stop words), its lemmas, for which word
    # forms stand, and the choice by cross-validation among six classifiers, of which this is the forest.
    words: int = tunable(2000, 100, 10_000)
    trees: int = tunable(1000, 50, 2000)
    seed: int = 1

    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return words, characters and pairs of punctuation."""
        return {
            "words": (WordGrams(1), self.words),
            "characters": (Characters(1, lower=True), 60),
            "punctuation": (Punctuation(2), 100),
        }

    def fix(self, batch: Batch) -> dict[str, Any]:
        """Fix the terms, and the mean of the authors."""
        fixed = super().fix(batch)
        known, _ = sides(batch, self._rows(batch, fixed))
        return {**fixed, "mean": known.mean(axis=0).tolist()}

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the ratios of squared distances."""
        known, unknown = sides(batch, self._rows(batch, fixed))
        ratio = ((unknown - known) ** 2 + 1) / ((unknown - np.array(fixed["mean"])) ** 2 + 1)
        # Frequencies are small and their ratios hardly differ from 1; a forest sees only their order. With
        # few problems to learn from it gets help that the paper's has not: the mean ratio of each family.
        made = (ratio - 1) * 1e6
        widths = [len(fixed[name]) for name in self.families()]
        ends = np.cumsum([made.shape[1] - sum(widths), *widths])
        means = [made[:, start:end].sum(axis=1) / max(1, end - start) for start, end in pairwise(ends)]
        return np.column_stack([made, *means])

    def _rows(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        style = np.array([writing.once(_style, partial(_style, writing)) for writing in batch.writings])
        return np.hstack([style, *self.profiles(batch, fixed).values()])

    def model(self) -> Any:
        """Return the forest, with entropy as for English."""
        forest = scikit_learn("ensemble").RandomForestClassifier
        return forest(self.trees, criterion="entropy", class_weight="balanced", random_state=self.seed)

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return the mean of the trees."""
        return trees_mean(fitted, rows)[:, 1]


def _style(writing: Writing) -> list[float]:
    """Return counts of a text, and their least, mean and largest over its paragraphs and sentences."""
    made: list[float] = []
    for parts in ([writing.text], writing.text.split("\n"), writing.sentences):
        made += _parts([part for part in parts if part.strip()] or [""], writing.pack.stop_words)
    sizes = [len(gap) for gap in _gaps(writing.text)] or [0]
    words, tags = Counter(writing.words), Counter(writing.tags)
    tagged = max(1, sum(tags.values()))
    size = max(1, len(writing.text))
    return [
        *made,
        *(float(np.mean(sizes)), float(np.max(sizes))),
        sum(count == 1 for count in words.values()),
        len(words) / max(1, sum(words.values())),
        sum(tags[tag] for tag in _CONTENT) / tagged,
        *(sum(map(kind, writing.text)) / size for kind in (str.isdigit, str.isupper, str.islower)),
    ]


def _parts(parts: list[str], stop: frozenset[str]) -> list[float]:
    """Return for parts of a text the mean, least and largest of their counts and shares."""
    words = [part.lower().split() for part in parts]
    table: list[list[float]] = [
        [len(one) for one in words],
        [len(set(one)) / max(1, len(one)) for one in words],
        [sum(word in stop for word in one) / max(1, len(one)) for one in words],
        *[[float(part.count(mark)) for part in parts] for mark in _MARKS],
    ]
    return [figure for row in table for figure in (float(np.mean(row)), float(min(row)), float(max(row)))]


def _gaps(text: str) -> list[str]:
    """Return runs of line ends."""
    return [run for run in "".join(c if c == "\n" else " " for c in text).split(" ") if run]
