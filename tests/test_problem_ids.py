"""Ids of problems come from strangers and folders are called after them: none leads out of its folder."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiding import MINE, Plain, Share, Shouting, only, seen
from stemmata.authorship import verifiers
from stemmata.cli import status_of
from stemmata.experiments.masking import Masked, write_masked
from stemmata.formats.folders import folder_name_fault, problem_folder
from stemmata.formats.verification import check_line_ids, read_problems
from stemmata.masking import obfuscators
from stemmata.model import Piece, StemmataError

HOSTILE = {
    "../evil/x": "a path separator",
    "/tmp/absolute": "a path separator",
    "a/b": "a path separator",
    "a\\b": "a path separator",
    "C:\\x": "a path separator",
    ".": "another folder",
    "..": "another folder",
    "a\0b": "a control character",
    "a\nb": "a control character",
    "a\x85b": "a control character",
    "\u2028": "a control character",
    " a": "white space",
    "a\u00a0": "white space",
    " ": "white space",
    ".hidden": "a dot",
    "...": "a dot",
    "x" * 201: "200 characters",
    "水" * 100: "255 bytes",
}
MASKED = Masked((Piece(1, "Old.", 0, 4, "New."),))


def pairs(*ids, text="Some text."):
    return "".join(json.dumps({"id": one, "pair": [MINE[4], text]}) + "\n" for one in ids)


def everything_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


class TestReading:
    @pytest.mark.parametrize("hostile", HOSTILE)
    def test_an_id_that_is_no_name_of_one_folder_is_refused_with_its_line(self, write, hostile):
        path = write("pairs.jsonl", pairs("EN001", hostile))
        with pytest.raises(StemmataError) as caught:
            read_problems(path)
        finding = caught.value.finding
        assert (caught.value.code, finding.place.path, finding.place.line) == ("E787", str(path), 2)
        assert HOSTILE[hostile] in finding.message
        assert finding.remedy

    @pytest.mark.parametrize(
        "sound", ["EN001", "d e", "a..b", "Ä-1", "水", "x" * 200, "c04fdf1e-a", "-x", "~"]
    )
    def test_all_other_ids_are_read(self, write, sound):
        assert [one.id for one in read_problems(write("pairs.jsonl", pairs(sound)))] == [sound]

    def test_all_hostile_ids_are_found_at_once(self, write, capsys):
        path = write("pairs.jsonl", pairs("../x", "EN001", "/y"))
        assert status_of(["validate", str(path), "--format", "json"]) == 1
        report = json.loads(capsys.readouterr().out)
        assert (report["problems"], report["counts"]) == (1, {"E787": 2})

    def test_a_folder_with_such_a_name_is_no_problem_either(self, write, tmp_path):
        for name in ("a\nb/known01.txt", "a\nb/unknown.txt"):
            write(name, "x")
        with pytest.raises(StemmataError, match="E787"):
            read_problems(tmp_path)

    @pytest.mark.parametrize("odd", ["d e", "{a", "\ufeffa", "a\tb", ""])
    def test_lines_of_answers_hold_no_blanks(self, odd):
        check_line_ids(["EN001", "Ä-1"], "here")
        with pytest.raises(StemmataError, match="E621 here"):
            check_line_ids(["EN001", odd], "here")


class TestWriting:
    @given(name=st.text(alphabet=st.sampled_from("./\\ ab~\0\n"), max_size=8))
    def test_what_passes_names_a_folder_right_inside(self, tmp_path_factory, name):
        room = tmp_path_factory.getbasetemp() / "room"
        if not folder_name_fault(name):
            inside = problem_folder(room, name)
            assert inside.resolve().parent == room.resolve()
            assert inside.name == name

    @pytest.mark.parametrize("hostile", [*HOSTILE, "", "a\ud800"])
    def test_the_writer_does_not_trust_its_caller(self, tmp_path, hostile):
        with pytest.raises(StemmataError, match="E787"):
            write_masked(tmp_path / "out", hostile, MASKED)
        assert everything_in(tmp_path) == []

    def test_a_link_is_not_followed(self, tmp_path):
        (tmp_path / "out").mkdir()
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "out" / "EN001").symlink_to(tmp_path / "elsewhere")
        (tmp_path / "out" / "EN002").symlink_to("EN002")
        for problem in ("EN001", "EN002"):
            with pytest.raises(StemmataError, match="E107"):
                write_masked(tmp_path / "out", problem, MASKED)
        assert everything_in(tmp_path / "elsewhere") == []

    def test_an_ordinary_problem_is_written(self, tmp_path):
        assert write_masked(tmp_path, "d e", MASKED)
        assert not write_masked(tmp_path, "d e", MASKED)
        assert everything_in(tmp_path) == ["d e", "d e/obfuscation.json"]


class TestCommands:
    @pytest.fixture(autouse=True)
    def _own(self, tmp_path, monkeypatch):
        monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cache"))
        (tmp_path / "work").mkdir()
        monkeypatch.chdir(tmp_path / "work")
        for registry, made in (
            (obfuscators, {"loud": Shouting, "plain": Plain}),
            (verifiers, {"share": Share}),
        ):
            only(monkeypatch, registry, made)
        seen.clear()

    @pytest.fixture
    def problems(self, write):
        """Write problems, one of the same author and one not, of these ids."""

        def put(same, other):
            truth = [{"id": same, "same": True}, {"id": other, "same": False}]
            write("essays/truth.jsonl", "".join(json.dumps(one) + "\n" for one in truth))
            return str(write("essays/pairs.jsonl", pairs(same, other)).parent)

        return put

    @pytest.mark.parametrize("hostile", ["../evil/x", "/tmp/absolute", "..", "a/b"])
    @pytest.mark.parametrize(
        "command",
        [
            ["mask", "--with", "loud", "-o", "out/masked"],
            ["rank", "--obfuscators", "loud", "--verifiers", "share", "--judged", "0", "-o", "out/ranking"],
        ],
        ids=["mask", "rank"],
    )
    def test_nothing_is_written_for_a_hostile_id(self, problems, tmp_path, capsys, command, hostile):
        folder = problems(hostile, "EN001")
        before = everything_in(tmp_path)
        assert status_of([command[0], folder, "--jobs", "1", *command[1:]]) == 2
        assert capsys.readouterr().err.startswith(f"stemmata: E787 {folder}/pairs.jsonl, line 1: ")
        assert (everything_in(tmp_path), list(seen)) == (before, [])

    def test_ids_with_blanks_are_masked_but_not_ranked(self, problems, tmp_path, capsys):
        folder = problems("d e", "EN001")
        names = ["--obfuscators", "loud", "--verifiers", "share", "--judged", "0", "--jobs", "1"]
        assert status_of(["rank", folder, *names, "-o", "ranking"]) == 2
        assert capsys.readouterr().err.startswith(f"stemmata: E621 {folder}: 'd e' ")
        assert everything_in(tmp_path / "work") == []
        assert status_of(["mask", folder, "--with", "loud", "--jobs", "1", "-o", "masked"]) == 0
        assert "masked/d e/obfuscation.json" in everything_in(tmp_path / "work")
