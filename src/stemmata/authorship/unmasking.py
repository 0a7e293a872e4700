"""Unmasking: two texts of one author soon look alike when what tells them apart best is taken away.

Koppel, Schler and Bonchek-Dokow, "Measuring differentiability: Unmasking pseudonymous authors", JMLR 8
(2007).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def curve(one: Floats, other: Floats, rounds: int = 8, removed: int = 6, ridge: float = 1.0) -> Floats:
    """Return how well pieces of two texts can be told apart, before and after each removal of features.

    Parameters
    ----------
    one, other
        Pieces of both texts by features.
    rounds
        Values of the curve.
    removed
        Features taken away after each round: half of them speak most for one text, half for the other.
    ridge
        How much the separating plane is held back.

    Returns
    -------
    Floats
        Accuracies, each piece being classified by a plane learned from all others. The plane is that of a
        least-squares support vector machine, whose answers for pieces left out need no further fitting.
    """
    rows = np.vstack([one, other])
    signs = np.concatenate([np.ones(len(one)), -np.ones(len(other))])
    spread = rows.std(axis=0)
    rows = (rows - rows.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    # Both texts weigh the same, however many pieces they have.
    weights = np.where(signs > 0, 1.0 / max(1, len(one)), 1.0 / max(1, len(other))) * len(rows) / 2
    left = np.arange(rows.shape[1])
    found = []
    for _ in range(rounds):
        if len(left) < 2 or len(rows) < 3:
            found.append(0.5)
            continue
        plane, said = _separated(rows[:, left], signs, weights, ridge)
        found.append(float(((said * signs > 0) * weights).sum() / weights.sum()))
        order = np.argsort(plane, kind="stable")
        half = max(1, removed // 2)
        left = np.delete(left, np.concatenate([order[:half], order[-half:]]))
    return np.array(found)


def _separated(rows: Floats, signs: Floats, weights: Floats, ridge: float) -> tuple[Floats, Floats]:
    """Return the plane, and what planes learned without each piece say of it."""
    scale = np.sqrt(weights)[:, None]
    kernel = (scale * rows) @ (scale * rows).T / rows.shape[1]
    inverse = np.linalg.inv(kernel + ridge * np.eye(len(rows)))
    target = signs * scale[:, 0]
    alpha = inverse @ target
    left_out = target - alpha / np.diag(inverse)
    return rows.T @ (scale[:, 0] * alpha), left_out


def pieces_of(items: tuple[str, ...], length: int, most: int = 10) -> list[tuple[str, ...]]:
    """Return runs of items of about the same length, at least two."""
    number = min(most, max(2, len(items) // max(1, length)))
    return [items[i * len(items) // number : (i + 1) * len(items) // number] for i in range(number)]
