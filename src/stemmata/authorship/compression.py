"""Prediction by partial matching: how well one text prepares for another.

Cleary and Witten, "Data compression using adaptive coding and partial string matching", IEEE Transactions on
Communications 32 (1984). What a text costs after another, in bits, is its cross-entropy under a model of it.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Any

from stemmata.text.extras import require
from stemmata.text.keeping import Latest

LONGEST = 500_000
"""Bytes of a text that are looked at."""

_LEAST_MEMORY, _MOST_MEMORY, _PER_BYTE = 1 << 20, 1 << 24, 512
"""Bytes for a model, which begins anew when they are full; a short text has far more than it can fill."""
_sizes: Latest[tuple[bytes, int], int] = Latest(100_000)
"""What is left of data, by its digest and the order. In variants of a corpus most pairs of texts come again,
and an encoder of pyppmd 1.3 never gives back some 19 kB."""


def as_bytes(text: str) -> bytes:
    """Return the beginning of a text as a compressor reads it."""
    return text[:LONGEST].encode("utf-8", "surrogatepass")[:LONGEST]


@lru_cache(maxsize=1)
def _library() -> Any:
    return require("pyppmd", "compression by prediction", "authorship")


def compressed_size(data: bytes, order: int = 5) -> int:
    """Return the bytes that are left of data when compressed by PPMd (variant H).

    Parameters
    ----------
    data
        What to compress.
    order
        The longest context that predicts the next byte, at least 2.
    """
    return _sizes.once((blake2b(data, digest_size=16).digest(), order), lambda: _size(data, order))


def _size(data: bytes, order: int) -> int:
    memory = min(_MOST_MEMORY, max(_LEAST_MEMORY, _PER_BYTE * len(data)))
    encoder = _library().Ppmd7Encoder(order, memory)
    return len(encoder.encode(data)) + len(encoder.flush())


def cross_entropy(known: bytes, unknown: bytes, order: int = 5) -> float:
    """Return the bits for each byte of the unknown text when the known one comes before it.

    (C(known + unknown) - C(known)) / |unknown|: Teahan and Harper, "Using compression-based language models
    for text categorization", 2003. 0 for an empty text.

    Examples
    --------
    >>> text = b"the cat sat on the mat and the dog lay on the rug " * 4
    >>> cross_entropy(text, b"the cat lay on the rug") < cross_entropy(text, b"Quo usque tandem abut.")
    True
    """
    if not unknown:
        return 0.0
    both = compressed_size(known + unknown, order)
    return max(0.0, 8.0 * (both - compressed_size(known, order)) / len(unknown))


def pieces(data: bytes, length: int, most: int = 6) -> list[tuple[int, int]]:
    """Return where pieces of about so many bytes begin and end; of too many, some at equal distances."""
    number = max(1, len(data) // max(1, length))
    cuts = [i * len(data) // number for i in range(number + 1)]
    spans = list(pairwise(cuts))
    return [spans[i * number // most] for i in range(most)] if number > most else spans


def piece_entropies(known: bytes, data: bytes, length: int, order: int = 5) -> list[float]:
    """Return the cross-entropies of pieces of a text under a model of another."""
    return [cross_entropy(known, data[i:j], order) for i, j in pieces(data, length)]


def own_entropies(data: bytes, length: int, order: int = 5) -> list[float]:
    """Return the cross-entropies of pieces of a text, each under a model of all the rest of it."""
    return [cross_entropy(data[:i] + data[j:], data[i:j], order) for i, j in pieces(data, length)]
