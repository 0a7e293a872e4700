"""The documents of a collection, wherever they come from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_NAME_CHARACTERS = 1024
_BAD_IN_NAMES = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document of a collection.

    Attributes
    ----------
    name
        The name by which it is known in the collection.
    text
        Its text.
    title, author, url, date
        What is known of it; empty if nothing.
    pages
        The offsets where pages start, the first 0; empty if there are no pages.
    format
        What it was read from, such as ``"pdf"``.
    extra
        Whatever else was said of it.
    """

    name: str
    text: str
    title: str = ""
    author: str = ""
    url: str = ""
    date: str = ""
    pages: tuple[int, ...] = ()
    format: str = "text"
    extra: Mapping[str, Any] = field(default_factory=dict)


def name_fault(name: str) -> str:
    r"""Return what is wrong with the name of a document; empty if nothing is.

    Examples
    --------
    >>> name_fault("essays/a.txt"), name_fault("a\nb")
    ('', 'it has a control character')
    """
    if not name.strip():
        return "it is empty"
    if _BAD_IN_NAMES.search(name):
        return "it has a control character"
    return "it is too long" if len(name) > MOST_NAME_CHARACTERS else ""
