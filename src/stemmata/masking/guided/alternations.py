"""Alternations: the same said with another construction, as writers choose between them. English.

Words change their order, verbs their form, and light words are left out or put in. The rules see words and
parts of speech, no trees: they propose where the words around look safe, and leave it to a language model to
refuse what does not read well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from stemmata.masking.guided.alternation_order import (
    adjectives,
    adverbs,
    clauses,
    coordination,
    genitives,
    objects,
    speakers,
)
from stemmata.masking.guided.alternation_verbs import auxiliaries, infinitives, participles, tenses
from stemmata.masking.guided.alternation_words import ACTING, DEPENDING, NOUNS, TIMES, Words
from stemmata.masking.guided.light_words import light_words
from stemmata.rewriting import Edit
from stemmata.rewriting.agreement import article_before
from stemmata.rewriting.reading import cased_like, read
from stemmata.rewriting.sentence_joints import FINITE


def alternations(text: str) -> list[Edit]:
    """Return edits by which a text says the same with other constructions, in order.

    Examples
    --------
    >>> text = "When it rained, we left. The old man gave me some bread, and we had water and wine."
    >>> for edit in alternations(text):
    ...     print(edit.kind, repr(text[edit.start : edit.end]), "->", repr(edit.replacement))
    clause-order 'When it rained, we left' -> 'We left when it rained'
    object-order 'me some bread' -> 'some bread to me'
    coordination 'water and wine' -> 'wine and water'
    """
    words = Words(read(text))
    found = {edit for rule in _RULES for edit in rule(words)}
    return sorted(edit for edit in found if text[edit.start : edit.end] != edit.replacement)


# Clauses made shorter.

_RELATIVE = ("who", "which", "that", "whom")
_BE = {"is", "are", "was", "were"}
_ASKING = {"ask", "tell", "show", "wonder", "know", "inform", "teach", "remind", "inquire", "enquire"}
"""Verbs behind which *who* and *which* may begin a question."""


def _relatives(words: Words) -> Iterator[Edit]:
    """Turn *the man who was standing* into *the man standing*, *the book which I read* into *… I read*."""
    for number in range(1, len(words) - 2):
        word, gap = words.low[number], words.text[words.end[number - 1] : words.start[number]]
        if word not in _RELATIVE or words.tag[number - 1] not in NOUNS or not words.run(number, number + 2):
            continue
        if words.low[number + 1] in _BE and words.tag[number + 2] in ("VVG", "VVN") and gap in (" ", ", "):
            if _stands_alone(words, number):
                yield Edit(words.start[number], words.start[number + 2], "", "relative")
        elif gap == " " and words.subject(number + 1) and word != "that" and words.tag[number + 2] in FINITE:
            first, _ = words.sentence(number)
            asked = any(words.lemma(at) in _ASKING for at in range(max(first, number - 5), number))
            if not asked and words.low[number + 2] not in _BE:
                yield Edit(words.start[number], words.start[number + 1], "", "relative")


def _stands_alone(words: Words, number: int) -> bool:
    """Return whether a participle may follow its noun without the relative: *the man standing there*."""
    first, _ = words.sentence(number)
    # "It was the king who was killed", and "the man who was dying" with nothing behind.
    cleft = words.low[first] in ("it", "this", "that", "there") and words.near(first + 1) in _BE
    behind = words.run(number, number + 3) and words.tag[number + 3].startswith(
        ("PR", "AV", "AT", "DPS", "TO")
    )
    return behind and not cleft and words.low[number + 2] not in ("going", "supposed")


_FIXED_PHRASES = {
    "course", "fact", "last", "once", "general", "example", "instance", "particular", "first", "least",
    "most", "short", "time", "times", "turn", "addition", "length", "present", "night", "all", "now", "good",
    "ever", "home", "contrast", "means", "conclusion", "return", "itself", "himself", "themselves",
}  # fmt: skip
"""What makes a phrase of its own with a preposition: *of course*, *in fact*."""


def _shared(words: Words) -> Iterator[Edit]:
    """Say once what two have in common: *the bread and (the) cheese*, *he rose and (he) left*."""
    for number, word in enumerate(words.low):
        if word not in ("and", "or", "but") or not words.close[number] or not words.run(number, number + 2):
            continue
        here = number + 1
        alike = word != "but" and (_shared_beginning(words, number) or _shared_to(words, number))
        if alike or (word != "or" and _shared_subject(words, number)):
            yield Edit(words.start[here], words.start[here + 1], "", "shared")


def _shared_beginning(words: Words, joint: int) -> bool:
    """Return whether two phrases around a conjunction begin with one article, pronoun or preposition."""
    here = joint + 1
    if words.tag[here] not in ("AT0", "DPS", "DT0", "PRP", "PRF") or words.low[here] in (
        "a",
        "an",
        "no",
        "that",
    ):
        return False
    led = words.tag[here].startswith("PR")
    last = _named_phrase(words, here + 1) if led else words.phrase(here)
    if last < 0 or words.low[last] in _FIXED_PHRASES:
        return False
    first, end = words.sentence(joint)
    for at in range(max(first, joint - 5), joint):
        if words.low[at] != words.low[here] or words.tag[at] != words.tag[here]:
            continue
        if (_named_phrase(words, at + 1) if led else words.phrase(at)) != joint - 1:
            continue
        # Names have articles of their own: "the national debt and the Bank".
        if not led and not words.said(at + 1, last).islower():
            return False
        # A new clause begins in "He left the house and the dog barked", and in "in France and in fact he".
        if words.verb_ahead(last):
            return at == first and not led
        after = words.tag[last + 1] if last + 1 < end and words.run(last, last + 1) else ""
        return not after.startswith(("PNP", "EX", "AT", "DP", "DT", "NN", "NP", "AJ", "VV", "PNQ"))
    return False


def _named_phrase(words: Words, number: int) -> int:
    """Return the last word of the noun phrase or the name that begins with a word, or -1."""
    if words.tagged(number) == "NP0" and words.tagged(number + 1) != "NP0" and not words.owned(number):
        return number
    return words.phrase(number)


def _shared_to(words: Words, joint: int) -> bool:
    """Return whether two infinitives stand around a conjunction."""
    first, _ = words.sentence(joint)
    before = range(max(first, joint - 5), joint)
    earlier = [at for at in before if words.tag[at] == "TO0" and words.tagged(at + 1) == "VVI"]
    if words.tag[joint + 1] != "TO0" or words.tagged(joint + 2) != "VVI" or len(earlier) != 1:
        return False
    return not any(words.tag[at] in (*FINITE, *DEPENDING) for at in range(earlier[0], joint))


def _shared_subject(words: Words, joint: int) -> bool:
    """Return whether a clause behind a conjunction has the subject of the one before, the only one."""
    here = joint + 1
    first, _ = words.sentence(joint)
    start = first + 1 if words.tag[first] in ("AV0", "CJC") else first
    if words.low[here] not in (ACTING - {"you"}) | {"it"} or words.tag[here + 1] not in FINITE:
        return False
    if words.low[start] != words.low[here] or not words.lone_clause(start, joint):
        return False
    # "It rained and it was cold."
    if words.low[here] == "it" and words.tag[here + 1].startswith("VB"):
        return False
    # "I hope my wife and I shall come."
    both = words.tag[joint - 1] == "NP0" or (words.low[here] == "i" and words.tag[joint - 1] in NOUNS)
    return "CJC" not in words.tag[start:joint] and words.run(start, joint) and not both


_POINTED_AT = {
    "case", "way", "kind", "sort", "manner", "point", "reason", "respect", "sense", "regard", "type",
    "effect", "end", "matter", "part", "fact", "place", "fashion",
}  # fmt: skip
"""Nouns that mean little unless pointed at: *in this case*."""


def _demonstratives(words: Words) -> Iterator[Edit]:
    """Turn *this house* into *the house*, where the house was spoken of before."""
    spoken: set[str] = set()
    for number in range(len(words) - 1):
        if words.tag[number + 1] not in ("NN1", "NN2"):
            continue
        noun = words.lemma(number + 1)
        pointing = words.low[number] in ("this", "that", "these", "those") and words.tag[number] == "DT0"
        # "It seemed to me that wisdom came late."
        pointing &= words.low[number] != "that" or words.tagged(number - 1) in ("PRP", "PRF")
        if pointing and words.close[number + 1] and noun in spoken and noun not in TIMES | _POINTED_AT:
            new = cased_like(words.said(number, number), "the")
            yield Edit(words.start[number], words.end[number], new, "demonstrative")
        spoken.add(noun)


# Light words left out.

_LIGHT = {
    "very", "really", "quite", "rather", "so", "even", "still", "just", "simply", "indeed", "then", "now",
    "also", "completely", "totally", "absolutely", "entirely", "perfectly", "extremely", "certainly",
    "actually", "truly", "exceedingly", "somewhat", "surely", "clearly", "obviously", "already",
    "literally", "basically", "particularly", "wholly", "utterly", "altogether", "definitely", "thus",
    "pretty", "fairly", "highly", "especially",
}  # fmt: skip
"""Adverbs without which a sentence says nearly the same."""
_EMPTY = {
    "own": "NN1 NN2 AJ0", "much": "AJC", "far": "AJC", "particular": "NN1 NN2", "specific": "NN1 NN2",
    "actual": "NN1 NN2", "entire": "NN1", "whole": "NN1", "very": "NN1", "up": "PRP", "down": "PRP",
    "out": "PRP", "away": "PRP", "back": "PRP", "over": "PRP",
}  # fmt: skip
"""Other words of that kind, and the parts of speech before which they are; no word of quantity."""
_MOVED = {
    "go", "come", "walk", "run", "return", "ride", "drive", "hurry", "sit", "lie", "fall", "climb", "travel",
}  # fmt: skip
_WHERE = {"to", "into", "from", "in", "towards", "toward", "through", "onto", "at", "across"}
"""Prepositions that say of themselves where one goes; *came up with* is another verb."""
_KEEPING = {
    "not", "n't", "as", "how", "so", "too", "no", "never", "if", "right", "ever", "nor", "than", "only",
}  # fmt: skip
"""Words that need the light word behind them."""
_NEEDED = {
    "much", "many", "few", "little", "well", "far", "long", "that", "as", "than", "enough", "to", "not", "on",
    "forth", "called", "often", "now", "then",
}  # fmt: skip
"""Words that need the light word before them."""
_RESTING = {"stand", "sit", "lie", "hold", "keep", "stay", "be"}
_BOUND = frozenset({"that", "as"})
_FIRST = frozenset({"first", "if"})
_ASIDE = re.compile(
    r"(?<=\w), (?:of course|in fact|indeed|then|too|I think|I believe|I suppose|you know|you see|in turn"
    r"|after all|certainly|also)(?:,(?= [a-z])|(?=\.(?:\s|$)))"
)
_IN_THIS_WAY = (
    r"(?! (?:[\w']+ ){1,4}(?:said|says?|think|thought|believed?|considered?|called|told|hope|seem(?:s|ed)?"
    r"|do|did|does)\b)"
)
"""What does not follow a *so* that links: "So it is said"."""
_OPENING = re.compile(
    rf"(?:And|So{_IN_THIS_WAY}|Then|Well,|Indeed,|Of course,|In fact,|Also,|Furthermore,|Moreover,"
    r"|In addition,|Thus,?|Therefore,) "
    r"(?=(?:I|he|she|it|we|they|you|there|the|this|these|his|her|their|our|my|a)\b)"
)


def _omissions(words: Words) -> Iterator[Edit]:
    """Turn *was also seen* into *was seen*."""
    for number in range(1, len(words) - 1):
        word, after = words.low[number], words.tag[number + 1]
        light = word in _LIGHT and words.tag[number] == "AV0" and not after.startswith(("CJ", "XX"))
        if not light and after not in _EMPTY.get(word, "").split():
            continue
        near = words.low[max(number - 3, 0) : number]
        if not words.run(number - 1, number + 1) or not words.said(number, number).islower():
            continue
        if not _KEEPING.isdisjoint(near) or (light and words.low[number + 1] in _NEEDED):
            continue
        if words.tagged(number + 2) == "AJC" or (word == "so" and words.with_any(number, _BOUND)):
            continue
        if not (_light_enough(words, number) if light else _empty_enough(words, number)):
            continue
        start, new, before = words.start[number], "", words.said(number - 1, number - 1)
        article = article_before(words.low[number + 1])
        if before.lower() in ("a", "an") and article != before.lower():
            start, new = words.start[number - 1], cased_like(before, article) + " "
        yield Edit(start, words.start[number + 1], new, "omission")
    for found in _ASIDE.finditer(words.text):
        yield Edit(*found.span(), "", "omission")


_BOUND_TO_NEXT = {
    "all", "almost", "but", "every", "most", "nearly", "or", "quite", "very", "what", "when", "whether",
    "why",
}  # fmt: skip
"""Words that belong to the light word behind them: "almost certainly"."""


def _light_enough(words: Words, number: int) -> bool:
    """Return whether an adverb is neither part of a phrase nor the complement of a verb."""
    word, before, after = words.low[number], words.low[number - 1], words.tag[number + 1]
    tag = words.tag[number - 1]
    if tag == "PRP" or before in _BOUND_TO_NEXT:
        return False
    bound = {
        # "Would rather", "had rather".
        "rather": tag == "VM0" or before == "had" or words.near(number - 2) in ("would", "had"),
        # "Now and then", "even then"; "in the sun, then jumping".
        "then": tag == "AV0"
        or words.near(number - 2) in ("now", "every")
        or after == "VVG"
        or words.with_any(number, _FIRST),
        "now": tag == "AV0",
        # "He stood still".
        "still": words.lemma(number - 1) in _RESTING,
        "so": (not after.startswith(("AJ", "AV")) and before != "and") or words.twice(number),
        "very": after.startswith("N") and before in ("a", "an"),
        "highly": after == "VVN",
        "fairly": after == "VVN",
    }
    if bound.get(word):
        return False
    if after.startswith(("PR", "AVP")):
        return tag.startswith("VB") and word in ("still", "now", "also", "already", "really")
    # "He was treated fairly" needs the adverb; "he felt very tired" does not.
    grading = after.startswith(("AJ", "AV", "AT", "ORD"))
    return grading or not (tag.startswith("VV") or tag in ("PNP", *NOUNS)) or after.startswith("V")


def _empty_enough(words: Words, number: int) -> bool:
    """Return whether a word that is no adverb says nothing that its neighbours do not say."""
    word, tag = words.low[number], words.tag[number - 1]
    if words.tag[number + 1] == "PRP":
        verb = words.lemma(number - 1) in _MOVED and tag.startswith("VV") and tag != "VVN"
        return verb and words.low[number + 1] in _WHERE
    if word in ("whole", "entire", "very", "particular", "specific", "actual"):
        return tag in ("AT0", "DPS", "DT0") and words.low[number - 1] not in ("a", "an", "no", "some", "any")
    return word != "own" or tag == "DPS"


def _openings(words: Words) -> Iterator[Edit]:
    """Turn *And he left* into *He left*."""
    for start, _ in words.reading.sentences:
        found = _OPENING.match(words.text, start)
        if found:
            yield Edit(start, found.end() + 1, words.text[found.end()].upper(), "opening")


_RULES: tuple[Callable[[Words], Iterator[Edit]], ...] = (
    coordination, adjectives, clauses, adverbs, speakers, genitives, objects, tenses, infinitives,
    participles, _relatives, _shared, auxiliaries, _demonstratives, _omissions, _openings, light_words,
)  # fmt: skip
