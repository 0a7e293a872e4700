"""The page about verifiers' answers: its figures, its text from strangers, and its use in a browser."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from stemmata.cli import status_of
from stemmata.formats.verification import write_answers
from stemmata.measures.verification import Answers, auc
from stemmata.model import Document, Problem
from stemmata.reports.verification import VerifiedSet, measured, verification_page
from stemmata.reports.verification_figures import likeness, roc, roc_curves

IDS = [f"EN{n:03d}" for n in range(8)]
TRUTH = {name: n % 2 == 0 for n, name in enumerate(IDS)}
GOOD = {name: 0.9 - 0.01 * n if TRUTH[name] else 0.1 for n, name in enumerate(IDS)}
POOR = {name: 0.4 + 0.03 * n for n, name in enumerate(IDS)}
OPEN = dict.fromkeys(IDS, 0.5)
HOSTILE = "</script><img src=x onerror=alert(1)>"


def made(name="essays", truth=TRUTH, **scores):
    problems = [Problem(one, (Document("k", "x"),) * 2, Document("u", "some words here")) for one in IDS]
    return VerifiedSet.of(name, scores or {"good": GOOD, "poor": POOR, "open": OPEN}, truth, problems)


def test_the_area_below_the_curve_is_the_auc():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 200).astype(bool)
    scores = np.round(rng.random(200) + 0.2 * truth, 1) / 1.2
    x, y = roc(scores, truth)
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    assert np.trapezoid(y, x) == pytest.approx(float(auc(Answers(truth, scores))))


def test_the_best_six_curves_are_set_off_and_lie_on_top():
    curves = roc_curves(made(**{f"v{n}": {**GOOD, IDS[1]: n / 10} for n in range(9)}).answers)
    assert [curve.style for curve in curves] == [-1, -1, -1, 5, 4, 3, 2, 1, 0]
    assert curves[-1].auc == max(curve.auc for curve in curves)


def test_verifiers_that_err_alike_are_neighbours_and_share_their_coverage():
    twin, other = ({**GOOD, IDS[n]: 0.05, IDS[n + 3]: 0.95} for n in (0, 2))
    found = likeness(IDS, {"a": GOOD, "b": twin, "c": other, "d": twin}, TRUTH)
    places = {name: place for place, name in enumerate(found.names)}
    assert abs(places["b"] - places["d"]) == 1
    assert found.correlation[places["b"]][places["d"]] == 1
    assert found.coverage[places["b"]] == found.coverage[places["d"]] == 0.5


def test_without_truth_scores_are_correlated():
    found = likeness(IDS, {"a": POOR, "b": {name: 1 - score for name, score in POOR.items()}}, {})
    assert found.correlation[0][1] == -1
    assert found.coverage == []
    assert likeness(IDS, {"a": POOR}, {}) is None


def test_figures_are_those_of_the_measures():
    assert measured(made())["good"] == {"auc": 1.0, "c@1": 1.0}
    assert measured(made())["open"] == {"auc": 0.5, "c@1": 0.0}
    assert measured(made(truth=dict.fromkeys(IDS, True)))["good"]["auc"] is None
    assert measured(made(truth=None)) == {}


def test_the_best_verifier_comes_first():
    page = verification_page([made()])
    table = page[page.index('id="verifiers"') :]
    assert re.findall(r'<th scope="row" data-value="(\w+)"', table)[:3] == ["good", "open", "poor"]


@pytest.mark.parametrize("truth", [TRUTH, None, dict.fromkeys(IDS, False), dict.fromkeys(IDS, True)])
def test_a_page_is_made_whatever_is_known(truth):
    page = verification_page([made(truth=truth), made("more", TRUTH, good=GOOD)])
    assert "Problem by problem" in page
    assert "nan" not in page


def test_a_page_without_a_truth_speaks_of_none_and_of_no_errors():
    without, beside = verification_page([made(truth=None)]), verification_page([made()])
    for word in ("the truth", "a truth", "Who errs alike", "verifiers err", "see how often"):
        assert word not in without
    assert "Who errs alike" in beside
    assert "see how often, above" in beside


def test_ids_of_the_truth_that_no_problem_has_are_counted_with_what_they_begin_with():
    others = {f"{part}{n:02}": True for part in ("SP", "GR") for n in range(3)}
    (finding,) = made(truth=TRUTH | others).findings
    assert str(finding).startswith("E663 6 other ids of the truth are left out")
    assert "all begin with GR, SP" in finding.message
    assert made().findings == made(truth=None).findings == ()


def test_a_page_of_one_verifier_and_one_problem_is_made():
    page = verification_page([VerifiedSet.of("x", {"good": {"a": 0.9}}, {"a": True}, [])])
    assert ">a</button>" in page


def test_names_from_strangers_are_text():
    page = verification_page([made(HOSTILE, None, **{HOSTILE: {HOSTILE: 0.9}})], [HOSTILE])
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert page == verification_page([made(HOSTILE, None, **{HOSTILE: {HOSTILE: 0.9}})], [HOSTILE])


@pytest.fixture
def answered(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in IDS:
        (tmp_path / "problems" / name).mkdir(parents=True)
        for file in ("known01.txt", "unknown.txt"):
            (tmp_path / "problems" / name / file).write_text("Some words.\n")
    (tmp_path / "problems" / "truth.txt").write_text("".join(f"{n} {'NY'[t]}\n" for n, t in TRUTH.items()))
    for name, scores in (("good", GOOD), ("poor", POOR)):
        write_answers(tmp_path / "answers" / name / "answers.txt", scores)
    return tmp_path


def test_the_command_reads_answers_of_several_sets(answered, capsys):
    status = status_of(["report", "verification", *["problems", "answers"] * 2, "-o", "page.html"])
    assert status == 0
    assert "2 verifiers, 2 sets of problems" in capsys.readouterr().err
    assert Path("page.html").read_text("utf-8").count('class="roc"') == 2


def test_wrong_paths_are_refused(answered, capsys):
    assert status_of(["report", "verification", "problems"]) == 2
    assert "E827" in capsys.readouterr().err
    assert status_of(["report", "verification", "problems", "problems"]) == 2
    assert "E828" in capsys.readouterr().err


def test_the_page_works_in_a_browser(opened, tmp_path):
    file = tmp_path / "page.html"
    hostile = {**POOR, IDS[0]: 0.1}
    file.write_text(verification_page([made(good=GOOD, **{HOSTILE: hostile})]), "utf-8")
    page = opened(file)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shown = "[...document.querySelectorAll('#problems tbody tr[data-number]')].filter(r => !r.hidden)"
    names = f"{shown}.map(r => r.querySelector('.open').textContent)"
    page.fill("#search", "en003")
    assert page.evaluate(names) == ["EN003"]
    page.fill("#search", "")
    page.select_option("#which", "1")
    assert page.evaluate(names) == IDS[::2]
    page.click("#problems .sort >> text=Problem")
    assert page.evaluate(names) == IDS[::2][::-1]
    page.click("#problems .open >> text=EN000")
    said = page.evaluate("[...document.querySelectorAll('.said li')].map(li => li.textContent)")
    assert said == ["good0.900", f"{HOSTILE}0.100"]
    assert json.loads(re.search(r'id="data">(.*?)</script>', file.read_text("utf-8")).group(1))["verifiers"]
