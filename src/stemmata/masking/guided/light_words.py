"""Light words put in: *can also be seen*, *it was quite cold*, *he then rose*. English.

Writers differ in nothing so much as in words that a sentence could do without. Rules of omission leave them
out; here they are put in, where a sentence says nearly the same with them. Each kind of place has its words:
behind a form of *be*, behind a modal verb, between a subject and its verb. What is denied, asked or compared
stays as it is, and so does what has a light word already.
"""

from __future__ import annotations

from collections.abc import Iterator

from stemmata.masking.guided.alternation_words import (
    ACTING,
    DEPENDING,
    NEGATIONS,
    NOUNS,
    SUBJECTS,
    Words,
)
from stemmata.rewriting import Edit

LIGHT_WORD = "light-word"

_COPULA = {"is", "are", "was", "were"}
_PERFECT = {"have", "has"}
_OF_DEGREE = ("quite",)
_OF_TRUTH = ("certainly", "indeed")
_OF_TODAY = ("of course", "actually")
"""What may stand in a statement, and beside that in one of the present."""
_NOT_GRADED = {
    "able", "alike", "alive", "alone", "available", "aware", "better", "best", "dead", "different", "due",
    "empty", "enough", "female", "first", "full", "future", "good", "impossible", "last", "less", "likely",
    "main", "male", "married", "more", "most", "necessary", "next", "only", "other", "own", "past", "present",
    "public", "responsible", "same", "several", "single", "supposed", "total", "true", "unable", "useless",
    "whole", "worse", "worst", "worth", "wrong",
}  # fmt: skip
"""Adjectives that nothing is *rather* or *quite*, or that it says something else of."""
_GRADED_ALREADY = {"enough", "as", "than", "so", "too", "that", "and", "or", "but"}
"""Words behind an adjective that want it as it is: *cold enough*, *so cold that*, *cold and wet*."""
_WILLED = {
    "want": ("really", "just", "simply"), "need": ("really",), "like": ("really",), "enjoy": ("really",),
    "hope": ("really", "certainly"), "believe": ("really", "certainly"), "wish": ("really",),
    "feel": ("really", "certainly"), "think": ("really", "certainly"), "love": ("really",),
    "hate": ("really",), "know": ("certainly",),
}  # fmt: skip
"""What may stand before a verb that tells what somebody feels or thinks …"""
_WILLED_ONCE = {"want", "need", "like", "enjoy", "hope", "wish", "love", "hate"}
"""… and before which *really* may stand in the past, too: *felt* and *thought* tell what happened."""
_STATED = {
    "show": ("clearly", "certainly"), "demonstrate": ("clearly",), "indicate": ("clearly",),
    "illustrate": ("clearly",), "mean": ("certainly", "clearly"), "seem": ("certainly",),
    "help": ("certainly",), "make": ("certainly",), "give": ("certainly",), "prove": ("clearly",),
}  # fmt: skip
"""What may stand before a verb that states something."""
_MODAL = {
    "can": ("also", "of course", "certainly"), "may": ("also", "of course", "indeed"),
    "could": ("of course", "certainly"), "will": ("also", "of course", "certainly"),
    "would": ("of course", "certainly"), "should": ("also", "certainly", "of course"),
    "must": ("also", "of course"), "might": ("of course", "indeed"),
}  # fmt: skip
_DONE = {
    "answer", "ask", "begin", "bring", "call", "climb", "close", "come", "cross", "cry", "drop", "enter",
    "fall", "follow", "get", "give", "go", "grab", "hand", "hurry", "jump", "laugh", "lay", "lead", "leave",
    "lift", "light", "look", "move", "nod", "open", "order", "pass", "pick", "place", "point", "pour",
    "press", "pull", "push", "put", "raise", "reach", "reply", "return", "rise", "run", "send", "set",
    "shake", "show", "shut", "sit", "smile", "speak", "start", "step", "stop", "take", "tell", "throw",
    "turn", "wait", "walk", "write",
}  # fmt: skip
"""What somebody does, one thing after another: *he then rose*."""
_ORDERED = frozenset({
    "after", "again", "as", "before", "finally", "first", "if", "later", "next", "now", "once", "since",
    "soon", "still", "suddenly", "then", "till", "until", "when", "whenever", "while", "would", "always",
    "never", "often", "sometimes", "usually", "had", "has", "have",
})  # fmt: skip
"""Words by which a sentence says itself when something was done, or that it was done more than once."""
_KEEPING = NEGATIONS | {
    "also", "too", "certainly", "indeed", "course", "really", "quite", "rather", "just", "even", "only",
    "simply", "perhaps", "maybe", "probably", "surely", "actually", "always", "very", "so", "still",
    "already", "as", "how", "what", "if", "unless", "whether", "clearly", "now", "then", "such", "all",
    "both", "each",
}  # fmt: skip
"""What is near to no light word: what is denied, asked or supposed, and light words themselves."""


def light_words(words: Words) -> Iterator[Edit]:
    """Yield edits that put a light word between two words.

    Examples
    --------
    >>> from stemmata.rewriting.reading import read
    >>> text = "It was cold. We could see it from here. I hope you will come."
    >>> [(text[: edit.start].split()[-1], edit.replacement) for edit in light_words(Words(read(text)))][:3]
    [('was', ' quite '), ('was', ' certainly '), ('was', ' indeed ')]
    """
    for number in range(1, len(words) - 1):
        if not words.run(number - 1, number + 1):
            continue
        first, last = words.sentence(number)
        near = words.low[max(first, number - 4) : number + 4]
        if not _KEEPING.isdisjoint(near) or words.text.startswith("?", words.end[last - 1]):
            continue
        # Behind a verb they stand before what belongs to it, before another verb behind its subject.
        for light in _behind(words, number):
            yield Edit(words.end[number], words.start[number + 1], f" {light} ", LIGHT_WORD)
        for light in _before(words, number):
            yield Edit(words.end[number - 1], words.start[number], f" {light} ", LIGHT_WORD)


def _is_main(words: Words, number: int) -> bool:
    """Return whether a word is, or ends, the subject of a clause that states something of itself."""
    first, _ = words.sentence(number)
    if words.opens(number):
        return words.low[number] in SUBJECTS | {"this", "that"} or words.tag[number] == "EX0"
    before = words.low[number - 1]
    if words.low[number] == "which":
        return words.text.startswith(",", words.end[number - 1])
    if words.subject(number) and before == "because":
        return True
    if any(tag in DEPENDING for tag in words.tag[first:number]):
        return False
    if words.tag[number] in (*NOUNS, "NP0"):
        return words.phrase(first) == number
    joined = before in ("and", "but") and number > 1 and words.text.startswith(",", words.end[number - 2])
    return joined and words.subject(number)


def _behind(words: Words, verb: int) -> tuple[str, ...]:
    """Return what may stand behind a form of *be* or *have* or a modal verb."""
    word, tag, after = words.low[verb], words.tag[verb + 1], words.low[verb + 1]
    if not words.said(verb + 1, verb + 1).islower():
        return ()
    degree = _OF_DEGREE if word in _COPULA and _is_graded(words, verb) else ()
    if not _is_main(words, verb - 1):
        return degree
    if word in _COPULA:
        today = _OF_TODAY if word in ("is", "are") and words.tag[verb - 1] not in NOUNS else ()
        return (*degree, *_OF_TRUTH, *today) if tag in ("AJ0", "AT0", "DPS") else ()
    if word in _PERFECT:
        return _OF_TRUTH if tag == "VVN" else ()
    if words.tag[verb] == "VM0" and tag in ("VVI", "VBI", "VHI") and after not in _WILLED:
        adds = words.low[verb - 1] not in ("i", "you") and _goes_on(words, verb)
        return tuple(light for light in _MODAL.get(word, ()) if adds or light != "also")
    return ()


def _is_graded(words: Words, verb: int) -> bool:
    """Return whether an adjective behind a form of *be* can be so in some degree, and none is told."""
    subject, after = verb - 1, words.low[verb + 1]
    if not words.subject(subject) and words.tag[subject] not in (*NOUNS, "NP0", "DTQ", "PNQ"):
        return False
    further = words.near(verb + 2) if words.run(verb, verb + 2) else ""
    plain = words.tag[verb + 1] == "AJ0" and after not in _NOT_GRADED and not after.endswith("ing")
    # "It was bad luck."
    thing = bool(further) and words.tag[verb + 2] in NOUNS
    return plain and not thing and further not in _GRADED_ALREADY


def _before(words: Words, verb: int) -> tuple[str, ...]:
    """Return what may stand between a subject and its verb."""
    lemma, tag = words.lemma(verb), words.tag[verb]
    personal = words.low[verb - 1] in ACTING and words.subject(verb - 1)
    if tag not in ("VVB", "VVZ", "VVD"):
        return ()
    if tag == "VVD":
        if personal and lemma in _WILLED_ONCE:
            return ("really",)
        return ("then", "now") if lemma in _DONE and _follows(words, verb) else ()
    willed = _WILLED.get(lemma, ()) if personal else ()
    if not _is_main(words, verb - 1):
        return willed
    return (*willed, *_STATED.get(lemma, ()), *_also(words, verb))


def _also(words: Words, verb: int) -> tuple[str, ...]:
    """Return *also* where a sentence or a clause adds something to what is said before it."""
    adding = words.low[verb - 1] in ("it", "this", "they", "we") and words.opens(verb - 1)
    return ("also",) if words.low[verb - 1] == "which" or (adding and _goes_on(words, verb)) else ()


def _follows(words: Words, verb: int) -> bool:
    """Return whether a sentence tells what was done after what was told before."""
    first, last = words.sentence(verb)
    told = words.low[verb - 1] in ACTING or words.tag[verb - 1] in (*NOUNS, "NP0")
    plain = _ORDERED.isdisjoint(words.low[first:last]) and not any(
        tag in DEPENDING for tag in words.tag[first:verb]
    )
    return told and plain and _is_main(words, verb - 1) and _goes_on(words, verb)


def _goes_on(words: Words, number: int) -> bool:
    """Return whether the sentence of a word stands in a paragraph behind another that tells something."""
    first, _ = words.sentence(number)
    if not first:
        return False
    start, end = words.reading.sentence_at(words.start[first - 1])
    asked = words.tagged(words.reading.word_from(start)) in ("AVQ", "DTQ", "PNQ")
    return words.text[end - 1] == "." and not asked and words.reading.goes_on(end, words.start[first])
