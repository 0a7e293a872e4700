"""Our verifier: a logistic regression over standardised similarities of many families."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import UNDECIDED, logistic
from stemmata.authorship.learning import require_both, scikit_learn
from stemmata.authorship.statistical.comparison import NAMES, References, compare
from stemmata.model import Document, ErrorCode, Problem, StemmataError
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]

MANY = 20
"""So many problems have a median worth the name."""


@dataclass(frozen=True)
class Weights:
    """What each number of a row is worth, and where the answer turns.

    Attributes
    ----------
    values
        One for each of `NAMES`.
    offset
        Added to the sum.
    """

    values: tuple[float, ...]
    offset: float

    def logits(self, rows: Floats) -> Floats:
        """Return how much speaks for the same author in each row."""
        return np.asarray(rows @ np.array(self.values) + self.offset, np.float64)

    @classmethod
    def fitted(cls, rows: Floats, truth: Sequence[bool], strength: float) -> Weights:
        """Learn from rows whose answers are known."""
        model = scikit_learn("linear_model").LogisticRegression(C=strength, max_iter=5000)
        model.fit(rows, np.asarray(truth, np.bool_))
        values = tuple(round(float(one), 6) for one in model.coef_[0])
        return cls(values, round(float(model.intercept_[0]), 6))


@cache
def shipped() -> Weights:
    """Return the weights that come with the package, learned from the training sets of PAN 2013 to 2015."""
    said = json.loads((files("stemmata.authorship") / "data" / "weights.json").read_text("utf-8"))
    return Weights(tuple(said["weights"][name] for name in NAMES), said["offset"])


@dataclass(frozen=True)
class StemmataVerifier:
    """Judges by how much more alike two texts are than either is to texts of others, in many respects.

    Fifteen families of features, each compared by the cosine of z-scores and by the min-max of tf-idf, and
    compression, are standardised against texts of others and weighed by a logistic regression. The texts of
    others are those of the batch, or, if each problem is judged alone, those it learned from.

    Attributes
    ----------
    alone
        Whether each problem is judged without the others; then it must have learned.
    strength
        How freely weights are learned: the inverse of the penalty on their squares.
    lean
        In a batch of `MANY` problems or more, where the answers turn is moved towards their median, but no
        farther than this, in logits: genres differ by about as much.
    zone
        Answers this close to 0.5 are no answers.
    weights
        What was learned; without it, the weights that come with the package.
    background
        Texts of others to compare with, where each problem is judged alone.
    """

    alone: bool = False
    strength: float = tunable(0.01, 0.0001, 10.0)
    lean: float = tunable(0.5, 0.0, 5.0)
    zone: float = tunable(0.02, 0.0, 0.3)
    weights: Weights | None = None
    background: tuple[str, ...] = field(default=(), repr=False)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the probability of the same author for each problem.

        Raises
        ------
        StemmataError
            E821 if problems are to be judged alone and nothing was learned.
        """
        batch = Batch.of(problems)
        if not len(batch):
            return []
        rows = compare(batch, self._references())
        logits = (self.weights or shipped()).logits(rows)
        if len(batch) >= MANY and not self.alone:
            logits -= np.clip(np.median(logits), -self.lean, self.lean)
        answers = logistic(logits)
        # Where nothing could be compared there is nothing to say.
        answers[~rows.any(axis=1)] = UNDECIDED
        answers[np.abs(answers - UNDECIDED) <= self.zone] = UNDECIDED
        return [float(one) for one in answers]

    def _references(self) -> References | None:
        if not self.alone:
            return None
        if not self.background:
            raise StemmataError(ErrorCode.NOTHING_LEARNED, verifier=type(self).__name__)
        return _kept_references(self.background)

    def learn(self, problems: Sequence[Problem], truth: Sequence[bool]) -> Self:
        """Return a verifier with weights learned from problems and, if it judges alone, their texts."""
        require_both(type(self).__name__, truth)
        batch = Batch.of(problems)
        rows = compare(batch, roles=not self.alone)
        texts = tuple(writing.text for writing in batch.writings) if self.alone else ()
        return replace(self, weights=Weights.fitted(rows, truth, self.strength), background=texts)

    def learned(self) -> Mapping[str, Any]:
        """Return what was learned, as JSON can say it."""
        weights = self.weights or shipped()
        return {
            "weights": dict(zip(NAMES, weights.values, strict=True)),
            "offset": weights.offset,
            "background": list(self.background),
        }

    def recall(self, learned: Mapping[str, Any]) -> Self:
        """Return a verifier that has learned what `learned` returned."""
        values = tuple(float(learned["weights"][name]) for name in NAMES)
        texts = tuple(str(text) for text in learned["background"])
        return replace(self, weights=Weights(values, float(learned["offset"])), background=texts)


@cache
def _kept_references(texts: tuple[str, ...]) -> References:
    """Make the spaces of texts, once for all problems."""
    documents = [Document(str(number), text) for number, text in enumerate(texts) if text]
    return References.of(Batch([Problem(one.name, (one,), one) for one in documents]))


def judging_alone(**settings: Any) -> StemmataVerifier:
    """Return the verifier that judges each problem without the others; it must learn first."""
    return StemmataVerifier(alone=True, **settings)
