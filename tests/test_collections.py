"""Collections as they come: folders, archives, records; hostile ones are told of, and the rest goes on."""

import io
import json
import os
import struct
import tarfile
import zipfile
from pathlib import Path
from time import process_time

import pytest

from rich_files import docx, odt, pdf
from stemmata.formats import archives, rich_documents
from stemmata.formats.collections import SourceDocument, count_documents, read_collection
from stemmata.model import Finding


def read(*paths: Path, jobs: int = 1) -> tuple[list[SourceDocument], list[str]]:
    """Give the documents of a collection, and the codes of what was wrong."""
    findings: list[Finding] = []
    documents = list(read_collection(paths, findings.append, jobs))
    return documents, [finding.kind.code for finding in findings]


def texts(documents: list[SourceDocument]) -> dict[str, str]:
    return {document.name: document.text.strip() for document in documents}


def zip_of(path: Path, members: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return path


def tar_of(path: Path, members: dict[str, bytes], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


class TestFolders:
    def test_documents_are_named_by_their_paths_in_the_folder_in_order(self, write, tmp_path):
        write("c/b.txt", "two")
        write("c/a/z.txt", "one")
        write("c/d.md", "three")
        documents, codes = read(tmp_path / "c")
        assert ([document.name for document in documents], codes) == (["a/z.txt", "b.txt", "d.md"], [])
        assert texts(documents)["a/z.txt"] == "one"

    def test_hidden_files_and_files_that_are_no_documents_are_passed_over(self, write, tmp_path):
        for name in (".hidden.txt", ".git/a.txt", "picture.png", "a.txt", "code.py"):
            write(f"c/{name}", "text")
        documents, codes = read(tmp_path / "c")
        assert ([document.name for document in documents], codes) == (["a.txt"], [])

    def test_a_single_file_is_named_by_itself_whatever_its_ending(self, write, tmp_path):
        assert texts(read(write("c/notes", "some words"))[0]) == {"notes": "some words"}

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_documents_of_office_programs_are_read_in_order_with_their_pages(self, write, tmp_path, jobs):
        pytest.importorskip("pypdf")
        write("c/a.pdf", pdf(["First page.", "Second page."], title="A title"))
        write("c/b.docx", docx("In a document."))
        write("c/c.odt", odt("<text:p>Open text.</text:p>"))
        write("c/d.html", "<html><title>T</title><body><p>A page.</p></body></html>")
        write("c/e.txt", "Plain.")
        write("c/f.rtf", r"{\rtf1 Rich.}")
        documents, codes = read(tmp_path / "c", jobs=jobs)
        assert codes == []
        assert [document.format for document in documents] == ["pdf", "docx", "odt", "html", "text", "rtf"]
        assert (documents[0].title, len(documents[0].pages)) == ("A title", 2)
        assert documents[1].text.strip() == "In a document."

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_a_file_that_cannot_be_read_is_told_of_and_the_rest_goes_on(self, write, tmp_path, jobs):
        write("c/a.txt", "one")
        write("c/b.pdf", b"%PDF-1.4\ngarbage" * 20)
        write("c/c.docx", b"no archive")
        write("c/d.txt", "two")
        (tmp_path / "c/e.txt").symlink_to(tmp_path / "nowhere")
        os.mkfifo(tmp_path / "c/f.txt")
        documents, codes = read(tmp_path / "c", jobs=jobs)
        assert texts(documents) == {"a.txt": "one", "d.txt": "two"}
        assert codes == ["E750", "E750", "E102", "E102"]

    def test_a_path_that_does_not_exist_is_told_of(self, write, tmp_path):
        documents, codes = read(tmp_path / "absent", write("a.txt", "one"))
        assert (texts(documents), codes) == ({"a.txt": "one"}, ["E101"])

    def test_a_ring_of_links_ends(self, write, tmp_path):
        write("c/a.txt", "one")
        (tmp_path / "c/ring").symlink_to(tmp_path / "c")
        assert texts(read(tmp_path / "c")[0]) == {"a.txt": "one"}

    def test_a_name_with_control_characters_is_told_of(self, tmp_path):
        (tmp_path / "c").mkdir()
        (tmp_path / "c" / "a\nb.txt").write_text("one")
        os.close(os.open(os.fsencode(tmp_path / "c") + b"/\xff.txt", os.O_CREAT))
        assert read(tmp_path / "c") == ([], ["E784", "E784"])

    def test_empty_documents_are_documents(self, write, tmp_path):
        write("c/a.txt", "")
        assert texts(read(tmp_path / "c")[0]) == {"a.txt": ""}


class TestArchives:
    def test_members_are_named_as_in_the_archive_and_below_it_in_a_folder(self, tmp_path):
        (tmp_path / "c").mkdir()
        path = zip_of(tmp_path / "c" / "x.zip", {"a.txt": "one", "d/b.txt": "two", "d/": b"", ".c.txt": "no"})
        assert texts(read(path)[0]) == {"a.txt": "one", "d/b.txt": "two"}
        assert texts(read(tmp_path / "c")[0]) == {"x.zip/a.txt": "one", "x.zip/d/b.txt": "two"}

    @pytest.mark.parametrize(
        ("ending", "mode"),
        [("tar", "w"), ("tar.gz", "w:gz"), ("tgz", "w:gz"), ("tar.bz2", "w:bz2"), ("txz", "w:xz")],
    )
    def test_tar_is_read_however_it_is_packed(self, tmp_path, ending, mode):
        members = {
            "./a.txt": b"one",
            "d/b.html": b"<html><body>two</body></html>",
            "big.txt": b"words " * 50_000,
        }
        documents, codes = read(tar_of(tmp_path / f"x.{ending}", members, mode))
        assert codes == []
        assert texts(documents) == {"a.txt": "one", "d/b.html": "two", "big.txt": ("words " * 50_000).strip()}

    def test_records_in_an_archive_are_read(self, tmp_path):
        path = zip_of(tmp_path / "x.zip", {"r.jsonl": '{"id": "a", "text": "one"}\n{"text": "two"}\n'})
        assert texts(read(path)[0]) == {"a": "one", "r.jsonl:2": "two"}

    UNSAFE = ("../up.txt", "/abs.txt", "d/../../up.txt", "C:/a.txt", "..\\up.txt", "\\\\server\\a.txt")

    @pytest.mark.parametrize("name", UNSAFE)
    def test_a_name_that_leads_elsewhere_is_refused(self, tmp_path, name):
        members = {name: b"evil", "good.txt": b"good"}
        for path in (zip_of(tmp_path / "x.zip", members), tar_of(tmp_path / "x.tar", members)):
            documents, codes = read(path)
            assert (texts(documents), codes) == ({"good.txt": "good"}, ["E779"])
        assert sorted(one.name for one in tmp_path.rglob("*")) == ["x.tar", "x.zip"]

    def test_links_and_devices_are_refused(self, tmp_path):
        with tarfile.open(tmp_path / "x.tar", "w") as archive:
            for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
                info = tarfile.TarInfo(f"{kind!r}.txt")
                info.type, info.linkname = kind, "/etc/passwd"
                archive.addfile(info)
            info = tarfile.TarInfo("good.txt")
            info.size = 4
            archive.addfile(info, io.BytesIO(b"good"))
        documents, codes = read(tmp_path / "x.tar")
        assert (texts(documents), codes) == ({"good.txt": "good"}, ["E779"] * 4)
        with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
            link = zipfile.ZipInfo("link.txt")
            link.external_attr = 0o120777 << 16
            archive.writestr(link, "/etc/passwd")
            archive.writestr("good.txt", "good")
        documents, codes = read(tmp_path / "x.zip")
        assert (texts(documents), codes) == ({"good.txt": "good"}, ["E779"])

    @pytest.fixture
    def low_limits(self, monkeypatch):
        monkeypatch.setattr(archives, "MOST_MEMBER_BYTES", 2 << 20)
        monkeypatch.setattr(archives, "FREE_BYTES", 1 << 18)

    def test_a_bomb_is_named_and_the_rest_goes_on(self, tmp_path, low_limits):
        members = {
            "a.txt": "one",
            "ratio.txt": "0" * (1 << 20),
            "large.txt": os.urandom(3 << 20),
            "z.txt": "two",
        }
        findings: list[Finding] = []
        documents = list(read_collection([zip_of(tmp_path / "x.zip", members)], findings.append))
        assert texts(documents) == {"a.txt": "one", "z.txt": "two"}
        assert [finding.kind.code for finding in findings] == ["E780", "E780"]
        assert "'ratio.txt'" in findings[0].message
        assert "'large.txt'" in findings[1].message

    @pytest.mark.parametrize(
        ("ending", "mode"), [("tar.gz", "w:gz"), ("tar.xz", "w:xz"), ("tar.bz2", "w:bz2")]
    )
    def test_a_bomb_in_a_tar_ends_the_reading_of_it(self, write, tmp_path, low_limits, ending, mode):
        (tmp_path / "c").mkdir()
        members = {"a.txt": b"one", "bomb.txt": bytes(1 << 24), "z.txt": b"two"}
        tar_of(tmp_path / "c" / f"x.{ending}", members, mode)
        write("c/y.txt", "three")
        documents, codes = read(tmp_path / "c")
        assert texts(documents) == {f"x.{ending}/a.txt": "one", "y.txt": "three"}
        assert codes == ["E780"]

    def test_many_members_that_share_their_bytes_are_a_bomb(self, tmp_path, low_limits):
        zip_of(tmp_path / "one.zip", {"a.txt": os.urandom(50_000).hex()}, zipfile.ZIP_STORED)
        data = (tmp_path / "one.zip").read_bytes()
        start = data.index(b"PK\x01\x02")
        entry, end = data[start : data.index(b"PK\x05\x06")], data[data.index(b"PK\x05\x06") :]
        count = 600
        end = end[:8] + struct.pack("<HHLL", count, count, count * len(entry), start) + end[20:]
        path = tmp_path / "many.zip"
        path.write_bytes(data[:start] + entry * count + end)
        documents, codes = read(path)
        assert codes
        most = archives.MOST_RATIO * path.stat().st_size + archives.FREE_BYTES
        assert 0 < sum(len(document.text) for document in documents) <= most < count * 100_000

    def test_a_header_in_a_tar_that_claims_to_be_huge_is_not_read(self, tmp_path, low_limits):
        info = tarfile.TarInfo("pax")
        info.type, info.size = tarfile.XHDTYPE, 1 << 33
        (tmp_path / "x.tar").write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
        assert read(tmp_path / "x.tar") == ([], ["E780"])

    def test_an_archive_in_an_archive_is_not_opened(self, tmp_path):
        inner = zip_of(tmp_path / "inner.zip", {"a.txt": "one"}).read_bytes()
        documents, codes = read(zip_of(tmp_path / "x.zip", {"inner.zip": inner, "b.txt": "two"}))
        assert (texts(documents), codes) == ({"b.txt": "two"}, ["E780"])

    @pytest.mark.parametrize("ending", ["zip", "tar", "tar.gz", "tar.xz", "tar.bz2"])
    @pytest.mark.parametrize("content", [b"", b"no archive at all" * 100, b"PK\x05\x06", b"\x1f\x8b\x08"])
    def test_what_is_no_archive_is_told(self, write, ending, content):
        documents, codes = read(write(f"x.{ending}", content))
        assert documents == []
        assert codes == (["E781"] if content or not ending.startswith("tar.") else codes)

    def test_damage_in_one_member_of_a_zip_leaves_the_others(self, tmp_path):
        path = zip_of(tmp_path / "x.zip", {"a.txt": "one" * 50, "b.txt": "two" * 50}, zipfile.ZIP_STORED)
        data = path.read_bytes()
        path.write_bytes(data.replace(b"one" * 50, b"oNe" * 50))
        documents, codes = read(path)
        assert (texts(documents), codes) == ({"b.txt": "two" * 50}, ["E786"])

    def test_a_tar_that_is_cut_off_is_read_up_to_there(self, tmp_path):
        path = tar_of(tmp_path / "x.tar.gz", {"a.txt": b"one", "b.txt": os.urandom(100_000)}, "w:gz")
        path.write_bytes(path.read_bytes()[:50_000])
        documents, codes = read(path)
        assert (texts(documents), codes) == ({"a.txt": "one"}, ["E786"])

    def test_a_member_under_a_password_is_told(self, tmp_path):
        path = zip_of(tmp_path / "x.zip", {"a.txt": "one", "b.txt": "two"})
        data = bytearray(path.read_bytes())
        data[data.index(b"PK\x01\x02") + 8] |= 1
        path.write_bytes(data)
        documents, codes = read(path)
        assert (texts(documents), codes) == ({"b.txt": "two"}, ["E779"])


def test_a_document_that_no_reader_can_read_does_not_stop_the_rest(write, tmp_path, monkeypatch):
    def fail(page: str) -> str:
        raise MemoryError

    monkeypatch.setattr(rich_documents, "page_text", fail)
    write("c/a.html", "<p>one")
    write("c/b.txt", "two")
    zip_of(tmp_path / "c" / "x.zip", {"a.html": "<p>one", "b.txt": "two"})
    documents, codes = read(tmp_path / "c")
    assert (texts(documents), codes) == ({"b.txt": "two", "x.zip/b.txt": "two"}, ["E753", "E753"])


FOUR = {f"d{n}.txt": f"document {n}".encode() for n in range(4)}


class TestDamagedTar:
    """A .tar is whole only if it ends with the mark of its end; what is lost is reported."""

    def test_a_bit_in_a_header_is_reported(self, tmp_path):
        path = tar_of(tmp_path / "x.tar", FOUR)
        data = bytearray(path.read_bytes())
        data[data.index(b"d2.txt")] ^= 1
        path.write_bytes(data)
        documents, codes = read(path)
        assert (sorted(texts(documents)), codes) == (["d0.txt", "d1.txt"], ["E781"])

    @pytest.mark.parametrize("length", [0, 512, 1024, 2048, 4 * 1024])
    def test_a_cut_between_members_is_reported(self, tmp_path, length):
        path = tar_of(tmp_path / "x.tar", FOUR)
        path.write_bytes(path.read_bytes()[:length])
        assert read(path)[1] in (["E781"], ["E786"])

    def test_a_cut_behind_the_last_member_of_a_packed_one_is_reported(self, tmp_path):
        path = tar_of(tmp_path / "x.tar.gz", FOUR, "w:gz")
        path.write_bytes(path.read_bytes()[:-4])
        assert read(path)[1] == ["E781"]

    def test_a_header_of_digits_takes_no_time(self, tmp_path):
        info = tarfile.TarInfo("x")
        info.type, info.size = tarfile.XHDTYPE, 1_000_000
        data = info.tobuf(format=tarfile.USTAR_FORMAT) + b"1" * 1_000_000 + bytes(448 + 1024)
        (tmp_path / "x.tar").write_bytes(data)
        started = process_time()
        assert read(tmp_path / "x.tar")[1] == ["E781"]
        assert process_time() - started < 2

    @pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
    def test_long_names_are_read_in_every_form(self, tmp_path, form):
        names = ["a" * 90 + "/" + "b" * 90 + ".txt"] + ["é" * 120 + ".txt"] * (form != tarfile.USTAR_FORMAT)
        with tarfile.open(tmp_path / "x.tar", "w", format=form) as archive:
            for name in names:
                info = tarfile.TarInfo(name)
                info.size = 3
                archive.addfile(info, io.BytesIO(b"one"))
        documents, codes = read(tmp_path / "x.tar")
        assert (texts(documents), codes) == (dict.fromkeys(names, "one"), [])

    @pytest.mark.parametrize("name", ["x.zip", "x.tar", "x.tar.gz", "x.txz"])
    def test_an_archive_that_is_no_regular_file_is_not_waited_for(self, tmp_path, name):
        os.mkfifo(tmp_path / name)
        assert read(tmp_path / name)[1] == ["E102"]
        (tmp_path / f"zero-{name}").symlink_to("/dev/zero")
        assert read(tmp_path / f"zero-{name}")[1] == ["E102"]


class TestRecords:
    def test_lines_of_json_are_documents_with_whatever_they_say(self, write):
        lines = [
            {"id": "a", "text": "one", "title": "T", "author": "A", "url": "u", "date": 1999, "tags": [1]},
            {"name": "b", "text": "two", "title": None},
            {"id": 7, "text": ""},
            {"text": "three"},
        ]
        path = write("x.jsonl", "\ufeff" + "\n\n".join(json.dumps(line) for line in lines))
        documents, codes = read(path)
        assert codes == []
        assert texts(documents) == {"a": "one", "b": "two", "7": "", "x.jsonl:7": "three"}
        first = documents[0]
        assert (first.title, first.author, first.url, first.date) == ("T", "A", "u", "1999")
        assert (first.extra, first.format) == ({"tags": [1]}, "jsonl")

    @pytest.mark.parametrize(
        "line",
        [
            b"{", b"[]", b"7", b'{"id": "a"}', b'{"text": 7}', b'{"id": [], "text": "x"}', b'"\xff"',
            b'{"id": true, "text": "x"}', b'{"text": "\\ud800"}', b"[" * 100_000,
        ],
    )  # fmt: skip
    def test_a_bad_line_is_told_with_its_number_and_the_rest_goes_on(self, write, line):
        path = write("x.jsonl", b'{"id": "a", "text": "one"}\n' + line + b'\n{"id": "b", "text": "two"}\n')
        findings: list[Finding] = []
        documents = list(read_collection([path], findings.append))
        assert texts(documents) == {"a": "one", "b": "two"}
        assert [str(finding.place) for finding in findings] == [f"{path}, line 2"]

    def test_rows_of_parquet_are_documents(self, tmp_path):
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        rows = {
            "id": [f"r{n}" for n in range(2000)],
            "text": [f"text {n}" for n in range(2000)],
            "year": [1] * 2000,
        }
        parquet.write_table(pyarrow.table(rows), tmp_path / "x.parquet", row_group_size=300)
        documents, codes = read(tmp_path / "x.parquet")
        assert (len(documents), codes) == (2000, [])
        assert (documents[1999].name, documents[1999].text, documents[0].extra) == (
            "r1999",
            "text 1999",
            {"year": 1},
        )

    def test_what_is_no_parquet_or_has_no_text_is_told(self, write, tmp_path):
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        parquet.write_table(pyarrow.table({"id": ["a"]}), tmp_path / "y.parquet")
        assert read(write("x.parquet", b"no parquet"), tmp_path / "y.parquet")[1] == ["E102", "E216"]


def test_documents_are_counted_without_reading_them(write, tmp_path):
    write("c/a.txt", "one")
    write("c/b.jsonl", '{"text": "x"}\n{"text": "y"}\n')
    zip_of(tmp_path / "c" / "x.zip", {"a.txt": "one", "b.txt": "two"})
    tar_of(tmp_path / "c" / "x.tar.gz", {"a.txt": b"one"}, "w:gz")
    assert count_documents([tmp_path / "c"]) == 6
