"""Searches: ways to choose among changes; greedy, beam, A* and genetic.

None of them knows what a text is. A state is whatever the caller takes for one; what it is worth, where it
leads and when it will do are functions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

Floats = npt.NDArray[np.float64]
T = TypeVar("T")
H = TypeVar("H", bound=Hashable)

_AT_A_TIME = 16
"""So many gains are worked out anew at once; twice as many each further time before the next is taken."""


def greedy(count: int, gains: Callable[[Sequence[int]], Floats], take: Callable[[int], bool]) -> list[int]:
    """Take candidates one by one, the best first, until none gains anything; return the taken in their order.

    Gains are worked out anew only near the top of the list: a candidate that was far behind at last sight
    rarely comes to the front by what was taken since (Minoux, "Accelerated greedy algorithms for maximizing
    submodular set functions", 1978).

    Parameters
    ----------
    count
        How many candidates there are; they go by number.
    gains
        What each of some candidates would gain now.
    take
        Takes a candidate, or refuses it for good by returning False.

    Examples
    --------
    >>> worth = np.array([1.0, 5.0, 3.0])
    >>> greedy(3, lambda numbers: worth[list(numbers)], lambda number: number != 1)
    [2, 0]
    """
    taken: list[int] = []
    if not count:
        return taken
    # Entries are (-gain, number, at which step the gain was worked out).
    queue = [(-float(gain), number, 0) for number, gain in enumerate(gains(range(count)))]
    heapify(queue)
    step, most = 0, _AT_A_TIME
    while queue:
        gain, number, seen = heappop(queue)
        if -gain <= 0:
            break
        if seen == step:
            if take(number):
                taken.append(number)
                step, most = step + 1, _AT_A_TIME
            continue
        stale = [number]
        while queue and len(stale) < most and queue[0][2] < step:
            stale.append(heappop(queue)[1])
        # Where many are worth the same, as in a text that repeats itself, the first few decide nothing.
        most *= 2
        for one, value in zip(stale, gains(stale), strict=True):
            heappush(queue, (-float(value), one, step))
    return taken


def beam(
    start: T,
    expand: Callable[[T], Iterable[T]],
    value: Callable[[Sequence[T]], Floats],
    width: int = 5,
    steps: int = 100,
) -> T:
    """Follow the best few states at a time; return the best state met.

    Parameters
    ----------
    start
        Where to begin.
    expand
        The states one step further.
    value
        What each of some states is worth; larger is better.
    width
        How many states are followed.
    steps
        How many steps are taken at the most; it ends earlier if no state leads on.

    Examples
    --------
    >>> beam(1, lambda n: [2 * n, n + 1], lambda ns: -np.abs(np.array(ns) - 11.0), width=3)
    11
    """
    best, best_value = start, float(value([start])[0])
    states = [start]
    for _ in range(steps):
        found = [after for state in states for after in expand(state)]
        if not found:
            break
        values = value(found)
        order = np.argsort(-values, kind="stable")[:width]
        if values[order[0]] > best_value:
            best, best_value = found[order[0]], float(values[order[0]])
        states = [found[number] for number in order]
    return best


@dataclass(frozen=True)
class Path(Generic[H]):
    """Where A* came to.

    Attributes
    ----------
    state
        The state that reached the goal; if none did, the one that seemed nearest.
    cost
        What the way cost.
    reached
        Whether the goal was reached.
    expanded
        How many states were looked behind.
    """

    state: H
    cost: float
    reached: bool
    expanded: int


def a_star(
    start: H,
    expand: Callable[[H], Iterable[tuple[H, float]]],
    remaining: Callable[[H, float], float],
    reached: Callable[[H], bool],
    most: int = 10_000,
    kept: int = 100_000,
) -> Path[H]:
    """Find a cheap way to a goal (Hart, Nilsson and Raphael, 1968).

    Parameters
    ----------
    start
        Where to begin.
    expand
        The states one step further, and what each step costs.
    remaining
        A guess of what the rest of the way costs from a state, given what it cost so far; the way found is
        the cheapest if no guess is too high.
    reached
        Whether a state will do.
    most
        How many states are looked behind at the most.
    kept
        How many states may wait; beyond, the worst half is forgotten.

    Examples
    --------
    >>> steps = lambda n: [(n + 3, 1.0), (n + 1, 0.5)]
    >>> a_star(0, steps, lambda n, cost: max(0, 7 - n) / 3, lambda n: n == 7)
    Path(state=7, cost=2.5, reached=True, expanded=3)
    """
    guess = remaining(start, 0.0)
    # The second entry decides between equals: the state nearest to the goal, then the one found first.
    queue: list[tuple[float, float, int, float, H]] = [(guess, guess, 0, 0.0, start)]
    cheapest: dict[H, float] = {start: 0.0}
    nearest, nearest_guess = (start, 0.0), guess
    found = expanded = 0
    while queue and expanded < most:
        _, guess, _, cost, state = heappop(queue)
        if cost > cheapest.get(state, cost):
            continue
        if guess < nearest_guess:
            nearest, nearest_guess = (state, cost), guess
        if reached(state):
            return Path(state, cost, True, expanded)
        expanded += 1
        for after, step in expand(state):
            total = cost + step
            if total < cheapest.get(after, np.inf):
                cheapest[after] = total
                found += 1
                rest = remaining(after, total)
                heappush(queue, (total + rest, rest, found, total, after))
        if len(queue) > kept:
            queue = sorted(queue)[: kept // 2]
    return Path(*nearest, False, expanded)


def genetic(
    start: Sequence[T],
    mutants: Callable[[T, Generator], Sequence[T]],
    cross: Callable[[T, T, Generator], Sequence[T]],
    fitness: Callable[[Sequence[T]], Floats],
    rng: Generator,
    generations: int = 25,
    keep: int = 5,
    crossing: float = 0.1,
    enough: Callable[[T], bool] = lambda _: False,
) -> T:
    """Let states mutate and mix, and keep the fittest; return the fittest ever.

    Parameters
    ----------
    start
        The first generation.
    mutants
        Changed copies of a state.
    cross
        Children of two states.
    fitness
        How fit each of some states is; larger is fitter.
    rng
        Source of randomness.
    generations
        How many there are at the most.
    keep
        How many states survive each.
    crossing
        How likely a survivor is crossed with another in a generation.
    enough
        Whether the fittest will do, so that the search ends.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> step = lambda n, rng: [n + int(one) for one in rng.integers(-3, 4, 5)]
    >>> half = lambda a, b, rng: [(a + b) // 2]
    >>> genetic([0], step, half, lambda ns: -np.abs(np.array(ns) - 20.0), rng)
    20
    """
    living = list(start)
    values = np.asarray(fitness(living), dtype=np.float64)
    for _ in range(generations):
        fittest = living[int(np.argmax(values))]
        if enough(fittest):
            return fittest
        born = [child for state in living for child in mutants(state, rng)]
        for number, state in enumerate(living):
            if len(living) > 1 and rng.random() < crossing:
                other = (number + 1 + int(rng.integers(len(living) - 1))) % len(living)
                born += cross(state, living[other], rng)
        if not born:
            break
        living += born
        values = np.concatenate([values, np.asarray(fitness(born), dtype=np.float64)])
        order = np.argsort(-values, kind="stable")[:keep]
        living, values = [living[place] for place in order], values[order]
    return living[int(np.argmax(values))]
