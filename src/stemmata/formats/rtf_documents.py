r"""Rich Text Format (Microsoft, "RTF Specification", version 1.9.1): groups in braces, control words, bytes.

The file is scanned once. What is text, and in which encoding, depends on the group and on the font, because
Russian RTF is mostly bytes of windows-1251 in fonts of Cyrillic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from stemmata.formats.rich_documents import PagedText, RichDocument, bad_document

MAX_GROUPS = 1_000
"""Groups within groups."""

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?[0-9]{1,9})? ?|((?:\\'[0-9a-fA-F]{2})+)|\\([^a-zA-Z])|([{}])|"
    rb"([^\\{}\r\n\0]+)|[\\\r\n\0]"
)
_SILENT = re.compile(
    "fonttbl|colortbl|stylesheet|info|pict|object|objdata|(?:header|footer)[lrf]?|fldinst|datafield|xe|tc|rxe|"
    "listtable|listoverridetable|revtbl|themedata|colorschememapping|annotation|atnid|atnauthor|nonshppict|"
    "generator|a?ftnsepc?"
)
"""Destinations that hold no text of the document."""
_TOLD = ("title", "author")
_LINES = frozenset(("par", "line", "sect", "row", "cell", "nestcell", "nestrow"))
_CHARACTERS = {
    "tab": "\t", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005",
}  # fmt: skip
_SYMBOLS = {b"\\": "\\", b"{": "{", b"}": "}", b"~": "\xa0", b"_": "-"}
_CHARSETS = {
    128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254", 177: "cp1255",
    178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_WESTERN = 0
_EAST_ASIAN = frozenset(("cp932", "cp936", "cp949", "cp950"))
_CODE_PAGES = frozenset((437, 850, 866, 874, 932, 936, 949, 950, *range(1250, 1259)))


@dataclass(frozen=True)
class _Group:
    destination: str = ""
    font: int = -1
    fallbacks: int = 1


@dataclass
class _Rtf:
    path: str | Path
    out: PagedText = field(default_factory=PagedText)
    notes: list[list[str]] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    fonts: dict[int, str] = field(default_factory=dict)
    code_page: str = "cp1252"
    default_font: int = 0
    group: _Group = _Group()
    stack: list[_Group] = field(default_factory=list)
    waiting: bytearray = field(default_factory=bytearray)
    units: list[int] = field(default_factory=list)
    skip: int = 0

    def scan(self, data: bytes) -> None:
        at = 0
        while found := _TOKEN.match(data, at):
            at = found.end()
            self.out.allowance.step()
            word, number, hexadecimal, symbol, brace, text = found.groups()
            if word == b"bin":
                at += max(0, int(number or 0))
            elif word:
                self._word(word.decode("ascii"), None if number is None else int(number))
            elif hexadecimal:
                self._bytes(bytes.fromhex(hexadecimal.replace(b"\\'", b"").decode("ascii")))
            elif symbol:
                self._symbol(symbol)
            elif brace == b"{":
                self._begin()
            elif brace:
                self._end()
            elif text:
                self._bytes(text)
        self._flush()

    def _begin(self) -> None:
        self._flush()
        self.skip = 0
        self.stack.append(self.group)
        if len(self.stack) > MAX_GROUPS:
            raise bad_document(self.path, "rtf", f"it nests groups more than {MAX_GROUPS:,} deep")

    def _end(self) -> None:
        self._flush()
        self.skip = 0
        if self.stack:
            self.group = self.stack.pop()

    def _word(self, word: str, number: int | None) -> None:
        if word == "u" and number is not None:
            if self.waiting:
                self._flush()
            self.units.append(number & 0xFFFF)
            self.skip = self.group.fallbacks
            return
        self._flush()
        self.skip = 0
        where = self.group.destination
        if _SILENT.fullmatch(word):
            self._enter(where if where == "ignored" else word)
        elif word == "footnote" and not where:
            self._enter(word)
            self.notes.append([])
        elif word in _TOLD and where == "info":
            self._enter(word)
        elif word in _CHARACTERS:
            self._text(_CHARACTERS[word])
        elif number is not None:
            self._setting(word, number)
        else:
            self._break(word)

    def _enter(self, destination: str) -> None:
        self.group = replace(self.group, destination=destination)

    def _setting(self, word: str, number: int) -> None:
        if word == "uc":
            self.group = replace(self.group, fallbacks=min(max(number, 0), 100))
        elif word == "f":
            self.group = replace(self.group, font=number)
        elif word == "deff":
            self.default_font = number
        elif word == "fcharset" and self.group.destination == "fonttbl":
            self.fonts[self.group.font] = _CHARSETS.get(number, "cp1252" if number == _WESTERN else "")
        elif word == "ansicpg" and number in _CODE_PAGES:
            self.code_page = f"cp{number}"

    def _break(self, word: str) -> None:
        if word == "plain":
            self.group = replace(self.group, font=-1)
        elif self.group.destination:
            if word in _LINES:
                self._text(" ")
        elif word in _LINES:
            self.out.line()
        elif word == "page":
            self.out.line()
            self.out.page()

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            # Whoever does not know the word that follows passes over the group; none that matters follows.
            self._enter("ignored")
        elif symbol in b"\r\n":
            self._word("par", None)
        elif self.skip:
            self.skip -= 1
        elif symbol in _SYMBOLS:
            self._flush()
            self._text(_SYMBOLS[symbol])

    def _bytes(self, data: bytes) -> None:
        # After a character in Unicode stands what programs show that do not know it.
        passed = min(self.skip, len(data))
        self.skip -= passed
        if len(data) > passed:
            if self.units:
                self._flush()
            self.waiting += data[passed:]

    def _flush(self) -> None:
        if self.units:
            pairs = b"".join(unit.to_bytes(2, "little") for unit in self.units)
            self.units.clear()
            self._text(pairs.decode("utf-16-le", errors="replace"))
        if self.waiting:
            text = self.waiting.decode(self._encoding(), errors="replace")
            self.waiting.clear()
            self._text(text)

    def _encoding(self) -> str:
        font = self.group.font if self.group.font >= 0 else self.default_font
        encoding = self.fonts.get(font) or self.code_page
        # Fonts that are called western by programs of one more alphabet hold both; those of the East do not.
        return self.code_page if encoding == "cp1252" and self.code_page not in _EAST_ASIAN else encoding

    def _text(self, text: str) -> None:
        where = self.group.destination
        if not where:
            self.out.add(text)
        elif where == "footnote":
            self.notes[-1].append(self.out.allowance.text(text))
        elif where in _TOLD:
            self.said[where] = (self.said.get(where, "") + text)[:1_000]


def read_rtf(data: bytes, path: str | Path) -> RichDocument:
    """Read RTF; pages are the breaks its writer set, and notes follow the text."""
    rtf = _Rtf(path)
    rtf.scan(data)
    rtf.out.line()
    for note in rtf.notes:
        rtf.out.add(" ".join("".join(note).split()))
        rtf.out.line()
    return rtf.out.document("rtf", **{name: text.strip() for name, text in rtf.said.items()})
