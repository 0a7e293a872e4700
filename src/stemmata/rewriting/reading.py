"""A text as transformations read it: words with their parts of speech, and sentences. English."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from stemmata.rewriting.passage import Passage, capitalised, tagged_words
from stemmata.text.languages import ENGLISH
from stemmata.text.pos import Tagged
from stemmata.text.sentences import find_sentences

_READINGS = 4
"""How many texts are kept as read: several transformations of one text follow one another."""
NO_TAG = ""
_OPENING = "\"'“‘([{*_ "
_MOST_OPENING = 6
"""Marks that may stand before the first word of a sentence, and how many of them."""
_STOPPED = re.compile(r"[a-z]{3,}[.!?][\"'”’)]* +[\"“‘(]?\Z")


@dataclass(frozen=True)
class Reading:
    """A text with the parts of speech of its words.

    Attributes
    ----------
    text
        The text.
    passage
        Its words; clitics are apart from their hosts.
    tags
        Lemma, part of speech and tag of each word.
    """

    text: str
    passage: Passage
    tags: list[Tagged]

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Where sentences start and end."""
        starts, ends = find_sentences(self.text, ENGLISH.code)
        return list(zip(starts.tolist(), ends.tolist(), strict=True))

    @cached_property
    def sentence_starts(self) -> list[int]:
        """Where sentences start."""
        return [start for start, _ in self.sentences]

    @cached_property
    def line_by_line(self) -> bool:
        """Whether most sentences begin on a line of their own, so that a new line is no new paragraph."""
        gaps = [self.text[one[1] : other[0]].count("\n") for one, other in pairwise(self.sentences)]
        return gaps.count(1) * 2 > len(gaps)

    def goes_on(self, end: int, start: int) -> bool:
        """Return whether a sentence is in the paragraph of the one before, which ends at an offset."""
        gap = self.text[end:start]
        return bool(gap) and not gap.strip() and gap.count("\n") <= self.line_by_line

    def begins_sentence(self, offset: int) -> bool:
        """Return whether a sentence begins at an offset, opening quotes and brackets aside."""
        at = bisect_right(self.sentence_starts, offset) - 1
        start = self.sentence_starts[at] if at >= 0 else offset
        if at >= 0 and offset - start <= _MOST_OPENING and not self.text[start:offset].strip(_OPENING):
            return True
        # The splitter takes some words for abbreviations.
        before = _STOPPED.search(self.text, max(offset - 20, 0), offset)
        return before is not None and self.text[offset : offset + 1].isupper()

    def sentence_at(self, offset: int) -> tuple[int, int]:
        """Return the sentence in which an offset lies, or behind which it does."""
        at = bisect_right(self.sentence_starts, offset) - 1
        return self.sentences[at] if at >= 0 else (0, 0)

    def word_from(self, offset: int) -> int:
        """Return the number of the first word that starts at an offset or behind it."""
        return bisect_left(self.passage.start, offset)

    def tag_from(self, offset: int) -> str:
        """Return the tag of the first word from an offset on, if it is in the same sentence."""
        number = self.word_from(offset)
        inside = number < len(self.tags) and self.passage.start[number] < self.sentence_at(offset)[1]
        return self.tags[number].tag if inside else NO_TAG

    def ahead(self, offset: int, skipped: tuple[str, ...] = ("AV0", "XX0"), most: int = 3) -> tuple[str, str]:
        """Return tag and lower-cased form of the word next to an offset, some being skipped.

        Both are empty where anything but blanks comes in between.
        """
        start, end = self.passage.start, self.passage.end
        first = self.word_from(offset)
        at = offset
        for number in range(first, min(first + most, len(self.tags))):
            if self.text[at : start[number]].strip(" "):
                break
            if self.tags[number].tag not in skipped or number == first + most - 1:
                return self.tags[number].tag, self.text[start[number] : end[number]].lower()
            at = end[number]
        return NO_TAG, ""

    def tag_before(self, offset: int) -> str:
        """Return the tag of the last word before an offset, if it is in the same sentence."""
        number = self.word_from(offset) - 1
        inside = number >= 0 and self.passage.start[number] >= self.sentence_at(offset)[0]
        return self.tags[number].tag if inside else NO_TAG


@lru_cache(_READINGS)
def read(text: str) -> Reading:
    """Return a text as read; needs the tagger (extra ``pos``).

    Examples
    --------
    >>> reading = read("She is tired. They went home.")
    >>> reading.sentences, reading.tag_from(4), reading.tag_before(4)
    ([(0, 13), (14, 29)], 'VBZ', 'PNP')
    """
    return Reading(text, *tagged_words(text, ENGLISH.code, "transforming English text"))


def cased_like(old: str, new: str) -> str:
    """Return new words with the capitals of the old: all of them, the first, or those of their own.

    Examples
    --------
    >>> cased_like("Do not", "don't"), cased_like("DO NOT", "don't"), cased_like("cannot", "can't")
    ("Don't", "DON'T", "can't")
    """
    letters = [letter for letter in old if letter.isalpha()]
    if len(letters) > 1 and old.upper() == old:
        return new.upper()
    return capitalised(new) if old[:1].isupper() else new
