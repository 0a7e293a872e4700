"""Collections of documents as they come, as one stream: folders, archives, records, single files.

Only one document is held at a time, or a few where several processes read them. A file that cannot be read is
reported with its reason, and the rest goes on.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from stemmata.formats.archives import (
    StopArchiveError,
    is_archive,
    member_reported,
    read_member,
    read_members,
)
from stemmata.formats.document_records import is_records, read_json_lines, read_records
from stemmata.formats.faults import Report, reported
from stemmata.formats.files import is_folder, opened
from stemmata.formats.parquet_rows import parquet_rows
from stemmata.formats.rich_documents import (
    RichDocument,
    is_document,
    read_rich_document,
    rich_document,
)
from stemmata.formats.source_documents import SourceDocument, name_fault
from stemmata.model import ErrorCode, Finding, StemmataError
from stemmata.model.processes import Processes

__all__ = ["SourceDocument", "count_documents", "name_fault", "read_collection"]

_AT_ONCE = 64
"""Files that several processes read before the first is handed on."""
_PLAIN = (".txt", ".md")
"""Endings of files that are read sooner than sent to another process."""


class _File(NamedTuple):
    """A file of a collection, and the name of its document, or of what leads to its documents."""

    name: str
    path: Path


def read_collection(paths: Iterable[str | Path], report: Report, jobs: int = 1) -> Iterator[SourceDocument]:
    """Yield the documents of folders, archives, files of records and single files, one after the other.

    Parameters
    ----------
    paths
        What to read. The documents of a folder are named by their paths in it, those of an archive by their
        names in it, records by their ids, a single file by its name.
    report
        Told of each file, member or record that cannot be read.
    jobs
        Processes that read documents of office programs; the order does not depend on it.

    Notes
    -----
    In folders and archives, hidden files and files whose names end in no known way are passed over.
    """
    with Processes(jobs) as processes:
        pending: list[_File] = []
        for file in _files(paths, report):
            document = not is_archive(file.path) and not is_records(file.path)
            if document:
                pending.append(file)
            if pending and (not document or len(pending) >= (_AT_ONCE if jobs > 1 else 1)):
                yield from _named(_read_files(pending, processes, jobs, report), report)
                pending = []
            if not document:
                yield from _named(_contents(file, report), report)
        yield from _named(_read_files(pending, processes, jobs, report), report)


def count_documents(paths: Iterable[str | Path]) -> int:
    """Count the documents of a collection without reading them, to tell how far one has come."""
    count = 0
    for file in _files(paths, lambda _: None):
        if is_archive(file.path):
            count += sum(is_document(member.name) for member in read_members(file.path, lambda _: None))
        elif is_records(file.path):
            with suppress(StemmataError):
                count += _count_records(file.path)
        else:
            count += 1
    return count


def _count_records(path: Path) -> int:
    if path.name.lower().endswith(".parquet"):
        with parquet_rows(path) as rows:
            return sum(rows.group_rows)
    with opened(path) as stream:
        return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))


def _files(paths: Iterable[str | Path], report: Report) -> Iterator[_File]:
    for path in map(Path, paths):
        with reported(report):
            if is_folder(path):
                yield from _files_below(path, "", report)
            else:
                yield _File("" if is_archive(path) else path.name, path)


def _files_below(folder: Path, prefix: str, report: Report) -> Iterator[_File]:
    """Yield what is in a folder, sorted; links to folders are not followed, because they can form rings."""
    try:
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError as error:
        report(Finding.of(ErrorCode.UNREADABLE, folder, reason=error.strerror or str(error)))
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        name = prefix + entry.name
        if entry.is_dir(follow_symlinks=False):
            yield from _files_below(Path(entry.path), f"{name}/", report)
        elif (is_archive(name) or is_records(name) or is_document(name)) and not entry.is_dir():
            yield _File(f"{name}/" if is_archive(name) else name, Path(entry.path))


def _read_files(
    files: list[_File], processes: Processes, jobs: int, report: Report
) -> Iterator[SourceDocument]:
    """Yield documents in the order of their files."""
    far = [
        place for place, file in enumerate(files) if jobs > 1 and not file.path.name.lower().endswith(_PLAIN)
    ]
    read = {
        far[number]: answer
        for number, answer in processes.completed(_attempt, [(files[place].path,) for place in far], str)
    }
    for place, file in enumerate(files):
        answer = read.pop(place, None) or _attempt(file.path)
        if isinstance(answer, Finding):
            report(answer)
        else:
            yield _source(file.name, answer)


def _attempt(path: Path) -> RichDocument | Finding:
    try:
        return read_rich_document(path)
    except StemmataError as error:
        return error.finding


def _contents(file: _File, report: Report) -> Iterator[SourceDocument]:
    """Yield the documents in an archive or a file of records."""
    if not is_archive(file.path):
        yield from read_records(file.path, report)
        return
    with suppress(StopArchiveError):
        yield from _members(file, report)


def _members(file: _File, report: Report) -> Iterator[SourceDocument]:
    for member in read_members(file.path, report):
        place = file.path / member.name
        if member.name.lower().endswith((".jsonl", ".ndjson")):
            with member_reported(file.path, member, report):
                yield from read_json_lines(member.stream, place, report)
        elif is_archive(member.name) or is_records(member.name):
            reason = "archives and Parquet files in archives are not opened"
            report(Finding.of(ErrorCode.ARCHIVE_TOO_MUCH, file.path, name=member.name, reason=reason))
        elif is_document(member.name):
            with member_reported(file.path, member, report):
                yield _source(file.name + member.name, rich_document(read_member(member), place))


def _source(name: str, document: RichDocument) -> SourceDocument:
    return SourceDocument(
        name,
        document.text,
        title=document.title,
        author=document.author,
        date=document.date,
        pages=document.pages,
        format=document.format,
    )


def _named(documents: Iterable[SourceDocument], report: Report) -> Iterator[SourceDocument]:
    """Pass on documents whose names can be shown and written down."""
    for document in documents:
        if reason := name_fault(document.name):
            details = {"name": document.name[:200], "reason": reason}
            report(Finding.of(ErrorCode.BAD_DOCUMENT_NAME, None, **details))
        else:
            yield document
