"""A decision tree over eight views of the texts: Fréry, Largeron and Juganaru-Mathieu, 2014."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import TermLearner, frequencies
from stemmata.authorship.distances import correlation, cosine, euclidean
from stemmata.authorship.families import Characters, Family, WordGrams
from stemmata.authorship.learning import scikit_learn
from stemmata.authorship.statistics import NAMES
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]

_FIGURES = {
    "sentences": ("sentence length", "sentence length spread"),
    "diversity": ("types per token",),
    "punctuation": tuple(name for name in NAMES if name.startswith("rate of")),
}


@dataclass(frozen=True)
class Frery2014(TermLearner):
    """In each of eight views, how like the known texts the unknown one is, and to how many; a tree decides.

    Fréry, Largeron and Juganaru-Mathieu, "UJM at CLEF in author identification", PAN at CLEF 2014. In a view,
    COUNT is the share of known texts to which the unknown one is more like than the least like other known
    text; MEAN is the mean similarity to them. A CART tree learns from these sixteen attributes.

    Attributes
    ----------
    kept
        Commonest features of a view that are compared.
    common
        Words in more than this share of the texts are left out of the fourth view.
    seed
        Where chance comes from.
    """

    # Where there is but one known text, nothing says how alike the author's are: COUNT is then whether the
    # pair is more alike than the mean pair of the batch. The depth of the tree is chosen by cross-validation.
    kept: int = tunable(3000, 100, 20_000)
    common: float = tunable(0.7, 0.1, 1.0)
    seed: int = 1

    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return the five views of counts."""
        return {
            "characters 8": (Characters(8), self.kept),
            "characters 3": (Characters(3), self.kept),
            "word pairs": (WordGrams(2), self.kept),
            "words": (WordGrams(1), self.kept),
            "content": (WordGrams(1, stop=False), self.kept),
        }

    def fix(self, batch: Batch) -> dict[str, Any]:
        """Fix the terms; the commonest words are not among them."""
        fixed = super().fix(batch)
        heard = (frequencies(batch, WordGrams(1), fixed["words"]) > 0).mean(axis=0)
        fixed["words"] = [
            word for word, share in zip(fixed["words"], heard, strict=True) if share < self.common
        ]
        return fixed

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return COUNT and MEAN in each view."""
        views = [cosine(rows, rows) for rows in self.profiles(batch, fixed).values()]
        for names in _FIGURES.values():
            rows = batch.statistics[:, [NAMES.index(name) for name in names]]
            views.append(correlation(rows, rows) if len(names) > 2 else -euclidean(rows, rows))
        return np.column_stack([attributes(batch, view) for view in views])

    def model(self) -> Any:
        """Return a tree pruned by cross-validation."""
        tree = scikit_learn("tree").DecisionTreeClassifier(random_state=self.seed)
        return _Pruned(tree)


def attributes(batch: Batch, alike: Floats) -> Floats:
    """Return COUNT and MEAN for each problem, given the similarities of all texts."""
    made = np.zeros((len(batch), 2))
    for number, places in enumerate(batch.known):
        if len(places):
            made[number, 1] = alike[batch.unknown[number], places].mean()
    usual = made[:, 1].mean() if len(batch) else 0.0
    for number, places in enumerate(batch.known):
        near = alike[batch.unknown[number], places]
        if len(places) > 1:
            among = alike[np.ix_(places, places)] + np.diag(np.full(len(places), np.inf))
            made[number, 0] = (near > among.min(axis=1)).mean()
        elif len(places):
            made[number, 0] = float(near[0] > usual)
    return made


class _Pruned:
    """A tree whose least leaf is the best in cross-validation, if there are problems enough for it."""

    def __init__(self, tree: Any) -> None:
        self._tree = tree

    def fit(self, rows: Floats, truth: npt.NDArray[np.bool_]) -> Any:
        folds = min(5, int(truth.sum()), int((~truth).sum()))
        if folds < 2:
            return self._tree.fit(rows, truth)
        search = scikit_learn("model_selection").GridSearchCV
        grid = {"min_samples_leaf": [3, 6, 12]}
        return search(self._tree, grid, scoring="roc_auc", cv=folds).fit(rows, truth)
