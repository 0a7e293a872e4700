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


def test_no_cell_of_csv_is_a_formula_and_numbers_stay_numbers():
    rows = [[one] for one in ('=HYPERLINK("x")', "+1 900", "@cmd", "-x", "\tx", "-1.5", "+3", -2.5, "a=b")]
    made = render(Table(("Name",), rows), Format.CSV).splitlines()[1:]
    assert made == [
        *('"\'=HYPERLINK(""x"")"', "'+1 900", "'@cmd", "'-x", "'\tx"),
        *("-1.5", "+3", "-2.5", "a=b"),
    ]


def test_headings_of_csv_are_unique():
    made = render(Table(("Numbers lost", "Δacc", "Share, %", "a-b", "a b"), [[1, 2, 3, 4, 5]]), Format.CSV)
    assert made.splitlines()[0] == "numbers_lost,delta_acc,share_percent,a_b,a_b_2"


def test_line_breaks_do_not_end_a_row_of_markdown():
    lines = render(Table(("Name", "n"), [["a\nb|c", 1]]), Format.MARKDOWN).splitlines()
    assert lines[-1] == "| a<br>b\\|c | 1 |"


@pytest.mark.parametrize("form", [form for form in Format if form is not Format.JSON])
def test_no_form_of_a_table_holds_escape_sequences(form):
    made = render(Table(("N\x1bame",), [["a\x1b[2J\x07\x9b"]], title="t\x1b", notes=("n\x1b",)), form)
    assert "\x1b" not in made
    assert "\x07" not in made
    assert "\x9b" not in made
