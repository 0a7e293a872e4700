"""The obfuscators of 2017 and 2018 on sentences in sight: Castro, Kocher and Savoy, Rahgouy."""

import pytest
from hypothesis import given, settings
from numpy.random import default_rng

from dictionaries import has_wordnet
from stemmata.formats.obfuscation import check_pieces, obfuscated_text
from stemmata.masking import obfuscators
from stemmata.masking.published.castro import Castro2017
from stemmata.masking.published.kocher_savoy import KocherSavoy2018, _very
from stemmata.masking.published.rahgouy import Rahgouy2018
from stemmata.model import Document, Problem
from transformed import STORY, odd_texts

pytest.importorskip("HanTa")
pytest.importorskip("lemminflect")


if not has_wordnet():
    pytest.skip("needs WordNet", allow_module_level=True)

NAMES = ("castro-2017", "kocher-savoy-2018", "rahgouy-2018")


def problem(text: str, *known: str) -> Problem:
    samples = tuple(Document(f"known{number}", sample) for number, sample in enumerate(known))
    return Problem("p", samples, Document("unknown", text))


def masked(recipe: Castro2017 | KocherSavoy2018 | Rahgouy2018, text: str, *known: str) -> str:
    return recipe.rewriting(problem(text, *known)).text


# Castro, Ortega and Muñoz


def of_kinds(text: str, *kinds: str) -> list[str]:
    edits = Castro2017().rewriting(problem(text)).edits
    return [edit.replacement for edit in edits if any(kind in edit.kind for kind in kinds)]


def test_castro_turns_contractions_round_sentence_by_sentence() -> None:
    text = (
        "It's late, and they don't care about it, but I am not. We do not know who it was. "
        "He isn't here, is not he?"
    )
    assert of_kinds(text, "contract", "expand") == ["It is", "do not", "don't"]


def test_castro_shortens_a_sentence_only_where_no_contraction_was_turned() -> None:
    with_contraction = "However, we don't go (by train) there."
    assert of_kinds(with_contraction, "removal") == []
    without = "However, we went (by train) there."
    assert masked(Castro2017(), without).startswith("We ")
    assert "(" not in masked(Castro2017(), without)


def test_castro_leaves_out_what_stands_between_the_first_and_the_last_comma() -> None:
    text = "My uncle, who was old, and, as they say, wise, told them."
    assert "old" not in masked(Castro2017(), text)
    assert "wise" not in masked(Castro2017(), text)
    assert masked(Castro2017(), text).endswith(".")


def test_castro_takes_a_synonym_that_the_text_does_not_have() -> None:
    alone = masked(Castro2017(), "The big car stopped.")
    assert "car" not in alone.split()
    assert "auto" in alone
    other = masked(Castro2017(), "The big car stopped beside an auto.")
    assert "automobile" in other


def test_castro_keeps_names_and_the_form_of_words() -> None:
    text = masked(Castro2017(), "The cars of London stopped there.")
    assert "London" in text
    assert "autos" in text


def test_castro_takes_expressions_adverbs_and_markers_without_commas() -> None:
    assert masked(Castro2017(), "We saw the languages.").endswith("linguistic communications.")
    assert "also" not in masked(Castro2017(), "The cat also saw it.").split()
    assert "therefore" not in masked(Castro2017(), "The dog therefore slept there.").split()


# Kocher and Savoy


@pytest.mark.parametrize(
    ("known", "text", "new"),
    [
        ("They don't. We can't.", "It isn't so, and I can't.", "It is not so, and I can not."),
        ("They do not. We are not.", "It is not so, and I can not.", "It isn't so, and I can't."),
        ("It is being built, and was being cut.", "It was being made.", "It made."),
        ("It was lamed.", "It was locked.", "It was being locked."),
        ("In fact, no. In fact, yes.", "In fact, he came.", "Actually, he came."),
        ("Actually, no.", "Actually, he came.", "In fact, he came."),
        ("However, no.", "However, he came.", "On the contrary, he came."),
        ("We saw a, b and c.", "We saw cats, dogs and birds.", "We saw cats, dogs as well as birds."),
        ("Dogs as well as birds.", "We saw cats as well as dogs.", "We saw cats and dogs."),
    ],
)
def test_kocher_and_savoy_exchange_the_form_that_is_usual_with_the_author(
    known: str, text: str, new: str
) -> None:
    assert masked(KocherSavoy2018(letters=0), text, known) == new


@pytest.mark.parametrize(
    ("known", "text", "new"),
    [
        ("It rains here.", "It was very cold, a massive house.", "It was very cold, a very big house."),
        ("It was very cold, very big.", "It was very cold in the large town of ours.", "It was freezing"),
        ("He started walking in May.", "It was May, and they started walking to the sea.", "they walked to"),
        (
            "I go in order to see in order to go.",
            "I go in order to see it, which is far away.",
            "I go to see it",
        ),
        ("of the of the of the", "We saw the end of the road, and then it was late.", "We saw the road end,"),
        ("Oh! Ah! So!", "Oh! It was very late, and we went.", "Oh. It was"),
    ],
)
def test_kocher_and_savoy_have_more_of_what_is_more_and_less_of_what_is_less(
    known: str, text: str, new: str
) -> None:
    assert new in masked(KocherSavoy2018(letters=0, marks=1), text, known)


def test_kocher_and_savoy_multiply_marks_of_which_there_are_many() -> None:
    now = masked(KocherSavoy2018(letters=0, marks=1), "Oh! Why? " * 20, "It was late.")
    assert "!!" in now
    assert "???" in now
    assert "! " not in now.replace("!! ", "")


def test_kocher_and_savoy_change_the_given_share_of_double_letters() -> None:
    text = "The letter was sitting in a hall. " * 200
    changed = KocherSavoy2018(letters=0.05).rewriting(problem(text)).counts["letters"]
    assert 10 <= changed <= 60
    assert KocherSavoy2018(letters=0).rewriting(problem(text)).counts["letters"] == 0


def test_kocher_and_savoy_mend_the_article() -> None:
    known = "It was very old. Very old it was. Very cold."
    assert "an ancient house" in masked(
        KocherSavoy2018(letters=0), "It is a very old house by the sea.", known
    )


def test_the_table_of_the_paper_is_whole() -> None:
    assert len(_very()) == 142
    assert _very()["afraid"] == ("fearful", "terrified")


# Rahgouy et al.


def test_rahgouy_turns_contractions_against_the_habit_of_the_author() -> None:
    text = "I don't know, and it is not here."
    assert "do not" in masked(Rahgouy2018(), text, "They don't. We can't. It's late.")
    assert "it's not" in masked(Rahgouy2018(), text, "They do not come. It is not late.")


def test_rahgouy_replaces_a_word_of_the_author_everywhere_by_the_same() -> None:
    text = "The quick dog ran. A quick cat saw it. Nobody saw the quick mouse."
    now = masked(Rahgouy2018(), text, "It was quick. They were quick.")
    assert "quick" not in now
    edits = Rahgouy2018().rewriting(problem(text, "It was quick.")).edits
    assert len({edit.replacement for edit in edits if text[edit.start : edit.end].endswith("quick")}) == 1


def test_rahgouy_takes_no_synonym_that_the_author_uses_as_much() -> None:
    text = "The quick dog ran. A quick cat saw it."
    first = masked(Rahgouy2018(), text, "It was quick.")
    replaced = first.split()[1]
    again = masked(Rahgouy2018(), text, f"It was quick. It was {replaced}. So {replaced}.")
    assert again.split()[1] != replaced


def test_rahgouy_leaves_nouns_and_words_that_neither_author_nor_text_repeat() -> None:
    edits = Rahgouy2018().rewriting(problem("The quick dog slept.", "It was late. Nobody came.")).edits
    assert [edit for edit in edits if edit.kind == "synonym"] == []


def test_rahgouy_joins_short_sentences_and_splits_long_ones() -> None:
    short = "We ate. It rained. He slept. Nobody spoke."
    now = masked(Rahgouy2018(), short, "The old man and his dog went down to the river to fish for eels.")
    assert now == "We ate and it rained and he slept and nobody spoke."
    fewer = masked(
        Rahgouy2018(most_words=6), short, "The old man and his dog went down to the river to fish."
    )
    assert fewer == "We ate and it rained. He slept and nobody spoke."
    long = "The old man went down to the river and his dog went with him."
    now = masked(Rahgouy2018(), long, "We ate. It rained. He sat.")
    assert "river. And " in now


def test_rahgouy_has_two_phrases() -> None:
    now = masked(Rahgouy2018(), "It may be late, and he was so old.", "Nothing here is to the point.")
    assert "maybe late" in now
    assert "very old" in now


# All three


@pytest.mark.parametrize("name", NAMES)
def test_pieces_join_to_both_texts(name: str) -> None:
    pieces = obfuscators[name]().mask(problem(STORY * 5, STORY))
    check_pieces(pieces, STORY * 5, "here")
    assert obfuscated_text(pieces) != STORY * 5


@pytest.mark.parametrize("name", NAMES)
def test_without_samples_of_the_author_the_text_speaks_for_itself(name: str) -> None:
    text = "It was late, and it's still raining. He does not know what to do, however, and he isn't glad."
    assert masked(obfuscators[name](), text) == masked(obfuscators[name](), text, text)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_text(name: str) -> None:
    texts = {masked(obfuscators[name](seed=seed), STORY, STORY[:300]) for seed in (1, 1, 1)}
    assert len(texts) == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text", ["", " ", "Ja", "A", "\x00\x01", "Это не моё.", "东京", "!!!", ",,,,", "a\n\n\nb"]
)
def test_odd_texts_are_survived(name: str, text: str) -> None:
    pieces = obfuscators[name]().mask(problem(text))
    assert "".join(piece.original for piece in pieces) == text


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40)
@given(text=odd_texts, known=odd_texts)
def test_offsets_are_exact_on_any_text(name: str, text: str, known: str) -> None:
    rewriting = obfuscators[name]().rewrite(problem(text, known), default_rng(1))
    assert rewriting.original == text
    for edit in rewriting.edits:
        assert text[edit.start : edit.end] != edit.replacement


@pytest.mark.parametrize("name", NAMES)
def test_markup_code_and_addresses_stay(name: str) -> None:
    text = (
        "However, the big car, <b class='big car'>an old one</b>, isn't here: `big car` is not it! The big "
        "car is at https://example.org/is-not/the-big-car for the old one."
    )
    now = masked(obfuscators[name](), text, "It isn't. It isn't. Big car.")
    for kept in ("<b class='big car'>", "</b>", "`big car`", "https://example.org/is-not/the-big-car"):
        assert kept in now
