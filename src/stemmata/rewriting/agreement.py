"""Agreement: a word in the form its place asks for, and the article that its sound asks for. English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from stemmata.rewriting.passage import Passage, capitalised
from stemmata.text.extras import require

_PENN = {
    "NN0": "NN", "NN1": "NN", "NN2": "NNS", "VVB": "VBP", "VVI": "VB", "VVZ": "VBZ", "VVD": "VBD",
    "VVN": "VBN", "VVG": "VBG", "AJ0": "JJ", "AJC": "JJR", "AJS": "JJS", "AV0": "RB",
}  # fmt: skip
"""Tags of the British National Corpus, which the tagger gives, and of the Penn Treebank for the same."""
_PLAIN = {"NN", "VB", "VBP", "JJ", "RB"}
"""Tags of the form under which a dictionary lists a word."""

_FIRST = re.compile(r"[^\w]*_*([^\W_]+)")
_VOWEL = re.compile(
    r"""(?x)
    (?! eu(?!ler) | ew | one(?:s?\b|self|ness|time|fold) | once | ou[ai]
      # A "u" that sounds like "you".
      | u(?: ni(?!n|m(?!od)|d(?:ent|ea|io)|gn|ll|rr|ron|ss) | nanim | nesco
           | s[aeiu] | t(?:[aeio]|r[ei]) | r[aeiou] | vu | ve | bi | fo | ga | ly | [eky] ) )
    [aeiouàáâãäåæèéêëìíîïòóôõöøœùúûü]
    | h(?: our(?!i) | onest | onou?r | eir(?!a) ) | y[bcdfghklmnprstvwz] | xbox
    """,
    re.IGNORECASE,
)
"""The beginnings of words that sound like a vowel; *a unit* and *a one* do not, *an hour* does."""
_EIGHT = re.compile(r"8|1[18](?:\d\d|(?:\d{3})*)(?!\d)")
"""Eight, eleven, eighteen, and numbers and years that begin with them."""
_CAPITALS = re.compile(r"([A-Z]{2,})([a-z]*)(\d*)")
_OPEN_LETTERS = frozenset("AEFHILMNORSX")
"""Letters whose names begin with a vowel."""
_ONSETS = re.compile(
    r"(?:[bcdghjklmnprtvwz]|[bcdfgkpt]r|[bcfgkp]l|[cgprstw]h|qu|f|s(?:[cptk][lr]?|[hlmnqvw]|ch|hr|ph)?)[aeiouy]"
    r"|[aeio]|u\w{3}",
    re.IGNORECASE,
)
"""How words begin that can be read as such, in capitals, too."""
_LETTER_BY_LETTER = frozenset(
    {
        "FAQ", "FOI", "HIV", "HOA", "HUD", "LED", "MEP", "MIA", "MIT", "MOD", "MOT", "MOU", "NIH", "NUS",
        "RAF", "ROI", "RUC", "SAS", "SAT", "SEC", "SEO", "SOP", "SOS", "SUV", "UCAS", "UCLA", "UNHCR", "USAF",
        "USDA", "USPS", "USSR",
    }
)  # fmt: skip
"""Capitals that could be read as a word, but are not."""
_SAID_WHOLE = frozenset({"NO", "SO", "MY", "ME", "HE", "HI", "HA", "HO", "LO", "MA", "RE"})
_SHORTENED = re.compile(r"(?:mrs|msgr|sgt|ltd|str|frl|[hrs]*[hm]+)\Z", re.IGNORECASE)
"""Abbreviations and sounds that are not read letter by letter."""
_ELIDED = re.compile(r"[^\W\d_]['’](?!s\b)[^\W\d_]")
ARTICLES = {"a", "an"}


@lru_cache(1 << 16)
def inflected(lemma: str, tag: str) -> str | None:
    """Return the form of a word that a tag of the tagger asks for, or None where there is none.

    Needs lemminflect (extra ``lemmas``).

    Examples
    --------
    >>> inflected("leap", "VVZ"), inflected("goose", "NN2"), inflected("unique", "AJC")
    ('leaps', 'geese', None)
    """
    penn = _PENN.get(tag)
    if penn is None:
        return None
    if penn in _PLAIN or (penn == "NNS" and is_plural(lemma)):
        return lemma
    forms = require("lemminflect", "inflecting English words", "lemmas").getInflection(
        # Rules would make comparatives of adjectives that have none.
        lemma,
        penn,
        inflect_oov=not penn.startswith("JJ"),
    )
    return str(forms[0]) if forms else None


def inflected_expression(expression: str, tag: str, head: int) -> str | None:
    """Return an expression with one of its words in the form a tag asks for, or None where there is none.

    Parameters
    ----------
    head
        Which word is inflected: 0 is the first, -1 the last.

    Examples
    --------
    >>> inflected_expression("look for", "VVD", 0), inflected_expression("steam engine", "NN2", -1)
    ('looked for', 'steam engines')
    """
    words = expression.split(" ")
    form = inflected(words[head], tag)
    if not form:
        return None
    words[head] = form
    return " ".join(words)


def is_plural(noun: str) -> bool:
    """Return whether a noun is a plural already, as some are that dictionaries list. Needs lemminflect.

    Examples
    --------
    >>> [is_plural(noun) for noun in ("woods", "wood", "glass", "means")]
    [True, False, False, False]
    """
    lemmas = require("lemminflect", "inflecting English words", "lemmas").getAllLemmas(noun).get("NOUN", ())
    return bool(lemmas) and noun not in lemmas


def article_before(word: str) -> str:
    """Return the indefinite article that a word asks for, by the sound it begins with.

    Capitals are read letter by letter where they cannot be read as a word, as in *an MBA*.

    Examples
    --------
    >>> [article_before(word) for word in ("idle", "quick", "hour", "uniform", "unimportant", "Euro")]
    ['an', 'a', 'an', 'a', 'an', 'a']
    >>> [article_before(word) for word in ("FBI", "NATO", "US", "x-ray", "18th")]
    ['an', 'a', 'a', 'an', 'an']
    """
    first = _FIRST.match(word)
    if first is None:
        return "a"
    form = first[1]
    if form[0].isdigit():
        open_sound = _EIGHT.match(form) is not None
    elif _is_spelled(form) and not _ELIDED.match(word, first.start(1)):
        open_sound = form[0].upper() in _OPEN_LETTERS
    else:
        open_sound = _VOWEL.match(word, first.start(1)) is not None
    return "an" if open_sound else "a"


def _is_spelled(form: str) -> bool:
    """Return whether a word is read letter by letter."""
    if len(form) == 1:
        return form.isascii()
    capitals = _CAPITALS.match(form)
    if capitals is None:
        # "An mp3" and "an html page", but "a Mrs".
        bare = form.rstrip("0123456789")
        told = len(bare) > 2 or bare != form
        return told and re.search(r"[aeiouy]", form, re.IGNORECASE) is None and _SHORTENED.match(bare) is None
    letters, rest, digits = capitals.groups()
    if digits or rest not in ("", "s"):
        return True
    if letters in _LETTER_BY_LETTER:
        return True
    if len(letters) == 2:
        return letters not in _SAID_WHOLE
    return _ONSETS.match(letters) is None


def with_articles(passage: Passage, words: Sequence[str], kinds: list[str]) -> list[str]:
    """Return words in their places with *a* and *an* as the words behind them ask for.

    Only where one of the two is another word than it was; `kinds` tells of the change as ``"article"``.
    """
    fitting = list(words)
    for number, (word, after) in enumerate(pairwise(words)):
        if word.lower() not in ARTICLES or passage.gap(number + 1).strip(" \t\r\n\"'“‘"):
            continue
        if (word, after) == tuple(passage.words[number : number + 2]):
            continue
        article = article_before(after)
        if article != word.lower():
            fitting[number] = capitalised(article) if word[0].isupper() else article
            kinds[number] = kinds[number] or "article"
    return fitting
