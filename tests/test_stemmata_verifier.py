"""Our verifier: what it tells apart, alone and in a batch, and what it learns."""

import numpy as np
import pytest

from stemmata.authorship import verifiers
from stemmata.authorship.batch import Batch
from stemmata.authorship.statistical.comparison import NAMES, References, compare
from stemmata.authorship.statistical.verifier import MANY, StemmataVerifier, Weights, shipped
from stemmata.model import Document, LearningVerifier, Problem, StemmataError

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
    assert len(set(NAMES)) == len(NAMES) == len(shipped().values)


def test_references_of_others_give_rows_too(batch):
    rows = compare(batch, References.of(Batch.of(problems(seed=900)[0])))
    truth = np.array(problems()[1])
    assert rows[truth].mean() > rows[~truth].mean()


def test_a_one_sided_batch_is_not_split_in_half():
    same = [one for one, yes in zip(*problems(2 * MANY), strict=True) if yes]
    assert len(same) >= MANY
    answers = StemmataVerifier(weights=Weights((1.0,) * len(NAMES), 0.0)).score(same)
    assert np.mean(np.array(answers) > 0.5) > 0.9
