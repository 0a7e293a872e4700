"""Alternations: constructions change places with others, where the words around allow it."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from stemmata.masking.constraints import faults
from stemmata.masking.guided.alternation_verbs import verb_form
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
    ("tense", "We slept when he had gone home.", "had gone", "went"),
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
    ("coordination", "He stood by her through thick and thin."),
    ("coordination", "He saw John and Mary."),
    ("coordination", "They ate bread and butter pudding."),
    ("clause-order", "When John came, he left."),
    ("clause-order", "When it rained, we left, and they stayed."),
    ("genitive", "It was the top of a hill."),
    ("object-order", "She gave him to the men."),
    ("tense", "If he had gone, I would know."),
    ("tense", "We were going to stay."),
    ("relative", "The people who are supposed to lead us left."),
    ("infinitive", "He wanted to walk home."),
    ("demonstrative", "Nobody knew this house."),
    ("omission", "It was so cold that we left."),
    ("omission", "He is not very happy."),
    ("omission", "There were so many men."),
    ("opening", "She went out. Now she stays at home."),
    ("opening", "We never know. So it is said in the books."),
    ("tense", "When the children have reached it, she leaves."),
    ("omission", "He would almost certainly have come."),
]


@pytest.mark.parametrize(("kind", "text"), UNTOUCHED)
def test_where_the_words_around_forbid_it_nothing_is_proposed(kind: str, text: str) -> None:
    assert [edit for edit in alternations(text) if edit.kind == kind] == []


WRONG = {
    "object-order": (
        "He took off her hat and coat.",
        "She took her hat off and coat.",
        "She gave me some bread and cheese.",
        "He threw away the old books and papers.",
        "We turned down the road.",
        "She pointed out the window.",
        "They set out the next morning.",
        "He showed her the house he had bought.",
        "He gave me the chance to speak.",
        "He took off his hat, coat and gloves.",
        "The boy was taken off the list.",
        "He gave the book to her mother.",
        "He found something to put on his list.",
    ),
    "genitive": (
        "The house of my father and mother was old.",
        "We knew the love of his wife and child.",
        "The rest of the world slept.",
        "We met my wife's sister Ann.",
        "We saw the king's horse and carriage.",
        "It was the house of my uncle Toby.",
        "The face of the man in the corner was pale.",
        "The sight of the man frightened her.",
        "The end of the world is near.",
    ),
    "shared": (
        "He lost his hat and his wife laughed.",
        "He left the house and the dog barked.",
        "I know he lied but he stayed.",
        "He spoke of love and of course she left.",
        "He lived in France and in fact he died.",
        "He went to London and to see him.",
        "I hope my wife and I shall come.",
        "It was not the king but the queen.",
        "They paid the debt and the Bank.",
    ),
    "tense": (
        "He was dying in the street.",
        "His hobby was fishing.",
        "The problem was finding a way.",
        "The book was missing from the shelf.",
        "He has got two sons.",
        "She has lived here for ten years.",
        "He had been to London.",
        "They have known it since May.",
        "I have already seen it.",
        "She had never seen the sea.",
        "Would he have gone there?",
        "They were singing and dancing there.",
        "He had risen and gone out.",
        "He was lying on the bed.",
        "She asked why he was visiting them.",
        "The bird had flown away.",
        "We saw that he had gone home.",
        "Hitherto those who had come were friends.",
        "Later bands have taken much from them.",
    ),
    "adverb-order": (
        "He hardly slept.",
        "He nearly fell.",
        "She barely spoke to us.",
        "She only smiled.",
        "The train arrived early.",
        "The boy behaved badly.",
        "He carefully read the letter from home.",
        "The paper came daily.",
        "He breathed slowly and quietly.",
        "She quite suddenly laughed.",
    ),
    "omission": (
        "He would rather stay at home.",
        "He'd rather stay at home.",
        "Every now and then he came.",
        "They ate, drank and so on until night.",
        "She came up with an idea.",
        "He came down with a cold.",
        "They ate all the bread.",
        "Plants grow and some animals eat grass.",
        "He was treated fairly by the judge.",
        "They saw both the men.",
        "He explained it clearly to us.",
        "She was brought up in London.",
        "He is so tall and so strong.",
    ),
    "infinitive": (
        "I'd like to go home.",
        "I’d like to go home.",
        "Would you like to come home?",
        "I would really love to see it.",
        "He prefers walking to running.",
        "They began to walk and sing.",
        "She began to understand him.",
    ),
    "participle": (
        "He rose, dressed and left.",
        "He said he came and went.",
        "If he came and asked, I would know.",
        "He said little, according to the law.",
        "We saw the river, shining in the sun.",
        "She met a man, carrying a bag.",
        "He took the money and ran.",
    ),
    "relative": (
        "He asked the girl who she was.",
        "It was the king who killed him.",
        "It was the king who was killed in the war.",
        "The man who was dying smiled.",
    ),
    "auxiliary": (
        "If I could see you, I would be happy.",
        "They spoke so that they could hear it.",
        "He seems to be here.",
        "I wish I could see it.",
        "He wasn't able to find it.",
        "They seem to be old men.",
        "We could see and hear them.",
    ),
    "clause-order": (
        "As you know, he is ill.",
        "As I said, he is ill.",
        "Because it rained, we did not go.",
        "Since it was late, she never came.",
        "When you see her, I am sure you will.",
        "While this may be so, he is ill.",
    ),
    "coordination": (
        "It was a modern, French house.",
        "He fears wolves and bears hunt him.",
        "They worked night and day for it.",
        "He walked up and down.",
        "The ladies and gentlemen came.",
        "They ate the bread and butter.",
        "She was tired and afraid of dogs.",
        "He read a book and a letter from home.",
        "He waited ten minutes and twenty seconds.",
        "She felt his nearness and its strength.",
    ),
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in WRONG.items() for text in texts])
def test_what_is_wrong_by_rule_is_never_proposed(kind: str, text: str) -> None:
    assert [edit for edit in alternations(text) if edit.kind == kind] == []


RIGHT = {
    "object-order": (
        ("He picked up the letter from the table.", "He picked the letter up from the table."),
        ("She put on her coat and left.", "She put her coat on and left."),
        ("He turned the light off.", "He turned off the light."),
        ("We brought them some water.", "We brought some water to them."),
    ),
    "genitive": (
        ("The wife of the captain came.", "The captain's wife came."),
        ("She took her husband's hand.", "She took the hand of her husband."),
        ("He heard the voice of my father.", "He heard my father's voice."),
    ),
    "shared": (
        ("He bought the bread and the cheese.", "He bought the bread and cheese."),
        ("The men and the women left.", "The men and women left."),
        ("She went to France and to Spain.", "She went to France and Spain."),
        ("We want to eat and to drink.", "We want to eat and drink."),
        ("She came but she did not stay.", "She came but did not stay."),
    ),
    "tense": (
        ("We left when the bird had flown away.", "We left when the bird flew away."),
        ("He cried because the dog had bitten him.", "He cried because the dog bit him."),
        ("He knew those who had awoken at dawn.", "He knew those who awoke at dawn."),
        ("We laughed because he had singed his beard.", "We laughed because he singed his beard."),
        ("They were travelling to London.", "They travelled to London."),
        ("They left when they had found the key.", "They left when they found the key."),
        ("Mary was writing a letter.", "Mary wrote a letter."),
        ("We ran because we had been seen by the men.", "We ran because we were seen by the men."),
    ),
    "adverb-order": (
        ("He spoke softly to her.", "He softly spoke to her."),
        ("The king slowly rose and spoke.", "The king rose slowly and spoke."),
    ),
    "omission": (
        ("It was his own house.", "It was his house."),
        ("He came back to the house.", "He came to the house."),
        ("She felt quite ill.", "She felt ill."),
        ("He then left the room.", "He left the room."),
    ),
    "infinitive": (
        ("She likes to read.", "She likes reading."),
        ("They hated waiting.", "They hated to wait."),
        ("He did not like to go there.", "He did not like going there."),
    ),
    "participle": (
        ("He left the room, closing the door.", "He left the room and closed the door."),
        ("She opened the door, smiling at us.", "She opened the door and smiled at us."),
        ("He stood at the door and waited for her.", "He stood at the door, waiting for her."),
    ),
    "relative": (
        ("The house which he bought was old.", "The house he bought was old."),
        ("The man whom she loved left.", "The man she loved left."),
        ("The men who were killed in the war were young.", "The men killed in the war were young."),
    ),
    "auxiliary": (
        ("He could hear the birds.", "He heard the birds."),
        ("She was able to find the key.", "She found the key."),
        ("It seems to be a good idea.", "It seems a good idea."),
    ),
    "clause-order": (
        ("As he was ill, he stayed at home.", "He stayed at home as he was ill."),
        ("Because it rained, we stayed at home.", "We stayed at home because it rained."),
        ("Until he came, we did not leave.", "We did not leave until he came."),
    ),
    "coordination": (
        ("They need gold and silver.", "They need silver and gold."),
        ("We ate apples and pears in the garden.", "We ate pears and apples in the garden."),
        ("The trees and flowers were green.", "The flowers and trees were green."),
    ),
}


@pytest.mark.parametrize(
    ("kind", "text", "other"), [(kind, *pair) for kind, pairs in RIGHT.items() for pair in pairs]
)
def test_what_reads_well_is_still_proposed(kind: str, text: str, other: str) -> None:
    edits = [edit for edit in alternations(text) if edit.kind == kind]
    assert other in [text[: edit.start] + edit.replacement + text[edit.end :] for edit in edits]


@pytest.mark.parametrize(
    ("word", "past"),
    [
        ("dying", "died"), ("flown", "flew"), ("bitten", "bit"), ("awoken", "awoke"), ("trodden", "trod"),
        ("singed", "singed"), ("found", "found"), ("travelling", "travelled"), ("lying", None),
        ("bittened", None), ("trodded", None),
    ],
)  # fmt: skip
def test_a_past_is_that_of_the_verb_whose_form_the_tables_know(word: str, past: str | None) -> None:
    assert verb_form(word, "VBD") == past


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
