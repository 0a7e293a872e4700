"""Documents of office programs written by hand, as small as their formats allow, to test the readers with."""

import struct
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from xml.sax.saxutils import escape

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
DUBLIN_CORE = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return out.getvalue()


def docx(*paragraphs: str, **parts: str) -> bytes:
    """A document of paragraphs, each plain text or, where it starts with ``<``, runs as XML."""
    body = "".join(
        f"<w:p>{one if one.startswith('<') else f'<w:r><w:t>{escape(one)}</w:t></w:r>'}</w:p>"
        for one in paragraphs
    )
    xml = f'<w:document xmlns:w="{WORD}" xmlns:mc="{COMPATIBILITY}"><w:body>{body}</w:body></w:document>'
    return archive(
        {"word/document.xml": xml, **{name.replace("__", "/") + ".xml": xml_ for name, xml_ in parts.items()}}
    )


def odt(content: str, **parts: str) -> bytes:
    xml = (
        f'<office:document-content xmlns:office="{OFFICE}" xmlns:text="{TEXT}"><office:body><office:text>'
        f"{content}</office:text></office:body></office:document-content>"
    )
    return archive(
        {"content.xml": xml, **{name.replace("__", "/") + ".xml": one for name, one in parts.items()}}
    )


def pdf(
    pages: Sequence[str], *, title: str = "", cyrillic: bool = False, extra: str = "", trailer: str = ""
) -> bytes:
    """A document of one line per page; Cyrillic goes through a font that says what its bytes stand for."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    mapped = "".join(
        f"<{code:02X}> <{ord(bytes((code,)).decode('cp1251')):04X}>\n" for code in range(192, 256)
    )
    codes = "1 begincodespacerange <00> <FF> endcodespacerange"
    cmap = f"begincmap\n{codes}\n64 beginbfchar\n{mapped}endbfchar\nendcmap"
    unicode = " /ToUnicode 4 0 R" if cyrillic else ""
    objects.append(f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica{unicode} >>")
    objects.append(f"<< /Length {len(cmap)} >>\nstream\n{cmap}\nendstream")
    kids = []
    for text in pages:
        shown = "".join(f"{byte:02x}" for byte in text.encode("cp1251"))
        drawn = f"BT /F1 12 Tf 72 700 Td <{shown}> Tj ET"
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {len(objects)} 0 R >>"
        )
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    objects.append(extra or f"<< /Title ({title}) >>")
    out = b"%PDF-1.4\n"
    places = []
    for number, one in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{one}\nendobj\n".encode("latin-1")
    table = "0000000000 65535 f \n" + "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R {trailer} >>"
    return out + f"xref\n0 {len(objects) + 1}\n{table}{end}\nstartxref\n{len(out)}\n%%EOF".encode()


def compound_file(streams: Mapping[str, bytes]) -> bytes:
    """A compound file whose streams all lie in sectors of their own, as those of 4,096 bytes or more do."""
    sectors: list[bytes] = []
    table: list[int] = []

    def put(content: bytes) -> int:
        first = len(sectors)
        cut = [content[at : at + 512].ljust(512, b"\0") for at in range(0, len(content), 512)]
        sectors.extend(cut)
        table.extend([*range(first + 1, first + len(cut)), 0xFFFFFFFE])
        return first

    def entry(name: str, kind: int, child: int, right: int, start: int, size: int) -> bytes:
        raw = (name + "\0").encode("utf-16-le")
        links = struct.pack("<HBBIII", len(raw), kind, 1, 0xFFFFFFFF, right, child)
        return raw.ljust(64, b"\0") + links + bytes(36) + struct.pack("<IQ", start, size)

    names = list(streams)
    entries = [entry("Root Entry", 5, 1, 0xFFFFFFFF, 0xFFFFFFFE, 0)]
    for at, name in enumerate(names, start=1):
        content = streams[name].ljust(4096, b"\0")
        entries.append(
            entry(name, 2, 0xFFFFFFFF, at + 1 if at < len(names) else 0xFFFFFFFF, put(content), len(content))
        )
    first_entry = put(b"".join(entries).ljust(512, b"\0"))
    fat = len(sectors)
    table.append(0xFFFFFFFD)
    sectors.append(b"".join(struct.pack("<I", one) for one in table).ljust(512, b"\xff"))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
    none = 0xFFFFFFFE
    header += bytes(10) + struct.pack("<9I", 1, first_entry, 0, 4096, none, 0, none, 0, fat)
    return header.ljust(512, b"\xff") + b"".join(sectors)


def doc(pieces: Sequence[tuple[str, bool]], flags: int = 0, version: int = 0xC1, notes: int = 0) -> bytes:
    """A document of Word 97; each piece is its text and whether it is packed as windows-1252."""
    stream = bytearray(2048)
    ends, places = [0], []
    for text, packed in pieces:
        places.append(0x40000000 | len(stream) * 2 if packed else len(stream))
        stream += text.encode("cp1252" if packed else "utf-16-le")
        ends.append(ends[-1] + len(text))
    table = struct.pack(f"<{len(ends)}I", *ends)
    table += b"".join(struct.pack("<HIH", 0, place, 0) for place in places)
    table = b"\x01\x02\x00ab" + b"\x02" + struct.pack("<I", len(table)) + table
    struct.pack_into("<HH", stream, 0, 0xA5EC, version)
    struct.pack_into("<H", stream, 0x0A, flags | 0x0200)
    struct.pack_into("<II", stream, 0x18, 2048, len(stream))
    struct.pack_into("<H", stream, 0x20, 14)
    struct.pack_into("<H", stream, 0x3E, 22)
    struct.pack_into("<II", stream, 0x4C, ends[-1] - notes, notes)
    struct.pack_into("<H", stream, 0x98, 93)
    struct.pack_into("<II", stream, 0x1A2, 0, len(table))
    return compound_file({"WordDocument": bytes(stream), "1Table": table})
