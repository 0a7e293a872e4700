"""A passage as a row of words that can change places: where they stand, and which begin a sentence.

Punctuation and space between the words keep their places, so that whatever moves, sentences end as they
did. A capital that a word owes to the beginning of a sentence belongs to the place, not to the word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from stemmata.model import ErrorCode, StemmataError
from stemmata.rewriting.edits import Edit, Rewriting
from stemmata.text.languages import languages
from stemmata.text.pos import Tagged
from stemmata.text.sentences import find_sentences
from stemmata.text.words import find_tokens

_ENGLISH_I = re.compile(r"I(?:['’]\w+)?\Z")
_APOSTROPHES = ("'", "’")
_LAST_SIGN = 0x20000
"""Beyond are ideographs, which take no signs."""


@dataclass(frozen=True)
class Passage:
    """A passage and its words.

    Attributes
    ----------
    text
        The passage.
    language
        Its language.
    start, end
        Offsets of the words.
    first
        For each word, the number of the word with which its sentence begins.
    """

    text: str
    language: str
    start: list[int]
    end: list[int]
    first: list[int]

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def words(self) -> list[str]:
        """The words as they are written."""
        return [self.text[start:end] for start, end in zip(self.start, self.end, strict=True)]

    def gap(self, number: int) -> str:
        """Return what stands before a word, since the word before it; behind the last word by its number."""
        start = self.end[number - 1] if number else 0
        return self.text[start : self.start[number] if number < len(self) else len(self.text)]

    @cached_property
    def bare(self) -> list[str]:
        """The words without the capitals that they owe to their place alone."""
        return [
            self.lowered(word) if self.first[number] == number else word
            for number, word in enumerate(self.words)
        ]

    def lowered(self, word: str) -> str:
        """Return a word in lower case, if that is a word of the language or of the passage."""
        low = word.lower()
        if low == word or low.capitalize() != word or low not in self._low_words:
            return word
        return word if self.language == "en" and _ENGLISH_I.match(word) else low

    def placed(self, words: Sequence[str]) -> list[str]:
        """Return bare words with a capital where one begins a sentence that began with a capital.

        A place may be empty: then the next word begins the sentence.
        """
        placed = list(words)
        done = -1
        for number, word in enumerate(words):
            begin = self.first[number]
            if word and begin > done:
                done = begin
                if self.text[self.start[begin]].isupper():
                    placed[number] = capitalised(word)
        return placed

    def edits(self, words: Sequence[str], kinds: Sequence[str]) -> list[Edit]:
        """Return the edits that put other words in the places of these.

        Parameters
        ----------
        words
            The new words, one for each.
        kinds
            What was done to each; what has no name and is another word only by its capital, is ``"case"``.
        """
        return [
            Edit(start, end, new, kind or "case")
            for start, end, old, new, kind in zip(self.start, self.end, self.words, words, kinds, strict=True)
            if new != old
        ]

    def after(self, rewriting: Rewriting) -> Passage:
        """Return the passage as it is after edits of whole words: other words in the same places."""
        edited = {edit.start: edit.replacement for edit in rewriting.edits}
        start, end, shift = [], [], 0
        for old_start, old_end in zip(self.start, self.end, strict=True):
            start.append(old_start + shift)
            shift += len(edited.get(old_start, "")) - (old_end - old_start) if old_start in edited else 0
            end.append(old_end + shift)
        return Passage(rewriting.text, self.language, start, end, self.first)

    @cached_property
    def _low_words(self) -> set[str]:
        known = languages[self.language].function_words if self.language in languages else ()
        return {word for word in self.words if word.islower()}.union(known)


def capitalised(word: str) -> str:
    """Return a word with a capital; the rest of it stays."""
    return word[:1].title() + word[1:]


def written_words(text: str, language: str, marks: bool = False) -> Passage:
    """Return a passage as words in the sense of a typist: hyphens and apostrophes inside belong to them.

    Parameters
    ----------
    text
        The passage.
    language
        Its language, for the sentences; for one that is not known they are split by rules.
    marks
        Take runs of punctuation for words, too.
    """
    found = [one.span() for one in _written(marks).finditer(text)]
    start, end = [one[0] for one in found], [one[1] for one in found]
    return Passage(text, language, start, end, _firsts(start, _sentences(text, language)[0]))


def without_marks(word: str) -> str:
    """Return a word without the punctuation around it; what is all punctuation stays.

    Examples
    --------
    >>> without_marks("(wall),"), without_marks("o'clock."), without_marks("—")
    ('wall', "o'clock", '—')
    """
    found = [one.span() for one in _written(False).finditer(word)]
    return word[found[0][0] : found[-1][1]] if found else word


def tagged_words(text: str, language: str, what: str) -> tuple[Passage, list[Tagged]]:
    """Return a passage as tokens with their parts of speech; clitics are apart from their hosts.

    Parameters
    ----------
    text
        The passage.
    language
        Its language, which must have a tagger.
    what
        What needs the tags, for the error.
    """
    tag = languages[language].tag if language in languages else None
    if tag is None:
        known = ", ".join(code for code in languages if languages[code].tag)
        raise StemmataError(ErrorCode.NOT_IN_LANGUAGE, what=what, language=language, known=known)
    sentences = find_sentences(text, language)
    tokens = find_tokens(text, sentences)
    start, end = tokens.start.tolist(), tokens.end.tolist()
    passage = Passage(text, language, start, end, _firsts(start, sentences[0].tolist()))
    tags: list[Tagged] = []
    row: list[str] = []
    at: list[int] = []
    for number in range(len(passage) + 1):
        # The tagger wants to see the punctuation, though it is no word here.
        row += passage.gap(number).split() if row else []
        if number == len(passage) or passage.first[number] == number:
            tagged = tag(row)
            tags += [tagged[n] for n in at]
            row, at = [], []
        if number < len(passage):
            at.append(len(row))
            row.append(passage.words[number])
    return passage, tags


def can_leave(passage: Passage, number: int, tagged: Tagged) -> bool:
    """Return whether another word can take a token's place: not that of *do* in *don't*, or *he* in *he's*.

    What stands before an apostrophe can if it is a noun, and no plural, as these have no common genitive.
    """
    start, end = passage.start[number], passage.end[number]
    if number and passage.end[number - 1] == start:
        return False
    if number + 1 < len(passage) and passage.start[number + 1] == end:
        return False
    if passage.text[end : end + 1] not in _APOSTROPHES:
        return True
    return tagged.part in ("NOUN", "PROPN") and tagged.tag != "NN2"


def _sentences(text: str, language: str) -> tuple[list[int], list[int]]:
    known = language in languages
    starts, ends = find_sentences(text, language if known else "en", rules=not known)
    return starts.tolist(), ends.tolist()


def _firsts(words: list[int], sentences: list[int]) -> list[int]:
    """Return for each word the number of the first in its sentence."""
    firsts: list[int] = []
    sentence = -1
    for number, start in enumerate(words):
        begun = sentence
        while sentence + 1 < len(sentences) and sentences[sentence + 1] <= start:
            sentence += 1
        firsts.append(number if sentence > begun or not firsts else firsts[-1])
    return firsts


@cache
def _written(marks: bool) -> re.Pattern[str]:
    # Vowel signs and accents are letters to a typist, but not to the regular expressions.
    signs = [code for code in range(0x300, _LAST_SIGN) if unicodedata.category(chr(code))[0] == "M"]
    signs += [0x200C, 0x200D]
    letter = f"(?:[^\\W_][{_ranges(sorted(signs))}]*)"
    word = f"{letter}+(?:['’\\-\\u2010\\u2011]{letter}+)*"
    return re.compile(f"{word}|[^\\w\\s]+|_+" if marks else word)


def _ranges(codes: list[int]) -> str:
    """Return the inside of a character class."""
    parts: list[list[int]] = []
    for code in codes:
        if parts and code == parts[-1][1] + 1:
            parts[-1][1] = code
        else:
            parts.append([code, code])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in parts)
