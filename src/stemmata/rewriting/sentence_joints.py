"""Sentences split in two at a joint, and short neighbours made one. English.

A sentence is split where a new clause begins, a subject with a finite verb behind it: after a semicolon, or a
comma and *and*, *but* or *so*, if another such clause has gone before. Two sentences become one where the
second begins with a pronoun, an article or the like, so that its capital is sure to go.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from stemmata.rewriting.edits import Edit
from stemmata.rewriting.passage import capitalised
from stemmata.rewriting.reading import Reading, read
from stemmata.rewriting.transformation import in_order

_JOINT = re.compile(r"(?:, (?P<word>and|but|so) |;(?: (?P<also>and|but|so))? )(?=[^\W\d_])")
FINITE = ("VBB", "VBD", "VBZ", "VDB", "VDD", "VDZ", "VHB", "VHD", "VHZ", "VM0", "VVB", "VVD", "VVZ")
_SUBJECTS = ("PNP", "EX0", "NP0", "AT0", "DPS", "DT0", "PNI")
_NOT_SUBJECTS = {"me", "him", "us", "them", "whom"}
_ENDS_SUBJECT = ("CJ", "PNQ", "DTQ", "AVQ", "TO0")
_OPENS = {
    "if", "when", "while", "although", "though", "because", "since", "as", "after", "before", "until",
    "unless", "whether", "that", "who", "which", "whose", "where", "what", "how", "why", "once", "whenever",
    "wherever",
}  # fmt: skip
"""Words that make a clause depend on another: what follows a joint may belong to it."""
_INSIDE = re.compile(r"[\"“”()\[\]:—–]")
"""Where one of these stands in a sentence, it is left alone."""
_CLITIC = re.compile(r"['’](?:s|re|m|ll|d|ve)\b")
_WORD = re.compile(r"\S+")
_LEAST = 3
"""Words that either part of a split must have."""
_REACH = 6
"""In how many words after its beginning a clause must have its verb."""
_MERGED = {
    "and": (", and ", ("he", "she", "it", "we", "they", "I", "you", "there", "this", "these", "the")),
    ";": ("; ", ("he", "she", "it", "we", "they", "I", "you", "there", "this", "these", "that", "those",
                 "the", "his", "her", "their", "my", "our", "its", "a", "some", "many", "most", "all")),
}  # fmt: skip
_ADJOINING = {
    "but": (", but ", re.compile(r"But (?=[a-z])")),
    "and": (", and ", re.compile(r"And (?=[a-z])")),
    "so": (", so ", re.compile(r"So (?=(?:I|he|she|it|we|they|you|the) )")),
    "yet": (", yet ", re.compile(r"Yet (?=[a-z])")),
}


@dataclass(frozen=True)
class SentenceJoints:
    """Propose to split sentences, and to make one of two that follow one another.

    Parameters
    ----------
    split, merge
        What to propose.
    most_words
        The most words that a merged sentence may have.
    semicolons
        Whether sentences may be merged by semicolons, too.

    Examples
    --------
    >>> text = "The rain had stopped, and we went home. It was late."
    >>> [(text[edit.start : edit.end], edit.replacement) for edit in SentenceJoints().proposals(text)]
    [(', and w', '. W'), ('. It', '; it')]
    """

    split: bool = True
    merge: bool = True
    most_words: int = 30
    semicolons: bool = True

    def proposals(self, text: str) -> list[Edit]:
        """Return edits of the kinds ``split`` and ``merge``."""
        reading = read(text)
        edits: list[Edit] = []
        if self.split:
            edits += _splits(reading)
        if self.merge:
            for one, other in pairwise(reading.sentences):
                edits += self._merged(reading, one, other)
        return in_order(edits, text)

    def _merged(self, reading: Reading, one: tuple[int, int], other: tuple[int, int]) -> Iterator[Edit]:
        """Yield the ways to make one sentence of two."""
        text = reading.text
        if text[one[1] - 1] != "." or text[one[1] - 2 : one[1] - 1] in (".", ""):
            return
        if not reading.goes_on(one[1], other[0]):
            return
        words = len(text[one[0] : other[1]].split())
        if words > self.most_words or _INSIDE.search(text, one[0], other[1]):
            return
        if not has_clause(reading, one[0], one[1]) or not has_clause(reading, other[0], other[1]):
            return
        at = one[1] - 1
        for joint, begins in _ADJOINING.values():
            found = begins.match(text, other[0])
            if found:
                yield Edit(at, found.end(), joint, "merge")
                return
        first = re.compile(r"[A-Za-z]+(?![\w'’-])").match(text, other[0])
        if first is None:
            return
        word = first[0] if first[0] == "I" else first[0].lower()
        for name, (joint, words_after) in _MERGED.items():
            # Two of a kind would make a sentence that does not end.
            strung = joint.strip() in text[one[0] : other[1]]
            if word in words_after and not strung and (name != ";" or self.semicolons):
                yield Edit(at, first.end(), f"{joint}{word}", "merge")


def _splits(reading: Reading) -> Iterator[Edit]:
    """Yield the splits: after *and*, the conjunction goes; *but* and *so* begin the new sentence."""
    text = reading.text
    for start, end in reading.sentences:
        if _INSIDE.search(text, start, end):
            continue
        for joint in _can_split(reading, start, end):
            word = joint["word"] or joint["also"]
            first = text[joint.end()]
            if word in ("but", "so"):
                yield Edit(joint.start(), joint.end(), f". {capitalised(word)} ", "split")
            else:
                yield Edit(joint.start(), joint.end() + 1, f". {capitalised(first)}", "split")


def _can_split(reading: Reading, start: int, end: int) -> Iterator[re.Match[str]]:
    """Yield the joints at which a sentence can be split; each part of it is looked at once."""
    text = reading.text
    joints = list(_JOINT.finditer(text, start, end))
    words = [word.span() for word in _WORD.finditer(text, start, end)] if joints else []
    # "If he comes, and she stays, we go."
    if len(words) < 2 * _LEAST or _opens(text, start, end):
        return
    clauses = Clauses(reading, start, end)
    item = part = start
    for joint in joints:
        at = joint.start()
        # In "my mother, her friend, and our cat slept", the second item has no verb.
        item = max(item, text.rfind(",", part, at) + 1)
        part = max(part, text.rfind(",", part, at) + 1, text.rfind(";", part, at) + 1)
        if words[_LEAST - 1][0] >= at or words[-_LEAST][1] <= joint.end():
            continue
        if not clauses.within(start, at) or not begins_clause(reading, joint.end(), end):
            continue
        pronoun = reading.tag_from(joint.end()) == "PNP"
        if (pronoun or clauses.within(item, at)) and not _depends(text[part:at]):
            yield joint


def _opens(text: str, start: int, end: int) -> bool:
    """Return whether a sentence begins with a clause that depends on another."""
    first = re.compile(r"\W*(\w+)").match(text, start, end)
    return first is not None and first[1].lower() in _OPENS


def _depends(clause: str) -> bool:
    """Return whether the last clause before a joint depends on another, so that what follows may, too."""
    return bool(_OPENS.intersection(clause.lower().split()[:-1]))


class Clauses:
    """Where clauses of a stretch are whole: there is a subject and, behind it, a finite verb.

    Examples
    --------
    >>> from stemmata.rewriting.reading import read
    >>> clauses = Clauses(read("At home he slept."), 0, 17)
    >>> clauses.within(0, 10), clauses.within(0, 17), clauses.within(11, 17)
    (False, True, False)
    """

    def __init__(self, reading: Reading, start: int, end: int) -> None:
        self._reading = reading
        self._subjects: list[int] = []
        self._whole: list[int] = []
        for number in range(reading.word_from(start), reading.word_from(end)):
            tag = reading.tags[number].tag
            if tag.startswith(("PN", "NN", "NP", "EX", "DT0")):
                self._subjects.append(number)
                if _has_clitic(reading, number):
                    self._whole.append(number)
            elif tag in FINITE:
                self._whole.append(number)

    def within(self, start: int, end: int) -> bool:
        """Return whether a part of the stretch has such a clause."""
        first = bisect_left(self._subjects, self._reading.word_from(start))
        if first == len(self._subjects):
            return False
        whole = bisect_left(self._whole, self._subjects[first])
        return whole < len(self._whole) and self._whole[whole] < self._reading.word_from(end)


def has_clause(reading: Reading, start: int, end: int) -> bool:
    """Return whether there is a subject and, behind it, a finite verb in a stretch."""
    return Clauses(reading, start, end).within(start, end)


def _has_clitic(reading: Reading, number: int) -> bool:
    """Return whether a verb is contracted to a pronoun."""
    pronoun = reading.tags[number].tag in ("PNP", "EX0", "DT0")
    return pronoun and _CLITIC.match(reading.text, reading.passage.end[number]) is not None


def begins_clause(reading: Reading, start: int, end: int) -> bool:
    """Return whether a stretch begins with a subject, and its finite verb follows within a few words."""
    first = reading.word_from(start)
    if first >= len(reading.tags) or reading.tags[first].tag not in _SUBJECTS:
        return False
    if reading.passage.words[first].lower() in _NOT_SUBJECTS:
        return False
    # An adverb may come between a pronoun and its verb, and much more between an article and the verb.
    reach = 2 if reading.tags[first].tag == "PNP" else _REACH
    found = _has_clitic(reading, first)
    for number in range(first + 1, min(reading.word_from(end), first + reach + 1)):
        tag = reading.tags[number].tag
        if found or reading.passage.gap(number).strip(" '’s") or tag.startswith(_ENDS_SUBJECT):
            break
        found = tag in FINITE
    return found
