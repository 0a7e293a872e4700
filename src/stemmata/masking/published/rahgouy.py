"""Contractions, words and sentence lengths against the author's habits: Rahgouy et al., 2018."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Literal

from numpy.random import Generator

from stemmata.masking.recipe import Recipe
from stemmata.model import Problem
from stemmata.model.parameters import tunable
from stemmata.rewriting import Edit, Rewriting, in_turn, rewritten
from stemmata.rewriting.contractions import Contractions, counts_by_table
from stemmata.rewriting.passage import capitalised
from stemmata.rewriting.phrases import Phrases
from stemmata.rewriting.reading import Reading, read
from stemmata.rewriting.substitution import Candidate, Substitution, placed
from stemmata.rewriting.transformation import apart
from stemmata.rewriting.word_variation import stands_alone
from stemmata.text.languages import ENGLISH
from stemmata.text.sentences import find_sentences
from stemmata.text.words import find_words

_PARTS = ("ADJ", "ADV", "VERB")
_SO = re.compile(r"\bso (?=\w+)", re.IGNORECASE)
_MAY_BE = re.compile(r"\bmay be\b", re.IGNORECASE)
_CONJUNCTION = re.compile(r"(?<=[^\W\d_]),? (and|but|or|yet|so) (?=[^\W\d_])")
_FIRST = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


@dataclass(frozen=True)
class Rahgouy2018(Recipe):
    """Turns contractions round, exchanges words that the author uses, merges short or splits long sentences.

    Rahgouy, Giglou, Rahgooy, Zeynali and Khayat Mirza Rasouli, "Author Masking Directed by Author's Style",
    PAN at CLEF 2018. Full forms are contracted if they prevail in the author's texts, and else
    contractions are written out. An adjective, adverb or verb that the author uses, or that occurs twice,
    makes way everywhere for the best synonym that the author uses less. If most sentences are shorter than
    the author's median, neighbours are joined by *and*; if most are longer, long ones are split at the first
    conjunction.

    Attributes
    ----------
    most_words
        The most words of a joined sentence.
    """

    most_words: int = tunable(50, 2, 1000)

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the text after the three steps."""
        # Without samples of the author, the text itself tells what is usual.
        known = [one.text for one in problem.known] or [problem.unknown.text]
        habits = _Habits.of(known)
        return in_turn(
            problem.unknown.text,
            [
                lambda now: rewritten(now, apart(Contractions(habits.turn, guess=True).proposals(now))),
                lambda now: rewritten(now, apart(_other_words(now, habits.words))),
                lambda now: rewritten(now, _resized(now, habits.length, self.most_words)),
            ],
        )


@dataclass(frozen=True)
class _Habits:
    """What is usual with an author: how often each word occurs, the median length of sentences.

    Attributes
    ----------
    turn
        What to do with contractions, against the habit.
    """

    turn: Literal["contract", "expand"]
    words: Counter[str]
    length: float

    @classmethod
    def of(cls, texts: list[str]) -> _Habits:
        short = full = 0
        words: Counter[str] = Counter()
        lengths: list[int] = []
        for text in texts:
            more = counts_by_table(text)
            short, full = short + more[0], full + more[1]
            words.update(find_words(text).forms)
            starts, ends = find_sentences(text, ENGLISH.code)
            lengths += [len(text[start:end].split()) for start, end in zip(starts, ends, strict=True)]
        return cls("contract" if full > short else "expand", words, median(lengths or [0]))


def _other_words(text: str, author: Counter[str]) -> Iterator[Edit]:
    """Yield the second step: words replaced wherever they occur."""
    reading = read(text)
    here = Counter(word.lower() for word in reading.passage.words)
    # The original takes all meanings, and the hundred nearest by word2vec, which seldom leave a word without
    # another. Ours takes all meanings, and more general ones for the neighbours: those vectors have 3 GB.
    settings = Substitution(
        ("synonym", "similar", "hypernym"), senses=10, least_share=0.0, least_similarity=0.0, common=False
    )
    chosen: dict[tuple[str, str], str] = {}
    used: set[str] = set()
    for number, tagged in enumerate(reading.tags):
        if tagged.part not in _PARTS or not stands_alone(reading.passage, number, tagged):
            continue
        word = reading.passage.words[number].lower()
        if not author[word] and here[word] < 2:
            continue
        key = (tagged.lemma, tagged.part)
        if key not in chosen:
            candidates = settings.candidates(word, tagged.part)
            chosen[key] = _best(candidates, author, author[word], here[word], used)
            used.add(chosen[key])
        edit = placed(reading.passage, number, tagged, chosen[key]) if chosen[key] else None
        if edit:
            yield edit
    # The original looks expressions of several words up in a table, and ours has one of its own.
    yield from (edit for edit in Phrases().proposals(text) if " " in text[edit.start : edit.end].strip())
    yield from _phrases(reading)


def _best(
    candidates: tuple[Candidate, ...], author: Counter[str], usual: int, here: int, used: set[str]
) -> str:
    """Return the synonym that is near in meaning and rare with the author, or nothing.

    Parameters
    ----------
    usual, here
        How often the word occurs with the author, and in the text.
    """
    best, most = "", 0.0
    for one in candidates:
        frequency = author[one.lemma]
        if one.lemma in used or (frequency and frequency >= usual) or (usual and frequency > here):
            continue
        # The paper adds the word mover's distance of the sentences; of two that differ in one word it depends
        # on these two alone, and orders the synonyms as their similarity does.
        score = (one.similarity + 1 / (1 + frequency)) / 2
        if score > most:
            best, most = one.lemma, score
    return best


def _phrases(reading: Reading) -> Iterator[Edit]:
    """Yield *very* for *so* before an adjective, and *maybe* for *may be*, as the paper has it."""
    text = reading.text
    for found in _SO.finditer(text):
        tag = reading.tag_from(found.end())
        # "So many that": where a consequence follows, "very" would leave it hanging.
        if tag == "AJ0" and " that " not in text[found.end() : reading.sentence_at(found.start())[1]]:
            yield Edit(found.start(), found.end(), "Very " if found[0][0] == "S" else "very ", "phrase")
    for found in _MAY_BE.finditer(text):
        yield Edit(found.start(), found.end(), "Maybe" if found[0][0] == "M" else "maybe", "phrase")


def _resized(text: str, length: float, most_words: int) -> Iterator[Edit]:
    """Yield the third step: neighbours joined or sentences split, whichever leads away from the author."""
    sentences = read(text).sentences
    lengths = [len(text[start:end].split()) for start, end in sentences]
    shorter, longer = sum(one < length for one in lengths), sum(one > length for one in lengths)
    if shorter > longer:
        yield from _joined(read(text), lengths, most_words)
    elif longer > shorter:
        for (start, end), words in zip(sentences, lengths, strict=True):
            found = _CONJUNCTION.search(text, start, end) if words > length else None
            if found:
                yield Edit(found.start(), found.end(1), f". {capitalised(found[1])}", "split")


def _joined(reading: Reading, lengths: list[int], most_words: int) -> Iterator[Edit]:
    text = reading.text
    words = 0
    for number, ((_, end), (start, _)) in enumerate(pairwise(reading.sentences)):
        # What was joined may be joined again, as long as it is no longer than may be.
        words = words or lengths[number]
        whole, words = words + lengths[number + 1] + 1, 0
        if whole > most_words:
            continue
        # Joining goes on within a paragraph, and questions and exclamations keep their marks.
        if text[end - 1] != "." or not reading.goes_on(end, start):
            continue
        first = _FIRST.match(text, start)
        if first:
            yield Edit(end - 1, first.end(), f" and {reading.passage.lowered(first[0])}", "merge")
            words = whole
