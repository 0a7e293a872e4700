"""Prediction by partial matching, of letters and of parts of speech: Bobicev, 2013; Harvey, 2014."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import UNDECIDED, around, logistic
from stemmata.authorship.compression import LONGEST, as_bytes, own_entropies, piece_entropies
from stemmata.authorship.one_class import answerable
from stemmata.model import Problem
from stemmata.model.parameters import tunable


@dataclass(frozen=True)
class Bobicev2013:
    """Pieces of the unknown text must be as predictable from the known texts as pieces of these.

    Bobicev, "Authorship detection with PPM", PAN at CLEF 2013: cross-entropies of prediction by partial
    matching of order 5 over letters, compared with those among the known texts.

    Attributes
    ----------
    order
        The longest context.
    length
        Bytes of a piece.
    slope
        How fast answers leave 0.5, for each bit that the unknown text costs more or less.
    """

    # How the entropies were normalised is a guess: of what we tried, the difference of means over pieces of
    # some hundred letters agrees best with the original's answers.
    order: int = tunable(5, 2, 8)
    length: int = tunable(500, 100, 5000)
    slope: float = tunable(4.0, 0.1, 50.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return answers by how much more the unknown text costs."""
        batch = Batch.of(problems)
        told = answerable(batch)
        gains = np.zeros(len(batch))
        for number in np.flatnonzero(told).tolist():
            gains[number] = batch.once_of(number, self, partial(self._gain, batch, number))
        return [float(one) for one in np.where(told, logistic(gains, self.slope), UNDECIDED)]

    def _gain(self, batch: Batch, number: int) -> float:
        known = as_bytes(" ".join(batch.writings[i].spaced for i in batch.known[number].tolist()).lower())
        unknown = as_bytes(batch.writings[int(batch.unknown[number])].spaced.lower())
        own = own_entropies(known, self.length, self.order)
        return float(np.mean(own) - np.mean(piece_entropies(known, unknown, self.length, self.order)))


@dataclass(frozen=True)
class Harvey2014:
    """Pieces of the known texts must be as predictable from the unknown text as from one another.

    Harvey, "Author verification using PPM with parts of speech tagging", PAN at CLEF 2014: a text becomes a
    string with a symbol for each part of speech, and cross-entropies are compared as by Bobicev.

    Attributes
    ----------
    order
        The longest context.
    length
        Parts of speech in a piece.
    limit
        Bits that a symbol may cost more or less for the same author.
    width
        How far from the limit answers reach 0 and 1, twice.
    """

    # The original's answers look like those of a test of equal means: near 0 for long known texts, near 1 for
    # short ones. Taking the same pieces under both models follows from that: it gives their dependence on the
    # lengths of both texts, which the same model for pieces of both texts does not.
    order: int = tunable(5, 2, 8)
    length: int = tunable(100, 20, 1000)
    limit: float = tunable(0.3, 0.0, 3.0)
    width: float = tunable(0.6, 0.05, 5.0)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return answers by how far the costs under both models are apart."""
        batch = Batch.of(problems)
        told = answerable(batch)
        symbols: dict[str, int] = {}
        apart = np.full(len(batch), self.limit)
        for number in np.flatnonzero(told):
            known = b"".join(_tags(batch, place, symbols) for place in batch.known[number].tolist())
            unknown = _tags(batch, int(batch.unknown[number]), symbols)
            own = np.mean(own_entropies(known, self.length, self.order))
            apart[number] = abs(own - np.mean(piece_entropies(unknown, known, self.length, self.order)))
        answers = around(-apart, -self.limit, self.width)
        return [float(one) for one in np.where(told, answers, UNDECIDED)]


def _tags(batch: Batch, place: int, symbols: dict[str, int]) -> bytes:
    """Return a byte for each part of speech of a text; marks beyond the first 255 share one."""
    tags = batch.writings[place].tags[:LONGEST]
    return bytes(min(symbols.setdefault(tag, len(symbols)), 255) for tag in tags)
