"""`stemmata rank` when a process dies: what failed is named, and nothing that was done is lost."""

import json
from pathlib import Path

import pytest

from hiding import Doomed, Killed, Share, Shouting, only, put_problems
from stemmata.authorship import verifiers
from stemmata.cli import status_of
from stemmata.masking import obfuscators


@pytest.fixture
def essays(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return put_problems(tmp_path / "essays")


@pytest.mark.parametrize(
    ("verifiers_asked", "obfuscators_asked", "named"),
    [
        ("share,doomed", "loud", "doomed"),
        ("doomed,late", "loud", "doomed"),
        ("share", "loud,killed", "killed on"),
        ("share", "killed", "killed on"),
    ],
)
def test_a_worker_that_is_killed_is_named_and_the_next_run_goes_on(
    essays, capsys, monkeypatch, verifiers_asked, obfuscators_asked, named
):
    only(monkeypatch, verifiers, {"share": Share, "doomed": Doomed, "late": lambda: Doomed(0.5)})
    loud = {"loud": lambda: Shouting(least=2), "killed": lambda: Killed(least=2)}
    only(monkeypatch, obfuscators, loud)
    asked = ["--verifiers", verifiers_asked, "--obfuscators", obfuscators_asked]
    command = ["rank", str(essays), *asked, "--judged", "0", "--jobs", "2"]
    Path("kill").touch()
    status = status_of(command)
    out, err = capsys.readouterr()
    assert status in (1, 2)
    assert "E675" in out + err
    assert named in " ".join((out + err).split())
    assert "E003" not in out + err
    assert err.count("\n") == (status == 2)
    Path("kill").unlink()
    assert status_of(command) == 0
    ranked = json.loads(Path("ranking/ranking.json").read_text())["obfuscators"]
    assert sorted(ranked) == sorted(obfuscators_asked.split(","))
