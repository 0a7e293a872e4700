"""Two sides of a problem, the author's texts and the unknown one, and how they contrast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch, Counts
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.families import Family
from stemmata.authorship.learning import Learner
from stemmata.authorship.terms import find
from stemmata.model import Problem

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]


def answerable(batch: Batch) -> Truths:
    """Tell which problems have words on both sides."""
    worded = np.array([bool(writing.words) for writing in batch.writings], bool)
    return np.array(
        [bool(worded[batch.unknown[n]]) and bool(worded[batch.known[n]].any()) for n in range(len(batch))],
        bool,
    )


def answered(batch: Batch, values: Floats | Sequence[float]) -> list[float]:
    """Return values as answers: between 0 and 1, and none where a side has no words."""
    bounded = np.clip(np.nan_to_num(np.asarray(values, np.float64), nan=UNDECIDED), 0.0, 1.0)
    return [float(one) for one in np.where(answerable(batch), bounded, UNDECIDED)]


def chosen(counts: Counts, terms: Sequence[str]) -> Floats:
    """Return dense counts of some terms, a column each in their order; unheard ones are 0."""
    sources = find(counts.terms, terms)
    heard = sources >= 0
    rows = np.zeros((counts.matrix.shape[0], len(terms)))
    if heard.any():
        rows[:, heard] = counts.matrix[:, sources[heard]].toarray()
    return rows


def commonest(batch: Batch, family: Family, kept: int) -> list[str]:
    """Return the most frequent features of all texts."""
    return list(batch.counts(family).terms[:kept])


def frequencies(batch: Batch, family: Family, terms: Sequence[str]) -> Floats:
    """Return the relative frequencies of terms in each text."""
    counts = batch.counts(family)
    return chosen(counts, terms) / counts.totals[:, None]


def tf_idf(rows: Floats) -> Floats:
    """Weigh counts or frequencies by log(n / df) + 1 over the texts of the rows."""
    heard = np.maximum((rows > 0).sum(axis=0), 1)
    return np.asarray(rows * (np.log(max(1, len(rows)) / heard) + 1.0))


def sides(batch: Batch, rows: Floats) -> tuple[Floats, Floats]:
    """Return for each problem the mean row of the known texts, and that of the unknown one."""
    known = np.zeros((len(batch), rows.shape[1]))
    for number, places in enumerate(batch.known):
        if len(places):
            known[number] = rows[places].mean(axis=0)
    return known, rows[batch.unknown]


@dataclass(frozen=True)
class TermLearner(Learner):
    """A learner that describes problems by families whose commonest features are fixed when learning.

    A recipe names its families (`families`); without words on a side there is no answer.
    """

    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return families by name, with how many of their commonest features are looked at."""
        return {}

    def fix(self, batch: Batch) -> dict[str, Any]:
        """Fix the commonest features."""
        return {name: commonest(batch, family, kept) for name, (family, kept) in self.families().items()}

    def profiles(self, batch: Batch, fixed: Mapping[str, Any]) -> dict[str, Floats]:
        """Return the frequencies of the fixed features in each text, by family."""
        return {
            name: frequencies(batch, family, fixed[name]) for name, (family, _) in self.families().items()
        }

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the probability of the same author for each problem."""
        batch = Batch.of(problems)
        return answered(batch, super().score(batch))
