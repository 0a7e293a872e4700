"""What a ranking is made of: corpora, their folds and lessons, given runs, shares with intervals."""

from dataclasses import replace

import numpy as np
import pytest

from hiding import MINE, Plain, put_problems
from stemmata.experiments.ranking_corpora import GivenRun, RankedCorpus, obfuscated_lessons, read_corpora
from stemmata.formats.obfuscation import write_obfuscation
from stemmata.measures.safety import Safety
from stemmata.measures.world_ranking import WorldRanking
from stemmata.model import Document, Problem


@pytest.fixture
def essays(tmp_path):
    return put_problems(tmp_path / "essays")


def test_corpora_are_read_alone_and_in_a_folder(essays):
    assert [one.name for one in read_corpora(essays)] == ["essays"]
    assert [one.name for one in read_corpora(essays.parent)] == ["essays"]


def test_folds_share_no_text(essays):
    corpus = RankedCorpus.read(essays)
    assert sorted(place for scored, _ in corpus.folds for place in scored) == list(range(24))
    for scored, apart in corpus.folds:

        def texts(places):
            chosen = (corpus.problems[place] for place in places)
            return {t.text for p in chosen for t in (*p.known, p.unknown)}

        assert not texts(scored) & texts(apart)


def test_texts_that_differ_in_layout_alone_are_one_text_to_folds(essays):
    corpus = RankedCorpus.read(essays)
    first = corpus.problems[0]
    again = replace(first, id="again", known=(Document("k", "\ufeff" + first.known[0].text + "\r\n"),))
    doubled = replace(corpus, problems=(*corpus.problems, again), truth=(*corpus.truth, corpus.truth[0]))
    scored_with_first = next(apart for scored, apart in doubled.folds if 0 in scored)
    assert len(doubled.problems) - 1 not in scored_with_first


def test_an_adversary_learns_obfuscated_texts_beside_own_and_beside_other_texts():
    problems = [
        Problem(name, (Document("k", known),), Document("u", unknown))
        for name, known, unknown in (("1", "a", "A"), ("2", "b", "B"), ("3", "c", "A"))
    ]
    made, answers = obfuscated_lessons(problems, [True, True, False], {"1": "AA", "2": "BB"})
    assert [(p.known[0].text, p.unknown.text, a) for p, a in zip(made, answers, strict=True)] == [
        ("a", "AA", True), ("b", "AA", False), ("b", "BB", True), ("a", "BB", False)
    ]  # fmt: skip
    assert obfuscated_lessons(problems, [True, False, False], {"1": "AA"})[1] == [True]


@pytest.mark.parametrize("text", ["Oh. I see.", "Δεν ξέρω τι να κάνω, και κανείς δεν ξέρει. Ίσως αύριο."])
def test_runs_of_short_texts_and_other_scripts_are_found(tmp_path, text):
    problem = Problem("p1", (Document("k", MINE[0]),), Document("t", text))
    corpus = RankedCorpus("odd", (problem,), (True,))
    write_obfuscation(tmp_path / "renamed" / "obfuscation.json", Plain().mask(problem))
    assert GivenRun("made", tmp_path).masked(corpus)["p1"].text == text


def test_the_interval_of_a_share_holds_it_and_shared_texts_widen_it():
    truth = np.array([True] * 20 + [False] * 20)
    before = np.where(truth, 0.9, 0.1)
    after = np.where(np.arange(40) < 8, 0.2, before)
    problems = [f"{n:02d}" for n in range(40)]
    world = WorldRanking({"c": Safety(problems, truth, {"v": before}, {"o": {"v": after}})})
    assert world.share("o") == pytest.approx(0.4)
    alone = world.interval("o", {}, np.random.default_rng(1))
    paired = world.interval("o", {"c": {n: int(n) // 4 for n in problems}}, np.random.default_rng(1))
    assert alone.low < 0.4 < alone.high
    assert paired.high - paired.low > alone.high - alone.low
