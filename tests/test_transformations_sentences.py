"""Sentences split, merged and simplified, and punctuation: what is proposed, and what is left alone."""

import time

import pytest
from hypothesis import given

from stemmata.model import StemmataError
from stemmata.rewriting import rewritten, transformations
from stemmata.rewriting.punctuation_habits import HABITS, TOGETHER, PunctuationHabits
from stemmata.rewriting.reading import read
from stemmata.rewriting.sentence_joints import SentenceJoints
from stemmata.rewriting.simplification import Simplification
from stemmata.rewriting.transformation import apart
from transformed import STORY, made, odd_texts, versions

pytest.importorskip("HanTa")


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("The rain had stopped, and we went home.", "The rain had stopped. We went home."),
        ("The man was tired of it, but he went on.", "The man was tired of it. But he went on."),
        ("The cat ran away; nobody cared about it.", "The cat ran away. Nobody cared about it."),
        ("We'd seen it before, and it's not good for us.", "We'd seen it before. It's not good for us."),
    ],
)
def test_a_sentence_is_split_where_a_clause_begins(text: str, split: str) -> None:
    assert versions(SentenceJoints(merge=False), text) == [split]


@pytest.mark.parametrize(
    "text",
    [
        "If he comes, and she stays at home, we go.",
        "She said that he was ill, and he went to bed.",
        "We bought apples, and the pears of the man.",
        "I know my mother, her friend, and our cat slept.",
        "He said, “It was late, and we left.”",
        "He left, and then home.",
    ],
)
def test_what_is_no_clause_of_its_own_is_not_split_off(text: str) -> None:
    assert SentenceJoints(merge=False).proposals(text) == []


def test_short_neighbours_become_one() -> None:
    text = "We went home early. It was late."
    assert versions(SentenceJoints(split=False), text) == [
        "We went home early, and it was late.",
        "We went home early; it was late.",
    ]
    assert versions(SentenceJoints(split=False), "He went home early. But she stayed there.") == [
        "He went home early, but she stayed there."
    ]


@pytest.mark.parametrize(
    "text",
    [
        "We went home early. Dogs barked.",
        "We went home early! It was late.",
        "We went home early.\n\nIt was late.",
        "No. It was late.",
        "“We went home early.” It was late.",
    ],
)
def test_neighbours_whose_joint_is_not_sure_stay_apart(text: str) -> None:
    assert SentenceJoints(split=False).proposals(text) == []


def test_long_neighbours_stay_apart() -> None:
    assert SentenceJoints(split=False, most_words=6).proposals("We went home early. It was late.") == []


def test_where_each_sentence_has_its_line_neighbours_can_be_merged() -> None:
    lines = "We went home. \nIt was late. \nNobody came to us."
    assert "We went home; it was late. \nNobody came to us." in versions(SentenceJoints(split=False), lines)
    paragraphs = "We went home. It rained there.\nIt was late. Nobody came to us."
    assert read(lines).line_by_line
    assert not read(paragraphs).line_by_line


def test_parentheses_and_appositions_are_left_out() -> None:
    text = "My uncle, a doctor from Leeds, came (by train) on Monday."
    assert versions(Simplification(), text) == [
        "My uncle came (by train) on Monday.",
        "My uncle, a doctor from Leeds, came on Monday.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "He bought bread, a bottle of milk, and eggs.",
        "The process(es) of (a) and (iv) are here.",
        "He left. (She stayed.) Nobody came.",
        "When he left the house, the dog, which was old, slept.",
        "(by train) he came.",
    ],
)
def test_lists_numbers_and_sentences_of_their_own_stay(text: str) -> None:
    assert Simplification().proposals(text) == []


def test_after_castro_everything_between_commas_goes() -> None:
    text = "He bought bread, a bottle of milk, and eggs."
    assert versions(Simplification(appositions="castro"), text) == ["He bought bread and eggs."]


@pytest.mark.parametrize(
    ("habit", "text", "new"),
    [
        ("serial-comma", "We bought bread, milk and eggs.", "We bought bread, milk, and eggs."),
        ("no-serial-comma", "We bought bread, milk, and eggs.", "We bought bread, milk and eggs."),
        ("opener-comma", "In 1990 he left the town.", "In 1990, he left the town."),
        ("no-opener-comma", "Yesterday, he left.", "Yesterday he left."),
        ("joint-comma", "The dog barked and he woke up.", "The dog barked, and he woke up."),
        ("no-joint-comma", "It was late, but we sang.", "It was late but we sang."),
        ("dash-to-comma", "It was gray — very gray.", "It was gray, very gray."),
        ("dash-to-comma", "The dog – an old one – slept.", "The dog, an old one, slept."),
        ("dash-to-semicolon", "He left – she stayed there.", "He left; she stayed there."),
        ("dash-to-colon", "He had a reason -- he was ill.", "He had a reason: he was ill."),
        ("colon-to-dash", "He had a reason: he was ill.", "He had a reason – he was ill."),
        ("semicolon-to-comma", "It was late; but we sang.", "It was late, but we sang."),
        ("semicolon-to-dash", "It was late; we sang.", "It was late – we sang."),
        (
            "semicolon-to-dash",
            "He came—she left. It was late; we sang.",
            "He came—she left. It was late—we sang.",
        ),
        ("exclamation-to-stop", "It was late!!", "It was late."),
        ("exclamation-to-stop", "“Stop!” he said.", "“Stop,” he said."),
        ("exclamation-to-stop", "Oh no! He cried.", "Oh no. He cried."),
        ("exclamation-to-stop", "Wanted!\n- bread", "Wanted.\n- bread"),
        ("parentheses-to-dashes", "The dog (an old one) slept.", "The dog – an old one – slept."),
        (
            "parentheses-to-dashes",
            "He came—she left. It rained (a bit).",
            "He came—she left. It rained—a bit.",
        ),
        ("asides-to-dashes", "The dog, which was old, slept.", "The dog – which was old – slept."),
        ("single-quotes", '"It\'s late," he said.', "'It's late,' he said."),
        ("single-quotes", "“It’s late,” he said.", "‘It’s late,’ he said."),
        ("double-quotes", "'It's a dog,' he said.", '"It\'s a dog," he said.'),
        ("double-quotes", "‘It’s late,’ he said of rock ’n’ roll.", "“It’s late,” he said of rock ’n’ roll."),
        ("double-quotes", "The '60s, he says, are 'it'.", 'The \'60s, he says, are "it".'),
        ("title-stops", "Mr. Lee and Dr Hu met Mrs. Lee.", "Mr Lee and Dr Hu met Mrs Lee."),
        ("title-stops", "Dr Hu met Mr Lee.", "Dr. Hu met Mr. Lee."),
        ("percent-form", "About 10% or 20 %.", "About 10 percent or 20 percent."),
        ("percent-form", "About 10 per cent, or 20 percent.", "About 10%, or 20%."),
        ("quoted-marks", 'They call it "home," or "a house."', 'They call it "home", or "a house".'),
        ("quoted-marks", "They call it “home”, or “a house”.", "They call it “home,” or “a house.”"),
        ("straight-quotes", "“It’s late.”", '"It\'s late."'),
        ("curly-quotes", "\"It's late,\" he said, 'I'm sure.'", "“It’s late,” he said, ‘I’m sure.’"),
        ("curly-quotes", "Miss 'Opkins is on the 'phone.", "Miss ’Opkins is on the ’phone."),
        ("curly-quotes", "Rock 'n' roll it was.", "Rock ’n’ roll it was."),
        (
            "curly-quotes",
            "It is a 'cause' of it, 'cause I say so.",
            "It is a ‘cause’ of it, ’cause I say so.",
        ),
        ("dash-form", "It was gray—very gray.", "It was gray – very gray."),
        ("dash-form", 'It was "gray"—(very) gray.', 'It was "gray" – (very) gray.'),
        (
            "dash-form",
            "I saw the beach-our beach, a half-hidden one.",
            "I saw the beach – our beach, a half-hidden one.",
        ),
        ("dash-to-comma", "It was a house-the only one.", "It was a house, the only one."),
        ("ellipsis-form", "Well... no.", "Well… no."),
        ("single-space", "It was late.  We left.", "It was late. We left."),
    ],
)
def test_habits_of_punctuation(habit: str, text: str, new: str) -> None:
    assert rewritten(text, PunctuationHabits((habit,)).proposals(text)).text == new


@pytest.mark.parametrize(
    ("habit", "text"),
    [
        ("serial-comma", "In the morning, men and women work."),
        ("serial-comma", "Dogs howled there, grass and leaves wilted."),
        ("serial-comma", "He ate bread, and men and women slept."),
        ("no-serial-comma", "He was late, and she was early."),
        ("opener-comma", "One day that summer we left."),
        ("joint-comma", "He said that he came and she left."),
        ("no-joint-comma", "The old man who lived by the river was late, but we sang."),
        ("exclamation-to-stop", "Why?! x != y"),
        ("exclamation-to-stop", "Oh no! he cried."),
        ("exclamation-to-stop", "He came (at last!) and slept."),
        ("exclamation-to-stop", "Oh no! – that was all."),
        ("colon-to-dash", "Note: bread, milk."),
        ("semicolon-to-dash", "He bought apples; pears; plums."),
        ("semicolon-to-dash", "It was late – very late; we sang."),
        ("parentheses-to-dashes", "He left (see 4), and came (Lee 1990) home."),
        ("asides-to-dashes", "He came, who was late, and left, too."),
        ("parentheses-to-dashes", "The king (or queen), bishop and (ii) the knight (sic) moved."),
        ("asides-to-dashes", "I wonder what he did, where he went, and how he left."),
        ("asides-to-dashes", "They showed us who was rich, who was poor, with care."),
        ("single-quotes", "“He said ‘no’,” she said."),
        ("single-quotes", "“‘Fool,’ he said to me,” said Tom."),
        ("single-quotes", 'It is 42" wide, he says: "wide".'),
        ("double-quotes", "Tell 'im the boys' mother came."),
        ("title-stops", "He saw the Dr. Then he left."),
        ("percent-form", "About 5 per cent. of the men had 50%+ of it, and 5 % 3 is 2."),
        ("quoted-marks", 'He asked "why?". “I know,” he said, “but it is late.” See "this etc." and go.'),
        ("double-quotes", "\"He said 'no',\" she said."),
        ("double-quotes", "'It's the boys' dog,' he said."),
        ("quoted-marks", '"It is late," he said. "We go."'),
    ],
)
def test_punctuation_that_has_its_reason_stays(habit: str, text: str) -> None:
    assert PunctuationHabits((habit,)).proposals(text) == []


def test_every_habit_that_is_taken_together_is_one() -> None:
    assert set(TOGETHER) < set(HABITS)
    assert {edit.kind for edit in PunctuationHabits().proposals(STORY)} <= set(HABITS)


def test_an_unknown_habit_is_refused_with_its_code() -> None:
    with pytest.raises(StemmataError, match="E405"):
        PunctuationHabits(("no-vowels",))
    with pytest.raises(StemmataError, match="E405"):
        Simplification(appositions="all")


@pytest.mark.parametrize("unit", ["and he went ", "; he went", ", and he went there", "dogs, cats and mice "])
def test_the_joints_of_an_endless_sentence_take_no_longer_than_they_must(unit: str) -> None:
    text = "He went there" + unit * (100_000 // len(unit))
    assert len(read(text).sentences) < 10
    before = time.process_time()
    SentenceJoints().proposals(text)
    PunctuationHabits().proposals(text)
    assert time.process_time() - before < 2


@pytest.mark.parametrize("name", ["sentence-joints", "simplification", "punctuation-habits"])
@given(text=odd_texts)
def test_nothing_raises_and_each_proposal_changes_what_it_says(name: str, text: str) -> None:
    edits = transformations[name]().proposals(text)
    assert edits == sorted(edits, key=lambda edit: edit[:2])
    for edit in edits:
        assert 0 <= edit.start <= edit.end <= len(text)
        assert made(text, edit) != text
    assert rewritten(text, apart(edits)).original == text
