"""Grades by people: how they are written and summed up, and how far assessors agree."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stemmata.formats.judgements import read_judgements
from stemmata.measures import quality
from stemmata.measures.evaluation import Confidence
from stemmata.measures.quality import ALPHA, MEAN, MEASURES, METRICS, Ratings, score_quality
from stemmata.measures.significance import bootstrap, value_of
from stemmata.model import StemmataError
from stemmata.model.judgements import (
    SCHEMES,
    SCHOOL_GRADES,
    SENSIBLENESS_2,
    SOUNDNESS_5,
    SOUNDNESS_WORDS,
    Judgement,
    Judgements,
)

# Krippendorff 2011, section C: 4 observers (lines), 12 units (columns), missing values.
TEXTBOOK = """
    1 2 3 3 2 1 4 1 2 . . .
    1 2 3 3 2 2 4 1 2 5 . 3
    . 3 3 3 2 3 4 2 2 5 1 .
    1 2 3 3 2 4 4 1 2 5 1 .
"""
PUBLISHED = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}


def table_of(lines):
    rows = [line.split() for line in lines.strip().splitlines()]
    return [
        (unit, assessor, float(grade))
        for assessor, row in enumerate(rows)
        for unit, grade in enumerate(row)
        if grade != "."
    ]


def ratings(rows, metric="ordinal"):
    return Ratings([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows], metric)


def alpha(rows, metric):
    return value_of(ALPHA, ratings(rows, metric))


def literal_alpha(rows, metric):
    """Compute alpha from the definition: mean distance of pairs within units and of all pairs."""
    units = {}
    for unit, _, grade in rows:
        units.setdefault(unit, []).append(grade)
    units = [grades for grades in units.values() if len(grades) > 1]
    together = [grade for grades in units for grade in grades]
    n = len(together)

    def distance(c, k):
        if metric == "nominal":
            return float(c != k)
        if metric == "ordinal":
            low, high = min(c, k), max(c, k)
            between = sum(low <= grade <= high for grade in together)
            return (between - (together.count(c) + together.count(k)) / 2) ** 2
        if metric == "interval":
            return (c - k) ** 2
        return ((c - k) / (c + k)) ** 2 if c + k else 0.0

    observed = sum(distance(c, k) / (len(grades) - 1) for grades in units for c, k in permutations(grades, 2))
    expected = sum(distance(c, k) for c, k in permutations(together, 2))
    return 1 - (observed / n) / (expected / (n * (n - 1))) if expected else float("nan")


tables = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 3), st.sampled_from([1.0, 1.5, 2.0, 3.0, 5.0])),
    unique_by=lambda row: row[:2],
    min_size=1,
    max_size=20,
)


# --- Krippendorff's alpha


@pytest.mark.parametrize("metric", METRICS)
def test_the_textbook_s_example_has_its_published_values(metric):
    assert round(alpha(table_of(TEXTBOOK), metric), 3) == PUBLISHED[metric]


def test_the_example_of_the_documentation_is_4_9():
    rows = table_of("""
        1 1 2
        1 2 2
    """)
    assert alpha(rows, "nominal") == pytest.approx(4 / 9)


@given(tables, st.sampled_from(METRICS))
def test_the_arrays_compute_what_the_definition_says(rows, metric):
    assert alpha(rows, metric) == pytest.approx(literal_alpha(rows, metric), abs=1e-9, nan_ok=True)


@given(tables, st.sampled_from(METRICS), st.randoms())
def test_it_does_not_matter_who_the_assessors_are_or_in_which_order_rows_come(rows, metric, random):
    mixed = [(f"unit {unit}", f"assessor {9 - assessor}", grade) for unit, assessor, grade in rows]
    random.shuffle(mixed)
    assert alpha(mixed, metric) == pytest.approx(alpha(rows, metric), abs=1e-9, nan_ok=True)


@given(tables, st.sampled_from(METRICS))
def test_alpha_is_1_where_all_agree_and_never_above(rows, metric):
    agreed = [(unit, assessor, float(unit)) for unit, assessor, _ in rows]
    value = alpha(agreed, metric)
    assert np.isnan(value) or value == pytest.approx(1.0)
    value = alpha(rows, metric)
    assert np.isnan(value) or value <= 1 + 1e-12


@given(tables)
def test_each_metric_sees_what_it_should(rows):
    def changed(how):
        return [(unit, assessor, how(grade)) for unit, assessor, grade in rows]

    same = {"abs": 1e-9, "nan_ok": True}
    assert alpha(changed(lambda g: (g * 7) % 11), "nominal") == pytest.approx(alpha(rows, "nominal"), **same)
    assert alpha(changed(lambda g: g**3), "ordinal") == pytest.approx(alpha(rows, "ordinal"), **same)
    assert alpha(changed(lambda g: 6 - g), "ordinal") == pytest.approx(alpha(rows, "ordinal"), **same)
    assert alpha(changed(lambda g: 40 * g - 3), "interval") == pytest.approx(alpha(rows, "interval"), **same)
    assert alpha(changed(lambda g: 40 * g), "ratio") == pytest.approx(alpha(rows, "ratio"), **same)


@given(tables)
def test_of_two_grades_only_their_difference_counts(rows):
    two = [(unit, assessor, 1.0 if grade < 2 else 2.0) for unit, assessor, grade in rows]
    values = [alpha(two, metric) for metric in METRICS]
    assert values == pytest.approx([values[0]] * 4, abs=1e-9, nan_ok=True)


@given(tables, st.sampled_from(METRICS))
def test_units_with_one_judgement_take_no_part(rows, metric):
    more = [*rows, ("alone", "x", 2.0), ("alone too", "y", 7.0)]
    assert alpha(more, metric) == pytest.approx(alpha(rows, metric), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    "rows",
    [
        [("a", "x", 4.7222), ("b", "x", 3.1), ("c", "x", 2.0)],
        [("a", "x", 4.7222), ("a", "y", 4.7222), ("b", "x", 4.7222), ("b", "y", 4.7222)],
        [("a", "x", 4.7222), ("b", "y", 3.1)],
        # Sums of these, which are all the same, differ from their product in the last digits.
        [(unit, assessor, 0.1) for unit in range(10) for assessor in range(3)],
    ],
)
def test_alpha_is_undefined_without_two_judgements_of_a_text_or_without_variation(rows, metric):
    assert np.isnan(alpha(rows, metric))


def test_disagreement_beyond_chance_is_below_0():
    rows = [(unit, assessor, float(unit % 2 == assessor)) for unit in range(6) for assessor in range(2)]
    assert alpha(rows, "nominal") < 0


def test_too_many_different_grades_are_refused_where_pairs_of_them_are_counted(monkeypatch):
    rows = [(unit, assessor, unit + assessor / 10) for unit in range(50) for assessor in range(2)]
    assert alpha(rows, "interval") > 0.99
    with pytest.raises(StemmataError, match="E648 100 different grades of 50 texts"):
        alpha(rows, "ordinal")
    monkeypatch.setattr(quality, "MOST_GRADES", 100)
    assert alpha(rows, "ordinal") > 0.99
    monkeypatch.setattr(quality, "MOST_CELLS", 1000)
    with pytest.raises(StemmataError, match="E648"):
        alpha(rows, "nominal")


def test_an_unknown_metric_is_refused():
    with pytest.raises(StemmataError, match="E405 metric=circular"):
        ratings(table_of(TEXTBOOK), "circular")


# --- Intervals


@pytest.mark.parametrize("metric", METRICS)
def test_the_interval_draws_units_and_repeats_with_the_seed(metric):
    rows = table_of(TEXTBOOK)
    interval = bootstrap(ratings(rows, metric), [ALPHA], np.random.default_rng(4), resamples=60)["alpha"]
    units = sorted({row[0] for row in rows}, key=[row[0] for row in rows].index)
    rng = np.random.default_rng(4)
    drawn = []
    for _ in range(60):
        picked = rng.integers(0, len(units), len(units))
        again = [
            ((n, units[one]), who, grade)
            for n, one in enumerate(picked)
            for unit, who, grade in rows
            if unit == units[one]
        ]
        drawn.append(literal_alpha(again, metric))
    assert [interval.low, interval.high] == pytest.approx(np.nanquantile(drawn, [0.025, 0.975]), abs=1e-9)


@given(tables, st.sampled_from(METRICS))
def test_an_undefined_alpha_has_no_interval(rows, metric):
    assume(np.isnan(alpha(rows, metric)))
    intervals = bootstrap(ratings(rows, metric), [MEAN, ALPHA], np.random.default_rng(1), resamples=20)
    assert set(intervals) == {"mean"}


# --- Scales


@pytest.mark.parametrize(
    ("scale", "text", "grade"),
    [
        (SCHOOL_GRADES, "1", 1),
        (SCHOOL_GRADES, " 2-3 ", 2.5),
        (SCHOOL_GRADES, "2–3", 2.5),
        (SCHOOL_GRADES, "4.5", 4.5),
        (SCHOOL_GRADES, "5.0", 5),
        (SOUNDNESS_WORDS, "correct", 2),
        (SOUNDNESS_WORDS, " Passable", 1),
        (SOUNDNESS_WORDS, "INCORRECT", 0),
        (SENSIBLENESS_2, "0", 0),
        (SOUNDNESS_5, "4.72222222222222", 4.72222222222222),
    ],
)
def test_grades_are_read_as_people_write_them(scale, text, grade):
    assert scale.grade(text) == grade


@pytest.mark.parametrize(
    ("scale", "text", "code"),
    [
        (SCHOOL_GRADES, "0", "E644"),
        (SCHOOL_GRADES, "5-6", "E644"),
        (SCHOOL_GRADES, "-1", "E644"),
        (SCHOOL_GRADES, "2.25", "E644"),
        (SCHOOL_GRADES, "1-3", "E645"),
        (SCHOOL_GRADES, "nan", "E645"),
        (SCHOOL_GRADES, "1e1", "E645"),
        (SCHOOL_GRADES, "good", "E645"),
        (SENSIBLENESS_2, "1.5", "E644"),
        (SENSIBLENESS_2, "1-2", "E645"),
        (SOUNDNESS_5, "5.1", "E644"),
        (SOUNDNESS_WORDS, "1", "E645"),
        (SOUNDNESS_WORDS, "pasable", "E645"),
    ],
)
def test_what_is_not_on_the_scale_is_refused(scale, text, code):
    with pytest.raises(StemmataError, match=code):
        scale.grade(text)


def test_a_misspelt_word_is_guessed():
    with pytest.raises(StemmataError, match="did you mean 'passable'"):
        SOUNDNESS_WORDS.grade("pasable")


@pytest.mark.parametrize("scale", [SCHOOL_GRADES, SOUNDNESS_WORDS, SENSIBLENESS_2])
def test_every_category_is_read_back_as_itself(scale):
    assert [scale.category(scale.grade(name)) for name in scale.categories] == list(
        range(len(scale.categories))
    )


def test_a_median_between_two_grades_has_a_name():
    assert [SCHOOL_GRADES.label(grade) for grade in (2, 2.5, 2.25)] == ["2", "2-3", "2.25"]
    assert SOUNDNESS_WORDS.label(0.5) == "incorrect/passable"


# --- Summaries


def school(*rows):
    return Judgements(SCHEMES["pan18"], [Judgement(*row) for row in rows])


RAHGOUY = [
    ("6", "rahgouy", "x", 1, 2),
    ("135", "rahgouy", "x", 4, 1),
    ("430", "rahgouy", "x", 3, 0),
]


def test_the_grades_of_pan18_give_its_published_verdict():
    """Rahgouy et al. got 1, 4 and 3, "grade 3 overall", and one word each, "passable" on average."""
    result = score_quality(school(*RAHGOUY)).as_json()
    grade = result["sensibleness"]["systems"]["rahgouy"]
    assert (grade["mean"], grade["median"]) == (pytest.approx(8 / 3), 3.0)
    sound = result["soundness"]["systems"]["rahgouy"]
    assert (sound["mean"], sound["median"]) == (1.0, 1.0)
    assert sound["counts"] == {"incorrect": 1, "passable": 1, "correct": 1}
    assert (sound["judgements"], sound["items"], sound["assessors"], sound["alpha"]) == (3, 3, 1, None)


def test_systems_come_best_first_by_the_direction_of_the_scale():
    rows = [("6", "worse", "x", 4.5, 2), ("6", "better", "x", 1.5, 0)]
    result = score_quality(school(*rows))
    assert list(result.graded["sensibleness"].systems) == ["better", "worse"]
    assert list(result.graded["soundness"].systems) == ["worse", "better"]
    assert result.graded["sensibleness"].pooled.counts["4-5"] == 1


def test_a_text_of_two_systems_is_two_units_when_all_are_pooled():
    rows = [("6", system, who, grade, None) for system, grade in (("a", 1), ("b", 5)) for who in "xy"]
    pooled = score_quality(school(*rows)).graded["sensibleness"].pooled
    assert (pooled.items, pooled.assessors, pooled.values["alpha"]) == (2, 2, 1.0)
    assert "soundness" not in score_quality(school(*rows)).as_json()


def test_intervals_and_metric_are_signed():
    rows = [(str(n), "a", who, 1 + (n + k) % 3, None) for n in range(8) for k, who in enumerate("xy")]
    result = score_quality(school(*rows), metric="interval", confidence=Confidence(0.9, 200, 7))
    assert result.signature.endswith(
        "task:quality|scale:pan18|metric:interval|confidence:0.9/bootstrap-200/seed-7"
    )
    one = result.graded["sensibleness"].systems["a"]
    assert one.intervals["mean"].low <= one.values["mean"] <= one.intervals["mean"].high
    assert set(one.as_json()["confidence"]) == {"mean", "alpha"}


def test_every_measure_says_what_it_is():
    assert [measure.name for measure in MEASURES] == ["quality.mean", "quality.median", "quality.alpha"]
    assert all(measure.meaning and measure.citation.text for measure in MEASURES)


# --- PAN16's data


@pytest.mark.corpus
def test_pan16_s_judgements_are_read_and_summed_up(corpus):
    result = score_quality(read_judgements(corpus("pan16-masking"))).as_json()
    sense, sound = result["sensibleness"], result["soundness"]
    assert {(one["items"], one["assessors"]) for one in sense["systems"].values()} == {(60, 3)}
    assert list(sense["systems"]) == ["A", "C", "B"]
    # As the task's own notes give them (mean.R.output.txt).
    means = {name: round(one["mean"], 6) for name, one in sound["systems"].items()}
    assert means == {"A": 4.869524, "B": 4.0438, "C": 4.476199}
    assert round(sense["pooled"]["alpha"], 2) == 0.66
    alphas = {name: round(one["alpha"], 3) for name, one in sense["systems"].items()}
    assert alphas == {"A": 0.133, "B": 0.435, "C": 0.198}
    assert {one["alpha"] for one in sound["systems"].values()} == {None}
