"""Every file from outside is opened in one way: regular files only, and no more of them than allowed."""

import os
from pathlib import Path

import pytest

from stemmata.formats.document_records import read_records
from stemmata.formats.files import open_file, read_bytes, read_lines
from stemmata.formats.json_text import load_json
from stemmata.formats.recognition import recognise
from stemmata.formats.records import tail_of
from stemmata.formats.sealed import file_checksum
from stemmata.formats.tabular import read_jsonl, read_parquet
from stemmata.model import Finding, StemmataError
from stemmata.spark.keeping import is_whole, read_arrays


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def device(path: Path) -> Path:
    path.symlink_to("/dev/zero")
    return path


def loop(path: Path) -> Path:
    path.symlink_to(path.name)
    return path


@pytest.mark.parametrize("make", [pipe, device, loop])
@pytest.mark.parametrize("read", [open_file, read_bytes, read_jsonl, read_parquet, recognise])
def test_what_is_no_regular_file_is_refused_and_not_waited_for(tmp_path, make, read):
    with pytest.raises(StemmataError) as caught:
        read(make(tmp_path / "x"))
    assert caught.value.code == "E102"


@pytest.mark.parametrize("make", [pipe, device, loop])
@pytest.mark.parametrize("name", ["x.jsonl", "x.parquet"])
def test_documents_in_what_is_no_regular_file_are_reported(tmp_path, make, name):
    found: list[Finding] = []
    assert list(read_records(make(tmp_path / name), found.append)) == []
    assert [one.kind.code for one in found] == ["E102"]


def test_a_line_that_does_not_end_within_the_limit_is_an_error_and_not_held(write):
    path = write("x.jsonl", b"one\n" + b"x" * 100)
    with pytest.raises(StemmataError) as caught:
        list(read_lines(path, limit=10))
    assert (caught.value.code, str(caught.value.finding.place)) == ("E104", f"{path}, line 2")


@pytest.mark.parametrize("size", [972, 400])
def test_json_that_nests_deeper_than_the_limit_is_refused(size):
    with pytest.raises(ValueError, match="nested too deeply"):
        load_json("[" * size + "]" * size)


def test_json_that_would_take_much_more_memory_than_its_text_is_refused_before_it_is_read():
    with pytest.raises(ValueError, match="too many values"):
        load_json("[" + "[]," * 3_000_000 + "[]]")


def test_a_named_pipe_in_the_place_of_an_output_is_not_waited_for(tmp_path):
    assert tail_of(pipe(tmp_path / "report.html")) == ""


def test_neither_a_device_nor_a_pipe_is_read_in_place_of_kept_arrays(tmp_path):
    (tmp_path / "device.npz").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.npz")
    for name in ("device.npz", "pipe.npz"):
        assert not is_whole(tmp_path / name)
        assert file_checksum(tmp_path / name) == 0
        with pytest.raises(StemmataError, match="E102"):
            read_arrays(tmp_path / name)
