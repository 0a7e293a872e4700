"""A bit that flips in an index is found, or changes nothing: never a wrong name or text, never a panic."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from index_documents import changed, documents
from stemmata.cli import status_of
from stemmata.formats.sealed import sealed, unsealed
from stemmata.model import StemmataError
from stemmata.reuse.index import Index, add, build, checks, reading, remove, texts, writing

pytest.importorskip("tantivy")

UNCHECKED = {"lock", ".managed.json", ".tantivy-meta.lock", ".tantivy-writer.lock"}
"""Nothing is read of these."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "index"
    build(path, documents(30))
    add(path, [changed(documents(1)[0], 0.05), *documents(5, first=40)])
    remove(path, ["doc0003.txt"])
    return path


@pytest.fixture
def index(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "index")
    return tmp_path / "index"


@pytest.mark.parametrize("ending", ["fast", "store", "term", "idx", "fieldnorm", "json", "npy"])
@pytest.mark.parametrize("act", ["cut", "gone"])
def test_to_a_damaged_index_nothing_is_written(index, ending, act):
    file = next(
        one for one in sorted(index.rglob(f"*.{ending}")) if one.name not in {*UNCHECKED, "index.json"}
    )
    if act == "cut":
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    else:
        file.unlink()
    for write in (lambda: remove(index, ["doc0004.txt"]), lambda: add(index, documents(1, first=90))):
        with pytest.raises(StemmataError) as caught:
            write()
        assert caught.value.code == "E771"


def test_a_field_that_is_listed_twice_is_damage_without_a_panic(index, capfd):
    meta = index / "text" / "meta.json"
    said = json.loads(meta.read_text())
    meta.write_text(json.dumps({**said, "schema": [said["schema"][0], *said["schema"]]}))
    with pytest.raises(StemmataError, match=r"E771 .*a field is listed twice"):
        Index.open(index)
    assert capfd.readouterr().err == ""


def read_all(path: Path) -> tuple[object, ...]:
    """Return all that people can be shown of an index."""
    opened = Index.open(path)
    numbers = opened.numbers()
    found = [(one.name, one.text, one.language, one.metadata) for one in opened]
    info = opened.info() | {"path": "", "bytes": 0}
    asked = [opened.search("en", ["miller", "baken"], 5), opened.phrase("en", ["kemin", "tazorn"], 5)]
    hits = [(hit.numbers.tolist(), hit.scores.tolist()) for hit in asked]
    return opened.names(numbers), found, info, hits, list(opened.duplicates())


def read_or_code(path: Path) -> tuple[object, ...] | str:
    try:
        return read_all(path)
    except StemmataError as error:
        return error.code


@contextmanager
def flipped(file: Path, place: int, bit: int) -> Iterator[None]:
    """Change one bit where it lies: what is mapped into memory must not lose its end meanwhile."""
    _flip(file, place, bit)
    try:
        yield
    finally:
        _flip(file, place, bit)


def _flip(file: Path, place: int, bit: int) -> None:
    with file.open("r+b") as stream:
        stream.seek(place)
        before = stream.read(1)[0]
        stream.seek(place)
        stream.write(bytes([before ^ 1 << bit]))


def flips(path: Path, most: int, seed: int) -> Iterator[tuple[Path, int, int]]:
    """Yield places in every file of an index, drawn at random."""
    rng = np.random.default_rng(seed)
    for file in sorted(one for one in path.rglob("*") if one.is_file() and one.name not in UNCHECKED):
        size = file.stat().st_size
        for place in rng.choice(size, min(most, size), replace=False).tolist():
            yield file, place, int(rng.integers(8))


def test_every_flipped_bit_of_a_small_index_is_found_when_it_is_opened_and_read(index):
    expected = read_all(index)
    for file, place, bit in flips(index, most=8, seed=1):
        with flipped(file, place, bit):
            assert read_or_code(index) in (expected, "E771", "E772"), (file.name, place, bit)
    assert read_all(index) == expected


def test_of_a_large_index_no_flipped_bit_gives_a_wrong_name_or_text(index, monkeypatch, capfd):
    for module in (reading, writing):
        monkeypatch.setattr(module, "AT_OPENING", 0)
    names, found, *_ = read_all(index)
    for file, place, bit in flips(index, most=6, seed=2):
        with flipped(file, place, bit):
            made = read_or_code(index)
            if made not in ("E771", "E772"):
                assert made[0] == names, (file.name, place, bit)
                assert [one[:2] for one in made[1]] == [one[:2] for one in found], (file.name, place, bit)
    capfd.readouterr()  # what panics print


def test_index_info_check_finds_a_flipped_bit_in_any_file(index, monkeypatch, capfd):
    assert status_of(["index", "info", str(index), "--check"]) == 0
    assert "Every file is as it was written." in capfd.readouterr().out
    monkeypatch.setattr(reading, "AT_OPENING", 0)
    files = [one for one in index.rglob("*") if one.is_file() and one.name not in UNCHECKED | {"meta.json"}]
    assert len(files) > 20
    for file in files:
        # The middle of a column is beyond its header.
        with flipped(file, file.stat().st_size * 2 // 3, 3):
            assert status_of(["index", "info", str(index), "--check"]) == 2, file.name
            assert "stemmata: E771 " in capfd.readouterr().err, file.name


def test_a_damaged_segment_is_not_merged_with_others_under_a_new_checksum(index, monkeypatch):
    for module in (reading, writing):
        monkeypatch.setattr(module, "AT_OPENING", 0)
    monkeypatch.setattr(writing, "PURGE", 0.0)
    segment = next((index / "postings").glob("*-new"))
    runs = segment / "runs.npy"
    with flipped(runs, runs.stat().st_size - 2, 1), pytest.raises(StemmataError, match=r"E771 .*runs\.npy"):
        remove(index, ["doc0005.txt"])


def test_a_panic_of_tantivy_is_a_damaged_index(index, monkeypatch):
    panic = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})

    def fail(*_: object) -> None:
        raise panic("range end index 9 out of range")

    monkeypatch.setattr(texts, "_schema", fail)
    with pytest.raises(StemmataError, match=r"E771 .*out of range"):
        add(index, documents(1))
    opened = Index.open(index)
    monkeypatch.setattr(opened._texts, "_searcher", None)
    with pytest.raises(StemmataError, match="E771"):
        opened.search("en", ["baken"], 5)


@pytest.mark.parametrize(
    ("key", "value"),
    [("documents", 10**30), ("documents", True), ("purged", 10**6), ("purged", -1), ("checks", [])],
)
def test_a_forged_manifest_with_numbers_that_cannot_be_is_refused(index, key, value):
    manifest = index / "index.json"
    said = unsealed(manifest.read_bytes())
    (said["segments"][0] if key == "purged" else said)[key] = value
    manifest.write_text(sealed(json.dumps(said)))
    with pytest.raises(StemmataError, match="E771"):
        Index.open(index)


def test_an_edited_manifest_is_found_by_its_checksum(index):
    manifest = index / "index.json"
    text = manifest.read_text()
    assert '"purged": 0' in text
    manifest.write_text(text.replace('"purged": 0', '"purged": 1', 1))
    with pytest.raises(StemmataError, match=r"E771 .*not as it was written"):
        Index.open(index)


def test_opening_checks_no_more_bytes_than_are_allowed():
    asked = []
    made = [
        checks.Check(f"{size}", size, lambda size=size: bool(asked.append(size)) or True)
        for size in (9, 1, 4)
    ]
    checks.check(Path(), made, most=6)
    assert asked == [1, 4]
