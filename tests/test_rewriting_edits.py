"""Edits keep their places: forward, joined, and whatever the order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.model import Span, StemmataError
from stemmata.rewriting import Edit, Rewriting, in_turn, rewritten


@st.composite
def rewritings(draw, text):
    borders = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    borders = borders[: len(borders) // 2 * 2]
    return rewritten(
        text,
        [
            Edit(start, end, draw(st.text("xyz ", max_size=4)), draw(st.sampled_from("pq")))
            for start, end in zip(borders[::2], borders[1::2], strict=True)
        ],
    )


texts = st.text("abc é🙂\n", max_size=30)


@given(st.data(), texts)
def test_what_was_not_touched_is_found_again(data, text):
    rewriting = data.draw(rewritings(text))
    at = 0
    for edit in [*rewriting.edits, Edit(len(text), len(text), "", "")]:
        now = rewriting.span_of(Span(at, edit.start))
        if edit.start > at:
            assert text[at : edit.start] in rewriting.text[slice(*now)]
        at = edit.end
    assert rewriting.span_of(Span(0, len(text))) == Span(0, len(rewriting.text))


@given(st.data(), texts)
def test_what_was_written_says_what_it_replaced(data, text):
    rewriting = data.draw(rewritings(text))
    assert Rewriting(rewriting.text, rewriting.written).text == text


@given(st.data(), texts)
def test_two_rewritings_in_turn_are_one(data, text):
    first = data.draw(rewritings(text))
    second = data.draw(rewritings(first.text))
    whole = in_turn(text, [lambda _: first, lambda _: second])
    assert whole.original == text
    assert whole.text == second.text


@given(texts)
def test_nothing_done_is_no_edit(text):
    assert rewritten(text, [Edit(0, len(text), text, "same")]).edits == ()
    assert in_turn(text, []).text == text


def test_spans_at_the_border_of_an_edit_leave_it_out_and_inside_it_take_it_whole():
    rewriting = Rewriting("one two three", (Edit(4, 7, "2", "number"),))
    assert rewriting.text == "one 2 three"
    assert rewriting.span_of(Span(0, 4)) == Span(0, 4)
    assert rewriting.span_of(Span(7, 13)) == Span(5, 11)
    assert rewriting.span_of(Span(5, 6)) == Span(4, 5)


@pytest.mark.parametrize("edits", [[Edit(3, 5, "", ""), Edit(4, 6, "x", "")], [Edit(0, 99, "", "")]])
def test_edits_that_overlap_or_leave_the_text_are_refused(edits):
    with pytest.raises(StemmataError, match="E700"):
        Rewriting("ten letters", tuple(edits))


def test_kinds_are_counted():
    assert rewritten("a b c", [Edit(0, 1, "x", "k"), Edit(2, 3, "y", "k")]).counts == {"k": 2}
