"""Learned weights of distances: Ledesma, Fuentes, Jasso, Toledo and Meza, 2013."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.distances import cosine, jaccard
from stemmata.authorship.families import (
    Affixes,
    Characters,
    Family,
    FunctionWords,
    Punctuation,
    Shapes,
    TokenGrams,
    WordGrams,
)
from stemmata.authorship.learning import Learner
from stemmata.authorship.one_class import answerable, author_rows, dense_rows
from stemmata.authorship.writings import Writing
from stemmata.model.parameters import tunable


@dataclass(frozen=True)
class Capitals:
    """Words that begin with a capital letter."""

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        return Counter(token for token in writing.tokens if token[0].isupper())


REPRESENTATIONS: tuple[Family, ...] = (
    *(WordGrams(1), WordGrams(2), WordGrams(3), WordGrams(1, stop=False), FunctionWords(1), FunctionWords(2)),
    *(
        Punctuation(1),
        Punctuation(2),
        Capitals(),
        TokenGrams(2),
        Characters(3),
        Affixes(3),
        Affixes(3, last=True),
    ),
    Shapes(2),
)


@dataclass(frozen=True)
class Ledesma2013(Learner):
    """A weighted sum of distances in many representations; its sign is the answer.

    Ledesma, Fuentes, Jasso, Toledo and Meza, "Distance learning for author verification", PAN at CLEF 2013.
    Weights are learned by an averaged perceptron in ten passes, the program's default. Answers are 1 or 0.

    Attributes
    ----------
    kept
        Commonest features of each representation that count.
    passes
        How often the perceptron sees all problems.
    seed
        In which order it sees them.
    """

    # The program has some twenty representations with a distance each; ours are fourteen of the same kinds
    # with two each. Each distance is made standard in training, without which the perceptron does not settle.
    kept: int = tunable(1000, 10, 5000)
    passes: int = tunable(10, 1, 200)
    seed: int = 1

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the similarities of both sides, two for each representation."""
        made = np.zeros((len(batch), 2 * len(REPRESENTATIONS)))
        for column, family in enumerate(REPRESENTATIONS):
            rows = dense_rows(batch, family, self.kept)
            known = author_rows(batch, rows)
            for number, unknown in enumerate(batch.unknown.tolist()):
                pair = known[[number]], rows[[unknown]]
                made[number, 2 * column : 2 * column + 2] = cosine(*pair)[0, 0], jaccard(*pair)[0, 0]
        made[~answerable(batch)] = 0.0
        return made

    def model(self) -> Any:
        """Return a perceptron that has not learned yet."""
        return AveragedPerceptron(self.passes, self.seed)

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return 1 for a positive sum and 0 for another; 0.5 for texts without words."""
        return np.where(rows.any(axis=1), fitted.sums(rows) > 0, UNDECIDED)


class AveragedPerceptron:
    """Weights changed by each mistake, and averaged: Freund and Schapire, 1999; Collins, 2002."""

    def __init__(self, passes: int, seed: int) -> None:
        self.passes, self.seed = passes, seed
        self.middle: Floats = np.zeros(0)
        self.spread: Floats = np.ones(0)
        self.weights: Floats = np.zeros(0)

    def fit(self, rows: Floats, truth: Floats) -> AveragedPerceptron:
        """Learn the weights."""
        self.middle, spread = rows.mean(axis=0), rows.std(axis=0)
        self.spread = np.where(spread > 0, spread, 1.0)
        points = self._points(rows)
        signs = np.where(truth, 1.0, -1.0)
        rng = np.random.default_rng(self.seed)
        weights, total = np.zeros(points.shape[1]), np.zeros(points.shape[1])
        for _ in range(self.passes):
            for place in rng.permutation(len(points)):
                if signs[place] * (weights @ points[place]) <= 0:
                    weights = weights + signs[place] * points[place]
                total += weights
        self.weights = total / max(1, self.passes * len(points))
        return self

    def _points(self, rows: Floats) -> Floats:
        return np.column_stack([(rows - self.middle) / self.spread, np.ones(len(rows))])

    def sums(self, rows: Floats) -> Floats:
        """Return the weighted sums."""
        return np.asarray(self._points(rows) @ self.weights)
