"""What the verifiers of PAN 2014 and 2015 have in common: authors are told apart, bad input is answered."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from made_up_authors import ODD_PROBLEMS, made_up_problems
from stemmata.authorship import verifiers
from stemmata.authorship.batch import Batch
from stemmata.authorship.evolution import area
from stemmata.model import LearningVerifier, StemmataError, Verifier

OF_2014 = (
    *("khonji14", "castillojuarez14", "mezaruiz14", "zamani14", "singh14", "modaresi14"),
    *("frery14", "moreau14"),
)
OF_2015 = (
    *("bagnall15", "castro15", "markov15", "mezaruiz15", "posadasduran15"),
    *("bartoli15", "nissim15", "ghosh15", "mechti15", "moreau15", "kiprov15"),
    *("pacheco15", "pimas15", "sari15", "solorzanosoto15"),
)
SMALL = {
    "bagnall15": {"hidden": 16, "longest": 1500},
    "moreau15": {"rounds": 2, "kept": 200},
    "pacheco15": {"trees": 40},
    "bartoli15": {"trees": 5},
}
"""Settings under which forests and networks take little time."""
LEAST = dict.fromkeys(OF_2014, 0.8) | dict.fromkeys(OF_2015, 0.7) | {"markov15": 0.6}
"""Which AUC is expected; `markov15` says yes or no, and mostly yes: few pairs can be told apart."""


def made(name: str) -> Verifier:
    """Return a verifier that has not learned."""
    return verifiers[name](**SMALL.get(name, {}))


def learning(name: str) -> LearningVerifier:
    """Return a verifier that has not learned and can."""
    verifier = made(name)
    assert isinstance(verifier, LearningVerifier)
    return verifier


@cache
def ready(name: str) -> Verifier:
    """Return a verifier that has learned if it must."""
    verifier = made(name)
    return verifier.learn(*_lessons()) if isinstance(verifier, LearningVerifier) else verifier


@cache
def _lessons() -> tuple[Batch, list[bool]]:
    first, second = made_up_problems(100), made_up_problems(201)
    return Batch.of(first[0] + second[0]), first[1] + second[1]


@pytest.fixture(scope="module")
def batch() -> Batch:
    """Return problems analysed once for all."""
    return Batch.of(made_up_problems()[0])


NAMES = OF_2014 + OF_2015
TRAINED = tuple(name for name in NAMES if isinstance(made(name), LearningVerifier))


@pytest.mark.parametrize("name", NAMES)
def test_own_texts_score_higher_than_those_of_others(name: str, batch: Batch) -> None:
    scores = np.array(ready(name).score(batch))
    assert area(scores, np.array(made_up_problems()[1])) >= LEAST[name]
    assert ((scores >= 0) & (scores <= 1)).all()


@pytest.mark.parametrize("name", NAMES)
def test_odd_problems_are_answered_and_silent_sides_are_not(name: str) -> None:
    verifier = ready(name)
    scores = verifier.score(ODD_PROBLEMS)
    assert len(scores) == len(ODD_PROBLEMS)
    assert all(0 <= score <= 1 for score in scores)
    assert scores[:3] == [0.5, 0.5, 0.5]
    assert verifier.score([]) == []
    assert verifier.score(ODD_PROBLEMS[:1]) == [0.5]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_answers_again_whatever_was_analysed_before(name: str, batch: Batch) -> None:
    assert ready(name).score(batch) == ready(name).score(list(batch))


@pytest.mark.parametrize("name", TRAINED)
def test_what_was_learned_goes_through_json(name: str, batch: Batch) -> None:
    verifier = ready(name)
    assert isinstance(verifier, LearningVerifier)
    again = learning(name).recall(json.loads(json.dumps(verifier.learned())))
    assert again.score(batch) == verifier.score(batch)


@pytest.mark.parametrize("name", TRAINED)
@pytest.mark.parametrize("answer", [True, False])
def test_nothing_is_learned_from_answers_that_are_all_alike(name: str, answer: bool) -> None:
    with pytest.raises(StemmataError, match="E820"):
        learning(name).learn(made_up_problems()[0], [answer] * 10)


@pytest.mark.parametrize("name", TRAINED)
def test_nothing_can_be_scored_before_it_was_learned(name: str) -> None:
    with pytest.raises(StemmataError, match="E821"):
        learning(name).score(ODD_PROBLEMS)
