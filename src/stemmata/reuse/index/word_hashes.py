"""The words of many texts as numbers: a hash of each word's stem, without a string for each word.

Words in Cyrillic letters are stemmed as Russian, others as the text's language, or English in a Russian text.

A collection has thousands of millions of words but few different ones. Words are told apart by a polynomial
over their characters, which arrays compute for a whole batch at once; only a word not met before is made a
string, stemmed and hashed anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from threading import Lock

import numpy as np
import numpy.typing as npt

from stemmata.model.spans import Ints
from stemmata.text.languages import ENGLISH, ENOUGH, RUSSIAN, language_of_words, languages
from stemmata.text.stems import stems
from stemmata.text.words import character_codes, is_word_character

Hashes = npt.NDArray[np.uint64]

_SURE = 0.3
"""A text with so large a share of a language's stop words is in that language."""
_SLOT_BITS = 20
"""Words that are remembered, for each language, are at most two to this power."""
_BLOCK = 1 << 17
"""Characters that are worked on at once."""
_LONGEST = 1 << 12
"""Characters by which words are told apart; longer ones are no words."""
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_STOP = np.uint64(1)
_CYRILLIC = np.uint64(2)
"""The last bits of a hash: whether the form is a stop word, and whether it is in Cyrillic letters."""


@dataclass(frozen=True)
class HashedWords:
    """The words of some texts.

    Attributes
    ----------
    languages
        The language of each text.
    counts
        The number of words of each text.
    hashes
        The hashes of the words' stems, all texts in a row; those of stop words are odd.
    start, end
        Where the words stand in their texts, lower-cased.
    """

    languages: list[str]
    counts: Ints
    hashes: Hashes
    start: Ints
    end: Ints


def is_stop_word(hashes: Hashes) -> npt.NDArray[np.bool_]:
    """Tell which hashes are those of stop words."""
    return (hashes & _STOP).astype(np.bool_)


def stem_hashes(words: Sequence[str], language: str) -> Hashes:
    """Return the hashes of the stems of lower-cased words in a text of a language."""
    return _memory(language).hashed(list(words))


def mixed(values: Hashes) -> Hashes:
    """Return numbers whose bits all depend on all bits of the given ones (the finaliser of SplitMix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def hash_words(texts: Sequence[str], guess: str = "en") -> HashedWords:
    """Hash the stems of all words of some texts.

    Parameters
    ----------
    texts
        The texts; best some hundred at once.
    guess
        The language most of them are in; the result does not depend on it.

    Examples
    --------
    >>> made = hash_words(["The cats sat.", "A cat sits."])
    >>> made.counts.tolist(), bool(made.hashes[1] == made.hashes[4])
    ([3, 3], True)
    """
    # A line end is no part of a word, so words do not run over from one text to the next.
    lowered = [text.lower() for text in texts]
    joined = "\n".join([*lowered, ""])
    bounds = np.concatenate(([0], np.cumsum([len(text) + 1 for text in lowered]))).astype(np.int64)
    codes = character_codes(joined)
    inside = is_word_character(codes)
    # A text of no words ends the whole, so words start and end by turns.
    turns = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    if len(inside) and inside[0]:
        turns = np.concatenate(([0], turns))
    start, end = turns[::2], turns[1::2]
    places = np.searchsorted(start, bounds)
    forms = _polynomials(codes, start, end)
    hashes = _memory(guess).stems(forms, joined, start, end)
    found = _languages(joined, hashes, start, end, places, guess)
    for number, language in enumerate(found):
        if language != guess:
            part = slice(places[number], places[number + 1])
            hashes[part] = _memory(language).stems(forms[part], joined, start[part], end[part])
    counts = np.diff(places)
    first = np.repeat(bounds[:-1], counts)
    return HashedWords(found, counts, hashes, start - first, end - first)


def _languages(joined: str, hashes: Hashes, start: Ints, end: Ints, places: Ints, guess: str) -> list[str]:
    """Return the language of each text, from the script and the stop words of its first words.

    Where the expected language has few stop words in the text, the words themselves are looked at.
    """
    first, last = places[:-1], np.minimum(places[1:], places[:-1] + ENOUGH)

    def share(of: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        sums = np.concatenate(([0], np.cumsum(of)))
        return (sums[last] - sums[first]) / np.maximum(last - first, 1)

    cyrillic = (hashes & _CYRILLIC).astype(np.bool_)
    russian = share(cyrillic) > 0.5
    sure = ~russian & (share(is_stop_word(hashes) & ~cyrillic) > _SURE) & (guess != RUSSIAN.code)
    found = [RUSSIAN.code if one else guess for one in russian.tolist()]
    for number in np.flatnonzero(~(russian | sure)).tolist():
        words = slice(first[number], last[number])
        found[number] = language_of_words(_cut(joined, start[words], end[words]))
    return found


def _cut(text: str, start: Ints, end: Ints) -> list[str]:
    return [text[i:j] for i, j in zip(start.tolist(), end.tolist(), strict=True)]


@cache
def _powers() -> tuple[Hashes, Hashes]:
    """Return the first powers of the base, and of its inverse, modulo two to the 64."""
    base = np.full(_BLOCK + _LONGEST, _BASE, np.uint64)
    inverse = np.full(_BLOCK, _INVERSE, np.uint64)
    base[0] = inverse[0] = 1
    return np.multiply.accumulate(base), np.multiply.accumulate(inverse)


def _polynomials(codes: npt.NDArray[np.uint32], start: Ints, end: Ints) -> Hashes:
    """Return for each word the sum of its first characters times rising powers of the base.

    In blocks that stay near the processor, the sums of all beginnings are made once; a word's is a
    difference of two, brought down from the power at which the word starts.
    """
    powers, inverses = _powers()
    end = np.minimum(end, start + _LONGEST)
    made = np.empty(len(start), np.uint64)
    sums = np.zeros(_BLOCK + _LONGEST + 1, np.uint64)
    first = 0
    while first < len(start):
        origin = int(start[first])
        last = int(np.searchsorted(start, origin + _BLOCK))
        block = codes[origin : int(end[last - 1])]
        np.cumsum(block * powers[: len(block)], out=sums[1 : len(block) + 1])
        words = slice(first, last)
        made[words] = (sums[end[words] - origin] - sums[start[words] - origin]) * inverses[
            start[words] - origin
        ]
        first = last
    return mixed(made)


class _Memory:
    """The hashes of the stems of words met before, by two places for each word."""

    def __init__(self, language: str) -> None:
        self._lock = Lock()
        # A text in one script may quote much in another, and must not be lost if its language is mistaken.
        self._latin = ENGLISH.code if language == RUSSIAN.code else language
        self._forms: Hashes = np.zeros(1 << _SLOT_BITS, np.uint64)
        self._stems: Hashes = np.zeros(1 << _SLOT_BITS, np.uint64)

    def stems(self, forms: Hashes, text: str, start: Ints, end: Ints) -> Hashes:
        """Return the hashes of the stems of words given by their polynomials and places."""
        # What stands at a place is written in two steps, which another thread must not see between.
        with self._lock:
            found, known = self._look_up(forms)
            new = np.flatnonzero(~known)
            if len(new):
                different, which, back = np.unique(forms[new], return_index=True, return_inverse=True)
                first = new[which]
                made = self.hashed(_cut(text, start[first], end[first]))
                found[new] = made[back]
                self._keep(different, made)
        return found

    def _look_up(self, forms: Hashes) -> tuple[Hashes, npt.NDArray[np.bool_]]:
        place = _place(forms)
        found, known = self._stems[place], self._forms[place] == forms
        rest = np.flatnonzero(~known)
        if len(rest):
            place = _second_place(forms[rest])
            found[rest] = self._stems[place]
            known[rest] = self._forms[place] == forms[rest]
        return found, known

    def hashed(self, words: list[str]) -> Hashes:
        """Return the hashes of the stems of words."""
        made = np.empty(len(words), np.uint64)
        cyrillic = np.fromiter(map(_is_cyrillic, words), np.bool_, len(words))
        for language, places in ((RUSSIAN.code, cyrillic), (self._latin, ~cyrillic)):
            here = np.flatnonzero(places)
            said = [words[place] for place in here.tolist()]
            stop = np.fromiter(map(languages[language].stop_words.__contains__, said), np.bool_, len(said))
            made[here] = [_hash(stem) for stem in stems(said, language)]
            made[here] = made[here] & ~(_STOP | _CYRILLIC) | stop
        made[cyrillic] |= _CYRILLIC
        return made

    def _keep(self, forms: Hashes, made: Hashes) -> None:
        """Remember words, each at its first place or, if another is there, at its second."""
        place = _place(forms)
        place = np.where(self._forms[place] == 0, place, _second_place(forms))
        self._forms[place] = forms
        # Of several words that go to one place the last is kept: what stands there must fit together.
        kept = self._forms[place] == forms
        self._stems[place[kept]] = made[kept]


def _place(forms: Hashes) -> Ints:
    return (forms >> np.uint64(64 - _SLOT_BITS)).astype(np.int64)


def _second_place(forms: Hashes) -> Ints:
    return (forms & np.uint64((1 << _SLOT_BITS) - 1)).astype(np.int64)


def _is_cyrillic(word: str) -> bool:
    return "\u0400" <= word <= "\u04ff"


def _hash(stem: str) -> int:
    return int.from_bytes(blake2b(stem.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


@cache
def _memory(language: str) -> _Memory:
    return _Memory(language)
