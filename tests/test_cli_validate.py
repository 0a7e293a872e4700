"""`stemmata validate` finds all that is wrong in one go, with exit status 1."""

import json

import pytest

from stemmata.cli import status_of


def case(offset, length, source="o.txt", source_offset=0, source_length=10, name="plagiarism"):
    return (
        f'<feature name="{name}" this_offset="{offset}" this_length="{length}" source_reference="{source}" '
        f'source_offset="{source_offset}" source_length="{source_length}" />'
    )


@pytest.fixture
def check(tmp_path, capsys):
    """Lay out a corpus with the given files over a sound one; return status and findings as (code, place)."""

    def run(files, *options):
        sound = {
            "pairs": "s.txt o.txt\n",
            "susp/s.txt": "x" * 100,
            "src/o.txt": "y" * 100,
            "truth/s-o.xml": f'<document reference="s.txt">{case(0, 10)}</document>',
        }
        for name, text in {**sound, **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        status = status_of(["validate", str(tmp_path), "--format", "json", *options])
        report = json.loads(capsys.readouterr().out)
        places = [finding["place"].replace(f"{tmp_path}/", "") for finding in report["findings"]]
        return status, list(zip([f["code"] for f in report["findings"]], places, strict=True)), report

    return run


def test_a_sound_corpus_has_no_finding(check):
    status, findings, report = check({})
    assert (status, findings) == (0, [])
    assert (report["files"], report["annotations"], report["documents"]) == (1, 1, 2)


@pytest.mark.parametrize(
    ("features", "code"),
    [
        (case(95, 10), "E208"),
        (case(0, 10, source_offset=95), "E208"),
        (case(0, -10), "E205"),
        (case(-1, 10), "E205"),
        (case(0, 0), "E207"),
        (case(0, 10, source_length=0), "E207"),
        (case(0, 10) + case(5, 10, source_offset=20), "E211"),
        (case(0, 10) + case(0, 10), "E210"),
        (case(0, 10, source="p.txt"), "E209"),
        (case("a", 10), "E204"),
        (case(3 * 10**9, 10), "E206"),
        ('<feature name="plagiarism" this_offset="3" />', "E203"),
        ('<feature name="plagiarism" note="none" />', "E214"),
        (case(0, 10).replace('source_offset="0" ', ""), "E213"),
        ("<feature", "E201"),
    ],
)
def test_each_kind_of_fault_is_found(check, features, code):
    status, findings, _ = check({"truth/s-o.xml": f'<document reference="s.txt">{features}</document>'})
    assert status == 1
    assert code in [found for found, _ in findings]


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"truth/t.xml": "<document />"}, "E212"),
        ({"truth/t.xml": "<!DOCTYPE x><document reference='s.txt' />"}, "E202"),
        ({"truth/t.xml": b"<document reference='\xff' />"}, "E105"),
        ({"susp/s.txt": b"caf\xe9"}, "E105"),
        ({"susp/s.txt": ""}, "E218"),
        ({"pairs": "s.txt o.txt extra\n"}, "E301"),
        ({"pairs": "s.txt o.txt\ns.txt gone.txt\n"}, "E209"),
        ({"pairs": "s.txt q.txt\n", "src/q.txt": "q"}, "E302"),
    ],
)
def test_faults_of_files_pairs_and_documents_are_found(check, files, code):
    status, findings, _ = check(files)
    assert status == 1
    assert code in [found for found, _ in findings]


def test_all_findings_come_at_once_with_their_places(check):
    status, findings, report = check(
        {
            "truth/a.xml": f'<document reference="s.txt">{case(95, 10)}{case(50, -1)}</document>',
            "truth/b.xml": "<document",
            "truth/c.xml": f'<document reference="gone.txt">{case(0, 10)}</document>',
        }
    )
    assert status == 1
    assert ("E208", "truth/a.xml, feature 1") in findings
    assert ("E205", "truth/a.xml, feature 2") in findings
    assert ("E201", "truth/b.xml, line 1") in findings
    assert report["counts"]["E209"] == 1


def test_overlapping_detections_are_no_fault(check):
    run = case(0, 10, name="detected-plagiarism") + case(5, 10, name="detected-plagiarism")
    _, findings, _ = check({"truth/s-o.xml": f'<document reference="s.txt">{run}</document>'})
    assert findings == []


def test_a_corpus_may_repeat_its_cases_in_another_folder(check):
    again = f'<document reference="s.txt">{case(0, 10)}</document>'
    assert check({"all/s-o.xml": again})[1] == []


def test_an_overlap_with_an_earlier_longer_case_is_found(check):
    features = case(0, 50) + case(5, 5, source_offset=20) + case(40, 20, source_offset=40)
    _, findings, _ = check({"truth/s-o.xml": f'<document reference="s.txt">{features}</document>'})
    assert [place for code, place in findings if code == "E211"] == [
        "truth/s-o.xml, feature 2",
        "truth/s-o.xml, feature 3",
    ]
