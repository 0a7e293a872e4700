"""Compression distances to prototypes: Veenman and Li, 2013."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.compression import compressed_size
from stemmata.authorship.learning import Learned, Learner, scikit_learn
from stemmata.model.parameters import tunable


def dissimilarity(one: bytes, other: bytes, order: int = 5) -> float:
    """Return the compression dissimilarity measure of Keogh et al., 2004: C(xy) / (C(x) + C(y))."""
    apart = compressed_size(one, order) + compressed_size(other, order)
    return compressed_size(one + other, order) / apart if apart else 1.0


@dataclass(frozen=True)
class VeenmanLi2013(Learner):
    """Both texts by their compression distances to prototypes, and from each other, to a classifier.

    Veenman and Li, "Authorship verification with compression features", PAN at CLEF 2013, the best on English
    that year. Prototypes are texts learned from.

    Attributes
    ----------
    prototypes
        How many texts distances are taken to.
    length
        Bytes of a text that are looked at.
    """

    # Compressor, number of prototypes and classifier are guesses; no scores of the original are public.
    prototypes: int = tunable(6, 1, 50)
    length: int = tunable(10_000, 500, 500_000)

    def fix(self, batch: Batch) -> dict[str, Any]:
        """Return the prototypes: the beginnings of texts learned from, at equal distances."""
        texts = sorted(
            {batch.writings[int(known[0])].spaced[: self.length] for known in batch.known if len(known)}
        )
        step = max(1, len(texts) // self.prototypes)
        return {"prototypes": texts[::step][: self.prototypes]}

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the distance of both sides, and the differences of their distances to the prototypes."""
        prototypes = [str(text).encode("utf-8", "surrogatepass") for text in fixed["prototypes"]]
        made = np.ones((len(batch), 2 + len(prototypes)))
        for number in range(len(batch)):
            text = " ".join(batch.writings[place].spaced for place in batch.known[number].tolist())
            known = text[: self.length].encode("utf-8", "surrogatepass")
            whole = batch.writings[int(batch.unknown[number])].spaced
            unknown = whole[: self.length].encode("utf-8", "surrogatepass")
            if not known or not unknown:
                made[number] = 0.0
                continue
            apart = [abs(dissimilarity(one, known) - dissimilarity(one, unknown)) for one in prototypes]
            made[number] = [dissimilarity(known, unknown), float(np.mean(apart or [0.0])), *apart]
        return made

    def model(self) -> Any:
        """Return a linear discriminant with shrunken covariances."""
        discriminant = scikit_learn("discriminant_analysis").LinearDiscriminantAnalysis
        return discriminant(solver="lsqr", shrinkage=0.5)

    def _fitted(self, memory: Learned) -> Any:
        # Two problems have no spread within their classes, and a discriminant asks for one.
        return super()._fitted(memory) if len(memory.truth) > 2 else None

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return probabilities; 0.5 for empty texts, and for all where too little was learned from."""
        if fitted is None:
            return np.full(len(rows), UNDECIDED)
        return np.where(rows[:, 0] > 0, fitted.predict_proba(rows)[:, 1], UNDECIDED)
