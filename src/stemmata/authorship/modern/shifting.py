"""Answers from a measure whose turning point must be found: on problems learned from, or in the batch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.contrast import answerable, answered
from stemmata.authorship.learning import require_both
from stemmata.measures.verification import Answers, c_at_1, f05u
from stemmata.model import Problem

Floats = npt.NDArray[np.float64]

FEW = 10
"""With fewer problems, a batch says nothing of where its answers turn."""
_STEPS = 24


@dataclass(frozen=True)
class Shift:
    """Where answers turn: below `low` another author, above `high` the same, between them no answer.

    Kestemont, Stover, Koppel, Karsdorp and Daelemans, "Authenticating the writings of Julius Caesar", Expert
    Systems with Applications 63 (2016): either side is stretched over its half of the answers.

    Examples
    --------
    >>> Shift(0.2, 0.6).answers(np.array([0.0, 0.1, 0.4, 0.8, 1.0])).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """

    low: float
    high: float

    def answers(self, values: Floats) -> Floats:
        """Return values between 0 and 1 as answers."""
        below = UNDECIDED * values / max(self.low, 1e-9)
        above = 1 - UNDECIDED * (1 - values) / max(1 - self.high, 1e-9)
        return np.where(values < self.low, below, np.where(values > self.high, above, UNDECIDED))

    @classmethod
    def fitted(cls, values: Floats, truth: Sequence[bool]) -> Shift:
        """Return the turning points with the best sum of c@1 and F0.5u, among quantiles of the values."""
        cuts = np.unique(np.quantile(values, np.linspace(0.0, 1.0, _STEPS)))
        cuts = np.concatenate(([cuts[0]], (cuts[1:] + cuts[:-1]) / 2))
        told = np.asarray(truth, np.bool_)
        pairs = [cls(float(low), float(high)) for i, low in enumerate(cuts) for high in cuts[i:]]
        worth = [_worth(Answers(told, one.answers(values))) for one in pairs]
        return pairs[int(np.argmax(worth))]


def _worth(answers: Answers) -> float:
    return round(float(c_at_1(answers)) + float(f05u(answers)), 9)


@dataclass(frozen=True)
class ShiftedVerifier(ABC):
    """A verifier that measures how alike texts are and learns where its answers turn, if it is taught.

    Untaught, it takes the middle of the batch, as if every other problem were by the same author, or in a
    batch of fewer than `FEW` problems what is usual.

    Attributes
    ----------
    shift
        What was learned.
    """

    shift: Shift | None = None

    @property
    def usual(self) -> float:
        """Where answers turn if nothing else is known."""
        return UNDECIDED

    @abstractmethod
    def measure(self, batch: Batch) -> Floats:
        """Return for each problem a value between 0 and 1, larger for texts more alike."""

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return an answer for each problem."""
        batch = Batch.of(problems)
        if not len(batch):
            return []
        values = np.clip(np.nan_to_num(self.measure(batch), nan=self.usual), 0.0, 1.0)
        return answered(batch, (self.shift or self._shift_of(values[answerable(batch)])).answers(values))

    def _shift_of(self, values: Floats) -> Shift:
        middle = float(np.median(values)) if len(values) >= FEW else self.usual
        return Shift(middle, middle)

    def learn(self, problems: Sequence[Problem], truth: Sequence[bool]) -> Self:
        """Return a verifier that has learned where its answers turn.

        Raises
        ------
        StemmataError
            E820 if all answers are the same.
        """
        require_both(type(self).__name__, truth)
        values = np.clip(np.nan_to_num(self.measure(Batch.of(problems)), nan=self.usual), 0.0, 1.0)
        return replace(self, shift=Shift.fitted(values, truth))

    def learned(self) -> Mapping[str, Any]:
        """Return where answers turn, as JSON can say it; nothing if it was not taught."""
        return {} if self.shift is None else {"low": self.shift.low, "high": self.shift.high}

    def recall(self, learned: Mapping[str, Any]) -> Self:
        """Return a verifier that has learned what `learned` returned."""
        if not learned:
            return replace(self, shift=None)
        return replace(self, shift=Shift(float(learned["low"]), float(learned["high"])))
