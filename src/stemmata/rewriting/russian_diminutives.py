"""Russian diminutives: words become smaller and dearer, or lose what made them so.

After Smirnov et al., Dialogue 2017, section 3 ("adding and removing diminutives"). The pairs stand in a
table, since endings alone would make vodka of water.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import ClassVar

from stemmata.model.parameters import tunable
from stemmata.rewriting.degrees import Degrees, check_parameters
from stemmata.rewriting.edits import Rewriting
from stemmata.rewriting.russian_draft import Draft, chosen_words
from stemmata.rewriting.russian_grammar import russian_words
from stemmata.rewriting.strategy import Scene

_PARTS = {"nouns": "NOUN", "adjectives": "ADJF", "adverbs": "ADVB"}


@dataclass(frozen=True)
class RussianDiminutives:
    """Add and remove Russian diminutives.

    Parameters
    ----------
    share
        The share of words to make diminutives of, among those that have one.
    removed
        The share of diminutives to make plain words of.
    """

    share: float = tunable(0.6, 0.0, 1.0)
    removed: float = tunable(0.6, 0.0, 1.0)
    degrees: ClassVar[Degrees] = {
        "low": {"share": 0.3, "removed": 0.3},
        "high": {"share": 1.0, "removed": 1.0},
    }

    def __post_init__(self) -> None:
        check_parameters(self)

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage with some words made smaller, and some larger."""
        russian = russian_words(text, scene, "changing Russian diminutives")
        smaller, larger = _tables()
        draft = Draft(russian)
        luck = scene.rng.random(len(russian.passage)).tolist()
        for number in chosen_words(russian, 1.0, scene.rng):
            word = russian.lexeme(number)
            # What is counted is mostly a measure: years are not made smaller.
            if word is None or (number in russian.phrases and russian.phrases[number].counted):
                continue
            key = (word.lemma, word.part)
            if key in smaller and luck[number] < self.share:
                draft.change(russian.replaced(number, smaller[key]), "add-diminutive")
            elif key in larger and luck[number] < self.removed:
                draft.change(russian.replaced(number, larger[key]), "remove-diminutive")
        return draft.rewriting()


@cache
def _tables() -> tuple[dict[tuple[str, str], str], dict[tuple[str, str], str]]:
    """Return diminutives by word and part of speech, and words by diminutive."""
    path = files("stemmata.text") / "data" / "russian_diminutives.toml"
    smaller, larger = {}, {}
    for name, text in tomllib.loads(path.read_text("utf-8")).items():
        words = text.split()
        for plain, small in zip(words[::2], words[1::2], strict=True):
            smaller[plain, _PARTS[name]] = small
            larger[small, _PARTS[name]] = plain
    return smaller, larger
