"""The world ranking of obfuscators: each quantity by hand, and how it behaves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.measures.safety import Safety, accuracy_threshold, decide
from stemmata.model import StemmataError

NAN = np.nan
TRUTH = np.array([True, True, False, False])


def safety(original, obfuscated=None, truth=TRUTH, **options):
    def arrays(run):
        return {name: np.array(scores, dtype=float) for name, scores in run.items()}

    runs = {name: arrays(run) for name, run in (obfuscated or {}).items()}
    return Safety([f"P{i}" for i in range(len(truth))], truth, arrays(original), runs, **options)


@given(st.lists(st.tuples(st.sampled_from([0, 0.2, 0.5, 0.7, 1.0]), st.booleans()), min_size=1, max_size=15))
def test_no_threshold_is_more_accurate(rows):
    scores, truth = np.array([s for s, _ in rows], dtype=float), np.array([t for _, t in rows])
    best = ((scores > accuracy_threshold(scores, truth)) == truth).mean()
    assert all(best >= ((scores > cut) == truth).mean() for cut in (-1, 0.1, 0.3, 0.6, 0.8, 2))


@pytest.mark.parametrize(
    ("scores", "truth", "threshold"),
    [
        ([0.2, 0.4, 0.8], [False, True, True], 0.3),
        ([0.5, 0.5], [True, False], -np.inf),
        ([0.9, 0.1], [False, False], np.inf),
        ([0.1, 0.9], [True, True], -np.inf),
        ([0.2, 0.4, 0.6, 0.8], [False, True, False, True], 0.3),
        ([NAN, 0.6], [False, True], 0.3),
    ],
)
def test_the_first_of_the_best_midpoints_is_the_threshold(scores, truth, threshold):
    assert accuracy_threshold(np.array(scores), np.array(truth)) == pytest.approx(threshold)


def test_a_missing_score_decides_for_different_whatever_the_threshold():
    assert decide(np.array([NAN, 0.1]), -np.inf).tolist() == [False, True]


def test_effectiveness_is_zero_for_guessing_and_one_for_always_right():
    made = safety({"right": [0.9, 0.8, 0.1, 0.2], "constant": [0.5, 0.5, 0.5, 0.5]})
    assert dict(zip(made.verifiers, made.effectiveness, strict=True)) == {"right": 1.0, "constant": 0.0}


def test_two_copies_share_the_coverage_of_one():
    one = [0.9, 0.1, 0.2, 0.3]
    made = safety({"a": one, "b": one, "other": [0.2, 0.8, 0.9, 0.1]})
    coverage = dict(zip(made.verifiers, made.coverage, strict=True))
    assert (coverage["a"], coverage["b"], coverage["other"]) == (0.5, 0.5, 1.0)


def test_a_verifier_that_is_always_right_correlates_with_none():
    made = safety({"right": [0.9, 0.8, 0.1, 0.2], "as-right": [0.7, 0.7, 0.2, 0.1]})
    assert made.correlation.tolist() == [[1, 0], [0, 1]]


def test_unambiguity_is_the_share_of_important_verifiers_that_are_right():
    made = safety({"right": [0.9, 0.8, 0.1, 0.2], "half": [0.9, 0.0, 0.1, 0.2]})
    importance = dict(zip(made.verifiers, made.importance, strict=True))
    assert importance == {"right": 1.0, "half": 0.5}
    assert made.unambiguity.tolist() == pytest.approx([1.0, 1.0 / 1.5])


def test_score_adds_points_for_fooled_and_takes_them_for_helped_verifiers():
    original = {"right": [0.9, 0.8, 0.1, 0.2], "half": [0.9, 0.0, 0.1, 0.2]}
    after = {"right": [0.0, 0.8, 0.1, 0.2], "half": [0.9, 0.9, 0.1, 0.2]}
    made = safety(original, {"o": after})
    # "right" is fooled on P0: 1 * 1; "half" is helped on P1: 0.5 * (1 / 1.5).
    assert made.score("o") == pytest.approx(1.0 - 0.5 / 1.5)
    assert made.perfect == pytest.approx(1 * (1 + 1 / 1.5) + 0.5 * 1)
    assert made.matrix("o").counts() == {"T→T": 2, "T→F": 1, "F→T": 1, "F→F": 0}


def test_changing_nothing_scores_0_and_turning_everything_scores_the_perfect_score():
    original = {"a": [0.9, 0.8, 0.1, 0.2], "b": [0.9, 0.0, 0.1, 0.2]}
    nothing = {name: list(scores) for name, scores in original.items()}
    everything = {name: [-1, -1, *scores[2:]] for name, scores in original.items()}
    made = safety(original, {"nothing": nothing, "everything": everything})
    assert made.score("nothing") == 0
    assert made.score("everything") == pytest.approx(made.perfect)


def test_negative_problems_earn_nothing():
    original = {"a": [0.9, 0.8, 0.1, 0.2]}
    made = safety(original, {"o": {"a": [0.9, 0.8, 0.9, 0.9]}})
    assert made.score("o") == 0


def test_a_cell_missing_before_or_after_is_skipped():
    original = {"a": [0.9, 0.8, 0.1, 0.2], "b": [0.9, NAN, 0.1, 0.2]}
    made = safety(original, {"o": {"a": [NAN, 0.8, 0.1, 0.2], "b": [0.9, 0.9, 0.1, 0.2]}})
    assert made.score("o") == 0
    assert sum(made.matrix("o").counts().values()) == 2


def test_verifiers_that_miss_an_obfuscation_take_no_part():
    original = {"a": [0.9, 0.8, 0.1, 0.2], "b": [0.9, 0.8, 0.1, 0.2]}
    made = safety(original, {"x": original, "y": {"a": [0.9, 0.8, 0.1, 0.2]}})
    assert made.verifiers == ("a",)


def test_without_a_common_verifier_or_a_positive_problem_there_is_no_score():
    with pytest.raises(StemmataError, match="E661"):
        safety({"a": [0.9, 0.8, 0.1, 0.2]}, {"x": {"b": [0.9, 0.8, 0.1, 0.2]}})
    with pytest.raises(StemmataError, match="E662"):
        safety({"a": [0.9, 0.8]}, truth=np.array([False, False]))


def test_legacy_measures_by_hand():
    original = {"a": [0.9, 0.8, 0.1, 0.2], "constant": [0.5, 0.5, 0.5, 0.5]}
    made = safety(original, {"o": {"a": [0.1, 0.8, 0.1, 0.2], "constant": [0.5] * 4}}).impact("o")
    assert made.verifiers == 1
    assert (made.delta_acc, made.delta_rec, made.average_impact) == (-0.25, -0.5, 0.5)
    assert made.delta_c_at_1 == -0.25
    # AUC falls from 1 to (0.5 + 0 + 1 + 1) / 4.
    assert made.delta_auc == pytest.approx(0.625 - 1)
    assert made.delta_final == pytest.approx(0.625 * 0.75 - 1)


def test_impact_is_negative_where_obfuscation_helps_the_verifier():
    made = safety({"a": [0.9, 0.0, 0.1, 0.2]}, {"o": {"a": [0.9, 0.9, 0.1, 0.2]}}).impact("o")
    assert made.average_impact == -1.0


def test_the_matrix_prints_one_row_per_positive_problem():
    original = {"av1": [0.9, 0.8, 0.1, 0.2]}
    text = str(safety(original, {"o": {"av1": [0.0, NAN, 0.1, 0.2]}}).matrix("o"))
    assert [line.split() for line in text.splitlines()] == [["av1"], ["P0", "T→F"], ["P1"]]


@given(st.data())
def test_scores_do_not_depend_on_the_order_of_verifiers_or_problems(data):
    seed = data.draw(st.integers(0, 1000))
    rng = np.random.default_rng(seed)
    truth = np.array([True] * 6 + [False] * 6)
    original = {f"v{i}": rng.random(12) for i in range(5)}
    after = {name: rng.random(12) for name in original}
    order = rng.permutation(12)
    names = data.draw(st.permutations(list(original)))
    plain = Safety(range(12), truth, original, {"o": after})
    shuffled = Safety(
        order,
        truth[order],
        {name: original[name][order] for name in names},
        {"o": {name: after[name][order] for name in names}},
    )
    assert shuffled.score("o") == pytest.approx(plain.score("o"))
    assert shuffled.perfect == pytest.approx(plain.perfect)
