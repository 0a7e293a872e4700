"""What is left out of the share, and what hides copying."""

from time import process_time

import pytest

from stemmata.reports.exclusions import bibliography, quotations
from stemmata.reports.manipulation import Trick, as_seen, find_manipulation


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('He said "so it is" and left.', ['"so it is"']),
        ("He said “so it is”, then “no”.", ["“so it is”", "“no”"]),
        ("Er sagte „so ist es“ und ging.", ["„so ist es“"]),
        ("Il dit « c’est ainsi » et « non ».", ["« c’est ainsi »", "« non »"]),
        ("Он сказал «так и есть», а она «нет».", ["«так и есть»", "«нет»"]),
        ("Er sagte »so ist es« und ging.", ["»so ist es«"]),
        ("Han sade ”så är det” och gick.", ["”så är det”"]),
        ("彼は「そうだ」と言った。", ["「そうだ」"]),
        ('a 5" pipe and a 6" pipe', []),
        ("“never closed\n\nnew paragraph”", []),
        ("It isn't the dog's.", []),
    ],
)
def test_quotations_are_what_stands_in_paired_marks(text, found):
    assert [text[slice(*span)] for span in quotations(text)] == found


def test_a_mark_that_closes_far_away_is_no_quotation():
    assert len(quotations("“" + "word " * 1000 + "”")) == 0


@pytest.mark.parametrize(
    "heading", ["References", "5. REFERENCES", "Literaturverzeichnis", "Список литературы"]
)
def test_the_list_of_references_runs_to_the_end_or_the_appendix(heading):
    text = "Text. " * 50 + f"\n{heading}\nA. Author (1999) Title.\nB. Author (2003) Title.\n"
    assert bibliography(text) == (301, len(text))
    assert bibliography(text + "Appendix A\nmore") == (301, len(text))


def test_a_heading_without_dated_lines_or_at_the_start_opens_no_list():
    assert bibliography("Text. " * 50 + "\nReferences\nare what we need.\nIndeed.\nReally.\n") is None
    assert bibliography("References\nA (1999)\n" + "Text. " * 50) is None


def test_many_lines_that_might_open_a_list_of_references_take_no_longer_than_other_lines():
    text = "References\n" * 40_000
    started = process_time()
    assert bibliography(text) is None
    assert process_time() - started < 5


def test_the_list_of_references_counts_only_its_own_lines():
    text = "Text.\n" * 50 + "References\nA (1999)\n\nB\r\nAppendix\n" + "no year\n" * 9
    assert text[slice(*bibliography(text))] == "References\nA (1999)\n\nB\r\n"


@pytest.mark.parametrize(
    ("text", "trick", "found"),
    [
        ("a p\u0430per on art", Trick.LOOK_ALIKE, ["p\u0430per"]),
        ("\u0430 paper on a long art", Trick.LOOK_ALIKE, ["\u0430"]),
        ("наша paбота о книгах", Trick.LOOK_ALIKE, ["paбота"]),
        ("a pa\u200bper", Trick.INVISIBLE, ["\u200b"]),
        ("a \u202erepap\u202c", Trick.DIRECTION, ["\u202e", "\u202c"]),
    ],
)
def test_manipulated_text_is_found(text, trick, found):
    (one,) = find_manipulation(text)
    assert one.trick is trick
    assert [text[slice(*span)] for span in one.spans] == found


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "Привет, мир",
        "naïve café",
        "\ufeffa file with a mark",
        "the angle α and the mass ν",
        "می‌خواهم",
        "👩‍👩‍👧 family",
        "Die Straße, Ελλάδα and Россия",
    ],
)
def test_honest_text_is_not(text):
    assert find_manipulation(text) == []


def test_a_word_as_seen_is_of_one_script():
    assert as_seen("paбота") == "работа"
    assert as_seen("STRASSE") == as_seen("straße")
