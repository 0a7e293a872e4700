"""Russian synonyms: words make way for others of a like meaning, and what agrees with them follows.

After Smirnov et al.: Evaluation Tracks on Plagiarism Detection Algorithms for the Russian Language, Dialogue
2017, section 3 ("replacing words with their synonyms"). The paper names no thesaurus; this one is that of
LibreOffice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from stemmata.model.parameters import tunable
from stemmata.rewriting.degrees import Degrees, check_parameters
from stemmata.rewriting.edits import Rewriting
from stemmata.rewriting.russian_draft import Draft, chosen_words
from stemmata.rewriting.russian_forms import LIVE, Reading, listed, word_list
from stemmata.rewriting.russian_grammar import russian_words
from stemmata.rewriting.strategy import Scene
from stemmata.text.thesaurus import Thesaurus, thesaurus

PARTS = frozenset(["NOUN", "ADJF", "ADJS", "COMP", "VERB", "INFN", "PRTF", "PRTS", "GRND", "ADVB"])
"""Parts of speech that have synonyms, in the terms of OpenCorpora."""
_VERBS = frozenset(["VERB", "INFN", "PRTF", "PRTS", "GRND"])
_LABEL = "синоним"
_TRIES = 4
"""How many words are tried until one has the form that the place asks for."""
_KINDS = frozenset(["perf", "impf", "tran", "intr"])
"""In what verbs must be alike to take each other's places."""
_AUXILIARIES = word_list("auxiliaries")
_RUDE = word_list("rude")


@dataclass(frozen=True)
class RussianSynonyms:
    """Replace Russian content words by synonyms in the same form.

    A noun may make way for one of another gender, if all that agrees with it can be told and changed too.

    Parameters
    ----------
    share
        The share of content words to replace, where the thesaurus has others.
    senses
        How many senses of a word to consider; each is half as likely as the one before.
    """

    share: float = tunable(0.5, 0.0, 1.0)
    senses: int = tunable(2, 1, 10)
    degrees: ClassVar[Degrees] = {"low": {"share": 0.3}, "high": {"share": 1.0}}

    def __post_init__(self) -> None:
        check_parameters(self)

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage with some words replaced."""
        russian = russian_words(text, scene, "replacing words by Russian synonyms")
        lexicon = thesaurus("ru")
        draft = Draft(russian)
        # Nouns first: the adjectives before them may have to follow.
        chosen = sorted(
            chosen_words(russian, self.share, scene.rng), key=lambda number: number not in russian.phrases
        )
        for number in chosen:
            word = russian.lexeme(number)
            senses = synonyms(lexicon, word, self.senses) if word else ()
            for _ in range(_TRIES if senses else 0):
                sense = senses[min(int(scene.rng.geometric(0.5)), len(senses)) - 1]
                lemma = sense[int(scene.rng.integers(len(sense)))]
                if draft.change(russian.replaced(number, lemma), "synonym"):
                    break
        return draft.rewriting()


@lru_cache(1 << 16)
def synonyms(lexicon: Thesaurus, word: Reading, senses: int) -> tuple[tuple[str, ...], ...]:
    """Return single words that can stand for one, sense by sense; those that name it in turn, if any do."""
    if word.part not in PARTS or word.lemma in _AUXILIARIES or word.grammemes & {"Apro", "Anum", "Prnt"}:
        return ()
    found = []
    for meaning in lexicon.meanings(word.lemma) or lexicon.meanings(word.lemma.replace("ё", "е")):
        if meaning.label != _LABEL:
            continue
        others = [listed(one, word.part) for one in dict.fromkeys(meaning.words)]
        fitting = [one.lemma for one in others if one and _can_stand_for(one, word)]
        mutual = [one for one in fitting if _names(lexicon, one, word.lemma)]
        if fitting:
            found.append(tuple(mutual or fitting))
    return tuple(found[:senses])


def are_synonyms(lexicon: Thesaurus, one: str, other: str) -> bool:
    """Return whether a word names another as its synonym, or is named by it."""
    return _names(lexicon, one, other) or _names(lexicon, other, one)


def _names(lexicon: Thesaurus, lemma: str, other: str) -> bool:
    shown = {other, other.replace("ё", "е")}
    return any(
        not shown.isdisjoint(meaning.words) for meaning in lexicon.meanings(lemma) if meaning.label == _LABEL
    )


def _can_stand_for(one: Reading, word: Reading) -> bool:
    if one.lemma == word.lemma or one.lemma in _RUDE or one.lemma in _AUXILIARIES:
        return False
    if word.part not in _VERBS:
        return word.part != "NOUN" or bool(one.grammemes & word.grammemes & LIVE)
    if one.lemma.endswith(("ся", "сь")) != word.lemma.endswith(("ся", "сь")):
        return False
    return one.grammemes & _KINDS == word.grammemes & _KINDS
