"""`stemmata index`: one command from files to an index; what cannot be read is told, the rest is there."""

import json
import os
import zipfile

import pytest

from index_documents import text
from rich_files import docx, pdf
from stemmata.cli import status_of
from stemmata.reuse.index import Findings, Index

pytest.importorskip("tantivy")


@pytest.fixture
def index(tmp_path, capsys):
    """Run ``stemmata index …`` and give status, what was printed as JSON, and what was said."""

    def call(command, *arguments):
        given = ["index", command, str(tmp_path / "index"), *map(str, arguments), "--format", "json"]
        status = status_of(given)
        out, err = capsys.readouterr()
        return status, (json.loads(out) if out else None), err

    return call


@pytest.fixture
def collection(write, tmp_path):
    for number in range(6):
        write(f"docs/part{number % 2}/d{number}.txt", text(number))
    return tmp_path / "docs"


def test_a_folder_of_files_of_all_kinds_is_indexed_in_one_command(index, collection, write, tmp_path):
    pytest.importorskip("pypdf")
    write("docs/report.pdf", pdf(["First page of it.", "Second page of it."], title="Report"))
    write("docs/essay.docx", docx("An essay of a few words."))
    write("docs/page.html", "<html><title>Page</title><body><p>Words on a page.</p></body></html>")
    write("docs/records.jsonl", '{"id": "r1", "text": "A record.", "author": "N. N.", "year": 1999}\n')
    with zipfile.ZipFile(tmp_path / "docs" / "more.zip", "w") as archive:
        archive.writestr("inside.txt", "Words in an archive.")
    status, said, _ = index("build", collection, "--jobs", "1")
    assert (status, said["added"], said["failed"], said["documents"]) == (0, 11, 0, 11)
    opened = Index.open(tmp_path / "index")
    assert opened.number_of("more.zip/inside.txt") is not None
    found = opened.document(opened.number_of("report.pdf"))
    assert (found.metadata, len(found.pages)) == ({"title": "Report", "format": "pdf"}, 2)
    record = opened.document(opened.number_of("r1"))
    assert record.metadata == {"author": "N. N.", "year": 1999, "format": "jsonl"}


def test_what_cannot_be_read_is_told_and_the_rest_is_there(index, collection, write):
    write("docs/corrupt.pdf", b"%PDF-1.7\n" + bytes(range(256)) * 9)
    with zipfile.ZipFile(collection / "evil.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../escaped.txt", "evil")
        archive.writestr("bomb.txt", b"0" * (20 << 20))
        archive.writestr("good.txt", "good words")
    status, said, _ = index("build", collection, "--jobs", "1")
    assert (status, said["documents"], said["failed"]) == (1, 7, 3)
    assert [one["code"] for one in said["failures"]] == ["E750", "E779", "E780"]
    assert "bomb.txt" in said["failures"][2]["reason"]
    assert not list(collection.parent.rglob("escaped.txt"))


def test_adding_replaces_what_changed_and_leaves_what_did_not(index, collection, write):
    index("build", collection)
    write("docs/part0/d0.txt", text(77))
    write("docs/new.txt", text(78))
    status, said, _ = index("add", collection)
    assert (status, said["added"], said["replaced"], said["unchanged"]) == (0, 2, 1, 5)
    assert said["replaced_names"] == ["part0/d0.txt"]
    assert index("info")[1]["documents"] == 7


def test_near_duplicates_are_told(index, collection, write):
    write("docs/twin.txt", text(3))
    said = index("build", collection)[1]
    assert said["duplicates"] == 1
    assert said["duplicate_pairs"] == [["twin.txt", "part1/d3.txt", 1.0]]
    assert index("info", "--duplicates")[1]["duplicate_pairs"] == said["duplicate_pairs"]


def test_removing_and_telling_what_is_left(index, collection):
    index("build", collection)
    status, said, _ = index("remove", "part0/d0.txt", "part1/d1.txt")
    assert (status, said) == (0, {"index": said["index"], "removed": 2, "documents": 4})
    told = index("info", "--names")[1]
    assert told["names"] == ["part0/d2.txt", "part0/d4.txt", "part1/d3.txt", "part1/d5.txt"]
    assert told["languages"] == {"en": 4}


@pytest.mark.parametrize(
    ("command", "arguments", "code"),
    [
        ("build", ["empty"], "E783"),
        ("build", ["no/such/folder"], "E101"),
        ("build", ["docs", "no-such-file"], "E101"),
        ("add", ["docs"], "E770"),
        ("remove", ["x"], "E770"),
        ("info", [], "E770"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(index, collection, tmp_path, command, arguments, code):
    (tmp_path / "empty").mkdir()
    given = [tmp_path / one if (tmp_path / one).exists() else one for one in arguments]
    status, said, err = index(command, *given)
    assert (status, said, err.count("\n")) == (2, None, 1)
    assert err.startswith(f"stemmata: {code} ")
    assert not (tmp_path / "index").exists()


def test_an_index_is_not_built_twice(index, collection):
    index("build", collection)
    status, _, err = index("build", collection)
    assert (status, err[:15]) == (2, "stemmata: E773 ")


def test_where_nothing_can_be_read_no_index_is_begun(index, write, tmp_path, capsys):
    status, said, _ = index("build", write("docs/bad.pdf", b"%PDF-1.4 no"))
    assert (status, said["index"], said["failed"], said["documents"]) == (1, None, 1, 0)
    assert not (tmp_path / "index").exists()
    assert status_of(["index", "build", str(tmp_path / "index"), str(tmp_path / "docs")]) == 1
    said = capsys.readouterr().out
    assert "nothing was written" in said
    assert "in the index" not in said


def test_of_many_failures_the_first_are_told_and_all_are_counted(index, write, monkeypatch):
    monkeypatch.setattr(Findings.__init__, "__defaults__", (3,))
    lines = ['{"id": "good", "text": "Some words."}\n'] + 5 * ["no record\n"]
    lines += 4 * ['{"id": "good", "text": "Some words."}\n']
    status, said, _ = index("build", write("docs.jsonl", "".join(lines)))
    assert (status, said["failed"], len(said["failures"]), said["added"]) == (1, 9, 3, 1)


def test_tables_are_for_people(collection, tmp_path, capsys):
    assert status_of(["index", "build", str(tmp_path / "index"), str(collection)]) == 0
    assert "in the index       6" in capsys.readouterr().out
    assert status_of(["index", "info", str(tmp_path / "index")]) == 0
    assert ["documents", "6"] in [line.split() for line in capsys.readouterr().out.splitlines()]


def test_without_the_extra_it_is_named(collection, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tantivy", None)
    assert status_of(["index", "build", str(tmp_path / "index"), str(collection)]) == 2
    assert "pip install 'stemmata[index]'" in capsys.readouterr().err


def test_help_shows_an_example(capsys):
    for command in ("build", "add", "remove", "info"):
        assert status_of(["index", command, "--help"]) == 0
        assert f"stemmata index {command} my-index" in " ".join(capsys.readouterr().out.split())


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")
def test_progress_is_shown_on_a_terminal_only(collection, tmp_path):
    import pty
    import subprocess
    import sys

    def run(name, **streams):
        command = [
            sys.executable,
            "-m",
            "stemmata.cli",
            "index",
            "build",
            str(tmp_path / name),
            str(collection),
        ]
        command[1:3] = ["-c", "from stemmata.cli import run; run()"]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, **streams)

    assert run("one", stderr=subprocess.PIPE).stderr == b""
    ours, theirs = pty.openpty()
    run("two", stderr=theirs)
    os.close(theirs)
    assert b"Indexing" in os.read(ours, 100_000)
    os.close(ours)


def test_a_link_to_itself_is_an_input_that_cannot_be_read(index, tmp_path):
    loop = tmp_path / "a.zip"
    loop.symlink_to("a.zip")
    status, _, err = index("build", loop)
    assert status != 0
    assert "E003" not in err
