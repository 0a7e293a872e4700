"""Attacks on the world ranking and its axioms, on verifiers drawn for the purpose."""

import numpy as np
import pytest

from stemmata.experiments.attacks import ATTACKS, MOCKS, guessing, robustness, variation
from stemmata.experiments.axioms import (
    Shift,
    add_ambiguous_problem,
    add_copy,
    add_ineffective_verifier,
    ambiguous_problem_weight,
)
from stemmata.measures.safety import Safety

PROBLEMS = 300
VERIFIERS = tuple(f"v{i}" for i in range(8))
HIDDEN = {"none": 0.0, "some": 0.5, "most": 1.0}
"""How much of what tells the author each obfuscator takes away."""


@pytest.fixture(scope="module")
def safety() -> Safety:
    """Verifiers that see the truth through noise of their own; obfuscators that hide more and more of it."""
    rng = np.random.default_rng(5)
    truth = np.arange(PROBLEMS) % 2 == 0
    noise = {name: 0.25 * rng.normal(size=PROBLEMS) for name in VERIFIERS}

    def run(hidden: float):
        return {name: 0.5 + 0.3 * (truth * (1 - hidden) - 0.5) + own for name, own in noise.items()}

    obfuscated = {name: run(hidden) for name, hidden in HIDDEN.items()}
    return Safety([f"p{i:03d}" for i in range(PROBLEMS)], truth, run(0.0), obfuscated)


def mocks(attacked: Safety) -> np.ndarray:
    return np.array([name not in VERIFIERS for name in attacked.verifiers])


def seeded(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


class TestAttacks:
    @pytest.mark.parametrize("attack", ATTACKS)
    def test_the_same_seed_gives_the_same_scores_and_another_gives_others(self, safety, attack):
        one, same, other = (ATTACKS[attack](safety, seeded(seed)) for seed in (1, 1, 2))
        assert one.score("some") == same.score("some")
        assert one.score("some") != other.score("some")

    @pytest.mark.parametrize("attack", ATTACKS)
    def test_mocks_join_the_verifiers_and_leave_the_corpus_as_it_was(self, safety, attack):
        before = safety.score("some")
        attacked = ATTACKS[attack](safety, seeded())
        assert mocks(attacked).sum() == MOCKS
        assert len(attacked.verifiers) == len(VERIFIERS) + MOCKS
        assert safety.verifiers == VERIFIERS
        assert safety.score("some") == before

    @pytest.mark.parametrize("attack", ATTACKS)
    def test_the_effectiveness_of_real_verifiers_stays(self, safety, attack):
        attacked = ATTACKS[attack](safety, seeded())
        assert attacked.effectiveness[~mocks(attacked)].tolist() == safety.effectiveness.tolist()

    def test_guesses_have_little_effectiveness_and_much_coverage(self, safety):
        attacked = guessing(safety, seeded())
        new = mocks(attacked)
        assert attacked.effectiveness[new].max() < 0.2 < safety.effectiveness.min()
        # Guesses with a threshold at the edge nearly always give one answer, and share their coverage.
        own = new & (np.abs(attacked.thresholds - 0.5) < 0.2)
        assert own.sum() > 5, "enough to speak of"
        assert (attacked.coverage[own] == 1).all()

    def test_variants_nearly_halve_the_coverage_and_are_nearly_as_effective(self, safety):
        attacked = variation(safety, seeded(), mocks=len(VERIFIERS))
        new = mocks(attacked)
        assert sorted(name.split("-", 2)[-1] for name in np.array(attacked.verifiers)[new]) == list(VERIFIERS)
        ratio = attacked.coverage[~new] / safety.coverage
        assert (ratio > 0.5).all()
        assert np.median(ratio) < 0.6
        assert (ratio == 1).sum() <= 2, "a redrawn score can move a threshold far; the paper saw it too"
        assert attacked.effectiveness[new].mean() == pytest.approx(safety.effectiveness.mean(), abs=0.1)

    def test_variants_without_a_redrawn_score_are_copies(self, safety):
        attacked = variation(safety, seeded(), mocks=len(VERIFIERS), redrawn=0.0)
        assert attacked.coverage[~mocks(attacked)] == pytest.approx(safety.coverage / 2)
        assert attacked.unambiguity == pytest.approx(safety.unambiguity)
        assert attacked.score("some") == pytest.approx(safety.score("some"))

    def test_every_verifier_is_varied_before_any_is_varied_twice(self, safety):
        attacked = variation(safety, seeded(), mocks=len(VERIFIERS) + 3)
        varied = [name.split("-", 2)[-1] for name in attacked.verifiers if name.startswith("variant-")]
        counts = sorted(varied.count(name) for name in VERIFIERS)
        assert counts == [1, 1, 1, 1, 1, 2, 2, 2]

    @pytest.mark.parametrize("attack", ATTACKS)
    def test_robustness_is_the_mean_over_seeds(self, safety, attack):
        found = robustness(safety, attack, [3, 4])
        drawn = [ATTACKS[attack](safety, seeded(seed)).score("some") for seed in (3, 4)]
        assert found.mean["some"] == pytest.approx(np.mean(drawn))
        assert found.spread["some"] == pytest.approx(np.std(drawn, ddof=1))
        assert found.before == {name: safety.score(name) for name in HIDDEN}

    def test_obfuscators_far_apart_keep_their_order(self, safety):
        found = robustness(safety, "variation", range(5))
        assert (found.order_kept, found.pairs_kept) == (1.0, 1.0)
        assert list(found.mean) == list(HIDDEN)
        assert found.mean["none"] < found.mean["some"] < found.mean["most"]

    def test_obfuscators_that_are_alike_lose_it_at_times(self, safety):
        rng = seeded()
        nearly = {
            name: row + 0.02 * rng.normal(size=PROBLEMS) for name, row in safety.obfuscated["some"].items()
        }
        runs = {"one": safety.obfuscated["some"], "two": nearly}
        alike = Safety(safety.problems, safety.truth, safety.original, runs)
        assert 0 < robustness(alike, "guessing", range(10)).order_kept < 1

    def test_one_seed_has_no_spread_and_one_obfuscator_always_its_order(self, safety):
        alone = Safety(safety.problems, safety.truth, safety.original, {"x": safety.obfuscated["some"]})
        found = robustness(alone, "guessing", [1])
        assert (found.spread["x"], found.order_kept, found.pairs_kept) == (0.0, 1.0, 1.0)


class TestAxioms:
    def test_a_verifier_by_chance_moves_nothing(self, safety):
        shift = add_ineffective_verifier(safety, seeded())
        assert shift.largest < 0.01
        assert shift.order_kept

    def test_a_copy_moves_nothing(self, safety):
        for verifier in safety.verifiers:
            shift = add_copy(safety, verifier)
            assert shift.largest < 0.001
            assert shift.order_kept

    def test_one_split_problem_among_many_moves_little(self, safety):
        shift = add_ambiguous_problem(safety, seeded())
        assert 0 < shift.largest < 0.05
        assert shift.order_kept

    def test_a_clear_problem_pays_more_than_an_ambiguous_one(self, safety):
        least, most = ambiguous_problem_weight(safety)
        assert 0 <= least < most <= safety.importance.max()

    def test_a_shift_is_measured_by_the_best_score(self):
        shift = Shift({"a": 4.0, "b": 1.0}, {"a": 4.0, "b": 2.0})
        assert shift.largest == 0.25
        assert shift.order_kept
        assert not Shift({"a": 4.0, "b": 1.0}, {"a": 1.0, "b": 2.0}).order_kept
        assert Shift({"a": 0.0}, {"a": 0.0}).largest == 0
