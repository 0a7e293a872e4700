"""Light words: they are put in where a sentence says nearly the same with them, and nowhere else."""

from __future__ import annotations

import pytest

from stemmata.masking.guided.alternation_words import Words
from stemmata.masking.guided.light_words import LIGHT_WORD, light_words
from stemmata.rewriting.reading import read

PUT_IN = [
    ("behind a form of be", "It was cold in the house.", "It was quite cold in the house."),
    ("of a statement", "It was a mistake.", "It was indeed a mistake."),
    ("of a statement today", "This is a good reason.", "This is of course a good reason."),
    ("of what there is", "There is a reason.", "There is certainly a reason."),
    ("of a noun", "The house was cold.", "The house was quite cold."),
    ("of a perfect", "They have made a mistake.", "They have indeed made a mistake."),
    ("behind a modal verb", "We would help them.", "We would certainly help them."),
    ("adding", "It is quick. They can carry us.", "It is quick. They can also carry us."),
    ("adding", "It rained. This makes it worse.", "It rained. This also makes it worse."),
    ("behind which", "He left, which means that we can go.", "He left, which also means that we can go."),
    ("because", "We stayed because it was cold.", "We stayed because it was certainly cold."),
    ("what is felt", "I want to know it.", "I really want to know it."),
    ("what was felt", "She wanted to know it.", "She really wanted to know it."),
    ("what is shown", "This shows that he is right.", "This clearly shows that he is right."),
    ("what follows", "He rose. He opened the door.", "He rose. He then opened the door."),
    ("in a half", "It rained, but we would help them.", "It rained, but we would certainly help them."),
]  # fmt: skip


def written(text: str) -> list[str]:
    """Return what a text becomes by each light word that may be put in."""
    edits = list(light_words(Words(read(text))))
    assert {edit.kind for edit in edits} <= {LIGHT_WORD}
    return [text[: edit.start] + edit.replacement + text[edit.end :] for edit in edits]


@pytest.mark.parametrize(("where", "text", "new"), PUT_IN)
def test_each_place_has_its_light_words(where: str, text: str, new: str) -> None:
    assert new in written(text), where


@pytest.mark.parametrize(
    ("why", "text"),
    [
        ("denied", "It was not cold. He never saw it. I don't want it."),
        ("asked", "Is it cold? You would help them?"),
        ("supposed", "We stay if it is cold."),
        ("compared", "He is as old as she is."),
        ("light already", "It was very cold. I really want it. They can also see it."),
        ("a participle", "The hall was lit."),
        ("a birth", "He was born in March."),
        ("names", "It was Mary. The winner is French."),
        ("no subject", "Cold was the night."),
        ("a clitic", "It's cold. They've gone."),
        ("wanted with a modal verb", "I should like a cup of tea."),
    ],
)
def test_the_rest_stays_as_it_is(why: str, text: str) -> None:
    assert written(text) == [], why


@pytest.mark.parametrize(
    ("text", "light"),
    [
        ("It was cold enough to stay in. The tea is hot and sweet.", "quite"),
        ("The old man was dead. He was able to come.", "quite"),
        ("He opened the door.", "then"),
        ("When he came, she slept. He opened the door when it rang.", "then"),
        ("He sat down. He knew the house.", "then"),
        ("They can carry many people.", "also"),
        ("It was late. I can carry many people.", "also"),
        ("The hall was a mess.", "of course"),
        ("He thought it safe.", "really"),
    ],
)
def test_a_light_word_stands_only_where_it_says_nothing_new(text: str, light: str) -> None:
    assert not [one for one in written(text) if f" {light} " in one]


def test_a_thing_has_no_degree() -> None:
    assert "It was quite bad." in written("It was bad.")
    assert "It was quite bad luck." not in written("It was bad luck.")


@pytest.mark.parametrize("text", ["", "And he", "but it was", "which is a", "He was cold", "\n\n?"])
def test_scraps_are_read_without_harm(text: str) -> None:
    written(text)
