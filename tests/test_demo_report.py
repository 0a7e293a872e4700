"""The demonstration and its report."""

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.cli import demonstration
from stemmata.cli.demonstration import Demonstration, run_demo
from stemmata.formats import read_detections
from stemmata.model import Case, Detection, Document, Pair, Passage, StemmataError
from stemmata.reports import html
from stemmata.reports.demo import RUNS, SETTINGS, DemoResult
from stemmata.reports.demo_questions import Missing
from stemmata.reports.html import (
    BreakdownCell,
    BreakdownRow,
    Commands,
    ComparisonRow,
    DemoReport,
    Estimate,
    PassageView,
    RunRow,
    write_demo_report,
)
from stemmata.reports.passages import Mark, Pane, Segment, fold, mark_pair

HOSTILE = "<script>alert('x')</script>\"&"


def hostile_report() -> DemoReport:
    unknown = Estimate(0.5)
    pane = Pane(HOSTILE, tuple(Segment(HOSTILE, mark, label=HOSTILE) for mark in Mark))
    return DemoReport(
        suspicious=1,
        sources=1,
        pairs=1,
        cases=1,
        runs=[RunRow(HOSTILE, HOSTILE, 1, Estimate(0.5, 0.4, 1.2), unknown, unknown, unknown, unknown)],
        comparisons=[ComparisonRow(HOSTILE, HOSTILE, -0.1, 0.0001, 0.5)],
        breakdown=[BreakdownRow(HOSTILE, 0, (BreakdownCell(1, 0.5, 0.5, 0.5),))],
        passages=[PassageView(HOSTILE, pane, pane, 0.5)],
        commands=Commands(HOSTILE, HOSTILE, HOSTILE),
        signature=HOSTILE,
        comparison_signature=HOSTILE,
    )


class Tags(HTMLParser):
    """Collects the elements of a page, and checks that what is opened is closed."""

    VOID = frozenset({"meta", "line", "rect", "circle", "path"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def demonstrate(folder: Path) -> Demonstration:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demonstration, "mask_text", lambda _: Missing("not here"))
        return run_demo(folder, seed=7, progress=lambda _: None)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> DemoResult:
    return demonstrate(tmp_path_factory.mktemp("demo")).reuse


def test_hostile_text_is_shown_and_never_run(tmp_path: Path):
    write_demo_report(tmp_path / "report.html", hostile_report())
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    tags = Tags(page)
    assert tags.open == []
    assert not any(name.startswith("on") for _, attributes in tags.seen for name in attributes)


def test_a_chart_never_draws_beyond_its_axis(tmp_path: Path):
    write_demo_report(tmp_path / "report.html", hostile_report())
    assert "120.00%" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_report_needs_nothing_from_elsewhere(result: DemoResult):
    page = result.report.read_text(encoding="utf-8")
    tags = Tags(page)
    assert tags.open == []
    assert {tag for tag, _ in tags.seen} & {"script", "link", "img", "iframe"} == set()
    assert not any({"src", "href"} & attributes.keys() for _, attributes in tags.seen)
    assert "url(" not in page
    assert "@import" not in page
    assert "http://" not in page
    assert "https://" not in page


def test_a_failed_report_leaves_the_old_one_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "report.html"
    path.write_text("old", encoding="utf-8")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(html.Path, "write_text", fail)
    with pytest.raises(StemmataError, match="E107"):
        write_demo_report(path, hostile_report())
    monkeypatch.undo()
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_report_with_something_missing_is_not_written(tmp_path: Path):
    with pytest.raises(Exception, match="list object has no element 0"):
        write_demo_report(tmp_path / "report.html", replace(hostile_report(), runs=[]))
    assert list(tmp_path.iterdir()) == []


def test_found_missed_and_false_characters_are_told_apart():
    documents = Pair(Document("a", "0123456789"), Document("b", "abcdefghij"))
    case = Case(Passage("a", 2, 4), Passage("b", 2, 4))
    found = Detection(Passage("a", 4, 4), Passage("b", 0, 4))
    suspicious, source = mark_pair(documents, [case], [found])
    assert [(s.text, s.mark.value, s.label) for s in suspicious.segments] == [
        ("01", "plain", ""),
        ("23", "missed", "1"),
        ("45", "hit", ""),
        ("67", "false", ""),
        ("89", "plain", ""),
    ]
    assert [(s.text, s.mark.value) for s in source.segments] == [
        ("ab", "false"),
        ("cd", "hit"),
        ("ef", "missed"),
        ("ghij", "plain"),
    ]


def test_a_detection_that_names_the_wrong_part_of_the_source_is_false_also_inside_a_case():
    documents = Pair(Document("a", "0123456789"), Document("b", "abcdefghij"))
    case = Case(Passage("a", 0, 5), Passage("b", 0, 5))
    wrong = Detection(Passage("a", 0, 5), Passage("b", 5, 5))
    suspicious, source = mark_pair(documents, [case], [wrong])
    assert [segment.mark for segment in suspicious.segments] == [Mark.FALSE, Mark.PLAIN]
    assert [segment.mark for segment in source.segments] == [Mark.MISSED, Mark.FALSE]


def test_annotations_of_other_pairs_are_not_marked():
    documents = Pair(Document("a", "0123456789"), Document("b", "abcdefghij"))
    other = Case(Passage("a", 0, 5), Passage("c", 0, 5))
    intrinsic = Detection(Passage("a", 0, 5))
    suspicious, _ = mark_pair(documents, [other], [intrinsic])
    assert suspicious.segments == (Segment("0123456789", Mark.PLAIN),)


passages = st.tuples(st.integers(0, 50), st.integers(1, 30), st.integers(0, 50), st.integers(1, 30))


@given(st.lists(passages, max_size=5), st.lists(passages, max_size=5), st.integers(1, 20))
def test_segments_cover_the_document_exactly_folded_or_not(
    true: list[tuple[int, int, int, int]], found: list[tuple[int, int, int, int]], context: int
):
    text = "word " * 12
    documents = Pair(Document("a", text), Document("b", text.upper()))
    cases = [Case(Passage("a", *one[:2]), Passage("b", *one[2:])) for one in true]
    detections = [Detection(Passage("a", *one[:2]), Passage("b", *one[2:])) for one in found]
    for pane, document in zip(
        mark_pair(documents, cases, detections), (documents.suspicious, documents.source), strict=True
    ):
        assert "".join(segment.text for segment in pane.segments) == document.text
        folded = fold(pane, context)
        assert "".join(segment.text for segment in folded.segments) == document.text
        assert all(segment.text for segment in folded.segments)
        for mark in (Mark.HIT, Mark.MISSED, Mark.FALSE):
            assert folded.characters(mark) == pane.characters(mark)


def test_a_long_unmarked_stretch_is_folded_but_for_the_title_and_the_words_beside_a_mark():
    text = "Title\n" + "lorem " * 100 + "copied" + " ipsum" * 100
    pane = Pane(
        "a", (Segment(text[:606], Mark.PLAIN), Segment("copied", Mark.HIT), Segment(text[612:], Mark.PLAIN))
    )
    marks = [segment.mark for segment in fold(pane, context=20).segments]
    assert marks == [Mark.PLAIN, Mark.FOLDED, Mark.PLAIN, Mark.HIT, Mark.PLAIN, Mark.FOLDED]
    assert fold(pane, context=20).segments[0].text == "Title"


def test_the_demonstration_tells_its_story(result: DemoResult):
    scores = {name: run.scores.values for name, run in result.runs.items()}
    assert set(scores) == set(RUNS)
    plagdets = [values["macro.plagdet"] for values in scores.values()]
    assert plagdets == sorted(plagdets, reverse=True)
    for lower, higher in (("eager", "balanced"), ("balanced", "cautious")):
        assert scores[lower]["macro.precision"] < scores[higher]["macro.precision"]
        assert scores[lower]["macro.recall"] > scores[higher]["macro.recall"]
    parts = {
        part: max(SETTINGS, key=lambda name: (result.runs[name].by or {})[part].values["macro.plagdet"])
        for part in ("02-no-obfuscation", "03-random-obfuscation", "04-summary-obfuscation")
    }
    assert list(parts.values()) == ["cautious", "eager", "eager"]


def test_runs_are_written_where_anybody_can_score_them(result: DemoResult):
    for name, run in result.runs.items():
        files = read_detections(result.report.parent / "runs" / name)
        assert files.files == 42
        assert len(files.annotations) == run.scores.detections


def test_running_it_again_replaces_it_with_the_same(result: DemoResult):
    folder = result.report.parent
    first = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    demonstrate(folder)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == first


@pytest.mark.parametrize("path", ["corpus/pairs", "runs/eager/my.xml", "report.html"])
def test_nothing_that_no_demonstration_made_is_overwritten(tmp_path: Path, path: str):
    mine = tmp_path / path
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_text("precious", encoding="utf-8")
    with pytest.raises(StemmataError, match="E107"):
        demonstrate(tmp_path)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [mine]
