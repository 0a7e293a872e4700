"""Contractions, spelling, discourse markers and phrases: what is proposed, and what is left alone."""

import re
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given

from stemmata.model import StemmataError
from stemmata.rewriting import rewritten, transformations
from stemmata.rewriting.agreement import article_before
from stemmata.rewriting.contractions import Contractions, counts
from stemmata.rewriting.discourse_markers import DiscourseMarkers, markers
from stemmata.rewriting.lookup import PhraseIndex
from stemmata.rewriting.phrases import Phrases
from stemmata.rewriting.reading import cased_like
from stemmata.rewriting.spelling_variety import SpellingVariety, variety_of
from stemmata.rewriting.transformation import apart
from transformed import STORY, made, odd_texts, versions

pytest.importorskip("HanTa")


def expanded(text: str) -> str:
    return rewritten(text, apart(Contractions("expand").proposals(text))).text


def contracted(text: str) -> str:
    return rewritten(text, apart(Contractions("contract").proposals(text))).text


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("It's late.", "It is late."),
        ("He's been here.", "He has been here."),
        ("He'd gone home.", "He had gone home."),
        ("They'd like it.", "They would like it."),
        ("They'd better go.", "They had better go."),
        ("I can't go.", "I cannot go."),
        ("We won't, and they haven't.", "We will not, and they have not."),
        ("I’m sure they’re here.", "I am sure they are here."),
        ("DON'T GO.", "DO NOT GO."),
    ],
)
def test_contractions_are_written_out_and_back(short: str, full: str) -> None:
    assert expanded(short) == full
    assert contracted(full) == short.replace("’", "'")


@pytest.mark.parametrize(
    ("question", "full"),
    [
        ("Don't you think so?", "Do you not think so?"),
        ("It's fine, isn't it?", "It is fine, is it not?"),
        ("Aren't I right?", "Am I not right?"),
        ("Why don't people go?", "Why don't people go?"),
        ("Don't go!", "Do not go!"),
        ("Tell me,\nhaven't you seen it?", "Tell me,\nhave you not seen it?"),
    ],
)
def test_in_questions_not_goes_behind_the_subject_or_stays(question: str, full: str) -> None:
    assert expanded(question) == full


@pytest.mark.parametrize(
    "text",
    [
        "I know who he is.",
        "How good it is to see you.",
        "She has a car.",
        "They let us go.",
        "We are as good as they are now.",
        "That is to say, no.",
        "He is, I think, at home.",
        "What is it?",
    ],
)
def test_a_verb_that_is_stressed_or_has_no_other_behind_it_is_not_contracted(text: str) -> None:
    stressed = re.search(r"he is\.|it is to|She has|let us|they are now|That is|He is,|What is", text)
    assert stressed
    assert stressed[0] in contracted(text)


@pytest.mark.parametrize(
    "text",
    [
        "I am too.",
        "He is indeed.",
        "He is now, and we are too.",
        "They are as well.",
        "He is, of course; he is after all.",
        "Yes, we are",
        "He does as he is.",
        "Nobody is older than I am.",
        "I know what he is now.",
        "There you are again.",
        "I AM late, and I do NOT care.",
        "Let us know if it rains.",
        "She had best friends.",
        "He had better luck.",
    ],
)
def test_nothing_is_contracted_where_only_adverbs_follow_or_the_verb_is_another(text: str) -> None:
    assert contracted(text) == text


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("I am too tired.", "I'm too tired."),
        ("He is indeed a fool.", "He's indeed a fool."),
        ("We are now ready.", "We're now ready."),
        ("He is back again.", "He's back again."),
        ("They are already there.", "They're already there."),
        ("That is all.", "That's all."),
        ("It is almost as if it rained.", "It's almost as if it rained."),
        ("You had best go.", "You'd best go."),
        ("They had better not go.", "They'd better not go."),
        ("I would rather not.", "I'd rather not."),
        ("I AM LATE.", "I'M LATE."),
    ],
)
def test_what_follows_lets_a_verb_be_contracted(full: str, short: str) -> None:
    assert contracted(full) == short


@pytest.mark.parametrize(
    "text",
    [
        "It's colour is red.",
        "Everybody's house is here.",
        "He'd come.",
        "He'd upset them.",
        "John's dog.",
        "John's late father came.",
        "He met what's-his-name.",
        "Don't you dare touch it!",
        "Don't you worry.",
        "Don't you dare do that, will you?",
        "He's no idea.",
        "She's every reason to go.",
        "He's two cars.",
        "He's gone.",
        "He's come home.",
        "He's broken the window.",
        "Who's gone?",
        "Who's book was it?",
        "What's it called?",
        "He let's me go.",
        "It turned to it's hole.",
        "Eyes looked out of it's hideous form.",
    ],
)
def test_what_could_be_two_things_stays(text: str) -> None:
    assert expanded(text) == text


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("You'd best go.", "You had best go."),
        ("I'd best describe it.", "I would best describe it."),
        ("He'd no idea.", "He had no idea."),
        ("He'd been there.", "He had been there."),
        ("It's no use, and he's no longer here.", "It is no use, and he is no longer here."),
        ("There's no time.", "There is no time."),
        ("He's two, and she's 30 years old.", "He is two, and she is 30 years old."),
        ("It's two o'clock.", "It is two o'clock."),
        ("He's one of them.", "He is one of them."),
        ("He's got it, and it's been long.", "He has got it, and it has been long."),
        ("He's tired, and it's clear he lied.", "He is tired, and it is clear he lied."),
        ("What's he done, and where's he gone?", "What has he done, and where has he gone?"),
        ("Let's go.", "Let us go."),
        ("It's still wet.", "It is still wet."),
        ("It's great fun, and it's late.", "It is great fun, and it is late."),
        ("Who's there?", "Who is there?"),
        ("Why don't you go?", "Why do you not go?"),
        ("You like it, don't you?", "You like it, do you not?"),
        ("If you won't I will.", "If you will not I will."),
        ("Isn't he nice!", "Is he not nice!"),
    ],
)
def test_what_can_be_one_thing_only_is_written_out(short: str, full: str) -> None:
    assert expanded(short) == full


def test_what_could_be_two_things_is_guessed_on_demand() -> None:
    assert versions(Contractions("expand", guess=True), "He'd come.") == ["He would come."]


def test_the_apostrophe_is_that_of_the_text() -> None:
    assert "don’t" in contracted("I’m sure I do not know.")


def test_letters_that_only_look_like_those_of_a_contraction_are_no_such_thing() -> None:
    for text in ("He said that 'tıs late.", "He said that 'tiſ late."):
        assert versions(Contractions("expand"), text) == []


def test_rare_contractions_are_written_on_demand_only() -> None:
    assert contracted("It might not rain.") == "It might not rain."
    assert versions(Contractions("contract", rare=True), "It might not rain.") == ["It mightn't rain."]


def test_contractions_and_what_could_be_contracted_are_counted() -> None:
    assert counts("It's late. I do not mind, and I don't care.") == (2, 1)


def test_the_table_of_contractions_is_large_enough() -> None:
    table = tomllib.loads((files("stemmata.rewriting") / "data" / "contractions.toml").read_text("utf-8"))
    assert sum(map(len, table.values())) >= 110


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("The colour of the theatre.", "The color of the theater."),
        ("COLOUR! Colour it.", "COLOR! Color it."),
        ("They realised and organised.", "They realized and organized."),
        ("Travelling neighbours practised.", "Traveling neighbors practiced."),
        ("The analysers in the centre.", "The analyzers in the center."),
    ],
)
def test_spelling_goes_both_ways_and_keeps_capitals(british: str, american: str) -> None:
    assert rewritten(british, SpellingVariety(to="american").proposals(british)).text == american
    assert rewritten(american, SpellingVariety(to="british").proposals(american)).text == british


@pytest.mark.parametrize(
    "text",
    [
        "A prize of any size will surprise and advise.",
        "He capsized and seized the downsized promise, otherwise wise.",
        "The Labour Party met at Pearl Harbor.",
        "I checked the story, tired of the program.",
        "Then came Mr. Gray, and Dr. Gray with J. Gray.",
        "Belize is small. BELIZE!",
        "Gray went home, and nobody saw Gray again.",
    ],
)
def test_words_that_are_spelled_alike_everywhere_and_names_stay(text: str) -> None:
    assert SpellingVariety().proposals(text) == []


def test_rules_write_verbs_in_ize_that_no_table_has() -> None:
    assert versions(SpellingVariety(), "They bowdlerized it.") == ["They bowdlerised it."]
    text = "Depersonalized, they went. Bowdlerized books were bowdlerized. Gray skies came."
    assert rewritten(text, SpellingVariety(to="british").proposals(text)).text == (
        "Depersonalised, they went. Bowdlerised books were bowdlerised. Grey skies came."
    )


def test_the_variety_of_a_text_is_that_of_most_of_its_words() -> None:
    assert variety_of("My favourite colour is grey.") == "british"
    assert variety_of("My favorite color is gray, not colour.") == "american"
    assert variety_of("It was late.") == ""
    # British publishers write -ize.
    assert variety_of("The colour that they organized.") == "british"


def test_other_words_for_the_same_are_exchanged_on_demand() -> None:
    assert SpellingVariety().proposals("A lorry came.") == []
    assert versions(SpellingVariety(vocabulary=True), "A lorry came.") == ["A truck came."]


def test_no_spelling_leads_back_to_itself() -> None:
    table = tomllib.loads((files("stemmata.rewriting") / "data" / "spelling_variety.toml").read_text("utf-8"))
    assert len(table["ise"].split()) + len([row for row in table["rows"].splitlines() if row]) >= 300
    for row in filter(None, table["rows"].splitlines()):
        british, american, *endings = row.split()
        assert british != american, row
        assert endings, row


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("However, we stayed.", "We stayed."),
        ("It was, of course, late.", "It was late."),
        ("It would, however, in the end, be late.", "It would, in the end, be late."),
        ("The plan, however, in the end, failed.", "The plan, in the end, failed."),
        ("It is, however, for most of us, a loss.", "It is, for most of us, a loss."),
        ("He was, however, in London, and she was not.", "He was in London, and she was not."),
        ("He went, of course, to the sea, where it was warm.", "He went to the sea, where it was warm."),
        ("She looked, however, like him, but taller.", "She looked like him, but taller."),
        ("He left; moreover, she stayed.", "He left; she stayed."),
        ("In other words, no one came.", "No one came."),
    ],
)
def test_a_discourse_marker_is_left_out_with_its_commas_and_capital(text: str, without: str) -> None:
    assert versions(DiscourseMarkers(exchange=False), text) == [without]


def test_a_discourse_marker_is_exchanged_for_another_of_its_relation() -> None:
    exchanged = versions(DiscourseMarkers(remove=False), "However, we stayed.")
    assert "Nevertheless, we stayed." in exchanged
    assert all("Therefore" not in one for one in exchanged)
    assert versions(DiscourseMarkers(), "Maybe he went.") == ["Perhaps he went.", "Possibly he went."]


@pytest.mark.parametrize(
    "text",
    [
        "However hard we tried, it rained.",
        "Perhaps not.",
        "First, second and third came.",
        "We stayed however.",
    ],
)
def test_a_marker_that_is_none_stays(text: str) -> None:
    assert DiscourseMarkers().proposals(text) == []


def test_what_changes_the_meaning_is_not_left_out() -> None:
    assert "however" in markers()
    assert "unfortunately" not in markers()
    assert DiscourseMarkers(exchange=False).proposals("Perhaps, he came.") == []


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("We left in order to sleep.", "We left to sleep."),
        ("To win the game, we trained hard.", "In order to win the game, we trained hard."),
        ("However, we left.", "But we left."),
        ("But we left.", "However, we left."),
        ("It was late, but he stayed.", "It was late, yet he stayed."),
        ("She came because of the rain.", "She came due to the rain."),
        ("A lot of dogs bark.", "Many dogs bark."),
        ("They tried to sing.", "They attempted to sing."),
        ("They began to sing.", "They started to sing."),
        ("It is a very old house.", "It is an old house."),
        ("He liked her too.", "He liked her as well."),
        ("It is clear that he lied.", "Clearly, he lied."),
        ("I think he is here.", "I think that he is here."),
        ("It should be noted that dogs bark.", "Dogs bark."),
        ("Everyone helped each other.", "Everyone helped one another."),
        ("It looked as if it would rain.", "It looked as though it would rain."),
        ("The house in which we lived burned.", "The house where we lived burned."),
        ("I watch TV.", "I watch television."),
        ("He does not like it at all.", "He does not like it."),
        ("She is able to swim.", "She can swim."),
        ("The man who came late was tall.", "The man that came late was tall."),
    ],
)
def test_phrases_stand_for_one_another(text: str, other: str) -> None:
    assert other in versions(Phrases(), text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("I want to sleep.", "in order to"),
        ("The man who came late and who left early was tall.", "man that"),
        ("He is no creature, but a man.", ", yet"),
        ("It had started to rain.", "began to"),
        ("How many dogs are there?", "a lot of"),
        ("This is due to the rain.", "because of"),
        ("I have lived here since May.", "because May"),
        ("They looked like ghosts and goblins.", "such as"),
        ("He has not nearly enough.", "almost"),
        ("This is the very same house.", "really same"),
        ("The fear in which he was held grew.", "where he was"),
        ("Once upon a time, he slept.", "Once on"),
        ("He said in the note that he left.", "point out"),
    ],
)
def test_phrases_do_not_leave_their_frames(text: str, never: str) -> None:
    assert not [one for one in versions(Phrases(), text) if never in one]


def test_there_are_phrases_enough_and_each_frame_can_be_read() -> None:
    from stemmata.rewriting.phrases import _table

    frames = [frame for frames in _table()[0].values() for frame in frames]
    assert len(frames) >= 500
    assert all(frame.phrase != frame.other for frame in frames)


def test_phrases_are_found_whole_in_one_line_and_outside_of_compounds() -> None:
    found = PhraseIndex(["such as", "it's"]).find("Such as such\nas non-such as such-as, It’s")
    assert [one[:2] for one in found] == [(0, 7), (37, 41)]


def test_new_words_have_the_capitals_of_the_old() -> None:
    assert cased_like("However", "but") == "But"
    assert cased_like("HOWEVER", "but") == "BUT"
    assert cased_like("I", "we") == "We"


@pytest.mark.parametrize(
    ("article", "words"),
    [
        (
            "a",
            "ukulele uranium usage Ukrainian US UK UN U.S. one-eyed once unit unimodal unanimous utopia",
        ),
        (
            "a",
            "European ewe UFO USB URL UNESCO NATO SWAT MAN HOUSE Mrs Sgt PhD U-turn 7 110 Honolulu yes",
        ),
        ("an", "MBA FBI NGO NGOs MPhil HIV SUV EU UGLY X-ray x-ray e-mail F-16 M.A. mp3 html O'Brien"),
        ("an", "hour heir honest honour unimportant unidentified unanswered umbrella usher utter onerous"),
        ("an", "8 8th 80 11,000 18-year-old 1845 Yves école"),
    ],
)
def test_an_article_goes_by_sound_and_capitals_by_their_letters(article: str, words: str) -> None:
    assert {word: article_before(word) for word in words.split()} == dict.fromkeys(words.split(), article)


WORDS = ("contractions", "spelling-variety", "discourse-markers", "phrases")


@pytest.mark.parametrize("name", WORDS)
@given(text=odd_texts)
def test_nothing_raises_and_each_proposal_changes_what_it_says(name: str, text: str) -> None:
    edits = transformations[name]().proposals(text)
    assert edits == sorted(edits, key=lambda edit: edit[:2])
    for edit in edits:
        assert 0 <= edit.start <= edit.end <= len(text)
        assert made(text, edit) != text
    whole = rewritten(text, apart(edits))
    assert whole.original == text


@pytest.mark.parametrize("name", WORDS)
def test_the_same_text_gets_the_same_proposals(name: str) -> None:
    assert transformations[name]().proposals(STORY) == transformations[name]().proposals(STORY)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("contractions", {"direction": "up"}), ("spelling-variety", {"to": "french"})],
)
def test_a_wrong_parameter_is_refused_with_its_code(name: str, parameters: dict[str, str]) -> None:
    with pytest.raises(StemmataError, match="E405"):
        transformations[name](**parameters)
