"""PDF by pypdf, in a process of its own: a file made to harm can only use up what that process may have."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path

from stemmata.formats.rich_documents import RichDocument, bad_document
from stemmata.model import ErrorCode, StemmataError

MAX_PAGES = 10_000
MAX_CHARACTERS = 32 * 1024 * 1024
MAX_SECONDS = 120
"""Of processor time; a page of print takes some hundredths."""
MAX_MEMORY = 2 * 1024 * 1024 * 1024
_PROGRAM = Path(__file__).with_name("pdf_process.py")
_PATIENCE = 4
"""How many times the processor time may pass on the clock, where other work has the processor too."""


def read_pdf(data: bytes, path: str | Path) -> RichDocument:
    """Read PDF; needs the extra ``documents``. A document that opens without a password is read."""
    if find_spec("pypdf") is None:
        raise StemmataError(
            ErrorCode.MISSING_EXTRA, path, what="reading PDF", package="pypdf", extra="documents"
        )
    limits = (MAX_PAGES, MAX_CHARACTERS, MAX_SECONDS, MAX_MEMORY)
    try:
        done = subprocess.run(  # noqa: S603 (our own program)
            [sys.executable, "-P", str(_PROGRAM), *map(str, limits)],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE * MAX_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _too_much(path, "it took too long") from None
    if done.returncode < 0:
        raise _too_much(path, f"it took more than {MAX_SECONDS} seconds or too much memory")
    try:
        said = json.loads(done.stdout)
    except ValueError:
        raise bad_document(path, "pdf", "the program that reads it failed") from None
    if "trouble" in said:
        raise _trouble(path, said["trouble"], said["reason"])
    texts = [page.strip("\n") + "\n" if page.strip() else "" for page in said["pages"]]
    return RichDocument(
        "".join(texts),
        "pdf",
        (0, *accumulate(map(len, texts[:-1]))),
        said["title"],
        said["author"],
        said["date"],
        tuple(said["unread"]),
    )


def _trouble(path: str | Path, kind: str, reason: str) -> StemmataError:
    if kind == "encrypted":
        return StemmataError(ErrorCode.ENCRYPTED_DOCUMENT, path)
    return _too_much(path, reason) if kind == "too much" else bad_document(path, "pdf", reason)


def _too_much(path: str | Path, reason: str) -> StemmataError:
    return StemmataError(ErrorCode.DOCUMENT_TOO_MUCH, path, reason=reason)
