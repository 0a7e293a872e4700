"""Bevendorff and others' obfuscator: the cheapest changes that take a text away from its author."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log2

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from stemmata.masking.recipe import Recipe
from stemmata.masking.search import a_star
from stemmata.masking.style import Neighbourhoods, counted
from stemmata.model import Problem
from stemmata.rewriting import Edit, Rewriting, rewritten
from stemmata.rewriting.substitution import Substitution

_TRIGRAMS = "characters-3"
_COSTS = {"removal": 40.0, "flip": 30.0, "mark": 3.0, "synonym": 10.0, "hypernym": 6.0}
_MARKS = {",": ";", ";": ",", ":": ";", "!": ".", "?": "!", "-": "–", "–": "-", '"': "'", "(": "[", ")": "]"}
_SHORTEST = 2048
"""Letters; the goals of the paper were measured on texts of at least this length."""
_APART = 3
"""Letters between two edits: nearer ones would share a trigram, and what each changes would not add up."""

_TRIAL = 25
"""Greedy steps by which the cost of the way is guessed."""

State = frozenset[Edit]


@dataclass(frozen=True)
class Bevendorff2019(Recipe):
    """Changes words and letters until character trigrams are as far from the author's as other authors' are.

    J. Bevendorff, M. Potthast, M. Hagen and B. Stein. Heuristic authorship obfuscation. In ACL 2019.

    The distance is √(2 JSD) between the trigrams of the text and of the author's samples. How far it must
    become falls with the logarithm of the text's length. A* looks for the cheapest way there: the trigrams
    whose loss takes the text farthest are changed by an operator: a synonym costs 10, a hypernym 6, another
    mark of punctuation 3, exchanged letters 30, and a removed letter 40. The rest of the way is guessed to
    cost as much for the distance as what was made so far.

    Attributes
    ----------
    slope, constant
        The goal is slope · log2(length) + constant; by default that of the paper's Gutenberg corpus, where
        70 % of the pairs of different authors are nearer.
    trigrams
        How many trigrams are considered at a step.
    haste
        By how much the guess of what is left is raised; above 1 the way found may not be the cheapest.
    most
        How many states are looked behind.
    """

    slope: float = -0.10437
    constant: float = 2.0831
    trigrams: int = 5
    haste: float = 5.0
    most: int = 1000

    # Departures: synonyms come from WordNet alone, as in the paper's operator without context, but inflected;
    # its operators that ask a web service for words are left out. An operator works on the first occurrence
    # of a trigram that no edit is near. What a unit of distance costs is found by some greedy steps, not from
    # each state's own way: as the cheap changes come first, a state's own way always looks dearer than that
    # of the states before it, and the search would never leave the beginning.

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the text as far from the samples as it must be, or as near to that as was found."""
        text = problem.unknown.text
        # Without samples, the text is to become unlike what it was.
        known = "\n".join(one.text for one in problem.known) or text
        search = _Trigrams(text, known, self.trigrams)
        goal = self.slope * log2(max(len(text), _SHORTEST)) + self.constant
        pace = self.haste * search.pace(goal)
        path = a_star(
            frozenset[Edit](),
            search.onwards,
            lambda state, _: pace * max(0.0, goal - search.distance(state)),
            lambda state: search.distance(state) >= goal,
            most=self.most,
            kept=2_000,
        )
        return rewritten(text, path.state)


class _Trigrams:
    """Trigrams of a text beside an author's, and what edits of the text change."""

    def __init__(self, text: str, known: str, considered: int) -> None:
        self._text, self._considered = text, considered
        count = counted(text, [_TRIGRAMS])[_TRIGRAMS]
        other = counted(known, [_TRIGRAMS])[_TRIGRAMS]
        self._column = {term: place for place, term in enumerate({**count, **other})}
        self._count = np.zeros(len(self._column))
        self._other = np.zeros(len(self._column))
        for term, number in count.items():
            self._count[self._column[term]] = number
        for term, number in other.items():
            self._other[self._column[term]] = number / max(1, other.total())
        self._terms = list(self._column)
        self._places: dict[str, list[int]] = defaultdict(list)
        for start in range(len(text) - 2):
            self._places[text[start : start + 3]].append(start)
        self._neighbourhoods = Neighbourhoods(text, [_TRIGRAMS])
        self._changes: dict[Edit, tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], float]] = {}
        self._words = _words(text)
        self._distances: dict[State, float] = {}

    def distance(self, state: State) -> float:
        """Return √(2 JSD) between the text with some edits and the author."""
        if state not in self._distances:
            self._distances[state] = self._distance(*self._counts(state))
        return self._distances[state]

    def pace(self, goal: float) -> float:
        """Return what a unit of distance costs in the first greedy steps towards a goal."""
        state: State = frozenset()
        first, cost = self.distance(state), 0.0
        for _ in range(_TRIAL):
            ways = [
                (self.distance(one) - self.distance(state), step, one) for one, step in self.onwards(state)
            ]
            if not ways or self.distance(state) >= goal:
                break
            _, step, state = max(ways, key=lambda way: way[0] / way[1])
            cost += step
        gained = self.distance(state) - first
        return cost / gained if gained > 0 else 0.0

    def _distance(self, count: npt.NDArray[np.float64], outside: float) -> float:
        total = max(float(count.sum()) + outside, 1.0)
        # A trigram that the author never uses adds half its share.
        parts = float(_divergence(count / total, self._other).sum()) + 0.5 * outside / total
        return float(np.sqrt(2 * max(0.0, parts)))

    def onwards(self, state: State) -> Iterator[tuple[State, float]]:
        """Yield the states one edit further, with what the edit costs."""
        count, outside = self._counts(state)
        total = max(count.sum() + outside, 1.0)
        shares = count / total
        there = np.flatnonzero((count > 0) & (self._other > 0))
        lost = _divergence((count[there] - 1) / total, self._other[there])
        gains = lost - _divergence(shares[there], self._other[there])
        order = np.argsort(-gains, kind="stable")
        near = self._near(state)
        edits: set[Edit] = set()
        found = 0
        for place in order:
            some = self._edits(self._terms[there[place]], near)
            found += bool(some)
            edits.update(some)
            if found == self._considered:
                break
        for edit in sorted(edits):
            after = state | {edit}
            if after not in self._distances:
                columns, values, beyond = self._change(edit)
                grown = count.copy()
                np.add.at(grown, columns, values)
                self._distances[after] = self._distance(np.maximum(grown, 0.0), outside + beyond)
            yield after, _COSTS[edit.kind]

    def _counts(self, state: Iterable[Edit]) -> tuple[npt.NDArray[np.float64], float]:
        count, outside = self._count.copy(), 0.0
        for edit in state:
            columns, values, beyond = self._change(edit)
            np.add.at(count, columns, values)
            outside += beyond
        return np.maximum(count, 0.0), outside

    def _change(self, edit: Edit) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], float]:
        """Return what an edit changes in the columns, and how many trigrams it adds that have none."""
        if edit not in self._changes:
            found = self._neighbourhoods.changes(edit).get(_TRIGRAMS, {})
            known = {self._column[term]: value for term, value in found.items() if term in self._column}
            beyond = sum(found.values()) - sum(known.values())
            columns = np.array(list(known), np.int64)
            self._changes[edit] = columns, np.array(list(known.values()), np.float64), float(beyond)
        return self._changes[edit]

    def _near(self, state: State) -> bytearray:
        """Return the letters of the text that are 1 where an edit of a state is too near for another."""
        near = bytearray(len(self._text) + _APART)
        for edit in state:
            start, end = max(0, edit.start - _APART), edit.end + _APART
            near[start:end] = b"\1" * (end - start)
        return near

    def _edits(self, term: str, near: bytearray) -> list[Edit]:
        """Return what can be done to the first occurrence of a trigram that no edit is near."""
        for start in self._places.get(term, []):
            edits = [*self._words.get(start, ()), *self._words.get(start + 2, ())]
            edits += _letters(self._text, start, term)
            free = [edit for edit in dict.fromkeys(edits) if near.find(1, edit.start, edit.end) < 0]
            if free:
                return free
        return []


def _words(text: str) -> dict[int, list[Edit]]:
    """Return the best synonym and hypernym of words, by each letter they stand at."""
    edits: dict[int, list[Edit]] = defaultdict(list)
    taken: Counter[tuple[int, str]] = Counter()
    for edit in Substitution(relations=("synonym", "hypernym")).proposals(text):
        taken[edit.start, edit.kind] += 1
        if taken[edit.start, edit.kind] == 1:
            for place in range(edit.start, edit.end):
                edits[place].append(edit)
    return edits


def _letters(text: str, start: int, term: str) -> list[Edit]:
    """Return what can be done to a trigram letter by letter."""
    marks = [at for at, letter in enumerate(term) if letter in _MARKS]
    if marks:
        at = marks[0]
        return [Edit(start + at, start + at + 1, _MARKS[term[at]], "mark")]
    if not term.isalpha():
        return []
    return [
        Edit(start + 1, start + 2, "", "removal"),
        Edit(start + 1, start + 3, term[2] + term[1], "flip"),
    ]


def _divergence(p: npt.NDArray[np.float64], q: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return each feature's part in the Jensen-Shannon divergence, in bits."""
    middle = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        left = np.where(p > 0, p * np.log2(p / middle), 0.0)
        right = np.where(q > 0, q * np.log2(q / middle), 0.0)
    parts: npt.NDArray[np.float64] = (left + right) / 2
    return parts
