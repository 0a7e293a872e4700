"""Strategies that rewrite words: what the paper shows in Table 4, and what holds for any text."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng

from dictionaries import needs_wordnet
from stemmata.model import Span, StemmataError
from stemmata.rewriting import Scene, at_degree, strategies
from stemmata.rewriting.agreement import article_before
from stemmata.rewriting.pos_shuffle import PosShuffle
from stemmata.rewriting.random_operations import RandomOperations
from stemmata.rewriting.word_variation import WordVariation
from stemmata.text.pos import tag_words
from stemmata.text.words import find_words

FOX = "The quick brown fox jumps over the lazy dog."
STORY = (
    "An old man was walking slowly along the river, and he didn't see the dogs that slept in the tall grass. "
    'They barked loudly when he came near! "Is it a fox or a wolf?" he asked (he was short of sight).\n\n'
    "The children's teacher had bought three bigger apples for an hour's fun. Nobody in Hamburg knew why she "
    "wanted them. A small boy took one, ate half of it quickly and threw the other half into the cold water."
)
HOST = ("meanwhile", "parliament", "decided", "upon", "higher", "taxes", "for", "salted", "herring")
NAMES = ("none", "random-operations", "word-variation", "pos-shuffle", "artificial")
SEEDS = range(60)


every_strategy = pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=needs_wordnet if n in ("word-variation", "artificial") else ()) for n in NAMES],
)
with_degrees = pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=needs_wordnet if n in ("word-variation", "artificial") else ())
        for n in NAMES[1:]
    ],
)


def scene(seed=1, language="en", host=HOST):
    return Scene(default_rng(seed), language, host)


def versions(strategy, text=FOX, host=HOST, seeds=SEEDS):
    return [strategy.rewrite(text, scene(seed, host=host)).text for seed in seeds]


def words(text):
    return re.findall(r"\w+", text)


def low_words(text):
    return Counter(word.lower() for word in words(text))


class TestTable4:
    """The example of the paper."""

    def test_no_obfuscation_is_a_copy(self):
        assert versions(strategies["none"]()) == [FOX] * len(SEEDS)

    def test_random_operations_mix_the_words_with_those_of_the_host(self):
        found = versions(RandomOperations(share=0.8, reach=9))
        known = set(low_words(FOX)) | set(HOST)
        assert len(set(found)) > len(SEEDS) / 2
        assert all(set(low_words(text)) <= known for text in found)
        assert any(set(low_words(text)) & set(HOST) for text in found)

    def test_random_operations_leave_a_sentence_a_sentence(self):
        for text in versions(RandomOperations(share=1, reach=9)):
            assert re.fullmatch(r"[A-Z][a-z]*( [a-z]+)*\.", text)

    def test_raw_operations_move_the_period_and_the_capital_as_the_paper_shows(self):
        found = versions(RandomOperations(share=1, reach=10, raw=True))
        assert any("." in text[:-1] for text in found)
        assert any(text[:1].islower() for text in found)
        assert any("The" in text[1:] for text in found)
        assert not any(" ." in text for text in found)

    def test_words_of_the_host_leave_their_marks_behind(self):
        host = ("wall,", "“Corran.”", "(tide)", "हिन्दी।")
        for text in versions(RandomOperations(share=1, reach=9), "One two three, four five.", host=host):
            assert not set("“”()।") & set(text)
            assert text.count(",") <= 1
            assert text.count(".") == 1
            assert "हिन्दी" in text or "हिन्" not in text

    def test_without_a_host_words_come_from_the_passage(self):
        for text in versions(RandomOperations(share=1, reach=9), host=()):
            assert set(low_words(text)) <= set(low_words(FOX))

    @needs_wordnet
    def test_words_become_their_neighbours_in_the_same_form(self):
        found = [words(text) for text in versions(WordVariation(share=1))]
        places = [set(column) for column in zip(*found, strict=True)]
        assert places[0] == {"The"}
        assert places[5:7] == [{"over"}, {"the"}]
        assert places[3] >= {"canine", "vixen", "dodger"}
        assert places[4] >= {"leaps", "moves"}
        assert all(verb.endswith("s") for verb in places[4])
        assert places[8] >= {"canine", "puppy"}

    @needs_wordnet
    def test_how_words_are_related_is_told(self):
        kinds = Counter()
        for seed in SEEDS:
            for edit in WordVariation(share=1).rewrite(FOX, scene(seed)).edits:
                kinds[edit.kind] += 1
                if FOX[edit.start : edit.end] == "dog" and edit.kind == "hypernym":
                    assert edit.replacement in ("canine", "canid", "unpleasant", "woman")
        assert set(kinds) - {"antonym"} == {"synonym", "hypernym", "hyponym", "similar"}

    def test_shuffling_by_parts_of_speech_keeps_their_sequence_and_all_words(self):
        found = versions(PosShuffle(share=1, reach=20))
        pattern = [one.part for one in tag_words(words(FOX))]
        for text in found:
            assert low_words(text) == low_words(FOX)
            assert re.fullmatch(r"The \w+ \w+ (fox|dog) jumps over the \w+ (fox|dog)\.", text)
            assert [one.part for one in tag_words(words(text))] == pattern
        assert "The lazy quick dog jumps over the brown fox." in found
        assert len(set(found)) == 12

    @needs_wordnet
    def test_artificial_obfuscation_does_all_three(self):
        strategy = at_degree(strategies["artificial"](), "high")
        kinds = Counter()
        for seed in range(10):
            for edit in strategy.rewrite(STORY, scene(seed)).edits:
                kinds.update(edit.kind.split("+"))
        assert {"shuffle", "remove", "insert", "replace", "synonym", "hyponym"} <= set(kinds)


texts = st.one_of(
    st.text(max_size=60),
    st.text("ab ,.'\n\t\0", max_size=60),
    st.lists(
        st.sampled_from(
            ["The dog", "a", "an hour's", "didn't", "sees.", "\n", "(it)", "I'm", "Wölfe", "मैं हूँ"]
        ),
        max_size=20,
    ).map(" ".join),
)


class TestAnyText:
    """What holds for every strategy and every text."""

    @every_strategy
    @given(text=texts, seed=st.integers(0, 9), host=st.sampled_from([(), HOST, ("", " "), ("Über",)]))
    @settings(max_examples=60)
    def test_edits_are_in_order_and_the_rest_is_untouched(self, name, text, seed, host):
        strategy = strategies[name]()
        rewriting = strategy.rewrite(text, scene(seed, host=host))
        assert rewriting.original == text
        ends = [offset for edit in rewriting.edits for offset in edit[:2]]
        assert ends == sorted(ends)
        assert all(text[e.start : e.end] != e.replacement for e in rewriting.edits)
        assert all(e.kind for e in rewriting.edits)
        for before, after in pairwise(
            [(0, 0), *(edit[:2] for edit in rewriting.edits), (len(text), len(text))]
        ):
            kept = text[before[1] : after[0]]
            assert kept in rewriting.text[slice(*rewriting.span_of(Span(before[1], after[0])))]
        again = strategy.rewrite(text, scene(seed, host=host))
        assert again == rewriting

    @given(text=texts, seed=st.integers(0, 9), host=st.sampled_from([(), HOST]))
    def test_raw_operations_keep_the_rules_of_edits(self, text, seed, host):
        rewriting = RandomOperations(share=0.9, reach=5, raw=True).rewrite(text, scene(seed, host=host))
        assert rewriting.original == text
        assert isinstance(rewriting.text, str)

    @every_strategy
    @given(text=texts, seed=st.integers(0, 9))
    @settings(max_examples=40)
    def test_line_breaks_stay(self, name, text, seed):
        assert strategies[name]().rewrite(text, scene(seed)).text.count("\n") == text.count("\n")

    @every_strategy
    @pytest.mark.parametrize(
        "text", ["", " ", "dog", "Dog.", "...", "\0\x07", "狗跳过", "собака спит", "🙂 🙂", "ａ"]
    )
    def test_small_and_strange_texts_are_no_matter(self, name, text):
        assert strategies[name]().rewrite(text, scene()).original == text

    @every_strategy
    def test_one_seed_gives_one_version_and_another_another(self, name):
        strategy = strategies[name]()
        assert strategy.rewrite(STORY, scene(5)) == strategy.rewrite(STORY, scene(5))
        if name != "none":
            assert strategy.rewrite(STORY, scene(5)).text != strategy.rewrite(STORY, scene(6)).text

    @every_strategy
    def test_what_lies_between_words_stays_where_nothing_is_removed(self, name):
        text = "Dogs\n\n  bark —\tloudly;\r\n(cats  don't).  "
        rewriting = strategies[name]().rewrite(text, scene(2))
        assert re.sub(r"[\w' ]", "", rewriting.text) == re.sub(r"[\w' ]", "", text)


class TestDegrees:
    """Low and high."""

    @staticmethod
    def kept(text, other):
        grams, others = (
            set(zip(*(find_words(one).forms[n:] for n in range(3)), strict=False)) for one in (text, other)
        )
        return len(grams & others) / len(grams)

    @with_degrees
    def test_high_leaves_less_of_the_text_than_low_and_low_less_than_all(self, name):
        low, high = (
            sum(
                self.kept(STORY, text)
                for text in versions(at_degree(strategies[name](), degree), STORY, seeds=range(20))
            )
            / 20
            for degree in ("low", "high")
        )
        assert 0.95 > low > high + 0.2

    def test_an_unknown_degree_is_told_with_the_known_ones(self):
        with pytest.raises(StemmataError, match=r"E702 .*'hihg'; did you mean 'high'.*low, high"):
            at_degree(RandomOperations(), "hihg")
        with pytest.raises(StemmataError, match="E702"):
            at_degree(strategies["none"](), "low")

    @pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), "much", True, None])
    def test_a_share_lies_between_nothing_and_everything(self, share):
        for make in (RandomOperations, WordVariation, PosShuffle):
            with pytest.raises(StemmataError, match="E405"):
                make(share=share)

    @pytest.mark.parametrize("reach", [1, 0, -5, 2.5])
    def test_a_reach_is_two_words_or_more(self, reach):
        with pytest.raises(StemmataError, match="E405"):
            RandomOperations(reach=reach)

    def test_nothing_to_do_is_nothing_done(self):
        assert RandomOperations(share=0).rewrite(STORY, scene()).edits == ()
        assert PosShuffle(share=0).rewrite(STORY, scene()).edits == ()


class TestSentences:
    """Case and punctuation stay sane."""

    @pytest.mark.parametrize("seed", range(12))
    def test_sentences_keep_their_ends_and_begin_with_a_capital(self, seed):
        for strategy in (RandomOperations(share=0.8, reach=12), PosShuffle(share=1, reach=50)):
            text = strategy.rewrite(STORY, scene(seed)).text
            assert re.sub(r"[\w\s'-]", "", text) == re.sub(r"[\w\s'-]", "", STORY)
            assert text[0].isupper()
            assert all(match[1].isupper() for match in re.finditer(r"[.!]\s+\"?(\w)", text))

    def test_a_word_that_leaves_the_beginning_loses_its_capital_if_it_is_no_name(self):
        text = "The men met Ann. Ann met the men."
        for version in versions(RandomOperations(share=1, reach=8), text, host=()):
            assert "ann" not in version
            assert not re.search(r"[a-z] The", version)

    def test_i_stays_a_capital(self):
        for version in versions(RandomOperations(share=1, reach=8), "I think I'm late.", host=()):
            assert not re.search(r"\bi\b", version)

    def test_a_sentence_keeps_a_word(self):
        for version in versions(RandomOperations(share=1, reach=2), "Yes. No. Perhaps so. (Never.)"):
            assert not re.search(r"(?:^|[.(])\s*\.", version)

    @needs_wordnet
    def test_names_contractions_and_small_words_are_not_varied(self):
        text = "Fox News didn't run, did it? I saw Dog Island and the USA."
        for version in versions(WordVariation(share=1), text):
            assert "News didn't" in version
            assert "did it? I" in version
            assert version.endswith("Dog Island and the USA.")

    @needs_wordnet
    def test_articles_and_numbers_agree(self):
        for version in versions(WordVariation(share=1), "A dog met an ape. Two foxes had an idea."):
            for article, word in re.findall(r"\b([Aa]n?) (\w+)", version):
                assert article.lower() == article_before(word)
            assert version.split()[6].endswith(("s", "men", "women"))

    def test_an_article_is_told_as_such(self):
        found = [PosShuffle(share=1).rewrite("A cat saw an ape.", scene(seed)) for seed in SEEDS]
        moved = next(one for one in found if one.edits)
        assert moved.text == "An ape saw a cat."
        assert moved.counts == {"shuffle": 2, "article": 2}

    @needs_wordnet
    def test_no_slur_is_ever_written(self):
        child = "The child met a woman, a foreigner and a person from Asia."
        text = " ".join(versions(WordVariation(share=1, senses=10), child)).lower()
        assert not re.search(r"pick?aninn|bitch|wop|gook|chink|darkie", text)


class TestLanguages:
    """What is possible elsewhere."""

    def test_german_is_shuffled_by_parts_of_speech(self):
        text = "Der alte Hund sah die kleine Katze."
        found = {PosShuffle(share=1).rewrite(text, scene(seed, "de")).text for seed in range(20)}
        assert len(found) > 1
        assert all(low_words(one) == low_words(text) for one in found)

    @pytest.mark.parametrize("language", ["ru", "es", "fr", "xx"])
    def test_random_operations_need_no_language(self, language):
        text = "Uno dos tres. Cuatro cinco seis."
        assert RandomOperations(share=1).rewrite(text, scene(1, language)).text != text

    @pytest.mark.parametrize("language", ["es", "xx"])
    def test_without_a_tagger_words_are_not_shuffled_but_the_error_says_why(self, language):
        with pytest.raises(StemmataError, match=r"E703 .*possible in: de, en, ru"):
            PosShuffle().rewrite("Uno dos.", scene(1, language))

    def test_wordnet_is_english(self):
        with pytest.raises(StemmataError, match="E703"):
            WordVariation().rewrite("Ein Hund.", scene(1, "de"))

    @pytest.mark.parametrize("language", ["de", "es", "xx"])
    def test_artificial_obfuscation_does_what_is_possible(self, language):
        strategy = at_degree(strategies["artificial"](), "high")
        assert strategy.rewrite("Ein Hund sah eine Katze und schlief.", scene(2, language)).edits

    def test_missing_data_is_told(self, tmp_path, monkeypatch):
        monkeypatch.setenv("STEMMATA_WORDNET", str(tmp_path))
        with pytest.raises(StemmataError, match="E504"):
            WordVariation().rewrite(FOX, scene())
