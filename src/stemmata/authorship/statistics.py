"""Figures of a text: lengths, richness of vocabulary, entropy, rates of marks; the same for every text."""

from __future__ import annotations

import math
import zlib
from collections import Counter

import numpy as np
import numpy.typing as npt

from stemmata.authorship.writings import Writing

Floats = npt.NDArray[np.float64]

MARKS = ".,;:!?'\"()-"
NAMES = (
    *("sentence length", "sentence length spread", "word length", "word length spread", "paragraph length"),
    *("types per token", "hapax share", "dis legomena share", "Yule's K", "Honoré's R", "Simpson's D"),
    *("character entropy", "word entropy", "compressibility", "capital share", "all-caps share"),
    *("digit share", "blank share", "stop word share", "long word share", "short word share"),
    *(f"rate of {mark}" for mark in MARKS),
)


def statistics_of(writing: Writing) -> Floats:
    """Return the figures of a text, named by `NAMES`; those of an empty text are 0."""
    words, text = writing.words, writing.text
    if not words:
        return np.zeros(len(NAMES))
    sentences = np.array([len(one.split()) for one in writing.sentences] or [0], np.float64)
    lengths = np.array([len(word) for word in words], np.float64)
    paragraphs = np.array([len(one.split()) for one in writing.paragraphs] or [0], np.float64)
    counts = Counter(words)
    often = Counter(counts.values())
    n, types, hapax = len(words), len(counts), often[1]
    yule = 1e4 * (sum(i * i * v for i, v in often.items()) - n) / (n * n)
    honore = 100 * math.log(n) / max(1e-3, 1 - hapax / types)
    simpson = sum(v * i * (i - 1) for i, v in often.items()) / max(1, n * (n - 1))
    letters = Counter(text)
    tokens = [token for token in writing.tokens if token[0].isalpha()]
    raw = text.encode("utf-8", "surrogatepass")
    size = max(1, len(text))
    stop = writing.pack.stop_words
    values = [
        *(sentences.mean(), sentences.std(), lengths.mean(), lengths.std(), paragraphs.mean()),
        *(types / n, hapax / types, often[2] / types, yule, honore, simpson),
        *(entropy(letters), entropy(counts), len(zlib.compress(raw, 9)) / len(raw)),
        sum(c.isupper() for c in text) / size,
        sum(len(token) > 1 and token.isupper() for token in tokens) / max(1, len(tokens)),
        sum(c.isdigit() for c in text) / size,
        sum(c.isspace() for c in text) / size,
        sum(word in stop for word in words) / n,
        float((lengths > 6).mean()),
        float((lengths < 4).mean()),
        *(letters[mark] / size for mark in MARKS),
    ]
    return np.array(values, np.float64)


def entropy(counts: Counter[str]) -> float:
    """Return the entropy, in bits, of what was counted."""
    shares = np.array(list(counts.values()), np.float64)
    shares /= max(1.0, shares.sum())
    return float(-(shares * np.log2(shares)).sum()) if len(shares) else 0.0
