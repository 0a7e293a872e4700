"""What the program keeps for itself: JSON objects with a checksum, so that accidental damage is found.

One rule holds for all kept work: what cannot be read as it was written counts as not there, and is made anew.
A checksum keeps nobody from forging a file; it finds what a disk or an interrupted copy did to one.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

from stemmata.formats.files import MAX_FILE_BYTES, read_bytes, regular, write_atomically
from stemmata.model import StemmataError

_BLOCK = 1 << 20
_seal = re.compile(rb',\s"checksum": "([0-9a-f]{64})"\s*\}\s*\Z')


def sealed(said: str) -> str:
    """Return the text of a JSON object with its checksum as the last member.

    Examples
    --------
    >>> text = sealed('{"score": 0.5}')
    >>> unsealed(text.encode())
    {'score': 0.5}
    >>> unsealed(text.replace("0.5", "0.6").encode())
    Traceback (most recent call last):
        ...
    ValueError: the checksum differs
    """
    body = said.rstrip().removesuffix("}").rstrip()
    return f'{body}, "checksum": "{sha256(body.encode()).hexdigest()}"}}'


def unsealed(data: bytes) -> dict[str, Any]:
    """Return the object of a sealed text, without the checksum.

    Raises
    ------
    ValueError
        If it is not as it was written.
    """
    found = _seal.search(data, max(0, len(data) - 200))
    if not found or sha256(data[: found.start()]).hexdigest().encode() != found[1]:
        raise ValueError("the checksum differs")
    said: dict[str, Any] = json.loads(data)
    del said["checksum"]
    return said


def write_sealed(path: Path, said: str, mode: int | None = None) -> None:
    """Write the text of a JSON object with its checksum, whole or not at all."""
    with write_atomically(path, durable=False) as part:
        if mode is not None:
            part.chmod(mode)
        part.write_text(sealed(said), encoding="utf-8")


def file_checksum(path: Path) -> int:
    """Return the checksum of a file; 0 of one that cannot be read."""
    found = 0
    try:
        with regular(path).open("rb") as stream:
            while block := stream.read(_BLOCK):
                found = crc32(block, found)
    except OSError:
        return 0
    return found


def read_sealed(path: Path, limit: int = MAX_FILE_BYTES) -> dict[str, Any] | None:
    """Return the object of a sealed file; None if it is not there, or not as it was written."""
    try:
        return unsealed(read_bytes(path, limit))
    except (StemmataError, ValueError, RecursionError):
        return None
