"""Cells: made once, found again, never half-written, never trusted blindly."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from stemmata import __version__
from stemmata.corpora.registration import folder_of, registered
from stemmata.experiments.cells import Cells, cells_folder, digest
from stemmata.formats.places import cache_folder, data_folder
from stemmata.formats.sealed import sealed
from stemmata.model import StemmataError
from stemmata.reuse.checking_documents import working_room

PARTS = {"verifier": "x", "texts": digest(["a", "b"])}


@pytest.fixture
def cells(tmp_path):
    return Cells(tmp_path / "cells")


def never():
    raise AssertionError("it was made again")


def test_a_value_is_made_once(cells):
    assert cells.get(PARTS) is None
    assert cells.get_or_make(PARTS, lambda: {"a": (1, 0.5)}).value == {"a": [1, 0.5]}
    assert cells.get_or_make(PARTS, never).value == {"a": [1, 0.5]}


def test_any_other_part_makes_another_cell(cells):
    cells.get_or_make(PARTS, lambda: 1)
    assert cells.get_or_make({**PARTS, "verifier": "y"}, lambda: 2).value == 2
    assert cells.get_or_make(PARTS, never).value == 1


def test_the_order_of_the_parts_does_not_matter(cells):
    cells.get_or_make(PARTS, lambda: 1)
    assert cells.get(dict(reversed(PARTS.items()))).value == 1


def test_a_cell_says_where_it_comes_from(cells):
    cells.get_or_make(PARTS, lambda: 1)
    kept = json.loads(cells.path(PARTS).read_text())
    assert kept["key"] == PARTS
    assert kept["version"] == __version__
    assert kept["made"].endswith("+00:00")
    assert kept["seconds"] >= 0


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff", b"null", b"[" * 100_000, b'{"key": {}, "value": 1}', sealed("[]").encode()],
)
def test_a_damaged_cell_is_made_anew(cells, content):
    cells.get_or_make(PARTS, lambda: 1)
    cells.path(PARTS).write_bytes(content)
    assert cells.get_or_make(PARTS, lambda: 2).value == 2
    assert cells.get_or_make(PARTS, never).value == 2


def test_a_bit_flipped_in_a_cell_is_found_wherever_it_is(cells):
    cells.get_or_make(PARTS, lambda: {"score": 0.25, "of": [1, 2]})
    path = cells.path(PARTS)
    whole = path.read_bytes()
    for place in range(len(whole)):
        data = bytearray(whole)
        data[place] ^= 1 << place % 7
        path.write_bytes(data)
        assert cells.get(PARTS) is None, place
    path.write_bytes(whole)
    assert cells.get(PARTS).value == {"score": 0.25, "of": [1, 2]}


def test_nobody_but_the_user_can_read_cells(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path))
    (tmp_path / "cells").mkdir(mode=0o755)  # as it was once made
    cells = Cells(cells_folder())
    cells.get_or_make(PARTS, lambda: "a text of somebody")
    assert stat.S_IMODE(cells.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(cells.path(PARTS).stat().st_mode) == 0o600


def test_without_a_home_there_is_a_cache_as_long_as_the_program(monkeypatch):
    for name in ("STEMMATA_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME", "STEMMATA_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", classmethod(no_home))
    assert Cells(cells_folder()).get_or_make(PARTS, lambda: 1).value == 1
    assert stat.S_IMODE(cache_folder().stat().st_mode) == 0o700
    with working_room() as room:
        assert room.is_dir()
    assert registered() == {}
    with pytest.raises(StemmataError, match=r"E713 .*stemmata data add"):
        folder_of("pan/2013/text-alignment/train")
    with pytest.raises(StemmataError, match=r"E107 .*STEMMATA_DATA"):
        data_folder()


def no_home(_):
    raise RuntimeError("Could not determine home directory.")


@pytest.mark.parametrize("variable", ["STEMMATA_CACHE", "XDG_CACHE_HOME"])
def test_a_cache_that_cannot_be_is_no_reason_not_to_answer(monkeypatch, variable):
    monkeypatch.delenv("STEMMATA_CACHE", raising=False)
    monkeypatch.setenv(variable, "/" + "a" * 400)
    assert Cells(cells_folder()).get_or_make(PARTS, lambda: 1).value == 1
    with working_room() as room:
        assert room.is_dir()


def test_a_cell_of_another_key_is_not_taken(cells):
    cells.get_or_make(PARTS, lambda: 1)
    other = {**PARTS, "verifier": "y"}
    cells.path(other).parent.mkdir(parents=True, exist_ok=True)
    cells.path(PARTS).replace(cells.path(other))
    assert cells.get(other) is None


def test_a_value_that_does_not_fit_is_made_anew(cells):
    cells.get_or_make(PARTS, lambda: "text")
    assert cells.get_or_make(PARTS, lambda: 3, lambda value: isinstance(value, int)).value == 3


def test_what_fails_is_not_kept(cells):
    with pytest.raises(ZeroDivisionError):
        cells.get_or_make(PARTS, lambda: 1 / 0)
    assert not cells.folder.exists()


def test_a_folder_that_cannot_be_written_to_is_no_hindrance(tmp_path):
    (tmp_path / "file").write_text("")
    assert Cells(tmp_path / "file").get_or_make(PARTS, lambda: 1).value == 1


def test_a_killed_program_leaves_finished_cells_and_no_half_of_one(tmp_path):
    program = """
import os, sys
from pathlib import Path
from stemmata.experiments.cells import Cells
cells = Cells(Path(sys.argv[1]))
cells.get_or_make({"n": 1}, lambda: 1)
cells.get_or_make({"n": 2}, lambda: os.kill(os.getpid(), 9))
"""
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert done.returncode == -9
    assert Cells(tmp_path).get({"n": 1}).value == 1
    assert Cells(tmp_path).get({"n": 2}) is None
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


def test_texts_do_not_run_together():
    assert len({digest(["ab"]), digest(["a", "b"]), digest(["", "ab"]), digest([])}) == 4


def test_the_environment_says_where_cells_are(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("STEMMATA_CACHE", raising=False)
    assert cells_folder() == tmp_path / "stemmata" / "cells"
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "mine"))
    assert cells_folder() == tmp_path / "mine" / "cells"
    assert isinstance(cells_folder(), Path)
