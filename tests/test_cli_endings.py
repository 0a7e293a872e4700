"""How commands end: one line and a status, whatever is closed, refused or stopped."""

import builtins
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import signals
import stemmata.cli
from hiding import Shouting, only
from stemmata.cli import status_of
from stemmata.cli.ending import explain
from stemmata.masking import obfuscators
from stemmata.model import ErrorCode, StemmataError, processes

STEMMATA = str(Path(sys.executable).with_name("stemmata"))


def shell(line, cwd=None, **more):
    """Run a line of a shell in which $S is the command."""
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; S={STEMMATA}; {line}"],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        timeout=60,
        **more,
    )
    assert "Traceback" not in (done.stderr or "")
    return done


@pytest.fixture
def ends_with(monkeypatch, capsys):
    """Run a command that does nothing but end with an error, and return its status and its line."""

    def run(error):
        def work(arguments, **_):
            raise error

        monkeypatch.setattr(stemmata.cli, "command", lambda: work)
        status = status_of([])
        out, line = capsys.readouterr()
        assert out == ""
        assert line.count("\n") == 1
        return status, line

    return run


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-", "2>/dev/full"])
def test_what_a_caller_has_closed_does_not_matter(closed):
    assert shell(f"$S list measures {closed}").returncode == 0
    assert shell(f"$S list colours {closed}").returncode == 2


@pytest.fixture
def killed_workers(monkeypatch):
    """Have the first worker killed as soon as it has work, as a system does that is out of memory."""

    class Doomed(processes.ProcessPoolExecutor):
        def submit(self, *work):
            future = super().submit(*work)
            for worker in list((self._processes or {}).values()):
                worker.kill()
            return future

    def kill(wanted):
        monkeypatch.setattr(processes, "ProcessPoolExecutor", Doomed if wanted else ProcessPoolExecutor)

    return kill


EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("check essays --against library --with shingles -o report.html", "library/tides.html"),
        ("index build index pages", "pages/a.html or pages/b.html"),
        ("verify problems --with jankowska13,vandam13 -o answers", "jankowska13 or vandam13"),
        ("mask problems --with loud -o masked", "loud on EN00"),
    ],
)
def test_a_worker_that_the_system_kills_is_an_error_that_names_its_work(
    killed_workers, tmp_path, monkeypatch, capsys, line, named
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cells"))
    only(monkeypatch, obfuscators, {"loud": Shouting})
    for name in ("essays", "library"):
        shutil.copytree(EXAMPLES / "check" / name, name)
    shutil.copytree(EXAMPLES / "verify" / "problems", "problems")
    Path("pages").mkdir()
    for name in "ab":
        Path("pages", f"{name}.html").write_text(f"<p>A page that is called {name} has some words.</p>")
    command = [*line.split(), "--jobs", "2"]
    killed_workers(True)
    assert status_of(command) in (1, 2)
    said = " ".join("".join(capsys.readouterr()).split())
    assert "E675" in said
    assert f"at work on {named}" in said
    assert "E003" not in said
    killed_workers(False)
    assert status_of(command) == 0


@pytest.mark.parametrize("reader", ["true", "head -1", "head -c 3"])
def test_a_reader_that_has_had_enough_is_no_error(reader):
    done = shell(f"$S list verifiers | {reader}")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_line_about_no_memory_needs_no_import(monkeypatch):
    def no_memory(*_, **__):
        raise MemoryError

    monkeypatch.setattr(builtins, "__import__", no_memory)
    said = [explain(MemoryError()), explain(OSError(2, "no such file", "a"))]
    monkeypatch.undo()
    assert [line[:4] for line in said] == ["E002", "E002"]


def test_a_panic_of_a_library_is_one_line(ends_with):
    class PanicError(BaseException):
        pass

    status, line = ends_with(PanicError("index out of bounds"))
    assert status == 2
    assert line.startswith("stemmata: E003 internal error, PanicError: index out of bounds")


@pytest.mark.parametrize(
    ("number", "code"), [(28, "E107"), (30, "E107"), (17, "E107"), (13, "E102"), (2, "E101"), (40, "E102")]
)
def test_what_the_system_refuses_is_coded_and_placed(ends_with, tmp_path, number, code):
    place = tmp_path / "name"
    if code == "E102":
        place = Path("/proc/1/no/such")  # nobody can look there
    assert ends_with(OSError(number, os.strerror(number), str(place)))[1].startswith(
        f"stemmata: {code} {place}: "
    )


def test_what_could_be_read_was_to_be_written(ends_with, tmp_path):
    error = PermissionError(13, "Permission denied", str(tmp_path))
    assert ends_with(error)[1].startswith(f"stemmata: E107 {tmp_path}: ")


def test_a_link_to_itself_is_unreadable(ends_with):
    error = RuntimeError("Symlink loop from '/a/loop'")
    assert ends_with(error)[1].startswith("stemmata: E102 /a/loop: cannot be read: the link leads to itself")


def test_a_line_about_long_names_and_paths_is_bounded(ends_with):
    error = StemmataError(ErrorCode.BAD_ANSWER, f"/{'p' * 100_000}/end.txt", text="x" * 100_000)
    line = ends_with(error)[1]
    assert len(line) < 2_100
    assert "end.txt: " in line


def test_a_line_holds_nothing_that_a_terminal_would_obey(ends_with):
    line = ends_with(StemmataError(ErrorCode.NO_SUCH_PATH, "a\x1b[2J\x07\x9b\u202eb"))[1]
    assert "E101 a�[2J���b: " in line


@pytest.mark.parametrize("group", ["", "score", "corpus"])
def test_a_command_of_commands_shows_its_help_in_a_pipe_too(group):
    done = shell(f"$S {group}")
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout == shell(f"$S {group} --help").stdout
    assert "..." not in done.stdout.replace("[ARGS]...", "")


@pytest.mark.parametrize("words", [(), *((name,) for name in ("compare", "list", "tune", "detect", "rank"))])
def test_help_names_what_is_to_be_given_in_words(words, capsys):
    assert status_of([*words, "--help"]) == 0
    shown = capsys.readouterr().out
    for odd in ("<Path>", "<path>", "<str>", "<int", "<list", "{", "…..."):
        assert odd not in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("score alignment a b --format xml", "'xml' is not one of 'table'"),
        ("detect a --jobs 0", "it must be at least 1"),
        ("detect a --jobs two", "it must be a whole number (see"),
        ("score safety a --tau half", "it must be a number (see"),
    ],
)
def test_wrong_options_are_refused_in_plain_words(arguments, words, capsys):
    assert status_of(arguments.split()) == 2
    line = capsys.readouterr().err
    assert words in line
    assert "Input should" not in line
    assert "Value error" not in line


def test_shells_can_complete_commands():
    environment = {**os.environ, "_STEMMATA_COMPLETE": "complete_bash", "COMP_WORDS": "stemmata val"}
    done = shell("$S", env={**environment, "COMP_CWORD": "1"})
    assert done.stdout.split() == ["validate"]


WORK = """
import os, sys, time
import stemmata.cli
from stemmata.formats.files import write_atomically
from stemmata.model.processes import Processes

def work(path):
    with write_atomically(path):
        os.write(1, b"begun\\n")
        time.sleep(60)

def main(arguments, **_):
    with write_atomically("room/report"), Processes(2) as processes:
        list(processes.completed(work, [("room/a",), ("room/b",)]))

if __name__ == "__main__":
    stemmata.cli.command = lambda: main
    sys.exit(stemmata.cli.status_of([]))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("everybody", [False, True])
def test_a_command_that_is_stopped_clears_up(tmp_path, number, everybody):
    (tmp_path / "room").mkdir()
    (tmp_path / "work.py").write_text(WORK)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **signals.AS_USUAL}
    command = [sys.executable, "work.py"]
    with subprocess.Popen(command, cwd=tmp_path, start_new_session=True, **pipes) as process:
        assert [process.stdout.readline() for _ in range(2)] == ["begun\n", "begun\n"]
        (os.killpg if everybody else os.kill)(process.pid, number)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 128 + number
    assert errors == "stemmata: stopped; nothing was left half-written\n"
    assert list((tmp_path / "room").iterdir()) == []


def test_a_command_stopped_while_it_starts_processes_complains_of_nothing(tmp_path):
    (tmp_path / "room").mkdir()
    (tmp_path / "work.py").write_text(
        WORK.replace("list(processes", "print('starting', flush=True); list(processes")
    )
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **signals.AS_USUAL}
    for wait in (0.0, 0.01, 0.05):
        with subprocess.Popen([sys.executable, "work.py"], cwd=tmp_path, **pipes) as process:
            assert process.stdout.readline() == "starting\n"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(wait)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=20)
        assert errors == "stemmata: stopped; nothing was left half-written\n"


UNPRIVILEGED = (
    ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    if hasattr(os, "geteuid") and os.geteuid() == 0
    else []
)


@pytest.mark.skipif(bool(UNPRIVILEGED) and not shutil.which("setpriv"), reason="root may read everything")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("verify problems -o out", "E102 problems/EN001/"),
        ("mask problems -o out", "E102 problems/EN001/"),
        ("rank problems -o out", "E102 problems/EN001/"),
        ("validate problems", "E102 problems/EN001/"),
        ("detect closed -o out", "E102 closed/"),
        ("detect listed -o out", "E102 listed/susp/"),
        ("corpus describe listed", "E102 listed/susp/"),
        ("check open.txt --against closed -o x.html", "E102 closed/"),
        ("detect corpus -o frozen/run", "E107"),
        ("batch index texts -o frozen/indexes", "E107"),
        ("index build frozen/index open.txt", "E107"),
    ],
)
def test_missing_permissions_are_told_with_code_and_place(tmp_path, arguments, code):
    for folder in ("problems/EN001", "closed", "listed/susp", "listed/src", "frozen", "texts"):
        (tmp_path / folder).mkdir(parents=True)
    for folder in ("corpus/susp", "corpus/src"):
        (tmp_path / folder).mkdir(parents=True)
    for name in (
        *("listed/susp/s.txt", "listed/src/o.txt", "corpus/susp/s.txt", "corpus/src/o.txt", "texts/a.txt"),
        *("problems/EN001/known01.txt", "problems/EN001/unknown.txt", "open.txt"),
    ):
        (tmp_path / name).write_text("A short text, for want of a better one.")
    (tmp_path / "problems/truth.txt").write_text("EN001 Y\n")
    for name in ("listed/pairs", "corpus/pairs"):
        (tmp_path / name).write_text("s.txt o.txt\n")
    modes = {"problems/EN001": 0o444, "listed/susp": 0o444, "closed": 0o000, "frozen": 0o555}
    for name, mode in modes.items():
        (tmp_path / name).chmod(mode)
    command = [*UNPRIVILEGED, STEMMATA, *arguments.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    for name in modes:
        (tmp_path / name).chmod(0o755)
    assert done.returncode == 2
    assert done.stderr.startswith(f"stemmata: {code}")
    assert done.stderr.count("\n") == 1
    assert "Permission denied" in done.stderr or code == "E107"


PLAN = 'base = "texts"\ndocuments = 8\n[obfuscation]\nno = { share = 0.5, strategy = "none" }\n'


@pytest.mark.parametrize(
    ("name", "text", "command", "words"),
    [
        ("p.json", '{"detector": "shingles", "parameters": {"x": 1}}', "detect {}", "E407"),
        ("p.json", '{"detector": "shingles", "parameters": {"n": "a"}}', "detect {}", "E405"),
        ("p.json", '{"detector": "shingles", "parameters": {}, "fitted": {}}', "detect {}", "E510"),
        ("p.json", '{"detector": "stemmata", "parameters": {}}', "detect {}", "E511"),
        ("p.toml", 'a = { share = 0.5, strategy = "none", word = 3 }', "build", "E723"),
        ("p.toml", 'a = { share = 0.5, strategy = "translation", route = "x" }', "build", "E708"),
        ("p.toml", 'a = { share = 0.5, strategy = "synonyms" }', "build", "E501"),
    ],
)
def test_errors_in_parameters_and_plans_name_the_file(
    tmp_path, monkeypatch, capsys, name, text, command, words
):
    monkeypatch.chdir(tmp_path)
    for folder in ("susp", "src", "texts"):
        Path(folder).mkdir()
    for number in range(9):
        Path(f"texts/{number}.txt").write_text("One sentence is here. And another is there. " * 2000)
    Path("pairs").write_text("")
    Path(name).write_text(text if command != "build" else PLAN + text)
    line = {
        "detect {}": f"detect . --with shingles --parameters {name} -o out",
        "build": f"corpus build {name} -o out",
    }
    assert status_of(line[command].split()) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"stemmata: {words} {name}: ")
    assert "__init__" not in told


def test_a_strategy_that_a_plan_misspells_is_answered_by_a_list_that_there_is(capsys):
    from stemmata.rewriting import strategies

    with pytest.raises(StemmataError, match="see: stemmata list strategies"):
        strategies["synonyms"]
    assert status_of(["list", "strategies"]) == 0
    assert "russian-synonyms" in capsys.readouterr().out


def test_lists_that_errors_point_to_are_those_that_are_shown():
    from stemmata.cli.listing import Family
    from stemmata.model.registry import LISTED

    assert {family.value for family in Family} == LISTED


def test_a_name_of_a_family_that_is_not_listed_is_answered_by_all_names():
    from stemmata.text.languages import languages

    with pytest.raises(StemmataError, match=r"E501 .*choose among: de, en, es, ru"):
        languages["klingon"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--with oberreuter-2011", "E507 the detector 'oberreuter-2011' examines documents alone"),
        ("--with shingles --intrinsic", "E508 the detector 'shingles' compares documents with sources"),
    ],
)
def test_a_detector_of_the_other_kind_is_told_where_intrinsic_belongs(tmp_path, capsys, options, words):
    assert status_of(["detect", str(tmp_path), *options.split()]) == 2
    assert capsys.readouterr().err.startswith(f"stemmata: {words}")


def test_a_repeated_key_of_json_is_a_finding(tmp_path, capsys):
    file = tmp_path / "truth.jsonl"
    file.write_text('{"id": "1", "same": true, "same": false}\n{"id": "2", "same": true}\n')
    assert status_of(["validate", str(file)]) == 1
    assert "E600" in (told := capsys.readouterr().out)
    assert "an object has the key 'same' twice" in told


@pytest.fixture
def homeless(monkeypatch, tmp_path):
    """Make this the process of a user who has no home, as a bare number in a container has none."""

    def nowhere():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "STEMMATA_DATA", "STEMMATA_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_a_user_without_a_home_gets_answers_that_are_not_kept(homeless, capsys):
    for number in range(3):
        folder = Path(f"problems/EN{number:03}")
        folder.mkdir(parents=True)
        for name in ("known01.txt", "unknown.txt"):
            (folder / name).write_text("Some words by somebody, in a text of its own. " * 20)
    assert status_of(["data", "list"]) == 0
    assert status_of(["verify", "problems", "--with", "vandam13", "-j", "1"]) == 0
    assert capsys.readouterr().err == ""


def test_a_label_of_progress_is_shown_as_it_is():
    from stemmata.cli.progress import _shown

    assert _shown("Reading a[bold]\x1b[2J{x}") == "Reading a\\[bold]�[2J{{x}}"


def test_the_help_needs_no_heavy_package():
    code = "import sys, stemmata.cli; print(sorted({'numpy', 'scipy', 'rich.console'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
