"""Numbers of things in words, as messages and headings have them."""

from __future__ import annotations

import re


def counted(count: int, what: str, many: str = "") -> str:
    """Return how many there are of something, in words.

    Examples
    --------
    >>> counted(1, "word"), counted(1200, "word"), counted(0, "index", "indexes")
    ('1 word', '1,200 words', '0 indexes')
    """
    return f"{count:,} {what if count == 1 else many or what + 's'}"


def tally(count: int, many: str) -> str:
    """Return how many there are of what is called by its plural.

    Examples
    --------
    >>> tally(1, "documents"), tally(2, "passages"), tally(1, "corpora"), tally(1, "same author")
    ('1 document', '2 passages', '1 corpus', '1 same author')
    """
    return f"{count:,} {_ONE.get(many, many.removesuffix('s')) if count == 1 else many}"


_ONE = {"corpora": "corpus", "indexes": "index", "queries": "query", "essays": "essay"}


_NOUNS = "bytes|characters|documents|files|folds|grades|pairs|parts|paths|pieces|problems|sets|texts|words"
_SINGLE = re.compile(rf"(?<![\w.,])1 ({_NOUNS})\b")


def in_number(message: str) -> str:
    """Return a message in which a single thing is not called by its plural.

    Examples
    --------
    >>> in_number("there is an index of 1 documents already"), in_number("101 documents")
    ('there is an index of 1 document already', '101 documents')
    """
    return _SINGLE.sub(lambda found: found.group()[:-1], message)
