"""The tuner: a search that gains, is cross-validated over documents, resumes, and comes out the same."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest

from hands import hand
from stemmata.cli import status_of
from stemmata.corpora.demo import build_demo_corpus
from stemmata.formats import read_cases, read_detections
from stemmata.formats.pan_xml import CASES, write_pan_xml
from stemmata.measures.evaluation import score_alignment
from stemmata.model import Case, Document, Passage, StemmataError
from stemmata.model.parameters import Range, declared, parameters_of, tunable, with_parameters
from stemmata.reuse import detectors, intrinsic_detectors
from stemmata.reuse.detection import Corpus, Documents
from stemmata.reuse.intrinsic.surprise import StemmataIntrinsic, fitted_opinion
from stemmata.reuse.parameters import ParameterFile, make_aligner, make_intrinsic_detector
from stemmata.reuse.published.sanchez_perez import SanchezPerez2018
from stemmata.reuse.statistical.aligner import fitted_decisions
from stemmata.reuse.tuning import Plan, trials, tune
from stemmata.reuse.tuning.folds import document_folds, sample_pairs
from stemmata.reuse.tuning.search import evolve

SMALL = ["--population", "6", "--generations", "2", "--folds", "2"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tune") / "corpus"
    build_demo_corpus(folder)
    return folder


@pytest.fixture
def call(tmp_path, capsys):
    def run(*arguments):
        status = status_of([*map(str, arguments), "--format", "json"])
        out, err = capsys.readouterr()
        return status, (json.loads(out) if out else None), err

    return run


# --- Declared parameters -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    gap: int = tunable(4, 0, 9)


@dataclass(frozen=True)
class Whole:
    threshold: float = tunable(0.5, 0.0, 1.0)
    name: str = "whole"
    part: Part = Part()


def test_parts_lend_their_parameters_under_dotted_names():
    assert declared(Whole()) == {"threshold": Range(0.0, 1.0), "part.gap": Range(0, 9)}
    assert parameters_of(Whole()) == {"threshold": 0.5, "part.gap": 4}


def test_parameters_are_changed_and_the_rest_is_kept():
    changed = with_parameters(Whole(name="mine"), {"part.gap": 7.0})
    assert changed == Whole(0.5, "mine", Part(7))
    assert isinstance(changed.part.gap, int)
    assert with_parameters(Whole(), {}) == Whole()


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"gap": 1}, "E407"),
        ({"name": 1}, "E407"),
        ({"part.gap": 1.5}, "E405"),
        ({"threshold": float("nan")}, "E405"),
        ({"threshold": "high"}, "E405"),
        ({"threshold": True}, "E405"),
        ({"threshold": 1.0001}, "E405"),
        ({"threshold": float("inf")}, "E405"),
        ({"threshold": 1e308}, "E405"),
        ({"part.gap": -1}, "E405"),
        ({"part.gap": 10}, "E405"),
        ({"part.gap": 10**400}, "E405 part.gap=a number of many digits .* from 0 to 9"),
    ],
)
def test_what_is_no_parameter_or_lies_outside_its_range_is_refused(values, code):
    with pytest.raises(StemmataError, match=code):
        with_parameters(Whole(), values)


@pytest.mark.parametrize("name", list(detectors))
def test_every_detector_starts_inside_the_range_it_declares(name):
    try:
        aligner = detectors[name]()
    except StemmataError as error:
        pytest.skip(str(error))
    for parameter, value in parameters_of(aligner).items():
        low, high = declared(aligner)[parameter]
        assert low <= value <= high, parameter
    assert with_parameters(aligner, parameters_of(aligner)) == aligner


# --- Folds and search ----------------------------------------------------------------------------------


def test_folds_share_neither_documents_nor_copies_of_them():
    rng = np.random.default_rng(3)
    pairs = [(f"s{i}", f"r{rng.integers(60)}") for i in range(90)]
    texts = {name: name for pair in pairs for name in pair} | {"s7": "s8", "r3": "s20"}
    dealt = document_folds(pairs, texts, 3, seed=1)
    seen = [
        {texts[name] for pair, fold in zip(pairs, dealt, strict=True) if fold == k for name in pair}
        for k in range(3)
    ]
    assert all(not one & two for one, two in combinations(seen, 2))
    assert min(np.bincount(dealt)) > 15


def test_documents_that_hang_together_cannot_be_parted():
    pairs = [("a", "x"), ("b", "x"), ("b", "y")]
    with pytest.raises(StemmataError, match="E410"):
        document_folds(pairs, {name: name for name in "abxy"}, 2, seed=1)


def test_a_sample_takes_all_pairs_of_a_document_or_none():
    pairs = [(f"s{i // 3}", f"r{i}") for i in range(60)]
    some = sample_pairs(pairs, 20, seed=2)
    assert len(some) == 18
    assert all((pair in some) == (pair[0] in {one for one, _ in some}) for pair in pairs)


def test_the_search_finds_the_top_of_a_hill_and_asks_for_generations():
    sizes = []

    def fitness(candidates):
        sizes.append(len(candidates))
        return [-((c["x"] - 0.3) ** 2) - 0.01 * (c["n"] - 17) ** 2 for c in candidates]

    space = {"x": Range(0.0, 1.0), "n": Range(0, 40)}
    found = evolve(space, fitness, {"x": 0.9, "n": 1}, population=12, generations=25, seed=5)
    assert found["x"] == pytest.approx(0.3, abs=0.02)
    assert found["n"] == 17
    assert set(sizes) == {12}


def test_the_search_never_ends_below_its_start():
    def fitness(candidates):
        return [1.0 if c["x"] == 0.1234 else 0.0 for c in candidates]

    assert evolve({"x": Range(0.0, 1.0)}, fitness, {"x": 0.1234}, 6, 2, 1) == {"x": 0.1234}


# --- The command ---------------------------------------------------------------------------------------


def test_tuning_gains_and_the_file_serves_detect(call, corpus, tmp_path):
    poor = ParameterFile("shingles", {"n": 6, "gap": 0, "min_length": 600})
    out = tmp_path / "tuned.json"
    status, result, _ = call("tune", corpus, "--with", "shingles", "-o", out, *SMALL, "--jobs", "1")
    assert status == 0
    assert result["tuned"] >= result["before"]
    tuned = ParameterFile.read(out)
    assert tuned.provenance["seed"] == 1
    assert tuned.provenance["pairs"] == 42

    def plagdet(parameters, name):
        parameters.write(tmp_path / f"{name}.json")
        options = ["--with", "shingles", "--parameters", tmp_path / f"{name}.json", "-o", tmp_path / name]
        assert call("detect", corpus, *options)[0] == 0
        found = read_detections(tmp_path / name).annotations
        return score_alignment(read_cases(corpus).annotations, found).scores.values["macro.plagdet"]

    assert plagdet(tuned, "run") == pytest.approx(result["tuned"], abs=1e-4)
    assert plagdet(poor, "poor") < result["tuned"]


def test_the_number_of_jobs_changes_nothing(call, corpus, tmp_path):
    for jobs in ("1", "2"):
        call("tune", corpus, "--with", "shingles", "-o", tmp_path / f"{jobs}.json", *SMALL, "--jobs", jobs)
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()


def test_a_search_goes_on_where_it_was_stopped(corpus, tmp_path, monkeypatch):
    plan = Plan(folds=2, population=6, generations=1)
    parts = Corpus.open(corpus)
    tune(parts, "shingles", tmp_path / "whole.json", plan)
    runs = []
    real = trials.Bench.run

    def stop(bench, trial):
        if len(runs) == 7:
            raise KeyboardInterrupt
        runs.append(trial)
        return real(bench, trial)

    monkeypatch.setattr(trials.Bench, "run", stop)
    with pytest.raises(KeyboardInterrupt):
        tune(parts, "shingles", tmp_path / "out.json", plan)
    journal = tmp_path / ".out.json.unfinished" / "trials.jsonl"
    assert not (tmp_path / "out.json").exists()
    with journal.open("a") as stream:
        stream.write('\n["half a li')

    monkeypatch.setattr(trials.Bench, "run", lambda bench, trial: runs.append(trial) or real(bench, trial))
    tune(parts, "shingles", tmp_path / "out.json", plan)
    assert len(runs) == len(set(runs))
    assert (tmp_path / "out.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
    assert not journal.parent.exists()


def test_a_killed_search_leaves_its_trials_and_no_file(corpus, tmp_path):
    command = [sys.executable, "-c", "import sys; from stemmata.cli import run; run()"]
    out = tmp_path / "out.json"
    options = ["tune", str(corpus), "--with", "sanchez-perez-2015", "-o", str(out), "--jobs", "1"]
    with subprocess.Popen([*command, *options], env=os.environ, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while not (tmp_path / ".out.json.unfinished").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    assert (tmp_path / ".out.json.unfinished").exists()
    assert not out.exists()


def test_folders_weigh_alike(corpus, tmp_path):
    parts = Corpus.open(corpus)
    whole = tune(parts, "shingles", tmp_path / "a.json", Plan(folds=2, population=5, generations=0))
    by = tune(
        parts, "shingles", tmp_path / "b.json", Plan(folds=2, population=5, generations=0, by_folder=True)
    )
    assert by.provenance["measure"] == "mean over folders of macro.plagdet"
    assert by.provenance["before"] != whole.provenance["before"]


def test_a_detector_that_learns_is_fitted_to_the_folds_it_may_know(call, corpus, tmp_path):
    options = ["--population", "5", "--generations", "0", "--folds", "3", "--jobs", "1"]
    status, result, _ = call("tune", corpus, "--with", "stemmata", "-o", tmp_path / "own.json", *options)
    assert status == 0
    assert result["candidates"] == 5
    made = ParameterFile.read(tmp_path / "own.json")
    assert set(made.fitted) == {"fitted_to", "passages", "summaries"}
    own = make_aligner("stemmata", made)
    assert "42 pairs" in repr(own)
    run = ["--with", "stemmata", "--parameters", tmp_path / "own.json", "-o", tmp_path / "run", "--jobs", "1"]
    assert call("detect", corpus, *run)[0] == 0
    found = read_detections(tmp_path / "run").annotations
    plagdet = score_alignment(read_cases(corpus).annotations, found).scores.values["macro.plagdet"]
    # Fitted to these very pairs, it knows them better than what was fitted to others.
    usual = tmp_path / "usual"
    call("detect", corpus, "--with", "stemmata", "-o", usual, "--jobs", "1")
    before = read_detections(usual).annotations
    assert plagdet > score_alignment(read_cases(corpus).annotations, before).scores.values["macro.plagdet"]


@pytest.mark.parametrize(
    "fitted", [{}, {"passages": 3}, {"passages": {"features": ["x"]}, "summaries": {}, "fitted_to": "x"}]
)
def test_a_fit_of_another_kind_is_refused(fitted):
    with pytest.raises(StemmataError, match="E510"):
        make_aligner("stemmata", ParameterFile("stemmata", {}, fitted))


@pytest.mark.parametrize("number", [10**400, 1e308, float("inf"), float("nan"), 10**30, "much", None])
@pytest.mark.parametrize("where", ["mean", "scale", "weights", "intercept", "threshold"])
def test_a_fit_with_numbers_beyond_all_bounds_is_refused(where, number):
    fitted = json.loads(json.dumps(fitted_decisions().as_json()))
    passages = fitted["passages"]
    passages[where] = [number, *passages[where][1:]] if isinstance(passages[where], list) else number
    with pytest.raises(StemmataError, match="E510"):
        make_aligner("stemmata", ParameterFile("stemmata", {}, fitted))


@pytest.mark.parametrize("number", [10**400, 1e308, float("inf"), 10**30])
def test_a_fit_of_opinions_with_numbers_beyond_all_bounds_is_refused(number):
    fitted = {**fitted_opinion().as_json(), "bias": number}
    with pytest.raises(StemmataError, match="E510"):
        make_intrinsic_detector("stemmata-intrinsic", ParameterFile("stemmata-intrinsic", {}, fitted))


@pytest.mark.parametrize(
    ("detector", "values"),
    [
        ("stemmata", {"runs.gap_cost": -1}),
        ("stemmata", {"windows.commonest": 0}),
        ("stemmata", {"windows.commonest": -1}),
        ("stemmata", {"windows.commonest": 1e308}),
        ("shingles", {"gap": 10**11}),
        ("shingles", {"gap": 1e308}),
        ("shingles", {"gap": 10**400}),
    ],
)
def test_values_in_a_parameter_file_are_held_to_the_declared_ranges(detector, values):
    with pytest.raises(StemmataError, match=r"E405 .*number from"):
        make_aligner(detector, ParameterFile(detector, values))


def test_a_trial_whose_line_is_damaged_is_not_known(tmp_path):
    journal = trials.Journal(tmp_path / "journal")
    for key in ("a", "b", "c"):
        journal.add(key, {"kind": {"sum": 0.125}})
    text = journal.path.read_text()
    journal.path.write_text(text.replace("0.125", "0.725", 1) + "\n[]\n7\n\xff")
    again = trials.Journal(journal.path)
    assert [key in again for key in ("a", "b", "c")] == [False, True, True]
    assert again["b"] == {"kind": {"sum": 0.125}}


def test_a_part_of_the_parameters_can_be_searched_and_the_others_stay(call, corpus, tmp_path):
    out = tmp_path / "some.json"
    options = ["--only", "gap", "--folds", "2", "--population", "5", "--generations", "1", "--jobs", "1"]
    assert call("tune", corpus, "--with", "shingles", "-o", out, *options)[0] == 0
    made = ParameterFile.read(out)
    assert (made.parameters["n"], made.parameters["min_length"]) == (3, 200)
    assert {frozenset(one) for one in made.provenance["parameters_of_folds"]} == {frozenset({"gap"})}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--with", "shingles", "--only", "gaps"], "E407"),
        (["--with", "stemmata", "--folds", "2"], "E405"),
        (["--with", "adversarial-m1"], "E408"),
        (["--with", "shingles", "--measure", "granularity"], "E409"),
        (["--with", "shingles", "--folds", "1"], "E001"),
        (["--with", "shingles", "--folds", "40"], "E410"),
        (["--with", "shingle"], "E501"),
    ],
)
def test_a_search_that_cannot_be_is_refused(call, corpus, tmp_path, options, code):
    status, _, err = call("tune", corpus, "-o", tmp_path / "x.json", *options)
    assert status == 2
    assert err.startswith(f"stemmata: {code}")
    assert list(tmp_path.iterdir()) == []


def test_a_corpus_without_truth_is_refused(call, corpus, tmp_path):
    empty = tmp_path / "truth"
    empty.mkdir()
    (empty / "a.xml").write_text('<document reference="a.txt"></document>')
    status, _, err = call("tune", corpus, "--with", "shingles", "--truth", empty, "-o", tmp_path / "x.json")
    assert status == 2
    assert "E411" in err


# --- Intrinsic detectors -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Six documents, four of them with a stranger's chapter, and a copy of the first under another name."""
    folder = tmp_path_factory.mktemp("alone") / "corpus"
    (folder / "susp").mkdir(parents=True)
    cases = []
    for i in range(6):
        text = hand(i, "ba len tor mi sun ka der fo", 9_000)
        if i < 4:
            place = text.index(". ", 2_000 + 1_000 * i) + 2
            chapter = hand(50 + i, "zhu wy xop qui vrae jlo psy gno", 2_500, mean=30)
            text = text[:place] + chapter + text[place:]
            cases.append(Case(Passage(f"d{i}.txt", place, len(chapter))))
        (folder / "susp" / f"d{i}.txt").write_text(text)
    (folder / "susp" / "copy.txt").write_text((folder / "susp" / "d0.txt").read_text())
    write_pan_xml(folder / "truth", cases, CASES)
    return folder


@pytest.mark.parametrize("name", list(intrinsic_detectors))
def test_an_intrinsic_detector_is_tuned_and_detect_takes_what_was_found(name, call, alone, tmp_path):
    out, options = tmp_path / "tuned.json", ["--population", "5", "--generations", "1", "--jobs", "1"]
    status, result, _ = call("tune", alone, "--with", name, "-o", out, *options)
    assert status == 0
    assert result["tuned"] >= result["before"]
    assert result["texts"] == result["of"] == 7
    made = ParameterFile.read(out)
    assert (made.fitted is None) == (name != "stemmata-intrinsic")
    run = ["--intrinsic", "--with", name, "--parameters", out, "-o", tmp_path / "run", "--jobs", "1"]
    assert call("detect", alone, *run)[0] == 0
    found = read_detections(tmp_path / "run").annotations
    if made.fitted is None:
        plagdet = score_alignment(read_cases(alone).annotations, found).scores.values["macro.plagdet"]
        assert plagdet == pytest.approx(result["tuned"], abs=1e-4)
    detector = make_intrinsic_detector(name, made)
    documents = [Document(path.name, path.read_text()) for path in sorted((alone / "susp").iterdir())]
    assert list(found.detections) == [one for document in documents for one in detector.find(document)]


@pytest.mark.parametrize("name", ["stemmata-intrinsic", "oberreuter-2011"])
def test_sources_that_cases_name_are_passed_over_by_an_intrinsic_search(name, alone, tmp_path):
    elsewhere = [
        Case(case.suspicious, Passage("elsewhere.txt", 0, 70)) for case in read_cases(alone).annotations.cases
    ]
    write_pan_xml(tmp_path / "named", elsewhere, CASES)
    plan = Plan(population=5, generations=0)
    tuned = [
        tune(Documents.open(alone), name, tmp_path / f"{n}.json", plan, truth)
        for n, truth in enumerate([alone, tmp_path / "named"])
    ]
    assert tuned[0] == tuned[1]


def test_a_document_is_looked_at_once_for_all_candidates(alone, tmp_path, monkeypatch):
    seen = []
    real = StemmataIntrinsic.examine
    monkeypatch.setattr(
        StemmataIntrinsic, "examine", lambda self, one: seen.append(one.name) or real(self, one)
    )
    tune(Documents.open(alone), "stemmata-intrinsic", tmp_path / "t.json", Plan(population=5, generations=0))
    assert len(seen) == len(set(seen)) == 7


def test_documents_alone_are_in_one_fold_only_with_their_copies():
    pairs = [(name, "") for name in "abcd"]
    dealt = document_folds(pairs, {"a": "1", "b": "1", "c": "2", "d": "3"}, 3, seed=1)
    assert dealt[0] == dealt[1]
    assert len(set(dealt.tolist())) == 3


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--with", "stemmata-intrinsic", "--folds", "2"], "E405"),
        (["--with", "oberreuter-2011", "--by-folder"], "E405"),
        (["--with", "oberreuter-2011", "--only", "cost"], "E407"),
        (["--with", "oberreuter-2011", "--folds", "7"], "E410"),
        (["--with", "shingles"], "E101"),
    ],
)
def test_an_intrinsic_search_that_cannot_be_is_refused(call, alone, tmp_path, options, code):
    status, _, err = call("tune", alone, "-o", tmp_path / "x.json", *options)
    assert status == 2
    assert err.startswith(f"stemmata: {code}")
    assert list(tmp_path.iterdir()) == []


# --- Parameter files -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[]", "E510"),
        ("{}", "E510"),
        ('{"detector": "shingles", "parameters": 3}', "E510"),
        ('{"detector": "shingles", "parameters": {"m": 3}}', "E407"),
        ('{"detector": "shingles", "parameters": {"n": 0}}', "E405"),
        ('{"detector": "shingles", "parameters": {}, "fitted": {}}', "E510"),
        ('{"detector": "pan-baseline", "parameters": {}}', "E511"),
        ("{", "E600"),
    ],
)
def test_a_broken_parameter_file_is_refused(call, corpus, tmp_path, text, code):
    path = tmp_path / "p.json"
    path.write_text(text)
    status, _, err = call(
        "detect", corpus, "--with", "shingles", "--parameters", path, "-o", tmp_path / "run"
    )
    assert status == 2
    assert f"{code} " in err
    assert not (tmp_path / "run").exists()


def test_2018_has_the_parameters_that_the_tuner_found():
    aligner = make_aligner("sanchez-perez-2018")
    assert isinstance(aligner, SanchezPerez2018)
    assert aligner != SanchezPerez2018()
