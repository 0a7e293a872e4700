"""Verifiers that learn: each problem becomes a row of numbers, and a model of scikit-learn tells them apart.

What was learned is kept as the rows themselves, and the model is fitted anew when it is recalled: the same
rows and seed make the same model, and nothing has to be trusted but numbers.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.small_matrices import small_matrices
from stemmata.model import ErrorCode, Problem, StemmataError
from stemmata.text.extras import require
from stemmata.text.keeping import Latest

Floats = npt.NDArray[np.float64]

_MOST_MODELS = 200
"""Fitted models that are kept: those of some dozen learners on each part of a set."""
_models: Latest[Any, Any] = Latest(_MOST_MODELS)


def scikit_learn(module: str) -> Any:
    """Return a module of scikit-learn, or say which extra has it."""
    return require(f"sklearn.{module}", "a verifier that learns", "authorship")


def trees_mean(forest: Any, rows: Floats) -> Floats:
    """Return the mean over the trees of a fitted forest, a row for each problem, a column for each class.

    These are the forest's own probabilities, or predictions, to the last bit. A tree answers a few problems
    in far less time than scikit-learn takes to ask it.
    """
    shown = np.ascontiguousarray(rows, np.float32)
    total = forest.estimators_[0].tree_.predict(shown)
    for one in forest.estimators_[1:]:
        total += one.tree_.predict(shown)
    return np.asarray(total / len(forest.estimators_), np.float64)


def require_both(verifier: str, truth: Sequence[bool]) -> None:
    """Refuse problems whose answers are all the same."""
    if len(set(truth)) < 2:
        raise StemmataError(ErrorCode.ONE_CLASS, verifier=verifier, problems=len(truth))


@dataclass(frozen=True)
class Learned:
    """Rows of known answers, and what the description of a problem needs besides.

    Attributes
    ----------
    rows, truth
        The problems learned from.
    vocabulary
        Whatever the description fixed when learning, such as the terms that are counted.
    """

    rows: tuple[tuple[float, ...], ...] = field(repr=False)
    truth: tuple[bool, ...] = field(repr=False)
    vocabulary: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Learner(ABC):
    """A verifier that learns from described problems.

    A recipe says what to fix from the problems learned from (`fix`), how to describe problems (`describe`)
    and which model to fit (`model`).
    """

    memory: Learned | None = None

    def fix(self, batch: Batch) -> dict[str, Any]:
        """Return what the description of later problems shares with these, as JSON can say it."""
        return {}

    @abstractmethod
    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return a row of numbers for each problem."""

    @abstractmethod
    def model(self) -> Any:
        """Return a model of scikit-learn that is not fitted yet."""

    def learn(self, problems: Sequence[Problem], truth: Sequence[bool]) -> Self:
        """Return a verifier that has learned.

        Raises
        ------
        StemmataError
            E820 if all answers are the same: nothing can be told apart then.
        """
        require_both(type(self).__name__, truth)
        batch = Batch.of(problems)
        with small_matrices():
            fixed = self.fix(batch)
            rows = np.nan_to_num(self.describe(batch, fixed))
        kept = tuple(tuple(round(float(x), 9) for x in row) for row in rows)
        return replace(self, memory=Learned(kept, tuple(bool(one) for one in truth), fixed))

    def learned(self) -> Mapping[str, Any]:
        """Return what was learned, as JSON can say it."""
        memory = self._memory()
        return {
            "rows": [list(row) for row in memory.rows],
            "truth": list(memory.truth),
            "fixed": dict(memory.vocabulary),
        }

    def recall(self, learned: Mapping[str, Any]) -> Self:
        """Return a verifier that has learned what `learned` returned."""
        rows = tuple(tuple(float(x) for x in row) for row in learned["rows"])
        truth = tuple(bool(one) for one in learned["truth"])
        return replace(self, memory=Learned(rows, truth, dict(learned["fixed"])))

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the probability of the same author for each problem.

        Raises
        ------
        StemmataError
            E821 if nothing was learned.
        """
        memory = self._memory()
        batch = Batch.of(problems)
        if not len(batch):
            return []
        with small_matrices():
            rows = np.nan_to_num(self.describe(batch, memory.vocabulary))
            return [float(one) for one in self.answers(self._fitted(memory), rows)]

    def _fitted(self, memory: Learned) -> Any:
        """Return the fitted model; the latest are kept, since many batches may be shown to one learner."""
        rows, truth = np.array(memory.rows), np.array(memory.truth)
        content = hashlib.sha256(rows.tobytes() + truth.tobytes()).digest()
        key = (type(self), repr(replace(self, memory=None)), rows.shape, content)
        return _models.once(key, lambda: self.model().fit(rows, truth))

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return answers for described problems."""
        return np.asarray(fitted.predict_proba(rows)[:, 1], np.float64)

    def _memory(self) -> Learned:
        if self.memory is None:
            raise StemmataError(ErrorCode.NOTHING_LEARNED, verifier="this verifier")
        return self.memory
