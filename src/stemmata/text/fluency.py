"""How well a text reads: the probability a language model gives to sentences in their context, by the batch.

Variants of a sentence mostly differ in a word or two. What they have in common is computed once, and what was
asked before is not computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from stemmata.text.keeping import Latest
from stemmata.text.language_model import installed_model
from stemmata.text.words import find_words

Floats = npt.NDArray[np.float64]

CONTEXT = 48
"""Tokens that are looked at of what stands before a sentence."""
STRETCH = 256
"""Tokens of a sentence that are computed in one; a longer one is read in stretches."""
_KEPT = 1 << 16
"""Sentences whose probabilities are kept."""


class Model(Protocol):
    """What tells how likely tokens are, as `LanguageModel` does."""

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        ...

    def continuations(self, rows: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[Floats]:
        """Return the logarithms of the probabilities of the second parts' tokens after the first parts."""
        ...


class Reading(NamedTuple):
    """How likely a sentence is after its context.

    Attributes
    ----------
    tokens
        Natural logarithms of the probabilities of its tokens.
    words
        Number of its words.
    """

    tokens: Floats
    words: int

    @property
    def log_probability(self) -> float:
        """The logarithm of its probability as a whole."""
        return float(self.tokens.sum())

    @property
    def least(self) -> float:
        """The logarithm of the probability of its least likely token; 0 where there is none."""
        return float(self.tokens.min(initial=0.0))

    @property
    def per_word(self) -> float:
        """The logarithm over the number of words; 0 where there are none."""
        return self.log_probability / self.words if self.words else 0.0


class Fluency:
    """Probabilities of sentences in their context, many at a time.

    White space counts as one blank: what is judged are the words, not the layout.

    Parameters
    ----------
    model
        Gives the model when it is first needed.
    context
        Tokens that are looked at of what stands before a sentence, `STRETCH` at the most.

    Examples
    --------
    >>> fluency = Fluency()  # doctest: +SKIP
    >>> before = "She opened the door."  # doctest: +SKIP
    >>> fluency.changes("It was cold outside.", ["It was chilly outside.", "It was gelid outside."], before)
    ... # doctest: +SKIP
    array([ -3.7, -22.6])
    """

    def __init__(self, model: Callable[[], Model] = installed_model, context: int = CONTEXT) -> None:
        self._model = model
        self._context = min(context, STRETCH)
        self._kept: Latest[tuple[str, str, str, int], Reading] = Latest(_KEPT)

    def readings(self, sentences: Sequence[str], context: str | Sequence[str] = "") -> list[Reading]:
        """Return how likely each sentence is after its context.

        Parameters
        ----------
        sentences
            Variants of a sentence, or any others.
        context
            The text before, of all sentences or of each; only its last tokens count.
        """
        contexts = _each(context, len(sentences))
        pairs = [(_plain(one), _plain(text)) for one, text in zip(contexts, sentences, strict=True)]
        return self._found([(before, text, "", -1) for before, text in pairs])

    def per_word(self, sentences: Sequence[str], context: str | Sequence[str] = "") -> Floats:
        """Return the logarithm of each sentence's probability over the number of its words."""
        return np.array([one.per_word for one in self.readings(sentences, context)], dtype=np.float64)

    def changes(
        self,
        original: str | Sequence[str],
        variants: Sequence[str],
        context: str | Sequence[str] = "",
        ahead: int = -1,
    ) -> Floats:
        """Return by how much each variant is likelier than its original, in nats; below 0 it is less likely.

        Parameters
        ----------
        original
            The sentence as it was, of all variants or of each.
        variants
            What might stand in its place.
        context
            The text before, of all or of each. Of contexts that start alike what they have in common is
            computed once.
        ahead
            How many tokens are looked at behind the last that differs; -1 for all to the end. Some 12 see
            nearly all that an edit does to what follows, and in a long sentence save most of the time.
        """
        before, old = ([_plain(text) for text in _each(one, len(variants))] for one in (context, original))
        asked: list[tuple[str, str, str, int]] = []
        for place, text, new in zip(before, old, map(_plain, variants), strict=True):
            asked.append((place, new, text if ahead >= 0 else "", ahead))
            asked.append((place, text, new if ahead >= 0 else "", ahead))
        found = [one.log_probability for one in self._found(asked)]
        return np.array(found[::2], dtype=np.float64) - np.array(found[1::2], dtype=np.float64)

    def _found(self, asked: Sequence[tuple[str, str, str, int]]) -> list[Reading]:
        """Return the readings of (context, sentence, sentence it is compared with, tokens ahead)."""
        known = {key: kept for key in asked if (kept := self._kept.get(key)) is not None}
        missing = [key for key in dict.fromkeys(asked) if key not in known]
        for key, reading in zip(missing, self._computed(missing), strict=True):
            known[key] = self._kept.put(key, reading)
        return [known[key] for key in asked]

    def _computed(self, asked: Sequence[tuple[str, str, str, int]]) -> list[Reading]:
        if not asked:
            return []
        model = self._model()
        encode = cache(model.encode)
        rows: list[tuple[Sequence[int], Sequence[int]]] = []
        owner = []
        for number, (before, text, other, ahead) in enumerate(asked):
            known = encode(before)[-self._context :]
            joint = " " if before and text else ""
            tokens = encode(joint + text)
            end = len(tokens) if ahead < 0 else _last_difference(tokens, encode(joint + other)) + ahead
            # What both sentences start with need not be weighed, but stands before what is.
            start = 0 if ahead < 0 else _first_difference(tokens, encode(joint + other))
            known, tokens = [*known, *tokens[:start]][-STRETCH:], tokens[start:end]
            for at in range(0, len(tokens), STRETCH):
                rows.append(
                    ([*known, *tokens[:at]][-(CONTEXT if at else STRETCH) :], tokens[at : at + STRETCH])
                )
                owner.append(number)
        values: list[list[Floats]] = [[np.zeros(0)] for _ in asked]
        for number, found in zip(owner, model.continuations(rows), strict=True):
            values[number].append(found)
        words = [len(find_words(text)) for _, text, _, _ in asked]
        return [Reading(np.concatenate(one), count) for one, count in zip(values, words, strict=True)]


def _each(texts: str | Sequence[str], count: int) -> Sequence[str]:
    return [texts] * count if isinstance(texts, str) else texts


def _plain(text: str) -> str:
    return " ".join(text.split())


def _first_difference(tokens: Sequence[int], others: Sequence[int]) -> int:
    """Return how many tokens two sentences start with in common."""
    pairs = enumerate(zip(tokens, others, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(tokens), len(others)))


def _last_difference(tokens: Sequence[int], others: Sequence[int]) -> int:
    """Return where the end begins that two sentences have in common, behind their common start."""
    most = min(len(tokens), len(others)) - _first_difference(tokens, others)
    pairs = enumerate(zip(reversed(tokens), reversed(others), strict=False))
    same = next((at for at, (one, other) in pairs if one != other), min(len(tokens), len(others)))
    return len(tokens) - min(same, most)
