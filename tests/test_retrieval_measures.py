"""Source retrieval: the definitions, the public script's values, and what must hold for any run."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.formats.retrieval import read_rankings, read_sources
from stemmata.measures.evaluation import Confidence
from stemmata.measures.retrieval import (
    MEASURES,
    RANKING,
    WORKLOAD,
    Retrieval,
    RetrievalOptions,
    Workload,
    score_retrieval,
)
from stemmata.measures.significance import bootstrap, compare_runs, value_of
from stemmata.model import StemmataError

EXACT = 1e-12
NAMES = {
    "Mean average precision": "map",
    "R-precision": "r_precision",
    "F1": "f1",
    "F2": "f2",
    "Recall": "recall",
    "Precision": "precision",
}


# --- The definitions, word by word


def f_beta(precision, recall, beta):
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def literally(truth, run, duplicates, map_definition):
    """Compute all measures document by document and rank by rank."""
    precisions, recalls, averages, r_precisions = [], [], [], []
    found = right = returned = sources = 0
    for document, true in truth.items():
        answer = run.get(document, [])
        good = [one in true or one == document or one in duplicates.get(document, ()) for one in answer]
        hits = [rank for rank, one in enumerate(answer, start=1) if one in true]
        found, right = found + len(hits), right + sum(good)
        returned, sources = returned + len(answer), sources + len(true)
        if true or answer:
            precisions.append(sum(good) / len(answer) if answer else 0.0)
        if true:
            recalls.append(len(hits) / len(true))
            below = len(true) if map_definition == "script" else len(hits)
            averages.append(sum(sum(good[:k]) / k for k in hits) / below if hits else 0.0)
            first = good[: len(true)]
            r_precisions.append(sum(first) / len(first) if first else 0.0)
    precision, recall = np.mean(precisions), np.mean(recalls)
    micro = {"precision": right / returned if returned else 0.0, "recall": found / sources}
    return {
        "map": np.mean(averages),
        "precision": precision,
        "recall": recall,
        "f1": f_beta(precision, recall, 1),
        "f2": f_beta(precision, recall, 2),
        "r_precision": np.mean(r_precisions),
        "micro.precision": micro["precision"],
        "micro.recall": micro["recall"],
        "micro.f1": f_beta(*micro.values(), 1),
        "micro.f2": f_beta(*micro.values(), 2),
    }


DOCUMENTS = ["a", "b", "c", "d", "e"]
IDS = [*"stuvwxyz", *DOCUMENTS]
rankings = st.dictionaries(
    st.sampled_from(DOCUMENTS), st.lists(st.sampled_from(IDS), unique=True, max_size=9), max_size=5
)
truths = rankings.filter(lambda truth: any(truth.values()))


def values(truth, run, **chosen):
    return dict(score_retrieval(truth, run, **chosen).values)


@given(truths, rankings, rankings, st.sampled_from(["script", "paper"]))
def test_the_arrays_compute_what_the_definitions_say(truth, run, duplicates, map_definition):
    options = RetrievalOptions(map_definition)
    got = values(truth, run, duplicates=duplicates, options=options)
    assert got == pytest.approx(literally(truth, run, duplicates, map_definition), abs=EXACT)


# --- What must hold for any run


@given(truths, rankings)
def test_every_value_lies_between_0_and_1(truth, run):
    assert all(0 <= value <= 1 + EXACT for value in values(truth, run).values())


@given(truths, rankings, st.randoms())
def test_the_order_of_documents_and_of_true_sources_does_not_matter(truth, run, random):
    mixed = [(name, random.sample(ids, len(ids))) for name, ids in truth.items()]
    random.shuffle(mixed)
    turned = dict(reversed(run.items()))
    assert values(dict(mixed), turned) == pytest.approx(values(truth, run), abs=EXACT)


@given(truths, rankings)
def test_names_with_and_without_txt_are_the_same(truth, run):
    with_ending = {f"{name}.txt": [f"{one}.txt" for one in ids] for name, ids in run.items()}
    assert values(truth, with_ending) == values(truth, run)


@given(truths, rankings)
def test_documents_that_the_truth_does_not_know_change_nothing(truth, run):
    more = score_retrieval(truth, {**run, "elsewhere": ["s"]})
    assert dict(more.values) == values(truth, run)
    assert more.ignored == len(run.keys() - truth.keys()) + 1


@given(truths, rankings)
def test_a_corpus_twice_over_scores_the_same(truth, run):
    def twice(lists):
        copies = {f"{name}'": [f"{one}'" for one in ids] for name, ids in lists.items()}
        return {**lists, **copies}

    assert values(twice(truth), twice(run)) == pytest.approx(values(truth, run), abs=EXACT)


@given(truths)
def test_the_true_sources_alone_score_1(truth):
    assert set(values(truth, truth).values()) == {1.0}


@given(truths, rankings)
def test_a_wrong_document_at_the_end_costs_precision_alone(truth, run):
    before = values(truth, run)
    after = values(truth, {name: [*run.get(name, []), "wrong"] for name in truth})
    assert after["map"] == pytest.approx(before["map"], abs=EXACT)
    assert after["recall"] == before["recall"]
    assert after["precision"] <= before["precision"] + EXACT


@given(truths, rankings)
def test_moving_the_sources_to_the_front_never_lowers_map(truth, run):
    best = {name: sorted(ids, key=lambda one: one not in truth.get(name, ())) for name, ids in run.items()}
    before, after = values(truth, run), values(truth, best)
    assert after["map"] >= before["map"] - EXACT
    assert (after["precision"], after["recall"]) == (before["precision"], before["recall"])


@given(truths, rankings)
def test_the_paper_s_map_is_never_below_the_script_s(truth, run):
    paper = values(truth, run, options=RetrievalOptions("paper"))
    script = values(truth, run)
    assert paper.pop("map") >= script.pop("map") - EXACT
    assert paper == script


# --- Rules, one by one


TRUTH = {"a": ["x", "y"], "b": ["z"]}


def test_the_document_itself_is_right_but_finds_nothing():
    got = values(TRUTH, {"a": ["a", "x"], "b": ["b"]})
    assert (got["precision"], got["recall"]) == (1.0, 0.25)
    assert got["map"] == pytest.approx((1 / 2 + 0) / 2)  # P@2 = 1: the document itself counts as right


def test_a_declared_duplicate_is_treated_like_the_document_itself():
    run = {"a": ["copy", "x"], "b": ["z"]}
    declared = score_retrieval(TRUTH, run, duplicates={"a.txt": ["copy.txt"]})
    assert dict(declared.values) == values(TRUTH, {"a": ["a", "x"], "b": ["z"]})
    assert "duplicates:declared" in declared.signature
    assert values(TRUTH, run)["precision"] == 0.75


def test_r_precision_of_a_short_answer_is_the_precision_of_that_answer():
    assert values(TRUTH, {"a": ["x"]})["r_precision"] == 0.5


def test_an_unanswered_document_counts_0_and_is_stated():
    result = score_retrieval(TRUTH, {"a": ["x", "y"], "b": []})
    assert (result.values["precision"], result.values["recall"], result.values["map"]) == (0.5, 0.5, 0.5)
    assert result.unanswered == 1


def test_a_document_without_sources_is_left_out_of_recall_and_map_but_false_answers_cost_precision():
    truth = {**TRUTH, "clean": []}
    right = {"a": ["x", "y"], "b": ["z"]}
    silent, wrong = score_retrieval(truth, right), score_retrieval(truth, {**right, "clean": ["x"]})
    assert (silent.documents, silent.without_sources, silent.unanswered) == (3, 1, 0)
    assert set(silent.values.values()) == {1.0}
    assert wrong.values["precision"] == pytest.approx(2 / 3)
    assert wrong.values["micro.precision"] == pytest.approx(3 / 4)
    assert (wrong.values["recall"], wrong.values["map"], wrong.values["r_precision"]) == (1.0, 1.0, 1.0)


def test_a_run_without_any_answer_scores_0():
    assert set(values(TRUTH, {}).values()) == {0.0}


def test_a_true_source_named_twice_counts_once():
    assert values({"a": ["x", "x.txt", "y"]}, {"a": ["x"]})["recall"] == 0.5


@pytest.mark.parametrize("ids", [["x", "y", "x"], ["x", "x.txt"]])
def test_retrieving_one_document_twice_is_refused(ids):
    with pytest.raises(StemmataError, match="E617 the document a names 'x' twice"):
        score_retrieval(TRUTH, {"a": ids})


def test_a_document_under_two_names_is_refused():
    with pytest.raises(StemmataError, match="E618"):
        score_retrieval({"a": ["x"], "a.txt": ["y"]}, {})


@pytest.mark.parametrize("truth", [{}, {"a": []}])
def test_a_truth_without_any_source_is_refused(truth):
    with pytest.raises(StemmataError, match="E650"):
        score_retrieval(truth, {"a": ["x"]})


def test_an_unknown_definition_of_map_is_refused():
    with pytest.raises(StemmataError, match="E405 map=trec"):
        RetrievalOptions("trec")


# --- The public script


def golden(folder: Path) -> tuple[dict[str, list[str]], dict[str, list[str]], dict[str, dict[str, float]]]:
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    lists = []
    for part, key in (("truth", "plagiarism"), ("det", "detected-plagiarism")):
        texts = [json.loads(path.read_text("utf-8")) for path in sorted((folder / part).glob("*.json"))]
        lists.append({text["suspicious-document"]: [one["id"] for one in text[key]] for text in texts})
    return lists[0], lists[1], expected


EASY = ["s1_perfect", "s2_missing_doc", "s3_self", "s4_extra_doc", "s7_partial", "s8_empty_list"]


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["r0", "r1", "r2", *EASY])
def test_the_public_script_s_values_are_computed(corpus, name):
    folder = corpus("golden") / "source_retrieval" / name
    truth, run, expected = golden(folder)
    for got in (
        score_retrieval(truth, run).as_json(),
        score_retrieval(read_sources(folder / "truth"), read_rankings(folder / "det")).as_json(),
    ):
        macro = {said: got[key] for said, key in NAMES.items()}
        # The script prints MAP and R-precision, which are means, among its micro values too.
        micro = {said: got["micro"].get(key, got[key]) for said, key in NAMES.items()}
        assert macro == pytest.approx(expected["macro"], abs=1e-9)
        assert micro == pytest.approx(expected["micro"], abs=1e-9)


@pytest.mark.corpus
def test_where_the_script_counts_a_repeated_id_each_time_it_is_refused(corpus):
    folder = corpus("golden") / "source_retrieval" / "s5_repeat"
    truth, run, expected = golden(folder)
    assert expected["macro"]["Recall"] == 1.5
    with pytest.raises(StemmataError, match="E617"):
        score_retrieval(truth, run)
    with pytest.raises(StemmataError, match="E617"):
        read_rankings(folder / "det")


@pytest.mark.corpus
def test_where_the_script_divides_by_zero_documents_without_sources_are_counted(corpus):
    truth, run, expected = golden(corpus("golden") / "source_retrieval" / "s6_empty_sources")
    assert "ZeroDivisionError" in expected["macro"]["error"]
    got = score_retrieval(truth, run).as_json()
    assert (got["map"], got["recall"], got["precision"]) == (1.0, 1.0, 0.5)
    assert (got["documents"], got["without_sources"]) == (2, 1)


# --- How sure it is


RUN = {"a": ["x", "q", "y"], "b": ["q", "z"], "c": ["v", "w"], "d": []}
FOUR = {"a": ["x", "y"], "b": ["z"], "c": ["w"], "d": ["u"]}


def test_an_interval_holds_the_value_of_every_measure_and_repeats_with_the_seed():
    once = score_retrieval(FOUR, RUN, confidence=Confidence(seed=3))
    again = score_retrieval(FOUR, RUN, confidence=Confidence(seed=3))
    assert once == again
    for key, value in once.values.items():
        assert once.intervals[key].low <= value <= once.intervals[key].high
    assert "confidence:0.95/bootstrap-1000/seed-3" in once.signature


def test_an_interval_is_that_of_the_per_document_values():
    recalls = np.array([1.0, 1.0, 1.0, 0.0])
    rng = np.random.default_rng(1)
    drawn = [recalls[rng.integers(0, 4, 4)].mean() for _ in range(1000)]
    interval = score_retrieval(FOUR, RUN, confidence=Confidence()).intervals["recall"]
    assert [interval.low, interval.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]))


def test_resamples_of_documents_without_sources_say_nothing():
    truth = {"a": ["x"], **{f"clean{n}": [] for n in range(5)}}
    intervals = score_retrieval(truth, {"a": ["x"]}, confidence=Confidence()).intervals
    assert (intervals["recall"].low, intervals["recall"].high) == (1.0, 1.0)


def test_two_runs_are_compared_by_the_tests_of_text_alignment():
    good, bad = Retrieval(FOUR, FOUR), Retrieval(FOUR, RUN)
    rows = compare_runs({"good": good, "bad": bad}, RANKING, np.random.default_rng(1))
    for row, measure in zip(rows, RANKING, strict=True):
        assert row.difference == pytest.approx(value_of(measure, good) - value_of(measure, bad))
    (same,) = compare_runs({"one": bad, "other": bad}, RANKING[:1], np.random.default_rng(1))
    assert (same.difference, same.p) == (0.0, 1.0)


# --- Workload


DONE = {
    "a": [("query", "one"), ("download", "q"), ("query", "two"), ("download", "x"), ("download", "y")],
    "b.txt": [("query", "three"), ("download", "q")],
}


def test_workload_counts_queries_and_downloads_until_the_first_true_source():
    got = score_retrieval(TRUTH, {"a": ["x", "y"]}, events=DONE).as_json()["workload"]
    assert got == {
        "queries": 1.5,
        "downloads": 2.0,
        "queries_to_first": 2.0,
        "downloads_to_first": 2.0,
        "no_detection": 1.0,
    }


def test_a_source_named_by_a_query_or_seen_twice_is_no_further_detection():
    steps = [("query", "x"), ("download", "x.txt"), ("query", "more"), ("download", "x")]
    work = Workload({"a": ["x"]}, {"a": steps})
    assert [float(work.statistic(name)[0]) for name in ("queries_to_first", "downloads_to_first")] == [1, 1]


def test_workload_to_a_detection_that_never_came_is_none():
    got = score_retrieval(TRUTH, {}, events={}, confidence=Confidence()).as_json()
    assert got["workload"] == {
        "queries": 0.0,
        "downloads": 0.0,
        "queries_to_first": None,
        "downloads_to_first": None,
        "no_detection": 2.0,
    }
    assert "queries_to_first" not in got["confidence"]["workload"]


def test_documents_without_sources_have_no_first_detection_to_miss():
    work = Workload({"a": ["x"], "clean": []}, {"clean": [("query", "words")]})
    assert value_of(WORKLOAD[-1], work) == 1.0
    assert bootstrap(work, WORKLOAD, np.random.default_rng(1))["workload.queries"].high <= 1.0


def test_an_event_that_is_neither_query_nor_download_is_refused():
    with pytest.raises(StemmataError, match="E405 event='click'"):
        Workload(TRUTH, {"a": [("click", "x")]})


def test_every_measure_says_what_it_is():
    assert [measure.task for measure in MEASURES] == ["retrieval"] * len(MEASURES)
    assert all(measure.meaning.endswith((".", "0.")) and measure.citation.text for measure in MEASURES)
    assert len({measure.name for measure in MEASURES}) == len(MEASURES)
