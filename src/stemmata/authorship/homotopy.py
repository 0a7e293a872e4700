"""Sparse combinations of columns that build a target, found along the path of all penalties."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def homotopy(
    columns: Floats, target: Floats, penalty: float = 1e-5, gain: float = 1e-5, steps: int = 200
) -> Floats:
    """Return x with the least ½ |target - columns x|² + penalty |x|₁, approximately.

    Osborne, Presnell and Turlach, "A new approach to variable selection in least squares problems", IMA
    Journal of Numerical Analysis 20 (2000): from a penalty at which all weights are 0 it falls, and between
    the penalties at which a weight comes or goes all weights change along a straight line.

    Parameters
    ----------
    columns, target
        What is combined, and what is to be built.
    penalty
        Where the path ends.
    gain
        It ends before, if a step lessens the objective by no more than this share.
    steps
        The most steps.
    """
    gram, reach = columns.T @ columns, columns.T @ target
    size = len(reach)
    weights = np.zeros(size)
    level = float(np.abs(reach).max(initial=0.0))
    if level <= penalty:
        return weights
    active = [int(np.argmax(np.abs(reach)))]
    ridge = 1e-10 * max(1e-300, float(np.trace(gram)) / size)
    whole = float(target @ target)
    objective = 0.5 * whole
    for _ in range(steps):
        residual = reach - gram @ weights
        signs = np.sign(residual[active])
        inner = gram[np.ix_(active, active)]
        direction = np.linalg.solve(inner + ridge * np.eye(len(active)), signs)
        slope = gram[:, active] @ direction
        inactive = np.ones(size, bool)
        inactive[active] = False
        with np.errstate(divide="ignore", invalid="ignore"):
            up = np.where(inactive & (slope < 1), (level - residual) / (1 - slope), np.inf)
            down = np.where(inactive & (slope > -1), (level + residual) / (1 + slope), np.inf)
            leave = -weights[active] / direction
        up[up <= 1e-12 * level], down[down <= 1e-12 * level] = np.inf, np.inf
        leave[~(leave > 1e-12 * level)] = np.inf
        come = np.minimum(up, down)
        length = min(float(come.min(initial=np.inf)), float(leave.min(initial=np.inf)), level - penalty)
        weights[active] += length * direction
        level -= length
        if level <= penalty * (1 + 1e-9):
            break
        if length == leave.min(initial=np.inf):
            gone = int(np.argmin(leave))
            weights[active[gone]] = 0.0
            del active[gone]
            if not active:
                break
        else:
            active.append(int(np.argmin(come)))
        fit = whole - 2 * float(weights @ reach) + float(weights @ (gram @ weights))
        now = 0.5 * fit + penalty * float(np.abs(weights).sum())
        if objective - now <= gain * objective:
            break
        objective = now
    return weights
