"""An index survives what befalls its writer: kill -9, a full disk, a second writer, damaged files."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from index_documents import documents, names
from stemmata.formats.collections import SourceDocument
from stemmata.formats.sealed import sealed
from stemmata.model import StemmataError
from stemmata.reuse.index import Index, add, build, remove, segment_files, writing
from stemmata.reuse.index.fingerprints import fingerprint
from stemmata.reuse.index.manifest import FORMAT, Manifest, lock, read_manifest

pytest.importorskip("tantivy")

TESTS = Path(__file__).parent
ENDLESS = """
import sys, time
from pathlib import Path
from stemmata.reuse.index import build, writing
from index_documents import documents

writing.BATCH_DOCUMENTS, writing.COMMIT_DOCUMENTS = 20, 40

def slowly():
    for number in range(1_000_000):
        time.sleep(0.0005)
        yield from documents(1, first=number, words=30)

build(Path(sys.argv[1]), slowly(), "the same")
"""
ON_LITTLE_ROOM = """
import resource, signal, sys
from pathlib import Path
from stemmata.model import StemmataError
from stemmata.reuse.index import add
from index_documents import documents

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    add(Path(sys.argv[1]), documents(300, first=100))
except StemmataError as error:
    print(error)
    sys.exit(3)
"""


def run(program: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def assert_sound(index: Index, made: list[SourceDocument]) -> None:
    """Check that an index has these documents and no others, in all its parts."""
    assert len(index) == len(made)
    assert {one.name: one.text for one in index} == {one.name: one.text for one in made}
    prints = fingerprint([one.text for one in made])
    assert index.words == prints.words.sum()
    assert np.array_equal(index.frequencies(np.arange(1 << 20)), prints.frequencies)
    for one in made[:3] + made[-3:]:
        own = fingerprint([one.text]).runs
        found = index.lookup("runs", own)
        assert index.number_of(one.name) in found.numbers
        words = one.text.lower().replace(".", "").split()[:12]
        assert one.name in index.names(index.search("en", words, 1000).numbers)
    some = index.search("en", made[0].text.lower().replace(".", "").split(), 10_000)
    assert set(index.names(some.numbers)) <= set(names(made))


@pytest.fixture
def small_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "BATCH_DOCUMENTS", 5)
    monkeypatch.setattr(writing, "COMMIT_DOCUMENTS", 10)
    monkeypatch.setattr(segment_files, "FAN_IN", 3)


class TestKilled:
    @pytest.mark.parametrize("after", [0, 1, 4])
    def test_a_killed_build_leaves_the_last_commit_and_goes_on_from_there(self, tmp_path: Path, after: int):
        path = tmp_path / "index"
        process = run(ENDLESS, path)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if (path / "index.json").exists() and read_manifest(path).generation >= after:
                break
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        index = Index.open(path)
        assert index.unfinished
        assert len(index) >= 40 * min(after, 1)
        made = documents(len(index) + 35, words=30)
        if len(index):
            assert_sound(index, made[: len(index)])
        outcome = build(path, made, "the same")
        assert (outcome.unchanged, outcome.added) == (len(index), 35)
        finished = Index.open(path)
        assert not finished.unfinished
        assert_sound(finished, made)

    @pytest.mark.parametrize(
        "function", ["write_segment", "merge_segments", "write_array", "find_duplicates"]
    )
    @pytest.mark.parametrize("turn", [0, 1])
    def test_a_failure_at_any_step_of_a_commit_changes_nothing(
        self, tmp_path: Path, small_commits: None, monkeypatch: pytest.MonkeyPatch, function: str, turn: int
    ):
        self.fail(monkeypatch, writing, function, turn)
        self.check(tmp_path / "index", monkeypatch)

    @pytest.mark.parametrize("turn", [1, 4])
    def test_a_failure_between_the_texts_and_the_manifest_changes_nothing(
        self, tmp_path: Path, small_commits: None, monkeypatch: pytest.MonkeyPatch, turn: int
    ):
        self.fail(monkeypatch, Manifest, "write", turn)
        self.check(tmp_path / "index", monkeypatch)

    @pytest.mark.parametrize("turn", [0, 15])
    def test_a_disk_that_does_not_take_what_was_written_changes_nothing(
        self, tmp_path: Path, small_commits: None, monkeypatch: pytest.MonkeyPatch, turn: int
    ):
        self.fail(monkeypatch, segment_files, "_synchronise", turn)
        self.check(tmp_path / "index", monkeypatch)

    @staticmethod
    def fail(monkeypatch: pytest.MonkeyPatch, where: object, function: str, turn: int) -> None:
        """Have the disk full when a function is called for the n-th time."""
        real = getattr(where, function)
        calls = 0

        def full(*arguments: object, **named: object) -> object:
            nonlocal calls
            calls += 1
            if calls > turn:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(*arguments, **named)

        monkeypatch.setattr(where, function, full)

    @staticmethod
    def check(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        made = documents(120, words=30)
        with pytest.raises(StemmataError, match=r"E775 .*No space left on device"):
            build(path, made, "the same")
        index = Index.open(path)
        assert index.unfinished
        if len(index):
            assert_sound(index, made[: len(index)])
        monkeypatch.undo()
        build(path, made, "the same")
        assert_sound(Index.open(path), made)
        postings = {one.name for one in (path / "postings").iterdir()}
        manifest = read_manifest(path)
        assert postings == {manifest.frequencies, *(record.folder for record in manifest.segments)}

    def test_a_failed_removal_removes_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        made = documents(20)
        build(tmp_path / "index", made)
        self.fail(monkeypatch, Manifest, "write", 0)
        with pytest.raises(StemmataError, match="E775"):
            remove(tmp_path / "index", names(made[:3]))
        assert_sound(Index.open(tmp_path / "index"), made)
        monkeypatch.undo()
        remove(tmp_path / "index", names(made[:3]))
        assert_sound(Index.open(tmp_path / "index"), made[3:])

    def test_texts_are_swept_by_the_next_writer_if_the_last_one_died(self, tmp_path: Path, monkeypatch):
        made = documents(20)
        build(tmp_path / "index", made)
        self.fail(monkeypatch, Manifest, "write", 1)
        with pytest.raises(StemmataError, match="E775"):
            remove(tmp_path / "index", names(made[:3]))
        assert_sound(Index.open(tmp_path / "index"), made[3:])
        monkeypatch.undo()
        add(tmp_path / "index", documents(1, first=500))
        manifest = read_manifest(tmp_path / "index")
        assert (manifest.swept, Index.open(tmp_path / "index")._texts.fetch(0)) == (3, None)


class TestFullDisk:
    @pytest.mark.parametrize("room", [20_000, 4_000_000])
    def test_files_that_cannot_grow_stop_the_writer_with_a_message(self, tmp_path: Path, room: int):
        made = documents(50)
        build(tmp_path / "index", made)
        process = run(ON_LITTLE_ROOM, tmp_path / "index", room)
        said, err = process.communicate()
        assert "Traceback" not in err
        assert (process.returncode, said[:4]) == (3, "E775")
        assert_sound(Index.open(tmp_path / "index"), made)
        add(tmp_path / "index", documents(10, first=100))
        assert_sound(Index.open(tmp_path / "index"), made + documents(10, first=100))

    @pytest.fixture
    def small_disk(self, tmp_path: Path) -> Iterator[Path]:
        """A disk of 14 MB in memory, where one may be mounted."""
        disk = tmp_path / "disk"
        disk.mkdir()
        try:
            made = subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=14m", "tmpfs", str(disk)],
                capture_output=True,
                check=False,
            )
        except OSError:
            pytest.skip("there is no program to mount with")
        if made.returncode:
            pytest.skip("nothing may be mounted here")
        yield disk
        # A file of it may still be mapped: it goes when that is let go.
        subprocess.run(["umount", "--lazy", str(disk)], check=True)

    def test_a_full_disk_stops_the_writer_with_a_message(self, small_disk: Path, monkeypatch):
        monkeypatch.setattr(writing, "COMMIT_DOCUMENTS", 500)
        monkeypatch.setattr(writing, "BATCH_DOCUMENTS", 100)
        made = documents(2000)
        with pytest.raises(StemmataError, match="E775"):
            build(small_disk / "index", made, "the same")
        index = Index.open(small_disk / "index")
        assert index.unfinished
        if len(index):
            assert_sound(index, made[: len(index)])
        del index


class TestTogether:
    def test_a_second_writer_is_told_to_wait(self, tmp_path: Path):
        build(tmp_path / "index", documents(3))
        with lock(tmp_path / "index"), pytest.raises(StemmataError, match="E774"):
            add(tmp_path / "index", documents(3))
        add(tmp_path / "index", documents(4))
        assert len(Index.open(tmp_path / "index")) == 4

    def test_a_reader_sees_what_it_opened_while_others_write(self, tmp_path: Path, small_commits: None):
        made = documents(30)
        build(tmp_path / "index", made)
        index = Index.open(tmp_path / "index")
        for number in range(10):
            add(tmp_path / "index", documents(3, first=100 + 3 * number))
        remove(tmp_path / "index", names(made[:25]))
        assert_sound(index, made)
        assert len(Index.open(tmp_path / "index")) == 35

    def test_an_index_can_be_opened_at_any_time_of_a_build(self, tmp_path: Path):
        process = run(ENDLESS, tmp_path / "index")
        try:
            deadline = time.monotonic() + 60
            while not (tmp_path / "index" / "index.json").exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            sizes = []
            for _ in range(60):
                index = Index.open(tmp_path / "index")
                sizes.append(len(index))
                if sizes[-1]:
                    last = index.document(sizes[-1] - 1)
                    assert index.number_of(last.name) == last.number
            assert sizes == sorted(sizes)
        finally:
            process.kill()
            process.communicate()


class TestDamaged:
    def test_where_there_is_no_index_one_is_told_how_to_make_one(self, tmp_path: Path):
        for path in (tmp_path, tmp_path / "absent"):
            for use in (Index.open, lambda path: add(path, []), lambda path: remove(path, ["a"])):
                with pytest.raises(StemmataError, match=r"E770 .*stemmata index build"):
                    use(path)

    def test_an_index_is_not_built_over_anything_else(self, tmp_path: Path, write):
        write("folder/precious.txt", "words")
        write("file", "words")
        for path in (tmp_path / "folder", tmp_path / "file"):
            with pytest.raises(StemmataError, match="E785"):
                build(path, documents(1))
        for name in ("postings/thesis", "text/thesis", "duplicates.jsonl"):
            write(f"mine {name[:4]}/{name}", "words")
            with pytest.raises(StemmataError, match="E785"):
                build(tmp_path / f"mine {name[:4]}", documents(1))
            assert list((tmp_path / f"mine {name[:4]}").iterdir()) == [
                tmp_path / f"mine {name[:4]}" / name.partition("/")[0]
            ]
        build(tmp_path / "index", documents(1))
        with pytest.raises(StemmataError, match=r"E773 .*1 document "):
            build(tmp_path / "index", documents(1))

    def test_what_somebody_put_into_an_index_is_not_swept_away(self, tmp_path: Path):
        build(tmp_path, documents(1))
        (tmp_path / "postings" / "notes.txt").write_text("precious")
        add(tmp_path, documents(2))
        assert (tmp_path / "postings" / "notes.txt").read_text() == "precious"

    def test_an_unfinished_build_of_other_documents_is_not_gone_on_with(self, tmp_path: Path, monkeypatch):
        TestKilled.fail(monkeypatch, Manifest, "write", 1)
        with pytest.raises(StemmataError, match="E775"):
            build(tmp_path / "index", documents(3), "these")
        monkeypatch.undo()
        with pytest.raises(StemmataError, match=r"E778 .*these"):
            build(tmp_path / "index", documents(3), "others")

    def test_an_index_of_another_version_is_told(self, tmp_path: Path):
        build(tmp_path / "index", documents(1))
        manifest = tmp_path / "index" / "index.json"
        manifest.write_text(manifest.read_text().replace(f'"format": {FORMAT}', '"format": 99'))
        with pytest.raises(StemmataError, match=r"E772 .*99"):
            Index.open(tmp_path / "index")

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("{", ""),
            ('"next": 12', '"next": 13'),
            ('"next": 12', '"next": "12"'),
            ('"documents": 12', '"documents": -1'),
            ('"first": 0', '"first": 5'),
            ('"runs": ', '"runs": 9'),
            ('"folder": "', '"folder": "../'),
            ('"swept"', '"swopt"'),
            ('"segments": [', '"segments": [7, '),
            ('"languages": {', '"languages": [], "x": {'),
        ],
    )
    def test_a_manifest_that_cannot_be_is_told(self, tmp_path: Path, old: str, new: str):
        build(tmp_path / "index", documents(12))
        manifest = tmp_path / "index" / "index.json"
        said = manifest.read_text()
        assert old in said
        forged = said.replace(old, new, 1)
        manifest.write_text(forged)
        with pytest.raises(StemmataError, match="E771"):
            Index.open(tmp_path / "index")
        # Even if its checksum holds.
        manifest.write_text(sealed(forged[: forged.index(', "checksum"')]))
        with pytest.raises(StemmataError, match="E771"):
            Index.open(tmp_path / "index")

    def test_files_that_are_cut_exchanged_or_gone_are_told(self, tmp_path: Path):
        build(tmp_path / "index", documents(12))
        remove(tmp_path / "index", ["doc0001.txt"])
        files = sorted(path for path in (tmp_path / "index" / "postings").rglob("*.npy"))
        assert len(files) == 13
        for path in [*files, tmp_path / "index" / "text" / "meta.json"]:
            whole = path.read_bytes()
            for broken in (whole[: len(whole) // 2], b"", b"\x93NUMPY\x01\x00nonsense" * 9, None):
                path.unlink() if broken is None else path.write_bytes(broken)
                with pytest.raises(StemmataError, match="E771"):
                    Index.open(tmp_path / "index")
            path.write_bytes(whole)
        assert len(Index.open(tmp_path / "index")) == 11
