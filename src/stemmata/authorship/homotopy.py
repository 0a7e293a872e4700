"""Sparse combinations of columns that build a target, found along the path of all penalties."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@np.errstate(divide="ignore", invalid="ignore")
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
    held = gram + ridge * np.eye(size)
    whole = float(target @ target)
    objective = 0.5 * whole
    for _ in range(steps):
        residual = reach - gram @ weights
        signs = np.sign(residual[active])
        direction = np.linalg.solve(held[active][:, active], signs)
        slope = gram[:, active] @ direction
        least = 1e-12 * level
        up = (level - residual) / (1 - slope)
        up[~((slope < 1) & (up > least))] = np.inf
        down = (level + residual) / (1 + slope)
        down[~((slope > -1) & (down > least))] = np.inf
        leave = -weights[active] / direction
        leave[~(leave > least)] = np.inf
        come = np.minimum(up, down)
        come[active] = np.inf
        left = float(leave.min())
        length = min(float(come.min()), left, level - penalty)
        weights[active] += length * direction
        level -= length
        if level <= penalty * (1 + 1e-9):
            break
        if length == left:
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
