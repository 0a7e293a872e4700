"""Texts that several looks of a ranking share are counted once, and as if each look had its own."""

from dataclasses import replace

import numpy as np

from made_up_authors import made_up_problems
from stemmata.authorship.batch import Batch
from stemmata.authorship.families import Characters, PartsOfSpeech, WordGrams
from stemmata.authorship.one_class import halved
from stemmata.authorship.terms import find
from stemmata.experiments import pooling
from stemmata.experiments.cells import Cells
from stemmata.experiments.pooling import Pool, PooledBatch
from stemmata.experiments.ranking_corpora import RankedCorpus, texts_of
from stemmata.experiments.ranking_looks import Room
from stemmata.model import Document


def test_pooled_texts_are_counted_as_a_batch_of_its_own_counts_them():
    pool = Pool()
    problems, _ = made_up_problems(known=1)
    changed = [replace(one, unknown=Document("u", one.unknown.text.upper())) for one in problems]
    for some in (problems[:4], changed[2:], problems):
        pooled = PooledBatch(some, pool)
        for family in (Characters(3), WordGrams(), PartsOfSpeech(2)):
            for least in (1, 4):
                ours, plain = pooled.counts(family, least), Batch(some).counts(family, least)
                assert ours.terms == plain.terms
                asked = ["no such", *plain.terms[::-2]]
                np.testing.assert_array_equal(find(ours.terms, asked), find(list(plain.terms), asked))
                assert (ours.matrix != plain.matrix).nnz == 0
                np.testing.assert_array_equal(ours.matrix.indices, plain.matrix.indices)
            columns = {term: place for place, term in enumerate(plain.terms[::-2])} | {"no such": 0}
            np.testing.assert_array_equal(
                pooled.counts_of(family, columns), Batch(some).counts_of(family, columns)
            )
        pool.keep({one.unknown.text for one in problems})
    assert len(pool.writings) == len({one.unknown.text for one in problems})


def test_a_pool_forgets_features_that_no_text_has_any_more_and_counts_that_are_too_many(monkeypatch):
    pool = Pool()
    problems, _ = made_up_problems(known=1)
    changed = [replace(one, unknown=Document("u", one.unknown.text[::-1])) for one in problems]
    texts = {text for one in problems for text in texts_of(one)}
    PooledBatch(problems, pool).counts(WordGrams(2))
    numbered = len(pool.tallies[WordGrams(2)].numbers)
    batch = PooledBatch(changed, pool)
    first = batch.counts(WordGrams(2))
    assert batch.counts(WordGrams(2)) is first
    assert len(pool.tallies[WordGrams(2)].numbers) > 1.5 * numbered
    pool.keep(texts)
    assert len(pool.tallies[WordGrams(2)].numbers) == numbered
    monkeypatch.setattr(pooling, "MOST_CELLS", 1)
    again = batch.counts(WordGrams(2))
    assert again is not first
    assert (again.terms, (again.matrix != first.matrix).nnz) == (first.terms, 0)
    batch.counts(PartsOfSpeech(2))
    assert batch.counts(WordGrams(2)) is not again


def test_what_is_made_of_one_problem_is_made_again_only_if_a_text_of_it_changes():
    pool = Pool()
    problems, _ = made_up_problems(known=2)
    fewer = replace(problems[0], known=problems[0].known[:1])
    changed = replace(problems[0], unknown=Document("u", problems[0].unknown.text.upper()))
    made = []
    for first in (problems[0], problems[0], fewer, changed, problems[0]):
        batch = PooledBatch([first, *problems[1:]], pool)
        batch.once_of(0, "length", lambda first=first: made.append(first) or len(first.unknown.text))
    assert made == [problems[0], fewer, changed]


def test_halves_of_known_texts_come_again_and_obfuscated_texts_do_not(tmp_path):
    problems, truth = made_up_problems(known=1)
    room = Room([RankedCorpus("A", tuple(problems), tuple(truth))], [{}], {}, None, {}, Cells(tmp_path))
    changed = [replace(one, unknown=Document("u", one.unknown.text.upper())) for one in problems]
    pool = Pool()
    batch = PooledBatch(changed, pool)
    halves = {text for one in halved(batch) for text in texts_of(one)[:-1]}
    pool.keep(room.recurring(0))
    assert halves < set(pool.writings)
    assert not {one.unknown.text for one in changed} & set(pool.writings)
