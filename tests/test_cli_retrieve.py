"""`stemmata retrieve`: from an index and some files to a run that can be scored, with good and bad input."""

import json
from pathlib import Path

import pytest

from index_documents import text
from stemmata.cli import status_of
from stemmata.formats.retrieval import write_sources
from stemmata.reuse import retrievers

pytest.importorskip("tantivy")

REPOSITORY = Path(__file__).parents[1]
TRUTH = {f"essay{number}": [f"d{number:02}.txt"] for number in range(3)}


@pytest.fixture
def stemmata(capsys, monkeypatch, tmp_path):
    """Run a command in the test's own folder; return status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        status = status_of([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return call


@pytest.fixture
def index(stemmata, write):
    """An index of forty documents, and in ``essays`` texts that borrow half of one each."""
    for number in range(40):
        write(f"docs/d{number:02}.txt", text(number, 60, 3000))
    for number in range(3):
        borrowed = " ".join(text(number, 60, 3000).split()[:35])
        write(f"essays/essay{number}.txt", f"{text(700 + number, 50, 3000)} {borrowed}.")
    assert stemmata("index", "build", "index", "docs", "--jobs", "1")[0] == 0
    return "index"


def found(stemmata, *arguments):
    status, out, err = stemmata("retrieve", *arguments, "--jobs", "1", "--format", "json")
    return status, json.loads(out), err


@pytest.mark.parametrize("form", ["json", "trec"])
@pytest.mark.parametrize("name", sorted(retrievers))
def test_a_run_in_either_format_can_be_scored(stemmata, index, name, form):
    how = ["--trec"] if form == "trec" else []
    status, said, err = found(stemmata, index, "essays", "--with", name, "-o", "run", *how)
    assert (status, err, said["run"], said["retriever"]) == (0, "", "run", name)
    write_sources("truth", TRUTH, form)
    status, out, _ = stemmata("score", "retrieval", "truth", "run", "--format", "json")
    values = json.loads(out)
    assert (status, values["documents"], values["unanswered"]) == (0, 3, 0)
    assert values["map"] == values["recall"] == 1


def test_a_trec_run_is_one_file_that_names_the_retriever(stemmata, index, tmp_path):
    found(stemmata, index, "essays", "--with", "fingerprint", "--trec", "-o", "my.run")
    lines = (tmp_path / "my.run").read_text().splitlines()
    assert lines[0].split()[:4] == ["essay0.txt", "Q0", "d00.txt", "1"]
    assert {line.split()[-1] for line in lines} == {"fingerprint"}


def test_a_trec_run_holds_the_names_and_scores_that_were_found(stemmata, index, tmp_path):
    said = found(stemmata, index, "essays", "--trec", "-o", "my.run")[1]
    rows = [line.split() for line in (tmp_path / "my.run").read_text().splitlines()]
    assert [(row[0], row[2], float(row[4])) for row in rows] == [
        (one["name"], source["name"], source["score"])
        for one in said["documents"]
        for source in one["sources"]
    ]


@pytest.mark.parametrize("ending", ["", ".txt"])
def test_a_trec_run_is_scored_against_a_truth_with_and_without_txt(stemmata, index, ending):
    found(stemmata, index, "essays", "--trec", "-o", "my.run")
    truth = {document + ending: [f"d{n:02}{ending}"] for n, document in enumerate(TRUTH)}
    write_sources("my.qrels", truth, "trec")
    values = json.loads(stemmata("score", "retrieval", "my.qrels", "my.run", "--format", "json")[1])
    assert (values["map"], values["unanswered"], values["ignored"]) == (1.0, 0, 0)


def test_a_json_run_is_a_file_for_each_text_even_if_nothing_was_found(stemmata, index, write, tmp_path):
    write("essays/own.txt", text(999, 60, 3000))
    write("essays/empty.txt", "")
    status, said, _ = found(stemmata, index, "essays", "-o", "run")
    documents = {one["name"]: one for one in said["documents"]}
    assert status == 0
    assert documents["empty.txt"]["sources"] == documents["own.txt"]["sources"] == []
    assert [source["name"] for source in documents["essay1.txt"]["sources"]] == ["d01.txt"]
    assert documents["essay1.txt"]["sources"][0]["score"] > 0
    assert documents["essay1.txt"]["queries"] >= 2
    written = json.loads((tmp_path / "run" / "empty.json").read_text())
    assert written == {"suspicious-document": "empty.txt", "detected-plagiarism": []}
    assert len(list((tmp_path / "run").glob("*.json"))) == 6


def test_single_files_folders_and_records_can_be_given_together(stemmata, index, write):
    write("more.jsonl", json.dumps({"id": "record", "text": text(5, 60, 3000)}) + "\n")
    status, said, _ = found(stemmata, index, "essays/essay2.txt", "more.jsonl", "-o", "run")
    assert status == 0
    assert [(one["name"], one["sources"][0]["name"]) for one in said["documents"]] == [
        ("essay2.txt", "d02.txt"),
        ("record", "d05.txt"),
    ]


def test_the_table_is_for_people(stemmata, index):
    status, out, _ = stemmata("retrieve", index, "essays", "-o", "run", "--jobs", "1")
    assert status == 0
    assert "Sources of 3 documents by stemmata" in out
    assert "d00.txt" in out
    assert "documents read" in out


def test_the_run_does_not_depend_on_the_number_of_processes(stemmata, index, write, tmp_path):
    for number in range(3, 12):
        write(f"essays/essay{number}.txt", text(number, 60, 3000))
    for jobs in (1, 2):
        assert stemmata("retrieve", index, "essays", "-o", f"run{jobs}", "--jobs", jobs, "--trec")[0] == 0
    assert (tmp_path / "run1").read_bytes() == (tmp_path / "run2").read_bytes()


def test_what_cannot_be_read_is_told_and_the_rest_is_there(stemmata, index, write):
    write("essays/broken.pdf", b"%PDF-1.7\n" + bytes(range(256)))
    status, said, _ = found(stemmata, index, "essays", "-o", "run")
    assert (status, len(said["documents"]), len(said["failures"])) == (1, 3, 1)
    assert "broken.pdf" in said["failures"][0]
    assert said["failures"][0].startswith("E7")


def test_where_nothing_can_be_read_no_run_is_written(stemmata, index, tmp_path):
    status, said, _ = found(stemmata, index, "nowhere", "-o", "run")
    assert (status, said["run"], said["documents"]) == (1, None, [])
    assert said["failures"][0].startswith("E101 nowhere")
    assert not (tmp_path / "run").exists()


def test_a_second_text_of_a_name_is_told_and_not_mixed_up_with_the_first(stemmata, index, write):
    write("others/essay0.txt", text(9, 60, 3000))
    write("others/essay1.md", text(9, 60, 3000))
    status, said, _ = found(stemmata, index, "essays", "others", "-o", "run")
    sources = {one["name"]: one["sources"][0]["name"] for one in said["documents"]}
    assert (status, sources["essay0.txt"], sources["essay1.md"]) == (1, "d00.txt", "d09.txt")
    assert [failure[:4] for failure in said["failures"]] == ["E618"]


def test_hostile_bytes_are_told_or_read_but_never_a_traceback(stemmata, index, write):
    write("essays/bytes.txt", bytes(range(256)) * 20)
    write("essays/nulls.txt", "\x00".join(text(7, 60, 3000).split()))
    write(
        "records.jsonl",
        '{"id": "lone", "text": "\\ud800 alone \\udfff"}\n{"id": "\\u0007", "text": "x"}\n{\n',
    )
    status, said, err = found(stemmata, index, "essays", "records.jsonl", "-o", "run")
    assert status in (0, 1)
    assert "Traceback" not in err
    assert len(said["documents"]) + len(said["failures"]) >= 6


@pytest.mark.parametrize(
    ("arguments", "code", "remark"),
    [
        (["nothing", "essays"], "E770", "nothing"),
        (["docs", "essays"], "E770", "docs"),
        (["index", "essays", "--with", "stemata"], "E501", "did you mean 'stemmata'?"),
        (["index", "essays", "--with", "bm25"], "E501", "bm25-chunks"),
        (["index", "bare"], "E783", "bare"),
    ],
    ids=["no index", "a folder that is none", "a name misspelt", "half a name", "no texts"],
)
def test_what_cannot_be_done_is_told_in_one_line(stemmata, index, tmp_path, arguments, code, remark):
    (tmp_path / "bare").mkdir()
    status, out, err = stemmata("retrieve", *arguments, "-o", "run")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"stemmata: {code} ")
    assert remark in err
    assert not (tmp_path / "run").exists()


def test_retrievers_are_listed(stemmata):
    status, out, _ = stemmata("list", "retrievers", "--format", "json")
    told = {one["name"]: one["meaning"] for one in json.loads(out)}
    assert status == 0
    assert sorted(told) == sorted(retrievers) == ["bm25-chunks", "fingerprint", "stemmata", "zubarev-2014"]
    assert all(told.values())


def test_help_shows_an_example(stemmata):
    status, out, _ = stemmata("retrieve", "--help")
    assert status == 0
    assert "stemmata retrieve my-index essays/ -o rankings" in " ".join(out.split())


def test_the_page_shows_what_the_command_prints(stemmata):
    page = (REPOSITORY / "docs" / "retrieval.md").read_text("utf-8")
    examples = REPOSITORY / "examples" / "check"
    assert stemmata("index", "build", "library.index", examples / "library")[0] == 0
    status, out, _ = stemmata("retrieve", "library.index", examples / "essays", "-o", "essays.run")
    assert status == 0
    assert [line for line in out.splitlines() if line.rstrip() not in page] == []
