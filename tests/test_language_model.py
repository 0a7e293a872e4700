"""The small language model: what texts have in common is computed once, and comes to the same."""

from __future__ import annotations

import numpy as np
import pytest

from stemmata.model import StemmataError
from stemmata.text.language_model import LanguageModel, installed_model

SENTENCE = "The old man walked slowly to the harbour, and nobody saw him go."


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    try:
        return installed_model()
    except StemmataError as error:
        pytest.skip(str(error))


def test_what_variants_have_in_common_is_computed_once_and_right(model: LanguageModel) -> None:
    tokens = model.encode(SENTENCE)
    alone = model.likelihoods(SENTENCE).log_probability
    whole, rest, none = model.continuations([([], tokens), (tokens[:4], tokens[4:]), (tokens[:2], [])])
    assert np.allclose(whole, alone, atol=1e-4)
    assert np.allclose(rest, alone[4:], atol=1e-4)
    assert none.tolist() == []


def test_many_rows_are_as_likely_as_each_alone(model: LanguageModel) -> None:
    texts = [
        f"{SENTENCE} {word} {SENTENCE}"
        for word in ["So", "Then", "And", "But", "Now", "Yet", "Here", "There"]
    ]
    rows = [(tokens[:3], tokens[3:]) for tokens in map(model.encode, texts)]
    assert sum(len(one) + len(other) for one, other in rows) > 150
    for together, row in zip(model.continuations(rows), rows, strict=True):
        assert np.allclose(together, model.continuations([row])[0], atol=1e-4)


def test_texts_that_have_nothing_in_common_are_computed_together_and_right(model: LanguageModel) -> None:
    beginnings = [f"{name} went {way}." for name in ("Anna", "The cook", "Nobody") for way in ("home", "on")]
    rows = [
        (model.encode(f"{one} {SENTENCE * (1 + number % 3)}"), model.encode(f" It was {end}."))
        for number, one in enumerate(beginnings)
        for end in ("late", "too late", "gelid")
    ]
    assert sum(len(one) + len(other) for one, other in rows) > 600
    for together, row in zip(model.continuations(rows), rows, strict=True):
        assert np.allclose(together, model.continuations([row])[0], atol=1e-3)
