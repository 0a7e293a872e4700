"""Joints of sentences: two made one, one made two, and two that only a comma holds together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from stemmata.masking.guided.stretches import JOINING, SUBORDINATE, TELLING, Stretch, is_told, stretches
from stemmata.rewriting import Edit
from stemmata.rewriting.passage import capitalised
from stemmata.rewriting.reading import Reading
from stemmata.rewriting.sentence_joints import FINITE, Clauses, begins_clause, has_clause
from stemmata.rewriting.substitution import is_name

JOINT = "joint"
_CONJUNCTIONS = {"and": "and", "but": "but", "so": "so", "or": "or", "yet": "yet", "then": "and then"}
_LOWERED = {
    "he", "she", "it", "we", "they", "you", "there", "this", "that", "these", "the", "his", "her", "their",
    "our", "its", "my", "your", "those", "a", "an", "some", "many", "most", "both", "each",
}  # fmt: skip
"""Words with which a clause may begin behind another one …"""
_LED = {
    "in", "on", "at", "with", "without", "from", "by", "during", "under", "here", "now", "perhaps", "even",
    "sometimes", "often", "soon", "still", "never", "instead", "all", "what",
}  # fmt: skip
"""… others that can do so behind a semicolon, where something leads up to the clause …"""
_LEADING = {"when", "while", "if", "as", "although", "though", "since", "until", "once", "after", "before"}
"""… and those that begin a clause of their own, with a comma behind it and another clause."""
_TITLED = re.compile(r" (?:(?:the|a|an) )?(?!I\b)[A-Z]")
_HONOURS = re.compile(r" (?:Majesty|Highness|Grace|Honou?r|Excellency|Lordship|Ladyship)\b")
_PEOPLE = re.compile(
    r".*(?:(?<!m)ans?|ish|ese|ists?|ites?|crats?|ics?|lims?|tants?)"
    r"|(?:Arab|Brit|German|Norman|Ottoman|Roman|Czech|Dane|Finn|Greek|Jew|Pole|Scot|Swede|Turk|Whig|Zulu)s?"
    r"|Tory|Tories|Dutch|French|Swiss|Welsh"
)
"""Peoples, creeds and parties, which keep their capital."""
_ONE_MORE = re.compile(r" (?:another|again|more)\b")
_FIRST = re.compile(r"([A-Z][a-z]*)(?= [\w])")
_STOPPED = re.compile(r"(?<![\w.])(?!(?:etc|vs|viz|cf|al|ie|eg|no|pp|vol|ed|ca)\.)[a-z'’-]*[a-z]{2}\.\Z")
_QUOTES = re.compile(r"[\"“”‘()\[\]]")
_MOST_WORDS = 30
"""The most words that a sentence may have to be joined to the one before."""
_MOST_JOINED = 50
"""The most words that a sentence may have when two are joined."""
_PART = re.compile(
    r"(?<=[a-z]{2})(?:; (?!(?:and|but|so|yet) )(?=(?P<first>\w+))|[,;] (?=(?P<word>and|but|so|yet) \w))"
)
_NEAR = 200
"""Characters before a joint in which the clause before it begins."""
_UNTIL = {"till", "until", "unless", "lest", "whether", "if"}
_ADVERBS = {"however", "therefore", "moreover", "nevertheless", "thus", "then", "perhaps", "besides"}


def joints(reading: Reading) -> Iterator[Edit]:
    """Yield sentences joined and split, in no order.

    Examples
    --------
    >>> from stemmata.rewriting.reading import read
    >>> text = "He went to bed, he was very tired."
    >>> [(text[edit.start : edit.end], edit.replacement) for edit in joints(read(text))]
    [(', h', '. H'), (',', ';')]
    """
    for one, other in pairwise(reading.sentences):
        yield from _joined(reading, one, other)
    for start, end in reading.sentences:
        joints = list(_PART.finditer(reading.text, start, end))
        clauses = Clauses(reading, start, end) if joints else None
        for found in joints:
            if clauses and _may_split(reading, clauses, start, found, end):
                first = found["first"] or found["word"]
                behind = found.end() + len(first)
                yield Edit(found.start(), behind, f". {capitalised(first)}", JOINT)
                if found["word"]:
                    mark = ";" if found[0] == ", " else ","
                    yield Edit(found.start(), behind, f"{mark} {first}", JOINT)
        for stretch in stretches(reading, start, end):
            yield from _spliced(stretch)


def _joined(reading: Reading, one: tuple[int, int], other: tuple[int, int]) -> Iterator[Edit]:
    """Yield the ways to make one sentence of two of one paragraph."""
    text = reading.text
    first = _FIRST.match(text, other[0])
    if first is None or not reading.goes_on(one[1], other[0]) or re.search(r"\n\s", text[one[1] : other[0]]):
        return
    if not _STOPPED.search(text, max(one[0], one[1] - 40), one[1]) or text[other[1] - 1] not in ".!":
        return
    at, word = one[1] - 1, first[1]
    if not _can_join(reading, one, other, word):
        return
    named = is_name(reading, reading.word_from(other[0])) and reading.tag_from(other[0]) == "NP0"
    low = word if word == "I" or named else word.lower()
    joints = []
    if low in _CONJUNCTIONS:
        if low == "and" or begins_clause(reading, first.end() + 1, other[1]):
            joints, low = [", "], _CONJUNCTIONS[low]
    elif low in _LED | _LEADING:
        joints = ["; "] if _leads(reading, low, *other) else []
    elif (word == "I" or named or low in _LOWERED) and begins_clause(reading, *other):
        joints = ["; ", ", and "]
    elif not named and _is_common(reading, other[0]):
        joints = ["; "]
    if not _is_fixed(reading, low, first.end()):
        for joint in joints:
            # Two of a kind would make a sentence that does not end.
            if joint == ", " or joint.rstrip() not in text[one[0] : other[1]]:
                yield Edit(at, first.end(), f"{joint}{low}", JOINT)


def _can_join(reading: Reading, one: tuple[int, int], other: tuple[int, int], word: str) -> bool:
    """Return whether two sentences, of which the second begins with a word, are whole and short enough."""
    text = reading.text
    # What is quoted must be quoted within one of them.
    within = all(len(_QUOTES.findall(text, *each)) % 2 == 0 for each in (one, other))
    words = [len(text[slice(*each)].split()) for each in (one, other)]
    # Behind a list that a colon announced, what is joined would be one more item.
    listed = ":" in text[slice(*one)] and word.lower() not in _CONJUNCTIONS
    if not within or listed or words[1] > _MOST_WORDS or sum(words) > _MOST_JOINED:
        return False
    return has_clause(reading, *one) and has_clause(reading, *other)


def _is_common(reading: Reading, start: int) -> bool:
    """Return whether a sentence begins with a noun, adjective or number that has no capital of its own."""
    number = reading.word_from(start)
    tag = reading.tags[number].tag
    behind = reading.passage.words[number + 1 : number + 2]
    # Of "Old Men" and "Two Rivers" nobody knows whether they are names.
    plain = bool(behind) and behind[0].islower() and not is_name(reading, number)
    people = _PEOPLE.fullmatch(reading.passage.words[number]) is not None
    return plain and not people and tag.startswith(("NN2", "AJ0", "CRD", "DT0", "PNI"))


def _is_fixed(reading: Reading, word: str, end: int) -> bool:
    """Return whether a first word keeps its capital or its place: "In Cold Blood", "A is", "Yet another"."""
    text = reading.text
    if word in _LED | _LEADING:
        return _TITLED.match(text, end) is not None
    if word == "a":
        return reading.tags[reading.word_from(end)].tag.startswith("V")
    return (_ONE_MORE if word == "yet" else _HONOURS).match(text, end) is not None


def _leads(reading: Reading, word: str, start: int, end: int) -> bool:
    """Return whether a sentence has a clause behind the one that its first word begins."""
    comma = reading.text.find(", ", start, end)
    return word in _LED or (comma > 0 and begins_clause(reading, comma + 2, end))


def _may_split(reading: Reading, clauses: Clauses, start: int, joint: re.Match[str], end: int) -> bool:
    """Return whether whole clauses stand on both sides of a joint."""
    text, at = reading.text, joint.start()
    # "They call it the, and I quote, house."
    if not clauses.within(start, at) or reading.tag_before(at) in ("AT0", "DPS", "PRP", "PRF", "TO0"):
        return False
    if joint["first"]:
        first = joint["first"].lower()
        if first in _ADVERBS:
            return clauses.within(joint.end(), end)
        return begins_clause(reading, joint.end(), end)
    clause = joint.end() + len(joint["word"]) + 1
    pronoun = reading.tag_from(clause) == "PNP"
    if _goes_with_depending(text[start:at], joint, pronoun):
        return False
    # "The sound of wheels, the loud ring, and the open door told her": a list.
    item = max(text.rfind(",", start, at) + 1, start)
    return (pronoun or clauses.within(item, at)) and begins_clause(reading, clause, end)


def _goes_with_depending(before: str, joint: re.Match[str], pronoun: bool) -> bool:
    """Return whether the clause behind a joint may depend on what the one before depends on."""
    opening = re.match(r"\W*(\w+)", before)
    # "If he comes, and she stays, we go."
    if opening and opening[1].lower() in SUBORDINATE and "," not in before:
        return True
    if joint[0][0] != ",":
        return False
    # "He left, and when she came, and he was gone, …"; "we wait till he has spoken, and the king replied".
    part = re.split(r"[,;:]", before[-_NEAR:])[-1].lower().split()
    first = part[: 1 + (part[:1] in (["and"], ["but"]))]
    return bool(SUBORDINATE.intersection(first)) or (
        joint["word"] == "and" and not pronoun and bool(_UNTIL.intersection(part))
    )


# Two sentences with only a comma between them.

_PERSONS = {"he", "she", "it", "we", "they", "i", "you", "there"}
_LEAST = 3
"""Words that either side must have."""
_DEPENDING = SUBORDINATE | {
    "whether", "till", "lest", "how", "what", "why", "whatever", "whoever", "however", "like",
}  # fmt: skip
_BOUND = {"that", "which", "who", "whom", "whose"}
_OBJECTS = (["AT0"], ["DPS"], ["PNP"], ["DT0"])
_COMPARED = {
    "better", "bigger", "closer", "deeper", "earlier", "easier", "farther", "faster", "fewer", "further",
    "greater", "harder", "heavier", "higher", "instant", "larger", "later", "less", "longer", "louder",
    "lower", "minute", "moment", "more", "nearer", "older", "richer", "shorter", "slower", "smaller",
    "sooner", "stronger", "weaker", "wider", "worse", "younger",
}  # fmt: skip


def _spliced(stretch: Stretch) -> Iterator[Edit]:
    """Yield commas between two whole clauses made full stops and semicolons.

    Both clauses begin with their subjects, and none depends on another: what opens a sentence, what somebody
    is said to think, and the items of a list keep their commas.
    """
    text = stretch.reading.text
    for number, at in enumerate(stretch.commas):
        if text[at + 1] != " " or not text[at - 1].isalpha():
            continue
        if not _stands_alone(stretch, number):
            continue
        if text.startswith(" for ", at + 1) and stretch.clause_at(at + 6):
            yield Edit(at, at + 1, ";", JOINT)
        elif _follows_alone(stretch, number):
            yield Edit(at, at + 3, f". {capitalised(text[at + 2])}", JOINT)
            yield Edit(at, at + 1, ";", JOINT)


def _stands_alone(stretch: Stretch, number: int) -> bool:
    """Return whether the clause before a comma could end there."""
    reading, begin, at = stretch.reading, stretch.before(number), stretch.commas[number]
    numbers = list(range(reading.word_from(begin), reading.word_from(at)))
    words, tags = stretch.words(begin, at), [reading.tags[one].tag for one in numbers]
    if not _DEPENDING.isdisjoint(words) or (words and TELLING.fullmatch(words[-1])):
        return False
    # "And then he went home"
    led = next((one for one, word in enumerate(words) if word not in JOINING and tags[one] != "AV0"), 0)
    if len(words) - led < _LEAST or not stretch.clause_at(reading.passage.start[numbers[led]]):
        return False
    # "He said that at noon, …"; "they came and above all, …": what was begun last must have its verb.
    begun = [one + 1 for one, word in enumerate(words) if word in _BOUND or (one > led and word in JOINING)]
    behind = tags[begun[-1] :] if begun else ["VVB"]
    whole = any(tag in FINITE for tag in behind) and not behind[0].startswith(("VVG", "TO0"))
    return whole and not _compares(words[led:]) and not is_told(words[led:])


def _compares(words: Sequence[str]) -> bool:
    """Return whether a clause is half of one such as "the more he has, the more he wants"."""
    return words[0] == "the" and words[1] in _COMPARED


def _follows_alone(stretch: Stretch, number: int) -> bool:
    """Return whether a clause begins behind a comma that could be a sentence of its own."""
    reading, at = stretch.reading, stretch.commas[number]
    words = stretch.words(at, stretch.behind(number))
    if len(words) < _LEAST or not words[0].isalpha() or not stretch.clause_at(at + 2):
        return False
    if is_told(words):
        return False
    if words[0] in _PERSONS:
        return True
    # "He lay there, his face covered": a participle. "The dog covered him" has an object.
    first = reading.word_from(at)
    tags = [one.tag for one in reading.tags[first : first + len(words) + 1]]
    verb = next((one for one, tag in enumerate(tags) if tag in FINITE), 0)
    sure = tags[verb] != "VVD" or tags[verb + 1 :][:1] in _OBJECTS
    whole = not reading.passage.gap(first + 1).strip()
    pointing = (tags[0] in ("AT0", "DPS", "NP0") and whole) or words[0] in ("this", "that", "these", "those")
    return sure and pointing and not _compares(words)
