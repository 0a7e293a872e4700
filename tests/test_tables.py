"""One table, five forms."""

import pytest

from stemmata.reports.tables import Format, Table, render

TABLE = Table(
    ("Run", "Plagdet", "Cases"),
    [["a|b_c", 0.123456, 10], ["<x>[bold]", None, 7]],
    title="Scores & more",
    notes=("signed",),
    best=frozenset({(0, 1)}),
)


def test_plain_text_aligns_numbers_right_and_rounds_them():
    assert render(TABLE, Format.TABLE).splitlines() == [
        "Scores & more",
        "Run        Plagdet  Cases",
        "a|b_c       0.1235     10",
        "<x>[bold]               7",
        "signed",
    ]


def test_a_terminal_gets_colours_and_markup_in_names_is_shown_as_it_is():
    drawn = render(TABLE, Format.TABLE, terminal=True, width=80)
    assert "\x1b[" in drawn
    assert "<x>[bold]" in drawn


def test_csv_keeps_every_digit():
    assert render(TABLE, Format.CSV) == "run,plagdet,cases\na|b_c,0.123456,10\n<x>[bold],,7\n"


def test_markdown_escapes_bars_and_sets_off_the_best():
    lines = render(TABLE, Format.MARKDOWN).splitlines()
    assert lines[3:6] == ["| --- | ---: | ---: |", "| a\\|b_c | **0.1235** | 10 |", "| <x>[bold] |  | 7 |"]


def test_latex_escapes_what_tex_would_take_for_its_own():
    made = render(TABLE, Format.LATEX)
    assert r"a|b\_c & \textbf{0.1235} & 10 \\" in made
    assert r"\begin{tabular}{lrr}" in made


@pytest.mark.parametrize("terminal", [False, True])
def test_a_title_over_no_rows_stands_alone(terminal):
    drawn = render(Table(("Code", "Place"), [], title="0 findings"), Format.TABLE, terminal)
    assert "0 findings" in drawn
    assert "Code" not in drawn


@pytest.mark.parametrize("form", [form for form in Format if form is not Format.JSON])
def test_an_empty_table_is_drawn_too(form):
    assert "run" in render(Table(("Run",), []), form).lower()
