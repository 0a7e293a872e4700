"""What a system did to find sources on the web: PAN13–15's logs of queries and downloads.

One file per suspicious document, ``suspicious-document001.log``, one event per line: the time in
seconds, a blank, and the text of a query or the address of a page that was downloaded::

    1358326592 barack obama family tree
    1358326597 http://webis15.medien.uni-weimar.de/chatnoir/clueweb?id=110212744
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, NamedTuple

from stemmata.formats.faults import Report, fault, reported
from stemmata.formats.files import is_folder, read_text
from stemmata.formats.folders import entries
from stemmata.model import ErrorCode, Place

_event = re.compile(r"\s*[0-9]+(?:\.[0-9]*)?\s+(\S.*)").fullmatch
_is_address = re.compile(r"(?i:https?)://\S+").fullmatch
_page_of_clueweb = re.compile(r"/clueweb(?:/id/|\?id=)([\w-]+)").search


class Event(NamedTuple):
    """A query, with its text, or a download, with the id of the page."""

    kind: Literal["query", "download"]
    id: str


def read_search_log(path: str | Path, report: Report | None = None) -> dict[str, list[Event]]:
    """Read the events of each document, in their order, by the document's name without ``.txt``.

    The id of a page is its address, except that PAN's own copies of the ClueWeb go by the number
    the address ends in.

    Parameters
    ----------
    path
        One ``.log`` file, or a folder of them.
    report
        Receives what is wrong; without it the first wrong thing is raised.
    """
    path = Path(path)
    files = entries(path, "*.log") if is_folder(path) else [path]
    if not files:
        fault(report, ErrorCode.NO_SOURCES, path, what="log")
    events: dict[str, list[Event]] = {}
    for file in files:
        with reported(report):
            events[file.stem] = []
            for number, line in enumerate(read_text(file).removeprefix("\ufeff").split("\n"), start=1):
                if match := _event(line.strip()):
                    events[file.stem].append(_read(match[1].strip()))
                elif line.strip():
                    place = Place(str(file), line=number)
                    fault(report, ErrorCode.BAD_LOG_LINE, place, text=line.strip()[:80])
    return events


def _read(said: str) -> Event:
    if not _is_address(said):
        return Event("query", said)
    page = _page_of_clueweb(said)
    return Event("download", page[1] if page else said)
