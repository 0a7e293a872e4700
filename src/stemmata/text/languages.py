"""Languages, each with its pack of word lists and tools."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files

from stemmata.model import Registry, StemmataError
from stemmata.text.lemmas import lemmas
from stemmata.text.pos import Tagged, tag_words
from stemmata.text.stems import SNOWBALL
from stemmata.text.wordnet import PARTS, wordnet
from stemmata.text.words import find_words

Lemmatize = Callable[[Sequence[str]], list[str]]
Tag = Callable[[Sequence[str]], list[Tagged]]


@dataclass(frozen=True)
class LanguagePack:
    """What is known of a language.

    Attributes
    ----------
    code, name
        Such as ``"en"`` and ``"English"``.
    stop_words
        Frequent words that say little of a topic, in lower case.
    stemmer
        The Snowball algorithm.
    function_words
        All words of the closed classes, stop words among them: how somebody writes, not of what.
    abbreviations
        Words before a period that ends no sentence, without the last period.
    final_abbreviations
        Abbreviations that do end sentences now and then, such as ``"etc"``.
    lemmatize
        Lemmas of words, or None where no lemmatizer is at hand.
    tag
        Parts of speech of the words of a sentence, or None where no tagger is at hand.
    """

    code: str
    name: str
    stop_words: frozenset[str] = field(repr=False)
    stemmer: str
    abbreviations: frozenset[str] = field(repr=False)
    final_abbreviations: frozenset[str] = field(repr=False)
    function_words: frozenset[str] = field(repr=False)
    lemmatize: Lemmatize | None = field(default=None, repr=False)
    tag: Tag | None = field(default=None, repr=False)


def _pack(code: str, name: str, lemmatize: Lemmatize | None, tag: Tag | None) -> LanguagePack:
    """Read the word lists of a language and add its tools."""
    lists = tomllib.loads((files("stemmata.text") / "data" / f"{code}.toml").read_text("utf-8"))
    words = {name: frozenset(text.split()) for name, text in lists.items()}
    return LanguagePack(
        code,
        name,
        stop_words=words["stop_words"],
        stemmer=SNOWBALL[code],
        abbreviations=words["abbreviations"] - words["final_abbreviations"],
        final_abbreviations=words["final_abbreviations"],
        function_words=words["function_words"] | words["stop_words"],
        lemmatize=lemmatize,
        tag=tag,
    )


ENGLISH = _pack("en", "English", partial(lemmas, language="en"), partial(tag_words, language="en"))
RUSSIAN = _pack("ru", "Russian", partial(lemmas, language="ru"), partial(tag_words, language="ru"))
GERMAN = _pack("de", "German", partial(lemmas, language="de"), partial(tag_words, language="de"))
SPANISH = _pack("es", "Spanish", partial(lemmas, language="es"), None)

languages: Registry[LanguagePack] = Registry(
    "language",
    {
        "en": "stemmata.text.languages:ENGLISH",
        "ru": "stemmata.text.languages:RUSSIAN",
        "de": "stemmata.text.languages:GERMAN",
        "es": "stemmata.text.languages:SPANISH",
    },
)
"""Language packs by code."""

ENOUGH = 1000
"""How many words are enough to know a language."""
SAMPLE = 20_000
"""How many characters of a text are enough to know its language."""
_SHARE = 0.15
"""Running text holds far more stop words of its language than this; lists of names hold fewer."""
_LATIN_SCRIPT = (ENGLISH, GERMAN, SPANISH)
UNKNOWN = "und"
"""The code of ISO 639-2 for a language that is not determined."""
_SURELY, _SLACK = 0.25, 1
"""A third of the words of English and more are stop words; of Polish or Dutch, a sixth happens to be."""
_LATIN_END = "\u024f"
_LONGER, _LISTED, _FEWEST = 5, 0.85, 5
"""WordNet has nine in ten English words of five letters and more, but hardly half of Romance ones."""


def language_of(text: str) -> str:
    """Guess the language from the script and the stop words of a text's beginning; if unsure, English.

    Examples
    --------
    >>> language_of("Das ist nicht von mir."), language_of("Это не моё."), language_of("42")
    ('de', 'ru', 'en')
    """
    return language_of_words(find_words(text[:SAMPLE]).forms)


def known_language_of(text: str) -> str:
    """Tell the language of a text if it is one of those that are known, else `UNKNOWN`.

    Where `language_of` is for reading a text, which is better read as English than not at all, this is for
    writing in it: what is not surely English had better stay as it is. A few words without a stop word may be
    English, too.

    Examples
    --------
    >>> known_language_of("It is not mine.")
    'en'
    >>> known_language_of("Nie wiem, dlaczego to nie jest dobre, ale musimy o tym porozmawiać.")
    'und'
    """
    forms = find_words(text[:SAMPLE]).forms[:ENOUGH]
    guess = language_of_words(forms)
    if guess != ENGLISH.code:
        return guess
    words = [form for form in forms if not form.isdigit()]
    letters = "".join(words)
    foreign = sum(letter > _LATIN_END for letter in letters)
    # Words of one letter stand in most languages.
    telling = sum(form in ENGLISH.stop_words for form in words if len(form) > 1)
    sure = telling >= _SURELY * len(words) - _SLACK or _is_listed(words)
    return ENGLISH.code if sure and 2 * foreign <= len(letters) else UNKNOWN


def _is_listed(words: Sequence[str]) -> bool:
    """Return whether a dictionary has the longer words: notes and reviews have few stop words."""
    try:
        dictionary = wordnet()
    except StemmataError:
        return False
    longer = {word for word in words if len(word) >= _LONGER}
    known = sum(
        word in ENGLISH.function_words or any(dictionary.lemmas(word, part) for part in PARTS)
        for word in longer
    )
    return known >= max(_LISTED * len(longer), _FEWEST)


def language_of_words(forms: Sequence[str]) -> str:
    """Guess the language of lower-cased words, from the first thousand."""
    forms = forms[:ENOUGH]
    # Most texts have no Cyrillic word at all, and to see that is quick.
    cyrillic = max(forms, default="") >= "\u0400"
    if cyrillic and sum("\u0400" <= form <= "\u04ff" for form in forms) * 2 > len(forms):
        return RUSSIAN.code
    counts = {pack.code: sum(map(pack.stop_words.__contains__, forms)) for pack in _LATIN_SCRIPT}
    # The first of equals wins, which is English.
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] > _SHARE * len(forms) else ENGLISH.code
