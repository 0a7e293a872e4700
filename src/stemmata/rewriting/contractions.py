"""Contractions and their full forms: *it's* and *it is*, *don't* and *do not*. English.

What *'s* and *'d* stand for is read from the verb behind them; where that does not tell, nothing is
proposed. A verb is not contracted where it bears stress, as in *I know who he is*.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from stemmata.model import ErrorCode, StemmataError
from stemmata.rewriting.edits import Edit
from stemmata.rewriting.lookup import Found, PhraseIndex
from stemmata.rewriting.reading import Reading, cased_like, read
from stemmata.rewriting.transformation import in_order

Direction = Literal["both", "contract", "expand"]

_PARTICIPLES = ("VVN", "VVD", "VBN", "VHN", "VDN")
"""The tagger takes some participles for past tenses."""
_INFINITIVES = ("VVI", "VBI", "VHI", "VDI", "VVB", "VBB", "VHB", "VDB")
_SAME_FORMS = {
    "become", "beat", "bet", "bid", "burst", "cast", "come", "cost", "cut", "hit", "hurt", "let", "overcome",
    "put", "quit", "read", "rid", "run", "set", "shed", "shut", "spit", "split", "spread", "thrust", "wed",
}  # fmt: skip
"""Verbs whose participle is also their infinitive: before them, *'d* can be either."""
_NEVER_IS = {"been", "got", "had", "happened", "become"}
_NOT_CONTRACTED = ("only", "merely", "just", "simply", "but", "so", "necessarily")
"""*Is not only* and *could not but* are fixed phrases."""
_ASKS = re.compile(
    r"\b(?:how|however|what|whatever|which|whichever|than|as|where|wherever|who|whoever|whom|whose)\b"
    r"[^.,;:!?()]{0,60}\Z",
    re.IGNORECASE,
)
"""The verb that belongs to such a word often stands last, and then it is not contracted."""
_POSSESSIVE = {
    "somebody", "someone", "something", "everybody", "everyone", "everything", "nobody", "nothing",
}  # fmt: skip
"""With *'s* these are more often genitives."""
_FIXED = (("had", "better"), ("would", "rather"))
_SUBJECTS = {"I", "he", "she", "it", "we", "you", "they", "there"}
_WITH_APOSTROPHE = re.compile(r"(?<![\w'’])['’](?:em|twas|tis|twill|twould)\b(?!['’])", re.IGNORECASE)
_BOTH_APOSTROPHES = str.maketrans("’", "'")


@dataclass(frozen=True)
class Contractions:
    """Propose to contract full forms and to write contractions out.

    Parameters
    ----------
    direction
        Which of the two, or both.
    rare
        Contract to forms that few people write, too, such as *mightn't*.
    guess
        Where *'s* and *'d* could be two words, take *is* and *would*.

    Examples
    --------
    >>> [edit.replacement for edit in Contractions().proposals("It's late, and I do not mind.")]
    ['It is', "don't"]
    """

    direction: Direction = "both"
    rare: bool = False
    guess: bool = False

    def __post_init__(self) -> None:
        if self.direction not in ("both", "contract", "expand"):
            rule = "it is both, contract or expand"
            raise StemmataError(ErrorCode.BAD_PARAMETER, name="direction", value=self.direction, rule=rule)

    def proposals(self, text: str) -> list[Edit]:
        """Return edits of the kinds ``contract`` and ``expand``."""
        reading = read(text)
        edits: list[Edit] = []
        if self.direction != "expand":
            edits += self._contracted(reading)
        if self.direction != "contract":
            edits += self._expanded(reading)
        return in_order(edits, text)

    def _contracted(self, reading: Reading) -> Iterator[Edit]:
        text = reading.text
        apostrophe = _apostrophe(text)
        for found in _table().full_index.find(text):
            for short, verb, rare in _table().full[found.phrase]:
                if (self.rare or not rare) and _can_contract(reading, found, verb):
                    new = cased_like(text[found.start : found.end], short).replace("'", apostrophe)
                    yield Edit(found.start, found.end, new, "contract")

    def _expanded(self, reading: Reading) -> Iterator[Edit]:
        text, table = reading.text, _table()
        for found in table.short_index.find(text):
            kind, full = table.short[found.phrase]
            old = text[found.start : found.end]
            if kind == "not":
                yield from _without_not(reading, found, full)
                continue
            if kind == "is":
                verb = _is_or_has(reading, found, full, self.guess)
                full = f"{full} {verb}" if verb else ""
            elif kind == "would":
                verb = _would_or_had(reading, found, self.guess)
                full = f"{full} {verb}" if verb else ""
            if full:
                yield Edit(found.start, found.end, cased_like(old, full), "expand")
        for one in _WITH_APOSTROPHE.finditer(text):
            full = table.short[one[0].lower().translate(_BOTH_APOSTROPHES)][1]
            yield Edit(one.start(), one.end(), cased_like(one[0][1:], full), "expand")


def counts(text: str) -> tuple[int, int]:
    """Return how many contractions a text holds, and how many full forms that could be contracted.

    Examples
    --------
    >>> counts("It's late. I do not mind, and I don't care.")
    (2, 1)
    """
    places = {edit.start for edit in Contractions("contract").proposals(text)}
    return sum(1 for _ in _table().short_index.find(text)), len(places)


def counts_by_table(text: str) -> tuple[int, int]:
    """Return how many contractions and full forms a text holds, wherever they stand; no tagger is needed.

    Examples
    --------
    >>> counts_by_table("It's late. I know who he is, and she has a car.")
    (1, 2)
    """
    table = _table()
    common = {phrase for phrase, forms in table.full.items() if not all(rare for _, _, rare in forms)}
    full = sum(found.phrase in common for found in table.full_index.find(text))
    return sum(1 for _ in table.short_index.find(text)), full


def _apostrophe(text: str) -> str:
    """Return the apostrophe that a text uses."""
    return "’" if text.count("’") > text.count("'") else "'"


def _can_contract(reading: Reading, found: Found, verb: str) -> bool:
    """Return whether a full form may be contracted where it stands."""
    before = reading.text[max(found.start - 80, 0) : found.start]
    tag, form = reading.ahead(found.end, skipped=())
    if verb == "not":
        # "Would have not" is not "would haven't".
        after_modal = reading.tag_before(found.start) in ("VM0", "TO0") or before.endswith(("'d ", "’d "))
        return form not in _NOT_CONTRACTED and not (found.phrase == "have not" and after_modal)
    if verb == "us":
        return tag in _INFINITIVES and reading.begins_sentence(found.start)
    if verb in ("is", "are", "am"):
        # At the end of a clause the verb is stressed.
        ends = (
            not tag
            or tag.startswith("CJ")
            or before.endswith(" or ")
            or (found.phrase[:2] in ("wh", "ho") and tag == "PNP")
        )
        return not ends and not _ASKS.search(before) and (found.phrase, form) != ("that is", "to")
    return bool(tag) and (_goes_on(reading, found, verb) or (verb, form) in _FIXED)


def _goes_on(reading: Reading, found: Found, verb: str) -> bool:
    """Return whether the verb that an auxiliary asks for follows it."""
    tag, form = reading.ahead(found.end, skipped=("AV0",))
    if verb in ("will", "would"):
        return tag in _INFINITIVES or (verb, form) == ("would", "like")
    return (tag in _PARTICIPLES or form == "got") and form != "had"


def _without_not(reading: Reading, found: Found, full: str) -> Iterator[Edit]:
    """Yield a negation written out; in a question, *not* goes behind the subject."""
    text = reading.text
    old = text[found.start : found.end]
    verb = "can" if full == "cannot" else full.removesuffix(" not")
    subject = re.compile(r" +([A-Za-z]+)(?![\w'’])").match(text, found.end)
    word = subject[1] if subject else ""
    turned = word in _SUBJECTS and (word not in ("it", "you", "there") or _asks(reading, found.start))
    if subject and turned:
        verb = "am" if (word, verb) == ("I", "are") else verb
        new = f"{cased_like(old, verb)} {word} {'NOT' if old.isupper() else 'not'}"
        yield Edit(found.start, subject.end(), new, "expand")
        return
    tag = reading.ahead(found.end, skipped=())[0]
    before = text[max(found.start - 10, 0) : found.start]
    follows = re.search(r"\b(?:why|how|where|when) +\Z", before, re.IGNORECASE)
    if follows or (_asks(reading, found.start) and tag and not tag.startswith(("V", "AV", "XX"))):
        # A subject of several words follows, and where it ends is not known.
        return
    yield Edit(found.start, found.end, cased_like(old, full), "expand")


def _asks(reading: Reading, offset: int) -> bool:
    """Return whether the subject of the verb at an offset has to follow it."""
    before = reading.text[max(offset - 40, 0) : offset]
    opened = re.search(r"(?:\A|[.,;:!?(\"“‘—–]|\b(?:and|but|or|so|then)) *\Z", before, re.IGNORECASE)
    asked = re.search(r"\b(?:why|how|what|where|when|which|who|whom) +\Z", before, re.IGNORECASE)
    return bool(reading.begins_sentence(offset) or opened or asked)


def _is_or_has(reading: Reading, found: Found, subject: str, guess: bool) -> str:
    """Return what *'s* stands for, or nothing where that cannot be told."""
    asking = subject in ("what", "where", "how", "when", "why")
    next_tag, next_form = reading.ahead(found.end, skipped=())
    tag, form = reading.ahead(found.end, ("AV0", "XX0", "PNP") if asking else ("AV0", "XX0"), most=4)
    if form in _NEVER_IS or (asking and next_tag == "PNP" and tag in _PARTICIPLES):
        return "has"
    if _may_be_genitive(subject, next_tag, next_form):
        return ""
    if tag not in _PARTICIPLES:
        return "is"
    # "He's called them" and "he's called by them".
    behind = re.match(
        rf".{{0,40}}?\b{re.escape(form)} +(my|your|his|our|their|me|him|us|them|by)\b",
        reading.text[found.end : found.end + 80],
        re.IGNORECASE,
    )
    if behind:
        return "is" if behind[1].lower() == "by" else "has"
    return "is" if guess else ""


def _may_be_genitive(subject: str, tag: str, form: str) -> bool:
    """Return whether *'s* may be the genitive, by right or not, as in *it's own* and *who's book*."""
    if subject in _POSSESSIVE:
        return tag not in ("VVG", "VBG", "AT0", "XX0")
    noun = tag.startswith("NN") and form not in ("time", "people", "fun")
    return form == "own" or (noun and subject in ("it", "who"))


def _would_or_had(reading: Reading, found: Found, guess: bool) -> str:
    """Return what *'d* stands for, or nothing where that cannot be told."""
    first = reading.ahead(found.end, skipped=())[1]
    if first in ("better", "rather"):
        return "had" if first == "better" else "would"
    tag, form = reading.ahead(found.end)
    if form in ("have", "like", "be", "love", "prefer"):
        return "would"
    if form not in _SAME_FORMS:
        if tag in _INFINITIVES:
            return "would"
        if tag in _PARTICIPLES:
            return "had"
    return "would" if guess else ""


@dataclass(frozen=True)
class _Table:
    """The contractions, to be found by either form.

    Attributes
    ----------
    short
        By contraction: what kind it is, and its full form, or only the subject.
    full
        By full form: contractions with the verb that is contracted, and whether they are rare.
    """

    short: dict[str, tuple[str, str]]
    full: dict[str, list[tuple[str, str, bool]]]
    short_index: PhraseIndex
    full_index: PhraseIndex


@cache
def _table() -> _Table:
    said = tomllib.loads((files("stemmata.rewriting") / "data" / "contractions.toml").read_text("utf-8"))
    short: dict[str, tuple[str, str]] = {}
    full: dict[str, list[tuple[str, str, bool]]] = {}
    for name, rows in said.items():
        verbs: tuple[str, ...]
        rare, kind = name.startswith("rare_"), name.removeprefix("rare_")
        for contraction, written in rows.items():
            if kind == "is_or_has":
                short[contraction.lower()] = ("is", written)
                verbs = ("is", "has")
            elif kind == "would_or_had":
                short[contraction.lower()] = ("would", written)
                verbs = ("would", "had")
            else:
                short[contraction.lower()] = ("not" if kind == "negations" else "", written)
                verbs = ()
            if kind == "spoken" and contraction != "let's":
                continue
            for verb in verbs or ("",):
                phrase = f"{written} {verb}".strip()
                last = "not" if kind == "negations" else phrase.split()[-1]
                full.setdefault(phrase.lower(), []).append((contraction, last, rare))
    full["can not"] = full["cannot"]
    plain = [phrase for phrase in short if not phrase.startswith("'")]
    return _Table(short, full, PhraseIndex(plain), PhraseIndex(full))
