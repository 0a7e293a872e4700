"""Source retrieval: which sources a document has, and which a system returned, best first.

Two forms are read and written. PlagEvalRus keeps a folder of JSON, one file per document::

    {"suspicious-document": "X.txt", "plagiarism": [{"id": "17"}, …]}            truth
    {"suspicious-document": "X.txt", "detected-plagiarism": [{"id": "17"}, …]}   run, in ranked order

TREC keeps one file of lines: ``document 0 source relevance`` in a truth (qrels), and
``document Q0 source rank score tag`` in a run. ``X.txt`` and ``X`` name the same document; other programs
that read TREC's lines take them for two, which is why these are written with the names as they are.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal, NamedTuple

from stemmata.formats.faults import Report, fault, reported
from stemmata.formats.files import is_folder, read_text, write_atomically, write_folder_atomically
from stemmata.formats.folders import entries
from stemmata.formats.json_text import encodable, read_json
from stemmata.formats.records import RECORD
from stemmata.model import ErrorCode, Place, Ranked, StemmataError, document_key

RetrievalFormat = Literal["json", "trec"]

_DOCUMENT = "suspicious-document"
_SOURCES = "plagiarism"
_RANKING = "detected-plagiarism"
_QRELS = "document 0 source relevance"
_RUN = "document Q0 source rank score tag"
_SHOWN = 80

_is_number = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?").fullmatch
_is_file_name = re.compile(r"[\w(][\w(). ,;=+-]{,60}").fullmatch
_looks_like_json = re.compile(r"\s*[\[{]").match
_is_whole = re.compile(r"[+-]?[0-9]{1,18}").fullmatch


class _Entry(NamedTuple):
    """One source that is named for a document."""

    source: str
    place: Place
    relevant: bool = True
    order: tuple[float, int] = (0.0, 0)


def read_sources(path: str | Path, report: Report | None = None) -> dict[str, list[str]]:
    """Read a truth: the sources of each document, by the document's name without ``.txt``.

    A source that is named twice counts once. In TREC's qrels a source has a relevance above 0, and a
    document all of whose lines say 0 has no source; JSON says so with an empty list.

    Parameters
    ----------
    path
        A folder of JSON, one JSON file, or a file of qrels.
    report
        Receives what is wrong; without it the first wrong thing is raised.
    """
    sources = {}
    for document, named in _read(Path(path), _SOURCES, report).items():
        said: dict[str, bool] = {}
        for entry in named:
            if said.setdefault(entry.source, entry.relevant) != entry.relevant:
                _repeated(document, entry, report)
        sources[document] = [source for source, relevant in said.items() if relevant]
    return sources


def read_rankings(path: str | Path, report: Report | None = None) -> dict[str, list[str]]:
    """Read a run: the sources returned for each document, best first.

    JSON lists them in that order. TREC's lines are ordered by score, the highest first, among equal
    scores by rank, and among equal ranks as they stand in the file. A source that is returned twice
    for one document is an error, since it would count twice.

    Parameters
    ----------
    path
        A folder of JSON, one JSON file, or a file of a TREC run.
    report
        Receives what is wrong; without it the first wrong thing is raised.
    """
    rankings = {}
    for document, named in _read(Path(path), _RANKING, report).items():
        ranking: dict[str, None] = {}
        for entry in sorted(named, key=lambda entry: entry.order):
            if entry.source in ranking:
                _repeated(document, entry, report)
            ranking[entry.source] = None
        rankings[document] = list(ranking)
    return rankings


def _repeated(document: str, entry: _Entry, report: Report | None) -> None:
    details = {"document": document, "source": entry.source[:_SHOWN]}
    fault(report, ErrorCode.REPEATED_SOURCE, entry.place, **details)


def _read(path: Path, key: str, report: Report | None) -> dict[str, list[_Entry]]:
    """Return what is named for each document, documents sorted."""
    if is_folder(path):
        files = entries(path, "*.json")
        found, empty = _json_files(files, key, report), not files
    else:
        text = read_text(path).removeprefix("\ufeff")
        is_json = path.suffix == ".json" or _looks_like_json(text)
        found = _json_files([path], key, report) if is_json else _trec(text, path, key, report)
        empty = not is_json and not text.strip()
    if empty:
        fault(report, ErrorCode.NO_SOURCES, path, what="truth" if key == _SOURCES else "run")
    return dict(sorted(found.items()))


def _json_files(files: Iterable[Path], key: str, report: Report | None) -> dict[str, list[_Entry]]:
    found: dict[str, list[_Entry]] = {}
    first: dict[str, Path] = {}
    for file in files:
        with reported(report):
            document, sources = _json(read_json(file), file, key)
            if document in first:
                details = {"document": document, "first": first[document]}
                raise StemmataError(ErrorCode.REPEATED_DOCUMENT, file, **details)
            first[document] = file
            found[document] = [_Entry(source, Place(str(file))) for source in sources]
    return found


def _json(value: Any, file: Path, key: str) -> tuple[str, list[str]]:
    """Return the document a PlagEvalRus file is about, and the ids it lists."""
    said = value if isinstance(value, dict) else {}
    document, listed = said.get(_DOCUMENT), said.get(key)
    if not isinstance(document, str) or not document:
        raise StemmataError(ErrorCode.BAD_SOURCES, file, reason=f"it names no {_DOCUMENT!r}")
    if not isinstance(listed, list):
        raise StemmataError(ErrorCode.BAD_SOURCES, file, reason=f"it has no list {key!r}")
    ids = [one.get("id") if isinstance(one, dict) else None for one in listed]
    for number, one in enumerate(ids, start=1):
        if isinstance(one, bool) or not isinstance(one, str | int) or one == "":
            raise StemmataError(ErrorCode.BAD_SOURCES, file, reason=f"entry {number} of {key!r} has no id")
    return document_key(document), [str(one) for one in ids]


def _trec(text: str, path: Path, key: str, report: Report | None) -> dict[str, list[_Entry]]:
    found: dict[str, list[_Entry]] = {}
    entry_of = _judgement if key == _SOURCES else _returned
    for number, line in enumerate(text.split("\n"), start=1):
        if words := line.split():
            with reported(report):
                entry = entry_of(words, Place(str(path), line=number))
                found.setdefault(document_key(words[0]), []).append(entry)
    return found


def _judgement(words: list[str], place: Place) -> _Entry:
    """Read a line of qrels."""
    if len(words) != 4:
        raise _bad_line(words, place, "qrels", _QRELS, f"it has {len(words)} columns, not 4")
    if not _is_whole(words[3]):
        raise _bad_line(words, place, "qrels", _QRELS, "its relevance is no whole number")
    return _Entry(words[2], place, relevant=int(words[3]) > 0)


def _returned(words: list[str], place: Place) -> _Entry:
    """Read a line of a run."""
    if len(words) != 6:
        raise _bad_line(words, place, "run", _RUN, f"it has {len(words)} columns, not 6")
    if not _is_whole(words[3]):
        raise _bad_line(words, place, "run", _RUN, "its rank is no whole number")
    if not _is_number(words[4]) or not math.isfinite(float(words[4])):
        raise _bad_line(words, place, "run", _RUN, "its score is no finite number")
    return _Entry(words[2], place, order=(-float(words[4]), int(words[3])))


def _bad_line(words: list[str], place: Place, what: str, columns: str, reason: str) -> StemmataError:
    details = {"text": " ".join(words)[:_SHOWN], "what": what, "columns": columns, "reason": reason}
    return StemmataError(ErrorCode.BAD_TREC_LINE, place, **details)


def write_sources(
    path: str | Path,
    sources: Mapping[str, Iterable[str]],
    format: RetrievalFormat = "json",  # noqa: A002
) -> None:
    """Write a truth, whole or not at all; the same sources give the same bytes.

    JSON makes a folder, TREC a file of qrels, which has no line for a document without sources.
    """
    if format == "json":
        _write_json(path, sources, _SOURCES)
    else:
        rows = (
            (name, "0", source, "1") for name, _, listed in _checked(path, sources) for source, _ in listed
        )
        _write_lines(path, rows)


def write_rankings(
    path: str | Path,
    rankings: Mapping[str, Iterable[str | Ranked]],
    format: RetrievalFormat = "json",  # noqa: A002
    tag: str = "stemmata",
) -> None:
    """Write a run, whole or not at all; the same rankings give the same bytes.

    JSON makes a folder. TREC makes a file that has no line for a document for which nothing was
    returned; `tag` names the system, and scores are those of the sources, or count down to 1 where these have
    none. Since it is scores that other programs order by, none is written higher than the one before it.
    """
    if format == "json":
        _write_json(path, rankings, _RANKING)
    else:
        rows = (
            (name, "Q0", source, str(rank), repr(score), tag)
            for name, _, ranking in _checked(path, rankings)
            for rank, ((source, _), score) in enumerate(zip(ranking, _falling(ranking), strict=True), start=1)
        )
        _write_lines(path, rows)


_Scored = tuple[str, float | None]


def _falling(ranking: list[_Scored]) -> Iterator[float]:
    """Yield the scores of a ranking, whole numbers down to 1 if it has none."""
    scores = [len(ranking) - n if score is None else float(score) for n, (_, score) in enumerate(ranking)]
    return accumulate(scores, min)


def _checked(
    path: str | Path, listed: Mapping[str, Iterable[str | Ranked]]
) -> Iterator[tuple[str, str, list[_Scored]]]:
    """Yield documents, sorted, by name and key, with their sources; refuse what the readers would refuse."""
    documents: dict[str, str] = {}
    for name in sorted(listed):
        document = document_key(name)
        ranking: list[_Scored] = [(one, None) if isinstance(one, str) else one for one in listed[name]]
        sources = [source for source, _ in ranking]
        if document in documents:
            details = {"document": document, "first": documents[document]}
            raise StemmataError(ErrorCode.REPEATED_DOCUMENT, path, **details)
        documents[document] = name
        if len(set(sources)) < len(sources):
            source = next(source for source, count in Counter(sources).items() if count > 1)
            _repeated(document, _Entry(source, Place(str(path))), None)
        yield name, document, ranking


def _write_lines(path: str | Path, rows: Iterable[tuple[str, ...]]) -> None:
    with write_atomically(path) as part, part.open("w", encoding="utf-8", newline="\n") as stream:
        for row in rows:
            for word in row:
                if word.split() != [word] or not encodable(word):
                    raise StemmataError(ErrorCode.UNWRITABLE_ID, path, value=word[:_SHOWN])
            stream.write(" ".join(row) + "\n")


def _write_json(path: str | Path, listed: Mapping[str, Iterable[str | Ranked]], key: str) -> None:
    """Write a file per document, called after it, or numbered where that is no name for a file."""
    with write_folder_atomically(path) as part:
        for number, (_, document, ranking) in enumerate(_checked(path, listed), start=1):
            sources = [source for source, _ in ranking]
            for word in (document, *sources):
                if not word or not encodable(word):
                    raise StemmataError(ErrorCode.UNWRITABLE_ID, path, value=word[:_SHOWN])
            name = document if _is_file_name(document) else f" {number}"
            name = f"{name}.txt" if f"{name}.json" == RECORD else name
            said = {_DOCUMENT: f"{document}.txt", key: [{"id": source} for source in sources]}
            text = json.dumps(said, ensure_ascii=False) + "\n"
            (part / f"{name}.json").write_text(text, encoding="utf-8", newline="\n")
