"""No command deletes or replaces what it did not write, whatever place it is given."""

import json
import os
import shutil
import time
from pathlib import Path

import pytest
import typer
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from commands_that_write import Command, commands, write_inputs
from hiding import Learner, Share, Shouting, Whispering, only
from stemmata.authorship import verifiers
from stemmata.cli import app, status_of
from stemmata.experiments import ranking_summary
from stemmata.formats.outputs import OutputFile, OutputFolder
from stemmata.formats.records import Making
from stemmata.masking import obfuscators
from stemmata.model import StemmataError

NAMES = sorted(commands(dict.fromkeys(
    ("corpus", "essays", "library", "problems", "texts", "essay", "plan", "draft", "pages", "index", "run",
     "answers"), Path("x"))))  # fmt: skip
PLACES = {"-o", "--out"}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The inputs of all commands."""
    folder = tmp_path_factory.mktemp("inputs")
    patch = pytest.MonkeyPatch()
    patch.setenv("STEMMATA_CACHE", str(folder / "cache"))
    patch.chdir(folder)
    only(patch, obfuscators, {"loud": lambda: Shouting(least=2), "quiet": Whispering})
    only(patch, verifiers, {"share": Share, "half": lambda: Share(0.5), "learner": Learner})
    patch.setattr(ranking_summary, "SEEDS", 2)
    patch.setattr(ranking_summary, "RESAMPLES", 50)
    inputs = write_inputs(folder)
    for name, words in {
        "index": ("index", "build", folder / "index", inputs["library"], "--jobs", "1"),
        "run": ("detect", inputs["corpus"], "--with", "shingles", "--jobs", "1", "-o", folder / "run"),
        "answers": ("verify", inputs["problems"], "--jobs", "1", "-o", folder / "answers"),
    }.items():
        assert status_of([*map(str, words)]) == 0
        inputs[name] = folder / name
    yield inputs
    patch.undo()


@pytest.fixture
def command(told, request) -> Command:
    return commands(told)[request.param]


@pytest.fixture
def run(capsys):
    def call(arguments):
        capsys.readouterr()
        status = status_of([*map(str, arguments)])
        return status, capsys.readouterr().err

    return call


def content(folder: Path) -> dict[str, bytes]:
    """Everything below a folder, hidden files too."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
    }


def writing_commands(group, name=""):
    if hasattr(group, "commands"):
        return {
            found for sub, one in group.commands.items() for found in writing_commands(one, f"{name} {sub}")
        }
    return {name.strip()} if any(PLACES & {*one.opts} for one in group.params) else set()


def test_every_command_that_writes_is_tried_here(told):
    tried = {
        " ".join(word for word in one.words[:2] if not word.startswith(("-", "/")))
        for one in commands(told).values()
    }
    assert {name.replace("reproduce pan18", "reproduce") for name in tried} == {
        *writing_commands(typer.main.get_command(app))
    }


@pytest.mark.parametrize("command", NAMES, indirect=True)
class TestEveryCommand:
    def test_foreign_files_are_not_touched(self, command, run, tmp_path):
        place = tmp_path / command.name
        if command.is_folder:
            (place / "deep").mkdir(parents=True)
            # Names that results have, too.
            for name in ("thesis.txt", "deep/notes.md", "draft-masked.txt", "shard-00001"):
                (place / name).write_text("precious")
        else:
            place.write_text("precious")
        before = content(tmp_path)
        status, err = run(command.at(place, "--overwrite")) if not command.never else run(command.at(place))
        assert (status, err[:15]) == (2, "stemmata: E107 ")
        assert "choose another place" in err
        assert content(tmp_path) == before

    def test_what_another_command_wrote_is_not_touched(self, command, run, told, tmp_path):
        place = tmp_path / command.name
        if command.is_folder:
            name = "answers" if command.words[0] == "detect" else "run"
            shutil.copytree(told[name], place)
            if command.words[0] == "mask" and command.words[1].endswith(".txt"):
                shutil.copy(told["draft"], place / "draft-masked.txt")
        else:
            OutputFile.claim(tmp_path / "page.html", Making("another page")).write_text("<html></html>")
            shutil.move(tmp_path / "page.html", place)
        before = content(tmp_path)
        status, err = run(command.at(place))
        assert (status, err[:15]) == (2, "stemmata: E107 ")
        assert content(tmp_path) == before

    def test_a_file_is_no_folder_and_a_folder_no_file(self, command, run, tmp_path):
        place = tmp_path / command.name
        place.write_text("precious") if command.is_folder else place.mkdir()
        before = content(tmp_path)
        status, err = run(command.at(place))
        assert (status, err[:15]) == (2, "stemmata: E107 ")
        assert content(tmp_path) == before

    def test_a_finished_result_is_replaced_only_if_that_is_wanted(self, command, run, tmp_path):
        if command.words[0] == "reproduce":
            pytest.skip("needs the figures of the paper; the place is tried before they are read")
        place = tmp_path / command.name
        status, err = run(command.at(place))
        assert status in command.statuses, err
        before = content(tmp_path)
        assert not [name for name in before if name.startswith(".")]
        if command.never:
            status, err = run(command.at(place, *command.other))
            assert (status, err[:15]) == (2, "stemmata: E107 ")
            assert content(tmp_path) == before
            assert run(command.at(place))[0] == (0 if command.resumes else 2)
            return
        status, err = run(command.at(place))
        assert status in command.statuses, err
        assert content(tmp_path).keys() == before.keys()
        before = content(tmp_path)
        status, err = run(command.at(place, *command.other))
        assert (status, err[:15]) == (2, "stemmata: E107 "), err
        assert "--overwrite replaces it" in err
        assert content(tmp_path) == before
        status, err = run(command.at(place, *command.other, "--overwrite"))
        assert status in command.statuses, err
        assert content(tmp_path) != before

    def test_files_put_into_a_result_are_not_touched(self, command, run, tmp_path):
        if command.words[0] == "reproduce":
            pytest.skip("needs the figures of the paper; the place is tried before they are read")
        place = tmp_path / command.name
        run(command.at(place))
        mine = (place if command.is_folder else tmp_path) / "thesis.txt"
        mine.write_text("precious")
        (tmp_path / ".hidden").write_text("precious")
        for more in ((), command.other, *([] if command.never else [(*command.other, "--overwrite")])):
            run(command.at(place, *more))
            assert mine.read_text() == "precious"
        assert (tmp_path / ".hidden").read_text() == "precious"


# --- The mechanism ---------------------------------------------------------------------------------------


def test_a_name_that_ends_in_another_form_is_refused(run, told, tmp_path):
    for ending in ("docx", "xml", "HTML.txt"):
        status, err = run(["check", told["essays"], "--among", "-o", tmp_path / f"report.{ending}"])
        assert (status, err[:15]) == (2, "stemmata: E107 ")
        assert ".html or .pdf or .json" in err
    status, err = run(["report", "alignment", told["corpus"], told["run"], "-f", "html", "-o", "x.pdf"])
    assert (status, "must end in .html" in err) == (2, True)


def test_what_was_given_is_never_where_results_go(run, told, tmp_path):
    page = tmp_path / "page.html"
    shutil.copy(told["library"] / "tides.html", page)
    before = content(tmp_path)
    assert run(["check", page, "--against", told["library"], "-o", page])[0] == 2
    assert run(["retrieve", told["index"], tmp_path, "-o", tmp_path])[0] == 2
    assert content(tmp_path) == before


def test_two_programs_do_not_write_to_one_place_at_once(tmp_path):
    first, second = (OutputFolder.claim(tmp_path / "out", Making("thing")) for _ in range(2))
    with first.unfinished(), pytest.raises(StemmataError, match="E108"), second.unfinished():
        pass
    with second.unfinished() as keep:
        assert keep.is_dir()
    assert content(tmp_path) == {}


def test_a_page_that_somebody_has_added_to_is_not_replaced(tmp_path):
    page = OutputFile.claim(tmp_path / "page.html", Making("thing"))
    page.write_text("<html>")
    OutputFile.claim(page.path, Making("thing"))
    with page.path.open("a") as stream:
        stream.write("my notes")
    with pytest.raises(StemmataError, match=r"E107.*did not write"):
        OutputFile.claim(page.path, Making("thing", {"more": 1}), overwrite=True)


@pytest.mark.parametrize("made", [OutputFolder, OutputFile])
def test_a_folder_named_as_that_of_unfinished_work_is_not_touched(made, tmp_path):
    theirs = tmp_path / ".out.unfinished"
    theirs.mkdir()
    (theirs / "thesis.txt").write_text("precious")
    with pytest.raises(StemmataError, match=r"E107.*no command made"), claim(made, tmp_path).unfinished():
        pass
    theirs.rename(tmp_path / "theirs")
    theirs.symlink_to("theirs")
    with pytest.raises(StemmataError, match="E107"), claim(made, tmp_path).unfinished():
        pass
    assert content(tmp_path / "theirs") == {"thesis.txt": b"precious"}


def claim(made, folder):
    return made.claim(folder / "out", Making("thing"))


def test_only_names_that_the_program_makes_are_taken_for_its_abandoned_folders(tmp_path):
    theirs = [tmp_path / name for name in (".out.of-mine.stemmata", ".out.more.abcdefgh.stemmata")]
    for folder in theirs:
        folder.mkdir()
        os.utime(folder, (0, 0))
    claim(OutputFolder, tmp_path)
    assert all(folder.is_dir() for folder in theirs)


def test_what_a_killed_program_left_is_cleared_away_by_the_next(tmp_path):
    room = tmp_path / ".out.abcd1234.stemmata"
    (room / "new").mkdir(parents=True)
    os.utime(room, (time.time() - 10,) * 2)
    (tmp_path / ".out.notes.stemmata").write_text("a file is nobody's room")
    OutputFolder.claim(tmp_path / "out", Making("thing"))
    assert list(content(tmp_path)) == [".out.notes.stemmata"]


def test_a_record_gives_no_right_to_what_lies_elsewhere(tmp_path):
    (tmp_path / "thesis.txt").write_text("precious")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "link").symlink_to(tmp_path)
    record = Making("thing").record | {
        "files": ["../thesis.txt", "link/thesis.txt", f"{tmp_path}/thesis.txt"]
    }
    (tmp_path / "out" / "run.json").write_text(json.dumps(record))
    with OutputFolder.claim(tmp_path / "out", Making("thing", {"seed": 1}), True, files=["a"]).growing():
        pass
    assert (tmp_path / "thesis.txt").read_text() == "precious"


def test_a_masked_text_that_was_changed_by_hand_is_kept(run, told, tmp_path):
    shutil.copy(told["draft"], tmp_path / "draft.txt")
    mask = ["mask", tmp_path / "draft.txt", "--with", "loud", "--jobs", "1"]
    assert run(mask)[0] in (0, 1)
    masked = tmp_path / "draft-masked.txt"
    masked.write_text(masked.read_text() + "A line of mine.")
    status, err = run([*mask, "--overwrite"])
    assert (status, err[:15]) == (2, "stemmata: E107 ")
    assert masked.read_text().endswith("A line of mine.")


# --- Sequences of commands -------------------------------------------------------------------------------

SPOTS = ("a", "b", "a.html", "b.html", "c.json", "run.trec")
QUICK = (
    *("detect", "retrieve", "retrieve --trec", "check", "check as json", "check of several", "mask"),
    *("verify", "report alignment", "mask of a text", "batch pairs"),
)


def test_no_sequence_of_commands_in_one_folder_loses_anything(told, tmp_path_factory, capsys):
    all_commands = commands(told)

    class Folder(RuleBasedStateMachine):
        """A folder in which people put files and give commands; who wrote each file is known."""

        @initialize()
        def begin(self):
            self.folder = tmp_path_factory.mktemp("sequence")
            self.owners: dict[str, str] = {}

        @rule(spot=st.sampled_from(SPOTS), inside=st.sampled_from(["", "thesis.txt", "run.xml", "d/e.html"]))
        def somebody_puts_a_file(self, spot, inside):
            path = self.folder / spot / inside
            above = [one for one in path.parents if one.is_relative_to(self.folder)]
            if path.exists() or any(one.is_file() for one in above):
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("precious")
            self.owners[path.relative_to(self.folder).as_posix()] = "somebody"

        @rule(
            name=st.sampled_from(QUICK), spot=st.sampled_from(SPOTS), other=st.booleans(), over=st.booleans()
        )
        def a_command_writes(self, name, spot, other, over):
            one = all_commands[name]
            before = content(self.folder)
            more = [*(one.other if other else ()), *(["--overwrite"] if over else [])]
            assert status_of(one.at(self.folder / spot, *more)) in (0, 1, 2)
            after = content(self.folder)
            kind = " ".join(one.words[:1])
            for path, data in before.items():
                if self.owners.get(path) not in (None, kind):
                    assert after.get(path) == data, f"{name} has changed {path}"
            for path in after.keys() - before.keys():
                if (self.folder / path).is_file():
                    self.owners[path] = kind

        def teardown(self):
            capsys.readouterr()

    Folder.TestCase.settings = settings(max_examples=12, stateful_step_count=12, deadline=None)
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(Folder, settings=Folder.TestCase.settings)
