"""Groups of cases, and which detections are scored with them."""

import pytest

from stemmata.measures.breakdown import break_down, group_values
from stemmata.model import Annotations, Case, Detection, Passage, StemmataError


def case(document, offset, source, **attributes):
    return Case(Passage(document, offset, 10), Passage(source, offset, 10), attributes)


def detection(document, offset, source):
    return Detection(Passage(document, offset, 10), Passage(source, offset, 10) if source else None)


CASES = [case("a", 0, "x", kind="copy"), case("a", 50, "x", kind="summary"), case("b", 0, "y", kind="copy")]


def groups(detections, by="kind", cases=CASES, listed=None):
    made = break_down(Annotations.of(cases), Annotations.of(detections), by, listed)
    return {group.value: (len(group.cases), len(group.detections)) for group in made.groups}, made.unassigned


def test_a_detection_goes_with_the_cases_it_detects():
    assert groups([detection("a", 0, "x")]) == ({"copy": (2, 1), "summary": (1, 0)}, 0)


def test_a_detection_of_two_kinds_of_cases_goes_with_both():
    both = Detection(Passage("a", 0, 60), Passage("x", 0, 60))
    assert groups([both]) == ({"copy": (2, 1), "summary": (1, 1)}, 0)


def test_a_false_detection_is_charged_to_the_groups_of_its_pair():
    assert groups([detection("a", 500, "x")]) == ({"copy": (2, 1), "summary": (1, 1)}, 0)
    assert groups([detection("b", 500, "y")]) == ({"copy": (2, 1), "summary": (1, 0)}, 0)


def test_a_false_detection_in_a_pair_without_cases_belongs_nowhere():
    assert groups([detection("c", 0, "x"), detection("b", 0, "x")]) == (
        {"copy": (2, 0), "summary": (1, 0)},
        2,
    )


def test_a_false_detection_without_source_is_charged_to_its_document():
    assert groups([detection("b", 500, None)]) == ({"copy": (2, 1), "summary": (1, 0)}, 0)


def test_repeated_detections_belong_together():
    assert groups([detection("a", 0, "x")] * 3)[0]["copy"] == (2, 1)


def test_cases_without_the_attribute_are_in_no_group():
    assert groups([], cases=[*CASES, case("c", 0, "x")])[0] == {"copy": (2, 0), "summary": (1, 0)}


def test_many_numbers_become_quarters():
    cases = [case("a", 20 * i, "x", degree=f"{i / 19}") for i in range(20)]
    sizes = groups([], "degree", cases)[0]
    assert list(sizes) == ["0 to 0.25", "0.25 to 0.5", "0.5 to 0.75", "0.75 to 1"]
    assert [n for n, _ in sizes.values()] == [5, 5, 5, 5]


def test_few_numbers_and_many_words_stay_as_they_are():
    few = [case("a", 20 * i, "x", degree=str(i % 3)) for i in range(20)]
    many = [case("a", 20 * i, "x", writer=f"w{i}") for i in range(20)]
    assert list(groups([], "degree", few)[0]) == ["0", "1", "2"]
    assert len(groups([], "writer", many)[0]) == 20


def test_length_classes_keep_their_order():
    cases = [
        Case(Passage("a", offset, length), None)
        for offset, length in ((0, 1499), (2000, 1500), (9000, 12000))
    ]
    assert list(groups([], "length", cases)[0]) == ["short", "medium", "long"]


@pytest.mark.parametrize(
    ("attributes", "value"),
    [
        ({"source_language": "de", "this_language": "en"}, "de>en"),
        ({"language_0": "en", "language_1": "hi", "language_2": "en"}, "en>hi>en"),
        ({"this_language": "en"}, "en"),
    ],
)
def test_language_is_read_from_pan_s_attributes(attributes, value):
    column = group_values(Annotations.of([case("a", 0, "x", **attributes)]), "language")
    assert column[0] == value


def test_an_unknown_attribute_is_refused_with_the_known_ones():
    with pytest.raises(StemmataError, match=r"E402 .*'knd'; did you mean 'kind'\? .*kind, length"):
        groups([], "knd")
