"""Learn the weights that come with the package: ``python -m …statistical.training OUT PROBLEMS …``.

Each folder of problems is a batch of its own, compared within itself.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from stemmata.authorship.batch import Batch
from stemmata.authorship.statistical.comparison import NAMES, compare
from stemmata.authorship.statistical.verifier import StemmataVerifier, Weights
from stemmata.formats.verification import read_problems, read_truth


def train(out: Path, folders: list[Path]) -> Weights:
    """Learn from folders of problems with their truths, and write the weights."""
    rows, truth = [], []
    for folder in folders:
        problems, said = read_problems(folder), read_truth(folder)
        rows.append(compare(Batch.of(problems)))
        truth += [said[problem.id] for problem in problems]
    weights = Weights.fitted(np.concatenate(rows), truth, StemmataVerifier().strength)
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
