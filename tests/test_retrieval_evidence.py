"""Evidence of sentences for candidates, and the sequence of sources that explains a text best."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stemmata.model import Document
from stemmata.reuse.index.word_hashes import hash_words, is_stop_word
from stemmata.reuse.retrieval.assignment import NONE, assign_sentences
from stemmata.reuse.retrieval.evidence import Candidates, SentenceEvidence
from stemmata.reuse.retrieval.query import LONGEST, Query

TEXT = "The miller ground corn slowly. A storm tore down the northern bridge. Nobody crossed for weeks."
NOUNS = st.sampled_from(["river", "stone", "bread", "glass", "wolf", "paper"])


class Collection:
    """A collection in which every stem is equally rare."""

    words = 1_000_000

    def frequencies(self, places):
        return np.full(len(places), 10)


def between(text, candidates, **settings):
    words = hash_words(candidates)
    query = Query.of(Document("q", text))
    return SentenceEvidence(**settings).between(query, Candidates(words.hashes, words.counts), Collection())


def literal(text, candidates, kept=0.6, common=2.0, topic=2.0, own=1.0, stretch=1.2, slack=3.0):
    """The same by sets of words, window by window."""
    query = Query.of(Document("q", text))
    sentences = [query.hashes[query.sentence == s] for s in range(query.sentences)]
    docs = [hash_words([one]).hashes for one in candidates]
    pool = sum(map(len, docs))
    every = [h for h in query.hashes.tolist() if not h & 1]
    made = np.zeros((len(sentences), len(docs)))
    for s, sentence in enumerate(sentences):
        window = int(stretch * len(sentence) + slack)
        stems = {h for h in sentence.tolist() if not h & 1}
        chance = {}
        for h in stems:
            have = sum(h in set(doc.tolist()) for doc in docs)
            rate = max(common * 10 / 1_000_000, topic * (have - 1) / max(1, pool))
            outside = every.count(h) - [w for w in sentence.tolist() if not w & 1].count(h)
            rate = max(rate, own * outside / len(query))
            chance[h] = min(max(1 - np.exp(-rate * (stretch * len(sentence) + slack)), 1e-7), 0.9)
        missing = {h: min(np.log((1 - kept) / (1 - p)), 0) for h, p in chance.items()}
        gain = {h: max(np.log(kept / p) - missing[h], 0) for h, p in chance.items()}
        for d, doc in enumerate(docs):
            best = max(
                (sum(gain[h] for h in stems & set(doc[i : i + window].tolist())) for i in range(len(doc))),
                default=0,
            )
            made[s, d] = best + sum(missing.values())
    return made


def test_the_evidence_is_that_of_the_best_window():
    candidates = [
        "Once a storm tore the northern bridge down and all were sad.",
        "The miller was ill. Corn was ground slowly by somebody else.",
        "Nothing in common.",
    ]
    assert between(TEXT, candidates) == pytest.approx(literal(TEXT, candidates))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(NOUNS, min_size=1, max_size=6),
        min_size=1,
    ),
    st.lists(
        st.lists(NOUNS, max_size=9),
        min_size=1,
        max_size=4,
    ),
)
def test_sliding_windows_equal_windows_looked_at_one_by_one(sentences, candidates):
    text = " ".join(" ".join(words).capitalize() + "." for words in sentences)
    texts = [" ".join(words) for words in candidates]
    made, expected = between(text, texts), literal(text, texts)
    # A stem that comes again within a window of its first counts at the first only, so windows that begin
    # between the two may be told less; never more.
    assert (made <= expected + 1e-9).all()
    unique = [len(set(words)) == len(words) for words in candidates]
    assert made[:, unique] == pytest.approx(expected[:, unique])


def test_no_candidates_and_no_words_are_no_evidence():
    assert between(TEXT, []).shape == (3, 0)
    assert between("", ["something"]).shape == (0, 1)
    assert not between("The of and.", ["something"]).any()


def test_words_that_all_candidates_share_say_little():
    told = between("The miller ground corn.", ["The miller ground corn."])[0, 0]
    shared = between("The miller ground corn.", ["The miller ground corn."] * 8)[0, 0]
    assert shared < told


def brute_force(evidence, entry):
    best, states = -np.inf, None
    for chosen in product(range(NONE, evidence.shape[1]), repeat=len(evidence)):
        value, before = 0.0, NONE
        for number, state in enumerate(chosen):
            if state != NONE:
                value += evidence[number, state] - entry * (state != before)
            before = state
        if value > best + 1e-9:
            best, states = value, chosen
    return best, states


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 5), st.integers(1, 3), st.integers(0, 10_000))
def test_the_assignment_is_the_best_of_all(sentences, sources, seed):
    evidence = np.random.default_rng(seed).normal(2, 6, (sentences, sources))
    chosen = assign_sentences(evidence, 5.0)
    value, before = 0.0, NONE
    for number, state in enumerate(chosen.tolist()):
        if state != NONE:
            value += evidence[number, state] - 5.0 * (state != before)
        before = state
    assert value == pytest.approx(brute_force(evidence, 5.0)[0])


def test_without_sources_every_sentence_is_from_none():
    assert assign_sentences(np.zeros((3, 0)), 5.0).tolist() == [NONE] * 3


def test_a_long_list_without_periods_is_taken_apart():
    query = Query.of(Document("q", "word " * (2 * LONGEST + 1)))
    assert query.sentences == 3
    assert np.bincount(query.sentence).tolist() == [LONGEST, LONGEST, 1]


def test_a_text_whose_letters_grow_in_lower_case_is_analysed():
    query = Query.of(Document("q", "İİİİ stood here. Another sentence follows it."))
    assert query.sentences == 2
    assert query.forms[-1] == "it"


def test_russian_words_hash_alike_in_texts_of_both_scripts():
    russian = hash_words(["Установите новые пакеты командой"])
    mixed = hash_words(["run the command now please: пакеты " + "and then do it all again " * 5])
    assert mixed.languages == ["en"]
    assert np.isin(russian.hashes[2], mixed.hashes)


def test_stop_words_of_both_scripts_are_told():
    words = hash_words(["и the river не"])
    assert is_stop_word(words.hashes).tolist() == [True, True, False, True]
