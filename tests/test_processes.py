"""Processes: results as they come, errors as they are, and no process outlives the one that started it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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


def _runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False
