"""Documents of Word 97 to 2003 ([MS-DOC]): the main text and its footnotes, by the table of pieces."""

from __future__ import annotations

import re
import struct
from pathlib import Path

from stemmata.formats.compound_files import CompoundFile, CompoundFileError
from stemmata.formats.rich_documents import PagedText, RichDocument, bad_document
from stemmata.model import ErrorCode, StemmataError

_IDENTIFIER = 0xA5EC
_WORD_97 = 0xC1
_ENCRYPTED, _SECOND_TABLE = 0x0100, 0x0200
_LENGTHS, _PIECES = 0x4C, 0x1A2
_COMPRESSED = 0x40000000
_MAX_PIECES = 1_000_000
_MARK = re.compile("[\x00-\x08\x0b-\x1f]")
_FIELD, _RESULT, _FIELD_END = "\x13", "\x14", "\x15"


def read_doc(data: bytes, path: str | Path) -> RichDocument:
    """Read what Word wrote from 1997 to 2003; pages are the breaks its writer set."""
    try:
        text = _text(CompoundFile(data), path)
    except (CompoundFileError, struct.error) as error:
        raise bad_document(path, "doc", str(error)[:80]) from None
    return _without_marks(text)


def _text(file: CompoundFile, path: str | Path) -> str:
    if "EncryptedPackage" in file:
        raise StemmataError(ErrorCode.ENCRYPTED_DOCUMENT, path)
    if "WordDocument" not in file:
        raise CompoundFileError("it is of another program than Word")
    stream = file.read("WordDocument")
    identifier, version = struct.unpack_from("<HH", stream, 0)
    (flags,) = struct.unpack_from("<H", stream, 0x0A)
    if flags & _ENCRYPTED:
        raise StemmataError(ErrorCode.ENCRYPTED_DOCUMENT, path)
    if identifier != _IDENTIFIER or version < _WORD_97:
        raise CompoundFileError("it is older than Word 97")
    main, notes = struct.unpack_from("<II", stream, _LENGTHS)
    table = file.read("1Table" if flags & _SECOND_TABLE else "0Table")
    start, size = struct.unpack_from("<II", stream, _PIECES)
    return "".join(_pieces(stream, table[start : start + size]))[: main + notes]


def _pieces(stream: bytes, table: bytes) -> list[str]:
    """Return the pieces of the text in their order; a document saved in haste has many."""
    at = 0
    while table[at : at + 1] == b"\x01":
        at += 3 + int(struct.unpack_from("<H", table, at + 1)[0])
    if table[at : at + 1] != b"\x02":
        raise CompoundFileError("it has no table of pieces")
    (size,) = struct.unpack_from("<I", table, at + 1)
    count = (size - 4) // 12
    if not 0 < count <= _MAX_PIECES:
        raise CompoundFileError("its table of pieces is of an odd size")
    ends = struct.unpack_from(f"<{count + 1}I", table, at + 5)
    found, room = [], len(stream)
    for piece in range(count):
        length = ends[piece + 1] - ends[piece]
        (where,) = struct.unpack_from("<I", table, at + 5 + 4 * (count + 1) + 8 * piece + 2)
        # Pieces do not overlap, so that together they are no longer than the stream.
        room -= length
        if length < 0 or room < 0:
            raise CompoundFileError("its pieces do not fit")
        if where & _COMPRESSED:
            first = (where & ~_COMPRESSED) // 2
            found.append(stream[first : first + length].decode("cp1252", errors="replace"))
        else:
            found.append(stream[where : where + 2 * length].decode("utf-16-le", errors="replace"))
    return found


def _without_marks(text: str) -> RichDocument:
    """Return the text with its marks turned into lines and pages, and fields into what they show."""
    out = PagedText()
    fields: list[bool] = []
    hidden = done = 0
    for found in _MARK.finditer(text):
        mark = found[0]
        out.allowance.step()
        if not hidden:
            out.add(text[done : found.start()])
        done = found.end()
        if mark == _FIELD:
            fields.append(True)
            hidden += 1
        elif mark == _RESULT and fields:
            hidden -= fields[-1]
            fields[-1] = False
        elif mark == _FIELD_END and fields:
            hidden -= fields.pop()
        elif hidden:
            continue
        elif mark in "\r\x07\x0b":
            out.line()
        elif mark == "\x0c":
            out.line()
            out.page()
        elif mark == "\x1e":
            out.add("-")
    if not hidden:
        out.add(text[done:])
    return out.document("doc")
