"""Spans against what they stand for: sets of character positions."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stemmata.model import Span, SpanSet
from stemmata.model.spans import expand_ranges, merge_spans, new_characters, union_lengths

property_test = settings(max_examples=100, deadline=None, derandomize=True)

spans = st.tuples(st.integers(0, 20), st.integers(0, 8)).map(lambda at: Span(at[0], at[0] + at[1]))
span_lists = st.lists(spans, max_size=8)
grouped_spans = st.lists(st.tuples(st.integers(0, 3), spans), max_size=12)


def positions(*many: Span) -> set[int]:
    return {i for start, end in many for i in range(start, end)}


def columns(rows: list[tuple[int, Span]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    table = np.array([(group, *span) for group, span in rows], dtype=np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]


# --- Span


def test_a_span_has_as_many_characters_as_lie_between_its_ends() -> None:
    assert Span(3, 7).length == 4


def test_a_span_that_ends_before_it_starts_has_no_characters() -> None:
    assert Span(7, 3).length == 0


@pytest.mark.parametrize(
    ("other", "overlaps"),
    [
        (Span(0, 10), False),
        (Span(0, 11), True),
        (Span(12, 15), True),
        (Span(19, 30), True),
        (Span(20, 30), False),
        (Span(5, 25), True),
        (Span(10, 20), True),
        (Span(15, 15), True),
        (Span(10, 10), False),
        (Span(20, 20), False),
    ],
    ids=[
        "touching before",
        "one character at the start",
        "inside",
        "one character at the end",
        "touching behind",
        "around",
        "equal",
        "empty inside",
        "empty on the start",
        "empty on the end",
    ],
)
def test_overlap_is_more_than_a_border(other: Span, overlaps: bool) -> None:
    assert Span(10, 20).overlaps(other) is overlaps


@property_test
@given(spans, spans)
def test_overlap_is_symmetric(a: Span, b: Span) -> None:
    assert a.overlaps(b) == b.overlaps(a)


@property_test
@given(spans, spans)
def test_spans_of_characters_overlap_where_they_share_one(a: Span, b: Span) -> None:
    if a.length and b.length:
        assert a.overlaps(b) == bool(positions(a) & positions(b))


@property_test
@given(spans, spans)
def test_clipping_keeps_the_shared_characters(a: Span, b: Span) -> None:
    clipped = a.clip(b)
    assert positions(clipped) == positions(a) & positions(b)
    assert clipped.end >= clipped.start


# --- SpanSet


@property_test
@given(span_lists)
def test_a_span_set_holds_the_characters_of_its_spans(many: list[Span]) -> None:
    made = SpanSet(many)
    assert positions(*made) == positions(*many)
    assert len(made) == len(positions(*many))


@property_test
@given(span_lists)
def test_the_spans_of_a_set_are_sorted_and_apart(many: list[Span]) -> None:
    kept = list(SpanSet(many))
    assert all(span.length > 0 for span in kept)
    assert all(left.end < right.start for left, right in pairwise(kept))


@property_test
@given(span_lists, span_lists)
def test_union_and_intersection_are_those_of_sets(a: list[Span], b: list[Span]) -> None:
    assert SpanSet(a) | SpanSet(b) == SpanSet((i, i + 1) for i in positions(*a) | positions(*b))
    assert SpanSet(a) & SpanSet(b) == SpanSet((i, i + 1) for i in positions(*a) & positions(*b))


@property_test
@given(span_lists, spans)
def test_a_set_is_clipped_to_a_span(many: list[Span], window: Span) -> None:
    assert positions(*SpanSet(many).clip(window)) == positions(*many) & positions(window)


@property_test
@given(span_lists, span_lists)
def test_sets_are_equal_when_their_characters_are(a: list[Span], b: list[Span]) -> None:
    assert (SpanSet(a) == SpanSet(b)) == (positions(*a) == positions(*b))


def test_equal_sets_hash_alike() -> None:
    assert len({SpanSet([(0, 4), (4, 8)]), SpanSet([(0, 8)]), SpanSet([(0, 7)])}) == 2


def test_a_span_set_equals_no_other_kind_of_thing() -> None:
    assert SpanSet([(0, 4)]) != [(0, 4)]


def test_a_span_set_shows_its_spans() -> None:
    assert repr(SpanSet([(3, 8), (0, 4), (10, 12)])) == "SpanSet([(0, 8), (10, 12)])"


def test_the_empty_set_has_no_characters() -> None:
    assert len(SpanSet()) == 0
    assert SpanSet() & SpanSet([(0, 4)]) == SpanSet()
    assert SpanSet() | SpanSet([(0, 4)]) == SpanSet([(0, 4)])


# --- Many spans in groups


@property_test
@given(grouped_spans)
def test_new_characters_are_those_no_earlier_span_of_the_group_covers(rows: list[tuple[int, Span]]) -> None:
    expected = {}
    for group in range(4):
        covered: set[int] = set()
        for row in sorted((i for i, (g, _) in enumerate(rows) if g == group), key=lambda i: rows[i][1].start):
            fresh = positions(rows[row][1]) - covered
            expected[row] = len(fresh)
            covered |= fresh
    assert new_characters(*columns(rows)).tolist() == [expected[row] for row in range(len(rows))]


def test_new_characters_do_not_depend_on_rows_being_sorted() -> None:
    sorted_rows = [(0, Span(0, 7)), (0, Span(5, 9)), (1, Span(2, 4))]
    assert new_characters(*columns(sorted_rows)).tolist() == [7, 2, 2]
    assert new_characters(*columns(sorted_rows[::-1])).tolist() == [2, 2, 7]


def test_a_long_span_hides_later_ones_of_its_own_group_only() -> None:
    rows = [(0, Span(0, 100)), (0, Span(10, 20)), (1, Span(10, 20))]
    assert new_characters(*columns(rows)).tolist() == [100, 0, 10]


@property_test
@given(grouped_spans)
def test_the_union_of_a_group_counts_each_character_once(rows: list[tuple[int, Span]]) -> None:
    expected = [len(positions(*(span for g, span in rows if g == group))) for group in range(5)]
    assert union_lengths(*columns(rows), groups=5).tolist() == expected


@property_test
@given(grouped_spans)
def test_merging_keeps_the_characters_of_every_group(rows: list[tuple[int, Span]]) -> None:
    merged = [column.tolist() for column in merge_spans(*columns(rows))]
    for group in range(4):
        kept = [Span(start, end) for g, start, end in zip(*merged, strict=True) if g == group]
        assert positions(*kept) == positions(*(span for g, span in rows if g == group))
        assert all(left.end < right.start for left, right in pairwise(kept))


def test_merging_joins_spans_that_touch_but_not_across_groups() -> None:
    rows = [(1, Span(5, 9)), (0, Span(5, 9)), (0, Span(0, 5))]
    merged = [column.tolist() for column in merge_spans(*columns(rows))]
    assert merged == [[0, 1], [0, 5], [9, 9]]


def test_the_group_and_the_spans_given_stay_as_they_were() -> None:
    rows = [(1, Span(5, 9)), (0, Span(3, 9)), (0, Span(0, 5))]
    given_columns = columns(rows)
    for function in (new_characters, merge_spans):
        function(*given_columns)
        assert np.array_equal(given_columns, columns(rows))


@property_test
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=8))
def test_expanding_ranges_lists_all_their_members(ranges: list[tuple[int, int]]) -> None:
    table = np.array(ranges, dtype=np.int64).reshape(-1, 2)
    i, j = expand_ranges(table[:, 0], table[:, 1])
    expected = [(i, j) for i, (first, count) in enumerate(ranges) for j in range(first, first + count)]
    assert list(zip(i.tolist(), j.tolist(), strict=True)) == expected
