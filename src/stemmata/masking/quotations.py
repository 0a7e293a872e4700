"""Quotations: what others said stays as it is, unless the text is a dialogue that its author made up."""

from __future__ import annotations

import re

from stemmata.model import Span
from stemmata.rewriting.punctuation_habits import SINGLY_QUOTED, without_apostrophes

_QUOTED = re.compile(
    r"[\"“][^\"“”\n]{1,2000}[\"”]|„[^„“”\n]{1,2000}[“”]|«[^«»\n]{1,2000}»"
    r"|^[ ]{0,3}>[^\n]{1,2000}",  # a line that is quoted as in mail and Markdown
    re.MULTILINE,
)
_DIALOGUE, _SPEECHES = 0.15, 4
"""Where more of a text is quoted, in so many speeches at least, it is the author's own and nobody else's."""
_SPEECH = re.compile(r"[A-Z'‘](?:.*[^\s])?[.,!?—–-]['’]?")


def quotations_in(text: str) -> list[Span]:
    """Return what is quoted in a text, marks included; quotations in quotations count as part of these.

    Examples
    --------
    >>> text = "They say 'it doesn't rain', but the boys' dog got wet."
    >>> [text[span.start : span.end] for span in quotations_in(text)]
    ["'it doesn't rain'"]
    """
    quoted = [Span(*found.span()) for found in _QUOTED.finditer(text)]
    rest = _QUOTED.sub(lambda found: "x" * len(found[0]), text)
    return sorted(quoted + [Span(*one.span()) for one in SINGLY_QUOTED.finditer(without_apostrophes(rest))])


def is_dialogue(text: str) -> bool:
    """Return whether what is quoted in a text is what its author lets people say.

    Examples
    --------
    >>> is_dialogue('"Go on," he said. "Why?" "It is late!" she cried. "Very late." And they went.')
    True
    >>> is_dialogue('Smith calls it "not a very good idea", and Brown says: "I do not know." So be it.')
    False
    """
    quoted = [text[span.start + 1 : span.end - 1] for span in quotations_in(text)]
    speeches = sum(bool(_SPEECH.fullmatch(one)) for one in quoted)
    enough = sum(map(len, quoted)) >= _DIALOGUE * len(text)
    return enough and speeches >= _SPEECHES and 2 * speeches >= len(quoted)
