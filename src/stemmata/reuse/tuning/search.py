"""The search for the best parameters: an evolution of candidates, seeded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.random import default_rng
from scipy.optimize import differential_evolution
from scipy.stats.qmc import LatinHypercube

from stemmata.model.parameters import Number, Range
from stemmata.reuse.parts.sentence_similarity import Floats

Parameters = dict[str, Number]
Fitness = Callable[[Sequence[Parameters]], Sequence[float]]
SMALLEST_POPULATION = 5
NEARBY = 0.1
"""Standard deviation of the candidates near the start, as a share of the range."""


def evolve(
    space: Mapping[str, Range],
    fitness: Fitness,
    start: Parameters,
    population: int,
    generations: int,
    seed: int,
) -> Parameters:
    """Return the parameters of greatest fitness that differential evolution comes upon.

    Storn and Price, "Differential Evolution", Journal of Global Optimization 11, 1997; as in scipy.

    Parameters
    ----------
    space
        The range of each parameter.
    fitness
        The fitness of each of some candidates; it is asked for a whole generation at a time.
    start
        A member of the first generation; half of the others lie near it, half are spread over the space.
    population, generations
        Candidates of a generation, and how many generations follow the first.

    Examples
    --------
    >>> space = {"x": Range(-5.0, 5.0), "n": Range(0, 9)}
    >>> evolve(space, lambda some: [-(c["x"] - 1) ** 2 - abs(c["n"] - 4) for c in some],
    ...        {"x": 0.0, "n": 0}, population=12, generations=30, seed=1)
    {'x': 1.0..., 'n': 4}
    """
    names = list(space)
    low, high = (np.array(ends, dtype=float) for ends in zip(*space.values(), strict=True))

    def candidate(values: Floats) -> Parameters:
        return {name: space[name].rounded(value) for name, value in zip(names, values.tolist(), strict=True)}

    def cost(columns: Floats) -> Floats:
        # Scipy hands over one candidate per column, and minimises.
        return -np.asarray(fitness([candidate(column) for column in columns.T]))

    size = max(SMALLEST_POPULATION, population)
    known = np.clip([start[name] for name in names], low, high)
    first = low + LatinHypercube(len(names), rng=seed).random(size) * (high - low)
    near = default_rng(seed).normal(known, NEARBY * (high - low), (size // 2, len(names)))
    first[: size // 2] = np.clip(near, low, high)
    first[0] = known
    found = differential_evolution(
        cost,
        list(zip(low, high, strict=True)),
        init=first,
        maxiter=generations,
        rng=seed,
        polish=False,
        updating="deferred",
        vectorized=True,
        tol=0.0,
        integrality=[bounds.whole for bounds in space.values()],
    )
    return candidate(found.x)
