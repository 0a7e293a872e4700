"""Twenty-four similarities and a support vector machine: Hürlimann and colleagues (GLAD), 2015."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch, Counts
from stemmata.authorship.calibration import logistic
from stemmata.authorship.contrast import TermLearner
from stemmata.authorship.distances import cosine
from stemmata.authorship.families import Characters
from stemmata.authorship.learning import scikit_learn
from stemmata.authorship.statistics import entropy
from stemmata.authorship.writings import Writing

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]

PROFILES = {1: 100, 2: 100, 3: 100, 4: 100, 5: 500}
"""How many of the commonest n-grams of a text are compared, by their length."""
_MARKS, _ENDINGS = "!?;:,.-'", ".,? !-;"
_SIGHT = 500_000


@dataclass(frozen=True)
class Huerlimann2015(TermLearner):
    """GLAD: n-gram profiles, punctuation, lines, case, entropy and compression compared, and an SVM on them.

    Hürlimann, Weck, van den Berg, Šuster and Nissim, "GLAD: Groningen lightweight authorship detection", PAN
    at CLEF 2015. Each known text is compared with the unknown one, and the similarities are averaged; four
    figures describe the two sides themselves. The machine has a radial kernel and scaled features.

    Attributes
    ----------
    cost
        The penalty C of the machine.
    """

    # The program scales problems to be scored by themselves; here the problems learned from set the scale, so
    # that an answer does not depend on the other problems. Its answers are Platt's probabilities; here the
    # distance from the border goes through a fixed logistic curve, which leaves the order as it is.
    cost: float = 1.0

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the 24 figures of each problem."""
        figures = [writing.once(_Figures, partial(_Figures, writing)) for writing in batch.writings]
        profiles = {size: _Profiles(batch.counts(Characters(size)), top) for size, top in PROFILES.items()}
        rows = np.zeros((len(batch), 24))
        for number, places in enumerate(batch.known):
            unknown = int(batch.unknown[number])
            if not len(places) or not figures[unknown].tokens or not all(figures[p].tokens for p in places):
                continue
            sides = [figures[place] for place in places], figures[unknown]
            alike = batch.once_of(number, _alike, partial(_alike, *sides))
            pairs = [
                [*_compared(profiles, place, unknown), *one]
                for place, one in zip(places.tolist(), alike, strict=True)
            ]
            rows[number] = [
                *np.mean(pairs, axis=0),
                *_contrasts(*sides),
            ]
        return rows

    def model(self) -> Any:
        """Return a scaled machine with a radial kernel."""
        machine = scikit_learn("svm").SVC(C=self.cost, gamma="auto", class_weight="balanced")
        return scikit_learn("pipeline").make_pipeline(scikit_learn("preprocessing").StandardScaler(), machine)

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return distances from the border as answers."""
        return logistic(np.asarray(fitted.decision_function(rows)), 2.0)


class _Figures:
    """What is compared of a text."""

    def __init__(self, writing: Writing) -> None:
        text = writing.text[:_SIGHT]
        size, lines, blocks = max(1, len(text)), text.split("\n"), text.split("\n\n")
        self.raw = text.encode("utf-8", "surrogatepass")
        self.compressed = len(zlib.compress(self.raw)) / max(1, len(self.raw))
        self.tokens = Counter(writing.tokens)
        self.length = np.sqrt(sum(count * count for count in self.tokens.values()))
        self.entropy = entropy(self.tokens)
        self.sentence = sum(self.tokens.values()) / max(1, len(writing.sentences))
        upper = sum(map(str.isupper, text))
        last = Counter(line[-1] for line in lines if line)
        self.marks = np.array([[text.count(mark) / size for mark in _MARKS]])
        self.endings = np.array([[last[mark] / len(lines) for mark in _ENDINGS]])
        # The third figure of lines, blank ones, is always 0 in the program.
        self.lines = np.array([[len(writing.sentences), sum(self.tokens.values()), 0.0]]) / len(lines)
        self.case = upper / max(1, sum(map(str.islower, text))) + upper / size
        self.blocks = sum(block.count("\n") + 1 + len(block) for block in blocks) / len(blocks)


def _compared(profiles: Mapping[int, _Profiles], known: int, unknown: int) -> list[float]:
    """Return the distances of two texts by n-grams of each length, then how many each length shares."""
    found = [one.compared(known, unknown) for one in profiles.values()]
    return [*(distance for distance, _ in found), *(shared for _, shared in found)]


def _alike(known: list[_Figures], unknown: _Figures) -> list[list[float]]:
    """Return how alike each known text and the unknown one are by their tokens and by compression."""
    made = []
    for one in known:
        shared = sum(count * unknown.tokens[token] for token, count in one.tokens.items())
        raw = one.raw + unknown.raw
        made.append(
            [
                shared / (one.length * unknown.length),
                entropy(one.tokens + unknown.tokens),
                (one.compressed + unknown.compressed) / (len(zlib.compress(raw)) / len(raw)),
            ]
        )
    return made


def _contrasts(known: list[_Figures], unknown: _Figures) -> list[float]:
    sentence = float(np.mean([one.sentence for one in known]))
    mean_entropy = float(np.mean([one.entropy for one in known]))
    return [
        float(cosine(np.mean([one.marks for one in known], axis=0), unknown.marks)[0, 0]),
        float(cosine(np.mean([one.endings for one in known], axis=0), unknown.endings)[0, 0]),
        float(cosine(np.mean([one.lines for one in known], axis=0), unknown.lines)[0, 0]),
        abs(float(np.mean([one.case for one in known])) - unknown.case),
        abs(float(np.mean([one.blocks for one in known])) - unknown.blocks),
        abs(sentence - unknown.sentence),
        abs(mean_entropy - unknown.entropy),
        *(mean_entropy, unknown.entropy, sentence, unknown.sentence),
    ]


class _Profiles:
    """The commonest n-grams of texts, each text looked at when first asked for."""

    def __init__(self, counts: Counts, top: int) -> None:
        self._frequencies, self._top = counts.frequencies, top
        self._made: dict[int, tuple[Ints, Floats, Ints]] = {}

    def compared(self, first: int, second: int) -> tuple[float, float]:
        """Return the dissimilarity of common n-grams over the commonest of both, and how many they share."""
        one, other = self._of(first), self._of(second)
        union = np.union1d(one[2], other[2])
        a, b = (_at(places, values, union) for places, values, _ in (one, other))
        distance = float((((2 * (a - b)) / (a + b)) ** 2).sum())
        return distance, float(len(one[2]) + len(other[2]) - len(union))

    def _of(self, row: int) -> tuple[Ints, Floats, Ints]:
        """Return the columns that a text has, in order, with their values; and the commonest of them."""
        if row not in self._made:
            part = slice(*self._frequencies.indptr[row : row + 2])
            places, values = self._frequencies.indices[part], self._frequencies.data[part]
            best = places[np.argsort(-values, kind="stable")[: self._top]]
            order = np.argsort(places, kind="stable")
            self._made[row] = (places[order], values[order], best)
        return self._made[row]


def _at(places: Ints, values: Floats, wanted: Ints) -> Floats:
    """Return the values of columns of a sparse row, 0 where there is none."""
    if not len(places):
        return np.zeros(len(wanted))
    found = np.minimum(np.searchsorted(places, wanted), len(places) - 1)
    return np.where(places[found] == wanted, values[found], 0.0)
