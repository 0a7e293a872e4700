"""The best way to part sentences into those of the author and those of others."""

from __future__ import annotations

import numpy as np

from stemmata.reuse.intrinsic.neighbourhood import Floats


def best_runs(gain: Floats, cost: float) -> list[tuple[int, int]]:
    """Return the runs of members whose gains, less a cost for each run, sum to the most.

    Dynamic programming over two states, in or out of a run.

    Examples
    --------
    >>> best_runs(np.array([-1.0, 3.0, -1.0, 2.0, -1.0, 0.5]), cost=1.5)
    [(1, 4)]
    """
    outside, inside = 0.0, -np.inf
    left: list[bool] = []
    stayed: list[bool] = []
    for one in gain.tolist():
        stayed.append(inside >= outside - cost)
        left.append(inside > outside)
        outside, inside = max(outside, inside), max(inside, outside - cost) + one
    state = inside > outside
    states = np.zeros(len(gain) + 2, np.int8)
    for i in range(len(gain) - 1, -1, -1):
        states[i + 1] = state
        state = stayed[i] if state else left[i]
    change = np.diff(states)
    starts, ends = np.flatnonzero(change == 1).tolist(), np.flatnonzero(change == -1).tolist()
    return list(zip(starts, ends, strict=True))


def best_part(gain: Floats) -> tuple[int, int]:
    """Return the one run of members whose gains sum to the most, which is never empty.

    Examples
    --------
    >>> best_part(np.array([-1.0, 3.0, -1.0, 2.0, -4.0, 3.0]))
    (1, 4)
    """
    total = np.concatenate((np.zeros(1), np.cumsum(gain)))
    last = int(np.argmax(total[1:] - np.minimum.accumulate(total)[:-1])) + 1
    return int(np.argmin(total[:last])), last
