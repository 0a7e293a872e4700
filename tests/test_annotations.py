"""Annotations one by one and in columns say the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stemmata.model import Annotation, Annotations, Case, Coded, Detection, Passage, Place
from stemmata.model.annotations import NONE

property_test = settings(max_examples=100, deadline=None, derandomize=True)

texts = st.text(max_size=4)
passages = st.builds(Passage, texts, st.integers(0, 2**30), st.integers(0, 2**30))
records = st.lists(
    st.builds(
        Annotation,
        passages,
        st.none() | passages,
        st.dictionaries(st.sampled_from(["obfuscation", "type"]), texts),
    ),
    max_size=8,
)
near_passages = st.builds(Passage, st.sampled_from("ab"), st.integers(0, 6), st.integers(0, 4))
near_annotations = st.builds(Annotation, near_passages, st.none() | near_passages)

ROWS = [
    Case(Passage("essay", 0, 10), Passage("book", 5, 15), {"obfuscation": "none"}),
    Case(Passage("report", 20, 5)),
    Case(Passage("essay", 30, 7), Passage("play", 1, 2), {"obfuscation": "summary", "type": "artificial"}),
]


def everything(annotations: object) -> list[tuple[object, ...]]:
    """Return all that is said, attributes included, which equality leaves out."""
    return [(one.suspicious, one.source, dict(one.attributes)) for one in annotations]


# --- One passage, one annotation


def test_a_passage_ends_behind_its_last_character() -> None:
    assert Passage("essay", 3, 4).end == 7
    assert Passage("essay", 3, 4).span == (3, 7)


def test_an_annotation_without_a_source_is_intrinsic() -> None:
    assert Annotation(Passage("essay", 0, 5)).intrinsic
    assert not Annotation(Passage("essay", 0, 5), Passage("book", 0, 5)).intrinsic


def test_attributes_do_not_make_annotations_different() -> None:
    assert Case(Passage("essay", 0, 5), None, {"obfuscation": "none"}) == Case(Passage("essay", 0, 5))


@property_test
@given(near_annotations, near_annotations)
def test_detecting_is_symmetric(a: Annotation, b: Annotation) -> None:
    assert a.detects(b) == b.detects(a)


CASE = Case(Passage("essay", 10, 10), Passage("book", 10, 10))


@pytest.mark.parametrize(
    "detection",
    [
        Detection(Passage("essay", 19, 5), Passage("book", 0, 11)),
        Detection(Passage("essay", 0, 50), Passage("book", 0, 50)),
        Detection(Passage("essay", 15, 0), Passage("book", 15, 0)),
        Detection(Passage("essay", 19, 5)),
    ],
    ids=["one character on each side", "around", "empty but inside", "intrinsic"],
)
def test_a_detection_that_overlaps_on_every_side_both_name_detects(detection: Detection) -> None:
    assert detection.detects(CASE)


@pytest.mark.parametrize(
    "detection",
    [
        Detection(Passage("essay", 20, 5), Passage("book", 10, 10)),
        Detection(Passage("essay", 10, 10), Passage("book", 0, 10)),
        Detection(Passage("report", 10, 10), Passage("book", 10, 10)),
        Detection(Passage("essay", 10, 10), Passage("play", 10, 10)),
        Detection(Passage("essay", 10, 0), Passage("book", 10, 10)),
    ],
    ids=["touching", "touching in the source", "another document", "another source", "empty on the border"],
)
def test_a_detection_that_fails_on_one_side_does_not_detect(detection: Detection) -> None:
    assert not detection.detects(CASE)


# --- A column of strings


@property_test
@given(st.lists(st.none() | texts, max_size=8))
def test_a_coded_column_gives_back_its_strings(strings: list[str | None]) -> None:
    column = Coded.of(strings)
    assert [column[row] for row in range(len(column))] == strings


def test_a_coded_column_keeps_each_string_once_in_order_of_appearance() -> None:
    column = Coded.of(["b", None, "a", "b"])
    assert column.values == ("b", "a")
    assert column.codes.tolist() == [0, NONE, 1, 0]


def test_rows_of_a_coded_column_are_taken_by_number_or_by_mask() -> None:
    column = Coded.of(["b", None, "a"])
    by_number, by_mask = column.take(np.array([2, 0])), column.take(np.array([True, True, False]))
    assert [by_number[0], by_number[1]] == ["a", "b"]
    assert [by_mask[0], by_mask[1]] == ["b", None]


def test_recoding_answers_in_the_other_numbering_and_keeps_missing_values() -> None:
    column = Coded.of(["b", None, "a", "b"])
    assert column.recode({"a": 10, "b": 20, "c": 30}).tolist() == [20, NONE, 10, 20]


# --- Many annotations as columns


@property_test
@given(records)
def test_records_survive_being_columns(rows: list[Annotation]) -> None:
    columns = Annotations.of(rows)
    assert len(columns) == len(rows)
    assert everything(columns) == everything(rows)


def test_an_intrinsic_row_has_no_source_in_the_columns() -> None:
    columns = Annotations.of(ROWS)
    assert columns.source.codes.tolist() == [0, NONE, 1]
    assert (columns.source_offset.tolist(), columns.source_length.tolist()) == ([5, 0, 1], [15, 0, 2])


def test_rows_are_seen_as_cases_or_as_detections() -> None:
    columns = Annotations.of(ROWS)
    assert list(columns.cases) == ROWS
    assert list(columns.detections) == [Detection(one.suspicious, one.source) for one in ROWS]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (np.array([2, 0]), [ROWS[2], ROWS[0]]),
        (np.array([False, True, True]), [ROWS[1], ROWS[2]]),
        (np.array([], dtype=np.int64), []),
    ],
    ids=["numbers", "mask", "none"],
)
def test_taken_rows_keep_all_they_say(rows: np.ndarray, expected: list[Case]) -> None:
    assert everything(Annotations.of(ROWS).take(rows)) == everything(expected)


def read_from_files() -> Annotations:
    columns = Annotations.of(ROWS)
    files = Coded.of(["one.xml", "two.xml", "two.xml"])
    return Annotations(
        columns.suspicious,
        columns.offset,
        columns.length,
        columns.source,
        columns.source_offset,
        columns.source_length,
        file=files,
        feature=np.array([1, 3, 0], dtype=np.int32),
    )


def test_a_row_knows_the_feature_it_was_read_from() -> None:
    assert read_from_files().place(1) == Place("two.xml", feature=3)


def test_a_row_without_a_feature_knows_its_file() -> None:
    assert read_from_files().place(2) == Place("two.xml")


def test_a_taken_row_still_knows_where_it_was_read() -> None:
    assert read_from_files().take(np.array([1])).place(0) == Place("two.xml", feature=3)


def test_a_row_read_nowhere_is_named_by_what_it_says() -> None:
    assert str(Annotations.of(ROWS).place(1)) == "report at 20+5"
