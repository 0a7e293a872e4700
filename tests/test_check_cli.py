"""`stemmata check`: one command from a folder of files to a report, whatever is in it."""

import json
import re
import signal
import subprocess
import sys
import time
import zipfile
from html import escape
from pathlib import Path

import pytest

from class_of_essays import paragraphs, write, write_class, write_library
from stemmata.cli import status_of

REPOSITORY = Path(__file__).parents[1]
BOOK, MINE, YOURS, THEIRS = (paragraphs(seed) for seed in (501, 503, 504, 505))


@pytest.fixture(autouse=True)
def _own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = status_of(["check", "--jobs", "1", *map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def class_of_three(tmp_path):
    essays, library = tmp_path / "essays", tmp_path / "library"
    write(essays / "anna.txt", [*MINE[:3], BOOK[1], YOURS[1]])
    write(essays / "bert.docx", [*YOURS[:3]])
    write(essays / "cleo.rtf", [*THEIRS[:3]])
    write(library / "book.html", BOOK, "The Book", "A. Author")
    return essays, library


def content(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "run.json"
    }


# --- A folder of thirty files --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def thirty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("thirty")
    write_class(folder / "essays", write_library(folder / "library", 6))
    return folder


def test_thirty_files_of_six_formats_are_checked_in_one_command(run, thirty, tmp_path):
    how = ("--among", "--with", "shingles", "--format", "json", "-o", tmp_path / "report.html")
    status, out, err = run(thirty / "essays", "--against", thirty / "library", *how)
    said = json.loads(out)
    assert (status, err) == (1, "")
    assert [failure["name"] for failure in said["failures"]] == ["essay-11.pdf"]
    assert said["failures"][0]["reason"].startswith("E750 ")
    documents = {one["name"]: one for one in said["documents"]}
    assert len(documents) == 29
    assert documents["essay-07.html"]["length"] == 0
    for number in range(0, 30, 3):
        book = f"book-{number % 6:02}"
        (copied,) = [one for name, one in documents.items() if name.startswith(f"essay-{number:02}")]
        assert any(source["name"].startswith(book) for source in copied["sources"]), copied["name"]
        assert copied["share"] >= max(source["share"] for source in copied["sources"])
        assert copied["share"] == pytest.approx(sum(source["adds"] for source in copied["sources"]))
    quoting = documents["essay-01.html"]
    assert quoting["share"] > 0.1 > quoting["share_without_quotations"]
    pages = sorted(path.name for path in (tmp_path / "report_files").glob("*.html"))
    assert len(pages) == 29
    overview = (tmp_path / "report.html").read_text("utf-8")
    assert sorted(set(re.findall(r'href="report_files/([^"#]+)"', overview))) == pages


# --- Forms of the report -------------------------------------------------------------------------------


def test_one_document_gives_one_page(run, class_of_three, tmp_path):
    essays, library = class_of_three
    status, out, _ = run(essays / "anna.txt", "--against", library)
    assert status == 0
    assert "1 document checked against 1 in the collection" in out
    assert "The report: report.html" in out
    assert sorted(content(tmp_path / "work")) == ["report.html"]
    assert '"single":true' in (tmp_path / "work" / "report.html").read_text("utf-8")


def test_the_json_holds_what_a_program_needs(run, class_of_three, tmp_path):
    essays, library = class_of_three
    status, out, _ = run(essays / "anna.txt", "--against", library, "--format", "json")
    said = json.loads(out)
    assert status == 0
    assert content(tmp_path / "work") == {}
    (document,) = said["documents"]
    (source,) = document["sources"]
    assert (source["name"], source["title"], source["author"]) == ("book.html", "The Book", "A. Author")
    (one,) = source["detections"]
    text = (essays / "anna.txt").read_text()
    assert text[one["offset"] : one["offset"] + one["length"]] in text_with(BOOK[1], text)
    assert one["kind"] == "verbatim"
    assert document["share"] == pytest.approx(one["length"] / document["length"])
    assert (said["collection"], said["failures"]) == (1, [])
    assert said["signature"].startswith("stemmata:")
    run(essays / "anna.txt", "--against", library, "-o", "report.json")
    written = json.loads((tmp_path / "work" / "report.json").read_text("utf-8"))
    assert written.pop("made_by").startswith("Stemmata ")
    assert written == said


def text_with(copied, text):
    """What stands around a copied paragraph: aligners take a word more or less."""
    at = text.index(copied)
    return text[max(0, at - 40) : at + len(copied) + 40]


def test_essays_among_themselves(run, class_of_three):
    essays, _ = class_of_three
    status, out, _ = run(essays, "--among", "--format", "json")
    said = json.loads(out)
    found = {one["name"]: [source["name"] for source in one["sources"]] for one in said["documents"]}
    assert (status, found) == (0, {"anna.txt": ["bert.docx"], "bert.docx": ["anna.txt"], "cleo.rtf": []})
    assert (said["collection"], said["among"]) == (None, True)


def test_an_archive_of_essays_against_an_archive_of_books(run, class_of_three, tmp_path):
    essays, library = class_of_three
    for folder in (essays, library):
        with zipfile.ZipFile(folder.with_suffix(".zip"), "w") as packed:
            for path in sorted(folder.iterdir()):
                packed.write(path, path.name)
    status, out, _ = run(essays.with_suffix(".zip"), "--against", library.with_suffix(".zip"), "-f", "json")
    from_folders = json.loads(run(essays, "--against", library, "-f", "json")[1])
    assert (status, json.loads(out)) == (0, from_folders)


def test_pages_of_sources_and_documents_are_told_where_the_format_has_them(run, tmp_path):
    write(tmp_path / "essay.pdf", [MINE[0], MINE[1], BOOK[2]])
    write(tmp_path / "library" / "book.pdf", BOOK, "The Book")
    said = json.loads(run(tmp_path / "essay.pdf", "--against", tmp_path / "library", "-f", "json")[1])
    ((one,),) = [source["detections"] for source in said["documents"][0]["sources"]]
    assert (one["page"], one["source_page"]) == (3, 3)


def test_an_index_takes_the_place_of_the_folder(run, class_of_three, tmp_path):
    from stemmata.formats.collections import read_collection
    from stemmata.reuse.index import build

    essays, library = class_of_three
    for number in range(5):
        write(library / f"filler-{number}.txt", paragraphs(800 + number))
    build(tmp_path / "index", read_collection([library], print))
    from_index = json.loads(run(essays, "--against", tmp_path / "index", "-f", "json")[1])
    from_folder = json.loads(run(essays, "--against", library, "-f", "json")[1])
    for said in (from_index, from_folder):
        for document in said["documents"]:
            for source in document["sources"]:
                source["score"] = None
    assert from_index == from_folder


def test_anonymous_reports_name_no_document(run, class_of_three, tmp_path):
    essays, library = class_of_three
    (essays / "dora.pdf").write_bytes(b"%PDF-1.4\nbroken")
    status, out, _ = run(essays, "--against", library, "--among", "--anonymous", "-o", "report.html")
    run(essays, "--against", library, "--among", "--anonymous", "-o", "report.json")
    assert status == 1
    written = content(tmp_path / "work")
    assert sorted(written) == [
        "report.html",
        "report.json",
        *(f"report_files/00{n}.html" for n in (1, 2, 3)),
    ]
    secret = re.compile("anna|bert|cleo|dora|book|The Book|A. Author")
    assert [name for name, data in written.items() if secret.search(data.decode())] == []
    assert not secret.search(out)
    assert "Document 2" in written["report.html"].decode()


def test_one_pair_is_no_plural(run, tmp_path):
    run(Path(__file__).parents[1] / "examples" / "check" / "essays", "--among", "-o", "report.html")
    assert "<dt>pair that shares text</dt><dd>1</dd>" in content(tmp_path / "work")["report.html"].decode()


def test_the_same_check_writes_the_same_bytes(run, class_of_three, tmp_path):
    essays, library = class_of_three
    run(essays, "--against", library, "--among")
    first = content(tmp_path / "work")
    run(essays, "--against", library, "--among", "--jobs", "2")
    assert content(tmp_path / "work") == first


# --- Bad input -----------------------------------------------------------------------------------------


def test_a_broken_document_does_not_stop_the_rest(run, class_of_three, tmp_path):
    essays, library = class_of_three
    (essays / "broken.docx").write_bytes(b"PK\x03\x04 not a document")
    (library / "broken.odt").write_bytes(b"PK\x03\x04 not a document")
    status, out, err = run(essays, "--against", library)
    assert (status, err) == (1, "")
    assert "3 documents checked" in out
    assert re.search(r"broken\.docx +E75\d", out)
    assert re.search(r"broken\.odt +E75\d", out)
    assert "broken.docx" in (tmp_path / "work" / "report.html").read_text("utf-8")


def test_a_single_broken_document_is_told_and_its_page_says_so(run, class_of_three, tmp_path):
    _, library = class_of_three
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4\nbroken")
    status, out, _ = run(tmp_path / "broken.pdf", "--against", library)
    assert status == 1
    assert "E750" in out
    assert "Could not be checked: E750" in (tmp_path / "work" / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["essays"], "E791"),
        (["nowhere", "--among"], "E101"),
        (["essays", "--against", "nowhere"], "E101"),
        (["essays", "--against", "empty"], "E791"),
        (["empty", "--among"], "E783"),
        (["essays/anna.txt", "--among"], "E790"),
        (["essays", "--among", "--with", "stemata"], "E501"),
        (["essays", "--against", "library", "--most-sources", "0"], "E001"),
        (["essays/anna.txt", "--against", "library", "-o", "empty"], "E107"),
        (["essays", "--against", "library", "-o", "empty"], "E107"),
    ],
)
def test_bad_input_is_told_in_one_line(run, class_of_three, tmp_path, monkeypatch, arguments, code):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"stemmata: {code} ")
    assert err.count("\n") == 1
    assert not (tmp_path / "report.html").exists()


def test_an_unknown_retriever_is_told_even_if_it_is_not_needed(run, class_of_three):
    essays, library = class_of_three
    status, _, err = run(essays, "--against", library, "--retriever", "nobody")
    assert status == 2
    assert "E501" in err


def test_a_folder_with_other_things_is_not_replaced(run, class_of_three, tmp_path):
    essays, library = class_of_three
    precious = tmp_path / "work" / "report_files" / "thesis.docx"
    precious.parent.mkdir()
    precious.write_text("precious")
    status, _, err = run(essays, "--against", library)
    assert status == 2
    assert "E107" in err
    assert "thesis.docx" in err
    assert content(tmp_path / "work") == {"report_files/thesis.docx": b"precious"}


def test_hostile_names_and_texts_do_no_harm(run, tmp_path):
    attack = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    essays = tmp_path / "essays"
    write(essays / "<img src=x onerror=alert(1)>.txt", [MINE[0], attack, BOOK[1]])
    write(essays / "..%2f..\\evil.html", [YOURS[0], escape(attack)], attack, f'"{attack}')
    write(essays / "\u202etxt.exe.txt", [THEIRS[0], BOOK[1]])
    (essays / "line\nbreak.txt").write_text("text")
    status, out, _ = run(essays, "--among")
    assert status == 1
    assert "E784" in out
    written = content(tmp_path / "work")
    for name, data in written.items():
        page = data.decode()
        programs = re.findall(r"<script(?![^>]*application/json)[^>]*>", page)
        assert len(programs) == 1, name
        assert "<img" not in page, name


def test_a_killed_check_leaves_no_half_report(thirty, tmp_path):
    out = tmp_path / "work" / "report.html"
    start = [sys.executable, "-c", "from stemmata.cli import run; run()", "check"]
    options = ["--against", thirty / "library", "-o", out, "-j", "1"]
    process = subprocess.Popen([*start, thirty / "essays", *options])
    for _ in range(3000):
        if process.poll() is not None or len(list(out.parent.glob(".report_files.*/new/*.html"))) > 2:
            break
        time.sleep(0.01)
    assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert [path.name for path in out.parent.iterdir() if not path.name.startswith(".")] == []
    status_of(["check", str(thirty / "essays" / "essay-00.txt"), "--against", str(thirty / "library")])
    assert list((tmp_path / "cache" / "stemmata").iterdir()) == []


def test_the_example_of_the_documentation_prints_what_is_shown_there(run):
    page = (REPOSITORY / "docs" / "check.md").read_text("utf-8")
    command, shown = re.search(r"\n\$ stemmata check (.*)\n((?:.*\n)*?)```", page).groups()
    arguments = [REPOSITORY / one if one.startswith("examples/") else one for one in command.split()]
    assert run(*arguments)[:2] == (0, shown)


def test_the_help_shows_an_example(capsys):
    assert status_of(["check", "--help"]) == 0
    assert "Example: stemmata check" in capsys.readouterr().out
