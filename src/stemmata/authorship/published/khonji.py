"""Impostors over n-grams of every kind: Khonji and Iraqi, 2014."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import answered
from stemmata.authorship.impostors import Impostors
from stemmata.authorship.writings import Writing
from stemmata.model import Problem
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]

_SIGHT = 50_000
"""Symbols of a text that are looked at: most texts have a few thousand."""


def _shape(token: str) -> str:
    """Return a token's letters as their case, runs as one."""
    kinds = ["A" if c.isupper() else "a" if c.isalpha() else "0" if c.isdigit() else c for c in token]
    return "".join(one for place, one in enumerate(kinds) if not place or kinds[place - 1] != one)


KINDS: dict[str, Callable[[Writing], Sequence[str]]] = {
    "letters": lambda writing: writing.spaced,
    "words": lambda writing: writing.words,
    "function words": lambda writing: [one for one in writing.words if one in writing.pack.function_words],
    "shapes": lambda writing: [_shape(token) for token in writing.tokens[:_SIGHT]],
    "parts of speech": lambda writing: writing.tags,
    "words with parts": lambda writing: [
        f"{token.lower()}/{tag}" for token, tag in zip(writing.tokens[:_SIGHT], writing.tags, strict=False)
    ],
}
"""What runs are made of."""


@dataclass(frozen=True)
class KhonjiIraqi2014:
    """ASGALF: the impostors method in which a round counts by how clearly it is won.

    Khonji and Iraqi, "A slightly-modified GI-based author-verifier with lots of features (ASGALF)", PAN at
    CLEF 2014. Features are runs of one to ten letters, words, function words, shapes, parts of speech and
    words with their parts that some text has five times; texts are compared by min-max. A round adds sim(K,
    U)² / (sim(K, best impostor) sim(U, best impostor)), and the mean of all is shifted by a threshold.

    Attributes
    ----------
    longest, least
        The longest run, and how often some text must have it.
    kept
        Commonest features that are looked at.
    impostors
        How rounds are played.
    threshold, width
        The mean credit that is no answer, and how far from it answers reach 0 and 1, twice.
    seed
        Where chance comes from.
    """

    # The original's impostors are random texts of the genre, here texts of other problems; its threshold was
    # the best for the training set, here one for all. Rounds and features are bounded for the sake of time.
    longest: int = tunable(10, 1, 10)
    least: int = tunable(5, 2, 20)
    kept: int = tunable(4000, 500, 50_000)
    impostors: Impostors = field(default=Impostors(25, 0.5, 10, 0, "ratio"))
    threshold: float = tunable(0.75, 0.2, 1.5)
    width: float = tunable(1.0, 0.1, 3.0)
    seed: int = 1

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return mean credits around the threshold."""
        batch = Batch.of(problems)
        credit = self.impostors.scores(batch, self.rows(batch), np.random.default_rng(self.seed))
        return answered(batch, 0.5 + (credit - self.threshold) / self.width)

    def rows(self, batch: Batch) -> Floats:
        """Return the frequencies of all features, those of a kind relative to the length of the text."""
        kinds = [self._kind(batch, symbols) for symbols in KINDS.values()]
        rows = np.hstack(kinds)
        return rows[:, np.argsort(-rows.sum(axis=0), kind="stable")[: self.kept]]

    def _kind(self, batch: Batch, symbols: Callable[[Writing], Sequence[str]]) -> Floats:
        codes: dict[str, int] = {}
        texts = []
        for writing in batch.writings:
            coded = (codes.setdefault(one, len(codes)) for one in symbols(writing)[:_SIGHT])
            # Each symbol becomes one character, beyond those that may stand for halves of others.
            texts.append("".join(chr(0x10000 + code % 0x100000) for code in coded))
        often = [self._runs(text, None) for text in texts]
        admitted = {run for counts in often for run in counts}
        places = {run: place for place, run in enumerate(sorted(admitted))}
        rows = np.zeros((len(texts), len(places)))
        for number, text in enumerate(texts):
            counts = self._runs(text, admitted)
            rows[number, [places[run] for run in counts]] = list(counts.values())
        return np.asarray(rows / np.array([[max(1, len(text))] for text in texts]).reshape(-1, 1))

    def _runs(self, text: str, admitted: set[str] | None) -> Counter[str]:
        """Count runs that are admitted, or without such that occur often enough: so do their beginnings."""
        found: Counter[str] = Counter()
        starts = list(range(len(text)))
        for size in range(1, self.longest + 1):
            runs = [text[start : start + size] for start in starts if start + size <= len(text)]
            counts = Counter(runs)
            kept = {
                run: n
                for run, n in counts.items()
                if (n >= self.least if admitted is None else run in admitted)
            }
            if not kept:
                break
            found.update(kept)
            starts = [start for start, run in zip(starts, runs, strict=False) if run in kept]
        return found
