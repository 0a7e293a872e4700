"""Forms of Russian words: what a word can be, and how another looks in the same form.

Morphology is that of pymorphy3 (extra ``russian``), in the terms of OpenCorpora: ``"gent"`` is the genitive,
``"ADJF"`` a full adjective.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from stemmata.text.pos import russian_analyser

CASES = frozenset(["nomn", "gent", "datv", "accs", "ablt", "loct", "gen2", "loc2", "acc2", "voct"])
GENDERS = frozenset(["masc", "femn", "neut"])
NUMBERS = frozenset(["sing", "plur"])
LIVE = frozenset(["anim", "inan"])
NAMES = frozenset(["Name", "Surn", "Patr", "Geox", "Orgn", "Trad", "Abbr", "Init"])
_COMMAND = frozenset(["impr"])
_STAINED = frozenset(["Arch", "Slng", "Infr", "Erro", "Dist", "Litr"])
_VARIANTS = _STAINED | {
    "Abbr",
    "Supr",
    "Cmp2",
    "V-oy",
    "V-ey",
    "V-ej",
    "V-be",
    "V-en",
    "V-ie",
    "V-bi",
    "V-sh",
}
INFLECTED = (
    CASES
    | NUMBERS
    | {"past", "pres", "futr", "1per", "2per", "3per", "indc", "impr", "incl", "excl", "actv", "pssv"}
    | {"VERB", "INFN", "GRND", "PRTF", "PRTS", "ADJF", "ADJS", "COMP", "Supr", "Cmp2"}
)
"""What makes forms of one word; the gender does so only for some parts of speech."""
_LISTED = {
    "VERB": "INFN", "PRTF": "INFN", "PRTS": "INFN", "GRND": "INFN", "ADJS": "ADJF", "COMP": "ADJF",
}  # fmt: skip
"""Forms that a dictionary lists under another."""
_WORD = re.compile(r"[а-яё]{2,32}\Z")
_UNLIKELY = 0.02
"""Readings that are rarer among the uses of a word are taken for none of its readings."""
_KEPT = 1 << 16

_LISTS = tomllib.loads((files("stemmata.text") / "data" / "russian_grammar.toml").read_text("utf-8"))


def word_list(name: str) -> frozenset[str]:
    """Return a list of words that grammar alone does not tell."""
    return frozenset(_LISTS[name].split())


def by_word(name: str) -> dict[str, frozenset[str]]:
    """Return what a table tells of words: the key has it, and the value the words."""
    return {word: frozenset(told.split()) for told, words in _LISTS[name].items() for word in words.split()}


GOVERNED = by_word("prepositions")
"""Prepositions, and the cases that they ask for."""


class Reading(NamedTuple):
    """A way of reading a word: its lemma, part of speech and grammemes in the terms of OpenCorpora."""

    lemma: str
    part: str
    grammemes: frozenset[str]

    def one_of(self, kinds: frozenset[str]) -> str:
        """Return the grammeme of a kind, such as the case, or nothing."""
        return min(self.grammemes & kinds, default="")

    @property
    def case(self) -> str:
        """The case of what is declined."""
        return self.one_of(CASES)

    @property
    def number(self) -> str:
        """Whether it is singular or plural."""
        return self.one_of(NUMBERS)

    @property
    def gender(self) -> str:
        """The gender; that of a noun in the plural, too."""
        return self.one_of(GENDERS)


def readings(word: str) -> tuple[Reading, ...]:
    """Return the likely readings of a word of running text, the likeliest first; none of what is no word.

    Needs pymorphy3 (extra ``russian``).
    """
    low = word.lower()
    return _readings(low, low != word) if _WORD.match(low) else _PARTICLES.get(low, ())


@lru_cache(_KEPT)
def _readings(low: str, capital: bool) -> tuple[Reading, ...]:
    parsed = russian_analyser().parse(low)
    found = [
        Reading(str(one.normal_form), str(one.tag.POS or ""), frozenset(one.tag.grammemes))
        for number, one in enumerate(parsed)
        if number == 0 or one.score >= _UNLIKELY
    ]
    # Most forms of "greater" are those of "great", too, and mean it.
    great = [one for one in found if one.lemma == "большой"]
    if great:
        return tuple(great)
    # An adverb looks like the neuter of a short adjective, which is far rarer.
    if found[0].part == "ADVB" and all(one.part in ("ADVB", "ADJS") for one in found):
        return tuple(one for one in found if one.part == "ADVB")
    # What can be something else is no command, and without a capital no name.
    common = [one for one in found if not one.grammemes & (_COMMAND if capital else _COMMAND | NAMES)]
    return tuple(common or found)


# Words of one letter; what else they may be is of no use here.
_PARTICLES = {
    **{word: (Reading(word, "PREP", frozenset(["PREP"])),) for word in "вкосу"},
    **{word: (Reading(word, "CONJ", frozenset(["CONJ"])),) for word in "иа"},
    "я": (Reading("я", "NPRO", frozenset(["NPRO", "sing", "nomn", "1per"])),),
}


@lru_cache(_KEPT)
def listed(word: str, part: str) -> Reading | None:
    """Return a word as a dictionary lists it under a part of speech, with its dots; None if none does.

    Names, abbreviations, pronouns and words that are marked as colloquial, obsolete or wrong do not count.
    """
    if not _WORD.match(word):
        return None
    for one in russian_analyser().parse(word):
        lemma, found = str(one.normal_form), frozenset(one.tag.grammemes)
        if (
            one.is_known
            and _LISTED.get(part, part) in found
            and lemma.replace("ё", "е") == word.replace("ё", "е")
        ):
            return None if found & (NAMES | _STAINED | {"Apro", "Fixd"}) else Reading(lemma, part, found)
    return None


@lru_cache(_KEPT)
def form_of(lemma: str, part: str, grammemes: frozenset[str]) -> str | None:
    """Return the form of a word that has some grammemes, or None.

    Examples
    --------
    >>> form_of("изба", "NOUN", frozenset(["plur", "ablt"]))
    'избами'
    """
    for form, has in _lexeme(lemma, part):
        if grammemes <= has:
            return form
    return None


@lru_cache(1 << 12)
def _lexeme(lemma: str, part: str) -> tuple[tuple[str, frozenset[str]], ...]:
    for one in russian_analyser().parse(lemma):
        if _LISTED.get(part, part) == one.tag.POS and one.normal_form == lemma:
            forms = [(str(form.word), frozenset(form.tag.grammemes)) for form in one.lexeme]
            # Superlatives and their like are listed among the forms of the plain word.
            return tuple((form, has) for form, has in forms if not has & _VARIANTS)
    return ()


def same_form(lemma: str, reading: Reading) -> str | None:
    """Return another word of the same part of speech in the form that a word has, or None.

    Examples
    --------
    >>> same_form("шагать", readings("шла")[0])
    'шагала'
    """
    wanted = reading.grammemes & INFLECTED
    if reading.part != "NOUN":
        wanted |= reading.grammemes & GENDERS
        if reading.case == "accs":
            wanted |= reading.grammemes & LIVE
    return form_of(lemma, reading.part, plain_cases(wanted))


def plain_cases(grammemes: frozenset[str]) -> frozenset[str]:
    """Return grammemes with the six cases alone: few words have a second genitive or locative."""
    seconds = {"gen2": "gent", "loc2": "loct", "acc2": "accs", "voct": "nomn"}
    return frozenset(seconds.get(one, one) for one in grammemes)
