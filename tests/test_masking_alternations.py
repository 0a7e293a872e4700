"""Alternations: constructions change places with others, where the words around allow it."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from stemmata.masking.constraints import faults
from stemmata.masking.guided.alternations import alternations

MADE = [
    ("coordination", "We bought bread and cheese.", "bread and cheese", "cheese and bread"),
    ("coordination", "It was a cold and wet day.", "cold and wet", "wet and cold"),
    ("coordination", "It was a long, dark night.", "long, dark", "dark, long"),
    ("clause-order", "When it rained, we left.", "When it rained, we left", "We left when it rained"),
    ("adverb-order", "Suddenly he rose from his chair.", "Suddenly he", "He suddenly"),
    ("adverb-order", "She gently opened the door.", "gently opened the door", "opened the door gently"),
    ("speaker-order", '"No," said he, and left.', "said he", "he said"),
    ("speaker-order", '"No," the old man replied.', "the old man replied", "replied the old man"),
    ("genitive", "We saw the house of my father.", "the house of my father", "my father's house"),
    ("genitive", "We saw my father's house.", "my father's house", "the house of my father"),
    ("object-order", "She gave him a book.", "him a book", "a book to him"),
    ("object-order", "She gave a book to him.", "a book to him", "him a book"),
    ("object-order", "He took off his hat.", "off his hat", "his hat off"),
    ("tense", "We saw that he had gone home.", "had gone", "went"),
    ("tense", "He was walking home.", "was walking", "walked"),
    ("infinitive", "They began to walk home.", "to walk", "walking"),
    ("infinitive", "They began walking home.", "walking", "to walk"),
    ("participle", "He looked at us and smiled.", " and smiled", ", smiling"),
    ("relative", "The man who was standing there left.", "who was ", ""),
    ("shared", "He rose and he left the room.", "he ", ""),
    ("auxiliary", "From there I could see the sea.", "could see", "saw"),
    ("auxiliary", "He seemed to be happy.", " to be", ""),
    ("demonstrative", "We saw a house. Nobody knew this house.", "this", "the"),
    ("omission", "It was a very old story.", "a very ", "an "),
    ("omission", "She is quite happy.", "quite ", ""),
    ("opening", "We waited. And he came at last.", "And h", "H"),
]


@pytest.mark.parametrize(("kind", "text", "old", "new"), MADE)
def test_each_alternation_is_proposed_at_its_exact_place(kind: str, text: str, old: str, new: str) -> None:
    found = [
        (text[edit.start : edit.end], edit.replacement) for edit in alternations(text) if edit.kind == kind
    ]
    assert (old, new) in found


UNTOUCHED = [
    ("coordination", "The ladies and gentlemen were black and white."),
    ("coordination", "He saw John and Mary."),
    ("coordination", "They ate bread and butter pudding."),
    ("clause-order", "When John came, he left."),
    ("clause-order", "When it rained, we left, and they stayed."),
    ("genitive", "It was the top of a hill."),
    ("object-order", "She gave him to the men."),
    ("tense", "If he had gone, I would know."),
    ("tense", "We were going to stay."),
    ("infinitive", "He wanted to walk home."),
    ("demonstrative", "Nobody knew this house."),
    ("omission", "It was so cold that we left."),
    ("omission", "He is not very happy."),
    ("omission", "There were so many men."),
]


@pytest.mark.parametrize(("kind", "text"), UNTOUCHED)
def test_where_the_words_around_forbid_it_nothing_is_proposed(kind: str, text: str) -> None:
    assert [edit for edit in alternations(text) if edit.kind == kind] == []


def test_edits_are_in_order_change_something_and_leave_the_writing_sound() -> None:
    text = " ".join(text for _, text, _, _ in MADE)
    edits = alternations(text)
    assert edits == sorted(set(edits))
    assert {edit.kind for edit in edits} >= {kind for kind, _, _, _ in MADE}
    for edit in edits:
        assert text[edit.start : edit.end] != edit.replacement
        assert faults(text[: edit.start] + edit.replacement + text[edit.end :]) <= faults(text)


@pytest.mark.parametrize(
    "text", ["", " ", "x", "And", "and and and", "he had", "\n\n.", "'s of the", "👍 very 1"]
)
def test_scraps_are_read_without_harm(text: str) -> None:
    assert all(0 <= edit.start <= edit.end <= len(text) for edit in alternations(text))


def test_no_small_word_changes_a_negation_or_a_number_or_stands_for_itself() -> None:
    said = tomllib.loads((files("stemmata.masking.guided") / "small_words.toml").read_text("utf-8"))
    pairs = [(one, other) for one, others in said["one-way"].items() for other in others]
    for row in said["groups"]:
        members = row.split(" / ")
        assert len(set(members)) == len(members) > 1
        pairs += [(one, other) for one in members for other in members if one != other]
    negation = re.compile(r"\b(?:not|no|never|nothing|nobody|nor|without|cannot|hardly|scarcely|barely)\b")
    for one, other in pairs:
        assert one == one.strip() != other
        assert bool(negation.search(one)) == bool(negation.search(other)), (one, other)
