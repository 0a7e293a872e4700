"""Apertium as a translator: what it keeps, what it survives, and what it says where it cannot serve."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stemmata.model import StemmataError
from stemmata.text import translation
from stemmata.text.translation import Apertium, Translator, close_translators

APERTIUM = Apertium(seconds=10)


def needs(*pairs: tuple[str, str]) -> pytest.MarkDecorator:
    missing = [pair for pair in pairs if pair not in APERTIUM.pairs]
    return pytest.mark.skipif(bool(missing), reason=f"Apertium has no {missing}; see scripts/install-data")


spanish = needs(("es", "en"))
any_text = st.text(
    st.sampled_from("ab éñ1.,[]{}^$@/\\<>~*#+|\n\t\0\x1b\x85\xad\ud800漢🙂\u200b"), max_size=25
)


@pytest.fixture(scope="module", autouse=True)
def _nothing_left_running():
    yield
    close_translators()
    assert not translation._rows


@spanish
class TestTexts:
    def test_spanish_becomes_english(self):
        assert APERTIUM.translate(["Los gatos duermen en la casa."], "es", "en") == [
            "The cats sleep in the house."
        ]

    def test_nothing_is_nothing(self):
        assert APERTIUM.translate([], "es", "en") == []
        assert APERTIUM.translate(["", " \n"], "es", "en") == ["", " \n"]

    def test_paragraphs_and_outer_space_stay(self):
        (made,) = APERTIUM.translate(["  La casa.\n\n\tLa mesa.\n"], "es", "en")
        assert made == "  The house.\n\n\tThe table.\n"

    def test_a_line_break_is_a_space(self):
        assert APERTIUM.translate(["Los gatos\nduermen."], "es", "en") == ["The cats sleep."]

    def test_unknown_words_bear_no_mark(self):
        assert "*" not in APERTIUM.translate(["El qwertzuiop duerme."], "es", "en")[0]

    def test_own_marks_of_the_engine_come_through(self):
        text = "[qz] {qz} ^qz$ @qz \\ qz/qz <qz> *qz #qz ~qz~ +qz |"
        assert APERTIUM.translate([text], "es", "en")[0].lower() == text

    def test_what_is_no_spanish_stays(self):
        for text in ("漢字仮名", "Кошка", "🙂", "zq\x00zq\x1bzq", "zq\ud800zq"):
            assert APERTIUM.translate([text], "es", "en")[0].lower() == text.lower()

    @settings(max_examples=60)
    @given(st.lists(any_text, max_size=4))
    @example(["~", "\\", "[", "[]", "\0"])
    @example(["^casa<n>$", "[<STREAMCMD:FLUSH>]", "\\0"])
    def test_any_texts_come_out_one_for_one(self, texts):
        made = APERTIUM.translate(texts, "es", "en")
        assert len(made) == len(texts)
        for text, new in zip(texts, made, strict=True):
            for mark in "[]{}^$@\\<>~*#\0\x1b\xad\ud800漢🙂":
                assert new.count(mark) == text.count(mark), mark
            assert bool(new.strip()) == bool(text.strip())


@spanish
class TestPrograms:
    def test_the_same_texts_give_the_same_whatever_went_before(self):
        texts = ["Ella vino sola a casa.", "El vino cura."]
        first = APERTIUM.translate(texts, "es", "en")
        APERTIUM.translate(["Como él no come, vino el cura, que la cura con cura."] * 9, "es", "en")
        assert APERTIUM.translate(texts, "es", "en") == first

    def test_more_than_a_batch(self, monkeypatch):
        monkeypatch.setattr(translation, "BATCH", 40)
        assert APERTIUM.translate(["La casa."] * 30, "es", "en") == ["The house."] * 30

    def test_more_than_the_pipes_hold(self):
        assert set(APERTIUM.translate(["La casa."] * 6000, "es", "en")) == {"The house."}

    def test_programs_that_were_killed_are_started_anew(self):
        APERTIUM.translate(["La casa."], "es", "en")
        for (process, _), row in translation._rows.items():
            if process == os.getpid():
                for one in row._processes:
                    os.kill(one.pid, signal.SIGKILL)
        assert APERTIUM.translate(["La casa."], "es", "en") == ["The house."]

    def test_no_more_rows_than_allowed_are_kept(self, monkeypatch):
        monkeypatch.setattr(translation, "MOST_OPEN", 1)
        assert APERTIUM.translate(["La casa."], "es", "en") == ["The house."]
        assert len(translation._rows) <= 2

    def test_it_is_a_translator(self):
        assert isinstance(APERTIUM, Translator)


def fake(folder: Path, program: str) -> Apertium:
    """Make an Apertium whose one pair, es-en, is one program."""
    (folder / "modes").mkdir()
    (folder / "modes" / "spa-eng.mode").write_text(program)
    (folder / "modes" / "spa-eng_US.mode").write_text("false")
    return Apertium(folder, seconds=0.5)


class TestWhatGoesWrong:
    def test_without_the_pair_it_says_what_to_install(self, tmp_path):
        with pytest.raises(StemmataError, match=r"E706 .*es-en.*installed: none.*apertium-eng-spa"):
            Apertium(tmp_path).translate(["La casa."], "es", "en")
        with pytest.raises(StemmataError, match=r"E706 .*en-eo.*apertium-eo-en"):
            Apertium(tmp_path).translate(["A house."], "en", "eo")

    def test_without_the_programs_too(self, tmp_path):
        with pytest.raises(StemmataError, match=r"E706 .*installed: es-en"):
            fake(tmp_path, "no-such-program x").translate(["La casa."], "es", "en")

    def test_pairs_are_named_by_two_letters_and_variants_left_out(self, tmp_path):
        assert list(fake(tmp_path, "true").pairs) == [("es", "en")]

    def test_a_program_that_dies_twice_is_an_error(self, tmp_path):
        with pytest.raises(StemmataError, match="E707"):
            fake(tmp_path, "false").translate(["La casa."], "es", "en")

    def test_a_program_that_never_answers_is_an_error(self, tmp_path):
        # `sort -z` waits for the end of its input, which never comes.
        with pytest.raises(StemmataError, match=r"E707 .*time limit"):
            fake(tmp_path, "sort").translate(["La casa."], "es", "en")

    def test_a_mode_runs_no_shell(self, tmp_path):
        witness = tmp_path / "witness"
        with pytest.raises(StemmataError):
            fake(tmp_path, f"false ; touch {witness} && touch {witness}").translate(["x"], "es", "en")
        assert not witness.exists()
