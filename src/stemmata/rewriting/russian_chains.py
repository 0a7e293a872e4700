"""Chains of Russian synonyms: a word is followed by others of its meaning, or such followers go.

After Smirnov et al., Dialogue 2017, section 3 ("adding and removing synonym chains").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from stemmata.model.parameters import tunable
from stemmata.rewriting.degrees import Degrees, check_parameters
from stemmata.rewriting.edits import Edit, Rewriting, rewritten
from stemmata.rewriting.russian_draft import chosen_words
from stemmata.rewriting.russian_forms import same_form
from stemmata.rewriting.russian_grammar import SPACE, RussianPassage, russian_words
from stemmata.rewriting.russian_synonyms import PARTS, are_synonyms, synonyms
from stemmata.rewriting.strategy import Scene
from stemmata.text.thesaurus import Thesaurus, thesaurus

_JOINING = ("и", "или", "либо")


@dataclass(frozen=True)
class RussianChains:
    """Add synonyms behind Russian words in the same form, and remove those that stand there.

    Nouns are followed by ``", или Y,"``, which leaves verbs as they are; other words by ``", Y"``.

    Parameters
    ----------
    share
        The share of content words to be followed by synonyms, where the thesaurus has any.
    longest
        The most synonyms to follow a word.
    removed
        The share of chains to remove.
    """

    share: float = tunable(0.2, 0.0, 1.0)
    longest: int = tunable(2, 1, 5)
    removed: float = tunable(0.6, 0.0, 1.0)
    degrees: ClassVar[Degrees] = {
        "low": {"share": 0.1, "longest": 1, "removed": 0.3},
        "high": {"share": 0.4, "longest": 2, "removed": 1.0},
    }

    def __post_init__(self) -> None:
        check_parameters(self)

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage with some chains more, and some fewer."""
        russian = russian_words(text, scene, "chains of Russian synonyms")
        lexicon = thesaurus("ru")
        luck = scene.rng.random(len(russian.passage)).tolist()
        edits: list[Edit] = []
        # A word of a chain that was there is not followed by others.
        busy: set[int] = set()
        for head, last, end in _chains(russian, lexicon):
            if head in busy:
                continue
            busy.update(range(head, last + 1))
            if luck[head] < self.removed:
                edits.append(Edit(russian.passage.end[head], end, "", "remove-chain"))
        for number in chosen_words(russian, self.share, scene.rng):
            if number not in busy and number + 1 not in busy:
                words = self._followers(russian, lexicon, number, scene.rng)
                if words:
                    edits.append(_added(russian, number, words))
        return rewritten(text, edits)

    def _followers(
        self, russian: RussianPassage, lexicon: Thesaurus, number: int, rng: Generator
    ) -> list[str]:
        """Return some synonyms of a word in its own form."""
        word = russian.lexeme(number)
        # Of words that cling to their neighbours chains would be torn.
        if word is None or word.part in ("PRTF", "GRND") or _is_joined(russian, number):
            return []
        senses = synonyms(lexicon, word, 1)
        lemmas = [senses[0][n] for n in rng.permutation(len(senses[0])).tolist()] if senses else []
        found = []
        for lemma in lemmas[: 2 * self.longest]:
            forms = {same_form(lemma, one) for one in russian.likely(number)}
            form = forms.pop()
            if form and not forms:
                found.append(russian.spelt(form))
        return found[: int(rng.integers(1, self.longest + 1))]


def _is_joined(russian: RussianPassage, number: int) -> bool:
    """Return whether a word stands in a row of words already."""
    words, passage = russian.passage.words, russian.passage
    if number + 1 < len(passage) and words[number + 1].lower() in _JOINING:
        return True
    return number > 0 and words[number - 1].lower() in _JOINING


def _added(russian: RussianPassage, number: int, words: list[str]) -> Edit:
    end = russian.passage.end[number]
    if number not in russian.phrases:
        return Edit(end, end, "".join(f", {word}" for word in words), "add-chain")
    closed = russian.passage.gap(number + 1).strip(SPACE)[:1]
    comma = "" if (closed and closed in ",.;:!?)…»\n\r") or number + 1 == len(russian.passage) else ","
    return Edit(end, end, "".join(f", или {word}" for word in words) + comma, "add-chain")


def _chains(russian: RussianPassage, lexicon: Thesaurus) -> Iterator[tuple[int, int, int]]:
    """Yield the first and the last word of each chain, and where what can go ends."""
    passage = russian.passage
    for head in range(len(passage) - 1):
        last, aside = _follower(russian, head)
        if last is None or not _alike(russian, lexicon, head, last, aside):
            continue
        end = passage.end[last]
        # The second comma of what stands aside goes with it.
        yield head, last, end + (aside and passage.text[end : end + 1] == ",")


def _follower(russian: RussianPassage, head: int) -> tuple[int | None, bool]:
    """Return the next word of a row, and whether it stands aside between commas (", или …")."""
    passage = russian.passage
    gap = passage.gap(head + 1).strip(SPACE)
    joined = passage.words[head + 1].lower() in _JOINING
    if passage.first[head + 1] != passage.first[head] or gap not in ("", ","):
        return None, False
    if not joined:
        return (head + 1, False) if gap == "," else (None, False)
    if head + 2 == len(passage) or passage.first[head + 2] != passage.first[head]:
        return None, False
    return (None if passage.gap(head + 2).strip(SPACE) else head + 2), gap == ","


def _alike(russian: RussianPassage, lexicon: Thesaurus, head: int, last: int, aside: bool) -> bool:
    """Return whether two words are synonyms in the same form, of which the second can go."""
    if not russian.free(last):
        return False
    for one in russian.readings[head]:
        for other in russian.readings[last]:
            if (
                one.part != other.part
                or one.part not in PARTS
                or not are_synonyms(lexicon, one.lemma, other.lemma)
            ):
                continue
            # Two subjects have their verb in the plural, and one would not.
            if one.part == "NOUN" and not aside and "nomn" in (one.case, other.case):
                return False
            same = same_form(other.lemma, one)
            if same and same.replace("ё", "е") == russian.passage.words[last].lower().replace("ё", "е"):
                return True
    return False
