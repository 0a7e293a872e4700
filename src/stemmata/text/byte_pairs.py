"""Tokens of a language model: byte pairs, joined in the order in which training found them worth joining.

Sennrich, Haddow and Birch, "Neural machine translation of rare words with subword units", ACL 2016; over
bytes as in GPT-2, digits one by one as in SmolLM.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

_PIECE = re.compile(r"[\d²³¹¼½¾]|'(?:s|t|re|ve|m|ll|d)| ?[^\W\d_²³¹¼½¾]+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+|\w")
_LONGEST = 1 << 9
"""A longer piece, which no word is, is cut: the time of joining grows with the square of its length."""
_KEPT = 1 << 16


def _letters_of_bytes() -> dict[int, str]:
    """Give each byte a visible letter, as vocabularies of this kind are written."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in visible]
    return {byte: chr(byte) for byte in visible} | {byte: chr(256 + i) for i, byte in enumerate(hidden)}


_LETTER = _letters_of_bytes()
_BYTE = {letter: byte for byte, letter in _LETTER.items()}


class BytePairs:
    """A vocabulary and the joins that lead to it.

    Parameters
    ----------
    tokens
        The tokens by number, in letters that stand for bytes.
    merges
        Pairs of tokens to join, ``"left right"``, the most worthwhile first.

    Examples
    --------
    >>> pairs = BytePairs(["a", "b", "Ġ", "ab", "Ġab"], ["a b", "Ġ ab"])
    >>> pairs.encode("ab abb"), pairs.decode([3, 4, 1])
    ([3, 4, 1], 'ab abb')
    """

    def __init__(self, tokens: Sequence[str], merges: Sequence[str]) -> None:
        self.numbers = {token: number for number, token in enumerate(tokens)}
        self._bytes = [bytes(_BYTE.get(letter, 0) for letter in token) for token in tokens]
        self._rank = {tuple(pair.split(" ", 1)): rank for rank, pair in enumerate(merges)}
        self._of_piece = lru_cache(maxsize=_KEPT)(self._joined)

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text; nothing in it counts as a mark of the model's own."""
        found: list[int] = []
        for piece in _PIECE.findall(text):
            for start in range(0, len(piece), _LONGEST):
                found += self._of_piece(piece[start : start + _LONGEST])
        return found

    def decode(self, tokens: Iterable[int]) -> str:
        """Return the text of tokens; bytes that are no characters are left out."""
        return b"".join(self._bytes[token] for token in tokens).decode("utf-8", "ignore")

    def size(self, token: int) -> int:
        """Return of how many bytes a token is."""
        return len(self._bytes[token])

    def _joined(self, piece: str) -> tuple[int, ...]:
        parts = [_LETTER[byte] for byte in piece.encode("utf-8", "replace")]
        while len(parts) > 1:
            ranks = [self._rank.get(pair, len(self._rank)) for pair in pairwise(parts)]
            best = min(ranks)
            if best == len(self._rank):
                break
            joined: list[str] = []
            at = 0
            while at < len(parts):
                if at < len(ranks) and ranks[at] == best:
                    joined.append(parts[at] + parts[at + 1])
                    at += 2
                else:
                    joined.append(parts[at])
                    at += 1
            parts = joined
        return tuple(self.numbers[part] for part in parts if part in self.numbers)
