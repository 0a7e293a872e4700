"""There and back by machine translation, then rare synonyms: Keswani et al., 2016."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from numpy.random import Generator

from stemmata.masking.pieces import pieces_of
from stemmata.masking.recipe import Recipe
from stemmata.model import Document, Piece, Problem
from stemmata.model.parameters import tunable
from stemmata.rewriting import Edit, Rewriting, in_turn, rewritten
from stemmata.rewriting.passage import can_leave
from stemmata.rewriting.reading import Reading, read
from stemmata.rewriting.spelling_variety import SpellingVariety, variety_of
from stemmata.rewriting.transformation import apart
from stemmata.text.languages import ENGLISH
from stemmata.text.sentences import find_sentences
from stemmata.text.stems import stems
from stemmata.text.translation import Apertium, Translator
from stemmata.text.wordnet import PARTS, WordNet, wordnet
from stemmata.text.words import find_tokens

_KEPT = 1 << 14
_LOST = ("VV", "VD", "VM", "VH", "AVP", "AVQ", "CJS", "DTQ", "PNQ", "EX0", "PRP")
"""Beginnings of the tags of verbs, of their particles, and of what begins subordinate clauses."""


@dataclass(frozen=True)
class Keswani2016(Recipe):
    """Each sentence is translated there and back, and some of its words make way for rarely used synonyms.

    Keswani, Trivedi, Mehta and Majumder, "Author Masking through Translation", PAN at CLEF 2016. The text is
    put into the variety of English, British or American, that the author does not write; each sentence goes
    through another language and back; then three to five of its content words become the word of their
    first meaning in WordNet that the author uses least.

    Attributes
    ----------
    routes
        The languages that sentences go through, one of these at random.
    lost
        The share of verbs, their particles, prepositions and openings of clauses that get lost on the way.
    fewest, most
        How many content words of a sentence make way.
    translator
        The engine.
    """

    # The original goes through Vietnamese, Hungarian, Haitian, Chinese, Maltese or Norwegian, there by one
    # web service and back by another. These are no more, or not for programs without an account. Apertium has
    # rules for fewer languages: Esperanto makes texts shorter and loses the indefinite article, Spanish makes
    # them longer and keeps it.
    routes: tuple[str, ...] = ("en-eo-en", "en-es-en")
    # The original's outputs have 14% fewer words. What they lack are verbs, of which learned translation
    # loses those that another language puts elsewhere (nine in ten of *get*, *make*, *go* are gone), and the
    # small words that begin clauses; articles they keep (nine in ten). The share is chosen on the first
    # hundred problems of PAN16.
    lost: float = tunable(0.65, 0.0, 1.0)
    fewest: int = tunable(3, 0, 100)
    most: int = tunable(5, 0, 100)
    translator: Translator = field(default_factory=Apertium, repr=False)
    _translations: dict[tuple[str, str], str] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def mask(self, problem: Problem) -> list[Piece]:
        """Return the pieces: as in the original, one for each sentence."""
        return pieces_of(self.rewriting(problem), most_words=1)

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the text in another variety, translated there and back, with rare words."""
        # Without samples of the author, the text itself tells how they write.
        samples = problem.known or (problem.unknown,)
        vocabulary = Counter(form for one in samples for form in find_tokens(one.text).forms)
        return in_turn(
            problem.unknown.text,
            [
                lambda text: _other_variety(text, samples),
                lambda text: self._translated(text, rng),
                lambda text: self._worn(text, vocabulary, rng),
                _begun_small,
            ],
        )

    def _translated(self, text: str, rng: Generator) -> Rewriting:
        starts, ends = find_sentences(text, ENGLISH.code)
        spans = list(zip(starts.tolist(), ends.tolist(), strict=True))
        chosen = rng.integers(len(self.routes), size=len(spans)).tolist()
        edits: list[Edit] = []
        for number, route in enumerate(self.routes):
            some = [span for span, one in zip(spans, chosen, strict=True) if one == number]
            made = self._through(route, [text[start:end] for start, end in some])
            edits += [
                Edit(start, end, new.strip(), "translation")
                for (start, end), new in zip(some, made, strict=True)
                if new.strip()
            ]
        return rewritten(text, edits)

    def _through(self, route: str, sentences: list[str]) -> list[str]:
        """Return sentences translated along a route; those translated lately are not translated again."""
        known = self._translations
        new = [one for one in dict.fromkeys(sentences) if (route, one) not in known]
        made = new
        for source, target in pairwise(route.split("-")):
            made = self.translator.translate(made, source, target)
        if len(known) + len(new) > _KEPT:
            known.clear()
        of = {one: known[route, one] for one in sentences if (route, one) in known}
        of |= dict(zip(new, made, strict=True))
        known.update(((route, one), of[one]) for one in new)
        return [of[one] for one in sentences]

    def _worn(self, text: str, vocabulary: Counter[str], rng: Generator) -> Rewriting:
        """Return the text with words lost and others made rare."""
        reading = read(text)
        passage = reading.passage
        lost = self._lost(reading, rng)
        edits = [Edit(passage.start[one], passage.start[one + 1], "", "loss") for one in lost]
        for start, end in reading.sentences:
            numbers = range(reading.word_from(start), reading.word_from(end))
            # Which words it draws from is not told; ours have another word, so that three to five do change.
            content = [number for number in numbers if number not in lost and _others(reading, number)]
            count = int(rng.integers(self.fewest, self.most + 1))
            for place in sorted(rng.permutation(len(content))[:count].tolist()):
                number = content[place]
                rare = min(_others(reading, number), key=lambda one: vocabulary[one])
                # As in the original, it is not inflected.
                edits.append(Edit(passage.start[number], passage.end[number], rare, "synonym"))
        return rewritten(text, edits)

    def _lost(self, reading: Reading, rng: Generator) -> set[int]:
        """Return the numbers of the words that get lost."""
        passage = reading.passage
        found: set[int] = set()
        drawn = rng.random(len(passage)) < self.lost
        for number in drawn.nonzero()[0].tolist():
            # A word can go with the blank behind it, unless it begins or ends a sentence.
            inside = passage.first[number] != number and number + 1 < len(passage)
            bare = inside and passage.gap(number) == passage.gap(number + 1) == " "
            if bare and reading.tags[number].tag.startswith(_LOST):
                found.add(number)
        return found


def _begun_small(text: str) -> Rewriting:
    """Return the text with small letters where sentences begin, as engines write that learned from such."""
    reading = read(text)
    passage = reading.passage
    edits = []
    for start, end in reading.sentences:
        number = reading.word_from(start)
        if number < reading.word_from(end):
            word = passage.words[number]
            if word.istitle() and len(word) > 1 and reading.tags[number].part != "PROPN":
                at = passage.start[number]
                edits.append(Edit(at, at + 1, word[0].lower(), "casing"))
    return rewritten(text, edits)


def _other_variety(text: str, samples: Sequence[Document]) -> Rewriting:
    """Return the text in the variety that the author does not write; British where that cannot be told."""
    author = variety_of("\n".join(one.text for one in samples)) or variety_of(text) or "american"
    other = "american" if author == "british" else "british"
    return rewritten(text, apart(SpellingVariety(to=other, vocabulary=True).proposals(text)))


def _others(reading: Reading, number: int) -> tuple[str, ...]:
    """Return other words for a content word; none for other words."""
    word, tagged = reading.passage.words[number], reading.tags[number]
    if tagged.part not in PARTS or not word.isalpha() or word.lower() in ENGLISH.stop_words:
        return ()
    return (
        _first_meaning(wordnet(), word.lower(), tagged.part)
        if can_leave(reading.passage, number, tagged)
        else ()
    )


@lru_cache(1 << 15)
def _first_meaning(lexicon: WordNet, form: str, part: str) -> tuple[str, ...]:
    """Return the words of the first meaning of a form that have another stem."""
    lemma = next(iter(lexicon.lemmas(form, part)), "")
    meanings = lexicon.synsets(lemma, part) if lemma else ()
    if not meanings:
        return ()
    own = stems([form, lemma], ENGLISH.code)
    words = meanings[0].words
    return tuple(
        word for word, stem in zip(words, stems(words, ENGLISH.code), strict=True) if stem not in own
    )
