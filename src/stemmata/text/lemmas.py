"""Lemmas of words that stand alone: what a dictionary lists them under."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache

from stemmata.text.extras import no_tool, require

_PARTS = ("AUX", "NOUN", "VERB", "ADJ", "ADV")
"""Where a form may belong to several parts of speech, the first with a lemma unlike the form wins."""
_LONGEST = 64
"""No word of a dictionary is longer, and analysers take their time over what is."""


def lemmas(forms: Sequence[str], language: str = "en", part: str | None = None) -> list[str]:
    """Return the lemma of each lower-cased form; one that no dictionary knows is its own.

    English by lemminflect, German and Spanish by simplemma (extra ``lemmas``), Russian by pymorphy3
    (extra ``russian``).

    Parameters
    ----------
    forms
        Words in lower case. For the lemmas of words in a sentence see `stemmata.text.pos.tag_words`.
    language
        Their language.
    part
        Take all words for this part of speech, such as ``"NOUN"``; English and Russian only.

    Examples
    --------
    >>> lemmas(["mice", "were", "copied"])
    ['mouse', 'be', 'copy']
    >>> lemmas(["mice", "were", "copied"], part="NOUN")
    ['mouse', 'were', 'copied']
    """
    of = _lemmatizer(language, part)
    return [of(form) if form.isprintable() and 0 < len(form) <= _LONGEST else form for form in forms]


@cache
def _lemmatizer(language: str, part: str | None) -> Callable[[str], str]:
    """Return the lemmatizer of a language, which remembers what it was asked lately."""
    makers = {"en": _english, "ru": _russian, "de": _simplemma("de"), "es": _simplemma("es")}
    if language not in makers:
        raise no_tool("lemmatizer", language, makers)
    return lru_cache(maxsize=1 << 17)(makers[language](part))


def _english(part: str | None) -> Callable[[str], str]:
    all_lemmas = require("lemminflect", "English lemmas", "lemmas").getAllLemmas

    def lemma(form: str) -> str:
        found = all_lemmas(form)
        known = [found[one][0] for one in ([part] if part else _PARTS) if one in found]
        return next((one for one in known if one != form), form)

    return lemma


def _russian(part: str | None) -> Callable[[str], str]:
    from stemmata.text.pos import russian_analyser, russian_part

    parse = russian_analyser().parse

    def lemma(form: str) -> str:
        readings = parse(form)
        of_part = [one for one in readings if part is None or russian_part(one.tag) == part]
        return str(of_part[0].normal_form) if of_part else form

    return lemma


def _simplemma(language: str) -> Callable[[str | None], Callable[[str], str]]:
    def make(part: str | None) -> Callable[[str], str]:
        if part is not None:
            raise no_tool(f"lemmatizer of {part}", language, ("en", "ru"))
        lemmatize = require("simplemma", "German and Spanish lemmas", "lemmas").lemmatize
        # German nouns are listed with a capital, but forms are compared in lower case.
        return lambda form: str(lemmatize(form, lang=language)).lower()

    return make
