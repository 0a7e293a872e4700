"""Sentences: in order, apart, never empty, and nothing but space between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.model import StemmataError
from stemmata.text import sentences as module
from stemmata.text.sentences import find_sentences

LANGUAGES = ("en", "ru", "de", "es")
MARKED = st.text("aBЯ1 .!?…\n\"'»)。", max_size=80)


def split(text: str, language: str = "en", rules: bool = False) -> list[str]:
    starts, ends = find_sentences(text, language, rules=rules)
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def assert_covers(text: str, language: str, rules: bool) -> None:
    starts, ends = find_sentences(text, language, rules=rules)
    done = 0
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        assert start < end
        assert not text[done:start].strip()
        assert text[start:end] == text[start:end].strip()
        done = end
    assert not text[done:].strip()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", [False, True])
@given(text=st.text(st.characters(), max_size=120) | MARKED)
def test_everything_but_space_lies_in_one_sentence(language, rules, text):
    assert_covers(text, language, rules)


@pytest.mark.parametrize("rules", [False, True])
@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["It was a U.S. army camp.", "Mr. J. K. Day paid $3.5.", "He left at 5 p.m. on Jan. 5."]),
        ("en", ['"Why?" he asked.', '"Go!"', "She went...", "Then nothing, e.g. silence."]),
        ("ru", ["А. С. Пушкин и др. писали стихи.", "Что? — спросил он.", "«Да!»", "В. И. Ленин и т.д."]),
        ("ru", ["Он родился в г. Москве.", "Т. е. давно, см. рис. 5.", "Ну и что?"]),
        ("de", ["Am 3. Mai kam z.B. Dr. Meier.", "„Warum?“ fragte er.", "Er blieb usw.", "Dann ging er."]),
        ("de", ["Das war 1999.", "Vgl. Abb. 3.", "Die Firma e.V. in Bonn gibt es nicht mehr."]),
        ("es", ["El Sr. García llegó a EE.UU. en 1999.", "¿Por qué?", "¡No lo sé!", "Av. Central, etc."]),
    ],
)  # fmt: skip
def test_abbreviations_initials_numbers_and_quotes(language, expected, rules):
    assert split(" ".join(expected), language, rules) == expected


def test_rules_keep_the_number_of_a_list_with_its_item():
    assert split("1. First. 2. Second.", rules=True) == ["1. First.", "2. Second."]


def test_text_without_marks_is_one_sentence():
    assert split("  no marks at all \n") == ["no marks at all"]
    assert split("") == split(" \n\t") == []


def test_windows_do_not_change_sentences(monkeypatch):
    text = "Mr. Day said it at 5 p.m. on Monday. Nobody (not even he) knew why! It rained... " * 40
    whole = split(text)
    monkeypatch.setattr(module, "_WINDOW", 300)
    assert split(text) == whole


def test_a_sentence_without_end_is_cut_between_words(monkeypatch):
    monkeypatch.setattr(module, "_WINDOW", 20)
    assert split("one two three four five six") == ["one two three four", "five six"]
    assert split("x" * 30) == ["x" * 20, "x" * 10]


@pytest.mark.parametrize("language", ["en", "ru", "de"])
@pytest.mark.parametrize(
    "text",
    ["?" * 10**5, "?)" * 10**5, "." * 10**5, "Mr. " * 10**4, "a.-a. " * 9999, "\0\ud800" * 9999, "x" * 10**6],
    ids=["questions", "brackets", "periods", "titles", "dashes", "garbage", "one word"],
)  # fmt: skip
def test_hostile_text_takes_no_longer_than_its_length(language, text):
    assert_covers(text, language, rules=False)


class TestMissingPackages:
    @pytest.fixture(autouse=True)
    def nothing_installed(self, monkeypatch):
        def refuse(name: str):
            raise ImportError(name)

        monkeypatch.setattr(module, "import_module", refuse)
        module._splitter.cache_clear()
        yield
        module._splitter.cache_clear()

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_rules_stand_in(self, language):
        text = "Das ist A. Он ушёл. Why? No."
        assert split(text, language) == split(text, language, rules=True)


def test_an_unknown_language_is_named():
    with pytest.raises(StemmataError, match=r"E501 .*language.*'eng'; did you mean 'en'"):
        find_sentences("x", "eng")
