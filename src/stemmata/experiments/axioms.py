"""The fairness axioms of the world ranking as experiments anyone can run (PAN 2018, section 2).

Each changes the verifiers or the problems and says what became of the scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stemmata.measures.safety import Floats, Safety


@dataclass(frozen=True)
class Shift:
    """The scores of all obfuscators before and after a change."""

    before: Mapping[str, float]
    after: Mapping[str, float]

    @property
    def largest(self) -> float:
        """Largest change of a score, relative to the largest score before."""
        scale = max(abs(value) for value in self.before.values()) or 1.0
        return max(abs(self.after[name] - value) for name, value in self.before.items()) / scale

    @property
    def order_kept(self) -> bool:
        """Whether the obfuscators rank as before."""
        return _order(self.before) == _order(self.after)


def _order(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda name: (-scores[name], name))


def _scores(safety: Safety) -> dict[str, float]:
    return {name: safety.score(name) for name in safety.obfuscated}


def add_ineffective_verifier(safety: Safety, rng: np.random.Generator) -> Shift:
    """Axiom 1: a verifier that decides by chance should earn nobody many points.

    Its answers are balanced: right on half of the problems, chosen at random, before and after.
    """
    n = len(safety.problems)

    def by_chance() -> Floats:
        right = rng.permutation(n) < n // 2
        return np.where(right == safety.truth, 0.9, 0.1)

    return _shift(safety, "by-chance", by_chance(), {name: by_chance() for name in safety.obfuscated})


def add_copy(safety: Safety, verifier: str) -> Shift:
    """Axiom 3: a copy of a verifier shares its coverage, so scores should hardly move."""
    copies = {name: run[verifier] for name, run in safety.obfuscated.items()}
    return _shift(safety, f"copy-of-{verifier}", safety.original[verifier], copies)


def ambiguous_problem_weight(safety: Safety) -> tuple[float, float]:
    """Axiom 2: return the points for fooling one verifier on the least and the most unambiguous problem."""
    importance = float(safety.importance.max())
    return importance * float(safety.unambiguity.min()), importance * float(safety.unambiguity.max())


def add_ambiguous_problem(safety: Safety, rng: np.random.Generator) -> Shift:
    """Axiom 2: a positive problem on which verifiers are split at random should move little.

    Each verifier answers it, before and after, by its own lowest or highest score.
    """
    extremes = {
        name: (float(np.nanmin(safety.original[name])), float(np.nanmax(safety.original[name])))
        for name in safety.verifiers
    }
    answer = {name: pair[int(rng.integers(2))] for name, pair in extremes.items()}

    def longer(run: Mapping[str, Floats]) -> dict[str, Floats]:
        return {name: np.append(run[name], answer[name]) for name in safety.verifiers}

    obfuscated = {name: longer(run) for name, run in safety.obfuscated.items()}
    changed = Safety(
        [*safety.problems, "ambiguous"],
        np.append(safety.truth, True),
        longer(safety.original),
        obfuscated,
        safety.tau,
    )
    return Shift(_scores(safety), _scores(changed))


def _shift(safety: Safety, name: str, original: Floats, obfuscated: Mapping[str, Floats]) -> Shift:
    kept = {verifier: safety.original[verifier] for verifier in safety.verifiers}
    runs = {
        obfuscator: {verifier: run[verifier] for verifier in safety.verifiers}
        | {name: obfuscated[obfuscator]}
        for obfuscator, run in safety.obfuscated.items()
    }
    changed = Safety(safety.problems, safety.truth, kept | {name: original}, runs, safety.tau)
    return Shift(_scores(safety), _scores(changed))
