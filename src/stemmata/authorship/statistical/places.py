"""Where the features of a family stand in a text: what a family counts, with offsets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import singledispatch

import numpy as np

from stemmata.authorship.families import (
    Affixes,
    Characters,
    Distorted,
    Family,
    FunctionWords,
    PartsOfSpeech,
    Punctuation,
    SentenceLengths,
    Shapes,
    TokenGrams,
    WordGrams,
    WordLengths,
)
from stemmata.authorship.statistical.habits import (
    LETTERS,
    NUMBER,
    TOKEN,
    Frames,
    Layout,
    Openings,
    Outlines,
    framed,
    is_laid_out,
    outlined,
)
from stemmata.authorship.writings import Writing
from stemmata.model import Span
from stemmata.model.spans import Ints
from stemmata.text.words import find_words

_gap = re.compile(r"\s+")
_word = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_mark = re.compile(r"[^\w\s]")
_digit = re.compile(r"\d")

Located = Iterator[tuple[str, tuple[Span, ...]]]


@singledispatch
def located(family: Family, writing: Writing) -> Located:
    """Yield every feature that a family counts in a text, with its place; nothing of families without places.

    Features are named as the family names them. One that skips what stands between has several spans.

    Examples
    --------
    >>> list(located(WordGrams(2), Writing("Is it  mine?")))
    [('is it', (Span(start=0, end=5),)), ('it mine', (Span(start=3, end=11),))]
    """
    return iter(())


@located.register
def _(family: WordGrams, writing: Writing) -> Located:
    words = _words(writing)
    if not family.stop:
        words = [one for one in words if one[0] not in writing.pack.stop_words]
    return _runs(words, family.size)


@located.register
def _(family: FunctionWords, writing: Writing) -> Located:
    kept = writing.pack.function_words
    return _skipping([one for one in _words(writing) if one[0] in kept], family.size)


@located.register
def _(family: Affixes, writing: Writing) -> Located:
    for word, (start, end) in _words(writing):
        if len(word) > family.size:
            if family.last:
                yield word[-family.size :], (Span(end - family.size, end),)
            else:
                yield word[: family.size], (Span(start, start + family.size),)


@located.register
def _(family: WordLengths, writing: Writing) -> Located:
    return ((str(min(len(word), 20)), (span,)) for word, span in _words(writing))


@located.register
def _(family: Punctuation, writing: Writing) -> Located:
    marks = [(found.group(), Span(*found.span())) for found in _mark.finditer(writing.text)]
    return _skipping(marks, family.size)


@located.register
def _(family: Shapes, writing: Writing) -> Located:
    # A shape is that of the token by itself, so that a text of one token names it.
    tokens = [
        (next(iter(Shapes(1).count(_Token(found.group(), writing)))), Span(*found.span()))
        for found in TOKEN.finditer(writing.text)
    ]
    return _runs(tokens, family.size)


@located.register
def _(family: TokenGrams, writing: Writing) -> Located:
    tokens = [token.lower() if family.lower else token for token in writing.tokens]
    return _runs(_beside(tokens, writing), family.size)


@located.register
def _(family: PartsOfSpeech, writing: Writing) -> Located:
    return _runs(_beside(writing.tags, writing), family.size)


@located.register
def _(family: Frames, writing: Writing) -> Located:
    return _runs(_beside(framed(writing), writing), family.size)


@located.register
def _(family: Openings, writing: Writing) -> Located:
    return ((term, (span,)) for term, span in family.placed(writing))


@located.register
def _(family: SentenceLengths, writing: Writing) -> Located:
    found, done = [], 0
    for sentence in writing.sentences:
        start = writing.text.index(sentence, done)
        done = start + len(sentence)
        # A length is named as the family names that of the sentence by itself.
        found.append((str(min(len(sentence.split()) // 5, 12)), Span(start, done)))
    return _runs(found, family.size)


@located.register
def _(family: Layout, writing: Writing) -> Located:
    places = np.arange(len(writing.text))
    runs = _grams(*_replaced(writing.text, places, places + 1, "a"), family.size)
    return (one for one in runs if is_laid_out(one[0]))


@located.register
def _(family: Outlines, writing: Writing) -> Located:
    return _grams(*_replaced(*_spaced(writing.text), outlined), family.size)


@located.register
def _(family: Characters, writing: Writing) -> Located:
    text, start, end = _spaced(writing.text)
    if family.folded or len(text.lower()) != len(text):
        return iter(())
    return _grams(text.lower() if family.lower else text, start, end, family.size, family.most)


@located.register
def _(family: Distorted, writing: Writing) -> Located:
    text, start, end = _spaced(writing.text)
    kept = writing.pack.function_words
    parts: list[str] = []
    first: list[int] = []
    last: list[int] = []
    done = 0
    for found in _word.finditer(text):
        if found.group().lower() in kept:
            continue
        before, after = found.span()
        stars = after - before if family.lengths else 1
        parts += [text[done:before], "*" * stars]
        spread = range(before, after) if family.lengths else (before,)
        first += [*start[done:before].tolist(), *(int(start[place]) for place in spread)]
        ends = range(before, after) if family.lengths else (after - 1,)
        last += [*end[done:before].tolist(), *(int(end[place]) for place in ends)]
        done = after
    parts.append(text[done:])
    first += start[done:].tolist()
    last += end[done:].tolist()
    starred = _digit.sub("#", "".join(parts))
    return _grams(starred, np.array(first, np.int64), np.array(last, np.int64), family.size)


class _Token(Writing):
    """A token as a text of the language of another."""

    def __init__(self, token: str, of: Writing) -> None:
        super().__init__(token)
        self._of = of

    @property
    def language(self) -> str:
        return self._of.language


def _words(writing: Writing) -> list[tuple[str, Span]]:
    found = find_words(writing.text)
    spans = zip(found.start.tolist(), found.end.tolist(), strict=True)
    return [(form, Span(*span)) for form, span in zip(found.forms, spans, strict=True)]


def _beside(items: Sequence[str], writing: Writing) -> list[tuple[str, Span]]:
    """Return what stands for each token of a text, with the token's place."""
    spans = (Span(*found.span()) for found in TOKEN.finditer(writing.text))
    return list(zip(items, spans, strict=True))


def _replaced(
    text: str, start: Ints, end: Ints, word: str | Callable[[re.Match[str]], str]
) -> tuple[str, Ints, Ints]:
    """Return a text with words replaced and numbers made 0, and where its characters start and end."""
    for pattern, by in ((LETTERS, word), (NUMBER, "0")):
        parts: list[str] = []
        first: list[int] = []
        last: list[int] = []
        done = 0
        for found in pattern.finditer(text):
            before, after = found.span()
            made = by if isinstance(by, str) else by(found)
            parts += [text[done:before], made]
            first += [*start[done:before].tolist(), *[int(start[before])] * len(made)]
            last += [*end[done:before].tolist(), *[int(end[after - 1])] * len(made)]
            done = after
        parts.append(text[done:])
        start = np.array(first + start[done:].tolist(), np.int64)
        end = np.array(last + end[done:].tolist(), np.int64)
        text = "".join(parts)
    return text, start, end


def _runs(items: Sequence[tuple[str, Span]], size: int) -> Located:
    for place in range(len(items) - size + 1):
        run = items[place : place + size]
        yield " ".join(item for item, _ in run), (Span(run[0][1].start, run[-1][1].end),)


def _skipping(items: Sequence[tuple[str, Span]], size: int) -> Located:
    for place in range(len(items) - size + 1):
        run = items[place : place + size]
        yield " ".join(item for item, _ in run), tuple(span for _, span in run)


def _grams(text: str, start: Ints, end: Ints, size: int, most: int = 0) -> Located:
    for length in range(size, max(size, most) + 1):
        for place in range(len(text) - length + 1):
            yield (
                text[place : place + length],
                (Span(int(start[place]), int(end[place + length - 1])),),
            )


def _spaced(text: str) -> tuple[str, Ints, Ints]:
    """Return a text with every gap made one blank, and where each of its characters starts and ends."""
    starts = np.arange(len(text))
    kept = np.ones(len(text), np.bool_)
    ends = starts + 1
    for gap in _gap.finditer(text):
        kept[gap.start() + 1 : gap.end()] = False
        ends[gap.start()] = gap.end()
        if gap.start() == 0 or gap.end() == len(text):
            kept[gap.start()] = False
    made = "".join(" " if text[place].isspace() else text[place] for place in np.flatnonzero(kept).tolist())
    return made, starts[kept], ends[kept]
