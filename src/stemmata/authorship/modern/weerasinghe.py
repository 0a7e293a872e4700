"""Differences of feature vectors and a logistic regression: Weerasinghe and Greenstadt, 2020."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import TermLearner, sides
from stemmata.authorship.families import (
    Characters,
    Family,
    FunctionWords,
    PartsOfSpeech,
    Punctuation,
    WordLengths,
)
from stemmata.authorship.learning import scikit_learn
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class WeerasingheGreenstadt2020(TermLearner):
    """How far apart two texts are in each of some thousand features, and a logistic regression on that.

    Weerasinghe and Greenstadt, "Feature vector difference based neural network and logistic regression models
    for authorship verification", PAN at CLEF 2020. Features are n-grams of characters and of parts of speech,
    marks, function words, lengths of words and the richness of vocabulary; each is scaled over the texts
    learned from, and a problem is the absolute difference of its two vectors.

    Attributes
    ----------
    strength
        The inverse of the penalty on the squares of weights.
    """

    # Left out: n-grams of phrase chunks and shapes of noun and verb phrases, which need a parser. Inverse
    # document frequencies are left out because the scaling undoes them. With some hundred problems to learn
    # from instead of 50,000, there are fewer features and the penalty is higher. Several known texts are
    # averaged. Both answers weigh the same in learning, whatever their numbers.
    strength: float = tunable(0.001, 1e-6, 10.0)

    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return what is counted."""
        return {
            "characters 3": (Characters(3), 400),
            "characters 4": (Characters(4), 400),
            "parts of speech 1": (PartsOfSpeech(1), 30),
            "parts of speech 2": (PartsOfSpeech(2), 150),
            "parts of speech 3": (PartsOfSpeech(3), 200),
            "function words": (FunctionWords(1), 150),
            "marks": (Punctuation(1), 20),
            "word lengths": (WordLengths(), 10),
        }

    def fix(self, batch: Batch) -> dict[str, Any]:
        """Fix the commonest features, and the scale of all."""
        fixed = super().fix(batch)
        rows = self._rows(batch, fixed)
        spread = rows.std(axis=0)
        fixed["mean"] = [float(one) for one in rows.mean(axis=0)]
        fixed["spread"] = [float(one) for one in np.where(spread > 0, spread, 1.0)]
        return fixed

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the absolute difference of both sides in each feature."""
        scaled = (self._rows(batch, fixed) - np.array(fixed["mean"])) / np.array(fixed["spread"])
        known, unknown = sides(batch, scaled)
        return np.asarray(np.abs(known - unknown))

    def _rows(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        return np.hstack([*self.profiles(batch, fixed).values(), batch.statistics])

    def model(self) -> Any:
        """Return a scaled logistic regression."""
        return scikit_learn("pipeline").make_pipeline(
            scikit_learn("preprocessing").StandardScaler(),
            scikit_learn("linear_model").LogisticRegression(
                C=self.strength, max_iter=2000, class_weight="balanced"
            ),
        )
