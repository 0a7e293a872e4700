"""The program that reads one PDF from its input and writes its pages as JSON; see `pdf_documents`.

It imports nothing of Stemmata, to start fast, and runs under limits of processor time and memory.
"""

from __future__ import annotations

import json
import logging
import re
import resource
import sys
from contextlib import suppress
from io import BytesIO
from typing import Any

_NO_TEXT = re.compile("[\0\xad\u200b\u2060\ufeff]")
_LONGEST = 1_000


def main(pages: int, characters: int, seconds: int, memory: int) -> None:
    """Read under the limits given, and write what there is or what is wrong."""
    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory)):
        # A system that has a lower limit already, or none of this kind, refuses.
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))
    # The library tells each oddity of a file that it can make up for.
    logging.disable(logging.CRITICAL)
    try:
        said = read(sys.stdin.buffer.read(), pages, characters)
    except MemoryError:
        said = trouble("too much", "it took too much memory")
    except RecursionError:
        said = trouble("bad", "it nests objects too deep")
    sys.stdout.buffer.write(json.dumps(said, ensure_ascii=False).encode())


def trouble(kind: str, reason: str) -> dict[str, Any]:
    """Return what is written where a document cannot be read."""
    return {"trouble": kind, "reason": " ".join(reason.split())[:120]}


class TroubleError(Exception):
    """What is wrong with a document: the kind of trouble, and the reason."""


def read(data: bytes, most_pages: int, most_characters: int) -> dict[str, Any]:
    """Return the pages of a document and what it says of itself, or the trouble with it."""
    try:
        reader, count = _open(data)
        if count > most_pages:
            raise TroubleError("too much", f"it has more than {most_pages:,} pages")
        return {**_pages(reader, count, most_characters), **_said(reader)}
    except TroubleError as error:
        return trouble(*error.args)


def _open(data: bytes) -> tuple[Any, int]:
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import DependencyError, FileNotDecryptedError, LimitReachedError

    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
            raise TroubleError("encrypted", "")
        return reader, len(reader.pages)
    except (TroubleError, MemoryError, RecursionError):
        raise
    except (DependencyError, FileNotDecryptedError):
        raise TroubleError("encrypted", "") from None
    except LimitReachedError as error:
        raise TroubleError("too much", str(error)) from None
    # The library follows references wherever they lead, and fails there in its own way.
    except Exception as error:
        raise TroubleError("bad", str(error) or type(error).__name__) from None


def _pages(reader: Any, count: int, most_characters: int) -> dict[str, Any]:
    texts: list[str] = []
    unread: list[int] = []
    length = 0
    for number in range(count):
        try:
            text = reader.pages[number].extract_text()
        except (MemoryError, RecursionError):
            raise
        except Exception:
            text = ""
            unread.append(number + 1)
        # Fonts may claim to show half of a pair of surrogates.
        text = _NO_TEXT.sub("", text).encode("utf-8", errors="replace").decode("utf-8")
        length += len(text)
        if length > most_characters:
            raise TroubleError("too much", f"it has more than {most_characters:,} characters")
        texts.append(text)
    if len(unread) == len(texts):
        raise TroubleError("bad", "none of its pages can be read")
    return {"pages": texts, "unread": unread}


def _said(reader: Any) -> dict[str, str]:
    said = {"title": "", "author": "", "date": ""}
    try:
        about = reader.metadata
        if about is not None:
            said["title"] = _line(about.title)
            said["author"] = _line(about.author)
            said["date"] = about.creation_date.isoformat() if about.creation_date else ""
    except (MemoryError, RecursionError):
        raise
    except Exception:
        return said
    return said


def _line(value: object) -> str:
    text = " ".join(str(value or "").split())[:_LONGEST]
    return text.encode("utf-8", errors="replace").decode("utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
