"""Simplification: what a sentence can do without, in parentheses and between commas. English.

Castro, Ortega and Muñoz (PAN at CLEF 2017) delete what two regular expressions match. The careful variant of
appositions keeps to what stands between commas behind a noun, begins with an article or a possessive, and
holds no verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stemmata.model import ErrorCode, StemmataError
from stemmata.rewriting.edits import Edit
from stemmata.rewriting.reading import Reading, read
from stemmata.rewriting.transformation import in_order

_PARENTHESIS = re.compile(r"(?<=\S) \(([^()]{1,300})\)")
_APPOSITION = re.compile(
    r"(?<=[^\W\d_]), ((?:the|an?|my|your|his|her|its|our|their|one of the)\b[^,;:.!?()\"“”\n]{2,80}),"
)
_CASTRO_APPOSITION = re.compile(r",[^)]+,")
_VERBS = ("VB", "VD", "VH", "VM", "VVB", "VVD", "VVZ", "VVI", "CJC", "CJS", "PNQ", "DTQ")
_OPENINGS = ("CJ", "PR", "AV", "TO0", "VVG", "VVN")
_BEHIND = re.compile(r" (?:and|or|but|nor|the|an?|my|your|his|her|its|our|their) ")


@dataclass(frozen=True)
class Simplification:
    """Propose to leave out parentheses and appositions.

    Parameters
    ----------
    parentheses
        Propose what stands in round brackets, with the blank before it.
    appositions
        ``"careful"``; ``"castro"`` for all between two commas of a sentence, the longest stretch; or nothing.

    Examples
    --------
    >>> text = "My uncle, a doctor from Leeds, came (by train) on Monday."
    >>> [(text[edit.start : edit.end], edit.kind) for edit in Simplification().proposals(text)]
    [(', a doctor from Leeds,', 'apposition-removal'), (' (by train)', 'parenthesis-removal')]
    """

    parentheses: bool = True
    appositions: str = "careful"

    def __post_init__(self) -> None:
        if self.appositions not in ("", "careful", "castro"):
            rule = "it is careful, castro or nothing"
            raise StemmataError(
                ErrorCode.BAD_PARAMETER, name="appositions", value=self.appositions, rule=rule
            )

    def proposals(self, text: str) -> list[Edit]:
        """Return edits of the kinds ``parenthesis-removal`` and ``apposition-removal``."""
        edits = list(_parentheses(text)) if self.parentheses else []
        if self.appositions == "careful" and _APPOSITION.search(text):
            edits += _careful(read(text))
        elif self.appositions == "castro" and "," in text:
            edits += [edit for sentence in read(text).sentences for edit in between_commas(text, *sentence)]
        return in_order(edits, text)


def _parentheses(text: str) -> Iterator[Edit]:
    """Yield the brackets that have something around them; a list's *(a)* or *(1)* is none."""
    for found in _PARENTHESIS.finditer(text):
        start, end = found.span()
        numbered = re.fullmatch(r"\w{1,2}|[ivxlc]+", found[1])
        # A sentence of its own keeps its end.
        apart = text[end : end + 1].isalnum() or found[1].rstrip().endswith((".", "!", "?"))
        if not (numbered or apart):
            yield Edit(start, end, "", "parenthesis-removal")


def _careful(reading: Reading) -> Iterator[Edit]:
    text = reading.text
    at = 0
    while found := _APPOSITION.search(text, at):
        # The comma that ends one may begin the next.
        at = found.end() - 1
        tags = [reading.tags[number].tag for number in _numbers(reading, found.start(1), found.end(1))]
        noun = reading.tag_before(found.start()).startswith(("NN1", "NP0"))
        plain = tags and not any(tag.startswith(_VERBS) for tag in tags) and tags[-1].startswith(("NN", "NP"))
        sentence = reading.sentence_at(found.start())
        # In "when he left the house, the dog, an old one, slept", the first comma ends a clause.
        opened = reading.tag_from(sentence[0]).startswith(_OPENINGS)
        one_sentence = sentence == reading.sentence_at(found.end() - 1) and not opened
        listed = _BEHIND.match(text, found.end()) or "," in text[max(found.start() - 25, 0) : found.start()]
        if noun and plain and one_sentence and not listed and text[found.end() : found.end() + 1] == " ":
            yield Edit(found.start(), found.end(), "", "apposition-removal")


def between_commas(text: str, start: int, end: int) -> Iterator[Edit]:
    """Yield what Castro, Ortega and Muñoz take for appositions in a sentence that starts and ends there.

    Examples
    --------
    >>> [edit[:2] for edit in between_commas("He, my uncle, came, as ever, late.", 0, 34)]
    [(2, 28)]
    """
    for found in _CASTRO_APPOSITION.finditer(text, start, end):
        yield Edit(found.start(), found.end(), "", "apposition-removal")


def _numbers(reading: Reading, start: int, end: int) -> range:
    return range(reading.word_from(start), reading.word_from(end))
