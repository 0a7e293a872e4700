"""The general impostors method: Seidman, 2013."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.families import WordGrams
from stemmata.authorship.impostors import Impostors
from stemmata.authorship.one_class import answerable
from stemmata.model import Problem
from stemmata.model.parameters import tunable


@dataclass(frozen=True)
class Seidman2013:
    """The known texts are closer to the unknown one than impostors are, in enough of many random rounds.

    Seidman, "Authorship verification using the impostors method", PAN at CLEF 2013, the winner of that year;
    after Koppel and Winter. Similarity is min-max on tf-idf of words. Answers are 1 or 0, as the original's.

    Attributes
    ----------
    rounds, share, called
        Rounds for each known text, the share of words seen in one, and the impostors called.
    words
        Commonest words of the batch that count.
    threshold
        Shares of rounds above this are the same author.
    seed
        Where chance comes from.
    """

    # The original searched the Web for impostors; ours are texts of other problems, which are harder to beat
    # because they are of the same genre: a few of all of them are called, and a few rounds won are enough.
    # All numbers are guesses.
    rounds: int = tunable(50, 10, 500)
    share: float = tunable(0.4, 0.05, 1.0)
    called: int = tunable(5, 1, 100)
    words: int = tunable(250, 100, 20_000)
    threshold: float = tunable(0.03, 0.0, 1.0)
    seed: int = 1

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return 1 for the same author and 0 for another."""
        batch = Batch.of(problems)
        method = Impostors(self.rounds, self.share, self.called, pool=0)
        won = method.scores(batch, self._rows(batch), np.random.default_rng(self.seed))
        told = answerable(batch) & np.array([len(batch.others(n)) > 0 for n in range(len(batch))], bool)
        return [float(one) for one in np.where(told, won > self.threshold, UNDECIDED)]

    def _rows(self, batch: Batch) -> Floats:
        counts = batch.counts(WordGrams())
        rows = np.asarray(counts.frequencies[:, : self.words].toarray(), np.float64)
        texts = np.maximum(1, (rows > 0).sum(axis=0))
        return np.asarray(rows * np.log(1.0 + len(rows) / texts))
