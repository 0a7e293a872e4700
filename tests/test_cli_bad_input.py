"""Bad input: exit status 2, one clear line on standard error, nothing on standard output."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from documentation import all_commands
from stemmata.cli import status_of
from stemmata.model import StemmataError
from stemmata.reuse.tuning.tune import LIMITS, Plan

CASE = (
    '<feature name="plagiarism" this_offset="0" this_length="10" '
    'source_reference="o.txt" source_offset="0" source_length="10" />'
)
GOOD = CASE.replace("plagiarism", "detected-plagiarism")
BOMB = (
    '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><document reference="s.txt">&c;</document>'
)


def wrapped(feature):
    return f'<document reference="s.txt">{feature}</document>'


@pytest.fixture
def corpus(tmp_path):
    for folder in ("truth", "run", "susp", "src"):
        (tmp_path / folder).mkdir()
    (tmp_path / "truth/s-o.xml").write_text(wrapped(CASE))
    (tmp_path / "run/s-o.xml").write_text(wrapped(GOOD))
    (tmp_path / "susp/s.txt").write_text("suspicious " * 10)
    (tmp_path / "src/o.txt").write_text("source " * 10)
    return tmp_path


def stemmata(*arguments, cwd):
    """Run the installed command as a shell would."""
    command = [Path(sys.executable).with_name("stemmata"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def call(monkeypatch, capsys):
    """Run a command within this process, which spares its start."""

    def run(*arguments, cwd):
        monkeypatch.chdir(cwd)
        return status_of([str(argument) for argument in arguments]), *capsys.readouterr()

    return run


@pytest.fixture
def refused(corpus, call):
    """Score, expect a refusal, return its line; no file may have been made."""

    def run(*options):
        before = sorted(corpus.rglob("*"))
        status, out, err = call("score", "alignment", "truth", "run", *options, cwd=corpus)
        assert status == 2
        assert out == ""
        assert err.count("\n") == 1
        assert "Traceback" not in err
        assert sorted(corpus.rglob("*")) == before
        return err

    return run


def test_good_input_is_scored(corpus):
    status, out, err = stemmata(
        "score", "alignment", "truth", "run", "--susp", "susp", "--src", "src", cwd=corpus
    )
    assert (status, err) == (0, "")
    assert "1 case, 1 detection," in out


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ('<document reference="s.txt"><feature name="detec', "E201", "run/s-o.xml, line 1"),
        (BOMB, "E202", "document type"),
        (wrapped(GOOD.replace('this_offset="0"', 'this_offset="2000000000"')), "E206", "feature 1"),
        (
            wrapped(GOOD.replace('this_offset="0"', 'this_offset="2147483648"')),
            "E206",
            "this_offset=2147483648",
        ),
        (wrapped(GOOD.replace('this_length="10" ', "")), "E203", "this_length is missing"),
        (wrapped(GOOD.replace('this_offset="0" ', "")), "E203", "this_offset is missing"),
        (wrapped(GOOD.replace('this_length="10"', 'this_length="ten"')), "E204", "this_length='ten'"),
        (wrapped(GOOD.replace('source_offset="0"', 'source_offset="0.5"')), "E204", "source_offset='0.5'"),
        (wrapped(GOOD.replace('this_length="10"', 'this_length="-10"')), "E205", "this_length=-10"),
        (wrapped(GOOD.replace('_length="10"', '_length="0"')), "E207", "no characters"),
        (wrapped(GOOD).encode().replace(b"o.txt", b"\xff.txt"), "E105", "byte 115"),
        (wrapped(GOOD).replace("s.txt", "elsewhere.txt"), "E401", "no document in common"),
        (b"", "E201", "no element found"),
        (b"\x00" * 100, "E201", "line 1"),
    ],
)
def test_a_broken_run_is_refused_with_its_place(corpus, refused, content, code, words):
    data = content if isinstance(content, bytes) else content.encode()
    (corpus / "run/s-o.xml").write_bytes(data)
    line = refused()
    assert line.startswith(f"stemmata: {code} ")
    assert words in line


def test_the_same_holds_for_the_truth(corpus, refused):
    (corpus / "truth/s-o.xml").write_text(BOMB)
    assert "E202 truth/s-o.xml" in refused()


def test_offset_beyond_the_document(corpus, refused):
    (corpus / "run/s-o.xml").write_text(wrapped(GOOD.replace('this_offset="0"', 'this_offset="500"')))
    line = refused("--susp", "susp", "--src", "src")
    assert (
        "E208 run/s-o.xml, feature 1: suspicious passage 500+10 reaches beyond the 110 characters of s.txt"
        in line
    )


def test_a_document_that_is_not_utf8(corpus, refused):
    (corpus / "src/o.txt").write_bytes(b"caf\xe9 and more text")
    assert "E105 src/o.txt, line 1: byte 3" in refused("--susp", "susp", "--src", "src")


def test_a_missing_document(corpus, refused):
    (corpus / "src/o.txt").unlink()
    assert "E209" in refused("--susp", "susp", "--src", "src")


def test_only_one_folder_of_documents(corpus, refused):
    assert "E404" in refused("--susp", "susp")


def test_a_folder_without_xml(corpus, refused):
    (corpus / "run/s-o.xml").unlink()
    assert "E103 run" in refused()


def test_an_unreadable_file_in_the_run(corpus, refused):
    (corpus / "run/dangling.xml").symlink_to("nowhere")
    assert "E102 run/dangling.xml" in refused()


def test_a_folder_named_like_a_file(corpus, refused):
    (corpus / "run/folder.xml").mkdir()
    assert "E102 run/folder.xml" in refused()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(corpus, refused):
    (corpus / "run/s-o.xml").chmod(0)
    assert "E102 run/s-o.xml" in refused()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--by", "obfuscaton"), "E402"),
        (("--confidence", "1.5"), "E001"),
        (("--confidence", "1"), "E405"),
        (("--alpha", "0"), "E405"),
        (("--tau", "0"), "E405"),
        (("--compat", "pan99"), "E405"),
        (("--pairs", "missing"), "E101"),
        (("--format", "xml"), "E001"),
        (("--no-such-option",), "E001"),
    ],
)
def test_a_wrong_option(refused, options, code):
    assert refused(*options).startswith(f"stemmata: {code} ")


def test_a_pairs_file_with_three_columns(corpus, refused):
    (corpus / "pairs").write_text("s.txt o.txt\ns.txt o.txt x.txt\n")
    assert "E301 pairs, line 2" in refused("--pairs", "pairs")


def test_a_misspelt_attribute_is_guessed(corpus, refused):
    (corpus / "truth/s-o.xml").write_text(wrapped(CASE.replace(" />", ' obfuscation="none" />')))
    assert "did you mean 'obfuscation'?" in refused("--by", "obfuscaton")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("compare", "truth", "run"), "E403"),
        (("compare", "truth", "run", "run"), "E406"),
        (("compare", "truth", "run", "truth", "--measure", "plagdet"), "E501"),
        (("compare", "truth", "run", "truth", "--measure", "normalized.macro.plagdet"), "E404"),
        (("compare", "truth", "run", "truth", "--measure", "safety.score"), "E405"),
        (("validate", "missing"), "E101"),
        (("validate", "susp"), "E103"),
        (("list", "colours"), "E001"),
        (("scroe",), "E001"),
    ],
)
def test_other_commands_refuse_likewise(corpus, call, arguments, code):
    status, out, err = call(*arguments, cwd=corpus)
    assert (status, out) == (2, "")
    assert err.startswith(f"stemmata: {code} ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["mask", "rank", "list", "score quality"])
def test_a_wrong_option_points_to_the_help_of_its_command(corpus, call, command):
    *_, err = call(*command.split(), "--no-such-option", cwd=corpus)
    assert err.endswith(f"(see: stemmata {command} --help)\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_is_told(corpus):
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "stemmata", "list", "measures"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("stemmata: E107 output: ")


def test_the_installed_command_refuses_with_one_line_too(corpus):
    (corpus / "run/s-o.xml").write_text("<document")
    status, out, err = stemmata("score", "alignment", "truth", "run", cwd=corpus)
    assert (status, out) == (2, "")
    assert err.startswith("stemmata: E201 run/s-o.xml, line 1")
    assert err.count("\n") == 1


def test_a_closed_pipe_is_no_error():
    command = f"{Path(sys.executable).with_name('stemmata')} list measures | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_the_package_runs_as_a_module_with_the_same_status(tmp_path):
    command = [sys.executable, "-m", "stemmata"]
    version = [*command, "--version"]
    told = subprocess.run(version, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert told.stdout.startswith("stemmata ")
    command += ["mask", "missing"]
    bad = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert bad.returncode == 2
    assert "missing" in bad.stderr
    assert "Traceback" not in bad.stderr


NUMBERS = [
    (name, one)
    for name, command in all_commands()
    for one in command.params
    if one.type_descriptor.annotation in (int, float)
]
"""The options of all commands that take a number."""
KINDS = {(one.type_descriptor.annotation, one.min, one.max): (name, one) for name, one in NUMBERS}


def test_every_option_that_takes_a_number_has_both_bounds():
    assert [f"{name} {one.opts[0]}" for name, one in NUMBERS if None in (one.min, one.max)] == []


@pytest.mark.parametrize(("name", "option"), [pytest.param(*one, id=one[1].name) for one in KINDS.values()])
def test_a_number_beyond_its_bounds_is_refused_by_one_short_line(name, option, capsys):
    for value in (option.min - 1, option.max + 1, "nan", "inf", "-inf", "9" * 5000):
        assert status_of([*name.split()[1:], f"{option.opts[0]}={value}"]) == 2
        line = capsys.readouterr().err
        assert line.startswith(f"stemmata: E001 Invalid value for '{option.opts[0]}'")
        assert "it must be" in line
        assert len(line) < 300
        assert line.count("\n") == 1


@pytest.mark.parametrize("name", sorted(LIMITS))
def test_the_plan_of_a_search_has_the_bounds_of_the_command(name):
    option = next(
        one
        for command, found in all_commands()
        for one in found.params
        if command == "stemmata tune" and one.name == name.removeprefix("most_")
    )
    assert (option.min, option.max) == LIMITS[name]
    for value in (LIMITS[name].low - 1, LIMITS[name].high + 1, float("nan"), float("inf"), 10**5000):
        with pytest.raises(StemmataError, match=f"E405 {name}=") as refused:
            Plan(**{name: value})
        assert len(str(refused.value)) < 200
