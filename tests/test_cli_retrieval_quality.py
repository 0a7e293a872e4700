"""`stemmata score retrieval` and `stemmata score quality` as a user runs them, with good and bad input."""

import csv
import io
import json

import pytest

from stemmata.cli import status_of

HEAD = "item,system,assessor,sensibleness,soundness\n"
JUDGEMENTS = HEAD + (
    "6,kocher,x,1-2,passable\n"
    "6,kocher,y,1,correct\n"
    "135,kocher,x,2,passable\n"
    "135,kocher,y,2-3,\n"
    "6,keswani,x,5,incorrect\n"
    "6,keswani,y,5,\n"
)


@pytest.fixture
def stemmata(capsys, monkeypatch, tmp_path):
    """Run a command in the test's own folder; return status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        status = status_of([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return call


@pytest.fixture
def scored(stemmata):
    """Run a command that must succeed; return what its JSON says."""

    def call(*arguments):
        status, out, err = stemmata(*arguments, "--format", "json")
        assert (status, err) == (0, "")
        return json.loads(out)

    return call


@pytest.fixture
def refused(stemmata):
    """Run a command that must be refused; return its one line."""

    def call(*arguments):
        status, out, err = stemmata(*arguments)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
        assert "Traceback" not in err
        return err.removeprefix("stemmata: ")

    return call


@pytest.fixture
def corpus(write):
    """Write two documents with three sources; the run finds two, one behind the document itself."""

    def put(folder, key, lists):
        for name, ids in lists.items():
            said = {"suspicious-document": f"{name}.txt", key: [{"id": one} for one in ids]}
            write(f"{folder}/{name}.json", json.dumps(said))

    put("truth", "plagiarism", {"1": ["10", "11"], "2": ["20"]})
    put("run", "detected-plagiarism", {"1": ["1", "10", "99"], "2": ["20"]})
    return put


# --- score retrieval


def test_json_has_the_agreed_keys_and_the_script_s_numbers(corpus, scored):
    got = scored("score", "retrieval", "truth", "run")
    assert list(got) == [
        *("signature", "map", "precision", "recall", "f1", "f2", "r_precision", "micro"),
        *("documents", "without_sources", "unanswered", "ignored"),
    ]
    precision, recall = (2 / 3 + 1) / 2, (1 / 2 + 1) / 2
    assert got["map"] == pytest.approx((1 / 2 + 1) / 2)
    assert (got["precision"], got["recall"]) == (pytest.approx(precision), pytest.approx(recall))
    assert got["f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert got["f2"] == pytest.approx(5 * precision * recall / (4 * precision + recall))
    assert got["r_precision"] == 1.0
    assert got["micro"] == pytest.approx({"precision": 3 / 4, "recall": 2 / 3, "f1": 12 / 17, "f2": 15 / 22})
    assert got["signature"].endswith("|task:retrieval|map:script|duplicates:self|confidence:none")


def test_the_paper_divides_by_the_sources_found(corpus, scored):
    assert scored("score", "retrieval", "truth", "run", "--map", "paper")["map"] == 1.0


def test_the_same_corpus_as_trec_files_scores_the_same(corpus, write, scored):
    write("qrels", "1 0 10 1\n1 0 11 1\n2 0 20 1\n")
    write("trec-run", "1 Q0 1 1 9.0 me\n1 Q0 10 2 8.5 me\n1 Q0 99 3 1 me\n2 Q0 20 1 3 me\n")
    arguments = ("score", "retrieval")
    assert scored(*arguments, "qrels", "trec-run") == scored(*arguments, "truth", "run")


def test_what_is_left_out_is_said_below_the_table(corpus, stemmata):
    corpus("truth", "plagiarism", {"3": ["30"], "clean": []})
    corpus("run", "detected-plagiarism", {"elsewhere": ["10"]})
    status, out, _ = stemmata("score", "retrieval", "truth", "run")
    assert status == 0
    assert out.isascii()
    lines = out.splitlines()
    assert lines[0] == "4 documents"
    assert lines[4:7] == [
        "documents without sources, left out of MAP, recall and R-precision: 1",
        "documents without an answer, counted as 0: 1",
        "documents of the run that the truth does not know, ignored: 1",
    ]
    assert lines[7].startswith("stemmata:")


def test_intervals_hold_the_value_and_repeat_with_the_seed(corpus, scored):
    arguments = ("score", "retrieval", "truth", "run", "--confidence", "0.9", "--seed", "5")
    once = scored(*arguments)
    low, high = once["confidence"]["micro"]["precision"]
    assert low <= once["micro"]["precision"] <= high
    assert once == scored(*arguments)
    assert "confidence:0.9/bootstrap-1000/seed-5" in once["signature"]


def test_a_table_with_intervals_and_other_forms_of_it(corpus, stemmata):
    _, out, _ = stemmata("score", "retrieval", "truth", "run", "--confidence", "0.95")
    assert "0.7500 [0.5000, 1.0000]" in out
    rows = list(csv.reader(io.StringIO(stemmata("score", "retrieval", "truth", "run", "-f", "csv")[1])))
    assert rows[0] == ["average", "map", "precision", "recall", "f1", "f2", "r_precision"]
    assert rows[2][1] == ""  # there is no micro-averaged MAP
    assert r"\toprule" in stemmata("score", "retrieval", "truth", "run", "-f", "latex")[1]


def test_a_log_adds_what_it_cost_to_find_the_sources(corpus, write, scored, stemmata):
    write("logs/1.log", "10 some words\n12 http://example.org/99\n13 other words\n14 http://example.org/10\n")
    write("logs/2.log", "20 more words\n")
    corpus("truth", "plagiarism", {"1": ["http://example.org/10"]})
    arguments = ("score", "retrieval", "truth", "run", "--log", "logs")
    assert scored(*arguments)["workload"] == {
        "queries": 1.5,
        "downloads": 1.0,
        "queries_to_first": 2.0,
        "downloads_to_first": 2.0,
        "no_detection": 1.0,
    }
    assert "Workload" in stemmata(*arguments)[1]
    empty = write("logs/1.log", "")
    assert (
        scored("score", "retrieval", "truth", "run", "--log", empty)["workload"]["queries_to_first"] is None
    )
    assert stemmata(*arguments, "--confidence", "0.9")[0] == 0


@pytest.mark.parametrize(
    ("lists", "code"),
    [
        ({"1": ["10", "10"]}, "E617"),
        ({"9": ["10"]}, "E401"),
    ],
)
def test_a_wrong_run_is_refused(corpus, refused, lists, code):
    corpus("wrong", "detected-plagiarism", lists)
    assert refused("score", "retrieval", "truth", "wrong").startswith(f"{code} ")


@pytest.mark.parametrize(
    ("content", "code"), [("{", "E600"), (b'{"suspicious-document": "\xff"}', "E105"), ("[]", "E616")]
)
def test_a_broken_file_is_refused_with_its_place(corpus, write, refused, content, code):
    write("run/1.json", content)
    assert refused("score", "retrieval", "truth", "run").startswith(f"{code} run/1.json")


def test_a_truth_without_any_source_is_refused(corpus, refused):
    corpus("clean", "plagiarism", {"1": []})
    assert refused("score", "retrieval", "clean", "run").startswith("E650 ")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--map", "trec"), "E405"),
        (("--log", "nowhere"), "E101"),
        (("--confidence", "1"), "E405"),
        (("--confidence", "0.9", "--resamples", "0"), "E001"),
        (("--format", "xml"), "E001"),
    ],
)
def test_a_wrong_option_is_refused(corpus, refused, options, code):
    assert refused("score", "retrieval", "truth", "run", *options).startswith(f"{code} ")


def test_a_missing_run_is_refused(corpus, refused):
    assert refused("score", "retrieval", "truth", "nowhere").startswith("E101 nowhere")


# --- score quality


def test_json_has_each_system_with_its_grades_and_agreement(write, scored):
    write("people/one.csv", JUDGEMENTS)
    got = scored("score", "quality", "people")
    assert list(got) == ["signature", "sensibleness", "soundness"]
    assert list(got["sensibleness"]["systems"]) == ["kocher", "keswani"]
    kocher = got["sensibleness"]["systems"]["kocher"]
    assert (kocher["mean"], kocher["median"]) == (1.75, 1.75)
    assert {name: number for name, number in kocher["counts"].items() if number} == {
        **{"1": 1, "1-2": 1},
        **{"2": 1, "2-3": 1},
    }
    assert (kocher["judgements"], kocher["items"], kocher["assessors"]) == (4, 2, 2)
    assert got["sensibleness"]["systems"]["keswani"]["alpha"] is None
    assert 0 < got["sensibleness"]["pooled"]["alpha"] < 1
    assert got["soundness"]["systems"]["keswani"]["counts"] == {"incorrect": 1, "passable": 0, "correct": 0}


def test_the_same_judgements_as_jsonl_say_the_same(write, scored):
    rows = list(csv.DictReader(io.StringIO(JUDGEMENTS)))
    write("one.csv", "\ufeff" + JUDGEMENTS.replace("\n", "\r\n") + ",,,,\n\n")
    write("one.jsonl", "\n".join(json.dumps({k: v or None for k, v in row.items()}) for row in rows))
    assert scored("score", "quality", "one.csv") == scored("score", "quality", "one.jsonl")


def test_the_two_kinds_of_grades_may_stand_in_files_of_their_own(write, scored):
    rows = list(csv.DictReader(io.StringIO(JUDGEMENTS)))
    for kind in ("sensibleness", "soundness"):
        lines = [f"{row['item']},{row['system']},{row['assessor']},{row[kind]},well" for row in rows]
        write(f"apart/{kind}.csv", "\n".join([f"Item, System ,assessor,{kind},remark", *lines]))
    write("apart/.hidden.csv", "nothing")
    write("together/all.csv", JUDGEMENTS)
    assert scored("score", "quality", "apart") == scored("score", "quality", "together")


def test_pan16_s_scales_are_chosen_by_name_or_by_layout(write, scored):
    write("numbers.csv", HEAD + "1,a,x,0,4.5\n1,a,y,1,\n")
    label = {"problem": "problem-001", "obfuscation-id": 3, "submission": "participantA"}
    write("old/sensibleness/sensibleness_team_a.json", json.dumps([{**label, "sensibleness": {"A": "0"}}]))
    write("old/sensibleness/sensibleness_team_a_dan.json", json.dumps([{**label, "2_sensibleness": "2"}]))
    write("old/soundness/HHU.pairsA.txt", "4.5\n3\n")
    named = scored("score", "quality", "numbers.csv", "--scale", "pan16")
    assert named["sensibleness"]["systems"]["a"]["counts"] == {"0": 1, "1": 1, "2": 0}
    old = scored("score", "quality", "old")
    assert old["sensibleness"]["systems"]["A"]["judgements"] == 1
    assert old["soundness"]["systems"]["A"]["mean"] == 3.75
    assert "scale:pan16" in named["signature"]
    assert "scale:pan16" in old["signature"]


def test_a_table_per_kind_of_grade_ends_with_the_signature(write, stemmata):
    write("one.csv", JUDGEMENTS)
    status, out, _ = stemmata("score", "quality", "one.csv", "--confidence", "0.9", "--metric", "interval")
    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "Sensibleness: school grades, 1 (excellent) to 5 (fail)"
    assert lines[2].split()[0] == "kocher"
    assert "Soundness: incorrect (0), passable (1), correct (2)" in lines
    assert lines[-1].endswith("scale:pan18|metric:interval|confidence:0.9/bootstrap-1000/seed-1")


ROW = "6,kocher,x,2,passable\n"


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ("", "E641", "one.csv"),
        (HEAD, "E641", "one.csv"),
        (HEAD + "6,kocher,x,,\n", "E641", "no judgement"),
        ("item,system,sensibleness\n6,kocher,2\n", "E642", "line 1: column assessor is missing"),
        ("item,system,assessor\n6,kocher,x\n", "E642", "sensibleness or soundness is missing"),
        ("item;system;assessor;sensibleness\n", "E642", "column item is missing"),
        ("item,system,assessor,soundness,soundness\n", "E643", "two columns are called soundness"),
        (HEAD + ",kocher,x,2,\n", "E643", "line 2: not a judgement: item is empty"),
        (HEAD + ROW + "6,kocher,x,2,passable,more\n", "E643", "line 3: not a judgement: it has 6 cells"),
        (HEAD + '6,kocher,"x"y,2,\n', "E643", "one.csv, line 2"),
        (HEAD + "6,kocher,x,6,\n", "E644", "line 2: the grade '6' is not on the scale"),
        (HEAD + "6,kocher,x,2.3,\n", "E644", "like 2-3"),
        (HEAD + "6,kocher,x,fine,\n", "E645", "'fine' is no grade"),
        (HEAD + "6,kocher,x,,corect\n", "E645", "did you mean 'correct'?"),
        (HEAD + ROW + ROW, "E646", "line 3: x judges 6 of kocher again, after one.csv, line 2"),
        (HEAD.encode() + b"6,kocher,\xff,2,\n", "E105", "byte 53"),
    ],
)
def test_broken_judgements_are_refused_with_their_place(write, refused, content, code, words):
    write("one.csv", content)
    line = refused("score", "quality", "one.csv")
    assert line.startswith(f"{code} ")
    assert words in line


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "E641"),
        ("{", "E600"),
        ("[]", "E600"),
        ('{"item": 6, "system": "a", "sensibleness": 2}', "E642"),
        ('{"item": 6, "system": "a", "assessor": "x"}', "E642"),
        ('{"item": [6], "system": "a", "assessor": "x", "sensibleness": 2}', "E643"),
        ('{"item": 6, "system": "a", "assessor": "x", "sensibleness": true}', "E643"),
        ('{"item": 6, "system": "a", "assessor": "x", "sensibleness": 1e400}', "E645"),
        ('{"item": 6, "system": "a", "assessor": "x", "sensibleness": 7}', "E644"),
    ],
)
def test_broken_lines_of_json_are_refused(write, refused, content, code):
    write("one.jsonl", content)
    assert refused("score", "quality", "one.jsonl").startswith(f"{code} one.jsonl")


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("sensibleness/sensibleness_team_a.json", "{", "E600"),
        ("sensibleness/sensibleness_team_a.json", "[1]", "E643"),
        ("sensibleness/sensibleness_team_a.json", '[{"sensibleness": {"A": "1"}}]', "E642"),
        ("soundness/HHU.pairsA.txt", "4.1\n5.5\n", "E644"),
        ("soundness/HHU.pairsA.txt", "\n", "E641"),
        ("soundness/other.txt", "4.1\n", "E641"),
    ],
)
def test_broken_data_of_pan16_is_refused(write, refused, name, content, code):
    write(f"old/{name}", content)
    assert refused("score", "quality", "old").startswith(f"{code} old")


def test_a_repeated_judgement_is_found_across_files(write, refused):
    write("people/a.csv", HEAD + ROW)
    write("people/b.jsonl", '{"item": 6, "system": "kocher", "assessor": "x", "soundness": "correct"}')
    assert "E646 people/b.jsonl, line 1" in refused("score", "quality", "people")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nowhere",), "E101"),
        (("empty",), "E640"),
        (("notes.txt",), "E640"),
        (("one.csv", "--scale", "pan17"), "E647"),
        (("old", "--scale", "pan18"), "E405"),
        (("one.csv", "--metric", "cosine"), "E405"),
        (("one.csv", "--confidence", "0"), "E405"),
        (("one.csv", "--seed", "-1"), "E001"),
        ((), "E001"),
    ],
)
def test_a_wrong_request_is_refused(write, tmp_path, refused, arguments, code):
    (tmp_path / "empty").mkdir()
    write("notes.txt", JUDGEMENTS)
    write("one.csv", JUDGEMENTS)
    write("old/soundness/HHU.pairsA.txt", "4.1\n")
    assert refused("score", "quality", *arguments).startswith(f"{code} ")
