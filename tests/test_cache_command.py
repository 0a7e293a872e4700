"""`stemmata cache` shows and clears what the program keeps, and nothing else; `--no-cache` keeps nothing."""

import json
import os
import time
from pathlib import Path

import pytest

from hiding import MINE, Share, Shouting, only, put_problems
from stemmata.authorship import verifiers
from stemmata.cli import status_of
from stemmata.experiments import grading
from stemmata.experiments.cache import PRIVATE, cells_of_run
from stemmata.experiments.cells import Cells, cells_folder
from stemmata.masking import obfuscators


@pytest.fixture(autouse=True)
def _own(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    only(monkeypatch, obfuscators, {"loud": Shouting})
    only(monkeypatch, verifiers, {"share": Share})
    monkeypatch.setattr(grading, "grade_all", lambda *_, **__: "not here")


@pytest.fixture
def cache(capsys):
    def call(*arguments):
        assert status_of(["cache", *map(str, arguments), "-f", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    return call


def keep(kind, number):
    cells = Cells(cells_folder())
    parts = {"what": kind, "number": number}
    cells.get_or_make(parts, lambda: number)
    return cells.path(parts)


def test_what_the_program_kept_is_counted_by_kind(cache):
    first, second = keep("masked", 1), keep("answers", 2)
    found = cache("info")
    assert found["place"] == str(cells_folder())
    assert found["files"] == 2
    assert found["bytes"] == first.stat().st_size + second.stat().st_size
    assert set(found["kinds"]) == {"masked", "answers"}


def test_an_empty_cache_is_none_to_complain_about(cache):
    assert cache("info")["files"] == 0
    assert cache("clear")["removed"]["files"] == 0


def test_clearing_removes_only_what_the_program_wrote(cache, tmp_path):
    kept = keep("masked", 1)
    mine = tmp_path / "mine.json"
    mine.write_text("mine")
    foreign = [
        kept.with_name("notes.json"),
        kept.with_name("0" * 64 + ".json"),
        cells_folder() / "thesis.txt",
    ]
    for file in foreign:
        file.write_text('{"my": "own"}')
    link = kept.with_name("f" * 64 + ".json")
    link.symlink_to(mine)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    kept.rename(elsewhere / kept.name)
    (cells_folder() / "zz").mkdir()
    other = cells_folder() / ("00" if kept.parent.name != "00" else "01")
    other.symlink_to(elsewhere)
    again = keep("masked", 1)
    assert cache("clear")["removed"]["files"] == 1
    assert not again.exists()
    assert all(file.exists() for file in foreign)
    assert (elsewhere / kept.name).exists()
    assert mine.read_text() == "mine"
    assert link.is_symlink()


def test_what_was_made_since_stays(cache):
    old, new = keep("masked", 1), keep("masked", 2)
    os.utime(old, (time.time() - 40 * 86400,) * 2)
    assert cache("clear", "--older-than", 30)["removed"]["files"] == 1
    assert (old.exists(), new.exists()) == (False, True)


def test_what_a_killed_run_left_is_cleared_away_but_not_a_run_that_goes_on(cache, tmp_path):
    left = tmp_path / "cache" / f"{PRIVATE}abc"
    Cells(left / "cells").get_or_make({"what": "masked"}, lambda: 1)
    (left / "in-use").touch()
    with cells_of_run(kept=False) as cells:
        cells.get_or_make({"what": "masked"}, lambda: 1)
        assert cache("clear")["removed"]["kinds"] == {
            "of runs that were killed": {"files": 1, "bytes": cells.path({"what": "masked"}).stat().st_size}
        }
        assert cells.get({"what": "masked"})
    assert not left.exists()


@pytest.mark.parametrize(
    "command",
    [
        ("verify", "problems", "--with", "share"),
        ("mask", "problems", "--with", "loud"),
        ("mask", "essay.txt", "--with", "loud"),
        ("rank", "problems", "--obfuscators", "loud", "--verifiers", "share", "-o", "ranking"),
    ],
    ids=["verify", "mask", "mask-one", "rank"],
)
def test_without_the_cache_nothing_is_kept_and_nothing_of_it_used(command, cache, tmp_path, capsys):
    put_problems(Path("problems"))
    Path("essay.txt").write_text(" ".join(MINE[:3]))
    assert status_of([*command, "--no-cache", "--jobs", "1"]) == 0
    assert list((tmp_path / "cache").iterdir()) == []
    capsys.readouterr()
    assert status_of([*command, "--jobs", "1"]) == 0
    capsys.readouterr()
    assert cache("info")["files"] > 0
