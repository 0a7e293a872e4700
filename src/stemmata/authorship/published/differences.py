"""Forests, machines and trees on differences of style: six systems of 2015 of which little is known.

All learn from how much the unknown text differs from the author's mean, in families of features; they
differ in the families and the learner. Both answers weigh alike in learning, however many there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.calibration import logistic
from stemmata.authorship.contrast import TermLearner, sides
from stemmata.authorship.distances import cosine
from stemmata.authorship.families import (
    Characters,
    Distorted,
    Family,
    FunctionWords,
    PartsOfSpeech,
    Punctuation,
    Shapes,
    WordGrams,
)
from stemmata.authorship.learning import scikit_learn
from stemmata.authorship.statistics import NAMES
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class DifferenceLearner(TermLearner):
    """A learner that sees |u - k| of the figures of a text and of the terms of its families.

    Attributes
    ----------
    seed
        Where chance comes from.
    """

    seed: int = 1

    # Few problems to learn from: the sum of each family's differences stands beside them.
    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the differences, figures first, and the sum of those of each family."""
        known, unknown = sides(batch, self.rows(batch, fixed))
        apart = np.abs(unknown - known)
        ends = len(NAMES) + np.cumsum([0, *(len(fixed[name]) for name in self.families())])
        sums = [apart[:, start:end].sum(axis=1) for start, end in pairwise(ends)]
        return np.column_stack([apart, *sums])

    def rows(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return what is compared of each text."""
        return np.hstack([batch.statistics, *self.profiles(batch, fixed).values()])


def scaled(machine: Any) -> Any:
    """Return a model before which features are made to vary alike."""
    return scikit_learn("pipeline").make_pipeline(scikit_learn("preprocessing").StandardScaler(), machine)


@dataclass(frozen=True)
class Maitra2015(DifferenceLearner):
    """A random forest on differences of punctuation, lengths, vocabulary, characters and parts of speech.

    Maitra, Ghosh and Das, "Authorship verification: an approach based on random forest", PAN at CLEF 2015.

    Attributes
    ----------
    trees
        Trees of the forest.
    """

    # Answers of the original are hundredths, but 45 levels over 100 problems: a forest of about 100 trees.
    trees: int = tunable(100, 10, 1000)

    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return characters and parts of speech."""
        return {"characters": (Characters(3), 100), "parts": (PartsOfSpeech(1), 40)}

    def model(self) -> Any:
        """Return the forest."""
        return scikit_learn("ensemble").RandomForestClassifier(
            self.trees, class_weight="balanced", random_state=self.seed
        )


@dataclass(frozen=True)
class Mechti2015(DifferenceLearner):
    """The most telling stylistic features are selected, and a decision tree is grown on their differences.

    Mechti, Jaoua, Faiz and Belguith, "A new hybrid approach for author identification", PAN at CLEF 2015.

    Attributes
    ----------
    selected
        Features that the tree sees.
    """

    # A conjecture: "hybrid" is taken as a statistical selection (F test) before the learner. The originals'
    # answers have five levels on PAN15: a small tree.
    selected: int = tunable(10, 1, 100)

    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return function words and parts of speech."""
        return {"function words": (FunctionWords(1), 100), "parts": (PartsOfSpeech(1), 40)}

    def model(self) -> Any:
        """Return a selection and a tree."""
        best = scikit_learn("feature_selection").SelectKBest(_f_test, k=self.selected)
        tree = scikit_learn("tree").DecisionTreeClassifier(
            max_depth=3, min_samples_leaf=5, class_weight="balanced", random_state=self.seed
        )
        return scikit_learn("pipeline").make_pipeline(best, tree)


def _f_test(rows: Floats, truth: npt.NDArray[np.bool_]) -> Floats:
    """Return how much the means of two classes differ for the spread within them; 0 for constants."""
    yes, no = rows[truth], rows[~truth]
    within = yes.var(axis=0) * len(yes) + no.var(axis=0) * len(no)
    between = (yes.mean(axis=0) - no.mean(axis=0)) ** 2
    return np.where(within > 0, between / np.where(within > 0, within, 1.0), 0.0)


@dataclass(frozen=True)
class Pimas2015(DifferenceLearner):
    """Stylometric figures and grammar, as differences, for an ensemble of a forest, a machine and a line.

    Pimas, Kröll and Kern, "Know-Center at PAN 2015 author identification", PAN at CLEF 2015.
    """

    # A conjecture: the members of the ensemble are not known.
    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return pairs of parts of speech and punctuation."""
        return {"grammar": (PartsOfSpeech(2), 100), "punctuation": (Punctuation(1), 20)}

    def model(self) -> Any:
        """Return the mean of a forest's, a Bayesian and a logistic model's probabilities."""
        ensemble = scikit_learn("ensemble")
        members = [
            ("forest", ensemble.RandomForestClassifier(100, class_weight="balanced", random_state=self.seed)),
            ("bayes", scikit_learn("naive_bayes").GaussianNB(var_smoothing=1e-3)),
            (
                "line",
                scikit_learn("linear_model").LogisticRegression(
                    C=0.1, class_weight="balanced", max_iter=2000
                ),
            ),
        ]
        return scaled(ensemble.VotingClassifier(members, voting="soft"))


@dataclass(frozen=True)
class Sari2015(DifferenceLearner):
    """A support vector machine on differences of stylometric figures and characters.

    Sari and Stevenson, "A machine learning-based intrinsic method for cross-topic and cross-genre authorship
    verification", PAN at CLEF 2015.
    """

    # A conjecture: the radial kernel and the numbers of n-grams.
    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return characters."""
        return {"characters 3": (Characters(3), 300), "function words": (FunctionWords(1), 100)}

    def model(self) -> Any:
        """Return the machine."""
        return scaled(scikit_learn("svm").SVC(C=1.0, class_weight="balanced"))

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return distances from the border as answers."""
        return logistic(np.asarray(fitted.decision_function(rows)), 2.0)


@dataclass(frozen=True)
class Nikolov2015(DifferenceLearner):
    """Logistic regression on similarities: topics, words, characters, stop words, punctuation, grammar.

    Nikolov, Tabakova, Savov, Kiprov and Nakov, "SU@PAN'2015: experiments in author verification", PAN at CLEF
    2015. Each family gives the cosine of both sides and their mean difference.
    """

    # A conjecture. Topics are the words of content, not a topic model.
    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return the six families."""
        return {
            "topics": (WordGrams(1, stop=False), 1000),
            "words": (WordGrams(2), 1000),
            "characters": (Characters(3), 1000),
            "stop words": (FunctionWords(1), 150),
            "punctuation": (Punctuation(1), 20),
            "grammar": (PartsOfSpeech(2), 300),
        }

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return cosine and mean difference by family."""
        made = []
        for rows in self.profiles(batch, fixed).values():
            known, unknown = sides(batch, rows)
            made.append([cosine(known[[n]], unknown[[n]])[0, 0] for n in range(len(batch))])
            made.append(np.abs(known - unknown).sum(axis=1))
        return np.array(made).T

    def model(self) -> Any:
        """Return a regression on scaled features."""
        return scaled(
            scikit_learn("linear_model").LogisticRegression(C=0.1, class_weight="balanced", max_iter=2000)
        )


KERNELS: Mapping[str, tuple[str, float]] = {
    "characters": ("linear", 0.01),
    "words": ("rbf", 1.0),
    "shapes": ("rbf", 1.0),
    "distorted": ("linear", 0.01),
    "grammar": ("poly", 1.0),
}
"""The kernel and the cost of the machine of each category."""


@dataclass(frozen=True)
class Solorzano2015(DifferenceLearner):
    """One support vector machine for each category of features, with a kernel of its own; the mean decides.

    Solórzano Soto, Mijangos, Pimentel, López-Escobedo, Montes and Sierra, "Authorship verification by
    combining SVMs with kernels optimized for different feature categories", PAN at CLEF 2015.
    """

    # A conjecture: the categories and which kernel is best for each.
    def families(self) -> Mapping[str, tuple[Family, int]]:
        """Return the categories."""
        return {
            "characters": (Characters(3), 300),
            "words": (FunctionWords(1), 150),
            "shapes": (Shapes(2), 300),
            "distorted": (Distorted(4), 300),
            "grammar": (PartsOfSpeech(2), 200),
        }

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the differences."""
        known, unknown = sides(batch, self.rows(batch, fixed))
        return np.abs(unknown - known)

    def rows(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return all terms, each category as many columns as it may have."""
        made = []
        for (_, kept), rows in zip(
            self.families().values(), self.profiles(batch, fixed).values(), strict=True
        ):
            made.append(np.pad(rows, ((0, 0), (0, kept - rows.shape[1]))))
        return np.hstack(made)

    def model(self) -> Any:
        """Return a machine for each category, voting by distance from its border."""
        return _Machines([(kept, *KERNELS[name]) for name, (_, kept) in self.families().items()])

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return the mean distance from the borders as an answer."""
        return logistic(np.asarray(fitted.decision_function(rows)), 2.0)


class _Machines:
    """A machine for each block of columns."""

    def __init__(self, blocks: list[tuple[int, str, float]]) -> None:
        ends = np.cumsum([width for width, _, _ in blocks])
        self._parts = [
            slice(int(end - width), int(end)) for (width, _, _), end in zip(blocks, ends, strict=True)
        ]
        self._machines = [
            scaled(scikit_learn("svm").SVC(kernel=kernel, C=cost, class_weight="balanced"))
            for _, kernel, cost in blocks
        ]

    def fit(self, rows: Floats, truth: npt.NDArray[np.bool_]) -> _Machines:
        for part, machine in zip(self._parts, self._machines, strict=True):
            machine.fit(rows[:, part], truth)
        return self

    def decision_function(self, rows: Floats) -> Floats:
        votes = [
            machine.decision_function(rows[:, part])
            for part, machine in zip(self._parts, self._machines, strict=True)
        ]
        return np.asarray(np.mean(votes, axis=0))
