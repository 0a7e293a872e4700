"""Learn the weights that come with the package: ``python -m …statistical.training OUT PROBLEMS …``.

Each folder of problems is a batch of its own, compared within itself: together, and as if each problem were
judged alone. Large ones count alike.
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
from stemmata.authorship.statistical.verifier import StemmataVerifier, Weights, alone_rows
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


def train(out: Path, folders: list[Path]) -> dict[str, Weights]:
    """Learn from folders of problems with their truths, and write the weights."""
    batches = [Batch.of(read_problems(folder)) for folder in folders]
    truth = []
    for folder, batch in zip(folders, batches, strict=True):
        said = read_truth(folder)
        truth += [said[problem.id] for problem in batch]
    counts = counting([len(batch) for batch in batches])
    learned = {}
    for mode, compared in (("batch", compare), ("alone", alone_rows)):
        rows = np.concatenate([compared(batch) for batch in batches])
        learned[mode] = Weights.fitted(rows, truth, StemmataVerifier().strength, counts)
    record = {
        "learned from": [folder.name for folder in folders],
        "problems": len(truth),
        **{
            mode: {"offset": one.offset, "weights": dict(zip(NAMES, one.values, strict=True))}
            for mode, one in learned.items()
        },
    }
    out.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return learned


if __name__ == "__main__":
    train(Path(sys.argv[1]), [Path(one) for one in sys.argv[2:]])
