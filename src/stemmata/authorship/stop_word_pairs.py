"""Pairs of stop words: how often one follows another at a small distance, and at which.

The frequency-mean-variance framework of collocations (Smadja, "Retrieving collocations from text: Xtract",
Computational Linguistics 19, 1993), which Vartapetiance and Gillam apply to stop words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

STOP_WORDS = {
    "en": ("the", "of", "and", "to", "a", "in", "that", "is", "it", "for"),
    "de": ("der", "die", "und", "in", "den", "von", "zu", "das", "mit", "sich"),
    "es": ("de", "la", "que", "el", "en", "y", "a", "los", "se", "del"),
    "ru": ("и", "в", "не", "на", "я", "что", "он", "с", "как", "это"),
}
"""Ten of the commonest words of a language."""

LONGEST = 500_000


def pair_statistics(words: Sequence[str], stop_words: Sequence[str], window: int = 5) -> Floats:
    """Return the frequency, the mean and the variance of the distance of each pair, a row each.

    The frequency is that among 1,000 words; the distance is in words, at most the window. Pairs are ordered:
    the first word by the first, then by the second. A pair that does not occur has zeros.

    Examples
    --------
    >>> pair_statistics("the cat of the house of cards".split(), ("the", "of"), 5).round(2).tolist()
    [[142.86, 3.0, 0.0], [428.57, 3.0, 2.0], [142.86, 1.0, 0.0], [142.86, 3.0, 0.0]]
    """
    number = len(stop_words)
    codes_of = {word: code for code, word in enumerate(stop_words)}
    codes = np.array([codes_of.get(word, -1) for word in words[:LONGEST]], np.int64)
    found = np.zeros((number * number, 3))
    for distance in range(1, window + 1):
        first, second = codes[:-distance], codes[distance:]
        both = (first >= 0) & (second >= 0)
        counts = np.bincount(first[both] * number + second[both], minlength=number * number)
        found += counts[:, None] * np.array([1.0, distance, distance * distance])
    times = np.maximum(found[:, 0], 1.0)
    mean = found[:, 1] / times
    variance = np.maximum(found[:, 2] / times - mean * mean, 0.0)
    return np.column_stack([1000.0 * found[:, 0] / max(1, len(codes)), mean, variance])
