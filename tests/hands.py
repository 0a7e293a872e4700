"""Texts by different hands, of our own making: each has words and a length of sentences of its own."""

import numpy as np

COMMON = ["the", "a", "of", "and", "to", "in", "it", "was", "he", "she", "that", "with", "for", "on", "as"]


def hand(seed, syllables, characters, mean=14):
    """Write sentences in the words of one hand: common ones, and 300 of its own by their rank."""
    rng = np.random.default_rng(seed)
    own = ["".join(rng.choice(syllables.split(), rng.integers(1, 4))) for _ in range(300)]
    chance = 1 / np.arange(1, 301)
    sentences = []
    while sum(map(len, sentences)) < characters:
        words = [
            str(rng.choice(COMMON) if rng.random() < 0.5 else rng.choice(own, p=chance / chance.sum()))
            for _ in range(rng.integers(mean // 2, mean * 2))
        ]
        sentences.append(" ".join(words).capitalize() + ". ")
    return "".join(sentences)
