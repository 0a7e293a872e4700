"""XML from anyone as a series of events: no tree is built, and no tag may have millions of attributes."""

from __future__ import annotations

from typing import Protocol
from xml.parsers.expat import ExpatError, ParserCreate

from stemmata.formats.allowance import Allowance

MAX_TAG_BYTES = 4 * 1024 * 1024
"""A tag with its attributes; one of them can hold millions."""
_PIECE = 1 << 20


class Events(Protocol):
    """What is given the elements and the text, in their order."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take an element that begins."""

    def end(self, tag: str) -> None:
        """Take an element that ends."""

    def data(self, text: str) -> None:
        """Take a piece of text."""


class BadXmlError(Exception):
    """The text is no XML that can be used: the reason, and the line."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


class DoctypeError(Exception):
    """There is a document type declaration, by which entities could be declared."""


def xml_events(data: bytes, events: Events, with_text: bool = True) -> None:
    """Give the events of UTF-8 bytes to `events`; names are written as ``{namespace}name``.

    Without a document type no entity can be declared, so nothing expands and nothing is fetched.

    Raises
    ------
    BadXmlError, DoctypeError, AllowanceError
        If it is no XML, has a document type, or has too many elements.
    """
    parser = ParserCreate("utf-8", "}")
    names: dict[str, str] = {}
    allowance = Allowance()

    def full(name: str) -> str:
        known = names.get(name)
        if known is None:
            known = names[name] = f"{{{name}" if "}" in name else name
        return known

    def start(name: str, attributes: dict[str, str]) -> None:
        allowance.step()
        if any("}" in key for key in attributes):
            attributes = {full(key): value for key, value in attributes.items()}
        events.start(full(name), attributes)

    def refuse(*_: object) -> None:
        raise DoctypeError

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: events.end(full(name))
    parser.StartDoctypeDeclHandler = refuse
    if with_text:
        parser.buffer_text = True
        parser.CharacterDataHandler = events.data
    try:
        for at in range(0, max(1, len(data)), _PIECE):
            fed = at + _PIECE
            parser.Parse(data[at:fed], fed >= len(data))
            if fed < len(data) and fed - parser.CurrentByteIndex > MAX_TAG_BYTES:
                raise BadXmlError(
                    f"it has a tag of more than {MAX_TAG_BYTES:,} bytes", parser.CurrentLineNumber
                )
    except ExpatError as error:
        raise BadXmlError(str(error).partition(":")[0], error.lineno) from None
