"""British and American spelling: which of them a text keeps to, and words in the other. English.

Pairs are of our own table, with rules for American *-ize*, *-ization* and *-yze*. British *-ise* has no such
rule, as *promise* and *surprise* are spelled alike everywhere. A name keeps its spelling, and so does a word
with a capital that only a rule knows, as *Belize*, unless the text has it without one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from stemmata.model import ErrorCode, StemmataError
from stemmata.rewriting.edits import Edit
from stemmata.rewriting.lookup import Found, PhraseIndex
from stemmata.rewriting.reading import cased_like
from stemmata.rewriting.transformation import in_order

Variety = Literal["british", "american"]
_OTHER: dict[str, Variety] = {"british": "american", "american": "british"}
VARIETIES = tuple(_OTHER)

_IZE = re.compile(r"\b([A-Za-z]{3,}?)(i|y)z(e|es|ed|ing|er|ers|ation|ations|able)\b(?![-@'’]\w)")
_ALWAYS_Z = re.compile(
    r"(?:un|re|down|over|under|out|mid|super)?(?:s|pr|se|ma|ba|ass|appr|caps)i\Z", re.IGNORECASE
)
"""What stands before the *z* of *size*, *prize*, *seize* and the like."""
_WEAK = 0.5
"""What *-ize* counts: British publishers use it, too."""
_PREFIX = re.compile(r"(?:un|re|de|dis|over|pre|mis|non|out|under|co)")
_TITLE = re.compile(
    r"(?:\b(?:mr|mrs|ms|mx|messrs|dr|st|sts|prof|rev|revd|fr|hon|capt|cpt|cmdr|col|gen|lt|maj|sgt|cpl|pvt|adm|gov|sen"
    r"|rep|pres|supt|insp|mt|ft|mme|mlle)|(?<![^\W_])[^\W\d_])\.\s+\Z",
    re.IGNORECASE,
)
"""Titles and initials: the period behind them ends no sentence."""
_CAPITALISED = re.compile(r"(?<![\w-])[A-Z][a-z]+")
_SMALL = re.compile(r"(?<![\w-])[a-z]+")
_SENTENCE_BEGIN = re.compile(r"(?:\A|[.!?:]['\"”’)\]]*\s|\n)[\s\"'“‘(\[*_-]*\Z")


@dataclass(frozen=True)
class SpellingVariety:
    """Propose words in the spelling of the other variety.

    Parameters
    ----------
    to
        The variety to write in; empty: each word goes to the other variety than its own.
    vocabulary
        Exchange words that differ in more than their spelling, too, such as *lorry* and *truck*.

    Examples
    --------
    >>> [edit.replacement for edit in SpellingVariety().proposals("The Colour of gray theatres")]
    ['grey', 'theaters']
    """

    to: str = ""
    vocabulary: bool = False

    def __post_init__(self) -> None:
        if self.to not in ("", *_OTHER):
            rule = "it is british, american or nothing"
            raise StemmataError(ErrorCode.BAD_PARAMETER, name="to", value=self.to, rule=rule)

    def proposals(self, text: str) -> list[Edit]:
        """Return edits whose kinds are the varieties to which they lead."""
        edits = []
        names = _names(text)
        for found, own in _found(text, self.vocabulary):
            to = _OTHER[own]
            old = text[found.start : found.end]
            if self.to in ("", to) and not (written_as_name(text, found.start, old) or old in names):
                edits.append(Edit(found.start, found.end, cased_like(old, found.phrase), to))
        return in_order(edits, text)


def variety_of(text: str) -> Variety | Literal[""]:
    """Return the variety to which most of a text's telling words belong, or nothing where none prevails.

    Examples
    --------
    >>> variety_of("The color of the theatre's armor."), variety_of("It was late.")
    ('american', '')
    """
    british = american = 0.0
    for found, own in _found(text, vocabulary=True):
        weak = own == "american" and re.search(r"i[sz](?:e|ing|ation|able)", found.phrase)
        if own == "british":
            british += 1
        else:
            american += _WEAK if weak else 1
    if british == american:
        return ""
    return "british" if british > american else "american"


def _found(text: str, vocabulary: bool) -> Iterator[tuple[Found, Variety]]:
    """Yield where words of one variety stand, with the words of the other, and the variety they are of."""
    pairs, index = _pairs(vocabulary)
    for found in index.find(text):
        other, variety = pairs[found.phrase]
        yield Found(found.start, found.end, other), variety
    small = {one[0] for one in _IZE.finditer(text) if one[0].islower()}
    for one in _IZE.finditer(text):
        form = one[0].lower()
        known = form in pairs or _ALWAYS_Z.match(one[1] + one[2])
        # A name may end so.
        verb = form in small or _PREFIX.sub("", form, count=1) in pairs
        if not known and verb and (one[2] == "i" or one[1].lower().endswith("l")):
            yield Found(one.start(), one.end(), f"{one[1]}{one[2]}s{one[3]}".lower()), "american"


def written_as_name(text: str, start: int, word: str) -> bool:
    """Return whether a word is written as a name: with a capital where none is due, but not in capitals."""
    if not word[0].isupper() or (word.isupper() and len(word) > 1):
        return False
    return not _begins_sentence(text, start)


def _begins_sentence(text: str, offset: int) -> bool:
    before = text[max(offset - 20, 0) : offset]
    return _SENTENCE_BEGIN.search(before) is not None and _TITLE.search(before) is None


def _names(text: str) -> set[str]:
    """Return the words with capitals that a text has inside of sentences, and never without a capital.

    Such a word is a name where a sentence begins with it, too.
    """
    found = {one[0] for one in _CAPITALISED.finditer(text) if not _begins_sentence(text, one.start())}
    small = set(_SMALL.findall(text)) if found else set()
    return {word for word in found if word.lower() not in small}


@cache
def _pairs(vocabulary: bool) -> tuple[dict[str, tuple[str, Variety]], PhraseIndex]:
    """Return the other variety's word for each word that belongs to one, and that variety."""
    said = tomllib.loads((files("stemmata.rewriting") / "data" / "spelling_variety.toml").read_text("utf-8"))
    pairs: list[tuple[str, str]] = []
    endings = [ending.split("/") for ending in said["ise_endings"].split()]
    for stem in said["ise"].split():
        pairs += [(stem + british, stem + american) for british, american in endings]
    for row in filter(None, said["rows"].splitlines()):
        british, american, *forms = row.split()
        pairs += [(british + form.strip("-"), american + form.strip("-")) for form in forms]
    one_way = set(said["one_way"].split())
    if vocabulary:
        for row in filter(None, said["vocabulary"].splitlines()):
            british, way, american = re.split(r" ([=>]) ", row)
            pairs.append((british, american))
            one_way |= {british} if way == ">" else set()
    table: dict[str, tuple[str, Variety]] = {}
    for british, american in pairs:
        table[british] = (american, "british")
        if british not in one_way:
            table[american] = (british, "american")
    return table, PhraseIndex(table)
