"""PAN's XML: what counts as an annotation, what is refused, and what is written."""

import errno
import os
import tempfile
import time
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.formats import allowance, pan_xml, read_cases, read_detections, xml_events
from stemmata.formats.pan_xml import write_pan_xml
from stemmata.model import Annotation, Case, Detection, Passage, StemmataError

EXTERNAL = 'this_offset="5" this_length="7" source_reference="src.txt" source_offset="1" source_length="2"'
INTRINSIC = 'this_offset="5" this_length="7"'
COPIED = Annotation(Passage("susp.txt", 5, 7), Passage("src.txt", 1, 2))
UNSOURCED = Annotation(Passage("susp.txt", 5, 7))


def xml(*features: str, name: str = "plagiarism", root: str = 'document reference="susp.txt"') -> str:
    """Give a file with a feature of this name for each list of attributes."""
    lines = [f'<feature name="{name}" {attributes} />' for attributes in features]
    return "\n".join(
        ['<?xml version="1.0" encoding="UTF-8"?>', f"<{root}>", *lines, f"</{root.split(maxsplit=1)[0]}>"]
    )


def cases(path: Path) -> list[Annotation]:
    return list(read_cases(path).annotations)


def detections(path: Path) -> list[Annotation]:
    return list(read_detections(path).annotations)


def refusal(path: Path) -> StemmataError:
    """Give the error that reading the path as a truth raises."""
    with pytest.raises(StemmataError) as caught:
        read_cases(path)
    return caught.value


def below(folder: Path) -> dict[str, bytes]:
    """Give all files below a folder, hidden ones too."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


class TestWhichFilesAreRead:
    def test_files_in_the_folder_and_one_folder_down_but_not_two(self, write, tmp_path):
        for path in ("a.xml", "part1/b.xml", "part1/deeper/c.xml"):
            write(path, xml(EXTERNAL, root=f'document reference="{path}"'))
        assert read_cases(tmp_path).documents == {"a.xml", "part1/b.xml"}

    def test_only_names_that_end_in_xml(self, write, tmp_path):
        write("a.xml", xml(EXTERNAL))
        for other in ("a.xml.bak", "pairs.txt", "b.XML"):
            write(other, "no annotations")
        assert cases(tmp_path) == [COPIED]

    def test_hidden_files_and_folders_are_passed_over(self, write, tmp_path):
        write("a.xml", xml(EXTERNAL))
        for hidden in ("._a.xml", "part1/._a.xml", ".trash/a.xml"):
            write(hidden, b"\x00\x05\x16\x07")
        assert read_cases(tmp_path).files == 1

    def test_files_are_read_in_the_order_of_their_names(self, write, tmp_path):
        for path in ("b.xml", "a.xml", "aa/z.xml", "Ä.xml", "B.xml"):
            write(path, xml(INTRINSIC, root=f'document reference="{path}"'))
        order = [one.suspicious.document for one in cases(tmp_path)]
        assert order == ["B.xml", "a.xml", "aa/z.xml", "b.xml", "Ä.xml"]

    def test_one_file_may_be_given_instead_of_a_folder(self, write):
        assert cases(write("a.xml", xml(EXTERNAL))) == [COPIED]

    def test_a_folder_without_xml_is_an_error(self, write, tmp_path):
        write("part1/deeper/c.xml", xml(EXTERNAL))
        assert refusal(tmp_path).code == "E103"

    def test_a_path_that_is_not_there_is_an_error(self, tmp_path):
        assert refusal(tmp_path / "truht").code == "E101"

    def test_a_path_too_long_to_exist_is_an_error(self, tmp_path):
        assert refusal(tmp_path / ("x" * 300)).code == "E102"

    def test_a_file_of_another_kind_is_an_error(self, write):
        assert refusal(write("truth.csv", "a,b")).code == "E106"

    def test_a_folder_named_like_a_file_is_an_error(self, write, tmp_path):
        write("a.xml", xml(EXTERNAL))
        (tmp_path / "b.xml").mkdir()
        error = refusal(tmp_path)
        assert (error.code, error.finding.place.path) == ("E102", str(tmp_path / "b.xml"))

    def test_a_link_that_leads_nowhere_is_an_error(self, tmp_path):
        (tmp_path / "a.xml").symlink_to(tmp_path / "gone")
        error = refusal(tmp_path)
        assert error.code == "E102"
        assert "the link leads nowhere" in str(error)

    def test_a_named_pipe_is_an_error_and_is_not_waited_for(self, tmp_path):
        os.mkfifo(tmp_path / "a.xml")
        assert refusal(tmp_path).code == "E102"

    def test_an_endless_device_is_an_error(self, tmp_path):
        (tmp_path / "a.xml").symlink_to("/dev/zero")
        assert refusal(tmp_path).code == "E102"


class TestWhatCounts:
    def test_a_root_without_reference_is_ignored(self, write, tmp_path):
        write("a.xml", xml(EXTERNAL, root="document"))
        write("b.xml", xml(INTRINSIC))
        found = read_cases(tmp_path)
        assert (list(found.annotations), found.documents, found.files) == ([UNSOURCED], {"susp.txt"}, 2)

    def test_a_document_without_annotations_is_still_known(self, write):
        found = read_detections(write("a.xml", xml()))
        assert (list(found.annotations), found.documents) == ([], {"susp.txt"})

    @pytest.mark.parametrize(
        ("name", "is_case", "is_detection"),
        [
            ("plagiarism", True, False),
            ("artificial-plagiarism", True, False),
            ("simulated-plagiarism", True, False),
            ("detected-plagiarism", True, True),
            ("not-detected-plagiarism", True, True),
            ("plagiarism-free", False, False),
            ("Plagiarism", False, False),
            ("about", False, False),
        ],
    )
    def test_a_feature_counts_by_the_end_of_its_name(self, write, name, is_case, is_detection):
        path = write("a.xml", xml(EXTERNAL, name=name))
        assert (cases(path), detections(path)) == ([COPIED] * is_case, [COPIED] * is_detection)

    def test_a_feature_without_a_name_does_not_count(self, write):
        assert (
            cases(write("a.xml", f'<document reference="susp.txt"><feature {EXTERNAL} /></document>')) == []
        )

    def test_a_feature_counts_only_directly_under_the_root(self, write):
        nested = f'<part><feature name="plagiarism" {EXTERNAL} /></part>'
        assert cases(write("a.xml", f'<document reference="susp.txt">{nested}</document>')) == []

    def test_only_elements_called_feature_count(self, write):
        other = f'<document reference="susp.txt"><case name="plagiarism" {EXTERNAL} /></document>'
        assert cases(write("a.xml", other)) == []

    def test_the_root_may_have_any_name(self, write):
        assert cases(write("a.xml", xml(EXTERNAL, root='anything reference="susp.txt"'))) == [COPIED]

    def test_repeated_annotations_are_all_read(self, write, tmp_path):
        write("a.xml", xml(EXTERNAL, EXTERNAL))
        write("b/a.xml", xml(EXTERNAL))
        assert cases(tmp_path) == [COPIED] * 3

    def test_pairs_files_are_read_from_the_top_and_one_folder_down(self, write, tmp_path):
        write("a.xml", xml(EXTERNAL))
        write("pairs", "susp.txt src.txt")
        write("01-none/pairs", "susp.txt other.txt")
        found = read_cases(tmp_path)
        assert found.pairs == {"": [("susp.txt", "src.txt")], "01-none": [("susp.txt", "other.txt")]}
        assert found.all_pairs == {("susp.txt", "src.txt")}


class TestPositions:
    def test_without_a_source_part_an_annotation_is_intrinsic(self, write):
        assert cases(write("a.xml", xml(INTRINSIC))) == [UNSOURCED]

    @pytest.mark.parametrize("missing", ["source_reference", "source_offset", "source_length"])
    def test_two_of_three_source_attributes_are_none(self, write, missing):
        assert cases(write("a.xml", xml(EXTERNAL.replace(missing, "note")))) == [UNSOURCED]

    def test_a_feature_without_any_position_is_ignored(self, write):
        assert cases(write("a.xml", xml('obfuscation="none"', EXTERNAL))) == [COPIED]

    @pytest.mark.parametrize("missing", ["this_offset", "this_length"])
    @pytest.mark.parametrize("attributes", [EXTERNAL, INTRINSIC])
    def test_one_position_attribute_missing_is_an_error(self, write, attributes, missing):
        error = refusal(write("a.xml", xml(attributes.replace(missing, "note"))))
        assert error.code == "E203"
        assert f"attribute {missing} is missing" in str(error)

    def test_a_source_part_alone_is_an_error(self, write):
        assert refusal(write("a.xml", xml('source_reference="src.txt"'))).code == "E203"

    @pytest.mark.parametrize(
        ("text", "value"),
        [("0", 0), ("12", 12), (" 12 ", 12), ("&#9;12&#10;", 12), ("007", 7), (str(2**30), 2**30)],
    )
    def test_a_number_is_ascii_digits_with_blanks_around_them(self, write, text, value):
        [one] = cases(write("a.xml", xml(f'this_offset="{text}" this_length="{text}"')))
        assert one.suspicious == ("susp.txt", value, value)

    @pytest.mark.parametrize(
        "text",
        ["", " ", "1_000", "１２", "٣", "²", "1e3", "1.0", "+1", "0x10", "1 2", "1,000", "1;2", "nan", "--1"],
    )
    @pytest.mark.parametrize("attribute", ["this_offset", "source_length"])
    def test_anything_else_is_no_number(self, write, attribute, text):
        wrong = EXTERNAL.replace({"this_offset": '"5"', "source_length": '"2"'}[attribute], f'"{text}"')
        error = refusal(write("a.xml", xml(wrong)))
        assert error.code == "E204"
        assert f"{attribute}={text!r}" in str(error)

    @pytest.mark.parametrize("attribute", ["this_offset", "this_length", "source_offset", "source_length"])
    def test_a_negative_number_is_an_error(self, write, attribute):
        error = refusal(write("a.xml", xml(EXTERNAL.replace(f'{attribute}="', f'{attribute}="-'))))
        assert error.code == "E205"
        assert attribute in str(error)

    @pytest.mark.parametrize("digits", [str(2**30 + 1), str(2**31), "9" * 19, "9" * 20, "9" * 21, "9" * 5000])
    def test_an_offset_beyond_any_document_is_an_error(self, write, digits):
        error = refusal(write("a.xml", xml(EXTERNAL.replace('"1"', f'"{digits}"'))))
        assert error.code == "E206"
        assert len(str(error)) < 300

    def test_numbers_of_a_source_part_that_does_not_count_are_not_looked_at(self, write):
        assert cases(write("a.xml", xml(f'{INTRINSIC} source_offset="none"'))) == [UNSOURCED]

    def test_an_error_names_the_file_and_counts_features_from_one(self, write):
        path = write("a.xml", xml('note=""', EXTERNAL, 'this_offset="x" this_length="1"'))
        assert str(refusal(path)).startswith(f"E204 {path}, feature 3: ")

    def test_other_elements_are_not_counted_as_features(self, write):
        path = write("a.xml", xml('this_offset="x" this_length="1"').replace("<feature", "<about /><feature"))
        assert refusal(path).finding.place.feature == 1


class TestAttributesAndText:
    def test_a_truth_keeps_the_other_attributes_of_its_cases(self, write):
        path = write("a.xml", xml(f'{EXTERNAL} obfuscation="high"', f'{INTRINSIC} type="artificial"'))
        assert [one.attributes for one in cases(path)] == [{"obfuscation": "high"}, {"type": "artificial"}]

    def test_a_run_keeps_none(self, write):
        path = write("a.xml", xml(f'{EXTERNAL} obfuscation="high"', name="detected-plagiarism"))
        assert [one.attributes for one in detections(path)] == [{}]

    @pytest.mark.parametrize("name", ["подозрительный-01.txt", "文書.txt", "naïve 😀.txt", "a&amp;b.txt"])
    def test_documents_may_be_named_in_any_script(self, write, name):
        [one] = cases(write("a.xml", xml(INTRINSIC, root=f'document reference="{name}"')))
        assert one.suspicious.document == name.replace("&amp;", "&")

    def test_a_byte_order_mark_is_passed_over(self, write):
        assert cases(write("a.xml", "\ufeff" + xml(EXTERNAL))) == [COPIED]

    def test_windows_line_ends_make_no_difference(self, write):
        assert cases(write("a.xml", xml(EXTERNAL, INTRINSIC).replace("\n", "\r\n"))) == [COPIED, UNSOURCED]

    def test_the_file_is_utf8_whatever_it_declares(self, write):
        text = xml(INTRINSIC, root='document reference="é.txt"').replace("UTF-8", "ISO-8859-1")
        [one] = cases(write("a.xml", text))
        assert one.suspicious.document == "é.txt"


BOMB = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a0 "lol">{}]><document reference="&a9;" />""".format(
    "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
)
THIEF = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><document reference="a">&x;</document>'


class TestHostileFiles:
    def test_a_tag_with_millions_of_attributes_is_refused_before_they_are_held(self, write, monkeypatch):
        monkeypatch.setattr(xml_events, "MAX_TAG_BYTES", 100_000)
        attributes = " ".join(f"a{n}=''" for n in range(200_000))
        error = refusal(write("a.xml", f"<document reference='a'>\n<feature {attributes}/></document>"))
        assert (error.code, error.finding.place.line) == ("E201", 2)

    def test_more_elements_than_any_file_has_are_refused(self, write, monkeypatch):
        monkeypatch.setattr(allowance, "MAX_STEPS", 1000)
        assert refusal(write("a.xml", xml("", *["x='1'"] * 1000))).code == "E201"

    def test_elements_that_are_no_features_are_not_kept(self, write):
        path = write("a.xml", "<document reference='a'>" + "<a b='c'/>" * 1000 + "</document>")
        found = pan_xml.parse(path)
        assert (found.reference, found.features) == ("a", [])

    def test_as_many_names_of_attributes_as_cases_are_refused(self, write):
        features = [f'this_offset="{n}" this_length="5" a{n}="x"' for n in range(100)]
        error = refusal(write("a.xml", xml(*features)))
        assert (error.code, error.finding.place.feature) == ("E224", 65)

    @pytest.mark.parametrize("cut", [0, 1, 30, 60, -1])
    def test_a_truncated_file_is_an_error(self, write, cut):
        assert refusal(write("a.xml", xml(EXTERNAL)[:cut])).code == "E201"

    def test_the_line_of_bad_xml_is_named(self, write):
        assert refusal(write("a.xml", '<document reference="a">\n<feature\n<')).finding.place.line == 3

    def test_an_entity_bomb_is_refused_before_it_expands(self, write):
        path, start = write("a.xml", BOMB), time.process_time()
        assert refusal(path).code == "E202"
        assert time.process_time() - start < 0.5

    def test_an_external_entity_is_refused(self, write):
        assert refusal(write("a.xml", THIEF)).code == "E202"

    def test_a_document_type_is_refused_wherever_it_stands(self, write):
        assert refusal(write("a.xml", f"<!--{'x' * 100_000}-->\n<!DOCTYPE d><d/>")).code == "E202"

    def test_an_entity_that_nobody_declared_is_an_error(self, write):
        assert refusal(write("a.xml", '<document reference="&who;" />')).code == "E201"

    def test_bytes_that_are_no_utf8_are_an_error_with_their_position(self, write):
        error = refusal(write("a.xml", b'<document\nreference="\xc3\xa9\xe9" />'))
        assert (error.code, error.finding.place.line) == ("E105", 2)
        assert "byte 23 is not UTF-8" in str(error)

    @pytest.mark.parametrize(("encoding", "code"), [("utf-16", "E105"), ("utf-16-le", "E201")])
    def test_utf16_is_an_error(self, write, encoding, code):
        assert refusal(write("a.xml", xml(EXTERNAL).encode(encoding))).code == code

    @pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
    @pytest.mark.parametrize("trap", [BOMB, THIEF])
    def test_utf16_does_not_hide_a_document_type(self, write, trap, encoding):
        path = write("a.xml", trap.encode(encoding))
        assert "it holds NUL bytes" in str(refusal(path))

    @pytest.mark.parametrize("text", ["\0", '<document reference="a\0b" />', "<document />\0"])
    def test_nul_bytes_are_an_error(self, write, text):
        assert refusal(write("a.xml", text)).code == "E201"

    def test_a_file_beyond_the_limit_is_not_read(self, write, tmp_path, monkeypatch):
        monkeypatch.setattr(pan_xml, "parse", partial(pan_xml.parse, limit=1000))
        write("a.xml", xml(EXTERNAL).ljust(1000))
        assert cases(tmp_path) == [COPIED]
        write("a.xml", xml(EXTERNAL).ljust(1001))
        assert refusal(tmp_path).code == "E104"

    def test_very_deep_nesting_does_no_harm(self, write):
        deep = "<feature>" * 100_000 + "</feature>" * 100_000
        path = write("a.xml", xml(EXTERNAL).replace("</document>", f"{deep}</document>"))
        assert cases(path) == [COPIED]


class TestWriting:
    def test_one_file_per_pair_called_after_both_documents(self, tmp_path):
        found = [COPIED, UNSOURCED, Annotation(Passage("susp.txt", 0, 1), Passage("other.txt", 0, 1))]
        write_pan_xml(tmp_path / "run", found)
        assert sorted(below(tmp_path / "run")) == ["susp-other.xml", "susp-src.xml", "susp.xml"]

    def test_the_file_is_the_one_pan_defines(self, tmp_path):
        write_pan_xml(tmp_path / "run", [COPIED])
        assert below(tmp_path / "run")["susp-src.xml"].decode() == (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<document reference="susp.txt">\n'
            '<feature name="detected-plagiarism" this_offset="5" this_length="7"'
            ' source_reference="src.txt" source_offset="1" source_length="2" />\n'
            "</document>\n"
        )

    def test_a_pair_without_detections_still_gets_a_file(self, tmp_path):
        write_pan_xml(tmp_path / "run", [COPIED], pairs=[("susp.txt", "src.txt"), ("b.txt", "src.txt")])
        assert sorted(below(tmp_path / "run")) == ["b-src.xml", "susp-src.xml"]
        assert read_detections(tmp_path / "run").documents == {"susp.txt", "b.txt"}

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (("a/x.txt", "s.txt"), ("b/x.txt", "s.txt")),
            (("x.txt", "a/s.txt"), ("x.txt", "b/s.txt")),
            (("a-b", "c"), ("a", "b-c")),
            (("x.txt", "s"), ("x", "s")),
            (("a-b", ""), ("a", "b")),
            (("x" * 300 + "1", "s"), ("x" * 300 + "2", "s")),
        ],
    )
    def test_pairs_that_would_share_a_file_name_are_both_written(self, tmp_path, one, other):
        found = [
            Annotation(Passage(susp, 0, 1), Passage(src, 0, 1) if src else None) for susp, src in (one, other)
        ]
        write_pan_xml(tmp_path / "run", found)
        assert rows(detections(tmp_path / "run")) == rows(found)

    def test_a_number_never_takes_the_name_of_another_pair(self, tmp_path):
        names = ["a/x.2.txt", "b/x.txt", "c/x.txt", "d/x.txt", "x.3.txt"]
        write_pan_xml(tmp_path / "run", [], pairs=[(name, "") for name in names])
        assert read_detections(tmp_path / "run").documents == set(names)

    @pytest.mark.parametrize(
        "name", ["../x.txt", "/etc/x.txt", "..", ".", "", "/", ".hidden.txt", "a/../../x"]
    )
    def test_no_document_name_leads_out_of_the_folder_or_hides_its_file(self, tmp_path, name):
        write_pan_xml(tmp_path / "deep" / "run", [Annotation(Passage(name, 0, 1))])
        assert [Path(path).parts[:2] for path in below(tmp_path)] == [("deep", "run")]
        assert read_detections(tmp_path / "deep" / "run").documents == {name}

    def test_attributes_come_back(self, tmp_path):
        hard = "<>&\"'\n\r\t  й😀"
        write_pan_xml(tmp_path / "run", [Case(COPIED.suspicious, None, {"obfuscation": hard})])
        [one] = cases(tmp_path / "run")
        assert one.attributes == {"obfuscation": hard}

    @pytest.mark.parametrize("bad", ["\0", "\x01", "\x1f", "\ufffe", "\ud800"])
    @pytest.mark.parametrize(
        "annotation",
        [
            lambda bad: Annotation(Passage(bad, 0, 1)),
            lambda bad: Annotation(Passage("a", 0, 1), Passage(bad, 0, 1)),
            lambda bad: Annotation(Passage("a", 0, 1), None, {"type": bad}),
        ],
        ids=["document", "source", "attribute"],
    )
    def test_what_xml_cannot_carry_is_refused(self, tmp_path, annotation, bad):
        with pytest.raises(StemmataError, match="E217"):
            write_pan_xml(tmp_path / "run", [COPIED, annotation(f"x{bad}")])
        assert list(tmp_path.iterdir()) == []

    def test_a_pair_of_which_xml_cannot_carry_a_name_is_refused(self, tmp_path):
        with pytest.raises(StemmataError, match="E217"):
            write_pan_xml(tmp_path / "run", [], pairs=[("a", "b\0")])

    @pytest.mark.parametrize(
        "name", ["", "two words", "a='' b", "<", "1st", "a:b", "xmlns", "{urn:x}y", "x><feature y", "a\n"]
    )
    def test_an_attribute_name_that_xml_cannot_carry_is_refused(self, tmp_path, name):
        with pytest.raises(StemmataError, match="E217"):
            write_pan_xml(tmp_path / "run", [Annotation(COPIED.suspicious, None, {name: "x"})])
        assert list(tmp_path.iterdir()) == []


CARRIED = st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\ufffe\uffff")
NAMES = st.text(st.one_of(CARRIED, st.sampled_from("\t\n\r<>&\"'/.-ab")), max_size=8)
PASSAGES = st.builds(Passage, NAMES, st.integers(0, 2**30), st.integers(0, 2**30))
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["obfuscation", "reference", "тип", "_x.y-1"]), NAMES, max_size=3
)
ANNOTATIONS = st.lists(
    st.builds(Annotation, PASSAGES, st.none() | PASSAGES, ATTRIBUTES), min_size=1, max_size=6
)


def rows(annotations: list[Annotation]) -> list[tuple[object, ...]]:
    """Give annotations as sorted tuples, so that attributes are compared as well."""
    return sorted((one.suspicious, one.source or (), sorted(one.attributes.items())) for one in annotations)


@given(ANNOTATIONS)
def test_what_is_written_is_what_is_read(annotations):
    with tempfile.TemporaryDirectory() as folder:
        write_pan_xml(Path(folder, "truth"), annotations, name="plagiarism")
        assert rows(cases(Path(folder, "truth"))) == rows(annotations)


@given(ANNOTATIONS, st.randoms())
def test_the_order_of_annotations_does_not_change_a_byte(annotations, random):
    shuffled = random.sample(annotations, len(annotations))
    with tempfile.TemporaryDirectory() as folder:
        write_pan_xml(Path(folder, "one"), annotations)
        write_pan_xml(Path(folder, "other"), shuffled)
        assert below(Path(folder, "one")) == below(Path(folder, "other"))


def test_an_intrinsic_detection_and_one_from_a_nameless_source_have_their_order(tmp_path):
    found = [Annotation(Passage("susp.txt", 0, 1)), Annotation(Passage("susp.txt", 0, 1), Passage("", 0, 0))]
    write_pan_xml(tmp_path / "one", found)
    write_pan_xml(tmp_path / "other", reversed(found))
    assert below(tmp_path / "one") == below(tmp_path / "other")


class TestWholeOrNotAtAll:
    """Whatever goes wrong, what was there stays, and nothing else is left."""

    @pytest.fixture
    def before(self, write, tmp_path) -> dict[str, bytes]:
        write("run/old.xml", xml(INTRINSIC))
        return below(tmp_path)

    def test_a_folder_is_replaced_only_if_that_is_wanted(self, before, tmp_path):
        with pytest.raises(StemmataError, match="E107"):
            write_pan_xml(tmp_path / "run", [COPIED])
        assert below(tmp_path) == before
        write_pan_xml(tmp_path / "run", [COPIED], replace=True)
        assert list(below(tmp_path)) == ["run/susp-src.xml"]

    def test_folders_above_are_made(self, tmp_path):
        write_pan_xml(tmp_path / "runs" / "mine" / "run", [COPIED])
        assert list(below(tmp_path)) == ["runs/mine/run/susp-src.xml"]

    def test_a_detector_that_fails_midway(self, before, tmp_path):
        def detect():
            yield Detection(COPIED.suspicious)
            raise RuntimeError("the detector failed")

        with pytest.raises(RuntimeError, match="the detector failed"):
            write_pan_xml(tmp_path / "run", detect(), replace=True)
        assert below(tmp_path) == before

    def test_a_name_that_is_refused_midway(self, before, tmp_path):
        with pytest.raises(StemmataError, match="E217"):
            write_pan_xml(tmp_path / "run", [], pairs=[("a", "b"), ("z\0", "b")], replace=True)
        assert below(tmp_path) == before

    def test_a_disk_that_is_full(self, before, tmp_path, monkeypatch):
        written, write_text = [], Path.write_text

        def fill(path: Path, *args: object, **options: object) -> int:
            written.append(path)
            if len(written) == 2:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return write_text(path, *args, **options)

        monkeypatch.setattr(Path, "write_text", fill)
        with pytest.raises(StemmataError, match="cannot be written: No space left"):
            write_pan_xml(tmp_path / "run", [COPIED, UNSOURCED], replace=True)
        assert below(tmp_path) == before

    def test_a_new_folder_that_cannot_take_its_place(self, before, tmp_path, monkeypatch):
        replace = Path.replace

        def refuse(path: Path, target: Path) -> Path:
            if path.name == "new":
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return replace(path, target)

        monkeypatch.setattr(Path, "replace", refuse)
        with pytest.raises(StemmataError, match="E107"):
            write_pan_xml(tmp_path / "run", [COPIED], replace=True)
        assert below(tmp_path) == before

    def test_a_file_where_the_folder_should_be(self, write, tmp_path):
        write("run", "a text of mine")
        with pytest.raises(StemmataError, match="E107"):
            write_pan_xml(tmp_path / "run", [COPIED], replace=True)
        assert below(tmp_path) == {"run": b"a text of mine"}

    @pytest.mark.parametrize("path", [".", "..", "../../run"])
    def test_the_folder_one_stands_in_is_not_replaced(self, before, tmp_path, monkeypatch, path):
        (tmp_path / "run" / "here").mkdir()
        monkeypatch.chdir(tmp_path / "run" / "here")
        with pytest.raises(StemmataError, match="E107"):
            write_pan_xml(path, [COPIED], replace=True)
        assert below(tmp_path) == before

    def test_a_link_to_a_folder_stays_a_link(self, before, tmp_path):
        (tmp_path / "link").symlink_to("run")
        write_pan_xml(tmp_path / "link", [COPIED], replace=True)
        assert (tmp_path / "link").is_symlink()
        assert list(below(tmp_path / "run")) == ["susp-src.xml"]


@pytest.mark.corpus
def test_the_training_corpus_of_pan13_holds_each_case_twice_in_its_part_and_in_all(corpus):
    found = read_cases(corpus("pan13-alignment-train"))
    assert (found.files, len(found.documents), len(found.all_pairs)) == (9370, 1827, 5185)
    assert (len(found.annotations), len(set(found.annotations))) == (2 * 4007, 4007)
