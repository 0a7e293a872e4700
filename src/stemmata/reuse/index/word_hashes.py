"""The words of many texts as numbers: a hash of each word's stem, without a string for each word.

Words in Cyrillic letters are stemmed as Russian, others as the text's language, or English in a Russian text.

A collection has thousands of millions of words but few different ones. Words are told apart by a number made
of their characters, eight bytes at a time, which arrays compute for a whole batch at once; only a word not
met before is made a string, stemmed and hashed anew. Most words take a byte for each character (Latin-1);
numbers of the others are made apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import pairwise
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
from Stemmer import Stemmer

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


AT_ONCE = 1 << 21
"""Characters of a text that are looked at together; the words of longer ones are hashed part by part."""
_SURE = 0.3
"""A text with so large a share of a language's stop words is in that language."""
_SLOT_BITS = 20
"""Words that are remembered, for each language, are at most two to this power."""
_LONGEST = 1 << 12
"""Characters by which words are told apart; longer ones are no words."""
_NO_WORD = "\0" * 8
"""Follows the last text, so that eight bytes can be read from each of its places on."""
_BASE = np.uint64(0x9E3779B97F4A7C15)
_WIDTHS = mixed(np.arange(5, dtype=np.uint64))
"""Words of other widths of characters are other words, though their bytes be the same."""
_MASKS = np.array([(1 << (8 * count)) - 1 for count in range(9)], np.uint64)
"""The first so many of eight bytes."""
_STOP = np.uint8(1)
_CYRILLIC = np.uint8(2)
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
    joined_start, joined_end
        Where the words stand in all texts joined.
    text_start
        Where the texts begin there.
    """

    languages: list[str]
    counts: Ints
    hashes: Hashes
    joined_start: Ints
    joined_end: Ints
    text_start: Ints

    @property
    def start(self) -> Ints:
        """Where the words begin in their texts, lower-cased."""
        return self.joined_start - np.repeat(self.text_start, self.counts)

    @property
    def end(self) -> Ints:
        """Where the words end in their texts, lower-cased."""
        return self.joined_end - np.repeat(self.text_start, self.counts)


def is_stop_word(hashes: Hashes) -> npt.NDArray[np.bool_]:
    """Tell which hashes are those of stop words."""
    # In the last byte alone there is less to look at.
    last = hashes.astype(np.uint8)
    last &= _STOP
    return last.view(np.bool_)


def stem_hashes(words: Sequence[str], language: str) -> Hashes:
    """Return the hashes of the stems of lower-cased words in a text of a language."""
    return _memory(language).hashed(list(words))


def digest(data: bytes) -> bytes:
    """Return the eight bytes by which something is known."""
    return blake2b(data, digest_size=8).digest()


def content_digest(text: bytes, record: bytes) -> bytes:
    """Return the bytes by which it is known whether a document, or what is known of it, has changed."""
    return digest(text + b"\0" + record if record else text)


def digests_as_numbers(digests: Sequence[bytes]) -> Hashes:
    """Return digests as numbers."""
    return np.frombuffer(b"".join(digests), ">u8").astype(np.uint64)


def text_hashes(texts: Sequence[str]) -> Hashes:
    """Return numbers by which texts are known.

    Examples
    --------
    >>> text_hashes(["a", "b", "a"]) == text_hashes(["a"])
    array([ True, False,  True])
    """
    return digests_as_numbers([digest(text.encode("utf-8", "surrogatepass")) for text in texts])


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
    lowered = [text.lower() for text in texts]
    if all(len(text) <= AT_ONCE for text in lowered):
        return _hash_lowered(lowered, guess)
    if len(lowered) == 1:
        return _hash_long(lowered[0], guess)
    made = [
        _hash_long(text, guess) if len(text) > AT_ONCE else _hash_lowered([text], guess) for text in lowered
    ]
    starts = _starts(lowered)[:-1]
    return HashedWords(
        [one.languages[0] for one in made],
        np.concatenate([one.counts for one in made]),
        np.concatenate([one.hashes for one in made]),
        np.concatenate([one.joined_start + start for one, start in zip(made, starts, strict=True)]),
        np.concatenate([one.joined_end + start for one, start in zip(made, starts, strict=True)]),
        starts,
    )


def _starts(texts: Sequence[str]) -> Ints:
    """Return where each text starts when they are joined, and where one more would."""
    return np.concatenate(([0], np.cumsum([len(text) + 1 for text in texts]))).astype(np.int64)


def _hash_long(text: str, guess: str) -> HashedWords:
    """Hash the words of a text part by part, in the language of its first words."""
    ends = list(_part_ends(text))
    language = next(
        one.languages[0]
        for end in ends
        for one in [_hash_lowered([text[:end]], guess)]
        if int(one.counts[0]) >= ENOUGH or end == len(text)
    )
    columns: list[list[Any]] = [[], [], []]
    for start, end in pairwise([0, *ends]):
        part = _hash_lowered([text[start:end]], language, known=True)
        for column, values in zip(
            columns, (part.hashes, part.joined_start + start, part.joined_end + start), strict=True
        ):
            column.append(values)
    # Parts are let go column by column.
    hashes, starts, stops = (np.concatenate(columns.pop(0)) for _ in range(3))
    return HashedWords([language], np.array([len(hashes)]), hashes, starts, stops, np.zeros(1, np.int64))


def _part_ends(text: str) -> Iterator[int]:
    """Yield where parts of a text end, each before what is no part of a word, and the end of the text."""
    at = 0
    while (at := at + AT_ONCE) < len(text):
        while at < len(text) and bool(is_word_character(np.array([ord(text[at])], np.uint32))[0]):
            at += 1
        if at < len(text):
            yield at
    yield len(text)


def _hash_lowered(lowered: Sequence[str], guess: str, known: bool = False) -> HashedWords:
    """Hash the words of lower-cased texts, whose language is guessed, or known."""
    # A line end is no part of a word, so words do not run over from one text to the next.
    joined = "\n".join([*lowered, _NO_WORD])
    bounds = _starts(lowered)
    characters = _Characters.of(joined)
    inside = characters.inside
    # What is no word ends the whole, so words start and end by turns.
    turning = np.empty(len(inside), np.bool_)
    turning[0] = inside[0]
    np.not_equal(inside[1:], inside[:-1], out=turning[1:])
    turns = np.flatnonzero(turning)
    # Apart, each is read faster than every other number of both.
    start, end = turns[::2].copy(), turns[1::2].copy()
    places = np.searchsorted(start, bounds)
    forms = characters.forms(start, end)
    hashes = _memory(guess).stems(forms, joined, start, end)
    found = [guess] if known else _languages(joined, hashes, start, end, places, guess)
    for number, language in enumerate(found):
        if language != guess:
            part = slice(places[number], places[number + 1])
            hashes[part] = _memory(language).stems(forms[part], joined, start[part], end[part])
    return HashedWords(found, np.diff(places), hashes, start, end, bounds[:-1])


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
    bits = hashes.astype(np.uint8)
    bits &= _STOP | _CYRILLIC
    sure = share(bits == _STOP) > _SURE
    sure &= guess != RUSSIAN.code
    cyrillic = bits >= _CYRILLIC
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
        length = end - start
        if length.max(initial=0) > _LONGEST:
            length = np.minimum(length, _LONGEST)
        width = self.codes.itemsize
        if len(self.wide) > len(start):
            return _numbers(self.codes, width * start, width * length, width)
        made = _numbers(np.frombuffer(self.latin, np.uint8), start, length, 1)
        if len(self.wide):
            of = np.unique(np.searchsorted(start, self.wide, side="right")) - 1
            made[of] = _numbers(self.codes, width * start[of], width * length[of], width)
        return made


def _numbers(data: npt.NDArray[np.unsignedinteger], start: Ints, length: Ints, width: int) -> Hashes:
    """Make a number of each stretch of bytes, eight of them at a time.

    Those of up to eight bytes have numbers of their own; others share one by chance alone.
    """
    # Eight bytes from every place on, which overlap, so that one step cuts them out.
    eights: Hashes = np.ndarray(data.nbytes - 7, "<u8", data, strides=(1,))
    made = eights[start]
    made &= _MASKS.take(length, mode="clip")
    made ^= _WIDTHS[width]
    made *= _BASE
    rest = np.flatnonzero(length > 8)
    at = 8
    while len(rest):
        left = length[rest] - at
        more = eights[start[rest] + at]
        more &= _MASKS.take(left, mode="clip")
        made[rest] = mixed(made[rest] + more)
        rest = rest[left > 8]
        at += 8
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
        for language, script in ((RUSSIAN.code, _CYRILLIC), (self._latin, np.uint8(0))):
            here = np.flatnonzero(cyrillic == bool(script))
            if not len(here):
                continue
            said = [words[place] for place in here.tolist()]
            stop = np.fromiter(map(languages[language].stop_words.__contains__, said), np.bool_, len(said))
            made[here] = _word_hashes(_stemmed(said, language)) & ~np.uint64(_STOP | _CYRILLIC)
            made[here] |= stop.view(np.uint8) | script
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


def _word_hashes(words: list[str]) -> Hashes:
    """Return what `text_hashes` does, faster: words hold no line ends, and so can be made bytes at once."""
    said = "\n".join(words).encode("utf-8", "surrogatepass").split(b"\n")
    if len(said) != len(words):
        return text_hashes(words)  # whoever asks for words by name may say anything
    return digests_as_numbers([blake2b(word, digest_size=8).digest() for word in said])


def _stemmed(words: list[str], language: str) -> list[str]:
    """Return the stems of words; each comes here about once, so the memory of `stems` would be idle."""
    try:
        return list(Stemmer(languages[language].stemmer, 0).stemWords(words))
    except UnicodeEncodeError:
        return stems(words, language)  # half a surrogate pair is no word of any language


@cache
def _memory(language: str) -> _Memory:
    return _Memory(language)
