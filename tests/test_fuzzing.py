"""A minute of hostile input: every command ends as documented, soon, and touches nothing else."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from fuzzing.attempt import Attempt, Ending, make_room
from fuzzing.campaign import campaign, clear, draw, run
from fuzzing.kinds import KINDS
from fuzzing.material import write_material
from fuzzing.mutations import CONTENT, damaged
from fuzzing.rules import broken, state
from fuzzing.worker import Worker

SEED = 20261120
SECONDS, MOST = 60.0, 150
"""The same inputs on machines of any speed, as far as a minute goes."""


@pytest.fixture(scope="module")
def worker():
    with Worker() as made:
        yield made


@pytest.fixture(scope="module")
def material(tmp_path_factory, worker):
    return write_material(tmp_path_factory.mktemp("fuzzing") / "material", worker)


@pytest.fixture
def room(tmp_path):
    path = tmp_path / "room"
    make_room(path)
    yield path
    clear(path)


def ended(status=0, late=False, seconds=0.1, megabytes=100.0, outside=()):
    return Ending(status, late, seconds, megabytes, outside)


def faults(room, ending, errors="", printed="", before=None):
    (room / "stdout").write_text(printed)
    (room / "stderr").write_text(errors)
    return broken(Attempt("test", "", ()), ending, room, state(room) if before is None else before)


def test_for_a_minute_no_command_breaks_its_promises(material, worker):
    keep = Path("fuzzing-failures").absolute()
    tally = campaign(material, keep, worker, seed=SEED, seconds=SECONDS, most=MOST)
    print(tally)
    assert not tally.failures, "\n".join(map(str, tally.failures))


def test_the_same_seed_and_number_give_the_same_input(material, tmp_path):
    def drawn(where):
        made = [
            draw(1, number, name, material, tmp_path / where) for number, name in enumerate(sorted(KINDS))
        ]
        return made, {
            name.removeprefix(str(tmp_path / where)): m for name, m in state(tmp_path / where).items()
        }

    assert drawn("one") == drawn("two")


def test_damage_is_as_random_as_its_generator():
    assert damaged(Random(1), b"a b c\n" * 9, CONTENT) == damaged(Random(1), b"a b c\n" * 9, CONTENT)
    assert len(Counter(damaged(Random(n), b"a b c\n" * 9)[1] for n in range(200))) > len(CONTENT)


def test_a_good_ending_is_no_fault(room):
    assert faults(room, ended(), printed="0.5\n") == []
    assert faults(room, ended(2), "stemmata: E102 a.xml: it is a folder (give a file)\n") == []


@pytest.mark.parametrize(
    ("ending", "errors", "fault"),
    [
        (ended(3), "", "exit status 3"),
        (ended(-9), "", "exit status -9"),
        (ended(130), "", "exit status 130"),
        (ended(-9, late=True), "", "it did not end"),
        (ended(seconds=99), "", "99 seconds of processor time"),
        (ended(megabytes=2000), "", "2000 MB of memory"),
        (ended(outside=("/etc/motd",)), "", "it wrote to /etc/motd"),
        (ended(2), "", "0 lines on standard error"),
        (ended(2), "stemmata: E101 a\nstemmata: E101 b\n", "2 lines on standard error"),
        (ended(2), "it failed\n", "a refusal without a code"),
        (ended(2), "stemmata: E003 internal error\n", "an internal error on standard error"),
        (ended(2), "stemmata: E002 out of memory\n", "a complaint that memory ran out on standard error"),
        (ended(), "Traceback (most recent call last)\n", "a traceback on standard error"),
        (ended(), "a.py:3: RuntimeWarning: divide\n", "a warning with source code on standard error"),
        (ended(), "\x1b[2J\n", "a control character on standard error"),
    ],
)
def test_each_broken_promise_is_a_fault(room, ending, errors, fault):
    assert faults(room, ending, errors) == [fault]


def test_commands_with_a_language_model_may_cost_more(room):
    masking = Attempt("test", "", ("mask", "a.txt"))
    (room / "stdout").touch()
    (room / "stderr").touch()
    assert broken(masking, ended(seconds=30, megabytes=1200), room, state(room)) == []
    assert len(broken(masking, ended(seconds=99, megabytes=1600), room, state(room))) == 2


def test_a_file_of_others_that_changed_is_a_fault(room):
    before = state(room)
    (room / "outside" / "thesis.txt").write_text("gone")
    [fault] = faults(room, ended(), before=before)
    assert "thesis.txt' changed" in fault


def test_a_worker_sees_what_is_written_elsewhere(room, worker, tmp_path):
    pytest.importorskip("tantivy")
    (room / "in" / "a.txt").write_text("Some words of a text.")
    inside = ("index", "build", "../out/index", "a.txt", "-j", "1")
    assert run(worker, Attempt("test", "", inside), room)[1] == []
    outside = ("index", "build", str(tmp_path / "elsewhere"), "a.txt", "-j", "1")
    ending, wrong = run(worker, Attempt("test", "", outside), room)
    assert ending.status == 0
    assert f"it wrote to {tmp_path}/elsewhere" in wrong
