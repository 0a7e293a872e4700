"""Habits of small words and commas: many proposals, few of them sure, for a language model to sift.

The transformations of `stemmata.rewriting` propose what is good by itself. These propose what is good in some
sentences, and no rule says in which. The more there is to choose from, the less each change need cost; but a
small model lets some of what is wrong pass, so what is mostly wrong by rule is not proposed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from stemmata.masking.guided.asides import asides
from stemmata.masking.guided.commas import commas
from stemmata.masking.guided.joints import joints
from stemmata.masking.guided.loose_commas import loose_commas
from stemmata.masking.guided.openings import openings
from stemmata.masking.guided.stretches import ASKED_BACK
from stemmata.rewriting import Edit
from stemmata.rewriting.agreement import ARTICLES, article_before
from stemmata.rewriting.lookup import Found, PhraseIndex
from stemmata.rewriting.passage import capitalised
from stemmata.rewriting.reading import Reading, cased_like, read
from stemmata.rewriting.sentence_joints import begins_clause

SMALL_WORD, THAT = "small-word", "that"
_MARK, _BEGIN = ".", "^"
"""What stands for any mark or an end of the text, and for the beginning of a sentence, among words."""


def habits(text: str) -> list[Edit]:
    """Return edits of small words, commas and joints, in order; most are good, none is sure to be.

    Examples
    --------
    >>> edits = habits("I think he came. But we left, because it was late.")
    >>> [(edit.replacement, edit.kind) for edit in edits if edit.kind != "small-word"]
    [(' that ', 'that'), (', but', 'joint'), ('', 'comma'), ('', 'loose-comma')]
    """
    reading = read(text)
    kinds = (_small_words, commas, loose_commas, openings, asides, _that, joints)
    return sorted({edit for kind in kinds for edit in kind(reading)})


# Small words.


@dataclass(frozen=True)
class _Asks:
    """What a phrase asks of the place in which it stands: tags, as prefixes, and words; none is no matter.

    Where ``no_clause`` is set, no clause may begin behind it.
    """

    tag: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    not_before: tuple[str, ...] = ()
    not_behind: tuple[str, ...] = ()
    not_with: tuple[str, ...] = ()
    not_later: tuple[str, ...] = ()
    no_clause: bool = False

    @classmethod
    def said(cls, asked: Mapping[str, Any]) -> _Asks:
        """Return what a line of the table says."""
        listed = {name.replace("-", "_"): one.split() for name, one in asked.items() if isinstance(one, str)}
        words = {name: tuple(some) for name, some in listed.items()}
        return cls(**words, no_clause=asked.get("no-clause", False))

    def allow(self, last: tuple[str, str], following: tuple[str, str]) -> bool:
        """Return whether a phrase may stand between two words, each with its tag."""
        return (
            (not self.before or _is_one(following, self.before))
            and (not self.behind or _is_one(last, self.behind))
            and not _is_one(following, self.not_before)
            and not _is_one(last, self.not_behind)
        )


@dataclass(frozen=True)
class _Table:
    """The table of small words: what may become what, what is left alone, and what each asks of its place."""

    others: dict[str, tuple[str, ...]]
    index: PhraseIndex
    asks: dict[str, tuple[_Asks, ...]]
    pair_asks: dict[tuple[str, str], tuple[_Asks, ...]]


_OPEN = {
    "among", "as", "at", "by", "concerning", "following", "for", "from", "in", "of", "regarding", "than",
    "that", "to", "upon", "via", "with", "within",
}  # fmt: skip
"""Words that want another behind them: where a clause ends, nothing that ends in one of them is written."""
_CLOSED = re.compile(r"\s*\n\s*\n|\s*(?:[^\w\s\"'“‘(\[]|$)")
_HELPING = ("VM", "VB", "VD", "VH")
_BEGINS = re.compile(r"(?:[\"“‘'(\[]|\n\s*)\Z")


@cache
def _table() -> _Table:
    said = tomllib.loads((files("stemmata.masking.guided") / "small_words.toml").read_text("utf-8"))
    table: dict[str, dict[str, None]] = {}
    for row in said["groups"]:
        members = [one.strip() for one in row.split(" / ")]
        for one in members:
            others = dict.fromkeys(other for other in members if other != one)
            table.setdefault(one.lower(), {}).update(others)
    for one, more in said["one-way"].items():
        table.setdefault(one.lower(), {}).update(dict.fromkeys(more))
    asks: dict[str, tuple[_Asks, ...]] = {}
    pair_asks: dict[tuple[str, str], tuple[_Asks, ...]] = {}
    for key, asked in said["asks"].items():
        ask = _Asks.said(asked)
        # A phrase may come to be left out: "very >".
        olds, turned, news = f"{key} ".partition(" > ")
        for old in olds.lower().split(" / "):
            if not turned:
                asks[old.strip()] = (*asks.get(old.strip(), ()), ask)
            for new in news.split("/") if turned else ():
                pair = old.strip(), new.strip()
                pair_asks[pair] = (*pair_asks.get(pair, ()), ask)
    index = PhraseIndex([*table, *said["fixed"]])
    return _Table({one: tuple(others) for one, others in table.items()}, index, asks, pair_asks)


def _is_one(word: tuple[str, str], listed: tuple[str, ...]) -> bool:
    """Return whether a word with its tag is among words and prefixes of tags."""
    form, tag = word
    if form == _BEGIN and _MARK in listed:
        return True
    return any(tag.startswith(one) if one[0].isupper() else form == one for one in listed)


def _longest(found: list[Found], table: _Table) -> Iterator[Found]:
    """Yield the phrases that are in no longer one and share no word with a fixed one."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.end > max(before.end for before in kept[-4:]):
            kept.append(one)
    fixed = {at for one in kept if one.phrase not in table.others for at in range(one.start, one.end)}
    for one in kept:
        if one.start not in fixed and one.end - 1 not in fixed:
            yield one


def _small_words(reading: Reading) -> Iterator[Edit]:
    table, text = _table(), reading.text
    for start, end, phrase in _longest(list(table.index.find(text)), table):
        old = text[start:end]
        begins = reading.begins_sentence(start) or _BEGINS.search(text, max(0, start - 3), start) is not None
        # Within a sentence, a capital is a name's or a title's.
        if old[0].isupper() and not begins and old[:2] != "I ":
            continue
        last, following = _neighbours(reading, start, end)
        tag = (phrase, reading.tag_from(start))
        # "They should be the same, shouldn't they?"
        if tag[1].startswith(_HELPING) and ASKED_BACK.search(text, start, reading.sentence_at(start)[1]):
            continue
        parted = text[max(0, start - 2) : start] == ", "
        closed = _CLOSED.match(text, end) is not None and phrase.rpartition(" ")[2] not in _OPEN
        for other in table.others[phrase]:
            if (other == "that" and parted) or (closed and other.rpartition(" ")[2] in _OPEN):
                continue
            own = (*table.asks.get(phrase, ()), *table.pair_asks.get((phrase, other), ()))
            if not all(not ask.tag or _is_one(tag, ask.tag) for ask in own):
                continue
            asked = (*own, *table.asks.get(other.lower(), ()))
            if not all(ask.allow(last, following) for ask in asked):
                continue
            if all(_allows_around(ask, reading, start, end) for ask in asked):
                yield from _put(reading, start, end, other, begins)


def _allows_around(ask: _Asks, reading: Reading, start: int, end: int) -> bool:
    """Return whether a phrase may stand in its sentence, whatever its next words are."""
    first, last = reading.sentence_at(start)
    if _stand_between(reading, first, start, ask.not_with) or _stand_between(
        reading, end, last, ask.not_later
    ):
        return False
    return not (ask.no_clause and begins_clause(reading, end, last))


def _stand_between(reading: Reading, start: int, end: int, words: tuple[str, ...]) -> bool:
    """Return whether one of some words stands between two offsets."""
    between = reading.passage.words[reading.word_from(start) : reading.word_from(end)] if words else ()
    return any(word.lower().replace("’", "'") in words for word in between)


def _put(reading: Reading, start: int, end: int, new: str, begins: bool) -> Iterator[Edit]:
    """Yield the edit by which a phrase is written for another, with the article that it asks for."""
    text = reading.text
    old, following = text[start:end], new
    if not new:
        if text[end : end + 1] != " " or not start or text[start - 1] != " " or not old.islower():
            return
        end, following = end + 1, text[end + 1 : end + 30]
    elif old[:2] == "I " and old != old.upper():
        new = capitalised(new) if begins else new
    else:
        new = cased_like(old, new)
    article = reading.passage.words[reading.word_from(start) - 1] if reading.word_from(start) else ""
    at = start - len(article) - 1
    if article.lower() in ARTICLES and text[at:start] == f"{article} ":
        fitting = article_before(following)
        if fitting != article.lower():
            start, new = at, f"{capitalised(fitting) if article[0].isupper() else fitting} {new}"
    yield Edit(start, end, new, SMALL_WORD)


def _neighbours(reading: Reading, start: int, end: int) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the words before and behind a phrase with their tags; a mark where something stands between."""
    text, words = reading.text, reading.passage
    number = reading.word_from(start) - 1
    last, following = (_BEGIN if reading.begins_sentence(start) else _MARK, ""), (_MARK, "")
    if number >= 0 and _blank(text[words.end[number] : start]):
        last = words.words[number].lower().replace("’", "'"), reading.tags[number].tag
    number = reading.word_from(end)
    if number < len(reading.tags) and _blank(text[end : words.start[number]]):
        following = words.words[number].lower().replace("’", "'"), reading.tags[number].tag
    return last, following


def _blank(gap: str) -> bool:
    return gap.isspace() and gap.count("\n") < 2


# The conjunction "that".

_CLAUSAL = (
    r"thinks?|thought|believe[sd]?|say|says|said|hope[sd]?|realise[sd]?|realize[sd]?|suppose[sd]?|sure|glad"
    r"|afraid|seems|seemed|(?:told|assured|tell) (?:me|him|her|us|them|you)"
)
# These may have a noun for their object, so only a pronoun behind them is sure to begin a clause.
_NOMINAL = (
    r"know|knows|knew|feel|feels|felt|see|sees|saw|means?|meant|shows?|showed|understand|understood|clear"
)
_WITH_NOUN = {"think", "thinks", "hope", "hopes", "hoped", "suppose", "sure", "glad", "afraid"}
_SAYING = re.compile(
    rf"\b(?P<verb>{_CLAUSAL}|{_NOMINAL})( )(?=(?P<pronoun>I|he|she|it|we|they|there)\b"
    r"|(?:you|this|the|his|her|my|our|their|no|people)\b)",
    re.IGNORECASE,
)
_THAT = re.compile(r"(?<=[^\W\d_]) that (?=(?:I|he|she|it|we|they|you|there)\b)")
_LOOSE = re.compile(
    rf"\b(?:{_CLAUSAL}|{_NOMINAL}|certain|sorry|happy|all|everything|nothing)\Z", re.IGNORECASE
)
"""Words behind which "that" may be left out; behind a noun, where it has a clause of its own to govern."""
_OF_A_CLAUSE = {
    "argument", "assumption", "belief", "case", "chance", "claim", "conclusion", "condition", "conviction",
    "degree", "doubt", "effect", "evidence", "extent", "fact", "fear", "feeling", "ground", "grounds", "hope",
    "idea", "impression", "knowledge", "likelihood", "mind", "news", "notion", "opinion", "point",
    "possibility", "probability", "proof", "proviso", "report", "risk", "rumour", "sense", "sign",
    "statement", "suspicion", "theory", "thought", "truth", "understanding", "view", "word",
}  # fmt: skip
"""Nouns that keep "that" behind them: the fact that he came."""
_QUOTED = re.compile(r"[\"”’'][\s]*(?:[\w.]+ ){0,3}\Z|[,.!?;:—-]\s*\Z")
_KEEPING = re.compile(r"\b(?:so|such|[Ii]t(?: is| was|['’]s))\b")


def _that(reading: Reading) -> Iterator[Edit]:
    text = reading.text
    for found in _SAYING.finditer(text):
        start, end = reading.sentence_at(found.start())
        verb, tag = found["verb"].lower(), reading.tag_from(found.start())
        if not found["pronoun"] and verb not in _WITH_NOUN:
            continue
        # A speaker stands behind the verb of a quotation.
        if _QUOTED.search(text, start, found.start()) or not tag.startswith(("VV", "AJ")):
            continue
        if begins_clause(reading, found.end(2), end):
            yield Edit(*found.span(2), " that ", THAT)
    for found in _THAT.finditer(text):
        start = reading.sentence_at(found.start())[0]
        number = reading.word_from(found.start()) - 1
        if number < 0 or reading.tags[number + 1].tag not in ("CJT", "DT0", "DTQ", "PNQ"):
            continue
        loose = _LOOSE.search(text, start, found.start()) is not None
        noun = (
            reading.tags[number].tag in ("NN0", "NN1", "NN2")
            and reading.passage.words[number].lower() not in _OF_A_CLAUSE
            and not _KEEPING.search(text, start, found.start())
        )
        if loose and reading.tags[number].tag in ("NN1", "NN2"):
            loose = False
        so = re.compile(r"\bso \Z|\bnow \Z").search(text, start, reading.passage.start[number])
        if (loose and not so) or noun:
            yield Edit(*found.span(), " ", THAT)
