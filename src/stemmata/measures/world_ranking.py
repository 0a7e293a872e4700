"""The world ranking over several corpora: scores and perfect scores are added up (PAN 2018, Table 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stemmata.measures.resampling import Interval, draw_units, percentile_interval
from stemmata.measures.safety import Floats, Safety

Units = Mapping[str, Mapping[str, object]]
"""By corpus and problem, what its unknown text is called; problems with the same text are drawn together."""


def points_of_perfect(safety: Safety) -> Floats:
    """Return what a perfect obfuscator makes on each positive problem."""
    made: Floats = (safety.points * safety.correct[:, safety.truth]).sum(axis=0)
    return made


@dataclass(frozen=True)
class WorldRanking:
    """Obfuscators ranked on corpora, by name.

    Examples
    --------
    >>> truth = np.array([True, True, False, False])
    >>> before, after = np.array([0.9, 0.8, 0.1, 0.2]), np.array([0.1, 0.8, 0.1, 0.2])
    >>> corpus = Safety("abcd", truth, {"v": before}, {"o": {"v": after}})
    >>> WorldRanking({"essays": corpus}).share("o")
    0.5
    """

    corpora: Mapping[str, Safety]

    @cached_property
    def obfuscators(self) -> tuple[str, ...]:
        """All obfuscators, the best first."""
        names = {name for corpus in self.corpora.values() for name in corpus.obfuscated}
        return tuple(sorted(names, key=lambda name: (-self.score(name), name)))

    @cached_property
    def verifiers(self) -> tuple[str, ...]:
        """All verifiers that take part in any corpus."""
        return tuple(sorted({name for corpus in self.corpora.values() for name in corpus.verifiers}))

    @cached_property
    def perfect(self) -> float:
        """The score of an obfuscator that turns every correct "same author"."""
        return sum(corpus.perfect for corpus in self.corpora.values())

    def score(self, obfuscator: str) -> float:
        """Return the sum of an obfuscator's scores."""
        return sum(corpus.score(obfuscator) for corpus in self._with(obfuscator).values())

    def share(self, obfuscator: str) -> float:
        """Return the score over that of a perfect obfuscator."""
        return self.score(obfuscator) / self.perfect if self.perfect else 0.0

    def interval(
        self,
        obfuscator: str,
        units: Units,
        rng: np.random.Generator,
        level: float = 0.95,
        resamples: int = 1000,
    ) -> Interval:
        """Return an interval of the share by drawing the texts of each corpus with replacement.

        What a perfect obfuscator makes is drawn with them. Verifiers, and what each is worth, stay.
        """
        earned, possible = np.zeros(resamples), np.zeros(resamples)
        for name, corpus in self.corpora.items():
            positives = [one for one, same in zip(corpus.problems, corpus.truth, strict=True) if same]
            own = units.get(name, {})
            drawn = draw_units([own.get(one, one) for one in positives], rng, resamples)
            weights = np.concatenate(list(drawn))
            possible += weights @ points_of_perfect(corpus)
            if obfuscator in corpus.obfuscated:
                earned += weights @ corpus.points_by_problem(obfuscator)
        shares = np.divide(earned, possible, out=np.full(resamples, np.nan), where=possible > 0)
        return percentile_interval(shares, level)

    def _with(self, obfuscator: str) -> dict[str, Safety]:
        return {name: one for name, one in self.corpora.items() if obfuscator in one.obfuscated}
