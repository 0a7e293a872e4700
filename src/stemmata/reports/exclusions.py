"""Text that a reader may want to leave out of the share: quotations and the list of references."""

from __future__ import annotations

import re
from bisect import bisect_left

from stemmata.model import Span, SpanSet

LONGEST_QUOTATION = 1500
"""Characters beyond which a quotation mark without its partner is more likely than a quotation."""
HEADING_AFTER = 0.3
"""Share of the document that lies before its list of references, at least."""
DATED = 0.3
"""Share of the lines of a list of references that bear a year, at least."""

_INSIDE = r"[^{marks}\n]*(?:\n(?!\s*\n)[^{marks}\n]*)*"
"""What a pair of marks holds: not another mark, and no blank line."""
_PAIRS = ("“”", "„“", "„”", "«»", "‹›", "「」", "『』")
_TURNED = ("””", "»«")
"""Marks that open here and close elsewhere: they open behind a space and before a word only."""
_QUOTATIONS = {
    **{pair: pair[0] + _INSIDE.replace("{marks}", pair) + pair[1] for pair in _PAIRS},
    **{p: rf"(?<!\S){p[0]}(?=\w){_INSIDE.replace('{marks}', '“' + p)}{p[1]}" for p in _TURNED},
    # A straight mark opens before a word and closes behind one; inches and seconds do neither.
    '""': rf'(?<![\w"])"(?=\S){_INSIDE.replace("{marks}", chr(34))}(?<=\S)"(?!\w)',
}

_HEADING = re.compile(
    r"^[ \t]*(?:(?:\d+|[IVX]+)[.)]?[ \t]+)?(?:references|bibliography|works[ ]cited|literature(?:[ ]cited)?"
    r"|literatur(?:verzeichnis)?|quellen(?:verzeichnis)?|bibliographie|références(?:[ ]bibliographiques)?"
    r"|referencias(?:[ ]bibliográficas)?|bibliograf[ií]a|riferimenti[ ]bibliografici|referências"
    r"|(?:список[ ](?:использованной[ ]|использованных[ ])?)?(?:литературы|литература|источников)"
    r"|библиография|参考文献|參考文獻)[ \t]*:?[ \t]*\r?$",
    re.IGNORECASE | re.MULTILINE,
)
_NEXT_PART = re.compile(
    r"^[ \t]*(?:appendix|appendices|anhang|annexe|anexo|приложение)\b[^\n]{0,60}$",
    re.IGNORECASE | re.MULTILINE,
)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d")


def quotations(text: str) -> SpanSet:
    """Return what stands in paired quotation marks of several languages, the marks included.

    Examples
    --------
    >>> quotations('He said "so it is" and left.')
    SpanSet([(8, 18)])
    """
    spans = (
        match.span()
        for marks, pattern in _QUOTATIONS.items()
        if marks[0] in text and marks[1] in text
        for match in re.finditer(pattern, text)
    )
    return SpanSet((start, end) for start, end in spans if end - start <= LONGEST_QUOTATION)


def bibliography(text: str) -> Span | None:
    """Return the list of references: from the last heading that opens one, to the next part or the end."""
    first = int(HEADING_AFTER * len(text))
    headings = [found for found in _HEADING.finditer(text) if found.start() >= HEADING_AFTER * len(text)]
    if not headings:
        return None
    starts, written, dated = _lines_from(text, text.rfind("\n", 0, first) + 1)
    parts = [found.start() for found in _NEXT_PART.finditer(text)]
    for heading in reversed(headings):
        closing = bisect_left(parts, heading.end())
        end = parts[closing] if closing < len(parts) else len(text)
        within = bisect_left(starts, heading.end()), bisect_left(starts, end)
        lines, years = (count[within[1]] - count[within[0]] for count in (written, dated))
        if lines and years >= DATED * lines:
            return Span(heading.start(), end)
    return None


def _lines_from(text: str, start: int) -> tuple[list[int], list[int], list[int]]:
    """Return where lines start, and how many before each hold text, and hold a year; and so at the end."""
    starts, written, dated = [start], [0], [0]
    for line in text[start:].splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
        written.append(written[-1] + (not line.isspace()))
        dated.append(dated[-1] + bool(_YEAR.search(line)))
    return starts, written, dated
