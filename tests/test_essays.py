"""Essays: how a writer's table becomes cases, where quotations stand, and what detectors make of it."""

import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from stemmata.formats import DocumentFolder, read_cases, read_pairs
from stemmata.formats.essays import Essay, read_essay, write_essay
from stemmata.formats.pan_corpus import TRUTH, write_pan_corpus
from stemmata.formats.quotations import Quotations
from stemmata.measures.evaluation import score_alignment
from stemmata.model import Annotations, Document, Pair, StemmataError
from stemmata.reuse import detectors
from workbooks import sheet_of, write_workbook

EXAMPLE = Path(__file__).parents[1] / "examples" / "convert_essay.py"
HEAD = ["заимствованное предложение", "оригинальное предложение", "название", "тип - 1", "тип - 2"]
PAGE = (
    "<html><nav>Меню</nav><h1>Маяк</h1><p>Старый маяк стоит на скале уже двести лет.<sup>1</sup> Его "
    "построили монахи &mdash; жители острова.</p>"
    "<p>Каждую ночь смотритель зажигает огонь ещё до прилива.</p></html>"
)
ROWS = [
    ["Маяк стоит на скале двести лет. ", "Старый маяк стоит на скале уже двести лет.", "Маяк.html", "DEL"],
    ["Никто не помнит почему.\n"],
    ["Построили его монахи.", "Его построили монахи - жители  острова.", "Маяк.html", "DEL", "LPR"],
    ["Огонь горит.", "Каждую ночь смотритель зажигает огонь еще до прилива", "Маяк.html", "HPR"],
    ["Море шумит.", "Море шумело всегда и будет шуметь вечно.", "Маяк.html", "LPR"],
    ["Он светит.", "Он светил.", "Другой.html", "LPR"],
]


def essay_folder(folder: Path, rows: list[list[str]] = ROWS, page: bytes = PAGE.encode()) -> Path:
    write_workbook(folder / "sources_list.xlsx", {"Лист1": sheet_of([HEAD, *rows])})
    (folder / "sources").mkdir(parents=True, exist_ok=True)
    (folder / "sources" / "Маяк.html").write_bytes(page)
    return folder


@pytest.fixture
def essay(tmp_path: Path) -> Essay:
    return read_essay(essay_folder(tmp_path / "Мой маяк"))


def test_the_essay_is_the_sentences_of_the_table(essay: Essay) -> None:
    assert essay.document.name == "Мой_маяк.txt"
    lines = essay.document.text.splitlines()
    assert lines == [
        "Маяк стоит на скале двести лет. Никто не помнит почему.",
        "Построили его монахи. Огонь горит. Море шумит. Он светит.",
    ]


def test_each_borrowed_sentence_is_a_case(essay: Essay) -> None:
    [source] = essay.sources
    found = [
        (essay.document[case.suspicious], source[case.source], case.attributes["obfuscation"])
        for case in essay.cases
        if case.source
    ]
    assert found == [
        ("Маяк стоит на скале двести лет.", "Старый маяк стоит на скале уже двести лет.", "DEL"),
        ("Построили его монахи.", "Его построили монахи — жители острова.", "DEL LPR"),
        ("Огонь горит.", "Каждую ночь смотритель зажигает огонь ещё до прилива.", "HPR"),
    ]


def test_rows_that_cannot_be_placed_are_told(essay: Essay) -> None:
    told = [str(finding) for finding in essay.not_found]
    assert len(told) == 2
    assert "E637" in told[0]
    assert "line 6" in told[0]
    assert "Море шумело" in told[0]
    assert "line 7" in told[1]
    assert "Другой.html" in told[1]


def test_an_essay_of_its_own_is_searched_for_the_sentences(tmp_path: Path) -> None:
    folder = essay_folder(tmp_path / "a", ROWS[:4])
    (folder / "essay.txt").write_text("О маяке\n\nМаяк  стоит на скале\nдвести лет. Построили его монахи!")
    essay = read_essay(folder, name="essay.txt")
    assert essay.document.name == "essay.txt"
    assert [essay.document[case.suspicious] for case in essay.cases] == [
        "Маяк  стоит на скале\nдвести лет.",
        "Построили его монахи!",
    ]
    assert [finding.place.line for finding in essay.not_found if finding.place] == [5]


def test_names_agree_however_their_letters_are_composed(tmp_path: Path) -> None:
    folder = essay_folder(tmp_path / "a", [["Да.", "Чайки кричат над морем.", "\u0427а\u0439ки.html", "LPR"]])
    (folder / "sources" / "\u0427а\u0438\u0306ки.html").write_bytes(
        "<p>Чайки кричат над морем.".encode("cp1251")
    )
    assert len(read_essay(folder).cases) == 1


def test_an_essay_becomes_a_corpus_that_can_be_scored(essay: Essay, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    write_essay(corpus, essay)
    suspicious, source = DocumentFolder(corpus / "susp"), DocumentFolder(corpus / "src")
    [(mine, theirs)] = read_pairs(corpus / "pairs")
    assert (suspicious[mine], source[theirs]) == (essay.document, *essay.sources)
    truth = read_cases(corpus / TRUTH).annotations
    assert len(truth) == len(essay.cases)
    assert score_alignment(truth, Annotations.of(essay.cases)).scores.values["macro.plagdet"] == 1


def test_the_example_converts_and_tells_what_it_could_not_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, corpus = essay_folder(tmp_path / "Мой маяк"), tmp_path / "corpus"
    monkeypatch.setattr(sys, "argv", ["convert_essay.py", str(folder), str(corpus)])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_path(str(EXAMPLE), run_name="__main__")
    out = capsys.readouterr().out
    assert out.startswith("Мой_маяк.txt: 3 cases, 1 sources\n")
    assert out.count("E637") == 2
    assert len(read_cases(corpus / TRUTH).annotations) == 3


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda folder: (folder / "sources_list.xlsx").unlink(), "no workbook"),
        (lambda folder: (folder / "b.xlsx").write_bytes(b""), "2 workbooks"),
        (lambda folder: (folder / "sources" / "Маяк.html").unlink(), "no HTML page"),
        (lambda folder: essay_folder(folder, [["Только своё."]]), "no row"),
    ],
)
def test_what_is_no_essay_is_refused(spoil: Callable[[Path], object], reason: str, tmp_path: Path) -> None:
    folder = essay_folder(tmp_path / "a")
    spoil(folder)
    with pytest.raises(StemmataError, match=f"E636.*{reason}"):
        read_essay(folder)


@pytest.mark.parametrize("name", ["a b.txt", "../a.txt", ".a.txt", ""])
def test_documents_that_pairs_cannot_name_are_not_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(StemmataError, match="E621"):
        write_pan_corpus(tmp_path / "corpus", [Document(name, "text")], [], [])
    assert not (tmp_path / "corpus").exists()


def test_quotations_are_found_although_they_differ() -> None:
    text = Document(
        "t", "One two. Three black ships sailed, they say [2], out of the old port at dawn. Four."
    )
    find = Quotations(text).find
    assert text[find("three black ships sailed out of the old port at dawn") or fail()] == (
        "Three black ships sailed, they say [2], out of the old port at dawn."
    )
    assert find("three white birds flew into the new town at noon") is None
    assert find("...") is None
    assert Quotations(Document("empty", "")).find("anything at all") is None
    assert Quotations(Document("same", "a " * 50_000)).find("b a c") is None


def fail() -> None:
    pytest.fail("not found")


@pytest.mark.corpus
def test_the_real_essay_is_placed_but_for_one_sentence(corpus: Callable[[str], Path]) -> None:
    essay = real_essay(corpus)
    assert (len(essay.sources), len(essay.cases), len(essay.not_found)) == (6, 136, 1)
    assert essay.not_found[0].place is not None
    assert essay.not_found[0].place.line == 66


@pytest.mark.corpus
def test_our_detectors_clearly_beat_the_baseline_in_russian(corpus: Callable[[str], Path]) -> None:
    essay = real_essay(corpus)
    truth = Annotations.of(essay.cases)
    plagdet = {}
    for name in ("pan-baseline", "stemmata", "zubarev-2017"):
        aligner = detectors[name]()
        found = [one for source in essay.sources for one in aligner.align(Pair(essay.document, source))]
        plagdet[name] = score_alignment(truth, Annotations.of(found)).scores.values["macro.plagdet"]
    assert plagdet["stemmata"] >= plagdet["pan-baseline"] + 0.2
    assert plagdet["zubarev-2017"] >= plagdet["pan-baseline"] + 0.2
    assert plagdet["stemmata"] >= 0.85
    assert plagdet["zubarev-2017"] >= 0.8


def real_essay(corpus: Callable[[str], Path]) -> Essay:
    [table] = corpus("plagevalrus-essay").rglob("*.xlsx")
    return read_essay(table.parent)
