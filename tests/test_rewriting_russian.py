"""Strategies of PlagEvalRus: Russian words change, and what agrees with them follows."""

import re
import tomllib
from collections import Counter
from contextlib import suppress
from importlib.resources import files
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng

from stemmata.model import Span, StemmataError
from stemmata.rewriting import Scene, at_degree, strategies
from stemmata.rewriting.russian import Russian
from stemmata.rewriting.russian_abbreviations import RussianAbbreviations, _table
from stemmata.rewriting.russian_chains import RussianChains
from stemmata.rewriting.russian_diminutives import RussianDiminutives
from stemmata.rewriting.russian_draft import preposition_before
from stemmata.rewriting.russian_forms import CASES, listed, readings
from stemmata.rewriting.russian_grammar import russian_words
from stemmata.rewriting.russian_number import RussianNumber
from stemmata.rewriting.russian_synonyms import RussianSynonyms
from stemmata.text.thesaurus import Meaning, Thesaurus, thesaurus

NAMES = (
    "russian-synonyms",
    "russian-chains",
    "russian-abbreviations",
    "russian-diminutives",
    "russian-number",
    "russian",
)
STORY = (
    "Старый рыбак увидел большую лодку и быстро побежал к берегу реки. Там стоял красивый дом, а за ним рос "
    "тихий, спокойный лес! «Кто построил эту дорогу?» — спросил он у соседа.\n\n"
    "В 1990 г. в деревне жило 5 тыс. человек, т. е. больше, чем в соседнем городе. Президент Российской "
    "Федерации приехал туда через три года и так далее. Новый закон был принят после долгого спора. "
    "Маленький мальчик взял яблоко, открыл книгу и начал читать о кораблях, птицах и дальних морях."
)
SEEDS = range(10)


def has_thesaurus() -> bool:
    try:
        thesaurus("ru")
    except StemmataError:
        return False
    return True


needs_thesaurus = pytest.mark.skipif(not has_thesaurus(), reason="mythes-ru is not installed")
WITH_THESAURUS = {"russian-synonyms", "russian-chains", "russian"}
every_strategy = pytest.mark.parametrize(
    "name", [pytest.param(n, marks=needs_thesaurus if n in WITH_THESAURUS else ()) for n in NAMES]
)


def scene(seed=1, language="ru"):
    return Scene(default_rng(seed), language)


def versions(strategy, text, seeds=SEEDS):
    return {strategy.rewrite(text, scene(seed)).text for seed in seeds}


def tiny(folder, *entries, language="ru_RU", encoding="UTF-8"):
    """Write a thesaurus: each entry a headword and lines of meanings."""
    index, data = [], f"{encoding}\n".encode()
    for head, *lines in entries:
        index.append((head.encode(encoding), len(data)))
        data += "\n".join([f"{head}|{len(lines)}", *lines, ""]).encode(encoding)
    rows = [head + b"|%d" % offset for head, offset in sorted(index)]
    start = [encoding.encode(), b"%d" % len(rows)]
    (folder / f"th_{language}_v2.idx").write_bytes(b"\n".join([*start, *rows, b""]))
    (folder / f"th_{language}_v2.dat").write_bytes(data)
    return folder


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A thesaurus of few words, so that what comes is known."""
    monkeypatch.setenv("STEMMATA_THESAURUS", str(tmp_path))
    return tiny(
        tmp_path,
        ("дом", "(синоним)|изба", "(антоним)|улица"),
        ("изба", "(синоним)|дом"),
        ("храм", "(синоним)|святилище"),
        ("тихий", "(синоним)|спокойный|смирный"),
        ("идти", "(синоним)|шагать|прийти|двинуться|гулять"),
        ("стол", "(синоним)|парта"),
        ("рыбак", "(синоним)|рыболов|удочка|Петр|рыбий глаз"),
        ("книга", "(синоним)|том"),
        ("быстро", "(синоним)|скоро"),
    )


class TestThesaurus:
    """The files of word processors."""

    def test_meanings_have_labels_and_words(self, small):
        assert thesaurus("ru").meanings("ДОМ") == (
            Meaning("синоним", ("изба",)),
            Meaning("антоним", ("улица",)),
        )
        assert thesaurus("ru").meanings("дома") == ()

    def test_every_word_is_found_and_no_other(self, tmp_path):
        heads = sorted({f"{a}{b}" for a in "абвгя" for b in ["", "а", "аа", "б в", "-"]})
        found = Thesaurus("ru", tiny(tmp_path, *((head, f"-|{head}!") for head in heads)))
        assert [found.meanings(head)[0].words for head in heads] == [(f"{head}!",) for head in heads]
        assert not any(
            found.meanings(word) for word in ("", "a", "аб", "яя", "а|1", "я\n", "я" * 999, "\ud800")
        )

    def test_encodings_are_those_of_the_header_and_remarks_go(self, tmp_path):
        tiny(tmp_path, ("útil", "-|provechoso (fig.)|(raro) apto"), language="es_ES", encoding="ISO8859-1")
        assert Thesaurus("es", tmp_path).meanings("útil")[0] == Meaning("", ("provechoso", "apto"))
        assert Thesaurus("es", tmp_path).meanings("дом") == ()

    @pytest.mark.parametrize(
        ("index", "data"),
        [
            (b"", b""),
            (b"rot13\n1\n\xd0\xb0|6\n", b"UTF-8\n\xd0\xb0|1\n-|b\n"),
            (b"UTF-8\n1\n\xd0\xb0|999999\n", b"UTF-8\n\xd0\xb0|1\n-|b\n"),
            (b"UTF-8\n1\n\xd0\xb0|-6\n", b"UTF-8\n\xd0\xb0|1\n-|b\n"),
            (b"UTF-8\n1\n\xd0\xb0|8\n", b"UTF-8\n\xd0\xb0|1\n-|b\n"),
            (b"UTF-8\n1\n\xd0\xb0|6\n", b"UTF-8\n\xd0\xb0|x\n-|b\n"),
        ],
    )
    def test_damaged_files_are_told(self, tmp_path, index, data):
        (tmp_path / "th_ru_RU_v2.idx").write_bytes(index)
        (tmp_path / "th_ru_RU_v2.dat").write_bytes(data)
        with pytest.raises(StemmataError, match="E746"):
            Thesaurus("ru", tmp_path).meanings("а")

    def test_an_entry_that_promises_more_than_there_is_ends_with_the_file(self, tmp_path):
        (tmp_path / "th_ru_RU_v2.idx").write_bytes("UTF-8\n1\nа|6\n".encode())
        (tmp_path / "th_ru_RU_v2.dat").write_bytes("UTF-8\nа|999999\n-|б".encode())
        found = Thesaurus("ru", tmp_path).meanings("а")
        assert found[0].words == ("б",)
        assert len(found) < 1000

    @given(index=st.binary(max_size=80), data=st.binary(max_size=80))
    @settings(max_examples=60)
    def test_any_bytes_give_words_or_an_error_of_ours(self, tmp_path_factory, index, data):
        folder = tmp_path_factory.mktemp("thesaurus")
        (folder / "th_ru_RU_v2.idx").write_bytes(b"UTF-8\n3\n" + index)
        (folder / "th_ru_RU_v2.dat").write_bytes(data)
        for word in ("а", "a", "\0"):
            with suppress(StemmataError):
                assert isinstance(Thesaurus("ru", folder).meanings(word), tuple)

    def test_what_is_missing_is_told_with_its_package(self, tmp_path, monkeypatch):
        monkeypatch.setenv("STEMMATA_THESAURUS", str(tmp_path))
        with pytest.raises(StemmataError, match=r"E504.*mythes-ru"):
            RussianSynonyms().rewrite("дом", scene())
        with pytest.raises(StemmataError, match="thesaurus for the language"):
            thesaurus("xx")

    @needs_thesaurus
    def test_the_installed_one_is_read(self):
        assert "здание" in thesaurus("ru").meanings("дом")[0].words
        assert thesaurus("ru").meanings("ящик")
        assert thesaurus("ru").meanings("америка")


class TestSynonyms:
    """Other words in the same form, and agreement."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Красивый дом стоял у реки.", "Красивая изба стояла у реки."),
            ("Мы видели красивый дом.", "Мы видели красивую избу."),
            ("Он подошёл к моему старому дому.", "Он подошёл к моей старой избе."),
            ("Красивые дома стояли у реки.", "Красивые избы стояли у реки."),
            ("Новый дом был построен.", "Новая изба была построена."),
            ("Они говорят о доме.", "Они говорят об избе."),
            ("Мы говорили об избе.", "Мы говорили о доме."),
            ("Дети шли.", "Дети шагали."),
            ("Рыбак поёт.", "Рыболов поёт."),
            ("Он бежал быстро.", "Он бежал скоро."),
            ("Здесь стоит древний храм.", "Здесь стоит древнее святилище."),
        ],
    )
    def test_what_agrees_with_a_word_follows_it(self, small, text, expected):
        assert expected in versions(RussianSynonyms(share=1), text)
        assert versions(RussianSynonyms(share=1), text) <= {
            text,
            expected,
            expected.replace("шагали", "гуляли"),
        }

    @pytest.mark.parametrize(
        "text",
        [
            "Это дом, который построил Джек.",
            "Дом, построенный отцом, сгорел.",
            "Два дома стояли рядом.",
            "Дом и сад были красивы.",
            "Дом — крепость.",
            "Большой, светлый дом сгорел.",
            "Дом он продал.",
            "Она любила дом, но редко видела его.",
            "Все считают этот дом старым.",
            "Белый Дом и Дом учёных молчат.",
            "ДОМ.",
            "Дом-музей открыт.",
            "Так называемый дом пуст.",
        ],
    )
    def test_a_gender_does_not_change_where_agreement_is_in_doubt(self, small, text):
        assert versions(RussianSynonyms(share=1), text) <= {text}

    def test_verbs_keep_aspect_voice_and_what_they_govern(self, small):
        assert versions(RussianSynonyms(share=1), "Дети идут.") <= {
            "Дети шагают.",
            "Дети гуляют.",
            "Дети идут.",
        }

    def test_edits_tell_the_word_and_what_followed(self, small):
        rewriting = RussianSynonyms(share=1).rewrite("Красивый дом стоял у реки.", scene())
        assert rewriting.counts == {"synonym": 1, "agreement": 2}
        assert [rewriting.original[e.start : e.end] for e in rewriting.edits] == ["Красивый", "дом", "стоял"]

    def test_prepositions_suit_the_word_behind_them(self):
        assert preposition_before("с", "столом") == "со"
        assert preposition_before("во", "доме") == "в"
        assert preposition_before("В", "доме") == "В"

    @needs_thesaurus
    def test_dots_are_written_only_where_the_passage_has_them(self):
        for version in versions(RussianSynonyms(share=1), "Зеленый лес шумел, и самолет летел на север."):
            assert "ё" not in version

    @needs_thesaurus
    def test_no_word_of_the_list_of_rude_ones_is_written(self):
        text = " ".join(
            versions(RussianSynonyms(share=1, senses=10), "Женщина и лицо. Плохой человек ел.", range(60))
        )
        assert not re.search(r"\b(?:баба|рожа|харя|морда|дрянь|сволочь|жрал)\b", text.lower())


class TestChains:
    """Synonyms in a row."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Красивый дом стоял у реки.", "Красивый дом, или изба, стоял у реки."),
            ("Он вошёл в дом.", "Он вошёл в дом, или избу."),
            ("Вот дом.", "Вот дом."),
            ("Он стоял у дома.", "Он стоял у дома, или избы."),
            ("Рыбак шёл (он пел).", "Рыбак, или рыболов, шёл, шагал (он пел)."),
        ],
    )
    def test_a_word_is_followed_by_another_in_its_form(self, small, text, expected):
        found = versions(RussianChains(share=1, longest=1), text)
        assert expected in {one.replace("гулял", "шагал") for one in found}

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Тихий, спокойный мальчик пел.", "Тихий мальчик пел."),
            ("Тихого и спокойного мальчика нет.", "Тихого мальчика нет."),
            ("Дом, или изба, стоял у реки.", "Дом стоял у реки."),
            ("Он быстро, скоро бежал.", "Он быстро бежал."),
            ("Они шли и шагали.", "Они шли."),
            ("Дом и изба стояли у реки.", "Дом и изба стояли у реки."),
            ("Тихий, спокойная и смирный.", "Тихий, спокойная и смирный."),
            ("Тихий. Спокойный.", "Тихий. Спокойный."),
        ],
    )
    def test_the_second_of_two_synonyms_goes_if_nothing_hangs_on_it(self, small, text, expected):
        rewriting = RussianChains(share=0, removed=1).rewrite(text, scene())
        assert rewriting.text == expected
        assert set(rewriting.counts) <= {"remove-chain"}

    def test_what_is_added_is_no_longer_than_asked_for(self, small):
        for version in versions(RussianChains(share=1, longest=1), "Тихий мальчик."):
            assert version.count(",") <= 1


class TestAbbreviations:
    """Shorter and longer."""

    PAIRS = (
        ("Он жил там, то есть здесь.", "Он жил там, т. е. здесь."),
        ("Он ел, пил и так далее.", "Он ел, пил и т. д."),
        ("Он приехал в 1990 году.", "Он приехал в 1990 г."),
        ("Это было в XIX веке, летом.", "Это было в XIX в., летом."),
        ("Это было в 1905–1907 годах, летом.", "Это было в 1905–1907 гг., летом."),
        ("Там живёт 5 миллионов человек.", "Там живёт 5 млн человек."),
        ("Там живёт 3 миллиона человек.", "Там живёт 3 млн человек."),
        ("Там около 3 миллионов человек.", "Там около 3 млн человек."),
        ("Дорога длиной в 21 километр.", "Дорога длиной в 21 км."),
        ("Добыто 2,5 тонны угля.", "Добыто 2,5 т угля."),
        ("Президент Российской Федерации молчит.", "Президент РФ молчит."),
        ("В Соединённых Штатах Америки тепло.", "В США тепло."),
        ("Соединённые Штаты Америки купили Аляску.", "США купили Аляску."),
        ("Он жил на улице Ленина.", "Он жил на ул. Ленина."),
        ("Так называемая холодная война кончилась.", "Т. н. холодная война кончилась."),
        ("О так называемых тёмных веках.", "О т. н. тёмных веках."),
    )

    @pytest.mark.parametrize(("long", "short"), PAIRS)
    def test_what_is_long_is_shortened(self, long, short):
        rewriting = RussianAbbreviations(share=1, expanded=0).rewrite(long, scene())
        assert rewriting.text == short
        assert set(rewriting.counts) == {"abbreviate"}

    @pytest.mark.parametrize(("long", "short"), PAIRS)
    def test_what_is_short_is_written_out_in_its_case(self, long, short):
        rewriting = RussianAbbreviations(share=0, expanded=1).rewrite(short, scene())
        assert rewriting.text.replace("ё", "е") == long.replace("ё", "е")
        assert set(rewriting.counts) == {"expand"}

    def test_two_sentences_stay_two(self):
        expanded = RussianAbbreviations(share=0, expanded=1).rewrite(
            "Он жил в 1990 г. Потом он умер.", scene()
        )
        assert expanded.text == "Он жил в 1990 году. Потом он умер."

    @pytest.mark.parametrize(
        "text",
        ["Я купил РФ.", "А. С. Пушкин жил в г. и в с.", "Ссср, Мсша и т.", "5 с половиной", "и другие люди"],
    )
    def test_what_is_in_doubt_stays(self, text):
        assert RussianAbbreviations(share=1, expanded=1).rewrite(text, scene()).text == text

    def test_the_table_can_be_declined(self):
        for long in _table().longs:
            if any(one and one.part == "NOUN" for one in long.declined):
                for case in CASES - {"gen2", "loc2", "acc2", "voct"}:
                    assert long.in_case(case), (long.words, case)
                assert long.in_case("nomn") == " ".join(long.words)


class TestDiminutives:
    """Smaller and larger."""

    @pytest.mark.parametrize(
        ("plain", "small"),
        [
            ("Красивый дом стоял у реки.", "Красивый домик стоял у речки."),
            ("Мы видели птиц и собак.", "Мы видели птичек и собачек."),
            ("Он говорил тихо.", "Он говорил тихонько."),
            ("Книга лежала на столе.", "Книжка лежала на столике."),
        ],
    )
    def test_words_become_smaller_and_larger_in_their_form(self, plain, small):
        assert RussianDiminutives(share=1, removed=0).rewrite(plain, scene()).text == small
        assert RussianDiminutives(share=0, removed=1).rewrite(small, scene()).text == plain

    def test_years_do_not_become_smaller(self):
        text = "Через 5 лет, в течение года, с 1854 года."
        assert "1854 года" in RussianDiminutives(share=1).rewrite(text, scene()).text

    def test_pairs_agree_in_gender_and_life(self):
        path = files("stemmata.text") / "data" / "russian_diminutives.toml"
        table = tomllib.loads(path.read_text("utf-8"))
        for name, part in (("nouns", "NOUN"), ("adjectives", "ADJF"), ("adverbs", "ADVB")):
            words = table[name].split()
            for counts in (Counter(words[::2]), Counter(words[1::2])):
                assert max(counts.values()) == 1
            for plain, small in zip(words[::2], words[1::2], strict=True):
                one, other = listed(plain, part), listed(small, part)
                assert one, plain
                assert other, small
                shared = {"masc", "femn", "neut", "anim", "inan"}
                assert one.grammemes & shared == other.grammemes & shared or part != "NOUN", (plain, small)


class TestNumber:
    """Singular and plural."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Красивый дом стоял у реки.", "Красивые дома стояли у рек."),
            ("Красивые дома стояли у рек.", "Красивый дом стоял у реки."),
            ("Новый закон был принят после долгого спора.", "Новые законы были приняты после долгих споров."),
            ("Собака лает.", "Собаки лают."),
            ("Дом стоял на берегу тихой, спокойной реки.", "Дома стояли на берегах тихой, спокойной реки."),
            ("Мы увидели большую лодку.", "Мы увидели большие лодки."),
            ("Мы увидели старых рыбаков.", "Мы увидели старого рыбака."),
            ("Девушка красива.", "Девушки красивы."),
            ("Мой друг встал и пошёл к моей сестре.", "Мои друзья встали и пошли к моим сёстрам."),
        ],
    )
    def test_what_agrees_with_a_noun_follows_its_number(self, text, expected):
        found = RussianNumber(share=1).rewrite(text, scene()).text
        assert found.replace("ё", "е") == expected.replace("ё", "е")

    @pytest.mark.parametrize(
        "text",
        [
            "Пять домов сгорело.",
            "Много домов, 5 дорог, 1990 года, XX века.",
            "Каждый дом хорош.",
            "Дом и сад красивы.",
            "Он стал врачом.",
            "Молоко и ножницы.",
            "Дом, который построил Джек.",
            "Большой, светлый дом сгорел.",
            "В течение этого",
            "Москва — столица.",
            "Мы были в Балтийском море.",
            "Учёные считают эту теорию верной, и она верна.",
            "Они видели друг друга.",
            "Это один из домов.",
            "Экспедиция двинулась к морю Беринга, потом повернула и вернулась",
        ],
    )
    def test_a_number_that_is_told_or_in_doubt_stays(self, text):
        assert RussianNumber(share=1).rewrite(text, scene()).text == text

    def test_kinds_say_which_way(self):
        assert RussianNumber(share=1).rewrite("Мы видели лодку.", scene()).counts == {"plural": 1}
        assert RussianNumber(share=1).rewrite("Мы ели с рыбаками.", scene()).counts == {"singular": 1}


class TestGrammar:
    """What words can be."""

    def test_surroundings_tell_the_case(self):
        cases = {}
        for text in ("Вижу новый дом", "Новый дом стоит", "На новый дом", "У дома"):
            russian = russian_words(text, scene(), "test")
            cases[text] = russian.phrases[len(russian.passage) - 1 - ("стоит" in text)].cases
        assert list(cases.values()) == [{"accs"}, {"nomn"}, {"accs"}, {"gent"}]

    def test_words_without_readings_are_left_alone(self):
        assert readings("word") == readings("а" * 99) == readings("\0") == ()


texts = st.one_of(
    st.text(max_size=60),
    st.text("аб,. г\n\t\0", max_size=60),
    st.lists(
        st.sampled_from(
            ["Красивый дом", "и", "т. д.", "т.е.", "стояли.", "\n", "(он)", "1990 г.", "РФ", "house", "5 млн",
             ",", "или изба,", "тихий, спокойный", "в", "Ёлки", "и\u0306", "большую лодку",
             "так далее", "домики"]
        ),
        max_size=20,
    ).map(" ".join),
)  # fmt: skip


class TestAnyText:
    """What holds for every strategy and every text."""

    @every_strategy
    @given(text=texts, seed=st.integers(0, 9))
    @settings(max_examples=25, deadline=None)
    def test_edits_are_in_order_and_the_rest_is_untouched(self, name, text, seed):
        strategy = at_degree(strategies[name](), "high")
        rewriting = strategy.rewrite(text, scene(seed))
        assert rewriting.original == text
        assert all(text[e.start : e.end] != e.replacement and e.kind for e in rewriting.edits)
        for before, after in pairwise([(0, 0), *(e[:2] for e in rewriting.edits), (len(text), len(text))]):
            kept = text[before[1] : after[0]]
            assert kept in rewriting.text[slice(*rewriting.span_of(Span(before[1], after[0])))]
        assert strategy.rewrite(text, scene(seed)) == rewriting
        assert rewriting.text.count("\n") == text.count("\n")

    @every_strategy
    @pytest.mark.parametrize(
        "text", ["", " ", "дом", "Дом.", "...", "\0\x07", "狗", "dog", "🙂 🙂", "ДОМ", "т."]
    )
    def test_small_and_strange_texts_are_no_matter(self, name, text):
        assert strategies[name]().rewrite(text, scene()).original == text

    @every_strategy
    def test_one_seed_gives_one_version_and_another_another(self, name):
        strategy = strategies[name]()
        assert strategy.rewrite(STORY, scene(5)) == strategy.rewrite(STORY, scene(5))
        assert len(versions(strategy, STORY, range(6))) > 1

    @every_strategy
    def test_sentences_begin_with_a_capital_and_keep_their_ends(self, name):
        for text in versions(at_degree(strategies[name](), "high"), STORY, range(8)):
            assert text[0].isupper()
            assert not re.search(r"[,.] *[,.;]|\s[,.]|,[^\s»]", text.replace(". ", " ").replace("\n", " "))
            assert text.endswith("морях.") or text[-1] == "."

    @every_strategy
    def test_high_changes_more_than_low(self, name):
        low, high = (
            sum(len(at_degree(strategies[name](), degree).rewrite(STORY, scene(n)).edits) for n in range(8))
            for degree in ("low", "high")
        )
        assert high > 1.5 * low > 0

    @every_strategy
    def test_other_languages_are_refused(self, name):
        with pytest.raises(StemmataError, match=r"E703 .*possible in: ru"):
            strategies[name]().rewrite("A dog.", scene(1, "en"))

    @every_strategy
    @pytest.mark.parametrize("text", ["дом " * 1200, "красивый, или т. е. " * 400])
    def test_time_grows_with_the_length_alone(self, name, text):
        strategy = at_degree(strategies[name](), "high")
        times = []
        for part in (text[: len(text) // 8], text):
            begun = process_time()
            strategy.rewrite(part, scene())
            times.append(process_time() - begun)
        assert times[1] < 24 * times[0] + 0.2

    @pytest.mark.parametrize(
        "make", [RussianSynonyms, RussianChains, RussianAbbreviations, RussianDiminutives, RussianNumber]
    )
    @pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), "much", True, None])
    def test_a_share_lies_between_nothing_and_everything(self, make, share):
        with pytest.raises(StemmataError, match="E405"):
            make(share=share)

    @needs_thesaurus
    def test_paraphrase_uses_one_or_more_of_the_five(self):
        kinds = Counter()
        for seed in range(24):
            made = Russian().rewrite(STORY, scene(seed))
            kinds.update({kind for edit in made.edits for kind in edit.kind.split("+")})
        assert {"synonym", "add-chain", "abbreviate", "add-diminutive", "plural", "agreement"} <= set(kinds)
        assert kinds["synonym"] < 24
