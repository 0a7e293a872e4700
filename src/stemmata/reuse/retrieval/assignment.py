"""Which sentence is from which source: the likeliest sequence of sources, with a price for naming one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stemmata.model.spans import Ints

Floats = npt.NDArray[np.float64]
NONE = -1
"""The sentence is from no source."""


def assign_sentences(evidence: Floats, entry: float | Floats) -> Ints:
    """Return for each sentence the source it is from, or `NONE`.

    The sequence is the one that maximises the sum of the evidence less a price for every entry into a
    source; it is found as Viterbi found it.

    Parameters
    ----------
    evidence
        Sentences by sources, as log-likelihood ratios against no source.
    entry
        The price of entering a source from none or from another; one for all, or one for each.

    Examples
    --------
    >>> assign_sentences(np.array([[-2.0, 9.0], [8.0, 9.0], [-5.0, -5.0]]), 10.0).tolist()
    [1, 1, -1]
    """
    sentences, sources = evidence.shape
    if not sources:
        return np.full(sentences, NONE)
    inside = np.full(sources, -np.inf)
    outside = 0.0
    stayed = np.zeros(evidence.shape, np.bool_)
    before = np.full(sentences, NONE)
    for number, row in enumerate(evidence):
        top = int(np.argmax(inside))
        best = max(outside, float(inside[top]))
        before[number] = top if inside[top] > outside else NONE
        stayed[number] = inside >= best - entry
        inside = np.maximum(inside, best - entry) + row
        outside = best
    chosen = np.full(sentences, NONE)
    top = int(np.argmax(inside))
    state = top if inside[top] > outside else NONE
    for number in range(sentences - 1, -1, -1):
        chosen[number] = state
        if state == NONE or not stayed[number, state]:
            state = int(before[number])
    return chosen
