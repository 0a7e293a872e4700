"""What `mask` reports of verifiers is what `verify` says of the same problems; who cannot judge is named."""

import json
from pathlib import Path

import pytest

from hiding import MINE, YOURS, Shouting, only
from stemmata.cli import status_of
from stemmata.experiments import grading, recognition
from stemmata.experiments.cells import Cells
from stemmata.experiments.masking_problems import Writings, read_writing
from stemmata.experiments.recognition import problems_of, recognise
from stemmata.masking import obfuscators
from stemmata.model import Document

LONG = [" ".join(MINE[at:] + MINE[:at]) for at in range(6)]
STRANGE = [" ".join(YOURS[at:] + YOURS[: at + 1]) for at in range(6)]


@pytest.fixture(autouse=True)
def _own(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    only(monkeypatch, obfuscators, {"loud": Shouting})
    monkeypatch.setattr(grading, "grade_all", lambda *_, **__: "not here")


def document(text, name="t"):
    return Document(name, text)


def answers(folder):
    """Return the answers that `verify` writes to problems in a folder."""
    out = folder.parent / f"{folder.name}-answers"
    names = ",".join(recognition.AMONG)
    # Nothing is taken from the cells of `mask`.
    assert status_of(["verify", str(folder), "--with", names, "-o", str(out), "--no-cache"]) == 0
    return {
        name: dict(line.split() for line in (out / name / "answers.txt").read_text().splitlines())
        for name in recognition.AMONG
    }


def put_problems(folder, problems):
    for problem in problems.problems:
        place = folder / problem.id
        place.mkdir(parents=True)
        for number, one in enumerate(problem.known, 1):
            (place / f"known{number:02}.txt").write_bytes(one.text.encode())
        (place / "unknown.txt").write_bytes(problem.unknown.text.encode())
    return folder


def test_mask_reports_the_scores_that_verify_gives_to_the_same_problems(capsys):
    for folder, texts in (("mine", LONG[1:4]), ("theirs", STRANGE)):
        Path(folder).mkdir()
        for number, text in enumerate(texts):
            Path(folder, f"{number}.txt").write_text(text)
    Path("essay.txt").write_text(LONG[0])
    given = ["essay.txt", "--samples", "mine", "--others", "theirs", "--with", "loud"]
    assert status_of(["mask", *given, "-f", "json"]) == 0
    said = json.loads(capsys.readouterr().out)["recognised"]
    mine, theirs = (Writings.read([Path(name)], "", Path("essay.txt")).texts for name in ("mine", "theirs"))
    found = {**said["verifiers"], **said["not_safe_to_judge"]}
    assert set(found) == set(recognition.AMONG)
    for when, file in (("before", "essay.txt"), ("after", "essay-masked.txt")):
        batch = problems_of(mine, read_writing(Path(file)), theirs)
        given_by_verify = answers(put_problems(Path(when), batch))
        for name, one in found.items():
            assert one[when] == float(given_by_verify[name]["text"]), (name, when)


def test_verifiers_that_need_other_authors_answer(tmp_path):
    found = recognise(
        [document(" ".join(MINE[:4])), document(" ".join(MINE[2:]))],
        document(" ".join(MINE[:2])),
        MINE[0],
        [document(one) for one in STRANGE],
        cells=Cells(tmp_path / "cells"),
    )
    scores = {one.verifier: one.before for one in found.answers}
    assert scores["stemmata"] != 0.5
    assert scores["kocher15"] != 0.5


def test_texts_by_others_are_beside_the_samples_and_two_by_two():
    samples, others = [document("a"), document("b")], [document(f"o{at}") for at in range(5)]
    problems = problems_of(samples, document("t"), others).problems
    pairs = [
        ([two.text for two in one.known], one.unknown.text) for one in problems if one.id.startswith("pair")
    ]
    assert pairs == [(["o0"], "o1"), (["o2"], "o3")]
    assert [one.unknown.text for one in problems if one.id.startswith("own")] == ["a", "b"]
    assert [one.unknown.text for one in problems if one.id.startswith("other")] == [
        f"o{at}" for at in range(5)
    ]
    assert [one.id for one in problems] == sorted(one.id for one in problems)
