"""Profiles of n-grams: the commonest runs of a few texts that are compared with one another.

Other than the counts of a batch, these are made for each problem, because its texts are first cut to one
length.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LONGEST = 500_000
"""Items of a text that are looked at: enough for a novel, and a bound on time."""

_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def gram_rows(texts: Sequence[Sequence[str]], size: int) -> Floats:
    """Return how often each run of so many items occurs: a row per text, a column per run.

    Items are the characters of strings, or words; columns are in an order that depends on the runs alone.

    Examples
    --------
    >>> gram_rows(["abab", "ab"], 2).sum(axis=0).tolist(), gram_rows(["abab", "ab"], 2).sum(axis=1).tolist()
    ([1.0, 3.0], [3.0, 1.0])
    """
    hashed = [_runs(_codes(text), size) for text in texts]
    runs, places = np.unique(np.concatenate(hashed), return_inverse=True)
    parts = np.split(places, np.cumsum([len(one) for one in hashed])[:-1])
    return np.array([np.bincount(part, minlength=len(runs)) for part in parts], np.float64)


def _codes(text: Sequence[str]) -> npt.NDArray[np.uint64]:
    if isinstance(text, str):
        raw = text[:LONGEST].encode("utf-32-le", "surrogatepass")
        return np.frombuffer(raw, np.uint32).astype(np.uint64)
    return np.array([crc32(word.encode("utf-8", "surrogatepass")) for word in text[:LONGEST]], np.uint64)


def _runs(codes: npt.NDArray[np.uint64], size: int) -> npt.NDArray[np.uint64]:
    """Return a number for each run: a polynomial of its codes, modulo 2**64."""
    length = max(0, len(codes) - size + 1)
    made = np.zeros(length, np.uint64)
    for first in range(size):
        made = made * _FACTOR + codes[first : first + length]
    return made


def largest(values: Floats, most: int) -> npt.NDArray[np.int64]:
    """Return the places of the largest values, the largest first and equals in their order.

    Examples
    --------
    >>> largest(np.array([1.0, 3.0, 2.0, 3.0, 1.0]), 4).tolist()
    [1, 3, 2, 0]
    """
    places = np.arange(len(values))
    if len(values) > most:
        places = np.flatnonzero(values >= np.partition(values, -most)[-most])
    return np.asarray(places[np.argsort(-values[places], kind="stable")[:most]])


def profiles(rows: Floats, kept: int) -> Floats:
    """Return relative frequencies, those of all but the commonest runs of each text set to 0."""
    made = np.zeros_like(rows)
    for place, row in enumerate(rows):
        best = largest(row, kept)
        made[place, best] = row[best] / max(1.0, float(row.sum()))
    return made


def cut_to_one_length(texts: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Return the beginnings of texts, as long as the shortest of them."""
    length = min((len(text) for text in texts), default=0)
    return [text[:length] for text in texts]


def halves(text: Sequence[str]) -> list[Sequence[str]]:
    """Return both halves of a text."""
    middle = len(text) // 2
    return [text[:middle], text[middle:]]
