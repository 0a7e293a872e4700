"""`stemmata data`: known corpora, copies that are checked before they are believed, and ids for paths."""

import io
import json
import lzma
import os
import re
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

from stemmata.cli import app, status_of
from stemmata.cli.paths import path as readable
from stemmata.corpora import bundles, manifest, registration
from stemmata.corpora.demo import build_demo_corpus
from stemmata.corpora.fingerprints import (
    Content,
    belongs,
    below,
    differences,
    digest,
    find_root,
    pack_table,
    read_content,
    unpack_table,
)
from stemmata.corpora.layouts import LAYOUTS
from stemmata.formats import tar_members
from stemmata.model import StemmataError

SMALL = {"list.csv": b"a,1\n", "texts/a.txt": b"alpha", "texts/b.txt": b"beta\r\n", "texts/ж.txt": b""}
FACTS = """
[[dataset]]
id = "own/small"
title = "A small corpus"
task = "text-reuse"
languages = ["en"]
counts = { answers = 3 }
licence = "none"
citation = "Nobody: Nothing, 2024"
url = "https://example.org/small"
layout = "own"
optional = ["all"]
"""


@pytest.fixture(autouse=True)
def data_home(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_DATA", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def known(tmp_path, monkeypatch):
    """Make a manifest of one's own: a small corpus that can be checked, one that cannot, and the demo."""
    folder = tmp_path / "manifest"
    (folder / "fingerprint_tables").mkdir(parents=True)
    contents = {name: read_content(io.BytesIO(data)) for name, data in SMALL.items()}
    (folder / "fingerprint_tables" / "own-small.xz").write_bytes(pack_table(contents))
    size = sum(map(len, SMALL.values()))
    checked = f'files = {len(SMALL)}\nbytes = {size}\ndigest = "{digest(contents)}"\n'
    part = '[[dataset]]\nid = "own/small/t"\ntitle = "t"\nlayout = "own"\n'
    part += 'within = "own/small"\nfolder = "texts"\n'
    counted = FACTS.replace("own/small", "own/problems").replace('"own"', '"verification"')
    counted = counted.replace("answers = 3", "problems = 2")
    demo = FACTS.replace("own/small", "own/demo").replace('"own"', '"alignment"').replace("answers", "cases")
    text = "\n".join([FACTS + checked, part, counted, demo])
    (folder / "manifest.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(manifest, "FOLDER", folder)
    return manifest.known()


def put(folder, files):
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def small(tmp_path, known):
    return put(tmp_path / "small", SMALL)


def pack_tar(path, files, mode="w:xz", prefix="small/"):
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(prefix + name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def pack_zip(path, files, prefix="small/"):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(prefix + name, data)
    return path


def refusal(name, path):
    with pytest.raises(StemmataError) as caught:
        registration.add(name, path)
    assert registration.registered() == {}
    return caught.value


class TestFingerprints:
    def test_a_table_comes_back_as_it_was_packed(self):
        table = {"a b.txt": Content(3, "0" * 16), "b/ж.txt": Content(0, "f" * 16)}
        assert unpack_table(pack_table(table)) == table

    @pytest.mark.parametrize(
        "other",
        [
            {"a": Content(1, "11"), "b": Content(2, "23")},
            {"a": Content(1, "11"), "b": Content(3, "22")},
            {"a": Content(1, "11"), "c": Content(2, "22")},
            {"a": Content(1, "11")},
        ],
        ids=["content", "size", "name", "number"],
    )
    def test_the_digest_depends_on(self, other):
        assert digest(other) != digest({"a": Content(1, "11"), "b": Content(2, "22")})

    def test_differences_are_told_in_the_order_of_paths(self):
        expected = {"a": Content(1, "1"), "b": Content(2, "2"), "c": Content(3, "3"), "d": Content(4, "4")}
        found = {"a": Content(1, "1ff"), "b": Content(9, "2"), "c": Content(3, "9"), "e": Content(0, "")}
        assert differences(expected, {name: one.size for name, one in found.items()}, found) == [
            "b has 9 bytes instead of 2",
            "c has other content",
            "d is missing",
            "e is not part of it",
        ]

    def test_the_folder_with_the_most_of_a_corpus_is_its_root(self):
        table = {"truth.txt": Content(5, ""), "EN1/unknown.txt": Content(7, "")}
        sizes = {"x/truth.txt": 5, "x/EN1/unknown.txt": 8, "y/z/truth.txt": 5, "y/z/EN1/unknown.txt": 7}
        assert find_root(sizes, table) == ("y/z/", 2)
        assert find_root({"other.txt": 5}, table) == ("", 0)

    def test_hidden_files_and_leftovers_do_not_belong(self):
        names = ["a/b.txt", ".complete", "a/.git/b", "__MACOSX/a.txt", "a/Thumbs.db"]
        assert [name for name in names if belongs(name)] == ["a/b.txt"]


class TestAdding:
    def test_a_folder_is_registered_where_it_lies(self, small):
        (copy,) = registration.add("own/small", small)
        assert (copy.path, copy.files, copy.unpacked) == (str(small), 4, False)
        assert registration.registered() == {"own/small": copy}
        assert registration.folder_of("own/small") == small

    def test_the_corpus_may_lie_some_folders_down(self, small):
        put(small.parent / "outer", {"README": b"hello", "x/other.txt": b"x"})
        shutil.move(small, small.parent / "outer" / "x" / "small")
        registration.add("own/small", small.parent / "outer")
        assert registration.folder_of("own/small") == small.parent / "outer" / "x" / "small"

    def test_hidden_files_and_optional_folders_are_left_alone(self, small):
        put(small, {".complete": b"", "all/a.txt": b"again"})
        (copy,) = registration.add("own/small", small)
        assert (copy.files, copy.besides) == (4, 1)

    @pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
    def test_an_archive_is_unpacked_into_the_data_folder(self, known, tmp_path, data_home, mode):
        # The name says nothing: what an archive is, its first bytes tell.
        archive = pack_tar(tmp_path / "download", {**SMALL, "all/a.txt": b"again"}, mode)
        (copy,) = registration.add("own/small", archive)
        place = Path(copy.path)
        assert place.is_relative_to(data_home)
        found = {
            str(file.relative_to(place)): file.read_bytes() for file in place.rglob("*") if file.is_file()
        }
        assert found == SMALL

    def test_a_zip_is_unpacked_too(self, known, tmp_path):
        registration.add("own/small", pack_zip(tmp_path / "small.zip", SMALL))
        assert (registration.folder_of("own/small") / "texts" / "a.txt").read_bytes() == b"alpha"

    def test_auto_takes_what_is_recognised(self, small, tmp_path):
        assert [copy.id for copy in registration.add("auto", tmp_path)] == ["own/small"]

    def test_auto_says_that_nothing_is_recognised(self, known, tmp_path):
        assert refusal("auto", put(tmp_path / "other", {"a.txt": b"1"})).code == "E717"

    def test_names_written_decomposed_are_the_same_names(self, known, tmp_path):
        folder = tmp_path / "fingerprint"
        expected = {"й.txt": read_content(io.BytesIO(b"1"))}
        put(folder, {"и\u0306.txt": b"1"})
        assert differences(expected, bundles.open_bundle(folder).sizes()) == []

    def test_a_copy_replaces_the_one_before(self, small, tmp_path, data_home):
        registration.add("own/small", pack_tar(tmp_path / "a.tar.xz", SMALL))
        registration.add("own/small", small)
        assert registration.folder_of("own/small") == small
        assert list((data_home / "corpora").iterdir()) == []

    def test_a_corpus_without_fingerprint_is_counted(self, known, tmp_path):
        problems = put(tmp_path / "p" / "set", {f"EN{n}/unknown.txt": b"x" for n in (1, 2)})
        (copy,) = registration.add("own/problems", tmp_path / "p")
        assert (copy.path, copy.digest) == (str(problems), "")

    def test_a_wrong_count_is_refused(self, known, tmp_path):
        error = refusal("own/problems", put(tmp_path / "p", {"EN1/unknown.txt": b"x"}))
        assert error.code == "E716"
        assert "1 problem where own/problems has 2" in str(error)

    def test_an_empty_folder_is_no_corpus(self, known, tmp_path):
        (tmp_path / "empty").mkdir()
        assert refusal("own/problems", tmp_path / "empty").code == "E717"

    def test_a_part_is_added_with_its_whole(self, small):
        error = refusal("own/small/t", small)
        assert error.code == "E721"
        assert "stemmata data add own/small PATH" in str(error)

    def test_an_unknown_id_gets_a_suggestion(self, small):
        assert "did you mean 'own/small'" in str(refusal("own/smal", small))


DAMAGES = {
    "a changed byte": ({"texts/a.txt": b"alphA"}, "texts/a.txt has other content"),
    "a longer file": ({"texts/b.txt": b"beta\n"}, "texts/b.txt has 5 bytes instead of 6"),
    "an extra file": ({"texts/c.txt": b"new"}, "texts/c.txt is not part of it"),
    "a missing file": ({"list.csv": None}, "list.csv is missing"),
    "several": ({"list.csv": None, "texts/b.txt": b""}, "list.csv is missing, and 2 files differ in all"),
}


class TestDamage:
    @pytest.mark.parametrize(("change", "said"), DAMAGES.values(), ids=DAMAGES)
    @pytest.mark.parametrize("form", ["folder", "tar", "zip"])
    def test_the_first_difference_is_named(self, known, tmp_path, data_home, form, change, said):
        files = {name: data for name, data in {**SMALL, **change}.items() if data is not None}
        pack = {"folder": put, "tar": pack_tar, "zip": pack_zip}[form]
        error = refusal("own/small", pack(tmp_path / "copy", files))
        assert error.code == "E715"
        assert f"differs from the known one: {said} (get a fresh copy from https://example.org/small)" in str(
            error
        )
        assert list(data_home.rglob("*.txt")) == []

    def test_a_copy_converted_as_a_whole_is_damaged_not_unknown(self, known, tmp_path):
        converted = {name: data + b"\r" for name, data in SMALL.items()}
        assert refusal("own/small", put(tmp_path / "copy", converted)).code == "E715"

    def test_the_copy_before_stays_when_a_damaged_one_is_refused(self, known, tmp_path):
        (before,) = registration.add("own/small", pack_tar(tmp_path / "good", SMALL))
        with pytest.raises(StemmataError):
            registration.add("own/small", pack_tar(tmp_path / "bad", {**SMALL, "texts/a.txt": b"alphA"}))
        assert registration.registered() == {"own/small": before}
        assert (Path(before.path) / "texts" / "a.txt").read_bytes() == b"alpha"

    @pytest.mark.parametrize("mode", ["w:gz", "w:xz"])
    def test_an_archive_that_breaks_off_is_no_archive(self, known, tmp_path, mode):
        noise = {f"{n}.bin": os.urandom(9000) for n in range(4)}
        whole = pack_tar(tmp_path / "whole", {**noise, **SMALL}, mode).read_bytes()
        (tmp_path / "half").write_bytes(whole[: len(whole) // 2])
        assert refusal("own/small", tmp_path / "half").code == "E718"

    @pytest.mark.parametrize("data", [b"", b"hello", b"PK\3\4rest", b"\x28\xb5\x2f\xfd", b"\x1f\x8b\0"])
    def test_what_is_no_archive_is_refused(self, known, tmp_path, data):
        (tmp_path / "file").write_bytes(data)
        assert refusal("own/small", tmp_path / "file").code == "E718"

    def test_what_is_not_there_is_told_so(self, known, tmp_path):
        assert refusal("own/small", tmp_path / "nothing").code == "E101"


def tar_of(path, *members):
    with tarfile.open(path, "w:gz") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(b"\0" * member.size))
    return path


def member(name, kind=tarfile.REGTYPE, size=0, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.size, info.linkname = kind, size, target
    return info


class TestHostileArchives:
    @pytest.mark.parametrize(
        ("made", "reason"),
        [
            (member("../out.txt"), "leads out"),
            (member("small/../../out.txt"), "leads out"),
            (member("/tmp/out.txt"), "absolute"),
            (member("C:/out.txt"), "absolute"),
            (member("..\\out.txt"), "proper name"),
            (member("small/link", tarfile.SYMTYPE, target="/etc/passwd"), "link"),
            (member("small/link", tarfile.LNKTYPE, target="small/a"), "link"),
            (member("small/pipe", tarfile.FIFOTYPE), "device"),
            (member("small/disk", tarfile.BLKTYPE), "device"),
        ],
        ids=lambda one: one.name if isinstance(one, tarfile.TarInfo) else "",
    )
    def test_a_member_that_is_no_plain_file_inside_is_refused(self, known, tmp_path, made, reason):
        error = refusal("own/small", tar_of(tmp_path / "evil", member("small/list.csv", size=4), made))
        assert error.code == "E719"
        assert reason in str(error)
        assert not (tmp_path / "out.txt").exists()

    @pytest.mark.parametrize("name", ["../out.txt", "/out.txt", "small/../../out.txt"])
    def test_a_zip_is_no_way_out_either(self, known, tmp_path, name):
        assert refusal("own/small", pack_zip(tmp_path / "evil.zip", {name: b"x"}, "")).code == "E719"

    def test_a_link_in_a_zip_is_refused(self, known, tmp_path):
        info = zipfile.ZipInfo("small/link")
        info.create_system, info.external_attr = 3, 0o120777 << 16
        with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
            archive.writestr(info, "/etc/passwd")
        assert "link" in str(refusal("own/small", tmp_path / "evil.zip"))

    def test_a_name_that_stands_twice_is_refused(self, known, tmp_path):
        evil = tar_of(tmp_path / "evil", member("a/list.csv", size=4), member("./a//list.csv", size=4))
        assert "twice" in str(refusal("own/small", evil))

    def test_a_bomb_is_not_unpacked(self, known, tmp_path, monkeypatch):
        monkeypatch.setattr(bundles, "MIN_BYTES", 1000)
        bomb = tar_of(tmp_path / "bomb", member("small/list.csv", size=5_000_000))
        assert bomb.stat().st_size * bundles.MAX_RATIO < 5_000_000
        assert refusal("own/small", bomb).code == "E720"
        zipped = pack_zip(tmp_path / "bomb.zip", {"list.csv": b"\0" * 5_000_000})
        assert refusal("own/small", zipped).code == "E720"

    def test_what_is_no_regular_file_is_not_waited_for(self, known, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "zero").symlink_to("/dev/zero")
        assert refusal("own/small", tmp_path / "pipe").code == "E102"
        assert refusal("own/small", tmp_path / "zero").code == "E102"

    def test_an_archive_that_is_cut_off_between_members_is_refused(self, known, tmp_path):
        (tmp_path / "cut").write_bytes(member("x", tarfile.REGTYPE).tobuf())
        assert refusal("own/small", tmp_path / "cut").code == "E718"

    def test_a_bomb_in_a_header_is_not_read(self, known, tmp_path, monkeypatch):
        monkeypatch.setattr(tar_members, "MOST_HEADER_BYTES", 100_000)
        header = member("x", tarfile.XHDTYPE, size=1_000_000)
        data = header.tobuf() + b"\0" * 1_000_448
        (tmp_path / "bomb").write_bytes(lzma.compress(data))
        assert refusal("own/small", tmp_path / "bomb").code == "E720"

    def test_an_archive_of_very_many_members_is_refused(self, known, tmp_path, monkeypatch):
        monkeypatch.setattr(bundles, "MAX_FILES", 3)
        assert refusal("own/small", pack_tar(tmp_path / "many", SMALL)).code == "E720"


class TestRemoving:
    def test_a_users_own_folder_stays(self, small):
        registration.add("own/small", small)
        registration.remove("own/small")
        assert registration.registered() == {}
        assert (small / "list.csv").exists()

    def test_what_was_unpacked_goes(self, known, tmp_path):
        (copy,) = registration.add("own/small", pack_tar(tmp_path / "a", SMALL))
        registration.remove("own/small")
        assert not Path(copy.path).exists()

    def test_a_record_cannot_make_it_delete_something_else(self, small, data_home):
        registration.add("own/small", small)
        record = data_home / "registered" / "own-small.json"
        record.write_text(json.dumps({**json.loads(record.read_text()), "unpacked": True}))
        registration.remove("own/small")
        assert (small / "list.csv").exists()


class TestIds:
    def test_an_id_stands_for_a_folder_a_part_and_a_file_in_it(self, small):
        registration.add("own/small", small)
        assert readable("own/small") == small
        assert readable("own/small/t") == small / "texts"
        assert readable("own/small/t/a.txt") == small / "texts" / "a.txt"

    def test_what_exists_is_a_path_before_it_is_an_id(self, small, tmp_path, monkeypatch):
        registration.add("own/small", small)
        (tmp_path / "own" / "small").mkdir(parents=True)
        monkeypatch.chdir(tmp_path)
        assert readable("own/small") == Path("own/small")

    @pytest.mark.parametrize("text", ["nothing", "own/small/../../x", "/own/small", "", "a\0b", "x" * 5000])
    def test_anything_else_is_left_to_the_command(self, small, text):
        registration.add("own/small", small)
        assert readable(text) == Path(text)

    def test_a_known_corpus_that_is_not_registered_says_how(self, known):
        with pytest.raises(
            StemmataError, match=r"E713 no copy of own/small .*stemmata data add own/small PATH"
        ):
            readable("own/small/t")

    def test_a_copy_that_was_moved_is_told(self, small):
        registration.add("own/small", small)
        shutil.move(small, small.parent / "elsewhere")
        with pytest.raises(StemmataError, match=r"E714 .*small: .*stemmata data remove own/small"):
            readable("own/small")

    def test_a_slip_of_the_pen_is_told(self, known):
        with pytest.raises(StemmataError, match="did you mean 'own/problems'"):
            readable("own/problem")

    @pytest.mark.parametrize("text", ["{", "[]", '{"id": "x"}', '{"id": "own/small", "path": 7}'])
    def test_a_record_that_was_tampered_with_is_an_error(self, small, data_home, text):
        registration.add("own/small", small)
        (data_home / "registered" / "own-small.json").write_text(text)
        with pytest.raises(StemmataError, match="E722"):
            readable("own/small")

    @pytest.mark.parametrize(
        ("key", "value", "code"),
        [("checked", {}, "E722"), ("besides", "x", "E722"), ("path", "/" + "a" * 5000, "E714")],
    )
    def test_a_record_with_values_that_cannot_be_is_an_error(self, small, data_home, key, value, code):
        registration.add("own/small", small)
        record = data_home / "registered" / "own-small.json"
        record.write_text(json.dumps(json.loads(record.read_text()) | {key: value}))
        with pytest.raises(StemmataError, match=code):
            readable("own/small")

    def test_every_path_that_is_read_takes_an_id(self):
        """All but where something is written to, and the copy that is to be registered."""
        import typer

        plain = []
        for name, command in typer.main.get_command(app).commands.items():
            for one in getattr(command, "commands", {"": command}).values():
                for parameter in one.params:
                    kind = parameter.type_descriptor
                    if kind.annotation is Path and kind.parameter_info.parser is not readable:
                        plain.append((name, parameter.name))
        assert ("detect", "out") in plain
        written = {("demo", "folder"), ("index", "index"), ("verify", "report")}
        assert {found for found in plain if found[1] != "out"} == {*written, ("data", "path")}


class TestCommands:
    @pytest.fixture
    def call(self, capsys):
        def run(*arguments):
            status = status_of([*map(str, arguments), "--format", "json"])
            out, err = capsys.readouterr()
            return status, (json.loads(out) if out else None), err

        return run

    def test_add_show_list_remove(self, call, small):
        assert call("data", "show", "own/small")[1]["copy"] is None
        status, (added,), _ = call("data", "add", "own/small", small)
        assert (status, added["path"]) == (0, str(small))
        assert call("data", "show", "own/small")[1]["copy"]["path"] == str(small)
        assert call("data", "show", "own/small/t")[1]["copy"]["path"] == str(small)
        rows = call("data", "list", "own/small")[1]
        assert [(row["id"], row["registered"]) for row in rows] == [
            ("own/small", str(small)),
            ("own/small/t", str(small)),
        ]
        assert call("data", "remove", "own/small")[1] == {
            "id": "own/small",
            "path": str(small),
            "deleted": False,
        }
        assert call("data", "remove", "own/small")[0] == 2

    def test_a_damaged_copy_is_one_line_and_status_2(self, call, small):
        put(small, {"texts/a.txt": b"alphA"})
        status, out, err = call("data", "add", "own/small", small)
        assert (status, out, len(err.splitlines())) == (2, None, 1)
        assert "E715" in err

    def test_list_chooses_by_task_and_language(self, call):
        rows = call("data", "list", "pan", "--task", "verification", "--language", "en")[1]
        assert len(rows) > 5
        assert {row["task"] for row in rows} == {"verification"}
        assert call("data", "list", "--task", "verificaton")[0] == 2

    def test_datasets_are_listed_among_what_there_is(self, call):
        assert "clough09" in [row["name"] for row in call("list", "datasets")[1]]

    def test_detect_and_score_take_an_id(self, call, known, tmp_path):
        build_demo_corpus(tmp_path / "demo")
        assert call("data", "add", "own/demo", tmp_path / "demo")[0] == 0
        status, made, _ = call("detect", "own/demo", "--with", "shingles", "-j", "1", "-o", tmp_path / "run")
        assert (status, made["pairs"]) == (0, 42)
        folders = ("--susp", "own/demo/susp", "--src", "own/demo/src")
        status, scored, _ = call("score", "alignment", "own/demo", tmp_path / "run", *folders)
        assert (status, scored["normalized"]["macro"]["plagdet"] > 0) == (0, True)
        assert call("validate", "own/demo")[1] == call("validate", tmp_path / "demo")[1]


class TestManifest:
    every = pytest.mark.parametrize(
        "dataset", manifest.Manifest(manifest.FOLDER).values(), ids=lambda d: d.id
    )

    @every
    def test_says_what_a_user_needs(self, dataset):
        assert all([dataset.title, dataset.task, dataset.languages, dataset.licence, dataset.citation])
        assert re.match(r"https?://", dataset.url)
        assert re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)*", dataset.id)
        assert dataset.layout in LAYOUTS
        assert all(count >= 0 for count in dataset.counts.values())

    @every
    def test_the_table_is_there_and_agrees_with_the_manifest(self, dataset):
        table_file = manifest.FOLDER / "fingerprint_tables" / f"{dataset.flat_id}.xz"
        assert table_file.exists() == bool(dataset.digest)
        if dataset.digest:
            table = manifest.known().table(dataset)
            assert len(table) == dataset.files
            assert sum(content.size for content in table.values()) == dataset.bytes
            assert list(table) == sorted(table)
            counted = LAYOUTS[dataset.layout].count(table)
            assert counted == {what: dataset.counts.get(what, number) for what, number in counted.items()}
            assert not any(below(path, dataset.optional) for path in table)

    @every
    def test_a_part_lies_in_its_whole(self, dataset):
        if dataset.within:
            table = manifest.known().table(manifest.known()[dataset.within])
            inside = [
                path.removeprefix(dataset.folder + "/") for path in table if below(path, [dataset.folder])
            ]
            assert inside
            counted = LAYOUTS[dataset.layout].count(inside)
            assert counted == {what: dataset.counts.get(what, number) for what, number in counted.items()}

    def test_the_tables_are_small(self):
        assert (
            sum(file.stat().st_size for file in (manifest.FOLDER / "fingerprint_tables").iterdir())
            < 1_000_000
        )

    def test_every_command_it_names_exists(self):
        import typer

        for layout in LAYOUTS.values():
            for line in layout.commands:
                _, name, *rest = line.split()
                command = typer.main.get_command(app).commands[name]
                options = {name for one in command.params for name in one.opts}
                if sub := getattr(command, "commands", {}):
                    options = {name for one in sub[rest[0]].params for name in one.opts}
                assert {word for word in rest if word.startswith("-")} <= options


@pytest.mark.corpus
class TestRealCorpora:
    PLACES = (
        *(("clough09", "clough09"), ("indonesian-pan11", "indonesian-pan11"), ("p4p", "paraphrase")),
        *(("pan/2014/verification/en-novels/train", "authorship-train"),),
        *(("pan/2015/verification/en/train", "authorship-train"), ("msrp", "paraphrase")),
        *(("pan/2018/obfuscation/safety", "pan18-safety"),),
        *(("plagevalrus/paraplag/sample-essay", "plagevalrus-essay"),),
        *(("pan/2013/text-alignment/train", "pan13-alignment-train"),),
    )

    @pytest.mark.parametrize(("name", "place"), PLACES, ids=[name for name, _ in PLACES])
    def test_a_whole_copy_is_accepted(self, corpus, name, place):
        (copy,) = registration.add(name, corpus(place))
        assert readable(name) == Path(copy.path)

    def test_pan13_can_be_detected_on_and_counted_by_its_id(self, corpus):
        from stemmata.formats import read_cases
        from stemmata.reuse.detection import Corpus

        name = "pan/2013/text-alignment/train"
        registration.add(name, corpus("pan13-alignment-train"))
        counts = manifest.known()[name].counts
        assert len(Corpus.open(readable(name)).pairs) == counts["pairs"]
        parts = manifest.known().parts_of(name)
        cases = {part.id: len(read_cases(readable(part.id)).annotations) for part in parts}
        assert sum(cases.values()) == counts["cases"]
        assert all(cases[part.id] == part.counts.get("cases", cases[part.id]) for part in parts)

    def test_a_damaged_copy_of_the_short_answers_is_refused(self, corpus, tmp_path):
        shutil.copytree(corpus("clough09"), tmp_path / "copy")
        text = next((tmp_path / "copy").rglob("g1pA_taskb.txt"))
        data = bytearray(text.read_bytes())
        data[10] ^= 1
        text.write_bytes(data)
        error = refusal("clough09", tmp_path / "copy")
        assert "corpus-20090418/g1pA_taskb.txt has other content" in str(error)
        text.unlink()
        assert "g1pA_taskb.txt is missing" in str(refusal("clough09", tmp_path / "copy"))
