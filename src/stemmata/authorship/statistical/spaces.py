"""What our verifier compares: families of features, and the space that texts of others make of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from stemmata.authorship.batch import Batch, Counts
from stemmata.authorship.distances import cosine
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
from stemmata.authorship.statistical.habits import Frames, Layout, Openings, Outlines
from stemmata.authorship.terms import named

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FAMILIES: tuple[tuple[Family, int], ...] = (
    (Distorted(4), 2500),
    (Distorted(8), 3000),
    (Distorted(5, lengths=True), 2500),
    (Shapes(1), 600),
    (Shapes(2), 1500),
    (PartsOfSpeech(2), 600),
    (PartsOfSpeech(3), 2000),
    (TokenGrams(2), 2000),
    (Frames(3), 2500),
    (FunctionWords(1), 300),
    (FunctionWords(2), 1500),
    (Affixes(3), 800),
    (Punctuation(1), 40),
    (Punctuation(2), 200),
    (Characters(2), 1000),
    (Characters(3), 2500),
    (Layout(3), 300),
    (Outlines(4), 600),
    (Openings(), 100),
    (SentenceLengths(), 13),
)
"""What is compared, and how many of the most frequent features of each."""
ANGLE, LIKELIHOOD = "cosine of z-scores", "likelihood"
BOTH_WAYS = (Punctuation(1), Layout(3), Outlines(4))
"""Families of few features, some of them telling though rare, which are compared by both measures."""


class Respect(NamedTuple):
    """In what respect texts are compared.

    Attributes
    ----------
    place
        That of the family in `FAMILIES`.
    measure
        `ANGLE` or `LIKELIHOOD`.
    """

    place: int
    measure: str

    @property
    def family(self) -> Family:
        """What is compared."""
        return FAMILIES[self.place][0]


RESPECTS = tuple(
    Respect(place, measure)
    for measure in (ANGLE, LIKELIHOOD)
    for place, (family, _) in enumerate(FAMILIES)
    if measure == ANGLE or family in BOTH_WAYS
)


@dataclass(frozen=True)
class Space:
    """The features of a family, with what is usual among the texts it was made from.

    Attributes
    ----------
    family
        What is counted.
    columns
        The place of each feature.
    taken
        The places that the features have among all that were counted.
    texts
        How many texts say what is usual.
    mean, spread
        Of relative frequencies in these texts.
    """

    family: Family
    columns: dict[str, int]
    taken: Ints
    texts: int
    mean: Floats
    spread: Floats

    @classmethod
    def of(cls, counts: Counts, family: Family, most: int, places: Ints | None = None) -> Space:
        """Make a space of what was counted in some texts: in all, or in those at some places."""
        taken = (
            np.arange(min(most, len(counts.terms))) if places is None else _commonest(counts, most, places)
        )
        shares = _shares(counts, taken)
        rows = (shares if places is None else shares[places]).toarray()
        columns = {term: place for place, term in enumerate(named(counts.terms, taken))}
        return cls(family, columns, taken, len(rows), rows.mean(axis=0), rows.std(axis=0))

    def joined(self, rows: Floats) -> Space:
        """Return the space in which these texts, too, say what is usual.

        Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances",
        1979: what is left of two samples' spreads, and how far their means lie apart.
        """
        old, new = self.texts, len(rows)
        middle = rows.mean(axis=0)
        within = old * self.spread**2 + ((rows - middle) ** 2).sum(axis=0)
        squares = within + old * new / (old + new) * (self.mean - middle) ** 2
        mean = (old * self.mean + new * middle) / (old + new)
        return replace(self, texts=old + new, mean=mean, spread=np.sqrt(squares / (old + new)))

    def counted(self, counts: Counts) -> sparse.csr_array:
        """Return the relative frequencies of texts that it was made from, or that were counted with them."""
        return _shares(counts, self.taken)

    def rows(self, batch: Batch) -> Floats:
        """Return the relative frequencies of the texts of a batch, a row each."""
        made = batch.counts_of(self.family, self.columns)
        made /= np.maximum(made.sum(axis=1, keepdims=True), 1.0)
        return made

    def standard(self, rows: Floats) -> Floats:
        """Return rows as z-scores."""
        made = rows - self.mean
        made /= np.where(self.spread > 0, self.spread, 1.0)
        return made

    def surprise(self, rows: Floats) -> Floats:
        """Return how much likelier than usual each feature is if it comes half from each row, half from all.

        ln((f + m) / m), f being the relative frequency in the row and m that in all texts.
        """
        return np.asarray(np.log1p(rows / self.mean))

    def similarities(self, rows: Floats, others: Floats, measure: str) -> Floats:
        """Return how alike rows are: as cosines of z-scores, or as what each makes likely in the other."""
        if measure == ANGLE:
            return cosine(self.standard(rows), self.standard(others))
        both = rows @ self.surprise(others).T + self.surprise(rows) @ others.T
        return np.asarray(both / 2, np.float64)


def _commonest(counts: Counts, most: int, places: Ints) -> Ints:
    """Return the columns of the most frequent features in the texts at some places, equals in their order."""
    sums = np.asarray(counts.matrix[places].sum(axis=0), np.float64).ravel()
    least = np.partition(sums, -most)[-most] if len(sums) > most else 0.0
    found = np.flatnonzero(sums >= max(least, 1.0))
    return np.asarray(found[np.argsort(-sums[found], kind="stable")[:most]], np.int64)


def _shares(counts: Counts, columns: Ints) -> sparse.csr_array:
    """Return each of some features as a share of all of them, a row per text."""
    kept = sparse.csr_array(counts.matrix[:, columns])
    totals = np.maximum(np.asarray(kept.sum(axis=1), np.float64).ravel(), 1.0)
    kept.data /= np.repeat(totals, np.diff(kept.indptr))
    return kept
