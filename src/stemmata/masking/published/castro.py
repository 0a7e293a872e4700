"""Contractions turned round, sentences simplified, words replaced by synonyms: Castro et al., 2017."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from numpy.random import Generator

from stemmata.masking.recipe import Recipe
from stemmata.model import Problem, Span
from stemmata.rewriting import Edit, Rewriting, in_turn, rewritten
from stemmata.rewriting.agreement import inflected_expression
from stemmata.rewriting.contractions import Contractions
from stemmata.rewriting.discourse_markers import DiscourseMarkers, markers
from stemmata.rewriting.lookup import PhraseIndex
from stemmata.rewriting.passage import Passage, capitalised
from stemmata.rewriting.reading import read
from stemmata.rewriting.simplification import Simplification, between_commas
from stemmata.rewriting.substitution import placed
from stemmata.rewriting.transformation import apart
from stemmata.rewriting.word_variation import can_vary, like_written, stands_alone
from stemmata.text.pos import Tagged
from stemmata.text.wordnet import PARTS, wordnet
from stemmata.text.words import find_words

Sentence = tuple[int, int]


@dataclass(frozen=True)
class Castro2017(Recipe):
    """Writes contractions out or contracts full forms, or else shortens a sentence; then exchanges synonyms.

    Castro, Ortega and Muñoz, "Author Masking by Sentence Transformation", PAN at CLEF 2017. In each sentence,
    the rarer of contractions and full forms takes the place of the other. If there is nothing to do, what
    stands in parentheses, discourse markers, and what stands between the first and the last comma are left
    out. Then each word with a synonym that does not occur in the text makes way for it.
    """

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the text with its sentences transformed and its words exchanged."""
        text = problem.unknown.text
        turned = _turned(text)
        plain = _without_any(read(text).sentences, turned)
        first = rewritten(text, apart([*turned, *_shortened(text, plain)]))
        known = set(find_words(text).forms)
        return in_turn(
            text,
            [
                lambda _: first,
                lambda now: rewritten(now, _without_appositions(now, first, plain)),
                lambda now: rewritten(now, apart(_synonyms(now, known))),
            ],
        )


_SENSES = 4
"""Meanings that are looked at for another word."""


def _turned(text: str) -> list[Edit]:
    """Return contractions written out where they prevail in their sentence, and the other way round."""
    # The paper looks forms up in a table. Where 's and 'd could be two words, ours guesses; a verb that bears
    # stress, as in "I know who he is", is not contracted, which no reader would take for English.
    forms = apart(Contractions(rare=True, guess=True).proposals(text))
    sentences = read(text).sentences
    made: list[Edit] = []
    for here in _by_sentence(sentences, forms):
        short = [edit for edit in here if edit.kind == "expand"]
        full = [edit for edit in here if edit.kind == "contract"]
        if len(short) != len(full):
            made += short if len(short) > len(full) else full
    return made


def _by_sentence(sentences: list[Sentence], edits: list[Edit]) -> Iterator[list[Edit]]:
    """Yield the edits that begin in each sentence; edits are in order."""
    number = 0
    for _, end in sentences:
        here = []
        while number < len(edits) and edits[number].start < end:
            here.append(edits[number])
            number += 1
        yield here


def _without_any(sentences: list[Sentence], edits: list[Edit]) -> list[Sentence]:
    """Return the sentences in which nothing was done."""
    made = zip(sentences, _by_sentence(sentences, edits), strict=True)
    return [sentence for sentence, here in made if not here]


def _shortened(text: str, plain: list[Sentence]) -> list[Edit]:
    """Return the removals of parentheses and discourse markers from some sentences."""
    edits = Simplification(appositions="").proposals(text) + DiscourseMarkers(exchange=False).proposals(text)
    edits = apart([*edits, *_bare_markers(text)])
    made: list[Edit] = []
    number = 0
    for start, end in plain:
        while number < len(edits) and edits[number].start < end:
            made += [edits[number]] if edits[number].start >= start and edits[number].end <= end else []
            number += 1
    return made


def _bare_markers(text: str) -> Iterator[Edit]:
    """Yield the removals of markers that no comma sets off; the paper goes by a list alone."""
    reading = read(text)
    for start, end, _ in _marker_index().find(text):
        first = reading.begins_sentence(start)
        if text[end : end + 1] != " " or not text[end + 1 : end + 2].isalpha():
            continue
        new = capitalised(text[end + 1]) if first else text[end + 1]
        yield Edit(start, end + 2, new, "marker-removal")


@cache
def _marker_index() -> PhraseIndex:
    return PhraseIndex(markers())


def _without_appositions(now: str, first: Rewriting, plain: list[Sentence]) -> Iterator[Edit]:
    for start, end in plain:
        span = first.span_of(Span(start, end))
        yield from between_commas(now, span.start, span.end)


def _synonyms(text: str, known: set[str]) -> Iterator[Edit]:
    """Yield for each word the first other word of its meaning that does not occur in the text."""
    reading, lexicon = read(text), wordnet()
    for number, tagged in enumerate(reading.tags):
        if tagged.part not in PARTS or not stands_alone(reading.passage, number, tagged):
            continue
        # Every word that has a meaning is looked up, adverbs and adjectives among function words, too.
        plain = can_vary(reading.passage, number, tagged)
        lemma = next(iter(lexicon.lemmas(reading.passage.words[number].lower(), tagged.part)), None)
        # The paper finds meanings by UKB in FreeLing, a random walk over WordNet, which takes another than
        # the commonest for every third word or so. Ours takes the next where the commonest has no word; of
        # words that serve grammar, whose first meaning is nearly all they have, the first alone.
        senses = lexicon.synsets(lemma, tagged.part)[: _SENSES if plain else 1] if lemma else ()
        words = (word for sense in senses for word in sense.words if word != lemma)
        new = next((word for word in words if _is_new(word, known)), None)
        # The paper is silent about inflection; the organisers' grade, between good and fair, speaks for it.
        edit = _in_place(reading.passage, number, tagged, new) if new else None
        if edit:
            yield edit


def _in_place(passage: Passage, number: int, tagged: Tagged, new: str) -> Edit | None:
    """Return the edit that puts a word in place, or an expression, of which the head is inflected."""
    if " " not in new:
        return placed(passage, number, tagged, new)
    form = inflected_expression(new, tagged.tag, 0 if tagged.part == "VERB" else -1)
    if not form:
        return None
    return Edit(
        passage.start[number], passage.end[number], like_written(passage.words[number], form), "synonym"
    )


def _is_new(word: str, known: set[str]) -> bool:
    return word.replace(" ", "").isalpha() and word.islower() and word not in known
