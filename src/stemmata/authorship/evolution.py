"""A genetic search for the columns that tell problems apart best."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from stemmata.authorship.calibration import logistic, ranks

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


def area(values: Floats, truth: Truths) -> float:
    """Return the area under the curve: how often a true problem has the higher value; 0.5 if none can."""
    yes, no = int(truth.sum()), int((~truth).sum())
    if not yes or not no:
        return 0.5
    total = float((ranks(values)[truth] * len(values) + 0.5).sum())
    return (total - yes * (yes + 1) / 2) / (yes * no)


def ridge(rows: Floats, truth: Truths, penalty: float) -> Floats:
    """Return the weights, the last of them alone, that bring rows nearest to 1 for true and -1 for false."""
    wide = np.hstack([rows, np.ones((len(rows), 1))])
    held = np.eye(wide.shape[1]) * penalty
    held[-1, -1] = 1e-9
    return np.asarray(np.linalg.solve(wide.T @ wide + held, wide.T @ np.where(truth, 1.0, -1.0)))


class Genetic:
    """A model whose columns are found by a genetic algorithm; the best configurations answer together.

    Parameters
    ----------
    population, generations
        Configurations of a generation, and how many generations there are.
    elite
        Configurations that live on, and that answer in the end.
    penalty
        What weights cost.
    seed
        Where chance comes from.
    """

    def __init__(
        self, population: int = 24, generations: int = 12, elite: int = 6, penalty: float = 5.0, seed: int = 1
    ) -> None:
        self._population, self._generations, self._elite = population, generations, elite
        self._penalty, self._seed = penalty, seed

    def fit(self, rows: Floats, truth: Truths) -> Genetic:
        """Search, and fit the best configurations."""
        rng = np.random.default_rng(self._seed)
        self._mean = rows.mean(axis=0)
        spread = rows.std(axis=0)
        self._spread = np.where(spread > 0, spread, 1.0)
        scaled = (rows - self._mean) / self._spread
        folds = rng.permutation(len(rows)) % max(2, min(5, len(rows) // 2))
        found = self._search(scaled, truth, folds, rng)
        self._fitted = [(one, ridge(scaled[:, one], truth, self._penalty)) for one in found]
        return self

    def decision_function(self, rows: Floats) -> Floats:
        """Return the mean of the configurations."""
        scaled = (rows - self._mean) / self._spread
        return np.asarray(
            np.mean([scaled[:, one] @ weights[:-1] + weights[-1] for one, weights in self._fitted], axis=0)
        )

    def predict_proba(self, rows: Floats) -> Floats:
        """Return probabilities of false and true."""
        same = logistic(self.decision_function(rows), 2.0)
        return np.column_stack([1 - same, same])

    def _search(self, rows: Floats, truth: Truths, folds: Ints, rng: Generator) -> list[Truths]:
        width = rows.shape[1]
        people = list(rng.random((self._population, width)) < 0.5)
        worth: dict[bytes, float] = {}

        def fitness(one: Truths) -> float:
            key = one.tobytes()
            if key not in worth:
                worth[key] = self._fitness(rows[:, one], truth, folds)
            return worth[key]

        for _ in range(self._generations):
            people.sort(key=lambda one: (-fitness(one), one.tobytes()))
            best = people[: max(2, self._population // 3)]
            people = people[: self._elite]
            while len(people) < self._population:
                mother, father = (best[int(place)] for place in rng.integers(len(best), size=2))
                child = np.where(rng.random(width) < 0.5, mother, father)
                people.append(np.logical_xor(child, rng.random(width) < 1.0 / width))
        people.sort(key=lambda one: (-fitness(one), one.tobytes()))
        return people[: self._elite]

    def _fitness(self, rows: Floats, truth: Truths, folds: Ints) -> float:
        """Return AUC times accuracy in cross-validation."""
        told = np.zeros(len(rows))
        for fold in np.unique(folds):
            held = folds == fold
            weights = ridge(rows[~held], truth[~held], self._penalty)
            told[held] = rows[held] @ weights[:-1] + weights[-1]
        return area(told, truth) * float(np.mean((told > 0) == truth))
