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

_VOWEL = re.compile(
    r"""(?x)
    (?! eu | ew | u(?:ni(?!n|m)|s[aeiu]|t[aei]|ra[nl]|ri|b[io]|k|fo|kr) | one(?![a-z]*ir) | once | ouija )
    [aeiouàáâäæèéêëìíîïòóôöøœùúûü]
    | h(?:our|onest|ono|eir) | x-
    """,
    re.IGNORECASE,
)
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
    if penn in _PLAIN:
        return lemma
    forms = require("lemminflect", "inflecting English words", "lemmas").getInflection(
        # Rules would make comparatives of adjectives that have none.
        lemma,
        penn,
        inflect_oov=not penn.startswith("JJ"),
    )
    return str(forms[0]) if forms else None


def article_before(word: str) -> str:
    """Return the indefinite article that a word asks for.

    Examples
    --------
    >>> [article_before(word) for word in ("idle", "quick", "hour", "uniform", "unimportant", "Euro")]
    ['an', 'a', 'an', 'a', 'an', 'a']
    """
    return "an" if _VOWEL.match(word) else "a"


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
