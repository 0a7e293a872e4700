"""Why our verifier answers as it does: what speaks for the same author and what against, and where it stands.

An answer is a sum: each family has a number, which is weighed. A number in turn is a sum over features: each
adds to the likeness of the two texts, and is compared with what it adds to their likenesses to others' texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.families import (
    Affixes,
    Characters,
    Distorted,
    Family,
    FunctionWords,
    PartsOfSpeech,
    Punctuation,
    SentenceLengths,
    Shapes,
    TokenGrams,
)
from stemmata.authorship.statistical.comparison import NAMES, Surroundings, compare, spread_of
from stemmata.authorship.statistical.habits import Frames, Layout, Openings, Outlines
from stemmata.authorship.statistical.places import located
from stemmata.authorship.statistical.spaces import ANGLE, FAMILIES, LIKELIHOOD, RESPECTS, Space
from stemmata.authorship.statistical.verifier import StemmataVerifier, Weights
from stemmata.authorship.writings import Writing
from stemmata.model import Problem, Span

Floats = npt.NDArray[np.float64]
Parts = Callable[[Space, Floats, Floats], Floats]

TERMS = 20
"""Features told on either side."""
OFTEN = 400
"""Places of a feature in a text that are told."""
LONGEST = 200_000
"""Characters of a text in which places are sought."""


@dataclass(frozen=True)
class Voice:
    """What a family says by one measure.

    Attributes
    ----------
    family, measure
        Which features, and how their likeness is measured; likeness to the same texts has no measure.
    number
        How far above the usual the likeness lies, in spreads, its root taken: below 0 it lies below.
    pull
        What it adds to the answer, in logits.
    """

    family: str
    measure: str
    number: float
    pull: float


@dataclass(frozen=True)
class Term:
    """A feature that speaks for the same author, or against.

    Attributes
    ----------
    family
        What it is a feature of.
    term
        The feature, as the family names it.
    pull
        What it adds to the answer, in logits, by all measures.
    known, unknown, usual
        Its share among the features of its family: in the known texts, the unknown one and others' texts.
    places
        Where it stands in each known text, then in the unknown one.
    """

    family: str
    term: str
    pull: float
    known: float
    unknown: float
    usual: float
    places: tuple[tuple[Span, ...], ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Explanation:
    """An answer taken apart.

    Attributes
    ----------
    problem
        What was asked.
    answer
        What the verifier answers, between 0 and 1.
    logit, offset
        The sum that the answer comes from, and what was in it before any family spoke.
    voices
        What families say, the strongest for the same author first.
    terms
        Features, the strongest for the same author first; those that say little are left out.
    others
        Texts of others that the two were compared with.
    """

    problem: Problem = field(repr=False)
    answer: float
    logit: float
    offset: float
    voices: tuple[Voice, ...] = field(repr=False)
    terms: tuple[Term, ...] = field(repr=False)
    others: int


def explain(problem: Problem, problems: Sequence[Problem], verifier: StemmataVerifier) -> Explanation:
    """Take the answer to a problem apart.

    Parameters
    ----------
    problem
        One of the problems.
    problems
        All that are answered together; the answer depends on them, unless the verifier judges alone.
    verifier
        Who answers.
    """
    batch = Batch.of(problems)
    number = next(place for place, one in enumerate(batch) if one == problem)
    references = verifier.references()
    weights = _weights_of(verifier)
    rows = compare(batch, references)
    answer = float(verifier.answers(rows)[number])
    comparison = _Comparison(Surroundings.of(batch, references), number)
    terms = comparison.terms(weights)
    row = verifier.used(rows)[number]
    pulls = row * np.array(weights.values)
    voices = [
        Voice(*_named(place), float(value), float(pull))
        for place, (value, pull) in enumerate(zip(row, pulls, strict=True))
    ]
    voices.sort(key=lambda voice: (-voice.pull, voice.family, voice.measure))
    # The offset is what the sum lacks: that of the weights, and how far the batch moved it.
    logit = float(np.log(answer / (1 - answer))) if 0 < answer < 1 else float(pulls.sum() + weights.offset)
    offset = logit - float(pulls.sum()) if answer != UNDECIDED else weights.offset
    others = len(np.union1d(*comparison.around.sides[number]))
    return Explanation(problem, answer, logit, offset, tuple(voices), tuple(terms), others)


def _weights_of(verifier: StemmataVerifier) -> Weights:
    told = verifier.learned()
    return Weights(tuple(float(told["weights"][name]) for name in NAMES), float(told["offset"]))


def _named(place: int) -> tuple[str, str]:
    if place == len(RESPECTS):
        return "likeness to the same texts", ""
    return title_of(RESPECTS[place].family), RESPECTS[place].measure


TITLES: Mapping[type, tuple[str, str]] = {
    Affixes: ("first letters of words", "first {} letters of words"),
    Characters: ("characters", "runs of {} characters"),
    Distorted: ("characters, content starred", "runs of {} characters, content starred"),
    Frames: ("words and parts of speech", "runs of {} function words, marks and parts of speech"),
    FunctionWords: ("function words", "runs of {} function words"),
    Layout: ("layout", "layout, by {} characters"),
    Openings: ("openings of sentences",) * 2,
    Outlines: ("capitals, marks and blanks", "capitals, marks and blanks, by {}"),
    PartsOfSpeech: ("parts of speech", "runs of {} parts of speech"),
    Punctuation: ("punctuation marks", "runs of {} punctuation marks"),
    SentenceLengths: ("lengths of sentences", "runs of {} lengths of sentences"),
    Shapes: ("shapes of words", "runs of {} shapes of words"),
    TokenGrams: ("words and marks", "runs of {} words and marks"),
}
"""What families count, one by one and in runs."""


def title_of(family: Family) -> str:
    """Return what a family counts, in words.

    Examples
    --------
    >>> title_of(Affixes(3, last=True)), title_of(Shapes(1))
    ('last 3 letters of words', 'shapes of words')
    """
    size = getattr(family, "size", 1)
    single, several = TITLES.get(type(family), (type(family).__name__,) * 2)
    title = single if size == 1 else several.format(size)
    if getattr(family, "lengths", False):
        title += " letter by letter"
    return title.replace("first", "last", 1) if getattr(family, "last", False) else title


class _Comparison:
    """A problem beside texts of others."""

    def __init__(self, around: Surroundings, number: int) -> None:
        self.around = around
        self.batch = around.batch
        self.number = number

    @cached_property
    def parts(self) -> list[Floats]:
        """By respect, what each feature adds to its number before the root is taken."""
        if not self.around.answerable(self.number):
            return []
        return [self._parts(place, measure) for place, measure in RESPECTS]

    def terms(self, weights: Weights) -> list[Term]:
        """Return the features that say most on either side."""
        worth = weights.values[: len(RESPECTS)]
        told: list[tuple[int, int, float, tuple[float, float, float]]] = []
        pulling: dict[int, Floats] = {}
        for respect, parts, weight in zip(RESPECTS, self.parts, worth, strict=False):
            # The root of a number is shared out among its features; a small number is not blown up by it.
            pulls = parts * weight / np.sqrt(max(1.0, abs(float(parts.sum()))))
            pulling[respect.place] = pulling.get(respect.place, 0.0) + pulls
        for place, pulls in pulling.items():
            shares = self._shares(place)
            order = np.argsort(-pulls, kind="stable")
            strongest = np.unique(np.concatenate([order[:TERMS], order[-TERMS:]]))
            told += [
                (place, column, float(pulls[column]), tuple(shares[:, column].tolist()))
                for column in strongest.tolist()
                if pulls[column]
            ]
        told.sort(key=lambda one: (-one[2], one[0], one[1]))
        pro = [one for one in told if one[2] > 0][:TERMS]
        contra = [one for one in told if one[2] < 0][-TERMS:]
        return self._placed([*pro, *contra])

    def _parts(self, place: int, measure: str) -> Floats:
        mine, _ = self.around.rows(place)
        space, of = self.around.space(self.number, place, mine), PARTS[measure]
        known, unknown, of_known, of_unknown = self._sides(place)
        added = [_excess(of, space, one, unknown, of_known, of_unknown) for one in known]
        return np.asarray(np.mean(added, axis=0), np.float64)

    def _shares(self, place: int) -> Floats:
        known, unknown, *theirs = self._sides(place)
        return np.array([known.mean(axis=0), unknown, np.concatenate(theirs).mean(axis=0)])

    def _sides(self, place: int) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the rows of the known texts, the unknown one, and others' texts on either side."""
        mine, theirs = self.around.rows(place)
        of_known, of_unknown = (theirs[side] for side in self.around.sides[self.number])
        known, unknown = self.batch.known[self.number], int(self.batch.unknown[self.number])
        return mine[known], mine[unknown], of_known, of_unknown

    def _placed(self, told: Sequence[tuple[int, int, float, tuple[float, float, float]]]) -> list[Term]:
        texts = [*self.batch.known[self.number].tolist(), int(self.batch.unknown[self.number])]
        writings = [Writing(self.batch.writings[place].text[:LONGEST]) for place in texts]
        names = {
            place: list(self.around.references.spaces[place].columns) for place in {one[0] for one in told}
        }
        wanted: dict[int, set[str]] = {place: set() for place in names}
        for place, column, *_ in told:
            wanted[place].add(names[place][column])
        found = {
            place: [_find(FAMILIES[place][0], one, wanted[place]) for one in writings] for place in names
        }
        terms = []
        for place, column, pull, shares in told:
            term = names[place][column]
            places = tuple(tuple(text.get(term, ())[:OFTEN]) for text in found[place])
            terms.append(Term(title_of(FAMILIES[place][0]), term, pull, *shares, places))
        return terms


def _find(family: Family, writing: Writing, wanted: set[str]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for term, spans in located(family, writing):
        if term in wanted:
            found.setdefault(term, []).extend(spans)
    return found


def _angle_parts(space: Space, one: Floats, others: Floats) -> Floats:
    """Return what each feature adds to the cosines of z-scores of a text and others, a row each."""
    a, b = space.standard(one), space.standard(others)
    lengths = np.linalg.norm(a) * np.linalg.norm(b, axis=1)
    return np.asarray(a * b / np.where(lengths > 0, lengths, 1.0)[:, None])


def _likelihood_parts(space: Space, one: Floats, others: Floats) -> Floats:
    """Return what each feature adds to the likelihoods of a text and others, a row each."""
    both = others * space.surprise(one) + space.surprise(others) * one
    return np.asarray(both / 2)


PARTS: Mapping[str, Parts] = {ANGLE: _angle_parts, LIKELIHOOD: _likelihood_parts}


def _excess(
    parts: Parts, space: Space, known: Floats, unknown: Floats, of_known: Floats, of_unknown: Floats
) -> Floats:
    """Return by how much more each feature adds to the likeness of two texts than to theirs with others."""
    alike = parts(space, unknown, known[None])[0]
    first, second = parts(space, unknown, of_known), parts(space, known, of_unknown)
    made = (alike - first.mean(axis=0)) / spread_of(first.sum(axis=1))
    made = made + (alike - second.mean(axis=0)) / spread_of(second.sum(axis=1))
    return np.asarray(made / 2, np.float64)
