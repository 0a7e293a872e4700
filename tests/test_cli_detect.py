"""`stemmata detect`: parallel, resumable, the same bytes however it was run."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import damage
from stemmata.cli import status_of
from stemmata.corpora.demo import build_demo_corpus
from stemmata.formats import read_detections
from stemmata.reuse import detection


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("detect") / "corpus"
    build_demo_corpus(folder)
    return folder


@pytest.fixture
def detect(tmp_path, capsys):
    def call(corpus, *options, out=tmp_path / "run"):
        status = status_of(["detect", str(corpus), "-o", str(out), "--format", "json", *options])
        out_text, err = capsys.readouterr()
        return status, (json.loads(out_text) if out_text else None), err

    return call


def content(folder, pattern="*.*"):
    return {path.name: path.read_bytes() for path in sorted(folder.glob(pattern))}


def test_every_pair_gets_a_file_whether_or_not_something_is_found(detect, corpus, tmp_path):
    status, result, _ = detect(corpus, "--with", "pan-baseline", "--jobs", "1")
    run = read_detections(tmp_path / "run")
    assert status == 0
    assert (result["pairs"], result["failures"]) == (42, [])
    assert (run.files, len(run.annotations)) == (42, result["detections"])
    assert result["detections"] > 20


def test_two_processes_write_the_same_bytes_as_one(detect, corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(detection, "PAIRS_PER_CHUNK", 5)
    detect(corpus, "--with", "shingles", "--jobs", "1", out=tmp_path / "one")
    detect(corpus, "--with", "shingles", "--jobs", "2", out=tmp_path / "two")
    assert content(tmp_path / "one") == content(tmp_path / "two")


def test_a_run_reads_documents_anew_that_changed_since_another_run_of_the_process(detect, tmp_path):
    corpus, text = (
        tmp_path / "corpus",
        "the quick brown fox jumps over the lazy dog beside the river bank at noon ",
    )
    for place, words in (
        ("susp/a.txt", "nothing of the sort"),
        ("src/b.txt", text),
        ("pairs", "a.txt b.txt"),
    ):
        (corpus / place).parent.mkdir(parents=True, exist_ok=True)
        (corpus / place).write_text(words)
    detect(corpus, "--with", "pan-baseline", "--jobs", "1", out=tmp_path / "before")
    (corpus / "susp" / "a.txt").write_text(text)
    _, result, _ = detect(corpus, "--with", "pan-baseline", "--jobs", "1", out=tmp_path / "after")
    assert result["detections"] == 1


def test_a_run_goes_on_where_it_was_stopped(detect, corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(detection, "PAIRS_PER_CHUNK", 10)
    detect(corpus, "--with", "pan-baseline", "--jobs", "1", out=tmp_path / "whole")
    aligned = []
    real = detection.align_pairs

    def stop_at_the_third(task, pairs):
        if len(aligned) == 2:
            raise KeyboardInterrupt
        aligned.append(pairs)
        return real(task, pairs)

    monkeypatch.setattr(detection, "align_pairs", stop_at_the_third)
    status, _, err = detect(corpus, "--with", "pan-baseline", "--jobs", "1")
    assert status == 130
    assert "stopped" in err
    assert not (tmp_path / "run").exists()

    monkeypatch.setattr(
        detection, "align_pairs", lambda task, pairs: aligned.append(pairs) or real(task, pairs)
    )
    assert detect(corpus, "--with", "pan-baseline", "--jobs", "1")[0] == 0
    assert sum(map(len, aligned)) == 42
    assert content(tmp_path / "run") == content(tmp_path / "whole")
    assert [path.name for path in tmp_path.iterdir()].count(".run.unfinished") == 0


def interrupt(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("kind", damage.KINDS)
def test_kept_chunks_that_are_damaged_are_aligned_anew(detect, corpus, tmp_path, monkeypatch, kind):
    detect(corpus, "--with", "shingles", "--jobs", "1", out=tmp_path / "whole")
    with monkeypatch.context() as patch:
        patch.setattr(detection.OutputFolder, "filled", interrupt)
        assert detect(corpus, "--with", "shingles", "--jobs", "1")[0] == 130
    assert damage.damage_all(tmp_path / ".run.unfinished", kind) > 42
    assert detect(corpus, "--with", "shingles", "--jobs", "1")[0] == 0
    assert content(tmp_path / "run") == content(tmp_path / "whole")


def test_a_run_that_was_killed_while_its_files_were_put_together_is_whole_afterwards(
    detect, corpus, tmp_path, monkeypatch
):
    detect(corpus, "--with", "shingles", "--jobs", "1", out=tmp_path / "whole")
    with monkeypatch.context() as patch:
        patch.setattr(detection.OutputFolder, "filled", interrupt)
        detect(corpus, "--with", "shingles", "--jobs", "1")
    # Some were moved, into a folder that nobody finds again.
    next((tmp_path / ".run.unfinished").rglob("*.xml")).unlink()
    assert detect(corpus, "--with", "shingles", "--jobs", "1")[0] == 0
    assert content(tmp_path / "run") == content(tmp_path / "whole")


def test_a_killed_run_leaves_no_half_run_and_can_be_finished(corpus, tmp_path):
    command = [
        Path(sys.executable).with_name("stemmata"),
        "detect",
        corpus,
        "--with",
        "shingles",
        "--jobs",
        "2",
    ]
    started = subprocess.Popen(
        [*command, "-o", tmp_path / "run"], stdout=subprocess.DEVNULL, start_new_session=True
    )
    time.sleep(0.6)
    started.send_signal(signal.SIGKILL)
    started.wait()
    assert not (tmp_path / "run").exists()
    subprocess.run([*command, "-o", tmp_path / "run"], check=True, stdout=subprocess.DEVNULL)
    assert len(content(tmp_path / "run", "*.xml")) == 42


def test_a_changed_document_is_aligned_anew(detect, corpus, tmp_path, monkeypatch):
    chunks = []
    real = detection.align_pairs
    monkeypatch.setattr(
        detection, "align_pairs", lambda task, pairs: chunks.append(pairs) or real(task, pairs)
    )
    own = tmp_path / "corpus"
    subprocess.run(["cp", "-r", corpus, own], check=True)
    monkeypatch.setattr(detection, "PAIRS_PER_CHUNK", 100)
    with monkeypatch.context() as stopped:
        stopped.setattr(detection.OutputFolder, "filled", interrupt)
        assert detect(own, "--with", "pan-baseline", "--jobs", "1")[0] == 130
    detect(own, "--with", "pan-baseline", "--jobs", "1")
    assert len(chunks) == 1
    changed = next((own / "susp").iterdir())
    changed.write_text(changed.read_text() + " More.")
    assert (
        "differs in corpus; --overwrite replaces it"
        in detect(own, "--with", "pan-baseline", "--jobs", "1")[2]
    )
    detect(own, "--with", "pan-baseline", "--jobs", "1", "--overwrite")
    assert len(chunks) == 2


def test_pairs_that_cannot_be_read_are_reported_and_do_not_stop_the_rest(detect, corpus, tmp_path):
    own = tmp_path / "corpus"
    subprocess.run(["cp", "-r", corpus, own], check=True)
    first, second = sorted((own / "susp").iterdir())[:2]
    first.unlink()
    second.write_bytes(b"\xff\xfe binary")
    status, result, _ = detect(own, "--with", "pan-baseline", "--jobs", "1")
    reasons = {failure["reason"][:4] for failure in result["failures"]}
    assert status == 1
    assert reasons == {"E209", "E105"}
    assert len(content(tmp_path / "run", "*.xml")) == 42 - len(result["failures"])


def test_empty_documents_have_no_detections(detect, corpus, tmp_path):
    own = tmp_path / "corpus"
    subprocess.run(["cp", "-r", corpus, own], check=True)
    for path in (own / "src").iterdir():
        path.write_text("")
    for name in ("pan-baseline", "shingles"):
        status, result, _ = detect(own, "--with", name, "--jobs", "1", out=tmp_path / name)
        assert (status, result["detections"]) == (0, 0)


@pytest.mark.parametrize(
    ("break_it", "options", "code"),
    [
        (lambda c: (c / "pairs").write_text("a b c\n"), (), "E301"),
        (lambda c: (c / "pairs").unlink(), (), "E101"),
        (lambda c: (c / "susp").rename(c / "other"), (), "E101"),
        (lambda c: None, ("--with", "shingels"), "E501"),
        (lambda c: None, ("--jobs", "0"), "E001"),
    ],
)
def test_bad_input_is_refused_with_one_line_and_no_run(detect, corpus, tmp_path, break_it, options, code):
    own = tmp_path / "corpus"
    subprocess.run(["cp", "-r", corpus, own], check=True)
    break_it(own)
    status, result, err = detect(own, *options)
    assert (status, result) == (2, None)
    assert err.startswith(f"stemmata: {code} ")
    assert err.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_folder_that_is_no_run_is_never_replaced(detect, corpus):
    before = content(corpus / "susp")
    status, _, err = detect(corpus, "--jobs", "1", out=corpus)
    assert (status, err[:14]) == (2, "stemmata: E107")
    assert content(corpus / "susp") == before
