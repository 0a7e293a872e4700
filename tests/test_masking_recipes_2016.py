"""The obfuscators of 2016: what each does to sentences in sight, and what holds for any text."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stemmata.formats.obfuscation import check_pieces, obfuscated_text, read_obfuscation
from stemmata.formats.verification import read_problems
from stemmata.masking import obfuscators
from stemmata.masking.published.keswani import Keswani2016
from stemmata.masking.published.mansoorizadeh import Mansoorizadeh2016
from stemmata.masking.published.mihaylova import Mihaylova2016
from stemmata.masking.recipe import Recipe
from stemmata.model import Document, Problem, StemmataError
from stemmata.text.translation import Apertium
from stemmata.text.wordnet import wordnet

pytest.importorskip("HanTa")
pytest.importorskip("lemminflect")
try:
    wordnet()
except StemmataError:
    pytest.skip("WordNet is not installed", allow_module_level=True)

TEXT = (
    'The children bought a big apple. They didn\'t eat it at once, because the teacher said: "Wait!" '
    "Important problems need 2 people & some time.\n\nIn the evening we walked home and nobody spoke of the "
    "trouble of the day. See https://example.org/the/big for more."
)


@dataclass(frozen=True)
class Echo:
    """A translator that marks each way a text has gone, for tests."""

    asked: list[str] = field(default_factory=list)

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        self.asked.extend(texts)
        return [f"{text[:-1]} there{text[-1:]}" if source == "en" else text for text in texts]


RECIPES: dict[str, Callable[[], Recipe]] = {
    "mansoorizadeh-2016": Mansoorizadeh2016,
    "keswani-2016": lambda: Keswani2016(translator=Echo()),
    "mihaylova-2016": Mihaylova2016,
}
every_recipe = pytest.mark.parametrize("recipe", [make() for make in RECIPES.values()], ids=list(RECIPES))


def problem(text: str, *known: str) -> Problem:
    return Problem("p", tuple(Document(f"k{n}", one) for n, one in enumerate(known)), Document("u", text))


def masked(recipe: Recipe, text: str, *known: str) -> str:
    return obfuscated_text(recipe.mask(problem(text, *known)))


@every_recipe
class TestEveryRecipe:
    def test_pieces_have_exact_places(self, recipe: Recipe) -> None:
        pieces = recipe.mask(problem(TEXT, TEXT))
        check_pieces(pieces, TEXT, "here")
        assert "".join(piece.original for piece in pieces) == TEXT
        assert obfuscated_text(pieces) == recipe.rewriting(problem(TEXT, TEXT)).text != TEXT

    def test_the_same_text_is_masked_alike(self, recipe: Recipe) -> None:
        first = masked(recipe, TEXT, TEXT)
        masked(recipe, "Something else came between.", TEXT)
        assert masked(recipe, TEXT, TEXT) == first

    def test_an_address_stays(self, recipe: Recipe) -> None:
        assert "https://example.org/the/big" in masked(recipe, TEXT, TEXT)

    @pytest.mark.parametrize(
        "text",
        ["", " \n", "Das ist nicht von mir, und ich weiß nicht, von wem es ist.", "Это не моё, а твоё."],
    )
    def test_empty_and_foreign_texts_stay(self, recipe: Recipe, text: str) -> None:
        assert masked(recipe, text) == text

    @pytest.mark.parametrize("text", ["Yes", "东", "a\x00b\x07. the\x0b", "\ufeff", "The.", "' \" '", "of"])
    def test_odd_texts_are_survived(self, recipe: Recipe, text: str) -> None:
        pieces = recipe.mask(problem(text))
        assert "".join(piece.original for piece in pieces) == text

    def test_no_samples_are_needed(self, recipe: Recipe) -> None:
        assert masked(recipe, TEXT) != TEXT

    @settings(max_examples=15)
    @given(text=st.text(max_size=80) | st.lists(st.sampled_from(TEXT.split()), max_size=20).map(" ".join))
    def test_any_text_keeps_its_places(self, recipe: Recipe, text: str) -> None:
        pieces = recipe.mask(problem(text, "It was the first day."))
        assert "".join(piece.original for piece in pieces) == text


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_are_found_by_name(name: str) -> None:
    assert obfuscators[name]().seed == 1


class TestMansoorizadeh:
    def test_one_word_of_a_sentence_makes_way_and_tokens_stand_apart(self) -> None:
        text = "The food was good, they said. It wasn't."
        assert masked(Mansoorizadeh2016(), text, "good") == "The food was full , they said . It was n't ."

    def test_of_two_usual_words_the_one_the_author_uses_most_makes_way(self) -> None:
        text = "The error was an important one."
        assert masked(Mansoorizadeh2016(), text, "important important error").startswith(
            "The error was an sig"
        )
        assert masked(Mansoorizadeh2016(), text, "error error important").startswith("The mistake was an imp")

    def test_words_that_the_author_does_not_use_stay(self) -> None:
        text = "The error was found."
        assert masked(Mansoorizadeh2016(), text, "nothing of the kind") == "The error was found ."

    def test_a_piece_is_a_sentence(self) -> None:
        pieces = Mansoorizadeh2016().mask(problem("One came. Two went. All slept."))
        assert [piece.original for piece in pieces] == ["One came. ", "Two went. ", "All slept."]

    def test_the_bounds_of_a_loss_are_kept(self) -> None:
        text = "The problem was solved."
        assert masked(Mansoorizadeh2016(), text, "problem") != "The problem was solved ."
        assert masked(Mansoorizadeh2016(most_loss=0), text, "problem") == "The problem was solved ."


class TestKeswani:
    def test_each_sentence_goes_there_and_back(self) -> None:
        echo = Echo()
        recipe = Keswani2016(translator=echo, routes=("en-eo-en",), lost=0, fewest=0, most=0)
        assert masked(recipe, "It rained. We slept.") == "it rained there. we slept there."
        assert echo.asked == ["It rained.", "We slept.", "It rained there.", "We slept there."]

    def test_a_sentence_is_not_translated_twice(self) -> None:
        echo = Echo()
        recipe = Keswani2016(translator=echo)
        first = masked(recipe, "It rained. We slept. It rained.")
        asked = len(echo.asked)
        assert asked in (4, 6)
        assert masked(recipe, "It rained. We slept. It rained.") == first
        assert len(echo.asked) == asked

    def test_words_become_the_author_s_rarest_of_their_first_meaning(self) -> None:
        recipe = Keswani2016(translator=Echo(), lost=0, most=5)
        made = masked(recipe, "They found an error in it.", "mistake mistake")
        assert re.search(r"\ban (?:fault)\b", made)
        assert "mistake" in masked(recipe, "They found an error in it.", "fault fault")

    def test_the_other_variety_than_the_author_s_is_written(self) -> None:
        recipe = Keswani2016(translator=Echo(), lost=0, fewest=0, most=0)
        assert "color" in masked(recipe, "The colour was there.", "The theatre of honour and labour.")
        assert "colour" in masked(recipe, "The color was there.", "The theater of honor and labor.")

    def test_verbs_and_prepositions_get_lost_and_articles_do_not(self) -> None:
        recipe = Keswani2016(translator=Echo(), lost=1, fewest=0, most=0)
        assert masked(recipe, "They saw the house in the wood.") == "they the house the wood there."

    def test_sentences_begin_small_but_for_names_and_the_pronoun(self) -> None:
        recipe = Keswani2016(translator=Echo(), lost=0, fewest=0, most=0)
        assert masked(recipe, "The old man sat. I saw him.") == "the old man sat there. I saw him there."

    def test_each_sentence_takes_one_of_the_routes(self) -> None:
        text = " ".join(f"They counted {number} trees." for number in range(40))
        taken: list[str] = []

        class Roads(Echo):
            def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
                taken.extend([target] * len(texts) if source == "en" else [])
                return super().translate(texts, source, target)

        masked(Keswani2016(translator=Roads()), text)
        assert len(taken) == 40
        assert 8 < taken.count("eo") < 32

    def test_without_the_translator_its_package_is_named(self, tmp_path: Path) -> None:
        recipe = Keswani2016(translator=Apertium(folder=tmp_path))
        with pytest.raises(StemmataError, match=r"apertium-eo-en"):
            recipe.mask(problem(TEXT))

    def test_the_real_translator_changes_sentences(self) -> None:
        if not {("en", "eo"), ("eo", "en")} <= Apertium().pairs.keys():
            pytest.skip("Apertium's English and Esperanto are not installed")
        recipe = Keswani2016(routes=("en-eo-en",), fewest=0, most=0, lost=0)
        made = masked(recipe, "The old man was walking slowly along the river.")
        assert "river" in made
        assert made.lower() != "the old man was walking slowly along the river."


class TestMihaylova:
    def only(self, **settings: float) -> Mihaylova2016:
        """Return the recipe with all shares 0 but some."""
        shares = dict.fromkeys(
            (
                *("stop_words", "most_used", "phrases", "removed", "inserted", "spelling", "marker"),
                "misspelled",
            ),
            0.0,
        )
        return Mihaylova2016(**{**shares, "few_words": 0.0, "tolerance": 99.0, **settings})

    def test_numbers_signs_titles_and_short_forms_are_written_out(self) -> None:
        made = masked(self.only(), "Mr. Hill didn't see 12 cats & 3 dogs.")
        assert made == "Mister Hill did not see Twelve cats and Three dogs."

    def test_numbers_and_quotes_look_as_the_original_writes_them(self) -> None:
        made = masked(self.only(), 'In 1993 "some" 5% came.')
        assert made == "In One thousand, Nine hundred Ninety Three ``some'' Five percent came."

    def test_stop_words_are_exchanged_or_left_out(self) -> None:
        made = masked(self.only(stop_words=1), "The boy and the girl who came after us spoke of it.")
        assert re.fullmatch("boy also girl which came following us spoke (?:in|inside) it\\.", made)

    def test_the_most_used_words_change_in_a_text_of_few_words(self) -> None:
        text = "It is to be and to go. " * 6
        assert "tto" not in masked(self.only(most_used=1), text)
        assert "tto" in masked(self.only(most_used=1, few_words=0.9), text)

    def test_the_letter_of_an_abbreviation_is_no_pronoun(self) -> None:
        made = masked(self.only(stop_words=1), "It was red, i.e. not blue, and I saw it.")
        assert "myself.e" not in made
        assert "myself saw" in made
        assert masked(self.only(stop_words=1), "It was. I saw it.") == "It was. Myself saw it."

    def test_punctuation_goes_from_a_text_that_has_much_and_comes_to_one_that_has_little(self) -> None:
        much = "Red, green, blue; white, black: grey, all."
        assert not re.search("[,;:]", masked(self.only(removed=1), much))
        little = "We went to the house of a friend in the old town."
        assert len(re.findall("[,;]", masked(self.only(inserted=1), little))) == 3

    def test_short_sentences_are_joined_within_a_piece(self) -> None:
        made = masked(self.only(tolerance=0), "The dogs bark. The cats sleep. I sit here.")
        assert made.count(".") == 1
        assert re.fullmatch(
            r"The dogs bark[,;](?: and| as| yet)? the cats sleep[,;](?: and| as| yet)? I sit here\.", made
        )

    def test_long_sentences_are_split_at_and(self) -> None:
        text = "The old dog slept in the warm sun for a very long time and the small cat watched it all day."
        assert "time. The small" in masked(self.only(tolerance=0), text)

    def test_markers_are_put_before_pieces(self) -> None:
        made = masked(self.only(marker=1), "Dogs bark. Cats sleep.")
        assert re.fullmatch(r"[A-Z][\w' ]*, Dogs bark\. Cats sleep\.", made)

    def test_capitals_are_lowered(self) -> None:
        assert masked(self.only(), "It was NEVER a TV.") == "It was Never a TV."

    def test_rewriting_is_linear_in_the_text(self) -> None:
        pieces = Mihaylova2016().mask(problem(TEXT * 30))
        assert "".join(piece.original for piece in pieces) == TEXT * 30


@pytest.mark.corpus
@pytest.mark.parametrize("part", [slice(0, 100, 20), slice(100, None, 21)], ids=["chosen on", "others"])
@pytest.mark.parametrize("name", RECIPES)
def test_outputs_look_like_the_originals(name: str, part: slice, corpus: Callable[[str], Path]) -> None:
    from benchmarks.likeness import NEAR, RUNS, looks_of, mean_looks

    pairs = {("en", "eo"), ("eo", "en"), ("en", "es"), ("es", "en")}
    if name == "keswani-2016" and not pairs <= Apertium().pairs.keys():
        pytest.skip("Apertium's English with Esperanto and Spanish is not installed")
    folder = corpus("pan16-masking")
    some = read_problems(folder / "problems")[part]
    assert len(some) == 5
    real = mean_looks(looks_of(read_obfuscation(folder / "runs" / RUNS[name] / one.id)) for one in some)
    ours = mean_looks(looks_of(obfuscators[name]().mask(one)) for one in some)
    assert ours == pytest.approx(real, abs=NEAR)
