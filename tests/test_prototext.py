"""TIRA's result files: measures in the text form of protocol buffers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.formats.prototext import read_prototext, write_prototext
from stemmata.model import StemmataError


def refusal(path):
    with pytest.raises(StemmataError) as caught:
        read_prototext(path)
    return caught.value.code, caught.value.finding.place.line, caught.value.finding.message


def test_a_measure_has_a_key_and_a_value(write):
    text = 'measure {\n  key: "plagdet"\n  value: "0.884"\n}\nmeasure{\n  key: "recall"\n  value: "1"\n}\n'
    assert read_prototext(write("e.prototext", text)) == {"plagdet": "0.884", "recall": "1"}


@pytest.mark.parametrize(
    "text",
    [
        'measure { key: "a" value: "1" }',
        'measure: { value: "1", key: "a"; }',
        '\ufeff# a comment\nmeasure {key:"a"value:"1"}',
        "measure { key: 'a' value: 1 }\r\n",
        r'measure { key: "\x61" value: "\061" }',
    ],
)
def test_the_text_form_may_be_written_in_many_ways(write, text):
    assert read_prototext(write("e.prototext", text)) == {"a": "1"}


@pytest.mark.parametrize(
    ("written", "read"),
    [(r"\"\\\n\t\r\'", "\"\\\n\t\r'"), (r"\303\244", "ä"), (r"\xc3\xa4", "ä"), ("文 {:}#", "文 {:}#")],
)
def test_escapes_are_read(write, written, read):
    assert read_prototext(write("e", f'measure {{ key: "k" value: "{written}" }}')) == {"k": read}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("result { }", 2),
        ("measure", None),
        ("measure {", None),
        ('measure { key: "a"', None),
        ('measure "a"', 2),
        ('measure { key "a" }', 2),
        ('measure { key: "a" }', 2),
        ('measure { key: "a" key: "b" }', 2),
        ('measure {\n name: "a" }', 3),
        ('measure { key: "a\n" value: "1" }', 2),
        ('measure { key: "a', 2),
        ("measure { key: { } }", 2),
        (r'measure { key: "\q" value: "1" }', 2),
        (r'measure { key: "\377" value: "1" }', 2),
        (r'measure { key: "\777" value: "1" }', 2),
        ('measure { key: "a" value: "1" } }', 2),
        ("<xml/>", 2),
        ('"measure" { key: "a" value: "1" }', 2),
    ],
)
def test_what_is_no_measure_is_refused_with_its_line(write, text, line):
    assert refusal(write("e.prototext", "\n" + text))[:2] == ("E630", line)


def test_a_measure_cannot_stand_twice(write):
    text = 'measure { key: "a" value: "1" }\n' * 2
    assert refusal(write("e.prototext", text)) == ("E631", 2, "the measure 'a' stands here again")


def test_bytes_that_are_no_utf8_are_refused(write):
    assert refusal(write("e.prototext", b'measure { key: "\xff" }'))[0] == "E105"


def test_a_long_string_takes_no_long_time(write):
    text = 'measure { key: "a" value: "' + "\\n" * 500_000
    assert refusal(write("e.prototext", text))[0] == "E630"


UNICODE = st.text(st.characters(exclude_categories=["Cs"]))


@given(measures=st.dictionaries(UNICODE, UNICODE))
def test_measures_come_back_as_they_were_in_their_order(tmp_path_factory, measures):
    path = tmp_path_factory.mktemp("prototext") / "evaluation.prototext"
    write_prototext(path, measures)
    assert list(read_prototext(path).items()) == list(measures.items())


def test_values_are_written_as_they_print(tmp_path):
    path = tmp_path / "evaluation.prototext"
    write_prototext(path, {"plagdet": 0.884, "cases": 4007})
    assert path.read_bytes() == (
        b'measure {\n  key: "plagdet"\n  value: "0.884"\n}\nmeasure {\n  key: "cases"\n  value: "4007"\n}\n'
    )


def test_what_is_no_text_is_not_written(write):
    path = write("evaluation.prototext", "before")
    with pytest.raises(StemmataError, match="E621"):
        write_prototext(path, {"\ud800": 1})
    assert path.read_text() == "before"
