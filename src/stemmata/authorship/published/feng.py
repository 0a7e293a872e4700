"""Unmasking with coherence and style: Feng and Hirst, 2013."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from stemmata.authorship.batch import Batch, Floats
from stemmata.authorship.calibration import UNDECIDED
from stemmata.authorship.families import Characters, FunctionWords, PartsOfSpeech
from stemmata.authorship.learning import Learner, scikit_learn
from stemmata.authorship.one_class import author_rows, dense_rows
from stemmata.authorship.unmasking import curve, pieces_of
from stemmata.authorship.writings import Writing
from stemmata.model.parameters import tunable

LONGEST = 50_000


@dataclass(frozen=True)
class EntityTransitions:
    """What becomes of nouns from one sentence to the next: the entity grid without roles.

    Barzilay and Lapata, "Modeling local coherence: An entity-based approach", Computational Linguistics 34
    (2008). A noun that is in both sentences, only in the first, or only in the second.
    """

    def count(self, writing: Writing) -> Counter[str]:
        """Count them."""
        counts: Counter[str] = Counter()
        kept = writing.pack.stop_words
        said = [
            {word.strip(".,;:!?\"'()").lower() for word in sentence.split() if len(word) > 3} - kept
            for sentence in writing.sentences
        ]
        for first, second in pairwise(said):
            counts["both"] += len(first & second)
            counts["left"] += len(first - second)
            counts["come"] += len(second - first)
        return counts


@dataclass(frozen=True)
class FengHirst2013(Learner):
    """The curve of unmasking, with similarities of style and coherence, to a classifier.

    Feng and Hirst, "Authorship verification with entity coherence and other rich linguistic features", PAN at
    CLEF 2013: unmasking whose features are letters, function words, parts of speech and transitions of
    entities.

    Attributes
    ----------
    piece
        Tokens of the pieces into which texts are cut.
    kept
        Commonest words, marks and parts of speech of a problem that are features of unmasking.
    rounds
        Values of a curve.
    """

    # Without a parser the entity grid has no roles, and without a resource for coreference entities are
    # words. How the curve becomes an answer is a guess: its values, with the similarities of the whole texts.
    piece: int = tunable(100, 20, 1000)
    kept: int = tunable(120, 20, 1000)
    rounds: int = tunable(6, 2, 20)

    def describe(self, batch: Batch, fixed: Mapping[str, Any]) -> Floats:
        """Return the curve of each problem and the distances of both sides in each family."""
        key = replace(self, memory=None)
        curves = [
            batch.once_of(number, key, partial(self._curve, batch, number)) for number in range(len(batch))
        ]
        columns = [np.array(curves)]
        for family in (
            Characters(3),
            FunctionWords(),
            PartsOfSpeech(),
            PartsOfSpeech(2),
            EntityTransitions(),
        ):
            rows = dense_rows(batch, family, self.kept)
            apart = np.abs(author_rows(batch, rows) - rows[batch.unknown]).sum(axis=1)
            columns.append(apart[:, None])
        return np.hstack(columns)

    def _curve(self, batch: Batch, number: int) -> Floats:
        known = tuple(
            item for place in batch.known[number].tolist() for item in _items(batch.writings[place])
        )[:LONGEST]
        unknown = _items(batch.writings[int(batch.unknown[number])])
        if not known or not unknown:
            return np.zeros(self.rounds)
        sides = [[Counter(part) for part in pieces_of(side, 2 * self.piece)] for side in (known, unknown)]
        total = Counter(known)
        total.update(unknown)
        best = sorted(total, key=lambda item: (-total[item], item))[: self.kept]
        rows = [
            np.array([[one[item] for item in best] for one in side])
            / np.array([[max(1, one.total())] for one in side])
            for side in sides
        ]
        return curve(rows[0], rows[1], self.rounds)

    def model(self) -> Any:
        """Return a logistic regression on standardised features."""
        scaler = scikit_learn("preprocessing").StandardScaler()
        regression = scikit_learn("linear_model").LogisticRegression(C=0.1, max_iter=1000)
        return scikit_learn("pipeline").make_pipeline(scaler, regression)

    def answers(self, fitted: Any, rows: Floats) -> Floats:
        """Return probabilities; 0.5 for texts without words."""
        return np.where(rows[:, 0] > 0, fitted.predict_proba(rows)[:, 1], UNDECIDED)


def _items(writing: Writing) -> tuple[str, ...]:
    """Return the tokens of a text in small letters, each followed by its part of speech."""
    pairs = zip(writing.tokens[:LONGEST], writing.tags[:LONGEST], strict=True)
    return tuple(item for token, tag in pairs for item in (token.lower(), f"/{tag}"))
