"""One-class decisions: the unknown text against the spread of the known texts among themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.distances import Measure
from stemmata.authorship.families import Family
from stemmata.model import Document, Problem

Floats = npt.NDArray[np.float64]


class Compared(NamedTuple):
    """What a measure says of one problem.

    Attributes
    ----------
    among
        Between the known texts, a square.
    unknown
        Between the unknown text and each known one.
    """

    among: Floats
    unknown: Floats

    @property
    def pairs(self) -> Floats:
        """Between different known texts, each pair once."""
        return np.asarray(self.among[np.triu_indices(len(self.among), 1)], np.float64)


def halved(batch: Batch) -> Batch:
    """Return the same problems, where a single known text is two: its halves, parted at a blank."""
    return batch.once("halved", lambda: batch.beside([with_halves(problem) for problem in batch]))


def with_halves(problem: Problem) -> Problem:
    """Return a problem whose known text, if it is a single one, is its halves, parted at a blank."""
    if len(problem.known) != 1:
        return problem
    text = problem.known[0].text
    middle = text.find(" ", len(text) // 2)
    middle = middle if middle > 0 else len(text) // 2
    parts = (text[:middle], text[middle:])
    known = tuple(Document(f"{problem.known[0].name}-{i}", part) for i, part in enumerate(parts, 1))
    return replace(problem, known=known)


def dense_rows(batch: Batch, family: Family, kept: int) -> Floats:
    """Return the relative frequencies of the commonest features of all texts, dense.

    They are quickly made of the counts, and too large to be kept.
    """
    counts = batch.counts(family)
    return np.asarray(counts.matrix[:, :kept].toarray() * (1.0 / counts.totals[:, None]), np.float64)


def author_rows(batch: Batch, rows: Floats) -> Floats:
    """Return the mean of the known texts' rows for each problem, 0 where there are none."""
    made = np.zeros((len(batch), rows.shape[1]))
    for number, known in enumerate(batch.known):
        if len(known):
            made[number] = rows[known].mean(axis=0)
    return made


def compared(batch: Batch, rows: Floats, measure: Measure) -> Iterator[Compared]:
    """Yield what a measure says of each problem, by the rows of the texts."""
    for number in range(len(batch)):
        known = rows[batch.known[number]]
        yield Compared(measure(known, known), measure(known, rows[batch.unknown[[number]]])[:, 0])


def answerable(batch: Batch) -> npt.NDArray[np.bool_]:
    """Tell which problems have words in known texts and in the unknown one."""

    def make() -> npt.NDArray[np.bool_]:
        told = [bool(writing.words) for writing in batch.writings]
        return np.array(
            [
                told[unknown] and any(told[place] for place in known.tolist())
                for known, unknown in zip(batch.known, batch.unknown.tolist(), strict=True)
            ],
            bool,
        )

    return batch.once("answerable", make)
