"""`stemmata mask` on one text: what else was given is compared, left out, or refused; never harmed."""

import io
import json
import shlex
from math import nan
from pathlib import Path

import pytest

from hiding import MINE, YOURS, Plain, Share, Shouting, only, share_of
from stemmata.authorship import verifiers
from stemmata.cli import status_of
from stemmata.experiments import grading, recognition
from stemmata.experiments.grading import Grades
from stemmata.experiments.masking_problems import MaskingSet, Writings
from stemmata.experiments.recognition import recognise
from stemmata.masking import obfuscators
from stemmata.model import Document
from stemmata.model.wording import counted

TEXT = " ".join(MINE[:3])


class Constant:
    """Says the same of all texts, as some do who have a single sample."""

    said = 1.0

    def score(self, problems):
        return [self.said for _ in problems]


class Never(Constant):
    """Says no of all texts."""

    said = 0.0


class Undecided(Constant):
    """Has no answer, but for texts back to front."""

    def score(self, problems):
        return [0.1 if one.unknown.text.endswith("I") else 0.5 for one in problems]


class Sure:
    """Says yes of what shares some words with the samples, as those do whose votes are all for the author."""

    def score(self, problems):
        return [1.0 if share_of(one) > 0.1 else 0.2 for one in problems]


@pytest.fixture(autouse=True)
def _own(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    asked = {"constant": Constant, "never": Never, "undecided": Undecided, "share": Share, "sure": Sure}
    for registry, made in ((obfuscators, {"loud": Shouting, "plain": Plain}), (verifiers, asked)):
        only(monkeypatch, registry, made)
    monkeypatch.setattr(grading, "grade_all", lambda *_, **__: [Grades(nan, nan)])
    monkeypatch.setattr(recognition, "ALONE", tuple(asked))
    monkeypatch.setattr(recognition, "AMONG", tuple(asked))


@pytest.fixture
def run(capsys):
    def call(*arguments, name="loud"):
        status = status_of(["mask", "--with", name, "--jobs", "1", *map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def data(run):
    def call(*arguments, status=0, name="loud"):
        got, out, err = run(*arguments, "-f", "json", name=name)
        assert (got, err) == (status, "")
        return json.loads(out)

    return call


def put(*files, folder="let"):
    """Write texts of different words into a folder."""
    for number, file in enumerate(files):
        path = Path(folder) / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{MINE[3 + number % 3]} Number {number}.")
    return Path(folder)


@pytest.fixture
def essay():
    Path("let").mkdir()
    file = Path("let/essay.txt")
    file.write_text(TEXT)
    return file


# --- Who recognises it ---------------------------------------------------------------------------------


def document(*lines):
    return Document("t", " ".join(lines))


def unsafe(found):
    return tuple(one.verifier for one in found.unsafe)


def said(found):
    return {one.verifier: (one.was, one.is_still) for one in found.verifiers}


class TestSilence:
    """A verifier is silent only if nothing tells that its score means something."""

    def test_one_that_is_not_fooled_recognises_the_text(self):
        found = recognise([document(TEXT, MINE[3])], document(TEXT), f"{MINE[0]} {TEXT.upper()}")
        assert said(found) == {"share": (True, False), "sure": (True, True)}
        assert unsafe(found) == ("constant", "never", "undecided")
        assert not found.failed

    def test_an_unchanged_text_is_as_recognisable_as_before(self):
        found = recognise([document(TEXT, MINE[3])], document(TEXT), TEXT)
        assert said(found) == {"share": (True, True), "sure": (True, True)}

    def test_one_that_never_recognises_says_so(self):
        found = recognise([document(*YOURS[:3], "and", "the")], document(TEXT), TEXT)
        assert said(found) == {"share": (False, False), "sure": (True, True)}

    def test_among_several_samples(self):
        own = [document(TEXT, one) for one in MINE[3:]]
        assert said(recognise(own, document(TEXT), TEXT)) == {"share": (True, True), "sure": (True, True)}
        found = recognise(own, document(TEXT), TEXT.upper())
        assert said(found) == {"share": (True, False), "sure": (True, False)}

    def test_too_few_others_do_not_silence(self):
        found = recognise([document(TEXT, MINE[3])], document(TEXT), TEXT, [document(TEXT, YOURS[0])])
        assert said(found)["sure"] == (True, True)
        assert "constant" in unsafe(found)

    def test_one_that_says_yes_of_all_others_too_is_silent(self):
        others = [document("I went down to the quay.", one) for one in YOURS]
        found = recognise([document(TEXT, MINE[3])], document(TEXT), TEXT, others)
        assert said(found) == {"share": (True, True)}
        assert unsafe(found) == ("constant", "never", "sure", "undecided")

    def test_nothing_left_is_nobody_s(self):
        found = recognise([document(TEXT)], document(TEXT), "  ")
        assert said(found) == {"share": (True, False), "sure": (True, False)}


def test_those_that_are_not_fooled_are_counted_and_shown(data, essay):
    sample = put("sample.txt", folder="own") / "sample.txt"
    sample.write_text(f"{TEXT} And more.")
    found = data(essay, "--samples", sample, name="plain")
    assert (found["recognised"]["before"], found["recognised"]["after"]) == (2, 2)
    assert set(found["recognised"]["verifiers"]) == {"share", "sure"}
    page = Path(found["page"]).read_text()
    assert page.count("still recognised") == 2
    assert "Not measured" not in page


def test_that_no_verifier_can_tell_is_said_as_it_is(run, essay, monkeypatch):
    monkeypatch.setattr(recognition, "ALONE", ("constant",))
    _, out, _ = run(essay, "--samples", put("a.txt", folder="own"))
    assert "not measured: no verifier gave an answer that means anything" in out
    assert "not safe to judge by constant: it gives any text here the same score" in out


# --- What is taken from folders ------------------------------------------------------------------------


@pytest.mark.parametrize("out", [(), ("-o", "let/out"), ("-o", "elsewhere")], ids=["beside", "below", "away"])
def test_the_same_command_twice_gives_the_same(data, essay, out):
    folder = put("a.txt", "b.txt")
    (folder / "link.txt").symlink_to(Path(out[1] if out else "let").resolve() / "essay-masked.txt")
    first = data(essay, "--samples", folder, *out)
    page = Path(first["page"]).read_text()
    assert (first["samples"], first["others"]) == (2, 0)
    assert data(essay, "--samples", folder, *out) == first
    assert Path(first["page"]).read_text() == page
    assert data(essay, "--samples", folder, "-o", "third")["samples"] == 2
    others = data(essay, "--others", folder, *out)
    assert (others["samples"], others["others"]) == (0, 2)
    assert data(essay, "--others", folder, *out) == others


def test_what_was_made_of_another_text_is_no_sample_and_that_is_noted(data, essay):
    folder = put("a.txt", "b.txt", "a-masked.txt", "a-masked.report.html", "the-masked.txt")
    found = data(essay, "--samples", folder)
    assert found["samples"] == 3
    [note] = [one for one in found["notes"] if "left out" in one]
    assert note == (
        "left out of --samples, being masked texts, or pages about them: a-masked.report.html, a-masked.txt"
    )
    assert data(essay, "--samples", folder / "a-masked.txt")["samples"] == 1


def test_of_a_folder_what_can_be_read_is(data, essay, run):
    folder = put("a.txt", "b.txt")
    (folder / "bad.txt").write_bytes(b"a\0b")
    (folder / "bad.docx").write_text("no such thing")
    found = data(essay, "--samples", folder)
    assert found["samples"] == 2
    assert [one[:28] for one in found["notes"] if "left out" in one] == [
        "left out of --samples: E750 ",
        "left out of --samples: E824 ",
    ]
    for given in ([folder / "bad.txt"], [folder, "--samples", folder / "bad.txt"]):
        status, _, err = run(essay, "--samples", *given, "-o", "none")
        assert (status, err[:14]) == (2, "stemmata: E824")
        assert "it holds null bytes, so it is no text (convert the file to text in UTF-8)" in err
    assert not Path("none").exists()


def test_a_folder_without_texts_is_named(data, essay):
    Path("bare").mkdir()
    put("blank.txt", folder="blank")
    Path("blank/blank.txt").write_text(" \n")
    found = data(essay, "--samples", "bare", "--others", "blank")
    assert "no text for --samples in bare" in found["notes"]
    assert "left out of --others, being empty: blank.txt" in found["notes"]


def test_a_text_counts_once(data, essay):
    put("a.txt", "b.txt", "deep/a.txt", folder="theirs")
    Path("theirs/c.txt").write_text(Path("theirs/a.txt").read_text().replace(" ", "\n") + "\n")
    Path("theirs/d.txt").write_text(TEXT + "\n")
    Path("theirs/deep/a.txt").write_text("This is mine, and that is yours.")
    Path("mine.txt").write_text("This is mine, and that\nis yours.")
    found = data(essay, "--samples", "mine.txt", "--samples", "./mine.txt", "--others", "theirs")
    assert (found["samples"], found["others"]) == (1, 2)
    assert [one for one in found["notes"] if "left out" in one] == [
        "left out of --samples, being the same as a text that counts already: mine.txt",
        "left out of --others, being the same as a text that counts already: c.txt, d.txt, deep/a.txt",
    ]


def test_long_lists_of_names_are_cut(tmp_path):
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number:02}.txt").write_bytes(b"\0")
    found = Writings.read([folder], "--others", tmp_path / "t.txt")
    assert len(found.notes) == 11
    assert found.notes[-1] == "left out of --others: 2 more files that cannot be read"


# --- What is never overwritten -------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--samples", "--others"])
@pytest.mark.parametrize("content", [MINE[5], TEXT, "", "\0"], ids=["other", "same", "empty", "binary"])
def test_a_text_that_is_named_is_never_overwritten(run, essay, option, content):
    given = essay.with_name("essay-masked.txt")
    given.write_text(content)
    Path("link.txt").symlink_to(given.resolve())
    for name in (given, "link.txt"):
        status, _, err = run(essay, option, name)
        assert (status, err[:14]) == (2, "stemmata: E878")
        assert given.read_text() == content


def test_nothing_is_masked_that_could_not_be_written(run, essay, monkeypatch):
    monkeypatch.setattr(Shouting, "rewrite", None)
    put("p1/original.txt", folder="problems")
    Path("file").write_text("")
    Path("taken/essay-masked.txt").mkdir(parents=True)
    for given, out in ((essay, "file"), (essay, "file/deep"), (essay, "taken"), ("problems", "file")):
        status, printed, err = run(given, "-o", out)
        assert (status, printed, err[:14]) == (2, "", "stemmata: E107")


# --- What is said --------------------------------------------------------------------------------------


def test_the_command_on_the_page_does_the_same_again(data, run, monkeypatch):
    monkeypatch.setitem(obfuscators._loaded, "loud", Strong)
    Path("-dash it.txt").write_text(TEXT)
    put("a.txt", folder="-own")
    arguments = ["./-dash it.txt", "--samples", "./-own", "--strength", "0.25", "-o", "./-out"]
    found = data(*arguments)
    page = Path(found["page"]).read_text()
    command = page.partition("<span>Reproduce</span><pre><code>")[2].partition("</code>")[0]
    words = shlex.split(command.replace("&#39;", "'"))
    assert words[:2] == ["stemmata", "mask"]
    Path(found["masked"]).unlink()
    assert status_of(words[1:]) == 0
    assert Path(found["masked"]).read_text().startswith("I WENT")
    assert Path(found["page"]).read_text() == page


class Strong(Shouting):
    """Has a strength."""

    def __init__(self, strength=0.5):
        super().__init__()
        object.__setattr__(self, "strength", strength)


@pytest.mark.parametrize(
    ("graded", "why"),
    [
        ([Grades(nan, nan)], "only what is recognised as English is graded"),
        ("E502 grading needs a package", "E502 grading needs a package"),
    ],
    ids=["language", "extra"],
)
def test_why_there_are_no_grades_is_said(data, essay, monkeypatch, graded, why):
    monkeypatch.setattr(grading, "grade_all", lambda *_, **__: graded)
    found = data(essay)
    assert f"not graded: {why}" in found["notes"]
    page = Path(found["page"]).read_text()
    assert f"was not predicted: {why}." in page
    assert "not installed" not in page


def test_one_of_something_is_no_plural(run, essay):
    essay.write_text("Went")
    assert run(essay, "--samples", put("a.txt", folder="own"), name="plain")[1].startswith(
        "1 word masked by plain"
    )
    assert "<dt>word</dt><dd>1</dd>" in essay.with_name("essay-masked.report.html").read_text()
    assert counted(0, "word") == "0 words"


def test_empty_lines_of_json_are_named_as_well():
    rows = [{"id": "a", "pair": [MINE[0], ""]}, {"id": "b", "pair": [MINE[0], MINE[1]]}]
    Path("pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert MaskingSet.read("pairs.jsonl").notes == ("1 text empty, and left so: a",)


# --- What is refused, and what is read from standard input -----------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Das ist ein deutscher Text, und er ist nicht lang, aber er ist ganz klar auf Deutsch.",
        "Ветер дул с моря весь день. Было холодно, и никто не вышел из дома в этот вечер.",
    ],
    ids=["German", "Russian"],
)
def test_a_text_in_another_language_is_refused_and_nothing_written(run, essay, text):
    essay.write_text(text)
    status, out, err = run(essay)
    assert (status, out, err[:14]) == (2, "", "stemmata: E896")
    assert "loud knows English only" in err
    assert [one.name for one in essay.parent.iterdir()] == ["essay.txt"]


def test_a_text_too_long_to_be_masked_is_refused_at_once(run, essay, monkeypatch, data):
    monkeypatch.setattr("stemmata.experiments.masking_problems.MOST_CHARACTERS", 50)
    status, out, err = run(essay)
    assert (status, out, err[:14]) == (2, "", "stemmata: E895")
    for problem, content in (("long", TEXT), ("short", "It was so, and we left.")):
        Path("problems", problem).mkdir(parents=True)
        Path("problems", problem, "original.txt").write_text(content)
    assert list(data("problems", status=1)["failed"]) == ["long"]
    assert Path("masked/short/obfuscation.json").exists()
    Path("p.jsonl").write_text(json.dumps({"id": "x", "pair": [MINE[0], TEXT]}))
    assert list(data("p.jsonl", "-o", "lines", status=1)["failed"]) == ["x"]


def test_one_text_is_read_from_standard_input(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert run("-", "-o", "out")[0] == 0
    assert Path("out/stdin-masked.txt").read_text().startswith("I WENT DOWN")
    assert "stemmata mask - --with loud" in Path("out/stdin-masked.report.html").read_text()


def test_an_empty_standard_input_is_an_empty_text(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b" ")))
    assert run("-")[2].startswith("stemmata: E879 stdin.txt")


# --- What the writer should know -------------------------------------------------------------------------


def test_grades_are_in_words_as_score_quality_has_them(run, data, essay, monkeypatch):
    monkeypatch.setattr(grading, "grade_all", lambda *_, **__: [Grades(4.34, 1.44)])
    found = data(essay)
    assert (found["soundness_word"], found["school_grade"]) == ("incorrect", "3-4")
    assert "soundness 4.34 of 5 (incorrect)" in run(essay)[1]
    assert "(does it say the same? incorrect)" in Path(found["page"]).read_text()


def test_phrases_names_dates_and_places_are_listed(data, essay, run):
    essay.write_text(f"{MINE[0]} On 3 May 2019 Anna was there. Now or not is as it is to us all, we say.")
    sample = put("a.txt", folder="own") / "a.txt"
    sample.write_text("He left. Now or not is as it is to us, so go.")
    found = data(essay, "--samples", sample, name="plain")
    assert found["shared_phrases"] == ["Now or not is as it is to us"]
    assert found["named"] == {"names": ["Anna"], "dates": ["3 May 2019"], "places": []}
    out = run(essay, "--samples", sample, name="plain")[1]
    assert "phrases it shares with the samples, by rule: “Now or not is as it is to us”" in out
    assert "names, dates and places in it, by rule: Anna, 3 May 2019" in out
    assert "or not is as it is to us" in Path(found["page"]).read_text()


def test_the_page_names_no_folder_and_shows_the_texts_before_the_kinds_of_edits(data, essay):
    sample = (put("a.txt", folder="secret-own") / "a.txt").resolve()
    bare = Path("secret-bare").resolve()
    bare.mkdir()
    found = data(essay.resolve(), "--samples", sample, "--others", bare, "-o", Path("out").resolve())
    page = Path(found["page"]).read_text()
    assert str(Path.cwd()) not in page
    assert "secret-own" not in page
    assert "stemmata mask essay.txt --with loud --samples a.txt --others secret-bare -o out" in page
    assert page.index("Side by side") < page.index("<b>Edits</b> by kind")
    assert "How well is it hidden?" in page
    assert "Who hid it?" not in page


def test_that_page_and_cache_hold_the_original_is_said(run, data, essay):
    assert "the page holds the original text, and so does the cache" in run(essay)[1]
    assert "This page holds the original text, and so does the program’s cache" in page_of(data(essay))
    assert "the page holds the original text\n" in run(essay, "--no-cache")[1]
    assert "This page holds the original text. Keep it" in page_of(data(essay, "--no-cache"))


def page_of(found):
    return Path(found["page"]).read_text()
