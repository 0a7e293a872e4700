"""Batches over whole collections on one machine: shards, scans, pairs, indexes, and going on after a stop."""

import itertools
import json
import socket

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import damage
from reuse_collections import content, make_collection, write_lines
from stemmata.cli import status_of
from stemmata.formats.collections import read_collection
from stemmata.model import Document, StemmataError
from stemmata.model.executors import work_on
from stemmata.model.processes import Processes
from stemmata.reuse import retrievers
from stemmata.reuse.index import Index, build
from stemmata.reuse.retrieval.query import Query
from stemmata.spark import pairs, reuse, scanning
from stemmata.spark.executor import SparkExecutor
from stemmata.spark.indexing import build_shards
from stemmata.spark.keeping import Kept, Piece, write_arrays
from stemmata.spark.pairs import find_pairs, shared_evidence
from stemmata.spark.reuse import find_reuse
from stemmata.spark.session import spark_session
from stemmata.spark.shards import Shards

SHARD = 20_000


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    return make_collection(tmp_path_factory.mktemp("collection"))


@pytest.fixture
def batch(capsys):
    def call(*arguments):
        status = status_of(["batch", *map(str, arguments), "--format", "json"])
        out, err = capsys.readouterr()
        return status, (json.loads(out) if out else None), err

    return call


def raise_nothing(finding):
    raise AssertionError(str(finding))


def read(shards, report=raise_nothing):
    return [placed.document for shard in shards.parts for placed in shard.documents(report)]


class TestShards:
    @pytest.mark.parametrize("size", [1, 100, 1000, 4096, 10**9])
    def test_every_line_is_in_one_shard_however_it_is_cut(self, collection, size):
        shards = Shards.open(collection.documents, size * 10)
        assert [document.name for document in read(shards)] == collection.names

    def test_a_collection_reads_as_an_index_would_read_it(self, tmp_path, write):
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        write("c/b/one.txt", "First text.")
        write("c/b/.hidden.txt", "No text.")
        write("c/a.jsonl", '{"id": "x", "text": "Second."}\n\n{"name": 7, "text": "Третий."}\n')
        rows = [{"id": f"row-{number}", "text": f"Row {number}."} for number in range(10)]
        parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "c" / "z.parquet", row_group_size=3)
        expected = list(read_collection([tmp_path / "c"], raise_nothing))
        for size in (1, 10**9):
            found = read(Shards.open(tmp_path / "c", size))
            assert [(one.name, one.text) for one in found] == [(one.name, one.text) for one in expected]
        assert len(Shards.open(tmp_path / "c", 1)) > 5

    def test_documents_are_fetched_by_their_positions(self, tmp_path, write):
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        rows = [{"id": f"row-{number}", "text": f"Row {number}."} for number in range(10)]
        parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "z.parquet", row_group_size=3)
        write_lines(tmp_path / "z.jsonl", rows)
        for row in rows:
            write(f"z/{row['id']}", row["text"])
            write(f"z/{row['id']}.txt", row["text"])
        for name in ("z.parquet", "z.jsonl", "z"):
            for shard in Shards.open(tmp_path / name, 60, files=4).parts:
                placed = list(shard.documents(raise_nothing))
                for wanted in (placed[:1], placed[1:], placed):
                    found = shard.fetch([one.position for one in wanted])
                    texts = {one.position: one.document.text for one in wanted}
                    assert {position: one.text for position, one in found.items()} == texts

    def test_what_is_no_document_is_told_of_and_the_rest_is_read(self, write):
        bad = [
            "no json",
            "[1]",
            '{"id": "a"}',
            '{"id": true, "text": "x"}',
            '{"id": "a\\u0000", "text": "x"}',
        ]
        path = write("c.jsonl", "\n".join(['{"id": "good", "text": "x"}', *bad, '{"text": "unnamed"}']))
        told = []
        names = [document.name for document in read(Shards.open(path), told.append)]
        assert names == ["good", f"c.jsonl@{path.read_text().rindex('{')}"]
        assert [finding.kind.code for finding in told] == ["E805"] * 4 + ["E784"]

    @pytest.mark.parametrize(("name", "code"), [("nowhere", "E101"), ("c.xml", "E804"), ("empty", "E804")])
    def test_what_is_no_collection_is_refused(self, write, tmp_path, name, code):
        write("c.xml", "<a/>")
        (tmp_path / "empty").mkdir()
        with pytest.raises(StemmataError, match=code):
            Shards.open(tmp_path / name)


@pytest.mark.parametrize("sample", [3, 50])
def test_a_scan_gives_retrievers_the_answers_of_an_index(collection, tmp_path, monkeypatch, sample):
    monkeypatch.setattr(scanning, "SAMPLE", sample)
    results, faults = find_reuse(
        collection.documents, collection.texts, tmp_path / "out", detector="shingles", shard_bytes=SHARD
    )
    build(tmp_path / "index", read_collection([collection.documents], raise_nothing))
    retriever = retrievers["stemmata"](Index.open(tmp_path / "index"), fill=0)
    texts = [Document(one.name, one.text) for one in read(Shards.open(collection.texts))]
    assert results.rankings == [retriever.retrieve(text) for text in texts]
    assert {one.document: set(one.names) for one in results.rankings} == collection.sources
    assert faults == []


@pytest.mark.parametrize("sample", [2, 50])
@pytest.mark.parametrize("most", [10, 50])
def test_a_fingerprint_in_too_many_documents_is_cut_over_all_shards(tmp_path, monkeypatch, most, sample):
    monkeypatch.setattr(scanning, "SAMPLE", sample)
    text = "Quiet rivers carry heavy boats across silent northern valleys under pale morning light."
    rows = [{"id": f"d{number}", "text": f"Number{number}. {text}"} for number in range(60)]
    rare = "Bright copper kettles whistle above crackling winter fires tonight always."
    write_lines(tmp_path / "c.jsonl", [*rows, {"id": "rare", "text": rare}])
    query = Query.of(Document("t", f"{text} {rare}"))
    wanted = scanning.Wanted.of([query])
    for size in (500, 10**9):
        shards = Shards.open(tmp_path / "c.jsonl", size)
        path, _ = scanning.scan(Kept(tmp_path / "kept"), shards, wanted, most, lambda _: None)
        found = scanning.ScannedCollection(shards, path)
        postings = found.lookup("runs", query.fingerprints["runs"], most)
        assert {found.names([number])[0] for number in postings.numbers.tolist()} == {"rare"}
        assert sorted({*postings.dfs.tolist()} - {0, 1}) > [most]
        assert len(found) == 61
        with pytest.raises(StemmataError, match="E405"):
            found.lookup("runs", query.fingerprints["runs"], most + 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_do_not_depend_on_shards_and_processes(collection, tmp_path, jobs):
    options = {"detector": "shingles", "jobs": jobs}
    find_reuse(collection.documents, collection.texts, tmp_path / "a", shard_bytes=10**9, detector="shingles")
    find_reuse(collection.documents, collection.texts, tmp_path / "b", shard_bytes=SHARD, **options)
    assert content(tmp_path / "a") == content(tmp_path / "b")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_a_piece_that_is_done_is_not_done_again(collection, tmp_path, monkeypatch):
    options = {"detector": "shingles", "shard_bytes": SHARD}
    find_reuse(collection.documents, collection.texts, tmp_path / "whole", **options)
    real, done = Processes.completed, []

    def stop_at_the_fourth(self, function, work):
        for number, result in real(self, function, work):
            done.append(work[number][0])
            if len(done) == 4:
                raise KeyboardInterrupt
            yield number, result

    monkeypatch.setattr(Processes, "completed", stop_at_the_fourth)
    with pytest.raises(KeyboardInterrupt):
        find_reuse(collection.documents, collection.texts, tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()

    def refuse_what_is_done(self, function, work):
        assert not {piece[0] for piece in work} & set(done)
        return real(self, function, work)

    monkeypatch.setattr(Processes, "completed", refuse_what_is_done)
    find_reuse(collection.documents, collection.texts, tmp_path / "out", **options)
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_what_is_kept_is_named_by_all_that_decides_it(tmp_path):
    kept = Kept(tmp_path / "kept")
    keys = [("", "a", 1), (".npz", "a", 1), (".npz", "a", 2), (".npz", "a1")]
    assert len({kept.path(*key) for key in keys}) == len(keys)
    seen = []
    for _ in range(2):
        kept.run(leave_mark, [Piece(("x",), (seen,)), Piece(("y",), (seen,))])
    assert len(seen) == 2


def leave_mark(path, seen):
    write_arrays(path, {})
    seen.append(path)


@pytest.mark.parametrize("kind", damage.KINDS)
@pytest.mark.parametrize("work", [reuse, pairs])
def test_kept_pieces_that_are_damaged_are_made_anew(collection, tmp_path, monkeypatch, work, kind):
    def run(name):
        options = {"detector": "shingles", "shard_bytes": SHARD}
        if work is reuse:
            find_reuse(collection.documents, collection.texts, tmp_path / name, **options)
        else:
            find_pairs(collection.all, tmp_path / name, **options)

    run("whole")
    with monkeypatch.context() as patch:
        patch.setattr(work, "write_detections", stop)
        with pytest.raises(KeyboardInterrupt):
            run("out")
    assert damage.damage_all(tmp_path / ".out.unfinished", kind) > 3
    run("out")
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def stop(*_):
    raise KeyboardInterrupt


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 6)), unique=True), st.integers(1, 25))
def test_evidence_of_pairs_is_the_sum_over_rare_fingerprints(postings, least):
    weights = [10, 7, 3]
    hashes, documents = (np.array([one[side] for one in postings], np.int64) for side in (0, 1))
    expected: dict[tuple[int, int], int] = {}
    for value in range(13):
        having = sorted(document for one, document in postings if one == value)
        if 2 <= len(having) <= 4:
            for source, later in itertools.combinations(having, 2):
                expected[later, source] = expected.get((later, source), 0) + weights[len(having) - 2]
    found = shared_evidence(hashes, documents, weights, least)
    columns = (column.tolist() for column in found)
    rows = {(later, source): weight for later, source, weight in zip(*columns, strict=True)}
    assert rows == {pair: weight for pair, weight in sorted(expected.items()) if weight >= least}
    assert list(rows) == sorted(rows)


def test_pairs_are_those_that_borrow(collection, tmp_path):
    results, _ = find_pairs(collection.all, tmp_path / "out", "shingles", shard_bytes=SHARD)
    found = {(later, source) for later, source, _ in results.pairs}
    assert found >= {(text, source) for text, sources in collection.sources.items() for source in sources}
    assert all(evidence >= pairs.LEAST for *_, evidence in results.pairs)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "run.json",
        "pairs.parquet",
        "detections",
        "detections.parquet",
    }


def test_indexes_of_shards_have_all_documents_and_no_other_collection_replaces_them(collection, tmp_path):
    made = build_shards(collection.documents, tmp_path / "indexes", SHARD * 4)
    assert [one.name for shard in made.shards for one in Index.open(shard)] == collection.names
    with pytest.raises(StemmataError, match="E107"):
        build_shards(collection.all, tmp_path / "indexes", SHARD * 4)


@pytest.mark.parametrize("kind", damage.KINDS)
def test_an_index_whose_record_is_damaged_is_built_anew_and_the_others_are_kept(collection, tmp_path, kind):
    made = build_shards(collection.documents, tmp_path / "indexes", SHARD * 4)
    states = [(shard / "index.json").stat().st_mtime_ns for shard in made.shards]
    record = made.shards[0].with_suffix(".key")
    whole = record.read_bytes()
    record.write_bytes(damage.KINDS[kind](whole))
    again = build_shards(collection.documents, tmp_path / "indexes", SHARD * 4)
    assert (again.documents, record.read_bytes()) == (made.documents, whole)
    new = [(shard / "index.json").stat().st_mtime_ns for shard in again.shards]
    assert [one != other for one, other in zip(states, new, strict=True)] == [True, *[False] * (len(new) - 1)]


class TestCommand:
    def test_reuse_says_what_it_found(self, batch, collection, tmp_path):
        status, said, _ = batch(
            *("reuse", collection.documents, collection.texts, "--with", "shingles", "--jobs", 1),
            *("--run", "trec", "-o", tmp_path / "out"),
        )
        assert status == 0
        assert (said["texts"], said["sources"], said["unread"]) == (10, 20, [])
        assert len((tmp_path / "out" / "rankings.trec").read_text().splitlines()) == 20

    def test_a_document_that_cannot_be_read_is_told_of_at_the_end(self, batch, write, tmp_path):
        write("c.jsonl", '{"id": "a", "text": "One two three four five."}\nnot json\n')
        write("t/t.txt", "One two three four five.")
        status, said, _ = batch("reuse", tmp_path / "c.jsonl", tmp_path / "t", "-o", tmp_path / "out")
        assert status == 1
        assert "E805" in said["unread"][0]

    @pytest.mark.parametrize(
        ("options", "code"),
        [
            (["--retriever", "bm25-chunks"], "E806"),
            (["--retriever", "nobody"], "E501"),
            (["--with", "nobody"], "E501"),
            (["--spark", "http://host"], "E801"),
        ],
    )
    def test_what_cannot_be_is_said_in_a_line(self, batch, collection, tmp_path, options, code):
        out = tmp_path / "out"
        status, _, err = batch("reuse", collection.documents, collection.texts, "-o", out, *options)
        assert (status, err.count("\n")) == (2, 1)
        assert code in err
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_of_something_else_is_not_replaced(self, batch, collection, tmp_path, write):
        write("out/mine.txt", "x")
        for name, *more in (("reuse", collection.texts), ("pairs",)):
            status, _, err = batch(name, collection.documents, *more, "-o", tmp_path / "out")
            assert status == 2
            assert "E107" in err
        assert (tmp_path / "out" / "mine.txt").exists()


class TestExecutorInCharge:
    class Backwards:
        def __init__(self):
            self.prepared = []

        def completed(self, function, work, prepare=None, arguments=()):
            self.prepared.append((prepare, arguments))
            for number in reversed(range(len(work))):
                yield number, function(*work[number])

    def test_all_work_goes_to_it_and_afterwards_stays_here(self):
        executor = self.Backwards()
        with work_on(executor):
            with Processes(2, print, (1,)) as processes:
                assert list(processes.completed(divmod, [(7, 2), (9, 4)])) == [(1, (2, 1)), (0, (3, 1))]
            with work_on(None), Processes(1) as processes:
                assert list(processes.completed(divmod, [(7, 2)])) == [(0, (3, 1))]
        with Processes(1) as processes:
            assert list(processes.completed(divmod, [(7, 2)])) == [(0, (3, 1))]
        assert executor.prepared == [(print, (1,))]

    def test_what_it_does_out_of_order_is_found_in_order(self, collection, tmp_path):
        options = {"detector": "shingles", "shard_bytes": SHARD}
        here, _ = find_reuse(collection.documents, collection.texts, tmp_path / "a", **options)

        class Local(self.Backwards):
            def completed(self, function, work, prepare=None, arguments=()):
                if prepare:
                    prepare(*arguments)
                return super().completed(function, work)

        with work_on(Local()):
            there, _ = find_reuse(collection.documents, collection.texts, tmp_path / "b", **options)
        assert there.rankings == here.rankings
        assert content(tmp_path / "a") == content(tmp_path / "b")


class TestClusterThatIsNotThere:
    def test_nobody_listens(self):
        pytest.importorskip("pyspark")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"spark://127.0.0.1:{free.getsockname()[1]}"
            with pytest.raises(StemmataError, match="E802"), spark_session(url):
                pass

    @pytest.mark.parametrize(
        "url", ["", "host:7077", "spark://host", "spark://host:1;rm", "local[x]", "file:///x"]
    )
    def test_what_is_no_address(self, url):
        with pytest.raises(StemmataError, match="E801"), SparkExecutor(url):
            pass

    def test_no_java(self, monkeypatch, tmp_path):
        pytest.importorskip("pyspark")
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.delenv("JAVA_HOME", raising=False)
        with pytest.raises(StemmataError, match="E800"), spark_session("local[1]"):
            pass
