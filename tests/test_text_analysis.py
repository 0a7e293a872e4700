"""A document is analysed once, and every part fits the others."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.model import Document, StemmataError
from stemmata.text import analysis as module
from stemmata.text.analysis import Analysis, analyse

PAGE = Path(__file__).parents[1] / "docs" / "text.md"
PARTS = ("words", "language", "stems", "sentences", "tokens", "word_sentence", "token_sentence", "newlines")


@given(st.text(st.characters(), max_size=200))
def test_every_word_lies_in_its_sentence(text):
    analysis = Analysis(Document("any", text))
    starts, ends = analysis.sentences
    for words, sentence in (
        (analysis.words, analysis.word_sentence),
        (analysis.tokens, analysis.token_sentence),
    ):
        assert (starts[sentence] <= words.start).all()
        assert (words.start < ends[sentence]).all()
    assert len(analysis.stems) == len(analysis.words)
    assert analysis.newlines.tolist() == [found.start() for found in re.finditer("\n", text)]


def test_a_document_is_analysed_once_for_all_its_pairs(monkeypatch):
    asked = []
    find = module.find_words
    monkeypatch.setattr(module, "find_words", lambda text: asked.append(text) or find(text))
    for _ in range(3):
        analysis = analyse(Document("once", "Analysed just once."))
        assert analysis.words.forms == ("analysed", "just", "once")
    assert len(asked) == 1


def test_documents_that_differ_in_name_or_text_or_language_are_kept_apart():
    asked = [("a", "x", None), ("b", "x", None), ("a", "y", None), ("a", "x", "de")]
    kept = {id(analyse(Document(name, text), language)) for name, text, language in asked}
    assert len(kept) == 4


def test_the_language_is_guessed_unless_given():
    text = "Das ist nicht von mir, das war schon da."
    assert Analysis(Document("de", text)).language == "de"
    assert Analysis(Document("long", text * 1000)).language == "de"
    assert Analysis(Document("en", text), "en").language == "en"
    with pytest.raises(StemmataError, match="E501"):
        _ = Analysis(Document("xx", text), "klingon").language


@pytest.mark.skipif(not PAGE.exists(), reason="docs/text.md is not in this distribution")
def test_the_example_of_the_page_runs_and_prints_what_it_says(capsys):
    code = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(code[1], {})
    said = [line.partition("# ")[2] for line in code[1].splitlines() if line.startswith("print")]
    assert capsys.readouterr().out.splitlines() == said


@pytest.mark.corpus
def test_every_part_of_real_documents_is_found(corpus):
    folder = corpus("pan13-alignment-train")
    paths = [path for side in ("susp", "src") for path in sorted((folder / side).glob("*.txt"))[::8]]
    assert len(paths) > 600
    for path in paths:
        analysis = Analysis(Document(path.stem, path.read_bytes().decode("utf-8")))
        for part in PARTS:
            assert getattr(analysis, part) is not None, path.name
