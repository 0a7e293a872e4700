"""Sentences: where they start and end in the raw text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np

from stemmata.model.spans import Ints
from stemmata.text.languages import languages
from stemmata.text.sentence_rules import split_by_rules

Splitter = Callable[[str], Iterable[tuple[int, int]]]

_WINDOW = 1 << 14
"""Splitters read this many characters at a time, as the time of some grows with the square of their text."""
_LONG_ROW = re.compile(r"[^\w\s]{48,}")
_ROW_END = 8


def find_sentences(text: str, language: str = "en", rules: bool = False) -> tuple[Ints, Ints]:
    """Return the offsets where sentences start and end, in order and without the space around them.

    Everything but space lies in a sentence. English is split by nupunkt and Russian by razdel; other
    languages, and Russian where razdel is not installed, by `split_by_rules`. A sentence of more
    than 16,384 characters is cut.

    Parameters
    ----------
    text
        Any text.
    language
        The code of a language pack.
    rules
        Split by rules whatever is installed.

    Examples
    --------
    >>> text = "Dr. Smith left. Nobody knew why!"
    >>> [text[start:end] for start, end in zip(*find_sentences(text))]
    ['Dr. Smith left.', 'Nobody knew why!']
    """
    code = languages[language].code
    splitter = partial(split_by_rules, language=code) if rules else _splitter(code)
    # A long row of marks tells no more than its last ones; shown whole, it would take forever.
    shown = _LONG_ROW.sub(lambda row: "_" * (len(row[0]) - _ROW_END) + row[0][-_ROW_END:], text)
    return _trimmed(text, _by_windows(shown, splitter))


@cache
def _splitter(language: str) -> Splitter:
    if language == "en" and (nupunkt := _installed("nupunkt")):
        spans: Splitter = nupunkt.sent_spans
        return spans
    if language == "ru" and (razdel := _installed("razdel")):
        return lambda text: ((one.start, one.stop) for one in razdel.sentenize(text))
    return partial(split_by_rules, language=language)


def _installed(package: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        return None


def _by_windows(text: str, splitter: Splitter) -> Iterator[tuple[int, int]]:
    """Split piece by piece, each piece from the start of the sentence that the one before left open."""
    offset = 0
    while offset < len(text):
        piece = text[offset : offset + _WINDOW]
        spans = list(splitter(piece))
        if offset + len(piece) < len(text):
            if len(spans) > 1:
                piece = piece[: spans.pop()[0]]
            else:
                # Cut a sentence without end between words, if it has any.
                piece = piece[: len(piece.rpartition(" ")[0]) or len(piece)]
                spans = [(0, len(piece))]
        yield from ((offset + start, offset + end) for start, end in spans)
        offset += len(piece)


def _trimmed(text: str, spans: Iterable[tuple[int, int]]) -> tuple[Ints, Ints]:
    """Take the space off both ends of spans, and leave out those of nothing else."""
    starts, ends = [], []
    for start, end in spans:
        sentence = text[start:end]
        stripped = sentence.lstrip()
        if stripped:
            starts.append(end - len(stripped))
            ends.append(start + len(sentence.rstrip()))
    return np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
