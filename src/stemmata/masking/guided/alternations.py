"""Alternations: the same said with another construction, as writers choose between them. English.

Words change their order, verbs their form, and light words are left out; put in, they nearly always read
worse. The rules see words and parts of speech, no trees: they propose where the words around look safe, and
leave it to a language model to refuse what does not read well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from stemmata.rewriting import Edit
from stemmata.rewriting.agreement import article_before, inflected
from stemmata.rewriting.passage import capitalised
from stemmata.rewriting.reading import Reading, cased_like, read
from stemmata.rewriting.sentence_joints import begins_clause

_SUBJECTS = {"i", "he", "she", "it", "we", "they", "you"}
_PLURAL = {"we", "they", "you"}
_OBJECTS = {"me", "him", "her", "us", "them", "you"}
_THIRD = {"he", "she", "it", "they", "him", "her", "them", "his", "its", "their"}
_NOUNS = ("NN0", "NN1", "NN2")
_DETERMINERS = ("AT0", "DPS", "DT0")
_FINITE = ("VBB", "VBD", "VBZ", "VDB", "VDD", "VDZ", "VHB", "VHD", "VHZ", "VM0", "VVB", "VVD", "VVZ")
_BE = {"is", "are", "was", "were"}
_INSIDE = re.compile(r"[\"“”()\[\]:;—–!?*_\n]|--|\s['‘]")
"""Where one of these stands in a sentence, its parts keep their order."""
_LONGEST = 32
"""Words from which on a sentence keeps the order of its parts."""


class _Words:
    """The words of a text as the rules look at them."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.text = reading, reading.text
        self.start, self.end = reading.passage.start, reading.passage.end
        self.low = [word.lower() for word in reading.passage.words]
        self.tag = [one.tag for one in reading.tags]
        # Whether nothing but a blank stands between a word and the one before.
        ends = [-1, *self.end]
        self.close = [self.text[end:start] == " " for end, start in zip(ends, self.start, strict=False)]

    def __len__(self) -> int:
        return len(self.low)

    def run(self, first: int, last: int) -> bool:
        """Return whether the words from one to another follow each other with blanks alone between them."""
        return first >= 0 and last < len(self) and all(self.close[first + 1 : last + 1])

    def near(self, number: int) -> str:
        """Return a word next to another, in lower case; empty beyond the ends."""
        return self.low[number] if 0 <= number < len(self) else ""

    def tagged(self, number: int) -> str:
        """Return the tag of a word; empty beyond the ends."""
        return self.tag[number] if 0 <= number < len(self) else ""

    def said(self, first: int, last: int) -> str:
        """Return the text from one word to another."""
        return self.text[self.start[first] : self.end[last]]

    def owned(self, number: int) -> bool:
        """Return whether a word is a genitive or has a clitic."""
        return self.text[self.end[number] : self.end[number] + 1] in ("'", "’", "-")

    def phrase(self, number: int, most: int = 4) -> int:
        """Return the last word of the noun phrase that begins with a word, or -1."""
        at = number
        if self.tagged(at) in _DETERMINERS:
            at += 1
        while self.tagged(at).startswith(("AJ0", "ORD", "CRD")) and self.run(at - 1, at):
            at += 1
        if self.tagged(at) not in _NOUNS or at - number >= most or not self.run(number, at):
            return -1
        return -1 if self.owned(at) else at

    def turned(self, first: int, second: int, last: int, kind: str, joint: str = " ") -> Edit:
        """Return the edit by which two neighbouring stretches of words change places."""
        new = f"{self.said(second, last)}{joint}{self.said(first, second - 1)}"
        return Edit(self.start[first], self.end[last], new, kind)

    def plain_sentences(self) -> Iterator[tuple[int, int]]:
        """Yield the first and the last words of sentences whose parts may change their order."""
        for start, end in self.reading.sentences:
            first, last = self.reading.word_from(start), self.reading.word_from(end) - 1
            if not 4 <= last - first < _LONGEST or self.start[first] != start or self.end[last] != end - 1:
                continue
            if self.text[end - 1] == "." and not _INSIDE.search(self.text, start, end):
                yield first, last

    def subject(self, number: int) -> bool:
        """Return whether a word is a pronoun that is a subject."""
        return self.near(number) in _SUBJECTS and (
            self.low[number] not in ("it", "you")
            or self.tagged(number - 1) not in ("PRP", "PRF", "VVI", "VVG")
        )

    def sentence(self, number: int) -> tuple[int, int]:
        """Return the numbers of the first word of a word's sentence, and of the first behind it."""
        start, end = self.reading.sentence_at(self.start[number])
        return self.reading.word_from(start), self.reading.word_from(end)

    def with_any(self, number: int, minded: frozenset[str], reach: int = 9) -> bool:
        """Return whether one of some words stands near a word, in its sentence."""
        first, last = self.sentence(number)
        return not minded.isdisjoint(self.low[max(first, number - reach) : min(last, number + reach)])

    def lowered(self, number: int) -> str:
        """Return a word as it would stand inside a sentence, if it began one."""
        return self.reading.passage.lowered(self.reading.passage.words[number])


def alternations(text: str) -> list[Edit]:
    """Return edits by which a text says the same with other constructions, in order.

    Examples
    --------
    >>> text = "When it rained, we left. The old man gave me some bread and cheese."
    >>> for edit in alternations(text):
    ...     print(edit.kind, repr(text[edit.start : edit.end]), "->", repr(edit.replacement))
    clause-order 'When it rained, we left' -> 'We left when it rained'
    object-order 'me some bread' -> 'some bread to me'
    coordination 'bread and cheese' -> 'cheese and bread'
    """
    words = _Words(read(text))
    found = {edit for rule in _RULES for edit in rule(words)}
    return sorted(edit for edit in found if text[edit.start : edit.end] != edit.replacement)


# Order of like words.

_FIXED = {
    frozenset(pair.split())
    for pair in (
        "ladies gentlemen", "black white", "ups downs", "life death", "law order", "pros cons",
        "heart soul", "supply demand", "trial error", "flesh blood", "bread butter", "king queen",
        "cause effect", "odds ends", "safe sound", "first foremost", "sick tired", "peace quiet",
        "rights wrongs", "loud clear", "null void", "research development", "fish chips", "salt pepper",
        "cup saucer", "knife fork", "rock roll", "arts crafts", "thunder lightning", "bed breakfast",
        "right wrong", "profit loss", "crime punishment", "war peace", "north south", "east west",
        "body mind", "body soul", "mind body", "wife children", "good evil",
    )
}  # fmt: skip


def _coordination(words: _Words) -> Iterator[Edit]:
    """Turn *bread and cheese* round."""
    for number, word in enumerate(words.low):
        if word not in ("and", "or") or not words.run(number - 1, number + 1):
            continue
        for first, last in _like_phrases(words, number):
            one, other = words.said(first, number - 1), words.said(number + 1, last)
            if not (one.islower() and other.islower()) or frozenset((one, other)) in _FIXED:
                continue
            article = words.near(first - 1) in ("a", "an") and article_before(one) != article_before(other)
            if one != other and not article:
                yield Edit(words.start[first], words.end[last], f"{other} {word} {one}", "coordination")


def _like_phrases(words: _Words, joint: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last word of two phrases of one kind around a conjunction."""
    one, other = words.tag[joint - 1], words.tag[joint + 1]
    before, behind = words.tagged(joint - 2), words.tagged(joint + 2) if words.run(joint, joint + 2) else ""
    if words.owned(joint + 1):
        return
    if one == other == "AJ0" and not behind.startswith("AJ"):
        if before != "AV0" or words.near(joint - 2) in ("very", "so", "too", "quite"):
            yield joint - 1, joint + 1
    elif one == other == "AV0":
        if words.low[joint - 1].endswith("ly") and words.low[joint + 1].endswith("ly"):
            yield joint - 1, joint + 1
    elif one in _NOUNS:
        last = words.phrase(joint + 1)
        first = joint - (last - joint)
        if (
            last < 0
            or first < 0
            or words.phrase(first) != joint - 1
            or words.tag[first] != words.tag[joint + 1]
        ):
            return
        if words.tagged(last + 1) in (*_NOUNS, "PRF", "DTQ", "PNQ", "CJT"):
            return
        outside = words.tagged(first - 1)
        # In "she saw the king and the queen smiled", the second begins a clause.
        clause = words.tagged(last + 1) in _FINITE and outside not in ("", "PRP", "PRF")
        if not clause and not outside.startswith(("NN", "AJ", "NP", "CRD", "ORD", "POS")):
            yield first, last


def _adjectives(words: _Words) -> Iterator[Edit]:
    """Turn *a long, dark night* round."""
    for number in range(1, len(words) - 1):
        if words.tag[number - 1] == words.tag[number] == "AJ0" and words.tag[number + 1] in _NOUNS:
            one, other = words.low[number - 1], words.low[number]
            gap = words.text[words.end[number - 1] : words.start[number]]
            article = words.near(number - 2) in ("a", "an") and article_before(one) != article_before(other)
            if gap == ", " and words.close[number + 1] and words.close[number - 1] and not article:
                yield Edit(words.start[number - 1], words.end[number], f"{other}, {one}", "coordination")


# Order of clauses, adverbs and objects.

_SUBORDINATING = {
    "because", "when", "if", "although", "though", "while", "since", "after", "before", "until", "unless",
    "whenever", "once", "as",
}  # fmt: skip


def _clauses(words: _Words) -> Iterator[Edit]:
    """Turn *When it rained, he left* into *He left when it rained*."""
    reading, text = words.reading, words.text
    for first, last in words.plain_sentences():
        begin, end = words.start[first], words.end[last]
        clause, _, main = text[begin:end].partition(", ")
        if words.low[first] not in _SUBORDINATING or not main or "," in main:
            continue
        at = begin + len(clause) + 2
        moved = words.low[reading.word_from(at) : last + 1]
        if not begins_clause(reading, words.start[first + 1], at) or not begins_clause(reading, at, end):
            continue
        # A pronoun would come before the word that it stands for.
        if words.low[first + 1] not in _SUBJECTS and not _THIRD.isdisjoint(moved):
            continue
        if _SUBORDINATING.union(("and", "but", "that")).isdisjoint(moved):
            lowered = words.lowered(first) + clause[words.end[first] - begin :]
            yield Edit(begin, end, f"{capitalised(main)} {lowered}", "clause-order")


_TIMES = {
    "morning", "evening", "afternoon", "night", "day", "days", "moment", "time", "times", "year", "years",
    "week", "weeks", "month", "months", "hour", "hours", "minutes", "century", "summer", "winter", "autumn",
    "spring", "end", "beginning", "past", "future", "meantime", "instant",
}  # fmt: skip


_MOVING = {
    "suddenly", "perhaps", "certainly", "usually", "often", "sometimes", "finally", "soon", "now", "then",
    "probably", "obviously", "clearly", "apparently", "gradually", "slowly", "eventually", "originally",
    "recently", "immediately", "presently", "occasionally", "naturally", "actually", "indeed", "evidently",
    "quickly", "quietly", "instantly", "surely", "really", "formerly", "generally", "normally", "typically",
}  # fmt: skip


def _adverbs(words: _Words) -> Iterator[Edit]:
    """Turn *Suddenly he rose* into *He suddenly rose*, *slowly opened it* into *opened it slowly*."""
    for number, word in enumerate(words.low):
        here = words.start[number]
        if words.said(number, number).isupper():
            continue
        if word in _MOVING and words.tagged(number + 1) == "PNP" and words.reading.begins_sentence(here):
            gap = words.text[words.end[number] : words.start[number + 1]]
            verb = words.tagged(number + 2)
            if gap not in (" ", ", ") or not words.run(number + 1, number + 3):
                continue
            if verb in ("VVD", "VVB", "VVZ"):
                new = f"{capitalised(words.low[number + 1])} {word}"
                yield Edit(here, words.end[number + 1], new, "adverb-order")
            elif verb in _FINITE and words.tagged(number + 3) != "XX0":
                new = f"{capitalised(words.low[number + 1])} {words.low[number + 2]} {word}"
                yield Edit(here, words.end[number + 2], new, "adverb-order")
        elif word in _MOVING and words.subject(number - 1) and words.run(number - 1, number + 1):
            if words.tagged(number + 1) in _FINITE and words.reading.begins_sentence(words.start[number - 1]):
                subject = words.reading.passage.words[number - 1]
                new = f"{capitalised(word)} {subject if subject == 'I' else subject.lower()}"
                yield Edit(words.start[number - 1], words.end[number], new, "adverb-order")
        elif word.endswith("ly") and words.tag[number] == "AV0":
            yield from _manner(words, number)


def _manner(words: _Words, number: int) -> Iterator[Edit]:
    """Move an adverb before its verb, or behind its verb and what the verb governs."""
    if words.tagged(number - 1) == "VVD" and words.run(number - 2, number):
        free = not words.run(number, number + 1) or words.tag[number + 1].startswith(("PRP", "CJ"))
        if free and words.tag[number - 2] in ("PNP", "NN1", "NN2", "CJC", "NP0", "PNQ"):
            yield words.turned(number - 1, number, number, "adverb-order")
    elif words.tagged(number + 1) == "VVD" and words.run(number - 1, number + 1):
        last = number + 1
        if words.run(last, last + 1) and words.tag[last + 1] in _DETERMINERS:
            last = words.phrase(last + 1)
        if last > 0 and not (words.run(last, last + 1) and words.tag[last + 1] not in ("PRP", "CJC")):
            yield words.turned(number, number + 1, last, "adverb-order")


_SPEAKING = (
    "said|replied|answered|cried|asked|exclaimed|returned|added|remarked|observed|murmured|whispered|continued|"
    "muttered|repeated|inquired|enquired|rejoined|demanded"
)
_SPEAKER = r"(?:Mr|Mrs|Miss|Dr|Lady|Lord|Sir)\.? [A-Z][a-z]+|[A-Z][a-z]+|the (?:old |young )?[a-z]+"
_SAID_HE = re.compile(rf"(?<=[,!?—][\"”’'] )({_SPEAKING}) (he|she|I|they|{_SPEAKER})(?=[.,;:])")
_HE_SAID = re.compile(rf"(?<=[,!?—][\"”’'] )(he|she|I|they|{_SPEAKER}) ({_SPEAKING})(?=[.,;:])")


def _speakers(words: _Words) -> Iterator[Edit]:
    """Turn *said he* into *he said*, and the reverse."""
    for pattern in (_SAID_HE, _HE_SAID):
        for found in pattern.finditer(words.text):
            yield Edit(*found.span(), f"{found[2]} {found[1]}", "speaker-order")


_PERSONS = {
    "father", "mother", "brother", "sister", "son", "daughter", "wife", "husband", "uncle", "aunt",
    "friend", "master", "king", "queen", "captain", "doctor", "author", "writer", "child", "man", "woman",
    "boy", "girl", "world", "country", "nation", "company", "city", "student", "teacher", "person", "lady",
    "gentleman", "government", "family", "poet", "reader", "day",
}  # fmt: skip


def _genitives(words: _Words) -> Iterator[Edit]:
    """Turn *the house of my father* into *my father's house*, and the reverse."""
    for number in range(len(words) - 4):
        thing, owner = number + 1, number + 4
        if words.low[number] != "the" or words.low[number + 2] != "of" or words.low[owner] not in _PERSONS:
            continue
        if not words.run(number, owner) or words.owned(owner) or words.low[thing].endswith("tion"):
            continue
        if words.tag[thing] not in _NOUNS or not words.said(thing, thing).islower():
            continue
        if words.tag[owner - 1] not in ("DPS", "AT0") or words.low[owner - 1] in ("a", "an"):
            continue
        if not words.tagged(owner + 1).startswith(("NN", "PNQ", "DTQ", "CJT", "PRF")):
            new = cased_like(
                words.said(number, number), f"{words.said(owner - 1, owner)}'s {words.low[thing]}"
            )
            yield Edit(words.start[number], words.end[owner], new, "genitive")
    for found in re.finditer(r"\b(the|my|his|her|our|their|this) ([a-z]+)['’]s ([a-z]+)\b", words.text):
        owner, thing = words.reading.word_from(found.start(2)), words.reading.word_from(found.start(3))
        if words.tag[owner] != "NN1" or words.tagged(thing) not in ("NN1", "NN2"):
            continue
        if words.tagged(thing + 1).startswith(("NN", "PRF", "POS")) or words.owned(thing):
            continue
        yield Edit(*found.span(), f"the {found[3]} of {found[1]} {found[2]}", "genitive")


_PARTICLES = {"up", "out", "off", "down", "away", "back"}
_PARTED = {
    "pick", "take", "put", "turn", "bring", "give", "set", "throw", "hold", "lay", "send", "carry", "cut",
    "draw", "pull", "push", "shut", "call", "point", "work", "figure", "break", "lift", "hand", "pay",
    "write", "wash",
}  # fmt: skip
_GIVING = {"give", "send", "show", "lend", "offer", "hand", "bring", "pay", "teach", "write", "grant", "bear"}


def _objects(words: _Words) -> Iterator[Edit]:
    """Turn *gave him a book* into *gave a book to him*, *took off his hat* into *took his hat off*."""
    for number, one in enumerate(words.reading.tags):
        here = number + 1
        if not one.tag.startswith("VV") or not words.run(number, here + 1):
            continue
        last = words.phrase(here) if words.tag[here] in _DETERMINERS else -1
        later = words.phrase(here + 1) if words.tag[here + 1] in _DETERMINERS else -1
        if one.lemma in _PARTED and words.low[here] in _PARTICLES and later > 0:
            if words.near(later + 1) != "of":
                yield words.turned(here, here + 1, later, "object-order")
        elif one.lemma in _PARTED and last > 0 and words.near(last + 1) in _PARTICLES:
            bound = words.run(last + 1, last + 2) and words.tag[last + 2].startswith(("PR", "AT", "DP", "NN"))
            if words.close[last + 1] and not bound:
                yield words.turned(here, last + 1, last + 1, "object-order")
        elif one.lemma in _GIVING and words.low[here] in _OBJECTS and later > 0:
            if words.near(later + 1) not in ("of", "to", "that", "which"):
                yield words.turned(here, here + 1, later, "object-order", " to ")
        elif one.lemma in _GIVING and last > 0 and words.near(last + 1) == "to":
            bound = words.run(last + 2, last + 3) and words.tag[last + 3].startswith(("VV", "NN", "AJ"))
            if words.near(last + 2) in _OBJECTS and words.run(last, last + 2) and not bound:
                new = f"{words.low[last + 2]} {words.said(here, last)}"
                yield Edit(words.start[here], words.end[last + 2], new, "object-order")


# Forms of verbs.

_UNREAL = frozenset({"if", "wish", "wished", "than", "since", "already", "yet", "ever", "though", "now"})
_MEANWHILE = frozenset({"when", "while", "as", "if", "until", "till"})
_NO_ACTION = {"interest", "amuse", "charm", "surprise", "exist", "will", "be", "have", "do", "use", "suppose"}


def _tenses(words: _Words) -> Iterator[Edit]:
    """Turn *had gone* into *went*, *was walking* into *walked*."""
    for number in range(1, len(words)):
        word, subject = words.low[number], words.tagged(number - 1)
        if not words.close[number] or subject not in ("PNP", "NN1", "NN2", "NP0", "PNQ", "CJC"):
            continue
        verb = number + 1
        if words.tagged(verb) == "AV0":
            verb += 1
        if words.run(number, verb) and not words.reading.begins_sentence(words.start[number]):
            adverb = f"{words.low[number + 1]} " if verb > number + 1 else ""
            yield from _simple(words, number, verb, word, adverb)


def _simple(words: _Words, number: int, verb: int, word: str, adverb: str) -> Iterator[Edit]:
    tagged = words.reading.tags[verb]
    if words.owned(number):
        return
    perfect = word in ("had", "have", "has") and not words.with_any(number, _UNREAL)
    lasting = word in ("was", "were") and tagged.tag == "VVG" and not words.with_any(number, _MEANWHILE)
    if (perfect and tagged.tag in ("VVN", "VVD")) or (lasting and words.low[verb] != "going"):
        past = inflected(tagged.lemma, "VVD")
        if past and tagged.lemma not in _NO_ACTION:
            yield Edit(words.start[number], words.end[verb], f"{adverb}{past}", "tense")
    elif perfect and word == "had" and words.low[verb] == "been" and words.subject(number - 1):
        be = "were" if words.low[number - 1] in _PLURAL else "was"
        yield Edit(words.start[number], words.end[verb], f"{be} {adverb}".rstrip(), "tense")


_EITHER_FORM = {"begin", "start", "continue", "cease", "like", "love", "hate", "prefer", "commence", "bother"}


def _infinitives(words: _Words) -> Iterator[Edit]:
    """Turn *began to walk* into *began walking*, and the reverse."""
    for number, one in enumerate(words.reading.tags):
        if one.lemma not in _EITHER_FORM or not one.tag.startswith("VV") or one.tag == "VVG":
            continue
        if words.near(number + 1) == "to" and words.run(number, number + 2):
            other = words.reading.tags[number + 2]
            form = inflected(other.lemma, "VVG") if other.tag == "VVI" else None
            if form and words.near(number - 1) not in ("would", "should", "d"):
                yield Edit(words.start[number + 1], words.end[number + 2], form, "infinitive")
        elif words.tagged(number + 1) == "VVG" and words.run(number, number + 1):
            lemma = words.reading.tags[number + 1].lemma
            if not lemma.endswith("ing"):
                yield Edit(words.start[number + 1], words.end[number + 1], f"to {lemma}", "infinitive")


def _participles(words: _Words) -> Iterator[Edit]:
    """Turn *He looked up and smiled* into *He looked up, smiling*, and the reverse."""
    for number in range(3, len(words)):
        tagged = words.reading.tags[number]
        if words.low[number - 1] == "and" and tagged.tag == "VVD" and words.run(number - 1, number):
            form = inflected(tagged.lemma, "VVG")
            first, _ = words.sentence(number)
            before = words.tag[max(first, number - 7) : number - 1]
            gap = words.text[words.end[number - 2] : words.start[number - 1]]
            if form and "VVD" in before and gap in (" ", ", ") and tagged.lemma not in _NO_ACTION:
                yield Edit(words.end[number - 2], words.end[number], f", {form}", "participle")
        elif tagged.tag == "VVG" and words.text[words.end[number - 1] : words.start[number]] == ", ":
            past = inflected(tagged.lemma, "VVD")
            first, _ = words.sentence(number)
            if past and "VVD" in words.tag[first:number] and words.tag[number - 1] != "VVG":
                yield Edit(words.end[number - 1], words.end[number], f" and {past}", "participle")


# Clauses made shorter or longer.

_RELATIVE = ("who", "which", "that")


def _relatives(words: _Words) -> Iterator[Edit]:
    """Turn *the man who was standing* into *the man standing*, *the book which I read* into *… I read*."""
    for number in range(1, len(words) - 2):
        word, gap = words.low[number], words.text[words.end[number - 1] : words.start[number]]
        if word not in _RELATIVE or words.tag[number - 1] not in _NOUNS or not words.run(number, number + 2):
            continue
        if words.low[number + 1] in _BE and words.tag[number + 2] in ("VVG", "VVN") and gap in (" ", ", "):
            yield Edit(words.start[number], words.start[number + 2], "", "relative")
        elif gap == " " and words.subject(number + 1) and word != "that":
            yield Edit(words.start[number], words.start[number + 1], "", "relative")


_TWICE = ("AT0", "DPS", "PRP", "PRF", "TO0", "DT0")


def _shared(words: _Words) -> Iterator[Edit]:
    """Say once what two have in common: *the bread and (the) cheese*, *he rose and (he) left*."""
    for number, word in enumerate(words.low):
        if word not in ("and", "or", "but") or not words.close[number] or not words.run(number, number + 2):
            continue
        here = number + 1
        first, _ = words.sentence(number)
        earlier = words.low[max(first, number - 5) : number]
        subject = words.subject(here) and words.low[here] in words.low[first:number]
        twice = (
            words.tag[here] in _TWICE and words.low[here] in earlier and words.low[here] not in ("a", "an")
        )
        if (subject and words.tag[here + 1] in _FINITE) or twice:
            yield Edit(words.start[here], words.start[here + 1], "", "shared")


_SENSES = {"see", "hear", "feel", "smell", "understand", "remember"}


def _auxiliaries(words: _Words) -> Iterator[Edit]:
    """Turn *could see* into *saw*, *was able to find* into *found*, *seemed to be ill* into *seemed ill*."""
    for number in range(1, len(words) - 3):
        word, one, verb = words.low[number], words.reading.tags[number], words.reading.tags[number + 1]
        if not words.run(number - 1, number + 2):
            continue
        if word == "could" and verb.lemma in _SENSES and words.subject(number - 1):
            form = inflected(verb.lemma, "VVD") or ""
            yield Edit(words.start[number], words.end[number + 1], form, "auxiliary")
        elif one.lemma in ("seem", "appear", "prove") and words.low[number + 1 : number + 3] == ["to", "be"]:
            if words.close[number + 3] and words.tag[number + 3] in ("AJ0", "AV0", "AT0"):
                yield Edit(words.end[number], words.end[number + 2], "", "auxiliary")
        elif word in ("able", "happened", "managed", "proceeded") and words.low[number + 1] == "to":
            begin = number - 1 if word == "able" else number
            form = inflected(words.reading.tags[number + 2].lemma, "VVD") or ""
            past = words.low[begin] in ("was", "were") or (word != "able" and words.subject(number - 1))
            if past and form and words.tag[number + 2] == "VVI":
                yield Edit(words.start[begin], words.end[number + 2], form, "auxiliary")


def _demonstratives(words: _Words) -> Iterator[Edit]:
    """Turn *this house* into *the house*, where the house was spoken of before."""
    spoken: set[str] = set()
    for number in range(len(words) - 1):
        if words.tag[number + 1] not in ("NN1", "NN2"):
            continue
        noun = words.reading.tags[number + 1].lemma
        pointing = words.low[number] in ("this", "that", "these", "those") and words.tag[number] == "DT0"
        if pointing and words.close[number + 1] and noun in spoken and noun not in _TIMES:
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
    "own": "NN1 NN2 AJ0", "both": "AT0 DPS NN1 NN2 AJ0 PRP", "all": "AT0 DPS DT0", "much": "AJC",
    "far": "AJC", "various": "NN2", "certain": "NN2", "particular": "NN1 NN2", "specific": "NN1 NN2",
    "actual": "NN1 NN2", "entire": "NN1", "whole": "NN1", "some": "NN2 AJ0", "very": "NN1", "up": "PRP",
    "down": "PRP", "out": "PRP", "away": "PRP", "back": "PRP", "over": "PRP",
}  # fmt: skip
"""Other words of that kind, and the parts of speech before which they are."""
_MOVED = {
    "go", "come", "walk", "run", "return", "ride", "drive", "hurry", "sit", "lie", "fall", "bring", "climb",
    "travel",
}  # fmt: skip
_KEEPING = {
    "not", "n't", "as", "how", "so", "too", "no", "never", "if", "right", "ever", "nor", "than", "only",
}  # fmt: skip
"""Words that need the light word behind them."""
_NEEDED = {
    "much", "many", "few", "little", "well", "far", "long", "that", "as", "than", "enough", "to", "not",
}  # fmt: skip
"""Words that need the light word before them."""
_BOUND = frozenset({"that", "as"})
_ASIDE = re.compile(
    r"(?<=\w), (?:of course|in fact|indeed|then|too|I think|I believe|I suppose|you know|you see|in turn"
    r"|after all|certainly|also)(?:,(?= [a-z])|(?=\.(?:\s|$)))"
)
_OPENING = re.compile(
    r"(?:And|So|Then|Now|Well,|Indeed,|Of course,|In fact,|Also,|Furthermore,|Moreover,"
    r"|In addition,|Thus,?|Therefore,) "
    r"(?=(?:I|he|she|it|we|they|you|there|the|this|these|his|her|their|our|my|a)\b)"
)


def _omissions(words: _Words) -> Iterator[Edit]:
    """Turn *was also seen* into *was seen*."""
    for number in range(1, len(words) - 1):
        word, after = words.low[number], words.tag[number + 1]
        light = word in _LIGHT and words.tag[number] == "AV0" and not after.startswith(("CJ", "XX"))
        if not light and after not in _EMPTY.get(word, "").split():
            continue
        before, near = words.low[number - 1], words.low[max(number - 3, 0) : number]
        if not words.run(number - 1, number + 1) or not words.said(number, number).islower():
            continue
        if not _KEEPING.isdisjoint(near) or (light and words.tag[number - 1] == "PRP"):
            continue
        if words.low[number + 1] in _NEEDED or words.tagged(number + 2) == "AJC":
            continue
        if word == "so" and words.with_any(number, _BOUND):
            continue
        if after == "PRP" and not light and words.reading.tags[number - 1].lemma not in _MOVED:
            continue
        start, new = words.start[number], ""
        article = article_before(words.low[number + 1])
        if before in ("a", "an") and article != before:
            start, new = (
                words.start[number - 1],
                cased_like(words.said(number - 1, number - 1), article) + " ",
            )
        yield Edit(start, words.start[number + 1], new, "omission")
    for found in _ASIDE.finditer(words.text):
        yield Edit(*found.span(), "", "omission")


def _openings(words: _Words) -> Iterator[Edit]:
    """Turn *And he left* into *He left*."""
    for start, _ in words.reading.sentences:
        found = _OPENING.match(words.text, start)
        if found:
            yield Edit(start, found.end() + 1, words.text[found.end()].upper(), "opening")


_RULES: tuple[Callable[[_Words], Iterator[Edit]], ...] = (
    _coordination, _adjectives, _clauses, _adverbs, _speakers, _genitives, _objects, _tenses,
    _infinitives, _participles, _relatives, _shared, _auxiliaries, _demonstratives, _omissions,
    _openings,
)  # fmt: skip
