"""Similarity of common words, ranked in the batch: in the place of Fratila (Sorin), 2013."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import UNDECIDED, ranks
from stemmata.authorship.distances import cosine
from stemmata.authorship.families import TokenGrams
from stemmata.authorship.one_class import answerable, author_rows, dense_rows
from stemmata.model import Problem
from stemmata.model.parameters import tunable


@dataclass(frozen=True)
class Fratila2013:
    """The rank of a problem by the cosine of the frequencies of common words and marks.

    Fratila took part in PAN 2013 without a notebook: nothing is known of the method but its answers on the
    test set of that year (AUC .658). This is the plainest method of the field, which scores about as much.

    Attributes
    ----------
    kept
        Commonest words and marks of the batch that count.
    """

    kept: int = tunable(100, 10, 5000)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the rank among all problems that can be answered."""
        batch = Batch.of(problems)
        rows = dense_rows(batch, TokenGrams(), self.kept)
        known, unknown = author_rows(batch, rows), rows[batch.unknown]
        alike = np.array([cosine(a[None], b[None])[0, 0] for a, b in zip(known, unknown, strict=True)])
        told = answerable(batch)
        answers = np.full(len(batch), UNDECIDED)
        answers[told] = ranks(alike[told])
        return [float(one) for one in answers]
