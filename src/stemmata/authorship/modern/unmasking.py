"""Unmasking for short texts: Bevendorff and colleagues, 2019."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import logistic
from stemmata.authorship.contrast import TermLearner
from stemmata.authorship.learning import scikit_learn
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

LONGEST = 50_000
"""Words of a side that are looked at."""


@dataclass(frozen=True)
class Unmasking2019(TermLearner):
    """How fast two texts stop being told apart when the words that tell them apart best are taken away.

    Bevendorff, Stein, Hagen and Potthast, "Generalizing unmasking for short texts", NAACL 2019, after Koppel
    and Schler, 2004. Chunks of a short text are words drawn at random without replacement, the text begun
    anew whenever it is used up. A linear machine tells the chunks of the two texts apart by the commonest
    words; round by round the words of largest weight on either side are taken away. The curve of its accuracy
    and the curve's gradients are what a second machine judges by.

    Attributes
    ----------
    chunks, length, parts
        Chunks of each text, words of a chunk, and the part of a text that it is at most.
    words, dropped, rounds
        Commonest words of both texts, how many of each side are taken away in a round, and rounds.
    runs
        Drawings over which curves are averaged.
    seed
        Where chance comes from.
    """

    # The paper's texts have 4,000 words each; here both are cut to the length of the shorter. Chunks of 700
    # words of a text of 500 would all be that text, and larger parts than a twelfth are told apart in every
    # round on PAN's training sets, so that a chunk is no longer than that. Its machines are cross-validated
    # in ten parts, ten times; here they are least-squares machines (Suykens and Vandewalle, 1999), whose
    # leave-one-out answers follow from one inverse. Both answers weigh the same in learning, whatever their
    # numbers.
    chunks: int = tunable(30, 4, 60)
    length: int = tunable(700, 20, 2000)
    parts: int = tunable(12, 1, 50)
    words: int = tunable(250, 20, 1000)
    dropped: int = tunable(5, 1, 50)
    rounds: int = tunable(16, 3, 50)
    runs: int = tunable(3, 1, 20)
    seed: int = 1

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the mean curve of each problem with its gradients over one round and two."""
        rows = [self._mean_curve(batch, number) for number in range(len(batch))]
        curves = np.array(rows).reshape(len(batch), self.rounds)
        return np.hstack([curves, curves[:, 1:] - curves[:, :-1], curves[:, 2:] - curves[:, :-2]])

    def model(self) -> Any:
        """Return a linear machine."""
        return scikit_learn("pipeline").make_pipeline(
            scikit_learn("preprocessing").StandardScaler(),
            scikit_learn("svm").SVC(kernel="linear", C=0.1, class_weight="balanced"),
        )

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return distances from the border as answers."""
        return logistic(np.asarray(fitted.decision_function(rows)), 2.0)

    def _mean_curve(self, batch: Batch, number: int) -> Floats:
        """Return the mean curve of a problem."""
        key = replace(self, memory=None)
        return batch.once_of(number, key, lambda: np.mean(self._curves(batch, number), axis=0))

    def _curves(self, batch: Batch, number: int) -> Floats:
        known = [w for place in batch.known[number].tolist() for w in batch.writings[place].words][:LONGEST]
        unknown = batch.writings[int(batch.unknown[number])].words[:LONGEST]
        if min(len(known), len(unknown)) < 2:
            return np.full((1, self.rounds), 0.5)
        text = " ".join(unknown).encode("utf-8", "surrogatepass")
        rng = np.random.default_rng((self.seed, crc32(text)))
        size = min(len(known), len(unknown))
        length = min(self.length, max(2, size // self.parts))
        sides = _numbered(known[:size], unknown[:size], self.words)
        return np.array([self._curve([self._drawn(s, length, rng) for s in sides]) for _ in range(self.runs)])

    def _drawn(self, numbers: Ints, length: int, rng: Generator) -> Floats:
        """Return the frequencies of words in random chunks, a row each."""
        needed = self.chunks * length
        turns = -(-needed // len(numbers))
        order = np.concatenate([rng.permutation(numbers) for _ in range(turns)])[:needed]
        cells = np.repeat(np.arange(self.chunks), length) * (self.words + 1) + order
        counted = np.bincount(cells, minlength=self.chunks * (self.words + 1))
        return counted.reshape(self.chunks, -1)[:, : self.words] / length

    def _curve(self, sides: Sequence[Floats]) -> Floats:
        rows = np.concatenate(sides)
        spread = rows.std(axis=0)
        rows = rows[:, spread > 0] / spread[spread > 0]
        labels = np.repeat([1.0, -1.0], self.chunks)
        curve = []
        for _ in range(self.rounds):
            accuracy, weights = _told_apart(rows, labels)
            curve.append(accuracy)
            order = np.argsort(weights, kind="stable")
            gone = np.concatenate([order[: self.dropped], order[-self.dropped :]])
            rows = np.delete(rows, gone, axis=1)
        return np.array(curve)


def _numbered(known: Sequence[str], unknown: Sequence[str], kept: int) -> tuple[Ints, Ints]:
    """Return words as their ranks in both texts, rare ones as the number that are kept."""
    counts = Counter(known) + Counter(unknown)
    best = sorted(counts, key=lambda word: (-counts[word], word))[:kept]
    places = {word: place for place, word in enumerate(best)}
    known_places, unknown_places = (
        np.array([places.get(word, kept) for word in side], np.int64) for side in (known, unknown)
    )
    return known_places, unknown_places


def _told_apart(rows: Floats, labels: Floats, penalty: float = 1.0) -> tuple[float, Floats]:
    """Return the leave-one-out accuracy of a least-squares machine, and its weights.

    Left out, row i is answered by y_i - α_i / (M⁻¹)_ii, where M is the kernel with the penalty on its
    diagonal, bordered for the offset (Cawley, "Leave-one-out cross-validation based model selection criteria
    for weighted LS-SVMs", 2006).
    """
    size = len(labels)
    if not rows.shape[1]:
        return 0.5, np.zeros(0)
    bordered = np.ones((size + 1, size + 1))
    bordered[:size, :size] = rows @ rows.T / rows.shape[1] + np.eye(size) / penalty
    bordered[size, size] = 0.0
    inverse = np.linalg.inv(bordered)
    alpha = inverse[:size, :size] @ labels
    left_out = labels - alpha / np.diag(inverse)[:size]
    # What lies on the border is right half of the time.
    right = np.where(np.abs(left_out) < 1e-9, 0.5, labels * left_out > 0)
    return float(right.mean()), rows.T @ alpha
