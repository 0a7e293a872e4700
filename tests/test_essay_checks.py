"""Essays that people hand in: a good one passes, and each rule finds the one thing that breaks it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from rich_files import doc, docx, pdf
from stemmata.cli.essays import import_essay
from stemmata.corpora.essays import (
    EssayFigures,
    EssayFinding,
    EssayRules,
    Severity,
    check_essay,
    essay_as_corpus,
)
from stemmata.corpora.essays.change import Wording, measure_change
from stemmata.corpora.essays.kinds import Kind, KindBounds, misfits
from stemmata.formats import read_cases
from stemmata.formats.essays import Essay, read_essay
from stemmata.formats.pan_corpus import TRUTH
from stemmata.formats.validate_any import validate
from stemmata.model import StemmataError
from workbooks import sheet_of, write_workbook

WHO = (
    "старый смотритель", "молодой рыбак", "опытный лоцман", "усталый матрос", "строгий капитан",
    "весёлый плотник", "тихий лекарь",
)  # fmt: skip
WHAT = (
    "чинит тяжёлую лодку", "проверяет прочную сеть", "красит высокую башню", "закрывает широкие ворота",
    "несёт полную корзину", "слушает далёкий гром", "считает белых чаек", "рисует морскую карту",
    "чистит медный колокол", "сушит мокрую одежду", "варит густую похлёбку", "пишет длинное письмо",
    "ищет пропавший якорь", "кормит рыжую кошку", "поёт грустную песню",
)  # fmt: skip
OWN = ("история", "работа", "привычка", "забота", "легенда", "судьба", "дорога")
HEAD = ["заимствованное предложение", "оригинальное предложение", "источник", "тип"]
FILES = ("Маяк.html", "Море.txt", "Порт.rtf", "Берег.docx", "Остров.doc")

Row = list[str]


def plain(who: str, what: str) -> str:
    return f"Каждое утро {who} {what} возле каменного причала на северном берегу."


def own(about: str) -> str:
    return f"Такая необычная {about} заслуживает отдельного большого рассказа для любопытных детей."


REWRITE: dict[str, Callable[[str, str], str]] = {
    "HPR": lambda who, what: (
        f"{who.capitalize()} обычно {what} у пристани, когда наступает рассвет над водой."
    ),
    "DEL": lambda who, what: plain(who, what).replace("каменного ", ""),
    "ADD": lambda who, what: plain(who, what).replace("Каждое утро", "Каждое раннее утро"),
    "LPR": lambda who, what: plain(who, what).replace("Каждое утро", "Каждым утром"),
    "SHF": lambda who, what: (
        f"{who.capitalize()} {what} каждое утро возле каменного причала на северном берегу."
    ),
    "SYN": lambda who, what: plain(who, what).replace("возле", "около"),
    "CPY": plain,
}
ORDER = ("HPR", "DEL", "ADD", "HPR", "LPR", "SHF", "HPR", "SYN", "CPY", "DEL")


def good_rows() -> list[Row]:
    """100 fragments, 20 of each source, and seven sentences of the writer's own; the first row is row 2."""
    pairs = [(who, what) for what in WHAT for who in WHO][:100]
    rows = [
        [REWRITE[kind](who, what), plain(who, what), FILES[at % 5], kind]
        for at, (who, what) in enumerate(pairs)
        for kind in [ORDER[at // 5 % 10]]
    ]
    return rows + [[own(one)] for one in OWN]


def rtf(lines: list[str]) -> bytes:
    written = (
        r"\par ".join("".join(f"\\u{ord(c)}?" if c > "~" else c for c in line) for line in lines)
    ).encode()
    return rb"{\rtf1\ansi " + written + b"}"


def content(name: str, lines: list[str]) -> bytes:
    made: dict[str, Callable[[], bytes]] = {
        "html": lambda: "".join(f"<p>{line}" for line in lines).encode(),
        "txt": lambda: "\n".join(lines).encode("cp1251"),
        "rtf": lambda: rtf(lines),
        "docx": lambda: docx(*lines),
        "doc": lambda: doc([(f"{line}\r", False) for line in lines]),
        "pdf": lambda: pdf(lines, cyrillic=True),
    }
    return made[name.rpartition(".")[2]]()


@pytest.fixture
def hand_in(tmp_path: Path) -> Callable[..., Path]:
    def put(rows: list[Row], files: tuple[str, ...] = FILES) -> Path:
        folder = tmp_path / "О маяке"
        (folder / "sources").mkdir(parents=True)
        write_workbook(folder / "table.xlsx", {"one": sheet_of([HEAD, *rows])})
        pairs = [(who, what) for what in WHAT for who in WHO]
        for number, name in enumerate(files):
            lines = [plain(*pair) for pair in pairs[number::5]]
            (folder / "sources" / name).write_bytes(content(name, lines))
        return folder

    return put


def found(findings: list[EssayFinding]) -> list[tuple[str, str, int | None]]:
    return [(one.severity.value, one.code, one.row) for one in findings]


def test_a_good_essay_of_five_formats_passes(hand_in: Callable[..., Path]) -> None:
    essay = read_essay(hand_in(good_rows()))
    assert check_essay(essay) == []
    assert (len(essay.cases), len(essay.sources), essay.not_found) == (100, 5, ())
    figures = EssayFigures(essay)
    assert figures.heavy_share == pytest.approx(0.3)
    assert figures.own_share == pytest.approx(7 / 107)
    assert figures.by_kind["HPR"] == 30
    assert set(figures.by_source.values()) == {20}


Change = Callable[[list[Row]], object]


def cell(row: int, column: int, text: str | Callable[[str], str]) -> Change:
    """Change a cell; rows count as the table shows them."""

    def change(rows: list[Row]) -> None:
        before = rows[row - 2] + [""] * (column + 1 - len(rows[row - 2]))
        before[column] = text(before[column]) if callable(text) else text
        rows[row - 2] = before

    return change


def delete(first: int, last: int) -> Change:
    return lambda rows: rows.__delitem__(slice(first - 2, last - 1))


def kinds(old: str, new: str, most: int) -> Change:
    def change(rows: list[Row]) -> None:
        for row in [row for row in rows if row[3:] == [old]][:most]:
            row[3] = new

    return change


def swapped(row: int, old: str, new: str) -> Change:
    return cell(row, 0, lambda text: text.replace(old, new))


NOWHERE = "Ничего такого ни в одном источнике никогда не было."
END, OTHER_FORMS = "на северном берегу", "каменным причалом на северных берегах"
HEAVY, DELETED, ADDED, LIGHT, SHUFFLED, SYNONYM, COPY, OWN_ROW = 2, 7, 12, 22, 27, 37, 42, 102
SPELT = "Старый смотритель обычно чиинит тяжёлую лодку у пристани, когда наступает рассвет над водой."


@pytest.mark.parametrize(
    ("change", "severity", "code", "row"),
    [
        (delete(50, 70), "fatal", "few-sentences", None),
        (cell(DELETED, 2, "Другой.html"), "fatal", "source-missing", DELETED),
        (cell(DELETED, 1, NOWHERE), "serious", "original-missing", DELETED),
        (cell(DELETED, 1, ""), "serious", "row-incomplete", DELETED),
        (cell(OWN_ROW, 3, "DEL"), "serious", "row-incomplete", OWN_ROW),
        (cell(DELETED, 3, ""), "serious", "kind-missing", DELETED),
        (cell(DELETED, 3, "XYZ"), "serious", "kind-unknown", DELETED),
        (cell(DELETED, 3, "ORIG"), "serious", "kind-unfit", DELETED),
        (cell(HEAVY, 3, "CPY"), "serious", "kind-unfit", HEAVY),
        (cell(COPY, 3, "DEL"), "serious", "kind-unfit", COPY),
        (cell(COPY, 3, "ADD"), "serious", "kind-unfit", COPY),
        (cell(COPY, 3, "LPR"), "serious", "kind-unfit", COPY),
        (cell(COPY, 3, "SHF"), "serious", "kind-unfit", COPY),
        (cell(COPY, 3, "CCT"), "serious", "kind-unfit", COPY),
        (cell(COPY, 3, "SST"), "serious", "kind-unfit", COPY),
        (cell(COPY, 3, "SYN"), "serious", "kind-unfit", COPY),
        (cell(DELETED, 3, "HPR"), "serious", "kind-unfit", DELETED),
        (swapped(DELETED, " на северном", ""), "medium", "change-large", DELETED),
        (swapped(ADDED, "утро", "утро снова и"), "medium", "change-large", ADDED),
        (swapped(LIGHT, END, "под южной горой"), "medium", "change-large", LIGHT),
        (swapped(SYNONYM, f"каменного причала {END}", OTHER_FORMS), "medium", "change-other", SYNONYM),
        (cell(DELETED, 0, lambda text: text.replace("е", "e", 1)), "serious", "look-alikes", DELETED),
        (cell(HEAVY, 0, SPELT), "medium", "spelling", HEAVY),
        (cell(OWN_ROW, 0, plain(WHO[0], WHAT[3])), "serious", "own-borrowed", OWN_ROW),
        (cell(OWN_ROW + 1, 0, own(OWN[0])), "medium", "repeated-row", OWN_ROW + 1),
        (delete(102, 105), "serious", "own-share", None),
        (kinds("HPR", "LPR HPR", 11), "serious", "heavy-share", None),
        (lambda rows: rows.append(["Да. " * 600, "Да " * 600, FILES[0], "HPR"]), "medium", "long-row", 109),
    ],
)  # fmt: skip
def test_each_rule_finds_what_breaks_it(
    change: Change, severity: str, code: str, row: int | None, hand_in: Callable[..., Path]
) -> None:
    rows = good_rows()
    change(rows)
    assert (severity, code, row) in found(check_essay(read_essay(hand_in(rows))))


def test_a_finding_does_not_drag_others_along(hand_in: Callable[..., Path]) -> None:
    rows = good_rows()
    cell(COPY, 3, "DEL")(rows)
    cell(DELETED, 0, lambda text: text.replace("е", "e", 1))(rows)
    assert {code for _, code, _ in found(check_essay(read_essay(hand_in(rows))))} == {
        "kind-unfit",
        "look-alikes",
    }


def test_sentences_are_joined_and_split(hand_in: Callable[..., Path]) -> None:
    rows = good_rows()
    who, what, other = WHO[0], WHAT[0], WHO[5]
    two = f"{plain(who, what)} {plain(other, what)}"
    rows[0] = [two.replace(". Каждое", ", а каждое"), two, FILES[0], "CCT"]
    first, second = f"Каждое утро {who} {what}.", "Это происходит возле каменного причала на северном берегу."
    rows += [[first, plain(who, what), FILES[0], "SST"], [second, plain(who, what), FILES[0], "SST"]]
    assert [one for one in found(check_essay(read_essay(hand_in(rows)))) if one[1] != "short-fragment"] == []


def test_sources_that_are_few_unused_unread_or_little_used_are_told(hand_in: Callable[..., Path]) -> None:
    rows = good_rows()
    for row in rows[4:90:5]:
        row[1:3] = rows[0][1:3]
    folder = hand_in(rows, (*FILES, "Лишний.txt"))
    codes = found(check_essay(read_essay(folder)))
    assert ("serious", "source-share", None) in codes
    assert ("medium", "source-unused", None) in codes
    (folder / "sources" / FILES[3]).write_bytes(b"PK\x03\x04 broken")
    codes = found(check_essay(read_essay(folder)))
    assert ("fatal", "source-unread", None) in codes
    assert ("fatal", "few-sources", None) in codes


def test_many_missing_originals_and_short_sentences_are_told(hand_in: Callable[..., Path]) -> None:
    rows = good_rows()
    for row in rows[:6]:
        row[1] = NOWHERE
    for row in rows[6:100]:
        row[0] = "Рыбак чинит сеть."
    codes = {code for _, code, _ in found(check_essay(read_essay(hand_in(rows))))}
    assert {"originals-missing", "short-sentences", "short-fragment", "repeated-row"} <= codes


def test_an_essay_as_text_must_hold_the_sentences(hand_in: Callable[..., Path]) -> None:
    rows = good_rows()
    folder = hand_in(rows)
    text = " ".join(row[0] for row in rows)
    (folder / "essay.txt").write_text(text, "utf-8")
    assert check_essay(read_essay(folder)) == []
    lost = "Один прохожий рассказал совсем другую историю про далёкие жаркие страны."
    rows[0][0] = lost
    write_workbook(folder / "table.xlsx", {"one": sheet_of([HEAD, *rows])})
    assert ("fatal", "sentence-missing", 2) in found(check_essay(read_essay(folder)))


def test_copies_distance_and_originality_are_checked_where_asked(hand_in: Callable[..., Path]) -> None:
    essay = read_essay(hand_in(good_rows()))
    codes = {
        code
        for _, code, _ in found(check_essay(essay, EssayRules(copies=False, distance=0.9, originality=0.9)))
    }
    assert codes == {"copy", "lexical-distance", "originality"}
    few = replace(essay, rows=essay.rows[:100])
    assert "few-borrowed" in {one.code for one in check_essay(essay, EssayRules(sentences=105))}
    assert "few-sentences" in {one.code for one in check_essay(few, EssayRules(sentences=105))}


class TestChange:
    def change(self, original: str, made: str) -> tuple[int, ...]:
        one = measure_change(Wording.of(original, "ru"), Wording.of(made, "ru"))
        assert one.kept + one.reformed + one.moved + one.replaced + one.deleted == one.before
        assert one.kept + one.reformed + one.moved + one.replaced + one.added == one.after
        return one.kept, one.reformed, one.moved, one.replaced, one.deleted, one.added

    @pytest.mark.parametrize(
        ("made", "counts"),
        [
            ("Старый маяк стоит на скале", (5, 0, 0, 0, 0, 0)),
            ("Маяк стоит на скале", (4, 0, 0, 0, 1, 0)),
            ("Старый белый маяк стоит на скале", (5, 0, 0, 0, 0, 1)),
            ("Старый маяк стоял на скалах", (3, 2, 0, 0, 0, 0)),
            ("На скале старый маяк стоит", (3, 0, 2, 0, 0, 0)),
            ("Старый фонарь стоит на скале", (4, 0, 0, 1, 0, 0)),
            ("", (0, 0, 0, 0, 5, 0)),
        ],
    )
    def test_words_are_counted_by_what_became_of_them(self, made: str, counts: tuple[int, ...]) -> None:
        assert self.change("Старый маяк стоит на скале", made) == counts

    def test_heavy_rewriting_has_no_upper_bound(self) -> None:
        change = measure_change(
            Wording.of("Старый маяк стоит", "ru"), Wording.of("Новый дом давно упал", "ru")
        )
        assert list(misfits({Kind.HEAVY, Kind.LIGHT}, change, KindBounds())) == []
        assert [one.false for one in misfits({Kind.LIGHT}, change, KindBounds())] == [True]


class TestImport:
    def run(self, *arguments: str) -> tuple[int, str]:
        app = typer.Typer()
        app.command()(import_essay)
        done = CliRunner().invoke(app, list(arguments))
        return done.exit_code, done.output

    def test_a_source_that_is_not_there_blocks(self, hand_in: Callable[..., Path], tmp_path: Path) -> None:
        out = tmp_path / "corpus"
        status, said = self.run(
            str(hand_in(good_rows(), (*FILES[:4], "Остров.pdf"))), "-o", str(out), "--format", "json"
        )
        assert status == 1  # the table names Остров.doc
        assert not out.exists()
        assert {one["code"] for one in json.loads(said)["findings"]} == {
            "source-missing",
            "few-sources",
            "source-unused",
        }

    def test_sources_may_be_pdf(self, hand_in: Callable[..., Path], tmp_path: Path) -> None:
        rows = good_rows()
        for row in rows[4:100:5]:
            row[2] = "Остров.pdf"
        out = tmp_path / "corpus"
        status, said = self.run(str(hand_in(rows, (*FILES[:4], "Остров.pdf"))), "-o", str(out))
        assert (status, "0 fatal, 0 serious, 0 medium; 100 cases" in said) == (0, True)
        assert len(read_cases(out / TRUTH).annotations) == 100
        assert validate(out).findings == []

    def test_a_fatal_finding_blocks_unless_forced(self, hand_in: Callable[..., Path], tmp_path: Path) -> None:
        folder, out = hand_in(good_rows()[:50]), tmp_path / "corpus"
        status, said = self.run(str(folder), "-o", str(out))
        assert (status, out.exists()) == (1, False)
        assert "few-sentences" in said
        assert "refused" in said
        with pytest.raises(StemmataError, match=r"E755.*50 sentences"):
            essay_as_corpus(read_essay(folder), out)
        status, _ = self.run(str(folder), "-o", str(out), "--force")
        assert (status, len(read_cases(out / TRUTH).annotations)) == (0, 50)


@pytest.mark.corpus
def test_the_real_essay_is_accepted_with_findings(corpus: Callable[[str], Path], tmp_path: Path) -> None:
    [table] = corpus("plagevalrus-essay").rglob("*.xlsx")
    essay: Essay = read_essay(table.parent)
    findings = check_essay(essay)
    assert [one for one in findings if one.severity is Severity.FATAL] == []
    serious = [(one.code, one.row) for one in findings if one.severity is Severity.SERIOUS]
    assert serious == [
        ("heavy-share", None),
        ("original-missing", 66),
        ("kind-unfit", 79),
        ("look-alikes", 95),
        ("kind-unfit", 101),
    ]
    assert len(findings) == 29
    essay_as_corpus(essay, tmp_path / "corpus", findings)
    assert len(read_cases(tmp_path / "corpus" / TRUTH).annotations) == 136
    assert validate(tmp_path / "corpus").findings == []
