"""Russian number: singulars become plurals and plurals singulars, with all that agrees with them.

After Smirnov et al., Dialogue 2017, section 3 ("singular/plural replacement").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stemmata.model.parameters import tunable
from stemmata.rewriting.degrees import Degrees, check_parameters
from stemmata.rewriting.edits import Rewriting
from stemmata.rewriting.russian_draft import Draft, chosen_words
from stemmata.rewriting.russian_forms import GOVERNED, word_list
from stemmata.rewriting.russian_grammar import RussianPassage, russian_words
from stemmata.rewriting.strategy import Scene

_TELLING = word_list("telling")
_AMONG = frozenset(["между", "меж", "среди", "из"])
_ABSTRACT = ("ость", "ство", "изм", "рование", "изация")
"""How nouns end of which there are hardly many."""


@dataclass(frozen=True)
class RussianNumber:
    """Turn Russian singulars into plurals and plurals into singulars.

    Adjectives before the noun follow, and so does the verb of which it is the subject. Where it is counted,
    joined to another, or where its case or its verb is in doubt, a noun stays.

    Parameters
    ----------
    share
        The share of nouns to change, among those that can be.
    """

    share: float = tunable(0.6, 0.0, 1.0)
    degrees: ClassVar[Degrees] = {"low": {"share": 0.3}, "high": {"share": 1.0}}

    def __post_init__(self) -> None:
        check_parameters(self)

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage with some nouns in the other number."""
        russian = russian_words(text, scene, "changing the number of Russian nouns")
        draft = Draft(russian)
        for number in chosen_words(russian, self.share, scene.rng):
            word = russian.lexeme(number)
            if word and number in russian.phrases and not _fixed(russian, number):
                kind = "plural" if word.number == "sing" else "singular"
                draft.change(russian.declined(number, word.lemma, other_number=True), kind)
        return draft.rewriting()


def _fixed(russian: RussianPassage, number: int) -> bool:
    """Return whether the number of a noun cannot change, or is what its surroundings speak of."""
    phrase = russian.phrases[number]
    if phrase.counted or any("Sgtm" in one.grammemes for one in phrase.readings):
        return True
    if phrase.readings[0].lemma.endswith(_ABSTRACT):
        return True
    words, after = russian.passage.words, number + 1
    among = phrase.readings[0].number == "plur" and russian.before(number) in _AMONG
    if among or (after < len(words) and words[after][0].isdigit()):
        return True
    # Who is called something in the instrumental is one, or many.
    if phrase.cases == {"ablt"} and "anim" in phrase.readings[0].grammemes:
        return russian.before(number) not in GOVERNED
    return any(
        one.lemma in _TELLING or "Anum" in one.grammemes
        for modifier in phrase.modifiers
        for one in russian.readings[modifier]
    )
