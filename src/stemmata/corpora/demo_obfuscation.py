"""Two ways to hide a copied passage: random text operations, and a summary of its sentences.

The random operations are those of PAN-PC-10, section 3.3: words are shuffled, removed, inserted and
replaced, and what is inserted comes from the document that receives the passage.
"""

from __future__ import annotations

from collections.abc import Sequence

from numpy.random import Generator

from stemmata.corpora.demo_text import Sentence

_WINDOW = 5
"""Words are shuffled within windows of this many; the passage keeps its course."""


def random_operations(text: str, degree: float, host: Sequence[str], rng: Generator) -> str:
    """Disturb a passage word by word.

    Parameters
    ----------
    text
        The passage as copied.
    degree
        Share of windows that are shuffled; half as many words are removed, inserted or replaced.
    host
        Words of the receiving document.
    """
    words = [word for window in _windows(text.split()) for word in _maybe_shuffled(window, degree, rng)]
    disturbed: list[str] = []
    for word in words:
        chance = rng.random()
        stranger = host[int(rng.integers(len(host)))]
        if chance < degree / 6:
            disturbed += [stranger, word]
        elif chance < degree / 3:
            disturbed.append(stranger)
        elif chance >= degree / 2:
            disturbed.append(word)
    return " ".join(disturbed)


def summary(sentences: Sequence[Sentence]) -> str:
    """Keep the gist of every other sentence."""
    return " ".join(sentence.gist for sentence in sentences[::2])


def _windows(words: list[str]) -> list[list[str]]:
    return [words[start : start + _WINDOW] for start in range(0, len(words), _WINDOW)]


def _maybe_shuffled(words: list[str], degree: float, rng: Generator) -> list[str]:
    if rng.random() >= degree:
        return words
    return [words[i] for i in rng.permutation(len(words))]
