"""How alike the texts of a problem are, beside how alike each of them is to texts of other problems."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.distances import Measure

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FEWEST = 3
"""With fewer texts of others, nothing is usual."""


def some_others(batch: Batch, problem: int, most: int) -> Ints:
    """Return texts of other problems, so many at most, which do not depend on the order of problems."""
    sums = batch.once("checksums", lambda: _checksums(batch))
    others = batch.others(problem)
    return others[np.argsort(sums[others], kind="stable")[:most]]


def _checksums(batch: Batch) -> Ints:
    return np.array([crc32(one.text.encode("utf-8", "surrogatepass")) for one in batch.writings], np.int64)


def standings(batch: Batch, rows: Floats, alike: Measure, most: int) -> Floats:
    """Return how many spreads above the usual the texts of each problem are alike, 0 without texts of others.

    The usual is taken twice, from similarities of others' texts to the unknown text and to the known ones;
    the two standings are averaged, then those of all known texts.

    Parameters
    ----------
    batch
        The problems.
    rows
        The features of all texts.
    alike
        Similarity of rows.
    most
        Texts of others that are looked at.
    """
    return np.array([_standing(batch, number, rows, alike, most) for number in range(len(batch))])


def _standing(batch: Batch, number: int, rows: Floats, alike: Measure, most: int) -> float:
    known, others = batch.known[number], some_others(batch, number, most)
    if not len(known) or len(others) < FEWEST:
        return 0.0
    pair = rows[[int(batch.unknown[number]), *known.tolist()]]
    usual = alike(pair, rows[others])
    mean, spread = usual.mean(axis=1), usual.std(axis=1)
    spread = np.where(spread > 0, spread, 1.0)
    found = alike(pair[:1], pair[1:])[0]
    return float(np.mean(((found - mean[0]) / spread[0] + (found - mean[1:]) / spread[1:]) / 2))
