"""Commas behind what opens a sentence: *In the morning(,) we left*, *When it rained(,) we stayed*.

A short opening does without a comma, and a long one where *he*, *she* or the like comes next, which no verb
or preposition can govern: nobody reads on past the end of the opening.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stemmata.masking.guided.commas import COMMA
from stemmata.masking.guided.stretches import PLACES, SUBORDINATE, Stretch, has_verb, stretches
from stemmata.rewriting import Edit
from stemmata.rewriting.reading import Reading
from stemmata.rewriting.sentence_joints import begins_clause

_BRIEF = {
    "afterwards", "again", "apparently", "certainly", "clearly", "eventually", "evidently", "finally",
    "formerly", "generally", "gradually", "here", "immediately", "instantly", "later", "meanwhile", "now",
    "nowadays", "obviously", "occasionally", "often", "originally", "perhaps", "possibly", "presently",
    "presumably", "previously", "probably", "recently", "sometimes", "soon", "suddenly", "then",
    "therefore", "thus", "today", "tomorrow", "ultimately", "usually", "yesterday",
}  # fmt: skip
"""Words behind which a comma may be left out where they begin a sentence."""
_OPENING = re.compile(
    r"(?<=[^\W\d_])( )(?=(?P<pronoun>I|he|she|we|they|there)\b|(?:it|you|the|a|this|his|her|my|our|their)\b)"
)
_PRONOUN = re.compile(r"(?:I|he|she|it|we|they|you|there)\b")
_NOMINATIVE = re.compile(r"(?:I|he|she|we|they)\b")
_SUBJECT = re.compile(
    r" (?:I|he|she|it|we|they|you|there|the|a|an|this|these|those|his|her|my|our|their|its|one|some|many|no"
    r"|each|every)\b"
)
_MOST_OPENING = 6
"""The most words before a comma that parts them from the rest."""
_MOST_CLAUSE, _MOST_PLACE = 14, 9
"""The most words of a clause, and of what says where or when, behind which a nominative needs no comma."""
_TIMES = {
    "day", "morning", "night", "week", "moment", "time", "year", "evening", "afternoon", "month", "instant",
    "minute", "hour", "days", "years", "weeks", "months", "hours", "minutes", "moments",
}  # fmt: skip
_OF_TIMES = {
    "the", "that", "this", "one", "two", "three", "many", "several", "some", "every", "each", "next", "last",
}  # fmt: skip


def _is_time(words: Sequence[str]) -> bool:
    """Return whether words say when, such as "the following day" or "almost immediately"."""
    first, last = words[0].lower(), words[-1]
    immediate = first in ("almost", "quite", "very", "only") and last in _BRIEF | {"then"}
    return immediate or (first in _OF_TIMES and last in _TIMES)


def openings(reading: Reading) -> Iterator[Edit]:
    """Yield a comma put behind what opens a sentence, or left out there, in no order.

    Examples
    --------
    >>> from stemmata.rewriting.reading import read
    >>> text = "In the morning, we left. In the evening we came back."
    >>> [(text[edit.start : edit.end], edit.replacement) for edit in openings(read(text))]
    [(',', ''), (' ', ', ')]
    """
    for start, end in reading.sentences:
        # Where somebody speaks, the sentence opens behind the quote.
        spoken = (one for one in stretches(reading, start, end) if any(map(str.isalnum, _said(one))))
        first = next(spoken, None)
        if first is not None:
            yield from _opened(reading, first.start, first.end)


def _said(stretch: Stretch) -> str:
    return stretch.reading.text[stretch.start : stretch.end]


def _opened(reading: Reading, start: int, end: int) -> Iterator[Edit]:
    comma = reading.text.find(",", start, end)
    words = reading.text[start:comma].split() if comma >= 0 else []
    if words and len(words) <= _MOST_CLAUSE:
        if _may_drop(reading, start, comma, end):
            yield Edit(comma, comma + 1, "", COMMA)
        if len(words) <= _MOST_OPENING:
            return
    yield from _put(reading, start, end)


def _may_drop(reading: Reading, start: int, comma: int, end: int) -> bool:
    """Return whether what opens a sentence does without its comma."""
    text, clause = reading.text, comma + 2
    words = text[start:comma].split()
    first, verbs = words[0].lower(), has_verb(reading, start, comma)
    if not _SUBJECT.match(text, comma + 1) or not begins_clause(reading, clause, end):
        return False
    nominative = _NOMINATIVE.match(text, clause) is not None
    if len(words) > _MOST_OPENING:
        led = first in SUBORDINATE if verbs else first in PLACES and len(words) <= _MOST_PLACE
        # "Although there are some things I miss, I stay."
        return led and nominative and not reading.tag_before(comma).startswith("V")
    brief = len(words) == 1 and first in _BRIEF
    place = (first in PLACES or _is_time(words)) and 2 <= len(words) <= (_MOST_OPENING if nominative else 4)
    opened = first in SUBORDINATE and verbs
    pronoun = _PRONOUN.match(text, clause) is not None
    # "Though it is stated, it may": behind a verb the second would be read as its object.
    parted = reading.tag_before(comma).startswith("V") and text.startswith(("it", "you"), clause)
    return brief or (place and not verbs) or (opened and pronoun and not parted)


def _put(reading: Reading, start: int, end: int) -> Iterator[Edit]:
    text = reading.text
    first = text[start:end].split(" ", 1)[0].rstrip(",").lower()
    for found in _OPENING.finditer(text, start, end):
        at = found.start()
        words = text[start:at].split()
        if len(words) > _MOST_OPENING:
            return
        # "When he told her the truth": no comma parts a verb from what it governs.
        if len(words) < 2 or not reading.tag_before(at).startswith(("NN", "NP", "CRD", "AJ0", "AV0", "AVP")):
            continue
        verbs = has_verb(reading, start, at)
        # "Although there are things I miss, I stay": the clause ends at its comma.
        comma = text.find(",", at, end)
        goes_on = comma > 0 and _SUBJECT.match(text, comma + 1) is not None
        parted = first in SUBORDINATE and found["pronoun"] is not None and not goes_on
        fits = parted if verbs else first in PLACES
        if fits and begins_clause(reading, at + 1, end):
            yield Edit(at, at + 1, ", ", COMMA)
            return
