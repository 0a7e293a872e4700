"""``verify --explain``: a page that says why, for a problem that is there."""

from pathlib import Path

from stemmata.cli import status_of

STYLES = ("It was so; indeed, {} was there - and {} too. ", "Why {}? Who knows {}! ")
WORDS = ("river", "mill", "bridge", "winter", "letter", "soldier", "market")


def write_problems(folder: Path, count: int = 6) -> None:
    for number in range(count):
        for side, style in (("known01", number % 2), ("unknown", number // 2 % 2)):
            shift = number + (side == "unknown")
            text = "".join(
                STYLES[style].format(WORDS[(i * shift) % 7], WORDS[(i + shift) % 7]) for i in range(40)
            )
            (folder / f"P{number}").mkdir(parents=True, exist_ok=True)
            (folder / f"P{number}" / f"{side}.txt").write_text(text, encoding="utf-8")


def test_an_answer_is_explained_on_a_page_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("STEMMATA_CACHE", str(tmp_path / "cache"))
    write_problems(tmp_path / "problems")
    command = ["verify", str(tmp_path / "problems"), "--with", "stemmata", "--explain", "P1", "-j", "1"]
    assert status_of([*command, "-o", str(tmp_path / "answers")]) == 0
    page = (tmp_path / "answers" / "explanation.html").read_text("utf-8")
    assert "P1" in page
    assert "river" in page


def test_a_problem_that_is_not_there_cannot_be_explained(tmp_path, capsys):
    write_problems(tmp_path / "problems", 2)
    out = tmp_path / "answers"
    command = ["verify", str(tmp_path / "problems"), "--with", "stemmata", "--explain", "P9", "-o", str(out)]
    assert status_of(command) == 2
    assert "E829" in capsys.readouterr().err
    assert not out.exists()
