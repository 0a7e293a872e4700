"""Stretches that no obfuscator touches: markup, code, formulas and addresses, which a letter breaks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from stemmata.model import Span
from stemmata.rewriting import Edit, Rewriting

_POWER = r"\^(?:[-+]?\w{1,20}|\([^()\n]{1,20}\)|\{[^{}\n]{1,20}\})"
"""What can be read in one way only: signs between two powers belong to neither."""
_TERM = rf"(?:\d[\d.]{{0,20}}[a-z]?|[a-z]{{1,3}}\d{{0,3}}|[a-z]{{0,3}}\([^()\n]{{1,40}}\))(?:{_POWER})?"
"""What stands between the signs of a formula: *2x*, *mc^2*, *f(x)*."""
_UNTAGGED = r"(?!</?[a-z][^<>]{0,2000}>)"
"""What no tag begins with."""
_KEPT = re.compile(
    r"```.*?(?:```|\Z)"  # fenced code
    # So is this, if it ends and no blank line begins it; else the line is a break between scenes.
    r"|^[ ]{0,3}~~~[\w ]{0,40}\r?\n(?=[^\n]*\S)(?:(?!^[ ]{0,3}~~~).)*^[ ]{0,3}~~~[ \t\r]*$"
    r"|`[^`\n]{1,2000}`"  # code in a line
    # No further beginning inside, so that a text of beginnings alone is read once.
    r"|<(?:script|style|pre|code)\b[^<>]{0,200}>(?:(?!<(?:script|style|pre|code)\b).)*?"
    r"</(?:script|style|pre|code)\s{0,20}>"
    r"|<!--(?:(?!<!--).)*?-->"
    r"|</?[A-Za-z][^<>]{0,2000}>"  # a tag
    r"|&(?:\#\d{1,7}|\#x[0-9A-Fa-f]{1,6}|[A-Za-z]{2,10});"  # an entity
    # An address, in which an apostrophe may stand between letters.
    r"|\b(?:[a-z][a-z0-9+.-]{1,20}://|www\.|(?:[\w-]{1,63}\.){1,8}[a-z]{2,10}/)(?:[^\s<>\"']|'(?=\w)){1,2000}"
    r"|\b[\w.+-]{1,64}(?:'[\w.+-]{1,64})?@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"  # an address of mail
    r"|(?<!\w)[@\#]\w{1,100}"  # somebody's name in a network, and what a message is about
    r"|\b[a-z]:\\(?:[^\s<>\"'|?*]|'(?=\w)){1,1000}"  # a path
    r"|(?<![\w/.])(?:~|\.\.?)?/[\w.-]{1,255}(?:/(?:[\w.-]|'(?=\w)){1,255})+"
    # What TeX sets as it is, a formula, a command.
    r"|\\begin\{(?P<kind>verbatim|lstlisting|minted|math|displaymath|equation|align)\*?\}"
    r"(?:(?!\\begin\{).)*?\\end\{(?P=kind)\*?\}"
    r"|\$\$[^$]{1,2000}\$\$|\$(?=[^\s\d]|\d[^$\n]{0,100}[\\^_=+*/])[^$\n]{1,300}(?<=\S)\$(?!\d)"
    r"|\\\[(?:(?!\\\[).){1,2000}?\\\]|\\\((?:(?!\\\().){1,2000}?\\\)"
    r"|\\[A-Za-z]{2,30}(?:\[[^\]\n]{0,200}\])?(?:\{[^{}\n]{0,2000}\})?"
    # A formula as one types it.
    rf"|(?<![\w.])(?:{_TERM}[ ]?[-+*/×·÷][ ]?){{0,20}}{_TERM}[ ]?(?:{_UNTAGGED}[=<>]=?|[≤≥≠≈])[ ]?"
    rf"{_TERM}(?:[ ]?(?:{_UNTAGGED}[=<>]=?|[-+*/×·÷≤≥≠≈])[ ]?{_TERM}){{0,20}}(?!\w)"
    rf"|(?<!\w)[a-z\d]{{1,3}}{_POWER}"
    # An indented line of code: not any that has a bracket or semicolon, as indented prose and verse do.
    r"|^(?:[ ]{4,}+|\t)(?=[^\n]{1,200}$)[^\n]*"
    r"(?:[{}]|\w\([^\n]*\)|\w[ ]?[-+*/]?=[=>]?[ ]?[\w\"'(\[{-])[^\n]*$"
    # Or one that begins like a statement and goes on or ends like one.
    r"|^(?:[ ]{4,}+|\t)[ \t]*+(?:(?:def|class|for|while|if|elif|else|try|except|finally|with|switch|case)\b"
    r"[^\n.!?]{0,200}:|(?:return|raise|yield|import|break|continue|pass|end|fi|done)\b(?:[ ][\w.*]{1,80})?;?"
    r"|from[ ][\w.]{1,80}[ ]import[ ][^\n]{1,200})[ \t]*$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)


def protected_spans(text: str) -> list[Span]:
    """Return the stretches of markup, code, formulas and addresses, in order.

    Examples
    --------
    >>> protected_spans("See <b>this</b>.")
    [Span(start=4, end=7), Span(start=11, end=15)]
    """
    return [Span(*found.span()) for found in _KEPT.finditer(text)]


def prose_of(text: str) -> str:
    """Return a text without its markup, code and addresses: what is written in some language."""
    return _KEPT.sub(" ", text)


def without_protected(rewriting: Rewriting) -> Rewriting:
    """Return the rewriting without the edits that touch a protected stretch."""
    return Rewriting(rewriting.original, tuple(unprotected(rewriting.original, rewriting.edits)))


def unprotected(text: str, edits: Sequence[Edit]) -> Sequence[Edit]:
    """Return those edits of a text, in their order, that touch no protected stretch."""
    spans = protected_spans(text)
    if not spans:
        return edits
    starts = [span.start for span in spans]
    kept = []
    for edit in edits:
        number = bisect_right(starts, max(edit.end - 1, edit.start)) - 1
        if number < 0 or spans[number].end <= edit.start:
            kept.append(edit)
    return kept
