"""Stems, lemmas, parts of speech and word lists, language by language."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dictionaries import needs_wordnet
from stemmata.model import StemmataError
from stemmata.text import lemmas as lemmas_module
from stemmata.text import pos as pos_module
from stemmata.text import stems as stems_module
from stemmata.text.languages import known_language_of, language_of, languages
from stemmata.text.lemmas import lemmas
from stemmata.text.pos import tag_words
from stemmata.text.stems import stems


class TestStems:
    @pytest.mark.parametrize(
        ("language", "forms", "expected"),
        [
            ("en", "copied copies generously", "copi copi generous"),
            ("ru", "книгами книгу читали", "книг книг чита"),
            ("de", "häuser hauses katzen", "haus haus katz"),
            ("es", "canciones niños hablando", "cancion niñ habl"),
        ],
    )
    def test_by_language(self, language, forms, expected):
        assert stems(forms.split(), language) == expected.split()

    def test_porter_on_request(self):
        assert stems(["generously"], algorithm="porter") == ["gener"]

    @given(st.lists(st.text(st.characters(), max_size=20)))
    def test_take_any_form(self, forms):
        assert len(stems(forms)) == len(forms)

    def test_are_the_same_from_many_threads_while_the_memory_starts_anew(self, monkeypatch):
        monkeypatch.setattr(stems_module, "_KEPT", 50)
        forms = [f"copies{chr(97 + i % 26)}{chr(97 + i // 26)}ing" for i in range(200)]
        expected = [stems([form])[0] for form in forms]
        with ThreadPoolExecutor(4) as pool:
            assert all(found == expected for found in pool.map(lambda _: stems(forms), range(40)))

    @pytest.mark.parametrize(
        ("name", "asked"), [("english", {"algorithm": "englisch"}), ("de", {"language": "deu"})]
    )
    def test_unknown_names_are_told(self, name, asked):
        with pytest.raises(StemmataError, match=f"E501 .*did you mean '{name}'"):
            stems(["x"], **asked)


class TestLemmas:
    @pytest.mark.parametrize(
        ("language", "forms", "expected"),
        [
            ("en", "mice were copied better his xyzzy", "mouse be copy good his xyzzy"),
            ("ru", "книгами шли детей", "книга идти ребёнок"),
            ("de", "katzen häuser ging", "katze haus gehen"),
            ("es", "niños casas hablando", "niño casa hablar"),
        ],
    )
    def test_by_language(self, language, forms, expected):
        assert lemmas(forms.split(), language) == expected.split()

    def test_of_one_part_of_speech(self):
        assert lemmas(["saw", "mice"], part="NOUN") == ["saw", "mouse"]
        assert lemmas(["стали"], "ru", part="NOUN") == ["сталь"]

    @pytest.mark.parametrize("language", ["en", "ru", "de", "es"])
    @given(form=st.text(st.characters(), max_size=80))
    def test_take_any_form(self, language, form):
        assert len(lemmas([form], language)) == 1


class TestPartsOfSpeech:
    @pytest.mark.parametrize(
        ("language", "sentence", "parts", "lemma"),
        [
            (
                "en",
                "The mice were not sleeping in Paris .",
                "DET NOUN AUX PART VERB ADP PROPN PUNCT",
                "mouse",
            ),
            ("de", "Der Mann sieht die alten Häuser .", "DET NOUN VERB DET ADJ NOUN PUNCT", "Mann"),
            ("ru", "Анна книги читала в Москве .", "PROPN NOUN VERB ADP PROPN PUNCT", "книга"),
        ],
    )
    def test_by_language(self, language, sentence, parts, lemma):
        tagged = tag_words(sentence.split(), language)
        assert [one.part for one in tagged] == parts.split()
        assert tagged[1].lemma == lemma

    @pytest.mark.parametrize("language", ["en", "de", "ru"])
    def test_take_any_words(self, language):
        words = ["", "x" * 5000, "\ud800", "\x00", "１２", "…", "naïve"]
        tagged = tag_words(words, language)
        assert len(tagged) == len(words)
        assert tagged[1].lemma == words[1]

    def test_a_model_in_the_working_folder_is_not_run(self, tmp_path, monkeypatch):
        (tmp_path / "morphmodel_en.pgz").write_bytes(b"not a model")
        monkeypatch.chdir(tmp_path)
        pos_module._hanta.cache_clear()
        assert tag_words(["dogs"])[0].lemma == "dog"


class TestMissingPackages:
    @pytest.mark.parametrize(
        ("package", "extra", "use"),
        [
            ("lemminflect", "lemmas", lambda: lemmas(["x"], "en")),
            ("simplemma", "lemmas", lambda: lemmas(["x"], "es")),
            ("pymorphy3", "russian", lambda: lemmas(["x"], "ru")),
            ("pymorphy3", "russian", lambda: tag_words(["x"], "ru")),
            ("HanTa", "pos", lambda: tag_words(["x"], "de")),
        ],
    )
    def test_the_extra_is_named(self, monkeypatch, package, extra, use):
        for kept in (lemmas_module._lemmatizer, pos_module._hanta, pos_module.russian_analyser):
            kept.cache_clear()
        for module in (package, "HanTa.HanoverTagger"):
            monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(StemmataError, match=rf"(?s)E502 .*{package}.*stemmata\[{extra}\]"):
            use()

    def test_a_language_without_the_tool_is_told(self):
        assert languages["es"].tag is None
        with pytest.raises(StemmataError, match="E501"):
            tag_words(["hola"], "es")
        with pytest.raises(StemmataError, match="E501"):
            lemmas(["haus"], "de", part="NOUN")
        with pytest.raises(StemmataError, match="E501"):
            lemmas(["x"], "xx")


class TestPacks:
    def test_there_are_four(self):
        assert list(languages) == ["de", "en", "es", "ru"]

    @pytest.mark.parametrize("code", ["de", "en", "es", "ru"])
    def test_word_lists_are_long_enough_and_in_lower_case(self, code):
        pack = languages[code]
        assert pack.code == code
        assert len(pack.stop_words) >= 170
        assert pack.stop_words < pack.function_words
        assert not pack.abbreviations & pack.final_abbreviations
        words = pack.function_words | pack.abbreviations | pack.final_abbreviations
        assert {one.lower() for one in words} == words

    @pytest.mark.parametrize("code", ["de", "en", "ru"])
    def test_tools_are_at_hand(self, code):
        pack = languages[code]
        assert pack.lemmatize is not None
        assert pack.tag is not None
        assert len(pack.lemmatize(["a"])) == len(pack.tag(["a"])) == 1

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("The die is cast, and nothing can be done about it.", "en"),
            ("Die Würfel sind gefallen, und es ist nichts mehr zu machen.", "de"),
            ("La suerte está echada y ya no se puede hacer nada.", "es"),
            ("Жребий брошен, и ничего уже не сделать (alea iacta est).", "ru"),
            ("Привет", "ru"),
            ("", "en"),
            ("42 — 17", "en"),
            ("Cremant de Bourgogne, Pinot Blanc, Riesling, Mosel, Chardonnay, Virginia, Cider", "en"),
        ],
    )
    def test_the_language_of_a_text(self, text, code):
        assert language_of(text) == code

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("The die is cast, and nothing can be done about it.", "en"),
            ("Dogs bark loudly.", "en"),
            pytest.param("Great phone! Excellent battery life, fast delivery.", "en", marks=needs_wordnet),
            pytest.param(
                "Superbe restaurant! Cuisine excellente, terrasse charmante.", "und", marks=needs_wordnet
            ),
            ("", "en"),
            ("La suerte está echada y ya no se puede hacer nada.", "es"),
            ("Привет", "ru"),
            ("Ik weet niet waarom het huis zo groot is, en wat was het weer mooi over de zee.", "und"),
            ("Jeg ved ikke, hvorfor huset er så stort, men i dag vil jeg hellere blive hjemme.", "und"),
            ("Nie wiem, dlaczego to nie jest dobre, ale musimy o tym porozmawiać.", "und"),
            ("Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae.", "und"),
            ("我不认为我们明天可以回家", "und"),
            ("Ο καιρός είναι καλός", "und"),
            ("The word for it is μῆνις, and nobody knows a better one.", "en"),
        ],
    )
    def test_only_what_is_surely_english_is_known_to_be(self, text, code):
        assert known_language_of(text) == code

    @given(st.text(st.characters(), max_size=200))
    def test_any_text_has_one(self, text):
        assert language_of(text) in languages
