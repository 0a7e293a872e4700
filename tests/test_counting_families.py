"""Counts of families in a batch: arrays count what a plain count of each text does."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up_authors import made_up_problems
from stemmata.authorship import learning, verifiers
from stemmata.authorship.batch import count_writings
from stemmata.authorship.character_counts import count_characters
from stemmata.authorship.families import Characters, Family, WordGrams
from stemmata.authorship.learning import scikit_learn, trees_mean
from stemmata.authorship.terms import falling, find, named
from stemmata.authorship.writings import Writing
from stemmata.model import LearningVerifier
from stemmata.text.keeping import Latest

texts = st.lists(st.text("ab Bé\u4e2d\U0001f600\ud800.", max_size=30), max_size=5)


def plainly(writings: list[Writing], family: Family, least: int) -> tuple[list[str], list[list[float]]]:
    """Return terms and counts as the definition has them."""
    counts = [family.count(writing) for writing in writings]
    total: Counter[str] = sum(counts, Counter())
    terms = [term for term in total if any(one[term] >= least for one in counts)]
    terms.sort(key=lambda term: (-total[term], term))
    return terms, [[float(one[term]) for term in terms] for one in counts]


@pytest.mark.parametrize("family", [Characters(2), Characters(3, lower=True), Characters(1, 2), WordGrams(2)])
@given(said=texts, least=st.integers(1, 3))
def test_terms_go_by_their_sums_and_equals_by_name(family: Family, said: list[str], least: int) -> None:
    writings = [Writing(one) for one in said]
    terms, rows = plainly(writings, family, least)
    counts = count_writings(writings, family, least)
    assert list(counts.terms) == terms
    assert counts.matrix.toarray().tolist() == rows


def test_long_runs_of_many_different_characters_have_keys_enough() -> None:
    said = "".join(map(chr, range(0x4E00, 0x4F00))) * 2
    matrix, terms = count_characters([said], 12)
    counts = Counter(said[i : i + 12] for i in range(len(said) - 11))
    assert dict(zip(terms, matrix.toarray()[0], strict=True)) == counts
    assert list(terms) == sorted(counts, key=lambda term: (-counts[term], term))


@pytest.mark.parametrize("size", [2, 12])
def test_the_columns_of_runs_are_found_and_named(size: int) -> None:
    said = ["".join(map(chr, range(0x4E00, 0x4F00))) * 2, "abab" * 4]
    _, terms = count_characters(said, size, least=2)
    columns = np.arange(len(terms))[::-3]
    some = named(terms, columns)
    assert some == [terms[column] for column in columns.tolist()]
    assert find(terms, some).tolist() == columns.tolist() == find(list(terms), some).tolist()
    assert find(terms, ["z" * size, "", said[0][-1] + said[0][: size - 1], "a"]).tolist()[:2] == [-1, -1]
    assert find(count_characters(["", "a"], 2)[1], ["ab", "a"]).tolist() == [-1, -1]


@given(st.lists(st.sampled_from([0, 1, 2, 65_534, 65_535, 65_536, 10**9])))
def test_sums_fall_and_equals_stay_in_their_order(sums: list[int]) -> None:
    expected = sorted(range(len(sums)), key=lambda place: -sums[place])
    assert falling(np.array(sums, np.float64)).tolist() == expected


def test_a_character_of_code_0_is_counted_too() -> None:
    counts = count_writings([Writing("a\0b\0")], Characters(2))
    assert list(counts.terms) == sorted(["a\0", "\0b", "b\0"])


def test_a_model_is_fitted_once_for_all_batches_that_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    problems, truth = made_up_problems()
    learner = verifiers["kiprov15"]()
    assert isinstance(learner, LearningVerifier)
    learned = learner.learn(problems, truth).learned()
    fitted: list[object] = []
    unfitted = type(learner).model
    monkeypatch.setattr(learning, "_models", Latest(2))
    monkeypatch.setattr(type(learner), "model", lambda self: fitted.append(self) or unfitted(self))
    first = learner.recall(learned).score(problems)
    assert learner.recall(learned).score(problems) == first
    assert len(fitted) == len(learning._models) == 1
    turned = learner.learn(problems, [not same for same in truth]).score(problems)
    assert len(fitted) == len(learning._models) == 2
    assert not np.allclose(turned, first)


@pytest.mark.parametrize("name", ["RandomForestClassifier", "RandomForestRegressor"])
def test_the_trees_of_a_forest_say_what_the_forest_says(name: str) -> None:
    rng = np.random.default_rng(1)
    rows, truth = rng.normal(size=(40, 6)), rng.random(40) < 0.5
    forest = getattr(scikit_learn("ensemble"), name)(30, random_state=1).fit(rows, truth)
    shown = rng.normal(size=(9, 6))
    said = forest.predict_proba(shown) if name.endswith("Classifier") else forest.predict(shown)[:, None]
    assert trees_mean(forest, shown).tolist() == said.tolist()
