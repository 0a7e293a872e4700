"""Web pages as readable text: a line per paragraph, without scripts, menus and other furniture.

Pages come from anywhere, so they are scanned once from front to back, in time linear in their size. A tree
is not built: browsers must guess where an element ends that nobody closed, but text has its place anyway.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from html import unescape
from pathlib import Path

from stemmata.formats.allowance import Allowance
from stemmata.formats.files import read_bytes

MAX_PAGE_BYTES = 32 * 1024 * 1024
FALLBACK = "windows-1251"
"""The encoding of old Russian pages that do not declare one; those of other countries mostly do."""

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(rb"""(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w.:-]{2,40})""", re.ASCII)
_DECLARATION_WITHIN = 8192
_ENCODINGS = re.compile(
    r"(?:windows-?|cp|x-cp)(?:125[0-8]|866|874)|ibm866|koi8-[ru]|iso-?8859-?\d{1,2}|latin-?1|us-ascii|"
    r"macintosh|(?:x-)?mac-cyrillic|gb(?:k|2312|18030)|big5|euc-(?:jp|kr)|shift_jis|iso-2022-jp",
    re.ASCII,
)
"""Encodings of pages. Python knows more, some of which decode to anything but text."""
_SPELLINGS = {
    "us-ascii": "windows-1252",
    "latin1": "windows-1252",
    "latin-1": "windows-1252",
    "iso-8859-1": "windows-1252",
    "iso8859-1": "windows-1252",
    "x-mac-cyrillic": "mac-cyrillic",
}
"""What browsers take a declared encoding for."""

_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/>]*+)((?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+'|(?!["'])))*+)>""")
_ATTRIBUTE = re.compile(r"""([^\s"'>/=]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s>]*+))?+""")
_MARKUP = re.compile("<(?=[a-zA-Z!?/])")
"""Where markup may start; any other such sign is text."""
_LONG_REFERENCE = re.compile(r"&#(?:[0-9]{20,}|[xX][0-9a-fA-F]{20,});?")
"""References to characters that no alphabet has; Python refuses to read numbers of thousands of digits."""
_NO_TEXT = re.compile("[\0\xad\u200b\u2060\ufeff]")
"""Characters that cannot be seen, soft hyphens among them."""


def _names(said: str) -> frozenset[str]:
    return frozenset(said.split())


_RAW = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in ("script", "style", "title", "textarea", "noscript", "iframe", "noframes", "noembed", "xmp")
}
"""Elements whose content is no markup; none of them holds text of the page."""
_LINES = _names(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu "
    "nav ol optgroup option p pre section summary table tbody td tfoot th thead tr ul"
)
"""Elements that start and end a line. Cells do, since pages were once laid out by tables."""
_FURNITURE = _names(
    "nav aside footer template svg math canvas audio video object map select datalist button dialog"
)
_ROLES = _names("navigation banner contentinfo search menu menubar toolbar complementary dialog")
_CLASSES = _names("noprint navbox mw-editsection mw-jump-link catlinks printfooter")
"""What MediaWiki, home of the most copied pages, calls its furniture."""
_MARKED = _names("div section header ul ol span sup table a")
"""Elements that are furniture if an attribute says so."""
_CLOSING = re.compile(rf"</({'|'.join(sorted(_FURNITURE | _MARKED))})(?![^\s/>])", re.IGNORECASE)
"""Ends of what can be furniture."""


def read_page(path: str | Path) -> str:
    """Return the readable text of an HTML file."""
    return page_text(decode_page(read_bytes(path, MAX_PAGE_BYTES)))


def decode_page(data: bytes) -> str:
    """Return the characters of a page.

    The encoding is what the byte order mark says; else UTF-8 if the bytes are that; else the one that is
    declared; else `FALLBACK`. A declaration comes late since a page that was saved or converted often
    keeps the one it had, whereas text in another encoding is hardly ever valid UTF-8.

    Examples
    --------
    >>> decode_page('<meta charset="koi8-r">Кук'.encode("koi8-r"))
    '<meta charset="koi8-r">Кук'
    >>> decode_page("Кук".encode("windows-1251"))
    'Кук'
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(_declared(data) or FALLBACK, errors="replace")


def _declared(data: bytes) -> str | None:
    for found in _DECLARED.finditer(data, 0, _DECLARATION_WITHIN):
        name = found[1].decode("ascii").lower()
        if name in ("utf-8", "utf8"):
            return "utf-8"  # with a byte or two that are not
        if _ENCODINGS.fullmatch(name):
            try:
                return codecs.lookup(_SPELLINGS.get(name, name)).name
            except LookupError:
                continue
    return None


def page_text(html: str) -> str:
    r"""Return the text of a page, a line per paragraph, heading, list item or cell.

    White space is squeezed and character references are resolved. Left out are scripts, styles, comments,
    menus, asides, footers, controls, and what is hidden or marked as such.

    Examples
    --------
    >>> page_text("<nav>Home</nav><h1>Cook</h1><p>He sailed&nbsp;<b>three</b>\n times.<p>Then he died.")
    'Cook\nHe sailed three times.\nThen he died.'
    """
    scan = _Scan(html)
    scan.run()
    lines = (" ".join(line.split()) for line in "".join(scan.pieces).split(_LINE))
    return "\n".join(filter(None, lines))


_LINE = "\0"
"""Parts lines; no text has it, since `_NO_TEXT` does."""


class _Scan:
    """One pass over a page."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.pieces: list[str] = []
        self.closings = Counter(found[1].lower() for found in _CLOSING.finditer(html))
        self.allowance = Allowance()
        self.dropping = ""
        self.depth = 0

    def run(self) -> None:
        at = 0
        while at >= 0:
            tag = _MARKUP.search(self.html, at)
            self._text(at, tag.start() if tag else len(self.html))
            at = self._markup(tag.start()) if tag else -1

    def _text(self, start: int, end: int) -> None:
        if start < end and not self.dropping:
            text = _LONG_REFERENCE.sub("\ufffd", self.html[start:end])
            self.pieces.append(self.allowance.text(_NO_TEXT.sub("", unescape(text))))

    def _markup(self, at: int) -> int:
        """Pass over the markup that starts here; return where it ends, or -1 where the page does."""
        self.allowance.step()
        if self.html.startswith("<!--", at):
            return self._behind("-->", at + 4)
        found = _TAG.match(self.html, at)
        if found is None:
            # A tag without an end swallows the rest, as in browsers.
            return -1 if self.html[at + 1].isalpha() else self._behind(">", at)
        name = found[2].lower()
        if found[1]:
            self._close(name)
        elif name in _RAW:
            end = _RAW[name].search(self.html, found.end())
            return end.start() if end else -1
        else:
            self._open(name, found[3])
        return found.end()

    def _behind(self, mark: str, at: int) -> int:
        end = self.html.find(mark, at)
        return end + len(mark) if end >= 0 else -1

    def _open(self, name: str, attributes: str) -> None:
        if self.dropping:
            self.depth += name == self.dropping and not attributes.endswith("/")
            return
        if name in _LINES:
            self.pieces.append(_LINE)
        # What is never closed must not swallow the rest of the page.
        if self.closings[name] > 0 and (
            name in _FURNITURE or (name in _MARKED and _is_furniture(name, attributes))
        ):
            self.dropping, self.depth = name, 1

    def _close(self, name: str) -> None:
        if name in self.closings:
            self.closings[name] -= 1
        if name == self.dropping:
            self.depth -= 1
            if not self.depth or self.closings[name] <= 0:
                self.dropping = ""
        if not self.dropping and name in _LINES:
            self.pieces.append(_LINE)


def _is_furniture(name: str, attributes: str) -> bool:
    if not attributes or attributes.isspace():
        return False
    said = {name.lower(): value.strip("\"'").lower() for name, value in _ATTRIBUTE.findall(attributes)}
    if "hidden" in said or said.get("aria-hidden") == "true" or said.get("role") in _ROLES:
        return True
    classes = said.get("class", "").split()
    if not _CLASSES.isdisjoint(classes) or (name == "sup" and "reference" in classes):
        return True
    return "display:none" in said.get("style", "").replace(" ", "")
