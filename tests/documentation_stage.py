"""Small data under the names that the documentation uses, so that its commands run as they are pasted.

A name means the same on every page: ``corpus`` is a corpus of text reuse, ``problems`` are problems of
verification. Each is made once and copied to where it is needed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import class_of_essays
import reuse_collections
from documentation import ROOT, blocks
from stemmata.cli import status_of
from stemmata.corpora.demo_text import Writer, topics
from stemmata.formats.clough09 import SHEET
from workbooks import sheet_of, write_workbook

Make = Callable[["Shelf", Path], object]
MAKERS: dict[str, Make] = {}
EXAMPLES = ROOT / "examples"


class Shelf:
    """A folder in which everything is made when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, name: str) -> Path:
        path = self.folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            MAKERS[name](self, path)
        return path

    def lay_out(self, names: Sequence[str], stage: Path) -> None:
        """Copy what is named into the folder where commands run."""
        for name in names:
            _copy(self(name), stage / name)

    def run(self, *words: str | Path) -> None:
        assert status_of([str(word) for word in words]) == 0


def _copy(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    return shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)


def made(*names: str) -> Callable[[Make], Make]:
    def register(make: Make) -> Make:
        MAKERS.update(dict.fromkeys(names, make))
        return make

    return register


def example(name: str, path: str) -> None:
    """Let a name stand for one of the examples that come with Stemmata."""
    MAKERS[name] = lambda shelf, to: _copy(EXAMPLES / path, to)


example("essays", "check/essays")
example("essays-of-this-year", "check/essays")
example("library", "check/library")
example("problems", "verify/problems")
example("more-problems", "verify/training")
example("training", "verify/training")
example("essay.txt", "verify/problems/EN003/unknown.txt")
example("letter.txt", "verify/problems/EN003/known01.txt")
example("diary.txt", "verify/problems/EN001/known01.txt")


@made("examples")
def _examples(shelf: Shelf, path: Path) -> None:
    _copy(EXAMPLES, path)


@made("texts")
def _texts(shelf: Shelf, path: Path) -> None:
    path.mkdir()
    writer = Writer(np.random.default_rng(7))
    for number in range(12):
        text = writer.article(topics()[number % len(topics())], 60).text
        (path / f"{number:02}.txt").write_text(text, "utf-8")


@made("plan.toml")
def _plan(shelf: Shelf, path: Path) -> None:
    plan = next(one for one in blocks(ROOT / "docs" / "corpora.md") if one.language == "toml")
    path.write_text(plan.text, "utf-8")


@made("corpus")
def _corpus(shelf: Shelf, path: Path) -> None:
    shelf("texts")
    shelf.run("corpus", "build", shelf("plan.toml"), "-o", path)


@made("other-corpus")
def _other_corpus(shelf: Shelf, path: Path) -> None:
    """A corpus of other texts, from which systems may learn."""
    texts = shelf.folder / "other" / "texts"
    for number in range(12):
        class_of_essays.write(texts / f"{number:02}.txt", class_of_essays.paragraphs(number, 20))
    shelf.run("corpus", "build", _copy(shelf("plan.toml"), texts.parent), "-o", path)


@made("pan13")
def _pan13(shelf: Shelf, path: Path) -> None:
    """The training corpus of PAN13 in small: its layout, and the name of one of its folders."""
    _copy(shelf("corpus"), path)
    (path / "03-shuffled").rename(path / "04-translation-obfuscation")


@made("my-run", "run-a", "run-b", "run-c")
def _run(shelf: Shelf, path: Path) -> None:
    detector = {"run-b": "pan-baseline", "run-c": "zubarev-2017"}.get(path.name, "shingles")
    shelf.run("detect", shelf("corpus"), "--with", detector, "-o", path, "--jobs", "1")


@made("thesis.pdf")
def _thesis(shelf: Shelf, path: Path) -> None:
    paper = (EXAMPLES / "check" / "library" / "paper.txt").read_text("utf-8")
    class_of_essays.write(path, [*class_of_essays.paragraphs(1), *paper.split("\n\n")], "A thesis")


@made("theses.zip")
def _theses(shelf: Shelf, path: Path) -> None:
    shutil.make_archive(str(path.with_suffix("")), "zip", EXAMPLES / "verify" / "training")


@made("pages.jsonl", "articles.jsonl")
def _pages(shelf: Shelf, path: Path) -> None:
    records = [{"id": one.name, "text": one.read_text("utf-8")} for one in sorted(shelf("texts").iterdir())]
    reuse_collections.write_lines(path, records)


@made("web.index", "library.index")
def _index(shelf: Shelf, path: Path) -> None:
    shelf.run("index", "build", path, shelf("library"))


@made("my-index")
def _essay_index(shelf: Shelf, path: Path) -> None:
    shelf.run("index", "build", path, shelf("essays"))


@made("clough09")
def _clough09(shelf: Shelf, path: Path) -> None:
    """The corpus of short answers in small: two answers, laid out as it is."""
    (path / "data" / "texts").mkdir(parents=True)
    paper = (EXAMPLES / "check" / "library" / "paper.txt").read_text("utf-8")
    for name, text in {"orig": paper, "g0pA": paper[:700], "g1pB": paper[300:900]}.items():
        (path / "data" / "texts" / f"{name}_taska.txt").write_text(text, "utf-8")
    head = ["File", "Group", "Task", "Category"]
    rows = [["g0pA_taska.txt", "0", "a", "cut"], ["g1pB_taska.txt", "1", "a", "cut"]]
    sheets = {"Setup": sheet_of([["How it was made"]]), SHEET: sheet_of([head, *rows])}
    write_workbook(path / "data" / "list.xlsx", sheets)


@made("my-essay")
def _essay(shelf: Shelf, path: Path) -> None:
    """An essay of a hundred sentences from five sources, four words of ten left out."""
    writer, rows = Writer(np.random.default_rng(3)), []
    (path / "sources").mkdir(parents=True)
    for number, topic in enumerate((topics() * 5)[:5]):
        article = writer.article(topic, 12)
        (path / "sources" / f"{number}.txt").write_text(article.text, "utf-8")
        for sentence in article.sentences[:20]:
            words = sentence.split()
            del words[len(words) // 2]
            rows.append([" ".join(words), sentence, f"{number}.txt", "DEL"])
    head = ["заимствованное предложение", "оригинальное предложение", "название", "тип - 1", "тип - 2"]
    write_workbook(path / "essay.xlsx", {"Essay": sheet_of([head, *rows])})


@made("answers", "more-answers")
def _answers(shelf: Shelf, path: Path) -> None:
    problems = shelf("problems" if path.name == "answers" else "more-problems")
    shelf.run("verify", problems, "--with", "jankowska13,vandam13", "-o", path, "--jobs", "1")


@made("masked")
def _masked(shelf: Shelf, path: Path) -> None:
    shelf.run("mask", shelf("problems"), "--with", "kocher-savoy-2018", "-o", path, "--jobs", "1")


@made("judgements.csv")
def _judgements(shelf: Shelf, path: Path) -> None:
    page = ROOT / "docs" / "retrieval-and-quality.md"
    path.write_text(next(one for one in blocks(page) if one.language == "csv").text, "utf-8")


@made("truth.jsonl")
def _truth(shelf: Shelf, path: Path) -> None:
    path.write_text("".join(json.dumps({"id": f"p{n}", "same": n % 2 == 0}) + "\n" for n in range(8)))


@made("my-answers.jsonl")
def _my_answers(shelf: Shelf, path: Path) -> None:
    scores = (0.9, 0.2, 0.8, 0.4, 0.3, 0.1, 0.7, 0.6)
    path.write_text("".join(json.dumps({"id": f"p{n}", "value": x}) + "\n" for n, x in enumerate(scores)))


@made("draft.txt")
def _draft(shelf: Shelf, path: Path) -> None:
    _copy(shelf("essay.txt"), path)


@made("articles")
def _articles(shelf: Shelf, path: Path) -> None:
    _copy(shelf("texts"), path)


@made("corpora")
def _corpora(shelf: Shelf, path: Path) -> None:
    _copy(shelf("corpus"), path / "ours")
    _copy(shelf("texts"), path / "texts")


@made("rankings")
def _rankings(shelf: Shelf, path: Path) -> None:
    shelf.run("retrieve", shelf("library.index"), shelf("essays"), "-o", path)


@made("truth.qrels")
def _qrels(shelf: Shelf, path: Path) -> None:
    path.write_text("anna 0 tides.html 1\nbert 0 paper.txt 1\n", "utf-8")
