"""Pairs files and documents: names as they are written, offsets that count the characters of the file."""

import pytest

from stemmata.formats import DocumentFolder, read_document, read_pairs
from stemmata.model import Passage, StemmataError


class TestPairs:
    def test_a_line_is_a_suspicious_and_a_source_document(self, write):
        path = write("pairs", "susp1.txt src1.txt\nsusp1.txt src2.txt\n")
        assert read_pairs(path) == [("susp1.txt", "src1.txt"), ("susp1.txt", "src2.txt")]

    def test_pairs_keep_their_order_and_their_repetitions(self, write):
        assert read_pairs(write("pairs", "b x\na x\nb x\n")) == [("b", "x"), ("a", "x"), ("b", "x")]

    @pytest.mark.parametrize("text", ["a\tb\n", "a   b\n", "  a b  \n", "a b\r\n", "a b", "\n\na b\n \n"])
    def test_tabs_blanks_blank_lines_and_line_ends_make_no_difference(self, write, text):
        assert read_pairs(write("pairs", text)) == [("a", "b")]

    def test_a_byte_order_mark_is_no_part_of_a_name(self, write):
        assert read_pairs(write("pairs", "\ufeffa b\n")) == [("a", "b")]

    def test_names_may_be_in_any_script(self, write):
        assert read_pairs(write("pairs", "текст.txt 文書.txt\n")) == [("текст.txt", "文書.txt")]

    def test_an_empty_file_lists_no_pairs(self, write):
        assert read_pairs(write("pairs", "")) == []

    @pytest.mark.parametrize("line", ["a", "a b c"])
    def test_one_or_three_columns_are_an_error_with_its_line(self, write, line):
        path = write("pairs", f"a b\n\n{line}\n")
        with pytest.raises(StemmataError) as caught:
            read_pairs(path)
        assert str(caught.value).startswith(f"E301 {path}, line 3: {line!r} is not a pair")

    def test_wrong_lines_can_be_collected_while_the_others_are_read(self, write):
        findings = []
        pairs = read_pairs(write("pairs", "a\nb c\nd e f\n"), findings.append)
        assert pairs == [("b", "c")]
        assert [finding.place.line for finding in findings] == [1, 3]

    def test_bytes_that_are_no_utf8_are_an_error_with_their_position(self, write):
        with pytest.raises(StemmataError, match="byte 5 is not UTF-8") as caught:
            read_pairs(write("pairs", b"a b\na\xe9 b\n"))
        assert (caught.value.code, caught.value.finding.place.line) == ("E105", 2)

    def test_a_file_that_is_not_there_is_an_error(self, tmp_path):
        with pytest.raises(StemmataError, match="E101"):
            read_pairs(tmp_path / "pairs")


class TestDocument:
    def test_it_bears_the_name_of_its_file(self, write):
        assert read_document(write("susp/a.txt", "text")).name == "a.txt"

    def test_characters_are_counted_not_bytes(self, write):
        document = read_document(write("a.txt", "ä文😀."))
        assert len(document) == 4
        assert document[Passage("a.txt", 1, 2)] == "文😀"

    @pytest.mark.parametrize("text", ["a\r\nb", "a\nb", "a\rb", "a\u2028b\x0c", "\ufeffa", "a\0b"])
    def test_the_text_is_the_file_to_the_last_character(self, write, text):
        assert read_document(write("a.txt", text)).text == text

    def test_an_empty_file_is_an_empty_document(self, write):
        assert read_document(write("a.txt", "")).text == ""

    def test_bytes_that_are_no_utf8_are_an_error_with_their_position(self, write):
        with pytest.raises(StemmataError, match="byte 6 is not UTF-8") as caught:
            read_document(write("a.txt", "äö\r\n".encode() + b"\x80"))
        assert (caught.value.code, caught.value.finding.place.line) == ("E105", 2)

    def test_a_file_that_is_not_there_is_an_error(self, tmp_path):
        with pytest.raises(StemmataError, match="E101"):
            read_document(tmp_path / "a.txt")


class TestDocumentFolder:
    def test_documents_lie_in_the_folder(self, write, tmp_path):
        write("a.txt", "here")
        assert DocumentFolder(tmp_path)["a.txt"].text == "here"

    def test_or_one_folder_down(self, write, tmp_path):
        write("part1/a.txt", "here")
        assert DocumentFolder(tmp_path)["a.txt"].text == "here"

    def test_but_not_two(self, write, tmp_path):
        write("part1/deeper/a.txt", "here")
        assert "a.txt" not in DocumentFolder(tmp_path)

    def test_the_folder_itself_goes_before_the_folders_below(self, write, tmp_path):
        write("a.txt", "top")
        write("Part1/a.txt", "below")
        assert DocumentFolder(tmp_path)["a.txt"].text == "top"

    def test_the_ending_may_be_left_out(self, write, tmp_path):
        write("a.txt", "here")
        assert DocumentFolder(tmp_path)["a"].text == "here"

    def test_a_document_is_called_what_it_was_asked_for_by(self, write, tmp_path):
        write("a.txt", "here")
        assert DocumentFolder(tmp_path)["a"].name == "a"

    def test_names_may_be_in_any_script(self, write, tmp_path):
        write("документ.txt", "текст")
        assert DocumentFolder(tmp_path)["документ.txt"].text == "текст"

    def test_lengths_are_those_of_the_named_documents_that_are_here(self, write, tmp_path):
        write("a.txt", "ä\r\n")
        write("part1/b.txt", "")
        write("c.txt", "not asked for")
        assert DocumentFolder(tmp_path).lengths(["a.txt", "b", "gone"]) == {"a.txt": 3, "b": 0}

    @pytest.mark.parametrize("name", ["gone.txt", "../secret.txt", "notes.md"])
    def test_a_document_that_is_not_here_is_an_error_with_its_name(self, write, tmp_path, name):
        write("secret.txt", "outside")
        write("susp/notes.md", "no document")
        with pytest.raises(StemmataError, match="E209") as caught:
            DocumentFolder(tmp_path / "susp")[name]
        assert f"{name} is not in {tmp_path / 'susp'}" in str(caught.value)

    def test_a_folder_that_is_not_there_is_an_error(self, tmp_path):
        with pytest.raises(StemmataError, match="E101"):
            DocumentFolder(tmp_path / "susp")

    def test_a_file_is_no_folder(self, write):
        with pytest.raises(StemmataError, match="E102"):
            DocumentFolder(write("susp", "text"))
