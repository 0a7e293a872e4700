"""Shards asked as one index: what is told of all of them together, and what is found through the commands."""

import json
import pickle
from itertools import pairwise

import numpy as np
import pytest

from index_documents import documents, text
from stemmata.cli import status_of
from stemmata.model import Document, StemmataError
from stemmata.reuse import retrievers
from stemmata.reuse.index import Index, IndexShards, build, is_index, open_index, remove
from stemmata.reuse.index.fingerprints import frequency_places
from stemmata.reuse.index.word_hashes import stem_hashes
from stemmata.reuse.retrieval.query import Query

pytest.importorskip("tantivy")

MADE = documents(120, vocabulary=900)
BORDERS = (0, 50, 51, 120)
BORROWED = {number: " ".join(MADE[number].text.split()[:40]) for number in (7, 60, 110)}
SEVERAL = " ".join([*BORROWED.values(), text(5000, 30)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Hold the same documents in one index and in three shards, of which one document is removed."""
    top = tmp_path_factory.mktemp("indexes")
    build(top / "one", MADE)
    for number, (start, end) in enumerate(pairwise(BORDERS), 1):
        build(top / "many" / f"shard-{number:05}", MADE[start:end])
    for path in (top / "one", top / "many" / "shard-00003"):
        remove(path, ["doc0099.txt"])
    return top


@pytest.fixture(scope="module")
def one(folder):
    return Index.open(folder / "one")


@pytest.fixture(scope="module")
def many(folder):
    return open_index(folder / "many")


def test_a_folder_of_shards_is_an_index(folder, many):
    assert isinstance(many, IndexShards)
    assert isinstance(open_index(folder / "one"), Index)
    assert is_index(folder / "many")
    assert is_index(folder / "one")
    assert not is_index(folder)
    with pytest.raises(StemmataError, match="E770"):
        open_index(folder)


def test_facts_are_those_of_all_shards(one, many):
    assert (len(many), many.words, many.languages) == (len(one), one.words, one.languages)
    assert many.end == one.end
    said, alone = many.info(), one.info()
    assert said["shards"] == 3
    assert said["documents"] == alone["documents"] == 119
    assert said["removed"] == 1
    assert said["finished"]


def test_documents_have_the_same_numbers_names_and_texts(one, many):
    assert many.numbers().tolist() == one.numbers().tolist()
    assert many.names(many.numbers()) == one.names(one.numbers())
    assert many.word_counts([0, 50, 51, 119]).tolist() == one.word_counts([0, 50, 51, 119]).tolist()
    assert many.number_of("doc0050.txt") == 50
    assert many.number_of("doc0099.txt") is None
    assert [(found.number, found.text) for found in many] == [(found.number, found.text) for found in one]
    for absent in (-1, 99, many.end):
        with pytest.raises(IndexError):
            many.document(absent)


@pytest.mark.parametrize("kind", ["runs", "skips"])
@pytest.mark.parametrize("most", [None, 1, 3])
def test_fingerprints_are_cut_by_the_documents_of_all_shards(one, many, kind, most):
    query = Query.of(Document("susp", SEVERAL))
    hashes = query.fingerprints[kind]
    assert len(hashes)
    for mine, expected in zip(many.lookup(kind, hashes, most), one.lookup(kind, hashes, most), strict=True):
        assert mine.tolist() == expected.tolist()


def test_stems_are_counted_over_all_shards(one, many):
    places = frequency_places(stem_hashes(SEVERAL.lower().replace(".", "").split(), "en"))
    assert many.frequencies(places).tolist() == one.frequencies(places).tolist()
    assert many.frequencies(places).max() > 0


def test_the_best_of_all_shards_come_first(many):
    words = BORROWED[60].lower().replace(".", "").split()
    found = many.search("en", words, 5)
    assert many.name(int(found.numbers[0])) == "doc0060.txt"
    assert len(found.numbers) == 5
    assert np.all(np.diff(found.scores) <= 0)
    assert many.names(many.phrase("en", words[1:4], 5).numbers) == ["doc0060.txt"]


@pytest.mark.parametrize("name", ["stemmata", "fingerprint"])
def test_retrievers_find_the_same_as_in_one_index(one, many, name):
    susp = Document("susp", SEVERAL)
    mine, expected = (retrievers[name](index).retrieve(susp) for index in (many, one))
    assert set(mine.names) >= {"doc0007.txt", "doc0060.txt", "doc0110.txt"}
    assert mine.names == expected.names
    # Who else is read, and so what is usual among those read, depends on each shard's own BM25.
    scores = [score for _, score in expected.sources]
    assert [score for _, score in mine.sources] == pytest.approx(scores, rel=0.05)


def test_shards_travel_to_another_process(many):
    assert pickle.loads(pickle.dumps(many)).info() == many.info()


def test_commands_take_the_folder_of_shards(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "susp.txt").write_text(SEVERAL, encoding="utf-8")
    shards = str(folder / "many")
    assert status_of(["index", "info", shards, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["shards"] == 3
    assert status_of(["check", "susp.txt", "--against", shards, "-o", "report.json"]) == 0
    found = (tmp_path / "report.json").read_text("utf-8")
    assert status_of(["retrieve", shards, "susp.txt", "-o", "run"]) == 0
    (run,) = (tmp_path / "run").glob("susp*")
    for number in BORROWED:
        assert f"doc{number:04}.txt" in found
        assert f"doc{number:04}.txt" in run.read_text("utf-8")


def test_a_damaged_shard_is_named(tmp_path):
    build(tmp_path / "shards" / "shard-00001", MADE[:3])
    (tmp_path / "shards" / "shard-00001" / "index.json").write_text("{", encoding="utf-8")
    with pytest.raises(StemmataError, match="shard-00001"):
        open_index(tmp_path / "shards")


def test_a_shard_that_was_not_built_is_not_passed_over(tmp_path):
    build(tmp_path / "shards" / "shard-00001", MADE[:3])
    (tmp_path / "shards" / "shard-00002").mkdir()
    with pytest.raises(StemmataError, match=r"E770 .*shard-00002"):
        open_index(tmp_path / "shards")
