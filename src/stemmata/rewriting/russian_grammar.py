"""Russian grammar as far as rewriting needs it: which words belong together, and how they must agree.

The analyser sees each word alone and often knows several readings. Those that neither the adjectives before a
noun, nor its preposition, nor the verb allow are dropped. What remains ambiguous is changed only if all
readings lead to the same form, so that agreement is kept without a parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from stemmata.model import ErrorCode, StemmataError
from stemmata.rewriting.edits import Edit
from stemmata.rewriting.passage import Passage, capitalised, written_words
from stemmata.rewriting.strategy import Scene
from stemmata.text.languages import RUSSIAN
from stemmata.text.pos import russian_analyser

CASES = ("nomn", "gent", "datv", "accs", "ablt", "loct")
_CASES = frozenset([*CASES, "gen2", "loc2", "acc2", "voct"])
_GENDERS = frozenset(["masc", "femn", "neut"])
_NUMBERS = frozenset(["sing", "plur"])
_LIVE = frozenset(["anim", "inan"])
_NAMES = frozenset(["Name", "Surn", "Patr", "Geox", "Orgn", "Trad", "Abbr", "Init"])
_MODIFIERS = frozenset(["ADJF", "PRTF"])
_PREDICATES = frozenset(["VERB", "ADJS", "PRTS"])
_WORD = re.compile(r"[а-яё]{2,32}\Z")
_UNLIKELY = 0.02
"""Readings that are rarer among the uses of a word are taken for none of its readings."""
_MOST_MODIFIERS = 4
_KEPT = 1 << 17

# Which cases prepositions ask for.
_GOVERNED: dict[str, frozenset[str]] = {
    preposition: frozenset(cases.split())
    for prepositions, cases in {
        "без безо близ ввиду вдоль вместо вне внутри возле вокруг вроде вследствие для до из изо из-за из-под "
        "кроме мимо насчёт около от ото помимо после посреди против путём ради сверх свыше среди у": "gent",
        "благодаря вопреки к ко навстречу согласно": "datv",
        "про сквозь через": "accs",
        "над надо перед передо": "ablt",
        "при": "loct",
        "в во на": "accs loct loc2",
        "о об обо": "accs loct",
        "за под подо": "accs ablt",
        "между меж": "gent ablt",
        "по": "datv accs loct",
        "с со": "gent accs ablt",
    }.items()
    for preposition in prepositions.split()
}
_QUANTITIES = frozenset(
    "много мало немало немного несколько сколько столько большинство меньшинство ряд множество количество "
    "число часть половина треть четверть тысяча миллион миллиард процент группа".split()
)
"""Words behind which a genitive plural is counted."""


class Reading(NamedTuple):
    """A way of reading a word: its lemma, part of speech and grammemes in the terms of OpenCorpora."""

    lemma: str
    part: str
    grammemes: frozenset[str]

    def one_of(self, kinds: frozenset[str]) -> str:
        """Return the grammeme of a kind, such as the case, or nothing."""
        return next(iter(self.grammemes & kinds), "")

    @property
    def case(self) -> str:
        """The case of what is declined."""
        return self.one_of(_CASES)

    @property
    def number(self) -> str:
        """Whether it is singular or plural."""
        return self.one_of(_NUMBERS)

    @property
    def gender(self) -> str:
        """The gender; that of a noun in the plural, too."""
        return self.one_of(_GENDERS)


def readings(word: str) -> tuple[Reading, ...]:
    """Return the likely readings of a word of running text, the likeliest first; none of what is no word.

    Needs pymorphy3 (extra ``russian``).
    """
    low = word.lower()
    return _readings(low) if _WORD.match(low) else _PARTICLES.get(low, ())


@lru_cache(_KEPT)
def _readings(low: str) -> tuple[Reading, ...]:
    parsed = russian_analyser().parse(low)
    return tuple(
        Reading(str(one.normal_form), str(one.tag.POS or ""), frozenset(one.tag.grammemes))
        for number, one in enumerate(parsed)
        if number == 0 or one.score >= _UNLIKELY
    )


# Words of one letter; what else they may be is of no use here.
_PARTICLES = {
    **{word: (Reading(word, "PREP", frozenset(["PREP"])),) for word in "вкосу"},
    **{word: (Reading(word, "CONJ", frozenset(["CONJ"])),) for word in "иа"},
    "я": (Reading("я", "NPRO", frozenset(["NPRO", "sing", "nomn", "1per"])),),
}


@lru_cache(_KEPT)
def known_as(lemma: str, part: str) -> frozenset[str] | None:
    """Return the grammemes of a word as a dictionary lists it under a part of speech; None if it does not.

    Names, abbreviations and words that are marked as colloquial, obsolete or erroneous do not count.
    """
    if not _WORD.match(lemma):
        return None
    # "INFN" is what verbs are listed under.
    wanted = "INFN" if part in ("VERB", "INFN", "PRTF", "PRTS", "GRND") else _listed(part)
    for one in russian_analyser().parse(lemma):
        tag = one.tag
        if tag.POS == wanted and one.normal_form == lemma.replace("ё", "ё") and one.is_known:
            found = frozenset(tag.grammemes)
            return None if found & (_NAMES | _STAINED | {"Apro", "Fixd"}) else found
    return None


_STAINED = frozenset(["Arch", "Slng", "Infr", "Erro", "Dist", "Litr", "Prdx"])


def _listed(part: str) -> str:
    return "ADJF" if part in ("ADJF", "ADJS", "COMP") else part


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


@lru_cache(1 << 14)
def _lexeme(lemma: str, part: str) -> tuple[tuple[str, frozenset[str]], ...]:
    wanted = "INFN" if part in ("VERB", "INFN", "PRTF", "PRTS", "GRND") else _listed(part)
    for one in russian_analyser().parse(lemma):
        if one.tag.POS == wanted and one.normal_form == lemma:
            forms = [(str(form.word), frozenset(form.tag.grammemes)) for form in one.lexeme]
            # Superlatives and their like are listed among the forms of the plain word.
            return tuple((form, has) for form, has in forms if not has & _VARIANTS)
    return ()


_VARIANTS = frozenset(["Supr", "Cmp2", "V-oy", "V-ey", "V-ej", "V-be", "V-en", "V-ie", "V-bi", "V-sh", *_STAINED])
_INFLECTED = frozenset(
    [*_CASES, *_NUMBERS, "past", "pres", "futr", "1per", "2per", "3per", "indc", "impr", "incl", "excl", "actv",
     "pssv", "VERB", "INFN", "GRND", "PRTF", "PRTS", "ADJF", "ADJS", "COMP", "Supr", "Cmp2"]
)  # fmt: skip
"""What makes forms of one word; the gender does so only for some parts of speech."""


def same_form(lemma: str, reading: Reading) -> str | None:
    """Return another word of the same part of speech in the form that a word has, or None.

    Examples
    --------
    >>> same_form("шагать", readings("шла")[0])
    'шагала'
    """
    wanted = reading.grammemes & _INFLECTED
    if reading.part != "NOUN":
        wanted |= reading.grammemes & _GENDERS
        if reading.case == "accs":
            wanted |= reading.grammemes & _LIVE
    return form_of(lemma, reading.part, _plain_cases(wanted))


def _plain_cases(grammemes: frozenset[str]) -> frozenset[str]:
    """Return grammemes with the six cases alone: few words have a second genitive or locative."""
    seconds = {"gen2": "gent", "loc2": "loct", "acc2": "accs", "voct": "nomn"}
    return frozenset(seconds.get(one, one) for one in grammemes)


@dataclass(frozen=True)
class NounPhrase:
    """A noun, the adjectives and participles before it, and what they can be.

    Attributes
    ----------
    head
        The number of the noun among the words.
    modifiers
        The numbers of the words before it that agree with it.
    readings
        What the noun can be, so far as its surroundings tell.
    counted
        Whether a numeral or a word of quantity stands before it.
    bound
        Whether something behind it agrees with it, such as a relative clause, or stands beside it.
    """

    head: int
    modifiers: tuple[int, ...]
    readings: tuple[Reading, ...]
    counted: bool
    bound: bool

    @property
    def cases(self) -> set[str]:
        """The cases in which the noun can be."""
        return {one.case for one in self.readings}


@dataclass(frozen=True)
class RussianPassage:
    """A passage, what its words can be, and the noun phrases among them.

    Attributes
    ----------
    passage
        The words and where they stand.
    readings
        What each word can be; nothing for what is no Russian word.
    phrases
        Noun phrases by the number of the noun.
    clause
        For each word, where its clause begins and ends.
    """

    passage: Passage
    readings: list[tuple[Reading, ...]]
    clause: list[tuple[int, int]]
    phrases: dict[int, NounPhrase] = field(default_factory=dict)

    def free(self, number: int) -> bool:
        """Return whether a word may change at all: a Russian word that is no name and no abbreviation."""
        word = self.passage.words[number]
        if not self.readings[number] or not (word.islower() or word.istitle()):
            return False
        # A capital inside a sentence makes a name.
        if word[0].isupper() and self.passage.first[number] != number:
            return False
        return not any(one.grammemes & _NAMES for one in self.readings[number])

    def lexeme(self, number: int) -> Reading | None:
        """Return a word's likeliest reading if all of them are of one word and one part of speech."""
        phrase = self.phrases.get(number)
        found = phrase.readings if phrase else self.readings[number]
        if not found or any(one[:2] != found[0][:2] for one in found):
            return None
        return found[0]

    def replaced(self, number: int, lemma: str) -> dict[int, str] | None:
        """Return the words that change if another takes a word's place in the same form, or None.

        Nouns may be of another gender; what agrees with them follows.
        """
        if number in self.phrases:
            return self.declined(number, lemma)
        forms = {same_form(lemma, one) for one in self.readings[number]}
        form = forms.pop()
        return None if forms or form is None else {number: form}

    def declined(self, number: int, lemma: str, other_number: bool = False) -> dict[int, str] | None:
        """Return the words that change if another noun takes the place of one, or None where that fails.

        Parameters
        ----------
        number
            The number of the noun among the words.
        lemma
            The noun to come, which may be the same.
        other_number
            Make a plural of a singular, and the other way round.
        """
        phrase = self.phrases[number]
        listed = known_as(lemma, "NOUN")
        if listed is None:
            return None
        results = [self._declined_as(phrase, one, lemma, listed, other_number) for one in phrase.readings]
        first = results[0]
        return first if all(one == first for one in results) else None

    def _declined_as(
        self, phrase: NounPhrase, reading: Reading, lemma: str, listed: frozenset[str], other_number: bool
    ) -> dict[int, str] | None:
        number = reading.number
        if other_number:
            number = "plur" if number == "sing" else "sing"
        gender = next(iter(listed & _GENDERS), "")
        live = next(iter(listed & _LIVE), "inan")
        case = next(iter(_plain_cases(frozenset([reading.case]))))
        if not gender or not case or "Pltm" in listed or live not in reading.grammemes:
            return None
        form = form_of(lemma, "NOUN", frozenset([case, number]))
        if form is None:
            return None
        changed = {phrase.head: form}
        if number == reading.number and (number == "plur" or gender == reading.gender):
            return changed
        if phrase.bound or (phrase.counted and (other_number or case in ("nomn", "accs"))):
            return None
        agreeing = {case, number} | ({gender} if number == "sing" else set())
        for modifier in phrase.modifiers:
            new = self._agreeing(modifier, frozenset(agreeing), live)
            if new is None:
                return None
            changed[modifier] = new
        if case == "nomn":
            verbs = self._predicate(phrase, reading)
            if verbs is None:
                return None
            for verb in verbs:
                new = self._conjugated(verb, number, gender)
                if new is None:
                    return None
                changed[verb] = new
        return changed

    def _agreeing(self, modifier: int, agreeing: frozenset[str], live: str) -> str | None:
        one = next(one for one in self.readings[modifier] if one.part in _MODIFIERS)
        if "Fixd" in one.grammemes:
            return self.passage.words[modifier].lower()
        # In the accusative of masculines and plurals it matters what lives.
        if "accs" in agreeing and agreeing & {"masc", "plur"}:
            agreeing |= {live}
        kept = one.grammemes & {"ADJF", "PRTF", "past", "pres", "actv", "pssv"}
        return form_of(one.lemma, one.part, agreeing | kept)

    def _predicate(self, phrase: NounPhrase, reading: Reading) -> list[int] | None:
        """Return the words of the predicate whose subject the phrase is; None if that is in doubt."""
        start, end = self.clause[phrase.head]
        inside = {phrase.head, *phrase.modifiers}
        verbs: list[int] = []
        for number in range(start, end):
            found = self.readings[number]
            if number in inside or not found:
                continue
            best = found[0]
            if best.part in _PREDICATES:
                if not _agree(best, reading):
                    return None
                verbs.append(number)
            elif _can_be_subject(self.phrases[number].readings if number in self.phrases else found):
                return None
            elif best.part == "ADJF" and not self._modifies(number):
                return None
        if not verbs or self._goes_on(phrase.head, end, reading):
            return None
        return verbs

    def _modifies(self, number: int) -> bool:
        return any(number in phrase.modifiers for phrase in self._phrases_behind(number))

    def _phrases_behind(self, number: int) -> Iterator[NounPhrase]:
        for head in range(number + 1, min(number + 2 + _MOST_MODIFIERS, len(self.readings))):
            if head in self.phrases:
                yield self.phrases[head]

    def _goes_on(self, head: int, end: int, reading: Reading) -> bool:
        """Return whether the next clause of the sentence begins with a verb that has the same subject."""
        first = self.passage.first
        for number in range(end, min(end + 3, len(first))):
            if first[number] != first[head]:
                return False
            if self.readings[number] and self.readings[number][0].part in _PREDICATES:
                return _agree(self.readings[number][0], reading)
        return False

    def _conjugated(self, verb: int, number: str, gender: str) -> str | None:
        one = self.readings[verb][0]
        wanted = one.grammemes & (_INFLECTED - _NUMBERS)
        wanted |= {number}
        if number == "sing" and ("past" in one.grammemes or one.part != "VERB"):
            wanted |= {gender}
        return form_of(one.lemma, one.part, wanted)

    def edits(self, changed: Mapping[int, str], kind: str) -> list[Edit]:
        """Return the edits that put forms in their places, with the capitals that stand there.

        The word that was chosen has the kind; those that follow it have ``"agreement"``.
        """
        made = []
        for place, (number, form) in enumerate(changed.items()):
            old = self.passage.words[number]
            new = self.spelt(capitalised(form) if old[0].isupper() else form)
            if new != old:
                start, end = self.passage.start[number], self.passage.end[number]
                made.append(Edit(start, end, new, "agreement" if place else kind))
        return made

    def spelt(self, word: str) -> str:
        """Return a word without dots on its е where the passage has none."""
        return word if "ё" in self.passage.text else word.replace("ё", "е")


def _agree(verb: Reading, noun: Reading) -> bool:
    if verb.grammemes & {"1per", "2per", "impr"} or verb.number != noun.number:
        return False
    return not verb.gender or verb.gender == noun.gender


def _can_be_subject(found: Iterable[Reading]) -> bool:
    return any(one.part in ("NOUN", "NPRO", "NUMR") and "nomn" in one.grammemes for one in found)


def russian_words(text: str, scene: Scene, what: str) -> RussianPassage:
    """Return a passage with what its words can be.

    Raises
    ------
    StemmataError
        E703 where the passage is not in Russian.
    """
    if scene.language != RUSSIAN.code:
        raise StemmataError(
            ErrorCode.NOT_IN_LANGUAGE, what=what, language=scene.language, known=RUSSIAN.code
        )
    passage = written_words(text, scene.language)
    made = RussianPassage(passage, [readings(word) for word in passage.words], _clauses(passage))
    for number, found in enumerate(made.readings):
        if any(one.part == "NOUN" for one in found):
            phrase = _noun_phrase(made, number)
            if phrase:
                made.phrases[number] = phrase
    for phrase in list(made.phrases.values()):
        made.phrases[phrase.head] = _with_case(made, phrase)
    return made


def _clauses(passage: Passage) -> list[tuple[int, int]]:
    """Return for each word where the stretch without punctuation in which it stands begins and ends."""
    clauses: list[tuple[int, int]] = []
    start = 0
    for number in range(1, len(passage) + 1):
        if number == len(passage) or passage.gap(number).strip(" \t\xa0"):
            clauses += [(start, number)] * (number - start)
            start = number
    return clauses


def _noun_phrase(made: RussianPassage, head: int) -> NounPhrase | None:
    """Return the phrase of a noun, with what all of its words can be together; None where it is no noun."""
    start, end = made.clause[head]
    nouns = tuple(one for one in made.readings[head] if one.part == "NOUN")
    others = [one for one in made.readings[head] if one.part != "NOUN"]
    modifiers: list[int] = []
    for number in range(head - 1, max(start, head - _MOST_MODIFIERS) - 1, -1):
        adjectives = [one for one in made.readings[number] if one.part in _MODIFIERS]
        agreeing = tuple(noun for noun in nouns if any(_modify(one, noun) for one in adjectives))
        if not agreeing:
            break
        modifiers.append(number)
        nouns = agreeing
    before = head - len(modifiers) - 1
    governed: frozenset[str] = frozenset()
    word = made.passage.words[before].lower() if before >= start else ""
    if word in _GOVERNED:
        governed = _GOVERNED[word]
        nouns = tuple(one for one in nouns if one.case in governed)
    if not nouns or (others and not modifiers and not governed):
        return None
    return NounPhrase(
        head, tuple(modifiers), nouns, _is_counted(made, before, start), _is_bound(made, head, end)
    )


def _modify(adjective: Reading, noun: Reading) -> bool:
    if "Fixd" in adjective.grammemes:
        return True
    has = adjective.grammemes
    if noun.number not in has or next(iter(_plain_cases(frozenset([noun.case])))) not in has:
        return False
    if noun.number == "sing" and noun.gender not in has:
        return False
    lives = has & _LIVE
    return not lives or bool(lives & noun.grammemes)


def _is_counted(made: RussianPassage, before: int, start: int) -> bool:
    if before < start:
        return False
    if made.passage.words[before][-1].isdigit():
        return True
    return any(one.part == "NUMR" or one.lemma in _QUANTITIES for one in made.readings[before])


def _is_bound(made: RussianPassage, head: int, end: int) -> bool:
    """Return whether what follows a noun, or joins it to another, depends on its gender and number."""
    passage, found = made.passage, made.readings
    if head + 1 == len(passage):
        return False
    joined = ("и", "или", "либо", "да")
    if passage.words[head + 1].lower() in joined and head + 1 < end:
        return True
    if head > 0 and passage.words[head - 1].lower() in joined:
        return True
    if head + 1 == end:
        after = [*found[end], *(found[end + 1] if end + 1 < len(passage) else ())]
        return passage.first[end] == passage.first[head] and any(one.part in _MODIFIERS for one in after)
    return any(one.part in _MODIFIERS for one in found[head + 1]) and not any(
        head + 1 in phrase.modifiers for phrase in made._phrases_behind(head + 1)
    )


def _with_case(made: RussianPassage, phrase: NounPhrase) -> NounPhrase:
    """Decide between nominative and accusative where the verb of the clause does."""
    if not {"nomn", "accs"} <= phrase.cases:
        return phrase
    start, end = made.clause[phrase.head]
    verbs = [n for n in range(start, end) if made.readings[n] and made.readings[n][0].part in _PREDICATES]
    if not verbs:
        return phrase
    others = [
        other
        for n in range(start, end)
        if n != phrase.head and n not in phrase.modifiers
        and _can_be_subject(other := made.phrases[n].readings if n in made.phrases else made.readings[n])
    ]  # fmt: skip
    agreeing = [
        one
        for one in phrase.readings
        if one.case == "nomn" and all(_agree(made.readings[n][0], one) for n in verbs)
    ]
    transitive = any("tran" in one.grammemes for n in range(start, end) for one in made.readings[n][:1])
    oblique = tuple(one for one in phrase.readings if one.case != "nomn")
    direct = tuple(one for one in phrase.readings if one.case != "accs")
    kept = phrase.readings
    if not agreeing:
        kept = oblique
    elif not others and (not transitive or phrase.head < verbs[0]):
        kept = direct
    elif transitive and phrase.head > verbs[-1] and any(all(o.case == "nomn" for o in one) for one in others):
        kept = oblique
    return NounPhrase(phrase.head, phrase.modifiers, kept, phrase.counted, phrase.bound)
