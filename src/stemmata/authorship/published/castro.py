"""Votes of ten kinds of features by three similarities: Castro, Adame, Pelaez and Muñoz, 2015."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stemmata.authorship.batch import Batch
from stemmata.authorship.contrast import answered, commonest, frequencies
from stemmata.authorship.distances import Measure, cosine, dice, min_max
from stemmata.authorship.families import Affixes, Characters, Family, PartsOfSpeech, Punctuation, WordGrams
from stemmata.authorship.writings import Writing, part_of
from stemmata.model import Problem
from stemmata.model.parameters import tunable

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class _EdgeParts:
    """Parts of speech of the first or last two words of sentences."""

    last: bool = False

    def count(self, writing: Writing) -> Counter[str]:
        found: Counter[str] = Counter()
        for sentence in writing.sentences:
            words = sentence.split()
            edge = words[-2:] if self.last else words[:2]
            found[" ".join(part_of(word, writing.language) for word in edge)] += 1
        return found


FEATURES: tuple[Family, ...] = (
    Characters(3),
    Characters(4),
    WordGrams(1),
    WordGrams(2),
    PartsOfSpeech(2),
    PartsOfSpeech(3),
    Affixes(3),
    Affixes(3, last=True),
    _EdgeParts(),
    Punctuation(2),
)
MEASURES: tuple[Measure, ...] = (cosine, dice, min_max)


@dataclass(frozen=True)
class Castro2015:
    """Each kind of feature votes by three similarities whether the unknown text is one of the group.

    Castro Castro, Adame Arcia, Pelaez Brioso and Muñoz Guillena, "Authorship verification, average similarity
    analysis", RANLP 2015, and PAN at CLEF 2015. By each similarity the unknown text's mean similarity to the
    known ones is compared with the average similarity within the group (AGS); the majority of the three is
    the vote of a kind, and the answer is the share of kinds that vote for the author.

    Attributes
    ----------
    kept
        Commonest features of a kind that are compared.
    """

    # With one known text there is no group; the paper then takes the mean of same-author groups of the
    # training set, and this recipe, which does not learn, the mean pair of the batch. What exactly the ten
    # kinds are is a guess.
    kept: int = tunable(2000, 50, 20_000)

    def score(self, problems: Sequence[Problem]) -> list[float]:
        """Return the share of votes; half of them is no answer."""
        batch = Batch.of(problems)
        if not len(batch):
            return []
        votes = np.mean([self._votes(batch, family) for family in FEATURES], axis=0)
        return answered(batch, votes)

    def _votes(self, batch: Batch, family: Family) -> Truths:
        rows = frequencies(batch, family, commonest(batch, family, self.kept))
        return np.asarray(np.mean([self._one(batch, measure, rows) for measure in MEASURES], axis=0) > 0.5)

    def _one(self, batch: Batch, measure: Measure, rows: Floats) -> Truths:
        near, group = np.zeros(len(batch)), np.full(len(batch), np.nan)
        for number, places in enumerate(batch.known):
            if len(places):
                near[number] = measure(rows[batch.unknown[[number]]], rows[places]).mean()
            if len(places) > 1:
                within = measure(rows[places], rows[places])
                group[number] = within[~np.eye(len(places), dtype=bool)].mean()
        return near >= np.where(np.isnan(group), near.mean(), group)
