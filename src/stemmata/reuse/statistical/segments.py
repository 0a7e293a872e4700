"""The segment of greatest sum, with a bonus for ends where passages usually end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stemmata.model import Span
from stemmata.reuse.statistical.evidence import Floats


class Segment(NamedTuple):
    """A range and the sum of its scores, bonuses not counted."""

    words: Span
    score: float


def best_segment(scores: Floats, bonus: Floats) -> Segment:
    """Return the non-empty range whose scores, with the bonus of the gaps at its two ends, sum to the most.

    Parameters
    ----------
    scores
        One number per word.
    bonus
        One number per gap: ``bonus[k]`` for an end before word ``k``.

    Examples
    --------
    >>> best_segment(np.array([-1.0, 2.0, -1.0, 2.0, -5.0]), np.zeros(6))
    Segment(words=Span(start=1, end=4), score=3.0)
    """
    total = np.zeros(len(scores) + 1)
    np.add.accumulate(scores, out=total[1:])
    opening = total - bonus
    closing = total[1:] + bonus[1:]
    closing -= np.minimum.accumulate(opening[:-1])
    end = int(closing.argmax()) + 1
    start = int(opening[:end].argmin())
    return Segment(Span(start, end), float(total[end] - total[start]))
