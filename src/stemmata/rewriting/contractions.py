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
    "beat", "become", "bet", "bid", "broadcast", "burst", "bust", "cast", "come", "cost", "cut", "fit",
    "forecast", "hit", "hurt", "knit", "let", "offset", "outrun", "overcome", "overrun", "proofread", "put",
    "quit", "read", "reread", "rerun", "reset", "rid", "run", "set", "shed", "shut", "slit", "spit", "split",
    "spread", "sweat", "thrust", "undercut", "upset", "wed", "wet",
}  # fmt: skip
"""Verbs whose participle is also their infinitive: before them, *'d* can be either."""
_NEVER_IS = {"been", "got", "gotten", "had", "happened", "become"}
_ASKED_HAS = _NEVER_IS | {"gone", "come"}
"""In *where's he gone* the verb is *has*; in *what's it called* it is not."""
_DOERS = {("he", "done"), ("she", "done"), ("he", "said"), ("she", "said")}
_LIKE_PARTICIPLE = re.compile(r"\w+(?:e[dn]|one|wn|ght|[eflp]t|lost)\Z")
_OWNED = {
    "any", "enough", "every", "few", "many", "no", "nothing", "plenty", "several", "some",
}  # fmt: skip
"""What somebody has more often than is: *he's no idea*."""
_NO_MATTER = re.compile(
    r" +no +(?:longer|more|less|better|worse|doubt|good|use|help|match|fool|wonder|matter|different)\b",
    re.IGNORECASE,
)
"""What somebody is after all, or something: *she's no fool*."""
_MEASURE = re.compile(
    r" +\S{1,30}(?: +(?:hundred|thousand|million))?(?: *(?:%|[.,;:!?)]|\Z)"
    r"| +(?:of|o['’]clock|[ap]\.?m\b|per ?cent\b"
    r"|(?:second|minute|hour|day|week|month|year|decade|mile|yard|inch|pound|dollar|euro|degree|time)s?\b"
    r"|(?:foot|feet|inches|centuries|past|to)\b))",
    re.IGNORECASE,
)
"""A number that tells age, time, price or size, behind a verb that is *is*."""
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
_SAID_TO_BE = {"time", "people", "fun", "news", "nonsense", "weather", "luck"}
"""What one says that something is, without an article."""
_FIXED = (("had", "better"), ("had", "best"), ("would", "rather"))
_HAD = re.compile(
    r" +(?:an?|the|no(?! +(?:longer|more|less|sooner|doubt|way)\b)) +"
    r"(?![^.,;:!?]{0,30}\b(?:rather|sooner)\b)",
    re.IGNORECASE,
)
"""A noun behind *'d*, which then is *had*."""
_BEST_SAID = re.compile(r" +best +(?:describe|summari[sz]e|characteri[sz]e|express|explain)\b", re.IGNORECASE)
_COMPLEMENTS = {
    "abroad", "ahead", "alike", "alive", "all", "alone", "anywhere", "apart", "around", "aside", "asleep",
    "awake", "away", "back", "behind", "better", "close", "downstairs", "early", "elsewhere", "enough",
    "everywhere", "far", "fast", "fine", "forward", "hard", "here", "high", "home", "indoors", "inside",
    "late", "low", "near", "nearby", "next", "nowhere", "off", "ok", "okay", "on", "out", "outdoors",
    "outside", "over", "overseas", "right", "somewhere", "there", "through", "together", "underground",
    "up", "upstairs", "well", "wrong",
}  # fmt: skip
"""Adverbs that say where or how something is, so that the verb before them bears no stress."""
_ASIDES = re.compile(
    r" +(?:as well|of course|in fact|after all|at (?:last|times|least|all|present|that)"
    r"|for (?:sure|now|certain)|to be sure|by now) *(?=[^\w\s]|\Z)",
    re.IGNORECASE,
)
_SUBJECTS = {"I", "he", "she", "it", "we", "you", "they", "there"}
_WITH_APOSTROPHE = re.compile(r"(?<![\w'’])['’](?ai:em|twas|tis|twill|twould)\b(?!['’])")
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
                if (self.rare or not rare) and _can_contract(reading, found, verb) and not _loud(text, found):
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
            if found.phrase == "let's" and reading.ahead(found.end, ())[0] in ("AT0", "DPS", "PNP", "NP0"):
                # "He let's me go" is no call.
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
        # "Let us know" is said to others.
        told = form in ("know", "have", "hear")
        return tag in _INFINITIVES and not told and reading.begins_sentence(found.start)
    if verb in ("is", "are", "am"):
        # At the end of a clause the verb is stressed.
        ends = (
            _clause_ends(reading, found.end)
            or before.endswith(" or ")
            or (found.phrase[:2] in ("wh", "ho") and (tag == "PNP" or _from(reading, found.start)))
        )
        return not ends and not _ASKS.search(before) and (found.phrase, form) != ("that is", "to")
    if (verb, form) in _FIXED:
        # "He had better go" and "he had better luck".
        behind = reading.ahead(found.end)[0]
        return tag == "AV0" and (not behind or behind.startswith("V"))
    return bool(tag) and _goes_on(reading, found, verb)


def _from(reading: Reading, offset: int) -> bool:
    """Return whether a preposition stands before, as in *from what is it made*."""
    return reading.tag_before(offset).startswith("PRP")


def _clause_ends(reading: Reading, offset: int) -> bool:
    """Return whether nothing but adverbs that say neither where nor how follows in the clause."""
    if _ASIDES.match(reading.text, offset):
        return True
    start, end = reading.passage.start, reading.passage.end
    first = reading.word_from(offset)
    for number in range(first, len(reading.tags)):
        tag = reading.tags[number].tag
        # "It is almost as if it rained."
        joined = tag == "CJC" or (tag.startswith("CJ") and number == first)
        if reading.text[offset : start[number]].strip(" ") or joined:
            return True
        offset = end[number]
        if tag != "AV0" or reading.text[start[number] : offset].lower() in _COMPLEMENTS:
            return False
    return True


def _loud(text: str, found: Found) -> bool:
    """Return whether capitals stress the verb or *not* alone, as in *I do NOT know*."""
    *others, last = text[found.start : found.end].split()
    if len(last) < 2 or not last.isupper():
        return False
    near = [word for word in others if len(word) > 1] or text[found.end : found.end + 40].split()[:1]
    return any(word.upper() != word for word in near)


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
    before = text[max(found.start - 10, 0) : found.start]
    follows = re.search(r"\b(?:why|how|where|when) +\Z", before, re.IGNORECASE)
    asks, asked = _asks(reading, found.start), _question_mark(reading, found.end)
    ordered = not asked or _DARED.match(text, found.end)
    if word == "you" and verb == "do" and asks and ordered and not follows:
        # "Don't you dare!" is no question.
        return
    # "If he won't I will."
    stated = reading.tag_before(found.start).startswith(("PNP", "NN", "NP")) and not asks
    if stated and asked and word in _SUBJECTS:
        return
    turned = word in _SUBJECTS and not stated and (word not in ("it", "you", "there") or asks)
    if subject and turned:
        verb = "am" if (word, verb) == ("I", "are") else verb
        new = f"{cased_like(old, verb)} {word} {'NOT' if old.isupper() else 'not'}"
        yield Edit(found.start, subject.end(), new, "expand")
        return
    tag = reading.ahead(found.end, skipped=())[0]
    if follows or (asks and tag and not tag.startswith(("V", "AV", "XX"))):
        # A subject of several words follows, and where it ends is not known.
        return
    yield Edit(found.start, found.end, cased_like(old, full), "expand")


def _asks(reading: Reading, offset: int) -> bool:
    """Return whether the subject of the verb at an offset has to follow it."""
    before = reading.text[max(offset - 40, 0) : offset]
    opened = re.search(r"(?:\A|[.,;:!?(\"“‘—–]|\b(?:and|but|or|so|then))\s*\Z", before, re.IGNORECASE)
    asked = re.search(r"\b(?:why|how|what|where|when|which|who|whom) +\Z", before, re.IGNORECASE)
    return bool(reading.begins_sentence(offset) or opened or asked)


_FAR = 1000
_DARED = re.compile(r" +you +(?:dare|ever|worry|forget)\b", re.IGNORECASE)


def _question_mark(reading: Reading, offset: int) -> bool:
    """Return whether the sentence goes on to a question mark, not too far away."""
    return reading.text.find("?", offset, min(reading.sentence_at(offset)[1], offset + _FAR)) >= 0


def _is_or_has(reading: Reading, found: Found, subject: str, guess: bool) -> str:
    """Return what *'s* stands for, or nothing where that cannot be told."""
    asking = subject in ("what", "where", "how", "when", "why")
    next_tag, next_form = reading.ahead(found.end, skipped=())
    tag, form = reading.ahead(found.end, ("AV0", "XX0", "PNP") if asking else ("AV0", "XX0"), most=4)
    asked = asking and next_tag == "PNP"
    if form in (_ASKED_HAS if asked else _NEVER_IS) or (asked and (next_form, form) in _DOERS):
        return "has"
    if _may_be_genitive(reading, found.end, subject):
        return ""
    done = tag in _PARTICIPLES or (form in _SAME_FORMS and not tag.startswith("AJ"))
    has_done = done or _has_object(reading, found.end, tag, form)
    if not has_done and not _may_own(reading, found.end, subject, next_tag, next_form):
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


def _has_object(reading: Reading, offset: int, tag: str, form: str) -> bool:
    """Return whether what is taken for an adjective has an object, as in *he's broken the cup*."""
    if not tag.startswith("AJ") or not (form in _SAME_FORMS or _LIKE_PARTICIPLE.match(form)):
        return False
    at = offset + reading.text[offset : offset + 80].lower().find(form) + len(form)
    return reading.ahead(at, ())[0] in ("AT0", "DPS", "PNP", "DT0", "NP0", "CRD")


def _may_own(reading: Reading, offset: int, subject: str, tag: str, form: str) -> bool:
    """Return whether somebody may have what follows, as in *he's no idea* and *she's two cars*."""
    if subject not in ("he", "she", "it", "who"):
        return False
    if tag == "CRD":
        return not _MEASURE.match(reading.text, offset)
    return form in _OWNED and subject != "it" and not _NO_MATTER.match(reading.text, offset)


def _may_be_genitive(reading: Reading, offset: int, subject: str) -> bool:
    """Return whether *'s* may be the genitive, by right or not, as in *it's own*, *it's old walls*."""
    tag, form = reading.ahead(offset, skipped=())
    if subject in _POSSESSIVE:
        return tag not in ("VVG", "VBG", "AT0", "XX0")
    if subject not in ("it", "who"):
        return form == "own"
    tag, noun = reading.ahead(offset, skipped=("AJ0", "AJS", "ORD", "CRD"), most=4)
    return form == "own" or (tag.startswith("NN") and noun not in _SAID_TO_BE)


def _would_or_had(reading: Reading, found: Found, guess: bool) -> str:
    """Return what *'d* stands for, or nothing where that cannot be told."""
    first = reading.ahead(found.end, skipped=())[1]
    if first in ("better", "best", "rather") and not _BEST_SAID.match(reading.text, found.end):
        return "would" if first == "rather" else "had"
    if _HAD.match(reading.text, found.end):
        return "had"
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
