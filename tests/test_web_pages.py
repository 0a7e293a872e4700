"""Web pages as text: what is kept, what is left out, which encoding, and how long hostile ones take."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemmata.formats.web_pages import decode_page, page_text, read_page
from stemmata.model import StemmataError


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One\n  two</p><p>three", "One two\nthree"),
        ("one<br>two<BR/>three", "one\ntwo\nthree"),
        ("<li>a<li>b<td>c<td>d", "a\nb\nc\nd"),
        ("a <b>bold</b><i>er</i> word", "a bolder word"),
        ("5 &lt; 6 &amp; caf&eacute; &#1050;&nbsp;x", "5 < 6 & café К x"),
        ("co\xadop&shy;er\u200bate", "cooperate"),
        ("<title>t</title><script>if (a<b) '</p>'</script><style>p{}</style>x", "x"),
        ("a<!-- <p>b</p> --><!DOCTYPE html><?xml x?>c", "ac"),
        ("<nav><ul><li>Home</ul></nav><main>text</main><footer>(c)</footer>", "text"),
        ("<div role='navigation'><div>Home</div></div><div hidden>no</div><div>yes</div>", "yes"),
        ('<p>ship<sup class="reference"><a href="#1">[1]</a></sup> sank</p>', "ship sank"),
        ('<span style="display: none">no</span>yes', "yes"),
        ("<a title=\"1 > 0\" data-x='<p>'>link</a>", "link"),
        ("1 < 2 and <3", "1 < 2 and <3"),
        ("", ""),
    ],
)
def test_text_is_what_a_reader_sees(html: str, text: str) -> None:
    assert page_text(html) == text


def test_what_is_never_closed_swallows_nothing() -> None:
    assert page_text("<nav>Home<p>text<p>more") == "Home\ntext\nmore"
    assert page_text("<nav>a<nav>b</nav><p>text") == "text"


def test_a_form_around_the_whole_page_is_kept() -> None:
    assert page_text("<form><p>text<select><option>1</select><button>Go</button></form>") == "text"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Кук".encode(), "Кук"),
        ("\ufeffКук".encode(), "Кук"),
        ("Кук".encode("utf-16"), "Кук"),
        ("Кук".encode("cp1251"), "Кук"),
        ('<meta charset="koi8-r">Кук'.encode("koi8-r"), '<meta charset="koi8-r">Кук'),
        ('<meta charset="windows-1251">Кук'.encode(), '<meta charset="windows-1251">Кук'),
        ("<meta charset=iso-8859-1>“é”".encode("cp1252"), "<meta charset=iso-8859-1>“é”"),
        (b'<meta charset="utf-7">+ADw- \xca', '<meta charset="utf-7">+ADw- К'),
        (b'<meta charset="unicode_escape">\\u0041\xca', '<meta charset="unicode_escape">\\u0041К'),
        (b"", ""),
    ],
)
def test_the_encoding_is_found(data: bytes, text: str) -> None:
    assert decode_page(data) == text


@pytest.mark.parametrize(
    "html",
    [
        "<" * 300_000,
        "<div>" * 100_000 + "x",
        "<nav>" * 100_000 + "x</nav>",
        "<a " * 100_000,
        '<a b="' * 100_000,
        "<a b='\">" * 100_000,
        "<!--" * 100_000,
        "<script>" * 100_000,
        "</" * 100_000,
        "&" * 300_000,
        "<div " + "x= " * 100_000 + ">y</div>",
        " " * 1_000_000,
    ],
)
def test_hostile_pages_take_no_longer_than_others(html: str) -> None:
    begin = time.process_time()
    page_text(html)
    assert time.process_time() - begin < 2


@given(st.text(alphabet="<>/!-=\"' abnvp&;#x1\n\0", max_size=200))
def test_anything_becomes_lines_of_squeezed_text(html: str) -> None:
    text = page_text(html)
    assert all(line and line == " ".join(line.split()) for line in text.split("\n")) or not text
    assert "\0" not in text


@given(st.binary(max_size=200))
def test_any_bytes_become_text_that_can_be_written(data: bytes) -> None:
    page_text(decode_page(data)).encode()


def test_a_page_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes("<p>Кук плыл.".encode("cp1251"))
    assert read_page(path) == "Кук плыл."
    with pytest.raises(StemmataError, match="E101"):
        read_page(tmp_path / "none.html")
