"""Words and tokens keep their place, whatever the text."""

import re
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stemmata.text.words import Words, find_tokens, find_words

ANY_TEXT = st.text(st.characters(), max_size=200)
"""Every code point, halves of surrogate pairs and control characters among them."""
WORD_LIKE = st.text("aB'’.-,:1é İΣ \n?(", max_size=60)


def cut(text: str, words: Words) -> list[str]:
    return [text[start:end] for start, end in zip(words.start.tolist(), words.end.tolist(), strict=True)]


def assert_ordered(words: Words, text: str) -> None:
    assert len(words) == len(words.start) == len(words.end) == len(words.forms)
    assert words.start.dtype == words.end.dtype == np.int64
    assert (words.start < words.end).all()
    assert (words.end[:-1] <= words.start[1:]).all()
    assert not len(words) or words.end[-1] <= len(text)


class TestWords:
    @given(ANY_TEXT | WORD_LIKE)
    @example("İstanbul İİ ΑΣ.Α ΣΑΣ")
    @example("a\ud800b\x00c\u0301d_e")
    def test_are_the_runs_of_letters_and_digits_in_lower_case(self, text):
        words = find_words(text)
        assert_ordered(words, text)
        assert cut(text, words) == re.findall(r"[^\W_]+", text)
        assert list(words.forms) == [word.lower() for word in cut(text, words)]

    def test_lower_case_of_any_character_is_found_as_one_by_one(self):
        every = " ".join(map(chr, range(sys.maxunicode + 1)))
        assert list(find_words(every).forms) == [one.lower() for one in re.findall(r"[^\W_]+", every)]

    @pytest.mark.parametrize(
        ("text", "forms"),
        [
            ("", ()),
            ("_ - . \n", ()),
            ("Don't snake_case", ("don", "t", "snake", "case")),
            ("Ёлка №5, Straße", ("ёлка", "5", "straße")),
            ("naïve nai\u0308ve", ("naïve", "nai", "ve")),
        ],
    )
    def test_by_example(self, text, forms):
        assert find_words(text).forms == forms


class TestTokens:
    @given(ANY_TEXT | WORD_LIKE)
    def test_are_cut_from_the_text_and_start_with_a_letter_or_digit(self, text):
        tokens = find_tokens(text)
        assert_ordered(tokens, text)
        assert list(tokens.forms) == [one.replace("’", "'").lower() for one in cut(text, tokens)]
        assert all(one[0].isalnum() and not re.search(r"\s", one) for one in cut(text, tokens))

    @pytest.mark.parametrize(
        ("text", "forms"),
        [
            ("I don't know", "i do n't know"),
            ("It’s CAN'T you'll", "it ca n't you"),
            ("the dogs' bones", "the dogs bones"),
            ("well-known rock'n'roll -- yes", "well-known rock'n'roll yes"),
            ("1,000 at 12:30, said 3.14: ok", "1,000 at 12:30 said 3.14 ok"),
            ("in the U.S. army.", "in the u.s. army"),
            ('He said (quietly) "stop."', "he said quietly stop"),
            ("wait...what?!", "wait what"),
            ("I cannot, gonna 'tis", "i can not gon na is"),
            ("mail@home.org 50% $5", "mail home.org 50 5"),
            ("“Stop,” he said.", "stop he said"),
            ("'quoted words' -x", "words"),
        ],
    )
    def test_follow_the_treebank(self, text, forms):
        assert " ".join(find_tokens(text).forms) == forms

    def test_lose_the_period_at_the_end_of_each_sentence_and_only_there(self):
        text = "Mr. Day left. So did I.)"
        ends = (np.array([0, 14]), np.array([13, 24]))
        assert find_tokens(text, ends).forms == ("mr.", "day", "left", "so", "did", "i")
        assert find_tokens(text).forms == ("mr.", "day", "left.", "so", "did", "i")

    @pytest.mark.parametrize("text", ["a" * 10**6, "a'" * 10**5, "-" * 10**6, "." * 10**6, "a,1" * 10**5])
    def test_take_linear_time_on_hostile_text(self, text):
        assert_ordered(find_tokens(text), text)
