"""No silent zero: a truth and a run that do not fit are reported by every command that reads them."""

import json

import pytest

from stemmata.cli import status_of


def feature(name, offset, length=10, source="o1.txt"):
    return (
        f'<feature name="{name}" this_offset="{offset}" this_length="{length}" source_reference="{source}" '
        f'source_offset="{offset}" source_length="{length}"/>'
    )


def document(reference, *features):
    return f'<document reference="{reference}">{"".join(features)}</document>'


@pytest.fixture
def corpus(tmp_path):
    """Two suspicious documents with a case each, which the run finds, and texts for all of them."""

    def write(folder, name, numbers=(1, 2), source="o1.txt"):
        (tmp_path / folder).mkdir(exist_ok=True)
        for n in numbers:
            path = tmp_path / folder / f"s{n}-o1.xml"
            path.write_text(document(f"s{n}.txt", feature(name, 10 * n, source=source)))
        return tmp_path / folder

    write("truth", "plagiarism")
    write("run", "detected-plagiarism")
    for name in ("susp/s1.txt", "susp/s2.txt", "src/o1.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("word " * 40)
    for pairs in ("pairs", "truth/pairs"):
        (tmp_path / pairs).write_text("s1.txt o1.txt\ns2.txt o1.txt\n")
    return type("Corpus", (), {"path": tmp_path, "write": staticmethod(write)})


@pytest.fixture
def call(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status = status_of([str(one) for one in arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return run


COMMANDS = {
    "score": ["score", "alignment", "truth", "RUN"],
    "compare": ["compare", "truth", "run", "RUN"],
    "report": ["report", "alignment", ".", "RUN", "--truth", "truth", "-o", "page.html"],
}
every_command = pytest.mark.parametrize("command", COMMANDS)


def of(command, run):
    return [run if word == "RUN" else word for word in COMMANDS[command]]


@every_command
def test_a_truth_and_a_run_that_fit_give_no_warning(corpus, call, command):
    (corpus.path / "again").mkdir()
    for path in (corpus.path / "run").iterdir():
        (corpus.path / "again" / path.name).write_bytes(path.read_bytes())
    status, out, err = call(*of(command, "again"))
    assert (status, "warning" in err, "warnings" in out) == (0, False, False)


@every_command
@pytest.mark.parametrize("name", ["plagiarism", "detected_plagiarism"])
def test_a_run_whose_features_have_another_name_is_refused_and_read_with_its_tag(corpus, call, command, name):
    corpus.write("mine", name)
    status, out, err = call(*of(command, "mine"))
    assert (status, out) == (2, "")
    assert err.startswith("stemmata: E220" if name == "plagiarism" else "stemmata: E219")
    assert f"features with a position (2) are named {name!r}" in err
    assert f"--run-tag {name}" in err
    assert len(err.splitlines()) == 1
    if command == "score":
        status, out, _ = call(*of(command, "mine"), "--run-tag", name, "-f", "json")
        assert (status, json.loads(out)["macro"]["plagdet"]) == (0, 1.0)


def test_features_of_another_name_beside_right_ones_are_a_warning(corpus, call):
    corpus.write("run", "detected_plagiarism", [2])
    status, out, err = call(*of("score", "run"), "-f", "json")
    result = json.loads(out)
    assert status == 0
    assert err.startswith("stemmata: warning: E219 run: features with a position (1) are named 'detected_")
    assert [one["code"] for one in result["warnings"]] == ["E219"]
    assert (result["detections"], result["macro"]["recall"]) == (1, 0.5)


@pytest.mark.parametrize("run", ["truth", "run"], ids=["swapped", "run-as-truth"])
def test_truth_and_run_swapped_or_one_for_both_is_reported(corpus, call, run):
    status, _, err = call("score", "alignment", "run", run)
    if run == "truth":
        assert (status, err[:14]) == (2, "stemmata: E220")
    else:
        assert (status, err[:23]) == (0, "stemmata: warning: E221")
    assert "give the truth first and the run second" in err


def test_a_truth_whose_features_have_another_name_is_refused_and_read_with_its_tag(corpus, call):
    corpus.write("cases", "reuse")
    status, _, err = call("score", "alignment", "cases", "run")
    assert (status, err[:14]) == (2, "stemmata: E219")
    assert "--truth-tag reuse" in err
    assert call("score", "alignment", "cases", "run", "--truth-tag", "reuse")[0::2] == (0, "")


def test_files_without_reference_are_reported(corpus, call):
    for path in (corpus.path / "run").iterdir():
        path.write_text(path.read_text().replace("reference=", "document=", 1))
    status, _, err = call(*of("score", "run"))
    first, second = err.splitlines()
    assert status == 0
    assert first.startswith(
        "stemmata: warning: E212 run/s1-o1.xml: the root element has no attribute reference"
    )
    assert "1 more like it" in first
    assert "E222 run: no detection in 2 files" in second


def test_a_run_that_is_truly_empty_is_a_warning_even_on_other_documents(corpus, call):
    for n in (1, 2):
        (corpus.path / "run" / f"s{n}-o1.xml").write_text(document(f"t{n}.txt"))
    status, out, err = call(*of("score", "run"), "-f", "json")
    assert (status, json.loads(out)["macro"]["plagdet"]) == (0, 0.0)
    assert [one["code"] for one in json.loads(out)["warnings"]] == ["E222", "E304"]
    assert len(err.splitlines()) == 2


def test_a_run_with_detections_that_shares_no_document_with_the_truth_is_refused(corpus, call):
    (corpus.path / "run" / "s2-o1.xml").unlink()
    (corpus.path / "run" / "s1-o1.xml").write_text(document("t.txt", feature("detected-plagiarism", 10)))
    status, _, err = call(*of("score", "run"))
    assert (status, err[:14]) == (2, "stemmata: E401")


@every_command
def test_listed_pairs_without_a_file_are_counted_with_an_example(corpus, call, command):
    corpus.write("part", "detected-plagiarism", [1])
    status, _, err = call(*of(command, "part"))
    assert status == 0
    assert "warning: E303 part: 1 of 2 listed pairs have no file in the run, such as s2.txt o1.txt" in err


def test_pairs_that_no_file_could_name_are_looked_for_by_document(corpus, call):
    (corpus.path / "truth" / "pairs").write_text("s1.txt o1.txt\ns\x012.txt o1.txt\n")
    status, _, err = call(*of("score", "run"))
    assert (status, err.count("1 of 2 listed documents have no file")) == (0, 2)


def test_files_for_whole_documents_are_asked_for_by_document(corpus, call):
    both = document("s1.txt", feature("detected-plagiarism", 10))
    (corpus.path / "whole").mkdir()
    (corpus.path / "whole" / "first.xml").write_text(both)
    assert (
        "E303 whole: 1 of 2 listed documents have no file in the run, such as s2.txt"
        in call(*of("score", "whole"))[2]
    )
    (corpus.path / "whole" / "second.xml").write_text(both.replace("s1", "s2"))
    assert call(*of("score", "whole"))[2] == ""


def test_listed_pairs_without_a_truth_are_counted(corpus, call):
    (corpus.path / "truth" / "s2-o1.xml").unlink()
    said = "warning: E303 truth: 1 of 2 listed pairs have no file in the truth, such as s2.txt o1.txt"
    assert said in call("score", "alignment", "truth", "run")[2]


def test_tune_reports_what_its_truth_lacks_and_reads_features_of_another_name(corpus, call):
    (corpus.path / "pairs").write_text("s1.txt o1.txt\ns2.txt o2.txt\n")
    (corpus.path / "truth" / "pairs").write_text("s1.txt o1.txt\ns2.txt o2.txt\n")
    for name, word in (("susp/s2", "others "), ("src/o2", "sources ")):
        (corpus.path / f"{name}.txt").write_text(word * 40)
    (corpus.path / "truth" / "s2-o1.xml").unlink()
    corpus.write("truth", "reuse", [1])
    search = ["--with", "shingles", "--folds", "2", "--population", "5", "--generations", "0", "-j", "1"]
    arguments = ["tune", ".", *search, "--truth", "truth", "-o", "p.json", "-f", "json"]
    assert call(*arguments)[2].startswith(
        "stemmata: E219 truth: features with a position (1) are named 'reuse'"
    )
    status, out, err = call(*arguments, "--truth-tag", "reuse")
    assert (status, [one["code"] for one in json.loads(out)["warnings"]]) == (0, ["E303"])
    assert "1 of 2 listed pairs have no file in the truth, such as s2.txt o2.txt" in err


def test_documents_that_the_truth_does_not_know_are_counted_with_an_example(corpus, call):
    corpus.write("run", "detected-plagiarism", [1, 2, 3, 4])
    err = call(*of("score", "run"))[2]
    assert (
        "warning: E304 run: suspicious documents of the run (2) are unknown to the truth, such as s3.txt"
        in err
    )


def test_sources_none_of_which_the_truth_knows_are_reported(corpus, call):
    corpus.write("run", "detected-plagiarism", source="source-1.txt")
    assert "E304 run: source documents of the run (1) are unknown" in call(*of("score", "run"))[2]


def test_retrieved_sources_none_of_which_the_truth_knows_are_reported(call, tmp_path):
    (tmp_path / "qrels").write_text("a 0 17 1\nb 0 4 1\n")
    (tmp_path / "run").write_text("a Q0 doc-17 1 9 x\nb Q0 doc-4 1 8 x\nc Q0 doc-5 1 8 x\n")
    status, out, err = call("score", "retrieval", "qrels", "run", "-f", "json")
    assert (status, json.loads(out)["map"]) == (0, 0.0)
    assert [one["code"] for one in json.loads(out)["warnings"]] == ["E304", "E304"]
    assert "E304 run: suspicious documents of the run (1) are unknown to the truth, such as c" in err
    assert "E304 run: source documents of the run (3) are unknown to the truth, such as doc-17" in err


@pytest.mark.parametrize(("name", "code"), [("detected_plagiarism", "E219"), ("reuse", "E219")])
def test_validate_finds_features_of_other_names(corpus, call, name, code):
    corpus.write("mine", name)
    status, out, _ = call("validate", "mine", "-f", "json")
    report = json.loads(out)
    assert (status, [one["code"] for one in report["findings"]]) == (1, [code])
    option = "--run-tag" if "detect" in name else "--truth-tag"
    assert f"{option} {name}" in report["findings"][0]["remedy"]
    assert report["findings"][0]["place"] == "mine/s1-o1.xml, feature 1"


def test_validate_tells_cases_from_detections_and_finds_listed_pairs_without_a_file(corpus, call):
    (corpus.path / "truth" / "s2-o1.xml").unlink()
    report = json.loads(call("validate", "truth", "-f", "json")[1])
    assert (report["cases"], report["detections"], report["annotations"]) == (1, 0, 1)
    assert [one["code"] for one in report["findings"]] == ["E303"]
    assert json.loads(call("validate", "run", "-f", "json")[1])["detections"] == 2
