"""How far a text means the same as another: vectors of sentences by the batch, kept when once computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from stemmata.text.keeping import Latest
from stemmata.text.sentence_encoder import installed_encoder

Floats = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float32]

_KEPT = 1 << 15
"""Texts whose vectors are kept: some fifty megabytes."""


class Encoder(Protocol):
    """What makes unit vectors of texts, as `SentenceEncoder` does."""

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """Return one vector per row, each of length 1, or 0 for a text without words."""
        ...


class Meaning:
    """Vectors of sentences, many at a time; those that point the same way mean something alike.

    Parameters
    ----------
    encoder
        Gives the model when it is first needed.

    Examples
    --------
    >>> meaning = Meaning()  # doctest: +SKIP
    >>> same, other = meaning.similarities("He bought a car.", ["He purchased a car.", "He sold a cat."])
    ... # doctest: +SKIP
    >>> same > 0.9 > other  # doctest: +SKIP
    True
    """

    def __init__(self, encoder: Callable[[], Encoder] = installed_encoder) -> None:
        self._encoder = encoder
        self._kept: Latest[str, Matrix] = Latest(_KEPT)

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of texts, one per row."""
        plain = [" ".join(text.split()) for text in texts]
        known = {text: kept for text in plain if (kept := self._kept.get(text)) is not None}
        missing = [text for text in dict.fromkeys(plain) if text not in known]
        if missing:
            for text, row in zip(missing, self._encoder().vectors(missing), strict=True):
                known[text] = self._kept.put(text, row)
        return np.stack([known[text] for text in plain]) if plain else np.zeros((0, 0), np.float32)

    def similarities(self, original: str, variants: Sequence[str]) -> Floats:
        """Return the cosine of each variant with the original; 1 is the same meaning."""
        return self.pair_similarities([original] * len(variants), variants)

    def pair_similarities(self, originals: Sequence[str], variants: Sequence[str]) -> Floats:
        """Return the cosines of originals and variants, pair by pair; two texts without words are alike."""
        count = len(originals)
        rows = self.vectors([*originals, *variants])
        if not count:
            return np.zeros(0)
        cosine = np.einsum("ij,ij->i", rows[:count], rows[count:]).astype(np.float64)
        empty = np.asarray(~rows.any(axis=1))
        return np.where(empty[:count] & empty[count:], 1.0, np.clip(cosine, -1.0, 1.0))
