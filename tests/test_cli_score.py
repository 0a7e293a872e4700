"""`stemmata score alignment` and `stemmata compare` as a user runs them."""

import csv
import io
import json
import re

import pytest

from stemmata.cli import status_of

SUSPICIOUS = "The suspicious text. " * 50
SOURCE = "A source text, much longer than the other one. " * 50


def feature(name, this, source=None, **attributes):
    said = {"name": name, "this_offset": this[0], "this_length": this[1]}
    if source:
        said |= {"source_reference": source[0], "source_offset": source[1], "source_length": source[2]}
    said |= attributes
    return "<feature " + " ".join(f'{key}="{value}"' for key, value in said.items()) + " />"


def document(reference, *features):
    return f'<document reference="{reference}">{"".join(features)}</document>'


@pytest.fixture
def corpus(tmp_path):
    """Two documents, two cases; one is found whole, one by half and in two pieces; one false detection."""
    files = {
        "truth/01-copies/s1-o1.xml": document(
            "s1.txt", feature("plagiarism", (0, 100), ("o1.txt", 0, 100), obfuscation="none")
        ),
        "truth/02-summaries/s2-o2.xml": document(
            "s2.txt", feature("plagiarism", (200, 100), ("o2.txt", 0, 300), obfuscation="summary")
        ),
        "truth/03-clean/s3-o1.xml": document("s3.txt"),
        "truth/01-copies/pairs": "s1.txt o1.txt\n",
        "truth/02-summaries/pairs": "s2.txt o2.txt\n",
        "truth/03-clean/pairs": "s3.txt o1.txt\n",
        "run/s1-o1.xml": document("s1.txt", feature("detected-plagiarism", (0, 100), ("o1.txt", 0, 100))),
        "run/s2-o2.xml": document(
            "s2.txt",
            feature("detected-plagiarism", (200, 50), ("o2.txt", 0, 100)),
            feature("detected-plagiarism", (250, 50), ("o2.txt", 200, 100)),
        ),
        "run/s3-o1.xml": document("s3.txt", feature("detected-plagiarism", (5, 20), ("o1.txt", 500, 20))),
        "other/s1-o1.xml": document("s1.txt", feature("detected-plagiarism", (0, 50), ("o1.txt", 0, 50))),
        "empty/s1-o1.xml": document("s1.txt"),
        **{f"susp/s{i}.txt": SUSPICIOUS for i in (1, 2, 3)},
        **{f"src/o{i}.txt": SOURCE for i in (1, 2)},
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def stemmata(capsys, monkeypatch):
    """Run a command; return status, standard output and standard error."""

    def call(*arguments):
        status = status_of([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def score(stemmata, corpus, *options):
    arguments = ["score", "alignment", corpus / "truth", corpus / "run", *options, "--format", "json"]
    status, out, err = stemmata(*arguments)
    assert (status, err) == (0, "")
    return json.loads(out)


def test_json_has_the_agreed_keys_and_pan_s_numbers(stemmata, corpus):
    result = score(stemmata, corpus)
    recall = (1 + 300 / 400) / 2
    precision = (1 + 1 + 1 + 0) / 4
    f1 = 2 * precision * recall / (precision + recall)
    assert list(result) == [
        *(
            "signature",
            "cases",
            "detections",
            "granularity",
            "macro",
            "micro",
            "case_level",
            "document_level",
        ),
    ]
    assert (result["cases"], result["detections"], result["granularity"]) == (2, 4, 1.5)
    assert result["macro"]["recall"] == pytest.approx(recall, abs=1e-12)
    assert result["macro"]["precision"] == pytest.approx(precision, abs=1e-12)
    assert result["macro"]["plagdet"] == pytest.approx(f1 / 1.3219280948873624, abs=1e-9)
    assert result["micro"]["recall"] == pytest.approx(500 / 600)
    assert result["micro"]["precision"] == pytest.approx(500 / 540)
    assert list(result["case_level"]) == list(result["document_level"]) == ["precision", "recall", "f1"]
    assert result["document_level"] == pytest.approx({"precision": 1 / 3, "recall": 1.0, "f1": 0.5})


def test_documents_add_the_normalised_measures(stemmata, corpus):
    result = score(stemmata, corpus, "--susp", corpus / "susp", "--src", corpus / "src")
    assert list(result["normalized"]) == ["macro", "micro"]
    assert 0 < result["normalized"]["macro"]["plagdet"] < 1
    assert "norm:corrected" in result["signature"]


def test_compat_reference_changes_micro_normplagdet_alone(stemmata, corpus):
    documents = ("--susp", corpus / "susp", "--src", corpus / "src")
    plain = score(stemmata, corpus, *documents)
    compat = score(stemmata, corpus, *documents, "--compat", "reference")
    changed = [key for key in plain if plain[key] != compat[key]]
    assert set(changed) == {"normalized", "signature"}
    assert plain["normalized"]["macro"] == compat["normalized"]["macro"]


def test_by_folder_charges_a_false_detection_to_the_folder_of_its_pair(stemmata, corpus):
    groups = score(stemmata, corpus, "--by", "folder")["by"]
    assert list(groups) == ["01-copies", "02-summaries", "03-clean"]
    assert groups["01-copies"]["macro"] == {"precision": 1.0, "recall": 1.0, "plagdet": 1.0}
    assert (groups["03-clean"]["cases"], groups["03-clean"]["detections"]) == (0, 1)
    assert groups["03-clean"]["macro"]["precision"] == 0


def test_by_attribute_leaves_a_false_detection_without_cases_unassigned(stemmata, corpus):
    result = score(stemmata, corpus, "--by", "obfuscation")
    assert {value: group["cases"] for value, group in result["by"].items()} == {"none": 1, "summary": 1}
    assert result["unassigned"] == 1


@pytest.mark.parametrize(
    ("by", "values"), [("length", ["short"]), ("folder", ["01-copies", "02-summaries", "03-clean"])]
)
def test_derived_attributes_make_groups_too(stemmata, corpus, by, values):
    assert list(score(stemmata, corpus, "--by", by)["by"]) == values


def test_intervals_hold_the_value_and_repeat_with_the_seed(stemmata, corpus):
    once = score(stemmata, corpus, "--confidence", "0.9")
    low, high = once["confidence"]["macro"]["plagdet"]
    assert low <= once["macro"]["plagdet"] <= high
    assert once == score(stemmata, corpus, "--confidence", "0.9")
    assert "confidence:0.9/bootstrap-1000/seed-1" in once["signature"]


def test_pairs_drops_detections_outside_them(stemmata, corpus):
    (corpus / "some-pairs").write_text("s1.txt o1.txt\n\ns2.txt o2.txt\n")
    result = score(stemmata, corpus, "--pairs", corpus / "some-pairs")
    assert result["detections"] == 3
    assert result["macro"]["precision"] == 1.0


def test_cases_lists_the_worst_case_first(stemmata, corpus):
    rows = score(stemmata, corpus, "--cases")["per_case"]
    assert [(row["suspicious"], row["recall"], row["detections"]) for row in rows] == [
        ("s2.txt", 0.75, 2),
        ("s1.txt", 1.0, 1),
    ]


def test_detections_lists_the_worst_detection_first(stemmata, corpus):
    rows = score(stemmata, corpus, "--detections")["per_detection"]
    assert [(row["suspicious"], row["precision"], row["cases"]) for row in rows] == [
        ("s3.txt", 0.0, 0),
        ("s1.txt", 1.0, 1),
        ("s2.txt", 1.0, 1),
        ("s2.txt", 1.0, 1),
    ]


def test_a_run_without_detections_scores_zero(stemmata, corpus):
    status, out, _ = stemmata("score", "alignment", corpus / "truth", corpus / "empty", "--format", "json")
    assert status == 0
    assert json.loads(out)["macro"] == {"precision": 0.0, "recall": 0.0, "plagdet": 0.0}


def test_names_with_and_without_txt_are_one_document(stemmata, corpus):
    for path in (corpus / "run").glob("*.xml"):
        path.write_text(path.read_text().replace(".txt", ""))
    assert score(stemmata, corpus)["macro"]["recall"] == pytest.approx(0.875)


def test_table_is_plain_in_a_pipe_and_ends_with_the_signature(stemmata, corpus):
    _, out, _ = stemmata("score", "alignment", corpus / "truth", corpus / "run")
    assert out.isascii()
    assert out.splitlines()[-1].startswith("stemmata:")
    assert re.search(r"^macro +0\.7500 +0\.8750", out, re.MULTILINE)


def test_csv_has_full_precision_and_latex_and_markdown_are_tables(stemmata, corpus):
    arguments = ("score", "alignment", corpus / "truth", corpus / "run", "--format")
    rows = list(csv.reader(io.StringIO(stemmata(*arguments, "csv")[1])))
    facts = ["cases", "detections", "granularity"]
    assert rows[0] == [*facts, "level", "precision", "recall", "plagdet", "f1"]
    assert float(rows[2][5]) == pytest.approx(500 / 600, abs=1e-15)
    assert r"\toprule" in stemmata(*arguments, "latex")[1]
    assert "| macro | 0.7500 |" in stemmata(*arguments, "markdown")[1]


def test_compare_ranks_runs_and_tests_every_pair(stemmata, corpus):
    arguments = ["compare", corpus / "truth", corpus / "other", corpus / "run", corpus / "empty"]
    status, out, _ = stemmata(*arguments, "--format", "json")
    result = json.loads(out)
    assert status == 0
    assert next(iter(result["runs"])) == "run"
    pairs = [(c["first"], c["second"]) for c in result["comparisons"] if c["measure"] == "macro.plagdet"]
    assert pairs == [("other", "run"), ("other", "empty"), ("run", "empty")]
    assert all(c["p"] <= c["p_holm"] <= 1 for c in result["comparisons"])


def test_a_run_does_not_differ_from_its_copy(stemmata, corpus):
    _, out, _ = stemmata(
        "compare", corpus / "truth", corpus / "run", corpus / "run" / ".." / "other", "-f", "json"
    )
    (corpus / "copy").mkdir()
    for path in (corpus / "run").glob("*.xml"):
        (corpus / "copy" / path.name).write_bytes(path.read_bytes())
    _, same, _ = stemmata("compare", corpus / "truth", corpus / "run", corpus / "copy", "-f", "json")
    assert {c["p"] for c in json.loads(same)["comparisons"]} == {1.0}
    assert {c["p"] for c in json.loads(out)["comparisons"]} != {1.0}


def test_runs_of_the_same_name_are_told_apart_by_their_folders(stemmata, corpus):
    for name in ("a", "b"):
        (corpus / name / "out").mkdir(parents=True)
        (corpus / name / "out" / "s1-o1.xml").write_text((corpus / "run" / "s1-o1.xml").read_text())
    _, out, _ = stemmata("compare", corpus / "truth", corpus / "a/out", corpus / "b/out", "-f", "json")
    assert list(json.loads(out)["runs"]) == ["a/out", "b/out"]


def test_list_measures_names_each_with_its_meaning_and_reference(stemmata):
    status, out, _ = stemmata("list", "measures", "--format", "json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert status == 0
    assert rows["macro.plagdet"]["key"] == "potthast10"
    assert all(row["meaning"] and row["citation"] for row in rows.values())
    assert {p["name"] for p in rows["normalized.micro.plagdet"]["parameters"]} == {"alpha", "compat"}
