"""`stemmata corpus` builds, describes, validates and compares; `reproduce coling10` puts it together."""

import json
import re
import shutil
from pathlib import Path

import pytest

from built_corpora import PLAN, build_small, write_base
from stemmata.cli import status_of
from stemmata.corpora.building.plan import read_plan
from stemmata.experiments import coling10

DOCUMENTATION = Path(__file__).parents[1] / "docs" / "corpora.md"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a base, a plan, and two corpora built from it."""
    folder = tmp_path_factory.mktemp("room")
    write_base(folder / "base")
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
    build_small(folder, "one")
    build_small(folder, "two", layout="pan13", intrinsic=0.0)
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = status_of(["corpus", *map(str, arguments)])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_build_says_what_it_made_and_where(room: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "corpus"
    status, said, _ = run(capsys, "build", room / "plan.toml", "-o", out, "--jobs", 2, "-f", "json")
    assert status == 0
    data = json.loads(said)
    assert (data["folder"], data["sources"], data["suspicious"]) == (str(out), 16, 16)
    page = (out / "README.md").read_text("utf-8")
    assert [line for line in page.splitlines() if " in place of " in line] == [
        f"- {one}" for one in data["unmet"]
    ]
    # The same plan gives the same bytes.
    assert {path.relative_to(out) for path in out.rglob("*.txt")} == {
        path.relative_to(room / "one") for path in (room / "one").rglob("*.txt")
    }
    assert (out / "plan.json").read_bytes() == (room / "one" / "plan.json").read_bytes()


def test_build_says_what_of_the_plan_was_not_met(room: Path, tmp_path: Path, capsys) -> None:
    plan = room / "narrow.toml"
    # All documents are of one topic, so no case can be across topics.
    changed = PLAN.replace("documents = 32", "documents = 100").replace("clusters = 3", "clusters = 1")
    changed = changed.replace("[3, 8]", "[3, 4]").replace("[8, 20]", "[4, 6]")
    purpose = "purpose = { source = 0.2, plagiarised = 0.7, clean = 0.1 }\n"
    plan.write_text(purpose + changed, encoding="utf-8")
    status, said, _ = run(capsys, "build", plan, "-o", tmp_path / "corpus")
    assert status == 0
    assert "Not met: topic" in said


@pytest.mark.parametrize(
    ("text", "code"), [("documents = 8", "E723"), ("base = [", "E723"), ('base = "nowhere"', "E101")]
)
def test_a_bad_plan_is_one_line(tmp_path: Path, capsys, text: str, code: str) -> None:
    (tmp_path / "plan.toml").write_text(text)
    status, _, error = run(capsys, "build", tmp_path / "plan.toml", "-o", tmp_path / "corpus")
    assert status == 2
    assert error.startswith(f"stemmata: {code} ")
    assert not (tmp_path / "corpus").exists()


def test_describe_prints_table_5_beside_the_plan(room: Path, capsys) -> None:
    status, said, _ = run(capsys, "describe", room / "one")
    assert status == 0
    assert re.search(r"Document purpose +source +16 +50\.0 +50\.0 +0\.0", said)
    assert "the plan of small" in said
    _, said, _ = run(capsys, "describe", room / "two", "--against", "pan-pc-10")
    assert re.search(r"Obfuscation +translated +0 +0\.0 +14\.0 +-14\.0", said)


def test_describe_has_json_and_csv(room: Path, capsys) -> None:
    _, said, _ = run(capsys, "describe", room / "two", "--format", "json")
    data = json.loads(said)
    assert (data["documents"], data["cases"]) == (32, 23)
    assert data["pairs"] > 0
    assert set(data["shares"]["obfuscation"]) == {"none", "high"}
    _, said, _ = run(capsys, "describe", room / "two", "--format", "csv")
    assert said.splitlines()[0] == "table_5,class,count,share_percent,planned_percent,difference_points"


def test_validate_is_silent_about_sound_corpora(room: Path, capsys) -> None:
    for name in ("one", "two"):
        status, said, _ = run(capsys, "validate", room / name)
        assert status == 0
        assert "0 findings, 0 warnings" in said


def test_validate_ends_with_1_if_something_was_found(room: Path, tmp_path: Path, capsys) -> None:
    folder = Path(shutil.copytree(room / "one", tmp_path / "broken"))
    next(folder.rglob("source-document*.txt")).write_bytes(b"\xff")
    status, said, _ = run(capsys, "validate", folder, "--format", "json")
    data = json.loads(said)
    assert status == 1
    assert "E105" in data["counts"]
    assert set(data["findings"][0]) == {"code", "place", "message", "remedy"}


def test_warnings_count_only_if_strict(room: Path, tmp_path: Path, capsys) -> None:
    folder = Path(shutil.copytree(room / "one", tmp_path / "marked"))
    path = next(folder.rglob("intrinsic*/**/suspicious-document*.xml")).with_suffix(".txt")
    path.write_text(path.read_text("utf-8") + "\x07", encoding="utf-8")
    assert run(capsys, "validate", folder)[0] == 0
    assert run(capsys, "validate", folder, "--strict")[0] == 1


def test_validate_finds_leaks_against_another_corpus(room: Path, capsys) -> None:
    status, said, _ = run(capsys, "validate", room / "one", "--against", room / "two", "--show", 1)
    assert status == 1
    assert "E734" in said
    assert "more; --show 0 shows all" in said


def test_compare_writes_a_page_and_a_figure(room: Path, tmp_path: Path, capsys) -> None:
    page = tmp_path / "out" / "compared.html"
    status, said, error = run(capsys, "compare", room / "one", room / "two", "-o", page, "--sample", 8)
    assert status == 0
    assert re.search(r"one +none +\d+ +1\.000", said)
    assert str(page.with_suffix(".svg")) in error
    text = page.read_text("utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r"(?:src|href)=\"https?:", text)
    assert text.count("data:image/svg+xml;base64,") == 2
    assert page.with_suffix(".svg").read_text("utf-8").startswith("<?xml")
    before = page.read_bytes()
    run(capsys, "compare", room / "one", room / "two", "-o", page, "--sample", 8)
    assert page.read_bytes() == before


def test_compare_has_boxes_as_json_and_csv(room: Path, capsys) -> None:
    _, said, _ = run(capsys, "compare", room / "one", "--by", "corpus", "-f", "json")
    (group,) = json.loads(said)["groups"]
    assert (group["corpus"], group["kind"], group["n"]) == ("one", "", list(range(1, 11)))
    assert group["lower_quartile"][0] <= group["median"][0] <= group["upper_quartile"][0]
    _, said, _ = run(capsys, "compare", room / "one", "-f", "csv")
    assert len(said.splitlines()) == 1 + 2 * 10


def test_what_is_no_corpus_is_one_line(tmp_path: Path, capsys) -> None:
    for command in ("describe", "validate", "compare"):
        status, _, error = run(capsys, command, tmp_path)
        assert status == 2
        assert error.startswith("stemmata: E727 ")


def test_coling10_is_reproduced_from_a_folder_of_corpora(room: Path, tmp_path: Path, capsys) -> None:
    data = tmp_path / "data"
    shutil.copytree(room / "one", data / "ours")
    shutil.copytree(room / "base", data / "texts")
    out = tmp_path / "out"
    status = status_of(
        ["reproduce", "coling10", "--data", str(data), "-o", str(out), "--seeds", "2", "-f", "json"]
    )
    said = json.loads(capsys.readouterr().out)
    # A corpus of another plan misses the shares of the paper, but its figure has the right shape.
    assert status == 1
    assert [row["Holds"] for row in said["tables"]["shape"]] == ["yes"] * 3
    assert said["tables"]["corpus"][0]["Share, %, paper"] == 50
    assert (out / "figures" / "figure-1.svg").is_file()
    assert "shares and shapes" not in (out / "report.html").read_text("utf-8")


def test_coling10_needs_something_to_compare(tmp_path: Path, capsys) -> None:
    (tmp_path / "empty").mkdir()
    status = status_of(
        ["reproduce", "coling10", "--data", str(tmp_path / "empty"), "-o", str(tmp_path / "out")]
    )
    assert status == 2
    assert "E740" in capsys.readouterr().err


def test_what_is_not_at_hand_has_a_stand_in_that_is_told(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(coling10, "_works", lambda one: one.strategy != "translation")
    plan, remarks = coling10.small_plan(tmp_path)
    assert {one.name: one.strategy for one in plan.obfuscation}["translated"] == "word-variation"
    assert remarks == ("Cases called translated were made by word-variation; translation is not at hand.",)


@pytest.mark.skipif(not DOCUMENTATION.exists(), reason="docs/corpora.md is not in this distribution")
def test_the_plans_of_the_documentation_run(tmp_path: Path, capsys) -> None:
    plan, russian = re.findall(r"```toml\n(.*?)```", DOCUMENTATION.read_text("utf-8"), re.DOTALL)
    (tmp_path / "plan.toml").write_text(plan, encoding="utf-8")
    write_base(tmp_path / "texts")
    assert run(capsys, "build", tmp_path / "plan.toml", "-o", tmp_path / "corpus")[0] == 0
    status, said, _ = run(capsys, "validate", tmp_path / "corpus", "--strict")
    assert status == 0, said
    # The other one needs articles in Russian.
    (tmp_path / "russian.toml").write_text(russian, encoding="utf-8")
    assert read_plan(tmp_path / "russian.toml").host_sentences == 31
