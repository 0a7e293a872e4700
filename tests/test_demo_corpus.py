"""The corpus of the demonstration."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from stemmata.corpora.demo import KINDS, build_demo_corpus
from stemmata.corpora.demo_text import Writer, topics
from stemmata.formats import AnnotationFiles, DocumentFolder, read_cases, read_pairs
from stemmata.model import Case


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("demo") / "corpus"
    build_demo_corpus(made)
    return made


@pytest.fixture(scope="module")
def truth(folder: Path) -> AnnotationFiles:
    return read_cases(folder)


def cases_of(truth: AnnotationFiles, obfuscation: str) -> list[Case]:
    return [case for case in truth.annotations.cases if case.attributes["obfuscation"] == obfuscation]


def content(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_it_has_the_promised_size(folder: Path, truth: AnnotationFiles):
    assert len(list((folder / "susp").glob("*.txt"))) == 24
    assert len(list((folder / "src").glob("*.txt"))) == 24
    assert {part: len(pairs) for part, pairs in truth.pairs.items()} == {
        "": 42,
        "01-no-plagiarism": 6,
        "02-no-obfuscation": 12,
        "03-random-obfuscation": 12,
        "04-summary-obfuscation": 12,
    }
    kinds = Counter(case.attributes["obfuscation"] for case in truth.annotations.cases)
    assert kinds == {"none": 24, "random": 24, "summary": 12}


def test_every_pair_has_its_file_of_truth(folder: Path):
    for kind in KINDS:
        named = {
            f"{suspicious.removesuffix('.txt')}-{source.removesuffix('.txt')}.xml"
            for suspicious, source in read_pairs(folder / kind.folder / "pairs")
        }
        assert {path.name for path in (folder / kind.folder).glob("*.xml")} == named


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(folder: Path, tmp_path: Path):
    build_demo_corpus(tmp_path / "again", seed=7)
    build_demo_corpus(tmp_path / "other", seed=8)
    assert content(tmp_path / "again") == content(folder)
    assert content(tmp_path / "other") != content(folder)


def test_a_copied_case_is_the_same_text_on_both_sides(folder: Path, truth: AnnotationFiles):
    suspicious, sources = DocumentFolder(folder / "susp"), DocumentFolder(folder / "src")
    for case in cases_of(truth, "none"):
        assert case.source is not None
        copied = sources[case.source.document][case.source]
        assert suspicious[case.suspicious.document][case.suspicious] == copied
        assert copied[0].isupper()
        assert copied[-1] == "."


def test_without_its_cases_a_suspicious_document_shares_no_sentence_with_any_other(
    folder: Path, truth: AnnotationFiles
):
    seen: Counter[str] = Counter()
    for document in map(DocumentFolder(folder / "susp").__getitem__, sorted(truth.documents)):
        rest, end = "", 0
        for case in sorted(
            c.suspicious for c in truth.annotations.cases if c.suspicious.document == document.name
        ):
            rest += document.text[end : case.offset]
            end = case.end
        rest += document.text[end:]
        seen.update(sentence for sentence in rest.replace("\n\n", " ").split(". ") if " " in sentence)
    for path in (folder / "src").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        seen.update(sentence for sentence in text.replace("\n\n", " ").split(". ") if " " in sentence)
    assert {sentence: n for sentence, n in seen.items() if n > 1} == {}


def test_a_disturbed_case_keeps_most_of_its_words_and_a_summary_is_shorter(
    folder: Path, truth: AnnotationFiles
):
    suspicious, sources = DocumentFolder(folder / "susp"), DocumentFolder(folder / "src")
    for case in cases_of(truth, "random"):
        assert case.source is not None
        assert 0.2 <= float(case.attributes["obfuscation_degree"]) <= 0.8
        mine = Counter(suspicious[case.suspicious.document][case.suspicious].split())
        theirs = Counter(sources[case.source.document][case.source].split())
        assert mine != theirs
        assert (mine & theirs).total() > theirs.total() / 2
    for case in cases_of(truth, "summary"):
        assert case.source is not None
        assert case.suspicious.length < 0.45 * case.source.length


def test_punctuation_of_disturbed_cases_is_sane(folder: Path, truth: AnnotationFiles):
    suspicious = DocumentFolder(folder / "susp")
    for case in cases_of(truth, "random"):
        text = suspicious[case.suspicious.document][case.suspicious]
        assert text[0].isupper() or text[0].isdigit()
        assert text[-1] == "."
        assert not re.search(r"[.,;]{2}|\s[.,;]|  ", text)


def test_cases_of_one_document_neither_overlap_nor_touch(truth: AnnotationFiles):
    by_document: dict[str, list[Case]] = {}
    for case in truth.annotations.cases:
        by_document.setdefault(case.suspicious.document, []).append(case)
    for cases in by_document.values():
        spans = sorted(case.suspicious.span for case in cases)
        assert all(one.end < other.start for one, other in pairwise(spans))


def test_cases_stand_between_sentences(folder: Path, truth: AnnotationFiles):
    suspicious = DocumentFolder(folder / "susp")
    for case in truth.annotations.cases:
        text, passage = suspicious[case.suspicious.document].text, case.suspicious
        assert text[: passage.offset].endswith(". ")
        assert text[passage.end] in " \n"
        assert text[passage.offset : passage.end] == text[passage.offset : passage.end].strip()


def test_every_case_says_what_was_done_to_it(truth: AnnotationFiles):
    for case in truth.annotations.cases:
        said = case.attributes
        assert said["type"] == "artificial"
        assert (said["this_language"], said["source_language"]) == ("en", "en")
        assert ("obfuscation_degree" in said) == (said["obfuscation"] == "random")


@pytest.mark.parametrize("topic", topics())
def test_articles_are_well_formed(topic: str):
    article = Writer(np.random.default_rng(1)).article(topic, 12)
    assert [article.text[span.start : span.end] for span in article.spans] == article.sentences
    for sentence in article.sentences:
        assert sentence[0].isupper() or sentence[0].isdigit()
        assert sentence.endswith(".")
        assert "  " not in sentence
        assert not set("{}[]()") & set(sentence)
