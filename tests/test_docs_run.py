"""What the documentation shows is done: its commands run, its snippets run, its options exist.

The blocks of a page run from top to bottom in one folder, on the small data that the page is given below.
"""

from __future__ import annotations

import contextlib
import csv
import doctest
import inspect
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from dictionaries import require_judges
from documentation import (
    PAGES,
    ROOT,
    SHELL,
    Block,
    Command,
    all_commands,
    blocks,
    commands,
    option_names,
    parse,
    spans,
)
from documentation_stage import Shelf
from stemmata.cli import status_of

GIVEN = {
    "README.md": "pan13 my-run corpus essays library problems draft.txt plan.toml texts clough09",
    "docs/check.md": "thesis.pdf library essays web.index",
    "docs/corpora.md": "plan.toml texts other-corpus pan13 clough09 corpora",
    "docs/detectors.md": "corpus",
    "docs/essays.md": "my-essay",
    "docs/evidence-report.md": "corpus my-run",
    "docs/formats.md": "my-run answers rankings",
    "docs/index.md": "essays theses.zip articles.jsonl essays-of-this-year pages.jsonl essay.txt",
    "docs/intrinsic.md": "corpus",
    "docs/mask.md": "essay.txt letter.txt diary.txt problems",
    "docs/masking-stemmata.md": "problems",
    "docs/privacy.md": "draft.txt letter.txt",
    "docs/rank.md": "problems masked",
    "docs/reuse-beyond-pan13.md": "my-essay",
    "docs/spark.md": "pages.jsonl essays corpus problems",
    "docs/tuning.md": "corpus",
    "docs/verify.md": "problems training more-problems more-answers",
}
"""What is in the folder in which a page runs, beside ``examples``."""

NOT_RUN = {
    "make": "installs, tests or measures for minutes",
    "scripts/install-data": "installs",
    ".venv/bin/pip": "installs",
    ".venv/bin/python -m benchmarks": "measures for minutes",
    "python -m benchmarks.intrinsic": "measures for minutes",
    "python -m stemmata.reuse.intrinsic.training": "learns for minutes",
    "spark-class": "starts a cluster; tests/test_spark.py starts one",
    "stemmata batch reuse pages.jsonl essays/ -o found --spark": "needs that cluster",
    "STEMMATA_DATA=… .venv/bin/python -m benchmarks": "measures for minutes",
    "stemmata reproduce plagevalrus": "takes a minute; tests/test_reproduce_plagevalrus.py runs it",
    "stemmata detect pan/2013/text-alignment/train": "takes a minute on the real corpus",
    "stemmata score alignment pan/2013/text-alignment/train": "needs the run of that minute",
}
"""Commands that start like this are not run, for the reason given; ours are parsed all the same."""

NEEDS = {
    "docs/data.md": "clough09",
    "docs/reproduce-pan18.md": "pan18-safety",
    "stemmata data add": "clough09",
    "stemmata data remove": "clough09",
    "stemmata reproduce": "pan18-safety",
    "stemmata score safety": "pan18-safety",
}
"""What needs a real corpus, and which; without it, commands are parsed only."""

FIRST = {
    "docs/reproduce-pan18.md": "data add pan/2018/obfuscation/safety {corpus}",
    "stemmata data remove": "data add clough09 {corpus}",
    "stemmata reproduce": "data add pan/2018/obfuscation/safety {corpus}",
    "stemmata score safety": "data add pan/2018/obfuscation/safety {corpus}",
}
"""What is done before, where a corpus must be registered."""

WITH_MODELS = {
    *("README.md", "docs/mask.md", "docs/masking-stemmata.md", "docs/obfuscators.md", "docs/privacy.md"),
    *("docs/quality.md", "docs/rank.md", "docs/rewriting.md", "stemmata mask"),
}
"""What needs WordNet and the models, which some machines cannot install."""

RUN_ELSEWHERE = {"stemmata demo": "tests/test_demo_questions.py runs it"}
"""Commands whose example in the help is not run here, since it takes long."""

ENDS_WITH_1 = {
    "stemmata reproduce coling10 --data corpora -o coling10": "a small corpus has other shares",
}
"""Commands that are right to end with a finding, and why."""

OF_OTHERS = {"--det-tag", "--plag-tag"}
"""Options that pages name of PAN's evaluator."""

A_CLUSTER = "spark://host:7077"
LANGUAGES = {*SHELL, "python", "toml", "json", "csv", "xml", "text"}
ALL = [pytest.param(page, id=page.relative_to(ROOT).as_posix()) for page in PAGES]
SHOWN = [
    (page, block, one)
    for page in PAGES
    for block in blocks(page)
    if block.language in SHELL
    for one in commands(block)
]


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return Shelf(tmp_path_factory.mktemp("shelf"))


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def stage(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in, with a home, a cache and a data folder that are nobody's."""
    folder, home = tmp_path / "stage", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    monkeypatch.delenv("STEMMATA_DATA", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.setenv("STEMMATA_CACHE", str(cache / "cells"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(folder)
    return folder


def test_every_block_names_its_language():
    assert [one.place for page in PAGES for one in blocks(page) if one.language not in LANGUAGES] == []


@pytest.mark.parametrize("page", ALL)
def test_a_page_runs_from_top_to_bottom(page: Path, shelf: Shelf, stage: Path, data_folder: Path) -> None:
    name = page.relative_to(ROOT).as_posix()
    register(name, data_folder)
    shelf.lay_out([*GIVEN.get(name, "").split(), "examples"], stage)
    names: dict[str, Any] = {"__name__": "__main__"}
    wrong = [said for block in blocks(page) for said in CHECKS[block.language](block, names)]
    assert not wrong, "\n\n".join(wrong)


def register(name: str, data_folder: Path) -> None:
    """Put the real corpus that is needed where it is looked for; without it, or models, skip the test."""
    if name in WITH_MODELS:
        require_judges()
    if name not in NEEDS:
        return
    corpus = data_folder / NEEDS[name]
    if not corpus.is_dir():
        pytest.skip(f"the corpus {corpus.name} is not in {data_folder}")
    if name in FIRST:
        assert status_of(FIRST[name].format(corpus=corpus).split()) == 0
    else:
        shutil.make_archive(str(Path.home() / "Downloads" / corpus.name), "zip", corpus.parent, corpus.name)
        shutil.copytree(corpus, Path.home() / "corpora" / corpus.name)


def check_shell(block: Block, names: dict[str, Any]) -> list[str]:
    return [said for one in commands(block) if not_run(one) is None and (said := run(one))]


def not_run(command: Command) -> str | None:
    """Return why a command is not run, if it is not."""
    return next((why for start, why in NOT_RUN.items() if f"{command.text} ".startswith(f"{start} ")), None)


def run(command: Command) -> str:
    """Run a command; return what is wrong with it or with what the page shows of it."""
    if command.is_ours and command.is_plain:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = status_of(command.words[1:])
        said = out.getvalue()
    else:
        done = subprocess.run(["bash", "-ec", command.text], capture_output=True, text=True, check=False)
        status, said = done.returncode, done.stdout + done.stderr
    if status != (command.text in ENDS_WITH_1):
        return f"{command.place}: {command.text}\nends with {status}\n{said[-2000:]}"
    missing = [
        line for line in command.shown.splitlines() if shape(line) not in map(shape, said.splitlines())
    ]
    return (
        f"{command.place}: {command.text}\nhas no such line as {missing}\n{said[-2000:]}" if missing else ""
    )


def shape(line: str) -> str:
    """Return a line without its figures and the width of its columns."""
    return " ".join(re.sub(r"[-+]?\d[\d.,]*", "N", line).split())


def check_python(block: Block, names: dict[str, Any]) -> list[str]:
    """Run a snippet after those above it, and compare what it prints with what its comments say."""
    if block.text.startswith(">>>"):
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        test = doctest.DocTestParser().get_doctest(block.text, names, block.place, None, None)
        out = io.StringIO()
        runner.run(test, out=out.write, clear_globs=False)
        names.update(test.globs)
        return [out.getvalue()] if out.getvalue() else []
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(block.text, block.place, "exec"), names)
    except Exception:
        return [f"{block.place}\n{traceback.format_exc()}"]
    promised = re.findall(r"^(?:print\(.*\)  )?# (.*)", block.text, re.M)
    printed = iter(out.getvalue().splitlines())
    if not all(any(is_like(one, line) for line in printed) for one in promised):
        return [f"{block.place} promises\n{promised}\nand prints\n{out.getvalue()}"]
    return []


def is_like(promised: str, printed: str) -> bool:
    return re.fullmatch(re.escape(promised).replace("…", ".*"), printed) is not None


def check_toml(block: Block, names: dict[str, Any]) -> list[str]:
    tomllib.loads(block.text)
    return []


def check_json(block: Block, names: dict[str, Any]) -> list[str]:
    try:
        json.loads(block.text)
    except json.JSONDecodeError:
        for line in block.text.splitlines():
            json.loads(line)
    return []


def check_csv(block: Block, names: dict[str, Any]) -> list[str]:
    rows = list(csv.reader(block.text.splitlines()))
    return [block.place for row in rows if len(row) != len(rows[0])]


def check_xml(block: Block, names: dict[str, Any]) -> list[str]:
    ElementTree.fromstring(block.text)
    return []


CHECKS: dict[str, Callable[[Block, dict[str, Any]], list[str]]] = {
    **dict.fromkeys(SHELL, check_shell),
    "python": check_python,
    "toml": check_toml,
    "json": check_json,
    "csv": check_csv,
    "xml": check_xml,
    "text": lambda block, names: [],
}


@pytest.mark.parametrize("command", [one for _, _, one in SHOWN if one.is_ours], ids=lambda one: one.place)
def test_a_command_that_is_shown_has_the_options_it_is_shown_with(command: Command) -> None:
    parse(shlex.split(command.text))


def test_what_is_not_run_is_shown_somewhere():
    shown = [f"{one.text} " for _, _, one in SHOWN]
    unused = [start for start in NOT_RUN if not any(one.startswith(f"{start} ") for one in shown)]
    assert unused == []


def test_make_has_the_targets_that_are_shown():
    made = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert {one.words[1] for _, _, one in SHOWN if one.words[0] == "make"} <= set(made)


@pytest.mark.parametrize("page", ALL)
def test_the_commands_and_options_in_a_text_exist(page: Path) -> None:
    wrong = []
    for span in spans(page):
        if span.startswith("stemmata ") and span != "stemmata serve":
            words = [word.strip("[]").split("|")[0] for word in span.replace("…", "").split()]
            try:
                parse([word for word in words if word])
            except Exception as error:
                wrong.append(f"`{span}`: {error}")
        elif span.startswith("--"):
            unknown = set(re.findall(r"--[a-z0-9-]+", span)) - option_names() - OF_OTHERS
            wrong += [f"`{span}`: no command has {option}" for option in sorted(unknown)]
    assert wrong == []


@pytest.mark.parametrize("page", ALL)
def test_the_extras_in_a_text_exist(page: Path) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = re.findall(r"(?:stemmata|\.)\[([a-z,]+)\]", page.read_text("utf-8"))
    assert {one for some in named for one in some.split(",")} <= set(extras)


@pytest.mark.parametrize("page", ALL)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    assert [one for one in targets if not (page.parent / one).exists()] == []


HELP_GIVEN = {
    "stemmata batch index": "pages.jsonl",
    "stemmata batch pairs": "pages.jsonl",
    "stemmata batch reuse": "pages.jsonl essays",
    "stemmata check": "essays library",
    "stemmata compare": "corpus run-a run-b run-c",
    "stemmata corpus build": "plan.toml texts",
    "stemmata corpus compare": "pan13 clough09 corpus",
    "stemmata corpus describe": "corpus",
    "stemmata corpus import": "my-essay",
    "stemmata corpus validate": "corpus other-corpus",
    "stemmata detect": "corpus",
    "stemmata index add": "my-index essays-of-this-year",
    "stemmata index build": "essays theses.zip articles.jsonl",
    "stemmata index info": "my-index",
    "stemmata index remove": "my-index",
    "stemmata mask": "essay.txt letter.txt diary.txt",
    "stemmata rank": "problems",
    "stemmata report alignment": "corpus my-run",
    "stemmata report verification": "problems answers more-problems more-answers",
    "stemmata retrieve": "my-index essays",
    "stemmata score alignment": "corpus my-run",
    "stemmata score quality": "judgements.csv",
    "stemmata score retrieval": "truth.qrels rankings",
    "stemmata score verification": "truth.jsonl my-answers.jsonl",
    "stemmata tune": "corpus",
    "stemmata validate": "corpus",
    "stemmata verify": "problems",
}
"""What is in the folder in which the example of a command's help runs."""


@pytest.mark.parametrize(("name", "command"), [pytest.param(*one, id=one[0]) for one in all_commands()])
def test_the_example_in_the_help_runs(
    name: str, command: Any, shelf: Shelf, stage: Path, data_folder: Path
) -> None:
    shown = re.search(r"^Example: (.*?)(?:\n\n|\Z)", inspect.cleandoc(command.help or ""), re.M | re.S)
    assert shown, f"the help of {name} shows no example"
    line = " ".join(shown[1].split())
    assert line.startswith(name)
    parse(shlex.split(line))
    if name in RUN_ELSEWHERE:
        pytest.skip(RUN_ELSEWHERE[name])
    if line in {one.text for _, _, one in SHOWN}:
        pytest.skip("a page shows the same command, and runs it")
    register(name, data_folder)
    shelf.lay_out(HELP_GIVEN.get(name, "").split(), stage)
    # What a cluster does is tested in test_spark.py; here the same work is done without one.
    said = run(Command(name, line.replace(f" --spark {A_CLUSTER}", "")))
    assert not said, said
