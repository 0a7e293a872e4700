"""`stemmata verify`: verifiers on problems, whatever is in them; nothing is computed twice."""

import json
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from stemmata.authorship import verifiers
from stemmata.cli import status_of
from stemmata.experiments.problem_sets import ProblemSet, TrainingSet
from stemmata.experiments.programs import digest_of, settings_of
from stemmata.experiments.verifying import PACKAGES, Chosen, choose, verify
from stemmata.formats.verification import read_answers
from stemmata.model import ErrorCode, StemmataError

REPOSITORY = Path(__file__).parents[1]
EXAMPLE = REPOSITORY / "examples" / "verify"
MINE = "I went down to the quay and I looked, and there was smoke, and that was all. "
YOURS = "It is, however, most regrettable how frequently committees delay. "
REAL = "jankowska13,kocher15,vandam13"

calls = []
"""What the verifiers of these tests were asked, in this process."""


@dataclass(frozen=True)
class Share:
    """Says how many words of the unknown text are among the known ones."""

    power: float = 1.0

    def score(self, problems):
        calls.append(("score", len(problems)))
        return [self.one(problem) ** self.power for problem in problems]

    def one(self, problem):
        known = {word for text in problem.known for word in text.text.split()}
        words = problem.unknown.text.split()
        return sum(word in known for word in words) / max(1, len(words))


@dataclass(frozen=True)
class Threshold(Share):
    """Learns the mean share of the problems of the same author."""

    middle: float | None = None

    def learn(self, problems, truth):
        calls.append(("learn", len(problems)))
        shares = [self.one(problem) for problem, same in zip(problems, truth, strict=True) if same]
        return replace(self, middle=sum(shares) / len(shares))

    def learned(self):
        if self.middle is None:
            raise StemmataError(ErrorCode.NOTHING_LEARNED, verifier="threshold")
        return {"middle": self.middle}

    def recall(self, learned):
        return replace(self, middle=float(learned["middle"]))

    def score(self, problems):
        calls.append(("score", len(problems)))
        return [float(self.one(problem) >= self.middle) for problem in problems]


class Broken:
    """Fails."""

    def score(self, problems):
        raise RuntimeError("no such\nluck")


class Odd:
    """Gives what it is made for, whatever the problem."""

    def __init__(self, scores):
        self.scores = scores

    def __repr__(self):
        return f"Odd({self.scores})"

    def score(self, problems):
        return self.scores(problems) if callable(self.scores) else [self.scores] * len(problems)


@pytest.fixture(autouse=True)
def _own(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr(verifiers, "_targets", dict(verifiers._targets))
    monkeypatch.setattr(verifiers, "_loaded", dict(verifiers._loaded))
    calls.clear()


@pytest.fixture
def only(monkeypatch):
    """Let there be these verifiers alone."""

    def put(**made):
        monkeypatch.setattr(verifiers, "_targets", {})
        monkeypatch.setattr(verifiers, "_loaded", made)

    return put


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = status_of(["verify", "--jobs", "1", *map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def problem(tmp_path):
    """Write a problem; None leaves a file away."""

    def put(name, known=(MINE,), unknown=MINE, folder="problems"):
        place = tmp_path / folder / name
        place.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(known, 1):
            (place / f"known{number:02d}.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
        if unknown is not None:
            (place / "unknown.txt").write_bytes(unknown if isinstance(unknown, bytes) else unknown.encode())
        return tmp_path / folder

    return put


@pytest.fixture
def two(problem):
    """A problem of one author, and one of two."""
    problem("EN001", [MINE, MINE + YOURS])
    return problem("EN002", [MINE], YOURS)


@pytest.fixture
def lessons(problem):
    problem("L1", [MINE + "a"], MINE, "lessons")
    folder = problem("L2", [MINE + "b"], YOURS, "lessons")
    (folder / "truth.txt").write_text("L1 Y\nL2 N\n")
    return folder


def answers(name, folder="answers"):
    return read_answers(Path(folder) / name)


# --- Answers -------------------------------------------------------------------------------------------


def test_each_verifier_has_a_folder_with_answers(run, two, only):
    only(share=Share, half=lambda: Share(0.5))
    status, out, err = run(two, "--with", "share,half")
    assert (status, err) == (0, "")
    assert out.startswith("2 problems answered by 2 verifiers\n")
    assert answers("share") == {"EN001": 1.0, "EN002": 0.0}
    assert (Path("answers") / "half" / "answers.txt").read_text() == "EN001 1.0\nEN002 0.0\n"
    assert not list(Path("answers").rglob("*.jsonl"))


def test_all_is_every_verifier(run, two, only):
    only(share=Share, other=Share)
    assert run(two, "--with", "all")[0] == 0
    assert sorted(path.name for path in Path("answers").iterdir() if path.is_dir()) == ["other", "share"]


def test_the_truth_beside_the_problems_gives_scores(run, two, only):
    only(share=Share)
    (two / "truth.txt").write_text("EN001 Y\nEN002 N\n")
    data = json.loads(run(two, "--format", "json")[1])
    told = {key: data["verifiers"]["share"][key] for key in ("same", "other", "open", "auc", "c@1")}
    assert told == {"same": 1, "other": 1, "open": 0, "auc": 1.0, "c@1": 1.0}


def test_lines_of_json_are_answered_as_text_and_as_lines(run, only, tmp_path):
    only(share=Share)
    rows = [{"id": "a-1", "pair": [MINE, MINE]}, {"id": "a-2", "pair": [MINE, ""]}]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(tmp_path / "pairs.jsonl")[0] == 0
    assert read_answers("answers/share/answers.txt") == {"a-1": 1.0, "a-2": 0.5}
    assert read_answers("answers/share/answers.jsonl") == {"a-1": 1.0, "a-2": 0.5}


def test_ids_with_blanks_are_answered_as_lines_alone(run, only, tmp_path):
    only(share=Share)
    (tmp_path / "pairs.jsonl").write_text(json.dumps({"id": "a 1", "pair": [MINE, MINE]}) + "\n")
    status, out, _ = run(tmp_path / "pairs.jsonl")
    assert status == 0
    assert "in answers.jsonl alone" in out
    assert answers("share") == {"a 1": 1.0}


def test_alone_shows_one_problem_at_a_time(run, two, only):
    only(share=Share)
    run(two, "--alone")
    assert calls == [("score", 1), ("score", 1)]
    run(two, "--overwrite")
    assert calls[2:] == [("score", 2)]


# --- Nothing is computed twice -------------------------------------------------------------------------


def test_a_second_run_computes_nothing(run, two, lessons, only):
    only(share=Share, threshold=Threshold)
    first = run(two, "--train", lessons, "-o", "first")
    assert calls == [("score", 2), ("learn", 2), ("score", 2)]
    second = run(two, "--train", lessons, "-o", "second")
    assert len(calls) == 3
    assert second[1] == first[1].replace("first", "second")
    for name in ("share/answers.txt", "threshold/answers.txt", "threshold/model.json"):
        assert Path("first", name).read_bytes() == Path("second", name).read_bytes()


def test_another_text_parameter_or_truth_is_computed(run, two, lessons, problem, only):
    only(share=Share, threshold=Threshold)
    run(two, "--train", lessons)
    only(share=lambda: Share(2.0), threshold=Threshold)
    run(two, "--train", lessons)
    assert calls[3:] == [("score", 2)]
    (lessons / "truth.txt").write_text("L1 N\nL2 Y\n")
    run(two, "--train", lessons, "--with", "threshold", "--overwrite")
    assert calls[4:] == [("learn", 2), ("score", 2)]
    problem("EN002", [MINE], YOURS + "!")
    run(two, "--with", "share", "--overwrite")
    assert calls[6:] == [("score", 2)]


def test_what_was_learned_serves_other_problems(run, two, lessons, problem, only):
    only(threshold=Threshold)
    run(two, "--train", lessons)
    run(problem("X", [YOURS], folder="more"), "--train", lessons, "-o", "others")
    assert calls == [("learn", 2), ("score", 2), ("score", 1)]


def test_a_failure_is_not_kept(run, two, only):
    only(share=Broken)
    assert run(two)[0] == 1
    only(share=Share)
    assert run(two)[0] == 0


def test_settings_are_the_same_in_every_process():
    assert settings_of(Odd(len)) == "Odd(<built-in function len>)"
    assert settings_of(Odd(answers)) == "Odd(<function answers>)"
    assert len(digest_of(PACKAGES)) == 64


def test_another_model_is_another_program(tmp_path, monkeypatch):
    model = tmp_path / "model.gguf"
    found = []
    for text in ("one", "other one"):
        model.write_text(text)
        monkeypatch.setenv("STEMMATA_LANGUAGE_MODEL", str(model))
        digest_of.cache_clear()
        found.append(digest_of(PACKAGES))
    monkeypatch.delenv("STEMMATA_LANGUAGE_MODEL")
    digest_of.cache_clear()
    assert len({digest_of(PACKAGES), *found}) == 3


def test_any_number_of_processes_gives_the_same(run, capsys):
    assert run(EXAMPLE / "problems", "--with", REAL, "-o", "one")[0] == 0
    shutil.rmtree(Path("..") / "cache")
    assert status_of(["verify", str(EXAMPLE / "problems"), "--with", REAL, "-o", "two", "--jobs", "2"]) == 0
    assert {p.relative_to("one"): p.read_bytes() for p in Path("one").rglob("*.txt")} == {
        p.relative_to("two"): p.read_bytes() for p in Path("two").rglob("*.txt")
    }


# --- Learning ------------------------------------------------------------------------------------------


def test_without_training_problems_a_learner_is_skipped_among_all_and_refused_by_name(run, two, only):
    only(share=Share, threshold=Threshold)
    status, out, _ = run(two)
    assert status == 0
    assert "skipped: threshold: E821 must learn" in out
    status, _, err = run(two, "--with", "share,threshold")
    assert status == 2
    assert err.startswith("stemmata: E821 threshold must learn")


def test_what_was_learned_is_saved_and_can_be_given_again(run, two, lessons, only):
    only(threshold=Threshold)
    run(two, "--train", lessons)
    assert json.loads(Path("answers/threshold/model.json").read_text())["learned"] == {"middle": 1.0}
    assert run(two, "--model", "answers", "-o", "again")[0] == 0
    assert answers("threshold", "again") == answers("threshold")
    assert calls.count(("learn", 2)) == 1


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("{", "E600"),
        ("[]", "E826"),
        ('{"verifier": "other", "settings": "", "learned": {}}', "E826"),
        ('{"verifier": "threshold", "settings": "other", "learned": {}}', "E826"),
    ],
)
def test_a_file_that_is_no_model_is_refused(run, two, only, content, code):
    only(threshold=Threshold)
    Path("answers/threshold").mkdir(parents=True)
    Path("answers/threshold/model.json").write_text(content)
    status, _, err = run(two, "--model", "answers")
    assert status == 2
    assert err.startswith(f"stemmata: {code} ")


def test_a_model_without_what_its_verifier_needs_is_a_failure_of_the_verifier(run, two, only):
    only(threshold=Threshold)
    Path("answers/threshold").mkdir(parents=True)
    record = {"verifier": "threshold", "settings": settings_of(Threshold()), "learned": {"other": 1}}
    Path("answers/threshold/model.json").write_text(json.dumps(record))
    status, out, _ = run(two, "--model", "answers", "-o", "new")
    assert status == 1
    assert "E826 not what threshold has learned: KeyError" in out


def test_several_folders_to_learn_from_are_taken_together(lessons, problem):
    problem("L1", [YOURS], YOURS, "more")
    more = problem("L3", [YOURS], None, "more")
    (more / "truth.txt").write_text("L1 Y\nL3 N\n")
    training = TrainingSet.read([lessons, more])
    assert [one.id for one in training.problems] == ["L1", "L2", "1/L1"]
    assert training.truth == (True, False, True)
    assert "left out" in training.notes[0]


def test_a_training_set_of_one_class_is_refused(run, two, lessons, only):
    only(threshold=Threshold)
    (lessons / "truth.txt").write_text("L1 Y\nL2 Y\n")
    status, _, err = run(two, "--train", lessons)
    assert status == 2
    assert err.startswith("stemmata: E820 ")


def test_a_training_set_without_truth_is_refused(run, two, lessons, only):
    only(threshold=Threshold)
    (lessons / "truth.txt").unlink()
    status, _, err = run(two, "--train", lessons)
    assert status == 2
    assert err.startswith("stemmata: E825 ")


def test_problems_that_were_learned_from_are_told_of(run, two, lessons, only, problem):
    only(threshold=Threshold)
    assert "2 of the problems have a text that was learned from" in run(lessons, "--train", lessons)[1]


# --- Verifiers that fail -------------------------------------------------------------------------------


def test_one_that_fails_does_not_stop_the_rest(run, two, only):
    only(broken=Broken, share=Share)
    status, out, _ = run(two)
    assert status == 1
    assert "E823 broken failed: RuntimeError: no such luck" in out
    assert answers("share") == {"EN001": 1.0, "EN002": 0.0}
    assert not Path("answers/broken").exists()


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (1.5, "the score 1.5 lies outside"),
        (float("inf"), "inf lies outside"),
        (lambda _: [0.5], "1 scores for 2"),
    ],
)
def test_what_cannot_be_answers_is_a_failure(run, two, only, scores, reason):
    only(odd=lambda: Odd(scores))
    status, out, _ = run(two)
    assert status == 1
    assert "E822 odd does not answer as a verifier does" in out
    assert reason in out


def test_a_score_that_is_no_number_counts_as_no_answer(run, two, only):
    only(odd=lambda: Odd(float("nan")))
    status, out, _ = run(two)
    assert status == 0
    assert "odd: 2 scores that are no numbers count as 0.5" in out
    assert answers("odd") == {"EN001": 0.5, "EN002": 0.5}


def test_a_verifier_that_cannot_be_loaded_is_a_failure_among_all(run, two, only):
    only(share=Share)
    verifiers.add("gone", "stemmata.no_such_module:Thing")
    status, out, _ = run(two)
    assert status == 1
    assert "E503" in out
    assert answers("share")


def test_an_unknown_name_is_refused_with_the_nearest(run, two):
    status, out, err = run(two, "--with", "kocher51")
    assert (status, out) == (2, "")
    assert err.startswith("stemmata: E501 ")
    assert "did you mean 'kocher15'?" in err


# --- Bad input -----------------------------------------------------------------------------------------


def test_a_problem_without_known_or_unknown_texts_is_answered_by_one_half(run, two, problem, only):
    only(share=Share)
    problem("EN003", [])
    problem("EN004", [MINE], None)
    status, out, _ = run(two)
    assert status == 0
    assert calls == [("score", 2)]
    assert answers("share") == {"EN001": 1.0, "EN002": 0.0, "EN003": 0.5, "EN004": 0.5}
    assert "EN003 is answered by 0.5: E602" in out
    assert "EN004 is answered by 0.5: E603" in out


def test_empty_texts_are_answered_by_one_half(run, two, problem, only):
    only(share=Share)
    problem("EN003", [MINE], " \n")
    problem("EN004", ["", "\t"])
    problem("EN005", ["", MINE])
    status, out, _ = run(two)
    assert status == 0
    assert [answers("share")[f"EN00{n}"] for n in (3, 4, 5)] == [0.5, 0.5, 1.0]
    assert "EN003 is answered by 0.5: the unknown text is empty" in out
    assert "EN004 is answered by 0.5: the known texts are empty" in out
    assert "EN005: 1 empty known text left out" in out


@pytest.mark.parametrize("content", [b"\x00\x01\x02 text", b"\xff\xfe\x00a"])
def test_a_binary_file_is_answered_by_one_half_and_told_of(run, two, problem, only, content):
    only(share=Share)
    problem("EN003", [MINE], content)
    status, out, _ = run(two)
    assert status == 1
    assert answers("share")["EN003"] == 0.5
    assert re.search(r"EN003 is answered by 0.5: E(824|105) ", out)


def test_folders_that_are_no_problems_are_passed_over(run, two, only):
    only(share=Share)
    (two / "notes").mkdir()
    assert "holds no problem and was passed over" in run(two)[1]
    assert "notes" not in answers("share")


def test_no_problem_at_all_is_refused(run, tmp_path):
    (tmp_path / "empty" / "sub").mkdir(parents=True)
    for place in (tmp_path / "empty", tmp_path / "empty" / "sub"):
        status, _, err = run(place, "--with", REAL)
        assert status == 2
        assert err.startswith("stemmata: E601 ")
    assert run(tmp_path / "nowhere", "--with", REAL)[2].startswith("stemmata: E101 ")


def test_lines_that_are_no_problems_are_refused_with_their_place(run, only, tmp_path):
    only(share=Share)
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps({"id": "1", "pair": [MINE, MINE]}) + '\n{"id": 2}\n')
    status, _, err = run(path)
    assert status == 2
    assert "E604" in err
    assert "line 2" in err


def test_texts_of_one_word_are_answered(run, problem):
    problem("EN001", ["Yes"], "No")
    problem("EN002", ["!"], "?")
    folder = problem("EN003", ["a"], "a")
    assert run(folder, "--with", REAL)[0] == 0
    for name in REAL.split(","):
        assert all(0 <= score <= 1 for score in answers(name).values())


def test_long_texts_are_cut_and_told_of(run, problem, only):
    only(share=Share)
    five = "word and more " * 360_000
    folder = problem("EN001", [five], five)
    status, out, _ = run(folder)
    assert status == 0
    assert "cut at 1,000,000 characters: EN001/known01.txt, EN001/unknown.txt" in out
    assert len(ProblemSet.read(folder, 500).problems[0].unknown.text) == 500


def test_a_set_of_nothing_but_empty_problems_asks_nobody(run, problem, only):
    only(share=Share)
    assert run(problem("EN001", [MINE], ""))[0] == 0
    assert calls == []
    assert answers("share") == {"EN001": 0.5}


def test_answers_need_a_folder(run, two, only):
    only(share=Share)
    Path("taken").write_text("")
    status, _, err = run(two, "-o", "taken")
    assert status == 2
    assert err.startswith("stemmata: E107 ")


# --- The rest ------------------------------------------------------------------------------------------


def test_progress_counts_verifiers(two, tmp_path):
    done = []
    chosen = Chosen({"share": Share(), "half": Share(0.5)})
    for _ in range(2):
        verify(ProblemSet.read(two), chosen, advance=done.append)
    assert done == [1, 1, 1, 1]


def test_verifiers_are_listed_with_their_origin(capsys):
    assert status_of(["list", "verifiers", "--format", "json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    row = rows["vandam13"]
    assert (row["year"], row["authors"], row["certainty"]) == (2013, "van Dam", "program")
    assert row["meaning"]


def test_the_example_of_the_documentation_prints_what_is_shown_there(run):
    page = (REPOSITORY / "docs" / "verify.md").read_text("utf-8")
    command, shown = re.search(r"\n\$ stemmata verify (.*)\n((?:.*\n)*?)```", page).groups()
    arguments = [REPOSITORY / one if one.startswith("examples/") else one for one in command.split()]
    assert run(*arguments)[:2] == (0, shown)


def test_the_help_shows_an_example(capsys):
    assert status_of(["verify", "--help"]) == 0
    assert "Example: stemmata verify" in capsys.readouterr().out


def test_our_verifier_answers_our_own_examples(run):
    status, out, _ = run(EXAMPLE / "problems", "--with", "stemmata", "--format", "json")
    made = json.loads(out)["verifiers"]["stemmata"]
    assert (status, made["open"], made["c@1"], made["auc"]) == (0, 0, 1.0, 1.0)


def test_why_our_verifier_leaves_a_small_batch_open_is_told_in_a_note_and_on_the_page(run, two):
    status, out, _ = run(two, "--with", "stemmata", "--report", "page.html", "--format", "json")
    reason = "stemmata: problems left open because the batch has fewer than 3 texts by others"
    [note] = [note for note in json.loads(out)["notes"] if note.startswith(reason)]
    assert status == 0
    assert note.split(": ")[2].startswith("2 of 2 (give more problems")
    assert reason in Path("page.html").read_text()


def test_a_problem_shown_by_itself_is_left_open_with_the_same_reason(run):
    _, out, _ = run(EXAMPLE / "problems", "--with", "stemmata", "--alone", "--format", "json")
    assert any("fewer than 3 texts by others" in note for note in json.loads(out)["notes"])


def test_our_verifier_that_judges_alone_is_skipped_among_all_until_it_has_learned():
    chosen = choose(["all"], learning=False)
    assert "stemmata-alone" in chosen.skipped
    assert "stemmata-alone" not in chosen.broken
    assert "stemmata-alone" in choose(["all"], learning=True).verifiers


@pytest.mark.parametrize("name", ["{x", "a b"])
def test_ids_that_answers_cannot_hold_are_refused_before_the_work(tmp_path, capsys, monkeypatch, name):
    folder = tmp_path / "problems" / name
    folder.mkdir(parents=True)
    for file in ("known01.txt", "unknown.txt"):
        (folder / file).write_text("Some words by somebody, in a text of its own. " * 20)
    monkeypatch.setattr("stemmata.experiments.verifying.verify", None)
    out = tmp_path / "answers"
    assert status_of(["verify", str(tmp_path / "problems"), "--with", "vandam13", "-o", str(out)]) == 2
    assert "E621" in capsys.readouterr().err
    assert not out.exists()
