"""Other words for a word in its place, misspellings, numbers in words, and tokens set apart."""

from importlib.util import find_spec
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dictionaries import has_wordnet, needs_wordnet
from stemmata.model import StemmataError
from stemmata.rewriting import rewritten, transformations
from stemmata.rewriting.letter_errors import LetterErrors
from stemmata.rewriting.numerals import in_words
from stemmata.rewriting.reading import read
from stemmata.rewriting.substitution import Substitution, best_of, in_expression
from stemmata.rewriting.transformation import apart
from stemmata.rewriting.treebank_spacing import TreebankSpacing
from stemmata.text.vectors import PACKAGE, WordVectors
from stemmata.text.wordnet import wordnet

pytest.importorskip("HanTa")
pytest.importorskip("lemminflect")


def needs_vectors() -> None:
    # Looked for, not imported: no code of that package runs, which another test makes sure of.
    if find_spec(PACKAGE) is None:
        pytest.skip("word vectors are not installed")


STORY = (
    "An old man was walking slowly along the river, and he didn't see the dogs that slept in the tall grass. "
    'They barked loudly! "Is it a fox or a wolf?" he asked. BIG trees stood there.\n\n'
    "The teacher had bought three apples for an hour's fun. Nobody in Hamburg knew why she wanted them."
)


def words_for(text: str, word: str, **settings: object) -> list[str]:
    """Return what is proposed for the first occurrence of a word."""
    at = text.index(word)
    edits = Substitution(**settings).proposals(text)
    return [edit.replacement for edit in edits if edit.start <= at < edit.end]


@needs_wordnet
class TestSubstitution:
    def test_a_synonym_has_the_form_of_the_word_it_replaces(self) -> None:
        assert words_for("The boys bought the bread.", "bought")[0] == "purchased"
        assert words_for("She has purchased the bread.", "purchased")[0] == "bought"
        assert "physicians" in words_for("The doctors slept.", "doctors")

    def test_the_article_changes_with_the_word_and_is_part_of_the_edit(self) -> None:
        text = "It was an error."
        assert "a mistake" in words_for(text, "error")
        text = "An error was found."
        assert "A mistake" in words_for(text, "error")
        # Where the sound stays, so does the article.
        edits = Substitution().proposals("It was a mistake.")
        assert {edit.start for edit in edits if edit.replacement in ("error", "an error")} == {7}

    def test_capitals_are_kept(self) -> None:
        assert "Physicians" in words_for("Doctors slept.", "Doctors")
        assert "Large" in words_for("Big stones lay there.", "Big")
        # Inside a sentence capitals may be a name.
        assert words_for("It was a BIG house.", "BIG") == []

    def test_alternatives_come_in_the_order_of_their_scores_and_no_more_than_asked_for(self) -> None:
        for most in (1, 3):
            found = Substitution(most=most).substitutes(read(STORY))
            assert found
            for number in {one.number for one in found}:
                scores = [one.score for one in found if one.number == number]
                assert scores == sorted(scores, reverse=True)
                assert len(scores) <= most
                assert best_of(found)[number].score == scores[0]

    @pytest.mark.parametrize(
        ("text", "word"),
        [
            ("We met in Bath and liked it.", "Bath"),  # a name
            ("Rose came. We saw Rose there.", "Rose"),  # a name, also where any word has a capital
            ("It didn't matter.", "did"),  # a part of a contraction
            ("It takes place today.", "place"),  # listed as one
            ("It took place today.", "took"),  # so, in any form
            ("In terms of money it is fine.", "terms"),
            ("They have it.", "have"),
            ("It is so, of course.", "course"),
        ],
    )
    def test_some_words_are_left_alone(self, text: str, word: str) -> None:
        assert words_for(text, word, careful=False) == []

    def test_an_expression_ends_at_a_mark(self) -> None:
        reading = read("What they take, place it here.")
        assert not in_expression(reading, 3)
        assert in_expression(read("They take place here."), 2)

    def test_a_verb_is_exchanged_only_for_one_that_takes_what_follows(self) -> None:
        text = "I think that it rains."
        careful, any_verb = (
            {one.candidate for one in Substitution(careful=careful, most=50).at(read(text), 1)}
            for careful in (True, False)
        )
        takes_a_clause = {one for one in any_verb if one.meaning.frames_of(one.lemma) & {26, 34}}
        assert set() < careful == takes_a_clause < any_verb

    def test_a_form_of_another_word_is_no_word_of_its_own(self) -> None:
        lemmas = {one.lemma for one in Substitution(most=50).candidates("big", "ADJ")}
        assert "large" in lemmas
        assert "larger" not in lemmas

    def test_rare_words_come_only_where_asked_for(self) -> None:
        usual = {one.lemma for one in Substitution().candidates("dog", "NOUN")}
        any_word = {one.lemma for one in Substitution(common=False).candidates("dog", "NOUN")}
        assert usual < any_word
        assert all(wordnet().is_common(lemma, "NOUN") for lemma in usual)

    def test_a_word_beside_is_not_said_again(self) -> None:
        assert "large" not in words_for("A big, large house.", "big")
        assert "large" in words_for("A big house.", "big")

    def test_relations_that_do_not_exist_are_refused(self) -> None:
        with pytest.raises(StemmataError, match="relations"):
            Substitution(relations=("rhyme",))
        with pytest.raises(StemmataError, match="senses"):
            Substitution(senses=0)

    def test_neighbours_by_vectors_are_no_opposites(self) -> None:
        needs_vectors()
        found = Substitution(relations=("neighbour",), most=20, careful=False).candidates("small", "ADJ")
        lemmas = {one.lemma for one in found}
        assert "tiny" in lemmas
        assert not lemmas & {"big", "large"}

    @pytest.mark.parametrize(
        ("word", "part", "others"),
        [
            ("morning", "NOUN", {"evening", "afternoon"}),
            ("hour", "NOUN", {"minute", "hours"}),
            ("sergeant", "NOUN", {"lieutenant"}),
            ("man", "NOUN", {"men"}),
            ("red", "ADJ", {"blue"}),
            ("small", "ADJ", {"smaller"}),
            ("tinsmith", "NOUN", {"tin"}),
            ("orchestration", "NOUN", {"orchestra"}),
            ("neighbour", "NOUN", {"neighbourhood"}),
            ("explain", "VERB", {"understand"}),
        ],
    )
    def test_neighbours_are_neither_two_of_a_kind_nor_made_from_one_another(
        self, word: str, part: str, others: set[str]
    ) -> None:
        needs_vectors()
        found = Substitution(relations=("neighbour",), most=20).candidates(word, part)
        assert not {one.lemma for one in found} & others

    def test_dictionary_and_vectors_together_are_worth_more_than_either(self) -> None:
        needs_vectors()

        def score(*relations: str) -> float:
            return next(
                one.score
                for one in Substitution(relations=relations).candidates("buy", "VERB")
                if one.lemma == "purchase"
            )

        assert score("synonym", "neighbour") > max(score("synonym"), score("neighbour"))

    @pytest.mark.parametrize(
        ("word", "part", "other"),
        [("territory", "NOUN", "district"), ("effect", "NOUN", "consequence"), ("provide", "VERB", "supply")],
    )
    def test_vectors_may_speak_against_the_dictionary(self, word: str, part: str, other: str) -> None:
        needs_vectors()
        before, heard = (
            {one.lemma: one.score for one in Substitution(relations=relations).candidates(word, part)}
            for relations in (("synonym",), ("synonym", "neighbour"))
        )
        assert heard[other] < before[other]

    def test_a_word_that_is_seldom_this_part_of_speech_is_worth_less(self) -> None:
        needs_vectors()
        words = Substitution(relations=("synonym", "neighbour"), careful=False).candidates("help", "NOUN")
        scores = {one.lemma: one.score for one in words}
        assert scores["assistance"] > 2 * scores["assist"]

    def test_poor_substitutes_are_left_out_unless_one_is_careless(self) -> None:
        said = "She told him the truth."
        assert "said" not in words_for(said, "told")
        assert "said" in words_for(said, "told", careful=False)
        assert "oxens" not in words_for("Odd wounds were seen on the cattle.", "cattle")
        assert "governments" not in words_for("The older authorities were of help.", "authorities")

    def test_what_is_a_plural_already_does_not_stand_for_one_thing(self) -> None:
        assert "woods" not in words_for("The forest was dark.", "forest")
        assert "woods" in words_for("The forest was dark.", "forest", careful=False)
        assert "woodses" not in words_for("The forests were dark.", "forests", careful=False)

    def test_some_adjectives_do_not_stand_before_a_noun(self) -> None:
        assert "abroad" not in words_for("They knew foreign journalists.", "foreign")
        assert "alone" not in words_for("The lonely man slept.", "lonely")

    def test_edits_are_exact_and_change_something(self) -> None:
        for edit in Substitution().proposals(STORY):
            assert STORY[edit.start : edit.end].rsplit(maxsplit=1)[-1].isalpha()
            assert STORY[edit.start : edit.end] != edit.replacement
            assert edit.kind in ("synonym", "similar", "hypernym")

    @settings(max_examples=20)
    @given(st.text(max_size=60))
    def test_any_text_can_be_read(self, text: str) -> None:
        for edit in Substitution().proposals(text):
            assert 0 <= edit.start < edit.end <= len(text)


@pytest.mark.parametrize("name", ["substitution", "letter-errors", "treebank-spacing"])
def test_transformations_are_found_by_name(name: str) -> None:
    if name == "substitution" and not has_wordnet():
        pytest.skip("WordNet is not installed")
    assert transformations[name]().proposals("") == []


def test_nearest_words_are_whole_words_in_the_order_of_their_cosines() -> None:
    table = np.array([[1, 0], [3, 1], [1, 1], [0, 1], [1, 0.1]], np.float32)
    vectors = WordVectors(["lamp", "light", "sun", "ox", "##s"], table)
    assert [word for word, _ in vectors.nearest("lamp", 2)] == ["light", "sun"]
    assert vectors.nearest("lamp", 9)[0][1] == pytest.approx(3 / np.sqrt(10))
    assert vectors.nearest("ü", 2) == []


class TestLetterErrors:
    def test_misspellings_go_and_come(self) -> None:
        text = "Friends believe it is NECESSARY."
        wrong = rewritten(text, LetterErrors().proposals(text)).text
        assert wrong == "Freinds beleive it is NECCESSARY."
        assert rewritten(wrong, LetterErrors("right").proposals(wrong)).text == text

    def test_each_misspelling_belongs_to_one_word_and_is_none_itself(self) -> None:
        from stemmata.rewriting.letter_errors import _table

        wrong, right = _table("wrong")[0], _table("right")[0]
        assert len(wrong) == len(right) > 180
        assert not wrong.keys() & right.keys()

    def test_a_direction_that_does_not_exist_is_refused(self) -> None:
        with pytest.raises(StemmataError, match="direction"):
            LetterErrors("left")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (13, "thirteen"),
        (40, "forty"),
        (99, "ninety-nine"),
        (100, "one hundred"),
        (512, "five hundred twelve"),
        (90_000, "ninety thousand"),
        (999_999, "nine hundred ninety-nine thousand nine hundred ninety-nine"),
        (1_000_000, "1000000"),
        (-1, "-1"),
    ],
)
def test_numbers_are_written_in_words(number: int, words: str) -> None:
    assert in_words(number) == words


class TestTreebankSpacing:
    @pytest.mark.parametrize(
        ("text", "spaced"),
        [
            ("It's so.", "It 's so ."),
            ("They can't (they said)...", "They ca n't ( they said ) ..."),
            ('"Go," he said. "Now!"', "`` Go , '' he said . `` Now ! ''"),
            ("At 12:30, 1,000 well-known men\ncame.", "At 12:30 , 1,000 well-known men came ."),
            ("One. Two.\n\nThree.", "One . Two .\n\nThree ."),
            ("No more", "No more"),
            ("He said 'so' to us.", "He said ' so ' to us ."),
        ],
    )
    def test_tokens_stand_apart(self, text: str, spaced: str) -> None:
        assert rewritten(text, TreebankSpacing().proposals(text)).text == spaced

    def test_edits_keep_apart_from_one_another(self) -> None:
        edits = TreebankSpacing().proposals(STORY)
        assert edits
        assert all(one.end <= other.start for one, other in pairwise(edits))
        assert len(apart(edits)) <= len(edits)
