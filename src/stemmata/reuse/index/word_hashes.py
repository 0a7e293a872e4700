"""The words of many texts as numbers: a hash of each word's stem, without a string for each word.

Words in Cyrillic letters are stemmed as Russian, others as the text's language, or English in a Russian text.

A collection has thousands of millions of words but few different ones. Words are told apart by a number made
of their characters, eight bytes at a time, which arrays compute for a whole batch at once; only a word not
met before is made a string, stemmed and hashed anew. Most words take a byte for each character (Latin-1);
numbers of the others are made apart.
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
from stemmata.text.words import is_word_character

Hashes = npt.NDArray[np.uint64]


def mixed(values: Hashes) -> Hashes:
    """Return numbers whose bits all depend on all bits of the given ones (the finaliser of SplitMix64)."""
    made: Hashes = values >> np.uint64(30)
    made ^= values
    made *= np.uint64(0xBF58476D1CE4E5B9)
    made ^= made >> np.uint64(27)
    made *= np.uint64(0x94D049BB133111EB)
    made ^= made >> np.uint64(31)
    return made


_SURE = 0.3
"""A text with so large a share of a language's stop words is in that language."""
_SLOT_BITS = 20
"""Words that are remembered, for each language, are at most two to this power."""
_LONGEST = 1 << 12
"""Characters by which words are told apart; longer ones are no words."""
_BASE = np.uint64(0x9E3779B97F4A7C15)
_WIDTHS = mixed(np.arange(5, dtype=np.uint64))
"""Words of other widths of characters are other words, though their bytes be the same."""
_MASKS = np.array([(1 << (8 * count)) - 1 for count in range(9)], np.uint64)
"""The first so many of eight bytes."""
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
    characters = _Characters.of(joined)
    inside = characters.inside
    # A text of no words ends the whole, so words start and end by turns.
    turns = np.flatnonzero(inside[1:] != inside[:-1])
    turns += 1
    if len(inside) and inside[0]:
        turns = np.concatenate(([0], turns))
    # Apart, each is read faster than every other number of both.
    start, end = turns[::2].copy(), turns[1::2].copy()
    places = np.searchsorted(start, bounds)
    forms = characters.forms(start, end)
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
    sums = np.zeros(len(hashes) + 1, np.int32)

    def share(of: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        np.cumsum(of, out=sums[1:])
        return (sums[last] - sums[first]) / np.maximum(last - first, 1)

    # Stop words that are not in Cyrillic letters.
    sure = share((hashes & (_STOP | _CYRILLIC)) == _STOP) > _SURE
    sure &= guess != RUSSIAN.code
    cyrillic = (hashes & _CYRILLIC).astype(np.bool_)
    russian = share(cyrillic) > 0.5 if cyrillic.any() else np.zeros(len(first), np.bool_)
    found = [RUSSIAN.code if one else guess for one in russian.tolist()]
    for number in np.flatnonzero(~(russian | sure)).tolist():
        words = slice(first[number], last[number])
        found[number] = language_of_words(_cut(joined, start[words], end[words]))
    return found


def _cut(text: str, start: Ints, end: Ints) -> list[str]:
    return [text[i:j] for i, j in zip(start.tolist(), end.tolist(), strict=True)]


@cache
def _latin_table() -> bytes:
    """Return for each character of Latin-1 a byte that tells whether it is a letter or a digit."""
    return is_word_character(np.arange(256, dtype=np.uint32)).tobytes()


@dataclass(frozen=True)
class _Characters:
    """The characters of a text.

    Attributes
    ----------
    latin
        A byte for each, something that is no letter for those that are not in Latin-1.
    inside
        Which belong to words.
    wide
        The places of those that belong to words and are not in Latin-1.
    codes
        The code point of each, in as many bytes as needed, if any is not in Latin-1.
    """

    latin: bytes
    inside: npt.NDArray[np.bool_]
    wide: Ints
    codes: npt.NDArray[np.unsignedinteger]

    @classmethod
    def of(cls, text: str) -> _Characters:
        try:
            latin = text.encode("latin-1")
            codes: npt.NDArray[np.unsignedinteger] = np.zeros(0, np.uint16)
            beyond = np.zeros(0, np.int64)
        except UnicodeEncodeError:
            data = text.encode("utf-16-le", "surrogatepass")
            codes = np.frombuffer(data, "<u2")
            if len(codes) != len(text):
                codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
            beyond = np.flatnonzero(codes > 0xFF)
            narrow = codes.astype(np.uint8)
            narrow[beyond] = 0
            latin = narrow.tobytes()
        inside = np.frombuffer(latin.translate(_latin_table()), np.bool_)
        if len(beyond):
            beyond = beyond[is_word_character(codes[beyond])]
            inside = inside.copy()
            inside[beyond] = True
        return cls(latin, inside, beyond, codes)

    def forms(self, start: Ints, end: Ints) -> Hashes:
        """Return a number for each word, the same for the same first characters."""
        end = np.minimum(end, start + _LONGEST)
        width = self.codes.itemsize
        if len(self.wide) > len(start):
            return _numbers(self.codes.tobytes(), width * start, width * end, width)
        made = _numbers(self.latin, start, end, 1)
        if len(self.wide):
            of = np.unique(np.searchsorted(start, self.wide, side="right")) - 1
            made[of] = _numbers(self.codes.tobytes(), width * start[of], width * end[of], width)
        return made


def _numbers(data: bytes, start: Ints, end: Ints, width: int) -> Hashes:
    """Make a number of each stretch of bytes, eight of them at a time.

    Those of up to eight bytes have numbers of their own; others share one by chance alone.
    """
    eights = np.frombuffer(data + bytes(16 - len(data) % 8), "<u8")
    length = end - start
    made = _eight(eights, start, length)
    made ^= _WIDTHS[width]
    made *= _BASE
    rest = np.flatnonzero(length > 8)
    at = 8
    while len(rest):
        left = length[rest] - at
        made[rest] = mixed(made[rest] + _eight(eights, start[rest] + at, left))
        rest = rest[left > 8]
        at += 8
    return made


def _eight(eights: Hashes, start: Ints, length: Ints) -> Hashes:
    """Return the first eight bytes from each place on, or as many as there are."""
    place = start >> 3
    shift = (start & 7).view(np.uint64)
    shift <<= np.uint64(3)
    made = eights.take(place)
    made >>= shift
    more = eights[1:].take(place)
    # In two steps, because a shift by all 64 bits is none.
    more <<= np.uint64(1)
    shift ^= np.uint64(63)
    more <<= shift
    made |= more
    made &= _MASKS.take(length, mode="clip")
    return made


class _Memory:
    """The hashes of the stems of words met before, by two places for each word."""

    def __init__(self, language: str) -> None:
        self._lock = Lock()
        # A text in one script may quote much in another, and must not be lost if its language is mistaken.
        self._latin = ENGLISH.code if language == RUSSIAN.code else language
        # A form and its stem stand side by side, so that one look into memory finds both.
        self._known: Hashes = np.zeros((1 << _SLOT_BITS, 2), np.uint64)

    def stems(self, forms: Hashes, text: str, start: Ints, end: Ints) -> Hashes:
        """Return the hashes of the stems of words given by their numbers and places."""
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
        there = self._known.take(_place(forms), axis=0)
        found, known = there[:, 1].copy(), there[:, 0] == forms
        rest = np.flatnonzero(~known)
        if len(rest):
            there = self._known.take(_second_place(forms[rest]), axis=0)
            found[rest] = there[:, 1]
            known[rest] = there[:, 0] == forms[rest]
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
        place = np.where(self._known[place, 0] == 0, place, _second_place(forms))
        self._known[place, 0] = forms
        # Of several words that go to one place the last is kept: what stands there must fit together.
        kept = self._known[place, 0] == forms
        self._known[place[kept], 1] = made[kept]


def _place(forms: Hashes) -> Ints:
    return (forms >> np.uint64(64 - _SLOT_BITS)).view(np.int64)


def _second_place(forms: Hashes) -> Ints:
    return ((forms >> np.uint64(64 - 2 * _SLOT_BITS)) & np.uint64((1 << _SLOT_BITS) - 1)).view(np.int64)


def _is_cyrillic(word: str) -> bool:
    return "\u0400" <= word <= "\u04ff"


def _hash(stem: str) -> int:
    return int.from_bytes(blake2b(stem.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


@cache
def _memory(language: str) -> _Memory:
    return _Memory(language)
