"""Documents of office programs as text with pages, and what hostile ones must not do."""

import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest

from conftest import Write
from rich_files import DUBLIN_CORE, archive, compound_file, doc, docx, odt, pdf
from stemmata.formats import allowance, packed_xml, pdf_documents, rich_documents
from stemmata.formats.rich_documents import format_of, read_rich_document
from stemmata.model import StemmataError

ODT_ABOUT = f'<office:meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" {DUBLIN_CORE}>'


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


class TestDocx:
    def test_paragraphs_are_lines(self, write: Write) -> None:
        path = write(
            "a.docx", docx("Старый маяк", "", f"{run('sto')}{run('od')}<w:r><w:tab/></w:r>{run('x &amp; y')}")
        )
        assert read_rich_document(path).text == "Старый маяк\nstood\tx & y\n"

    def test_what_was_deleted_and_what_is_there_twice_is_left_out(self, write: Write) -> None:
        twice = f"<mc:Choice>{run('box')}</mc:Choice><mc:Fallback>{run('box')}</mc:Fallback>"
        box = f"<mc:AlternateContent>{twice}</mc:AlternateContent>"
        gone = (
            "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r>"
        )
        path = write("a.docx", docx(f"{run('left')}{gone}", box))
        assert read_rich_document(path).text == "left\nbox\n"

    def test_pages_are_those_last_shown(self, write: Write) -> None:
        broken = f"{run('one')}<w:r><w:br w:type='page'/><w:lastRenderedPageBreak/></w:r>{run('two')}"
        document = read_rich_document(
            write("a.docx", docx(broken, f"<w:r><w:lastRenderedPageBreak/></w:r>{run('three')}"))
        )
        assert document.text == "one\ntwo\nthree\n"
        assert document.pages == (0, 4, 8)
        assert [document.page_at(offset) for offset in (0, 3, 4, 9)] == [1, 1, 2, 3]

    def test_without_them_pages_are_the_breaks_that_were_set(self, write: Write) -> None:
        document = read_rich_document(
            write("a.docx", docx(f"{run('one')}<w:r><w:br w:type='page'/></w:r>{run('two')}"))
        )
        assert document.pages == (0, 4)
        assert read_rich_document(write("b.docx", docx("one"))).page_at(0) is None

    def test_it_says_who_wrote_it(self, write: Write) -> None:
        about = (
            f"<p {DUBLIN_CORE}><dc:title>Маяк</dc:title><dc:creator>A. B.</dc:creator>"
            "<dcterms:created>2017-01-02</dcterms:created></p>"
        )
        document = read_rich_document(write("a.docx", docx("one", docProps__core=about)))
        assert (document.title, document.author, document.date) == ("Маяк", "A. B.", "2017-01-02")

    def test_that_it_says_so_badly_is_no_error(self, write: Write) -> None:
        assert read_rich_document(write("a.docx", docx("one", docProps__core="<p"))).title == ""

    def test_notes_follow_the_text(self, write: Write) -> None:
        notes = docx("A note.")
        with zipfile.ZipFile(BytesIO(notes)) as packed:
            xml = packed.read("word/document.xml").decode()
        assert (
            read_rich_document(write("a.docx", docx("Text.", word__footnotes=xml))).text == "Text.\nA note.\n"
        )


class TestOdt:
    def test_text_notes_and_pages(self, write: Write) -> None:
        content = (
            "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>\n<text:h>Head</text:h>"
            "<text:p>one<text:s text:c='2'/><text:span>two</text:span><text:note><text:note-citation>1"
            "</text:note-citation><text:note-body><text:p>noted</text:p></text:note-body></text:note> on"
            "<text:soft-page-break/>ward</text:p>"
        )
        about = f"{ODT_ABOUT}<dc:title>T</dc:title><dc:date>2020</dc:date></office:meta>"
        document = read_rich_document(write("a.odt", odt(content, meta=about)))
        assert document.text == "Head\none  two onward\nnoted \n"
        assert document.pages == (0, 16)
        assert (document.title, document.date) == ("T", "2020")

    def test_a_password_is_told(self, write: Write) -> None:
        path = write("a.odt", odt("", **{"META-INF__manifest": "<m><encryption-data/></m>"}))
        with pytest.raises(StemmataError, match="E751"):
            read_rich_document(path)

    def test_many_spaces_are_not_made(self, write: Write) -> None:
        path = write("a.odt", odt("<text:p>a<text:s text:c='999999999999'/>b</text:p>"))
        assert len(read_rich_document(path).text) < 2_000


class TestHostileArchives:
    def test_what_unpacks_to_too_much_is_refused(self, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(packed_xml, "MAX_PART_BYTES", 100_000)
        path = write("a.docx", archive({"word/document.xml": " " * 10_000_000}))
        assert path.stat().st_size < 20_000
        with pytest.raises(StemmataError, match="E104"):
            read_rich_document(path)

    def test_entities_are_refused(self, write: Write) -> None:
        bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>'
        with pytest.raises(StemmataError, match=r"E750.*document type"):
            read_rich_document(write("a.docx", archive({"word/document.xml": bomb})))

    def test_deep_nesting_is_refused(self, write: Write) -> None:
        deep = "<a>" * 200_000 + "</a>" * 200_000
        with pytest.raises(StemmataError, match=r"E750.*deep"):
            read_rich_document(write("a.docx", archive({"word/document.xml": deep})))

    def test_archives_of_very_many_parts_are_not_opened(
        self, write: Write, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(packed_xml, "MAX_PARTS", 3)
        with pytest.raises(StemmataError, match="E750"):
            read_rich_document(write("a.odt", odt("<text:p>x</text:p>", a="", b="", c="")))

    def test_names_that_lead_elsewhere_lead_nowhere(self, write: Write, tmp_path: Path) -> None:
        parts = {"../escaped.xml": "<a/>", "/tmp/escaped": "x", "content.xml": "<a/>"}
        with pytest.raises(StemmataError, match="E754"):
            read_rich_document(write("folder/a.odt", archive(parts)))
        assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.odt", "folder"]

    @pytest.mark.parametrize(
        "damage",
        [
            lambda data: data[:100],
            lambda data: b"PK\x03\x04" + bytes(50),
            lambda data: data.replace(b"PK\x01\x02\x14\x03\x14", b"PK\x01\x02\x14\x03\xe7"),
        ],
    )
    def test_damaged_ones_are_told(self, damage: Callable[[bytes], bytes], write: Write) -> None:
        with pytest.raises(StemmataError, match="E750"):
            read_rich_document(write("a.docx", damage(docx("one"))))


class TestRtf:
    def text(self, write: Write, rtf: bytes) -> str:
        return read_rich_document(write("a.rtf", rb"{\rtf1\ansi" + rtf + b"}")).text

    def test_text_is_what_is_no_control(self, write: Write) -> None:
        rtf = (
            rb"{\fonttbl{\f0 Arial;}}{\*\generator X;}\pard One \b two\b0\par three\'21\~four \{x\}\line five"
        )
        assert self.text(write, rtf) == "One two\nthree!\xa0four {x}\nfive\n"

    def test_unicode_comes_before_what_stands_for_it(self, write: Write) -> None:
        assert (
            self.text(write, rb"\uc1\u1052?\u1072\'e0\u1103\'ff\u1082? {\uc0\u1052}x \u-10179?\u-8704?")
            == "Маяк Мx 😀\n"
        )

    def test_the_font_says_which_encoding(self, write: Write) -> None:
        fonts = rb"\ansicpg1252{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}"
        assert self.text(write, fonts + rb"\f1 \'cc\'e0\'ff\'ea {\f0 caf\'e9} \'ff") == "Маяк café я\n"
        assert self.text(write, rb"\ansicpg1251{\fonttbl{\f0\fcharset0 A;}}\f0 \'cc\'e0\'ff\'ea") == "Маяк\n"
        assert self.text(write, rb"\ansicpg932\deff0{\fonttbl{\f0\fcharset0 A;}}caf\'e9") == "café\n"

    def test_pages_notes_and_what_it_says_of_itself(self, write: Write) -> None:
        rtf = (
            rb"{\rtf1{\info{\title Lights}{\author A. B.}}{\header no}one{\footnote see\par two}"
            rb"\page two{\pict 00ff}\bin3 {{{}"
        )
        document = read_rich_document(write("a.doc", rtf))
        assert (document.format, document.text, document.pages) == ("rtf", "one\ntwo\nsee two\n", (0, 4))
        assert (document.title, document.author) == ("Lights", "A. B.")

    def test_deep_nesting_is_refused(self, write: Write) -> None:
        with pytest.raises(StemmataError, match=r"E750.*deep"):
            self.text(write, b"{" * 100_000)

    def test_unclosed_and_unopened_groups_do_no_harm(self, write: Write) -> None:
        assert self.text(write, rb"}}}} one {\b two \u99999999 \'zz") != ""


class TestDoc:
    def test_pieces_fields_and_pages(self, write: Write) -> None:
        pieces = [
            ("Кук плыл \x13HYPERLINK x\x14на юг\x15.\r", False),
            ("He \x97 or — left.\r\x0cEnd\x07".replace("\x97", "–"), True),
        ]
        document = read_rich_document(write("a.doc", doc(pieces)))
        assert document.text == "Кук плыл на юг.\nHe – or — left.\nEnd\n"
        assert document.pages == (0, 32)

    def test_a_password_is_told(self, write: Write) -> None:
        with pytest.raises(StemmataError, match="E751"):
            read_rich_document(write("a.doc", doc([("x", True)], flags=0x0100)))
        with pytest.raises(StemmataError, match="E751"):
            read_rich_document(write("a.docx", compound_file({"EncryptedPackage": b"x"})))

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (doc([("x", True)], version=0x65), "older than Word 97"),
            (compound_file({"Workbook": b"x"}), "another program"),
            (doc([("x", True)])[:600], "beyond its end"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "unknown size"),
        ],
    )
    def test_others_are_told(self, data: bytes, reason: str, write: Write) -> None:
        with pytest.raises(StemmataError, match=f"E750.*{reason}"):
            read_rich_document(write("a.doc", data))

    def test_sectors_that_run_in_a_circle_end(self, write: Write) -> None:
        data = bytearray(doc([("x", True)]))
        (table,) = struct.unpack_from("<I", data, 76)
        struct.pack_into("<I", data, (table + 1) * 512, 0)  # the first sector is followed by itself
        struct.pack_into("<I", data, 48, 0)  # and the list of streams begins there
        with pytest.raises(StemmataError, match=r"E750.*circle"):
            read_rich_document(write("a.doc", bytes(data)))

    def test_any_byte_may_be_wrong(self, write: Write) -> None:
        whole = doc([("Кук плыл.\r", False), ("He left.\r", True)])
        for at in (
            *range(24, 100),
            *range(512, 520),
            *range(512 + 0x18, 512 + 0x60, 5),
            *range(512 + 0x1A2, 512 + 0x1AA),
        ):
            data = bytearray(whole)
            data[at] ^= 0xFF
            with suppress(StemmataError):
                read_rich_document(write("a.doc", bytes(data)))


class TestPdf:
    def test_pages_and_what_it_says_of_itself(self, write: Write) -> None:
        path = write("a.pdf", pdf(["One light", "Старый маяк"], title="Lights", cyrillic=True))
        document = read_rich_document(path)
        assert (document.text, document.pages, document.title) == (
            "One light\nСтарый маяк\n",
            (0, 10),
            "Lights",
        )
        assert document.page_at(12) == 2

    def test_a_password_is_told(self, write: Write) -> None:
        locked = pdf(
            ["One"],
            extra=f"<< /Filter /Standard /V 1 /R 2 /P -4 /O <{'00' * 32}> /U <{'11' * 32}> >>",
            trailer="/Encrypt 7 0 R /ID [<00> <00>]",
        )
        with pytest.raises(StemmataError, match="E751"):
            read_rich_document(write("a.pdf", locked))

    def test_damaged_ones_are_told(self, write: Write) -> None:
        with pytest.raises(StemmataError, match="E750"):
            read_rich_document(write("a.pdf", b"%PDF-1.4\n" + b"nothing " * 50))
        with pytest.raises(StemmataError, match=r"E750.*start"):
            read_rich_document(write("b.pdf", b"no such file"))

    def test_pictures_of_pages_are_no_text(self, write: Write) -> None:
        with pytest.raises(StemmataError, match="E754"):
            read_rich_document(write("a.pdf", pdf(["", ""])))

    @pytest.mark.parametrize(("limit", "value"), [("MAX_PAGES", 1), ("MAX_CHARACTERS", 5)])
    def test_limits_hold(self, limit: str, value: int, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pdf_documents, limit, value)
        with pytest.raises(StemmataError, match="E753"):
            read_rich_document(write("a.pdf", pdf(["One light", "Two"])))

    def test_one_that_never_ends_is_stopped(
        self, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        endless = write(
            "endless.py", "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass"
        )
        monkeypatch.setattr(pdf_documents, "_PROGRAM", endless)
        with pytest.raises(StemmataError, match="E753"):
            read_rich_document(write("a.pdf", pdf(["One"])))

    def test_a_circle_of_pages_ends(self, write: Write) -> None:
        data = pdf(["One"]).replace(b"/Kids [6 0 R]", b"/Kids [2 0 R]")
        with pytest.raises(StemmataError, match=r"E75[034]"):
            read_rich_document(write("a.pdf", data))

    def test_without_the_library_the_extra_is_named(
        self, write: Write, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pdf_documents, "find_spec", lambda name: None)
        with pytest.raises(StemmataError, match=r"E502.*stemmata\[documents\]"):
            read_rich_document(write("a.pdf", pdf(["One"])))


class TestTextAndPages:
    def test_a_page_tells_its_title(self, write: Write) -> None:
        document = read_rich_document(
            write("a.doc", "<html><title>A &amp; B</title><meta name=author content='C D'><p>one<p>two")
        )
        assert (document.format, document.text, document.title, document.author) == (
            "html",
            "one\ntwo",
            "A & B",
            "C D",
        )

    def test_form_feeds_start_pages(self, write: Write) -> None:
        document = read_rich_document(write("a.txt", "one\n\ftwo\r\n"))
        assert (document.text, document.pages) == ("one\n\ftwo\r\n", (0, 5))

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1251", "koi8-r"])
    def test_the_encoding_is_recognised(self, encoding: str, write: Write) -> None:
        text = "Старый маяк стоит на скале."
        assert read_rich_document(write("a.txt", text.encode(encoding))).text == text

    @pytest.mark.parametrize("data", [b"\x7fELF\0\0\0", archive({"a": "b"}), b"\x89PNG\r\n\x1a\n\0\0"])
    def test_other_files_are_told(self, data: bytes, write: Write) -> None:
        with pytest.raises(StemmataError, match="E752"):
            read_rich_document(write("a.bin", data))

    def test_an_empty_file_is_an_empty_text(self, write: Write) -> None:
        assert read_rich_document(write("a.txt", "")).text == ""

    def test_large_files_are_refused(self, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rich_documents, "MAX_DOCUMENT_BYTES", 3)
        with pytest.raises(StemmataError, match="E104"):
            read_rich_document(write("a.txt", "four"))

    def test_bytes_count_more_than_names(self) -> None:
        assert format_of(docx("x"), "a.txt") == "docx"
        assert format_of(pdf(["x"]), "a") == "pdf"
        assert (
            format_of(b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a --><!DOCTYPE html><html>", "a.txt")
            == "html"
        )

    def test_the_readers_of_office_files_are_only_loaded_when_needed(self) -> None:
        code = (
            "import sys, stemmata.formats.rich_documents\n"
            "print(any('pdf_' in name or 'office_' in name for name in sys.modules))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == "False\n"


class TestWhatADocumentMayCost:
    """Some kilobytes can be written so that they become gigabytes, or take hours."""

    @pytest.fixture(autouse=True)
    def limits(self, monkeypatch):
        monkeypatch.setattr(allowance, "MAX_CHARACTERS", 10_000)
        monkeypatch.setattr(allowance, "MAX_STEPS", 1_000)

    def refused(self, path):
        with pytest.raises(StemmataError) as caught:
            read_rich_document(path)
        assert caught.value.code == "E753"

    @pytest.mark.parametrize(
        "content",
        [
            "<text:p>{}</text:p>",
            "<text:p><text:note><text:note-body><text:p>{}</text:p></text:note-body></text:note></text:p>",
        ],
    )
    def test_spaces_that_are_counted_in_odt(self, write, content):
        self.refused(write("a.odt", odt(content.format('<text:s text:c="1000"/>' * 20))))

    def test_more_elements_than_any_document_has(self, write):
        self.refused(write("a.odt", odt("<text:p/>" * 2_000)))
        self.refused(write("a.docx", docx(*[""] * 2_000)))

    @pytest.mark.parametrize("content", [rb"\par" * 2_000, rb"\'41" * 20_000, b"\\" * 2_000, b"{}" * 2_000])
    def test_words_and_characters_of_rtf(self, write, content):
        self.refused(write("a.rtf", rb"{\rtf1 " + content + b"}"))

    @pytest.mark.parametrize("content", ["<b>" * 2_000, "</>" * 2_000, "x" * 20_000])
    def test_tags_and_characters_of_web_pages(self, write, content):
        self.refused(write("a.html", f"<html><body>{content}"))

    def test_marks_of_doc(self, write):
        self.refused(write("a.doc", doc([("x\r" * 2_000, True)])))

    def test_signs_that_start_no_tag_are_text_at_once(self, write):
        text = read_rich_document(write("a.html", "<html><body>" + "<" * 5_000)).text
        assert text.strip() == "<" * 5_000


class TestReadersThatFail:
    """What a reader does not know ends the reading of one document, not the work on all."""

    @pytest.mark.parametrize(
        ("error", "code"), [(ValueError("odd"), "E750"), (MemoryError(), "E753"), (RecursionError(), "E750")]
    )
    def test_it_is_an_error_of_the_document(self, write, monkeypatch, error, code):
        def fail(page):
            raise error

        monkeypatch.setattr(rich_documents, "page_text", fail)
        with pytest.raises(StemmataError) as caught:
            read_rich_document(write("a.html", "<p>x"))
        assert (caught.value.code, caught.value.finding.place.path) == (code, str(write("a.html", "<p>x")))

    def test_a_reference_to_a_character_of_5000_digits_is_an_unknown_character(self, write):
        text = read_rich_document(write("a.html", f"<p>Hello &#{'1' * 5_000}; world")).text
        assert text == "Hello \ufffd world"

    def test_small_sectors_in_a_circle_end(self, write):
        data = bytearray(doc([("x", True)]))
        data[56:60] = (2**32 - 1).to_bytes(
            4, "little"
        )  # from which size on streams have sectors of their own
        assert read_rich_document(write("a.doc", bytes(data))).text == "x\n"
