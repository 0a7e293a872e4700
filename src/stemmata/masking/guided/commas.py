"""Commas that may stand or not: before clauses and additions, in lists, around what is put in.

Writers differ in commas more than in most habits; readers hardly see them, and verifiers do. What a comma
tells stays: whether a relative clause says which one is meant, what belongs to a list, who is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from stemmata.masking.guided.stretches import PLACES, SUBORDINATE, Stretch, is_told, stretches
from stemmata.rewriting import Edit
from stemmata.rewriting.reading import Reading
from stemmata.rewriting.sentence_joints import FINITE, Clauses, begins_clause

COMMA = "comma"


def commas(reading: Reading) -> Iterator[Edit]:
    """Yield commas left out and put, in no order.

    Examples
    --------
    >>> from stemmata.rewriting.reading import read
    >>> text = "He was, perhaps, tired. She came home, and sat down."
    >>> [(text[edit.start : edit.end], edit.replacement) for edit in commas(read(text))]
    [(', perhaps,', ' perhaps'), (',', '')]
    """
    for start, end in reading.sentences:
        for stretch in stretches(reading, start, end):
            yield from _dropped(stretch)
            yield from _put_in(stretch)
            yield from _adjectives(stretch)
            yield from _parted(stretch)


# Commas before clauses and additions.

_CONJUNCTION = re.compile(r" (?P<word>and|but|or|so|yet) ")
_DEPENDING = re.compile(
    r" (?P<word>because|although|though|if|since|until|till|unless|after|before|when|while|as|whereas) "
)
_ADDED = re.compile(
    r" (?:with|without|in|on|at|by|from|like|into|through|during|under|over|upon|within|throughout|across"
    r"|for|among|amid|behind|beneath|beside) "
    r"(?!(?:which|whom|whose|what|fact|short|turn|particular|general|case)\b)"
)
_COMPARING = re.compile(r" (?:as if|as though|even though|even if|rather than|instead of|only to) ")
_TOO = re.compile(r" too[.;]")
_HAD = re.compile(r"\b(?:had|was|were|hardly|scarcely)\b")
_SAID = 4
"""The most words of "as you know"."""
_ITEM = 3
"""The most words of an item of a list."""


def _dropped(stretch: Stretch) -> Iterator[Edit]:
    for number, at in enumerate(stretch.commas):
        if may_drop(stretch, number):
            yield Edit(at, at + 1, "", COMMA)


def may_drop(stretch: Stretch, number: int) -> bool:
    """Return whether a comma parts a clause from what follows, and is needed neither by it nor by a list."""
    text, at = stretch.reading.text, stretch.commas[number]
    # "It is late, I think, but we stay."
    told = number > 0 and is_told(stretch.words(stretch.before(number), at))
    if told or not text[at - 1].isalpha() or stretch.is_needed(number):
        return False
    if _TOO.match(text, at + 1):
        return True
    if found := _CONJUNCTION.match(text, at + 1, stretch.end):
        return _may_join(stretch, number, found) or _is_serial(stretch, number, found)
    if not stretch.ends_main_clause(number) or not stays_behind(stretch, number):
        return False
    return _COMPARING.match(text, at + 1, stretch.end) is not None or _is_added_loosely(stretch, number)


def _is_added_loosely(stretch: Stretch, number: int) -> bool:
    """Return whether a clause or a phrase is added behind a comma that means the same without it."""
    text, at, behind = stretch.reading.text, stretch.commas[number], stretch.behind(number)
    if found := _DEPENDING.match(text, at + 1, stretch.end):
        begin = stretch.commas[number - 1] if number else stretch.start
        return stretch.clause_at(found.end()) and not tells(stretch, begin, at, behind, found["word"])
    found = _ADDED.match(text, at + 1, stretch.end)
    return found is not None and not stretch.has_verb(found.end(), behind)


def _may_join(stretch: Stretch, number: int, found: re.Match[str]) -> bool:
    """Return whether a conjunction joins what follows a comma to a clause before it, the comma or not."""
    if not stretch.ends_main_clause(number):
        return False
    if stretch.clause_at(found.end()) or stretch.verb_behind(stretch.commas[number]):
        return True
    # "It was, but for him, lost": put in.
    last = stays_behind(stretch, number)
    told = stretch.has_verb(found.end(), stretch.behind(number))
    return (found["word"] in ("and", "but", "yet") and last) or (found["word"] in ("but", "yet") and told)


def tells(stretch: Stretch, begin: int, at: int, behind: int, word: str) -> bool:
    """Return whether a comma before a clause that depends on another tells what is meant."""
    text = stretch.reading.text
    if word in ("because", "as", "since", "like") and _NEGATED.search(text, begin, at):
        # "He did not go, because it rained"; "She is not old, like him".
        return True
    if word == "as":
        # "It is, as you see, broken."
        return len(stretch.words(at, behind)) <= _SAID
    if word == "if":
        # "That is, if he comes."
        return len(stretch.words(begin, at)) < _ITEM
    # "He had gone a mile, when a man stopped him": and then.
    return word == "when" and _HAD.search(text, begin, at) is not None


def stays_behind(stretch: Stretch, number: int) -> bool:
    """Return whether what follows a comma is the end of its clause, not put into it."""
    if number + 1 == len(stretch.commas):
        return True
    following = stretch.reading.tag_from(stretch.commas[number + 1])
    return following.startswith(("CJC", "DTQ", "PNQ", "VVG"))


def _is_serial(stretch: Stretch, number: int, found: re.Match[str]) -> bool:
    """Return whether a comma before "and" or "or" ends the last item but one of a list of nouns or verbs."""
    reading, at = stretch.reading, stretch.commas[number]
    if number == 0 or found["word"] not in ("and", "or"):
        return False
    first, after = reading.word_from(stretch.commas[number - 1]), reading.word_from(found.end())
    behind = [one.tag for one in reading.tags[after : after + _ITEM]]
    tags = [one.tag for one in reading.tags[first : reading.word_from(at)]]
    if not tags or not behind or reading.passage.words[first].lower() in ("and", "or", "nor"):
        return False
    # "My brother, a doctor, and his wife": no list.
    one, other = (reading.passage.words[place].lower() in ("a", "an") for place in (first, after))
    if one and not other:
        return False
    if tags[0] in FINITE:
        # "He rose, took his hat, and left."
        return behind[0] == tags[0] and not stretch.has_verb(reading.passage.start[first + 1], at)
    for kind in ("NN", "AJ0"):
        if tags[-1].startswith(kind) and len(tags) <= _ITEM and reading.tags[first - 1].tag.startswith(kind):
            same = [place for place, tag in enumerate(behind) if tag.startswith(kind)]
            return bool(same) and all(tag.startswith(("AT0", "DPS", "AJ", "NN")) for tag in behind[: same[0]])
    return False


# What is put in between commas.

PUT_IN = {
    "again", "also", "apparently", "at first", "at last", "at least", "certainly", "clearly", "consequently",
    "doubtless", "eventually", "evidently", "finally", "generally", "in fact", "in turn", "indeed",
    "no doubt", "obviously", "occasionally", "of course", "often", "once more", "perhaps", "possibly",
    "presently", "presumably", "probably", "sometimes", "then", "therefore", "undoubtedly", "usually",
}  # fmt: skip
"""What may stand in a clause without commas."""
_LONGEST = 5
"""The most words that are put in and can do without commas."""
_BEFORE = {
    "and", "as", "because", "but", "if", "or", "so", "that", "when", "where", "which", "while", "who", "yet",
}  # fmt: skip
"""Words behind which something is put in before their clause begins."""


def _put_in(stretch: Stretch) -> Iterator[Edit]:
    """Yield both commas left out around what is put in; of a clause put in behind *and*, the first alone."""
    text = stretch.reading.text
    for one, other in pairwise(stretch.commas):
        inner = text[one + 2 : other]
        words = stretch.words(one, other)
        last = stretch.reading.word_from(one) - 1
        before = stretch.reading.passage.words[last].lower() if last >= 0 else ""
        inside = last >= 0 and stretch.reading.passage.start[last] >= stretch.start
        if not words or not inside or not inner[:1].islower() or text[other + 1 : other + 2] != " ":
            continue
        behind_joint = before in _BEFORE
        place = words[0] in PLACES and 1 < len(words) <= _LONGEST and not stretch.has_verb(one, other)
        # "Beyond that, in the corner, a heap": no conjunction.
        if before == "that" and stretch.reading.tags[last].tag != "CJT":
            continue
        # "And, in time, because they go, others come."
        place &= stretch.reading.tag_from(other) != "CJS"
        if behind_joint and (place or inner in PUT_IN):
            yield Edit(one, other + 1, f" {inner}", COMMA)
        elif before in ("and", "but", "that") and words[0] in SUBORDINATE and stretch.has_verb(one, other):
            yield Edit(one, one + 1, "", COMMA)
        elif inner in PUT_IN and _within_clause(stretch, one, other):
            yield Edit(one, other + 1, f" {inner}", COMMA)


def _within_clause(stretch: Stretch, one: int, other: int) -> bool:
    """Return whether what stands between two commas interrupts a clause rather than parting two."""
    first = stretch.reading.passage.words[stretch.reading.word_from(stretch.start)].lower()
    opened = first in SUBORDINATE | PLACES and stretch.commas[0] == one
    before, behind = stretch.reading.tag_before(one), stretch.reading.tag_from(other)
    # "Brown, therefore, with his hat on, left": the second comma belongs to what follows, too.
    verb = before in FINITE or (
        before in ("PNP", "NN1", "NN2", "NN0", "NP0") and behind.startswith(("V", "AV0"))
    )
    return verb and not opened and not stretch.clause_at(other + 2)


# Two adjectives.

_ADJECTIVES = re.compile(r"(?<=[a-z]),(?= [a-z]+ [a-z]+)")


_SORTING = {
    "black", "blue", "brown", "dear", "early", "gray", "green", "grey", "imitation", "late", "little",
    "morning", "old", "poor", "purple", "red", "such", "tiny", "white", "whole", "yellow", "young",
}  # fmt: skip
"""Adjectives that are no second quality beside another, but what sort of thing it is."""


def _adjectives(stretch: Stretch) -> Iterator[Edit]:
    """Yield the comma of *a long, dark night* left out, or *and* for it; of three, all keep theirs."""
    reading = stretch.reading
    for found in _ADJECTIVES.finditer(reading.text, stretch.start, stretch.end):
        number = reading.word_from(found.start())
        if not 2 <= number < len(reading.tags) - 1:
            continue
        tags = [one.tag for one in reading.tags[number - 2 : number + 2]]
        plain = not reading.passage.gap(number - 1).strip() and not reading.passage.gap(number + 1).strip()
        noun = tags[3].startswith(("NN", "AJ0")) and tags[1] == tags[2] == "AJ0"
        if plain and noun and tags[0] in ("AT0", "DPS", "DT0", "PRP", "PRF"):
            yield Edit(found.start(), found.start() + 1, "", COMMA)
            pair = {word.lower() for word in reading.passage.words[number - 1 : number + 1]}
            if tags[3].startswith("NN") and len(pair) > 1 and pair.isdisjoint(_SORTING):
                yield Edit(found.start(), found.start() + 1, " and", COMMA)


# Commas put.

_PRONOUN = r"(?:I|he|she|it|we|they|you|there)\b"
_NO_COMMA = re.compile(
    r"(?<=[^\W\d_]{2}) (?=(?P<word>and|but|or|so|yet|because|although|though|whereas|especially|including"
    r"|such as)\b|too[.;])"
)
_NOT_BEHIND = {
    "nothing", "anything", "none", "all", "not", "only", "just", "simply", "mainly", "partly", "mostly",
    "largely", "perhaps", "probably", "and", "but", "or", "is", "was", "are", "were", "be", "been", "as",
    "even", "do", "did", "think", "more", "so", "too", "if", "whether", "cannot", "precisely", "that",
}  # fmt: skip
"""Words that keep together with a conjunction behind them."""
_WHO = {"i", "you", "he", "she", "we", "they"}
_NEGATED = re.compile(r"n['’]t\b|\b(?:not|never|no|nothing|nobody|hardly)\b")
_GOVERNING = re.compile(
    r"(?:think|believe|say|hope|suppose|know|feel|see|hear|mean|show|watch|let|make|help|find|keep|want|wish"
    r"|tell|guess|seem)(?:s|ed)?|thought|said|knew|felt|saw|heard|meant|made|found|kept|told",
    re.IGNORECASE,
)
"""Verbs that may govern a clause, or a noun with a verb."""
_OF_SUBJECT = ("AT0", "DPS", "DT0", "AJ", "NN", "NP", "CRD", "ORD", "POS", "PRF", "CJC")
_BEGINNING = ("CJS", "CJT", "DTQ", "PNQ", "AVQ")
_REACH = 10
"""How far before a conjunction the beginning of its clause is looked for."""
_LONG_ENOUGH = 3
"""Words from a verb on that make it likely that nothing is missing to its clause."""


def _parted(stretch: Stretch) -> Iterator[Edit]:
    reading, start, end = stretch.reading, stretch.start, stretch.end
    clauses = Clauses(reading, start, end)
    for found in _NO_COMMA.finditer(reading.text, start, end):
        if clauses.within(start, found.start()) and _may_part(reading, start, found, end):
            yield Edit(found.start(), found.start() + 1, ", ", COMMA)


def _may_part(reading: Reading, start: int, place: re.Match[str], end: int) -> bool:
    """Return whether a comma may be put: before a clause, or before what is added at the end."""
    at = place.start()
    number = reading.word_from(at)
    last = reading.passage.words[number - 1].lower() if number else ""
    word, behind = place["word"], reading.passage.start[number + 1 : number + 2]
    # "If you and Mr. Brown are late": two of whom one thing is said.
    if last in _NOT_BEHIND | _WHO or (word == "because" and last in ("it", "this")):
        return False
    if word in ("and", "or") and _is_one_of_two(reading, start, number - 1):
        return False
    if word is None:
        return reading.tag_before(at).startswith(("NN", "PN", "NP", "VV"))
    return bool(behind) and _is_added(reading, (start, at, end), word, behind[0])


def _is_added(reading: Reading, stretch: tuple[int, int, int], word: str, behind: int) -> bool:
    """Return whether a conjunction begins a clause of its own, or an addition with no verb behind it."""
    start, at, end = stretch
    before = reading.text[start:at]
    clause = begins_clause(reading, behind, end)
    if word in ("especially", "including", "such as"):
        rest = reading.tags[reading.word_from(behind) : reading.word_from(end)]
        return reading.tag_before(at).startswith("NN") and all(one.tag not in FINITE for one in rest)
    if word == "but" and not clause:
        verb = reading.tag_from(behind) in (*FINITE, "XX0") and not reading.tag_before(at).startswith("V")
        return verb and "not only" not in before
    if word in ("and", "so", "yet", "or"):
        pronoun = re.match(_PRONOUN, reading.text[behind:end]) is not None
        return clause and "whether" not in before and (pronoun or not _governs(reading, start, at))
    return clause and (word != "because" or not _NEGATED.search(before))


def _is_one_of_two(reading: Reading, start: int, last: int) -> bool:
    """Return whether a clause has only a noun yet, as in "until Nancy and Harry were gone"."""
    first = max(reading.word_from(start), last - _REACH)
    for number in range(last, first, -1):
        if not reading.tags[number].tag.startswith(_OF_SUBJECT):
            return False
        before, word = reading.tags[number - 1].tag, reading.passage.words[number - 1].lower()
        if "," in reading.passage.gap(number) or before.startswith(_BEGINNING) or word in SUBORDINATE:
            return True
    return False


def _governs(reading: Reading, start: int, end: int) -> bool:
    """Return whether a clause may go on behind "and": as in "I think the dog and the cat ran"."""
    numbers = range(reading.word_from(start), reading.word_from(end))
    verbs = [number for number in numbers if reading.tags[number].tag in FINITE]
    first = reading.passage.words[numbers[0]].lower() if numbers else ""
    # A lone noun behind the verb, or before it, may be one of two.
    return (
        first in SUBORDINATE
        or not verbs
        or numbers[-1] - verbs[-1] < _LONG_ENOUGH
        or _GOVERNING.fullmatch(reading.passage.words[verbs[-1]]) is not None
    )
