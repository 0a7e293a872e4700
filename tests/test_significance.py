"""Intervals and tests: the unit is the suspicious document, the seed decides everything else."""

from itertools import product

import numpy as np
import pytest

from stemmata.measures import resampling
from stemmata.measures.alignment import MEASURES as ALIGNMENT
from stemmata.measures.alignment import Totals
from stemmata.measures.catalogue import measures
from stemmata.measures.significance import bootstrap, compare_runs, holm
from stemmata.measures.statistics import Alignment, Lengths
from stemmata.model import Annotations, Case, Detection, Passage, StemmataError

LENGTHS = Lengths({f"s{i}": 1000 for i in range(40)}, {"o": 1000})
PLAGDET = measures["macro.plagdet"]


def case(document, length=100):
    return Case(Passage(f"s{document}", 0, length), Passage("o", 0, length))


def found(document, share):
    part = int(100 * share)
    return Detection(Passage(f"s{document}", 0, part), Passage("o", 0, part))


def matched(shares):
    """Return one case of 100 characters per document, of which the given share is found."""
    cases = [case(i) for i in range(len(shares))]
    detections = [found(i, share) for i, share in enumerate(shares) if share]
    return Alignment(Annotations.of(cases), Annotations.of(detections), LENGTHS)


def value(measure, alignment):
    return float(measure.formula(Totals(alignment)))


def test_holm_multiplies_the_smallest_p_by_the_number_of_tests_and_never_decreases():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.5]) == [1.0, 1.0]
    assert holm([]) == []


def test_an_interval_holds_the_value_of_every_measure():
    run = matched([1, 0.5, 0.8, 0, 0.2, 1, 1, 0.7])
    intervals = bootstrap(run, ALIGNMENT, np.random.default_rng(1))
    for measure in ALIGNMENT:
        interval = intervals[measure.key]
        assert interval.low <= value(measure, run) <= interval.high


def test_documents_that_all_score_alike_leave_no_doubt():
    interval = bootstrap(matched([0.5] * 10), [measures["macro.recall"]], np.random.default_rng(1))[
        "macro.recall"
    ]
    assert (interval.low, interval.high) == (0.5, 0.5)


def test_a_higher_level_gives_a_wider_interval_and_more_documents_a_narrower_one():
    def width(shares, level):
        interval = bootstrap(matched(shares), [PLAGDET], np.random.default_rng(1), level)[PLAGDET.key]
        return interval.high - interval.low

    shares = [1, 0.2, 0.8, 0.4]
    assert width(shares, 0.5) < width(shares, 0.95)
    assert width(shares * 10, 0.95) < width(shares, 0.95)


def test_the_interval_of_a_mean_agrees_with_its_standard_error():
    shares = np.random.default_rng(5).integers(1, 101, 40) / 100
    interval = bootstrap(matched(shares), [measures["macro.recall"]], np.random.default_rng(1), 0.95, 4000)
    low, high = interval["macro.recall"].low, interval["macro.recall"].high
    assert (high - low) / 2 == pytest.approx(1.96 * shares.std() / np.sqrt(40), rel=0.08)


def test_exact_p_is_the_share_of_all_exchanges_with_a_difference_as_large():
    first, second = [1, 1, 0.5, 0.9], [0.5, 1, 0.2, 0.1]

    def difference(a, b):
        return value(PLAGDET, matched(a)) - value(PLAGDET, matched(b))

    observed = difference(first, second)
    differences = [
        difference(
            *zip(
                *[(b, a) if swap else (a, b) for a, b, swap in zip(first, second, swaps, strict=True)],
                strict=True,
            )
        )
        for swaps in product((False, True), repeat=4)
    ]
    expected = np.mean(np.abs(differences) >= abs(observed) - 1e-12)
    runs = {"first": matched(first), "second": matched(second)}
    (comparison,) = compare_runs(runs, [PLAGDET], np.random.default_rng(1))
    assert comparison.difference == pytest.approx(observed)
    assert comparison.p == pytest.approx(expected)


def test_random_exchanges_come_near_the_exact_p():
    first = [1, 1, 0.5, 0.9, 0.3, 1, 0.8, 0.9, 0.2, 0.6]
    second = [0.8, 1, 0.2, 0.9, 0.5, 0.6, 0.8, 0.7, 0.1, 0.4]
    runs = {"first": matched(first), "second": matched(second)}
    (exact,) = compare_runs(runs, [PLAGDET], np.random.default_rng(1), permutations=1024)
    (drawn,) = compare_runs(runs, [PLAGDET], np.random.default_rng(1), permutations=1023)
    assert 0 < exact.p < 0.5
    assert drawn.p != exact.p
    assert drawn.p == pytest.approx(exact.p, abs=0.03)


def test_clear_differences_are_found_and_corrected_for_the_number_of_pairs():
    runs = {"good": matched([0.9] * 30), "bad": matched([0.1] * 30), "worse": matched([0.05] * 30)}
    rows = compare_runs(runs, [PLAGDET], np.random.default_rng(1), 2000)
    assert [(row.first, row.second) for row in rows] == [("good", "bad"), ("good", "worse"), ("bad", "worse")]
    assert all(row.p_holm < 0.01 and row.p_holm >= row.p for row in rows)


def test_a_document_only_one_run_answers_counts_for_both():
    runs = {"whole": matched([1, 1, 1]), "part": matched([1, 0, 0])}
    (row,) = compare_runs(runs, [measures["macro.recall"]], np.random.default_rng(1))
    assert row.difference == pytest.approx(2 / 3)


@pytest.mark.parametrize("cells", [1, 7, 64, 10**9])
def test_the_bound_on_memory_changes_no_number(monkeypatch, cells):
    runs = {"a": matched([1, 0.5, 0.3] * 8), "b": matched([0.8, 0.7, 0.1] * 8)}

    def results():
        interval = bootstrap(runs["a"], [PLAGDET], np.random.default_rng(3), resamples=50)[PLAGDET.key]
        (row,) = compare_runs(runs, [PLAGDET], np.random.default_rng(3), permutations=50)
        return [interval.low, interval.high, row.difference, row.p]

    expected = results()
    monkeypatch.setattr(resampling, "CELLS_AT_ONCE", cells)
    assert results() == pytest.approx(expected, rel=1e-12)


def test_nothing_to_score_gives_the_value_without_doubt():
    empty = Alignment(Annotations.of([]), Annotations.of([]))
    interval = bootstrap(empty, [PLAGDET], np.random.default_rng(1))[PLAGDET.key]
    assert (interval.low, interval.high) == (1.0, 1.0)


@pytest.mark.parametrize(("level", "resamples"), [(0, 10), (1, 10), (0.9, 0)])
def test_parameters_out_of_range_are_refused(level, resamples):
    with pytest.raises(StemmataError, match="E405"):
        bootstrap(matched([1]), [PLAGDET], np.random.default_rng(1), level, resamples)
