"""`stemmata reproduce plagevalrus`: what it finds, makes of it, and says is missing."""

import json
import random
from dataclasses import replace
from itertools import pairwise
from math import log2
from pathlib import Path

import pytest

from base_texts import write_base
from stemmata.cli import status_of
from stemmata.experiments import plagevalrus
from stemmata.experiments.plagevalrus_corpus import (
    COPY,
    Shape,
    collect_essays,
    make,
    paraphrase_for,
    plan_for,
    shapes,
)
from stemmata.experiments.plagevalrus_material import find_material, is_first_set
from stemmata.experiments.plagevalrus_published import MEASURES, SCORES
from stemmata.formats.essays import read_essay
from stemmata.model import StemmataError
from workbooks import sheet_of, write_workbook

WHO = ["Старый лодочник", "Молодой пасечник", "Сельский кузнец", "Усталый почтальон", "Дальний сосед"]
DID = ["долго чинил", "осторожно осматривал", "терпеливо красил", "внимательно измерял", "бережно чистил"]
WHAT = ["деревянную лодку", "высокий забор", "медный колокол", "каменную печь", "садовую калитку"]
WHERE = ["возле тихой реки", "на краю деревни", "за широким полем", "у лесной дороги", "под старым дубом"]
WHEN = ["до позднего вечера", "перед первым снегом", "после долгой зимы", "ранним утром", "в начале июля"]
WHY = ["потому что ждал гостей", "хотя болела спина", "пока дети собирали ягоды", "чтобы успеть к ярмарке"]
ROWS = [
    [
        "Лодочник долго чинил лодку возле тихой реки.",
        "Старый лодочник долго чинил лодку возле реки.",
        "a.txt",
        "LPR",
    ],
    ["Кузнец осмотрел медный колокол за полем.", "Кузнец осмотрел медный колокол за полем.", "a.txt", "CPY"],
]


def russian(seed: int, sentences: int = 45) -> str:
    """A text of our own making, in which hardly a sentence comes twice."""
    rng = random.Random(seed)
    made = [
        f"{' '.join(rng.choice(part) for part in (WHO, DID, WHAT, WHERE, WHEN))}, {rng.choice(WHY)}."
        for _ in range(sentences)
    ]
    return "".join(one + ("\n" if number % 6 == 5 else " ") for number, one in enumerate(made))


def write_texts(folder: Path, count: int = 8) -> Path:
    for number in range(count):
        path = folder / "texts" / f"part-{number % 2}" / f"{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Глава.\n{russian(number)}", encoding="utf-8")
    return folder


def write_essay(folder: Path, kinds: str = "CPY") -> Path:
    rows = [[*row[:3], kinds if row[3] == "CPY" else row[3]] for row in ROWS]
    write_workbook(folder / "table.xlsx", {"Лист1": sheet_of(rows)})
    (folder / "sources").mkdir(parents=True, exist_ok=True)
    (folder / "sources" / "a.txt").write_text(" ".join(row[1] for row in ROWS) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_texts(tmp_path_factory.mktemp("data") / "Сборник <b>")
    write_essay(folder / "essays" / "one")
    write_essay(folder / "essays" / "two", kinds="HPR")
    return folder


def found(data: Path, room: Path):
    room.mkdir()
    return find_material(data, room)


def run(capsys: pytest.CaptureFixture[str], data: Path, out: Path) -> tuple[int, dict, str]:
    status = status_of(
        ["reproduce", "plagevalrus", "--data", str(data), "-o", str(out), "--seeds", "2", "-f", "json"]
    )
    said = capsys.readouterr()
    return status, json.loads(said.out) if said.out else {}, said.err


def test_texts_and_essays_are_found_by_themselves(data: Path, tmp_path: Path) -> None:
    material = found(data, tmp_path / "room")
    assert (material.language, len(material.texts), len(material.essays)) == ("ru", 8, 2)
    assert [is_first_set(essay) for essay in material.essays] == [True, False]
    assert {one.path for one in material.texts} == set((tmp_path / "room").iterdir())
    assert material.remarks == ()


def test_generated_texts_keep_to_the_rules_of_the_workshop(data: Path, tmp_path: Path) -> None:
    material = found(data, tmp_path / "room")
    way, remarks = paraphrase_for("ru", russian(99))
    assert (way.strategy, remarks) == ("russian", [])
    plan = plan_for(material, 3)
    assert plan.documents == 8
    for obfuscation in (COPY, way):
        made = make(plan, obfuscation, tmp_path)
        looked_at = shapes(plan, made)
        assert len(looked_at) == 4
        for one in looked_at:
            assert one.is_long_enough
            assert one.is_in_class
            assert one.has_few_sources
            assert one.has_words_enough


def test_copies_and_paraphrases_are_of_the_same_fragments(data: Path, tmp_path: Path) -> None:
    plan = plan_for(found(data, tmp_path / "room"), 2)
    way, _ = paraphrase_for("ru", russian(99))
    copied, rewritten = (make(plan, one, tmp_path) for one in (COPY, way))

    def fragments(made):
        return [
            (case.source.document.split("source-")[1], case.source.offset, case.source.length)
            for case in made.cases
        ]

    assert fragments(copied) == fragments(rewritten)
    assert copied.texts[0].name != rewritten.texts[0].name


def test_copies_are_verbatim_and_no_place_of_a_source_is_taken_twice(data: Path, tmp_path: Path) -> None:
    made = make(plan_for(found(data, tmp_path / "room"), 1), COPY, tmp_path)
    documents = {one.name: one for pair in made.pairs for one in (pair.suspicious, pair.source)}
    taken: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for case in made.cases:
        assert case.source is not None
        assert (
            documents[case.suspicious.document][case.suspicious]
            == documents[case.source.document][case.source]
        )
        key = case.suspicious.document, case.source.document
        taken.setdefault(key, []).append((case.source.offset, case.source.end))
    for spans in taken.values():
        spans.sort()
        assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_a_breach_of_a_rule_is_seen(data: Path, tmp_path: Path) -> None:
    good = Shape(plan_for(found(data, tmp_path / "room"), 1), 40, 0.1, 2, 5)
    assert good.is_in_class
    assert not replace(good, share=0.18).is_in_class
    assert not replace(good, sentences=29).is_long_enough
    assert not replace(good, sources=6).has_few_sources
    assert not replace(good, words=4).has_words_enough


def test_documents_of_essays_are_named_apart(data: Path) -> None:
    essay = read_essay(data / "essays" / "one")
    made = collect_essays([essay, essay])
    assert len(made.texts) == 2
    assert len({pair.source.name for pair in made.pairs}) == 2
    assert len(made.cases) == 2 * len(essay.cases)


def test_printed_plagdet_follows_from_what_is_printed_beside_it() -> None:
    for detectors in SCORES.values():
        for printed in detectors.values():
            score = dict(zip(MEASURES, printed, strict=True))
            for average in ("Macro", "Micro"):
                p, r = score[f"{average} precision"], score[f"{average} recall"]
                plagdet = 2 * p * r / (p + r) / log2(1 + score["Granularity"])
                assert plagdet == pytest.approx(score[f"{average} plagdet"], abs=0.005)


def test_the_command_prints_tables_and_writes_a_page(data: Path, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(plagevalrus, "DETECTORS", ("pan-baseline", "zubarev-2017"))
    status, said, error = run(capsys, data, tmp_path / "out")
    assert status == (0 if said["kept"] == said["promised"] else 1)
    assert "findings and rules met" in error
    tables = said["tables"]
    assert set(tables) == {"corpora", "alignment", "track-2", "track-3", "both-tracks", "findings"}
    assert [(row["Kind"], row["Texts"]) for row in tables["corpora"]] == [
        ("Copied", 8),
        ("Generated paraphrase", 8),
        ("Manual paraphrase", 2),
        ("Manual paraphrase, set 1 (moderate)", 1),
        ("Manual paraphrase, set 2 (heavy)", 1),
    ]
    printed = {row["Detector"]: row["Macro plagdet, paper"] for row in tables["track-2"]}
    assert printed == {"pan-baseline": 0.8038, "zubarev-2017": 0.6146}
    rules = {row["Expected"]: row["Holds"] for row in tables["findings"] if row["Of"].startswith("Rule")}
    assert list(rules.values()) == ["yes"] * 4
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Track 3: paraphrased plagiarism" in page
    assert "<b>'" not in page
    assert (tmp_path / "out" / "tables" / "track-3.csv").is_file()


def test_without_essays_or_without_texts_the_rest_is_made(
    data: Path, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setattr(plagevalrus, "DETECTORS", ("pan-baseline", "zubarev-2017"))
    _, said, _ = run(capsys, data / "texts", tmp_path / "one")
    assert {"track-2", "track-3"} <= set(said["tables"])
    assert "both-tracks" not in said["tables"]
    assert "There is no essay" in (tmp_path / "one" / "report.html").read_text("utf-8")
    _, said, _ = run(capsys, data / "essays", tmp_path / "two")
    assert "track-2" not in said["tables"]
    assert {row["Kind"] for row in said["tables"]["track-3"]} >= {"Manual paraphrase"}
    assert "generated plagiarism" in (tmp_path / "two" / "report.html").read_text("utf-8")


def test_texts_in_another_language_are_used_and_told(tmp_path: Path) -> None:
    write_base(tmp_path / "data", texts=3, articles=3)
    material = found(tmp_path / "data", tmp_path / "room")
    assert material.language == "en"
    assert "not in Russian but, it seems, in English" in material.remarks[0]
    way, remarks = paraphrase_for("en", material.texts[0].path.read_text("utf-8"))
    assert remarks[-1] == f"Generated paraphrase was made by {way.strategy}."


def test_russian_comes_before_what_there_is_more_of(tmp_path: Path) -> None:
    write_base(tmp_path / "data" / "english", texts=4, articles=6)
    write_texts(tmp_path / "data", count=4)
    material = found(tmp_path / "data", tmp_path / "room")
    assert material.language == "ru"
    assert "4 texts in other languages were left out." in material.remarks


def test_duplicates_and_what_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    folder = write_texts(tmp_path / "data", count=4)
    (folder / "again.txt").write_text("Глава.\n" + russian(0).replace(" ", "  "), encoding="utf-8")
    (folder / "bad.txt").write_bytes(b"\xff\xfe\x00")
    write_workbook(folder / "budget" / "budget.xlsx", {"A": sheet_of([["1", "2"]])})
    material = found(folder, tmp_path / "room")
    assert len(material.texts) == 4
    said = " ".join(material.remarks)
    assert "1 of the texts could not be read" in said
    assert "1 of the texts are duplicates" in said
    assert "budget is left out" in said


@pytest.mark.parametrize("content", ["", "Один короткий текст."])
def test_a_folder_without_material_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.txt").write_text(content, encoding="utf-8")
    with pytest.raises(StemmataError, match="E760"):
        found(tmp_path / "data", tmp_path / "room")
