"""Substitution: other words for a word in its place, the best first, inflected and with the article to suit.

Candidates are the synonyms that WordNet lists for a word's commonest meanings, words of the next more general
meanings, adjectives of similar ones, and, where asked for, neighbours by word vectors. English.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from math import log1p, sqrt
from typing import NamedTuple

import numpy as np

from stemmata.model import ErrorCode, StemmataError
from stemmata.model.parameters import tunable
from stemmata.rewriting.agreement import ARTICLES, article_before, inflected_expression, is_plural
from stemmata.rewriting.degrees import check_parameters
from stemmata.rewriting.edits import Edit
from stemmata.rewriting.passage import Passage, capitalised
from stemmata.rewriting.reading import Reading, read
from stemmata.rewriting.word_variation import SINGLE, can_vary, like_written, polite_words
from stemmata.text.languages import ENGLISH
from stemmata.text.pos import Tagged
from stemmata.text.stems import stems
from stemmata.text.vectors import english_vectors
from stemmata.text.wordnet import PARTS, Synset, WordNet, wordnet

RELATIONS = ("synonym", "similar", "hypernym", "neighbour")
"""How another word may be related; the last by word vectors, the others by WordNet."""
_LONGEST_EXPRESSION = 4
"""Words of the longest expressions that are looked up."""
_UNSEEN = 0.5
"""What a meaning that was never annotated counts."""
_FAMILIAR = 2.0
"""Of a word with this logarithm of its count, half the score is left."""
_NEIGHBOURS = 40
_LEAST_COSINE = 0.45
"""Vectors of the model's input table have cosines below .3 for most words, above .45 for kindred ones."""
_LEAST_ALONE = 0.53
"""What the cosine must be where vectors are the only witness."""
_UNLIKE, _SELDOM, _DOUBTED = 0.3, 0.1, 0.6
"""Below such a cosine vectors speak against what a dictionary says, and below such a share of its occurrences
a word is hardly known as this part of speech: so much of its score is left."""
_COMMON_STEM = 5
"""Letters that words have in common at their beginning if one is made from the other."""
_USUAL = 4
"""Meanings of a word that are thought of when it is set beside another."""
_COLOURS = {
    "black", "blue", "brown", "crimson", "golden", "gray", "green", "grey", "orange", "pink", "purple", "red",
    "scarlet", "silver", "white", "yellow",
}  # fmt: skip
"""Two of a kind of which no table of meanings says so."""

# What may follow a verb, by the tags of the next word, and the frames of WordNet that allow it.
_TRANSITIVE = frozenset((5, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 30, 31))
_WITH_PREPOSITION = frozenset((1, 2, 4, 12, 13, 22, 27))
_FRAMES = {
    "TO0": frozenset((28,)), "CJT": frozenset((26, 34)), "DTQ": frozenset((26, 29)),
    "AVQ": frozenset((26, 29)), "VVG": frozenset((33,)), "AT0": _TRANSITIVE, "DPS": _TRANSITIVE,
    "DT0": _TRANSITIVE, "PNP": _TRANSITIVE | {26}, "PNX": _TRANSITIVE, "PNI": _TRANSITIVE,
    "NN0": _TRANSITIVE, "NN1": _TRANSITIVE, "NN2": _TRANSITIVE, "NP0": _TRANSITIVE, "CRD": _TRANSITIVE,
    "AJ0": _TRANSITIVE | {6, 7},
}  # fmt: skip
_LOOSE = {
    "in", "at", "by", "during", "since", "after", "before", "until", "within", "without", "through",
    "across", "around", "behind", "near", "along",
}  # fmt: skip
"""Prepositions that most verbs take without being bound to them."""
_DEGREES = {"more", "most", "less", "least"}
_GRADES = frozenset({
    "extremely", "fairly", "pretty", "quite", "rather", "slightly", "so", "somewhat", "too", "very",
})  # fmt: skip
_UTMOST = {
    "awful", "boundless", "colossal", "contemporary", "crucial", "enormous", "essential", "excellent",
    "exquisite", "extraordinary", "furious", "gigantic", "huge", "ideal", "immense", "magnificent",
    "marvellous", "perfect", "splendid", "starving", "superb", "terrific", "terrified", "tremendous",
    "unique", "vast", "vital", "wonderful",
}  # fmt: skip
"""What is so much already that nothing is "very" so."""
_BEHIND_ONLY = {
    "abroad", "afloat", "afraid", "alight", "alike", "alive", "alone", "ashamed", "asleep", "awake", "aware",
    "glad", "ill", "unable", "well",
}  # fmt: skip
"""Adjectives that do not stand before what they tell of."""


class Candidate(NamedTuple):
    """Another word for a word, whatever its place.

    Attributes
    ----------
    lemma
        The other word, as a dictionary lists it.
    relation
        One of `RELATIONS`.
    similarity
        Of the meanings, after Wu and Palmer; of a neighbour, the cosine of the vectors.
    score
        How good it is, from 0 to 1: similarity, times how likely both words have this meaning, times how
        familiar the other word is.
    meaning
        What the other word means; None of a neighbour.
    """

    lemma: str
    relation: str
    similarity: float
    score: float
    meaning: Synset | None


class Substitute(NamedTuple):
    """Another word in the place of one.

    Attributes
    ----------
    edit
        What to write; where the article before the word changes with it, that is in the edit, too.
    number
        Which token of the reading makes way.
    candidate
        The other word.
    """

    edit: Edit
    number: int
    candidate: Candidate

    @property
    def score(self) -> float:
        """How good the other word is, from 0 to 1."""
        return self.candidate.score


@dataclass(frozen=True)
class Substitution:
    """Propose other words for the words of a text.

    Names, function words, auxiliaries, parts of contractions and words of fixed expressions are left alone.
    Needs the tagger (extra ``pos``), lemminflect (extra ``lemmas``) and WordNet; neighbours need the extra
    ``vectors``.

    Parameters
    ----------
    relations
        How the other word may be related.
    senses
        How many meanings of a word to consider, the commonest first.
    least_share
        Of a word's occurrences, the share that must have a meaning for it to be considered; the first is
        without this.
    least_similarity
        The least similarity of the meanings.
    most
        How many alternatives to give for one word.
    common
        Take only words that occur in the texts which WordNet's makers annotated.
    careful
        Leave out what mostly goes wrong: poor substitutes, verbs in frames that the other verb does not take,
        words bound to a preposition, parts of compounds, short words after *more*, and what stands beside the
        word already.

    Examples
    --------
    >>> [edit.replacement for edit in Substitution(most=1).proposals("It was an error.")]  # doctest: +SKIP
    ['a mistake']
    """

    relations: tuple[str, ...] = ("synonym", "similar", "hypernym")
    senses: int = tunable(2, 1, 10)
    least_share: float = tunable(0.2, 0.0, 1.0)
    least_similarity: float = tunable(0.6, 0.0, 1.0)
    most: int = tunable(4, 1, 100)
    common: bool = True
    careful: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)
        for relation in self.relations:
            if relation not in RELATIONS:
                rule = f"each must be one of {', '.join(RELATIONS)}"
                raise StemmataError(ErrorCode.BAD_PARAMETER, name="relations", value=relation, rule=rule)

    def proposals(self, text: str) -> list[Edit]:
        """Return edits in order of place, alternatives with the best first."""
        return [one.edit for one in self.substitutes(read(text))]

    def substitutes(self, reading: Reading) -> list[Substitute]:
        """Return other words for the words of a text, in order of place, then the best first."""
        return [one for number in range(len(reading.passage)) for one in self.at(reading, number)]

    def at(self, reading: Reading, number: int) -> list[Substitute]:
        """Return other words for one token, the best first."""
        tagged = reading.tags[number]
        if not can_be_replaced(reading, number) or (self.careful and _bound(reading, number)):
            return []
        found: dict[str, Substitute] = {}
        for candidate in self.candidates(reading.passage.words[number], tagged.part):
            if len(found) == self.most:
                break
            if self.careful and not _fits(reading, number, candidate):
                continue
            edit = placed(reading.passage, number, tagged, candidate.lemma, candidate.relation)
            if edit:
                found.setdefault(edit.replacement, Substitute(edit, number, candidate))
        return list(found.values())

    def candidates(self, form: str, part: str) -> tuple[Candidate, ...]:
        """Return other words for a word of some form and part of speech, the best first."""
        return _candidates(self, wordnet(), form.lower(), part)


def can_be_replaced(reading: Reading, number: int) -> bool:
    """Return whether a token is a content word by itself, no name, and no part of a fixed expression."""
    passage, tagged = reading.passage, reading.tags[number]
    if not can_vary(passage, number, tagged):
        return False
    return not is_name(reading, number) and not in_expression(reading, number)


def is_name(reading: Reading, number: int) -> bool:
    """Return whether a token has a capital and is written with one inside a sentence, there or elsewhere."""
    word = reading.passage.words[number]
    return word[0].isupper() and word in _names(reading.text)


def in_expression(reading: Reading, number: int) -> bool:
    """Return whether a token belongs to an expression of several words that a dictionary lists as one."""
    known, beginnings = _expressions(wordnet())
    for start in range(max(0, number - _LONGEST_EXPRESSION + 1), number + 1):
        low, lemma = reading.passage.words[start].lower(), reading.tags[start].lemma.lower()
        if low not in beginnings and lemma not in beginnings:
            continue
        for end in range(start + 2, min(start + _LONGEST_EXPRESSION, len(reading.passage)) + 1):
            if reading.passage.gap(end - 1).strip():
                break
            if end > number and not known.isdisjoint(_ways_to_list(reading, start, end)):
                return True
    return False


def placed(passage: Passage, number: int, tagged: Tagged, lemma: str, kind: str = "synonym") -> Edit | None:
    """Return the edit that puts another word in a token's place, or None where it has no fitting form.

    The form and the capitals are those of the token. An article before it is in the edit if it changes.
    """
    word = passage.words[number]
    # Of several words, a verb or the last noun is inflected.
    form = inflected_expression(lemma, tagged.tag, -1 if tagged.part == "NOUN" else 0)
    if not form or form == word.lower():
        return None
    form = like_written(word, form)
    start, end = passage.start[number], passage.end[number]
    article = passage.words[number - 1] if number else ""
    gap = passage.gap(number)
    if article.lower() in ARTICLES and gap and not gap.strip(" \t\r\n\"'“‘"):
        new = article_before(form)
        if new != article.lower():
            new = capitalised(new) if article[0].isupper() else new
            return Edit(passage.start[number - 1], end, f"{new}{gap}{form}", kind)
    return Edit(start, end, form, kind)


@lru_cache(4)
def _names(text: str) -> frozenset[str]:
    """Return the words that have a capital inside a sentence somewhere in a text."""
    passage = read(text).passage
    return frozenset(
        word
        for number, word in enumerate(passage.words)
        if word[0].isupper() and passage.first[number] != number
    )


def _ways_to_list(reading: Reading, start: int, end: int) -> tuple[str, ...]:
    """Return what some words may be listed under: as they are, or with the first or last uninflected."""
    low = [word.lower() for word in reading.passage.words[start:end]]
    first, last = reading.tags[start].lemma.lower(), reading.tags[end - 1].lemma.lower()
    middle = low[1:-1]
    ways = ([*low], [first, *middle, low[-1]], [low[0], *middle, last])
    return tuple(dict.fromkeys(" ".join(way) for way in ways))


@cache
def _expressions(lexicon: WordNet) -> tuple[frozenset[str], frozenset[str]]:
    """Return the expressions of several words, and the words with which they begin."""
    data = files("stemmata.rewriting") / "data" / "fixed_expressions.txt"
    known = lexicon.expressions.union(data.read_text("utf-8").splitlines())
    return known, frozenset(expression.partition(" ")[0] for expression in known)


def _bound(reading: Reading, number: int) -> bool:
    """Return whether a word hangs together with the next or the one before more than others can."""
    part = reading.tags[number].part
    after, before = neighbour(reading, number, 1), neighbour(reading, number, -1)
    if part == "NOUN":
        compound = after.part in ("NOUN", "PROPN") or before.part in ("NOUN", "PROPN")
        return compound or (before.part == "ADP" and after.part == "ADP")
    if after.tag in ("PRP", "PRF", "AVP", "TO0"):
        if part == "VERB" and after.tag == "PRP":
            return after.lemma.lower() not in _LOOSE
        return part in ("ADJ", "ADV") or after.tag != "TO0"
    return False


def _fits(reading: Reading, number: int, candidate: Candidate) -> bool:
    """Return whether a candidate goes with the words around."""
    words, tagged = reading.passage.words, reading.tags[number]
    around = words[max(0, number - 3) : number] + words[number + 1 : number + 4]
    if any(word.lower().startswith(candidate.lemma[:5]) for word in around):
        return False
    compared = number > 0 and words[number - 1].lower() in _DEGREES
    if (compared and len(candidate.lemma) < 6) or not bears_degree(reading, number, candidate.lemma):
        return False
    if candidate.lemma in _BEHIND_ONLY and neighbour(reading, number, 1).part in ("ADJ", "NOUN"):
        return False
    if tagged.part != "VERB" or candidate.meaning is None:
        return True
    frames = candidate.meaning.frames_of(candidate.lemma)
    after = neighbour(reading, number, 1)
    if tagged.tag == "VVN":
        return bool(frames & _TRANSITIVE)
    wanted = _WITH_PREPOSITION if after.tag == "PRP" else _FRAMES.get(after.tag)
    return wanted is None or bool(frames & wanted)


def bears_degree(reading: Reading, number: int, lemma: str) -> bool:
    """Return whether a word may stand in the place of one before which another says how much."""
    return lemma not in _UTMOST or not number or reading.passage.words[number - 1].lower() not in _GRADES


_NOTHING = Tagged("", "", "")


def neighbour(reading: Reading, number: int, step: int) -> Tagged:
    """Return the token before or behind, if only space is between."""
    other = number + step
    if not 0 <= other < len(reading.tags) or reading.passage.gap(max(number, other)).strip():
        return _NOTHING
    return reading.tags[other]


@lru_cache(1 << 15)
def _candidates(settings: Substitution, lexicon: WordNet, form: str, part: str) -> tuple[Candidate, ...]:
    lemma = next(iter(lexicon.lemmas(form, part)), None)
    if lemma is None:
        return ()
    (stem,) = stems([lemma], ENGLISH.code)
    poor = _poor_substitutes().get(lemma, frozenset()) if settings.careful else frozenset()
    best: dict[str, Candidate] = {}
    for one in [*_by_wordnet(settings, lexicon, lemma, part), *_by_vectors(settings, lexicon, lemma, part)]:
        if one.similarity < settings.least_similarity and one.relation != "neighbour":
            continue
        if one.lemma in poor or not _is_other_word(lexicon, one.lemma, part, stem):
            continue
        # Verbs agree with "woods" in another way than with "forest".
        if settings.careful and part == "NOUN" and is_plural(one.lemma):
            continue
        if settings.common and not lexicon.is_common(one.lemma, part):
            continue
        known = best.setdefault(one.lemma, one)
        if "neighbour" in (known.relation, one.relation) and known.relation != one.relation:
            # Dictionary and vectors are witnesses of their own: either may be right.
            both = 1 - (1 - known.score) * (1 - one.score)
            best[one.lemma] = known._replace(score=both)
        elif known.score < one.score:
            best[one.lemma] = one
    found = [one for one in best.values() if one.relation != "neighbour" or one.similarity >= _LEAST_ALONE]
    if "neighbour" in settings.relations:
        found = [one._replace(score=one.score * _belief(lexicon, lemma, part, one)) for one in found]
    return tuple(sorted(found, key=lambda one: (-one.score, one.lemma)))


@cache
def _poor_substitutes() -> dict[str, frozenset[str]]:
    """Return by word what dictionary and vectors give for it, and what hardly ever stands in its place."""
    data = files("stemmata.rewriting") / "data" / "poor_substitutes.txt"
    lines = [line.partition(":") for line in data.read_text("utf-8").splitlines()]
    return {word: frozenset(others.split()) for word, _, others in lines}


def _belief(lexicon: WordNet, lemma: str, part: str, candidate: Candidate) -> float:
    """Return how much of a candidate's score is left where vectors, or its other uses, speak against it."""
    counts = {other: sum(lexicon.counts(candidate.lemma, other)) for other in PARTS}
    if counts[part] < _SELDOM * sum(counts.values()):
        return _DOUBTED
    vectors = english_vectors()
    words = [lemma, candidate.lemma]
    # Of a word that is put together from pieces, the vector says little.
    if any(len(vectors.pieces(word)) != 1 for word in words):
        return 1.0
    one, other = vectors.rows(words)
    return _DOUBTED if float(one @ other) < _UNLIKE else 1.0


def _is_other_word(lexicon: WordNet, word: str, part: str, stem: str) -> bool:
    """Return whether a word is a plain one, not of the stem, and no form of another, as *larger* is."""
    if not SINGLE.match(word) or word in ENGLISH.function_words or stems([word], ENGLISH.code) == [stem]:
        return False
    return part != "ADJ" or lexicon.lemmas(word, part)[:2] in ((), (word,))


def _by_wordnet(settings: Substitution, lexicon: WordNet, lemma: str, part: str) -> Iterator[Candidate]:
    shares = _shares(lexicon, lemma, part)
    for rank, meaning in enumerate(lexicon.synsets(lemma, part)[: settings.senses]):
        if rank and shares[rank] < settings.least_share:
            continue
        near: dict[str, tuple[Synset, ...]] = {
            "synonym": (meaning,),
            "similar": lexicon.similar(meaning),
            "hypernym": lexicon.hypernyms(meaning),
        }
        for relation, meanings in near.items():
            for other in meanings if relation in settings.relations else ():
                similarity = lexicon.similarity(meaning, other)
                for word in dict.fromkeys(polite_words((other,))):
                    score = similarity * sqrt(shares[rank] * _share(lexicon, word, other))
                    yield Candidate(
                        word, relation, similarity, score * _familiarity(lexicon, word, part), other
                    )


def _by_vectors(settings: Substitution, lexicon: WordNet, lemma: str, part: str) -> Iterator[Candidate]:
    if "neighbour" not in settings.relations:
        return
    opposite = _opposites(lexicon, lemma, part)
    for word, cosine in english_vectors().nearest(lemma, _NEIGHBOURS):
        if cosine < _LEAST_COSINE or word in opposite or _made_from(lemma, word):
            continue
        if not lexicon.synsets(word, part):
            continue
        # Vectors also take a word's other forms, and things of the same kind, for its neighbours.
        if lemma not in lexicon.lemmas(word, part) and not _sisters(lexicon, lemma, word, part):
            yield Candidate(word, "neighbour", cosine, cosine * _familiarity(lexicon, word, part), None)


def _made_from(one: str, other: str) -> bool:
    """Return whether a word seems to be made from another, as *orchestration* is from *orchestra*."""
    letters = min(_COMMON_STEM, len(one), len(other))
    return one[:letters] == other[:letters]


def _sisters(lexicon: WordNet, one: str, other: str, part: str) -> bool:
    """Return whether two words are two of a kind, as *morning* and *evening* are: like, but not for like."""
    if {one, other} <= _COLOURS:
        return True
    meanings, others = (lexicon.synsets(word, part)[:_USUAL] for word in (one, other))
    if set(meanings) & set(others):
        return False
    above, above_others = (
        {more for meaning in each for more in lexicon.hypernyms(meaning)} for each in (meanings, others)
    )
    if above & set(others) or above_others & set(meanings):
        return False
    return bool(above & above_others)


def _opposites(lexicon: WordNet, lemma: str, part: str) -> set[str]:
    """Return the words that mean the opposite, also those that do so for a word of similar meaning."""
    found: set[str] = set()
    for meaning in lexicon.synsets(lemma, part):
        for near in (meaning, *lexicon.similar(meaning)):
            for pointer in near.pointers:
                if pointer.symbol == "!":
                    against = lexicon.synset(pointer.part, pointer.offset)
                    found.update(polite_words((against, *lexicon.similar(against))))
    return found


def _shares(lexicon: WordNet, lemma: str, part: str) -> list[float]:
    """Return how likely a word has each of its meanings."""
    counts = np.array(lexicon.counts(lemma, part)) + _UNSEEN
    return [float(share) for share in counts / counts.sum()]


def _share(lexicon: WordNet, word: str, meaning: Synset) -> float:
    """Return how likely a word has a meaning."""
    offsets = [one.offset for one in lexicon.synsets(word, meaning.part)]
    if meaning.offset not in offsets:
        return 0.0
    return _shares(lexicon, word, meaning.part)[offsets.index(meaning.offset)]


def _familiarity(lexicon: WordNet, word: str, part: str) -> float:
    """Return how well a word is known, from 0 to 1."""
    logarithm = log1p(sum(lexicon.counts(word, part)))
    return logarithm / (logarithm + _FAMILIAR)


def best_of(substitutes: Iterable[Substitute]) -> dict[int, Substitute]:
    """Return the best substitute for each token that has any."""
    best: dict[int, Substitute] = {}
    for one in substitutes:
        if one.number not in best or one.score > best[one.number].score:
            best[one.number] = one
    return best
