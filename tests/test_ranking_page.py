"""The pages of a world ranking and of a masked text: their figures, strangers' text, and a real browser."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hiding import MINE, Learner, Share, Shouting, Whispering, put_problems
from stemmata.experiments.cells import Cells
from stemmata.experiments.masking import ChosenObfuscators
from stemmata.experiments.ranking import Plan, rank
from stemmata.experiments.ranking_corpora import read_corpora
from stemmata.experiments.ranking_summary import Summary, chosen_texts, short_texts, summary_data
from stemmata.experiments.verifying import Chosen
from stemmata.measures.safety import PerformanceMatrix, Safety
from stemmata.model import Piece
from stemmata.reports.masking import Cost, MaskedText, Witness, masked_page
from stemmata.reports.ranking import Sample, ranking_page
from stemmata.reports.ranking_figures import heat_map, mosaic, plane

HOSTILE = "</script><img src=x onerror=alert(1)>"
GRADES = {"castro-2017": {"soundness": 3.1, "sensibleness": 1.1, "texts": 5}}


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    """A small ranking with all there can be on its page."""
    place = tmp_path_factory.mktemp("ranking")
    put_problems(place / "all" / "essays")
    put_problems(place / "all" / "novels", 5)
    plan = Plan(
        read_corpora(place / "all"),
        ChosenObfuscators({"castro-2017": Shouting(least=2), "quiet": Whispering()}),
        Chosen({"share": Share(), "learner": Learner()}, skipped={"absent": "E821 must learn"}),
        adversary=True,
    )
    return plan, rank(plan, cells=Cells(place / "cells"))


@pytest.fixture(scope="module")
def page(ranked):
    return made(*ranked)


def made(plan, ranked, quality=GRADES, notes=("a note",)):
    summary = Summary.of(ranked)
    data = summary_data(summary, plan, quality, notes)
    samples = [
        Sample(f"{corpus}, {one}", {n: by[one].pieces for n, by in ranked.corpora[corpus].masked.items()})
        for corpus, one in short_texts(ranked, 1)
    ]
    return ranking_page(data, summary.world.corpora, samples, "stemmata rank all")


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


# --- The world ranking ---------------------------------------------------------------------------------


def test_all_parts_are_there(page):
    said = text_of(page)
    for part in (
        "The ranking",
        "Corpus by corpus",
        "Safe, and still a text?",
        "Who is fooled by whom",
        "Decision by decision",
        "Verifiers that know the obfuscator",
        "How sure the order is",
        "Read for yourself",
        "a note",
        "absent was skipped: E821",
        "cross-validated",
    ):
        assert part in said
    assert "nan" not in page
    assert "script-src" not in page


def test_published_shares_stand_beside_ours(page):
    row = text_of(page[page.index('<table class="ranking">') :])
    assert "castro-2017 Castro-Castro, Ortega Bueno, Muñoz, 2017 1.000 1.000–1.000" in row
    assert "0.434" in row


def test_what_was_published_is_on_the_axis(ranked):
    plan, whole = ranked
    data = summary_data(Summary.of(whole), plan, {}, ())
    for one in data["obfuscators"].values():
        one |= {"share": 0.1, "confidence": [0.0, 0.2], "adversary": None}
    page = ranking_page(data, Summary.of(whole).world.corpora, [], "")
    ends = re.findall(r'class="tick" x="100.0%"[^>]*>([^<]+)<', page)
    place = re.search(r'class="published" x1="([\d.]+)%"', page)
    assert float(place[1]) / 100 * float(ends[0]) == pytest.approx(0.434, abs=0.001)


def test_obfuscators_that_tie_have_no_order_to_lose(ranked):
    _, whole = ranked
    (name, result), *_ = whole.corpora.items()
    answers = {"": result.answers[""], **dict.fromkeys(("one", "two"), result.answers["castro-2017"])}
    tied = replace(whole, corpora={name: replace(result, answers=answers, adversary={})})
    for one in Summary.of(tied).robustness():
        assert (one["pairs_kept"], one["order_kept"]) == (None, None)


def test_tables_are_numbered_without_a_gap(ranked, page):
    plan, whole = ranked
    one = replace(whole, corpora={"essays": replace(whole.corpora["essays"], adversary={})})
    for made_page, tables in ((page, 4), (made(plan, one), 2)):
        numbers = re.findall(r"<caption><b>Table (\d+)", made_page)
        assert numbers == [str(number) for number in range(1, tables + 1)]


def test_one_of_each_is_no_plural(ranked):
    plan, whole = ranked
    data = summary_data(Summary.of(whole), plan, {}, ())
    one = next(iter(data["corpora"]))
    data["corpora"] = {one: data["corpora"][one] | {"positives": 1}}
    data["corpora"][one]["verifiers"].pop("learner")
    said = text_of(ranking_page(data, Summary.of(whole).world.corpora, [], ""))
    for part in ("corpus 1", "text to hide 1", "verifier 1", "1 verifier, and what it is worth"):
        assert part in said


def test_without_grades_the_words_that_were_kept_are_shown(ranked):
    assert "share of the words kept →" in made(*ranked, quality={})
    assert "not installed" not in made(*ranked, quality={})
    assert "predicted sensibleness →" in made(*ranked)


def test_without_an_adversary_there_is_no_second_column(ranked):
    plan, whole = ranked
    plain = replace(whole, corpora={n: replace(one, adversary={}) for n, one in whole.corpora.items()})
    assert "Trained" not in made(plan, plain)


def test_text_of_strangers_is_only_text(ranked):
    plan, whole = ranked
    page = made(plan, whole, notes=(HOSTILE,))
    assert HOSTILE not in page
    assert "&lt;/script&gt;" in page


def test_texts_to_grade_are_spread_over_all(ranked):
    _, whole = ranked
    chosen = chosen_texts(whole, 4)
    assert len(chosen) == 4
    assert {corpus for corpus, _ in chosen} == {"essays", "novels"}
    assert len(chosen_texts(whole, 1000)) == 22


# --- Figures -------------------------------------------------------------------------------------------


def test_the_heat_map_counts_what_was_turned_less_what_was_repaired():
    truth = np.array([True, True, True, False, False])
    before = {"v": np.array([0.9, 0.8, 0.05, 0.1, 0.3])}
    after = {"o": {"v": np.array([0.1, 0.8, 0.9, 0.1, 0.3])}}
    safety = Safety([*"abcde"], truth, before, after)
    cell = heat_map({"c": safety}, ["o"]).cells[0][0]
    assert (cell.right, cell.lost, cell.won, cell.share, cell.level) == (2, 1, 1, 0.0, 0)


def test_what_is_not_answered_is_neither_turned_nor_right():
    nan = float("nan")
    before, after = {"v": np.array([0.9, 0.8, 0.1])}, {"o": {"v": np.array([nan, 0.8, 0.1])}}
    safety = Safety([*"abc"], np.array([True, True, False]), before, after)
    cell = heat_map({"c": safety}, ["o"]).cells[0][0]
    assert (cell.right, cell.lost, cell.won) == (1, 0, 0)


def test_a_mosaic_draws_neighbours_as_one():
    before = np.array([[True, True, False]])
    after = np.array([[False, False, True]])
    matrix = PerformanceMatrix(("v",), ("a", "b", "c"), before, after, np.zeros((1, 3), bool))
    drawn = mosaic("c", matrix)
    assert drawn.paths == {"kept": "", "turned": "M0 0h2v1h-2z", "helped": "M2 0h1v1h-1z"}


def test_the_front_is_what_no_other_beats():
    values = {"a": (0.2, 0.6), "b": (0.5, 0.5), "c": (0.4, 0.4), "d": (0.9, 0.1), "e": (0.9, 0.1)}
    made = plane("quality", ("low", "high"), values, (0, 1))
    assert {point.name for point in made.points if point.front} == {"a", "b", "d", "e"}
    assert len({point.label for point in made.points}) == 5


def test_names_do_not_cover_each_other():
    values = {f"obfuscator-{n}": (0.8 + n / 100, 0.2 + n / 100) for n in range(4)}
    taken = []
    for point in plane("quality", ("low", "high"), values, (0, 1)).points:
        x, y, side = point.label
        left = x if side == "start" else x - 6 * len(point.name)
        for other, height in taken:
            assert abs(y - height) >= 11 or abs(left - other) >= 6 * len(point.name)
        taken.append((left, y))


# --- One text ------------------------------------------------------------------------------------------


def one_text(**other):
    pieces = [
        Piece(1, MINE[0], 0, len(MINE[0]), MINE[0].replace("smoke", "fog")),
        Piece(2, HOSTILE, 100, 120, HOSTILE),
    ]
    given = {
        "name": "essay.txt",
        "obfuscator": "quiet",
        "pieces": pieces,
        "words": 20,
        "kept_words": 0.9,
        "length": 1.0,
        "samples": 2,
        "others": 3,
        "witnesses": [Witness("v", 0.8, 0.3, 0.5, True, False, 0.7, (0.1, 0.2, 0.4), (0, 1))],
        "counts": {"synonym": 1},
        "cost": Cost(4.2, 1.7, {"names": (["Anna"], [])}),
        "command": "stemmata mask essay.txt",
    }
    return MaskedText(**{**given, **other})


def test_a_masked_text_is_shown_beside_the_original():
    page = masked_page(one_text())
    assert "<del>smoke</del>" in page
    assert "<ins>fog</ins>" in page
    assert HOSTILE not in page
    said = text_of(page)
    assert "1 → 0 of 1" in said
    assert "hidden 0 → 1 of 3 others nearer" in said
    assert "soundness 4.20 of 5 (does it say the same? incorrect)" in said
    assert "Anna" in said


def test_what_was_not_measured_is_said():
    said = text_of(masked_page(one_text(samples=0, others=0, witnesses=[], cost=Cost(), counts=None)))
    assert "Not measured: there are no samples" in said
    assert "was not predicted" in said
    assert "the obfuscator does not tell" in said


# --- In a browser --------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 1300])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_pages_fit_their_window_and_load_nothing(opened, tmp_path, page, width, scheme):
    for name, content in (("ranking", page), ("masked", masked_page(one_text()))):
        file = Path(tmp_path / f"{name}.html")
        file.write_text(content, encoding="utf-8")
        shown = opened(file, color_scheme=scheme)
        shown.set_viewport_size({"width": width, "height": 900})
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert all(one.is_visible() for one in shown.locator(".heat tbody th small").all())
        assert shown.wrong == []


def test_samples_unfold(opened, tmp_path, page):
    file = tmp_path / "ranking.html"
    file.write_text(page, encoding="utf-8")
    shown = opened(file)
    closed = shown.locator("details.more:not([open])").filter(has=shown.locator(".beside"))
    assert not closed.first.locator(".beside").is_visible()
    closed.first.locator("> summary").click()
    assert shown.locator("details.more[open] .beside").count() >= 2
