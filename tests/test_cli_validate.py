"""`stemmata validate` finds all that is wrong in one go, with exit status 1."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stemmata.cli import status_of
from stemmata.formats.validate_any import validate
from stemmata.model import StemmataError


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
    assert report["kind"] == "PAN XML"


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


PIECE = {
    "original": "known",
    "original-start-charpos": 0,
    "original-end-charpos": 5,
    "obfuscation": "x",
    "obfuscation-id": 1,
}
PIECES = json.dumps([PIECE])
SOUND = {
    "PAN XML": ({"run.xml": '<document reference="s.txt" />'}, "run.xml", {"files": 1, "annotations": 0}),
    "annotation table": (
        {"run.jsonl": '{"reference": "s", "this_offset": 0, "this_length": 1}'},
        "run.jsonl",
        {"annotations": 1},
    ),
    "verification problems": (
        {"EN1/known01.txt": "a", "EN1/known02.txt": "b", "EN1/unknown.txt": "c", "truth.txt": "EN1 Y"},
        ".",
        {"problems": 1, "texts": 3},
    ),
    "verification truth": ({"t.txt": "EN1 Y\nEN2 N"}, "t.txt", {"problems": 2, "same_author": 1}),
    "verification answers": (
        {"kocher15/answers.txt": "EN1 0.5", "vandam13/answers.jsonl": '{"id": "EN1", "value": 1}'},
        ".",
        {"files": 2, "answers": 2},
    ),
    "PAN18 safety scores": (
        {"c/v.txt": "EN1 1", "c-obfuscationA/v.txt": "EN1 0\nEN2 1", "c-truth.txt": "EN1 Y", "d/v.txt": ""},
        ".",
        {"corpora": 1, "skipped": 1, "obfuscations": 1, "files": 2, "scores": 2, "ignored": 1},
    ),
    "retrieval truth": ({"qrels": "A 0 s 1\nA 0 t 0"}, "qrels", {"documents": 1, "sources": 1}),
    "retrieval run": (
        {"A.json": '{"suspicious-document": "A", "detected-plagiarism": [{"id": 1}, {"id": 2}]}'},
        ".",
        {"files": 1, "documents": 1, "sources": 2},
    ),
    "search log": ({"A.log": "1 query\n2 http://x.org"}, ".", {"documents": 1, "events": 2}),
    "obfuscation": ({"p1/obfuscation.json": PIECES}, ".", {"files": 1, "pieces": 1}),
    "prototext": ({"e.txt": 'measure { key: "a" value: "1" }'}, "e.txt", {"measures": 1}),
}


@pytest.fixture
def judge(write, tmp_path, capsys):
    """Write files, validate a path among them, return the status and the report."""

    def run(files, path, *options):
        for name, content in files.items():
            write(name, content)
        status = status_of(["validate", str(tmp_path / path), "--format", "json", *options])
        return status, json.loads(capsys.readouterr().out or "{}")

    return run


@pytest.mark.parametrize("kind", SOUND)
def test_each_kind_is_recognised_and_counted(judge, kind):
    files, path, counted = SOUND[kind]
    status, report = judge(files, path)
    assert (status, report["kind"], report["findings"]) == (0, kind, [])
    assert counted.items() <= report.items()


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("answers.txt", "EN1 Y", "verification answers"),
        ("run.txt", "\ufeff\nEN1\nEN2 -1e-3", "verification answers"),
        ("run.txt", "A Q0 s 1 0.5 tag", "retrieval run"),
        ("mine.csv", "id,value\nEN001,0.9\n", "verification answers"),
        ("obfuscation.json", "[]", "obfuscation"),
        ("mine.json", PIECES, "obfuscation"),
        ("A.json", '{"plagiarism": [], "suspicious-document": "A"}', "retrieval truth"),
        ("p.jsonl", '{"id": "a", "pair": ["\\"same\\": 1", "b"]}', "verification problems"),
        ("pairs.jsonl", '{"id": "a", "pair": ["' + "long " * 50_000 + '", "b"]}', "verification problems"),
        ("t.jsonl", '{"id": "a", "same": true, "authors": []}', "verification truth"),
        ("a.jsonl", '{"id": "a", "value": 0.5}', "verification answers"),
        ("e.prototext", "measure{key:'a' value:'1'}", "prototext"),
    ],
)
def test_a_file_is_recognised_by_how_it_begins(judge, name, text, kind):
    assert judge({name: text}, name)[1]["kind"] == kind


@pytest.mark.parametrize(
    ("files", "path", "codes"),
    [
        ({"a.txt": "EN1 0.5\nEN2 2\nEN3 nan\nEN1 0.4"}, "a.txt", ["E605", "E608", "E609"]),
        ({"a.txt": b"EN1 0.5\nEN2 \xff"}, "a.txt", ["E105"]),
        ({"a/answers.txt": "EN1 2", "b/answers.txt": ""}, ".", ["E609", "E610"]),
        ({"t.txt": "EN1 Y\nEN1 N\nEN2 ?"}, "t.txt", ["E605", "E606"]),
        ({"a/known01.txt": " ", "a/unknown.txt": "x", "b/unknown.txt": "x"}, ".", ["E218", "E602"]),
        ({"a/known01.txt": "x", "a/unknown.txt": "x", "truth.txt": "b Y"}, ".", ["E633"]),
        ({"c/v.txt": "EN1 x", "c-obfuscationA/v.md": "", "c-truth.txt": "EN1 Y"}, ".", ["E608", "E614"]),
        ({"c-obfuscationA/v.txt": "EN1 1"}, ".", ["E612", "E613"]),
        ({"run": "A Q0 s 1 1 x\nA Q0 s 2 1 x\nA Q0 t 3"}, "run", ["E617", "E619"]),
        ({"A.json": '{"plagiarism": 1}', "B.json": "{"}, ".", ["E600", "E616"]),
        ({"p.jsonl": '{"id": 1, "pair": []}'}, "p.jsonl", ["E604"]),
        ({"A.log": "1 query\nquery"}, ".", ["E620"]),
        ({"p/obfuscation.json": "[{}]", "q/obfuscation.json": "["}, ".", ["E600", "E622"]),
        ({"e.txt": 'measure { key: "a" value: "1" } x'}, "e.txt", ["E630"]),
        ({"e.prototext": ""}, "e.prototext", ["E610"]),
        ({"run.jsonl": '{"reference": "s", "this_offset": -1, "this_length": 1}'}, "run.jsonl", ["E205"]),
    ],
)
def test_all_faults_of_a_kind_come_at_once(judge, files, path, codes):
    status, report = judge(files, path)
    assert status == 1
    assert sorted(finding["code"] for finding in report["findings"]) == codes


def test_obfuscations_are_held_against_their_problems(judge, tmp_path):
    files = {
        "run/p1/obfuscation.json": PIECES,
        "run/p2/obfuscation.json": PIECES,
        "run/p3/obfuscation.json": PIECES,
        "problems/p1/unknown.txt": "known text",
        "problems/p2/unknown.txt": "text known",
    }
    status, report = judge(files, "run", "--problems", str(tmp_path / "problems"))
    assert (status, report["texts"], report["counts"]) == (1, 2, {"E625": 1, "E788": 1})


PAIRS = '{"id": "p1", "pair": ["a", "known text"]}\n{"id": "p2", "pair": ["a", "text known"]}\n'
ELSEWHERE = {"E625": 1}
"""The original of the second problem is not where its piece says."""


@pytest.mark.parametrize(
    ("texts", "problems"),
    [
        ({"in/p1/original.txt": "known text", "in/p2/original.txt": "text known"}, "in"),
        ({"in/p1/unknown.txt": "known text", "in/p2/unknown.txt": "text known"}, "in"),
        ({"in/pairs.jsonl": PAIRS}, "in"),
        ({"in/pairs.jsonl": PAIRS}, "in/pairs.jsonl"),
        ({"in/run/pairs.jsonl": PAIRS}, "in"),
        ({"in/run/p1/unknown.txt": "known text", "in/run/p2/original.txt": "text known"}, "in"),
    ],
    ids=["masking", "verification", "lines in a folder", "lines", "sets of lines", "sets"],
)
def test_problems_may_be_in_any_format_that_is_masked(judge, tmp_path, texts, problems):
    files = {"run/p1/obfuscation.json": PIECES, "run/p2/obfuscation.json": PIECES, **texts}
    status, report = judge(files, "run", "--problems", str(tmp_path / problems))
    assert (status, report["texts"], report["counts"]) == (1, 2, ELSEWHERE)


def test_a_problem_alone_is_what_was_masked(judge, tmp_path):
    files = {"run/p1/obfuscation.json": PIECES, "p1/original.txt": "known text"}
    status, report = judge(files, "run", "--problems", str(tmp_path / "p1"))
    assert (status, report["texts"]) == (0, 1)


def test_lines_that_are_wrong_are_named_once(judge, tmp_path):
    files = {
        "run/p1/obfuscation.json": PIECES,
        "run/p2/obfuscation.json": PIECES,
        "pairs.jsonl": PAIRS + '{"id": "p3"}\n',
    }
    _, report = judge(files, "run", "--problems", str(tmp_path / "pairs.jsonl"))
    assert (report["texts"], report["counts"]) == (2, {"E604": 1, "E625": 1})


def test_the_texts_of_a_ranking_are_held_against_the_set_they_are_of(judge, tmp_path):
    files = {
        **{f"texts/{name}/a/p1/obfuscation.json": PIECES for name in ("kind", "rough")},
        **{f"texts/{name}/b/p1/obfuscation.json": PIECES for name in ("kind", "rough")},
        "sets/a/p1/unknown.txt": "known text",
        "sets/b/p1/unknown.txt": "text known",
    }
    status, report = judge(files, "texts")
    assert (status, report["kind"], report["files"]) == (0, "obfuscation", 4)
    _, report = judge({}, "texts", "--problems", str(tmp_path / "sets"))
    assert (report["texts"], report["counts"]) == (4, {"E625": 2})
    assert judge({}, "texts/kind", "--problems", str(tmp_path / "sets"))[1]["counts"] == {"E625": 1}


def test_a_folder_of_nothing_known_is_still_taken_for_pan_xml(judge):
    deep = "one/two/three/four/five/obfuscation.json"
    assert judge({deep: PIECES, ".hidden/p/obfuscation.json": PIECES}, ".")[1] == {}


def test_the_table_says_what_was_recognised(write, capsys):
    assert status_of(["validate", str(write("truth.txt", "EN1 Y"))]) == 0
    assert capsys.readouterr().out.startswith(
        "verification truth: 1 file, 1 problem, 1 same author: 0 findings"
    )


@pytest.mark.parametrize("text", ["", "prose of no format", "a b c", "{}", '"', b"\xff\xfe"])
def test_what_is_not_recognised_is_an_error(write, capsys, text):
    assert status_of(["validate", str(write("file", text))]) == 2
    assert "E632" in capsys.readouterr().err


NAMES = "a.txt a.json a.jsonl a.log a.prototext a.xml obfuscation.json answers.txt qrels".split()  # noqa: SIM905
PARTS = """EN1 Y 0.5 nan 1e999 -1 Q0 0 A < { } [ ] : , " \\ measure key "value": "id": "pair": "same":
    "obfuscation-id": "plagiarism": "detected-plagiarism": "suspicious-document": http://x""".split()  # noqa: SIM905
WORDS = st.sampled_from([*PARTS, "\n", "\r", "\ufeff", "\0", "\u2028"])


@given(
    name=st.sampled_from(NAMES),
    content=st.one_of(st.binary(), st.lists(WORDS).map(lambda words: " ".join(words).encode())),
)
@example(name="a.json", content=b"[" * 100_000)
@example(name="a.jsonl", content=b'{"id": "a", "value": ' + b"[" * 100_000)
@example(name="a.jsonl", content=b'{"id": "\\ud800", "value": 1}')
@example(name="a.txt", content=b"EN1 " + b"9" * 5000)
def test_whatever_a_file_holds_it_is_checked_or_refused(tmp_path_factory, name, content):
    path = tmp_path_factory.mktemp("any") / name
    path.write_bytes(content)
    try:
        findings = validate(path).findings
    except StemmataError as error:
        findings = [error.finding]
    assert all(str(finding).startswith(finding.kind.code) for finding in findings)


@pytest.mark.parametrize("folder", ["02-no-obfuscation", "03-random-obfuscation", "04-obfuscation-by-hand"])
def test_a_corpus_of_pan_xml_is_checked_as_such_whatever_its_folders_are_called(folder, check):
    sound = f'<document reference="s.txt">{case(20, 10, source_offset=20)}</document>'
    files = {f"{folder}/s-o.xml": sound, f"{folder}/s-p.xml": "<document", f"{folder}/pairs": "s.txt o.txt\n"}
    status, findings, report = check(files)
    assert report["kind"] == "PAN XML"
    assert (status, findings) == (1, [("E201", f"{folder}/s-p.xml, line 1")])


TABLE = """\
{"reference": "a.txt", "this_offset": 0, "this_length": 0}
{"reference": "a.txt", "this_offset": 0, "this_length": 5, "source_reference": "b", "source_offset": null}
{"reference": "a.txt", "this_offset": 0, "this_length": 5}
{"reference": "a.txt", "this_offset": 0, "this_length": 5}
{"reference": "a.txt", "this_offset": "x", "this_length": 5}
{"this_offset": 0, "this_length": 5}
{"reference": "a.txt", "this_offset": 98, "this_length": 5}
"""


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_table_is_checked_as_xml_is(form, tmp_path, write):
    path = write("x.jsonl", TABLE)
    expected = ["E207", "E208", "E210", "E210", "E213", "E204", "E216"]
    if form == "parquet":
        pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        rows = [{"source_reference": None} | json.loads(line) for line in TABLE.splitlines()[:4]]
        path = tmp_path / "x.parquet"
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
        expected = ["E207", "E210", "E210", "E213"]
    write("susp/a.txt", "x" * 100)
    report = validate(path, tmp_path / "susp")
    assert report.kind == "annotation table"
    assert sorted(finding.kind.code for finding in report.findings) == sorted(expected)
    assert all(str(finding.place).startswith(f"{path}, feature ") for finding in report.findings)
