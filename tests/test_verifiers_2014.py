"""Verifiers of PAN 2014."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up_authors import made_up_problems, problem_of
from stemmata.authorship import verifiers
from stemmata.authorship.batch import Batch
from stemmata.authorship.evolution import Genetic, area
from stemmata.authorship.homotopy import homotopy
from stemmata.authorship.impostors import Impostors
from stemmata.authorship.published import khonji
from stemmata.authorship.published.castillo import FEATURES
from stemmata.authorship.published.frery import attributes
from stemmata.authorship.published.khonji import frequent_runs
from stemmata.authorship.published.mezaruiz import MezaRuiz2014
from stemmata.authorship.published.modaresi import ModaresiGross2014
from stemmata.authorship.published.satyam import Satyam2014
from stemmata.authorship.published.zamani import Zamani2014


@pytest.fixture(scope="module")
def batch() -> Batch:
    """Return problems analysed once for all."""
    return Batch.of(made_up_problems()[0])


def test_homotopy_finds_the_least_squares_with_the_least_weights() -> None:
    rng = np.random.default_rng(3)
    columns = rng.normal(size=(30, 8))
    weights = np.array([2.0, 0, 0, -1.0, 0, 0, 0, 0])
    found = homotopy(columns, columns @ weights, penalty=1e-8, gain=0.0)
    assert found == pytest.approx(weights, abs=1e-4)


def test_homotopy_meets_the_conditions_of_the_minimum() -> None:
    rng = np.random.default_rng(4)
    columns, target = rng.normal(size=(40, 10)), rng.normal(size=40)
    found = homotopy(columns, target, penalty=3.0, gain=-1.0)
    slope = columns.T @ (target - columns @ found)
    used = found != 0
    assert used.any()
    assert not used.all()
    assert slope[used] == pytest.approx(3.0 * np.sign(found[used]), abs=1e-6)
    assert (np.abs(slope[~used]) <= 3.0 + 1e-6).all()


def test_meza_ruiz_wins_a_round_only_if_the_author_leaves_the_least_residual() -> None:
    verifier = MezaRuiz2014(samples=1)
    target = np.array([3.0, 1.0, 0.0, 2.0])
    near, far = target * 0.9, np.array([0.0, 1.0, 3.0, 0.0])
    assert verifier._nearest(np.column_stack([near, far]), target, 2) == 0
    assert verifier._nearest(np.column_stack([far, near]), target, 2) == 1
    spread = MezaRuiz2014(samples=1, concentration=1.0)
    assert spread._nearest(np.column_stack([near, far + near]), target + far, 2) == -1


def test_a_round_of_khonji_counts_by_its_ratio() -> None:
    problems = [problem_of("1", ["a b"], "a c"), problem_of("2", ["d e"], "d f")]
    batch = Batch.of(problems)
    rows = np.array([[1.0, 1, 0], [1, 0, 1], [1, 1, 1], [0, 0, 1]])
    score = Impostors(1, 1.0, 2, 0, "ratio").scores(batch, rows, np.random.default_rng(1))[0]
    own, best_known, best_unknown = 1 / 3, 2 / 3, 2 / 3
    assert score == pytest.approx(own**2 / (best_known * best_unknown))


def test_khonji_keeps_runs_that_some_text_has_often_enough() -> None:
    texts = [np.array(["ab".index(letter) for letter in text], np.int64) for text in ("ababa", "abb", "")]
    found = frequent_runs(texts, longest=3, least=2)
    counts = np.zeros((3, len(found.sums)))
    counts[found.texts, found.runs] = found.shares * np.array([5, 3, 1])[found.texts]
    # In the order of a dictionary: a, ab, aba, b, ba.
    assert counts.tolist() == [[3, 2, 2, 2, 2], [1, 1, 0, 2, 0], [0, 0, 0, 0, 0]]
    assert found.sums.tolist() == pytest.approx([3 / 5 + 1 / 3, 2 / 5 + 1 / 3, 2 / 5, 2 / 5 + 2 / 3, 2 / 5])


@given(st.lists(st.text("abc", max_size=40), max_size=4), st.integers(1, 4), st.sampled_from([0, 1 << 22]))
def test_khonji_finds_the_same_runs_as_by_counting_all(said: list[str], least: int, table: int) -> None:
    counts = [Counter(one[i : i + n] for n in range(1, 6) for i in range(len(one) - n + 1)) for one in said]
    wanted = sorted({run for one in counts for run, count in one.items() if count >= least})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(khonji, "_TABLE", table)
        texts = [np.array(["abc".index(letter) for letter in one], np.int64) for one in said]
        found = frequent_runs(texts, longest=5, least=least)
    told = np.zeros((len(said), len(found.sums)))
    told[found.texts, found.runs] = found.shares
    shares = [
        [one[run] / max(1, len(text)) for run in wanted] for one, text in zip(counts, said, strict=True)
    ]
    assert told.tolist() == shares


def test_frery_counts_known_texts_that_are_less_like_another_than_the_unknown_one() -> None:
    batch = Batch.of([problem_of("1", ["one", "two", "three"], "four")])
    alike = np.array([[1, 0.9, 0.5, 0.6], [0.9, 1, 0.4, 0.3], [0.5, 0.4, 1, 0.45], [0.6, 0.3, 0.45, 1]])
    found = attributes(batch, alike)
    assert found[0] == pytest.approx([2 / 3, (0.6 + 0.3 + 0.45) / 3])


def test_castillo_answers_with_shares_of_votes(batch: Batch) -> None:
    votes = np.array(verifiers["castillojuarez14"]().score(batch)) * len(FEATURES)
    assert votes == pytest.approx(np.round(votes))


def test_satyam_compares_logarithms_of_counts() -> None:
    problems = [problem_of("1", ["aab"], "ab"), problem_of("2", ["b"], "a")]
    rows = Satyam2014(size=1).rows(Batch.of(problems))
    a, b, _ = np.log1p([[2, 1], [1, 1], [0, 1]])
    alike = Satyam2014(size=1).similarities(Batch.of(problems))
    assert rows.shape[1] == 2
    assert alike[0] == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_memberships_of_modaresi_are_bezdeks_fixed_point() -> None:
    rows = np.random.default_rng(5).normal(size=(40, 3)) + np.repeat([[0], [6]], 20, axis=0)
    degree = ModaresiGross2014(clusters=2, fuzziness=2.0, rounds=200).memberships(rows)
    assert degree.sum(axis=1) == pytest.approx(np.ones(40))
    centres = (degree**2).T @ rows / (degree**2).sum(axis=0)[:, None]
    apart = np.linalg.norm(rows[:, None] - centres, axis=2)
    expected = 1 / (apart[:, :, None] / apart[:, None, :]).__pow__(2).sum(axis=2)
    assert degree == pytest.approx(expected, abs=1e-6)
    assert len({*degree[:20].argmax(axis=1)}) == 1


def test_zamanis_answers_are_ranks_around_the_median(batch: Batch) -> None:
    assert float(np.mean(Zamani2014().score(batch))) == pytest.approx(0.5)


def test_a_genetic_search_drops_columns_of_noise() -> None:
    rng = np.random.default_rng(6)
    truth = rng.random(80) < 0.5
    rows = np.column_stack([truth + rng.normal(0, 0.4, 80), rng.normal(size=(80, 12))])
    told = Genetic(seed=1).fit(rows[:50], truth[:50]).decision_function(rows[50:])
    assert area(told, truth[50:]) > 0.85


def test_area_is_the_share_of_pairs_in_order() -> None:
    values, truth = np.array([0.1, 0.5, 0.5, 0.9]), np.array([False, False, True, True])
    assert area(values, truth) == pytest.approx((1 + 0.5 + 1 + 1) / 4)
