"""Fitting the opinion of `stemmata-intrinsic` to corpora, each of which counts the same.

``python -m stemmata.reuse.intrinsic.training CORPUS …`` writes the weights that come with the package. A
corpus is a folder with ``susp/`` and, as PAN XML, ``truth/``; ``python -m benchmarks.intrinsic FOLDER``
writes those that were used.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from stemmata import __version__
from stemmata.formats import DocumentFolder, read_cases
from stemmata.formats.files import write_atomically
from stemmata.measures.evaluation import score_alignment
from stemmata.model import Annotations, Case, Detection, SpanSet, document_key
from stemmata.reuse.intrinsic.evidence import Evidence, gather
from stemmata.reuse.intrinsic.neighbourhood import Floats
from stemmata.reuse.intrinsic.surprise import Opinion, StemmataIntrinsic

FITTED = Path(__file__).parent / "fitted.json"
PENALTY = 0.001
ADAPTATION = 0.3
"""The penalty with one document; each further one lowers it."""
FOLDS = 4
THRESHOLDS = (-2.25, -2.0, -1.75, -1.5, -1.25, -1.0, -0.75)
COSTS = (0.1, 0.3, 0.6, 1.0, 2.0, 3.0)


@dataclass(frozen=True)
class Example:
    """A document's evidence, its cases, and the share of each sentence that lies in one."""

    evidence: Evidence
    cases: tuple[Case, ...]
    foreign: Floats

    @classmethod
    def of(cls, evidence: Evidence, cases: Sequence[Case]) -> Example:
        """Say of the sentences of a document which are of another hand."""
        start, end = evidence.start, evidence.end
        covered = np.zeros(len(start))
        for span in SpanSet((case.suspicious.offset, case.suspicious.end) for case in cases):
            covered += np.maximum(np.minimum(end, span.end) - np.maximum(start, span.start), 0)
        return cls(evidence, tuple(cases), covered / np.maximum(end - start, 1))


def read_examples(folder: Path) -> list[Example]:
    """Read a corpus and gather its evidence."""
    by_document: dict[str, list[Case]] = {}
    for case in read_cases(folder / "truth").annotations.cases:
        by_document.setdefault(document_key(case.suspicious.document), []).append(case)
    documents = DocumentFolder(folder / "susp")
    names = sorted(name for name in documents.paths if name.endswith(".txt"))
    return [
        Example.of(gather(documents[name].text, name), by_document.get(document_key(name), []))
        for name in names
    ]


def fit(
    corpora: Sequence[Sequence[Example]], penalty: float = PENALTY, near: Opinion | None = None
) -> Opinion:
    """Fit the opinion by logistic regression with a penalty on squared weights of standardised features.

    Parameters
    ----------
    near
        An opinion the distance from which is penalised, in place of the size of weights.
    """
    corpora = [examples for examples in corpora if examples]
    features = np.concatenate([one.evidence.features for examples in corpora for one in examples])
    foreign = np.concatenate([one.foreign for examples in corpora for one in examples])
    sizes = [sum(len(one.foreign) for one in examples) for examples in corpora]
    share = np.repeat([1 / size / len(sizes) for size in sizes], sizes)
    scale = np.sqrt(share @ (features - share @ features) ** 2) + 1e-9
    matrix = np.column_stack((features / scale, np.ones(len(features))))
    centre = np.zeros(matrix.shape[1])
    if near is not None:
        centre[:] = *(np.array(near.weights) * scale), near.bias

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds = matrix @ weights
        bound = np.append((weights - centre)[:-1], 0.0)
        value = share @ (np.logaddexp(0, odds) - foreign * odds) + penalty * bound @ bound
        slope = matrix.T @ (share * (1 / (1 + np.exp(-odds)) - foreign)) + 2 * penalty * bound
        return float(value), slope

    best = minimize(loss, centre, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    weights = [round(float(weight), 5) for weight in best[:-1] / scale]
    return Opinion(tuple(weights), round(float(best[-1]), 5))


def adapt(opinion: Opinion, examples: Sequence[Example]) -> Opinion:
    """Fit an opinion to the documents of one corpus, the less far from the given one the fewer they are."""
    seen = [one for one in examples if len(one.foreign)]
    return fit([seen], ADAPTATION / len(seen), opinion) if seen else opinion


def choose(corpora: Sequence[Sequence[Example]]) -> dict[str, Any]:
    """Return the threshold and cost that score best on folds whose documents the opinion has not seen."""
    unseen: list[list[tuple[Opinion, Example]]] = [[] for _ in corpora]
    for fold in range(FOLDS):
        rest = [[one for i, one in enumerate(examples) if i % FOLDS != fold] for examples in corpora]
        opinion = fit(rest)
        for mine, examples in zip(unseen, corpora, strict=True):
            mine += [(opinion, one) for one in examples[fold::FOLDS]]
    best: tuple[float, dict[str, Any]] = (-1.0, {})
    for threshold in THRESHOLDS:
        for cost in COSTS:
            scores = [_folded(mine, threshold, cost) for mine in unseen]
            total = sum(map(sum, scores))
            if total > best[0]:
                rounded = [[round(one, 4) for one in pair] for pair in scores]
                best = total, {"threshold": threshold, "cost": cost, "plagdet": rounded}
    return best[1]


def _folded(
    examples: Sequence[tuple[Opinion, Example]], threshold: float, cost: float
) -> tuple[float, float]:
    found: list[Detection] = []
    cases: list[Case] = []
    for opinion, example in examples:
        detector = StemmataIntrinsic(threshold, cost, opinion=opinion)
        found += detector.decide(example.evidence)
        cases += example.cases
    values = score_alignment(Annotations.of(cases), Annotations.of(found)).scores.values
    return values["micro.plagdet"], values["macro.plagdet"]


def main(folders: Sequence[str]) -> None:
    """Fit to the corpora in these folders and write the weights."""
    corpora = [read_examples(Path(folder)) for folder in folders]
    opinion = fit(corpora)
    said = {
        **opinion.as_json(),
        "provenance": {
            "version": __version__,
            "corpora": [Path(folder).name for folder in folders],
            "documents": list(map(len, corpora)),
            "chosen on folds": choose(corpora),
        },
    }
    with write_atomically(FITTED) as part:
        part.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(said["provenance"], indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
