"""Quotations: what others said stays as it is, unless the text is a dialogue that its author made up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from stemmata.model import Span
from stemmata.rewriting.punctuation_habits import SINGLY_QUOTED, without_apostrophes

_QUOTED = re.compile(
    r"“(?:[^\"“”\n]|\n(?![ \t]*\n)){1,2000}”|[\"“][^\"“”\n]{1,2000}[\"”]|„[^„“”\n]{1,2000}[“”]"
    r"|«[^«»\n]{1,2000}»"
    r"|^[ ]{0,3}>[^\n]{1,2000}",  # a line that is quoted as in mail and Markdown
    re.MULTILINE,
)
_STRAIGHT = re.compile('"')
_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?![ \t]*\n)[^\n]+)*")
_DIALOGUE, _SPEECHES = 0.15, 4
"""Where more of a text is quoted, in so many speeches at least, it may be the author's own."""
_TALKING = 3
"""How often at least people then answer one another, ask, or call out: who quotes a book does not do so."""
_SPEECH = re.compile(r"[A-Z'‘](?:.*[^\s])?[.,!?—–-]['’]?", re.DOTALL)


def quotations_in(text: str) -> list[Span]:
    """Return what is quoted in a text, marks included; quotations in quotations count as part of these.

    Examples
    --------
    >>> text = "They say 'it doesn't rain', but the boys' dog got wet."
    >>> [text[span.start : span.end] for span in quotations_in(text)]
    ["'it doesn't rain'"]
    """
    paired = list(_in_pairs(text))
    rest = _without(text, paired)
    marked = [Span(*found.span()) for found in _QUOTED.finditer(rest)]
    rest = _without(rest, marked)
    single = [Span(*found.span()) for found in SINGLY_QUOTED.finditer(without_apostrophes(rest))]
    return sorted([*paired, *marked, *single])


def _in_pairs(text: str) -> Iterator[Span]:
    """Yield what stands between straight quotes, where all of a paragraph open and close; over lines, too."""
    for paragraph in _PARAGRAPH.finditer(text):
        quotes = [found.start() for found in _STRAIGHT.finditer(text, *paragraph.span())]
        pairs = list(zip(quotes[::2], quotes[1::2], strict=False))
        if len(quotes) % 2 == 0 and all(_opens(text, one) and _closes(text, other) for one, other in pairs):
            yield from (Span(one, other + 1) for one, other in pairs)


def _opens(text: str, at: int) -> bool:
    return not text[max(at - 1, 0) : at].isalnum() and bool(text[at + 1 : at + 2].strip())


def _closes(text: str, at: int) -> bool:
    return not text[at + 1 : at + 2].isalnum() and bool(text[max(at - 1, 0) : at].strip())


def _without(text: str, spans: Sequence[Span]) -> str:
    """Return a text with letters in the place of what was found, all else where it was."""
    kept = pairwise([0, *(place for span in spans for place in span), len(text)])
    return "".join(
        "x" * (end - start) if number % 2 else text[start:end] for number, (start, end) in enumerate(kept)
    )


def is_dialogue(text: str) -> bool:
    """Return whether what is quoted in a text is what its author lets people say.

    Examples
    --------
    >>> is_dialogue('"Go on," he said. "Why?" "It is late!" she cried. "Very late." And they went.')
    True
    >>> is_dialogue('Smith calls it "not a very good idea", and Brown says: "I do not know." So be it.')
    False
    """
    spans = [span for span in quotations_in(text) if not text[span.start : span.end].lstrip().startswith(">")]
    quoted = [text[span.start + 1 : span.end - 1] for span in spans]
    speeches = sum(bool(_SPEECH.fullmatch(one)) for one in quoted)
    enough = sum(map(len, quoted)) >= _DIALOGUE * len(text)
    answers = sum(not text[one.end : other.start].strip() for one, other in pairwise(spans))
    talking = answers + sum(one.endswith(("?", "!")) for one in quoted) >= _TALKING
    return enough and talking and speeches >= _SPEECHES and 2 * speeches >= len(quoted)
