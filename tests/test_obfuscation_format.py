"""Pieces of obfuscated texts: as PAN asks for them, and as systems wrote them."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.formats.files import read_text
from stemmata.formats.obfuscation import (
    Piece,
    check_pieces,
    obfuscated_text,
    place_pieces,
    read_obfuscation,
    write_obfuscation,
)
from stemmata.model import Span, StemmataError

TEXT = "Call me Ishmael. Some years ago\r\nI went  to sea."


def record(**changed):
    sound = {
        "original": "Call me Ishmael.",
        "original-start-charpos": 0,
        "original-end-charpos": 16,
        "obfuscation": "I am Ishmael.",
        "obfuscation-id": 1,
    }
    return sound | {name.replace("_", "-"): value for name, value in changed.items()}


def refusal(path):
    with pytest.raises(StemmataError) as caught:
        read_obfuscation(path)
    return caught.value.code, str(caught.value)


class TestReading:
    def test_a_piece_is_read_as_it_stands(self, write):
        path = write("problem/obfuscation.json", json.dumps([record()]))
        assert read_obfuscation(path) == [Piece(1, "Call me Ishmael.", 0, 16, "I am Ishmael.")]
        assert read_obfuscation(path.parent) == read_obfuscation(path)

    def test_pieces_come_by_their_ids(self, write):
        path = write("o.json", json.dumps([record(obfuscation_id=2), record(obfuscation_id=1)]))
        assert [piece.id for piece in read_obfuscation(path)] == [1, 2]

    def test_no_pieces_are_an_obfuscation_too(self, write):
        assert read_obfuscation(write("o.json", "\ufeff[]")) == []

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("", "E600"),
            ("[", "E600"),
            ("{}", "E622"),
            ("[1]", "E622"),
            (json.dumps([record(original=None)]), "E622"),
            (json.dumps([record(obfuscation=1)]), "E622"),
            (json.dumps([record(original_start_charpos="0")]), "E622"),
            (json.dumps([record(original_end_charpos=1.5)]), "E622"),
            (json.dumps([record(obfuscation_id=True)]), "E622"),
            ('[{"original": "\\ud800"}]', "E600"),
            (b'["\xff"]', "E105"),
            (json.dumps([record(obfuscation_id=2)]), "E623"),
            (json.dumps([record(), record()]), "E623"),
        ],
    )
    def test_what_is_no_list_of_pieces_is_refused(self, write, text, code):
        assert refusal(write("o.json", text))[0] == code

    def test_the_message_says_which_entry_lacks_what(self, write):
        faulty = record()
        del faulty["obfuscation"]
        path = write("o.json", json.dumps([record(), faulty]))
        assert "piece 2: not a list of obfuscated pieces: obfuscation is missing" in refusal(path)[1]

    def test_faults_can_be_collected_while_sound_pieces_are_read(self, write):
        findings = []
        path = write("o.json", json.dumps([{}, record(), record(original=1)]))
        assert [piece.id for piece in read_obfuscation(path, findings.append)] == [1]
        assert [finding.kind.code for finding in findings] == ["E622", "E622"]


class TestPlaces:
    def place(self, original, start, end):
        return place_pieces([Piece(1, original, start, end, "")], TEXT)[0]

    @pytest.mark.parametrize("end", [16, 15])
    def test_the_end_is_the_character_behind_or_the_last_one(self, end):
        assert self.place("Call me Ishmael.", 0, end) == Span(0, 16)

    def test_a_wrong_position_is_put_right_by_the_words(self):
        assert self.place("Ishmael.", 0, 8) == Span(8, 16)

    def test_white_space_makes_no_difference_then(self):
        assert self.place("Some years ago I went to sea.", 17, 46) == Span(17, 48)

    def test_what_is_not_in_the_text_is_nowhere(self):
        assert self.place("Call me Ahab.", 0, 13) is None
        assert self.place("  ", 40, 41) is None
        assert self.place("", 900, 900) is None

    def test_pieces_are_looked_for_behind_one_another(self):
        text = "Fine!  Fine!\n\nFine!"
        pieces = [Piece(number, "Fine!", 99, 99, "") for number in (1, 2, 3)]
        assert place_pieces(pieces, text) == [Span(0, 5), Span(7, 12), Span(14, 19)]

    @given(words=st.lists(st.text("ab é\n\u3000", min_size=1), max_size=8))
    def test_pieces_that_make_up_the_text_are_found_where_they_are(self, words):
        text = "".join(words)
        ends = [len("".join(words[: n + 1])) for n in range(len(words))]
        pieces = [
            Piece(n, word, end - len(word), end, "")
            for n, (word, end) in enumerate(zip(words, ends, strict=True))
        ]
        assert place_pieces(pieces, text) == [Span(piece.start, piece.end) for piece in pieces]

    @pytest.mark.parametrize(
        ("piece", "code"),
        [
            (Piece(1, "Call", 0, 4, ""), None),
            (Piece(1, "Call", 0, 3, ""), None),
            (Piece(1, "Ishmael", 0, 7, ""), "E625"),
            (Piece(1, "Ahab", 0, 4, ""), "E626"),
            (Piece(1, "sea.", 45, 60, ""), "E624"),
            (Piece(1, "Call", -1, 3, ""), "E624"),
            (Piece(1, "Call", 9, 4, ""), "E624"),
        ],
    )
    def test_each_fault_of_a_piece_has_its_code(self, piece, code):
        findings = []
        check_pieces([piece], TEXT, "obfuscation.json", findings.append)
        assert [finding.kind.code for finding in findings] == ([code] if code else [])


UNICODE = st.text(st.characters(exclude_categories=["Cs"]))


class TestWriting:
    @given(said=st.lists(st.tuples(UNICODE, st.integers(0, 99), st.integers(0, 99), UNICODE), max_size=5))
    def test_pieces_come_back_as_they_were(self, tmp_path_factory, said):
        pieces = [Piece(number, *one) for number, one in enumerate(said, start=1)]
        path = tmp_path_factory.mktemp("pieces") / "obfuscation.json"
        write_obfuscation(path, reversed(pieces))
        assert read_obfuscation(path) == pieces

    def test_half_a_surrogate_pair_is_not_written(self, write):
        path = write("o.json", "before")
        with pytest.raises(StemmataError, match="E622"):
            write_obfuscation(path, [Piece(1, "\ud800", 0, 1, "")])
        assert path.read_text() == "before"

    def test_the_obfuscated_text_is_the_obfuscations_by_id(self):
        said = {2: "two.", 1: "One,", 4: "", 3: "\n\nThree", 5: "four."}
        pieces = [Piece(number, "", 0, 0, text) for number, text in said.items()]
        assert obfuscated_text(pieces) == "One, two.\n\nThree four."


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("system", "pieces", "faults"),
    [
        ("A", 11082, {"E625": 117}),
        ("B", 11082, {"E625": 10882}),
        ("C", 4970, {"E625": 4814, "E624": 35}),
    ],
)
def test_all_pieces_of_pan16_are_found_though_few_positions_are_right(corpus, system, pieces, faults):
    read, found, codes = 0, 0, Counter()
    for folder in sorted((corpus("pan16-masking") / "runs" / system).iterdir()):
        text = read_text(corpus("pan16-masking") / "problems" / folder.name / "unknown.txt")
        listed = read_obfuscation(folder)
        read += len(listed)
        found += sum(span is not None for span in place_pieces(listed, text))
        check_pieces(listed, text, folder, lambda finding: codes.update([finding.kind.code]))
    assert (read, found) == (pieces, pieces)
    assert codes == faults
