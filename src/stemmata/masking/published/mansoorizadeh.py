"""One word of each sentence, the most usual of the author's, makes way: Mansoorizadeh et al., 2016."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log10

from numpy.random import Generator

from stemmata.masking.pieces import pieces_of
from stemmata.masking.recipe import Recipe
from stemmata.model import Document, Piece, Problem
from stemmata.model.parameters import tunable
from stemmata.rewriting import Edit, Rewriting, rewritten
from stemmata.rewriting.agreement import inflected_expression
from stemmata.rewriting.reading import Reading, read
from stemmata.rewriting.treebank_spacing import TreebankSpacing
from stemmata.text.pos import Tagged
from stemmata.text.wordnet import PARTS, WordNet, wordnet
from stemmata.text.words import find_tokens


@dataclass(frozen=True)
class Mansoorizadeh2016(Recipe):
    """In each sentence, the author's most usual word that has a synonym makes way for it.

    Mansoorizadeh, Rahgooy, Aminiyan and Eskandari, "Author Obfuscation using WordNet and Language Models",
    PAN at CLEF 2016. Of each sentence, the tokens among the author's most common ones are looked up in
    WordNet; what a synonym is worth is the similarity of its meaning (Wu and Palmer) times what the sentence
    wins in a language model, plus a bonus, times how common the token is with the author. The best of the
    sentence is taken if the sentence does not lose too much. The text is written as joined tokens, as the
    original does, so that marks stand apart from their words.

    Attributes
    ----------
    usual
        How many of the author's most common tokens count as usual.
    synonyms
        How many meanings of a word to take a synonym from, among those named by another word.
    most_loss
        What a sentence may lose in the language model.
    bonus
        What any synonym is worth.
    """

    usual: int = tunable(200, 1, 10_000)
    synonyms: int = tunable(3, 1, 50)
    most_loss: float = tunable(0.05, 0.0, 10.0)
    bonus: float = tunable(0.1, 0.0, 10.0)

    def mask(self, problem: Problem) -> list[Piece]:
        """Return the pieces: as in the original, one for each sentence."""
        return pieces_of(self.rewriting(problem), most_words=1)

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the text as joined tokens, with one word of a sentence replaced."""
        text = problem.unknown.text
        reading = read(text)
        # Without samples of the author, the text itself tells what is usual.
        usual = dict(_usual(problem.known or (problem.unknown,), self.usual))
        edits = [edit for sentence in reading.sentences for edit in self._best(reading, sentence, usual)]
        return rewritten(text, [*TreebankSpacing().proposals(text), *edits])

    def _best(self, reading: Reading, sentence: tuple[int, int], usual: dict[str, float]) -> Iterator[Edit]:
        """Yield the best replacement in a sentence, if there is any."""
        passage, lexicon = reading.passage, wordnet()
        first, behind = reading.word_from(sentence[0]), reading.word_from(sentence[1])
        best: tuple[float, int, str] | None = None
        for number in range(first, behind):
            word, tagged = passage.words[number].lower(), reading.tags[number]
            if word not in usual or tagged.part not in PARTS:
                continue
            for synonym, similarity, gain in _synonyms(lexicon, word, tagged, self.synonyms):
                # The gain of a sentence, per word.
                worth = similarity * gain / (behind - first)
                if worth > -self.most_loss:
                    worth = (worth + self.bonus) * usual[word]
                    if best is None or worth > best[0]:
                        best = (worth, number, synonym)
        if best:
            # The original leaves out the capital of a sentence's first word.
            yield Edit(passage.start[best[1]], passage.end[best[1]], best[2], "synonym")


def _usual(documents: Sequence[Document], count: int) -> list[tuple[str, float]]:
    """Return the most common tokens of some texts with their shares."""
    counts = Counter(form for document in documents for form in find_tokens(document.text).forms)
    common = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:count]
    total = sum(number for _, number in common)
    return [(form, number / total) for form, number in common]


@lru_cache(1 << 15)
def _synonyms(
    lexicon: WordNet, word: str, tagged: Tagged, count: int
) -> tuple[tuple[str, float, float], ...]:
    """Return synonyms in the form of a word, each with its similarity and what a text wins by it."""
    part = tagged.part
    lemma = next(iter(lexicon.lemmas(word, part)), "")
    meanings = lexicon.synsets(lemma, part) if lemma else ()
    found: list[tuple[str, float, float]] = []
    for meaning in meanings:
        head = meaning.words[0].lower()
        if len(found) == count:
            break
        # The original compares beginnings, so that *be* would stand for *was*; forms of one word are left.
        if head.startswith((word, lemma)) or word.startswith(head):
            continue
        form = _in_form(head, tagged.tag)
        if form and form != word:
            gain = log10(_frequency(lexicon, head, part)) - log10(_frequency(lexicon, lemma, part))
            found.append((form, lexicon.similarity(meanings[0], meaning), gain))
    return tuple(found)


def _frequency(lexicon: WordNet, lemma: str, part: str) -> int:
    # The original asks a model of word sequences in the Brown corpus (KenLM). The counts of WordNet come from
    # the part of that corpus which its makers annotated; they tell of words alone, and cost nothing. In the
    # original's outputs synonyms that no context allows are frequent: its model cannot have weighed much.
    return 1 + sum(lexicon.counts(lemma, part))


def _in_form(head: str, tag: str) -> str | None:
    """Return a synonym in the form of a tag; of several words, the first or the last is inflected."""
    # *Do* and *have* have tags of their own, but forms as all verbs.
    tag = f"VV{tag[2:]}" if tag[:2] in ("VD", "VH") else tag
    return inflected_expression(head, tag, 0 if tag.startswith("V") else -1)
