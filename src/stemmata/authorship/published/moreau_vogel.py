"""Consistency and divergence of many n-grams: Moreau and Vogel, 2013."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.distances import cosine, min_max
from stemmata.authorship.families import Characters, FunctionWords, PartsOfSpeech, WordGrams
from stemmata.authorship.learning import Learner, scikit_learn
from stemmata.authorship.one_class import answerable, author_rows, compared, dense_rows, halved
from stemmata.model.parameters import tunable

FAMILIES = (
    *(
        Characters(3),
        Characters(5),
        WordGrams(1),
        WordGrams(2),
        FunctionWords(1),
        PartsOfSpeech(2),
        PartsOfSpeech(3),
    ),
)


@dataclass(frozen=True)
class MoreauVogel2013(Learner):
    """How consistent the known texts are and how far the unknown one diverges, in many n-grams, to a tree.

    Moreau and Vogel, "Style-based distance features for author verification", PAN at CLEF 2013: for each kind
    of n-gram the distances among known texts, to the unknown one and to a reference are features of a
    learner.

    Attributes
    ----------
    kept
        Commonest n-grams of each kind that count.
    depth
        Questions that the tree asks.
    """

    # The kinds of n-grams and the learner were chosen for each language by search; these are guesses. The
    # reference is the mean of the batch. Answers are 1 or 0, as the original's.
    kept: int = tunable(500, 10, 5000)
    depth: int = tunable(2, 1, 10)

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return consistency, divergence, their ratio and the likeness beside the reference, by kind."""
        cut = halved(batch)
        columns = []
        for family in FAMILIES:
            rows = dense_rows(cut, family, self.kept)
            found = list(compared(cut, rows, min_max))
            within = np.array([one.pairs.mean() if len(one.pairs) else 0.0 for one in found])
            across = np.array([one.unknown.mean() if len(one.unknown) else 0.0 for one in found])
            centred = rows - rows.mean(axis=0) if len(rows) else rows
            known, unknown = author_rows(cut, centred), centred[cut.unknown]
            turned = [cosine(a[None], b[None])[0, 0] for a, b in zip(known, unknown, strict=True)]
            columns += [within, across, across / np.maximum(within, 1e-9), np.array(turned)]
        made = np.column_stack(columns)
        made[~answerable(batch)] = 0.0
        return made

    def model(self) -> Any:
        """Return a decision tree that has not learned yet."""
        tree = scikit_learn("tree")
        return tree.DecisionTreeClassifier(max_depth=self.depth, min_samples_leaf=5, random_state=0)

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return 1 for the same author and 0 for another; 0.5 where nothing was measured."""
        said = np.asarray(fitted.predict_proba(rows)[:, 1]) > UNDECIDED
        return np.where(rows.any(axis=1), said, UNDECIDED)
