"""What one document may cost: some megabytes can be written so that they become gigabytes, or take hours."""

from __future__ import annotations

MAX_CHARACTERS = 32 * 1024 * 1024
"""Of text that comes out of a document."""
MAX_STEPS = 4_000_000
"""Elements, tags, control words and such that are looked at; a book has some hundred thousand."""


class AllowanceError(Exception):
    """A document costs more than is allowed; says what."""


class Allowance:
    """What is left for one document; the same for every format, and on every machine."""

    def __init__(self) -> None:
        self._steps = MAX_STEPS
        self._characters = MAX_CHARACTERS

    def step(self) -> None:
        """Take one step."""
        self._steps -= 1
        if self._steps < 0:
            raise AllowanceError(f"it has more than {MAX_STEPS:,} elements or marks")

    def text(self, text: str) -> str:
        """Take some text, and return it."""
        self._characters -= len(text)
        if self._characters < 0:
            raise AllowanceError(f"it has more than {MAX_CHARACTERS:,} characters")
        return text
