"""Commas that no rule knows: which a language model is asked about, and what they may cost at a strength."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.masking.guided.choosing import Limits
from stemmata.masking.guided.loose_commas import LOOSE_COMMA
from stemmata.masking.guided.masker import limits_at, proposals
from stemmata.masking.guided.quiet_commas import QUIET_COMMA, quiet_commas
from stemmata.rewriting.reading import read


def without(text: str, every: bool = False) -> set[str]:
    """Return a text without each of its quiet commas in turn."""
    return {text[: edit.start] + text[edit.end :] for edit in quiet_commas(read(text), every)}


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("We came on time, but our plane was late.", "We came on time but our plane was late."),
        ("The wind rose again, and the walls shook.", "The wind rose again and the walls shook."),
        ("As the night fell, the people went home.", "As the night fell the people went home."),
        (
            "They reached the hills, bearing her child with them.",
            "They reached the hills bearing her child with them.",
        ),
        ("Suddenly, I dropped the book on the floor.", "Suddenly I dropped the book on the floor."),
        ("But, at other times I am rather shy.", "But at other times I am rather shy."),
        ("The best way to learn it, is to stay there.", "The best way to learn it is to stay there."),
        ("It is not common here, except for one or two.", "It is not common here except for one or two."),
    ],
)
def test_a_comma_that_no_rule_knows_may_be_quiet(text: str, new: str) -> None:
    assert new in without(text)


@pytest.mark.parametrize(
    "text",
    [
        "He rose, she sat down at once.",
        "It was true, he said, but we left early.",
        "However, these things seldom help.",
        "Well, when do you think we go?",
        "Paul, the youngest of them, slept.",
        "The king, in a sudden fit of anger, began to shout.",
        "The boy, who was tired, slept all day.",
        "I saw the house, which he had sold.",
        "He bought pens, paper and ink in town.",
        "When I read a newspaper, a magazine or a book I stop.",
        "Come here, my old friend.",
        "We met in Leight, Massachusetts, last year.",
        "He rose and, as it was late, left.",
        "It is very, very cold out there.",
        "Yes, we have seen it before.",
        "They were glad, truly glad, glad to be home.",
        "All day he read on, now and then he halted to eat.",
        "My God Hiriam, the old man over there has fallen.",
        "They did not stay at home that day, because it rained so hard that nobody could sleep.",
    ],
)
def test_commas_of_pairs_lists_calls_names_and_sentences_are_not_quiet(text: str) -> None:
    assert without(text) == set()


def test_beyond_half_strength_every_comma_between_words_is_asked_about() -> None:
    text = "Paul, the youngest, slept. He paid 1,000 marks, 12 of them twice. (It rained), they said."

    def asked(strength: float) -> int:
        return sum(edit.kind == QUIET_COMMA for edit in proposals(text, strength))

    assert asked(0.5) == 0
    # Those beside a figure or a bracket are left alone.
    assert asked(0.75) == asked(1.0) == len(without(text, every=True)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "It is late, isn't it?",
        "They did not go, did they?",
        "It rained, rained all day and all night.",
        "He walked on and on, on and on until it was dark.",
    ],
)
def test_no_strength_asks_about_what_is_said_twice_or_asked_back(text: str) -> None:
    assert without(text, every=True) == set()


def test_what_a_quiet_comma_may_take_grows_beyond_half_strength() -> None:
    taken = [limits_at(strength).most(QUIET_COMMA) for strength in (0.0, 0.25, 0.5, 0.75, 1.0)]
    assert taken == [0.5, 1.0, 1.0, 4.5, 8.0]
    assert limits_at(0.5).most(LOOSE_COMMA) == 4.0
    assert all(limits_at(one).most(LOOSE_COMMA) >= limits_at(one).most(QUIET_COMMA) for one in (0.5, 0.75, 1))


def test_no_limit_lets_a_comma_take_more_than_any_edit_may() -> None:
    assert Limits(nats=0.2, comma_nats=8.0).most(QUIET_COMMA) == 0.2


@given(st.text(alphabet="aI ,.;:\n—(“'", max_size=60), st.booleans())
def test_whatever_the_text_single_commas_are_left_out(text: str, every: bool) -> None:
    for start, end, new, kind in quiet_commas(read(text), every):
        assert (text[start:end], new, kind) == (",", "", QUIET_COMMA)
