"""Impostors by Ruzicka's similarity: Kestemont and colleagues, 2016."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.families import WordGrams
from stemmata.authorship.modern.shifting import ShiftedVerifier
from stemmata.authorship.modern.standing import some_others
from stemmata.authorship.one_class import dense_rows
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Kestemont2016(ShiftedVerifier):
    """How often the nearest text is one of the author's, over rounds of random features and impostors.

    Kestemont, Stover, Koppel, Karsdorp and Daelemans, "Authenticating the writings of Julius Caesar", Expert
    Systems with Applications 63 (2016): the second-order verifier. In each round half of the features and
    some impostors are drawn; nearness is Ruzicka's, Σ min / Σ max, over frequencies divided by their spread.

    Attributes
    ----------
    words
        Commonest words.
    rounds, share, called
        Rounds, the share of features in each, and impostors in each.
    pool
        Texts of other problems among which impostors are drawn.
    seed
        Where chance comes from.
    """

    # All problems see the same draws of features, so that sums over features are made once for all of them.
    # The paper tries several features and calls 30 impostors; words and 10 did best on PAN's training sets.
    words: int = tunable(1000, 20, 20_000)
    rounds: int = tunable(100, 10, 1000)
    share: float = tunable(0.5, 0.05, 1.0)
    called: int = tunable(10, 1, 200)
    pool: int = tunable(150, 10, 2000)
    seed: int = 1

    def measure(self, batch: Batch) -> Floats:
        """Return the share of rounds that the author wins."""
        rows = dense_rows(batch, WordGrams(1), self.words)
        spread = rows.std(axis=0)
        rows = rows / np.where(spread > 0, spread, 1.0)
        chance = np.random.default_rng(self.seed).random((rows.shape[1], self.rounds))
        seen = np.where(chance < self.share, 1.0, 0.0)
        sums = rows @ seen
        return np.array([self._won(batch, number, rows, seen, sums) for number in range(len(batch))])

    def _won(self, batch: Batch, number: int, rows: Floats, seen: Floats, sums: Floats) -> float:
        known, unknown = batch.known[number], int(batch.unknown[number])
        others = some_others(batch, number, self.pool)
        if not len(known) or not len(others):
            return UNDECIDED
        places = np.concatenate((known, others))
        # A feature that the unknown text lacks adds nothing to Σ min, and Σ max is what is left of both sums.
        used = np.flatnonzero(rows[unknown])
        least = np.minimum(rows[unknown, used], rows[np.ix_(places, used)]) @ seen[used]
        most = sums[places] + sums[unknown] - least
        alike = least / np.where(most > 0, most, 1.0)
        own, theirs = alike[: len(known)].max(axis=0), alike[len(known) :]
        text = batch.writings[unknown].text.encode("utf-8", "surrogatepass")
        rng = np.random.default_rng((self.seed, crc32(text)))
        order = rng.random(theirs.shape).argsort(axis=0)[: self.called]
        rival = np.take_along_axis(theirs, order, axis=0).max(axis=0)
        return float(np.mean((own > rival) + UNDECIDED * (own == rival)))
