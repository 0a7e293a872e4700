"""Input that somebody has made to do harm: bombs, lies about sizes, names that lead elsewhere, odd types."""

from __future__ import annotations

import gzip
import io
import json
import struct
import tarfile
import zipfile
from collections.abc import Callable
from random import Random
from xml.sax.saxutils import quoteattr

import rich_files
from fuzzing.formats import SUBJECTS
from fuzzing.kinds import Draw, chosen, kind
from fuzzing.mutations import NUMBERS, STRINGS
from workbooks import sheet_of, write_workbook

_SLIPS = (
    "../../outside/thesis.txt",
    "/tmp/slipped.txt",
    "C:\\x.txt",
    "a/../../b.txt",
    "",
    ".",
    "a\0b.txt",
    "x" * 300,
)
_MILLION = 1_000_000


def _zip_bomb(rng: Random) -> bytes:
    return rich_files.archive({f"d{at}.txt": b"a " * 30 * _MILLION for at in range(3)})


def _slips(rng: Random) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name in rng.sample(_SLIPS, 4):
            packed.writestr(zipfile.ZipInfo(name or "x"), b"words of a text")
    return out.getvalue()


def _many_members(rng: Random) -> bytes:
    return rich_files.archive({f"d{at}.txt": b"a word" for at in range(2_000)})


def _lying_size(rng: Random) -> bytes:
    data = bytearray(rich_files.archive({"d.txt": b"words of a text " * 50}))
    central = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, central + rng.choice((20, 24)), rng.choice((0, 1, 10**6, 2**32 - 1)))
    return bytes(data)


def _tar(rng: Random) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as made:
        for name in rng.sample(_SLIPS[:5], 3):
            info = tarfile.TarInfo(name)
            info.type = rng.choice(
                (tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE)
            )
            info.linkname = rng.choice(("/etc/passwd", "../../outside/thesis.txt", name))
            content = b"words of a text" if info.type == tarfile.REGTYPE else b""
            info.size = len(content)
            made.addfile(info, io.BytesIO(content))
    return out.getvalue()


def _header_of_digits(rng: Random) -> bytes:
    digits = rng.choice((b"1", b"9", b"0")) * _MILLION
    info = tarfile.TarInfo("x")
    info.type, info.size = b"x", len(digits)
    return info.tobuf(format=tarfile.USTAR_FORMAT) + digits + b"\0" * (-len(digits) % 512) + b"\0" * 1024


ARCHIVES: dict[str, Callable[[Random], bytes]] = {
    "a bomb.zip": _zip_bomb,
    "slips.zip": _slips,
    "many members.zip": _many_members,
    "a lying size.zip": _lying_size,
    "slips.tar": _tar,
    "a header of digits.tar": _header_of_digits,
    "a header of digits.tar.gz": lambda rng: gzip.compress(_header_of_digits(rng)),
    "a bomb.tar.gz": lambda rng: gzip.compress(b"\0" * 300 * _MILLION),
}


@kind("crafted archives", turns=3)
def _archives(draw: Draw) -> tuple[str, ...]:
    name = draw.rng.choice(list(ARCHIVES))
    file = f"x.{name.split('.', 1)[1]}"
    (draw.room / "in" / file).write_bytes(ARCHIVES[name](draw.rng))
    return name, *chosen(draw.rng, SUBJECTS["archives"].commands, file)


def _rtf(inner: str) -> bytes:
    return f"{{\\rtf1\\ansi {inner} }}".encode()


def _small_sectors(rng: Random) -> bytes:
    data = bytearray(rich_files.doc([("Some words of a text. " * 20, True)]))
    for place in (0x2C, 0x30, 0x38, 0x3C, 0x40, 0x44, 0x48):
        if rng.random() < 0.4:
            struct.pack_into("<I", data, place, rng.choice((0, 1, 0xFFFFFFFE, 0x7FFFFFFF, 100, 4)))
    return bytes(data)


def _records(rng: Random, fields: dict[str, object]) -> bytes:
    return json.dumps({"id": "a", "text": "Some words of a text.", **fields}).encode()


DOCUMENTS: dict[str, Callable[[Random], bytes]] = {
    "references.html": lambda rng: (
        f"<p>Hi &#{'x' * rng.randrange(2)}{rng.choice(NUMBERS)}; there &{'a' * 5000};".encode()
    ),
    "angles.html": lambda rng: (
        rng.choice((b"<", b"<p>", b"<div><p>", b"<!--", b"<![CDATA[", b"&", b"<a b='")) * 200_000
    ),
    "tables.html": lambda rng: b"<table><tr><td>" * 30_000,
    "backslashes.rtf": lambda rng: _rtf(
        rng.choice(("\\", "{", "}", "\\u", "\\'", "\\bin9999999999 ", "\\*")) * 200_000
    ),
    "numbers.rtf": lambda rng: _rtf(
        f"\\u{rng.choice(NUMBERS)}? \\'zz \\bin{rng.choice(NUMBERS)} text \\uc{rng.choice(NUMBERS)} a"
    ),
    "sectors.doc": _small_sectors,
    "spaces.odt": lambda rng: rich_files.odt(
        f"<text:p>{f'<text:s text:c={quoteattr(rng.choice(NUMBERS))}/>' * 3}</text:p>"
    ),
    "many spaces.odt": lambda rng: rich_files.odt(
        "<text:p>" + '<text:s text:c="1000"/>' * 300_000 + "</text:p>"
    ),
    "deep.docx": lambda rng: rich_files.docx("<w:r>" * 30_000 + "</w:r>" * 30_000),
    "wide.docx": lambda rng: rich_files.docx("<w:r><w:t>" + "a" * 40 * _MILLION + "</w:t></w:r>"),
    "many.docx": lambda rng: rich_files.docx("<w:r><w:tab/></w:r>" * _MILLION),
    "doctype.odt": lambda rng: rich_files.archive(
        {"content.xml": '<!DOCTYPE a [<!ENTITY b "cc">]><a>&b;</a>'}
    ),
    "kids.pdf": lambda rng: rich_files.pdf(["Some words."] * 3).replace(
        b"/Count 3", b"/Count %d" % rng.choice((0, -1, 10**9))
    ),
    "loop.pdf": lambda rng: rich_files.pdf(["Some words."]).replace(b"/Kids [6 0 R]", b"/Kids [2 0 R]"),
    "extra.pdf": lambda rng: rich_files.pdf(["Words"], extra="<< /Title " + "[" * 20_000 + " >>"),
    "deep.jsonl": lambda rng: b'{"id":"a","text":"b c","metadata":' + b"[" * 972 + b"]" * 972 + b"}",
    "odd.jsonl": lambda rng: _records(
        rng, {rng.choice(STRINGS): rng.choice(STRINGS), "language": rng.choice(STRINGS)}
    ),
    "names.jsonl": lambda rng: _records(rng, {"id": rng.choice(STRINGS)}),
}


@kind("crafted documents", turns=4)
def _documents(draw: Draw) -> tuple[str, ...]:
    subject = SUBJECTS["documents"]
    draw.take("documents", *subject.needs)
    name = draw.rng.choice(list(DOCUMENTS))
    file = f"documents/good/{name}".replace(" ", "-")
    (draw.room / "in" / file).write_bytes(DOCUMENTS[name](draw.rng))
    return name, *chosen(draw.rng, subject.commands, draw.rng.choice((file, "documents/good")))


@kind("crafted workbooks")
def _workbooks(draw: Draw) -> tuple[str, ...]:
    folder = draw.take("essay") / "essay" / "essay"
    place = quoteattr(draw.rng.choice((*NUMBERS, "A1", "ZZZZZZ9", "A999999999", "1A")))
    one = f"<row><c r={place} t='s'><v>{draw.rng.choice(NUMBERS)}</v></c></row>"
    cells = "<c/>" * _MILLION if draw.rng.random() < 0.3 else one
    sheet = sheet_of([["a", "b", "c", "d"]]).replace("</sheetData>", f"{cells}</sheetData>")
    write_workbook(folder / "sources_list.xlsx", {"one": sheet})
    return f"cells {cells[:60]}", "corpus", "import", "essay/essay", "-o", "../out/corpus"


@kind("crafted annotations", turns=2)
def _annotations(draw: Draw) -> tuple[str, ...]:
    """PAN XML and lines of JSON whose features are many, or have odd names and values."""
    draw.take("alignment")
    rng = draw.rng
    many = rng.random() < 0.3
    rows = []
    for at in range(20_000 if many else 5):
        row = {"this_offset": str(at), "this_length": "5", "source_reference": "o0.txt", "source_offset": "0"}
        row |= {"source_length": "5", f"a{at}": "x"}
        if not many:
            row[rng.choice(list(row))] = rng.choice((*NUMBERS, *STRINGS))
        rows.append(row)
    if rng.random() < 0.5:
        file = "alignment/x.jsonl"
        content = "".join(json.dumps({"reference": "s0.txt", **row}) + "\n" for row in rows)
    else:
        file = "alignment/x.xml"
        said = (" ".join(f"{key}={quoteattr(value)}" for key, value in row.items()) for row in rows)
        features = "".join(f'<feature name="detected-plagiarism" {one}/>' for one in said)
        content = f'<document reference="s0.txt">{features}</document>'
    (draw.room / "in" / file).write_bytes(content.encode(errors="surrogatepass"))
    story = "20,000 attributes" if many else "odd values"
    return story, *chosen(rng, SUBJECTS["PAN XML"].commands, file)
