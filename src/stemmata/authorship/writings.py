"""A text as stylometry sees it: its characters, tokens, words, sentences and parts of speech, found once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, TypeVar

from stemmata.model import Document
from stemmata.text.analysis import Analysis
from stemmata.text.languages import LanguagePack, languages
from stemmata.text.pos import tag_words

T = TypeVar("T")

_gaps = re.compile(r"\s+")
_paragraphs = re.compile(r"\n\s*\n")
_digits = re.compile(r"\d")
_letters = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class Writing:
    """One text; each part is found when first asked for, and then kept.

    Examples
    --------
    >>> writing = Writing("It was, he said,  late. He left!")
    >>> writing.words
    ('it', 'was', 'he', 'said', 'late', 'he', 'left')
    >>> writing.tokens
    ('It', 'was', ',', 'he', 'said', ',', 'late', '.', 'He', 'left', '!')
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._analysis = Analysis(Document("", text))
        self._made: dict[Any, Any] = {}

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """Return what was made of this text under a key, made when first asked for.

        A text outlives the batch in which it was first met; what was made with other texts has them in its
        key.
        """
        if key not in self._made:
            self._made[key] = make()
        value: T = self._made[key]
        return value

    @property
    def language(self) -> str:
        """The code of the language."""
        return self._analysis.language

    @property
    def pack(self) -> LanguagePack:
        """Word lists and tools of the language."""
        return languages[self.language]

    @cached_property
    def spaced(self) -> str:
        """The text with every gap made one blank."""
        return _gaps.sub(" ", self.text).strip()

    @cached_property
    def distorted(self) -> str:
        """The text with a star for every word of content, and a hash for every digit."""
        return self._distorted(lambda _: "*")

    @cached_property
    def distorted_by_letter(self) -> str:
        """The text with stars for every word of content, as many as it has letters."""
        return self._distorted(lambda word: "*" * len(word))

    def _distorted(self, starred: Callable[[str], str]) -> str:
        kept = self.pack.function_words

        def shown(match: re.Match[str]) -> str:
            word = match.group()
            return word if word.lower() in kept else starred(word)

        return _digits.sub("#", _letters.sub(shown, self.spaced))

    @property
    def words(self) -> tuple[str, ...]:
        """Runs of letters and digits, in lower case."""
        return self._analysis.words.forms

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Words and punctuation, with their capitals."""
        return tuple(_token(self.text))

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences."""
        start, end = self._analysis.sentences
        return tuple(self.text[i:j] for i, j in zip(start.tolist(), end.tolist(), strict=True))

    @cached_property
    def paragraphs(self) -> tuple[str, ...]:
        """What blank lines part."""
        return tuple(part for part in _paragraphs.split(self.text) if part.strip())

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The part of speech of each token, which is that of its form wherever it stands."""
        return tuple(part_of(token, self.language) for token in self.tokens)


_token = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]").findall


def texts_key(texts: Iterable[str]) -> bytes:
    """Return a key under which what was made of texts is kept: short, and another for other texts.

    Examples
    --------
    >>> texts_key(["ab", "c"]) == texts_key(["ab", "c"]), texts_key(["ab", "c"]) == texts_key(["a", "bc"])
    (True, False)
    """
    key = sha256()
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        key.update(len(raw).to_bytes(8, "big"))
        key.update(raw)
    return key.digest()


@lru_cache(maxsize=200_000)
def part_of(token: str, language: str) -> str:
    """Return the part of speech of a token by itself; punctuation is its own.

    A tagger that reads whole sentences costs a hundred times as much for a corpus, because forms repeat.
    """
    if not token[0].isalnum():
        return token
    if languages[language].tag is None:
        return "X"
    return tag_words([token], language)[0].part
