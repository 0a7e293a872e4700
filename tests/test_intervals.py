"""Every interval lies in the range of its measure, whatever the corpus; also where sources are shared."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stemmata.measures.alignment import MEASURES as ALIGNMENT
from stemmata.measures.catalogue import measures
from stemmata.measures.evaluation import Confidence, score
from stemmata.measures.quality import ALPHA, MEAN, Ratings
from stemmata.measures.retrieval import RANKING, WORKLOAD, Retrieval, Workload
from stemmata.measures.safety import Safety
from stemmata.measures.significance import bootstrap, compare_runs, value_of
from stemmata.measures.statistics import Alignment, Lengths
from stemmata.measures.verification import Answers, bootstrap_verification, score_verification
from stemmata.model import Annotations, Case, Detection, Passage

DOCUMENTS = {f"s{number}": 30 for number in range(5)}
SOURCES = {"o": 30, "p": 12}
LENGTHS = Lengths(DOCUMENTS, SOURCES)
EVERYTHING = Confidence(0.999, 200)
"""Nearly the smallest and the largest resample."""

property_test = settings(max_examples=120, deadline=None, derandomize=True)


def passages(documents):
    def within(name):
        ends = st.tuples(*[st.integers(0, documents[name])] * 2).filter(lambda both: both[0] != both[1])
        return ends.map(lambda both: Passage(name, min(both), abs(both[1] - both[0])))

    return st.sampled_from(sorted(documents)).flatmap(within)


def annotations(kind):
    external = st.builds(kind, passages(DOCUMENTS), passages(SOURCES))
    either = external | st.builds(kind, passages(DOCUMENTS))
    return st.sampled_from([external, either]).flatmap(lambda one: st.lists(one, min_size=1, max_size=8))


corpora = st.builds(
    lambda cases, made, copied: Alignment(
        Annotations.of(cases),
        Annotations.of([*made, *(Detection(one.suspicious, one.source) for one in cases[:copied])]),
        LENGTHS,
    ),
    annotations(Case),
    annotations(Detection),
    st.integers(0, 4),
)


def assert_in_range(interval, low, high, where):
    assert low <= interval.low <= interval.high <= high, where


def test_a_source_passage_that_two_documents_share_is_never_found_oftener_than_it_is_there():
    shared = Passage("o", 0, 30)
    cases = [Case(Passage("s0", 0, 1), shared), Case(Passage("s1", 0, 1), shared)]
    found_in_the_second = Detection(Passage("s1", 0, 1), shared)
    run = Alignment(Annotations.of(cases), Annotations.of([found_in_the_second]))
    assert run.statistic("case_characters").tolist() == [1, 31]
    assert run.statistic("true_characters").tolist() == [0, 31]
    assert value_of(measures["micro.recall"], run) == 31 / 32
    interval = bootstrap(run, [measures["micro.recall"]], np.random.default_rng(1))["micro.recall"]
    assert (interval.low, interval.high) == (0, 1)


@property_test
@given(corpora)
def test_in_every_document_at_most_all_characters_are_true(run):
    true = run.statistic("true_characters")
    assert (true <= run.statistic("case_characters")).all()
    assert (true <= run.statistic("detection_characters")).all()


@property_test
@given(corpora)
def test_intervals_of_text_alignment_lie_in_the_range_of_their_measures(run):
    for key, interval in score(run, EVERYTHING).intervals.items():
        assert_in_range(interval, *((1, math.inf) if key == "granularity" else (0, 1)), key)


@property_test
@given(corpora, corpora)
def test_differences_of_two_runs_lie_in_the_range_of_differences(first, second):
    exchanged = [one for one in ALIGNMENT if one.key.startswith("micro.")]
    for one in compare_runs({"a": first, "b": second}, exchanged, np.random.default_rng(1), 20):
        assert -1 <= one.difference <= 1
        assert 0 < one.p <= 1


ids = st.lists(st.sampled_from("uvwxyz"), max_size=5, unique=True)
documents = st.sampled_from(["a", "b", "c", "d"])


@property_test
@given(st.dictionaries(documents, ids, min_size=1), st.dictionaries(documents, ids))
def test_intervals_of_retrieval_lie_in_the_range_of_their_measures(truth, run):
    truth = truth | {"e": ["u"]}
    compared = Retrieval(truth, run)
    events = {
        name: [("query", "words"), *(("download", one) for one in listed)] for name, listed in run.items()
    }
    rng = np.random.default_rng(1)
    for key, interval in bootstrap(compared, RANKING, rng, 0.999, 200).items():
        assert_in_range(interval, 0, 1, key)
    for key, interval in bootstrap(Workload(truth, events), WORKLOAD, rng, 0.999, 200).items():
        assert_in_range(interval, 0, math.inf, key)


problems = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 1.0]), st.sampled_from("xyz")),
    min_size=1,
    max_size=8,
)


@property_test
@given(problems, st.sampled_from(["answered", "all"]))
def test_intervals_of_verification_lie_in_the_range_of_their_measures(rows, convention):
    truth, scores, texts = zip(*rows, strict=True)
    answers = Answers(np.array(truth), np.array(scores), f1=convention)
    for key, interval in bootstrap_verification(answers, texts, np.random.default_rng(1), 0.999, 200).items():
        if not math.isnan(interval.low):
            assert_in_range(interval, 0, 1, key)


@property_test
@given(st.data())
def test_an_interval_of_the_world_score_lies_between_what_the_problems_can_earn_and_cost(data):
    count = data.draw(st.integers(2, 6))
    answers = st.lists(st.sampled_from([0.0, 0.4, 0.6, 1.0]), min_size=count, max_size=count).map(np.array)
    truth = np.array(
        [True, False, *data.draw(st.lists(st.booleans(), min_size=count - 2, max_size=count - 2))]
    )
    original, hidden = ({name: data.draw(answers) for name in ("one", "two")} for _ in range(2))
    safety = Safety([f"p{n}" for n in range(count)], truth, original, {"x": hidden})
    earned = safety.points_by_problem("x")
    interval = safety.interval("x", {}, np.random.default_rng(1), 0.999, 200)
    # As often as problems are drawn, at worst and at best the same one each time.
    assert_in_range(interval, earned.min() * len(earned) - 1e-12, earned.max() * len(earned) + 1e-12, earned)


@property_test
@given(
    st.lists(st.tuples(st.sampled_from("uvwx"), st.sampled_from("ABC"), st.integers(1, 5)), min_size=1),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
)
def test_intervals_of_quality_lie_in_the_range_of_their_measures(rows, metric):
    units, assessors, grades = zip(*rows, strict=True)
    ratings = Ratings(units, assessors, grades, metric)
    for key, interval in bootstrap(ratings, (MEAN, ALPHA), np.random.default_rng(1), 0.999, 200).items():
        low, high = (min(grades), max(grades)) if key == "mean" else (-math.inf, 1)
        assert_in_range(interval, low, high, key)


@pytest.mark.parametrize("measure", ALIGNMENT, ids=lambda one: one.key)
def test_the_resampled_values_are_centred_on_the_value(measure):
    """A percentile interval may leave its value out; where documents differ by chance alone it does not."""
    rng = np.random.default_rng(3)
    cases, made = [], []
    names = [f"s{number:02}" for number in range(40)]
    for name in names:
        origin = Passage("o", int(rng.integers(0, 900)), 100)
        cases.append(Case(Passage(name, 0, 100), origin))
        share = int(rng.integers(40, 101))
        made.append(Detection(Passage(name, 0, share), Passage("o", origin.offset, share)))
    lengths = Lengths(dict.fromkeys(names, 500), {"o": 1000})
    run = Alignment(Annotations.of(cases), Annotations.of(made), lengths)
    interval = bootstrap(run, [measure], np.random.default_rng(1))[measure.key]
    assert interval.low <= value_of(measure, run) <= interval.high


def test_an_undefined_measure_has_no_interval():
    same_truth = Answers(np.array([True, True]), np.array([0.9, 0.4]))
    assert math.isnan(score_verification(same_truth)["auc"])
    assert math.isnan(bootstrap_verification(same_truth, "ab", np.random.default_rng(1))["auc"].low)
