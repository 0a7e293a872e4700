"""Derive the background that comes with the package: how often others use what style is made of.

    python -m stemmata.masking.guided.training OUT.npz NAME=FOLDER …

Each folder holds texts of one kind of writing, in .txt files at any depth; of long ones, stretches are
taken as long as the texts that people hide. Only means and spreads of frequencies are kept, no text.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from stemmata.formats.files import read_text, write_atomically
from stemmata.masking.goals import vector
from stemmata.masking.style import counted

STRETCH = 1000
"""Words of a stretch."""
SHORTEST = 200
"""Words that a text must have."""
PER_TEXT = 4
"""Stretches of a long text, from all over it."""
MOST = {
    "characters-3": 1500, "characters-4": 2500, "characters-6": 2000, "distorted-4": 1500,
    "distorted-6": 2000, "words": 300, "word-pairs": 1200, "function-words": 300, "function-word-pairs": 800,
    "suffixes": 600, "prefixes": 600, "punctuation": 40, "punctuation-pairs": 150, "marks-and-words": 30,
    "shapes-2": 1200, "shapes-3": 1500, "parts-2": 250, "parts-3": 800, "word-lengths": 20,
    "sentence-lengths": 13,
}  # fmt: skip
"""How many of the most frequent features of each family are kept."""


def stretches(text: str, most: int = PER_TEXT) -> list[str]:
    """Return stretches of a text, from all over it; none if it is too short.

    Examples
    --------
    >>> [len(one.split()) for one in stretches("so it goes " * 1000)], stretches("too short")
    ([1000, 1000, 999], [])
    """
    words = text.split(" ")
    count = min(most, max(1, len(words) // STRETCH))
    starts = np.linspace(0, max(0, len(words) - STRETCH), count).astype(int)
    found = [" ".join(words[start : start + STRETCH]) for start in starts]
    return [one for one in found if len(one.split()) >= SHORTEST]


def background(kinds: Mapping[str, Iterable[str]]) -> dict[str, np.ndarray]:
    """Return means and spreads of frequencies, as they are written to a file.

    Parameters
    ----------
    kinds
        By the name of a kind of writing, texts of it.
    """
    counts = {
        name: [counted(one) for text in texts for one in stretches(text)] for name, texts in kinds.items()
    }
    made: dict[str, np.ndarray] = {"kinds": _packed(list(counts)), "families": _packed(list(MOST))}
    for family, most in MOST.items():
        # Each kind of writing has the same say in which features are kept.
        votes: Counter[str] = Counter()
        for texts in counts.values():
            for text in texts:
                total = max(1, sum(text[family].values())) * len(texts)
                for term, number in text[family].items():
                    votes[term] += number / total  # type: ignore[assignment]
        terms = [term for term, _ in sorted(votes.items(), key=lambda one: (-one[1], one[0]))[:most]]
        columns = {term: place for place, term in enumerate(terms)}
        means, spreads = [], []
        for texts in counts.values():
            rows = np.array([vector(text[family], columns) for text in texts])
            rows /= np.maximum(rows.sum(axis=1, keepdims=True), 1)
            means.append(rows.mean(axis=0))
            # A feature that hardly occurs has a spread that says nothing: not below that of one occurrence.
            once = 1 / max(1.0, float(np.mean([sum(text[family].values()) for text in texts])))
            spreads.append(np.maximum(rows.std(axis=0), once / 3))
        made[f"{family}.terms"] = _packed(terms)
        made[f"{family}.mean"] = np.array(means, dtype=np.float32)
        made[f"{family}.spread"] = np.array(spreads, dtype=np.float32)
    return made


def _packed(lines: Sequence[str]) -> np.ndarray:
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


def main(arguments: Sequence[str]) -> None:
    """Read folders of texts and write the background."""
    out, *named = arguments
    kinds = {}
    for one in named:
        name, _, folder = one.partition("=")
        kinds[name] = [read_text(path) for path in sorted(Path(folder).rglob("*.txt"))]
    with write_atomically(Path(out)) as part, part.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **background(kinds))


if __name__ == "__main__":
    main(sys.argv[1:])
