"""What may give an author away whatever the style: phrases of theirs, and names, dates and places.

By rules, as a guide: what is found may be harmless, and what is not found may still be there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from stemmata.model import StemmataError
from stemmata.text.languages import languages
from stemmata.text.wordnet import Synset, wordnet

SHORT, LONG = 3, 4
"""Words of a phrase: from the latter on any counts, shorter ones only with words that mean something."""
FEW = 3
"""So many texts by others are needed before what none of them has counts as rare."""
_MOST_PLACES = 500
"""A phrase is looked for in so many places that begin like it."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_BREAK = re.compile(r"[.!?:;()\[\]\"“”«»]|\n\s*\n|--|—")
_STOP_WORDS = languages["en"].stop_words

_MONTH = (
    "January|February|March|April|May|June|July|August|September|October|November|December|"
    "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_DAY = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_DATE = re.compile(
    rf"\b(?:(?:{_DAY}),? )?(?:"
    rf"\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b\.?(?:,? \d{{4}}\b)?"
    rf"|(?:{_MONTH})\b\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?"
    rf"|(?:{_MONTH})\b\.?,? \d{{4}}\b"
    r"|\d{4}-\d{1,2}-\d{1,2}\b|\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"
    r"|(?:1[5-9]|20)\d{2}\b)"
    rf"|\b(?:{_DAY})\b"
    rf"|(?<=\b[Ii]n )(?:{_MONTH})\b"
)
_NAME_WORD = r"[A-Z][^\W\d_]*(?:['’-][A-Z]?[^\W\d_]+)*"
_TITLE = r"(?:(?:Mr|Mrs|Ms|Dr|Prof|St)\. )?"
_NAME = re.compile(rf"{_TITLE}{_NAME_WORD}(?: (?:(?:of|de|van|von|the) )?{_TITLE}{_NAME_WORD})*")
_INSIDE = re.compile(r"[\w,;'’)] $|[\w,;)]\n$")
_POSSESSIVE = re.compile(r"['’](?:s|m|d|re|ve|ll|t)?$")
_NO_NAMES = frozenset(f"{_MONTH}|{_DAY}".lower().split("|")) | {
    "i",
    "i'm",
    "i'll",
    "i've",
    "i'd",
    "ok",
    "o",
    "a",
}
_BEFORE_PLACES = re.compile(r"\b(?:[Ii]n|[Nn]ear|[Oo]utside|[Tt]hroughout|[Aa]round) $")
_PLACES = re.compile(
    r" (?:Street|St|Road|Rd|Avenue|Lane|Square|Bridge|Park|Hill|River|Lake|Island|County|City|Valley|Bay)$"
)
_MOST_MEANINGS = 64
_REGIONS = frozenset({"location", "body of water", "landmass", "mountain", "geological formation"})


@dataclass(frozen=True)
class Named:
    """Names, dates and places that stand in a text, each once, in order."""

    names: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    def as_json(self) -> dict[str, list[str]]:
        """Return those of each kind."""
        return {"names": list(self.names), "dates": list(self.dates), "places": list(self.places)}


def shared_phrases(text: str, samples: Sequence[str], others: Sequence[str] = ()) -> list[str]:
    """Return runs of words that a text shares with samples and with no text by others, the longest first.

    Three words count if one means something and texts by others can tell what is rare, or if two do; from
    four on, any.

    Examples
    --------
    >>> shared_phrases("It fell. Make of that what you will!", ["He left; make of that what you will."])
    ['Make of that what you will']
    """
    words = _words(text)
    forms = [form for form, _, _ in words]
    known, elsewhere = _Phrases(samples), _Phrases(others)
    rare = len(others) >= FEW
    found: dict[str, str] = {}
    reached = 0
    for at in range(len(words)):
        size = known.longest(forms, at)
        if not size or at + size <= reached:
            continue
        reached = at + size
        meaning = sum(form not in _STOP_WORDS for form in forms[at:reached])
        if (size >= LONG or meaning >= (1 if rare else 2)) and elsewhere.longest(forms, at) < size:
            phrase = " ".join(text[words[at][1] : words[reached - 1][2]].split())
            found.setdefault(phrase.lower(), phrase)
    return sorted(found.values(), key=lambda phrase: -len(phrase.split()))


def _words(text: str) -> list[tuple[str, int, int]]:
    """Return words with their places; an empty one where a sentence or a part of it ends."""
    made: list[tuple[str, int, int]] = []
    end = 0
    for word in _WORD.finditer(text):
        if made and _BREAK.search(text, end, word.start()):
            made.append(("", end, end))
        made.append((word[0].lower().replace("’", "'"), *word.span()))
        end = word.end()
    return made


class _Phrases:
    """Texts in which phrases are found by their first words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._forms: list[str] = []
        for text in texts:
            self._forms += [*(form for form, _, _ in _words(text)), ""]
        self._places: dict[tuple[str, ...], list[int]] = {}
        for at in range(len(self._forms) - SHORT + 1):
            first = tuple(self._forms[at : at + SHORT])
            if all(first):
                self._places.setdefault(first, []).append(at)

    def longest(self, forms: Sequence[str], at: int) -> int:
        """Return how many words from a place on stand here, too; 0 if they are too few."""
        places = self._places.get(tuple(forms[at : at + SHORT]), [])[:_MOST_PLACES]
        return max((self._common(forms, at, place) for place in places), default=0)

    def _common(self, forms: Sequence[str], at: int, place: int) -> int:
        size = SHORT
        most = min(len(forms) - at, len(self._forms) - place)
        while size < most and forms[at + size] and forms[at + size] == self._forms[place + size]:
            size += 1
        return size


def named_in(text: str) -> Named:
    """Return the names, dates and places in an English text, as far as rules find them.

    A name is a word with a capital inside a sentence, or two at its beginning; a place is one that WordNet,
    if it is installed, knows as such, or that stands where places do.

    Examples
    --------
    >>> named_in("On 3 May 2019 we met Anna Weiss in Springfield.").as_json()
    {'names': ['Anna Weiss'], 'dates': ['3 May 2019'], 'places': ['Springfield']}
    """
    dates = [found.span() for found in _DATE.finditer(text)]
    names: list[str] = []
    places: list[str] = []
    for name, start in _names(text):
        if any(one <= start < other for one, other in dates):
            continue
        is_place = _PLACES.search(name) or _BEFORE_PLACES.search(text, 0, start) or _is_known_place(name)
        (places if is_place else names).append(name)
    return Named(_once(names), _once(text[one:other] for one, other in dates), _once(places))


def _names(text: str) -> Iterator[tuple[str, int]]:
    for found in _NAME.finditer(text):
        start, words = found.start(), found[0].split()
        inside = bool(_INSIDE.search(text, max(0, start - 2), start))
        while words and words[0].lower().replace("’", "'") in _STOP_WORDS | _NO_NAMES:
            start, inside, words = start + len(words[0]) + 1, True, words[1:]
        if not inside and len(words) < 2:
            continue
        name = _POSSESSIVE.sub("", " ".join(words))
        if len(name) > 1 and name.lower() not in _STOP_WORDS | _NO_NAMES:
            yield name, start


def _once(found: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))


@cache
def _is_known_place(name: str) -> bool:
    """Return whether WordNet's first meaning of a name is a place; where it is not installed, none is."""
    try:
        database = wordnet()
        meanings = database.synsets(name.lower().replace(" ", "_"), "NOUN")
    except StemmataError:
        return False
    above: list[Synset] = list(meanings[:1])
    for one in above:
        if not _REGIONS.isdisjoint(one.words):
            return True
        if len(above) < _MOST_MEANINGS:
            above += [database.synset(to.part, to.offset) for to in one.pointers if to.symbol in ("@", "@i")]
    return False
