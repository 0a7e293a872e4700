"""Faults on the surface of an English sentence: what no writer leaves standing, found by rules.

Each rule is a pattern over words and marks, precise rather than complete; the language model sees the rest.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from stemmata.rewriting.agreement import article_before

_DETERMINERS = r"(?:the|a|an|my|your|his|its|our|their|every|no)"
_PREPOSITIONS = r"(?:of|at|from|with|into|inside|by|for|upon|among|between|toward|towards|during|onto)"
_MODALS = r"(?:must|can|could|would|should|shall|might|cannot)"
_MARK = r"[,.;:!?]"

RULES = {
    "a before a vowel": r"\ba ([^\W\d_]\w+)",
    # Some write "an historic".
    "an before a consonant": r"\ban (?!h)([^\W\d_]\w+)",
    "word twice": r"\b(?!(?:had|that|very|so|no|is|ha|bye|far|long|many|again|little|more|much|good|too|out"
    r"|in|on|up|down|well|now|there|yes|never|and|poor|dear|oh|come|hush|please|round|over|by|go|what|you)\b)"
    r"(\w+) \1\b",
    "two determiners": rf"\b(?:the|a|an|my|your|our|their) {_DETERMINERS}\b",
    "determiner before a mark": rf"\b{_DETERMINERS.replace('|no', '').replace('his|', '')} ?{_MARK}",
    "determiner before a function word": r"\b(?:the|a|an|my|our|their|your)"
    r" (?:and|or|but|of|to|from|with|at|is|are|was|were|be|has|have|they|he|she|we|it|i|which|because)\b",
    "preposition before a mark": rf"\b(?:among|between|during|onto|every|into) ?{_MARK}",
    "two prepositions": rf"\b{_PREPOSITIONS} (?:of|at|with|into|by|inside|for)\b",
    "modal without its verb": rf"\b{_MODALS} (?:the|a|an|and|of|in|on|at|to|is|are|was|were|has|had|he"
    r"|they)\b",
    "bare be": r"\b(?:it|he|she|that|this|which|there|i|we|they|you|who) be\b(?! \w+ (?:to|that)\b)",
    "base form after a singular": r"\b(?:he|she|it) (?:have|do|go|come|say|make|take|know|think|see|want|need"
    r"|mean|look|seem|become|get|give|find|tell|feel|leave|keep|begin)\b",
    "to before no verb": r"\bto (?:is|are|was|were|has|had|did|been|being|went|came|said|made|took|knew"
    r"|saw)\b",
    "object as a subject": r"(?:^|[.!?] |, (?:and |but )?)(?:me|him|them|us|myself|himself|themselves)"
    r" (?:is|are|was|were|am|have|has|had|would|will|can|could|do|did|like|think|believe)\b"
    r"|\bmyself (?:will|would|am|was|have|had|can|could|do|did|think|believe|like|find)\b",
    "marks in a row": rf"(?:,|;|:)\s*(?:{_MARK})|(?:\.|!|\?)\s*(?:[,;:])",
    "mark at the start": rf"^\s*{_MARK}(?!\.)",
    "mark inside a frame": r"\b(?:of|the|a|an|to|is|in)[,;:] (?:the|a|an|be|of|in|to)\b",
    "odd contraction": r"\b(?:ca|wo|sha) not\b|\b(?!(?:it|he|she|that|there|who|what|where|let|how|here)\b)"
    r"(?:of|the|to|in|my|and|is|was|be)'s\b",
    "end without a word": r"\b(?:the|a|an|of|and|or|my|our|their|into)[.!?]?[\"')]*$",
}
"""Patterns by the name of the fault; that of an article is one only where the word asks for the other."""
_ARTICLES = {"a before a vowel": "a", "an before a consonant": "an"}
_COMPILED = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in RULES.items()}
_SMALL_START = re.compile(r"(?:^|[.!?] )[\"'(]*([a-z])\w*")
_SMALL_I = re.compile(r"(?<![\w.'])i(?![\w.'])")


class Fault(NamedTuple):
    """A fault and where it stands."""

    rule: str
    start: int
    end: int


def faults_of(text: str) -> list[Fault]:
    """Return the faults of a text in the order of their places.

    Examples
    --------
    >>> [fault.rule for fault in faults_of("He saw a elephant the of it, and it be big.")]
    ['a before a vowel', 'determiner before a function word', 'bare be']
    """
    found = [
        Fault(name, *match.span())
        for name, rule in _COMPILED.items()
        for match in rule.finditer(text)
        if name not in _ARTICLES or article_before(match[1]) != _ARTICLES[name]
    ]
    found += [Fault("small letter at the start", *match.span(1)) for match in _SMALL_START.finditer(text)]
    found += [Fault("small i", *match.span()) for match in _SMALL_I.finditer(text)]
    return sorted(found, key=lambda fault: fault.start)
