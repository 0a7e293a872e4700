"""Measures of authorship verification, against a literal version, the evaluators' values, and by hand."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.measures.verification import (
    MEASURES,
    Answers,
    bootstrap_verification,
    score_verification,
)
from stemmata.model import StemmataError

ANSWERS = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.6, 0.6000001, 0.9, 1.0])),
    min_size=1,
    max_size=30,
)


def literal(rows, convention):
    """Return all measures by counting, one problem at a time."""
    n = len(rows)
    same = [score for truth, score in rows if truth]
    other = [score for truth, score in rows if not truth]
    wins = sum(1 if a > b else 0.5 if a == b else 0 for a in same for b in other)
    auc = wins / (len(same) * len(other)) if same and other else math.nan
    right = sum(score != 0.5 and (score > 0.5) == truth for truth, score in rows)
    open_ = sum(score == 0.5 for _, score in rows)
    hit = sum(truth and score > 0.5 for truth, score in rows)
    wrong = sum(not truth and score > 0.5 for truth, score in rows)
    missed = sum(truth and score < 0.5 for truth, score in rows)
    c_at_1 = (right + open_ * right / n) / n
    below = 1.25 * hit + 0.25 * (missed + open_) + wrong
    f05u = 1.25 * hit / below if below else 0.0
    more = sum(truth and score == 0.5 for truth, score in rows) if convention == "all" else 0
    f1 = 2 * hit / (2 * hit + wrong + missed + more) if hit else 0.0
    brier = 1 - sum((score - truth) ** 2 for truth, score in rows) / n
    made = {"auc": auc, "c@1": c_at_1, "f0.5u": f05u, "f1": f1, "brier": brier}
    return made | {"overall": sum(made.values()) / 5, "auc*c@1": auc * c_at_1}


def answers(rows, **options):
    truth, scores = zip(*rows, strict=True)
    return Answers(np.array(truth), np.array(scores, dtype=float), **options)


@given(ANSWERS, st.sampled_from(["answered", "all"]))
def test_fast_code_equals_counting(rows, convention):
    found = score_verification(answers(rows, f1=convention))
    assert found == pytest.approx(literal(rows, convention), abs=1e-12, nan_ok=True)


@given(ANSWERS, st.randoms(use_true_random=False))
def test_the_order_of_problems_does_not_matter(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert score_verification(answers(shuffled)) == pytest.approx(
        score_verification(answers(rows)), nan_ok=True
    )


@given(ANSWERS)
def test_all_values_lie_between_0_and_1(rows):
    assert all(math.isnan(value) or 0 <= value <= 1 for value in score_verification(answers(rows)).values())


@given(ANSWERS, st.data())
def test_a_weight_of_two_is_the_same_as_a_problem_twice(rows, data):
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)).filter(any))
    repeated = [row for row, weight in zip(rows, weights, strict=True) for _ in range(weight)]
    weighted = answers(rows, weights=np.array(weights, dtype=float))
    assert score_verification(weighted) == pytest.approx(score_verification(answers(repeated)), nan_ok=True)


def test_a_perfect_system_scores_1_everywhere():
    assert set(score_verification(answers([(True, 1.0), (False, 0.0)])).values()) == {1.0}


def test_answering_nothing_is_worth_half_by_auc_and_nothing_by_c_at_1():
    found = score_verification(answers([(True, 0.5), (False, 0.5)]))
    assert (found["auc"], found["c@1"], found["f0.5u"], found["f1"], found["brier"]) == (0.5, 0, 0, 0, 0.75)


def test_one_truth_alone_leaves_auc_undefined_and_the_rest_defined():
    found = score_verification(answers([(True, 0.9), (True, 0.2)]))
    assert math.isnan(found["auc"])
    assert math.isnan(found["overall"])
    assert found["c@1"] == 0.5


def test_a_problem_without_an_answer_is_unanswered():
    found = Answers.of({"a": True, "b": False}, {"a": 0.9})
    assert found.scores.tolist() == [0.9, 0.5]


def test_a_truth_without_problems_is_refused():
    with pytest.raises(StemmataError, match="E660"):
        Answers.of({}, {"a": 0.5})


def test_unanswered_problems_count_as_different_by_the_later_convention():
    rows = [(True, 0.5), (True, 0.9), (False, 0.1)]
    assert score_verification(answers(rows))["f1"] == 1.0
    assert score_verification(answers(rows, f1="all"))["f1"] == pytest.approx(2 / 3)


def test_intervals_resample_texts_and_not_problems():
    rng = np.random.default_rng(3)
    truth = rng.random(200) < 0.5
    scores = np.clip(truth * 0.3 + rng.random(200) * 0.7, 0, 1)
    made = Answers(truth, scores)

    def width(units):
        interval = bootstrap_verification(made, units, np.random.default_rng(1))["c@1"]
        return interval.high - interval.low

    few_texts = np.argsort(np.argsort(scores + truth)) // 20
    assert width(few_texts) > 1.5 * width(range(200))


def test_intervals_hold_the_value_and_repeat_with_the_seed():
    made = answers([(True, 0.9), (False, 0.2), (True, 0.4), (False, 0.6), (True, 0.7), (False, 0.1)] * 5)
    once = bootstrap_verification(made, range(30), np.random.default_rng(1))
    again = bootstrap_verification(made, range(30), np.random.default_rng(1))
    values = score_verification(made)
    assert once == again
    assert all(once[m.key].low <= values[m.key] <= once[m.key].high for m in MEASURES)


NAMES = {"f_05_u": "f0.5u", "f05u": "f0.5u", "F1": "f1", "roc-auc": "auc"}


@pytest.mark.corpus
def test_all_values_of_the_evaluators_are_reproduced(corpus):
    lines = (corpus("golden") / "verification.jsonl").read_text().splitlines()
    assert len(lines) == 80
    wrong = []
    for line in map(json.loads, lines):
        for version, convention in (("v23", "answered"), ("v24", "all")):
            made = Answers(np.array(line["true"]) > 0.5, np.array(line["pred"], dtype=float), f1=convention)
            found = score_verification(made)
            for name, value in line[version].items():
                key = NAMES.get(name, name)
                if isinstance(value, dict) or value == "nan":
                    # The evaluators fail: AUC of one class is undefined, an F of nothing is 0.
                    right = math.isnan(found[key]) if key == "auc" else found[key] == 0
                else:
                    right = abs(found[key] - value) <= 1e-9
                if not right:
                    wrong.append((line["seed"], version, name, found[key], value))
    assert wrong == []
