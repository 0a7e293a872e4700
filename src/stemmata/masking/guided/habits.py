"""Habits of small words and commas: many proposals, few of them sure, for a language model to sift.

The transformations of `stemmata.rewriting` propose what is good by itself. These propose what is good in some
sentences, and no rule says in which. The more there is to choose from, the less each change need cost.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from stemmata.rewriting import Edit
from stemmata.rewriting.lookup import PhraseIndex
from stemmata.rewriting.reading import cased_like, read

SMALL_WORD, COMMA, JOINT, THAT = "small-word", "comma", "joint", "that"
# A comma before a relative clause says whether it tells which one is meant: it is neither put nor left out.
_COMMA = re.compile(r"(?<=[^\W\d_])(,)(?= (?!(?:who|whom|whose|which|where)\b)[a-z])")
_RELATIVE = re.compile(r", (?:who|whom|whose|which|where)\b[^,.;:!?]*$")
_NO_COMMA = re.compile(
    r"(?<=[^\W\d_]{2})( )(?=(?:and|but|or|so|yet|because|although|though|while|too|then|however|especially"
    r"|including|such as)\b)"
)
_FAR = 200
"""Characters before a comma in which the relative clause that it ends is looked for."""
_OPENERS = {
    "about", "above", "according", "across", "after", "all", "along", "although", "among", "apart",
    "around", "as", "at", "because", "before", "behind", "below", "beneath", "besides", "between",
    "beyond", "but", "by", "despite", "during", "even", "every", "except", "first", "finally", "for",
    "from", "given", "here", "if", "in", "indeed", "inside", "instead", "last", "later", "like", "most",
    "near", "next", "now", "of", "often", "on", "once", "one", "only", "out", "over", "perhaps", "rather",
    "since", "some", "sometimes", "soon", "still", "that", "then", "there", "therefore", "this", "though",
    "through", "throughout", "thus", "till", "to", "today", "together", "tomorrow", "under", "unless",
    "unlike", "until", "upon", "well", "what", "whatever", "when", "whenever", "where", "wherever",
    "while", "with", "within", "without", "yesterday", "yet",
}  # fmt: skip
"""Words with which something may begin that a comma parts from the rest of its sentence."""
_OPENING = re.compile(
    r"(?<=[^\W\d_])( )(?=(?:I|he|she|it|we|they|you|there|the|a|this|his|her|my|our|their)\b)"
)
_JOIN = re.compile(r"(?<=[a-z]{2})\.(\s+)(?=([A-Z][a-z]*))")
_CONJUNCTIONS = ("and", "but", "so", "or", "yet", "then")
_PART = re.compile(
    r"(?<=[a-z]{2})(?:; (?=(\w+))|, (?=(and|but|so|yet) (?:I|he|she|it|we|they|you|there|this|the)\b))"
)
_SAYING = re.compile(
    r"\b(?:think|thinks|thought|believe|believes|believed|say|says|said|know|knows|knew|feel|feels|felt|hope|hopes"
    r"|hoped|see|sees|saw|mean|means|meant|show|shows|showed|realise|realises|realised|realize|realizes|realized"
    r"|understand|understood|sure|glad|afraid|clear|seems|suppose|supposed|told (?:me|him|her|us|them|you))"
    r"( )(?=(?:I|he|she|it|we|they|you|there|this|the|his|her|my|our|their|no|people)\b)",
    re.IGNORECASE,
)
_THAT = re.compile(r"(?<=[^\W\d_]) that (?=(?:I|he|she|it|we|they|you|there)\b)")
_OPEN = {
    "among", "as", "at", "by", "concerning", "following", "for", "from", "in", "of", "regarding", "than",
    "that", "to", "upon", "via", "with", "within",
}  # fmt: skip
"""Words that want another behind them: where a clause ends, nothing that ends in one of them is written."""
_CLOSED = re.compile(r"\s*\n\s*\n|\s*(?:[^\w\s\"'“‘(\[]|$)")
_LOWERED = {
    "he", "she", "it", "we", "they", "you", "there", "this", "that", "these", "the", "his", "her", "their",
    "our",
}  # fmt: skip


def habits(text: str) -> list[Edit]:
    """Return edits of small words, commas and joints, in order; most are good, none is sure to be.

    Examples
    --------
    >>> edits = habits("I think he came. But we left, because it was late.")
    >>> [(edit.replacement, edit.kind) for edit in edits if edit.kind != "small-word"]
    [(' that ', 'that'), (', but', 'joint'), ('', 'comma')]
    """
    found = {*_small_words(text), *_commas(text), *_joints(text)}
    return sorted(found)


@cache
def _table() -> dict[str, tuple[str, ...]]:
    said = tomllib.loads((files("stemmata.masking.guided") / "small_words.toml").read_text("utf-8"))
    table: dict[str, dict[str, None]] = {}
    for row in said["groups"]:
        members = [one.strip() for one in row.split(" / ")]
        for one in members:
            table.setdefault(one, {}).update(dict.fromkeys(other for other in members if other != one))
    for one, others in said["one-way"].items():
        table.setdefault(one, {}).update(dict.fromkeys(others))
    return {one: tuple(others) for one, others in table.items()}


@cache
def _index() -> PhraseIndex:
    return PhraseIndex(phrase.lower() for phrase in _table())


def _small_words(text: str) -> Iterator[Edit]:
    table = {phrase.lower(): others for phrase, others in _table().items()}
    for start, end, phrase in _index().find(text):
        old = text[start:end]
        parted = text[max(0, start - 2) : start] == ", "
        last = bool(_CLOSED.match(text, end))
        for other in table[phrase]:
            if (other == "that" and parted) or (last and other.rpartition(" ")[2] in _OPEN):
                continue
            if other:
                yield Edit(start, end, cased_like(old, other), SMALL_WORD)
            elif text[end : end + 1] == " " and start and text[start - 1] == " " and old.islower():
                yield Edit(start, end + 1, "", SMALL_WORD)


def _commas(text: str) -> Iterator[Edit]:
    for found in _COMMA.finditer(text):
        if not _RELATIVE.search(text, max(0, found.start() - _FAR), found.start()):
            yield Edit(*found.span(), "", COMMA)
    for found in _NO_COMMA.finditer(text):
        yield Edit(*found.span(), ", ", COMMA)
    starts = read(text).sentence_starts
    for number, start in enumerate(starts):
        end = min(starts[number + 1] if number + 1 < len(starts) else len(text), start + 60)
        # Behind what opens a sentence: two to six words in.
        for found in _OPENING.finditer(text, start, end):
            before = text[start : found.start()]
            words = before.split()
            if 2 <= len(words) <= 6 and "," not in before and words[0].lower() in _OPENERS:
                yield Edit(*found.span(), ", ", COMMA)
                break
    for found in _SAYING.finditer(text):
        yield Edit(*found.span(1), " that ", THAT)
    for found in _THAT.finditer(text):
        yield Edit(*found.span(), " ", THAT)


def _joints(text: str) -> Iterator[Edit]:
    for found in _JOIN.finditer(text):
        word, end = found[2], found.end() + len(found[2])
        low = word if word == "I" else word.lower()
        if low in _CONJUNCTIONS:
            yield Edit(found.start(), end, f", {low}", JOINT)
        elif word == "I" or low in _LOWERED:
            yield Edit(found.start(), end, f"; {low}", JOINT)
            yield Edit(found.start(), end, f", and {low}", JOINT)
    for found in _PART.finditer(text):
        first = found[1] or found[2]
        end = found.end() + len(first)
        yield Edit(found.start(), end, f". {first[:1].upper()}{first[1:]}", JOINT)
        if found[0] == ", ":
            yield Edit(found.start(), end, f"; {first}", JOINT)
