"""Commas of which no rule says whether they are needed: a language model says it.

They stand behind an opening, before an addition, before the last item of a list, between adjectives or around
what is put in. Names, what is called out and other items of lists keep their commas whatever the model says,
and so does what a comma tells; of two that belong together both go or none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from stemmata.masking.guided.commas import may_drop, stays_behind, tells
from stemmata.masking.guided.stretches import JOINING, PLACES, SUBORDINATE, Stretch, is_told, stretches
from stemmata.rewriting import Edit
from stemmata.rewriting.reading import Reading
from stemmata.rewriting.sentence_joints import FINITE, has_clause

LOOSE_COMMA = "loose-comma"


def loose_commas(reading: Reading) -> Iterator[Edit]:
    """Yield commas left out, those that belong together in one.

    Examples
    --------
    >>> from stemmata.rewriting.reading import read
    >>> text = "Looking around, she sat down. Well, sir, you may be right. It was, in the end, a failure."
    >>> [(text[edit.start : edit.end], edit.start) for edit in loose_commas(read(text))]
    [(',', 14), (', in the end,', 65)]
    """
    for start, end in reading.sentences:
        for stretch in stretches(reading, start, end):
            for number in range(len(stretch.commas)):
                if _may_be_dropped(stretch, number):
                    at = stretch.commas[number]
                    yield Edit(at, at + 1, "", LOOSE_COMMA)
            yield from _put_in(stretch)


def _may_be_dropped(stretch: Stretch, number: int) -> bool:
    """Return whether a comma is neither one of a pair nor tells anything, as far as rules know."""
    at = stretch.commas[number]
    before = stretch.words(stretch.before(number), at)
    behind = stretch.words(at, stretch.behind(number))
    if not before or not behind or not stretch.is_lone(number) or stretch.is_needed(number):
        return False
    # "It is late, I think, and we stay"; "He rose and, as it was late, left".
    if is_told(before) or is_told(behind) or (before[1:] and before[-1] in {*JOINING, "that"}):
        return False
    return (
        _is_behind_opening(stretch, number, before)
        or _is_before_addition(stretch, number, before, behind)
        or _is_before_doing(stretch, number, behind)
        or _is_before_last(stretch, number, behind)
        or _is_between_qualities(stretch, number)
    )


# Behind openings.

_ALONE = {"again", "altogether", "anyway", "instead", "once", "still", "yet"}
"""Words that can open a sentence alone, and so can adverbs in *-ly*."""
_NOT_ALONE = {"firstly", "lastly", "secondly", "thirdly", "really", "only", "namely"}
_PHRASES = {"all of a sudden", "as a matter of fact", "as a result", "of course", "no doubt", "but still"}
_CALLS = {"ah", "no", "oh", "well", "why", "yes"}
_NOMINATIVE = {"i", "he", "she", "we", "they"}
_NEAREST = 3
"""Of so many conjunctions before a comma an opening may follow each."""
_SUBJECTS = ("PNP", "AT0", "DPS", "DT0", "EX0", "PNI")


def _is_behind_opening(stretch: Stretch, number: int, words: Sequence[str]) -> bool:
    """Return whether a comma ends what leads up to a clause: at the beginning, or behind *and* or *that*."""
    if words[-1] in _CALLS or not _begins_anew(stretch, number, words[-1]):
        return False
    if number == 0 and (len(words) == 1 or " ".join(words) in _PHRASES):
        adverb = words[0].endswith("ly") and stretch.reading.tag_from(stretch.start) == "AV0"
        return len(words) > 1 or words[0] in _ALONE or (adverb and words[0] not in _NOT_ALONE)
    first = stretch.reading.word_from(stretch.before(number))
    joined = [place + 1 for place, word in enumerate(words[:-2]) if word in ("and", "but", "or", "that")]
    openings = [*([] if number else [0]), *joined[-_NEAREST:]]
    return any(_leads_up(stretch, first + place, stretch.commas[number]) for place in openings)


def _begins_anew(stretch: Stretch, number: int, last: str) -> bool:
    """Return whether a clause begins behind a comma whose subject nobody reads with what goes before."""
    reading, at = stretch.reading, stretch.commas[number]
    tag, word = reading.tag_from(at), reading.passage.words[reading.word_from(at)].lower()
    if word in _NOMINATIVE:
        return stretch.has_verb(at, stretch.behind(number))
    # "When he ate, the dog barked", "As we went along, the road rose".
    governed = reading.tag_before(at).startswith(("V", "PRP", "AVP")) or last in PLACES
    if governed or tag not in _SUBJECTS or word in _RELATIVE:
        return False
    # "All wars, some excluded, begin".
    return stretch.clause_at(at + 2) or (tag != "DT0" and stretch.has_verb(at, stretch.behind(number)))


def _leads_up(stretch: Stretch, first: int, at: int) -> bool:
    """Return whether what begins with a word, up to a comma, leads up to a clause and is none by itself."""
    reading = stretch.reading
    begin = reading.passage.start[first]
    lead, tag = reading.passage.words[first].lower(), reading.tags[first].tag
    words = stretch.words(begin, at)
    told = stretch.has_verb(begin, at) or has_clause(reading, begin, at)
    # "Just as it began to rain, we left."
    if {lead, *(words[1:2] if tag == "AV0" else ())} & SUBORDINATE and told:
        return not any(word in JOINING for word in words[1:])
    # "Startled by the noise, he rose": whatever the participle governs, a nominative begins anew.
    if tag in ("VVG", "VVN") and reading.passage.words[reading.word_from(at)].lower() in _NOMINATIVE:
        return True
    asked = lead in PLACES and words[1:2] in (["what"], ["whatever"])
    leads = lead in PLACES | {"as"} or (lead in JOINING and len(words) > 1) or tag in ("VVG", "AV0")
    return leads and (not told or asked)


# Before additions.

_LOOSELY = {
    "according", "after", "although", "and", "as", "at", "because", "before", "both", "but", "by", "despite",
    "during", "especially", "even", "exactly", "for", "from", "if", "in", "including", "instead", "into",
    "like", "much", "on", "only", "or", "particularly", "rather", "since", "so", "such", "though", "through",
    "to", "unless", "until", "when", "whereas", "while", "with", "without", "yet",
}  # fmt: skip
"""Words before which a lone comma may be left out, if it reads well without."""
_CLOSING = {
    "and", "as", "like", "not", "or", "that", "when", "where", "which", "who", "whom", "whose", "with",
}  # fmt: skip
"""Words with which something is put in that a comma closes again."""
_RELATIVE = {"which", "whom", "whose", "what", "who"}
_WITHIN = {*_RELATIVE, *SUBORDINATE, "that", "how", "whether"}
"""Words with which a clause begins that is part of a phrase."""


def _is_before_addition(stretch: Stretch, number: int, before: Sequence[str], behind: Sequence[str]) -> bool:
    """Return whether a comma stands before an addition, and is neither one of a pair nor of a list."""
    reading, at, end = stretch.reading, stretch.commas[number], stretch.behind(number)
    # "He heard a faint, distant sound, as if": the comma between adjectives parts nothing.
    adjectives = number > 0 and reading.tag_from(stretch.before(number)) == "AJ0"
    begin = stretch.before(number - adjectives)
    if behind[0] not in _LOOSELY or not stretch.has_verb(begin, at) or _RELATIVE & {*behind[1:2]}:
        return False
    put_in = before[0] in _CLOSING or reading.tag_from(begin).startswith(("VVG", "VVN", "PRP"))
    if (number and put_in) or _is_no_addition(stretch, at, end, behind):
        return False
    if not stays_behind(stretch, number):
        return behind[0] in ("and", "but") and stretch.ends_main_clause(number) and stretch.clause_at(at + 6)
    # "Because of the noise, and because of the smell": said of both.
    twice = {*behind[1:2]} & {*before} & {*PLACES, *SUBORDINATE, "of", "to"}
    alone = number == 0 or behind[0] not in ("and", "or") or stretch.has_verb(at, end) or bool(twice)
    return alone and not tells(stretch, begin, at, end, behind[0])


def _is_no_addition(stretch: Stretch, at: int, end: int, behind: Sequence[str]) -> bool:
    """Return whether what follows a comma only looks like an addition."""
    if behind[0] == "so":
        # "They seemed so alive, so real."
        return behind[1:2] != ["that"] and not stretch.has_verb(at, end)
    if behind[0] == "to":
        return stretch.reading.tag_from(at) != "TO0" or stretch.has_verb(at, end)
    # "People sit in chairs, in the hall there is a cage": two sentences.
    return behind[0] in PLACES - SUBORDINATE and _has_own_verb(stretch, at, end)


def _has_own_verb(stretch: Stretch, start: int, end: int) -> bool:
    """Return whether a finite verb stands between two offsets before any clause that is part of a phrase."""
    reading = stretch.reading
    for number in range(reading.word_from(start), reading.word_from(end)):
        if reading.passage.words[number].lower() in _WITHIN:
            return False
        if reading.tags[number].tag in FINITE:
            return True
    return False


_MOTION = {"across", "along", "down", "into", "out", "past", "through", "toward", "towards", "up"}
"""Words behind which it is said where somebody goes."""
_DOING = re.compile(r"\b(?:and|or|nor) \w+ing\b|,")


def _is_before_doing(stretch: Stretch, number: int, behind: Sequence[str]) -> bool:
    """Return whether a participle at the end tells what somebody does: *ran into the night, howling*.

    Before it stands an adverb or where somebody goes, not somebody who might be doing it.
    """
    reading, at = stretch.reading, stretch.commas[number]
    if reading.tag_from(at) != "VVG" or number + 1 < len(stretch.commas) or len(behind) < 2:
        return False
    last = reading.tag_before(at)
    near = stretch.words(stretch.before(number), at)[-4:]
    led = last in ("AV0", "AVP", "VVN", "AJ0") or (last.startswith("NN") and not _MOTION.isdisjoint(near))
    listed = _DOING.search(reading.text, at + 1, stretch.end) or near[-1].endswith("ing")
    return led and not listed and stretch.ends_main_clause(number)


# Lists and adjectives.

_LONGEST_ITEM = 6
"""The most words of the last item but one."""
_KINDS = ("NN", "NP", "AT0", "DPS", "AJ0", "VVG", "VVD", "VVZ", "VVI", "VVB", "PRP")


def _is_before_last(stretch: Stretch, number: int, behind: Sequence[str]) -> bool:
    """Return whether a comma stands before the last of three or more items, of kinds that no rule knows."""
    reading = stretch.reading
    if number == 0 or behind[0] not in ("and", "or") or number + 1 < len(stretch.commas):
        return False
    item, last = reading.word_from(stretch.before(number)), reading.word_from(stretch.commas[number]) + 1
    if last >= len(reading.tags) or reading.passage.words[item].lower() in ("and", "or", "a", "an", "with"):
        return False
    one, other = reading.tags[item].tag, reading.tags[last].tag
    inner = stretch.words(stretch.before(number), stretch.commas[number])
    alike = any(one.startswith(kind) and other.startswith(kind) for kind in _KINDS)
    short = "and" not in inner and len(inner) <= _LONGEST_ITEM
    return alike and short and not may_drop(stretch, number)


_DETERMINING = ("AT0", "DPS", "DT0", "PRP", "PRF", "POS", "CRD")


def _is_between_qualities(stretch: Stretch, number: int) -> bool:
    """Return whether a comma parts two words that say what something is like: *his flabby, groping hands*."""
    reading = stretch.reading
    second = reading.word_from(stretch.commas[number])
    if not 2 <= second < len(reading.tags) - 1 or reading.passage.gap(second + 1).strip():
        return False
    tags = [one.tag for one in reading.tags[second - 2 : second + 2]]
    qualities = all(tag in ("AJ0", "VVG", "VVN") for tag in tags[1:3])
    return qualities and tags[0] in _DETERMINING and tags[3].startswith(("NN", "AJ0"))


# What is put in between two commas.

_MOST_PUT_IN = 8
"""The most words of a phrase that can do without its commas."""


def _put_in(stretch: Stretch) -> Iterator[Edit]:
    """Yield both commas left out around what says where, when or how: *It was, in the end, a failure*."""
    reading, text = stretch.reading, stretch.reading.text
    for number, (one, other) in enumerate(pairwise(stretch.commas)):
        words, before = stretch.words(one, other), stretch.words(stretch.before(number), one)
        inner = text[one + 2 : other]
        if not 2 <= len(words) <= _MOST_PUT_IN or not before or words[0] not in PLACES:
            continue
        if words[1] in _RELATIVE or stretch.has_verb(one, other) or "\n" in inner:
            continue
        # Behind an opening, and before another item of a list, each comma stands for itself.
        opened = before[0] in SUBORDINATE | PLACES or (
            number and not stretch.has_verb(stretch.before(number), one)
        )
        following = stretch.words(other, stretch.behind(number + 1))
        if opened or not following or following[0] in {*JOINING, *PLACES} or text[other + 1] != " ":
            continue
        # "I, for one, think so", but not "I, for one, my wife and he".
        last, subject = reading.tag_before(one), ("PNP", "PNQ")
        fits = last.startswith(("V", "AJ")) or (last in subject and reading.tag_from(other) in FINITE)
        if fits:
            yield Edit(one, other + 1, f" {inner}", LOOSE_COMMA)
