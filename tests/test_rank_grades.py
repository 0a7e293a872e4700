"""`stemmata rank --judged`: what readers would say of obfuscated texts, predicted for some of each."""

import json
from math import nan
from pathlib import Path
from types import SimpleNamespace

import pytest

from dictionaries import require_judges
from hiding import Scrambling, Share, Shouting, Whispering, only, put_problems
from stemmata.authorship import verifiers
from stemmata.cli import status_of
from stemmata.experiments import ranking_summary
from stemmata.experiments.grading import FEW, Grades, mean_grades
from stemmata.masking import obfuscators, quality
from stemmata.model import ErrorCode, StemmataError


@pytest.fixture(autouse=True)
def _own(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    for registry, made in (
        (obfuscators, {"loud": Shouting, "quiet": Whispering, "scrambled": Scrambling}),
        (verifiers, {"share": Share}),
    ):
        only(monkeypatch, registry, made)
    monkeypatch.setattr(ranking_summary, "SEEDS", 2)
    monkeypatch.setattr(ranking_summary, "RESAMPLES", 50)


@pytest.fixture
def essays(tmp_path):
    """Texts A0Y and A1Y by one author, B0Y and B1Y by another, are to be hidden."""
    return put_problems(tmp_path / "essays", texts=2)


@pytest.fixture
def run(essays, capsys):
    def call(judged, *arguments, out="ranking"):
        status = status_of(["rank", str(essays), "--judged", str(judged), "-o", out, *arguments])
        assert status == 0, capsys.readouterr().err
        return capsys.readouterr().out, json.loads((Path(out) / "ranking.json").read_text())

    return call


class Reader:
    """Finds texts by A good and those by B poor, and worse if they shout."""

    def __init__(self):
        self.read = []

    def judge_pieces(self, pieces, most):
        assert most == FEW
        original = "".join(piece.original for piece in pieces)
        by_a, loud = "A" in original.split()[-1], any(piece.obfuscation.isupper() for piece in pieces)
        self.read.append((original.split()[-1], loud))
        return SimpleNamespace(soundness=5.0 - (not by_a) - 2 * loud, sensibleness=2.0 - (not by_a) - loud)


@pytest.fixture
def reader(monkeypatch):
    made = Reader()
    monkeypatch.setattr(quality, "Quality", lambda: made)
    return made


TWO = ("--obfuscators", "loud,quiet", "--jobs", "1")


def test_grades_of_an_obfuscator_are_means_over_the_texts_judged(run, reader, monkeypatch):
    monkeypatch.setitem(obfuscators._loaded, "loud", lambda: Shouting(least=1))
    out, data = run(2, *TWO)
    told = {name: one["quality"] for name, one in data["obfuscators"].items()}
    assert told == {
        "loud": {"soundness": 2.5, "sensibleness": 0.5, "texts": 2},
        "quiet": {"soundness": 4.5, "sensibleness": 1.5, "texts": 2},
    }
    assert data["ungraded"] is None
    assert {"Sensible", "Sound"} <= set(out.split())
    page = Path("ranking/ranking.html").read_text()
    assert '<td data-title="Soundness, of 5"><span class="v">4.50</span></td>' in page
    assert '<td data-title="Sensibleness, of 2"><span class="v">0.50</span></td>' in page


def test_every_obfuscator_is_judged_by_the_same_texts_spread_over_all(run, reader):
    run(2, *TWO)
    assert sorted(text for text, _ in reader.read) == ["A0Y.", "A0Y.", "B1Y.", "B1Y."]


def test_what_was_judged_is_not_judged_again(run, reader):
    first = run(1, *TWO)[1]["obfuscators"]
    assert len(reader.read) == 2
    assert run(1, *TWO)[1]["obfuscators"] == first
    assert len(reader.read) == 2
    run(2, *TWO, out="more")
    assert len(reader.read) == 4


def test_a_text_without_grades_does_not_count():
    assert mean_grades([Grades(nan, nan), Grades(4.0, 1.0), Grades(2.0, 0.0)]) == {
        "soundness": 3.0,
        "sensibleness": 0.5,
        "texts": 2,
    }
    assert mean_grades([Grades(nan, nan)]) is mean_grades([]) is None


def test_texts_in_no_language_that_can_be_graded_have_no_grades(run, reader, monkeypatch):
    monkeypatch.setattr(reader, "judge_pieces", lambda *_: SimpleNamespace(soundness=nan, sensibleness=nan))
    out, data = run(1, *TWO)
    assert [one["quality"] for one in data["obfuscators"].values()] == [None, None]
    assert "quality was not predicted: it is for texts in English" in out
    assert "was not predicted (it is for texts in English)" in Path("ranking/ranking.html").read_text()


def test_without_the_models_the_reason_is_told_and_the_ranking_made(run, reader, monkeypatch):
    def missing(*_):
        raise StemmataError(ErrorCode.NO_LANGUAGE_MODEL, variable="MODEL")

    monkeypatch.setattr(reader, "judge_pieces", missing)
    out, data = run(1, *TWO)
    assert [one["quality"] for one in data["obfuscators"].values()] == [None, None]
    assert "quality was not predicted: E710 no language model is installed" in " ".join(out.split())
    assert data["ungraded"].startswith("E710")


def test_a_judge_that_fails_costs_no_ranking(run, reader, monkeypatch):
    def fails(*_):
        raise ValueError("no such thing")

    monkeypatch.setattr(reader, "judge_pieces", fails)
    _, data = run(1, *TWO)
    assert data["ungraded"].startswith("E894 what predicts grades failed: ValueError: no such thing")


@pytest.fixture
def _models():
    require_judges()


@pytest.mark.usefixtures("_models")
def test_wrecked_texts_are_graded_below_those_left_nearly_alone(run):
    _, data = run(1, "--obfuscators", "quiet,scrambled", "--jobs", "1")
    wrecked, alone = (data["obfuscators"][name]["quality"] for name in ("scrambled", "quiet"))
    assert wrecked["sensibleness"] < alone["sensibleness"] - 0.5
    assert wrecked["soundness"] < alone["soundness"]


@pytest.mark.usefixtures("_models")
def test_any_number_of_processes_gives_the_same_grades(run, monkeypatch, tmp_path):
    def grades(jobs):
        monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / f"cache-{jobs}"))
        _, data = run(1, "--obfuscators", "quiet,scrambled", "--jobs", str(jobs), out=f"by-{jobs}")
        return {name: one["quality"] for name, one in data["obfuscators"].items()}

    assert grades(1) == grades(2)
