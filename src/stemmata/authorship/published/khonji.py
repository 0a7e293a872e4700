"""Impostors over n-grams of every kind: Khonji and Iraqi, 2014."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import answered
from stemmata.authorship.impostors import Impostors
from stemmata.authorship.writings import Writing
from stemmata.model import Problem
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SIGHT = 50_000
"""Symbols of a text that are looked at: most texts have a few thousand."""
_TABLE = 1 << 22
"""Up to so many numbers, what occurs is counted in a table; more are sorted."""


@lru_cache(maxsize=100_000)
def _shape(token: str) -> str:
    """Return a token's letters as their case, runs as one."""
    kinds = ["A" if c.isupper() else "a" if c.isalpha() else "0" if c.isdigit() else c for c in token]
    return "".join(one for place, one in enumerate(kinds) if not place or kinds[place - 1] != one)


KINDS: dict[str, Callable[[Writing], Sequence[str]]] = {
    "letters": lambda writing: writing.spaced,
    "words": lambda writing: writing.words,
    "function words": lambda writing: [*filter(writing.pack.function_words.__contains__, writing.words)],
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
        kinds = [frequent_runs(numbered(batch.writings, kind), self.longest, self.least) for kind in KINDS]
        sums = np.concatenate([one.sums for one in kinds])
        best = np.argsort(-sums, kind="stable")[: self.kept]
        column = np.full(len(sums), -1, np.int64)
        column[best] = np.arange(len(best))
        rows = np.zeros((len(batch.writings), len(best)))
        first = 0
        for one in kinds:
            places = column[first + one.runs]
            rows[one.texts[places >= 0], places[places >= 0]] = one.shares[places >= 0]
            first += len(one.sums)
        return rows


def numbered(writings: Sequence[Writing], kind: str) -> list[Ints]:
    """Return the symbols of texts as numbers from 0, in the order in which they are first met."""
    numbers: dict[str, int] = {}
    texts = []
    for writing in writings:
        met, places = writing.once((numbered, kind), partial(_met, writing, kind))
        texts.append(np.array([numbers.setdefault(one, len(numbers)) for one in met], np.int64)[places])
    return texts


def _met(writing: Writing, kind: str) -> tuple[list[str], npt.NDArray[np.int32]]:
    """Return the different symbols of a text as they are first met, and where each stands."""
    met: dict[str, int] = {}
    places = [met.setdefault(one, len(met)) for one in KINDS[kind](writing)[:_SIGHT]]
    return list(met), np.array(places, np.int32)


@dataclass(frozen=True)
class _Kind:
    """Runs of one kind of symbols: where one occurs, in the order of texts, with its share of the text.

    Runs are numbered as a dictionary has them; ``sums`` are those of their shares.
    """

    texts: Ints
    runs: Ints
    shares: Floats
    sums: Floats


def frequent_runs(texts: Sequence[Ints], longest: int, least: int) -> _Kind:
    """Find the runs of symbols that some text has often enough, and count them in all texts.

    What is too rare in all texts begins no run that is not, and ends none: only places where both are
    frequent are looked at again.

    Parameters
    ----------
    texts
        Symbols as numbers from 0.
    longest
        The longest run.
    least
        How often some text must have a run.
    """
    lengths = np.array([len(text) for text in texts], np.int64)
    symbols = np.concatenate([np.zeros(0, np.int64), *texts])
    width = int(symbols.max(initial=0)) + 1
    text = np.repeat(np.arange(len(texts)), lengths)
    ends = np.cumsum(lengths)[text]
    places = np.arange(len(symbols))
    known = np.zeros(len(symbols), np.int64)
    bound = 1
    frequent = np.ones(len(symbols) + 1, np.bool_)
    found: list[tuple[Ints, Ints, Ints]] = []
    spelled: list[Ints] = []
    first = 0
    for size in range(1, longest + 1):
        possible = places + size <= ends[places]
        if size > 1:
            possible &= frequent[places + 1]
        places, known = places[possible], known[possible]
        keys, run = _often(known * width + symbols[places + size - 1], bound * width, least)
        places, run = places[run >= 0], run[run >= 0]
        cells, counts = np.unique(text[places] * len(keys) + run, return_counts=True)
        where, which = np.divmod(cells, max(1, len(keys)))
        often = np.zeros(len(keys), bool)
        often[which[counts >= least]] = True
        if not often.any():
            break
        number = np.cumsum(often) - 1
        held = often[which]
        found.append((where[held], first + number[which[held]], counts[held]))
        # A symbol is told by its number from 1, so that what has ended comes before all that goes on.
        spelling = np.zeros((int(often.sum()), longest), np.int64)
        if spelled:
            spelling[:] = spelled[-1][keys[often] // width]
        spelling[:, size - 1] = keys[often] % width + 1
        spelled.append(spelling)
        first += len(spelling)
        kept = often[run]
        places, known, bound = places[kept], number[run[kept]], len(spelling)
        frequent[:] = False
        frequent[places] = True
    if not found:
        empty = np.zeros(0, np.int64)
        return _Kind(empty, empty, np.zeros(0), np.zeros(0))
    order = np.lexsort(np.concatenate(spelled).T[::-1])
    rank = np.empty(first, np.int64)
    rank[order] = np.arange(first)
    where, runs, counted = (np.concatenate(part) for part in zip(*found, strict=True))
    in_texts = np.argsort(where, kind="stable")
    where, runs = where[in_texts], rank[runs[in_texts]]
    shares = counted[in_texts] / lengths[where]
    return _Kind(where, runs, shares, np.bincount(runs, shares, first).astype(np.float64))


def _often(values: Ints, bound: int, least: int) -> tuple[Ints, Ints]:
    """Return numbers that occur so often, in order, and the place of each value among them, -1 if in none."""
    if bound > _TABLE:
        keys, run, counts = np.unique(values, return_inverse=True, return_counts=True)
        often = counts >= least
        return keys[often], np.where(often, np.cumsum(often) - 1, -1)[run]
    often = np.bincount(values, minlength=bound) >= least
    return np.flatnonzero(often), np.where(often, np.cumsum(often) - 1, -1)[values]
