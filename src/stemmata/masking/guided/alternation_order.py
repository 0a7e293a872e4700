"""Alternations of the order of English words: like words, clauses, adverbs, speakers, owners and objects."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stemmata.masking.guided.alternation_words import (
    DETERMINERS,
    NEGATIONS,
    NOUNS,
    OBJECTS,
    SUBJECTS,
    TIMES,
    Words,
)
from stemmata.rewriting import Edit
from stemmata.rewriting.agreement import article_before
from stemmata.rewriting.passage import capitalised
from stemmata.rewriting.reading import cased_like
from stemmata.rewriting.sentence_joints import FINITE, begins_clause

_THIRD = {"he", "she", "it", "they", "him", "her", "them", "his", "its", "their"}

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
        "body mind", "body soul", "wife children", "good evil", "night day", "nights days", "man wife",
        "husband wife", "mother child", "father son", "brothers sisters", "men women", "man woman",
        "boys girls", "young old", "rich poor", "hand foot", "hands feet", "hands knees", "arms legs",
        "food drink", "needle thread", "lock key", "pen ink", "pen paper", "horse cart", "horse carriage",
        "bow arrow", "bows arrows", "hustle bustle", "wear tear", "ways means", "terms conditions",
        "goods services", "heaven earth", "heaven hell", "name address", "ebb flow", "give take", "far wide",
        "high low", "hot cold", "long short", "left right", "more less", "sooner later", "cats dogs",
        "milk honey", "part parcel", "rank file", "leaps bounds", "bits pieces", "nuts bolts", "skin bone",
        "skin bones", "up down", "in out", "back forth", "here there", "now then", "free easy",
        "health safety", "ins outs", "bright early", "red white",
        "alive well", "fair square", "high dry", "short sweet", "tried true", "fine dandy",
        "thick thin", "hook crook", "kith kin", "bag baggage", "hale hearty", "stuff nonsense", "touch go",
        "aches pains", "born bred", "cut dried", "eyes ears", "facts figures", "fast furious", "fun games",
        "hammer tongs", "hard fast", "head shoulders", "hearth home", "hopes fears", "life limb",
        "lost found", "mother father", "neat tidy", "prim proper", "pure simple", "rough ready",
        "rough tumble", "sackcloth ashes", "song dance", "sixes sevens", "stars stripes", "time tide",
        "to fro", "toil trouble", "tooth nail", "twists turns", "weights measures", "will testament",
        "past present", "past future", "present future", "sun moon", "land sea", "fire brimstone",
        "fire sword", "hue cry", "nook cranny", "nooks crannies", "ifs buts", "bread water",
        "cloak dagger", "dead gone", "down out", "high mighty", "chapter verse", "cut thrust", "rack ruin",
        "might main", "chop change", "spick span", "sum substance", "wit wisdom", "pomp circumstance",
        "divide conquer", "brandy water", "brandy soda", "whisky water", "whisky soda", "rum water",
        "gin tonic", "bacon eggs", "ham eggs", "comings goings", "search rescue", "hit run",
        "copy paste", "hide seek", "black blue", "eat drink", "alive kicking", "trick treat", "input output",
    )
}  # fmt: skip
"""Pairs of a fixed order."""
_BEFORE_OTHERS = {"nice", "good", "such", "same", "other"}
"""Adjectives that come first, as in *nice and warm*."""
_ADVERBIAL = ("in", "at", "on", "by", "before", "after", "during", "yesterday")
"""Prepositions that seldom belong to the last of two alone."""


def coordination(words: Words) -> Iterator[Edit]:
    """Turn *bread and cheese* round."""
    for number, word in enumerate(words.low):
        if word not in ("and", "or") or not words.run(number - 1, number + 1):
            continue
        for first, last in _like_phrases(words, number):
            one, other = words.said(first, number - 1), words.said(number + 1, last)
            pair = frozenset((words.low[number - 1], words.low[last]))
            if not (one.islower() and other.islower()) or pair in _FIXED:
                continue
            article = words.near(first - 1) in ("a", "an") and article_before(one) != article_before(other)
            if one != other and not article:
                yield Edit(words.start[first], words.end[last], f"{other} {word} {one}", "coordination")


def _like_phrases(words: Words, joint: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last word of two phrases of one kind around a conjunction."""
    one, other = words.tag[joint - 1], words.tag[joint + 1]
    before, behind = words.tagged(joint - 2), words.tagged(joint + 2) if words.run(joint, joint + 2) else ""
    if words.owned(joint + 1):
        return
    if one == other == "AJ0":
        # In "tired and afraid of dogs", only the second has a complement.
        governing = behind.startswith(("AJ", "PR", "TO0", "CJT")) and words.near(joint + 2) != "in"
        graded = before == "AV0" and words.near(joint - 2) not in ("very", "so", "too", "quite")
        if not governing and not graded and words.low[joint - 1] not in _BEFORE_OTHERS:
            yield joint - 1, joint + 1
    elif one == other == "AV0":
        pair = (words.low[joint - 1], words.low[joint + 1])
        if all(word.endswith("ly") for word in pair) and _NO_MANNER.isdisjoint(pair):
            yield joint - 1, joint + 1
    elif one in NOUNS:
        last = words.phrase(joint + 1)
        first = joint - (last - joint)
        alike = last > 0 and first >= 0 and words.phrase(first) == joint - 1
        # In "his nearness and its strength", one pronoun stands for what the other names.
        alike &= words.tagged(first) != "DPS" or words.near(first) == words.near(joint + 1)
        if not alike or words.tag[first] != words.tag[joint + 1] or _goes_on(words, first, last):
            return
        # In "she saw the king and the queen smiled", the second begins a clause.
        outside = words.tagged(first - 1)
        numbered = "CRD" in words.tag[first:last]
        beginning = outside in DETERMINERS and words.opens(first - 1)
        clause = words.verb_ahead(last) and not beginning
        if (
            not clause
            and not numbered
            and not outside.startswith(("NN", "AJ", "NP", "CRD", "ORD", "POS", "CJC"))
        ):
            yield first, last


def _goes_on(words: Words, first: int, last: int) -> bool:
    """Return whether what follows a noun phrase belongs to it alone, as far as words tell."""
    if not words.run(last, last + 1):
        return False
    tag, word = words.tag[last + 1], words.low[last + 1]
    if tag.startswith("PRP"):
        return word not in _ADVERBIAL or words.tag[first] in DETERMINERS
    return tag.startswith(("NN", "NP", "PRF", "DTQ", "PNQ", "CJT", "CJC", "AVQ", "TO0"))


_NEXT_TO_NOUNS = {
    "red", "green", "blue", "white", "black", "brown", "grey", "gray", "yellow", "purple", "pink", "golden",
    "wooden", "little", "round", "square", "young", "social", "political", "public", "national", "human",
}  # fmt: skip


def adjectives(words: Words) -> Iterator[Edit]:
    """Turn *a long, dark night* round."""
    for number in range(1, len(words) - 1):
        if words.tag[number - 1] == words.tag[number] == "AJ0" and words.tag[number + 1] in NOUNS:
            one, other = words.said(number - 1, number - 1), words.said(number, number)
            gap = words.text[words.end[number - 1] : words.start[number]]
            article = words.near(number - 2) in ("a", "an") and article_before(one) != article_before(other)
            # Names of nations and colours stand next to their nouns, and "very" belongs to the first alone.
            fixed = not (one.islower() and other.islower()) or other in _NEXT_TO_NOUNS
            fixed |= words.tagged(number - 2) == "AV0" or article
            if gap == ", " and words.close[number + 1] and words.close[number - 1] and not fixed:
                yield Edit(words.start[number - 1], words.end[number], f"{other}, {one}", "coordination")


# Order of clauses and adverbs.

_SUBORDINATING = {
    "because", "when", "if", "although", "though", "while", "since", "after", "before", "until", "unless",
    "whenever", "once", "as",
}  # fmt: skip
_REPORTING = frozenset({
    "say", "says", "said", "know", "knows", "see", "sees", "saw", "hear", "heard", "think", "told", "tell",
    "mentioned", "noted", "believe", "goes", "understand", "remember", "expected", "usual", "stated",
})  # fmt: skip
"""With these, *as* speaks about the whole sentence."""


def clauses(words: Words) -> Iterator[Edit]:
    """Turn *When it rained, he left* into *He left when it rained*."""
    reading, text = words.reading, words.text
    for first, last in words.plain_sentences():
        begin, end = words.start[first], words.end[last]
        clause, _, main = text[begin:end].partition(", ")
        opening = words.low[first]
        if opening not in _SUBORDINATING or not main or "," in main:
            continue
        at = begin + len(clause) + 2
        middle = reading.word_from(at)
        moved = words.low[middle : last + 1]
        # Behind "I am sure you will", a clause would go with the nearer verb.
        if not words.lone_clause(middle, last + 1):
            continue
        if not begins_clause(reading, words.start[first + 1], at) or not begins_clause(reading, at, end):
            continue
        # A pronoun would come before the word that it stands for.
        if words.low[first + 1] not in SUBJECTS and not _THIRD.isdisjoint(moved):
            continue
        if opening == "as" and not _REPORTING.isdisjoint(words.low[first:middle]):
            continue
        # "While this may be so" is no matter of time.
        if opening == "while" and any(tag in ("VM0", "VBZ", "VBB") for tag in words.tag[first:middle]):
            continue
        # "We did not go because it rained" may deny the reason alone.
        if opening in ("because", "since", "as") and not NEGATIONS.isdisjoint(moved):
            continue
        if _SUBORDINATING.union(("and", "but", "that", "then", "so")).isdisjoint(moved):
            lowered = words.lowered(first) + clause[words.end[first] - begin :]
            yield Edit(begin, end, f"{capitalised(main)} {lowered}", "clause-order")


_MOVING = {
    "suddenly", "perhaps", "certainly", "usually", "often", "sometimes", "finally", "soon", "now", "then",
    "probably", "obviously", "clearly", "apparently", "gradually", "slowly", "eventually", "originally",
    "recently", "immediately", "presently", "occasionally", "naturally", "actually", "indeed", "evidently",
    "quickly", "quietly", "instantly", "surely", "formerly", "generally", "normally", "typically",
}  # fmt: skip


def adverbs(words: Words) -> Iterator[Edit]:
    """Turn *Suddenly he rose* into *He suddenly rose*, *slowly opened it* into *opened it slowly*."""
    for number, word in enumerate(words.low):
        here = words.start[number]
        if words.said(number, number).isupper():
            continue
        if word in _MOVING and words.tagged(number + 1) == "PNP" and words.reading.begins_sentence(here):
            gap = words.text[words.end[number] : words.start[number + 1]]
            verb = words.tagged(number + 2)
            # "Now, I tell you" only calls for attention.
            aside = gap == ", " and word not in ("now", "then", "surely", "indeed")
            if not (gap == " " or aside) or not words.run(number + 1, number + 3):
                continue
            if verb in ("VVD", "VVB", "VVZ"):
                new = f"{capitalised(words.low[number + 1])} {word}"
                yield Edit(here, words.end[number + 1], new, "adverb-order")
            elif verb in FINITE and words.tagged(number + 3) != "XX0":
                new = f"{capitalised(words.low[number + 1])} {words.low[number + 2]} {word}"
                yield Edit(here, words.end[number + 2], new, "adverb-order")
        elif word in _MOVING and words.subject(number - 1) and words.run(number - 1, number + 1):
            if words.tagged(number + 1) in FINITE and words.reading.begins_sentence(words.start[number - 1]):
                subject = words.reading.passage.words[number - 1]
                new = f"{capitalised(word)} {subject if subject == 'I' else subject.lower()}"
                yield Edit(words.start[number - 1], words.end[number], new, "adverb-order")
        elif word.endswith("ly") and words.tag[number] == "AV0" and word not in _NO_MANNER:
            yield from _manner(words, number)


_NO_MANNER = {
    "hardly", "scarcely", "barely", "nearly", "only", "merely", "simply", "really", "probably", "certainly",
    "possibly", "actually", "early", "daily", "hourly", "weekly", "monthly", "yearly", "nightly", "likely",
    "fairly", "mostly", "partly", "mainly", "rarely", "usually", "generally", "normally", "commonly",
    "typically", "practically", "virtually", "largely", "chiefly", "purely", "solely", "highly", "truly",
    "firstly", "secondly", "lastly", "finally", "eventually", "especially", "particularly", "specially",
    "exactly", "precisely", "shortly", "directly", "immediately", "obviously", "clearly", "apparently",
    "evidently", "surely", "naturally", "presumably", "supposedly", "allegedly", "unfortunately",
    "fortunately", "luckily", "sadly", "literally", "basically", "essentially", "entirely", "completely",
    "totally", "utterly", "absolutely", "wholly", "fully", "equally", "similarly", "namely", "consequently",
    "accordingly", "originally", "initially", "formerly", "previously", "frankly", "undoubtedly",
    "definitely", "roughly", "approximately", "slightly", "newly", "badly", "greatly", "dearly", "lately",
    "very", "ordinarily", "seemingly", "subsequently", "ultimately", "additionally", "relatively",
    "extremely", "exceedingly", "sorely", "lonely", "kindly", "positively", "honestly",
}  # fmt: skip
"""Adverbs of degree, of time and of what the speaker thinks: they do not move as those of manner do."""
_WANTING_MANNER = {
    "behave", "treat", "last", "act", "dress", "fare", "mean", "bode", "do", "go", "feel", "look", "sound",
    "taste", "smell", "come", "be", "seem", "end", "think", "work",
}  # fmt: skip
"""Verbs that hardly stand without a word on the manner."""


def _manner(words: Words, number: int) -> Iterator[Edit]:
    """Move an adverb before its verb, or behind its verb and what the verb governs."""
    before = words.tagged(number - 1)
    if before == "VVD" and words.run(number - 2, number):
        free = not words.run(number, number + 1) or words.tag[number + 1].startswith(("PRP", "CJ"))
        # "Slowly, quietly", "slowly and quietly".
        among = "AV0" in (words.tagged(number + 1), words.tagged(number + 2))
        wanted = words.lemma(number - 1) in _WANTING_MANNER or among
        if free and not wanted and words.tag[number - 2] in ("PNP", "NN1", "NN2", "CJC", "NP0", "PNQ"):
            yield words.turned(number - 1, number, number, "adverb-order")
    elif words.tagged(number + 1) == "VVD" and words.run(number - 1, number + 1) and before != "AV0":
        last = number + 1
        if words.run(last, last + 1) and words.tag[last + 1] in DETERMINERS:
            last = words.phrase(last + 1)
            free = last > 0 and words.low[last] not in TIMES and words.closes(last)
        else:
            free = not words.run(last, last + 1) or words.tag[last + 1] in ("PRP", "CJC")
        if free and not words.owned(last):
            yield words.turned(number, number + 1, last, "adverb-order")


_SPEAKING = (
    "said|replied|answered|cried|asked|exclaimed|returned|added|remarked|observed|murmured|whispered|continued|"
    "muttered|repeated|inquired|enquired|rejoined|demanded"
)
_SPEAKER = r"(?:Mr|Mrs|Miss|Dr|Lady|Lord|Sir)\.? [A-Z][a-z]+|[A-Z][a-z]+|the (?:old |young )?[a-z]+"
_SAID_HE = re.compile(rf"(?<=[,!?—][\"”’'] )({_SPEAKING}) (he|she|I|they|{_SPEAKER})(?=[.,;:])")
_HE_SAID = re.compile(rf"(?<=[,!?—][\"”’'] )(he|she|I|they|{_SPEAKER}) ({_SPEAKING})(?=[.,;:])")


def speakers(words: Words) -> Iterator[Edit]:
    """Turn *said he* into *he said*, and the reverse."""
    for pattern in (_SAID_HE, _HE_SAID):
        for found in pattern.finditer(words.text):
            yield Edit(*found.span(), f"{found[2]} {found[1]}", "speaker-order")


# Owners and objects.

_PERSONS = {
    "father", "mother", "brother", "sister", "son", "daughter", "wife", "husband", "uncle", "aunt",
    "friend", "master", "king", "queen", "captain", "doctor", "author", "writer", "child", "man", "woman",
    "boy", "girl", "world", "country", "nation", "company", "city", "student", "teacher", "person", "lady",
    "gentleman", "government", "family", "poet", "reader",
}  # fmt: skip
_NOT_OWNED = {
    "rest", "half", "part", "parts", "kind", "kinds", "sort", "sorts", "type", "form", "top", "middle", "end",
    "number", "lot", "side", "back", "front", "bottom", "centre", "center", "edge", "piece", "majority",
    "whole", "remainder", "couple", "pair", "group", "series", "variety", "bulk", "bit", "third", "quarter",
    "beginning", "use", "lack", "loss", "want", "way", "means", "case", "fact", "idea", "thought", "thoughts",
    "sight", "fear", "sound", "memory", "news", "picture", "portrait", "image", "story", "tale", "care",
    "fate", "share", "turn", "rule", "man", "men", "woman", "women", "one", "ones", "likes", "role", "mercy",
    "history", "cost", "basis", "behalf", "charge", "value", "absence", "course", "subject", "question",
    "eye", "play", "content", "worth", "length", "notion", "age", "days", "day", "office", "title", "state",
    "west", "east", "north", "south", "heart", "hope", "size", "appearance", "study", "best", "most",
}  # fmt: skip
"""What is part of another, or has it for its object, and is not owned by it."""
_NO_OWNERS = TIMES | {"mind", "heart", "lion", "wit", "death", "stone", "arm", "life", "bird", "devil", "art"}
_OWNING = re.compile(r"\b(the|my|his|her|our|their|this) ([a-z]+)['’]s ([a-z]+)\b")


def genitives(words: Words) -> Iterator[Edit]:
    """Turn *the house of my father* into *my father's house*, and the reverse."""
    for number in range(len(words) - 4):
        thing, owner = number + 1, number + 4
        if words.low[number] != "the" or words.low[number + 2] != "of" or words.low[owner] not in _PERSONS:
            continue
        if (
            not words.run(number, owner)
            or words.low[thing].endswith("tion")
            or words.low[thing] in _NOT_OWNED
        ):
            continue
        if words.tag[thing] not in NOUNS or not words.said(thing, thing).islower():
            continue
        if words.tag[owner - 1] not in ("DPS", "AT0") or words.low[owner - 1] not in _DEFINITE:
            continue
        if _ends_owned(words, owner):
            new = cased_like(
                words.said(number, number), f"{words.said(owner - 1, owner)}'s {words.low[thing]}"
            )
            yield Edit(words.start[number], words.end[owner], new, "genitive")
    for found in _OWNING.finditer(words.text):
        owner, thing = words.reading.word_from(found.start(2)), words.reading.word_from(found.start(3))
        if words.tag[owner] != "NN1" or words.tagged(thing) not in ("NN1", "NN2"):
            continue
        if found[2] in _NO_OWNERS or found[3] in _NOT_OWNED | TIMES or words.near(owner - 2) == "of":
            continue
        if _ends_owned(words, thing):
            yield Edit(*found.span(), f"the {found[3]} of {found[1]} {found[2]}", "genitive")


_DEFINITE = {"the", "my", "his", "her", "our", "their", "your", "this", "that"}


def _ends_owned(words: Words, last: int) -> bool:
    """Return whether a noun ends its phrase: the phrase closes, or its verb comes next."""
    finite = words.run(last, last + 1) and words.tag[last + 1] in FINITE
    return not words.owned(last) and (finite or words.closes(last))


_SEPARABLE = {
    "pick": "up", "take": "off out away back down up", "put": "on off down away back out", "turn": "on off",
    "bring": "back up", "give": "up back away", "set": "aside down", "throw": "away off out",
    "hold": "up out", "lay": "down aside", "send": "away back", "carry": "off away out", "cut": "off down up",
    "pull": "off out", "push": "away back aside", "shut": "off", "call": "off", "work": "out",
    "figure": "out", "break": "off", "lift": "up", "hand": "over back", "pay": "back off", "write": "down",
    "wash": "off", "switch": "on off", "fill": "in up", "tear": "up down", "blow": "out",
    "knock": "down over", "leave": "out", "clear": "away", "clean": "up", "sweep": "away aside",
    "shake": "off", "cast": "off aside", "drive": "away back", "build": "up", "raise": "up", "fold": "up",
    "wake": "up", "sum": "up",
}  # fmt: skip
"""Verbs and the particles that their objects may stand before or behind."""
_PLACES = {
    "road", "street", "lane", "hill", "hills", "stairs", "steps", "window", "door", "river", "way", "path",
    "ladder", "coast", "mountain", "stream", "valley", "passage", "corridor", "slope", "track", "field",
    "ground", "table", "floor", "shelf", "bed", "bus", "train", "ship", "boat", "wall", "side", "gate",
}  # fmt: skip
"""Before nouns of place, what looks like a particle is often a preposition."""
_PUT_ON = {
    "coat", "hat", "gloves", "boots", "shoes", "dress", "things", "cap", "shirt", "clothes", "cloak",
    "jacket", "glasses", "spectacles", "bonnet", "shawl", "uniform", "slippers", "overcoat", "helmet",
    "light", "lights", "lamp", "lamps", "radio", "television", "engine", "heating", "gas", "tap",
}  # fmt: skip
"""What is put or turned on; before other nouns, *on* is mostly a preposition."""
_GIVING = {"give", "send", "show", "lend", "offer", "hand", "bring", "pay", "teach", "write", "grant"}
_IDIOMATIC = {
    "look", "smile", "kick", "chance", "hand", "glance", "nod", "push", "idea", "pain", "shock", "fright",
    "rest", "trouble", "visit", "way", "start", "lift", "ride", "kiss", "blow", "sense", "feeling",
    "impression", "opportunity", "reason", "call", "pleasure", "courage", "hug", "wave", "try", "ring",
    "attention", "compliment", "place", "road", "air", "appearance", "right", "advantage",
}  # fmt: skip
"""Things that one is given by a turn of phrase: *gave him a look*."""
_OF_VERBS = ("from", "into", "at", "before", "after")


def objects(words: Words) -> Iterator[Edit]:
    """Turn *gave him a book* into *gave a book to him*, *took off his hat* into *took his hat off*."""
    for number, one in enumerate(words.reading.tags):
        here = number + 1
        if not one.tag.startswith("VV") or not words.run(number, here + 1):
            continue
        # "He was taken off the list."
        if one.tag == "VVN" and not words.tagged(number - 1).startswith("VH"):
            continue
        last = words.phrase(here) if words.tag[here] in DETERMINERS else -1
        later = words.phrase(here + 1) if words.tag[here + 1] in DETERMINERS else -1
        particles = _SEPARABLE.get(one.lemma, "").split()
        if words.low[here] in particles and _movable(words, later, here):
            if words.closes(later, _OF_VERBS):
                yield words.turned(here, here + 1, later, "object-order")
        elif last > 0 and words.near(last + 1) in particles and _movable(words, last, last + 1):
            if words.close[last + 1] and words.closes(last + 1, _OF_VERBS):
                yield words.turned(here, last + 1, last + 1, "object-order")
        elif one.lemma in _GIVING and _receiver(words, here) and later > 0:
            if words.low[later] not in _IDIOMATIC | TIMES and words.closes(later, _OF_VERBS):
                yield words.turned(here, here + 1, later, "object-order", " to ")
        elif one.lemma in _GIVING and last > 0 and words.near(last + 1) == "to":
            free = words.run(last, last + 2) and _receiver(words, last + 2)
            if free and words.closes(last + 2, _OF_VERBS):
                new = f"{words.low[last + 2]} {words.said(here, last)}"
                yield Edit(words.start[here], words.end[last + 2], new, "object-order")


def _movable(words: Words, last: int, particle: int) -> bool:
    """Return whether the noun that ends a phrase may be the object of a verb with a particle."""
    if last < 0 or words.low[last] in TIMES | _PLACES:
        return False
    return words.low[particle] != "on" or words.low[last] in _PUT_ON


def _receiver(words: Words, number: int) -> bool:
    return words.near(number) in OBJECTS and words.tagged(number) == "PNP"
