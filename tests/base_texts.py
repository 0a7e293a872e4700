"""Base texts for small corpora, written by the writer of the demonstration corpus."""

import numpy as np

from stemmata.corpora.demo_text import Writer, topics


def write_base(folder, texts=10, articles=24, seed=3):
    """Write some books of articles, two topics each."""
    folder.mkdir(parents=True, exist_ok=True)
    names = topics()
    for number in range(texts):
        writer = Writer(np.random.default_rng([seed, number]))
        parts = [writer.article(names[(number + i % 2) % len(names)], 8).text for i in range(articles)]
        (folder / f"book-{number:02}.txt").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return folder
