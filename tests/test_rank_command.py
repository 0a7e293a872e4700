"""`stemmata rank`: obfuscators against verifiers, run anew; nothing is computed twice."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hiding import (
    MINE,
    Broken,
    Failing,
    Learner,
    Share,
    Shouting,
    Whispering,
    looked,
    only,
    put_problems,
    seen,
)
from stemmata.authorship import verifiers
from stemmata.cli import status_of
from stemmata.experiments import ranking_folder, ranking_summary
from stemmata.formats.obfuscation import obfuscated_text, read_obfuscation
from stemmata.formats.safety import read_safety
from stemmata.masking import obfuscators
from stemmata.measures.safety import Safety
from stemmata.model import ErrorCode, Piece, StemmataError
from stemmata.reports import html

ENVIRONMENT = html._environment()


@pytest.fixture(autouse=True)
def _own(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    for registry, made in (
        (obfuscators, {"loud": lambda: Shouting(least=2), "quiet": Whispering}),
        (verifiers, {"share": Share, "half": lambda: Share(0.5), "learner": Learner}),
    ):
        only(monkeypatch, registry, made)
    # Many small rankings: templates are compiled once, and few draws will do.
    monkeypatch.setattr(html, "_environment", lambda: ENVIRONMENT)
    monkeypatch.setattr(ranking_summary, "SEEDS", 2)
    monkeypatch.setattr(ranking_summary, "RESAMPLES", 50)
    seen.clear()
    looked.clear()


@pytest.fixture
def essays(tmp_path):
    return put_problems(tmp_path / "essays")


@pytest.fixture
def run(capsys):
    def call(*arguments, jobs=1):
        status = status_of(["rank", "--jobs", str(jobs), "--judged", "0", *map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def ranking(folder="ranking"):
    return json.loads((Path(folder) / "ranking.json").read_text())


# --- The experiment ------------------------------------------------------------------------------------


def test_the_better_obfuscator_comes_first(run, essays):
    status, out, err = run(essays)
    assert (status, err) == (0, "")
    assert out.startswith("12 texts to hide in 1 corpus, perfect ")
    data = ranking()
    assert list(data["obfuscators"]) == ["loud", "quiet"]
    loud, quiet = data["obfuscators"].values()
    assert loud["share"] > 0.5 > quiet["share"]
    assert loud["confidence"][0] <= loud["share"] <= loud["confidence"][1]
    assert loud["words_kept"] < quiet["words_kept"] < 1
    assert loud["edits"]["loud"] > 0


def test_the_scores_are_laid_out_as_pan18_did(run, essays, capsys):
    run(essays)
    (one,) = read_safety("ranking")
    assert (one.corpus, len(one.problems), int(one.truth.sum())) == ("essays", 24, 12)
    assert set(one.original) == {"share", "half", "learner"}
    assert set(one.obfuscated) == {"loud", "quiet"}
    safety = Safety(one.problems, one.truth, one.original, one.obfuscated)
    assert safety.score("loud") == pytest.approx(ranking()["obfuscators"]["loud"]["score"])
    assert status_of(["score", "safety", "ranking", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["corpora"]["essays"]["positives"] == 12


def test_only_texts_by_the_same_author_are_masked_and_all_problems_are_looked_at(run, essays):
    run(essays, "--verifiers", "share", "--obfuscators", "loud")
    assert sorted(seen) == sorted(path.name for path in essays.iterdir() if path.name.endswith("Y"))
    assert looked == [("score", 24), ("score", 24)]
    (one,) = read_safety("ranking")
    before, after = one.original["share"], one.obfuscated["loud"]["share"]
    np.testing.assert_array_equal(before[~one.truth], after[~one.truth])
    assert (after[one.truth] < before[one.truth]).all()


def test_obfuscated_texts_are_written(run, essays):
    run(essays, "--verifiers", "share", "--obfuscators", "loud")
    text = obfuscated_text(read_obfuscation("ranking/texts/loud/essays/A0Y"))
    assert text.startswith("I WENT DOWN")
    assert not Path("ranking/texts/loud/essays/A0N").exists()


def test_several_corpora_are_added_up(run, essays, tmp_path):
    folder = tmp_path / "all"
    shutil.copytree(essays, folder / "one")
    shutil.copytree(essays, folder / "two")
    run(folder, "--verifiers", "share")
    data = ranking()
    assert list(data["corpora"]) == ["one", "two"]
    loud = data["obfuscators"]["loud"]
    assert loud["score"] == pytest.approx(
        sum(c["obfuscators"]["loud"]["score"] for c in data["corpora"].values())
    )
    assert loud["share"] == pytest.approx(data["corpora"]["one"]["obfuscators"]["loud"]["share"])


def test_where_it_comes_from_is_told(run, essays):
    run(essays)
    told = ranking()["provenance"]
    assert told["obfuscators"]["loud"]["settings"] == "Shouting(seed=1, least=2)"
    assert len(told["verifiers"]["share"]["program"]) == 64
    assert len(told["corpora"]["essays"]) == 64
    assert told["learning"] == "cross-validated"


# --- Learning ------------------------------------------------------------------------------------------


def test_learners_are_cross_validated_on_what_they_have_not_seen(run, essays):
    # The learner itself asserts that it was not shown what it scores.
    assert run(essays, "--verifiers", "learner", "--obfuscators", "loud")[0] == 0
    learned = [count for what, count in looked if what == "learn"]
    assert 2 <= len(learned) <= 5
    assert all(0 < count < 24 for count in learned)
    assert sum(count for what, count in looked if what == "score") == 2 * 24


def test_problems_to_learn_from_may_be_given(run, essays, tmp_path):
    lessons = tmp_path / "lessons"
    for name, known, unknown in (("L1", "a b", "a b c"), ("L2", "a b", "x y")):
        (lessons / name).mkdir(parents=True)
        (lessons / name / "known01.txt").write_text(known)
        (lessons / name / "unknown.txt").write_text(unknown)
    (lessons / "truth.txt").write_text("L1 Y\nL2 N\n")
    run(essays, "--verifiers", "learner", "--obfuscators", "loud", "--train", lessons)
    assert looked == [("learn", 2), ("score", 24), ("score", 24)]
    assert ranking()["provenance"]["learning"] == "given problems"


def test_lessons_that_share_texts_with_what_is_ranked_are_left_out(run, essays, tmp_path):
    lessons = shutil.copytree(essays, tmp_path / "lessons")
    assert run(essays, "--train", lessons)[2].startswith("stemmata: E893 too few problems")
    for number in (0, 1):
        (lessons / f"A{number}Y" / "known01.txt").write_text(f"Something else {number}.")
        (lessons / f"A{number}Y" / "unknown.txt").write_text(f"Or nothing at all {number}.")
    (lessons / "truth.txt").write_text((lessons / "truth.txt").read_text().replace("A1Y Y", "A1Y N"))
    # The same words on other lines are the same text.
    other = lessons / "A2Y" / "unknown.txt"
    other.write_text(other.read_text().replace(" ", "\n") + "\n")
    assert run(essays, "--verifiers", "learner", "--obfuscators", "loud", "--train", lessons)[0] == 0
    assert [count for what, count in looked if what == "learn"] == [2]
    assert ranking()["notes"] == [
        "22 of 24 problems to learn from left out, which share texts with ranked ones"
    ]


def test_an_adversary_without_anyone_who_learns_is_noted(run, essays):
    _, out, _ = run(essays, "--verifiers", "share", "--adversary", "trained")
    assert "no verifier here learns" in out
    assert "Trained" not in out
    assert not Path("ranking/adversary").exists()


def test_a_trained_adversary_sees_through_what_it_knows(run, essays):
    assert run(essays, "--verifiers", "share,learner", "--adversary", "trained")[0] == 0
    loud = ranking()["obfuscators"]["loud"]
    assert loud["adversary"]["share"] < loud["share"]
    assert loud["adversary"]["learners"] < 0.1 < loud["adversary"]["learners_before"]
    (one,) = read_safety("ranking/adversary/loud")
    assert set(one.obfuscated) == {"loud"}
    assert set(one.original) == {"share", "learner"}


# --- Nothing twice -------------------------------------------------------------------------------------


def test_a_second_run_computes_nothing(run, essays):
    run(essays)
    done = (len(seen), len(looked))
    first = Path("ranking/ranking.json").read_bytes()
    assert run(essays)[0] == 0
    assert (len(seen), len(looked)) == done
    assert Path("ranking/ranking.json").read_bytes() == first


def test_one_more_obfuscator_costs_only_its_own_looks(run, essays):
    run(essays, "--obfuscators", "loud", "--verifiers", "share")
    looked.clear()
    run(essays, "--obfuscators", "loud,quiet", "--verifiers", "share", "--overwrite")
    assert looked == [("score", 24)]


def test_any_number_of_processes_gives_the_same(run, essays, tmp_path, monkeypatch):
    monkeypatch.setitem(verifiers._loaded, "half", Share)
    run(essays, "-o", "one")
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "another"))
    assert run(essays, "-o", "two", jobs=2)[0] == 0
    for path in Path("one").rglob("*.txt"):
        assert path.read_bytes() == (Path("two") / path.relative_to("one")).read_bytes()


def test_all_files_of_a_ranking_are_the_same_for_any_jobs_from_run_to_run_and_wherever_they_lie(
    run, essays, tmp_path, monkeypatch
):
    for name, jobs in (("one", "1"), ("two", "2")):
        out = tmp_path / name / "ranking"
        monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / f"cache-{name}"))
        arguments = ["rank", str(essays), "-o", str(out), "--jobs", jobs, "--judged=0"]
        monkeypatch.setattr(sys, "argv", ["/usr/bin/stemmata", *arguments])
        assert status_of(arguments) == 0
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*"))
    assert Path("ranking/ranking.html") in files
    for file in files:
        if (tmp_path / "one" / file).is_file():
            assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes(), file
    page = (tmp_path / "one" / "ranking" / "ranking.html").read_text("utf-8")
    assert f"stemmata rank {essays.name} --judged=0 -o ranking" in page
    assert str(tmp_path) not in page


def test_a_killed_run_goes_on(essays):
    program = (
        "import sys, os; sys.path.insert(0, sys.argv[1])\n"
        "import hiding\nfrom pathlib import Path\nfrom stemmata.masking import obfuscators\n"
        "from stemmata.authorship import verifiers\nfrom stemmata.cli import status_of\n"
        "class Killing(hiding.Share):\n"
        "    def score(self, problems):\n"
        "        if Path('kill').exists(): os.kill(os.getpid(), 9)\n"
        "        return super().score(problems)\n"
        "obfuscators._targets, obfuscators._loaded = {}, {'loud': hiding.Shouting}\n"
        "verifiers._targets, verifiers._loaded = {}, {'share': hiding.Share, 'z': Killing}\n"
        "status = status_of(['rank', sys.argv[2], '--jobs', '1', '--judged', '0'])\n"
        "print(len(hiding.seen), len(hiding.looked)); sys.exit(status)\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent), str(essays)]
    Path("kill").touch()
    assert subprocess.run(command, check=False).returncode == -9
    assert not Path("ranking").exists()
    Path("kill").unlink()
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0
    # All texts, and the first look of the first verifier, were kept.
    assert done.stdout.split()[-2:] == ["0", "3"]


def test_what_an_earlier_ranking_left_is_cleared_away(run, essays):
    run(essays, "--verifiers", "share")
    run(essays, "--verifiers", "half", "--obfuscators", "quiet", "--overwrite")
    (one,) = read_safety("ranking")
    assert (set(one.obfuscated), set(one.original)) == ({"quiet"}, {"half"})


def test_another_ranking_leaves_nothing_of_the_first(run, essays, tmp_path, capsys):
    both = tmp_path / "both"
    for name in ("essays", "novels"):
        shutil.copytree(essays, both / name)
    run(both, "--adversary", "trained", "--write-problems")
    assert run(essays, "--verifiers", "share", "--obfuscators", "loud", "--overwrite")[0] == 0
    written = {
        *("ranking.html", "ranking.json"),
        *("essays/share.txt", "essays-obfuscationloud/share.txt", "essays-truth.txt"),
        *(f"texts/loud/essays/{author}{n}Y/obfuscation.json" for author in "AB" for n in range(6)),
    }
    assert {one.as_posix() for one in relative_files("ranking")} == {*written, "run.json"}
    assert ranking()["files"] == sorted(written)
    capsys.readouterr()
    assert status_of(["score", "safety", "ranking", "-f", "json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["corpora"]) == list(ranking()["corpora"]) == ["essays"]


def relative_files(folder):
    return [one.relative_to(folder) for one in Path(folder).rglob("*") if one.is_file()]


def test_a_run_that_is_stopped_while_it_writes_loses_nothing(run, essays, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    run(essays, "--obfuscators", "loud", "--verifiers", "share")
    before = {one: (Path("ranking") / one).read_bytes() for one in relative_files("ranking")}
    other = (essays, "--obfuscators", "quiet", "--verifiers", "half", "--overwrite")
    with monkeypatch.context() as patched:
        patched.setattr(ranking_folder, "_write_scores", stopped)
        assert run(*other)[0] == 130
    assert {one: (Path("ranking") / one).read_bytes() for one in relative_files("ranking")} == before
    assert run(*other)[0] == 0
    assert not list(Path("ranking").rglob("*loud*"))


def test_what_no_ranking_wrote_is_not_written_over(run, essays, tmp_path):
    def refused(code, *arguments):
        status, _, err = run(essays, "--verifiers", "share", *arguments)
        assert (status, err.split()[1]) == (2, code), err

    refused("E107", "-o", tmp_path)
    refused("E107", "-o", essays)
    assert (essays / "A0Y" / "unknown.txt").is_file()
    run(essays, "--verifiers", "share")
    refused("E891", "--obfuscators", "none", "--runs", "mine=ranking/texts/loud", "--overwrite")
    Path("ranking/essays/other.txt").write_text("A0Y 0.5")
    refused("E107")
    Path("ranking/essays/other.txt").unlink()
    # A record that comes from elsewhere gives no right to remove what is outside.
    Path("precious.txt").write_text("mine")
    record = json.loads(Path("ranking/run.json").read_text())
    record["files"] += ["../precious.txt", str(Path("precious.txt").resolve()), 7]
    Path("ranking/run.json").write_text(json.dumps(record))
    assert run(essays, "--verifiers", "share", "--obfuscators", "loud", "--overwrite")[0] == 0
    assert Path("precious.txt").is_file()
    Path("ranking/run.json").write_text("{}")
    refused("E107")
    Path("file").touch()
    refused("E107", "-o", "file")
    refused("E107", "-o", "file/below")


def test_no_ranking_is_written_into_a_set_of_problems_that_it_reads(run, essays, tmp_path):
    both = tmp_path / "sets"
    both.mkdir()
    for name in ("one", "two"):
        shutil.copytree(essays, both / name)
    status, _, err = run(both, "--verifiers", "share", "-o", both / "one")
    assert (status, err.split()[1]) == (2, "E107")
    assert not (both / "one" / "ranking.json").exists()


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(run, essays):
    Path("file").touch()
    seen.clear()
    assert run(essays, "--verifiers", "share", "--obfuscators", "loud", "-o", "file/below")[0] == 2
    assert seen == []


@pytest.mark.parametrize("name", ["texts", "problem-sets", "Adversary", "ranking.json", "essays-truth.txt"])
def test_a_corpus_is_not_called_as_something_else_in_the_folder(run, essays, name):
    assert run(essays.rename(essays.parent / name))[2].startswith("stemmata: E889")
    assert not Path("ranking").exists()


def test_a_corpus_called_problems_does_not_mix_with_problems_that_are_written(run, essays):
    problems = essays.rename(essays.parent / "problems")
    run(problems, "--verifiers", "share", "--obfuscators", "loud", "--write-problems")
    assert [one.name for one in Path("ranking/problems").iterdir()] == ["share.txt"]
    assert Path("ranking/problem-sets/problems-obfuscationloud/A0Y/unknown.txt").is_file()


# --- Who takes part ------------------------------------------------------------------------------------


def test_obfuscations_and_answers_may_come_as_files(run, essays):
    run(essays, "--verifiers", "share", "--obfuscators", "loud", "--write-problems", "-o", "first")
    for name in ("essays", "essays-obfuscationmade"):
        source = Path("first/problem-sets") / name.replace("made", "loud")
        assert (source / "A0Y" / "known01.txt").read_text() == (essays / "A0Y" / "known01.txt").read_text()
        Path("given").mkdir(exist_ok=True)
        shutil.copy(f"first/{name.replace('made', 'loud')}/share.txt", f"given/{name}.txt")
    nobody = ("--obfuscators", "none", "--verifiers", "none", "-o", "second")
    status, _, err = run(essays, *nobody, "--runs", "made=first/texts/loud", "--answers", "mine=given")
    assert (status, err) == (0, "")
    assert (
        ranking("second")["obfuscators"]["made"]["share"] == ranking("first")["obfuscators"]["loud"]["share"]
    )
    assert ranking("second")["provenance"]["answers"] == ["mine"]


def test_a_run_is_matched_by_text_where_its_problems_are_called_otherwise(run, essays):
    run(essays, "--verifiers", "share", "--obfuscators", "loud")
    for number, folder in enumerate(sorted(Path("ranking/texts/loud/essays").iterdir())):
        shutil.copytree(folder, Path("renamed") / f"problem-{number:03d}")
    run(essays, "--verifiers", "share", "--obfuscators", "none", "--runs", "made=renamed", "-o", "again")
    made = obfuscated_text(read_obfuscation("again/texts/made/essays/B3Y"))
    assert made == obfuscated_text(read_obfuscation("ranking/texts/loud/essays/B3Y"))


def test_a_run_with_another_text_in_the_folder_of_a_problem_is_not_taken_for_it(run, essays):
    run(essays, "--verifiers", "share", "--obfuscators", "loud")
    shutil.copytree("ranking/texts/loud", "made")
    given = (essays, "--verifiers", "share", "--obfuscators", "none", "--runs", "made=made", "-o", "again")
    right = Path("made/essays/A0Y/obfuscation.json")
    Path("made/essays/spare").mkdir()
    shutil.copy(right, "made/essays/spare")
    shutil.copy("made/essays/A1Y/obfuscation.json", right)
    assert "made: 1 problem of essays found by text" in run(*given)[1]
    found = read_obfuscation("again/texts/made/essays/A0Y")
    assert found == read_obfuscation("ranking/texts/loud/essays/A0Y")
    shutil.rmtree("made/essays/spare")
    assert run(*given)[2].startswith("stemmata: E892 made/essays/A0Y: the run made has")


def test_answers_that_are_missing_or_of_other_problems_are_counted(run, essays):
    run(essays, "--verifiers", "share", "--obfuscators", "loud")
    for name in ("essays", "essays-obfuscationloud"):
        shutil.copytree(f"ranking/{name}", f"given/{name}")
        Path(f"given/{name}/share.txt").rename(f"given/{name}/answers.txt")
    before = Path("given/essays/answers.txt")
    lines = before.read_text().splitlines(keepends=True)
    before.write_text("".join([*lines[3:], "Z1 0.5\n"]))
    given = (essays, "--verifiers", "none", "--obfuscators", "loud", "--answers", "mine=given", "-o", "again")
    assert run(*given)[0] == 0
    assert ranking("again")["notes"] == [
        "mine: 3 of 48 answers are missing",
        "mine: 1 answer to problems that are not ranked passed over",
    ]
    before.write_text("A0Y\n")
    assert run(*given)[2].startswith("stemmata: E886")


def test_who_fails_has_no_part_and_is_told_of(run, essays, monkeypatch):
    monkeypatch.setitem(verifiers._loaded, "broken", Broken)
    monkeypatch.setitem(obfuscators._loaded, "failing", Failing)
    (essays / "bad1").mkdir()
    (essays / "bad1" / "known01.txt").write_text(MINE[0])
    (essays / "bad1" / "unknown.txt").write_text(MINE[1])
    with (essays / "truth.txt").open("a") as truth:
        truth.write("bad1 Y\n")
    status, out, _ = run(essays)
    assert status == 1
    assert "E877 bad1: failing failed" in out
    assert "E823 broken failed" in out
    (one,) = read_safety("ranking")
    assert (set(one.obfuscated), set(one.original)) == ({"loud", "quiet"}, {"share", "half", "learner"})


def test_a_verifier_that_is_broken_does_not_stop_the_obfuscator_of_its_name(run, essays, monkeypatch):
    def broken():
        raise StemmataError(ErrorCode.UNREADABLE, "weights.json", reason="it is empty")

    monkeypatch.setitem(verifiers._loaded, "loud", broken)
    status, out, _ = run(essays, "--obfuscators", "loud")
    assert status == 1
    assert "weights.json" in out
    (one,) = read_safety("ranking")
    assert set(one.obfuscated) == {"loud"}


def test_an_empty_obfuscation_is_left_open(run, essays, monkeypatch):
    class Deleting:
        """Removes the text."""

        def mask(self, problem):
            text = problem.unknown.text
            return [Piece(1, text, 0, len(text), "")]

    monkeypatch.setitem(obfuscators._loaded, "deleting", Deleting)
    run(essays, "--verifiers", "share", "--obfuscators", "deleting")
    (one,) = read_safety("ranking")
    assert (one.obfuscated["deleting"]["share"][one.truth] == 0.5).all()


def test_where_nobody_can_be_fooled_shares_are_not_defined(run, essays, monkeypatch):
    class Same:
        """Says the same of all."""

        def score(self, problems):
            return [0.7] * len(problems)

    monkeypatch.setitem(verifiers._loaded, "same", Same)
    _, out, _ = run(essays, "--verifiers", "same", "--obfuscators", "loud", "-f", "csv")
    assert out.splitlines()[1].startswith("loud,0.0,,,,")
    _, out, _ = run(essays, "--verifiers", "same", "--obfuscators", "loud", "-f", "json")
    told = json.loads(out, parse_constant=pytest.fail)
    assert told["obfuscators"]["loud"]["share"] is None
    assert told["obfuscators"]["loud"]["confidence"] == [None, None]
    assert told["notes"][0].startswith("no verifier could be fooled")
    assert "No verifier could be fooled" in Path("ranking/ranking.html").read_text()


# --- Bad input -----------------------------------------------------------------------------------------


def test_names_that_are_not_there(run, essays):
    assert run(essays, "--verifiers", "shore")[2].startswith(
        "stemmata: E501 there is no verifier called 'shore'; did"
    )
    assert run(essays, "--obfuscators", "laud")[2].startswith(
        "stemmata: E501 there is no obfuscator called 'laud'"
    )
    assert run(essays, "--obfuscators", "none")[2].startswith("stemmata: E887 there is no obfuscator")
    assert run(essays, "--verifiers", "none")[2].startswith("stemmata: E887 there is no verifier")
    assert not Path("ranking").exists()


def test_problems_that_cannot_be_ranked(run, essays, tmp_path):
    truth = essays / "truth.txt"
    truth.write_text(truth.read_text().replace(" Y", " N"))
    assert run(essays)[2].startswith("stemmata: E881")
    truth.unlink()
    assert run(essays)[2].startswith("stemmata: E880")
    assert run(tmp_path / "absent")[2].startswith("stemmata: E101")
    (tmp_path / "none").mkdir()
    assert run(tmp_path / "none")[2].startswith("stemmata: E880")
    (tmp_path / "essays-obfuscationX").mkdir()
    shutil.copytree(tmp_path / "essays" / "A0Y", tmp_path / "essays-obfuscationX" / "A0Y")
    (tmp_path / "essays-obfuscationX" / "truth.txt").write_text("A0Y Y\n")
    assert run(tmp_path / "essays-obfuscationX")[2].startswith("stemmata: E884")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (["--runs", "made"], "E882"),
        (["--runs", "a/b=."], "E884"),
        (["--runs", "loud=."], "E883"),
        (["--runs", "made=absent"], "E101"),
        (["--runs", "made=."], "E885"),
        (["--answers", "mine=."], "E886"),
        (["--answers", "share=."], "E883"),
    ],
)
def test_files_that_are_not_there_or_have_bad_names(run, essays, given, code):
    status, _, err = run(essays, *given)
    assert (status, err.split()[1]) == (2, code)


def test_problems_without_text_or_truth_are_left_out_and_noted(run, essays):
    (essays / "A0Y" / "unknown.txt").write_text(" ")
    shutil.copytree(essays / "A1Y", essays / "untold")
    run(essays, "--verifiers", "share", "--obfuscators", "loud")
    assert ranking()["corpora"]["essays"]["problems"] == 23
    assert ranking()["notes"] == ["essays: 2 problems left out, without text or truth"]


def test_a_set_too_small_to_learn_from_leaves_its_problems_open(run, essays):
    for path in essays.iterdir():
        if path.is_dir() and path.name not in ("A0Y", "B0Y"):
            shutil.rmtree(path)
    (essays / "truth.txt").write_text("A0Y Y\nB0Y N\n")
    assert run(essays, "--verifiers", "share,learner", "--obfuscators", "loud")[0] == 0
    (one,) = read_safety("ranking")
    assert set(one.original["learner"]) == {0.5}


def test_an_obfuscator_whose_packages_are_missing_names_all_of_them_and_the_one_extra(
    run, essays, monkeypatch
):
    monkeypatch.setattr("stemmata.masking.find_spec", lambda _: None)
    line = run(essays, "--obfuscators", "castro-2017")[2]
    assert line.startswith(
        "stemmata: E502 the obfuscator 'castro-2017' needs a package that is not installed"
    )
    assert "HanTa, lemminflect" in line
    assert "stemmata[masking]" in line
    monkeypatch.setattr("stemmata.masking._PACKAGES", dict.fromkeys(obfuscators, ("HanTa",)))
    everyone = run(essays, "--obfuscators", "all")[2]
    assert everyone.startswith("stemmata: E887 there is no obfuscator to take part: E502 the obfuscator")


def test_why_nobody_could_hide_anything_is_told(run, essays, monkeypatch):
    monkeypatch.setitem(obfuscators._loaded, "fails", Fails)
    line = run(essays, "--obfuscators", "fails")[2]
    assert line.startswith("stemmata: E899 no obfuscator came to an end: E877")
    assert "HanTa is not here" in line


class Fails:
    """Fails."""

    def mask(self, problem):
        raise RuntimeError("HanTa is not here")
