"""The record of a result: what a command made, how and from what; by it a result is known again.

In a folder it is ``run.json``; in a page, drawing or PDF the last line; in JSON ``made_by``; for a file that
has room for none of these, a file beside it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from stemmata import __version__
from stemmata.formats.files import opened, write_atomically
from stemmata.formats.json_text import read_json
from stemmata.model import StemmataError

RECORD = "run.json"
"""The record in a folder."""
_BESIDE = ".run.json"
"""What the record of a file that has no room for one is called, behind the name of the file."""
_TAIL = 400
"""A mark lies in these last bytes of a file."""
MARKS = {".html": "<!-- {} -->", ".svg": "<!-- {} -->", ".pdf": "%{}"}
_MARK = re.compile(r"Stemmata [\w.+-]+; ([a-z0-9 -]+); ([0-9a-f]{16})(?:; [0-9a-f]+)*(?: -->|\"\s*\})?\s*\Z")
"""Nothing follows it: whoever wrote more has made the file their own."""
_CHUNK = 1 << 20
DIGITS = 32
"""So much of a digest is enough to know a file again."""


@dataclass(frozen=True)
class Making:
    """What is made, how and from what.

    Attributes
    ----------
    kind
        What the result is, such as ``alignment run``: only a result of the same kind is ever replaced.
    parameters
        All that decides the result but what it is made from.
    inputs
        What it is made from: names, and digests of the content where that is cheap to have.
    replaceable
        Whether a user may have it replaced by one that is made in another way.
    """

    kind: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    replaceable: bool = True

    @cached_property
    def record(self) -> dict[str, Any]:
        """The record as JSON has it."""
        made = {"kind": self.kind, "parameters": self.parameters, "inputs": self.inputs}
        return {"made_by": f"Stemmata {__version__}", **json.loads(json.dumps(made, default=str))}

    @property
    def digest(self) -> str:
        """Sixteen letters and digits that tell results of other parameters or inputs apart."""
        said = [self.record[key] for key in ("kind", "parameters", "inputs")]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def mark(self) -> str:
        """The record as a line has it."""
        return f"Stemmata {__version__}; {self.kind}; {self.digest}"


def is_record(path: Path) -> bool:
    """Tell whether a file is the record of a folder or a file that a command wrote."""
    try:
        return path.name.endswith(RECORD) and "made_by" in mapping_of(read_json(path))
    except StemmataError:
        return False


def names_of(*paths: Path | None) -> list[str]:
    """Return the names of inputs; where they lie makes no difference, and is nobody's business.

    Examples
    --------
    >>> names_of(Path("letters/./draft.txt"), None)
    ['draft.txt']
    """
    return [path.absolute().name for path in paths if path is not None]


def digest_of(texts: Iterable[str | bytes]) -> str:
    """Return what changes when one of many texts does, or their order.

    Examples
    --------
    >>> digest_of(["ab", "c"]) == digest_of(["a", "bc"])
    False
    """
    hasher = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        hasher.update(len(data).to_bytes(8, "little"))
        hasher.update(data)
    return hasher.hexdigest()[:16]


def mapping_of(value: Any) -> Mapping[str, Any]:
    """Return an object of JSON; of anything else nothing."""
    return value if isinstance(value, dict) else {}


def files_in(folder: Path) -> Iterator[str]:
    """Yield all that is not a folder, and folders with nothing in them, by their paths in the folder."""
    for place, folders, files in os.walk(folder):
        inside = Path(place).relative_to(folder)
        links = [name for name in folders if Path(place, name).is_symlink()]
        yield from ((inside / name).as_posix() for name in (*files, *links))
        if not folders and not files and inside.parts:
            yield f"{inside.as_posix()}/"


def listed_files(record: Mapping[str, Any]) -> list[str]:
    """Return the files that a record lists; as it may come from anyone, none that is elsewhere."""
    listed = record.get("files")
    return [
        one
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, str)
        and "\0" not in one
        and ".." not in PurePosixPath(one).parts
        and one[:1] != "/"
    ]


def mark_of(path: Path) -> tuple[str, str]:
    """Return of what kind a file is that we made, and the digest of how; nothing of any other."""
    try:
        if found := _MARK.search(tail_of(path)):
            return str(found[1]), str(found[2])
        record = mapping_of(read_json(beside(path)))
        if record.get("sha256") == sha256_of(path):
            return str(record.get("kind")), str(record.get("digest"))
    except (OSError, StemmataError):
        pass
    return "", ""


def tail_of(path: Path) -> str:
    """Return the end of a file, where its mark is; nothing if it cannot be read."""
    try:
        with opened(path) as stream:
            stream.seek(max(0, stream.seek(0, 2) - _TAIL))
            return stream.read(_TAIL).decode("latin-1")
    except StemmataError:
        return ""


def beside(path: Path) -> Path:
    """Return where the record of a file lies that has no room for one."""
    return path.with_name(path.name + _BESIDE)


def sha256_of(path: Path) -> str:
    """Return the digest of a file's content."""
    hasher = hashlib.sha256()
    with opened(path) as stream:
        for chunk in iter(lambda: stream.read(_CHUNK), b""):
            hasher.update(chunk)
    return hasher.hexdigest()


def write_record(path: Path, data: Mapping[str, Any]) -> None:
    """Write a record, whole or not at all."""
    with write_atomically(path) as part:
        text = json.dumps(data, ensure_ascii=False, indent=1)
        part.write_text(text + "\n", encoding="utf-8", newline="\n")
