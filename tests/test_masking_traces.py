"""What may give an author away is found by rules: phrases they have elsewhere, names, dates and places."""

import pytest

from stemmata.masking.traces import named_in, shared_phrases

LETTER = "I went home, and I quote. Make of that what you will; the north gate stays shut."
OTHERS = ["We saw the end of the road.", "It was the end of the road.", "At the end of the road we met."]


def test_phrases_of_the_samples_are_found_whatever_their_case_and_marks():
    text = "He said so. Make of that\nwhat YOU will! The rest is new."
    assert shared_phrases(text, [LETTER]) == ["Make of that what YOU will"]


def test_a_phrase_ends_where_a_sentence_does():
    assert (
        shared_phrases("So it stays. Shut the north gate stays. Open", ["So it stays shut the door."]) == []
    )


def test_what_others_write_too_is_not_listed():
    text = "That was the end of the road for us."
    sample = "Here is the end of the road."
    assert shared_phrases(text, [sample]) == ["the end of the road"]
    assert shared_phrases(text, [sample], OTHERS) == []


def test_short_phrases_count_where_others_tell_what_is_rare():
    assert shared_phrases("Well, and I quote him here.", [LETTER]) == []
    assert shared_phrases("Well, and I quote him here.", [LETTER], OTHERS) == ["and I quote"]


def test_without_samples_there_are_no_phrases():
    assert shared_phrases(LETTER, []) == []


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("Then we saw Anna Weiss go.", "names", ["Anna Weiss"]),
        ("Then Mr. Brown's dog and Mr. Brown came.", "names", ["Mr. Brown"]),
        ("Mary Smith left.", "names", ["Mary Smith"]),
        ("The dog left. I did, too. It's late, I'm sure.", "names", []),
        ("We met on 3 May 2019.", "dates", ["3 May 2019"]),
        ("We met on May 3rd, 2019, a Monday.", "dates", ["May 3rd, 2019", "Monday"]),
        ("It was 2019-05-03 or 3.5.2019, in March.", "dates", ["2019-05-03", "3.5.2019", "March"]),
        ("We may march on.", "dates", []),
        ("They lived near Trumlow, at Baker Street.", "places", ["Trumlow", "Baker Street"]),
    ],
)
def test_names_dates_and_places_are_found_by_rule(text, kind, found):
    assert named_in(text).as_json()[kind] == found
