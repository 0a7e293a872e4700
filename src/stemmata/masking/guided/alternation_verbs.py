"""Alternations of English verbs: tenses, infinitives, participles and auxiliaries.

A verb takes another form only where the tables of inflection know the old form as one of the same verb: the
tagger guesses lemmas of what it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from stemmata.masking.guided.alternation_words import ACTING, NEGATIONS, Words
from stemmata.rewriting import Edit
from stemmata.rewriting.sentence_joints import FINITE
from stemmata.text.extras import require

_PLURAL = {"we", "they", "you"}
_FINITE_TAGS = frozenset(FINITE)


@lru_cache(1 << 14)
def verb_form(word: str, wanted: str) -> str | None:
    """Return another form of a verb, or None where the tables do not know which verb or form it is.

    Parameters
    ----------
    word
        A form of a verb, in lower case.
    wanted
        ``"VB"``, ``"VBD"`` or ``"VBG"``: the plain form, the past, the participle in *-ing*.

    Examples
    --------
    >>> [verb_form(word, "VBD") for word in ("flown", "dying", "found", "travelling", "lying", "awoked")]
    ['flew', 'died', 'found', 'travelled', None, None]
    """
    tables = require("lemminflect", "inflecting English words", "lemmas")
    known = {
        lemma: tables.getAllInflections(lemma, upos="VERB")
        for lemma in tables.getAllLemmas(word, upos="VERB").get("VERB", ())
    }
    known = {lemma: forms for lemma, forms in known.items() if any(word in one for one in forms.values())}
    if any(word in forms.get(wanted, ()) for forms in known.values()):
        return word
    if len(known) != 1:
        return None
    ((lemma, forms),) = known.items()
    found = [str(form) for form in forms.get(wanted, ())]
    if not all(form.startswith(lemma[:-1]) for form in found) and len(found) > 1:
        # "Lie" has two pasts for two meanings; "flown" shows which of two is meant.
        strong = word in forms.get("VBN", ()) and not word.endswith("ed")
        found = [form for form in found if strong and not form.endswith("ed")][:1]
    # "Travelling" goes with "travelled".
    return max(found, key=lambda form: form[: len(lemma) + 1] == word[: len(lemma) + 1], default=None)


# Tenses.

_UNREAL = frozenset({
    "if", "wish", "wished", "than", "since", "already", "yet", "ever", "never", "just", "though", "now",
    "unless", "would", "before", "once", "suppose", "long", "hardly", "scarcely", "hitherto",
})  # fmt: skip
_UNTIL_NOW = frozenset({
    "for", "always", "today", "recently", "lately", "still", "far", "times", "often", "this", "these", "how",
    "over", "during", "past", "last", "until", "till",
})  # fmt: skip
"""With these, *have* and *has* tell of what lasts until now."""
_WHENEVER = frozenset({"when", "whenever", "once", "after", "before", "until", "till", "as"})
"""With these, *have* and *has* may tell of what has not come yet: *when they have reached it, she dies*."""
_PLACING = frozenset({"CJS", "PNQ", "DTQ", "AVQ"})
"""Tags of words that begin a clause whose time the other clause tells."""
_ALL_THE_TIME = frozenset({"for", "always"})
_MEANWHILE = frozenset({
    "when", "while", "as", "if", "until", "till", "still", "just", "whether", "why", "how", "what",
})  # fmt: skip
_NO_ACTION = {
    "interest", "amuse", "charm", "surprise", "exist", "will", "be", "have", "do", "use", "suppose", "get",
    "accord", "include", "concern",
}  # fmt: skip
_NOT_REACHED = {
    "die", "drown", "miss", "lack", "go", "want", "bore", "annoy", "excite", "care", "dare", "tire",
}  # fmt: skip
"""Verbs whose lasting form is a quality, or tells of what need not have come to pass."""


def tenses(words: Words) -> Iterator[Edit]:
    """Turn *had gone* into *went*, *was walking* into *walked*."""
    for number in range(1, len(words)):
        subject = words.tagged(number - 1)
        if not words.close[number] or subject not in ("PNP", "NN1", "NN2", "NP0", "PNQ", "CJC"):
            continue
        verb = number + 1
        if words.tagged(verb) == "AV0":
            verb += 1
        if words.run(number, verb) and not words.opens(number) and not words.owned(number):
            yield from _simple(words, number, verb)


def _simple(words: Words, number: int, verb: int) -> Iterator[Edit]:
    word, tag = words.low[number], words.tag[verb]
    adverb = f"{words.low[number + 1]} " if verb > number + 1 else ""
    # In "when he had gone" and "those who had come", the order of events shows without the tense.
    placed = not _PLACING.isdisjoint(words.tag[words.sentence(number)[0] : number])
    perfect = word in ("had", "have", "has") and placed and not words.with_any(number, _UNREAL)
    if word in ("have", "has"):
        perfect &= not words.with_any(number, _UNTIL_NOW | _WHENEVER) and words.tag[number - 1] != "CJC"
        # "Would he have gone?"
        perfect &= "VM0" not in words.tag[max(words.sentence(number)[0], number - 6) : number]
    lasting = word in ("was", "were") and tag == "VVG" and not words.with_any(number, _MEANWHILE)
    # "His hobby was fishing" is no action.
    lasting &= words.tag[number - 1] == "NP0" or words.near(number - 1) in ACTING
    # "We were talking and laughing", "he had risen and gone": both forms hang on one auxiliary.
    for other in words.joined(verb):
        lasting &= words.tag[other] != "VVG"
        perfect &= (
            words.tag[other] not in ("VVN", "VBN") or verb_form(words.low[other], "VBD") == words.low[other]
        )
    past = verb_form(words.low[verb], "VBD")
    plain = verb_form(words.low[verb], "VB") or words.lemma(verb)
    if past and plain not in _NO_ACTION and not _NO_ACTION.intersection((words.lemma(verb), past)):
        if (perfect and tag in ("VVN", "VVD")) or (lasting and plain not in _NOT_REACHED):
            yield Edit(words.start[number], words.end[verb], f"{adverb}{past}", "tense")
        return
    there = words.low[number : verb + 2][-2:] == ["been", "to"] or words.with_any(number, _ALL_THE_TIME)
    if perfect and word == "had" and words.low[verb] == "been" and words.subject(number - 1) and not there:
        be = "were" if words.low[number - 1] in _PLURAL else "was"
        yield Edit(words.start[number], words.end[verb], f"{be} {adverb}".rstrip(), "tense")


# Infinitives and participles.

_LIKING = {"like", "love", "hate", "prefer"}
_EITHER_FORM = _LIKING | {"begin", "start", "continue", "cease", "commence", "bother"}
_WISHED = re.compile(
    r"\b(?:would|should|could|might|may|will|shall|can|must)\b|['’](?:d|ll)\b", re.IGNORECASE
)
_STATES = {
    "understand", "know", "see", "feel", "like", "love", "hate", "realise", "realize", "believe", "seem",
    "look", "think", "be", "have", "own", "belong", "resemble", "matter", "suspect", "doubt", "hope", "fear",
}  # fmt: skip


def infinitives(words: Words) -> Iterator[Edit]:
    """Turn *began to walk* into *began walking*, and the reverse."""
    for number, one in enumerate(words.reading.tags):
        if one.lemma not in _EITHER_FORM or not one.tag.startswith("VV") or one.tag == "VVG":
            continue
        first, last = words.sentence(number)
        liking = one.lemma in _LIKING
        if liking and _WISHED.search(words.text, words.start[max(first, number - 6)], words.start[number]):
            continue
        if words.near(number + 1) == "to" and words.run(number, number + 2):
            form = verb_form(words.low[number + 2], "VBG") if words.tag[number + 2] == "VVI" else None
            alone = (liking or words.low[number + 2] not in _STATES) and not _plain_joined(words, number + 2)
            if form and alone:
                yield Edit(words.start[number + 1], words.end[number + 2], form, "infinitive")
        elif words.tagged(number + 1) == "VVG" and words.run(number, number + 1):
            plain = verb_form(words.low[number + 1], "VB")
            # "He prefers walking to running", "to begin walking".
            compared = one.lemma == "prefer" and not {"to", "than", "rather"}.isdisjoint(
                words.low[number:last]
            )
            listed = any(words.tag[other] == "VVG" for other in words.joined(number + 1))
            if plain and not compared and not listed and words.tagged(number - 1) != "TO0":
                yield Edit(words.start[number + 1], words.end[number + 1], f"to {plain}", "infinitive")


def _plain_joined(words: Words, verb: int) -> bool:
    """Return whether another plain form is joined to that of a verb: *to walk and sing*."""
    return any(words.tag[other] in ("VVI", "VVB", "VBI", "VHI", "VDI") for other in words.joined(verb))


_ACCOMPANYING = {
    "smile", "laugh", "nod", "look", "gaze", "stare", "listen", "wait", "think", "wonder", "talk", "speak",
    "sing", "whistle", "hum", "hold", "carry", "watch", "weep", "sob", "sigh", "tremble", "shake", "shiver",
    "blush", "frown", "grin", "glance", "murmur", "mutter", "whisper", "hope", "fear", "bow", "wave", "shout",
    "cry", "call", "rub", "stroke", "point", "explain", "argue", "claim", "try", "wish",
}  # fmt: skip
"""Verbs of what is done together with something else; what is done afterwards is no participle."""
_PREPOSITIONS = {
    "according", "including", "concerning", "regarding", "considering", "following", "owing", "depending",
    "excluding", "judging", "speaking", "beginning", "notwithstanding", "pending", "being", "having",
}  # fmt: skip
_MET = {
    "see", "hear", "find", "notice", "watch", "meet", "feel", "keep", "catch", "observe", "discover", "show",
    "have", "spot", "picture", "remember",
}  # fmt: skip
"""Verbs whose object may be the one who does what a participle behind it says."""


def participles(words: Words) -> Iterator[Edit]:
    """Turn *He looked up and smiled* into *He looked up, smiling*, and the reverse."""
    for number in range(3, len(words)):
        first, last = words.sentence(number)
        tag, word = words.tag[number], words.low[number]
        if words.low[number - 1] == "and" and tag == "VVD" and words.run(number - 1, number):
            form, plain = verb_form(word, "VBG"), verb_form(word, "VB")
            if plain not in _ACCOMPANYING or words.tagged(number + 1) == "CJC":
                continue
            verb = _only_verb(words, first, number - 1)
            # Neither "came and went" nor "rose, dressed and left".
            whole = first <= verb < number - 2 and words.run(first, number - 2)
            gap = words.text[words.end[number - 2] : words.start[number - 1]]
            if form and whole and gap in (" ", ", "):
                yield Edit(words.end[number - 2], words.end[number], f", {form}", "participle")
        elif tag == "VVG" and words.text[words.end[number - 1] : words.start[number]] == ", ":
            past = verb_form(word, "VBD")
            verb = (
                -1 if _FINITE_TAGS.intersection(words.tag[number:last]) else _only_verb(words, first, number)
            )
            if (
                not past
                or word in _PREPOSITIONS
                or not first <= verb < number
                or not words.run(first, number - 1)
            ):
                continue
            acting = (
                words.low[first] in ACTING or words.tag[first] == "NP0" or words.phrase(first) == verb - 1
            )
            # In "We saw the river, shining in the sun", it is the river that shines.
            governing = words.run(number, number + 1) and words.tag[number + 1] in (
                "AT0",
                "DPS",
                "PNP",
                "PNX",
            )
            own = words.tag[number - 1] not in ("NN0", "NN1", "NN2", "NP0", "PNP") or governing
            own |= verb_form(word, "VB") in _ACCOMPANYING
            if acting and own and words.lemma(verb) not in _MET:
                yield Edit(words.end[number - 1], words.end[number], f" and {past}", "participle")


def _only_verb(words: Words, first: int, last: int) -> int:
    """Return the only finite verb of some words, if it is a past and they are one clause, or -1."""
    if not words.lone_clause(first, last) or "CJC" in words.tag[first:last]:
        return -1
    return next((at for at in range(first, last) if words.tag[at] == "VVD"), -1)


# Auxiliaries.

_SENSES = {"see", "hear", "feel", "smell", "understand", "remember"}
_SUPPOSED = frozenset({
    "if", "so", "unless", "whether", "wish", "wished", "as", "hope", "hoped", "only", "would", "should",
    "tomorrow", "perhaps", "maybe", "until", "till", "before", "than", "might", "how", "order", "where",
    "though",
})  # fmt: skip
"""With these, *could see* and *was able to see* need not tell of what was seen."""
_DEGREES = {
    "very", "quite", "rather", "so", "too", "extremely", "perfectly", "almost", "fairly", "more", "less",
}  # fmt: skip


def auxiliaries(words: Words) -> Iterator[Edit]:
    """Turn *could see* into *saw*, *was able to find* into *found*, *seemed to be ill* into *seemed ill*."""
    for number in range(1, len(words) - 2):
        word, verb = words.low[number], words.low[number + 1]
        if not words.run(number - 1, number + 2 if verb == "to" else number + 1):
            continue
        if word == "could" and verb in _SENSES and words.near(number - 1) in ACTING - {"you"}:
            form = verb_form(verb, "VBD")
            unsure = words.with_any(number, _SUPPOSED | NEGATIONS) or _plain_joined(words, number + 1)
            if form and not unsure:
                yield Edit(words.start[number], words.end[number + 1], form, "auxiliary")
        elif words.lemma(number) in ("seem", "appear", "prove") and (verb, words.low[number + 2]) == (
            "to",
            "be",
        ):
            if words.tag[number].startswith("VV") and _plain_quality(words, number):
                yield Edit(words.end[number], words.end[number + 2], "", "auxiliary")
        elif word in ("able", "happened", "managed", "proceeded") and verb == "to":
            begin = number - 1 if word == "able" else number
            form = verb_form(words.low[number + 2], "VBD") if words.tag[number + 2] == "VVI" else None
            past = words.low[begin] in ("was", "were") or (word != "able" and words.subject(number - 1))
            unsure = words.with_any(number, _SUPPOSED | NEGATIONS) or _plain_joined(words, number + 2)
            if past and form and not unsure:
                yield Edit(words.start[begin], words.end[number + 2], form, "auxiliary")


def _plain_quality(words: Words, number: int) -> bool:
    """Return whether *to be* behind a verb comes before an adjective, or a noun that may do without it."""
    at = number + 3
    if not words.run(number, at):
        return False
    if words.tag[at] == "AV0" and words.low[at] in _DEGREES:
        at += 1
    if words.tagged(at) == "AJ0" and words.run(number, at):
        return not words.tagged(at + 1).startswith(("NN", "AJ"))
    return words.tag[number + 3] == "AT0" and words.lemma(number) != "appear"
