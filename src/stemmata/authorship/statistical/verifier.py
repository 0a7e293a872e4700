"""Our verifier: a logistic regression over standardised similarities in many respects."""

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
from stemmata.authorship.calibration import UNDECIDED, abstaining, logistic
from stemmata.authorship.learning import require_both
from stemmata.authorship.statistical.comparison import (
    FEWEST,
    NAMES,
    References,
    compare,
    compare_apart,
    without_others,
)
from stemmata.authorship.writings import texts_key
from stemmata.model import Document, ErrorCode, Problem, StemmataError
from stemmata.model.parameters import tunable
from stemmata.text.keeping import Latest

Floats = npt.NDArray[np.float64]

MANY = 10
"""So many problems have a median worth the name."""
HELD = 1.0
"""How firmly an offset is held where it is likely: about as by the answers to six problems."""
REFERENCES = 6
"""Backgrounds whose spaces are remembered: those of a cross-validation in five parts, and one more."""
ROUNDS, CLOSE = 100, 1e-10
"""Steps of learning at most, and the step that is none."""


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
    def equal(cls) -> Weights:
        """Return the weights before anything is learned: all respects count alike, the second order more.

        Their size is about that of the weights which are learned, so that answers learned from few problems
        are as sure as others.
        """
        return cls((*(0.06,) * (len(NAMES) - 1), 0.2), 0.0)

    @classmethod
    def fitted(
        cls,
        rows: Floats,
        truth: Sequence[bool],
        strength: float,
        counting: Floats | None = None,
        turning: float | None = None,
    ) -> Weights:
        """Learn from rows whose answers are known.

        A logistic regression by Newton's method, which pays for the squares of how far weights come from
        equal ones; where the answer turns is free, or held near where it is said to be.

        Parameters
        ----------
        rows, truth
            What is learned from.
        strength
            How freely weights are learned: the inverse of the penalty.
        counting
            How much each row counts; without it, all count 1.
        turning
            The offset that is likely before anything is learned, as much as `HELD` tells.
        """
        before = np.array([*cls.equal().values, turning or 0.0])
        penalty = np.full(len(before), 1.0 / strength)
        penalty[-1] = 1e-9 if turning is None else HELD
        table = np.c_[rows, np.ones(len(rows))]
        counts = np.ones(len(rows)) if counting is None else counting
        answers = np.asarray(truth, np.float64)
        values = before.copy()
        for _ in range(ROUNDS):
            said = logistic(table @ values)
            slope = table.T @ (counts * (said - answers)) + penalty * (values - before)
            bend = (table * (counts * said * (1.0 - said))[:, None]).T @ table + np.diag(penalty)
            step = np.linalg.solve(bend, slope)
            # A long step would leave the region in which the bend is known.
            values -= step / max(1.0, float(np.abs(step).max()))
            if np.abs(step).max() < CLOSE:
                break
        made = [round(float(one), 6) for one in values]
        return cls(tuple(made[:-1]), made[-1])


@cache
def shipped(alone: bool = False) -> Weights:
    """Return the weights that come with the package, learned from the training sets of PAN 2013 to 2015.

    Parameters
    ----------
    alone
        Whether they are to judge problems alone, or a batch.
    """
    record = json.loads((files("stemmata.authorship") / "data" / "weights.json").read_text("utf-8"))
    said = record["alone" if alone else "batch"]
    return Weights(tuple(said["weights"][name] for name in NAMES), said["offset"])


@dataclass(frozen=True)
class StemmataVerifier:
    """Judges by how much more alike two texts are than either is to texts of others, in many respects.

    Twenty families of features are compared by the cosine of z-scores, three also by likelihood. Each
    similarity is standardised against texts of others, and a logistic regression weighs them. The texts of
    others are those of the batch, or, if each problem is judged alone, those it learned from. Where the same
    texts recur in many problems of a batch, it also counts whether two texts are like the same third ones.

    Attributes
    ----------
    alone
        Whether each problem is judged without the others; then it must have learned, or have a background.
    strength
        How freely weights are learned: the inverse of the penalty on the squares of what they differ by.
    lean
        In a batch of `MANY` problems or more, where the answers turn is moved towards their median, but no
        farther than this, in logits: genres differ by about as much.
    zone
        Answers this close to 0.5 are no answers.
    second_order
        Whether use is made of texts that recur in a batch.
    weights
        What was learned; without it, the weights that come with the package.
    background
        Texts of others to compare with, where each problem is judged alone.
    """

    alone: bool = False
    strength: float = tunable(0.003, 0.0001, 10.0)
    lean: float = tunable(1.0, 0.0, 5.0)
    zone: float = tunable(0.05, 0.0, 0.3)
    second_order: bool = True
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
        return [float(one) for one in self.answers(compare(batch, self.references(batch)))]

    def why_open(self, problems: Sequence[Problem]) -> str:
        """Return why problems are left open whatever their texts are, or nothing if none is."""
        lacking = 0 if self.alone else without_others(Batch.of(problems))
        if not lacking:
            return ""
        return (
            f"problems left open because the batch has fewer than {FEWEST} texts by others to compare with: "
            f"{lacking:,} of {len(problems):,} (give more problems, by other authors, together)"
        )

    def answers(self, rows: Floats) -> Floats:
        """Return the answers to problems that were compared."""
        rows = self.used(rows)
        logits = self.weighing().logits(rows - self.usual())
        if len(rows) >= MANY and not self.alone:
            logits -= np.clip(np.median(logits), -self.lean, self.lean)
        # Where nothing could be compared there is nothing to say.
        return np.where(rows.any(axis=1), abstaining(logistic(logits), self.zone), UNDECIDED)

    def weighing(self) -> Weights:
        """Return the weights that were learned, or those that come with the package."""
        return self.weights or shipped(self.alone)

    def usual(self) -> Floats:
        """Return what two texts of others get: numbers are counted from it where problems are judged alone.

        So where answers turn depends less on which texts of others there are.
        """
        references = self.references()
        return np.zeros(len(NAMES)) if references is None else references.usual

    def used(self, rows: Floats) -> Floats:
        """Return rows without what is not made use of."""
        return rows if self.second_order else np.c_[rows[:, :-1], np.zeros(len(rows))]

    def references(self, batch: Batch | None = None) -> References | None:
        """Return the texts of others if each problem is judged alone.

        Parameters
        ----------
        batch
            Problems among whose texts some of the others' may be found, analysed.

        Raises
        ------
        StemmataError
            E821 if nothing was learned.
        """
        if not self.alone:
            return None
        if not self.background:
            raise StemmataError(ErrorCode.NOTHING_LEARNED, verifier="this verifier")
        return _kept_references(self.background, batch)

    def learn(self, problems: Sequence[Problem], truth: Sequence[bool]) -> Self:
        """Return a verifier with weights learned from problems and, if it judges alone, their texts."""
        require_both(type(self).__name__, truth)
        batch = Batch.of(problems)
        if not self.alone:
            return replace(self, weights=Weights.fitted(self.used(compare(batch)), truth, self.strength))
        # Few problems tell little of where answers turn: it is held near where it is in other sets.
        turning = shipped(alone=True).offset
        weights = Weights.fitted(alone_rows(batch), truth, self.strength, turning=turning)
        return replace(self, weights=weights, background=tuple(one.text for one in batch.writings))

    def learned(self) -> Mapping[str, Any]:
        """Return what was learned, as JSON can say it.

        Raises
        ------
        StemmataError
            E821 if problems are to be judged alone and nothing was learned.
        """
        self.references()
        weights = self.weighing()
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


def alone_rows(batch: Batch) -> Floats:
    """Return the rows of problems that are judged alone, counted from what two of their texts get."""
    return compare_apart(batch) - References.of(batch).usual


_references: Latest[bytes, References] = Latest(REFERENCES)


def _kept_references(texts: Sequence[str], batch: Batch | None) -> References:
    """Return the spaces of texts, made once for all problems."""

    def make() -> References:
        documents = [Document(str(number), text) for number, text in enumerate(texts) if text]
        problems = [Problem(one.name, (one,), one) for one in documents]
        return References.of(batch.beside(problems) if batch is not None else Batch(problems)).apart()

    return _references.once(texts_key(texts), make)


def judging_alone(**settings: Any) -> StemmataVerifier:
    """As stemmata, but each problem is judged without the others; it must learn first."""
    return StemmataVerifier(alone=True, **settings)
