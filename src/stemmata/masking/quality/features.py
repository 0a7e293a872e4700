"""What an obfuscated piece is judged by: figures of how it reads and of what it kept, beside its original.

All are taken from texts with their marks where a writer sets them (`rejoined`), so that blanks left by a
tokenizer change nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from stemmata.masking.quality.grammar import faults_of
from stemmata.masking.quality.lexical import overlap
from stemmata.masking.quality.spacing import rejoined
from stemmata.text.fluency import Fluency, Reading
from stemmata.text.languages import languages
from stemmata.text.meaning import Meaning
from stemmata.text.word_order import common_words
from stemmata.text.wordnet import PARTS, wordnet
from stemmata.text.words import find_words

Floats = npt.NDArray[np.float64]

FLUENCY = ("log_probability", "log_probability_lost", "worst", "worst_lost", "unlikely", "unlikely_gained")
SURFACE = ("faults", "faults_gained", "unknown_words", "marks_gained", "repetition_gained")
MEANING = ("cosine", "kept", "grounded", "order")
SENSIBLENESS = (*FLUENCY, *SURFACE, *MEANING)
"""Names of the figures that sensibleness is judged by: what damages meaning mostly damages the reading."""
SOUNDNESS = MEANING
"""Names of the figures that soundness is judged by."""

UNLIKELY = -8.0
"""The logarithm of a probability below which a token is unlikely."""
_WORST = 3
_MARKS = re.compile(r"[^\w\s]")
_STOP_WORDS = languages["en"].stop_words
_KEPT = 1 << 16
_MOST_ORDERED = 400
"""Words whose order is compared; the time grows with their square."""


def fluency_features(
    originals: Sequence[str],
    obfuscated: Sequence[str],
    fluency: Fluency,
    contexts: str | Sequence[str] = "",
) -> dict[str, Floats]:
    """Return figures of how pairs of texts read, by name.

    ``log_probability``, ``worst``, ``unlikely``
        Logarithm of the probability per word, mean of the three least likely tokens, share of tokens below
        `UNLIKELY`; and how much worse each is than in the original.
    ``faults``
        Faults found by rules, per word; ``_gained``: against the original.
    ``unknown_words``
        Share of words that the original has not and no dictionary knows.
    ``marks_gained``, ``repetition_gained``
        Marks per word, and words said again, against the original.
    """
    old, new = [rejoined(one) for one in originals], [rejoined(one) for one in obfuscated]
    before = [contexts] * len(old) if isinstance(contexts, str) else list(contexts)
    readings = fluency.readings([*old, *new], [*before, *before])
    rows = [
        {**_reading(readings[at], readings[at + len(old)]), **_surface(one, other)}
        for at, (one, other) in enumerate(zip(old, new, strict=True))
    ]
    return {name: np.array([row[name] for row in rows], np.float64) for name in (*FLUENCY, *SURFACE)}


def meaning_features(
    originals: Sequence[str], obfuscated: Sequence[str], meaning: Meaning
) -> dict[str, Floats]:
    """Return figures of what pairs of texts have in common, by name.

    ``cosine``, ``kept``, ``grounded``, ``order``
        Of the sentence vectors; shares of content words kept, and of those there that were in the original;
        the longest common sequence of words over the mean length.
    """
    old, new = [rejoined(one) for one in originals], [rejoined(one) for one in obfuscated]
    shares = [overlap(one, other) for one, other in zip(old, new, strict=True)]
    return {
        "cosine": meaning.pair_similarities(old, new),
        "kept": np.array([one for one, _ in shares], np.float64),
        "grounded": np.array([one for _, one in shares], np.float64),
        "order": np.array([order_kept(one, other) for one, other in zip(old, new, strict=True)], np.float64),
    }


def _reading(old: Reading, new: Reading) -> dict[str, float]:
    figures = {}
    for name, take in (("log_probability", _per_word), ("worst", _worst), ("unlikely", _unlikely)):
        figures[name] = take(new)
        figures[f"{name}_{'gained' if name == 'unlikely' else 'lost'}"] = take(new) - take(old)
    return figures


def _per_word(reading: Reading) -> float:
    return reading.per_word


def _worst(reading: Reading) -> float:
    return float(np.sort(reading.tokens)[:_WORST].mean()) if len(reading.tokens) else 0.0


def _unlikely(reading: Reading) -> float:
    return float((reading.tokens < UNLIKELY).mean()) if len(reading.tokens) else 0.0


def _surface(old: str, new: str) -> dict[str, float]:
    old_words, new_words = find_words(old).forms, find_words(new).forms
    size = max(len(new_words), 4)
    faults, before = len(faults_of(new)), len(faults_of(old))
    strange = sum(not _known(word) for word in set(new_words).difference(old_words))
    return {
        "faults": faults / size,
        "faults_gained": faults / size - before / max(len(old_words), 4),
        "unknown_words": strange / size,
        "marks_gained": len(_MARKS.findall(new)) / size - len(_MARKS.findall(old)) / max(len(old_words), 4),
        "repetition_gained": _repetition(new_words) - _repetition(old_words),
    }


def _repetition(words: Sequence[str]) -> float:
    """Return the share of words said once more: content words, and any word twice in a row."""
    again = sum(n - 1 for word, n in Counter(words).items() if word not in _STOP_WORDS)
    return (again + sum(one == other for one, other in pairwise(words))) / max(len(words), 4)


@lru_cache(_KEPT)
def _known(word: str) -> bool:
    database = wordnet()
    return (
        word in _STOP_WORDS
        or len(word) < 2
        or not word.isalpha()
        or any(database.lemmas(word, part) for part in PARTS)
    )


def order_kept(old: str, new: str) -> float:
    """Return the length of the longest common sequence of words over the mean number of words."""
    was, now = find_words(old).forms[:_MOST_ORDERED], find_words(new).forms[:_MOST_ORDERED]
    if not was or not now:
        return float(not was and not now)
    return 2 * common_words(was, now) / (len(was) + len(now))
