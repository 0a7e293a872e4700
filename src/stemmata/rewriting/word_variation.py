"""Semantic word variation: words make way for words of a near or opposite meaning.

After Potthast, Stein, Barrón-Cedeño and Rosso: An Evaluation Framework for Plagiarism Detection, COLING
2010, section 3.3: a synonym, antonym, hyponym or hypernym at random; a word without any is kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from numpy.random import Generator

from stemmata.model import ErrorCode, StemmataError
from stemmata.model.parameters import tunable
from stemmata.rewriting.agreement import inflected, with_articles
from stemmata.rewriting.degrees import Degrees, check_parameters
from stemmata.rewriting.edits import Rewriting, rewritten
from stemmata.rewriting.passage import Passage, can_leave, capitalised, tagged_words
from stemmata.rewriting.strategy import Scene
from stemmata.text.languages import ENGLISH
from stemmata.text.pos import Tagged
from stemmata.text.wordnet import PARTS, Synset, WordNet, wordnet

RELATIONS = ("synonym", "antonym", "hypernym", "hyponym", "similar")
"""Adjectives are under no more general word; those of similar meaning are nearest to it."""
_TRIES = 4
"""How many words are tried until one has the form that the place asks for."""
SINGLE = re.compile(r"(?=.*[aeiouy])[a-z]{2,}\Z")
"""One word, no name, no abbreviation."""
_RUDE = re.compile(r"\b(?:slur|offensive|obscen|vulgar|derogat|disparag|insult)")

Neighbours = tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
"""Relations with their words, sense by sense; those without any are left out."""


@dataclass(frozen=True)
class WordVariation:
    """Replace content words by words that WordNet relates to them, in the same form.

    English only. Names and function words are kept, and so is a word of which nothing is known.

    Parameters
    ----------
    share
        The share of content words to replace, where WordNet has others.
    senses
        How many senses of a word to consider; each is half as likely as the one before.
    relations
        How the new word may be related to the old one.
    """

    share: float = tunable(0.5, 0.0, 1.0)
    senses: int = tunable(2, 1, 10)
    relations: tuple[str, ...] = RELATIONS
    degrees: ClassVar[Degrees] = {"low": {"share": 0.25}, "high": {"share": 0.8}}

    def __post_init__(self) -> None:
        check_parameters(self)

    def rewrite(self, text: str, scene: Scene) -> Rewriting:
        """Return the passage with some words varied, and with articles to suit them."""
        if scene.language != ENGLISH.code:
            what = "varying words by WordNet"
            raise StemmataError(
                ErrorCode.NOT_IN_LANGUAGE, what=what, language=scene.language, known=ENGLISH.code
            )
        return self.vary(*tagged_words(text, scene.language, "varying words by WordNet"), scene)

    def vary(self, passage: Passage, tags: Sequence[Tagged], scene: Scene) -> Rewriting:
        """Return a passage that is tagged already with some words varied."""
        lexicon = wordnet()
        words, kinds = list(passage.words), [""] * len(passage)
        chosen = scene.rng.random(len(passage)) < self.share
        for number in chosen.nonzero()[0].tolist():
            if can_vary(passage, number, tags[number]):
                found = self._varied(words[number], tags[number], lexicon, scene.rng)
                if found:
                    kinds[number], words[number] = found
        words = with_articles(passage, words, kinds)
        return rewritten(passage.text, passage.edits(words, kinds))

    def _varied(self, word: str, tagged: Tagged, lexicon: WordNet, rng: Generator) -> tuple[str, str] | None:
        """Return another word for one in a sentence, and how it is related, or None."""
        known = _neighbours(lexicon, word.lower(), tagged.part, self.senses)
        relations = [one for one in known if one[0] in self.relations]
        if not relations:
            return None
        for _ in range(_TRIES):
            kind, senses = relations[int(rng.integers(len(relations)))]
            candidates = senses[min(int(rng.geometric(0.5)), len(senses)) - 1]
            form = inflected(candidates[int(rng.integers(len(candidates)))], tagged.tag)
            if form and form != word.lower():
                return kind, like_written(word, form)
        return None


def can_vary(passage: Passage, number: int, tagged: Tagged) -> bool:
    """Return whether a word is of an open class, no function word, and stands alone."""
    if tagged.part not in PARTS or passage.words[number].lower() in ENGLISH.function_words:
        return False
    return stands_alone(passage, number, tagged)


def stands_alone(passage: Passage, number: int, tagged: Tagged) -> bool:
    """Return whether a word is no name, no auxiliary, and no part of a contraction."""
    word = passage.words[number]
    # A capital inside a sentence makes a name, whatever the tagger thinks.
    named = word[0].isupper() and passage.first[number] != number
    helps = tagged.part == "VERB" and not tagged.tag.startswith("VV")
    return word.isalpha() and not named and not helps and can_leave(passage, number, tagged)


def like_written(word: str, form: str) -> str:
    """Return a form with the capitals of a word."""
    if word.isupper() and len(word) > 1:
        return form.upper()
    return capitalised(form) if word[0].isupper() else form


def polite_words(synsets: tuple[Synset, ...]) -> list[str]:
    """Return the words of meanings in order, leaving out meanings that are told to insult."""
    return [word for synset in synsets if not _RUDE.search(synset.gloss) for word in synset.words]


@lru_cache(1 << 16)
def _neighbours(lexicon: WordNet, form: str, part: str, senses: int) -> Neighbours:
    """Return what can stand for a word of some form: single words in lower case, common ones if any are."""
    lemma = next(iter(lexicon.lemmas(form, part)), None)
    if lemma is None:
        return ()
    found: dict[str, list[tuple[str, ...]]] = {relation: [] for relation in RELATIONS}
    for synset in lexicon.synsets(lemma, part)[:senses]:
        related: dict[str, tuple[Synset, ...]] = {
            "hypernym": lexicon.hypernyms(synset),
            "hyponym": lexicon.hyponyms(synset),
            "similar": lexicon.similar(synset),
        }
        words = {kind: polite_words(near) for kind, near in related.items()}
        words |= {"synonym": polite_words((synset,)), "antonym": list(lexicon.antonyms(lemma, synset))}
        for relation in RELATIONS:
            single = [word for word in dict.fromkeys(words[relation]) if SINGLE.match(word) and word != lemma]
            common = [word for word in single if lexicon.is_common(word, part)]
            if single:
                found[relation].append(tuple(common or single))
    return tuple((relation, tuple(lists)) for relation, lists in found.items() if lists)
