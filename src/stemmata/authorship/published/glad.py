"""Twenty-four similarities and a support vector machine: Hürlimann and colleagues (GLAD), 2015."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
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
        figures = [_Figures(writing) for writing in batch.writings]
        counts = {size: batch.counts(Characters(size)) for size in PROFILES}
        rows = np.zeros((len(batch), 24))
        for number, places in enumerate(batch.known):
            unknown = int(batch.unknown[number])
            if not len(places) or not figures[unknown].tokens or not all(figures[p].tokens for p in places):
                continue
            pairs = [_pair(figures[p], figures[unknown], counts, int(p), unknown) for p in places]
            rows[number] = [
                *np.mean(pairs, axis=0),
                *_contrasts([figures[place] for place in places], figures[unknown]),
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
        self.tokens = Counter(writing.tokens)
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


def _pair(
    known: _Figures, unknown: _Figures, counts: Mapping[int, Counts], first: int, second: int
) -> list[float]:
    profiles = [_profiles(counts[size], first, second, top) for size, top in PROFILES.items()]
    joint = known.tokens + unknown.tokens
    shared = sum(count * unknown.tokens[token] for token, count in known.tokens.items())
    lengths = [np.sqrt(sum(c * c for c in one.tokens.values())) for one in (known, unknown)]
    sizes = [len(zlib.compress(raw)) / len(raw) for raw in (known.raw, unknown.raw, known.raw + unknown.raw)]
    return [
        *(distance for distance, _ in profiles),
        *(overlap for _, overlap in profiles),
        shared / (lengths[0] * lengths[1]),
        entropy(joint),
        (sizes[0] + sizes[1]) / sizes[2],
    ]


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


def _profiles(counts: Counts, first: int, second: int, top: int) -> tuple[float, float]:
    """Return the dissimilarity of common n-grams over the commonest of both, and how many they share."""
    seen, tops = [], []
    for row in (first, second):
        start, end = counts.frequencies.indptr[row], counts.frequencies.indptr[row + 1]
        places, values = counts.frequencies.indices[start:end], counts.frequencies.data[start:end]
        seen.append((places, values))
        tops.append(places[np.argsort(-values, kind="stable")[:top]])
    union = np.union1d(*tops)
    a, b = (_at(places, values, union) for places, values in seen)
    distance = float((((2 * (a - b)) / (a + b)) ** 2).sum())
    return distance, float(len(np.intersect1d(*tops)))


def _at(places: npt.NDArray[Any], values: Floats, wanted: npt.NDArray[Any]) -> Floats:
    """Return the values of columns of a sparse row, 0 where there is none."""
    if not len(places):
        return np.zeros(len(wanted))
    order = np.argsort(places, kind="stable")
    found = np.minimum(np.searchsorted(places[order], wanted), len(places) - 1)
    return np.where(places[order][found] == wanted, values[order][found], 0.0)
