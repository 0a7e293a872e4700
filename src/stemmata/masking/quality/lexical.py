"""Words in common: how many content words of a text are in another, as themselves or as a synonym.

An overlap of this kind graded the soundness of PAN16's obfuscations: a word counts 1 where the other text has
it, one half where the two share a synset of WordNet; the mean over both directions.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from stemmata.text.languages import languages
from stemmata.text.stems import stems
from stemmata.text.wordnet import PARTS, wordnet
from stemmata.text.words import find_tokens

_STOP_WORDS = languages["en"].stop_words
SYNONYM, FORM = 0.5, 0.9
"""What a synonym counts, and another form of the same word."""
_KEPT = 1 << 16


def content_words(text: str) -> list[str]:
    """Return the lower-cased tokens that are no stop words; of a text without any, all."""
    tokens = find_tokens(text).forms
    return [form for form in tokens if form not in _STOP_WORDS] or list(tokens)


def overlap(original: str, obfuscated: str) -> tuple[float, float]:
    """Return the share of the original's content words that are kept, and of the obfuscated that were there.

    Examples
    --------
    >>> overlap("The dog barked loudly.", "The dog slept.")  # doctest: +SKIP
    (0.33..., 0.5)
    """
    old, new = content_words(original), content_words(obfuscated)
    return _found(old, new), _found(new, old)


def _found(words: list[str], others: list[str]) -> float:
    """Return the mean credit of words among others; without words there is nothing to be lost."""
    if not words:
        return 1.0
    there = set(others)
    stemmed = set(stems(others, "en"))
    senses: frozenset[tuple[str, int]] = frozenset()
    if not there.issuperset(words):
        senses = frozenset().union(*(_senses(one) for one in there))
    return float(np.mean([_credit(word, there, stemmed, senses) for word in words]))


def _credit(word: str, there: set[str], stemmed: Iterable[str], senses: frozenset[tuple[str, int]]) -> float:
    if word in there:
        return 1.0
    if stems([word], "en")[0] in stemmed:
        return FORM
    return SYNONYM if not senses.isdisjoint(_senses(word)) else 0.0


@lru_cache(_KEPT)
def _senses(word: str) -> frozenset[tuple[str, int]]:
    """Return the synsets of a word in any part of speech, as any listed word of which it is a form."""
    database = wordnet()
    return frozenset(
        (part, synset.offset)
        for part in PARTS
        for lemma in database.lemmas(word, part)
        for synset in database.synsets(lemma, part)
    )
