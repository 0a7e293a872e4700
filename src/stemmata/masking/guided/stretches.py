"""Stretches of sentences in which commas are at home, and what stands between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from stemmata.rewriting.reading import Reading
from stemmata.rewriting.sentence_joints import FINITE, begins_clause, has_clause

SUBORDINATE = {
    "after", "although", "as", "because", "before", "if", "once", "since", "though", "unless", "until",
    "when", "whenever", "where", "wherever", "while",
}  # fmt: skip
"""Words with which a clause begins that depends on another."""
PLACES = {
    "about", "above", "across", "after", "along", "among", "around", "at", "before", "behind", "below",
    "beneath", "beside", "between", "beyond", "by", "despite", "during", "for", "from", "in", "inside",
    "near", "on", "outside", "over", "since", "through", "throughout", "till", "towards", "under", "until",
    "upon", "with", "within", "without",
}  # fmt: skip
"""Words with which something may begin that a comma parts from the rest of its sentence."""
JOINING = ("and", "but", "or", "so", "yet", "for", "then")
_SAYING = {
    "said", "replied", "answered", "cried", "asked", "exclaimed", "returned", "added", "remarked", "observed",
    "murmured", "whispered", "continued", "muttered", "shouted",
}  # fmt: skip
TELLING = re.compile(
    r"say|says|said|tell|tells|told|think|thinks|thought|know|knows|knew|see|sees|saw|hear|hears|heard|mean|means"
    r"|meant|feel|feels|felt|write|writes|wrote|read|reads|guess|swear|swore|began|begins|spoke|cried|replied|notes"
    r"|noted|(?:suppos|believ|hop|seem|ask|answer|add|exclaim|remark|observ|murmur|whisper|continu|mutter|shout"
    r"|declar|return|remember|fear|assur|imagin|wish|wonder|presum|agree|scream|yell|call|reason|laugh|interrupt"
    r"|realis|realiz|argu|claim|stat|suggest|announc|propos|maintain|conclud|confess|admitt|demand|growl|explain"
    r"|inquir|enquir|insist|reckon|fanc|suspect)(?:e|es|s|d|ed|ied)?"
)
"""Verbs with which somebody is named who says the rest: "It is late, he thought"."""
_TOLD = 6
"""The most words of that."""
_TO_WHOM = {
    "to", "me", "you", "him", "her", "us", "them", "himself", "herself", "myself", "themselves", "it",
    "again", "aloud", "so", "at", "last", "once",
}  # fmt: skip
"""What may stand behind the verb."""
_PARTS = re.compile(r"[;:()—–\"“”]|--")
"""Marks beyond which the commas of a sentence do not reach."""
_COMMA = re.compile(r",(?=[ \n])")
ASKED_BACK = re.compile(r", \w+(?:n['’]t)? (?:I|he|she|it|we|they|you|there)(?: not)?\?", re.IGNORECASE)
"""What asks whether that is so which was said: "It is late, isn't it?"."""
_INSTEAD = (["only"], ["just"], ["merely"], ["simply"])
_DENIED = re.compile(r"n['’]t\b|\b(?:not|never|no)\b")
_TWICE = 4
"""The most words that are said twice: "on and off, on and off"."""
_NOMINAL = ("AT0", "DPS", "DT0", "NN", "NP0", "AJ", "PN", "CRD")
_OPENING = ("CJS", "CJT", "DTQ", "PNQ", "AVQ", "TO0")


@dataclass(frozen=True)
class Stretch:
    """A stretch of a sentence in which commas are at home, and where they stand."""

    reading: Reading
    start: int
    end: int
    commas: tuple[int, ...]

    def words(self, start: int, end: int) -> list[str]:
        """Return the words between two offsets, in lower case."""
        some = self.reading.passage.words[self.reading.word_from(start) : self.reading.word_from(end)]
        return [word.lower() for word in some]

    def has_verb(self, start: int, end: int) -> bool:
        """Return whether a finite verb stands between two offsets."""
        return has_verb(self.reading, start, end)

    def clause_at(self, offset: int) -> bool:
        """Return whether a clause begins with the word at an offset."""
        return begins_clause(self.reading, offset, self.end)

    def is_lone(self, number: int) -> bool:
        """Return whether a comma stands between two words and no other mark does."""
        text, at = self.reading.text, self.commas[number]
        return text[at - 1 : at].isalpha() and text[at + 1] == " " and text[at + 2 : at + 3].isalpha()

    def is_needed(self, number: int) -> bool:
        """Return whether a comma stands in what is said twice, corrected or asked back."""
        at = self.commas[number]
        before, behind = self.words(self.before(number), at), self.words(at, self.behind(number))
        most = min(len(before), len(behind), _TWICE)
        twice = any(before[-count:] == behind[:count] for count in range(1, most + 1))
        # "She was not old, only tired."
        corrects = behind[:1] in _INSTEAD and _DENIED.search(self.reading.text, self.start, at) is not None
        return twice or corrects or ASKED_BACK.match(self.reading.text, at) is not None

    def before(self, number: int) -> int:
        """Return where that begins which a comma ends: behind the comma before, or with the stretch."""
        return self.commas[number - 1] + 1 if number else self.start

    def behind(self, number: int) -> int:
        """Return where that ends which a comma begins: at the next comma, or with the stretch."""
        return self.commas[number + 1] if number + 1 < len(self.commas) else self.end

    def ends_main_clause(self, number: int) -> bool:
        """Return whether a comma ends a clause of its own, rather than an opening or what was put in."""
        at, begin = self.commas[number], self.before(number)
        words = self.words(begin, at)
        if not words:
            return False
        if number:
            # Behind what was put in, a clause goes on with its verb.
            first = self.reading.word_from(begin) + (words[0] in JOINING and len(words) > 1)
            tag = self.reading.tags[first].tag
            goes_on = tag in FINITE or (tag == "VVN" and number > 1)
            return goes_on or self.clause_at(self.reading.passage.start[first])
        if words[0] in SUBORDINATE:
            return False
        return words[0] in _SAYING or has_clause(self.reading, begin, at) or self._has_own_verb(begin, at)

    def _has_own_verb(self, start: int, end: int) -> bool:
        """Return whether a verb follows a noun, however far behind it, with no other clause between them."""
        tags = [
            one.tag for one in self.reading.tags[self.reading.word_from(start) : self.reading.word_from(end)]
        ]
        verb = next((place for place, tag in enumerate(tags) if tag in FINITE), 0)
        return verb > 0 and tags[0].startswith(_NOMINAL) and not any(tag in _OPENING for tag in tags[:verb])

    def verb_behind(self, comma: int) -> bool:
        """Return whether a finite verb follows a comma, "and" or "but" and an adverb before it or not."""
        reading = self.reading
        number = reading.word_from(comma)
        for passed in (("and", "but"), None):
            if number < len(reading.tags) and (
                reading.passage.words[number] in passed if passed else reading.tags[number].tag == "AV0"
            ):
                number += 1
        return (
            number < len(reading.tags)
            and reading.passage.start[number] < self.end
            and reading.tags[number].tag in FINITE
            and reading.passage.words[number].islower()
            and not reading.passage.gap(number).strip(", ")
        )


def stretches(reading: Reading, start: int, end: int) -> Iterator[Stretch]:
    """Yield the stretches of a sentence, from mark to mark.

    Examples
    --------
    >>> from stemmata.rewriting.reading import read
    >>> [one.commas for one in stretches(read("He came, it seems; she left, too."), 0, 33)]
    [(7,), (27,)]
    """
    text = reading.text
    borders = [start, *(found.end() for found in _PARTS.finditer(text, start, end)), end]
    for one, other in pairwise(borders):
        yield Stretch(reading, one, other, tuple(at.start() for at in _COMMA.finditer(text, one, other)))


def has_verb(reading: Reading, start: int, end: int) -> bool:
    """Return whether a finite verb stands between two offsets."""
    stretch = reading.tags[reading.word_from(start) : reading.word_from(end)]
    return any(one.tag in FINITE for one in stretch)


def is_told(words: Sequence[str]) -> bool:
    """Return whether a clause only tells who says the rest.

    Examples
    --------
    >>> is_told(["he", "told", "him", "sadly"]), is_told(["he", "saw", "a", "man"])
    (True, False)
    """
    verb = next((place for place, word in enumerate(words) if TELLING.fullmatch(word)), len(words))
    behind = words[verb + 1 :] if verb else []
    plain = all(word in _TO_WHOM or word.endswith("ly") for word in behind)
    return len(words) <= _TOLD and verb < len(words) and plain
