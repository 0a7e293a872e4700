"""Attacks on the world ranking: 40 more verifiers that guess, or that vary existing ones.

Appendix A.2 of Potthast et al. (PAN 2018). A fair ranking should hardly move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stemmata.measures.safety import Floats, Safety

MOCKS = 40
REDRAWN = 0.1

Attack = Callable[[Safety, np.random.Generator], Safety]


def guessing(safety: Safety, rng: np.random.Generator, mocks: int = MOCKS) -> Safety:
    """Add verifiers whose scores are uniformly random, before and after obfuscation."""
    n = len(safety.problems)
    names = [f"guess-{i:02d}" for i in range(mocks)]
    return _with(safety, {name: lambda _: rng.random(n) for name in names})


def variation(
    safety: Safety, rng: np.random.Generator, mocks: int = MOCKS, redrawn: float = REDRAWN
) -> Safety:
    """Add variants of existing verifiers in which a tenth of the scores is drawn anew.

    Every verifier is varied once before any is varied twice; which ones come last is random.
    """
    verifiers = safety.verifiers
    chosen: list[str] = []
    while len(chosen) < mocks:
        chosen += [verifiers[i] for i in rng.permutation(len(verifiers))][: mocks - len(chosen)]

    def varied(name: str) -> Callable[[Mapping[str, Floats]], Floats]:
        def draw(run: Mapping[str, Floats]) -> Floats:
            scores = run[name]
            return np.where(rng.random(len(scores)) < redrawn, rng.random(len(scores)), scores)

        return draw

    return _with(safety, {f"variant-{i:02d}-{name}": varied(name) for i, name in enumerate(chosen)})


def _with(safety: Safety, mocks: Mapping[str, Callable[[Mapping[str, Floats]], Floats]]) -> Safety:
    """Return the corpus with mock verifiers beside those that take part in its ranking."""

    def extended(run: Mapping[str, Floats]) -> dict[str, Floats]:
        kept = {name: run[name] for name in safety.verifiers}
        return kept | {name: draw(run) for name, draw in mocks.items()}

    original = extended(safety.original)
    obfuscated = {name: extended(run) for name, run in safety.obfuscated.items()}
    return Safety(safety.problems, safety.truth, original, obfuscated, safety.tau)


ATTACKS: Mapping[str, Attack] = {"guessing": guessing, "variation": variation}


@dataclass(frozen=True)
class Robustness:
    """What an attack does to the scores of one corpus over several seeds.

    Attributes
    ----------
    mean, spread
        Of each obfuscator's score: mean and standard deviation over the seeds.
    order_kept
        Share of seeds in which all obfuscators keep their order; two with the same score have none to keep.
    pairs_kept
        Share of pairs of obfuscators that keep theirs, over all seeds.
    """

    attack: str
    before: Mapping[str, float]
    mean: Mapping[str, float]
    spread: Mapping[str, float]
    order_kept: float
    pairs_kept: float


def robustness(safety: Safety, attack: str, seeds: Sequence[int]) -> Robustness:
    """Run an attack once per seed and compare the scores with those before it."""
    names = list(safety.obfuscated)
    before = np.array([safety.score(name) for name in names])
    after = np.empty((len(seeds), len(names)))
    for row, seed in enumerate(seeds):
        attacked = ATTACKS[attack](safety, np.random.default_rng(seed))
        after[row] = [attacked.score(name) for name in names]
    first, second = np.triu_indices(len(names), 1)
    apart = ~np.isclose(before[first], before[second])
    first, second = first[apart], second[apart]
    kept = np.sign(after[:, first] - after[:, second]) == np.sign(before[first] - before[second])
    return Robustness(
        attack,
        dict(zip(names, before.tolist(), strict=True)),
        dict(zip(names, after.mean(axis=0).tolist(), strict=True)),
        dict(zip(names, after.std(axis=0, ddof=1 if len(seeds) > 1 else 0).tolist(), strict=True)),
        float(kept.all(axis=1).mean()) if len(first) else 1.0,
        float(kept.mean()) if len(first) else 1.0,
    )
