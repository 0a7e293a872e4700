"""Words that two texts have in the same order."""

from __future__ import annotations

from collections.abc import Sequence


def common_words(old: Sequence[str], new: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, by rows of bits (Hyyrö 2004).

    Examples
    --------
    >>> common_words("a big red dog".split(), "the big dog barks".split())
    2
    """
    places: dict[str, int] = {}
    for place, word in enumerate(old):
        places[word] = places.get(word, 0) | 1 << place
    everything = (1 << len(old)) - 1
    row = everything
    for word in new:
        shared = row & places.get(word, 0)
        row = ((row + shared) | (row - shared)) & everything
    return len(old) - row.bit_count()
