"""Russian abbreviations: what is long is shortened, and what is short written out in the case of its place.

After Smirnov et al., Dialogue 2017, section 3 ("abbreviation and amplification").
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import ClassVar, NamedTuple

from stemmata.model.parameters import tunable
from stemmata.rewriting.degrees import Degrees, check_parameters
from stemmata.rewriting.edits import Edit, Rewriting, rewritten
from stemmata.rewriting.passage import Passage, capitalised
from stemmata.rewriting.russian_forms import GOVERNED, LIVE, NAMES, Reading, form_of, readings
from stemmata.rewriting.russian_grammar import ROMAN, SPACE, RussianPassage, russian_words
from stemmata.rewriting.strategy import Scene

_YEAR = re.compile(r"\d{3,4}\Z")
_LONGEST_NUMBER = 15
_KEPT = frozenset(["ADJF", "PRTF", "past", "pres", "actv", "pssv"])
"""What makes a participle that participle, whatever it agrees with."""


@dataclass(frozen=True)
class RussianAbbreviations:
    """Shorten Russian words and phrases, and write abbreviations out.

    Parameters
    ----------
    share
        The share of phrases to shorten, among those that have an abbreviation.
    expanded
        The share of abbreviations to write out, among those whose case can be told.
    """

    share: float = tunable(0.6, 0.0, 1.0)
    expanded: float = tunable(0.6, 0.0, 1.0)
    degrees: ClassVar[Degrees] = {
        "low": {"share": 0.3, "expanded": 0.3},
        "high": {"share": 1.0, "expanded": 1.0},
    }

    def __post_init__(self) -> None:
        check_parameters(self)

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage with some phrases shortened, and some written out."""
        russian = russian_words(text, scene, "Russian abbreviations")
        table = _table()
        found = sorted([*_shortened(russian, table), *_expanded(russian, table)], key=lambda one: one[:2])
        luck = scene.rng.random(len(found)).tolist()
        edits: list[Edit] = []
        for edit, chance in zip(found, luck, strict=True):
            share = self.share if edit.kind == "abbreviate" else self.expanded
            if chance < share and (not edits or edit.start >= edits[-1].end):
                edits.append(edit)
        return rewritten(text, edits)


class _Long(NamedTuple):
    """What an abbreviation stands for: the words, and the readings of those that are declined."""

    short: str
    words: tuple[str, ...]
    declined: tuple[Reading | None, ...]
    final: bool
    """Whether it is shortened before a mark alone."""

    def fits(self, passage: Passage, number: int) -> bool:
        """Return whether these words stand at some place of a passage."""
        end = number + len(self.words)
        if end > len(passage) or (self.words[0][0].isupper() and not passage.words[number][0].isupper()):
            return False
        if any(passage.gap(n).strip(SPACE) for n in range(number + 1, end)):
            return False
        if self.final and passage.gap(end).strip(SPACE)[:1] not in tuple(".,;)"):
            return False
        return all(
            one.lemma in lemmas_of(found) if one else word.lower() == found.lower()
            for word, one, found in zip(self.words, self.declined, passage.words[number:end], strict=True)
        )

    def in_case(self, case: str) -> str | None:
        """Return the words in a case."""
        head = next((one for one in reversed(self.declined) if one and one.part == "NOUN"), None)
        return self.agreeing(case, head) if head else None

    def agreeing(self, case: str, noun: Reading) -> str | None:
        """Return the words in a case, with the number and gender of a noun."""
        shown = []
        for word, one in zip(self.words, self.declined, strict=True):
            form: str | None = word
            if one:
                agreeing = {case, noun.number}
                if one.part != "NOUN" and noun.number == "sing":
                    agreeing.add(noun.gender)
                if one.part != "NOUN" and case == "accs" and agreeing & {"masc", "plur"}:
                    agreeing |= noun.grammemes & LIVE
                form = form_of(one.lemma, one.part, frozenset(agreeing | (one.grammemes & _KEPT)))
            if form is None:
                return None
            shown.append(capitalised(form) if word[0].isupper() else form)
        return " ".join(shown)


def lemmas_of(word: str) -> set[str]:
    """Return what a word may be listed under."""
    return {one.lemma for one in readings(word)}


@dataclass(frozen=True)
class _Table:
    """The abbreviations: phrases and names, units, times, titles before names."""

    longs: tuple[_Long, ...]
    units: dict[str, str]
    times: dict[str, str]
    titles: dict[str, str]
    persons: dict[str, str]

    @cached_property
    def by_first(self) -> dict[str, list[_Long]]:
        """Phrases by their first word, or its lemma where it is declined; the longer first."""
        index: dict[str, list[_Long]] = {}
        for one in sorted(self.longs, key=lambda long: -len(long.words)):
            first = one.declined[0].lemma if one.declined[0] else one.words[0].lower()
            index.setdefault(first, []).append(one)
        return index

    @cached_property
    def by_short(self) -> dict[str, _Long]:
        """Phrases by their abbreviation without space."""
        return {one.short.replace(" ", "").lower(): one for one in reversed(self.longs) if not one.final}

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What finds the abbreviations of phrases and names."""
        shorts = sorted((one.short for one in self.longs if not one.final), key=len, reverse=True)
        shapes = []
        for short in shorts:
            shape = r"[ \xa0]?".join(re.escape(part) for part in short.split(" "))
            if short.endswith("."):
                # A small letter may be a capital where a sentence begins.
                shape = f"[{short[0]}{short[0].upper()}]{shape[1:]}"
            shapes.append(shape if short.endswith(".") else shape + r"(?![\w-])")
        return re.compile(rf"(?<![\w.-])(?:{'|'.join(shapes)})")


@cache
def _table() -> _Table:
    path = files("stemmata.text") / "data" / "russian_abbreviations.toml"
    table = tomllib.loads(path.read_text("utf-8"))
    longs = [
        _long(short, long, final=section == "endings")
        for section in ("phrases", "endings", "names")
        for short, long in table[section].items()
    ]
    units, titles, persons = (
        {long: short for short, long in table[section].items()} for section in ("units", "titles", "persons")
    )
    return _Table(tuple(longs), units, table["times"], titles, persons)


def _long(short: str, long: str, final: bool) -> _Long:
    words = long.split()
    declined = []
    for word in words:
        found = readings(word.rstrip("*")) if word.endswith("*") else ()
        usable = [one for one in found if one.part in ("NOUN", "ADJF", "PRTF") and one.case == "nomn"]
        declined.append(usable[0] if usable else None)
    return _Long(short, tuple(word.rstrip("*") for word in words), tuple(declined), final)


def _shortened(russian: RussianPassage, table: _Table) -> Iterator[Edit]:
    """Yield the edits that shorten what can be."""
    passage = russian.passage
    for number, word in enumerate(passage.words):
        firsts = sorted({word.lower()} | {one.lemma for one in russian.readings[number]})
        fitting = next(
            (one for first in firsts for one in table.by_first.get(first, ()) if one.fits(passage, number)),
            None,
        )
        if fitting:
            yield _short(passage, number, number + len(fitting.words), fitting.short)
            continue
        short = _short_word(russian, table, number)
        if short:
            yield _short(passage, number, number + 1, short)


def _short_word(russian: RussianPassage, table: _Table, number: int) -> str | None:
    """Return the abbreviation of a word that stands behind a number or before a name."""
    passage = russian.passage
    found = [one for one in russian.readings[number] if "Abbr" not in one.grammemes]
    nouns = [one for one in found if one.part in ("NOUN", "ADJF", "NUMR")]
    lemma = nouns[0].lemma if nouns else ""
    before = passage.words[number - 1] if number and not passage.gap(number).strip(SPACE) else ""
    if lemma in table.units and before[-1:].isdigit():
        return table.units[lemma]
    if lemma in table.times and (_YEAR if lemma == "год" else ROMAN).match(before):
        one, several = table.times[lemma].split()
        joined = number > 1 and passage.words[number - 2][-1:] in _last_signs(lemma)
        is_range = joined and passage.gap(number - 1).strip(SPACE) in ("-", "–", "—")
        return several if is_range else one
    after = passage.words[number + 1] if number + 1 < len(passage) else ""
    if not after[:1].isupper() or passage.gap(number + 1) not in (" ", "\xa0"):
        return None
    # A name of a sentence's own beginning does not count, nor what is shortened already.
    if passage.first[number + 1] != passage.first[number] or not after[1:2].islower():
        return None
    if not any(one.number == "sing" for one in nouns):
        return None
    return table.titles.get(lemma) or table.persons.get(lemma)


def _last_signs(lemma: str) -> str:
    return "0123456789" if lemma == "год" else "IVXLC"


def _short(passage: Passage, number: int, end: int, short: str) -> Edit:
    """Return the edit that puts an abbreviation in the place of words; its period may end the sentence."""
    first, last = passage.start[number], passage.end[end - 1]
    shown = capitalised(short) if passage.words[number][0].isupper() else short
    if short.endswith(".") and passage.text[last : last + 1] == "." != passage.text[last + 1 : last + 2]:
        last += 1
    return Edit(first, last, shown, "abbreviate")


def _expanded(russian: RussianPassage, table: _Table) -> Iterator[Edit]:
    """Yield the edits that write abbreviations out where their form can be told."""
    passage = russian.passage
    for match in table.pattern.finditer(passage.text):
        number = bisect_left(passage.start, match.start())
        after = bisect_left(passage.start, match.end())
        long = table.by_short[re.sub(r"\s", "", match[0]).lower()]
        written = _written_out(russian, long, number, after)
        if written:
            shown = capitalised(written) if _opens(passage, number, match[0]) else written
            yield from _long_edit(passage, match.start(), match.end(), russian.spelt(shown))
    wordy = {short.rstrip("."): (lemma, short) for lemma, short in table.units.items()}
    titled = {short.rstrip("."): lemma for lemma, short in table.titles.items()}
    for number, word in enumerate(passage.words):
        lemma, short = wordy.get(word, ("", ""))
        form = None
        if lemma and number and passage.words[number - 1].isdecimal():
            form = _counted(russian, number, lemma)
        elif word in ("г", "гг", "в", "вв") and number:
            form, short = _time(russian, number), word + "."
        if form is None and word in titled:
            form, short = _title(russian, number, titled[word]), word + "."
        end = passage.end[number] + short.endswith(".")
        if form and passage.text[passage.start[number] : end] == short:
            yield from _long_edit(passage, passage.start[number], end, russian.spelt(form))


def _opens(passage: Passage, number: int, short: str) -> bool:
    """Return whether an abbreviation begins a sentence with a capital."""
    return number < len(passage) and passage.first[number] == number and short[0].isupper()


def _long_edit(passage: Passage, start: int, end: int, written: str) -> Iterator[Edit]:
    """Yield the edit that writes out an abbreviation, unless nobody can tell whether it ends its sentence."""
    if passage.text[end - 1] == ".":
        after = bisect_left(passage.start, end)
        ended = after == len(passage) or _begins(passage.words[after])
        if not ended and passage.first[after] == after and passage.text[end : end + 1].isspace():
            return
        following = passage.text[end : end + 1]
        if ended and (not following or following.isspace()):
            written += "."
    yield Edit(start, end, written, "expand")


def _begins(word: str) -> bool:
    """Return whether a word must begin a sentence to have its capital: it is a word, and no name."""
    found = readings(word) if word.istitle() else ()
    return bool(found) and not any(one.grammemes & NAMES for one in found)


def _written_out(russian: RussianPassage, long: _Long, number: int, after: int) -> str | None:
    if not any(long.declined):
        return " ".join(long.words)
    if any(one and one.part == "NOUN" for one in long.declined):
        case = _case_before(russian, number, after)
        return long.in_case(case) if case else None
    # It belongs to the noun behind it, and so has its form.
    for head in range(after, min(after + 4, len(russian.passage))):
        phrase = russian.phrases.get(head)
        if phrase and (head == after or after in phrase.modifiers):
            forms = {long.agreeing(one.case, one) for one in phrase.readings}
            return forms.pop() if len(forms) == 1 else None
    return None


def _case_before(russian: RussianPassage, number: int, after: int) -> str | None:
    """Return the case of an abbreviation by what stands before it, or None where that is in doubt."""
    passage = russian.passage
    start = russian.clause[number][0]
    if number > start:
        before = passage.words[number - 1].lower()
        if before in ("в", "во", "на"):
            return "loct"
        cases = GOVERNED.get(before, frozenset())
        if cases:
            return next(iter(cases)) if len(cases) == 1 else None
        found = russian.readings[number - 1]
        return "gent" if found and all(one.part == "NOUN" for one in found) else None
    if after < len(passage) and russian.clause[number][1] > after:
        found = russian.readings[after]
        return "nomn" if found and found[0].part == "VERB" else None
    return None


def _counted(russian: RussianPassage, number: int, lemma: str) -> str | None:
    """Return a unit in the form that the number before it asks for."""
    passage = russian.passage
    digits = passage.words[number - 1]
    if passage.gap(number).strip(SPACE) or len(digits) > _LONGEST_NUMBER:
        return None
    if number > 1 and passage.gap(number - 1) in (",", ".") and passage.words[number - 2].isdecimal():
        return form_of(lemma, "NOUN", frozenset(["sing", "gent"]))
    count = int(digits)
    one = count % 10 == 1 and count % 100 != 11
    few = count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14)
    before = passage.words[number - 2].lower() if number > 1 else ""
    cases = GOVERNED.get(before, frozenset()) if not passage.gap(number - 1).strip(SPACE) else frozenset()
    form = ("sing" if few else "plur", "gent")
    if len(cases) == 1 and "accs" not in cases:
        form = ("sing" if one else "plur", next(iter(cases)))
    elif one:
        form = ("sing", "nomn")
    # A feminine tells nominative from accusative, and some prepositions do not tell the case.
    doubtful = lemma.endswith("а") and form == ("sing", "nomn")
    if doubtful or (cases and before in ("с", "со", "о", "об", "по", "между")):
        return None
    return form_of(lemma, "NOUN", frozenset(form))


def _time(russian: RussianPassage, number: int) -> str | None:
    """Return year or century in the form that its number and preposition ask for."""
    passage = russian.passage
    short = passage.words[number]
    lemma, pattern = ("год", _YEAR) if short.startswith("г") else ("век", ROMAN)
    if passage.gap(number).strip(SPACE) or not pattern.match(passage.words[number - 1]):
        return None
    begin = number - 1
    while begin and pattern.match(passage.words[begin - 1]) and number - begin < 4:
        begin -= 1
    before = passage.words[begin - 1].lower() if begin and not passage.gap(begin).strip(SPACE) else ""
    many = "plur" if len(short) == 2 else "sing"
    case = {
        "в": "loct",
        "во": "loct",
        "на": "accs",
        "по": "accs",
        "к": "datv",
        "ко": "datv",
        "о": "loct",
    }.get(before, "gent")
    locative = form_of(lemma, "NOUN", frozenset([many, "loc2"])) if case == "loct" and before != "о" else None
    if lemma == "век":
        locative = None
    return locative or form_of(lemma, "NOUN", frozenset([many, case]))


def _title(russian: RussianPassage, number: int, lemma: str) -> str | None:
    """Return a title in the case of its preposition, before a name."""
    passage = russian.passage
    if number + 1 == len(passage) or not passage.words[number + 1][0].isupper():
        return None
    if passage.gap(number + 1) not in (". ", ".\xa0", ".") or passage.first[number + 1] == number + 1:
        return None
    before = passage.words[number - 1].lower() if number and not passage.gap(number).strip(SPACE) else ""
    cases = GOVERNED.get(before, frozenset())
    case = "loct" if before in ("в", "во", "на") else next(iter(cases)) if len(cases) == 1 else ""
    return form_of(lemma, "NOUN", frozenset(["sing", case])) if case else None
