"""`stemmata detect` on input that is wrong, hostile or too much: a coded reason, and the other pairs done."""

import json
import os

import numpy as np
import pytest

from stemmata.cli import status_of
from stemmata.formats.documents import LIMIT_VARIABLE, alignment_limit
from stemmata.formats.files import MAX_FILE_BYTES
from stemmata.model import Document, Pair, StemmataError
from stemmata.reuse import detection, detectors
from stemmata.reuse.parts import long_documents, sentence_similarity
from stemmata.reuse.parts.sentence_similarity import SentencePair
from stemmata.reuse.parts.sentence_terms import Preparation, sentence_terms

FOUR = (
    "The quick fox jumps over the lazy dog near the river bank.",
    "Nobody in the village knew where the old lamp had gone.",
    "Several scholars measured the temperature of the water every hour.",
    "A merchant from the north sold cloth, salt and iron to farmers.",
)
COPIED = " ".join(FOUR)
PUBLISHED = ("adversarial-m1", "pan-baseline", "sanchez-perez-2014", "sanchez-perez-2015", "shingles")
"""Detectors that need no extra."""


@pytest.fixture
def corpus(tmp_path):
    for folder in ("susp", "src"):
        (tmp_path / folder).mkdir()
    for name in ("one", "two"):
        (tmp_path / "susp" / f"{name}.txt").write_text(
            f"It began like this. {COPIED} So it ended, said {name}."
        )
    (tmp_path / "src" / "source.txt").write_text(f"Once upon a time somebody wrote: {COPIED}")
    (tmp_path / "pairs").write_text("one.txt source.txt\ntwo.txt source.txt\n")
    return tmp_path


@pytest.fixture
def detect(corpus, capsys):
    def call(*options):
        arguments = ["detect", str(corpus), "-o", str(corpus / "run"), "--format", "json", "--jobs", "1"]
        status = status_of([*arguments, "--with", "pan-baseline", *options])
        out, err = capsys.readouterr()
        return status, (json.loads(out) if out else None), err

    return call


@pytest.fixture
def fails_for_one(corpus, detect):
    """Expect that the pair of the first document fails alone; return the reason."""

    def call(*options):
        status, result, err = detect(*options)
        assert (status, err) == (1, "")
        assert [failure["pair"] for failure in result["failures"]] == [["one.txt", "source.txt"]]
        assert result["detections"] == 1
        assert [path.name for path in (corpus / "run").glob("*.xml")] == ["two-source.xml"]
        return result["failures"][0]["reason"]

    return call


def test_good_input_is_aligned(detect):
    status, result, _ = detect()
    assert (status, result["detections"], result["failures"]) == (0, 2, [])


def test_a_missing_document(corpus, fails_for_one):
    (corpus / "susp/one.txt").unlink()
    assert fails_for_one().startswith("E209 the named document one.txt is not in ")


def test_a_binary_document(corpus, fails_for_one):
    (corpus / "susp/one.txt").write_bytes(bytes(range(256)) * 40)
    reason = fails_for_one()
    assert reason.startswith("E105 ")
    assert "one.txt, line 2: byte 128 is not UTF-8" in reason


def test_a_folder_in_place_of_a_document(corpus, fails_for_one):
    (corpus / "susp/one.txt").unlink()
    (corpus / "susp/one.txt").mkdir()
    assert fails_for_one().startswith("E102 ")


@pytest.mark.parametrize("detector", [*PUBLISHED, "stemmata", "zubarev-2017"])
def test_an_empty_document_has_no_detections(corpus, detect, detector):
    (corpus / "susp/one.txt").write_bytes(b"")
    (corpus / "susp/two.txt").write_bytes(b" \n\t" * 1000)
    status, result, _ = detect("--with", detector)
    assert (status, result["detections"], result["failures"]) == (0, 0, [])


def test_a_pairs_file_with_three_columns(corpus, detect):
    (corpus / "pairs").write_text("one.txt source.txt\none.txt source.txt two.txt\n")
    status, result, err = detect()
    assert (status, result) == (2, None)
    assert err.startswith(f"stemmata: E301 {corpus / 'pairs'}, line 2: ")
    assert not (corpus / "run").exists()


def test_a_document_of_100_megabytes_is_refused_with_the_limit_and_the_remedy(corpus, fails_for_one):
    os.truncate(corpus / "susp/one.txt", 100_000_000)
    reason = fails_for_one()
    assert reason.startswith(f"E672 {corpus / 'susp/one.txt'}: 100,000,000 bytes are more than the limit of ")
    assert f"{alignment_limit():,}" in reason
    assert LIMIT_VARIABLE in reason


def test_the_limit_can_be_raised_and_lowered(corpus, detect, fails_for_one, monkeypatch):
    detection._documents.cache_clear()
    with (corpus / "susp/one.txt").open("a") as file:
        file.write(" And more.")
    size = (corpus / "susp/one.txt").stat().st_size
    monkeypatch.setenv(LIMIT_VARIABLE, str(size - 1))
    assert fails_for_one().startswith("E672 ")
    detection._documents.cache_clear()
    monkeypatch.setenv(LIMIT_VARIABLE, str(size))
    assert detect()[0] == 0


@pytest.mark.parametrize("value", ["", "much", "-1", "0", "1e6", "²", str(MAX_FILE_BYTES + 1), "9" * 5000])
def test_the_limit_is_a_number_of_bytes(monkeypatch, value):
    monkeypatch.setenv(LIMIT_VARIABLE, value)
    if not value:
        assert alignment_limit() == 10_000_000
        return
    with pytest.raises(StemmataError, match="E405 STEMMATA_MAX_DOCUMENT_BYTES="):
        alignment_limit()


def test_memory_that_runs_out_is_the_reason_of_one_pair(fails_for_one, monkeypatch):
    aligner = detectors["pan-baseline"]
    real = aligner.align

    def align(self, pair):
        if pair.suspicious.name == "one.txt":
            raise MemoryError
        return real(self, pair)

    monkeypatch.setattr(aligner, "align", align)
    assert fails_for_one().startswith("E674 memory ran out")


def pair_of(text, other=None):
    return Pair(Document("s", text), Document("o", text if other is None else other))


def repeated(sentences):
    return " ".join(FOUR[i % 4] for i in range(sentences))


@pytest.mark.parametrize("detector", ["sanchez-perez-2014", "pan-baseline", "shingles", "adversarial-m1"])
def test_texts_that_repeat_themselves_end(detector, monkeypatch):
    monkeypatch.setattr(sentence_similarity, "MOST_CELLS", 100_000)
    assert len(detectors[detector]().align(pair_of(repeated(1600)))) <= 1


def test_the_seeds_of_a_sentence_that_is_everywhere_are_few_and_near_the_diagonal(monkeypatch):
    terms = sentence_terms(Document("s", repeated(800)), Preparation())
    monkeypatch.setattr(sentence_similarity, "MOST_CELLS", 0)
    seeds = SentencePair(terms, terms).seeds(0.33, 0.33)
    assert np.bincount(seeds[:, 0]).tolist() == [long_documents.MOST_SEEDS] * len(terms)
    assert np.abs(seeds[:, 0] - seeds[:, 1]).max() <= 4 * long_documents.MOST_SEEDS


def random_text(seed, sentences=60):
    generator = np.random.default_rng(seed)
    words = [f"{'abcdefgh'[k % 8] * 3}{k}" for k in (generator.pareto(0.6, sentences * 9).astype(int) % 400)]
    return " ".join(f"The {' '.join(words[k : k + 9])}." for k in range(0, len(words), 9))


@pytest.mark.parametrize("thresholds", [(0.33, 0.33), (0.1, 0.0), (0.5, 0.2), (0.0, 0.0)])
def test_long_documents_have_the_seeds_that_comparing_each_with_each_finds(monkeypatch, thresholds):
    one, other = (sentence_terms(Document("d", random_text(seed)), Preparation()) for seed in (1, 2))
    monkeypatch.setattr(long_documents, "MOST_SEEDS", 10_000)
    monkeypatch.setattr(long_documents, "MOST_CANDIDATES", 10_000)
    monkeypatch.setattr(long_documents, "BLOCK_STEPS", 500)
    expected = SentencePair(one, other).seeds(*thresholds)
    monkeypatch.setattr(sentence_similarity, "MOST_CELLS", 0)
    found = SentencePair(one, other).seeds(*thresholds)
    assert len(expected) > 5
    assert sorted(found.tolist()) == expected.tolist()


def test_sums_of_sentences_are_as_alike_in_either_form(monkeypatch):
    one, other = (sentence_terms(Document("d", random_text(seed)), Preparation()) for seed in (3, 4))
    pair = SentencePair(one, other)
    spans = sentence_similarity.Span(2, 30), sentence_similarity.Span(5, 50)
    dense = pair.fragment_cosine(*spans)
    monkeypatch.setattr(sentence_similarity, "MOST_DIMENSIONS", 0)
    assert pair.fragment_cosine(*spans) == pytest.approx(dense, rel=1e-12)
    assert dense > 0.1


def test_what_is_alike_everywhere_uses_up_its_budget(monkeypatch):
    monkeypatch.setattr(sentence_similarity, "MOST_CELLS", 0)
    monkeypatch.setattr(sentence_similarity, "Budget", lambda: long_documents.Budget(2_000))
    with pytest.raises(StemmataError, match="E673 the two documents have too much alike"):
        detectors["sanchez-perez-2014"]().align(pair_of(repeated(400)))


@pytest.mark.parametrize("text", ["a" * 200_000, "a " * 100_000, ("ab" * 30 + " ") * 3000])
def test_windows_of_one_letter_end_soon_in_the_baseline(text):
    found = detectors["pan-baseline"]().align(pair_of(text, text[: len(text) // 2]))
    assert found[0].source.length >= len(text) // 2 - 1


HOSTILE = {
    "lone surrogates": "\ud800 a \udfff\x00b \x07. " * 2000,
    "punctuation": ".,;:!?-()'\"" * 3000,
    "one long word": "q" * 100_000,
    "one long line": "word " * 20_000,
    "garbage": np.random.default_rng(0).bytes(30_000).decode("latin-1"),
}


@pytest.mark.parametrize("detector", PUBLISHED)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_text_that_is_no_text_ends(detector, text):
    for found in detectors[detector]().align(pair_of(text)):
        assert 0 <= found.suspicious.offset < found.suspicious.offset + found.suspicious.length <= len(text)


def test_pairs_of_sentences_that_may_be_alike_use_up_the_budget_too(monkeypatch):
    monkeypatch.setattr(sentence_similarity, "MOST_CELLS", 0)
    terms = sentence_terms(Document("s", repeated(400)), Preparation())
    spent = []

    class Counted(long_documents.Budget):
        def spend(self, steps, what):
            spent.append(steps)
            super().spend(steps, what)

    monkeypatch.setattr(sentence_similarity, "Budget", Counted)
    SentencePair(terms, terms).seeds(0.33, 0.33)
    # Of three sentences that recur, each is like a third of all.
    assert long_documents.STEPS_PER_PAIR * len(terms) ** 2 // 3 in spent
