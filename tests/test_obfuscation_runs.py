"""Which system made an obfuscation, told by the folders around it and by what is in them."""

import json

import pytest

from stemmata.formats.obfuscation_runs import find_runs

ONE, TWO, THREE = (f"Text {number} is about something quite different." for number in ("one", "two", "three"))


def pieces(original):
    return json.dumps(
        [
            {
                "original": original,
                "original-start-charpos": 0,
                "original-end-charpos": len(original),
                "obfuscation": "x",
                "obfuscation-id": 1,
            }
        ]
    )


@pytest.fixture
def put(write, tmp_path):
    """Write an obfuscation of each text to its folder."""

    def lay_out(texts):
        for folder, text in texts.items():
            write(f"{folder}/obfuscation.json", pieces(text))
        return tmp_path

    return lay_out


def found(path):
    return [(one.system, one.text) for one in find_runs(path)]


def test_the_folders_around_a_file_name_its_text_and_system(put):
    folder = put({"runs/kind/p1": ONE, "runs/kind/p2": TWO, "runs/rough/p1": ONE}) / "runs"
    assert found(folder) == [("kind", "p1"), ("kind", "p2"), ("rough", "p1")]
    assert found(folder / "kind") == [("kind", "p1"), ("kind", "p2")]
    assert found(folder / "kind" / "p1") == [("p1", "p1")]
    assert found(folder / "kind" / "p1" / "obfuscation.json") == [("p1", "p1")]


RANKED = {
    f"texts/{system}/{corpus}/{problem}": text
    for system in ("kind", "rough")
    for corpus, texts in {"essays": (ONE, TWO), "training": (THREE, ONE)}.items()
    for problem, text in zip(("EN1", "EN2"), texts, strict=True)
}
ROWS = [
    (system, f"{corpus}/{problem}")
    for system in ("kind", "rough")
    for corpus in ("essays", "training")
    for problem in ("EN1", "EN2")
]


def test_the_texts_of_a_ranking_are_those_of_its_obfuscators(put, write):
    folder = put(RANKED)
    write("ranking.json", "{}")
    assert found(folder) == ROWS
    assert found(folder / "texts") == ROWS
    assert found(folder / "texts" / "kind") == ROWS[:4]
    assert found(folder / "texts" / "kind" / "training") == ROWS[2:4]
    assert found(folder / "texts" / "kind" / "training" / "EN1" / "obfuscation.json") == ROWS[2:3]


def test_without_its_figures_the_systems_are_those_that_have_a_text_once(put):
    assert found(put(RANKED) / "texts") == ROWS


def test_an_obfuscator_alone_is_known_by_the_ranking_it_is_in(put, write):
    folder = put({name: text for name, text in RANKED.items() if "/kind/" in name})
    write("ranking.json", "{}")
    assert found(folder / "texts") == ROWS[:4]


def test_groups_of_systems_are_no_systems(put):
    """PAN16's data lie so, in runs/A/problem-001; some of its systems squeeze white space."""
    squeezed = {"runs/B/p1": ONE.replace(" ", "  "), "runs/B/p2": TWO}
    folder = put({"runs/A/p1": ONE, "runs/A/p2": TWO, **squeezed})
    assert found(folder) == [("A", "p1"), ("A", "p2"), ("B", "p1"), ("B", "p2")]


def test_texts_of_two_sets_of_one_system_are_told_apart_by_content_not_by_name(put):
    texts = {"pan13/A/p1": ONE, "pan13/B/p1": ONE, "pan14/A/p1": TWO, "pan14/B/p1": TWO}
    assert found(put(texts)) == [("A", "p1"), ("B", "p1"), ("A", "p1"), ("B", "p1")]


def test_what_cannot_be_read_does_not_decide(put, write):
    folder = put(RANKED)
    write("texts/kind/essays/EN0/obfuscation.json", "no JSON")
    assert sorted({system for system, _ in found(folder / "texts")}) == ["kind", "rough"]


def test_hidden_folders_and_what_lies_too_deep_are_passed_over(put):
    assert found(put({"A/p1": ONE, ".part/p1": ONE, "A/b/c/d/p1": ONE})) == [("A", "p1")]
