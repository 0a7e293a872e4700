"""Processes: results as they come, errors as they are, and no process outlives the one that started it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import signals
from stemmata.model import StemmataError
from stemmata.model.processes import Processes


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_piece_of_work_is_done_once(jobs):
    with Processes(jobs) as processes:
        assert sorted(processes.completed(pow, [(2, n) for n in range(8)])) == [(n, 2**n) for n in range(8)]
        assert sorted(processes.completed(pow, [])) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_comes_through(jobs):
    with pytest.raises(ZeroDivisionError), Processes(jobs) as processes:
        list(processes.completed(divmod, [(1, 1), (1, 0)]))


def test_a_process_that_dies_is_told():
    with pytest.raises(StemmataError, match="E675"), Processes(2) as processes:
        list(processes.completed(os._exit, [(1,), (1,)]))


def _die(path, name):
    # Only when what was given before is done.
    while name == "last" and not path.exists():
        time.sleep(0.01)
    if name == "last":
        os.kill(os.getpid(), signal.SIGKILL)
    path.write_text(name)


def test_what_was_at_work_when_a_process_was_killed_is_named_and_what_was_done_is_not_lost(tmp_path):
    work = [(tmp_path / "first", "first"), (tmp_path / "first", "last")]
    with Processes(2) as processes:
        pieces = processes.completed(_die, work, lambda path, name: name)
        assert next(pieces)[0] == 0
        with pytest.raises(StemmataError, match=r"E675.*; it was at work on last \("):
            next(pieces)


def test_processes_end_with_their_parent(tmp_path):
    code = (
        "import os, sys, time\nfrom stemmata.model.processes import Processes\n"
        "if __name__ == '__main__':\n"
        "    with Processes(2) as processes:\n"
        "        for _, pid in processes.completed(os.getpid, [(), (), (), ()]):\n"
        "            print(pid, flush=True)\n"
        "        print('ready', flush=True)\n"
        "        time.sleep(60)\n"
    )
    script = tmp_path / "work.py"
    script.write_text(code)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as process:
        started = set()
        for line in process.stdout:
            if line.strip() == "ready":
                break
            started.add(int(line))
        process.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 20
    while started and time.monotonic() < deadline:
        started = {pid for pid in started if _runs(pid)}
        time.sleep(0.05)
    assert not started


def test_processes_end_at_once_when_the_user_breaks_off_their_work(tmp_path):
    # As from a terminal: every process of the group is interrupted.
    code = (
        "import os, sys, time\nfrom stemmata.model.processes import Processes\n"
        "if __name__ == '__main__':\n"
        "    try:\n"
        "        with Processes(2) as processes:\n"
        "            for _ in processes.completed(time.sleep, [(0,), (0,), (60,), (60,), (60,)]):\n"
        "                os.write(1, b'one\\n')\n"
        "    except KeyboardInterrupt:\n"
        "        print('broken off', flush=True)\n"
    )
    script = tmp_path / "work.py"
    script.write_text(code)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **signals.AS_USUAL}
    with subprocess.Popen([sys.executable, str(script)], start_new_session=True, **pipes) as process:
        assert [process.stdout.readline() for _ in range(2)] == ["one\n", "one\n"]
        os.killpg(process.pid, signal.SIGINT)
        assert process.stdout.readline() == "broken off\n"
        out, errors = process.communicate(timeout=20)
    assert (out, errors) == ("", "")


def test_what_is_half_written_is_cleared_away_when_the_work_is_broken_off(tmp_path):
    code = (
        "import os, time\n"
        "from stemmata.formats.files import write_atomically\n"
        "from stemmata.model.processes import Processes\n"
        "def work(path):\n"
        "    with write_atomically(path):\n"
        "        os.write(1, b'begun\\n')\n"
        "        time.sleep(60)\n"
        "if __name__ == '__main__':\n"
        "    with Processes(2) as processes:\n"
        "        list(processes.completed(work, [('room/a',), ('room/b',)]))\n"
    )
    (tmp_path / "room").mkdir()
    script = tmp_path / "work.py"
    script.write_text(code)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True, **signals.AS_USUAL}
    with subprocess.Popen(
        [sys.executable, str(script)],
        cwd=tmp_path,
        start_new_session=True,
        **pipes,
    ) as process:
        assert [process.stdout.readline() for _ in range(2)] == ["begun\n", "begun\n"]
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=20)
    assert list((tmp_path / "room").iterdir()) == []


def _runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False
