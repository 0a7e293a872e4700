"""A draft of a Russian passage: which words have changed so far, each of them once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from numpy.random import Generator

from stemmata.rewriting.edits import Edit, Rewriting, rewritten
from stemmata.rewriting.passage import capitalised
from stemmata.rewriting.russian_grammar import RussianPassage
from stemmata.text.languages import RUSSIAN

# Prepositions that have a fuller form before some beginnings of words.
_FULLER = {
    "о": ("об", re.compile(r"[аиоуэ]")),
    "в": ("во", re.compile(r"[вф][^аеёийоуыэюя]|льв|льд|рту|рву")),
    "с": ("со", re.compile(r"[сзшж][^аеёийоуыэюя]|щ|мно|льд|лба")),
    "к": ("ко", re.compile(r"мне|мно|вс[еёя]|втор|вто|льд|лбу|рту")),
}
_PLAIN = {fuller: plain for plain, (fuller, _) in _FULLER.items()}


@dataclass
class Draft:
    """The changes to a passage, none of which touches a word that another touched.

    Attributes
    ----------
    russian
        The passage.
    words
        The words that have changed, by their number.
    edits
        What was done.
    """

    russian: RussianPassage
    words: dict[int, str] = field(default_factory=dict)
    edits: list[Edit] = field(default_factory=list)

    def change(self, changed: Mapping[int, str] | None, kind: str) -> bool:
        """Put words in the places of others, if there are any and no place has changed before.

        The first has the kind; those that follow it have ``"agreement"``.
        """
        passage = self.russian.passage
        if not changed or not self.words.keys().isdisjoint(changed):
            return False
        made = []
        for place, (number, form) in enumerate(changed.items()):
            old = passage.words[number]
            new = self.russian.spelt(capitalised(form) if old[0].isupper() else form)
            if new != old:
                made.append(
                    Edit(passage.start[number], passage.end[number], new, "agreement" if place else kind)
                )
                self.words[number] = new
            elif not place:
                return False
        self.edits += made
        return True

    def rewriting(self) -> Rewriting:
        """Return the passage as it is now, with prepositions that suit the words behind them."""
        return rewritten(self.russian.passage.text, [*self.edits, *self._prepositions()])

    def _prepositions(self) -> Iterator[Edit]:
        passage = self.russian.passage
        for number, word in self.words.items():
            before = number - 1
            if before < 0 or before in self.words or passage.gap(number).strip():
                continue
            old = passage.words[before]
            new = preposition_before(old.lower(), word.lower())
            if new != old.lower() and new != preposition_before(old.lower(), passage.words[number].lower()):
                shown = capitalised(new) if old[0].isupper() else new
                yield Edit(passage.start[before], passage.end[before], shown, "preposition")


def preposition_before(preposition: str, word: str) -> str:
    """Return a preposition in the form that goes with the word behind it; what is none stays.

    Examples
    --------
    >>> preposition_before("о", "избе"), preposition_before("со", "дома"), preposition_before("на", "двор")
    ('об', 'с', 'на')
    """
    plain = _PLAIN.get(preposition, preposition)
    if plain not in _FULLER:
        return preposition
    fuller, beginnings = _FULLER[plain]
    return fuller if beginnings.match(word) else plain


def chosen_words(russian: RussianPassage, share: float, rng: Generator) -> Iterator[int]:
    """Yield the numbers of some content words that may change, from left to right."""
    chosen = rng.random(len(russian.passage)) < share
    for number in chosen.nonzero()[0].tolist():
        if russian.free(number) and russian.passage.words[number].lower() not in RUSSIAN.function_words:
            yield number
