"""Plug-ins: the examples of docs/plugins.md run, and one that is broken costs only its own part."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from stemmata.cli import status_of
from stemmata.formats import read_detections
from stemmata.model import Detection, Passage, Ranked, Ranking, StemmataError
from stemmata.reuse import detectors, intrinsic_detectors, retrievers

PAGE = Path(__file__).parents[1] / "docs" / "plugins.md"
TEXT = "The keeper lit the lamp at dusk and wrote down the weather in the long book. "
OTHER = "Nobody in the village had seen a winter like this one before, as they all agreed. "


class Installed:
    """Packages that are installed in a folder, and the command line with them."""

    def __init__(self, folder):
        self.folder = folder

    def install(self, module, source, points):
        (self.folder / f"{module}.py").write_text(source)
        info = self.folder / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        lines = [f"[{group}]\n{name} = {value}\n" for group, name, value in points]
        (info / "entry_points.txt").write_text("\n".join(lines))

    def run(self, *command):
        path = os.pathsep.join([str(self.folder), *filter(None, [os.environ.get("PYTHONPATH")])])
        return subprocess.run(
            [sys.executable, "-m", "stemmata", *map(str, command)],
            check=False,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": path},
            timeout=120,
        )


@pytest.fixture
def installed(tmp_path):
    return Installed(tmp_path)


@pytest.fixture
def corpus(write, tmp_path):
    """Three pairs; the first document shares a passage with each source."""
    for number in (1, 2, 3):
        write(f"corpus/susp/s{number}.txt", f"{OTHER}{TEXT * 5}{OTHER}")
        write(f"corpus/src/o{number}.txt", f"{TEXT * 5}{OTHER[:40]}")
    write("corpus/pairs", "".join(f"s{number}.txt o{number}.txt\n" for number in (1, 2, 3)))
    return tmp_path / "corpus"


@pytest.fixture
def registered(monkeypatch):
    """Give what adds a system to a family for this test."""

    def add(family, name, made):
        monkeypatch.setitem(family._loaded, name, made)

    return add


class TestThePage:
    @pytest.fixture
    def with_examples(self, installed):
        text = PAGE.read_text()
        project = tomllib.loads(re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1])
        source = "\n\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
        groups = project["project"]["entry-points"]
        points = [(group, name, value) for group in groups for name, value in groups[group].items()]
        installed.install("my_systems", source, points)
        return installed

    def test_the_five_families_of_systems_are_listed_with_their_meaning(self, with_examples):
        for family, name in {
            "detectors": "same-sentences",
            "intrinsic-detectors": "long-words",
            "retrievers": "rare-words",
            "verifiers": "common-trigrams",
            "obfuscators": "short-forms",
        }.items():
            done = with_examples.run("list", family, "--format", "json")
            meanings = {row["name"]: row["meaning"] for row in json.loads(done.stdout)}
            assert meanings.get(name), (family, done.stderr)

    def test_a_detector_and_an_intrinsic_one_detect(self, with_examples, corpus):
        done = with_examples.run(
            "detect", corpus, "--with", "same-sentences", "-o", "run", "--format", "json"
        )
        assert (done.returncode, json.loads(done.stdout)["detections"]) == (0, 15)
        done = with_examples.run("detect", corpus, "--intrinsic", "--with", "long-words", "-o", "alone")
        assert done.returncode == 0, done.stderr

    def test_a_retriever_finds_the_source(self, with_examples, corpus):
        with_examples.run("index", "build", "index", corpus / "src")
        done = with_examples.run(
            "retrieve", "index", corpus / "susp" / "s1.txt", "--with", "rare-words", "--format", "json"
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["documents"][0]["sources"]

    def test_a_verifier_answers_and_an_obfuscator_masks(self, with_examples, write, tmp_path):
        write("problems/EN001/known01.txt", TEXT * 3)
        write("problems/EN001/unknown.txt", "I do not know, and I cannot say. " + TEXT * 2)
        done = with_examples.run("verify", "problems", "--with", "common-trigrams", "-o", "answers")
        assert done.returncode == 0, done.stderr
        done = with_examples.run("mask", "problems", "--with", "short-forms", "-o", "masked")
        assert done.returncode == 0, done.stderr
        masked = next((tmp_path / "masked").rglob("obfuscation.json")).read_text()
        assert "I don't know" in masked

    def test_strategy_transformation_language_and_executor_are_there_by_name(self, with_examples):
        program = """
from stemmata.model.executors import executors, work_on
from stemmata.model.processes import Processes
from stemmata.rewriting import Scene, strategies, transformations
from stemmata.text.languages import languages
print(strategies["backwards"]().rewrite("one two", Scene()).text)
print(len(transformations["plain-words"]().proposals("We commence.")))
print(languages["la"].name)
with executors["here"]("") as here, work_on(here), Processes(1) as processes:
    print(list(processes.completed(abs, [(-1,), (-2,)])))
"""
        done = subprocess.run(
            [sys.executable, "-c", program],
            check=False,
            capture_output=True,
            text=True,
            env={
                **os.environ,
                "PYTHONPATH": f"{with_examples.folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
            },
        )
        assert done.stdout.split("\n")[:4] == ["two one", "1", "Latin", "[(0, 1), (1, 2)]"], done.stderr


class TestListing:
    def test_a_plug_in_that_cannot_be_loaded_is_named_with_its_entry_point_and_hides_no_other(
        self, installed
    ):
        installed.install(
            "broken", "class Fine: ...\n", [("stemmata.detectors", "gone", "broken:NoSuchThing")]
        )
        done = installed.run("list", "detectors", "--format", "json")
        assert done.returncode == 0
        assert "pan-baseline" in done.stdout
        assert "E503 the detector 'gone' (broken:NoSuchThing) cannot be loaded" in done.stderr
        asked = installed.run("detect", ".", "--with", "gone")
        assert (asked.returncode, "(broken:NoSuchThing)" in asked.stderr) == (2, True)

    def test_a_plug_in_that_ends_the_process_when_imported_is_named_too(self, installed):
        installed.install("broken", "raise SystemExit(3)\n", [("stemmata.verifiers", "exits", "broken:Any")])
        done = installed.run("list", "verifiers", "--format", "json")
        assert done.returncode == 0
        assert "'exits' (broken:Any) cannot be loaded: SystemExit: 3" in done.stderr

    @pytest.mark.parametrize("family", ["detectors", "intrinsic-detectors", "retrievers", "verifiers"])
    def test_a_plug_in_without_a_docstring_is_listed_without_a_meaning(self, family, registered, capsys):
        from stemmata.authorship import verifiers

        known = {
            "detectors": detectors,
            "intrinsic-detectors": intrinsic_detectors,
            "retrievers": retrievers,
            "verifiers": verifiers,
        }[family]
        registered(known, "mute", lambda: None)
        assert status_of(["list", family, "--format", "json"]) == 0
        rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
        assert rows["mute"]["meaning"] == ""


class Failing:
    """A system that does on the second document what it is made for, and answers nothing on others."""

    def __init__(self, act):
        self.act = act

    def align(self, pair):
        return self.act(pair) if pair.suspicious.name == "s2.txt" else []

    def find(self, document):
        return self.act(document) if document.name == "s2.txt" else []

    def retrieve(self, document):
        good = Ranking(document.name, (Ranked("o1.txt", 1),))
        return self.act(document) if document.name == "s2.txt" else good


def _boom(_):
    raise ValueError("boom")


def _exits(_):
    raise SystemExit(0)


ALIGNED = {
    "raises": (_boom, "E505", "ValueError: boom"),
    "ends the process": (_exits, "E505", "SystemExit: 0"),
    "nothing": (lambda _: None, "E506", "it gives no list of detections"),
    "a dictionary": (lambda _: [{}], "E506", "it gives a dict in place of a detection"),
    "another document": (
        lambda pair: [Detection(Passage("x.txt", 0, 5), Passage(pair.source.name, 0, 5))],
        "E506",
        "a passage is of 'x.txt', which was not asked for",
    ),
    "beyond the end": (
        lambda pair: [Detection(Passage("s2.txt", 0, 5), Passage(pair.source.name, 9_999, 5))],
        "E506",
        "the passage 9999+5 lies outside",
    ),
    "no source": (lambda _: [Detection(Passage("s2.txt", 0, 5))], "E506", "it names no source passage"),
    "text for a number": (
        lambda pair: [Detection(Passage("s2.txt", "0", 5), Passage(pair.source.name, 0, 5))],
        "E506",
        "integer",
    ),
}


@pytest.mark.parametrize("kind", ALIGNED)
def test_a_detector_that_fails_on_a_pair_costs_that_pair_and_is_named(
    kind, registered, corpus, tmp_path, capsys
):
    act, code, reason = ALIGNED[kind]
    registered(detectors, "mine", lambda: Failing(act))
    run = tmp_path / "run"
    status = status_of(
        ["detect", str(corpus), "--with", "mine", "-o", str(run), "--jobs", "1", "--format", "json"]
    )
    data = json.loads(capsys.readouterr().out)
    assert status == 1
    assert len(list(run.glob("*.xml"))) == 2
    [failure] = data["failures"]
    assert failure["pair"] == ["s2.txt", "o2.txt"]
    assert failure["reason"].startswith(f"{code} s2.txt and o2.txt: the detector 'mine'")
    assert reason in failure["reason"]


def test_numbers_of_numpy_are_taken_as_whole_numbers(registered, corpus, tmp_path, capsys):
    import numpy as np

    def act(pair):
        one = np.int64(5)
        return [Detection(Passage("s2.txt", one, one), Passage(pair.source.name, one, one))]

    registered(detectors, "mine", lambda: Failing(act))
    run = tmp_path / "run"
    assert status_of(["detect", str(corpus), "--with", "mine", "-o", str(run), "--jobs", "1"]) == 0
    assert len(read_detections(run).annotations) == 1


def test_a_detector_that_cannot_be_made_ready_is_named(registered, corpus, tmp_path, capsys):
    registered(detectors, "mine", lambda: 1 / 0)
    status = status_of(["detect", str(corpus), "--with", "mine", "-o", str(tmp_path / "run")])
    assert status == 2
    assert "E503 the detector 'mine' cannot be loaded: ZeroDivisionError" in capsys.readouterr().err
    registered(detectors, "mine", object)
    assert status_of(["detect", str(corpus), "--with", "mine", "-o", str(tmp_path / "run")]) == 2
    assert "it has no method 'align'" in capsys.readouterr().err


def test_an_intrinsic_detector_that_fails_on_a_document_costs_that_document(
    registered, corpus, tmp_path, capsys
):
    registered(intrinsic_detectors, "mine", lambda: Failing(_boom))
    options = ["--with", "mine", "-o", str(tmp_path / "run"), "--jobs", "1", "--format", "json"]
    assert status_of(["detect", str(corpus), "--intrinsic", *options]) == 1
    [failure] = json.loads(capsys.readouterr().out)["failures"]
    assert failure["reason"].startswith("E505 s2.txt: the intrinsic detector 'mine' failed: ValueError: boom")


RANKED = {
    "raises": (_boom, "E505"),
    "nothing": (lambda _: None, "E506"),
    "for another document": (lambda _: Ranking("x", ()), "E506"),
    "a source twice": (lambda one: Ranking(one.name, (Ranked("a", 2), Ranked("a", 1))), "E506"),
    "no number": (lambda one: Ranking(one.name, (Ranked("a", float("nan")),)), "E506"),
}


@pytest.mark.parametrize("kind", RANKED)
def test_a_retriever_that_fails_on_a_document_costs_that_document(kind, registered, corpus, tmp_path, capsys):
    act, code = RANKED[kind]
    registered(retrievers, "mine", lambda _: Failing(act))
    index = tmp_path / "index"
    assert status_of(["index", "build", str(index), str(corpus / "src")]) == 0
    capsys.readouterr()
    options = ["--with", "mine", "-o", str(tmp_path / "run"), "--jobs", "1", "--format", "json"]
    assert status_of(["retrieve", str(index), str(corpus / "susp"), *options]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in data["documents"]] == ["s1.txt", "s3.txt"]
    [failure] = data["failures"]
    assert failure.startswith(f"{code} s2.txt: the retriever 'mine'")


def test_in_check_a_detector_that_fails_on_a_pair_costs_that_pair(registered, corpus, tmp_path, capsys):
    registered(detectors, "mine", lambda: Failing(_boom))
    command = ["check", str(corpus / "susp"), "--against", str(corpus / "src"), "--with", "mine"]
    status = status_of([*command, "-o", str(tmp_path / "report.html"), "--jobs", "1", "--format", "json"])
    out, _ = capsys.readouterr()
    assert status == 1
    assert "E505" in out
    assert "the detector 'mine' failed: ValueError: boom" in out


def test_in_a_batch_a_detector_that_fails_on_a_pair_costs_that_pair():
    pytest.importorskip("pyarrow")
    from stemmata.model import Document
    from stemmata.spark.results import Results

    results = Results()
    for name in ("s1.txt", "s2.txt", "s3.txt"):
        results.add("mine", Failing(_boom), Document(name, TEXT), Document("o.txt", TEXT), 1.0)
    [(suspicious, source, reason)] = results.failures
    assert (suspicious, source, len(results.pairs)) == ("s2.txt", "o.txt", 3)
    assert "the detector 'mine' failed" in reason


def test_tuning_names_the_detector_and_the_pair_that_end_it():
    from stemmata.model import Document, Pair
    from stemmata.reuse.asking import align

    pair = Pair(Document("s2.txt", TEXT), Document("o.txt", TEXT))
    with pytest.raises(StemmataError, match=r"E505 s2.txt and o.txt: the detector 'mine' failed"):
        align("mine", Failing(_boom), pair)


def test_tuning_names_the_detector_that_cannot_learn():
    from stemmata.reuse.asking import learn

    class Unteachable:
        def learn(self, examples):
            raise KeyError("none")

        def with_fit(self, fitted):
            return self

    with pytest.raises(StemmataError, match="E505 the detector 'mine' failed: KeyError"):
        learn("mine", Unteachable(), [])
