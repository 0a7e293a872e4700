"""Parquet from anyone: small files that unpack to very much, and times that Python cannot tell."""

import pytest

from stemmata.formats import parquet_rows as module
from stemmata.formats.document_records import read_records
from stemmata.formats.parquet_rows import BadRow, parquet_rows
from stemmata.formats.tabular import read_parquet
from stemmata.model import Finding, StemmataError

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def table(tmp_path):
    def write(columns, **options):
        path = tmp_path / "x.parquet"
        parquet.write_table(pyarrow.table(columns), path, compression="zstd", **options)
        return path

    return write


def documents(path):
    found: list[Finding] = []
    return list(read_records(path, found.append)), [str(one) for one in found]


@pytest.mark.parametrize("encoding", ["PLAIN", "DELTA_BYTE_ARRAY"])
def test_a_text_that_all_rows_refer_to_is_given_only_as_often_as_the_file_may_unpack_to(table, encoding):
    texts = pyarrow.array(["a " * 500_000]).take(pyarrow.array([0] * 100))
    options = {"use_dictionary": False, "column_encoding": {"text": encoding}} if encoding != "PLAIN" else {}
    path = table({"text": texts}, **options)
    before = pyarrow.total_allocated_bytes()
    read, found = documents(path)
    most = module.FREE_BYTES + module.MOST_RATIO * path.stat().st_size
    assert len(read) <= most / 1_000_000
    assert "more than 200 times" in found[0]
    assert pyarrow.total_allocated_bytes() - before < 10_000_000


def test_lists_are_measured_by_what_they_refer_to(table, monkeypatch):
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 1_000_000)
    monkeypatch.setattr(module, "MOST_BYTES", 1_000_000)
    with parquet_rows(table({"tags": [["word " * 100_000] * 10, ["small"]]})) as rows:
        read = list(rows)
    assert isinstance(read[0], BadRow)
    assert read[1] == {"tags": ["small"]}


def test_a_column_that_would_unpack_to_very_much_is_refused_before_it_is(table):
    path = table({"text": ["a" * 100_000_000]})
    with pytest.raises(StemmataError) as caught, parquet_rows(path) as rows:
        list(rows)
    assert caught.value.code == "E102"


def test_times_that_python_cannot_tell_are_text(table):
    columns = {
        "text": ["one"],
        "ns": pyarrow.array([1234567891], pyarrow.timestamp("ns")),
        "far": pyarrow.array([2**50], pyarrow.timestamp("s")),
        "day": pyarrow.array([2**31 - 1], pyarrow.date32()),
        "nested": pyarrow.array([[1]], pyarrow.list_(pyarrow.timestamp("ns"))),
    }
    (document,), found = documents(table(columns))
    assert found == []
    assert document.extra["ns"] == "1970-01-01 00:00:01.234567891"
    assert document.extra["nested"] == ["1970-01-01 00:00:00.000000001"]
    assert "out of range" in document.extra["day"]


def test_only_the_row_that_cannot_be_read_is_left_out(table):
    half = pyarrow.array([b"one", b"\xff", b"three"]).view("string")
    read, found = documents(table({"text": half}))
    assert [document.text for document in read] == ["one", "three"]
    assert "line 2" in found[0]


def test_annotations_with_times_are_read(table):
    columns = {
        "reference": ["a"],
        "this_offset": [0],
        "this_length": [5],
        "made": pyarrow.array([1], pyarrow.timestamp("ns")),
    }
    assert len(read_parquet(table(columns))) == 1
