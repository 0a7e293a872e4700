"""A class of essays and a small library in all formats, written on the spot, to try `stemmata check` with."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import rich_files
from hands import hand

FORMATS = ("txt", "html", "rtf", "docx", "odt", "pdf")
SYLLABLES = "ba ce dil fo gur hin jo kel lam mo nis or pra quen ros sti tul um var wes yo zan tri blo sker"
CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    + rich_files.DUBLIN_CORE
    + "><dc:title>{title}</dc:title><dc:creator>{author}</dc:creator></cp:coreProperties>"
)


def paragraphs(seed: int, count: int = 5) -> list[str]:
    """Paragraphs of some forty words each, in words that no other seed has."""
    text = hand([99, seed], SYLLABLES, 330 * count, mean=12)
    sentences = [f"{one}." for one in text.split(". ") if one]
    size = -(-len(sentences) // count)
    return [" ".join(sentences[at : at + size]) for at in range(0, len(sentences), size)]


def packed(kind: str, texts: Sequence[str], title: str = "", author: str = "") -> bytes:
    """Return paragraphs as a file of a format."""
    if kind == "txt":
        return ("\n\n".join(texts) + "\n").encode()
    if kind == "html":
        body = "".join(f"<p>{escape(one)}</p>" for one in texts)
        head = f'<title>{escape(title)}</title><meta name="author" content="{escape(author)}">'
        return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode()
    if kind == "rtf":
        body = "".join(f"{_rtf(one)}\\par\n" for one in texts)
        return f"{{\\rtf1\\ansi\\deff0{{\\fonttbl{{\\f0 Arial;}}}}\n{body}}}".encode("ascii")
    if kind == "docx":
        core = {"docProps__core": CORE.format(title=escape(title), author=escape(author))}
        return rich_files.docx(*texts, **core if title else {})
    if kind == "odt":
        return rich_files.odt("".join(f"<text:p>{escape(one)}</text:p>" for one in texts))
    return rich_files.pdf(texts, title=title)


def _rtf(text: str) -> str:
    return "".join(c if c.isascii() and c not in "\\{}" else f"\\u{ord(c)}?" for c in text)


def write(path: Path, texts: Sequence[str], title: str = "", author: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed(path.suffix[1:], texts, title, author))
    return path


def write_library(folder: Path, books: int = 12) -> list[list[str]]:
    """Write books in all formats; return their paragraphs."""
    made = []
    for number in range(books):
        texts = paragraphs(1000 + number, 8)
        kind = FORMATS[number % len(FORMATS)]
        write(folder / f"book-{number:02}.{kind}", texts, f"The Book of {number}", f"Author {number}")
        made.append(texts)
    return made


def write_class(folder: Path, library: Sequence[Sequence[str]], essays: int = 30) -> None:
    """Write essays: some copy from books or from each other, one quotes, one is empty, one is broken."""
    for number in range(essays):
        texts = paragraphs(number)
        if number % 3 == 0:
            book = library[number % len(library)]
            texts[1:3] = book[2 : 2 + 1 + number % 4]
        if number % 6 == 0:
            texts.append(library[(number + 5) % len(library)][0])
        if number % 7 == 3:
            texts.insert(2, paragraphs(number - 3)[4])
        if number % 10 == 4:
            texts[2] = paragraphs(number + 1)[3]
        if number == 1:
            texts.append(f"As the author says: “{library[4][1]}” So it is.")
        kind = FORMATS[number % len(FORMATS)]
        write(folder / f"essay-{number:02}.{kind}", texts)
    (folder / "essay-07.html").write_text("")
    (folder / "essay-11.pdf").write_bytes(b"%PDF-1.4\nbroken")
