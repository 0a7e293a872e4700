"""JSONL and Parquet: the same annotations as in PAN's XML, one per line or row."""

import json
import sys
import tempfile
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from stemmata.formats import read_cases, read_detections
from stemmata.formats.pan_xml import write_pan_xml
from stemmata.formats.tabular import read_jsonl, read_parquet, write_jsonl, write_parquet
from stemmata.model import Annotation, Passage, StemmataError

COPIED = Annotation(Passage("susp.txt", 5, 7), Passage("src.txt", 1, 2), {"obfuscation": "high"})
UNSOURCED = Annotation(Passage("подозрительный.txt", 0, 3), None, {"type": "artificial"})
RECORD = {"reference": "susp.txt", "this_offset": 5, "this_length": 7}
SOURCE = {"source_reference": "src.txt", "source_offset": 1, "source_length": 2}

WRITERS = {"jsonl": write_jsonl, "parquet": write_parquet}
READERS = {"jsonl": read_jsonl, "parquet": read_parquet}
both = pytest.mark.parametrize("form", ["jsonl", "parquet"])


def rows(annotations) -> list[tuple[object, ...]]:
    """Give annotations as sorted tuples, so that attributes are compared as well."""
    return sorted((one.suspicious, one.source or (), sorted(one.attributes.items())) for one in annotations)


def table(path: Path, form: str, *records: dict[str, object]) -> Path:
    """Write records as they are, right or wrong."""
    if form == "jsonl":
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    else:
        parquet.write_table(pyarrow.Table.from_pylist(list(records)), path)
    return path


def refusal(form: str, path: Path) -> StemmataError:
    with pytest.raises(StemmataError) as caught:
        READERS[form](path)
    return caught.value


class TestRoundTrip:
    @both
    def test_cases_come_back_with_their_attributes(self, tmp_path, form):
        WRITERS[form](tmp_path / f"truth.{form}", [COPIED, UNSOURCED])
        found = read_cases(tmp_path / f"truth.{form}")
        assert rows(found.annotations) == rows([COPIED, UNSOURCED])
        assert found.documents == {"susp.txt", "подозрительный.txt"}

    @both
    def test_detections_come_back_in_their_order(self, tmp_path, form):
        WRITERS[form](tmp_path / f"run.{form}", [UNSOURCED, COPIED, UNSOURCED])
        assert list(read_detections(tmp_path / f"run.{form}").annotations) == [UNSOURCED, COPIED, UNSOURCED]

    @both
    def test_no_annotations_are_no_error(self, tmp_path, form):
        WRITERS[form](tmp_path / f"run.{form}", [])
        assert len(READERS[form](tmp_path / f"run.{form}")) == 0

    @both
    def test_an_attribute_never_overwrites_a_column(self, tmp_path, form):
        odd = Annotation(
            COPIED.suspicious, None, {"reference": "x", "this_offset": "9", "source_length": "1"}
        )
        WRITERS[form](tmp_path / f"truth.{form}", [odd])
        assert list(READERS[form](tmp_path / f"truth.{form}")) == [odd]

    def test_a_line_of_jsonl_is_what_the_xml_says(self, tmp_path):
        write_jsonl(tmp_path / "truth.jsonl", [COPIED, UNSOURCED])
        assert (tmp_path / "truth.jsonl").read_text("utf-8") == (
            '{"reference": "susp.txt", "this_offset": 5, "this_length": 7, "source_reference": "src.txt", '
            '"source_offset": 1, "source_length": 2, "obfuscation": "high"}\n'
            '{"reference": "подозрительный.txt", "this_offset": 0, "this_length": 3, "type": "artificial"}\n'
        )

    def test_blank_lines_of_jsonl_are_passed_over(self, write):
        path = write("run.jsonl", f"\n{json.dumps(RECORD)}\r\n \n")
        assert [one.suspicious for one in read_jsonl(path)] == [("susp.txt", 5, 7)]

    def test_parquet_has_a_whole_number_for_each_position_and_text_for_the_rest(self, tmp_path):
        write_parquet(tmp_path / "truth.parquet", [UNSOURCED])
        schema = parquet.read_schema(tmp_path / "truth.parquet")
        assert {field.name: str(field.type) for field in schema} == {
            "reference": "string",
            "this_offset": "int64",
            "this_length": "int64",
            "source_reference": "string",
            "source_offset": "int64",
            "source_length": "int64",
            "type": "string",
        }


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\ufffe\uffff"))
PASSAGES = st.builds(Passage, NAMES, st.integers(0, 2**30), st.integers(0, 2**30))
ATTRIBUTES = st.dictionaries(st.sampled_from(["obfuscation", "type"]), NAMES)
ANNOTATIONS = st.lists(
    st.builds(Annotation, PASSAGES, st.none() | PASSAGES, ATTRIBUTES), min_size=1, max_size=6
)


@both
@given(annotations=ANNOTATIONS)
def test_a_table_holds_what_the_xml_of_the_same_annotations_holds(form, annotations):
    with tempfile.TemporaryDirectory() as folder:
        write_pan_xml(Path(folder, "xml"), annotations)
        WRITERS[form](Path(folder, f"table.{form}"), annotations)
        from_xml = read_cases(Path(folder, "xml")).annotations
        from_table = read_cases(Path(folder, f"table.{form}")).annotations
    assert rows(from_table) == rows(from_xml)


class TestWrongRecords:
    @both
    @pytest.mark.parametrize("column", ["reference", "this_offset", "this_length"])
    def test_a_required_column_is_missing(self, tmp_path, form, column):
        record = {name: value for name, value in (RECORD | SOURCE).items() if name != column}
        error = refusal(form, table(tmp_path / "t", form, record))
        assert error.code == "E216"
        assert f"column {column} " in str(error)

    @both
    @pytest.mark.parametrize("column", ["reference", "this_offset", "this_length"])
    def test_a_required_value_is_missing(self, tmp_path, form, column):
        error = refusal(form, table(tmp_path / "t", form, RECORD, RECORD | {column: None}))
        assert (error.code, error.finding.place.feature) == ("E216", 2)

    @both
    @pytest.mark.parametrize("column", ["reference", "source_reference"])
    @pytest.mark.parametrize("value", [5, True, ["a.txt"], {"name": "a.txt"}])
    def test_a_document_is_named_by_something_else_than_text(self, tmp_path, form, column, value):
        error = refusal(form, table(tmp_path / "t", form, RECORD | SOURCE | {column: value}))
        assert error.code == "E216"

    @both
    @pytest.mark.parametrize("column", ["this_offset", "this_length", "source_offset", "source_length"])
    @pytest.mark.parametrize(
        ("value", "code"),
        [
            (5.0, "E204"),
            (5.5, "E204"),
            (float("nan"), "E204"),
            (True, "E204"),
            ("five", "E204"),
            ("1_000", "E204"),
            (-1, "E205"),
            (2**31, "E206"),
            ([5], "E216"),
        ],
    )
    def test_a_position_is_no_whole_number_in_range(self, tmp_path, form, column, value, code):
        error = refusal(form, table(tmp_path / "t", form, RECORD | SOURCE | {column: value}))
        assert error.code == code
        assert column in str(error)

    @both
    def test_the_line_or_row_is_named(self, tmp_path, form):
        path = table(tmp_path / "t", form, RECORD, RECORD, RECORD | {"this_offset": -1})
        assert str(refusal(form, path)).startswith(f"E205 {path}, feature 3: ")

    @both
    def test_two_of_three_source_columns_are_none(self, tmp_path, form):
        partial = RECORD | {"source_reference": "src.txt", "source_offset": 1, "source_length": None}
        [one] = READERS[form](table(tmp_path / "t", form, partial))
        assert one.intrinsic


class TestBrokenFiles:
    @pytest.mark.parametrize(
        "line", ["{", "susp.txt 5 7", '{"reference": "a"} {}', "[" * 100_000, "9" * 5000]
    )
    def test_a_line_that_is_no_json_is_an_error_with_its_number(self, write, line):
        error = refusal("jsonl", write("run.jsonl", f"{json.dumps(RECORD)}\n\n{line}\n"))
        assert (error.code, error.finding.place.line) == ("E215", 3)

    @pytest.mark.parametrize("line", ["[]", "1", "null", '"susp.txt"'])
    def test_a_line_that_is_no_object_is_an_error_with_its_number(self, write, line):
        error = refusal("jsonl", write("run.jsonl", f"{json.dumps(RECORD)}\n{line}\n"))
        assert (error.code, error.finding.place.line) == ("E215", 2)

    def test_half_a_surrogate_pair_is_no_text(self, write):
        error = refusal("jsonl", write("run.jsonl", json.dumps(RECORD | {"reference": "\ud800"})))
        assert error.code == "E215"

    def test_bytes_that_are_no_utf8_are_an_error_with_their_position_in_the_file(self, write):
        error = refusal("jsonl", write("run.jsonl", b'\n\n{"a": "\xff"}\n'))
        assert (error.code, error.finding.place.line) == ("E105", 3)
        assert "byte 9 is not UTF-8" in str(error)

    @pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(100) + b"PAR1", b"<document />"])
    def test_a_file_that_is_no_parquet_is_an_error(self, write, content):
        assert refusal("parquet", write("run.parquet", content)).code == "E102"

    def test_parquet_damaged_in_the_middle_is_an_error(self, tmp_path):
        write_parquet(tmp_path / "run.parquet", [COPIED] * 1000)
        content = bytearray((tmp_path / "run.parquet").read_bytes())
        content[4:64] = bytes(60)
        (tmp_path / "run.parquet").write_bytes(content)
        assert refusal("parquet", tmp_path / "run.parquet").code == "E102"

    @both
    def test_a_file_that_is_not_there_is_an_error(self, tmp_path, form):
        with pytest.raises(StemmataError, match="E101"):
            read_detections(tmp_path / f"run.{form}")

    @pytest.mark.parametrize("use", [read_parquet, lambda path: write_parquet(path, [COPIED])])
    def test_without_pyarrow_the_extra_is_named(self, tmp_path, monkeypatch, use):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(StemmataError, match="E502") as caught:
            use(tmp_path / "run.parquet")
        assert "pip install 'stemmata[parquet]'" in str(caught.value)


class TestWholeOrNotAtAll:
    """Whatever goes wrong, what was there stays, and nothing else is left."""

    @pytest.fixture
    def before(self, write) -> Path:
        return write("out/run", "what was there")

    @both
    def test_a_table_replaces_the_one_before(self, before, form):
        WRITERS[form](before, [COPIED])
        assert rows(READERS[form](before)) == rows([COPIED])
        assert list(before.parent.iterdir()) == [before]

    @both
    def test_a_table_is_readable_by_whom_the_user_lets_read(self, tmp_path, form):
        (tmp_path / "plain").touch()
        WRITERS[form](tmp_path / "run", [COPIED])
        assert (tmp_path / "run").stat().st_mode == (tmp_path / "plain").stat().st_mode

    @both
    def test_a_detector_that_fails_midway(self, before, form):
        def detect():
            yield COPIED
            raise RuntimeError("the detector failed")

        with pytest.raises(RuntimeError, match="the detector failed"):
            WRITERS[form](before, detect())
        assert [(path, path.read_text()) for path in before.parent.iterdir()] == [(before, "what was there")]

    @both
    def test_a_file_that_cannot_take_its_place(self, before, form, monkeypatch):
        def refuse(path: Path, target: Path) -> Path:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "replace", refuse)
        with pytest.raises(StemmataError, match="E107"):
            WRITERS[form](before, [COPIED])
        assert [(path, path.read_text()) for path in before.parent.iterdir()] == [(before, "what was there")]

    @both
    def test_a_folder_where_the_file_should_be(self, tmp_path, form):
        (tmp_path / "run").mkdir()
        with pytest.raises(StemmataError, match="E107"):
            WRITERS[form](tmp_path / "run", [COPIED])
        assert list(tmp_path.rglob("*")) == [tmp_path / "run"]

    @both
    def test_a_device_is_not_replaced_by_a_file(self, tmp_path, form):
        (tmp_path / "run").symlink_to("/dev/null")
        with pytest.raises(StemmataError, match="E107"):
            WRITERS[form](tmp_path / "run", [COPIED])
        assert (tmp_path / "run").is_symlink()

    @both
    def test_a_file_where_a_folder_above_should_be(self, before, form):
        with pytest.raises(StemmataError, match="E107"):
            WRITERS[form](before / "run", [COPIED])
