"""Learn the weights that come with the package: ``python -m …statistical.training OUT PROBLEMS …``.

Each folder of problems is a batch of its own, compared within itself. Large ones count alike.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.statistical.comparison import NAMES, compare
from stemmata.authorship.statistical.verifier import StemmataVerifier, Weights
from stemmata.formats.verification import read_problems, read_truth

Floats = npt.NDArray[np.float64]

LARGE, EACH = 50, 2.0
"""A set of so many problems counts as twice as many of this; in a smaller one each problem counts so much."""


def counting(sizes: Sequence[int]) -> Floats:
    """Return how much each problem of sets of these sizes counts.

    Examples
    --------
    >>> counting([10, 200])[[0, 10]].tolist()
    [2.0, 0.5]
    """
    shares = [EACH if size < LARGE else EACH * LARGE / size for size in sizes]
    return np.repeat(shares, sizes)


def train(out: Path, folders: list[Path]) -> Weights:
    """Learn from folders of problems with their truths, and write the weights."""
    rows, truth, sizes = [], [], []
    for folder in folders:
        problems, said = read_problems(folder), read_truth(folder)
        rows.append(compare(Batch.of(problems)))
        truth += [said[problem.id] for problem in problems]
        sizes.append(len(problems))
    strength = StemmataVerifier().strength
    weights = Weights.fitted(np.concatenate(rows), truth, strength, counting(sizes))
    record = {
        "learned from": [folder.name for folder in folders],
        "problems": len(truth),
        "offset": weights.offset,
        "weights": dict(zip(NAMES, weights.values, strict=True)),
    }
    out.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return weights


if __name__ == "__main__":
    train(Path(sys.argv[1]), [Path(one) for one in sys.argv[2:]])
