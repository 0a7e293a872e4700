"""`stemmata score verification` and `stemmata score safety` as a user runs them."""

import json

import pytest

from stemmata.cli import status_of

TRUTH = "EN001 Y\nEN002 N\nEN003 Y\nEN004 N\n"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in an empty folder; return status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        return status_of([str(argument) for argument in arguments]), *capsys.readouterr()

    return call


def score(run, write, answers, *options, truth=TRUTH, name="answers.txt"):
    write("truth.txt", truth)
    write(name, answers)
    status, out, err = run("score", "verification", "truth.txt", name, "--format", "json", *options)
    assert (status, err) == (0, "")
    return json.loads(out)


def refused(run, code, *arguments):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith(f"stemmata: {code} "), err
    return err


def test_json_has_the_agreed_keys(run, write):
    result = score(run, write, "EN001 0.9\nEN002 0.1\nEN003 0.5\nEN004 0.7\n")
    keys = ["auc", "c@1", "f0.5u", "f1", "brier", "overall", "auc*c@1"]
    assert list(result) == ["signature", *keys, "problems", "unanswered", "missing", "ignored"]
    assert (result["problems"], result["unanswered"], result["missing"]) == (4, 1, 0)
    assert result["auc"] == pytest.approx(3 / 4)
    assert result["c@1"] == pytest.approx((2 + 1 * 2 / 4) / 4)


def test_jsonl_answers_score_the_same(run, write):
    rows = [("EN001", 0.9), ("EN002", 0.1), ("EN003", 0.5), ("EN004", 0.7)]
    text = score(run, write, "".join(f"{name} {value}\n" for name, value in rows))
    lines = "".join(json.dumps({"id": name, "value": value}) + "\n" for name, value in rows)
    assert score(run, write, lines, name="answers.jsonl") == text


def test_missing_answers_count_as_unanswered_and_unknown_ones_are_ignored(run, write):
    result = score(run, write, "EN001 0.9\nEN002 0.1\nEN999 0.3\n")
    assert (result["missing"], result["unanswered"], result["ignored"]) == (2, 2, 1)


LANGUAGES = TRUTH + "GR001 Y\nGR002 N\nSP001 Y\n"
ANSWERS = "EN001 0.9\nEN002 0.6\nEN003 0.5\nEN004 0.2\n"


@pytest.fixture
def languages(write):
    """Problems in English, and a truth that has those of other languages too."""
    for name in ("EN001", "EN002", "EN003", "EN004"):
        for file in ("known01.txt", "unknown.txt"):
            write(f"problems/{name}/{file}", f"words of {name}")
    write("problems/truth.txt", LANGUAGES)
    write("answers.txt", ANSWERS)


def test_unanswered_problems_of_other_languages_are_named(run, languages):
    status, out, err = run("score", "verification", "problems/truth.txt", "answers.txt", "-f", "json")
    result = json.loads(out)
    assert (status, result["problems"], result["missing"]) == (0, 7, 3)
    assert [one["code"] for one in result["warnings"]] == ["E664"]
    assert err.startswith(
        "stemmata: warning: E664 problems/truth.txt: 3 of 7 problems of the truth have no answer"
    )
    assert "all begin with GR, SP (name the problems that are meant with --problems" in err


def test_with_the_problems_ids_of_others_are_left_out_and_named_as_verify_does(run, languages):
    assert run("verify", "problems", "--with", "kocher15", "-o", "made", "-j", "1")[0] == 0
    said = "3 other ids of the truth are left out, since no problem here has them: all begin with GR, SP"
    status, out, err = run("verify", "problems", "--with", "kocher15", "-o", "made", "-j", "1", "-f", "json")
    verified = json.loads(out)
    assert (status, err.count(said), verified["notes"].count(said)) == (0, 1, 1)
    arguments = ("problems/truth.txt", "made/kocher15", "--problems", "problems", "-f", "json")
    status, out, err = run("score", "verification", *arguments)
    scored = json.loads(out)
    assert (status, err.count(said), scored["problems"], scored["missing"]) == (0, 1, 4, 0)
    assert scored["c@1"] == verified["verifiers"]["kocher15"]["c@1"]
    assert scored["auc"] == verified["verifiers"]["kocher15"]["auc"]


def test_a_problem_that_is_merely_unanswered_is_a_note(run, languages, write):
    write("answers.txt", "EN001 0.9\nEN002 0.6\n")
    status, out, err = run(
        "score", "verification", "problems/truth.txt", "answers.txt", "--problems", "problems"
    )
    assert (status, "2 without an answer count as unanswered" in out) == (0, True)
    assert "E663" in err


def test_ids_that_differ_in_their_letters_alone_are_matched(run, write):
    result = score(run, write, "EE001 0.9\nEE002 0.1\nEE003 0.8\nEE004 0.2\n")
    assert (result["overall"], result["missing"]) == (pytest.approx(result["overall"]), 0)
    assert result["auc"] == 1


def test_undefined_values_are_null(run, write):
    result = score(run, write, "EN001 0.9\n", truth="EN001 Y\n")
    assert result["auc"] is None
    assert result["overall"] is None
    assert result["c@1"] == 1


def test_unanswered_problems_may_count_in_f1(run, write):
    answers = "EN001 0.9\nEN002 0.1\nEN003 0.5\nEN004 0.2\n"
    assert score(run, write, answers)["f1"] == 1
    assert score(run, write, answers, "--f1", "all")["f1"] == pytest.approx(2 / 3)


def test_intervals_draw_unknown_texts_where_the_problems_are_given(run, write):
    answers = "EN001 0.9\nEN002 0.1\nEN003 0.3\nEN004 0.2\n"
    for i in range(1, 5):
        write(f"problems/EN00{i}/known01.txt", f"known {i}")
        write(f"problems/EN00{i}/unknown.txt", "one text" if i < 3 else "another")
    plain = score(run, write, answers, "--confidence", "0.5")
    texts = score(run, write, answers, "--confidence", "0.5", "--problems", "problems")
    assert "/problems/" in plain["signature"]
    assert "/texts/" in texts["signature"]
    assert plain["confidence"] != texts["confidence"]
    low, high = texts["confidence"]["c@1"]
    assert low <= texts["c@1"] <= high


def test_tables_show_three_decimals(run, write):
    write("truth.txt", TRUTH)
    write("answers.txt", "EN001 0.9\nEN002 0.1\nEN003 0.3\nEN004 0.2\n")
    out = run("score", "verification", "truth.txt", "answers.txt")[1]
    assert "c@1        0.750\n" in out


@pytest.mark.parametrize(
    "answers",
    [
        "EN001 0.9\nEN001 0.8\n",
        "EN001 1.5\n",
        "EN001 -0.1\n",
        "EN001 nan\n",
        "EN001 inf\n",
        "EN001 high\n",
        "X1 0.5\n",
    ],
)
def test_answers_that_cannot_be_scored_are_refused_with_their_place(run, write, answers):
    write("truth.txt", TRUTH)
    write("answers.txt", answers)
    status, out, err = run("score", "verification", "truth.txt", "answers.txt")
    assert (status, out) == (2, "")
    assert err.startswith("stemmata: E6")
    assert "answers.txt" in err


def test_bad_options_are_refused(run, write):
    write("truth.txt", TRUTH)
    write("answers.txt", "EN001 0.9\n")
    command = ("score", "verification", "truth.txt", "answers.txt")
    refused(run, "E405", *command, "--f1", "none")
    refused(run, "E405", *command, "--confidence", "1")
    refused(run, "E101", *command[:3], "missing.txt")


CORPUS = {
    "c-truth.txt": "P1 Y\nP2 Y\nP3 N\nP4 N\n",
    "c/right.txt": "P1 0.9\nP2 0.8\nP3 0.1\nP4 0.2\n",
    "c/half.txt": "P1 0.9\nP2 0.0\nP3 0.1\nP4 0.2\n",
    "c-obfuscationA/right.txt": "P1 0.0\nP2 0.8\nP3 0.1\nP4 0.2\n",
    "c-obfuscationA/half.txt": "P1 0.9\nP2 0.9\nP3 0.1\nP4 0.2\n",
}


@pytest.fixture
def ranking(run, write):
    def call(*options, files=None):
        for name, text in (CORPUS | (files or {})).items():
            write(f"data/{name}", text)
        status, out, err = run("score", "safety", "data", "--format", "json", *options)
        assert (status, err) == (0, "")
        return json.loads(out)

    return call


def test_world_score_by_hand(ranking):
    result = ranking()
    assert list(result) == ["signature", "corpora", "total"]
    corpus = result["corpora"]["c"]
    assert (corpus["verifiers"], corpus["perfect"]) == (2, pytest.approx(1 + 1 / 1.5 + 0.5))
    keys = ["score", "delta_acc", "delta_rec", "delta_auc", "delta_c@1", "delta_final", "average_impact"]
    assert list(corpus["obfuscators"]["A"])[:7] == keys
    assert corpus["obfuscators"]["A"]["score"] == pytest.approx(1 - 0.5 / 1.5)
    assert result["total"]["obfuscators"]["A"]["score"] == pytest.approx(1 - 0.5 / 1.5)


def test_a_verifier_without_an_obfuscated_run_takes_no_part(ranking):
    extra = {"c/other.txt": "P1 0.9\nP2 0.8\nP3 0.1\nP4 0.2\n"}
    assert ranking(files=extra)["corpora"]["c"]["verifiers"] == 2


def test_intervals_of_the_world_score(ranking):
    low, high = ranking("--confidence", "0.9")["corpora"]["c"]["obfuscators"]["A"]["confidence"]
    assert low <= 1 - 0.5 / 1.5 <= high


def test_the_matrix_of_table_1(ranking):
    cells = ranking("--matrix", "A")["c, A: T→T 2, T→F 1, F→T 1, F→F 0"]
    assert cells == {"P1": {"half": "T→T", "right": "T→F"}, "P2": {"half": "F→T", "right": "T→T"}}


def test_safety_refuses_what_it_cannot_score(run, write, ranking):
    ranking()
    refused(run, "E501", "score", "safety", "data", "--matrix", "B")
    refused(run, "E405", "score", "safety", "data", "--tau", "0")
    refused(run, "E101", "score", "safety", "missing")
    write("data/c-obfuscationB/third.txt", "P1 0.9\n")
    refused(run, "E661", "score", "safety", "data")
    write("data/c-truth.txt", "Q1 Y\nQ2 N\n")
    status, _, err = run("score", "safety", "data")
    assert (status, err[:12]) == (2, "stemmata: E6")


# AUC, c@1, F0.5u, F1, Brier and their mean, rounded as the evaluator rounds them.
PAN20 = {
    "araujo20-large": [0.859, 0.751, 0.745, 0.8, 0.818, 0.795],
    "araujo20-small": [0.874, 0.77, 0.762, 0.811, 0.829, 0.809],
    "boenninghoff20-large": [0.969, 0.928, 0.918, 0.936, 0.933, 0.937],
    "boenninghoff20-small": [0.94, 0.889, 0.869, 0.906, 0.902, 0.901],
    "faber20-small": [0.293, 0.331, 0.294, 0.262, 0.61, 0.358],
    "kipnis20-small": [0.866, 0.801, 0.819, 0.809, 0.852, 0.829],
    "niven20-small": [0.795, 0.786, 0.842, 0.778, 0.83, 0.806],
    "weerasinghe20-large": [0.953, 0.88, 0.882, 0.891, 0.904, 0.902],
    "weerasinghe20-small": [0.939, 0.833, 0.817, 0.86, 0.851, 0.86],
}


@pytest.mark.corpus
@pytest.mark.parametrize("system", PAN20)
def test_the_systems_of_pan20_keep_their_scores(run, corpus, system):
    folder = corpus("pan20-verification")
    answers = folder / "answers" / f"{system}.jsonl"
    status, out, _ = run("score", "verification", folder / "truth.jsonl", answers, "-f", "json")
    result = json.loads(out)
    found = [round(result[key], 3) for key in ("auc", "c@1", "f0.5u", "f1", "brier", "overall")]
    assert (status, result["problems"]) == (0, 14311)
    assert found == PAN20[system]
