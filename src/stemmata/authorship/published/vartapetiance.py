"""Pairs of stop words as a textual modus operandi: Vartapetiance and Gillam, 2013 to 2015."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.distances import cosine
from stemmata.authorship.one_class import answerable
from stemmata.authorship.stop_word_pairs import STOP_WORDS, pair_statistics
from stemmata.authorship.writings import Writing
from stemmata.model import Problem
from stemmata.model.parameters import tunable


def words_of(writing: Writing, runs: bool) -> list[str]:
    """Return the words of a text; with runs, what stands between two function words is one."""
    if not runs:
        return list(writing.words)
    kept = writing.pack.function_words
    marked = [word if word in kept else "" for word in writing.words]
    return [word for place, word in enumerate(marked) if word or not place or marked[place - 1]]


def similarities(batch: Batch, number: int, window: int, runs: bool = False) -> Floats:
    """Return the cosines of the frequencies, means and variances of pairs, and of all as one vector."""

    def table(place: int) -> Floats:
        writing = batch.writings[place]
        listed = STOP_WORDS.get(writing.language, STOP_WORDS["en"])
        words = words_of(writing, runs)
        return batch.once(("pairs", place, window, runs), lambda: pair_statistics(words, listed, window))

    known = np.mean([table(place) for place in batch.known[number].tolist()], axis=0)
    unknown = table(int(batch.unknown[number]))
    parts = [(known[:, column], unknown[:, column]) for column in range(3)]
    parts.append((known.ravel(), unknown.ravel()))
    return np.array([cosine(one[None], other[None])[0, 0] for one, other in parts])


_MEANS, _ALL = 1, 3
"""Which of the similarities decides."""


@dataclass(frozen=True)
class _StopWordPairs:
    """Same author if the statistics of pairs of stop words are alike enough.

    Attributes
    ----------
    window
        The largest distance of a pair, in words.
    threshold
        Cosines from this on are the same author.
    """

    window: int
    threshold: float
    part: ClassVar[int] = _ALL
    """Which of the similarities decides."""
    runs: ClassVar[bool] = False
    """Whether what stands between two function words is one step."""

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return 1 for the same author and 0 for another, and 0.5 for problems without words."""
        batch = Batch.of(problems)
        return [
            float(similarities(batch, number, self.window, self.runs)[self.part] >= self.threshold)
            if told
            else UNDECIDED
            for number, told in enumerate(answerable(batch))
        ]


@dataclass(frozen=True)
class VartapetianceGillam2013(_StopWordPairs):
    """Same author if the vectors of the means of the distances between stop words point the same way.

    Vartapetiance and Gillam, "A textual modus operandi: Surrey's simple system for author identification",
    PAN at CLEF 2013: vector similarity with a frequency-mean-variance framework for patterns of at most ten
    stop words.
    """

    # Which stop words, which part of the framework, and the threshold are guesses; so few of the original's
    # answers are "same", and so near to chance, that its scores do not tell them.
    window: int = tunable(5, 2, 20)
    threshold: float = tunable(0.704, 0.0, 1.0)
    part = _MEANS


@dataclass(frozen=True)
class VartapetianceGillam2014(_StopWordPairs):
    """The vectors of frequencies, means and variances of pairs of stop words, as one.

    Vartapetiance and Gillam, "A trinity of trials: Surrey's 2014 attempts at author verification", PAN at
    CLEF 2014, which tries three variants of the statistics of 2013.
    """

    # Which of the three ran is not known to us; this one agrees best with the original's answers.
    window: int = tunable(5, 2, 20)
    threshold: float = tunable(0.853, 0.0, 1.0)


@dataclass(frozen=True)
class VartapetianceGillam2015(_StopWordPairs):
    """Pairs of stop words whose distance does not depend on how long the terms of the subject are.

    Vartapetiance and Gillam, "Adapting for subject-specific term length using topic cost in author
    verification", PAN at CLEF 2015.
    """

    # The paper's cost of a topic is not known to us: here every run of words of content costs one word.
    # The original says "another" of all novels, which no limit on a similarity of long texts can.
    window: int = tunable(10, 2, 20)
    threshold: float = tunable(0.625, 0.0, 1.0)
    runs = True
