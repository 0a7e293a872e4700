"""What a file or folder is, told by how it is laid out and how it begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from stemmata.formats import obfuscation, pan_xml, verification
from stemmata.formats.files import is_folder, opened
from stemmata.formats.folders import entries, folders_in
from stemmata.formats.obfuscation_runs import obfuscation_files
from stemmata.model import ErrorCode, StemmataError

_OPENING = 65536


class Kind(Enum):
    """The formats that can be checked, by the name users read."""

    PAN_XML = "PAN XML"
    TABLE = "annotation table"
    PROBLEMS = "verification problems"
    TRUTH = "verification truth"
    ANSWERS = "verification answers"
    SAFETY = "PAN18 safety scores"
    SOURCES = "retrieval truth"
    RANKINGS = "retrieval run"
    SEARCH_LOG = "search log"
    OBFUSCATION = "obfuscation"
    PROTOTEXT = "prototext"


_BY_SUFFIX = {
    ".xml": Kind.PAN_XML,
    ".parquet": Kind.TABLE,
    ".log": Kind.SEARCH_LOG,
    ".prototext": Kind.PROTOTEXT,
}
_BY_KEY = {
    "obfuscation-id": Kind.OBFUSCATION,
    "detected-plagiarism": Kind.RANKINGS,
    "plagiarism": Kind.SOURCES,
    "pair": Kind.PROBLEMS,
    "same": Kind.TRUTH,
    "value": Kind.ANSWERS,
    "this_offset": Kind.TABLE,
}
_BY_LINE = {
    r"<": Kind.PAN_XML,
    r"measure\s*[:{]": Kind.PROTOTEXT,
    r"\S+ [qQ]0 \S+ \S+ \S+ \S+$": Kind.RANKINGS,
    r"\S+ \S+ \S+ [+-]?\d+$": Kind.SOURCES,
    r"\S+ [YN]$": Kind.TRUTH,
    r"\S+ [+-]?(nan|inf|[\d.]+(e[+-]?\d+)?)$": Kind.ANSWERS,
    r"[^\s,;]+ ?[,;] ?\"?[\d.]+(e[+-]?\d+)?\"?$": Kind.ANSWERS,
}
"""Lines, their white space squeezed, that only one format has."""


def recognise(path: str | Path) -> Kind:
    """Return what a path is; a folder of nothing known is taken for one of PAN XML without files."""
    path = Path(path)
    return _folder(path) if is_folder(path) else _file(path)


def _folder(path: Path) -> Kind:
    return next((kind for kind, sign in _signs(path) if sign), Kind.PAN_XML)


def _signs(path: Path) -> Iterator[tuple[Kind, bool]]:
    """Yield what a folder may be and whether it looks so, the surest signs first."""
    folders = folders_in(path)
    here_and_below = [path, *folders]
    yield Kind.PAN_XML, bool(pan_xml.xml_files(path))
    # PAN13's corpora have a folder 02-no-obfuscation; here a name follows the word.
    yield Kind.SAFETY, any(re.search("-obfuscation.", one.name) for one in folders)
    yield Kind.OBFUSCATION, any((one / obfuscation.FILE).is_file() for one in here_and_below)
    yield Kind.PROBLEMS, any(map(verification.is_problem, here_and_below))
    yield Kind.PROBLEMS, (path / verification.PAIRS_FILE).is_file()
    for file in entries(path, "*.json")[:1]:
        yield _file(file), True
    yield Kind.ANSWERS, any(map(verification.answer_file, here_and_below))
    yield Kind.TRUTH, verification.truth_file(path) is not None
    yield Kind.SEARCH_LOG, bool(entries(path, "*.log"))
    yield Kind.OBFUSCATION, any(True for _ in obfuscation_files(path))


def _file(path: Path) -> Kind:
    if path.suffix in _BY_SUFFIX:
        return _BY_SUFFIX[path.suffix]
    if path.name == obfuscation.FILE:
        return Kind.OBFUSCATION
    opening = _opening(path)
    if opening.lstrip()[:1] in ("{", "["):
        keys = re.findall(r'(?<!\\)"([\w-]+)"\s*:', opening)
        kind = next((kind for key, kind in _BY_KEY.items() if key in keys), None)
    else:
        kind = _by_lines(opening)
    if kind is Kind.TRUTH and path.stem.startswith("answers"):  # PAN13 let verifiers answer Y and N
        kind = Kind.ANSWERS
    if kind is None:
        raise StemmataError(ErrorCode.UNKNOWN_KIND, path)
    return kind


def _by_lines(opening: str) -> Kind | None:
    """Return the kind of the first line that only one kind has; a faulty line should not decide."""
    for line in opening.split("\n"):
        squeezed = " ".join(line.split())
        for pattern, kind in _BY_LINE.items():
            if re.match(pattern, squeezed, re.IGNORECASE):
                return kind
    return None


def _opening(path: Path) -> str:
    with opened(path) as stream:
        return stream.read(_OPENING).decode("utf-8", "replace").removeprefix("\ufeff")
