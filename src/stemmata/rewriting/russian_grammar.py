"""Russian grammar as far as rewriting needs it: which words belong together, and how they must agree.

The analyser sees each word alone and often knows several readings. Those that neither the adjectives before a
noun, nor its preposition, nor the verb allow are dropped. What remains ambiguous is changed only if all
readings lead to the same form, so that agreement is kept without a parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from stemmata.model import ErrorCode, StemmataError
from stemmata.rewriting.passage import Passage, written_words
from stemmata.rewriting.russian_forms import (
    GOVERNED,
    INFLECTED,
    LIVE,
    NAMES,
    NUMBERS,
    Reading,
    by_word,
    form_of,
    listed,
    plain_cases,
    readings,
    same_form,
    word_list,
)
from stemmata.rewriting.strategy import Scene
from stemmata.text.languages import RUSSIAN

SPACE = " \t\xa0"
ROMAN = re.compile(r"[IVXLC]+\Z")
_MODIFIERS = frozenset(["ADJF", "PRTF"])
_PREDICATES = frozenset(["VERB", "ADJS", "PRTS"])
_NOMINAL = frozenset(["NOUN", "ADJF", "PRTF", "NPRO", "NUMR"])
_JOINING = frozenset(["и", "или", "либо", "да", "а", "но"])
_QUANTITIES = word_list("quantities")
_COMPOUND = word_list("compound")
_TITLES = word_list("titles")
_PRONOUNS = by_word("pronouns")
"""Pronouns, and the genders of singulars, or the plural, for which they stand."""
_THIS = frozenset(["это", "то", "всё"])
_MOST_MODIFIERS = 4
_LONGEST_CLAUSE = 60
"""Text without punctuation is cut into clauses of so many words."""


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
        if any(one.grammemes & NAMES for one in self.readings[number]):
            return False
        before = self.before(number)
        if before == "так" or word == "образом" or (before in GOVERNED and word in _COMPOUND):
            return False
        if self._is_each_other(number):
            return False
        return not self._belongs_to_a_name(number)

    def _is_each_other(self, number: int) -> bool:
        near = self.passage.words[max(0, number - 2) : number + 3]
        return sum(word.lower().startswith("друг") for word in near) > 1 and near.count("друг") > 0

    def before(self, number: int) -> str:
        """Return the word before a word, or before the phrase of a noun, in lower case; or nothing."""
        first = number - len(self.phrases[number].modifiers if number in self.phrases else ())
        return self.passage.words[first - 1].lower() if first > self.clause[first][0] else ""

    def _belongs_to_a_name(self, number: int) -> bool:
        """Return whether a word is part of a name, as sea is of the Baltic Sea."""
        words, first = self.passage.words, self.passage.first
        modifiers = self.phrases[number].modifiers if number in self.phrases else ()
        if any(words[one][0].isupper() and first[one] != one for one in modifiers):
            return True
        after = number + 1
        if after == len(words) or self.passage.gap(after).strip(SPACE) or not words[after][0].isupper():
            return False
        return words[number][0].isupper() or any(one.lemma in _TITLES for one in self.readings[number])

    def lexeme(self, number: int) -> Reading | None:
        """Return a word's likeliest reading if all of them are of one word and one part of speech."""
        found = self.likely(number)
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
        noun = listed(lemma, "NOUN")
        # Some nouns are of things and of what lives alike.
        found = [one for one in phrase.readings if noun and one.grammemes & noun.grammemes & LIVE]
        if noun is None or not found:
            return None
        first, *others = [self._declined_as(phrase, one, noun, other_number) for one in found]
        return first if all(one == first for one in others) else None

    def _declined_as(
        self, phrase: NounPhrase, reading: Reading, noun: Reading, other_number: bool
    ) -> dict[int, str] | None:
        number = reading.number
        if other_number:
            number = "plur" if number == "sing" else "sing"
        gender, live = noun.gender, noun.one_of(LIVE)
        case = min(plain_cases(frozenset([reading.case])))
        form = form_of(noun.lemma, "NOUN", frozenset([case, number])) if gender and case else None
        if form is None or "Pltm" in noun.grammemes:
            return None
        changed = {phrase.head: form}
        if number == reading.number and (number == "plur" or gender == reading.gender):
            return changed
        counted = phrase.counted and (other_number or case in ("nomn", "accs"))
        if phrase.bound or counted or self._is_resumed(phrase, reading):
            return None
        agreeing = frozenset([case, number, gender] if number == "sing" else [case, number])
        following = {one: self._agreeing(one, agreeing, live) for one in phrase.modifiers}
        if case == "nomn":
            verbs = self._predicate(phrase, reading)
            if verbs is None:
                return None
            following |= {one: self._conjugated(one, number, gender) for one in verbs}
        for one, new in following.items():
            if new is None:
                return None
            changed[one] = new
        return changed

    def _is_resumed(self, phrase: NounPhrase, reading: Reading) -> bool:
        """Return whether a pronoun behind a noun may stand for it, or an adjective describe the object."""
        first = self.passage.first
        for number in range(phrase.head + 1, min(phrase.head + 1 + _LONGEST_CLAUSE, len(first))):
            if first[number] != first[phrase.head]:
                break
            genders = _PRONOUNS.get(self.passage.words[number].lower(), ())
            if (reading.gender if reading.number == "sing" else "plur") in genders:
                return True
            if any(_resumes(one, reading) for one in self.readings[number]) and not self.modifies(number):
                return True
        if reading.case != "accs" or self.before(phrase.head) in GOVERNED:
            return False
        inside = {phrase.head, *phrase.modifiers}
        clause = range(*self.clause[phrase.head])
        return any(number not in inside and self._describes(number, reading) for number in clause)

    def _describes(self, number: int, noun: Reading) -> bool:
        """Return whether a word can be a predicate that says what a noun is like, and agrees with it."""
        if self.modifies(number):
            return False
        best = self.readings[number][:1]
        # Short neuters look like adverbs.
        if noun.gender == "neut" and any(one.part == "ADVB" and one.lemma.endswith("о") for one in best):
            return True
        return any(
            one.part in _MODIFIERS and one.case in ("nomn", "ablt") and _agree(one, noun)
            for one in self.readings[number]
            if "Fixd" not in one.grammemes
        )

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
            elif self._describes(number, reading) or _can_be_subject(self.likely(number)):
                return None
        if not verbs or self._goes_on(phrase.head, end, reading):
            return None
        return verbs

    def likely(self, number: int) -> tuple[Reading, ...]:
        """Return what a word can be, as its phrase tells if it is a noun."""
        return self.phrases[number].readings if number in self.phrases else self.readings[number]

    def modifies(self, number: int) -> bool:
        """Return whether a word is an adjective or participle before a noun."""
        heads = range(number + 1, min(number + 1 + _MOST_MODIFIERS, len(self.readings)))
        return any(head in self.phrases and number in self.phrases[head].modifiers for head in heads)

    def _goes_on(self, head: int, end: int, reading: Reading) -> bool:
        """Return whether a later clause of the sentence has a verb that agrees, and no subject of its own."""
        first = self.passage.first
        last = min(end + _LONGEST_CLAUSE, len(first))
        while end < last and first[end] == first[head]:
            start, end = self.clause[end]
            verbs = [
                one for n in range(start, end) for one in self.readings[n][:1] if one.part in _PREDICATES
            ]
            subjects = any(_can_be_subject(self.likely(n)) for n in range(start, end))
            if any(_agree(one, reading) for one in verbs) and not subjects:
                return True
        return False

    def _conjugated(self, verb: int, number: str, gender: str) -> str | None:
        one = self.readings[verb][0]
        wanted = one.grammemes & (INFLECTED - NUMBERS)
        wanted |= {number}
        if number == "sing" and ("past" in one.grammemes or one.part != "VERB"):
            wanted |= {gender}
        return form_of(one.lemma, one.part, wanted)

    def spelt(self, word: str) -> str:
        """Return a word without dots on its е where the passage has none."""
        return word if self._has_dots else word.replace("ё", "е")

    @cached_property
    def _has_dots(self) -> bool:
        return "ё" in self.passage.text or "Ё" in self.passage.text


def _agree(verb: Reading, noun: Reading) -> bool:
    if verb.grammemes & {"1per", "2per", "impr"} or verb.number != noun.number:
        return False
    return not verb.gender or verb.gender == noun.gender


def _resumes(one: Reading, noun: Reading) -> bool:
    """Return whether a word can begin a clause that describes a noun, or lies behind its beginning."""
    return (one.part == "PRTF" and _modify(one, noun)) or (one.lemma == "который" and _agree(one, noun))


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
        raise StemmataError(ErrorCode.NOT_IN_LANGUAGE, what=what, language=scene.language, known=RUSSIAN.code)
    passage = written_words(text, scene.language)
    made = RussianPassage(passage, [readings(word) for word in passage.words], _clauses(passage))
    # From the end, as it matters whether what follows a noun belongs to the next.
    for number in range(len(passage) - 1, -1, -1):
        if any(one.part == "NOUN" for one in made.readings[number]):
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
        if number == len(passage) or number - start == _LONGEST_CLAUSE or passage.gap(number).strip(SPACE):
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
    if word in GOVERNED:
        governed = GOVERNED[word]
        nouns = tuple(one for one in nouns if one.case in governed)
    if not nouns or (others and not modifiers and not governed):
        return None
    for number in modifiers:
        made.readings[number] = tuple(
            one
            for one in made.readings[number]
            if one.part in _MODIFIERS and any(_modify(one, noun) for noun in nouns)
        )
    counted = _is_counted(made, before, start)
    bound = _joined_before(made, before, nouns) or _is_bound(made, head, end, nouns)
    return NounPhrase(head, tuple(modifiers), nouns, counted, bound)


def _joined_before(made: RussianPassage, before: int, nouns: tuple[Reading, ...]) -> bool:
    """Return whether a phrase goes on to the left: by another noun, or by an adjective in a row of them."""
    passage = made.passage
    if before < 0 or passage.first[before] != passage.first[before + 1]:
        return False
    if passage.gap(before + 1).strip(SPACE):
        return any(_modify_any(one, nouns) for one in made.readings[before])
    if passage.words[before].lower() in _JOINING:
        return before > 0 and _is_nominal(made.readings[before - 1])
    # An adverb, a particle or "this" may stand between a noun and what agrees with it, or be that.
    if not any(one.part in ("ADVB", "PRCL", "NPRO") for one in made.readings[before]):
        return False
    farther = made.readings[before] + (made.readings[before - 1] if before else ())
    return any(one.lemma in _THIS or _modify_any(one, nouns) for one in farther)


def _modify_any(adjective: Reading, nouns: tuple[Reading, ...]) -> bool:
    return adjective.part in _MODIFIERS and any(_modify(adjective, noun) for noun in nouns)


def _is_nominal(found: Iterable[Reading]) -> bool:
    return any(one.part in _NOMINAL for one in found)


def _modify(adjective: Reading, noun: Reading) -> bool:
    if "Fixd" in adjective.grammemes:
        return True
    has = adjective.grammemes
    if noun.number not in has or min(plain_cases(frozenset([noun.case]))) not in has:
        return False
    if noun.number == "sing" and noun.gender not in has:
        return False
    lives = has & LIVE
    return not lives or bool(lives & noun.grammemes)


def _is_counted(made: RussianPassage, before: int, start: int) -> bool:
    if before < start:
        return False
    word = made.passage.words[before]
    if word[-1].isdigit() or word in _QUANTITIES or ROMAN.match(word):
        return True
    return any(one.part == "NUMR" or one.lemma in _QUANTITIES for one in made.readings[before])


def _is_bound(made: RussianPassage, head: int, end: int, nouns: tuple[Reading, ...]) -> bool:
    """Return whether what follows a noun, or joins it to another, depends on its gender and number."""
    passage, found = made.passage, made.readings
    if head + 1 == len(passage):
        return False
    if passage.words[head + 1].lower() in _JOINING and head + 1 < end:
        return head + 2 == len(passage) or not found[head + 2] or _is_nominal(found[head + 2])
    if head + 1 == end:
        after = [*found[end], *(found[end + 1] if end + 1 < len(passage) else ())]
        return passage.first[end] == passage.first[head] and any(one.part in _MODIFIERS for one in after)
    return not made.modifies(head + 1) and any(_modify_any(one, nouns) for one in found[head + 1])


def _with_case(made: RussianPassage, phrase: NounPhrase) -> NounPhrase:
    """Decide between nominative and accusative where the verb of the clause does."""
    if not {"nomn", "accs"} <= phrase.cases:
        return phrase
    start, end = made.clause[phrase.head]
    verbs = [n for n in range(start, end) if made.readings[n] and made.readings[n][0].part in _PREDICATES]
    # The object of an infinitive may stand before a verb without a subject.
    infinitives = any(one.part == "INFN" for n in range(start, end) for one in made.readings[n][:1])
    if not verbs or infinitives:
        return phrase
    others = [
        other
        for n in range(start, end)
        if n != phrase.head and n not in phrase.modifiers
        and _can_be_subject(other := made.likely(n))
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
