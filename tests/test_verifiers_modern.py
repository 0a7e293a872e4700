"""Baselines after PAN 2015: they tell made-up authors apart, obey their formulas, and take what comes."""

import json
import warnings

import numpy as np
import pytest

from stemmata.authorship import verifiers
from stemmata.authorship.batch import Batch
from stemmata.authorship.compression import cross_entropy
from stemmata.authorship.modern.character_grams import CharacterGrams2022
from stemmata.authorship.modern.deltas import BurrowsDelta, CosineDelta, EderDelta
from stemmata.authorship.modern.kestemont import Kestemont2016
from stemmata.authorship.modern.ppm import PPM2020
from stemmata.authorship.modern.shifting import Shift
from stemmata.authorship.modern.unmasking import Unmasking2019, _told_apart
from stemmata.authorship.modern.weerasinghe import WeerasingheGreenstadt2020
from stemmata.measures.verification import Answers, auc
from stemmata.model import Document, ErrorCode, LearningVerifier, Problem, StemmataError

MODERN = (
    *("burrows-delta", "eder-delta", "cosine-delta", "ppm-2020", "cng-2022"),
    *("kestemont-2016", "unmasking-2019", "weerasinghe-2020"),
)
WORDS = (
    *("the", "a", "of", "and", "to", "in", "it", "was", "he", "she", "that", "with", "for", "on", "as"),
    *("but", "or", "if", "so", "not", "very", "quite", "rather", "house", "river", "stone", "light"),
    *("water", "hand", "voice", "winter", "garden", "letter", "morning", "street", "window", "silence"),
)
MARKS = (". ", ", ", "; ", "! ", " – ", "? ")


def written(author, text, words=260):
    """Write a text in the habits of an author: favourite words and marks."""
    habits = np.random.default_rng(author)
    favours = habits.dirichlet(np.full(len(WORDS), 0.7))
    marks = habits.dirichlet(np.full(len(MARKS), 0.5))
    rng = np.random.default_rng([author, text])
    said = []
    for _ in range(words // 8):
        run = " ".join(rng.choice(WORDS, rng.integers(4, 12), p=favours))
        said.append(run + str(rng.choice(MARKS, p=marks)))
    return "".join(said)


def problem(name, known, unknown):
    documents = tuple(Document(f"k{i}", text) for i, text in enumerate(known))
    return Problem(name, documents, Document("u", unknown))


def made_problems(first, count):
    """Make problems of which every other is by one author."""
    problems = []
    for number in range(count):
        author = first + 2 * number
        other = author if number % 2 else author + 1
        problems.append(problem(f"P{number}", [written(author, 1), written(author, 2)], written(other, 3)))
    return problems, [number % 2 == 1 for number in range(count)]


@pytest.fixture(scope="module")
def lessons():
    problems, truth = made_problems(1000, 24)
    return Batch.of(problems), truth


@pytest.fixture(scope="module")
def exam():
    problems, truth = made_problems(5000, 20)
    return Batch.of(problems), truth


@pytest.fixture(scope="module")
def taught(lessons):
    def teach(name):
        verifier = verifiers[name]()
        return verifier.learn(*lessons) if isinstance(verifier, LearningVerifier) else verifier

    return {name: teach(name) for name in MODERN}


@pytest.mark.parametrize("name", MODERN)
def test_authors_with_habits_of_their_own_are_told_apart(name, taught, exam):
    batch, truth = exam
    scores = np.array(taught[name].score(batch))
    assert auc(Answers(np.array(truth), scores)) > 0.85
    assert np.mean((scores > 0.5) == truth) > 0.6


@pytest.mark.parametrize(
    "name", ["burrows-delta", "eder-delta", "cosine-delta", "cng-2022", "kestemont-2016"]
)
def test_untaught_the_middle_of_the_batch_is_where_answers_turn(name, exam):
    batch, truth = exam
    scores = np.array(verifiers[name]().score(batch))
    assert np.sum(scores > 0.5) == np.sum(scores < 0.5)
    assert np.mean((scores > 0.5) == truth) > 0.6


@pytest.mark.parametrize("name", MODERN)
def test_a_second_run_and_another_order_change_nothing(name, taught, exam):
    batch, _ = exam
    scores = taught[name].score(list(batch))
    assert scores == taught[name].score(list(batch))
    assert taught[name].score(list(batch)[::-1])[::-1] == pytest.approx(scores, abs=1e-6)


@pytest.mark.parametrize("name", MODERN)
def test_what_was_learned_survives_json(name, taught, exam):
    batch, _ = exam
    told = json.loads(json.dumps(taught[name].learned()))
    assert verifiers[name]().recall(told).score(batch) == taught[name].score(batch)


@pytest.mark.parametrize("name", MODERN)
def test_odd_texts_are_answered_without_a_word_of_complaint(name, taught):
    odd = [
        problem("nothing known", [], "a text"),
        problem("nothing unknown", ["a text of some words"], ""),
        problem("nothing at all", [""], ""),
        problem("one word", ["word"], "word"),
        problem("marks", ["..."], "?!"),
        problem("binary", ["\x00\x01\udcff\ufffe" * 50], "\x00\x07\udc80 a" * 40),
        problem("long", [written(1, 1, 20_000)], written(2, 1, 20_000)),
        problem("same", [written(3, 1)], written(3, 1)),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = taught[name].score(odd)
        assert taught[name].score([]) == []
        assert len(taught[name].score(odd[3:4])) == 1
    assert all(0 <= score <= 1 for score in scores)
    assert scores[:3] == [0.5, 0.5, 0.5]


@pytest.mark.parametrize("name", ["ppm-2020", "unmasking-2019", "weerasinghe-2020"])
def test_those_that_must_learn_say_so(name, exam):
    with pytest.raises(StemmataError) as caught:
        verifiers[name]().score(exam[0])
    assert caught.value.finding.kind is ErrorCode.NOTHING_LEARNED


@pytest.mark.parametrize("name", MODERN)
def test_nothing_is_learned_from_one_class(name, lessons):
    batch, _ = lessons
    with pytest.raises(StemmataError) as caught:
        verifiers[name]().learn(batch, [True] * len(batch))
    assert caught.value.finding.kind is ErrorCode.ONE_CLASS


def few():
    return Batch.of(
        [
            problem("A", ["the cat and the dog and the hen"], "a cat and a dog"),
            problem("B", ["a hen or a cat"], "the hen the hen or the dog"),
            problem("C", ["dog and dog and the cat"], "or a hen and a hen"),
        ]
    )


@pytest.mark.parametrize("kind", [BurrowsDelta, EderDelta, CosineDelta])
def test_delta_is_its_formula_standardised_against_texts_of_others(kind):
    batch = few()
    texts = [one.text.split() for one in batch.writings]
    vocabulary = sorted({w for t in texts for w in t}, key=lambda w: (-sum(t.count(w) for t in texts), w))[:5]
    rows = np.array([[text.count(word) / len(text) for word in vocabulary] for text in texts])
    z = (rows - rows.mean(axis=0)) / rows.std(axis=0)

    def distance(i, j):
        if kind is CosineDelta:
            return 1 - z[i] @ z[j] / np.linalg.norm(z[i]) / np.linalg.norm(z[j])
        weights = [(5 - rank) / 5 if kind is EderDelta else 1 for rank in range(5)]
        return sum(w * abs(a - b) for w, a, b in zip(weights, z[i], z[j], strict=True)) / 5

    for number, (known, unknown) in enumerate([(0, 1), (2, 3), (4, 5)]):
        others = [place for place in range(6) if place not in (known, unknown)]
        standing = 0
        for own in (known, unknown):
            usual = [distance(own, other) for other in others]
            standing += (np.mean(usual) - distance(known, unknown)) / np.std(usual) / 2
        assert kind(words=5).measure(batch)[number] == pytest.approx(1 / (1 + np.exp(-standing)))


def test_compression_is_taken_in_both_directions():
    one, other = "the cat sat on the mat. " * 8, "the dog lay on the rug, and slept. " * 8
    before, after = one.strip().encode(), other.strip().encode()
    there, back = cross_entropy(before, after), cross_entropy(after, before)
    row = PPM2020().describe(Batch.of([problem("A", [one], other)]), {})[0]
    assert row.tolist() == pytest.approx([(there + back) / 2, abs(there - back)])


def test_character_grams_are_compared_as_scikit_learn_would():
    text = pytest.importorskip("sklearn.feature_extraction.text")
    batch, _ = Batch.of(made_problems(7, 3)[0]), None
    single = Batch.of(
        [problem(one.id, [one.known[0].text.strip()], one.unknown.text.strip()) for one in batch]
    )
    grams = text.TfidfVectorizer(analyzer="char", ngram_range=(4, 4), norm="l2")
    rows = grams.fit_transform([writing.spaced for writing in single.writings]).toarray()
    expected = [rows[k[0]] @ rows[u] for k, u in zip(single.known, single.unknown, strict=True)]
    assert CharacterGrams2022(kept=100_000).measure(single).tolist() == pytest.approx(expected)


def test_impostors_are_beaten_in_every_round_by_the_author_s_own_text():
    verifier = Kestemont2016(rounds=20)
    same = written(1, 1)
    others = [problem(f"O{i}", [written(i, 1)], written(i + 50, 1)) for i in range(10, 16)]
    assert verifier.measure(Batch.of([problem("A", [same], same + " "), *others]))[0] == 1.0


def test_with_all_features_and_impostors_a_round_is_ruzicka_s_nearest_neighbour():
    batch = few()
    verifier = Kestemont2016(rounds=10, share=1.0, called=200)
    texts = [writing.text.split() for writing in batch.writings]
    vocabulary = sorted({word for text in texts for word in text})
    rows = np.array([[text.count(word) / len(text) for word in vocabulary] for text in texts])
    rows /= np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1)
    for number, (known, unknown) in enumerate([(0, 1), (2, 3), (4, 5)]):
        alike = [np.minimum(rows[unknown], row).sum() / np.maximum(rows[unknown], row).sum() for row in rows]
        rival = max(alike[i] for i in range(6) if i not in (known, unknown))
        assert verifier.measure(batch)[number] == float(alike[known] > rival)


def test_the_curve_of_texts_by_two_falls_more_slowly():
    verifier = Unmasking2019()
    batch = Batch.of(
        [
            problem("same", [written(1, 1, 1500)], written(1, 2, 1500)),
            problem("two", [written(1, 1, 1500)], written(2, 2, 1500)),
        ]
    )
    same, two = verifier.describe(batch, {})[:, : verifier.rounds]
    assert two.mean() > same.mean()


def test_leaving_one_out_by_formula_is_leaving_one_out():
    rng = np.random.default_rng(3)
    rows, labels = rng.normal(size=(12, 4)), np.repeat([1.0, -1.0], 6)
    rows[:6] += 0.5
    right = 0
    for left in range(12):
        rest = np.delete(np.arange(12), left)
        kernel = rows[rest] @ rows[rest].T / 4 + np.eye(11)
        system = np.block([[kernel, np.ones((11, 1))], [np.ones((1, 11)), np.zeros((1, 1))]])
        solved = np.linalg.solve(system, np.append(labels[rest], 0))
        answer = rows[left] @ rows[rest].T @ solved[:11] / 4 + solved[11]
        right += answer * labels[left] > 0
    assert _told_apart(rows, labels)[0] == right / 12


def test_a_problem_is_the_difference_of_scaled_features():
    problems, truth = made_problems(300, 6)
    learned = WeerasingheGreenstadt2020().learn(problems, truth)
    fixed, rows = learned.memory.vocabulary, learned.memory.rows
    word = fixed["function words"][0]
    column = sum(len(fixed[name]) for name in list(fixed)[:5])
    shares = []
    for one in problems:
        for text in (*(k.text for k in one.known), one.unknown.text):
            words = [w for w in text.lower().replace(",", "").split() if w.strip(".;!–?") in FUNCTION_WORDS]
            words = [w.strip(".;!–?") for w in words]
            shares.append(words.count(word) / len(words))
    scaled = (np.array(shares) - np.mean(shares)) / np.std(shares)
    assert rows[0][column] == pytest.approx(abs((scaled[0] + scaled[1]) / 2 - scaled[2]), abs=1e-6)


FUNCTION_WORDS = Batch.of([problem("", [], "the")]).writings[0].pack.function_words


def test_shifting_finds_the_gap_and_leaves_what_is_mixed_open():
    values = np.array([0.1, 0.2, 0.3, 0.45, 0.46, 0.47, 0.48, 0.7, 0.8, 0.9])
    truth = [False, False, False, True, False, True, False, True, True, True]
    answers = Shift.fitted(values, truth).answers(values)
    assert (answers[:3] < 0.5).all()
    assert (answers[7:] > 0.5).all()
