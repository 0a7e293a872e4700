"""Layout made plain: what is gone, and what must stay."""

from __future__ import annotations

import pytest

from stemmata.masking.guided.masker import PLAIN
from stemmata.rewriting import in_turn, rewritten, transformations
from stemmata.rewriting.plain_layout import PlainLayout
from stemmata.rewriting.transformation import apart


def plain(text: str) -> str:
    return rewritten(text, apart(PlainLayout().proposals(text))).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("Nothing to do here.", "Nothing to do here."),
        ("Two  blanks.  And\ta tab.", "Two blanks. And a tab."),
        ("   Indented.\n\n\n\n   Again. \n", "Indented.\n\nAgain.\n"),
        ("It was a _very_ dark night.", "It was a very dark night."),
        ("It was a long way down to the\nharbour, and we were all tired.", None),
        ("It was a long way down to the\r\nharbour, and we were all tired.", None),
        ("snake_case and __name__ and _x", "snake_case and __name__ and _x"),
        (
            "We had come a long way to the well-\nknown harbour, and all of us were\ntired of it by then.",
            "We had come a long way to the well-\nknown harbour, and all of us were tired of it by then.",
        ),
    ],
)
def test_what_becomes_of_a_text(before: str, after: str | None) -> None:
    joined = "It was a long way down to the harbour, and we were all tired."
    assert plain(before) == (joined if after is None else after)


def test_lines_of_verse_stay_lines() -> None:
    verse = "      In serving writs I made such a name\n      That an articled clerk I soon became;\n"
    assert plain(verse) == "In serving writs I made such a name\nThat an articled clerk I soon became;\n"


def test_lists_and_tables_stay_as_they_are() -> None:
    listed = "We need:\n  - bread\n    - of rye\n  - milk\n\n| a | b |\n| 1 | 2 |"
    assert plain(listed) == listed


def test_lines_that_are_paragraphs_are_parted_by_an_empty_line() -> None:
    line = "It was late, and they had walked for hours along the river before anybody spoke about the boat."
    assert plain(f"{line}\n{line}") == f"{line}\n\n{line}"


def test_code_is_not_touched_where_a_text_is_masked() -> None:
    text = "Look  here:\n\n```\nif a:\n    b  =  1\n```\n\nThat  is all."
    made = in_turn(text, PLAIN).text
    assert "if a:\n    b  =  1\n" in made
    assert made.startswith("Look here:")
    assert made.endswith("That is all.")


def test_it_is_registered() -> None:
    assert transformations["plain-layout"]() == PlainLayout()
