"""Our verifier: what it tells apart, alone and in a batch, and what it learns."""

from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest

import stemmata.authorship.statistical.verifier as verifier_module
from stemmata.authorship import verifiers
from stemmata.authorship.batch import Batch
from stemmata.authorship.statistical.comparison import (
    FOLDS,
    NAMES,
    References,
    Surroundings,
    compare,
    compare_apart,
    doubly_standardised,
    recurrence,
    standardised,
)
from stemmata.authorship.statistical.habits import Frames, Layout, Openings, Outlines
from stemmata.authorship.statistical.spaces import ANGLE, LIKELIHOOD, Space
from stemmata.authorship.statistical.training import counting
from stemmata.authorship.statistical.verifier import MANY, StemmataVerifier, Weights, shipped
from stemmata.authorship.writings import Writing
from stemmata.model import Document, LearningVerifier, Problem, StemmataError
from stemmata.text.keeping import Latest

NOUNS = [
    "river",
    "garden",
    "window",
    "letter",
    "morning",
    "soldier",
    "mountain",
    "kitchen",
    "village",
    "market",
    "bridge",
    "winter",
]
VERBS = [
    "opened",
    "carried",
    "followed",
    "noticed",
    "repaired",
    "painted",
    "remembered",
    "crossed",
    "described",
    "measured",
]
STYLES = {
    "plain": ("The {n} was {v}. He {v} the {m}. ", "It was a {n}. She {v} it. "),
    "ornate": (
        "Indeed, the {n}, which had been {v} upon the {m}, was therefore {v}; ",
        "whereas the {n}... ",
    ),
    "asking": ("Why {v} the {n}? And what of the {m}! ", "Who {v} it, though? I don't know! "),
    "listing": (
        "the {n}, the {m}, the {n} and also the {m} were {v} - all of them; ",
        "first the {n}, then: ",
    ),
}


def text(style, seed, size=60):
    random = np.random.default_rng(seed)
    made = ""
    for _ in range(size):
        pattern = STYLES[style][int(random.integers(2))]
        n, m = random.choice(NOUNS, 2)
        made += pattern.format(n=n, m=m, v=random.choice(VERBS))
    return made


def problems(count=24, seed=0):
    """Make problems, the even ones by one author."""
    styles = list(STYLES)
    made = []
    for number in range(count):
        known = styles[number % 4]
        unknown = known if number % 2 == 0 else styles[(number + 1) % 4]
        texts = [Document("k", text(known, seed + 10 * number + i)) for i in range(1 + number % 2)]
        made.append(
            Problem(f"P{number:02}", tuple(texts), Document("u", text(unknown, seed + 10 * number + 9)))
        )
    return made, [number % 2 == 0 for number in range(count)]


@pytest.fixture(scope="module")
def batch():
    return Batch.of(problems()[0])


def test_a_batch_of_made_up_styles_is_told_apart(batch):
    answers = np.array(StemmataVerifier().score(batch))
    truth = np.array(problems()[1])
    assert answers[truth].min() > answers[~truth].max()


def test_it_is_registered_and_learns():
    assert isinstance(verifiers["stemmata"](), LearningVerifier)
    assert verifiers["stemmata-alone"]().alone


def test_what_was_learned_survives_a_trip_through_json(batch):
    import json

    learned = StemmataVerifier().learn(*problems(seed=5000))
    again = StemmataVerifier().recall(json.loads(json.dumps(learned.learned())))
    assert again == learned
    assert again.score(batch) == learned.score(batch)


def test_alone_each_answer_is_the_same_with_and_without_the_others():
    train = problems(seed=7000)
    ready = StemmataVerifier(alone=True).learn(*train)
    some = problems(6)[0]
    together = ready.score(some)
    assert together == pytest.approx([ready.score([one])[0] for one in some])
    truth = np.array(problems(6)[1])
    assert np.array(together)[truth].min() > np.array(together)[~truth].max()


def test_alone_texts_of_others_suffice_where_nothing_was_learned():
    others = tuple(text(style, 9000 + number) for number in range(6) for style in STYLES)
    answers = np.array(StemmataVerifier(alone=True, background=others).score(problems(6)[0]))
    truth = np.array(problems(6)[1])
    assert answers[truth].min() > 0.5 > answers[~truth].max()


def test_alone_it_must_have_learned():
    with pytest.raises(StemmataError, match="E821"):
        StemmataVerifier(alone=True).score(problems(2)[0])


def test_one_kind_of_answers_teaches_nothing():
    with pytest.raises(StemmataError, match="E820"):
        StemmataVerifier().learn(problems(4)[0], [True] * 4)


@pytest.mark.parametrize(
    ("known", "unknown"),
    [((), "Some text."), (("Some text.",), ""), (("",), ""), (("one",), "one"), (("\x00\x01",), "�")],
)
def test_what_cannot_be_compared_gets_no_answer_and_no_error(batch, known, unknown):
    odd = Problem("odd", tuple(Document("k", one) for one in known), Document("u", unknown))
    (*_, answer) = StemmataVerifier().score([*batch, odd])
    assert 0 <= answer <= 1
    if not known:
        assert answer == 0.5


def test_a_problem_by_itself_gets_no_answer():
    assert StemmataVerifier().score(problems(1)[0]) == [0.5]
    assert StemmataVerifier().score([]) == []


def test_rows_are_named_and_finite(batch):
    rows = compare(batch)
    assert rows.shape == (len(batch), len(NAMES))
    assert np.isfinite(rows).all()
    assert len(set(NAMES)) == len(NAMES) == len(shipped().values) == len(Weights.equal().values)


def test_references_of_others_give_rows_too(batch):
    rows = compare(batch, References.of(Batch.of(problems(seed=900)[0])))
    truth = np.array(problems()[1])
    assert rows[truth].mean() > rows[~truth].mean()


def test_problems_judged_alone_that_come_again_are_not_compared_again(batch, monkeypatch):
    references = References.of(Batch.of(problems(seed=900)[0]))
    rows = compare(batch, references)
    changed = [*batch][:3]
    changed[1] = replace(changed[1], unknown=Document("u", text("plain", 77)))
    plain = compare(Batch.of(changed), References.of(Batch.of(problems(seed=900)[0])))
    asked = []
    numbers = Surroundings.numbers_alone
    monkeypatch.setattr(
        Surroundings,
        "numbers_alone",
        lambda around, respect: (
            asked.append([len(one) for one, _ in around.sides]) or numbers(around, respect)
        ),
    )
    again = compare(Batch.of(changed), references)
    assert again == pytest.approx(plain)
    assert again[[0, 2]].tolist() == rows[[0, 2]].tolist()
    assert again[1].tolist() != rows[1].tolist()
    assert all(one[1] and not one[0] and not one[2] for one in asked)
    asked.clear()
    assert compare(batch, references).tolist() == rows.tolist()
    assert not asked


def test_the_spaces_of_a_few_backgrounds_are_kept_without_what_was_counted(monkeypatch):
    monkeypatch.setattr(verifier_module, "_references", Latest(2))
    sets = [tuple(text(style, seed + n) for style in STYLES for n in range(2)) for seed in (10, 20, 30)]
    some = problems(4)[0]
    first, *_ = answers = [StemmataVerifier(alone=True, background=one).score(some) for one in sets]
    assert len({tuple(one) for one in answers}) == 3
    kept = verifier_module._references
    assert len(kept) == 2
    assert StemmataVerifier(alone=True, background=sets[2]).references().batch._made == {}
    assert StemmataVerifier(alone=True, background=sets[0]).score(some) == first


def test_what_is_learned_from_is_compared_as_what_is_judged_alone(batch):
    fold = [crc32(problem.known[0].text.encode()) % FOLDS for problem in batch]
    others = [problem for problem, one in zip(batch, fold, strict=True) if one != fold[0]]
    alone = compare(Batch.of([batch[0]]), References.of(Batch.of(others)))
    assert compare_apart(batch)[0] == pytest.approx(alone[0])


def test_where_all_problems_share_texts_they_are_learned_from_together():
    made, _ = grid()
    batch = Batch.of(made)
    assert compare_apart(batch)[:, :-1] == pytest.approx(compare(batch, roles=False)[:, :-1])


def test_alone_the_texts_of_a_problem_say_what_is_usual_too(batch):
    references = References.of(Batch.of(problems(seed=900)[0]))
    around = Surroundings.of(batch, references)
    mine, theirs = around.rows(0)
    own = mine[[int(batch.unknown[0]), *batch.known[0]]]
    space = around.space(0, 0, mine)
    assert space.mean == pytest.approx(np.vstack([theirs, own]).mean(axis=0))
    assert space.spread == pytest.approx(np.vstack([theirs, own]).std(axis=0))
    itself = Surroundings.of(references.batch, References.of(Batch.of(list(references.batch))))
    assert itself.space(0, 0, theirs) is itself.references.spaces[0]


def test_two_texts_of_others_have_nothing_above_the_usual():
    styles = list(STYLES)
    texts = [Document(str(i), text(styles[i % 4], 400 + i)) for i in range(24)]
    references = References.of(Batch.of([Problem(one.name, (one,), one) for one in texts]))
    pairs = [Problem(str(i), (texts[i],), texts[i + 1 + i % 3]) for i in range(20)]
    rows = compare(Batch.of(pairs), references)
    assert abs((rows - references.usual)[:, :-1].mean()) < abs(rows[:, :-1].mean())
    few = References.of(Batch.of([Problem("A", (texts[0],), texts[1])]))
    assert not few.usual.any()


def test_references_may_be_some_texts_of_a_batch(batch):
    some = np.arange(0, len(batch.writings), 2)
    space = References.of(batch, some).spaces[0]
    alike = Batch([Problem("", (one,), one) for one in (Document("", batch.writings[i].text) for i in some)])
    same = References.of(alike).spaces[0]
    assert set(space.columns) == set(same.columns)
    assert sorted(space.mean) == pytest.approx(sorted(same.mean))
    assert space.counted(batch.counts(space.family))[some].sum(axis=1) == pytest.approx(np.ones(len(some)))


def test_a_one_sided_batch_is_not_split_in_half():
    same = [one for one, yes in zip(*problems(2 * MANY), strict=True) if yes]
    assert len(same) >= MANY
    answers = StemmataVerifier(weights=Weights((1.0,) * len(NAMES), 0.0)).score(same)
    assert np.mean(np.array(answers) > 0.5) > 0.9


def grid():
    """Make a grid of problems: each of eight unknown texts with each of eight known ones, two of a style."""
    known = [(style, text(style, 50 + i)) for i in range(2) for style in STYLES]
    unknown = [(style, text(style, 80 + i)) for i in range(2) for style in STYLES]
    cells = [(k, u) for k in known for u in unknown]
    made = [
        Problem(f"G{number:02}", (Document("k", k[1]),), Document("u", u[1]))
        for number, (k, u) in enumerate(cells)
    ]
    return made, np.array([k[0] == u[0] for k, u in cells])


def test_texts_recur_in_a_grid_but_not_where_each_problem_has_its_own(batch):
    assert recurrence(batch) == 0
    assert recurrence(Batch.of(grid()[0])) == 1
    assert recurrence(Batch.of([])) == 0


def test_in_a_grid_texts_of_one_author_are_like_the_same_texts():
    made, truth = grid()
    second = compare(Batch.of(made))[:, -1]
    assert second[truth].min() > second[~truth].max()
    assert not compare(Batch.of(made), roles=False)[:, -1].any()


def test_without_the_second_order_its_number_says_nothing():
    made, _ = grid()
    rows = compare(Batch.of(made))
    weights = Weights((*(0.0,) * (len(NAMES) - 1), 1.0), 0.0)
    assert np.ptp(StemmataVerifier(weights=weights).answers(rows)) > 0
    assert np.ptp(StemmataVerifier(weights=weights, second_order=False).answers(rows)) == 0


def test_a_similarity_is_standardised_on_both_sides():
    alike = np.array([0.5, 0.7])
    value = standardised(alike, np.array([0.1, 0.3]), np.array([[0.2, 0.4], [0.1, 0.3]]))
    first = (alike - 0.2) / 0.1
    second = (alike - np.array([0.3, 0.2])) / 0.1
    assert value == pytest.approx(((first + second) / 2).mean())


def test_double_standardisation_leaves_texts_themselves_out():
    similar = np.array([[1.0, 0.2, 0.4], [0.2, 1.0, 0.6], [0.4, 0.6, 1.0]])
    made = doubly_standardised(similar)
    assert made == pytest.approx(made.T)
    assert made.diagonal().tolist() == [0, 0, 0]
    assert made[0, 1] == pytest.approx(-1.0)
    assert doubly_standardised(np.ones((1, 1))).tolist() == [[0.0]]


def test_likelihood_is_what_each_text_makes_likely_in_the_other():
    batch = Batch.of([Problem("A", (Document("k", "a b, c. d."),), Document("u", "a; b. c; d"))])
    family = Frames(1)
    space = Space.of(batch.counts(family), family, 10)
    rows = space.rows(batch)
    x, y = rows
    mean = rows.mean(axis=0)
    expected = (x @ np.log(1 + y / mean) + y @ np.log(1 + x / mean)) / 2
    assert space.similarities(rows, rows, LIKELIHOOD)[0, 1] == pytest.approx(expected)
    assert space.similarities(rows, rows, ANGLE)[0, 1] == pytest.approx(-1.0)


def test_habits_are_counted_as_they_are_described():
    writing = Writing("The DOG ran.  It saw 12 cats!\n\nDogs run.")
    assert Openings().count(writing) == {"the": 1, "it": 1, "*": 1}
    assert Layout(3).count(writing) == {".  ": 1, "  a": 1, "a!\n": 1, "!\n\n": 1, "\n\na": 1, "\na ": 1}
    assert Outlines(4).count(Writing("The DOG.")) == {"Aa A": 1, "a A.": 1}
    assert Frames(2).count(Writing("the dog"))["the NOUN"] == 1


def test_weights_learned_from_little_stay_near_equal_ones():
    few = np.zeros((2, len(NAMES)))
    few[0, 3] = 1.0
    learned = Weights.fitted(few, [True, False], 0.003)
    assert learned.values[3] > Weights.equal().values[3]
    assert learned.values == pytest.approx(Weights.equal().values, abs=0.01)


def test_where_answers_turn_is_learned_freely_and_sets_count_alike():
    rows = np.zeros((40, len(NAMES)))
    truth = [True] * 30 + [False] * 10
    assert Weights.fitted(rows, truth, 0.003).offset == pytest.approx(np.log(3), abs=1e-4)
    even = Weights.fitted(rows, truth, 0.003, np.array([1.0] * 30 + [3.0] * 10))
    assert even.offset == pytest.approx(0.0, abs=1e-4)
    assert counting([100, 200]).sum() == pytest.approx(200)


def test_few_problems_move_little_where_answers_are_likely_to_turn():
    rows = np.zeros((400, len(NAMES)))
    truth = [True, True, True, False] * 100
    few, many = (Weights.fitted(rows[:n], truth[:n], 0.003, turning=-1.0).offset for n in (4, 400))
    assert few == pytest.approx(0.0, abs=1e-4)
    assert np.log(3) - 0.05 < many < np.log(3)
