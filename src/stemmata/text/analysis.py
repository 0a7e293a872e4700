"""The analysis of a document, made once for all the pairs it is part of."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from stemmata.model import Document
from stemmata.model.spans import Ints
from stemmata.text.keeping import kept_per_document
from stemmata.text.languages import SAMPLE, language_of, language_of_words, languages
from stemmata.text.sentences import find_sentences
from stemmata.text.stems import stems
from stemmata.text.words import Words, character_codes, find_tokens, find_words


class Analysis:
    """What a document is made of; each part is found when first asked for, and then kept.

    Parameters
    ----------
    document
        The document.
    language
        Its language; without one it is guessed from the text.

    Examples
    --------
    >>> analysis = Analysis(Document("one", "He copied it. She didn't."))
    >>> analysis.stems
    ('he', 'copi', 'it', 'she', 'didn', 't')
    >>> analysis.word_sentence.tolist()
    [0, 0, 0, 1, 1, 1]
    """

    def __init__(self, document: Document, language: str | None = None) -> None:
        self.document = document
        self._language = language

    @cached_property
    def language(self) -> str:
        """The code of the language, such as ``"en"``."""
        if self._language:
            return languages[self._language].code
        text = self.document.text
        return language_of_words(self.words.forms) if len(text) <= SAMPLE else language_of(text)

    @cached_property
    def words(self) -> Words:
        """The runs of letters and digits."""
        return find_words(self.document.text)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stem of each word."""
        return tuple(stems(self.words.forms, self.language))

    @cached_property
    def tokens(self) -> Words:
        """The tokens in the manner of the Penn Treebank."""
        return find_tokens(self.document.text, self.sentences)

    @cached_property
    def sentences(self) -> tuple[Ints, Ints]:
        """The offsets where sentences start and end."""
        return find_sentences(self.document.text, self.language)

    @cached_property
    def word_sentence(self) -> Ints:
        """The number of the sentence in which each word starts."""
        return self._sentence_at(self.words.start)

    @cached_property
    def token_sentence(self) -> Ints:
        """The number of the sentence in which each token starts."""
        return self._sentence_at(self.tokens.start)

    @cached_property
    def newlines(self) -> Ints:
        """The offsets of the line feeds."""
        return np.flatnonzero(character_codes(self.document.text) == ord("\n"))

    def _sentence_at(self, offsets: Ints) -> Ints:
        # Everything but space lies in a sentence, so the last to start before an offset holds it.
        return np.searchsorted(self.sentences[0], offsets, side="right") - 1


@kept_per_document
def analyse(document: Document, language: str | None = None) -> Analysis:
    """Return the analysis of a document, the same one each time while it is among the latest."""
    return Analysis(document, language)
