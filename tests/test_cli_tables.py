"""Tables of all commands: one tidy table per CSV for programs, nothing cut at 80 columns for people."""

import io
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from rich.text import Text

import stemmata.cli.output
from stemmata.cli import status_of
from stemmata.reports.tables import Estimate

pandas = pytest.importorskip("pandas")

LONG = "02-no-obfuscation-of-a-very-long-name-indeed"
SYSTEM = "a-system-of-2018-with-a-long-name"


def feature(name, source, at=0, **attributes):
    said = {"name": name, "this_offset": at, "this_length": 100, "source_reference": source}
    said |= {"source_offset": at, "source_length": 100, **attributes}
    return f"<feature {' '.join(f'{key}={json.dumps(str(value))}' for key, value in said.items())} />"


def document(reference, *features):
    return f'<document reference="{reference}">{"".join(features)}</document>'


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """Small inputs of all kinds, with long names."""
    folder = tmp_path_factory.mktemp("room")
    files = {}
    for number in range(6):
        part = LONG if number % 2 else "=1+1"
        case = feature("plagiarism", f"o{number}.txt", obfuscation="none" if number % 2 else "summary")
        found = feature("detected-plagiarism", f"o{number}.txt", at=number * 10)
        files[f"truth/{part}/s{number}-o{number}.xml"] = document(f"s{number}.txt", case)
        files[f"run-{SYSTEM}/s{number}-o{number}.xml"] = document(f"s{number}.txt", found)
        files[f"other/s{number}-o{number}.xml"] = document(f"s{number}.txt", *([found] if number else []))
    files["wrong/a-file-with-a-very-long-name-that-should-be-copied-from-the-table-as-it-is.xml"] = (
        "<document"
    )
    problems = [f"EN{number:03}" for number in range(8)]
    files["problems.txt"] = "".join(f"{one} {'YN'[at % 2]}\n" for at, one in enumerate(problems))
    files["answers.txt"] = "".join(f"{one} 0.{9 - at}\n" for at, one in enumerate(problems))
    rng = np.random.default_rng(1)
    for corpus in ("essays", "novels"):
        files[f"safety/{corpus}-truth.txt"] = "".join(f"{one} Y\n" for one in problems)
        for name in ("", "-obfuscationA", f"-obfuscation{SYSTEM}"):
            for verifier in ("first", "second", "third"):
                scores = "".join(f"{one} {rng.random():.3f}\n" for one in problems)
                files[f"safety/{corpus}{name}/{verifier}.txt"] = scores
    files["judgements.csv"] = "item,system,assessor,sensibleness,soundness\n" + "".join(
        f"{item},{system},{who},{1 + item % 3},{grade}\n"
        for item in range(4)
        for system in (SYSTEM, "b")
        for who, grade in (("x", "passable"), ("y", "correct"))
    )
    files |= {f"sources/s{n}.json": f'{{"sources": ["o{n}.txt"]}}' for n in range(3)}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


ALIGNMENT = ("score", "alignment", "truth", f"run-{SYSTEM}", "--by", "folder", "--confidence", "0.95")
VERIFICATION = ("score", "verification", "problems.txt", "answers.txt", "--confidence", "0.95")
SAFETY = ("score", "safety", "safety", "--confidence", "0.95")
MATRIX = ("score", "safety", "safety", "--matrix", "A")
QUALITY = ("score", "quality", "judgements.csv", "--confidence", "0.95")
COMPARE = ("compare", "truth", f"run-{SYSTEM}", "other")
VALIDATE = ("validate", "wrong")
LISTS = [
    ("list", family)
    for family in (
        "measures",
        "detectors",
        "retrievers",
        "verifiers",
        "obfuscators",
        "strategies",
        "datasets",
    )
]
DATA = [("data", "list"), ("data", "show", "pan/2013/text-alignment/train")]
COMMANDS = [ALIGNMENT, VERIFICATION, SAFETY, MATRIX, QUALITY, COMPARE, VALIDATE, *LISTS, *DATA]


def words(command):
    return "-".join(command[:3])


@pytest.mark.parametrize("command", COMMANDS, ids=words)
def test_csv_is_one_table_with_unique_headings_and_keys_in_all_rows(room, monkeypatch, capsys, command):
    monkeypatch.chdir(room)
    status_of([*command, "--format", "csv"])
    out = capsys.readouterr().out
    table = pandas.read_csv(io.StringIO(out))
    assert len(table) > 0
    heads = out.splitlines()[0].split(",")
    assert len(set(heads)) == len(heads)
    assert all(heads)
    assert not table.iloc[:, 0].isna().any()


@pytest.mark.parametrize(
    ("command", "name", "rows", "numbers"),
    [
        (ALIGNMENT, "levels", 4, ["plagdet", "plagdet_low", "plagdet_high", "granularity_high"]),
        (ALIGNMENT, "groups", 3, ["plagdet", "plagdet_low", "plagdet_high", "recall_low"]),
        (ALIGNMENT, "cases", 6, ["recall", "offset"]),
        (ALIGNMENT, "detections", 6, ["precision"]),
        (SAFETY, "corpora", 4, ["score", "low", "high", "delta_acc"]),
        (SAFETY, "ranking", 2, ["score", "share_of_perfect"]),
        (MATRIX, "matrix", 16, []),
        (QUALITY, "sensibleness", 3, ["mean", "mean_low", "mean_high", "alpha_low"]),
        (COMPARE, "ranking", 2, ["plagdet", "granularity"]),
        (COMPARE, "tests", 4, ["p_holm", "difference"]),
    ],
)
def test_each_table_can_be_had_with_intervals_as_numbers(
    room, monkeypatch, capsys, command, name, rows, numbers
):
    monkeypatch.chdir(room)
    assert status_of([*command, "--format", "csv", "--table", name]) == 0
    table = pandas.read_csv(io.StringIO(capsys.readouterr().out))
    assert len(table) == rows
    for column in numbers:
        assert table[column].dropna().map(float).map(np.isfinite).all()


def test_intervals_are_not_rounded_and_the_first_table_is_the_default(room, monkeypatch, capsys):
    monkeypatch.chdir(room)
    status_of([*ALIGNMENT, "--format", "json"])
    told = json.loads(capsys.readouterr().out)
    status_of([*ALIGNMENT, "--format", "csv"])
    table = pandas.read_csv(io.StringIO(capsys.readouterr().out)).set_index("level")
    assert table.loc["macro", "plagdet_low"] == told["confidence"]["macro"]["plagdet"][0]


def test_the_corpus_is_a_column_of_what_is_listed_for_each(room, monkeypatch, capsys):
    monkeypatch.chdir(room)
    status_of([*SAFETY, "--format", "csv"])
    table = pandas.read_csv(io.StringIO(capsys.readouterr().out))
    assert set(table["corpus"]) == {"essays", "novels"}
    assert set(table["obfuscator"]) == {"A", SYSTEM}


def test_a_wrong_table_is_refused_before_the_work_with_the_names_there_are(room, monkeypatch, capsys):
    monkeypatch.chdir(room)
    assert status_of(["score", "alignment", "nowhere", "nowhere", "--table", "macro"]) == 2
    assert (
        "there is no table 'macro'; there are: levels, groups, cases, detections" in capsys.readouterr().err
    )
    assert status_of(["score", "safety", "--help"]) == 0
    assert "corpora, ranking or matrix" in " ".join(capsys.readouterr().out.split())


def test_a_table_that_this_result_lacks_is_refused(room, monkeypatch, capsys):
    monkeypatch.chdir(room)
    assert status_of(["score", "alignment", "truth", "other", "--table", "groups", "-f", "csv"]) == 2
    assert "this result has only: levels" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def drawn(room, monkeypatch):
    """Run a command on a terminal; return what it shows there without colours, and the tables behind it."""

    def run(command, width):
        tables, terminal = [], Terminal()
        render = stemmata.cli.output.render
        monkeypatch.chdir(room)
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setattr(stemmata.cli.output, "render", lambda *a: [tables.append(a[0]), render(*a)][1])
        monkeypatch.setattr(sys, "stdout", terminal)
        status_of(list(command))
        return Text.from_ansi(terminal.getvalue()).plain, tables

    return run


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("command", COMMANDS, ids=words)
def test_nothing_is_cut_in_a_narrow_terminal(drawn, command, width):
    shown, tables = drawn(command, width)
    assert tables
    lines = shown.splitlines()
    assert max(map(len, lines)) <= width
    there = {word for line in lines for word in line.split()}
    folded = "".join(shown.split())
    for table in tables:
        for row in range(len(table.rows)):
            for column in range(len(table.columns)):
                for word in table.text(row, column).split():
                    assert word in there or word in folded
                    assert word in there or len(word) > width - 30


def test_an_escape_sequence_in_a_name_does_not_reach_the_terminal(drawn, room):
    name = "evil\x1b[2J\x07\x9b31m"
    (room / "odd.txt").write_text(f"{name} Y\n{name} N\n")
    shown, tables = drawn(("validate", "odd.txt"), 80)
    assert tables
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)


def test_json_escapes_what_a_terminal_would_obey(capsys):
    from stemmata.cli.output import print_result
    from stemmata.reports.tables import Format

    print_result([], {"name": "a\x1b\x7f\x9bb"}, Format.JSON)
    out = capsys.readouterr().out
    assert not re.search(r"[\x1b\x7f-\x9f]", out)
    assert json.loads(out) == {"name": "a\x1b\x7f\x9bb"}


def test_no_output_shows_how_python_writes_an_object(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("susp/s.txt", "src/o.txt"):
        Path(name).parent.mkdir()
        Path(name).write_text("A few words for a document that is short. " * 5)
    Path("pairs").write_text("s.txt o.txt\n")
    assert status_of(["detect", ".", "--with", "stemmata", "-o", "run", "-j", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1 pair, 1 detection by stemmata, 0 pairs failed\n")
    Path("p.json").write_text('{"detector": "shingles", "parameters": {"n": 4}}')
    assert (
        status_of(["detect", ".", "--with", "shingles", "--parameters", "p.json", "-o", "b", "-j", "1"]) == 0
    )
    assert "by shingles (n 4), " in capsys.readouterr().out


def test_a_reason_that_many_share_is_one_note_with_all_names():
    from stemmata.cli.output import skipped_notes

    skipped = {"a": "E821 a must learn first", "b": "E502 no package", "c": "E821 c must learn first"}
    assert skipped_notes(skipped) == ["skipped: a, c: E821 must learn first", "skipped: b: E502 no package"]


def test_an_interval_is_shown_in_one_cell_to_people():
    from stemmata.reports.tables import Table

    assert Table(("x",), [[Estimate(0.12345, 0, 1)]]).text(0, 0) == "0.1235 [0.0000, 1.0000]"


def every(command):
    yield command
    for below in getattr(command, "commands", {}).values():
        yield from every(below)


def test_help_fits_any_width_and_names_no_type_of_python():
    for command in every(stemmata.cli.command()):
        assert not re.search(r"[^\n]\n[^\n]", command.help or ""), command.name
        for one in command.params:
            assert one.metavar == "" or not getattr(one, "is_flag", False), (command.name, one.name)
