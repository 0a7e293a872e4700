"""The words of an English text as the rules of alternation look at them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stemmata.rewriting import Edit
from stemmata.rewriting.reading import Reading
from stemmata.rewriting.sentence_joints import FINITE

SUBJECTS = {"i", "he", "she", "it", "we", "they", "you"}
ACTING = {"i", "he", "she", "we", "they", "you"}
"""Pronouns of those who do something of themselves."""
OBJECTS = {"me", "him", "her", "us", "them", "you"}
NOUNS = ("NN0", "NN1", "NN2")
DETERMINERS = ("AT0", "DPS", "DT0")
DEPENDING = ("CJS", "CJT", "PNQ", "DTQ", "AVQ")
"""Tags of words that open a clause inside another."""
TIMES = {
    "morning", "evening", "afternoon", "night", "day", "days", "moment", "time", "times", "year", "years",
    "week", "weeks", "month", "months", "hour", "hours", "minute", "minutes", "century", "summer", "winter",
    "autumn", "spring", "end", "beginning", "past", "future", "meantime", "instant", "nights", "mornings",
}  # fmt: skip
NEGATIONS = frozenset({
    "not", "n't", "never", "no", "nobody", "nothing", "none", "neither", "nor", "hardly", "scarcely",
    "cannot",
})  # fmt: skip

_INSIDE = re.compile(r"[\"“”()\[\]:;—–!?*_\n]|--|\s['‘]")
"""Where one of these stands in a sentence, its parts keep their order."""
_LONGEST = 32
"""Words from which on a sentence keeps the order of its parts."""
_STOPS = ".;:!?—"
_LOOSE = {"again", "then", "now", "today", "soon", "yesterday", "too", "once", "instead"}
"""Adverbs that belong to the verb, and never to the noun before them."""
_REACH = 7
"""How many words behind a phrase are looked through for its verb."""


class Words:
    """The words of a text as the rules look at them."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.text = reading, reading.text
        self.start, self.end = reading.passage.start, reading.passage.end
        self.low = [word.lower() for word in reading.passage.words]
        self.tag = [one.tag for one in reading.tags]
        # Whether nothing but a blank stands between a word and the one before.
        ends = [-1, *self.end]
        self.close = [self.text[end:start] == " " for end, start in zip(ends, self.start, strict=False)]

    def __len__(self) -> int:
        return len(self.low)

    def run(self, first: int, last: int) -> bool:
        """Return whether the words from one to another follow each other with blanks alone between them."""
        return first >= 0 and last < len(self) and all(self.close[first + 1 : last + 1])

    def near(self, number: int) -> str:
        """Return a word next to another, in lower case; empty beyond the ends."""
        return self.low[number] if 0 <= number < len(self) else ""

    def tagged(self, number: int) -> str:
        """Return the tag of a word; empty beyond the ends."""
        return self.tag[number] if 0 <= number < len(self) else ""

    def lemma(self, number: int) -> str:
        """Return the lemma of a word; empty beyond the ends."""
        return self.reading.tags[number].lemma if 0 <= number < len(self) else ""

    def said(self, first: int, last: int) -> str:
        """Return the text from one word to another."""
        return self.text[self.start[first] : self.end[last]]

    def owned(self, number: int) -> bool:
        """Return whether a word is a genitive or has a clitic."""
        return self.text[self.end[number] : self.end[number] + 1] in ("'", "’", "-")

    def phrase(self, number: int, most: int = 4) -> int:
        """Return the last word of the noun phrase that begins with a word, or -1."""
        at = number
        if self.tagged(at) in DETERMINERS:
            at += 1
        while self.tagged(at).startswith(("AJ0", "ORD", "CRD")) and self.run(at - 1, at):
            at += 1
        if self.tagged(at) not in NOUNS or at - number >= most or not self.run(number, at):
            return -1
        return -1 if self.owned(at) else at

    def closes(self, number: int, prepositions: tuple[str, ...] = ()) -> bool:
        """Return whether a phrase surely ends with a word: nothing behind it can belong to it.

        Parameters
        ----------
        number
            The last word of the phrase.
        prepositions
            Those that may follow, since they belong to the verb.
        """
        after = number + 1
        if self.owned(number) or after >= self.sentence(number)[1]:
            return not self.owned(number)
        gap = self.text[self.end[number] : self.start[after]]
        if gap not in (" ", ", "):
            return gap[:1] in tuple(_STOPS)
        tag, word = self.tag[after], self.low[after]
        if tag == "CJC":
            later = after + 2 if self.tagged(after + 1) == "AV0" else after + 1
            return self.tagged(later) in FINITE or self.near(later) in ACTING
        if tag in ("CJS", "AV0") or word == "when":
            clause = tag in ("CJS", "AVQ") and word not in ("than", "like", "as")
            loose = tag == "AV0" and (word in _LOOSE or word.endswith("ly"))
            return clause or loose or (word == "as" and self.near(after + 1) in SUBJECTS)
        return word in prepositions if gap == " " else tag == "VVG"

    def verb_ahead(self, number: int) -> bool:
        """Return whether a word belongs to the subject of a verb behind it, as far as words tell."""
        for at in range(number + 1, min(number + _REACH, len(self))):
            if not self.close[at] or self.tag[at].startswith(("CJ", "TO0", *DEPENDING)):
                return False
            if self.tag[at] in (*FINITE, "VVI", "VVN"):
                return True
        return False

    def joined(self, number: int) -> Iterator[int]:
        """Yield the words that a conjunction behind a word joins, in its sentence; adverbs are skipped."""
        for at in range(number + 1, self.sentence(number)[1] - 1):
            if self.tag[at] == "CJC":
                yield at + 2 if self.tag[at + 1] == "AV0" and at + 2 < len(self) else at + 1

    def turned(self, first: int, second: int, last: int, kind: str, joint: str = " ") -> Edit:
        """Return the edit by which two neighbouring stretches of words change places."""
        new = f"{self.said(second, last)}{joint}{self.said(first, second - 1)}"
        return Edit(self.start[first], self.end[last], new, kind)

    def plain_sentences(self) -> Iterator[tuple[int, int]]:
        """Yield the first and the last words of sentences whose parts may change their order."""
        for start, end in self.reading.sentences:
            first, last = self.reading.word_from(start), self.reading.word_from(end) - 1
            if not 4 <= last - first < _LONGEST or self.start[first] != start or self.end[last] != end - 1:
                continue
            if self.text[end - 1] == "." and not _INSIDE.search(self.text, start, end):
                yield first, last

    def subject(self, number: int) -> bool:
        """Return whether a word is a pronoun that is a subject."""
        return self.near(number) in SUBJECTS and (
            self.low[number] not in ("it", "you")
            or self.tagged(number - 1) not in ("PRP", "PRF", "VVI", "VVG")
        )

    def sentence(self, number: int) -> tuple[int, int]:
        """Return the numbers of the first word of a word's sentence, and of the first behind it."""
        start, end = self.reading.sentence_at(self.start[number])
        return self.reading.word_from(start), self.reading.word_from(end)

    def opens(self, number: int) -> bool:
        """Return whether a word is the first of its sentence."""
        return self.sentence(number)[0] == number

    def with_any(self, number: int, minded: frozenset[str]) -> bool:
        """Return whether one of some words stands in the sentence of a word."""
        first, last = self.sentence(number)
        return not minded.isdisjoint(self.low[first:last])

    def twice(self, number: int) -> bool:
        """Return whether a word comes again in its sentence."""
        first, last = self.sentence(number)
        return self.low[first:last].count(self.low[number]) > 1

    def lone_clause(self, first: int, last: int) -> bool:
        """Return whether words from one to before another have one finite verb, and open no other clause."""
        tags = self.tag[first:last]
        return sum(tag in FINITE for tag in tags) == 1 and not any(tag in DEPENDING for tag in tags)

    def lowered(self, number: int) -> str:
        """Return a word as it would stand inside a sentence, if it began one."""
        return self.reading.passage.lowered(self.reading.passage.words[number])
