"""Work on a real Spark cluster: the same results as on one machine, whatever happens to its machines."""

import json
import os
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import pytest

import spark_cluster
from hiding import Learner, Share, Shouting, looked, only, put_problems, seen
from index_documents import text
from reuse_collections import content, make_collection
from stemmata.authorship import verifiers
from stemmata.cli import status_of
from stemmata.corpora.demo import build_demo_corpus
from stemmata.masking import obfuscators
from stemmata.model import StemmataError
from stemmata.model.executors import executors, work_on
from stemmata.model.processes import Processes
from stemmata.reuse import detection
from stemmata.reuse.index import Index
from stemmata.spark import reuse
from stemmata.spark.executor import SparkExecutor
from stemmata.spark.indexing import build_shards
from stemmata.spark.pairs import find_pairs
from stemmata.spark.reuse import find_reuse
from stemmata.spark.shards import Shards

pytestmark = pytest.mark.skipif(not spark_cluster.java(), reason="Spark needs Java and the extra spark")
SHARD = 20_000


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with spark_cluster.standalone_cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="module")
def executor(cluster):
    ours = {"SPARK_CONF_DIR", "SPARK_LOCAL_IP", "PYSPARK_PYTHON"}
    with pytest.MonkeyPatch.context() as patch:
        for name in ours:
            patch.setenv(name, cluster.environment[name])
        patch.setenv("STEMMATA_MAX_DOCUMENT_BYTES", "123456")
        with SparkExecutor(cluster.url) as started:
            patch.delenv("STEMMATA_MAX_DOCUMENT_BYTES")
            yield started


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    return make_collection(tmp_path_factory.mktemp("collection"))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("detect") / "corpus"
    build_demo_corpus(folder)
    return folder


def test_every_piece_is_done_once_and_answered_by_its_number(executor):
    with work_on(executor), Processes(1, spark_cluster.prepare, (7,)) as processes:
        answers = dict(processes.completed(spark_cluster.work, [(number,) for number in range(20)]))
    assert [answers[number][0] for number in range(20)] == [number * number for number in range(20)]
    assert os.getpid() not in {answer[1] for answer in answers.values()}
    assert len({answer[1] for answer in answers.values()}) == 2
    assert {tuple(answer[2]) for answer in answers.values()} == {(7,)}
    assert {answer[3] for answer in answers.values()} == {"123456"}


def test_an_error_of_ours_arrives_whole_and_others_in_a_line(executor):
    with pytest.raises(StemmataError, match="E101 somewhere") as raised:
        list(executor.completed(spark_cluster.refuse, [(number,) for number in range(5)]))
    assert raised.value.code == "E101"
    with pytest.raises(StemmataError, match=r"E803 .*: ZeroDivisionError: "):
        list(executor.completed(spark_cluster.fail, [(0,), (1,)]))


def test_detect_writes_the_same_bytes_as_on_one_machine(executor, corpus, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(detection, "PAIRS_PER_CHUNK", 5)
    monkeypatch.setenv("STEMMATA_MAX_DOCUMENT_BYTES", "123456")
    monkeypatch.setitem(executors._loaded, "spark", lambda url: nullcontext(executor))
    monkeypatch.chdir(tmp_path)
    command = ["detect", str(corpus), "--with", "shingles", "--format", "json"]
    assert status_of([*command, "-o", "here", "--jobs", "1"]) == 0
    assert status_of([*command, "-o", "there", "--spark", "spark://cluster:7077"]) == 0
    lines = capsys.readouterr().out.replace('"run": "here"', '"run": "there"')
    first, second = lines.split("\n}\n")[:2]
    assert json.loads(first + "}")["detections"] == json.loads(second + "}")["detections"] > 0
    assert content(tmp_path / "here") == content(tmp_path / "there")


def test_texts_against_a_collection_are_found_as_on_one_machine(executor, collection, tmp_path):
    here, _ = find_reuse(
        collection.documents, collection.texts, tmp_path / "here", detector="shingles", shard_bytes=SHARD
    )
    with work_on(executor):
        there, _ = find_reuse(
            collection.documents, collection.texts, tmp_path / "there", detector="shingles", shard_bytes=SHARD
        )
    assert there.rankings == here.rankings
    assert there.detections == here.detections
    assert content(tmp_path / "here") == content(tmp_path / "there")
    assert {one.document: set(one.names) for one in here.rankings} == collection.sources


def test_pairs_in_a_collection_are_found_as_on_one_machine(executor, collection, tmp_path):
    here, _ = find_pairs(collection.all, tmp_path / "here", "shingles", shard_bytes=SHARD)
    with work_on(executor):
        there, _ = find_pairs(collection.all, tmp_path / "there", "shingles", shard_bytes=SHARD)
    assert len(here.pairs) >= collection.borrowings
    assert there.pairs == here.pairs
    assert content(tmp_path / "here") == content(tmp_path / "there")


def test_indexes_are_built_on_the_cluster_and_a_finished_one_is_kept(executor, collection, tmp_path):
    with work_on(executor):
        made = build_shards(collection.documents, tmp_path / "indexes", SHARD * 4)
        names = [document.name for shard in made.shards for document in Index.open(shard)]
        written = [(shard / "index.json").stat().st_mtime_ns for shard in made.shards]
        again = build_shards(collection.documents, tmp_path / "indexes", SHARD * 4)
    assert len(made.shards) > 1
    assert names == collection.names
    assert (again.documents, again.shards) == (len(names), made.shards)
    assert [(shard / "index.json").stat().st_mtime_ns for shard in made.shards] == written


def test_verify_retrieve_and_check_answer_as_on_one_machine(executor, tmp_path, write, monkeypatch, capsys):
    monkeypatch.setitem(executors._loaded, "spark", lambda url: nullcontext(executor))
    monkeypatch.setenv("STEMMATA_MAX_DOCUMENT_BYTES", "123456")
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        write(f"library/d{number}.txt", text(number, 120))
        write(f"essays/e{number}.txt", " ".join([text(10 + number, 80), text(number, 60)]))
        write(f"problems/EN{number:03}/known01.txt", text(20 + number, 300))
        write(f"problems/EN{number:03}/unknown.txt", text(20 + number % 2, 300))
    assert status_of(["index", "build", "library.index", "library"]) == 0
    commands = {
        "retrieve": ["retrieve", "library.index", "essays"],
        "check": ["check", "essays", "--against", "library.index", "--among", "--with", "shingles"],
        "verify": ["verify", "problems", "--with", "jankowska13"],
    }
    for name, command in commands.items():
        for where, options in (("here", ["--jobs", "1"]), ("there", ["--spark", "spark://cluster:7077"])):
            monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cache-{where}"))
            (tmp_path / where).mkdir(exist_ok=True)
            out = f"{where}/{name}" + (".html" if name == "check" else "")
            assert status_of([*command, *options, "-o", out]) == 0, capsys.readouterr().err
    here = content(tmp_path / "here")
    assert {Path(name).parts[0] for name in here} >= {"retrieve", "check.html", "verify"}
    assert here == content(tmp_path / "there")


@pytest.fixture
def run(executor, tmp_path, monkeypatch, capsys):
    """Call a command on eight problems with systems that tell what they did in this process."""
    monkeypatch.setitem(executors._loaded, "spark", lambda url: nullcontext(executor))
    monkeypatch.setenv("STEMMATA_MAX_DOCUMENT_BYTES", "123456")
    monkeypatch.chdir(tmp_path)
    made = ((obfuscators, {"loud": Shouting}), (verifiers, {"share": Share, "learner": Learner}))
    for registry, some in made:
        only(monkeypatch, registry, some)
    put_problems(tmp_path / "essays", texts=2)

    def call(command, *options, cache="cache"):
        monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / cache))
        seen.clear(), looked.clear()
        assert status_of([command, "essays", *options]) == 0, capsys.readouterr()

    return call


HERE, THERE = ("--jobs", "1"), ("--spark", "spark://cluster:7077")


def test_mask_writes_the_same_bytes_as_on_one_machine(run, tmp_path):
    run("mask", "--with", "loud", "-o", "here", *HERE)
    run("mask", "--with", "loud", "-o", "there", *THERE, cache="another")
    assert seen == []
    assert len(content(tmp_path / "here")) == 9
    assert content(tmp_path / "here") == content(tmp_path / "there")


def test_what_was_masked_on_the_cluster_is_not_masked_again_on_one_machine(run):
    run("mask", "--with", "loud", *THERE)
    run("mask", "--with", "loud", *HERE)
    assert seen == []


def test_rank_finds_the_same_as_on_one_machine(run, tmp_path):
    command = ("rank", "--judged", "0", "--adversary", "trained")
    run(*command, "-o", "here", *HERE)
    run(*command, "-o", "there", *THERE, cache="another")
    assert (seen, looked) == ([], [])
    assert content(tmp_path / "here") == content(tmp_path / "there")


def test_a_worker_killed_while_indexes_are_built_loses_nothing(executor, cluster, collection, tmp_path):
    here = build_shards(collection.documents, tmp_path / "here", SHARD // 2)
    with killed_in_mid_job(cluster, 1, tmp_path, "there/shard-*/index.json") as killed, work_on(executor):
        there = build_shards(collection.documents, tmp_path / "there", SHARD // 2)
    assert 0 < killed[0] < len(there.shards) == len(here.shards)
    assert (there.documents, there.faults) == (here.documents, [])
    for one, other in zip(here.shards, there.shards, strict=True):
        indexes = Index.open(one), Index.open(other)
        told, answers = ([*index] for index in indexes), (index.info() for index in indexes)
        assert next(told) == next(told)
        assert next(answers)["postings"] == next(answers)["postings"]
    cluster.add_worker()
    cluster.wait_for_executor(-1)


def test_a_killed_worker_loses_nothing(executor, cluster, collection, tmp_path, monkeypatch):
    """The last of the tests here: afterwards the cluster has one worker."""
    monkeypatch.setattr(reuse, "TEXTS_PER_PIECE", 1)
    options = {"shard_bytes": SHARD // 2}
    here, _ = find_reuse(collection.documents, collection.texts, tmp_path / "here", **options)
    with killed_in_mid_job(cluster, 0, tmp_path, ".there.unfinished/*") as killed, work_on(executor):
        there, _ = find_reuse(collection.documents, collection.texts, tmp_path / "there", **options)
    shards = len(Shards.open(collection.documents, SHARD // 2))
    assert 0 < killed[0] < shards + len(here.rankings)
    assert there.rankings == here.rankings
    assert content(tmp_path / "here") == content(tmp_path / "there")
    with work_on(executor), Processes(1) as processes:
        assert sorted(processes.completed(abs, [(-1,), (-2,)])) == [(0, 1), (1, 2)]


@contextmanager
def killed_in_mid_job(cluster, worker, folder, done):
    """Kill a worker once there are two results; give a list in which their number will be."""
    killed = []

    def kill():
        until = monotonic() + spark_cluster.PATIENCE
        while not killed and monotonic() < until:
            count = len(list(folder.glob(done)))
            if count >= 2:
                cluster.kill_worker(worker)
                killed.append(count)
            sleep(0.005)

    killer = Thread(target=kill)
    killer.start()
    yield killed
    killer.join()
