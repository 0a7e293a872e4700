"""The front page of the demonstration: three questions, each with its page; what is missing costs one."""

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from stemmata.cli import demonstration, status_of
from stemmata.corpora.demo import KINDS, build_demo_corpus
from stemmata.corpora.demo_writings import write_problems, write_text_to_mask
from stemmata.formats import DocumentFolder, read_cases
from stemmata.model import ErrorCode, Pair, StemmataError
from stemmata.reports.demo_questions import Answer, Authorship, Front, Masking, Missing, Reuse
from stemmata.reports.html import Estimate, PassageView, RunRow, render_page
from stemmata.reports.passages import Mark, Pane, Segment
from stemmata.reports.side_by_side import Stretch
from stemmata.reuse.parameters import make_aligner

EXAMPLES = Path(__file__).parents[1] / "examples" / "verify" / "problems"
HOSTILE = "<script>alert('x')</script>\"&"
PANE = Pane(HOSTILE, tuple(Segment(HOSTILE, mark) for mark in Mark))
VALUE = Estimate(0.5, 0.4, 0.6)
FRONT = Front(
    Reuse(60, 0.9, 0.95, 6, 0, PassageView(HOSTILE, PANE, PANE, 1.0), "reuse.html"),
    Authorship([Answer(HOSTILE, 0.9, True)], {"stemmata": 1.0}, HOSTILE, "page.html", "why.html"),
    Masking([Stretch(HOSTILE, True)], [Stretch(HOSTILE)], 90, 0.8, 7, (6, 2), "masked.html"),
    [RunRow(HOSTILE, HOSTILE, 1, VALUE, VALUE, VALUE, VALUE, VALUE)],
    "scores.html",
    [(HOSTILE, HOSTILE)],
)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cache"))


def content(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.txt")}


def test_the_problems_are_those_of_the_examples(tmp_path):
    write_problems(tmp_path)
    assert content(tmp_path) == content(EXAMPLES)


def test_the_author_of_the_text_to_mask_is_not_among_the_others(tmp_path):
    write_text_to_mask(tmp_path)
    made = content(tmp_path)
    samples = {name for name in made if name.startswith("samples/")}
    others = {name for name in made if name.startswith("others/")}
    assert samples == {f"samples/talker-{number}.txt" for number in (1, 3, 4)}
    assert not any("talker" in name for name in others)
    assert len({*made.values()}) == len(made) == 1 + len(samples) + len(others)


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_our_detector_reports_nothing_in_the_clean_documents(tmp_path, seed):
    build_demo_corpus(tmp_path / "corpus", seed)
    suspicious, sources = DocumentFolder(tmp_path / "corpus/susp"), DocumentFolder(tmp_path / "corpus/src")
    aligner = make_aligner("stemmata")
    clean = read_cases(tmp_path / "corpus").pairs[KINDS[0].folder]
    assert [aligner.align(Pair(suspicious[mine], sources[theirs])) for mine, theirs in clean] == [[]] * 6


def test_hostile_texts_are_shown_and_never_run():
    page = render_page("demo_front.html.j2", front=FRONT)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "http" not in page.replace("http-equiv", "")


def test_a_part_that_is_missing_says_why_and_the_others_are_shown():
    lacking = Missing("E504 WordNet needs data that is not installed (apt-get install wordnet-base)")
    page = render_page("demo_front.html.j2", front=replace(FRONT, masking=lacking, authorship=lacking))
    assert page.count("Not shown here: E504 WordNet") == 2
    assert "reuse.html" in page
    assert "masked.html" not in page


class TestTheCommand:
    @pytest.fixture
    def unmasked(self, monkeypatch):
        """Let masking fail as it does where an extra is missing; give the commands that were called."""
        called = []

        def failing(command, **_):
            called.append(command)
            return subprocess.CompletedProcess(command, 2, "", "stemmata: E502 it needs HanTa\n")

        monkeypatch.setattr(demonstration.subprocess, "run", failing)
        return called

    def test_what_is_missing_costs_its_part_alone(self, unmasked, tmp_path, capsys, monkeypatch):
        def lacking(_):
            raise StemmataError(ErrorCode.NO_PROBLEMS)

        monkeypatch.setattr(demonstration, "verify_problems", lacking)
        assert status_of(["demo", str(tmp_path / "demo"), "--format", "json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert {"report", "runs", "comparisons", "questions"} == data.keys()
        questions = data["questions"]
        assert questions["masking"]["answer"] == "E502 it needs HanTa"
        assert questions["masking"]["page"] is None
        assert questions["authorship"]["answer"].startswith("E601")
        assert questions["reuse"]["answer"].endswith("0 false alarms")
        assert "Not shown here: E502 it needs HanTa" in (tmp_path / "demo" / "report.html").read_text()

    def test_every_page_that_the_front_page_leads_to_is_there(self, unmasked, tmp_path, capsys):
        folder = tmp_path / "demo"
        assert status_of(["demo", str(folder)]) == 0
        out = capsys.readouterr().out
        assert "6 of 6 problems answered right" in out
        page = (folder / "report.html").read_text()
        links = set(re.findall(r'href="([^"#]+)"', page))
        assert links == {
            "who-copied-it.html",
            "scores.html",
            "authorship/explanation.html",
            "authorship/who-wrote-it.html",
        }
        assert all((folder / link).is_file() for link in links)
        assert all((folder / place).exists() for place in ("masking/letter.txt", "runs/stemmata"))

    def test_the_text_is_masked_by_the_command_that_a_user_would_type(self, unmasked, tmp_path):
        status_of(["demo", str(tmp_path / "demo")])
        [command] = unmasked
        assert command[1:6] == ["-m", "stemmata", "mask", "letter.txt", "--samples"]

    def test_it_replaces_what_it_made_and_nothing_else(self, unmasked, tmp_path, capsys):
        folder = tmp_path / "demo"
        assert status_of(["demo", str(folder)]) == 0
        assert status_of(["demo", str(folder)]) == 0
        foreign = tmp_path / "other" / "authorship" / "mine.txt"
        foreign.parent.mkdir(parents=True)
        foreign.write_text("precious")
        assert status_of(["demo", str(tmp_path / "other")]) == 2
        assert "E107" in capsys.readouterr().err
        assert foreign.read_text() == "precious"
