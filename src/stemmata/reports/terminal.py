"""What may reach a terminal: text, and nothing that a terminal would obey."""

from __future__ import annotations

import re

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters except tab and line feed, and those that turn the direction of writing."""


def harmless(text: str) -> str:
    r"""Return a text with a replacement character for each that a terminal would obey.

    Names of files and what stands in them come from strangers: an escape sequence could clear the screen,
    change the title of the window, or show another name than the file has.

    Examples
    --------
    >>> harmless("\x1b[2Jname")
    '�[2Jname'
    """
    return _CONTROLS.sub("\ufffd", text)
