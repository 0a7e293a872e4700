"""Equivalents: content words that can stand for one another, *nation* and *country*, and where. English.

The table was written by hand, word by word in order of frequency; each row says in which frame it holds: what
stands around, in which form. Dictionaries say what a word may mean, this table what can be written for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files

from stemmata.model import ErrorCode, StemmataError
from stemmata.rewriting.edits import Edit
from stemmata.rewriting.passage import can_leave
from stemmata.rewriting.reading import Reading, read
from stemmata.rewriting.substitution import bears_degree, in_expression, is_name, neighbour, placed
from stemmata.rewriting.transformation import in_order
from stemmata.text.pos import Tagged
from stemmata.text.wordnet import PARTS

KIND = "equivalent"
TABLE = "equivalents.txt"
_NEAR = 6
"""Words on either side that are near."""
_PHRASE = ("AT0", "DPS", "DT0", "NN", "NP0", "CRD", "ORD", "AJ")
_PRONOUN = ("PNP", "PNX", "PNI")
_FORMS = {
    "sing": ("NN0", "NN1"), "plur": ("NN2",), "base": ("VVB", "VVI", "VVZ"), "past": ("VVD",),
    "part": ("VVN",), "ging": ("VVG",),
}  # fmt: skip
"""Beginnings of the word's own tag."""
_FOLLOWING = {
    "obj": (*_PHRASE, *_PRONOUN), "noun": _PHRASE, "to": ("TO0",), "that": ("CJT",),
    "ing": ("VVG", "VBG", "VHG"), "adj": ("AJ", "AV0"), "prep": ("PRP", "PRF"), "attr": ("NN", "AJ", "NP0"),
}  # fmt: skip
"""Beginnings of the next word's tag."""
_HELPERS = {
    "am", "are", "be", "been", "being", "get", "gets", "getting", "got", "had", "has", "have", "having", "is",
    "was", "were",
}  # fmt: skip
"""Words that a participle follows."""
_BETWEEN = ("AV0", "XX0", "PNP", "NN", "NP0")
_REACH = 3
"""How far before a participle its helper may stand, and what may stand between."""

_PLAIN = {"AVQ": "AV0", "AVP": "AV0", "ORD": "AJ0"}
"""Tags of words that have one form, and the tag of the form that is written for them: *where*, *first*."""
Condition = Callable[[Reading, int], bool]


@dataclass(frozen=True)
class Row:
    """What can stand for a word.

    Attributes
    ----------
    others
        Words in the form that a dictionary lists, the best first; of several in one, blanks between.
    conditions
        What must all hold where the word stands.
    """

    others: tuple[str, ...]
    conditions: tuple[Condition, ...] = ()

    def holds(self, reading: Reading, number: int) -> bool:
        """Return whether the row can be used for a word of a text."""
        return all(condition(reading, number) for condition in self.conditions)


@dataclass(frozen=True)
class Equivalents:
    """Propose other words where the table has some, in the same form, and with the article to suit.

    Names, words in fixed expressions and in compounds are left alone, and so are verbs with a particle.

    Examples
    --------
    >>> text = "A large nation began to trade."
    >>> [(text[edit.start : edit.end], edit.replacement) for edit in Equivalents().proposals(text)][:3]
    [('large', 'big'), ('nation', 'country'), ('began', 'started')]
    """

    def proposals(self, text: str) -> list[Edit]:
        """Return edits of the kind ``equivalent``."""
        reading, table = read(text), _table()
        edits: list[Edit] = []
        for number, tagged in enumerate(reading.tags):
            if is_listed(reading, number) and _stands_alone(reading, number):
                edits += _edits(reading, number, table[tagged.lemma.lower(), tagged.part])
        return in_order(edits, text)


def is_listed(reading: Reading, number: int) -> bool:
    """Return whether the table says of a word where it has others, and where it has none."""
    tagged = reading.tags[number]
    return (tagged.lemma.lower(), tagged.part) in _table()


def _edits(reading: Reading, number: int, rows: list[Row]) -> Iterator[Edit]:
    tagged = _settled(reading, number)
    # "Ghosts and phantoms" are not phantoms and phantoms.
    near = {one.lemma.lower() for one in reading.tags[max(0, number - _NEAR) : number + _NEAR + 1]}
    for row in rows:
        if row.holds(reading, number):
            fitting = (other for other in row.others if bears_degree(reading, number, other))
            others = (other for other in fitting if other not in near)
            made = (placed(reading.passage, number, tagged, other, KIND) for other in others)
            yield from (edit for edit in made if edit is not None)


def _stands_alone(reading: Reading, number: int) -> bool:
    passage, tagged = reading.passage, reading.tags[number]
    word = passage.words[number]
    if not word.isalpha() or not can_leave(passage, number, tagged) or is_name(reading, number):
        return False
    if (
        tagged.part in ("ADJ", "ADV")
        and tagged.tag in ("AJ0", "AV0")
        and word.lower() != tagged.lemma.lower()
    ):
        return False
    after, before = neighbour(reading, number, 1), neighbour(reading, number, -1)
    if tagged.part == "VERB" and after.tag == "AVP":
        return False
    if tagged.part == "NOUN" and {"NOUN", "PROPN"} & {after.part, before.part}:
        return False
    return not in_expression(reading, number)


def _settled(reading: Reading, number: int) -> Tagged:
    """Return a word with the tag of its form.

    Past tense and participle, which the tagger confounds, are told apart by a helper.
    """
    tagged = reading.tags[number]
    if tagged.tag in _PLAIN:
        return tagged._replace(tag=_PLAIN[tagged.tag])
    if tagged.tag not in ("VVD", "VVN"):
        return tagged
    at = number - 1
    while at >= max(0, number - _REACH) and not reading.passage.gap(at + 1).strip():
        if reading.passage.words[at].lower() in _HELPERS:
            return tagged._replace(tag="VVN")
        if not reading.tags[at].tag.startswith(_BETWEEN):
            break
        at -= 1
    # "I" and "who" have the past tense behind them; what follows a noun may be either.
    subject = neighbour(reading, number, -1).tag in ("PNP", "PNQ")
    return tagged._replace(tag="VVD") if subject else tagged


def _tag(beginnings: tuple[str, ...], reading: Reading, number: int) -> bool:
    return _settled(reading, number).tag.startswith(beginnings)


def _next_tag(beginnings: tuple[str, ...], reading: Reading, number: int) -> bool:
    return neighbour(reading, number, 1).tag.startswith(beginnings)


def _word_beside(step: int, words: frozenset[str], reading: Reading, number: int) -> bool:
    other = number + step
    if not 0 <= other < len(reading.passage) or reading.passage.gap(max(number, other)).strip():
        return False
    return reading.passage.words[other].lower() in words


def _word_near(words: frozenset[str], reading: Reading, number: int) -> bool:
    around = reading.passage.words[max(0, number - _NEAR) : number + _NEAR + 1]
    return any(word.lower() in words for word in around)


def _at_beginning(reading: Reading, number: int) -> bool:
    return reading.begins_sentence(reading.passage.start[number])


def _at_end(reading: Reading, number: int) -> bool:
    last = number + 1 == len(reading.passage)
    return last or bool(reading.passage.gap(number + 1).strip())


def _not(condition: Condition, reading: Reading, number: int) -> bool:
    return not condition(reading, number)


def condition_of(said: str) -> Condition:
    """Return the condition that a table names, such as ``obj``, ``plur`` or ``not-next=up|down``."""
    name, _, listed = said.partition("=")
    if name.startswith("not-"):
        return partial(_not, condition_of(said.removeprefix("not-")))
    words = frozenset(listed.split("|"))
    known: dict[str, Condition] = {
        **{form: partial(_tag, tags) for form, tags in _FORMS.items()},
        **{form: partial(_next_tag, tags) for form, tags in _FOLLOWING.items()},
        "pred": partial(_not, partial(_next_tag, _FOLLOWING["attr"])),
        "begin": _at_beginning,
        "end": _at_end,
    }
    with_words: dict[str, Condition] = {
        "next": partial(_word_beside, 1, words),
        "prev": partial(_word_beside, -1, words),
        "near": partial(_word_near, words),
    }
    condition = with_words.get(name) if listed else known.get(name)
    if condition is None:
        raise StemmataError(ErrorCode.UNREADABLE, TABLE, reason=f"{said!r} is no condition")
    return condition


def rows_of(text: str) -> Mapping[tuple[str, str], list[Row]]:
    """Return the rows of a table by word and part of speech.

    A line is ``word PART: other other`` or ``word PART [condition condition]: other``; a word of several
    words has ``_`` for blanks.
    """
    rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        head, _, others = line.partition(":")
        named, _, conditions = head.partition("[")
        word, _, part = named.strip().partition(" ")
        if part not in PARTS or not others.split():
            raise StemmataError(ErrorCode.UNREADABLE, TABLE, reason=f"{line!r} is no row")
        row = Row(
            tuple(other.replace("_", " ") for other in others.split()),
            tuple(map(condition_of, conditions.strip().removesuffix("]").split())),
        )
        rows[word, part].append(row)
    return rows


@cache
def _table() -> Mapping[tuple[str, str], list[Row]]:
    return rows_of((files("stemmata.rewriting") / "data" / TABLE).read_text("utf-8"))
