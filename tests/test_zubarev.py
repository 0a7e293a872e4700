"""The system of Zubarev and Sochenkov: similarity by hand, and both its languages."""

from math import exp, log

import numpy as np
import pytest

from stemmata.model import Document, ErrorCode, Pair, StemmataError
from stemmata.reuse.parts.sentence_similarity import SentencePair
from stemmata.reuse.parts.sentence_terms import SentenceTerms
from stemmata.reuse.published import zubarev
from stemmata.reuse.published.zubarev import Zubarev2017, sentence_terms

ENGLISH = (
    "Captain Morgan sailed three battered frigates around Cape Horn during winter storms.",
    "The captains of three frigates, battered by winter storms, were sailing around Cape Horn with Morgan.",
    [
        "Nobody waited for the bus {} in the rain.",
        "Some of the bakers kneaded dough for {} hours.",
    ],
)
RUSSIAN = (
    "Капитан Морган провёл три потрёпанных фрегата вокруг мыса Горн во время зимних штормов прошлого года.",
    "Три фрегата капитана Моргана, потрёпанные зимними штормами, прошли вокруг мыса Горн в прошлом году.",
    [
        "Никто не ждал автобуса номер {} под сильным дождём.",
        "Пекари месили тесто {} часов подряд без отдыха.",
    ],
)


def sentences(*texts: str) -> SentenceTerms:
    words = [(number, word) for number, text in enumerate(texts) for word in text.split()]
    start = np.arange(len(texts)) * 10
    numbers = np.array([number for number, _ in words], dtype=np.int64)
    return SentenceTerms.of(start, start + 9, numbers, [word for _, word in words])


def test_a_term_used_more_often_in_one_sentence_loses_credit() -> None:
    pair = SentencePair(sentences("a a b", "c"), sentences("a d"))
    # Three sentences; a stands in two of them, b in one, d in one.
    common, rare = log(3 / 2), log(3)
    similarity = common * (0.5 + 0.5 * exp(-1)) / (common + rare)
    for threshold, found in ((similarity - 1e-9, [[0, 0]]), (similarity + 1e-9, [])):
        assert Zubarev2017(threshold=threshold).seeds(pair).tolist() == found


def test_terms_of_many_sentences_are_not_in_the_index() -> None:
    texts = [f"the x{number}" for number in range(20)]
    pair = SentencePair(sentences(*texts), sentences("the y"))
    assert Zubarev2017(threshold=0).seeds(pair).tolist() == []
    assert len(Zubarev2017(threshold=0, commonest=1).seeds(pair)) == 0
    assert len(Zubarev2017(threshold=0).seeds(SentencePair(sentences("the x", "z"), sentences("the y")))) == 1


@pytest.mark.parametrize(
    ("original", "paraphrase", "fillers"), [ENGLISH, RUSSIAN], ids=["English", "Russian"]
)
def test_a_paraphrase_is_found(original: str, paraphrase: str, fillers: list[str]) -> None:
    before, after = (" ".join(filler.format(n) for n in range(9)) for filler in fillers)
    pair = Pair(Document("a", f"{before} {paraphrase}"), Document("b", f"{original} {after}"))
    [found] = Zubarev2017(min_length=50).align(pair)
    assert found.source is not None
    assert pair.suspicious[found.suspicious] == paraphrase
    assert pair.source[found.source] == original


def test_a_passage_needs_a_core() -> None:
    original, paraphrase, fillers = RUSSIAN
    before, after = (" ".join(filler.format(n) for n in range(9)) for filler in fillers)
    pair = Pair(Document("a", f"{before} {paraphrase}"), Document("b", f"{original} {after}"))
    assert len(Zubarev2017(min_length=50, core=0.25).align(pair)) == 1
    assert Zubarev2017(min_length=50, core=0.99).align(pair) == []


def test_forms_meet_in_their_lemma_which_stems_keep_apart() -> None:
    # Person and people have one lemma in Russian, but two stems.
    mine, theirs = (f"Здесь {form} живут давно." for form in ("люди", "человек"))
    shared = [
        len(
            sentence_terms(Document("a", mine), "ru", terms).terms.keys()
            & sentence_terms(Document("b", theirs), "ru", terms).terms.keys()
        )
        for terms in ("lemmas", "stems")
    ]
    assert shared == [4, 3]


def test_without_a_lemmatizer_stems_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(forms: object, language: str) -> list[str]:
        raise StemmataError(ErrorCode.MISSING_EXTRA, what="x", package="x", extra="x")

    document = Document("here", "Капитаны плыли мимо островов.")
    monkeypatch.setattr(zubarev, "lemmas", missing)
    assert sentence_terms(document, "ru", "lemmas").terms == sentence_terms(document, "ru", "stems").terms


@pytest.mark.parametrize("text", ["", " \n", "...", "word", "no end in sight " * 30])
def test_odd_documents_do_no_harm(text: str) -> None:
    odd, plain = Document("odd", text), Document("plain", ENGLISH[0])
    for pair in (Pair(odd, plain), Pair(plain, odd)):
        assert Zubarev2017().align(pair) == []
    assert all(found.suspicious.end <= len(odd) for found in Zubarev2017().align(Pair(odd, odd)))
