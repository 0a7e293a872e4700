"""Words that can stand for one another: where a row says so, in the same form, with the article to suit."""

from importlib.resources import files

import pytest
from hypothesis import given

from stemmata.model import StemmataError
from stemmata.rewriting import equivalents
from stemmata.rewriting.agreement import inflected
from stemmata.rewriting.equivalents import TABLE, Equivalents, condition_of, rows_of
from stemmata.rewriting.reading import read
from stemmata.text.wordnet import PARTS
from transformed import STORY, odd_texts, versions

pytest.importorskip("HanTa")
pytest.importorskip("lemminflect")


def holds(condition: str, text: str, word: str) -> bool:
    reading = read(text)
    return condition_of(condition)(reading, reading.passage.words.index(word))


@pytest.mark.parametrize(
    ("condition", "text", "word", "answer"),
    [
        ("obj", "He began the work.", "began", True),
        ("obj", "He began it.", "began", True),
        ("noun", "He began it.", "began", False),
        ("obj", "He began to work.", "began", False),
        ("to", "He began to work.", "began", True),
        ("that", "He said that it rained.", "said", True),
        ("ing", "He began working.", "began", True),
        ("prep", "He looked at it.", "looked", True),
        ("end", "He went, and they stayed.", "went", True),
        ("end", "They stayed", "stayed", True),
        ("end", "They stayed here.", "stayed", False),
        ("begin", "They stayed. He went.", "He", True),
        ("begin", "They stayed here.", "stayed", False),
        ("attr", "A large house stood there.", "large", True),
        ("pred", "The house was large.", "large", True),
        ("pred", "A large house stood there.", "large", False),
        ("sing", "The house was large.", "house", True),
        ("plur", "The house was large.", "house", False),
        ("plur", "The houses were large.", "houses", True),
        ("past", "They stayed here.", "stayed", True),
        ("next=in|at", "They stayed at home.", "stayed", True),
        ("next=in|at", "They stayed, at least.", "stayed", False),
        ("not-next=in|at", "They stayed here.", "stayed", True),
        ("prev=the", "The house was large.", "house", True),
        ("near=large", "The house was large.", "house", True),
        ("not-near=large", "The house was large.", "house", False),
    ],
)
def test_a_condition_looks_at_form_and_neighbours(condition: str, text: str, word: str, answer: bool) -> None:
    assert holds(condition, text, word) == answer


def test_nothing_is_very_much_what_it_is_to_the_utmost() -> None:
    plain, graded = (
        {edit.replacement for edit in Equivalents().proposals(text)}
        for text in ("The opening was grand.", "The opening was very grand.")
    )
    assert "magnificent" in plain
    assert "magnificent" not in graded


@pytest.mark.parametrize("said", ["object", "next", "sing=x", ""])
def test_an_unknown_condition_is_refused(said: str) -> None:
    with pytest.raises(StemmataError):
        condition_of(said)


@pytest.mark.parametrize("line", ["nation: country", "nation NOUN:", "nation NAME: country", "nation"])
def test_a_line_that_is_no_row_is_refused(line: str) -> None:
    with pytest.raises(StemmataError):
        rows_of(line)


@pytest.fixture
def small_table(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(
        "begin VERB: start\nstart VERB: begin\nnation NOUN: country\nmistake NOUN: error\n"
        "shout VERB [end]: cry_out\nremark NOUN: short_note"
    )
    monkeypatch.setattr(equivalents, "_table", lambda: rows)


@pytest.mark.usefixtures("small_table")
def test_forms_capitals_and_articles_follow() -> None:
    assert "Countries rose." in versions(Equivalents(), "Nations rose.")
    assert "It was an error." in versions(Equivalents(), "It was a mistake.")
    assert "He started to sing." in versions(Equivalents(), "He began to sing.")


@pytest.mark.usefixtures("small_table")
def test_of_several_words_the_verb_or_the_noun_has_the_form() -> None:
    assert versions(Equivalents(), "They shouted.") == ["They cried out."]
    assert versions(Equivalents(), "They shouted loudly.") == []
    assert versions(Equivalents(), "He made remarks.") == ["He made short notes."]


@pytest.mark.usefixtures("small_table")
def test_a_participle_stays_one() -> None:
    assert "They had begun early." in versions(Equivalents(), "They had started early.")
    assert "They began early." in versions(Equivalents(), "They started early.")


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("They left the house where he lived.", "They left the house in which he lived."),
        ("It was the next morning.", "It was the following morning."),
        ("He looked round.", "He looked around."),
        ("Accordingly, he left.", "Therefore, he left."),
        ("He jumped from the wall.", "He leapt from the wall."),
    ],
)
def test_words_of_one_form_are_exchanged_too(text: str, other: str) -> None:
    assert other in versions(Equivalents(), text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("The boy was kept awake all night.", "was remained"),
        ("The questions they asked in school were hard.", "inquired"),
        ("He knew the rules and acted so, and they paid him accordingly.", "therefore"),
        ("They jumped at the chance.", "leapt"),
        ("We spoke of ghosts and phantoms.", "phantoms and phantoms"),
        ("It has advantages over the other.", "benefits"),
        ("The two peoples met.", "persons"),
        ("They provide a good home for the child.", "give"),
    ],
)
def test_a_frame_is_not_left(text: str, never: str) -> None:
    assert not [one for one in versions(Equivalents(), text) if never in one]


@pytest.mark.usefixtures("small_table")
@pytest.mark.parametrize(
    "text",
    [
        "The United Nations met.",  # a name
        "They started up.",  # a verb with its particle
        "The nation state is old.",  # a compound
        "It's.",
    ],
)
def test_names_particles_and_compounds_are_left_alone(text: str) -> None:
    assert Equivalents().proposals(text) == []


def test_the_table_is_in_order_and_every_word_has_its_forms() -> None:
    text = (files("stemmata.rewriting") / "data" / TABLE).read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines == sorted(set(lines))
    plain = {"NOUN": "NN2", "VERB": "VVD", "ADJ": "AJ0", "ADV": "AV0"}
    for (word, part), rows in rows_of(text).items():
        assert part in PARTS
        for row in rows:
            for other in row.others:
                assert other != word, word
                head = other.split(" ")[-1 if part == "NOUN" else 0]
                assert inflected(head, plain[part]), (word, other)


def test_nothing_is_proposed_that_changes_nothing() -> None:
    assert STORY not in versions(Equivalents(), STORY)


@given(odd_texts)
def test_odd_texts_are_taken(text: str) -> None:
    Equivalents().proposals(text)
