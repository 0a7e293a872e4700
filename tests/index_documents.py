"""Small made-up documents to fill an index with."""

from collections.abc import Sequence

import numpy as np

from stemmata.formats.collections import SourceDocument

SYLLABLES = ["ba", "ke", "mi", "no", "ru", "sha", "ta", "vel", "zor", "gan", "pli", "dro", "fe", "hul"]


def word(number: int) -> str:
    """Give a word for a number, the same each time."""
    made = ""
    while True:
        number, rest = divmod(number, len(SYLLABLES))
        made += SYLLABLES[rest]
        if not number:
            return made + "n"


def text(seed: int, words: int = 60, vocabulary: int = 400) -> str:
    """Give a text of random words, in sentences."""
    chosen = np.random.default_rng(seed).integers(0, vocabulary, words).tolist()
    sentences = [chosen[at : at + 9] for at in range(0, words, 9)]
    return " ".join("The " + " ".join(map(word, sentence)) + "." for sentence in sentences)


def documents(count: int, first: int = 0, **settings: int) -> list[SourceDocument]:
    """Give documents with random texts."""
    return [
        SourceDocument(f"doc{number:04d}.txt", text(number, **settings))
        for number in range(first, first + count)
    ]


def changed(made: SourceDocument, share: float, seed: int = 0) -> SourceDocument:
    """Give a copy of a document under another name, a share of whose words was exchanged at one place."""
    words = made.text.split()
    count = round(share * len(words))
    new = text(seed + 10_000, count + 9).split()[:count]
    return SourceDocument(f"copy-of-{made.name}", " ".join([*words[: len(words) - count], *new]))


def names(made: Sequence[SourceDocument]) -> list[str]:
    return [one.name for one in made]
